package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic graph.

// predicateName names a predicate of the graph. module is the one that defines it, user for files without a module.
type predicateName struct {
	module, name string
	arity        int
}

// String is the indicator, quoted where Prolog needs it. Module user is left out.
func (p predicateName) String() string {
	text := fmt.Sprintf("%s/%d", engine.FormatTerm(term.Atom(p.name)), p.arity)
	if p.module != "user" {
		text = engine.FormatTerm(term.Atom(p.module)) + ":" + text
	}
	return text
}

// compare is the order of the output: by module, name and arity.
func (p predicateName) compare(q predicateName) int {
	return cmp.Or(cmp.Compare(p.module, q.module), cmp.Compare(p.name, q.name), cmp.Compare(p.arity, q.arity))
}

// graphNode is a predicate that the files define.
type graphNode struct {
	// file and line are the place of its first clause.
	file    string
	line    int
	clauses int
	// calls are the predicates of the files that its clauses call; callers the other way round.
	calls, callers map[predicateName]bool
	// entry says what calls it from outside: a tool, an export, a directive, a test; "" if nothing does.
	entry string
	// reached is set if a path of calls leads to it from an entry.
	reached bool
}

// callGraph is a directed graph: predicates of the files, and which of them calls which. read fills it and connect
// completes it; then it is only read. One goroutine uses it.
type callGraph struct {
	nodes map[predicateName]*graphNode
	// pending are the calls of all clauses. Which predicate a call means is known only when all files are read.
	pending []pendingCall
	broken  source.Diagnostics // clauses with syntax errors, which are left out
}

// pendingCall is a call in a clause or directive of a module.
type pendingCall struct {
	from   predicateName // without a name: a directive or a test
	module string
	use    source.Use
	why    string // what calls it, if that is no predicate
}

func newGraph() *cobra.Command {
	var form string
	cmd := &cobra.Command{
		Use:   "graph [--format text|dot|html] PATH...",
		Short: "Show which predicates call which, and which nothing reaches",
		Args:  cli.NeedPaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			write, ok := graphFormats[form]
			if !ok {
				return fmt.Errorf("got --format %s, want text, dot or html", form)
			}
			g := &callGraph{nodes: map[predicateName]*graphNode{}}
			if err := g.read(args); err != nil {
				return err
			}
			cli.PrintDiagnostics(cmd.ErrOrStderr(), g.broken)
			g.connect()
			// The graph is written also when clauses are missing in it. The exit code is 1 then.
			if err := write(g, cmd.OutOrStdout()); err != nil {
				return err
			}
			if len(g.broken) > 0 {
				return cli.Exit(cli.ExitNo)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&form, "format", "text", "text, dot or html")
	return cmd
}

// graphFormats are the values of --format.
var graphFormats = map[string]func(g *callGraph, w io.Writer) error{
	"text": (*callGraph).text, "dot": (*callGraph).dot, "html": (*callGraph).html,
}

// read reads the files of all paths in order. Operators of a file hold for those behind it, as in a load. The tests of
// folders are read too: what only tests call is reached. A file that cannot be read is an error, because a graph
// without it would show as unreached what it calls.
func (g *callGraph) read(paths []string) error {
	ops := source.NewOperators()
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return cmp.Or(cli.PathError(path), err)
		}
		files := []string{path}
		if info.IsDir() {
			if files, err = cli.ProgramFiles(path); err != nil {
				return err
			}
		}
		for _, file := range files {
			text, ok := cli.OpenSource(file)
			if !ok {
				return fmt.Errorf("%s cannot be read, or is too large", file)
			}
			g.file(filepath.ToSlash(file), text, ops)
		}
	}
	return nil
}

// file adds the clauses of a file. A file is of module user up to its header. test is true for all of a .plt file, and
// for a unit of tests in a file of rules.
func (g *callGraph) file(name, text string, ops *source.Operators) {
	module, test := "user", filepath.Ext(name) == ".plt"
	source.Read(name, text, &source.Options{Operators: ops, Open: cli.OpenSource, Each: func(c *source.Clause) bool {
		if c.Err != nil {
			g.broken = append(g.broken, source.SyntaxDiagnostic(name, c.Err))
			return true
		}
		if header, ok := term.Is(c.Term, ":-", 1); ok {
			if args, ok := term.Is(header[0], "module", 2); ok {
				if m, ok := args[0].(term.Atom); ok {
					module = string(m)
				}
			}
			if begin, ok := header[0].(*term.Compound); ok && begin.Functor == "begin_tests" {
				test = true
			}
			if _, ok := term.Is(header[0], "end_tests", 1); ok {
				test = filepath.Ext(name) == ".plt"
			}
		}
		g.clause(name, module, test, c)
		return true
	}})
}

