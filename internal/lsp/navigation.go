package lsp

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines hover, definition, references and symbols. It also defines what is said about predicates, of the
// system and of the texts.

// target is what stands at a place: a use of a predicate or a variable of a clause.
type target struct {
	d        *document
	x        *fileIndex
	use      *use
	variable []span   // of the same variable in the clause
	name     string   // of the variable
	others   []string // the names of the variables in the clause
	span     span
}

// target returns what stands at a place, nil if it is neither.
func (s *server) target(d *document, p position) *target {
	x := s.space.file(d.path)
	if x == nil {
		return nil
	}
	// An atom where a label may stand is one if a rule has it.
	if u := x.useAt(p); u != nil && (!u.isLabel() || s.program(d.path).resolve(x, u) != "") {
		return &target{d: d, x: x, use: u, span: u.span}
	}
	return s.variableAt(d, x, p)
}

// variableAt returns the variable at a place, or nil.
func (s *server) variableAt(d *document, x *fileIndex, p position) *target {
	var found *target
	begin, at, tokens := s.tokensAt(d, x, p)
	for _, t := range tokens {
		if t.Kind == source.KindVar && t.Name != "_" && begin+t.Start <= at && at <= begin+t.End {
			found = &target{d: d, x: x, name: t.Name, span: d.lines.span(d.text, begin+t.Start, begin+t.End)}
		}
	}
	for _, t := range tokens {
		if found == nil || t.Kind != source.KindVar {
			continue
		}
		if found.others = append(found.others, t.Name); t.Name == found.name {
			found.variable = append(found.variable, d.lines.span(d.text, begin+t.Start, begin+t.End))
		}
	}
	return found
}

// tokensAt returns the tokens of the clause at a place, where the clause begins, and where the place is.
func (s *server) tokensAt(d *document, x *fileIndex, p position) (begin, at int, tokens []source.Token) {
	at = d.lines.offset(d.text, p)
	i, _ := slices.BinarySearch(x.starts, at+1)
	if i == 0 {
		return 0, at, nil
	}
	begin = x.starts[i-1]
	source.Read(d.path, d.text[begin:min(len(d.text), begin+1<<20)], &source.Options{Recover: true,
		Each: func(c *source.Clause) bool { tokens = c.Tokens; return false }})
	return begin, at, tokens
}

// valueAt shows a fraction at a place by its digits, and a date, a time or a duration by its text. It is nil for other
// terms.
func (s *server) valueAt(d *document, x *fileIndex, p position) any {
	begin, at, tokens := s.tokensAt(d, x, p)
	for i, t := range tokens {
		if begin+t.Start > at || at > begin+t.End || t.Kind != source.KindNumber && t.Role != source.RoleFunctor {
			continue
		}
		end := t.End
		for depth, n := 1, i+2; t.Role == source.RoleFunctor && depth > 0 && n < len(tokens); n++ {
			switch end = tokens[n].End; tokens[n].Kind {
			case source.KindOpen:
				depth++
			case source.KindClose:
				depth--
			}
		}
		value, err := engine.ParseTerm(d.text[begin+t.Start : begin+end])
		if text, ok := values.TextOf(value); err == nil && ok {
			return hoverResult{markdown(text), new(d.lines.span(d.text, begin+t.Start, begin+end))}
		}
	}
	return nil
}

func (s *server) hover(d *document, p placed) (any, error) {
	t := s.target(d, p.Position)
	if t == nil || t.use == nil {
		if x := s.space.file(d.path); x != nil {
			return s.valueAt(d, x, p.Position), nil
		}
		return nil, nil
	}
	found, ok := s.describe(s.program(t.d.path), t.x, t.use)
	if !ok {
		found.markdown = "```prolog\n" + t.use.String() + "\n```\nnot defined"
	}
	return hoverResult{markdown(found.markdown), &t.span}, nil
}

func (s *server) definition(d *document, p placed) (any, error) {
	t := s.target(d, p.Position)
	if t == nil {
		return nil, nil
	}
	if t.use == nil {
		return []location{{t.d.uri, t.variable[0]}}, nil
	}
	prog := s.program(t.d.path)
	list := []location{}
	for _, x := range prog.definitions(t.use.key)[prog.resolve(t.x, t.use)] {
		if one := x.preds[t.use.key]; one.clauses > 0 {
			list = append(list, location{s.uri(x.path), one.at})
		}
	}
	if m := s.modelled(t.x, t.use); m != nil && len(list) == 0 {
		return []location{{s.uri(m.table), m.at}}, nil
	}
	if len(list) == 0 { // where its table is, or where it is declared, at least
		for _, x := range prog.definitions(t.use.key)[prog.resolve(t.x, t.use)] {
			one := x.preds[t.use.key]
			at := location{s.uri(x.path), one.at}
			if one.table != "" {
				header := position{Line: max(s.tableOf(one).Line-1, 0)}
				at = location{s.uri(one.table), span{header, header}}
			}
			list = append(list, at)
		}
	}
	return list, nil
}

