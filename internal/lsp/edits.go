package lsp

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/format"
)

// This file defines code actions, formatting, folding and the colours of tokens.

func (s *server) codeActions(d *document, p actionParams) (any, error) {
	list := []codeAction{}
	wanted := len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(kind string) bool {
		return kind == "quickfix" || kind == ""
	})
	if !wanted || d.checked != d.text {
		return list, nil
	}
	for _, one := range d.diagnostics {
		if precedes(one.Range.End, p.Range.Start) || precedes(p.Range.End, one.Range.Start) {
			continue
		}
		if one.fix != nil {
			list = append(list, codeAction{Title: fixTitle(one.fix), Kind: "quickfix", Diagnostics: []diagnostic{one},
				IsPreferred: true, Edit: s.edit(map[string][]textEdit{d.uri: {*one.fix}})})
		}
		if one.Severity == 2 && one.Code != "" && one.Code != "decision" {
			begin := position{one.Range.Start.Line, 0}
			ignore := textEdit{span{begin, begin}, "% mcplogic: ignore(" + one.Code + ")\n"}
			list = append(list, codeAction{Title: "Ignore " + one.Code + " here", Kind: "quickfix",
				Diagnostics: []diagnostic{one}, Edit: s.edit(map[string][]textEdit{d.uri: {ignore}})})
		}
	}
	return list, nil
}

// edit makes the edit of some changes by document. If the editor takes versions it refuses an edit of a text that it
// has changed meanwhile.
func (s *server) edit(changes map[string][]textEdit) *workspaceEdit {
	if !s.versioned {
		return &workspaceEdit{Changes: changes}
	}
	e := &workspaceEdit{DocumentChanges: []documentEdit{}}
	for _, uri := range slices.Sorted(maps.Keys(changes)) {
		one := documentEdit{Edits: changes[uri]}
		one.TextDocument.URI = uri
		if d, err := s.document(uri); err == nil {
			one.TextDocument.Version = &d.version
		}
		e.DocumentChanges = append(e.DocumentChanges, one)
	}
	return e
}

// fixTitle says what a fix does.
func fixTitle(fix *textEdit) string {
	text := strings.TrimSpace(fix.NewText)
	if len(text) > 60 {
		text = text[:60] + "..."
	}
	switch {
	case text == "":
		return "Delete it"
	case fix.Range.Start == fix.Range.End:
		return "Insert " + text
	}
	return "Change to " + text
}

func (s *server) formatting(d *document, _ inDocument) (any, error) {
	list := []textEdit{}
	text, errs := format.Source(d.path, d.text, &source.Options{Open: s.space.textOf})
	if len(errs) > 0 {
		return nil, &responseError{codeRequestFailed, "not formatted: " + errs[0].Error()}
	}
	if text == d.text {
		return list, nil
	}
	from, to := commonEnds(d.text, text)
	edit := textEdit{d.lines.span(d.text, from, len(d.text)-to), text[from : len(text)-to]}
	return append(list, edit), nil
}

