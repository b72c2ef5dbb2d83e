package machine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/effort"
	"github.com/mcplogic/mcplogic/engine/internal/gc"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how exceptions find their handler and how they get their context.

// raise unwinds to the innermost active catch/3 whose catcher unifies with the ball and goes
// on with its recovery goal. pred is the functor of the built-in that threw, or 0. It returns
// err when it is not a Prolog exception or nobody catches it.
func (m *Machine) raise(err error, pred cell) error {
	ex, ok := err.(*Exception)
	if !ok {
		if ex = wrapped(err); ex == nil {
			return err
		}
	}
	if len(ex.trace) == 0 {
		ex.trace, ex.builtin = m.returnAddresses(ex.trace)
		if m.RanOut {
			ex.effort, m.RanOut = EffortOf(m), false
			if pred != 0 {
				ex.effort.Within = fmt.Sprintf("%s/%d", code.AtomText(pred.FunctorAtom()), pred.FunctorArity())
			}
			m.calls.Told = ex.effort
		}
	}
	if pred != 0 && ex.pred == 0 {
		ex.pred = pred
		m.blameCaller(ex)
	}
	m.Shallow = false
	unwound := false
	env := m.E
	for b := m.B; b != stacks.ChoiceBase && !ex.final; b = int(m.Choices[b+stacks.ChoicePrev]) {
		if m.Choices[b+stacks.ChoiceAlt] != addrCatch || ex.above != 0 && b > ex.above {
			continue
		}
		frame := int(m.Choices[b+stacks.ChoiceE])
		for env > frame {
			env = int(m.Envs[env+stacks.EnvE])
		}
		if env != frame {
			continue // the goal of this catch frame has exited
		}
		if m.valued && ex.values == nil && !m.mayCatch(b, ex) {
			m.noteValues(ex) // recover undoes what the clauses have done
		}
		unwound = true
		if m.recover(ex, b) {
			if ok {
				m.keepCaught(ex)
			}
			return nil
		}
		env = frame // recover has restored the state of this catch frame
	}
	if m.valued && ex.values == nil && !unwound {
		m.noteValues(ex)
	}
	return m.leave(err, ex)
}

// leave ends the run with an uncaught error after its cleanup goals have run. If no catch/3 may catch the exception,
// they do not run. Exceptions of the cleanup goals are dropped.
func (m *Machine) leave(err error, ex *Exception) error {
	m.collectCleanups(stacks.ChoiceBase, ex)
	if m.leaving != nil {
		err, m.leaving = m.leaving, nil
		return err
	}
	if len(m.Cleanups) == 0 || ex.final {
		return err
	}
	m.leaving = err
	m.setChoice(stacks.ChoiceBase)
	m.undo()
	m.Objs = m.Objs[:m.Choices[stacks.ChoiceBase+stacks.ChoiceObjs]]
	m.E, m.CP = int(m.Choices[stacks.ChoiceBase+stacks.ChoiceE]), addrExit
	m.Etop = int(m.Choices[stacks.ChoiceBase+stacks.ChoiceEtop])
	m.leaveTimeLimits(stacks.ChoiceBase)
	m.P, m.Live = addrNoMore, 0
	m.startWake()
	return nil
}

// wrapped returns the exception within an error, or nil.
func wrapped(err error) *Exception {
	var ex *Exception
	errors.As(err, &ex)
	return ex
}

// recover unwinds to the catch frame b and starts its recovery goal if the catcher unifies
// with the ball. Otherwise the choice point of the frame is left on top.
func (m *Machine) recover(ex *Exception, b int) bool {
	doubted := m.inDoubt(b) || m.Choices[b+stacks.ChoiceArity]&stacks.ChoiceUnsure != 0 && !m.tables.missing
	left := m.unansweredSince(0, int(m.Choices[b+stacks.ChoiceH]))
	m.collectCleanups(b, ex)
	m.setChoice(b)
	m.undo()
	m.Objs = m.Objs[:m.Choices[b+stacks.ChoiceObjs]]
	m.E, m.CP = int(m.Choices[b+stacks.ChoiceE]), int(m.Choices[b+stacks.ChoiceCP])
	m.Etop = int(m.Choices[b+stacks.ChoiceEtop])
	m.restoreArgs()
	ball := m.Thaw(ex.ball)
	m.fillContext(ball, ex)
	named := m.names(m.X[1])
	if ok, wakes := m.UnifyOrUndo(m.X[1], ball); wakes {
		m.Unify(m.X[1], ball)
	} else if !ok {
		return false
	}
	m.leaveTimeLimits(b)
	m.setChoice(int(m.Choices[b+stacks.ChoicePrev]))
	if named {
		m.restOnUnanswered(left)
	}
	m.popFrame()
	if doubted {
		RestOnUndefined(m)
	}
	m.X[0] = m.X[2]
	m.Live = 1
	m.P = int(m.program.System().Lookup(code.FCall).Entry)
	m.B0 = m.B
	if len(m.Cleanups) > 0 {
		m.startWake()
	}
	return true
}

