package lsp

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// This file defines the index of one text: the predicates that it defines and uses.

// key names a predicate within a module.
type key struct {
	name  string
	arity int
}

// isLabel reports whether a key is the label of a rule.
func (k key) isLabel() bool { return k.arity == source.NoArity }

func (k key) String() string {
	if k.isLabel() {
		return k.name
	}
	return indicator(k.name, k.arity)
}

// use is one use of a predicate in a text.
type use struct {
	key
	module string // "" if the text names none
	kind   source.UseKind
	span   span
	infix  bool // written as an operator
	// goal says that it is a call in the body of a clause, changed that clauses are asserted, retracted or asked for.
	goal, changed bool
	in            *key // the predicate of the clause that it is in, nil for a directive
}

// predicate is what a text says about a predicate, or about a rule with a label.
type predicate struct {
	key
	at      span     // of the name in the first clause
	clause  span     // of the first clause
	clauses int      // 0: it is only declared
	args    string   // of the first head, as written
	comment string   // before the first clause
	info    string   // comment of info/2
	said    []string // directives about it that are shown
	names   []string // of its arguments
	// table is the file of the decision table that it is, tableAt the directive.
	table   string
	tableAt span
	// dynamic says that clauses are added to it, declared that a directive makes it known without clauses.
	dynamic, declared bool
}

// fileIndex is the index of one text. It does not change.
type fileIndex struct {
	path, module string
	uses         []use
	files        []namedFile // that directives name
	preds        map[key]*predicate
	order        []*predicate
	exports      map[key]bool
	metas        map[key]string
	libraries    []string
	tests        []testUnit
	errs         []*source.Error
	broken       map[string]int // the lines of clauses with an error, by the names in them
	folds        []foldingRange
	starts       []int // bytes at which the clauses begin
	// header are the directives that other texts depend on when they are read: module headers, operators, imports.
	header string
	ops    bool // the header has operators for texts that do not import this one
	// expands is set if the text defines how other texts are expanded, loads if it loads other files.
	expands, loads bool
	tools          []offeredTool
}

// testUnit is what stands between begin_tests and end_tests.
type testUnit struct {
	name  string
	span  span
	open  bool // end_tests has not come
	tests []testCase
}

// testCase is a clause of test/1 or test/2, with the name that the results of mcplogic test have.
type testCase struct {
	name string
	span span
}

// indexer makes the index of a text.
type indexer struct {
	*fileIndex
	text  string
	lines lineIndex
	metas source.Metas
	end   int // of the clause before
	// headers is the header so far.
	headers strings.Builder
}

func indexText(path, text string, metas source.Metas, open func(string) (string, bool)) *fileIndex {
	x := &indexer{fileIndex: &fileIndex{path: path, preds: map[key]*predicate{}, exports: map[key]bool{},
		metas: map[key]string{}, broken: map[string]int{}}, text: text,
		lines: indexLines(text)}
	x.metas = func(name string, arity int) string {
		if meta, ok := x.fileIndex.metas[key{name, arity}]; ok {
			return meta
		}
		return metas(name, arity)
	}
	t := source.Read(path, text, &source.Options{Recover: true, Open: open, Each: func(c *source.Clause) bool {
		x.clause(c)
		return true
	}})
	x.module, x.header = t.Module, x.headers.String()
	x.ops = x.ops && x.module == "user"
	return x.fileIndex
}

func (x *indexer) clause(c *source.Clause) {
	before := x.end
	x.end = c.End
	x.starts = append(x.starts, c.Start)
	if len(c.Tokens) == 0 {
		return
	}
	first, last := c.Tokens[0], c.Tokens[len(c.Tokens)-1]
	whole := x.lines.span(x.text, first.Start, last.End)
	if whole.End.Line > whole.Start.Line {
		x.folds = append(x.folds, foldingRange{StartLine: whole.Start.Line, EndLine: whole.End.Line})
	}
	if c.Err != nil {
		x.errs = append(x.errs, c.Err)
		for _, token := range c.Tokens {
			x.broken[token.Name] = token.At.Line
		}
		return
	}
	x.offers(c.Term)
	x.test(c.Term, whole)
	_, isDirective := term.Is(c.Term, ":-", 1)
	uses := source.Uses(c, x.metas)
	var in *key
	for _, u := range uses {
		if u.Kind == source.Defines && u.Arity != source.NoArity {
			tok := c.Tokens[u.Token]
			in = &x.predicate(key{u.Name, u.Arity}, x.lines.span(x.text, tok.Start, tok.End), whole).key
		}
	}
	for _, u := range uses {
		tok := c.Tokens[u.Token]
		at := x.lines.span(x.text, tok.Start, tok.End)
		x.uses = append(x.uses, use{key{u.Name, u.Arity}, u.Module, u.Kind, at, tok.Role != source.RoleAtom &&
			tok.Role != source.RoleFunctor, u.Kind == source.Calls && !u.Changed && !isDirective && u.Arity >= 0, u.Changed, in})
		switch u.Kind {
		case source.Defines:
			x.defines(c, u, at, whole, before)
		case source.Declares:
			if u.Arity == source.NoArity {
				x.says(key{u.Name, u.Arity}, c.Term, at, whole)
				continue
			}
			x.predicate(key{u.Name, u.Arity}, at, whole)
		case source.Exports:
			x.exports[key{u.Name, u.Arity}] = true
		}
	}
	if args, ok := term.Is(c.Term, ":-", 1); ok {
		x.directive(args[0], whole)
		x.shared(args[0], c)
		x.names(c, args[0], c.Layout.Arg(0))
	}
}

