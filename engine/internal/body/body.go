// Package body walks the bodies of clauses. A [Part] is a goal with its place in the text. [Goals] yields the goals of
// control constructs. [Walk] also visits the goals among the arguments of other goals. Which arguments are goals comes
// from the meta_predicate specification of the predicate, which the caller knows.
package body

import (
	"iter"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// Part is a term in the place of a goal.
type Part struct {
	Term   term.Term
	Layout *syntax.Layout // nil if it is not known
	// Module is the module that the text names for the goal, "" for that of the clause.
	Module string
	// Extra is the number of arguments that the goal is called with besides its own.
	Extra int
	// Grammar says that the term is the body of a grammar rule, Negated that it stands below a negation.
	Grammar, Negated bool
}

// maxGoals bounds the parts of one clause that are visited.
const maxGoals = 1 << 20

// Arg returns argument i of a compound term as a goal of the same module.
func (p Part) Arg(i int) Part {
	return Part{Term: p.Term.(*term.Compound).Args[i], Layout: p.Layout.Arg(i), Module: p.Module, Negated: p.Negated}
}

// args returns all arguments of a compound term.
func (p Part) args() []Part {
	list := make([]Part, len(p.Term.(*term.Compound).Args))
	for i := range list {
		list[i] = p.Arg(i)
	}
	return list
}

// Control returns the goals of a control construct, nil for any other goal.
func (p Part) Control() []Part {
	if _, ok := shapes.Control(p.Term); !ok || p.Extra > 0 {
		return nil
	}
	list := p.args()
	for i := range list {
		list[i].Grammar = p.Grammar
		list[i].Negated = p.Negated || len(list) == 1
	}
	return list
}

// Conjuncts returns the goals of a conjunction, the part itself if it is none.
func (p Part) Conjuncts() (list []Part) {
	if _, ok := term.Is(p.Term, ",", 2); !ok {
		return []Part{p}
	}
	n := 1
	for args, ok := term.Is(p.Term, ",", 2); ok; args, ok = term.Is(args[1], ",", 2) {
		n++
	}
	list = make([]Part, 0, n)
	todo := make([]Part, 1, 8)
	for todo[0] = p; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, ok := term.Is(next.Term, ",", 2); ok {
			todo = append(todo, next.Arg(1), next.Arg(0))
		} else {
			list = append(list, next)
		}
	}
	return list
}

// Plain returns the goal behind its modules. ok is false if a module is not an atom.
func (p Part) Plain() (plain Part, ok bool) {
	for {
		args, qualified := term.Is(p.Term, ":", 2)
		if !qualified {
			return p, true
		}
		name, isAtom := args[0].(term.Atom)
		if !isAtom {
			return p, false
		}
		p.Term, p.Layout, p.Module = args[1], p.Layout.Arg(1), string(name)
	}
}

// Arguments returns the goals among the arguments of a goal. spec is the meta_predicate specification of its predicate.
func (p Part) Arguments(spec string) (list []Part) {
	c, ok := p.Term.(*term.Compound)
	if !ok {
		return nil
	}
	for i := range min(len(c.Args), len(spec)) {
		arg := p.Arg(i)
		switch mark := spec[i]; {
		case '0' <= mark && mark <= '9':
			arg.Extra = int(mark - '0')
			if c.Functor == ">>" && p.Extra > 0 {
				arg.Extra = beyond(c.Args[0], p.Extra)
			}
		case mark == '/':
			arg.Grammar = true
		case mark == '^':
			arg = arg.withoutCarets()
		default:
			continue
		}
		list = append(list, arg)
	}
	return list
}

// withoutCarets returns the goal behind Variable^. Its module may stand before or behind it.
func (p Part) withoutCarets() Part {
	for {
		args, ok := term.Is(p.Term, "^", 2)
		if ok {
			p.Term, p.Layout = args[1], p.Layout.Arg(1)
			continue
		}
		plain, known := p.Plain()
		if _, ok = term.Is(plain.Term, "^", 2); !ok || !known {
			return p
		}
		p = plain
	}
}