// clause adds a node for the predicate that a clause defines, and its calls to the pending ones. A clause of test/1,2
// is no node: what it calls is called from outside. Nor is a directive.
func (g *callGraph) clause(file, module string, test bool, c *source.Clause) {
	uses := slices.DeleteFunc(source.Uses(c, inspect.Meta), func(u source.Use) bool { return u.Arity == source.NoArity })
	var from predicateName
	caller := "a directive"
	for _, u := range uses {
		if u.Kind != source.Defines {
			continue
		}
		from = predicateName{cmp.Or(u.Module, module), u.Name, u.Arity}
		if test && u.Name == "test" {
			from, caller = predicateName{}, "a test"
			continue
		}
		n := g.nodes[from]
		if n == nil {
			n = &graphNode{file: file, line: c.At.Line, calls: map[predicateName]bool{}, callers: map[predicateName]bool{}}
			g.nodes[from] = n
		}
		n.clauses++
		if test {
			n.entry = "a test"
		}
		// The server calls the predicates of declarations, such as completion/4, and the system its hooks.
		if kb.Declares(u.Name, u.Arity) || isHook(from) {
			n.entry = "a declaration"
		}
	}
	for _, u := range uses {
		switch u.Kind {
		case source.Calls:
			g.pending = append(g.pending, pendingCall{from, module, u, caller})
		case source.Exports:
			// Exports of a clause belong to a declaration, exports of a directive to the header of a module.
			what := "a tool"
			if from.name == "" {
				what = "an export"
			}
			g.pending = append(g.pending, pendingCall{predicateName{}, module, u, what})
		}
	}
}

// isHook reports whether the system, or the command line in the case of main/0, calls a predicate of this name if there
// is one.
func isHook(p predicateName) bool {
	switch p.name {
	case "term_expansion", "goal_expansion", "message", "portray", "message_hook", "attr_unify_hook", "attribute_goals",
		"main":
		return true
	}
	return p.module == "prolog"
}

