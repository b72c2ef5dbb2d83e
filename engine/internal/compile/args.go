package compile

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"slices"
)

// This file defines how the arguments of a call get into their registers. It is a parallel assignment: an argument is
// loaded once no other argument still needs the value in its register. A cycle is broken by moving one value to another
// register.

// loader is the state of one such assignment. For each register it counts the pending arguments that need it, so one
// comparison decides whether an argument may be loaded.
type loader struct {
	e    *emitter
	args []cell
	done []bool
	left int
	uses [numRegs]int // pending arguments that need the register
	own  [][]int      // registers that an argument needs
}

// loadArgs loads the arguments of a call. Afterwards the registers hold nothing else. If no argument can be loaded, as
// in a cycle, a value is first moved away.
func (e *emitter) loadArgs(args []cell) {
	l := loader{e: e, args: args, done: make([]bool, len(args)), left: len(args), own: make([][]int, len(args))}
	for i := range args {
		l.count(i)
	}
	for l.left > 0 && !e.overflow {
		if !l.loadReady() {
			l.makeWay()
		}
	}
}

// count notes the registers that argument i needs.
func (l *loader) count(i int) {
	l.own[i] = l.own[i][:0]
	l.e.eachVar(l.args[i], func(v int) {
		if r := l.e.st.x[v]; r >= 0 && l.e.isSet(v) && !l.needs(i, int(r)) {
			l.own[i] = append(l.own[i], int(r))
			l.uses[r]++
		}
	})
}

// needs reports whether argument i is made from the current value of register r. It must be loaded before r is
// overwritten, or r must move first.
func (l *loader) needs(i, r int) bool { return slices.Contains(l.own[i], r) }

// recount updates the counts after values have moved.
func (l *loader) recount() {
	clear(l.uses[:])
	for i := range l.args {
		if !l.done[i] {
			l.count(i)
		}
	}
}

// The order in which loadable arguments are loaded: moves free registers, new variables get their places, constants can
// wait.
const (
	orderSet = iota
	orderNew
	orderCompound
	orderConstant
	orders
)

// order returns the round in which an argument is loaded. Values in registers go first, as that frees registers;
// constants go last, as they need none.
func (l *loader) order(i int) int {
	t := l.args[i]
	switch {
	case isVar(t) && l.e.isSet(t.Addr()):
		return orderSet
	case isVar(t):
		return orderNew
	case isCompound(t):
		return orderCompound
	}
	return orderConstant
}

// loadReady loads arguments of the first round in which some can be loaded.
func (l *loader) loadReady() bool {
	for order := range orders {
		some := false
		for i := range l.args {
			if !l.done[i] && l.order(i) == order && l.ready(i) {
				l.load(i)
				some = true
			}
		}
		// The loads have freed registers, so the earlier rounds are tried again before the next one.
		if some {
			return true
		}
	}
	return false
}

// ready reports whether argument i can be loaded. No other pending argument may need its register. It may
// need that register itself if one instruction both reads and writes it.
func (l *loader) ready(i int) bool {
	if !l.needs(i, i) {
		return l.uses[i] == 0
	}
	if isVar(l.args[i]) {
		return true // already in place, or about to be copied
	}
	return l.uses[i] == 1 && l.isPlainList(i)
}

// isPlainList reports whether argument i is a list cell of two values in registers, which one instruction builds.
func (l *loader) isPlainList(i int) bool {
	t := l.args[i]
	if t.Tag() != code.Lst {
		return false
	}
	for _, a := range l.e.args(t) {
		if !isVar(a) || !l.e.isSet(a.Addr()) || l.e.st.x[a.Addr()] < 0 {
			return false
		}
	}
	return true
}

// load loads argument i.
func (l *loader) load(i int) {
	e, t := l.e, l.args[i]
	switch {
	case isVar(t):
		l.loadVar(t.Addr(), i)
	case l.needs(i, i):
		args := e.args(t)
		a, b := int(e.st.x[args[0].Addr()]), int(e.st.x[args[1].Addr()])
		e.op(code.OpPutListXX, i, a, b, 0)
		e.asked(2)
		e.clearReg(i)
		e.st.regs[i] = regBusy
	default:
		e.clearReg(i)
		e.st.regs[i] = regBusy
		e.load(t, i)
	}
	l.done[i] = true
	// alloc must not use the register of an argument in place for the parts of a later argument.
	e.placed[i] = true
	l.left--
	l.recount()
	if l.left == 0 {
		clear(e.placed[:])
	}
}

// loadVar loads variable v into argument register i.
func (l *loader) loadVar(v, i int) {
	e := l.e
	r := int(e.st.x[v])
	switch {
	case e.isVoid(v):
		e.need()
		e.op(code.OpPutVarX, i, i, 0, 0)
	case !e.isSet(v):
		e.clearReg(i)
		e.putNew(v, i)
		return
	case r == i:
		return
	case r >= 0:
		e.op(code.OpMove, r, i, 0, 0)
		// The argument register becomes the variable's register, unless its old register is that of an argument in
		// place. Then the old one remains and this is an unnamed copy.
		if !e.placed[r] {
			e.hold(v, i)
			return
		}
	case e.st.y[v]:
		e.op(code.OpPutY, i, 0, 0, e.vars[v].slot)
	default:
		e.overflow = true
	}
	e.clearReg(i)
	e.st.regs[i] = regBusy
}

// makeWay frees the register of a pending argument that another one needs. A value that is also in its slot is dropped.
// Any other value moves to a free register.
func (l *loader) makeWay() {
	e := l.e
	for i := range l.args {
		if l.done[i] {
			continue
		}
		v := e.st.regs[i]
		if v < 0 {
			continue
		}
		if e.isCopy(v) {
			e.clearReg(i)
		} else {
			q := e.alloc()
			e.op(code.OpMove, i, q, 0, 0)
			e.hold(int(v), q)
		}
		l.recount()
		return
	}
	e.overflow = true
}