// blameCaller makes the context of an exception name the user's predicate: the program's predicate for an exception of
// the table space, the predicate on dicts for one of the internals of dicts.
func (m *Machine) blameCaller(ex *Exception) {
	name := code.AtomText(ex.pred.FunctorAtom())
	dicts := strings.HasPrefix(name, "$dict")
	if !dicts && !strings.HasPrefix(name, "$tbl_") {
		return
	}
	for _, at := range ex.trace {
		c := m.program.ClauseAt(at - 1)
		if c == nil {
			continue
		}
		inside := strings.HasPrefix(code.AtomText(c.Pred.Functor.FunctorAtom()), "$")
		if dicts && !inside || !c.Pred.Module.Library {
			ex.pred, ex.module = c.Pred.Shown(), c.Pred.Module
			return
		}
	}
}

// fillContext binds the unbound context of a thawed error term to the predicate that threw it.
func (m *Machine) fillContext(ball cell, ex *Exception) {
	ball = m.Deref(ball)
	if ex.pred == 0 || ball.Tag() != code.Str || m.Heap[ball.Addr()] != code.FError {
		return
	}
	ctx := m.Deref(m.Arg(ball, 1))
	pi := m.NewCompound(code.FColon, []cell{m.NewAtom(ex.home()), m.Indicator(ex.pred)})
	switch {
	case stacks.IsVar(ctx):
		m.Unify(ctx, m.NewCompound(fnContext, []cell{pi, m.NewVar()}))
	case ctx.Tag() == code.Str && m.Heap[ctx.Addr()] == fnContext:
		if first := m.Deref(m.Arg(ctx, 0)); stacks.IsVar(first) {
			m.Unify(first, pi)
		}
	}
}

var fnContext = code.Functor("context", 2)

// Effort returns the work of the run up to the exception of a limit, nil for other exceptions.
func (e *Exception) Effort() *effort.Effort { return e.effort }

// maxTrace is the number of calls that a backtrace shows.
const maxTrace = 32

// returnAddresses lists the return addresses of the active calls, innermost first, in a buffer.
func (m *Machine) returnAddresses(buf []uint32) (trace []uint32, builtin bool) {
	trace = slices.Grow(buf[:0], 8)
	if op := m.Code[m.P-1].Op(); op == code.OpBuiltin || op >= code.OpLess && op <= code.OpOrder {
		trace, builtin = append(trace, uint32(m.P)), true // else m.p is the address of the call
	}
	trace = append(trace, uint32(m.CP))
	for e := m.E; e != 0 && len(trace) < maxTrace; e = int(m.Envs[e+stacks.EnvE]) {
		trace = append(trace, uint32(m.Envs[e+stacks.EnvCP]))
	}
	return trace, builtin
}

// Frame is one line of a backtrace: a clause and the source line within it. It has no column.
type Frame struct {
	Clause *database.Clause
	syntax.Position
	// Values has the values of the clause's variables by their numbers, nil if none is known.
	Values map[int]term.Term
}

// Backtrace returns the clauses that were active when the exception was thrown, innermost first. Calls that last-call
// optimisation has replaced are missing. Clauses of libraries are left out. A frame equal to the one before it is left
// out too.
func (m *Machine) Backtrace(ex *Exception) []Frame {
	var frames []Frame
	var first *database.Clause
	for i, at := range ex.trace {
		c := m.program.ClauseAt(at - 1)
		if c == nil || c.Pred.Module.Library {
			continue
		}
		if ex.builtin && i == 0 {
			first = c
		} else if i == 1 && c == first {
			continue // where an earlier goal of this clause has returned
		}
		f := Frame{Clause: c, Position: c.PositionAt(at - 1)}
		if i < len(ex.values) {
			f.Values = ex.values[i]
		}
		if n := len(frames); n == 0 || !frames[n-1].equal(f) {
			frames = append(frames, f)
		}
	}
	return frames
}

