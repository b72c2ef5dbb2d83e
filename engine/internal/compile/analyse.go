package compile

import (
	"sort"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines the analysis of the goals and variables of a clause before code is emitted: positions, occurrences,
// which conditions are plain tests, and which variables must be permanent because a register cannot hold them from one
// occurrence to the next.

// variable describes a variable of the clause, or a pseudo variable that holds a choice point.
type variable struct {
	// A range of positions tells whether the variable is used within a branch, after a call, or again later.
	occurs []int // positions of goals, rising; the head is position 0
	count  int   // occurrences in the text
	epoch  int   // see flow; 0 before the first occurrence
	perm   bool  // lives in the environment

	slot         int // of a permanent variable, else -1
	scopeLo, end int // the range of positions in which the slot belongs to the variable
}

// first and last return the positions of the first and the last occurrence.
func (v *variable) first() int { return v.occurs[0] }
func (v *variable) last() int  { return v.occurs[len(v.occurs)-1] }

// next returns the first occurrence after a position, or a number larger than all positions.
func (v *variable) next(pos int) int {
	i := sort.SearchInts(v.occurs, pos+1)
	if i == len(v.occurs) {
		return maxPos
	}
	return v.occurs[i]
}

const maxPos = int(^uint(0) >> 1)

// analyse fills in positions, variables and the decisions that emission follows. It emits nothing. If registers run out
// the clause is analysed again in frugal mode, in which every variable with more than one occurrence gets a slot.
func (e *emitter) analyse() {
	e.vars = make([]variable, e.nvars)
	for i := range e.vars {
		e.vars[i].slot = -1
	}
	for _, t := range e.head {
		e.occur(t, 0)
	}
	e.lastPos = 0
	e.number(e.body)
	// Whether a test may give a variable its value depends on all occurrences of the variable. So guards and tests are
	// searched for once everything is numbered.
	e.findGuard()
	start := flow{epoch: e.newEpoch(), neck: true}
	for _, t := range e.head {
		e.touch(t, start.epoch)
	}
	e.flow(e.body, start)
	if e.frugal {
		for i := range e.vars {
			e.vars[i].perm = e.vars[i].perm || e.vars[i].count > 1
		}
	}
}

// occur notes the variables of a term at a position.
func (e *emitter) occur(t cell, pos int) {
	e.eachVar(t, func(n int) {
		v := &e.vars[n]
		v.count++
		v.at(pos)
	})
}

// at notes an occurrence. Positions come in rising order. Each is noted once, however often the variable occurs there.
func (v *variable) at(pos int) {
	if len(v.occurs) == 0 || v.last() != pos {
		v.occurs = append(v.occurs, pos)
	}
}

// pin makes a pseudo variable permanent, with an occurrence at the position.
func (e *emitter) pin(n, pos int) {
	v := &e.vars[n]
	v.perm, v.count = true, 2
	v.at(pos)
}

// position returns the next position. Goals, conditions and ends of branches have one each, so that the
// order of any two events of the clause is the order of two numbers.
func (e *emitter) position() int {
	e.lastPos++
	return e.lastPos
}

// number gives the goals their positions and collects the occurrences of variables.
func (e *emitter) number(list []*goal) {
	for _, g := range list {
		g.pos = e.position()
		for _, t := range g.args {
			e.occur(t, g.pos)
		}
		// A cut that is local to a condition reads the choice point of that condition, whose slot must live until then.
		if g.kind == goalCut && g.barrier != nil {
			e.pin(g.barrier.v, g.pos)
		}
		if g.kind == goalMark {
			e.pin(g.args[0].Addr(), g.pos)
		}
		for _, b := range g.branches {
			b.start = e.position()
			if b.barrier != nil {
				e.pin(b.barrier.v, b.start)
			}
			e.number(b.cond)
			b.condEnd = e.position()
			e.number(b.body)
			b.end = e.lastPos
		}
		g.end = e.lastPos
	}
}

// flow is the state of the walk over the goals at one point. Registers keep their values within one epoch.
// neck says that the register with the choice point at entry is still valid. dead says that the point is never reached,
// so it does not restrict the state after a branch.
type flow struct {
	epoch int
	neck  bool
	dead  bool
}

// newEpoch begins an epoch. Before it all registers were lost, by a call, a built-in or a choice point.
func (e *emitter) newEpoch() int {
	e.epochs++
	return e.epochs
}

// touch notes that the variables of a term are used in an epoch.
func (e *emitter) touch(t cell, epoch int) {
	e.eachVar(t, func(n int) {
		v := &e.vars[n]
		if v.epoch == 0 {
			v.epoch = epoch
		} else if v.epoch != epoch {
			v.perm = true
		}
	})
}

// touchAll is touch for all goals in conditions that are plain tests.
func (e *emitter) touchAll(list []*goal, epoch int) {
	for _, g := range list {
		for _, t := range g.args {
			e.touch(t, epoch)
		}
		for _, b := range g.branches {
			e.touchAll(b.cond, epoch)
			e.touchAll(b.body, epoch)
		}
	}
}

// flow walks over a sequence from a state and returns the state after it. It makes a variable that is used in two
// epochs permanent, as no register can keep its value.
func (e *emitter) flow(list []*goal, f flow) flow {
	for _, g := range list {
		for _, t := range g.args {
			e.touch(t, f.epoch)
		}
		switch g.kind {
		case goalCall:
			f = flow{epoch: e.newEpoch()}
		case goalBuiltin:
			// A built-in may overwrite all registers, but leaves the choice point at entry known.
			f.epoch = e.newEpoch()
		case goalFail:
			f.dead = true
		case goalCut:
			e.flowCut(g, f)
		case goalLocal:
			f = e.flow(g.branches[0].cond, f)
		case goalNot:
			f = e.flowNot(g, f)
		case goalBranch:
			f = e.flowBranches(g, f)
		}
	}
	return f
}

// flowCut decides where a cut of the clause finds its choice point. Until a call changes it, this is the register of
// the entry. Afterwards it is a slot that is filled when the environment is made.
func (e *emitter) flowCut(g *goal, f flow) {
	if g.barrier != nil {
		return
	}
	g.neck = f.neck
	if g.neck {
		return
	}
	if e.level < 0 {
		e.level = e.newPseudo(0)
	}
	e.pin(e.level, g.pos)
}

// newPseudo adds a permanent pseudo variable that is set at a position.
func (e *emitter) newPseudo(pos int) int {
	n := e.pseudo()
	e.vars = append(e.vars, variable{slot: -1})
	e.pin(n, pos)
	return n
}

// flowNot walks over a negation. A plain test leaves all registers unchanged. Any other goal runs above a choice point,
// so its variables are used in an epoch of their own.
func (e *emitter) flowNot(g *goal, f flow) flow {
	b := g.branches[0]
	if g.each == nil && e.isTest(b.cond, g, false) {
		b.inline = true
		e.touchAll(b.cond, f.epoch)
		return f
	}
	g.mark = e.newPseudo(g.pos)
	e.pin(g.mark, b.condEnd)
	e.flow(b.cond, f)
	return flow{epoch: e.newEpoch(), neck: f.neck && !calls(b.cond)}
}

// flowBranches walks over the alternatives. After a plain test the next alternative begins with the same registers.
// After a choice point it begins with none, and the cut register is valid only if the previous condition was that of an
// if-then-else and called nothing.
func (e *emitter) flowBranches(g *goal, f flow) flow {
	entry, join := f, flow{dead: true}
	for i, b := range g.branches {
		if b.kind != branchPlain && e.isTest(b.cond, g, true) {
			b.inline = true
			e.touchAll(b.cond, entry.epoch)
		}
		x := entry
		if !b.inline {
			e.needMark(g, b, i == len(g.branches)-1)
			x = e.flow(b.cond, x)
		}
		if x = e.flow(b.body, x); !x.dead {
			join = e.join(join, x)
		}
		if !b.inline {
			entry = flow{epoch: e.newEpoch(), neck: entry.neck && b.kind == branchIf && !calls(b.cond)}
		}
	}
	return join
}

// needMark makes a place for the choice point before the branches, when b cuts back to it.
func (e *emitter) needMark(g *goal, b *branch, last bool) {
	if b.kind == branchPlain || b.kind == branchSoft && last {
		return
	}
	if g.mark < 0 {
		g.mark = e.newPseudo(g.pos)
	}
	e.pin(g.mark, b.condEnd)
}

// join merges the states at the ends of two branches. Registers are valid afterwards only if both branches have kept
// them; a branch that always fails is ignored.
func (e *emitter) join(a, b flow) flow {
	if a.dead {
		return b
	}
	if a.epoch != b.epoch {
		a.epoch = e.newEpoch()
	}
	a.neck = a.neck && b.neck
	return a
}

// calls reports whether a sequence contains a call, which changes the cut register.
func calls(list []*goal) bool {
	for _, g := range list {
		if g.kind == goalCall {
			return true
		}
		for _, b := range g.branches {
			if calls(b.cond) || calls(b.body) {
				return true
			}
		}
	}
	return false
}

// isTest reports whether a condition is a plain test, which needs no choice point since failure has nothing to undo.
// Its goals must be instructions that bind nothing. is/2 is allowed if fresh is set and its variable is new there and
// not used after node g.
func (e *emitter) isTest(cond []*goal, g *goal, fresh bool) bool {
	for _, t := range cond {
		switch t.kind {
		case goalIdent, goalBefore, goalTest, goalCompare, goalFail:
		case goalIs:
			if !fresh || !e.setsNew(t, g.end) {
				return false
			}
		case goalNot:
			if t.branches[0].barrier != nil || !e.isTest(t.branches[0].cond, g, false) {
				return false
			}
		case goalBranch:
			for _, b := range t.branches {
				if b.kind != branchPlain || !e.isTest(b.body, g, false) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// setsNew reports whether an is/2 gives a value to a variable that is new there and not used after position end.
func (e *emitter) setsNew(g *goal, end int) bool {
	t := g.args[0]
	if !isVar(t) {
		return false
	}
	v := &e.vars[t.Addr()]
	return v.first() == g.pos && v.last() <= end && !e.occurs(t.Addr(), g.args[1])
}

// findGuard determines whether the clause only matches and tests its arguments before it cuts, so that failure may go
// directly to the next clause.
func (e *emitter) findGuard() {
	e.guard, e.shallow = 0, false
	// The goals before the cut are the guard. A goal that is no test makes the clause an ordinary one.
	n := 0
	for n < len(e.body) && e.body[n].kind != goalCut && e.isTest(e.body[n:n+1], &goal{end: maxPos}, true) {
		n++
	}
	if n == len(e.body) || e.body[n].kind != goalCut || e.body[n].barrier != nil {
		return
	}
	// A head that may fail belongs to the guard too: the next clause must find the arguments unchanged.
	e.shallow = !matchesAlways(e.source, 0)
	if n > 0 || e.shallow {
		e.guard = n
	}
}

// target returns where failing tests of the guard go.
func (e *emitter) target() code.Instr {
	if e.guards {
		return code.TargetElse
	}
	return code.TargetFail
}
