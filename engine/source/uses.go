package source

import (
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines which predicates a clause defines, calls and mentions, and where.

// UseKind says what a text does with a predicate.
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
	// Module is the module that the text names, "" if it names none.
	Module, Name string
	Arity        int
	// Token is the index of the token that has the name.
	Token int
	// Negated is set for a call below \+, Changed for a clause that is asserted, retracted or asked for.
	Negated, Changed bool
}

// Metas returns which arguments of a predicate are goals, one character for each as meta_predicate has them, "" if none
// are.
type Metas func(name string, arity int) string

// maxGoals bounds the goals of one clause that are looked at.
const maxGoals = 100_000

// Uses returns the uses of predicates in a clause, in no particular order. Of a clause with an error there are none.
func Uses(c *Clause, metas Metas) []Use {
	if c.Term == nil {
		return nil
	}
	w := &walker{tokens: c.Tokens, metas: metas}
	w.clause(c.Term, c.Layout)
	for n := 0; len(w.todo) > 0 && n < maxGoals; n++ {
		g := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		if g.grammar {
			w.nonterminal(g)
		} else {
			w.goal(g)
		}
	}
	return w.uses
}

// walker walks one clause.
type walker struct {
	tokens []Token
	metas  Metas
	uses   []Use
	todo   []called
}

// called is a goal that is called with more arguments.
type called struct {
	t       term.Term
	layout  *Layout
	module  string
	extra   int
	grammar bool
	negated bool
	changed bool
}

// clause walks head and body.
func (w *walker) clause(t term.Term, l *Layout) {
	if args, ok := term.Is(t, ":-", 1); ok {
		w.directives(called{t: args[0], layout: l.Arg(0)})
		return
	}
	if args, ok := term.Is(t, "?-", 1); ok {
		w.push(called{t: args[0], layout: l.Arg(0)})
		return
	}
	head := called{t: t, layout: l}
	for _, neck := range []term.Atom{":-", "-->", "=>"} {
		if args, ok := term.Is(t, neck, 2); ok {
			head = called{t: args[0], layout: l.Arg(0)}
			body := called{t: args[1], layout: l.Arg(1), grammar: neck == "-->"}
			if both, ok := term.Is(head.t, ",", 2); ok { // a guard, or a pushback
				if neck == "=>" {
					w.push(called{t: both[1], layout: head.layout.Arg(1)})
				}
				head = called{t: both[0], layout: head.layout.Arg(0)}
			}
			if neck == "-->" {
				head.extra = 2
			}
			w.push(body)
			break
		}
	}
	w.note(Defines, head)
	if name, arity, ok := term.Indicator(head.t); ok && name == "tools" && arity == 1 && head.extra == 0 {
		args, _ := term.Is(head.t, "tools", 1)
		w.tools(args[0], head.layout.Arg(0))
	}
}

func (w *walker) push(g called) { w.todo = append(w.todo, g) }

// note adds a use of the predicate of a head or a goal.
func (w *walker) note(kind UseKind, g called) {
	for {
		args, ok := term.Is(g.t, ":", 2)
		if !ok {
			break
		}
		name, isAtom := args[0].(term.Atom)
		if !isAtom {
			return
		}
		g.module, g.t, g.layout = string(name), args[1], g.layout.Arg(1)
	}
	atom, arity, ok := term.Indicator(g.t)
	if !ok {
		return
	}
	name := string(atom)
	if at := w.find(name, arity, g.layout); at >= 0 {
		w.uses = append(w.uses, Use{Kind: kind, Module: g.module, Name: name, Arity: arity + g.extra, Token: at,
			Negated: g.negated, Changed: g.changed})
	}
}

// find returns the token that has the name of a term, -1 if there is none.
func (w *walker) find(name string, arity int, l *Layout) int {
	if l == nil {
		return -1
	}
	at := w.tokenAt(l.Pos.Offset)
	if at >= 0 && w.tokens[at].Name == name && w.tokens[at].Role != syntax.RoleNone {
		return at
	}
	if arity == 2 && l.Arg(1) != nil { // an operator stands before its right operand
		for i := w.tokenAt(l.Arg(1).Pos.Offset) - 1; i >= 0 && i >= at; i-- {
			if t := &w.tokens[i]; t.Role == syntax.RoleInfix && t.Name == name {
				return i
			}
		}
	}
	if arity == 1 { // a postfix operator, behind its operand
		for i := max(at, 0); i < len(w.tokens); i++ {
			if t := &w.tokens[i]; t.Role == syntax.RolePostfix && t.Name == name {
				return i
			}
		}
	}
	return -1
}