// rangeFormatting formats the clauses that a range touches as [format.Source] does in the whole text. Clauses with an
// error stay as they are, and what stands between two clauses is theirs if both are formatted.
func (s *server) rangeFormatting(d *document, p hintParams) (any, error) {
	from, to := d.lines.offset(d.text, p.Range.Start), d.lines.offset(d.text, p.Range.End)
	o := &source.Options{Open: s.space.textOf, Recover: true}
	clauses := clausesOf(d.path, d.text, o)
	masked := d.text
	for _, c := range slices.Backward(clauses) {
		if c.broken {
			masked = masked[:c.from] + "'half-written'.\n" + masked[c.to:]
		}
	}
	text, errs := format.Source(d.path, masked, o)
	laid := clausesOf(d.path, text, o)
	if len(errs) > 0 || len(laid) != len(clauses) {
		return nil, &responseError{codeRequestFailed, "not formatted: the syntax errors leave no clauses that are whole"}
	}
	list := []textEdit{}
	touched := func(i int) bool {
		c := clauses[i]
		return !c.broken && (c.from < to && from < c.to || from == to && c.from <= from && from <= c.to)
	}
	for i := 0; i < len(clauses); i++ {
		first := i
		for i < len(clauses) && touched(i) {
			i++
		}
		if i == first {
			continue
		}
		begin, end := clauses[first].from, clauses[i-1].to
		became, after := laid[first].from, laid[i-1].to
		if first == 0 && from == 0 {
			begin, became = 0, 0
		}
		if i == len(clauses) && to == len(d.text) {
			end, after = len(d.text), len(text)
		}
		was, is := d.text[begin:end], text[became:after]
		if was != is {
			same, last := commonEnds(was, is)
			list = append(list, textEdit{d.lines.span(d.text, begin+same, end-last), is[same : len(is)-last]})
		}
	}
	return list, nil
}

// extent is where a clause begins and ends in its text.
type extent struct {
	from, to int
	broken   bool
}

func clausesOf(name, text string, o *source.Options) (list []extent) {
	reading := *o
	before := 0
	reading.Each = func(c *source.Clause) bool {
		one := extent{c.Start, c.End, c.Err != nil}
		if len(c.Tokens) == 0 {
			one.from = before
		}
		before = c.End
		list = append(list, one)
		return true
	}
	source.Read(name, text, &reading)
	return list
}

// commonEnds returns how many bytes two texts have in common at the beginning and at the end, in whole lines.
func commonEnds(a, b string) (from, to int) {
	n := min(len(a), len(b))
	for i := 0; i < n && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			from = i + 1
		}
	}
	for i := 1; i <= n-from && a[len(a)-i] == b[len(b)-i]; i++ {
		if a[len(a)-i] == '\n' {
			to = i - 1
		}
	}
	return from, to
}

func (s *server) folding(d *document, _ inDocument) (any, error) {
	list := []foldingRange{}
	if x := s.space.file(d.path); x != nil {
		list = append(list, x.folds...)
		for _, unit := range x.tests {
			list = append(list, foldingRange{StartLine: unit.span.Start.Line, EndLine: unit.span.End.Line, Kind: "region"})
		}
	}
	return append(list, commentFolds(d)...), nil
}

// commentFolds returns the comments of several lines.
func commentFolds(d *document) (list []foldingRange) {
	from := -1
	for i := range d.lines {
		end := len(d.text)
		if i+1 < len(d.lines) {
			end = d.lines[i+1]
		}
		comment := strings.HasPrefix(d.text[d.lines[i]:end], "%")
		if comment && from < 0 {
			from = i
		} else if !comment && from >= 0 {
			if i-1 > from {
				list = append(list, foldingRange{StartLine: from, EndLine: i - 1, Kind: "comment"})
			}
			from = -1
		}
	}
	return list
}

// The types and modifiers of semantic tokens, in the order of capabilities.json.
const (
	typeVariable = iota
	typeFunction
	typeString
	typeNumber
	typeOperator
	typeComment
	typeAtom
)

const (
	modifierDefinition = 1 << iota
	modifierLibrary
)

func (s *server) semanticTokens(d *document, _ inDocument) (any, error) {
	e := &encoder{d: d, data: []int{}}
	byKey, _ := manual()
	source.Read(d.path, d.text, &source.Options{Recover: true, Open: s.space.textOf, Each: func(c *source.Clause) bool {
		kinds := map[int]int{}
		for _, u := range source.Uses(c, s.space.meta) {
			modifiers := 0
			if u.Kind == source.Defines {
				modifiers = modifierDefinition
			} else if _, ok := byKey[key{u.Name, u.Arity}]; ok {
				modifiers = modifierLibrary
			}
			kinds[u.Token] = typeFunction | modifiers<<8
		}
		for i := range c.Tokens {
			if kind, ok := tokenType(c, i, kinds); ok {
				e.add(c.Tokens[i].Start, c.Tokens[i].End, kind&0xFF, kind>>8)
			}
		}
		return true
	}})
	return tokensResult{e.data}, nil
}

