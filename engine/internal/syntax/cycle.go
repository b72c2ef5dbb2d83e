package syntax

import (
	"maps"
	"strconv"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how cyclic terms are written.

// cycleHead is a compound that is part of itself.
type cycleHead struct {
	t    *term.Compound
	name string // S_1 ...
	open bool   // it is being written
}

// mostTree is the number of steps up to which a term is walked without noting which compounds have been met: a list of
// 4 million elements. A note takes some ten times as long as a step.
const mostTree = 1 << 23

// isTree reports whether a walk over a term ends, after at most mostTree steps: then it has no cycles. A walk
// that does not end follows one path for ever, on which Brent's algorithm finds the cycle: a compound on the path is
// remembered at each power of two, and those that are entered below it are compared with it.
func isTree(t term.Term, meter bignum.Meter) bool {
	type visit struct {
		c           *term.Compound
		next, depth int // argument; compounds above
	}
	var path []visit
	var mark *term.Compound
	markDepth := 0
	for n := 0; n < mostTree; n++ {
		pollAt(n, meter)
		c, ok := t.(*term.Compound)
		if ok && c == mark {
			return false
		}
		depth := 0
		if k := len(path); k > 0 {
			depth = path[k-1].depth + 1
			if path[k-1].next == len(path[k-1].c.Args) { // nothing is left there: it need not be kept
				path = path[:k-1]
			}
		}
		if ok && len(c.Args) > 0 {
			if mark == nil || depth >= 2*markDepth {
				mark, markDepth = c, depth
			}
			path = arrays.Append(path, visit{c: c, depth: depth})
		}
		if len(path) == 0 {
			return true
		}
		v := &path[len(path)-1]
		if v.depth < markDepth { // the walk has left it
			mark, markDepth = v.c, v.depth
		}
		t = v.c.Args[v.next]
		v.next++
	}
	return false
}

// cycleHeads returns the compounds at which the cycles of t close, named in the order in which
// they are found from left to right.
func cycleHeads(t term.Term, meter bignum.Meter) map[*term.Compound]*cycleHead {
	if isTree(t, meter) {
		return nil
	}
	type visit struct {
		c    *term.Compound
		next int // argument
	}
	const onPath, done = 1, 2
	state := map[*term.Compound]int{}
	heads := map[*term.Compound]*cycleHead{}
	var path []visit
	enter := func(t term.Term) {
		c, ok := t.(*term.Compound)
		switch {
		case !ok || state[c] == done:
		case state[c] == onPath:
			if heads[c] == nil {
				heads[c] = &cycleHead{t: c, name: "S_" + strconv.Itoa(len(heads)+1)}
			}
		default:
			state[c] = onPath
			path = arrays.Append(path, visit{c: c})
		}
	}
	enter(t)
	for n := 0; len(path) > 0; n++ {
		pollAt(n, meter)
		v := &path[len(path)-1]
		if v.next == len(v.c.Args) {
			state[v.c] = done
			path = path[:len(path)-1]
			continue
		}
		v.next++
		enter(v.c.Args[v.next-1])
	}
	return heads
}

// startCyclic leaves as a task what is written for a cyclic term: with Cycles the term
// @(T, [S_1=f(S_1)]), in which each name stands for the compound it is equal to.
func (w *writer) startCyclic(top task) {
	if !w.o.Cycles {
		w.push(top)
		return
	}
	names := make([]*cycleHead, len(w.heads))
	for _, h := range w.heads {
		i, _ := strconv.Atoi(h.name[2:])
		names[i-1] = h
	}
	vars := maps.Clone(w.o.VarNames)
	if vars == nil {
		vars = map[*term.Var]string{}
	}
	var equations []term.Term
	for _, h := range names {
		v := term.NewVar(h.name)
		vars[v] = h.name
		body := &term.Compound{Functor: h.t.Functor, Args: h.t.Args} // not the head itself: this one is written out
		equations = append(equations, term.New("=", v, body))
	}
	w.o.VarNames = vars
	top.t = term.New("@", top.t, term.List(equations...))
	w.push(top)
}

// cycle deals with a compound of a cyclic term; it reports whether nothing more is to be written.
func (w *writer) cycle(c *term.Compound) bool {
	h := w.heads[c]
	switch {
	case h == nil:
		return false
	case w.o.Cycles:
		w.token(h.name)
		return true
	case h.open:
		w.token("...")
		return true
	}
	h.open = true
	w.push(task{kind: doLeave, t: c})
	return false
}
