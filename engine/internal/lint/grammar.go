package lint

import (
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what a grammar rule is as a clause. Texts are passed on by variables of their own; what a terminal
// does is nothing that matters here.

// translate makes a clause of a grammar rule. ok is false for one that is not translated.
func translate(read *syntax.Read) (head term.Term, goals goal, ok bool) {
	args, ok := term.Is(read.Term, "-->", 2)
	if !ok {
		return nil, goal{}, false
	}
	from, to := term.NewVar(""), term.NewVar("")
	head, ok = withTexts(args[0], from, to)
	if !ok {
		return nil, goal{}, false
	}
	goals.Term, goals.Layout = grammarBody(args[1], read.Layout.Arg(1), from, to, 0)
	return head, goals, true
}

// withTexts adds the text before and the one after to what a grammar calls.
func withTexts(t term.Term, from, to *term.Var) (term.Term, bool) {
	name, _, ok := term.Indicator(t)
	if !ok || name == "," || name == "|" {
		return nil, false
	}
	var args []term.Term
	if c, isCompound := t.(*term.Compound); isCompound {
		args = c.Args
	}
	return term.New(name, append(args[:len(args):len(args)], from, to)...), true
}

// maxNested bounds how deep the body of a grammar rule is nested.
const maxNested = 1000

// grammarBody translates the body of a grammar rule, with a layout that fits it.
func grammarBody(t term.Term, layout *syntax.Layout, from, to *term.Var, depth int) (term.Term, *syntax.Layout) {
	c, isCompound := t.(*term.Compound)
	_, isText := t.(term.String)
	switch {
	case depth > maxNested, isText, t == term.Term(term.Nil), t == term.Term(term.Atom("!")), isVar(t):
		return consume(from, to), layout
	case isCompound && len(c.Args) == 2 && (c.Functor == "," || c.Functor == "->" || c.Functor == "*->"):
		between := term.NewVar("")
		left, leftLayout := grammarBody(c.Args[0], layout.Arg(0), from, between, depth+1)
		right, rightLayout := grammarBody(c.Args[1], layout.Arg(1), between, to, depth+1)
		return term.New(c.Functor, left, right), around(layout, leftLayout, rightLayout)
	case isCompound && len(c.Args) == 2 && (c.Functor == ";" || c.Functor == "|"):
		left, leftLayout := grammarBody(c.Args[0], layout.Arg(0), from, to, depth+1)
		right, rightLayout := grammarBody(c.Args[1], layout.Arg(1), from, to, depth+1)
		return term.New(";", left, right), around(layout, leftLayout, rightLayout)
	case isCompound && c.Functor == "{}" && len(c.Args) == 1:
		return c.Args[0], layout.Arg(0)
	case isCompound && c.Functor == "\\+" && len(c.Args) == 1:
		inner, innerLayout := grammarBody(c.Args[0], layout.Arg(0), from, term.NewVar(""), depth+1)
		return term.New("\\+", inner), around(layout, innerLayout)
	case isCompound && c.Functor == term.Dot || isCompound && c.Functor == "call":
		return term.New("phrase", t, from, to), around(layout, layout)
	}
	called, ok := withTexts(t, from, to)
	if !ok {
		return consume(from, to), layout
	}
	return called, layout
}

// consume is a goal that reads a text in which no variable of the rule is.
func consume(from, to *term.Var) term.Term { return term.New("phrase", term.Nil, from, to) }

// around is a layout at the place of another one.
func around(layout *syntax.Layout, args ...*syntax.Layout) *syntax.Layout {
	if layout == nil {
		return nil
	}
	return &syntax.Layout{Pos: layout.Pos, Args: args}
}