// tokenType returns the type of a token with its modifiers, ok being false if it has none.
func tokenType(c *source.Clause, i int, uses map[int]int) (kind int, ok bool) {
	t := &c.Tokens[i]
	switch t.Kind {
	case source.KindVar:
		return typeVariable, true
	case source.KindNumber:
		return typeNumber, true
	case source.KindString, source.KindBackquote:
		return typeString, true
	case source.KindName, source.KindQuoted:
		if t.Role == source.RoleInfix || t.Role == source.RolePrefix || t.Role == source.RolePostfix {
			return typeOperator, true
		}
		if kind, ok := uses[i]; ok {
			return kind, true
		}
		return typeAtom, true
	}
	return 0, false
}

// encoder encodes semantic tokens, each by its distance from the one before.
type encoder struct {
	d    *document
	data []int
	last position
}

// add adds a token. One that goes over several lines becomes one for each, as most editors want it.
func (e *encoder) add(from, to, kind, modifiers int) {
	for from < to {
		end := to
		if n := strings.IndexByte(e.d.text[from:to], '\n'); n >= 0 {
			end = from + n
		}
		if end > from {
			at := e.d.lines.position(e.d.text, from)
			character := at.Character
			if at.Line == e.last.Line {
				character -= e.last.Character
			}
			e.data = append(e.data, at.Line-e.last.Line, character, unitsOf(e.d.text[from:end]), kind, modifiers)
			e.last = at
		}
		from = end + 1
	}
}

// This part defines code lenses: what may be done with a tool or a unit of tests, and how often predicates are used.
// Their commands belong to the editor: one that has them says so with the initialization option commands.

// The commands of lenses.
const (
	commandTest  = "mcplogic.runTests"       // folder, unit
	commandCall  = "mcplogic.callTool"       // folder, tool
	commandQuery = "mcplogic.queryGoal"      // folder, goal
	commandWhy   = "mcplogic.why"            // folder, goal
	commandUses  = "mcplogic.showReferences" // URI, line, character
)

// offeredTool is a tool that a text declares, and its predicate.
type offeredTool struct {
	name string
	key  key
}

// offers notes the tools of a clause of tools/1.
func (x *indexer) offers(head term.Term) {
	args, ok := term.Is(head, "tools", 1)
	if !ok {
		return
	}
	items, _ := term.Slice(args[0])
	for _, item := range items {
		if list := indicatorsIn(item); len(list) == 1 {
			x.tools = append(x.tools, offeredTool{list[0].name, list[0]})
			continue
		}
		tool, ok := item.(*term.Compound)
		if !ok || tool.Functor != "tool" || len(tool.Args) < 3 {
			continue
		}
		name, _ := term.Text(tool.Args[0])
		functor, isAtom := tool.Args[1].(term.Atom)
		arity, isInt := tool.Args[2].(term.Int)
		if isAtom && isInt {
			x.tools = append(x.tools, offeredTool{name, key{string(functor), int(arity)}})
		}
	}
}

