package compile

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines where the values of a clause's variables are at some instruction. Code does not say: the clause is
// compiled once more, and the account of the registers is kept at that instruction.

// watch is the instruction that is asked about, and what was found.
type watch struct {
	end        int  // the number of words before the next instruction
	comparison cell // the functor of the arithmetic comparison that is being compiled, or 0
	found      *database.Places
}

// Places returns where the values of a clause's variables are when its instruction before an address is executed. It is
// nil for code that is not that of the clause's text, and for a clause without code.
func (c *Compiler) Places(cl *database.Clause, before uint32) *database.Places {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := &c.emitter
	defer func() { *e = emitter{} }()
	if cl.CodeSize() == 0 || before <= cl.Start() {
		return nil
	}
	for _, guards := range []bool{true, false} {
		w := &watch{end: int(before - cl.Start())}
		*e = emitter{compiler: c, source: cl, guards: guards, watch: w}
		if e.compile() == nil && e.isCodeOf(cl) {
			return w.found
		}
	}
	return nil
}

// isCodeOf reports whether the program has the code of the emitter for a clause, but for addresses.
func (e *emitter) isCodeOf(cl *database.Clause) bool {
	words := e.compiler.program.Code()
	start := int(cl.Start())
	if cl.CodeSize() != len(e.code) || start+len(e.code) > len(words) {
		return false
	}
	for i, w := range e.code {
		if w.WithImm(0) != words[start+i].WithImm(0) {
			return false
		}
	}
	return true
}

// note notes where variables are that have a value when the last instruction is executed. Those that a call sets have
// theirs when it returns; a call keeps the first slots only.
func (e *emitter) note() {
	found := &database.Places{Slots: map[int]int{}, Parts: map[int][]int{}, HasEnvironment: e.st.env,
		Comparison: e.watch.comparison}
	e.watch.found = found
	op := e.code[len(e.code)-1]
	live, pos, regs := e.nslots, e.pos, numRegs
	switch op.Op() {
	case code.OpCall:
		live, pos, regs = op.BC(), e.pos+1, 0
	case code.OpBuiltin:
		regs = 0 // it may use them for what it likes, but for its arguments
		if e.st.env {
			live = op.BC() - 1
		}
		for i, t := range e.calling {
			e.noteParts(t, []int{i}, pos)
		}
	}
	for n := range min(e.source.NVars, len(e.vars)) {
		v := &e.vars[n]
		if len(v.occurs) == 0 || v.first() >= pos {
			continue
		}
		if e.st.y[n] && v.slot < live {
			found.Slots[n] = v.slot
		} else if r := e.st.x[n]; r >= 0 && int(r) < regs {
			found.Parts[n] = []int{int(r)}
		}
	}
}

// noteParts notes which variables of before a position are parts of an argument of a built-in, and how to get there.
func (e *emitter) noteParts(t cell, path []int, pos int) {
	const deepest = 4
	switch {
	case isVar(t):
		if n := t.Addr(); n < e.source.NVars && len(e.vars[n].occurs) > 0 && e.vars[n].first() < pos {
			e.watch.found.Parts[n] = slices.Clone(path)
		}
	case len(path) > deepest:
	case isCompound(t):
		for i, arg := range e.args(t) {
			e.noteParts(arg, append(path, i), pos)
		}
	}
}
