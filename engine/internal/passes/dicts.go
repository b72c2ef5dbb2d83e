package passes

import (
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// This file defines the expansion of functions on dicts in the texts of programs. X = Dict.key becomes a call of ./3
// before the goal that contains it.

const (
	// evaluate is the name of the predicate that evaluates a function: evaluate(Dict, Function, Value).
	evaluate = term.Atom(".")
	// mostNested is the depth to which terms are searched for functions. Functions that are deeper stay as they are.
	mostNested = 1 << 16
)

// dictCalls replaces the functions on dicts in the parts of one clause.
type dictCalls struct {
	module *database.Module
	goals  []term.Term  // the goals that evaluate the replaced functions, in order
	made   *[]term.Term // the values of functions behind a quantifier, or nil
	nested int
}

// DictClause replaces the functions in a clause of a module. Those of the head are evaluated first. Head := Value
// defines a function: Dict.f(X) := Value :- Body is f(X, Dict, V) :- Body, V = Value.
func DictClause(module *database.Module, head, body term.Term) (term.Term, term.Term) {
	e := &dictCalls{module: module}
	if args, ok := term.Is(head, ":=", 2); ok {
		if call, ok := term.Is(args[0], term.DictCall, 2); ok {
			return e.method(call[0], call[1], args[1], body)
		}
	}
	head = e.value(head)
	before := e.take()
	return head, conjoin(before, e.body(body))
}

// DictGoal replaces the functions on dicts in a goal that was read in a module.
func DictGoal(read *syntax.Read, module *database.Module, goal term.Term) term.Term {
	if !read.DictCalls {
		return goal
	}
	return (&dictCalls{module: module}).body(goal)
}

// method returns the clause of a function on a dict.
func (e *dictCalls) method(dict, function, value, body term.Term) (head, whole term.Term) {
	name, args := term.Term(nil), []term.Term(nil)
	switch f := function.(type) {
	case *term.Compound:
		name, args = f.Functor, f.Args
	default:
		name = f
	}
	functor, ok := name.(term.Atom)
	if !ok {
		return term.New(":=", term.New(term.DictCall, dict, function), value), body
	}
	params := make([]term.Term, 0, len(args)+2)
	for _, a := range args {
		params = append(params, e.value(a))
	}
	before := e.take()
	found := e.value(value)
	after := e.take()
	head = term.New(functor, append(params, dict, found)...)
	whole = conjoin(before, e.body(body))
	if len(after) > 0 {
		whole = conjoin([]term.Term{whole}, conjoin(after[:len(after)-1], after[len(after)-1]))
	}
	return head, whole
}

// take returns the goals so far and begins anew.
func (e *dictCalls) take() []term.Term {
	goals := e.goals
	e.goals = nil
	return goals
}

// conjoin returns the conjunction of goals and a last one.
func conjoin(goals []term.Term, last term.Term) term.Term {
	if last != term.Term(term.True) {
		goals = append(goals, last)
	}
	return term.Conjunction(goals...)
}

// body replaces the functions in the goals of a body.
func (e *dictCalls) body(t term.Term) term.Term {
	c, ok := t.(*term.Compound)
	if !ok || e.nested >= mostNested {
		return t
	}
	e.nested++
	defer func() { e.nested-- }()
	if goals, ok := shapes.Control(t); ok {
		return rebuilt(c, goals, e.body)
	}
	meta := e.module.MetaOf(string(c.Functor), len(c.Args))
	i := -1
	goal := rebuilt(c, c.Args, func(a term.Term) term.Term {
		if i++; i < len(meta) && strings.IndexByte("0^", meta[i]) >= 0 {
			return e.quantified(a)
		}
		if lambda, ok := term.Is(a, ">>", 2); ok && i < len(meta) && meta[i] >= '1' && meta[i] <= '9' {
			return rebuilt(a.(*term.Compound), lambda, func(part term.Term) term.Term {
				if part == lambda[1] {
					return e.inner(part)
				}
				return part
			})
		}
		return e.value(a)
	})
	return conjoin(e.take(), goal)
}

// quantified is inner for a goal with Variable^ before it. It quantifies the variables for the values of functions
// too, so that they are not free.
func (e *dictCalls) quantified(t term.Term) term.Term {
	args, ok := term.Is(t, "^", 2)
	if !ok {
		return e.inner(t)
	}
	outer, made := e.made, []term.Term(nil)
	e.made = &made
	inner := e.quantified(args[1])
	e.made = outer
	if inner == args[1] {
		return t
	}
	for _, v := range made {
		inner = term.New("^", v, inner)
	}
	return term.New("^", args[0], inner)
}

// inner replaces the functions in a goal that is an argument. They are evaluated when the goal is called.
func (e *dictCalls) inner(t term.Term) term.Term {
	outer := e.take()
	t = e.body(t)
	e.goals = outer
	return t
}

// value replaces the functions in a term that is not a goal.
func (e *dictCalls) value(t term.Term) term.Term {
	c, ok := t.(*term.Compound)
	if !ok || e.nested >= mostNested {
		return t
	}
	e.nested++
	defer func() { e.nested-- }()
	if c.Functor != term.DictCall || len(c.Args) != 2 {
		return rebuilt(c, c.Args, e.value)
	}
	dict, function := e.value(c.Args[0]), c.Args[1]
	if f, ok := function.(*term.Compound); ok {
		function = rebuilt(f, f.Args, e.value)
	}
	v := term.NewVar("_")
	e.goals = append(e.goals, term.New(evaluate, dict, function, v))
	if e.made != nil {
		*e.made = append(*e.made, v)
	}
	return v
}

// rebuilt returns a compound whose arguments are changed by change. If all arguments stay the same, it returns the
// compound itself.
func rebuilt(c *term.Compound, parts []term.Term, change func(term.Term) term.Term) term.Term {
	args, same := make([]term.Term, len(parts)), true
	for i, a := range parts {
		args[i] = change(a)
		same = same && args[i] == a
	}
	if same {
		return c
	}
	return term.New(c.Functor, args...)
}