// uri returns the URI of a file as the editor writes it.
func (s *server) uri(path string) string {
	if d := s.docs[path]; d != nil {
		return d.uri
	}
	return uriOf(path)
}

// uses returns all uses of the predicate that one use leads to, by file. It includes files that do not define the
// predicate.
func (p *program) uses(x *fileIndex, of *use) map[*fileIndex][]*use {
	module := p.resolve(x, of)
	found := map[*fileIndex][]*use{}
	for _, f := range p.files {
		for i := range f.uses {
			if u := &f.uses[i]; u.key == of.key && p.resolve(f, u) == module {
				found[f] = append(found[f], u)
			}
		}
	}
	return found
}

func (s *server) references(d *document, p referenceParams) (any, error) {
	t := s.target(d, p.Position)
	if t == nil {
		return nil, nil
	}
	list := []location{}
	if t.use == nil {
		for _, v := range t.variable {
			list = append(list, location{t.d.uri, v})
		}
		return list, nil
	}
	for x, uses := range s.indexedProgram(t.d.path).uses(t.x, t.use) {
		for _, u := range uses {
			if u.kind != source.Defines || p.Context.IncludeDeclaration {
				list = append(list, location{s.uri(x.path), u.span})
			}
		}
	}
	slices.SortFunc(list, func(a, b location) int {
		return cmp.Or(cmp.Compare(a.URI, b.URI), cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
			cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
	return list, nil
}

func (s *server) highlight(d *document, p placed) (any, error) {
	t := s.target(d, p.Position)
	if t == nil {
		return nil, nil
	}
	list := []highlightResult{}
	for _, v := range t.variable {
		list = append(list, highlightResult{v, 2})
	}
	if t.use != nil {
		for i := range t.x.uses {
			if u := &t.x.uses[i]; u.key == t.use.key && u.module == t.use.module {
				kind := 2
				if u.kind == source.Defines {
					kind = 3
				}
				list = append(list, highlightResult{u.span, kind})
			}
		}
	}
	return list, nil
}

func (s *server) documentSymbols(d *document, _ inDocument) (any, error) {
	list := []documentSymbol{}
	x := s.space.file(d.path)
	if x == nil {
		return list, nil
	}
	for _, one := range x.order {
		if one.clauses == 0 {
			continue
		}
		list = append(list, documentSymbol{Name: one.String(), Detail: one.head(), Kind: one.symbol(), Range: one.clause,
			SelectionRange: one.at})
	}
	for _, unit := range x.tests {
		list = append(list, documentSymbol{Name: "tests " + unit.name, Kind: symbolModule, Range: unit.span,
			SelectionRange: span{unit.span.Start, unit.span.Start}})
	}
	return list, nil
}

func (p *predicate) symbol() int {
	if p.isLabel() {
		return symbolKey
	}
	return symbolFunction
}

func (s *server) workspaceSymbols(p *symbolParams) (any, error) {
	s.space.mu.Lock()
	defer s.space.mu.Unlock()
	list := []symbolInformation{}
	query := strings.ToLower(p.Query)
	for _, x := range s.space.files {
		for _, one := range x.order {
			if one.clauses > 0 && matches(strings.ToLower(one.name), query) {
				list = append(list, symbolInformation{Name: one.String(), Kind: one.symbol(),
					Location: location{s.uri(x.path), one.at}, ContainerName: x.module})
			}
		}
	}
	slices.SortFunc(list, func(a, b symbolInformation) int {
		return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Location.URI, b.Location.URI))
	})
	return list[:min(len(list), maxItems)], nil
}

// matches reports whether the characters of a query stand in a name, in order.
func matches(name, query string) bool {
	for _, r := range query {
		n := strings.IndexRune(name, r)
		if n < 0 {
			return false
		}
		name = name[n+len(string(r)):]
	}
	return true
}

// manualEntry is a predicate of the system or a library.
type manualEntry struct {
	*inspect.Documented
	chapter string
}

// manual returns the predicates of the system, by name and arity, and all of them in order.
var manual = sync.OnceValues(func() (map[key]manualEntry, []manualEntry) {
	byKey := map[key]manualEntry{}
	var list []manualEntry
	for _, c := range inspect.Documentation() {
		for i := range c.Predicates {
			d := &c.Predicates[i]
			e := manualEntry{d, c.Title}
			if _, ok := byKey[key{d.Name, d.Arity}]; !ok {
				byKey[key{d.Name, d.Arity}] = e
				list = append(list, e)
			}
		}
	}
	return byKey, list
})

// markdown describes the predicate.
func (e manualEntry) markdown() string {
	return fmt.Sprintf("```prolog\n%s\n```\n%s\n\n*%s*", e.Head(), e.Text, e.chapter)
}

// argNames returns the names of the arguments of a predicate of a text.
func (p *predicate) argNames() []string {
	if len(p.names) == p.arity {
		return p.names
	}
	if args := splitArguments(p.args); len(args) == p.arity {
		return args
	}
	names := make([]string, p.arity)
	for i := range names {
		names[i] = fmt.Sprintf("A%d", i+1)
	}
	return names
}

// head returns the predicate with the names of its arguments.
func (p *predicate) head() string {
	name := strings.TrimSuffix(p.String(), fmt.Sprintf("/%d", p.arity))
	if p.isLabel() {
		return p.args
	}
	if p.arity == 0 {
		return name
	}
	return name + "(" + strings.Join(p.argNames(), ", ") + ")"
}

// markdown describes the predicate. The file defines it. types has the type of each argument, or is nil.
func (p *predicate) markdown(file string, types []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "```prolog\n%s\n", p.head())
	for _, m := range p.said {
		fmt.Fprintf(&b, ":- %s.\n", m)
	}
	b.WriteString("```\n")
	for i, t := range types {
		name := p.argNames()[i]
		if len(p.names) != p.arity && !isVariable(name) {
			name = fmt.Sprintf("argument %d", i+1)
		}
		fmt.Fprintf(&b, "- %s: %s\n", name, t)
	}
	if len(types) > 0 {
		b.WriteString("\n")
	}
	for _, text := range []string{p.info, p.comment} {
		if text != "" {
			b.WriteString(text + "\n\n")
		}
	}
	clauses := spell.Count(p.clauses, "clause")
	switch {
	case p.isLabel():
		clauses = "rule"
	case filepath.Ext(p.table) == ".dmn":
		clauses = "decision"
	case p.table != "":
		clauses = "decision table"
	case p.dynamic:
		clauses = "dynamic, " + clauses
	}
	fmt.Fprintf(&b, "*%s, %s:%d*", clauses, file, p.at.Start.Line+1)
	return b.String()
}

