package source

import (
	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file finds the predicates that a clause defines, calls and mentions, with their places.

// UseKind says how a text uses a predicate.
type UseKind uint8

// The kinds of uses.
const (
	// Defines is the head of a clause.
	Defines UseKind = iota
	// Calls is a goal, or a clause that is asserted or retracted.
	Calls
	// Declares is a directive such as dynamic/1 or mode/2, Exports the header of a module or tools/1.
	Declares
	Exports
)

// Use is one use of a predicate.
type Use struct {
	Kind UseKind
	// Module is the module that the text names, or "".
	Module, Name string
	// Arity is NoArity if the name is the label of a rule, Label :: Head :- Body of library(law).
	Arity int
	// Token is the index of the token with the name.
	Token int
	// Negated is set for a call below \+. Changed is set for a clause that is asserted, retracted or read by clause/2.
	Negated, Changed bool
}

// NoArity is the arity of labels of rules.
const NoArity = -1

// Metas returns which arguments of a predicate are goals: one character for each argument, as in meta_predicate/1, or
// "" if none is.
type Metas func(name string, arity int) string

// Uses returns the uses of predicates in a clause, in no particular order. A clause with an error has none.
func Uses(c *Clause, metas Metas) []Use {
	if c.Term == nil {
		return nil
	}
	w := &walker{tokens: c.Tokens, metas: metas, labelled: Calls}
	w.clause(body.Part{Term: c.Term, Layout: c.Layout})
	for _, goal := range w.todo {
		body.Walk(goal, w.goal)
	}
	return w.uses
}

// walker walks one clause.
type walker struct {
	tokens []Token
	metas  Metas
	uses   []Use
	todo   []body.Part
	// labelled is the kind of use for labels in goals.
	labelled UseKind
}

// clause notes the head and what it declares. The goals are walked later.
func (w *walker) clause(c body.Part) {
	if _, ok := term.Is(c.Term, ":-", 1); ok {
		w.directives(c.Arg(0))
		return
	}
	if _, ok := term.Is(c.Term, "?-", 1); ok {
		w.push(c.Arg(0))
		return
	}
	head := c
	for _, neck := range []term.Atom{":-", "-->", "=>"} {
		if _, ok := term.Is(c.Term, neck, 2); ok {
			goals := c.Arg(1)
			head, goals.Grammar = c.Arg(0), neck == "-->"
			if _, ok := term.Is(head.Term, ",", 2); ok { // a guard, or a pushback
				if neck == "=>" {
					w.push(head.Arg(1))
				}
				head = head.Arg(0)
			}
			if neck == "-->" {
				head.Extra = 2
			}
			w.push(goals)
			break
		}
	}
	if args, ok := term.Is(head.Term, "::", 2); ok { // a labelled rule of library(law), perhaps a negative one
		if _, isLabel := args[0].(term.Atom); isLabel {
			w.label(head.Arg(0), Defines)
			head = head.Arg(1)
		}
		if _, against := term.Is(head.Term, `\+`, 1); against {
			head = head.Arg(0)
		}
	}
	w.note(Defines, head, false)
	if _, ok := term.Is(head.Term, "tools", 1); ok && head.Extra == 0 {
		w.tools(head.Arg(0))
	}
}

func (w *walker) push(g body.Part) { w.todo = append(w.todo, g) }

// note adds a use of the predicate of a head or a goal.
func (w *walker) note(kind UseKind, g body.Part, changed bool) {
	g, known := g.Plain()
	atom, arity, ok := term.Indicator(g.Term)
	if !ok || !known {
		return
	}
	if at := w.find(string(atom), arity, g.Layout); at >= 0 {
		w.uses = append(w.uses, Use{Kind: kind, Module: g.Module, Name: string(atom), Arity: arity + g.Extra, Token: at,
			Negated: g.Negated, Changed: changed})
	}
}

// find returns the token with the name of a term, or -1.
func (w *walker) find(name string, arity int, l *Layout) int {
	if l == nil {
		return -1
	}
	at := w.tokenAt(l.Pos.Offset)
	if at >= 0 && w.tokens[at].Name == name && w.tokens[at].Role != syntax.RoleNone {
		return at
	}
	if arity == 2 && l.Arg(1) != nil { // an operator comes before its right operand
		for i := w.tokenAt(l.Arg(1).Pos.Offset) - 1; i >= 0 && i >= at; i-- {
			if t := &w.tokens[i]; t.Role == syntax.RoleInfix && t.Name == name {
				return i
			}
		}
	}
	if arity == 1 { // a postfix operator comes after its operand
		for i := max(at, 0); i < len(w.tokens); i++ {
			if t := &w.tokens[i]; t.Role == syntax.RolePostfix && t.Name == name {
				return i
			}
		}
	}
	return -1
}

// tokenAt returns the token that begins at an offset, or -1.
func (w *walker) tokenAt(offset int) int {
	lo, hi := 0, len(w.tokens)
	for lo < hi {
		mid := (lo + hi) / 2
		if w.tokens[mid].At.Offset < offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(w.tokens) && w.tokens[lo].At.Offset == offset {
		return lo
	}
	return -1
}

// goal notes a goal and returns the goals among its arguments. A clause that the goal adds or removes counts as called
// and changed.
func (w *walker) goal(g body.Part) []body.Part {
	name, arity, ok := term.Indicator(g.Term)
	if !ok {
		return nil
	}
	if lambda := name == ">>" || name == "/"; !lambda || g.Extra == 0 {
		w.note(Calls, g, false)
	}
	w.labels(string(name), g)
	if !changes[string(name)] || arity == 0 {
		return g.Arguments(w.metas(string(name), arity+g.Extra))
	}
	head, goals := g.Arg(0), []body.Part(nil)
	if _, ok := term.Is(head.Term, ":-", 2); ok {
		head, goals = head.Arg(0), []body.Part{head.Arg(1)}
	}
	head.Negated = false
	w.note(Calls, head, true)
	return goals
}

// changes are the predicates whose first argument is a clause.
var changes = map[string]bool{"assert": true, "asserta": true, "assertz": true, "retract": true, "retractall": true,
	"clause": true}
