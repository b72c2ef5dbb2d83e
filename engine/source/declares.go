package source

import (
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what directives and declarations say about predicates.

// indicated are the directives whose argument has indicators, of their arity.
var indicated = map[string]bool{"dynamic": true, "discontiguous": true, "multifile": true, "table": true,
	"thread_local": true, "persistent": true, "public": true, "meta_predicate": true, "volatile": true}

// directives walks the goals of a directive.
func (w *walker) directives(g called) {
	for {
		args, ok := term.Is(g.t, ",", 2)
		if !ok {
			w.directive(g)
			return
		}
		w.directive(called{t: args[0], layout: g.layout.Arg(0)})
		g = called{t: args[1], layout: g.layout.Arg(1)}
	}
}

func (w *walker) directive(g called) {
	c, ok := g.t.(*term.Compound)
	if !ok || len(c.Args) == 0 {
		w.push(g)
		return
	}
	first := called{t: c.Args[0], layout: g.layout.Arg(0)}
	switch name, n := string(c.Functor), len(c.Args); {
	case indicated[name]:
		w.indicators(first)
	case name == "module" && n == 2:
		eachItem(called{t: c.Args[1], layout: g.layout.Arg(1)}, func(item called) { w.indicator(item, Exports) })
	case name == "mode" && n == 2:
		w.note(Declares, first)
	case name == "info" && n == 2 || name == "explain" && n == 2 || name == "facts":
		w.indicator(first, Declares)
		if name == "info" {
			eachItem(called{t: c.Args[1], layout: g.layout.Arg(1)}, w.examples)
		}
	case name == "initialization" && n <= 2:
		w.push(first)
	case name == "use_module" || name == "ensure_loaded":
	default:
		w.push(g)
	}
}

// indicators walks indicators in lists and conjunctions, and heads such as those of meta_predicate/1.
func (w *walker) indicators(g called) {
	for {
		args, ok := term.Is(g.t, ",", 2)
		if !ok {
			break
		}
		w.oneOrList(called{t: args[0], layout: g.layout.Arg(0)})
		g = called{t: args[1], layout: g.layout.Arg(1)}
	}
	w.oneOrList(g)
}

func (w *walker) oneOrList(g called) {
	if args, ok := term.Is(g.t, "as", 2); ok {
		g = called{t: args[0], layout: g.layout.Arg(0)}
	}
	if _, isList := term.Slice(g.t); isList {
		eachItem(g, func(item called) { w.indicator(item, Declares) })
		return
	}
	if !w.indicator(g, Declares) {
		w.note(Declares, g)
	}
}

// eachItem calls f for the items of a list.
func eachItem(list called, f func(item called)) {
	for {
		args, ok := term.Is(list.t, term.Dot, 2)
		if !ok {
			return
		}
		f(called{t: args[0], layout: list.layout.Arg(0)})
		list = called{t: args[1], layout: list.layout.Arg(1)}
	}
}

// examples walks the goals of the examples of info/2, which are Title - Goal - Wanted.
func (w *walker) examples(item called) {
	if args, ok := term.Is(item.t, "is", 2); !ok || args[0] != term.Term(term.Atom("examples")) {
		return
	}
	eachItem(called{t: item.t.(*term.Compound).Args[1], layout: item.layout.Arg(1)}, func(example called) {
		if whole, ok := term.Is(example.t, "-", 2); ok {
			if titled, ok := term.Is(whole[0], "-", 2); ok {
				w.push(called{t: titled[1], layout: example.layout.Arg(0).Arg(1)})
			}
		}
	})
}

// indicator notes Name/Arity or Name//Arity and reports whether it is one.
func (w *walker) indicator(g called, kind UseKind) bool {
	if args, ok := term.Is(g.t, ":", 2); ok {
		name, _ := args[0].(term.Atom)
		g.module, g.t, g.layout = string(name), args[1], g.layout.Arg(1)
	}
	extra := 0
	args, ok := term.Is(g.t, "/", 2)
	if !ok {
		args, ok = term.Is(g.t, "//", 2)
		extra = 2
	}
	if !ok {
		return false
	}
	name, isAtom := args[0].(term.Atom)
	arity, isInt := args[1].(term.Int)
	if !isAtom || !isInt || g.layout.Arg(0) == nil {
		return false
	}
	w.mention(string(name), int(arity)+extra, g.module, g.layout.Arg(0), kind)
	return true
}

// mention notes a predicate whose name stands at a place.
func (w *walker) mention(name string, arity int, module string, l *Layout, kind UseKind) {
	if at := w.tokenAt(l.Pos.Offset); at >= 0 && w.tokens[at].Name == name && w.tokens[at].Role != syntax.RoleNone {
		w.uses = append(w.uses, Use{Kind: kind, Module: module, Name: name, Arity: arity, Token: at})
	}
}

// tools notes the predicates that tools/1 offers.
func (w *walker) tools(list term.Term, l *Layout) {
	eachItem(called{t: list, layout: l}, func(item called) {
		if c, ok := item.t.(*term.Compound); ok && c.Functor == "tool" && len(c.Args) >= 3 {
			name, isAtom := c.Args[1].(term.Atom)
			arity, isInt := c.Args[2].(term.Int)
			if at := item.layout.Arg(1); isAtom && isInt && at != nil {
				w.mention(string(name), int(arity), "", at, Exports)
			}
		}
	})
}
