package source

import (
	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// This file finds the predicates that directives and declarations mention.

// indicated maps directives to their arity. The arguments of these directives contain indicators.
var indicated = map[string]bool{"dynamic": true, "discontiguous": true, "multifile": true, "table": true,
	"thread_local": true, "persistent": true, "public": true, "meta_predicate": true, "volatile": true}

// directives walks the goals of a directive.
func (w *walker) directives(g body.Part) {
	w.labelled = Declares
	for _, one := range g.Conjuncts() {
		w.directive(one)
	}
}

func (w *walker) directive(g body.Part) {
	c, ok := g.Term.(*term.Compound)
	if !ok || len(c.Args) == 0 {
		w.push(g)
		return
	}
	switch name, n := string(c.Functor), len(c.Args); {
	case indicated[name]:
		for _, one := range g.Arg(0).Conjuncts() {
			w.oneOrList(one)
		}
	case name == "module" && n == 2:
		eachItem(g.Arg(1), func(item body.Part) { w.indicator(item, Exports) })
	case name == "mode" && n == 2:
		w.note(Declares, g.Arg(0), false)
	case name == "info" && n == 2 || name == "explain" && n == 2 || name == "facts" || name == "decision":
		w.oneOrList(g.Arg(0))
		if name == "info" {
			eachItem(g.Arg(1), w.examples)
		}
	case name == "initialization" && n <= 2:
		w.push(g.Arg(0))
	case name == "use_module" || name == "ensure_loaded":
	default:
		w.push(g)
	}
}

// labelled maps the directives and goals of library(law) that name rules to the arguments with labels.
var labelled = map[string][]int{"overrides": {0, 1}, "exception": {0, 1}, "valid": {0}, "source": {0}, "applies": {0},
	"defeated": {0, 2}}

// labels notes the labels among the arguments of a directive or a goal.
func (w *walker) labels(name string, g body.Part) {
	for _, n := range labelled[name] {
		if c, ok := g.Term.(*term.Compound); ok && n < len(c.Args) {
			w.label(g.Arg(n), w.labelled)
		}
	}
}

// label notes the label of a rule, if it is one.
func (w *walker) label(g body.Part, kind UseKind) {
	if name, ok := g.Term.(term.Atom); ok && g.Layout != nil {
		w.mention(string(name), NoArity, "", g.Layout, kind)
	}
}

// oneOrList notes an indicator, a list of indicators, or a head as in meta_predicate/1.
func (w *walker) oneOrList(g body.Part) {
	if _, ok := term.Is(g.Term, "as", 2); ok {
		g = g.Arg(0)
	}
	if _, isList := term.Slice(g.Term); isList {
		eachItem(g, func(item body.Part) { w.indicator(item, Declares) })
		return
	}
	if !w.indicator(g, Declares) {
		w.note(Declares, g, false)
	}
}

// eachItem calls f for the items of a list.
func eachItem(list body.Part, f func(item body.Part)) {
	for {
		if _, ok := term.Is(list.Term, term.Dot, 2); !ok {
			return
		}
		f(list.Arg(0))
		list = list.Arg(1)
	}
}

// examples walks the goals of the examples of info/2, which are Title - Goal - Wanted.
func (w *walker) examples(item body.Part) {
	if args, ok := term.Is(item.Term, "is", 2); !ok || args[0] != term.Term(term.Atom("examples")) {
		return
	}
	eachItem(item.Arg(1), func(example body.Part) {
		if whole, ok := term.Is(example.Term, "-", 2); ok {
			if _, titled := term.Is(whole[0], "-", 2); titled {
				w.push(example.Arg(0).Arg(1))
			}
		}
	})
}

// indicator notes Name/Arity or Name//Arity and reports whether it is one.
func (w *walker) indicator(g body.Part, kind UseKind) bool {
	g, _ = g.Plain()
	name, arity, _, ok := shapes.NameArity(g.Term)
	if !ok || g.Layout.Arg(0) == nil {
		return false
	}
	w.mention(string(name), arity, g.Module, g.Layout.Arg(0), kind)
	return true
}

// mention notes a predicate whose name is at a place.
func (w *walker) mention(name string, arity int, module string, l *Layout, kind UseKind) {
	if at := w.tokenAt(l.Pos.Offset); at >= 0 && w.tokens[at].Name == name && w.tokens[at].Role != syntax.RoleNone {
		w.uses = append(w.uses, Use{Kind: kind, Module: module, Name: name, Arity: arity, Token: at})
	}
}

// tools notes the predicates that tools/1 offers.
func (w *walker) tools(list body.Part) {
	eachItem(list, func(item body.Part) {
		if w.indicator(item, Exports) {
			return
		}
		if c, ok := item.Term.(*term.Compound); ok && c.Functor == "tool" && len(c.Args) >= 3 {
			name, isAtom := c.Args[1].(term.Atom)
			arity, isInt := c.Args[2].(term.Int)
			if at := item.Layout.Arg(1); isAtom && isInt && at != nil {
				w.mention(string(name), int(arity), "", at, Exports)
			}
		}
	})
}