// equal reports whether two frames look alike.
func (f Frame) equal(g Frame) bool {
	return f.Clause.Pred == g.Clause.Pred && f.Position == g.Position && maps.EqualFunc(f.Values, g.Values, term.Equal)
}

// Callers returns the clauses that are active now, innermost first, in the form of a backtrace.
func (m *Machine) Callers() []Frame {
	var ex Exception
	ex.trace, ex.builtin = m.returnAddresses(nil)
	return m.Backtrace(&ex)
}

// Whereabouts returns the functor of the last called built-in, "" for none, and the active clause. Clause is nil if it
// is unknown. Any goroutine may call it while the machine runs. The answer is a guess unless the machine is stuck, as
// two words are read without synchronisation.
//
//go:norace
func (m *Machine) Whereabouts() (builtin string, in Frame) {
	at := m.P
	if c := m.program.ClauseAt(uint32(at - 1)); c != nil {
		in = Frame{Clause: c, Position: c.PositionAt(uint32(at - 1))}
	}
	if last := m.lastBuiltin(); last != nil {
		builtin = last.indicator()
	}
	return builtin, in
}

// Halt is the error that ends a run by halt/0,1.
type Halt struct{ Code int }

func (h *Halt) Error() string { return "halt" }

// This part defines which values an exception has of the clauses that were active when it was thrown. The values are
// not complete, as a clause drops values that it no longer needs. Each value is copied only in part, as it may have any
// size.

// noteValues notes the values for a trace. It is called before anything is undone.
func (m *Machine) noteValues(ex *Exception) {
	known := map[uint32]*database.Places{} // of recursive calls, many of which have the same address
	places := func(at int) *database.Places {
		before := ex.trace[at]
		if p, ok := known[before]; ok {
			return p
		}
		var p *database.Places
		if c := m.program.ClauseAt(before - 1); c != nil {
			p = m.compile.Places(c, before)
		}
		known[before] = p
		return p
	}
	ex.values = make([]map[int]term.Term, len(ex.trace))
	env, own, at := m.E, false, 0
	if ex.builtin {
		at = 1
		if m.program.ClauseAt(ex.trace[0]-1) != nil {
			p := places(0)
			if p == nil {
				return // nobody knows whose environment comes first
			}
			own = p.HasEnvironment
			ex.values[0] = m.valuesOf(env, p.Slots, p.Parts)
		}
	}
	if own {
		// The next address is the return address of an earlier goal, or that of the caller, which follows again.
		if at+1 >= len(ex.trace) {
			return
		}
		stale := ex.trace[at] != ex.trace[at+1]
		env = int(m.Envs[env+stacks.EnvE])
		if !stale {
			ex.values[at] = m.slotValues(env, places(at))
		}
		at++
	}
	for ; at < len(ex.trace) && env != 0; at++ {
		ex.values[at] = m.slotValues(env, places(at))
		env = int(m.Envs[env+stacks.EnvE])
	}
}

// slotValues returns the values of a clause that continues with an environment. It returns none if the places of the
// variables are unknown.
func (m *Machine) slotValues(env int, p *database.Places) map[int]term.Term {
	if p == nil {
		return nil
	}
	return m.valuesOf(env, p.Slots, nil)
}

// valuesOf returns the values in some slots and in parts of registers, without unbound variables.
func (m *Machine) valuesOf(env int, slots map[int]int, parts map[int][]int) map[int]term.Term {
	values := map[int]term.Term{}
	note := func(n int, c cell) {
		if t := m.sketch(c, sketchDepth); t != nil {
			values[n] = t
		}
	}
	for n, slot := range slots {
		note(n, m.Envs[env+stacks.EnvY+slot])
	}
	for n, path := range parts {
		if c, ok := m.partOf(m.X[path[0]], path[1:]); ok {
			note(n, c)
		}
	}
	return values
}

// partOf is the path to an argument within nested compounds.
func (m *Machine) partOf(c cell, path []int) (part cell, ok bool) {
	for _, i := range path {
		c = m.Deref(c)
		if !stacks.IsCompound(c) || i >= m.Functor(c).FunctorArity() {
			return 0, false
		}
		c = m.Arg(c, i)
	}
	return c, true
}