// tokenAt returns the token that begins at an offset, -1 if none does.
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

// goal walks a goal.
func (w *walker) goal(g called) {
	c, isCompound := g.t.(*term.Compound)
	if !isCompound {
		w.note(Calls, g)
		return
	}
	if c.Functor == ":" && len(c.Args) == 2 {
		if name, ok := c.Args[0].(term.Atom); ok {
			g.module, g.t, g.layout = string(name), c.Args[1], g.layout.Arg(1)
			w.push(g)
		}
		return
	}
	if goals, ok := term.Control(c); ok && g.extra == 0 {
		for i := len(goals) - 1; i >= 0; i-- {
			w.push(called{t: goals[i], layout: g.layout.Arg(i), module: g.module,
				negated: g.negated || c.Functor == `\+`})
		}
		return
	}
	w.note(Calls, g)
	w.arguments(c, g)
}

// arguments walks the arguments of a goal that are goals, and those that are clauses.
func (w *walker) arguments(c *term.Compound, g called) {
	if changes[string(c.Functor)] && len(c.Args) > 0 {
		head := called{t: c.Args[0], layout: g.layout.Arg(0), module: g.module}
		if args, ok := term.Is(head.t, ":-", 2); ok {
			w.push(called{t: args[1], layout: head.layout.Arg(1), module: g.module})
			head.t, head.layout = args[0], head.layout.Arg(0)
		}
		head.changed = true
		w.note(Calls, head)
		return
	}
	spec := w.metas(string(c.Functor), len(c.Args)+g.extra)
	for i := 0; i < len(c.Args) && i < len(spec); i++ {
		arg := called{t: c.Args[i], layout: g.layout.Arg(i), module: g.module, negated: g.negated}
		switch kind := spec[i]; {
		case '0' <= kind && kind <= '9':
			arg.extra = int(kind - '0')
			w.closure(arg)
		case kind == '/':
			arg.grammar = true
			w.push(arg)
		case kind == '^':
			for args, ok := term.Is(arg.t, "^", 2); ok; args, ok = term.Is(arg.t, "^", 2) {
				arg.t, arg.layout = args[1], arg.layout.Arg(1)
			}
			w.push(arg)
		}
	}
}

// changes are the predicates whose first argument is a clause.
var changes = map[string]bool{"assert": true, "asserta": true, "assertz": true, "retract": true, "retractall": true,
	"clause": true}

// closure walks what is called with more arguments. Of a lambda expression that is the body.
func (w *walker) closure(g called) {
	if g.extra > 0 {
		for {
			if args, ok := term.Is(g.t, ">>", 2); ok {
				g.t, g.layout, g.extra = args[1], g.layout.Arg(1), 0
			} else if args, ok := term.Is(g.t, "/", 2); ok {
				g.t, g.layout = args[1], g.layout.Arg(1)
			} else {
				break
			}
		}
	}
	w.push(g)
}

// nonterminal walks a part of the body of a grammar rule.
func (w *walker) nonterminal(g called) {
	c, isCompound := g.t.(*term.Compound)
	goals, isControl := term.Control(g.t)
	switch {
	case !isCompound:
		if name, ok := g.t.(term.Atom); ok && name != "!" && name != term.Nil {
			g.extra += 2
			w.note(Calls, g)
		}
	case isControl:
		for i := len(goals) - 1; i >= 0; i-- {
			w.push(called{t: goals[i], layout: g.layout.Arg(i), module: g.module, grammar: true,
				negated: g.negated || c.Functor == `\+`})
		}
	case c.Functor == term.Curly && len(c.Args) == 1:
		w.push(called{t: c.Args[0], layout: g.layout.Arg(0), module: g.module, negated: g.negated})
	case c.Functor == term.Dot && len(c.Args) == 2:
	case c.Functor == "call" && len(c.Args) > 0:
		w.push(called{t: c.Args[0], layout: g.layout.Arg(0), module: g.module, extra: len(c.Args) + 1})
	default:
		g.extra += 2
		w.note(Calls, g)
	}
}
