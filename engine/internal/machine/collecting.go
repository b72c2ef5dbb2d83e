package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines how an answer of a built-in goes to a bag without a way through the code, if the code does nothing
// else with it. It also defines the bags that keep one solution: a sum, or the best one.

// collector is the code behind an answer that gives it to a bag and fails.
type collector struct {
	builtin *Builtin
	number  int
	slots   [4]int // by register
}

// collectorAt returns what collects the answer of the built-in at work. ok is false if the code does anything else.
func collectorAt(m *Machine) (c collector, ok bool) {
	slots, n := code.Loads(m.Code[m.P:])
	w, rest := m.Code[m.P+n], m.Code[m.P+n+1:]
	if w.Op() != code.OpBuiltin || !m.builtins[w.Imm()].collects {
		return c, false
	}
	return collector{&m.builtins[w.Imm()], w.Imm(), slots}, rest[0].Op() == code.OpWake && rest[1].Op() == code.OpFail
}

// give gives the answer of the built-in at work to the bag that the code behind it would give it to. It counts the
// calls of that code. gone is true if the bag has not taken the answer.
func (c *collector) give(m *Machine) (gone bool, err error) {
	for i := range c.builtin.Arity {
		m.X[i] = m.Envs[m.E+stacks.EnvY+c.slots[i]]
	}
	m.inBuiltin = c.number + 1
	_, err = c.builtin.Func(m, m.X[:c.builtin.Arity])
	m.inBuiltin = 0
	m.calls.Redos++
	if err != nil {
		return true, m.raise(err, code.Functor(c.builtin.Name, c.builtin.Arity))
	}
	return false, m.Charge(1)
}

// countAll counts n solutions if the code behind the built-in at work does nothing but count them.
func countAll(m *Machine, n int) bool {
	c, ok := collectorAt(m)
	if !ok || c.builtin.Arity != 1 {
		return false
	}
	b, err := m.bagArg(m.Envs[m.E+stacks.EnvY+c.slots[0]])
	if err == nil && n > 0 {
		b.count += n
		m.noteSolution(b)
	}
	return err == nil
}

// folding returns a predicate that keeps one number in a bag: the sum of the numbers that it gets if order is 0, else
// the best one, with its witness if it gets one. order is that of a better number to the one that is kept.
func folding(name string, order int) Func {
	return taking((*Machine).bagArg, func(m *Machine, b *bag, a []cell) (bool, error) {
		m.noteSolution(b)
		x, err := m.arith.Eval(m, a[1])
		if old := b.number; b.count > 0 && err == nil {
			if old.Tag() != code.Int {
				if old = m.Deref(m.Arg(m.bagList(b, code.ANil), 0)); stacks.IsCompound(old) {
					old = m.Deref(m.Arg(old, 0))
				}
			}
			fn, d := m.inlineFn[code.OpAdd], 0
			if order != 0 {
				fn, _ = m.arith.Function(name, 2)
				d, err = m.arith.Compare(m, x, old)
			}
			switch {
			case err != nil || d == order && d != 0:
			case len(a) == 3 || d == -order && d != 0:
				return true, nil
			default:
				x, err = m.arith.Apply2(m, fn, old, x)
			}
		}
		if err != nil {
			return false, InContext(err, fnIs)
		}
		if b.number = x; len(a) == 3 {
			x = m.NewStruct("-", x, a[2])
		}
		if k := len(b.chunks); k > 0 {
			b.chunks[k-1] = b.chunks[k-1][:0]
		}
		b.cells, b.count = 0, 0
		return true, b.add(m, x)
	})
}