// The bounds of the copied part of a value.
const (
	sketchDepth = 4
	sketchItems = 8 // items of a list, and arguments
)

// omitted stands for an omitted part.
const omitted = term.Atom("...")

// sketch copies the outer parts of a value. It returns nil for a variable or a word that is no term.
func (m *Machine) sketch(c cell, depth int) term.Term {
	for steps := 0; c.Tag() == code.Ref; steps++ {
		if c.Addr() >= m.H || m.Heap[c.Addr()] == c || steps > m.H {
			return nil
		}
		c = m.Heap[c.Addr()]
	}
	switch c.Tag() {
	case code.Atom, code.Int:
		return m.Export(c)
	case code.Blob:
		if !m.isWithin(c) {
			return nil
		}
		const most = 100 // words
		if h := m.Heap[c.Addr()]; h.BlobWords() > most {
			return omitted
		}
		return m.Export(c)
	case code.Lst:
		return m.sketchList(c, depth)
	case code.Str:
		return m.sketchCompound(c, depth)
	}
	return nil
}

// isWithin reports whether a cell leads to a blob, a list or a compound on the heap. A stale slot may point above the
// top of the heap.
func (m *Machine) isWithin(c cell) bool {
	heap, a := m.Heap[:m.H], c.Addr()
	switch c.Tag() {
	case code.Lst:
		return gc.IsTermAt(heap, a) && gc.IsTermAt(heap, a+1)
	case code.Str:
		return gc.IsStructAt(heap, a)
	}
	return gc.IsBlobAt(heap, a)
}

// part is sketch for a subterm.
func (m *Machine) part(c cell, depth int) term.Term {
	if depth == 0 {
		if d := m.Deref(c); d.IsPointer() && !stacks.IsVar(d) && d.Tag() != code.Blob {
			return omitted
		}
	}
	if t := m.sketch(c, depth); t != nil {
		return t
	}
	return term.NewVar("_")
}

// sketchList returns a list for a backtrace: the first items, copied to a depth, and dots for the rest. It returns nil
// for cells that are no list.
func (m *Machine) sketchList(c cell, depth int) term.Term {
	var items []term.Term
	for {
		if !m.isWithin(c) {
			return nil
		}
		items = append(items, m.part(m.Heap[c.Addr()], depth-1))
		next := m.Deref(m.Heap[c.Addr()+1])
		if next.Tag() == code.Lst && len(items) < sketchItems {
			c = next
			continue
		}
		if next.Tag() == code.Lst {
			return term.PartialList(omitted, items...)
		}
		return term.PartialList(m.part(next, depth-1), items...)
	}
}

// sketchCompound is sketchList for a compound.
func (m *Machine) sketchCompound(c cell, depth int) term.Term {
	if !m.isWithin(c) {
		return nil
	}
	f := m.Heap[c.Addr()]
	t := &term.Compound{Functor: term.Atom(code.AtomText(f.FunctorAtom()))}
	for i := range min(f.FunctorArity(), sketchItems) {
		t.Args = append(t.Args, m.part(m.Heap[c.Addr()+1+i], depth-1))
	}
	if f.FunctorArity() > sketchItems {
		t.Args = append(t.Args, omitted)
	}
	return t
}

// mayCatch reports whether the catcher of a catch frame may unify with a ball, by their functors and those of their
// first arguments.
func (m *Machine) mayCatch(b int, ex *Exception) bool {
	catcher, ball := m.Deref(m.Choices[b+stacks.ChoiceArgs+1]), ex.ball.Root
	for {
		switch {
		case stacks.IsVar(catcher) || ball.Tag() == code.Ref || ball.Tag() == code.Att:
			return true
		case ball.Tag() == code.Atom || ball.Tag() == code.Int:
			return catcher == ball
		case catcher.Tag() != ball.Tag():
			return false
		case catcher.Tag() != code.Str:
			return true
		}
		f := m.Heap[catcher.Addr()]
		if f != ex.ball.Cells[ball.Addr()] {
			return false
		}
		if f.FunctorArity() == 0 {
			return true
		}
		catcher, ball = m.Deref(m.Heap[catcher.Addr()+1]), ex.ball.Cells[ball.Addr()+1]
	}
}

// Instance returns the head and the body of a clause with the known values of its variables. The other variables are
// new.
func (f Frame) Instance() (head, body term.Term) {
	return stacks.ExportClauseWith(f.Clause, f.Values)
}