func (s *server) codeLenses(d *document, _ inDocument) (any, error) {
	list := []codeLens{}
	x := s.space.file(d.path)
	if x == nil || !s.commands || !isFile(d.path) {
		return list, nil
	}
	folder := baseOf(d.path, s.roots)
	lens := func(at span, title, command string, arguments ...any) {
		list = append(list, codeLens{at, editorCommand{title, command, arguments}})
	}
	for _, unit := range x.tests {
		lens(span{unit.span.Start, unit.span.Start}, "Run the tests", commandTest, folder, unit.name)
		for _, test := range unit.tests {
			lens(span{test.span.Start, test.span.Start}, "Run the test", commandTest, folder, unit.name+":"+test.name)
		}
	}
	prog := s.program(d.path)
	tools := prog.tools()
	uses := prog.countUses(x)
	for _, one := range x.order {
		if one.clauses == 0 {
			continue
		}
		for _, tool := range tools[one.key] {
			lens(one.at, "Call the tool "+tool, commandCall, folder, tool)
		}
		if n := uses[one.key]; n > 0 {
			title := fmt.Sprintf("%d uses", n)
			if n == 1 {
				title = "1 use"
			}
			lens(one.at, title, commandUses, d.uri, one.at.Start.Line, one.at.Start.Character)
		}
		if len(x.tests) == 0 && !one.isLabel() { // predicates of a file of tests are helpers
			goal := engine.FormatTerm(term.Atom(one.name)) + argumentsOf(one.arity)
			lens(one.at, "Query", commandQuery, folder, goal)
			lens(one.at, "Why", commandWhy, folder, goal)
		}
	}
	return list, nil
}

// argumentsOf returns as many variables as arguments, for the user to fill in.
func argumentsOf(arity int) string {
	text := ""
	for i := range arity {
		text += string("(,"[min(i, 1)]) + string(rune('A'+i%26))
		if i >= 26 {
			text += fmt.Sprint(i / 26)
		}
	}
	if text == "" {
		return ""
	}
	return text + ")"
}

// tools returns the names of the tools that the files declare, by predicate.
func (p *program) tools() map[key][]string {
	found := map[key][]string{}
	for _, f := range p.files {
		for _, tool := range f.tools {
			found[tool.key] = append(found[tool.key], tool.name)
		}
	}
	return found
}

// countUses counts the goals that lead to the predicates of a file.
func (p *program) countUses(x *fileIndex) map[key]int {
	counts := map[key]int{}
	for _, f := range p.files {
		for i := range f.uses {
			u := &f.uses[i]
			if u.kind == source.Defines || u.kind == source.Declares || u.kind == source.Exports || x.preds[u.key] == nil {
				continue
			}
			if p.resolve(f, u) == x.module {
				counts[u.key]++
			}
		}
	}
	return counts
}

// This part defines the list of tests, for the test explorer of an editor. The request mcplogic/tests is our own.

// listedFolder is a knowledge base with tests.
type listedFolder struct {
	Folder string       `json:"folder"`
	Units  []listedUnit `json:"units"`
}

// listedUnit is a unit of tests. mcplogic test --run takes its name and the names of its tests, and results have them.
type listedUnit struct {
	Name  string       `json:"name"`
	URI   string       `json:"uri"`
	Range span         `json:"range"`
	Tests []listedTest `json:"tests"`
}

// listedTest is a test.
type listedTest struct {
	Name  string `json:"name"`
	Range span   `json:"range"`
}

// tests lists the tests of the folders that the editor has open, as their texts are now.
func (s *server) tests(*struct{}) (any, error) {
	for _, root := range s.roots {
		for _, path := range programsBelow(root) {
			if filepath.Ext(path) == ".plt" && s.space.file(path) == nil {
				s.space.refresh(path)
			}
		}
	}
	units, seen := map[string][]listedUnit{}, map[string]bool{}
	for _, root := range s.roots {
		for _, x := range s.space.in(root) {
			if seen[x.path] {
				continue // a root is within another
			}
			seen[x.path] = true
			folder := baseOf(x.path, s.roots)
			for _, unit := range x.tests {
				one := listedUnit{Name: unit.name, URI: uriOf(x.path), Range: unit.span, Tests: []listedTest{}}
				for _, test := range unit.tests {
					one.Tests = append(one.Tests, listedTest{test.name, test.span})
				}
				units[folder] = append(units[folder], one)
			}
		}
	}
	list := []listedFolder{}
	for _, folder := range slices.Sorted(maps.Keys(units)) {
		list = append(list, listedFolder{folder, units[folder]})
	}
	return list, nil
}
