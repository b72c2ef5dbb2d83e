package compile

import (
	"cmp"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines where permanent variables stand in the environment.
//
// Slots are assigned in the order in which variables get their values. Among variables that get values between two
// calls, the longest-lived comes first. So the slots in use at a call are all set, except in rare cases, for which
// emission initialises them. Most dead slots are at the end, which the collector ignores. Alternative branches use the
// same slots.

// placer assigns slots. next is the first free slot, max the largest number in use.
type placer struct {
	e     *emitter
	next  int
	max   int
	nodes []*goal // branches, for fill
}

// placeSlots gives each permanent variable a slot.
func (e *emitter) placeSlots() {
	p := placer{e: e}
	group := []int{}
	if e.level >= 0 {
		group = append(group, e.level)
	}
	for _, t := range e.head {
		e.eachVar(t, func(n int) { group = append(group, n) })
	}
	p.sequence(e.body, group, 0, e.lastPos)
	e.nslots = p.max
	e.owners = make([][]int, p.max)
	for n := range e.vars {
		if s := e.vars[n].slot; s >= 0 {
			e.owners[s] = append(e.owners[s], n)
		}
	}
	for _, g := range p.nodes {
		g.fill = slices.ContainsFunc(e.vars, func(v variable) bool {
			return v.slot >= g.top && v.first() > g.end
		})
	}
}

// sequence places the variables that occur first in a sequence. group holds earlier variables since the last call.
func (p *placer) sequence(list []*goal, group []int, lo, hi int) {
	for _, g := range list {
		for _, t := range g.args {
			p.e.eachVar(t, func(n int) { group = append(group, n) })
		}
		switch g.kind {
		case goalCall, goalBuiltin:
			group = p.flush(group, lo, hi)
		case goalBranch, goalNot, goalLocal:
			group = p.flush(group, lo, hi)
			p.node(g, lo, hi)
		}
	}
	p.flush(group, lo, hi)
}

// flush gives slots to the permanent variables of a group, the longest-lived first. It returns the emptied group.
func (p *placer) flush(group []int, lo, hi int) []int {
	vars := p.e.vars
	group = slices.DeleteFunc(group, func(n int) bool { return !vars[n].perm || vars[n].slot >= 0 })
	slices.SortStableFunc(group, func(a, b int) int { return cmp.Compare(vars[b].last(), vars[a].last()) })
	for _, n := range group {
		v := &vars[n]
		if v.slot >= 0 {
			continue
		}
		v.slot, v.scopeLo, v.end = p.next, lo, hi
		p.next++
	}
	p.max = max(p.max, p.next)
	return group[:0]
}

// node places the variables of branches. Variables in use after the node or in several branches come first. The
// alternatives share the slots after these, as only one alternative runs.
func (p *placer) node(g *goal, lo, hi int) {
	outer, shared := []int{}, []int{}
	if g.mark >= 0 {
		shared = append(shared, g.mark)
	}
	p.e.eachIn(g, func(n int) {
		switch v := &p.e.vars[n]; {
		case !v.perm || v.slot >= 0:
		case v.last() > g.end:
			outer = append(outer, n)
		case !g.within(v):
			shared = append(shared, n)
		}
	})
	p.flush(outer, lo, hi)
	g.low = p.next
	p.flush(shared, g.pos, g.end)
	g.base, g.top = p.next, p.next
	for _, b := range g.branches {
		p.next = g.base
		if b.barrier != nil {
			p.flush([]int{b.barrier.v}, b.start, b.end)
		}
		p.sequence(slices.Concat(b.cond, b.body), nil, b.start, b.end)
		g.top = max(g.top, p.next)
	}
	p.next = g.top
	if g.kind == goalBranch {
		p.nodes = append(p.nodes, g)
	}
}

// within reports whether all occurrences of v are in one branch of g.
func (g *goal) within(v *variable) bool {
	for _, b := range g.branches {
		if v.first() >= b.start && v.last() <= b.end {
			return true
		}
	}
	return false
}

// eachIn calls f for the variables in the branches of g.
func (e *emitter) eachIn(g *goal, f func(n int)) {
	for _, b := range g.branches {
		for _, list := range [][]*goal{b.cond, b.body} {
			for _, h := range list {
				for _, t := range h.args {
					e.eachVar(t, f)
				}
				e.eachIn(h, f)
			}
		}
	}
}

// This part finds the places of a clause's variables at an instruction. The code does not record them, so the clause is
// compiled again and the register state at that instruction is kept.

// watch is the watched instruction, and the result.
type watch struct {
	end        int  // the number of words before the next instruction
	comparison cell // the functor of the arithmetic comparison being compiled, or 0
	found      *database.Places
}

// Places returns where the values of a clause's variables are when its instruction before an address is executed. It
// returns nil for a clause without code, or whose code was not made from its text.
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

// isCodeOf reports whether the program has the code of the emitter for a clause, except for addresses.
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

// note records the places of variables that have a value when the last instruction is executed. Variables set by a call
// have a value when it returns. A call keeps only the first slots.
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
		regs = 0 // the built-in may overwrite it, except its arguments
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

// noteParts records which variables from before a position are parts of an argument of a built-in, and the paths to
// them.
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