// connect makes edges of the pending calls and marks what is reached from entries. Calls of predicates that no file
// defines, such as built-ins, are no edges.
func (g *callGraph) connect() {
	for _, c := range g.pending {
		to, ok := g.resolve(c.module, &c.use)
		if !ok {
			continue
		}
		n := g.nodes[to]
		if c.from.name == "" {
			n.entry = cmp.Or(n.entry, c.why)
		} else {
			g.nodes[c.from].calls[to] = true
			n.callers[c.from] = true
		}
	}
	var todo []predicateName
	for p, n := range g.nodes {
		if n.entry != "" {
			todo = append(todo, p)
		}
	}
	for len(todo) > 0 {
		n := g.nodes[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		if !n.reached {
			n.reached = true
			for to := range n.calls {
				todo = append(todo, to)
			}
		}
	}
}

// resolve returns the predicate of the files that a use means: the one of the module itself, else of user, else of the
// first module by name that has one. Imports are not followed, so the last is a guess. ok is false if no file defines
// it.
func (g *callGraph) resolve(module string, u *source.Use) (p predicateName, ok bool) {
	for _, m := range []string{cmp.Or(u.Module, module), "user"} {
		p = predicateName{m, u.Name, u.Arity}
		if _, ok := g.nodes[p]; ok {
			return p, true
		}
	}
	for _, m := range g.modules() {
		p = predicateName{m, u.Name, u.Arity}
		if _, ok := g.nodes[p]; ok && u.Module == "" {
			return p, true
		}
	}
	return predicateName{}, false
}

// modules returns the modules with predicates, sorted.
func (g *callGraph) modules() []string {
	seen := map[string]bool{}
	for p := range g.nodes {
		seen[p.module] = true
	}
	return cli.SortedKeys(seen)
}

func (g *callGraph) sorted() []predicateName {
	return slices.SortedFunc(maps.Keys(g.nodes), predicateName.compare)
}

func predicateNames(set map[predicateName]bool) []string {
	list := []string{}
	for _, p := range slices.SortedFunc(maps.Keys(set), predicateName.compare) {
		list = append(list, p.String())
	}
	return list
}

// text writes a line for each predicate, and those that nothing reaches at the end.
func (g *callGraph) text(w io.Writer) error {
	var unreached []predicateName
	for _, p := range g.sorted() {
		n := g.nodes[p]
		fmt.Fprintf(w, "%s:%d: %s", n.file, n.line, p)
		if n.entry != "" {
			fmt.Fprintf(w, " (%s)", n.entry)
		}
		if len(n.calls) > 0 {
			fmt.Fprintf(w, " -> %s", strings.Join(predicateNames(n.calls), ", "))
		}
		fmt.Fprintln(w)
		if !n.reached {
			unreached = append(unreached, p)
		}
	}
	if len(unreached) > 0 {
		fmt.Fprintf(w, "\nNothing reaches %s:\n", spell.Count(len(unreached), "predicate"))
		for _, p := range unreached {
			fmt.Fprintf(w, "    %s:%d: %s\n", g.nodes[p].file, g.nodes[p].line, p)
		}
	}
	return nil
}

// dot writes the graph for Graphviz. What is called from outside has a thick line, what nothing reaches a dashed one.
func (g *callGraph) dot(w io.Writer) error {
	fmt.Fprint(w, "digraph calls {\n    rankdir=LR;\n    node [shape=box, fontname=\"sans-serif\"];\n")
	for _, p := range g.sorted() {
		n, style := g.nodes[p], ""
		if n.entry != "" {
			style = ", penwidth=2"
		} else if !n.reached {
			style = ", style=dashed"
		}
		fmt.Fprintf(w, "    %q [tooltip=%q%s];\n", p.String(), fmt.Sprintf("%s:%d", n.file, n.line), style)
	}
	for _, p := range g.sorted() {
		for _, to := range predicateNames(g.nodes[p].calls) {
			fmt.Fprintf(w, "    %q -> %q;\n", p.String(), to)
		}
	}
	_, err := fmt.Fprintln(w, "}")
	return err
}

// html writes one page without scripts: a row for each predicate, with links to those it calls and its callers.
func (g *callGraph) html(w io.Writer) error {
	nodes, unreached := g.shown(len(g.nodes)), 0
	for _, n := range nodes {
		if !n.Reached {
			unreached++
		}
	}
	return cli.Pages().ExecuteTemplate(w, "graph", map[string]any{"Count": spell.Count(len(nodes), "predicate"),
		"Unreached": unreached, "Nodes": nodes})
}

// maxShown bounds the predicates that the page shows.
const maxShown = 2000

// shownNode is a predicate as the page has it. Calls and Callers are never nil, so that JSON has lists. Entry is ""
// if nothing outside calls the predicate.
type shownNode struct {
	Name    string   `json:"name"`
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Entry   string   `json:"entry"`
	Reached bool     `json:"reached"`
	Calls   []string `json:"calls"`
	Callers []string `json:"callers"`
}

// shown returns at most some predicates, in order.
func (g *callGraph) shown(most int) []shownNode {
	list := []shownNode{}
	for _, p := range g.sorted() {
		if n := g.nodes[p]; len(list) < most {
			list = append(list, shownNode{p.String(), n.file, n.line, n.entry, n.reached, predicateNames(n.calls),
				predicateNames(n.callers)})
		}
	}
	return list
}

// graphForPage returns the first predicates of files and folders, as they are now, and the number of all. Each request
// calls it in its own goroutine. It reads the files again and shares nothing with the knowledge base that serves.
// Clauses with syntax errors are left out, and an error is part of the result, because the page shows it.
func graphForPage(paths []string) any {
	g := &callGraph{nodes: map[predicateName]*graphNode{}}
	if err := g.read(paths); err != nil {
		return map[string]any{"error": err.Error(), "predicates": []shownNode{}}
	}
	g.connect()
	return map[string]any{"count": len(g.nodes), "predicates": g.shown(maxShown)}
}

// tablesForPage returns the decision tables as the page shows them, with the names of files that proofs have.
func tablesForPage(s *kb.Snapshot) any {
	p := inner.Of(s.Program)
	list := append([]inspect.DecisionTable{}, p.Tables(maxShown)...)
	for i := range list {
		list[i].File = p.FileName(list[i].File)
	}
	return list
}