// shared notes a directive that other texts depend on when they are read.
func (x *indexer) shared(t term.Term, c *source.Clause) {
	goal, ok := t.(*term.Compound)
	if !ok || len(goal.Args) == 0 {
		return
	}
	switch string(goal.Functor) {
	case "op":
		x.ops = true
	case "module":
	case "use_module", "reexport", "ensure_loaded", "consult":
		_, library := term.Is(goal.Args[0], "library", 1)
		x.loads = x.loads || !library
	default:
		return
	}
	x.headers.WriteString(x.text[c.Start:c.End])
	x.headers.WriteByte('\n')
}

// predicate returns the record of a predicate.
func (x *indexer) predicate(k key, at, whole span) *predicate {
	p := x.preds[k]
	if p == nil {
		p = &predicate{key: k, at: at, clause: whole}
		x.preds[k], x.order = p, append(x.order, p)
	}
	return p
}

// says notes the goals of a directive that are about a rule with a label.
func (x *indexer) says(k key, directive term.Term, at, whole span) {
	p := x.predicate(k, at, whole)
	goals, _ := term.Conjuncts(directive.(*term.Compound).Args[0])
	for _, goal := range goals {
		c, ok := goal.(*term.Compound)
		text := engine.FormatTerm(goal)
		if ok && slices.Contains(c.Args, term.Term(term.Atom(k.name))) && !slices.Contains(p.said, text) {
			p.said = append(p.said, text)
		}
	}
}

// maxComment is how much of a comment is shown.
const maxComment = 2000

// defines notes a clause of a predicate.
func (x *indexer) defines(c *source.Clause, u source.Use, at, whole span, before int) {
	p := x.predicate(key{u.Name, u.Arity}, at, whole)
	if p.clauses == 0 {
		p.at, p.clause = at, whole
		if p.args = x.headText(c, u.Token); p.isLabel() {
			p.args = x.ruleText(c, u.Token)
		}
		p.comment = commentBefore(x.text[before:c.Start])
	}
	p.clauses++
	x.expands = x.expands || strings.HasSuffix(u.Name, "_expansion")
}

// ruleText returns a rule with a label as it is written, up to its body.
func (x *indexer) ruleText(c *source.Clause, token int) string {
	end := len(c.Tokens) - 1
	for i := token; i < end; i++ {
		if t := &c.Tokens[i]; t.Name == ":-" && t.Role == source.RoleInfix {
			end = i
		}
	}
	return strings.Join(strings.Fields(x.text[c.Tokens[token].Start:c.Tokens[end].Start]), " ")
}

// headText returns the head as it is written, from its name on.
func (x *indexer) headText(c *source.Clause, token int) string {
	depth := 0
	for i := token; i < len(c.Tokens); i++ {
		switch t := c.Tokens[i]; t.Kind {
		case source.KindOpen, source.KindOpenList, source.KindOpenCurly:
			depth++
		case source.KindClose, source.KindCloseList, source.KindEndCurly:
			if depth--; depth == 0 {
				text := x.text[c.Tokens[token].Start:t.End]
				return strings.Join(strings.Fields(text[:min(len(text), 200)]), " ")
			}
		default:
			if depth == 0 && i > token {
				return x.text[c.Tokens[token].Start:c.Tokens[token].End]
			}
		}
	}
	return ""
}

// commentBefore returns the lines of comments that stand directly before a clause.
func commentBefore(gap string) string {
	lines := strings.Split(strings.TrimRight(gap, " \t\r\n"), "\n")
	if strings.Count(gap[len(strings.TrimRight(gap, " \t\r\n")):], "\n") > 2 {
		return ""
	}
	from := len(lines)
	for from > 0 && strings.HasPrefix(strings.TrimSpace(lines[from-1]), "%") {
		from--
	}
	if from == 0 && len(lines) > 0 && !strings.HasPrefix(gap, "%") && !strings.HasPrefix(gap, "\n") {
		from = 1 // behind the clause before
	}
	var text []string
	for _, line := range lines[min(from, len(lines)):] {
		text = append(text, strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "%!")))
	}
	joined := strings.TrimSpace(strings.Join(text, "\n"))
	return joined[:min(len(joined), maxComment)]
}

// declarations are the directives that make the predicates known that they name.
var declarations = []string{"dynamic", "persistent", "thread_local", "discontiguous", "multifile", "table", "facts",
	"decision"}