// splitArguments returns the texts of the arguments of a head as it is written.
func splitArguments(head string) (args []string) {
	if !strings.HasSuffix(head, ")") {
		return nil
	}
	for _, at := range argumentPlaces(head) {
		args = append(args, head[at[0]:at[1]])
	}
	return args
}

// argumentPlaces returns where the arguments of the first term of a text begin and end, nil if it has none or does not
// end.
func argumentPlaces(head string) (args [][2]int) {
	from := strings.IndexByte(head, '(')
	if from < 0 {
		return nil
	}
	depth, begin := 0, from+1
	add := func(end int) {
		text := strings.TrimLeft(head[begin:end], " \t\r\n")
		args = append(args, [2]int{end - len(text), end - len(text) + len(strings.TrimRight(text, " \t\r\n"))})
	}
	for i := from; i < len(head); i++ {
		switch head[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				add(i)
				return args
			}
		case '\'', '"', '`':
			if end := closing(head, i, len(head)); end > 0 {
				i = end
			}
		case ',':
			if depth == 1 {
				add(i)
				begin = i + 1
			}
		}
	}
	return nil
}

// mostHinted bounds the length of calls whose arguments are named.
const mostHinted = 2000

// inlayHints names the arguments of calls, as info/2 has the names, unless an argument is a variable of that name.
func (s *server) inlayHints(d *document, p hintParams) (any, error) {
	list := []inlayHint{}
	x := s.space.file(d.path)
	if x == nil {
		return list, nil
	}
	prog := s.program(d.path)
	for i := range x.uses {
		u := &x.uses[i]
		if line := u.span.Start.Line; !u.goal || u.infix || line < p.Range.Start.Line || line > p.Range.End.Line {
			continue
		}
		names := prog.namesOf(x, u)
		end := d.lines.offset(d.text, u.span.End)
		text := d.text[end:min(len(d.text), end+mostHinted)]
		if names == nil || !strings.HasPrefix(text, "(") {
			continue
		}
		places := argumentPlaces(text)
		for k := range min(len(places), len(names)) {
			if at := places[k]; !strings.EqualFold(strings.Trim(text[at[0]:at[1]], "_"), names[k]) {
				list = append(list, inlayHint{d.lines.span(d.text, end+at[0], end+at[0]).Start, names[k] + ":", 2, true})
			}
		}
	}
	return list, nil
}

