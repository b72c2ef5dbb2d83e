package lsp

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines code lenses: what may be done with a tool or a unit of tests, and how often predicates are used.
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

func (s *server) codeLenses(p *inDocument) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
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
		if len(x.tests) == 0 { // predicates of a file of tests are helpers
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