// directive notes what a directive says about predicates.
func (x *indexer) directive(t term.Term, whole span) {
	goals, _ := term.Conjuncts(t)
	for _, goal := range goals {
		x.directive1(goal, whole)
	}
}

func (x *indexer) directive1(t term.Term, whole span) {
	c, ok := t.(*term.Compound)
	if !ok || len(c.Args) == 0 {
		return
	}
	switch name, n := string(c.Functor), len(c.Args); {
	case name == "mode" && n == 2:
		if head, arity, ok := term.Indicator(c.Args[0]); ok {
			p := x.predicate(key{string(head), arity}, whole, whole)
			p.said = append(p.said, "mode "+engine.FormatTerm(c.Args[0])+" is "+engine.FormatTerm(c.Args[1]))
		}
	case name == "info" && n == 2:
		x.info(c.Args[0], c.Args[1], whole)
	case name == "meta_predicate" && n == 1:
		heads, _ := term.Conjuncts(c.Args[0])
		for _, head := range heads {
			x.meta(head)
		}
	case slices.Contains(declarations, name):
		for _, k := range indicatorsIn(c.Args[0]) {
			p := x.predicate(k, whole, whole)
			p.declared = true
			p.dynamic = p.dynamic || name == "dynamic" || name == "persistent" || name == "thread_local"
			if name == "decision" && len(c.Args) > 1 {
				if file, ok := term.Text(c.Args[1]); ok {
					p.table, p.tableAt = besides(x.path, file), whole
				}
			}
		}
	case name == "use_module" || name == "ensure_loaded":
		if library, ok := term.Is(c.Args[0], "library", 1); ok {
			x.libraries = append(x.libraries, engine.FormatTerm(library[0]))
		}
	case name == "begin_tests":
		x.tests = append(x.tests, testUnit{name: inner.Plain(c.Args[0]), span: whole, open: true})
	case name == "end_tests":
		if n := len(x.tests); n > 0 {
			x.tests[n-1].span.End, x.tests[n-1].open = whole.End, false
		}
	}
}

// besides returns the path of a file that another one names.
func besides(path, file string) string {
	if file = filepath.FromSlash(file); filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(filepath.Dir(path), file)
}

// test notes a clause of test/1 or test/2 in a unit of tests.
func (x *indexer) test(t term.Term, whole span) {
	n := len(x.tests)
	if n == 0 || !x.tests[n-1].open {
		return
	}
	if args, ok := term.Is(t, ":-", 2); ok {
		t = args[0]
	}
	if name, arity, ok := term.Indicator(t); !ok || name != "test" || arity < 1 || arity > 2 {
		return
	}
	unit := &x.tests[n-1]
	unit.tests = append(unit.tests, testCase{inner.Plain(t.(*term.Compound).Args[0]), whole})
}

// indicatorsIn returns the indicators of a list or conjunction.
func indicatorsIn(t term.Term) (list []key) {
	if items, ok := term.Slice(t); ok {
		for _, item := range items {
			list = append(list, indicatorsIn(item)...)
		}
		return list
	}
	if goals, _ := term.Conjuncts(t); len(goals) > 1 {
		for _, one := range goals {
			list = append(list, indicatorsIn(one)...)
		}
		return list
	}
	if options, ok := term.Is(t, "as", 2); ok {
		return append(list, indicatorsIn(options[0])...)
	}
	if name, arity, _, ok := shapes.NameArity(t); ok {
		list = append(list, key{string(name), arity})
	}
	return list
}

// info notes what info/2 says.
func (x *indexer) info(of, list term.Term, whole span) {
	for _, k := range indicatorsIn(of) {
		p := x.predicate(k, whole, whole)
		items, _ := term.Slice(list)
		for _, item := range items {
			args, ok := term.Is(item, "is", 2)
			if !ok {
				continue
			}
			switch name, _ := args[0].(term.Atom); name {
			case "comment":
				p.info, _ = term.Text(args[1])
			case "argnames", "arguments":
				p.names = namesIn(args[1])
			}
		}
	}
}

// namesIn returns the names of arguments as info/2 lists them.
func namesIn(list term.Term) (names []string) {
	items, _ := term.Slice(list)
	for _, item := range items {
		if args, ok := term.Is(item, "-", 2); ok {
			item = args[0]
		}
		text, _ := term.Text(item)
		names = append(names, text)
	}
	return names
}

// meta notes which arguments of predicates are goals.
func (x *indexer) meta(t term.Term) {
	c, ok := t.(*term.Compound)
	if !ok {
		return
	}
	spec := make([]byte, len(c.Args))
	for i, arg := range c.Args {
		spec[i] = '?'
		switch arg := arg.(type) {
		case term.Int:
			if arg >= 0 && arg <= 9 {
				spec[i] = '0' + byte(arg)
			}
		case term.Atom:
			switch arg {
			case "^":
				spec[i] = '^'
			case "//":
				spec[i] = '/'
			}
		}
	}
	x.fileIndex.metas[key{string(c.Functor), len(c.Args)}] = string(spec)
}