// namesOf returns the names that info/2 gives the arguments of the predicate that a use leads to, or nil.
func (p *program) namesOf(x *fileIndex, u *use) []string {
	for _, f := range p.definitions(u.key)[p.resolve(x, u)] {
		if found := f.preds[u.key]; len(found.names) == u.arity && u.arity > 0 {
			return found.names
		}
	}
	return nil
}

// described is what is known about a predicate that is used.
type described struct {
	markdown string
	head     string
}

// whole returns a predicate or a labelled rule, with everything known about it: the text of other files about the rule,
// and the decision table of the predicate.
func (s *server) whole(prog *program, p *predicate) *predicate {
	own := *p
	own.comment = strings.TrimSpace(p.comment + "\n\n" + s.tableText(p))
	for _, x := range prog.files {
		if other := x.preds[p.key]; p.isLabel() && other != nil && other != p {
			own.said = append(slices.Clip(own.said), other.said...)
		}
	}
	return &own
}

// tableOf returns what the last load has found in the decision table of a predicate.
func (s *server) tableOf(p *predicate) (found inspect.DecisionTable) {
	s.loads.mu.Lock()
	defer s.loads.mu.Unlock()
	for _, b := range s.loads.bases {
		loaded := b.program.Load()
		if loaded == nil {
			continue
		}
		for _, t := range inner.Of(loaded).Tables(0) {
			if t.Predicate == p.String() && absolute(t.File) == p.table {
				found = t
			}
		}
	}
	return found
}

// tableText says what the decision table of a predicate has, "" if it is not known.
func (s *server) tableText(p *predicate) string {
	t := s.tableOf(p)
	if p.table == "" || t.Predicate == "" {
		return ""
	}
	var sides [2][]string
	for _, c := range t.Columns {
		side := 0
		if c.Output {
			side = 1
		}
		typ := ""
		if c.Type != "" {
			typ = " (" + c.Type + ")"
		}
		sides[side] = append(sides[side], "`"+c.Name+"`"+typ)
	}
	return fmt.Sprintf("%s: %s with the hit policy %s. In: %s. Out: %s.", s.basePath(p.table), spell.Count(t.Count, "row"),
		t.Hit, strings.Join(sides[0], ", "), strings.Join(sides[1], ", "))
}

// describe says what a use in a file leads to, ok being false if nothing is known.
func (s *server) describe(prog *program, x *fileIndex, u *use) (found described, ok bool) {
	if module := prog.resolve(x, u); module != "" {
		for _, f := range prog.definitions(u.key)[module] {
			p := s.whole(prog, f.preds[u.key])
			if p.clauses > 0 || !ok {
				found, ok = described{p.markdown(s.basePath(f.path), s.loads.inferred(f.path, module, u.key)),
					p.head()}, true
			}
			if p.clauses > 0 {
				return found, true
			}
		}
		return found, ok
	}
	byKey, _ := manual()
	if e, ok := byKey[u.key]; ok {
		return described{e.markdown(), e.Head()}, true
	}
	if p := s.modelled(x, u); p != nil {
		p = s.whole(prog, p)
		return described{p.markdown(s.basePath(p.table), nil), p.head()}, true
	}
	return described{}, false
}

// modelled returns what the last load has found for a use of a predicate of a DMN model, or nil for other predicates.
func (s *server) modelled(x *fileIndex, u *use) *predicate {
	s.loads.mu.Lock()
	defer s.loads.mu.Unlock()
	for _, b := range s.loads.bases {
		loaded := b.program.Load()
		if loaded == nil {
			continue
		}
		info, ok := inner.Of(loaded).Defines(cmp.Or(u.module, x.module, "user"), u.name, u.arity)
		if ok && filepath.Ext(info.File) == ".dmn" {
			at := position{Line: max(info.Line-1, 0)}
			return &predicate{key: u.key, at: span{at, at}, table: absolute(info.File)}
		}
	}
	return nil
}
