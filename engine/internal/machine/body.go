package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the conversion of a term to a body (ISO 13211-1, 7.6.2): what stands in goal position must be
// callable, and a variable there stands for a call of what it will be.

// manyGoals is the number of goals after which Body remembers the ones it has seen. Such a body may be cyclic or share
// parts.
const manyGoals = 1 << 16

// Body converts a term to a body. A variable in goal position becomes call(V): a cut in what it is bound to
// later is local. A goal f() becomes f, as in SWI-Prolog.
func (m *Machine) Body(body cell) (cell, error) {
	stack := []cell{body}
	odd := false // there are f() goals
	var seen map[cell]bool
	for steps := 0; len(stack) > 0; steps++ {
		c, _ := m.StripModule(stack[len(stack)-1])
		stack = stack[:len(stack)-1]
		switch {
		case stacks.IsVar(c):
			odd = true
		case !stacks.IsCallable(c), IsDict(m, c):
			return 0, m.TypeError("callable", body)
		case m.isEmptyGoal(c):
			odd = true
		case m.isJunction(c) && !seen[c]:
			stack = append(stack, m.Arg(c, 1), m.Arg(c, 0))
			if seen != nil {
				seen[c] = true
			}
		case c.Tag() == code.Str && m.Heap[c.Addr()] == code.FNot:
			if arg := m.Deref(m.Arg(c, 0)); !stacks.IsVar(arg) { // a variable in either position is called as call(V)
				stack = append(stack, arg)
			}
		}
		if steps == manyGoals {
			if !m.IsAcyclic(body) {
				return 0, m.TypeError("callable", m.NewAtom("<cyclic body>"))
			}
			seen = map[cell]bool{}
		}
		m.NoteWork(1)
		m.PollAt(steps, 1+len(seen))
	}
	if odd {
		body = m.callVars(body)
	}
	return body, nil
}

// isJunction reports whether a dereferenced cell is a control construct of two goals.
func (m *Machine) isJunction(c cell) bool {
	return c.Tag() == code.Str && code.Junction(m.Heap[c.Addr()])
}

// isEmptyGoal reports whether a dereferenced cell is f(). !() is no cut and stays as it is.
func (m *Machine) isEmptyGoal(c cell) bool {
	f := code.Cell(0)
	if c.Tag() == code.Str {
		f = m.Heap[c.Addr()]
	}
	return f != 0 && f.FunctorArity() == 0 && f != code.FCut
}

// constructOf returns which argument of a control construct is its first goal. A variable that is negated or
// module-qualified is called as call(V).
func (m *Machine) constructOf(c cell) (first int, ok bool) {
	switch {
	case m.isJunction(c):
		return 0, true
	case c.Tag() != code.Str:
		return 0, false
	}
	switch f := m.Heap[c.Addr()]; f {
	case code.FNot, code.FColon:
		first = f.FunctorArity() - 1
		return first, !stacks.IsVar(m.Deref(m.Arg(c, first)))
	}
	return 0, false
}

// callVars copies the control constructs of a body, with call(V) for each variable V and f for f(). After many goals,
// shared parts stay shared.
func (m *Machine) callVars(body cell) cell {
	root := m.NewCompound(code.FCall, []cell{body})
	todo := []int{m.ArgAddr(root, 0)}
	copies := map[cell]cell{}
	for steps := 0; len(todo) > 0; steps++ {
		m.PollAt(steps, 1+len(copies))
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		c := m.Deref(m.Heap[at])
		if stacks.IsVar(c) {
			call := m.NewCompound(code.FCall, []cell{c})
			m.Heap[at] = call
		} else if to, ok := copies[c]; ok {
			m.Heap[at] = to
		} else if m.isEmptyGoal(c) {
			m.Heap[at] = code.MakeAtom(m.Heap[c.Addr()].FunctorAtom())
		} else if first, ok := m.constructOf(c); ok {
			f := m.Heap[c.Addr()]
			args := make([]cell, f.FunctorArity())
			for i := range args {
				args[i] = m.Arg(c, i)
			}
			to := m.NewCompound(f, args)
			m.Heap[at] = to
			for i := len(args) - 1; i >= first; i-- {
				todo = append(todo, m.ArgAddr(to, i))
			}
			if steps > manyGoals {
				copies[c] = to
			}
		}
	}
	return m.Heap[m.ArgAddr(root, 0)]
}