// Rebuild returns a goal whose arguments that are goals are replaced by the results of change. It returns the same
// term if change changes nothing. spec is the meta_predicate specification.
func (p Part) Rebuild(spec string, change func(Part) term.Term) term.Term {
	c, ok := p.Term.(*term.Compound)
	if !ok {
		return p.Term
	}
	made, same := slices.Clone(c.Args), true
	for i := range min(len(made), len(spec)) {
		for _, goal := range p.Arguments(strings.Repeat("?", i) + spec[i:i+1]) {
			next := change(goal)
			if next != goal.Term {
				made[i], same = replaced(c.Args[i], goal.Term, next), false
			}
		}
	}
	if same {
		return p.Term
	}
	return term.New(c.Functor, made...)
}

// replaced returns t with another goal behind its Variable^ and modules.
func replaced(t, goal, by term.Term) term.Term {
	var around []*term.Compound
	for t != goal {
		c := t.(*term.Compound)
		around, t = append(around, c), c.Args[1]
	}
	for _, c := range slices.Backward(around) {
		by = term.New(c.Functor, c.Args[0], by)
	}
	return by
}

// Lambda returns the parameters and the goal of a lambda expression that takes all the arguments it is called with.
func (p Part) Lambda() (parameters []term.Term, inner Part, ok bool) {
	plain, _ := p.Plain()
	args, ok := term.Is(plain.Term, ">>", 2)
	if !ok || p.Extra == 0 || beyond(args[0], p.Extra) > 0 {
		return nil, p, false
	}
	return parametersOf(args[0]), plain.Arg(1), true
}

// beyond returns the number of extra arguments that a lambda expression passes on to its body: those without a
// parameter.
func beyond(parameters term.Term, extra int) int {
	return min(max(0, extra-len(parametersOf(parameters))), 9)
}

// parametersOf returns the parameters of a lambda expression from the term before >>, without the free variables and
// the /.
func parametersOf(t term.Term) []term.Term {
	if args, ok := term.Is(t, "/", 2); ok {
		t = args[1]
	}
	list, _ := term.Slice(t)
	return list
}

// nonterminal returns the parts of a grammar body, or the goal that a nonterminal becomes. Both are nil for a terminal.
func (p Part) nonterminal() (parts []Part, goal *Part) {
	if parts = p.Control(); parts != nil {
		return parts, nil
	}
	c, isCompound := p.Term.(*term.Compound)
	switch {
	case p.Term == term.Term(term.Nil) || p.Term == term.Term(term.Atom("!")):
		return nil, nil
	case isCompound && c.Functor == term.Dot && len(c.Args) == 2:
		return nil, nil
	case isCompound && c.Functor == term.Curly && len(c.Args) == 1:
		return p.args(), nil
	case isCompound && c.Functor == "call" && len(c.Args) > 0:
		called := p.Arg(0)
		called.Extra = len(c.Args) + 1
		return []Part{called}, nil
	}
	p.Extra += 2
	return nil, &p
}

// Goals yields the goals of a body from left to right. It looks into control constructs alone.
func Goals(p Part) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		for todo := []Part{p}; len(todo) > 0; {
			next := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if inner := next.Control(); inner != nil {
				slices.Reverse(inner)
				todo = append(todo, inner...)
			} else if !yield(next) {
				return
			}
		}
	}
}

// Bad returns a goal of a body that can never be called, or nil.
func Bad(t term.Term) term.Term {
	for goal := range Goals(Part{Term: t}) {
		switch goal.Term.(type) {
		case *term.Compound, term.Atom, *term.Var:
		default:
			return goal.Term
		}
	}
	return nil
}

// Walk calls visit for each goal of a body from left to right, without its module. Then it walks the parts that visit
// returns. A nonterminal is visited with the two arguments that it is called with.
func Walk(p Part, visit func(Part) []Part) {
	todo := []Part{p}
	for n := 0; len(todo) > 0 && n < maxGoals; n++ {
		next, known := todo[len(todo)-1].Plain()
		todo = todo[:len(todo)-1]
		if !known {
			continue
		}
		inner := next.Control()
		if next.Grammar {
			goal := (*Part)(nil)
			if inner, goal = next.nonterminal(); goal != nil {
				inner = visit(*goal)
			}
		} else if inner == nil {
			inner = visit(next)
		}
		for _, part := range slices.Backward(inner) {
			todo = append(todo, part)
		}
	}
}
