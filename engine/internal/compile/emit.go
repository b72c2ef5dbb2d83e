package compile

import (
	"math"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines the collection of instructions: labels, and the joining of neighbours into superinstructions.

// emitter compiles one clause; the linker has one for its instructions. The fields are in the order of the stages that
// fill them. Only compiler, source, goalLines, guards, frugal and watch outlive reset.
type emitter struct {
	compiler  *Compiler
	source    *database.Clause
	goalLines []int32
	guards    bool // the clause may have a guard that fails to the else register
	frugal    bool // keep all variables in slots
	replaced  bool // the code is for another clause than the one in the program

	// The clause as read.
	terms
	head  []cell
	body  []*goal
	leaf  int   // goals read so far, for goalLines
	reads int   // goals read so far, control constructs and shared ones included
	line  int32 // of the goal being read
	nvars int
	level int // pseudo variable with the choice point at entry, or -1

	// The results of analyse and placeSlots.
	vars    []variable
	lastPos int
	epochs  int
	guard   int  // number of goals before the cut of a guard, 0 without
	shallow bool // the guard includes the matching of the head
	guarded bool
	nslots  int
	owners  [][]int // variables by slot

	// State of emission.
	st       state
	hints    []int // preferred register by variable, -1 without
	hinted   []int
	base     int // registers below are the arguments of the next call
	frames   []frame
	pos      int           // position of the goal being emitted
	strict   bool          // match without binding, for =>
	late     bool          // the end of the head is still to be marked by an OpNeckTry
	inGuard  bool          // the argument registers must not change
	inTests  bool          // the contents of registers must not change
	placed   [numRegs]bool // arguments that have been loaded for the next call
	overflow bool

	// The code.
	code   []code.Instr
	last   [2]int // starts of the last and the previous instruction, -1 if these must not be changed
	labels []int  // addresses by label
	fixups []fixup
	lines  []database.LineEntry
	live   []code.Instr // OpLive for tests before which goals may wait
	high   int          // registers below may be in use by the current goal

	// The dependencies of the code, for its Object.
	views   []view
	modules []string
	sites   []site

	watch   *watch // nil: no instruction is watched
	calling []cell // arguments of the called goal
}

// fixup is an instruction whose imm is a label. All labels get their addresses when the code gets its place.
type fixup struct {
	at    int
	label label
}

// label numbers a place in the code that jumps may refer to before it is known.
type label int

// reset prepares for compiling from the start.
func (e *emitter) reset(frugal bool) {
	*e = emitter{compiler: e.compiler, source: e.source, goalLines: e.goalLines, guards: e.guards, frugal: frugal,
		watch: e.watch, replaced: e.replaced}
	e.last = [2]int{-1, -1}
}

// newLabel returns a label to be bound later.
func (e *emitter) newLabel() label {
	e.labels = append(e.labels, -1)
	return label(len(e.labels) - 1)
}

// bind sets the label to the next instruction.
func (e *emitter) bind(l label) {
	e.labels[l] = len(e.code)
	e.fence()
}

// fence keeps the instructions so far from being joined with what follows, because a jump may lead between the two.
func (e *emitter) fence() { e.last = [2]int{-1, -1} }

// target is the destination of a failing test: a label, or fail or else.
type target struct {
	label   label
	special uint32
	isLabel bool
}

var toFail = target{special: code.TargetFail}

// toLabel returns the target for a label in this clause.
func toLabel(l label) target { return target{label: l, isLabel: true} }

// jump emits an instruction whose imm is a label.
func (e *emitter) jump(i code.Instr, l label) {
	e.fixups = append(e.fixups, fixup{len(e.code), l})
	e.put(i)
}

// branch emits a test.
func (e *emitter) branch(i code.Instr, t target) {
	if t.isLabel {
		e.jump(i, t.label)
		return
	}
	e.put(i.WithImm(t.special))
}

// relocate turns labels into addresses, the code being placed at an address.
func (e *emitter) relocate(at uint32) {
	for _, f := range e.fixups {
		e.code[f.at] = e.code[f.at].WithImm(at + uint32(e.labels[f.label]))
	}
}

// put appends an instruction, its data words following at once.
func (e *emitter) put(i code.Instr, data ...cell) {
	e.last = [2]int{len(e.code), e.last[0]}
	e.code = append(e.code, i)
	for _, w := range data {
		e.code = append(e.code, code.Instr(w))
	}
	if e.watch != nil && e.watch.end == len(e.code) {
		e.note()
	}
}

// op emits an instruction without labels, joined with the preceding ones if possible. A joined instruction saves a
// dispatch.
func (e *emitter) op(op code.Op, a, b, c, imm int) {
	i := code.Make(op, a, b, c, uint32(imm))
	if e.last[1] >= 0 && e.joinTwo(i) {
		return
	}
	if e.last[0] >= 0 && e.joinOne(i) {
		return
	}
	e.put(i)
}

// replace replaces the last n instructions by one.
func (e *emitter) replace(n int, i code.Instr) bool {
	e.code = e.code[:e.last[n-1]]
	e.fence()
	e.put(i)
	return true
}

// joinOne joins i with the last instruction.
func (e *emitter) joinOne(i code.Instr) bool {
	p := e.code[e.last[0]]
	switch {
	case i.Op() == code.OpUniVoid && p.Op() == code.OpUniVoid,
		i.Op() == code.OpSetVoid && p.Op() == code.OpSetVoid:
		return e.replace(1, p.WithImm(uint32(p.Imm()+i.Imm())))
	case i.Op() == code.OpUniList && p.Op() == code.OpUniVarX:
		return e.replace(1, code.Make(code.OpUniVarUniList, int(p.A()), 0, 0, 0))
	case i.Op() == code.OpMove && p.Op() == code.OpMove:
		return e.replace(1, code.Make(code.OpMove2, int(p.A()), int(p.B()), int(i.A()), uint32(i.B())))
	case i.Op() == code.OpPutY && p.Op() == code.OpPutY:
		return e.replace(1, code.Make(code.OpPutYY, int(p.A()), int(i.A()), 0, uint32(p.Imm()|i.Imm()<<16)))
	case i.Op() == code.OpGetY && p.Op() == code.OpGetY:
		return e.replace(1, code.Make(code.OpGetYY, int(p.A()), int(i.A()), 0, uint32(p.Imm()|i.Imm()<<16)))
	}
	return e.joinNeck(p, i) || e.joinMore(p, i)
}

// joinNeck joins the end of a head with the next instruction.
func (e *emitter) joinNeck(p, i code.Instr) bool {
	switch [2]code.Op{p.Op(), i.Op()} {
	case [2]code.Op{code.OpNeckTry, code.OpAllocate}:
		return e.replace(1, code.Make(code.OpNeckAllocate, 0, 0, 0, uint32(i.Imm())))
	case [2]code.Op{code.OpNeckTry, code.OpProceed}:
		return e.replace(1, code.Make(code.OpNeckProceed, 0, 0, 0, 0))
	case [2]code.Op{code.OpAllocate, code.OpGetLevel}:
		return e.replace(1, code.MakeBC(code.OpAllocateLevel, 0, i.Imm(), uint32(p.Imm())))
	}
	return false
}

// joinMore joins runs of parts and of slots.
func (e *emitter) joinMore(p, i code.Instr) bool {
	const tenBits = 1 << 10
	y1, y2, y3 := p.Imm()&0xffff, p.Imm()>>16, i.Imm()
	switch [2]code.Op{p.Op(), i.Op()} {
	case [2]code.Op{code.OpUniVarX, code.OpUniVarX}:
		return e.replace(1, code.Make(code.OpUniVarXX, int(p.A()), int(i.A()), 0, 0))
	case [2]code.Op{code.OpUniVarXX, code.OpUniVarX}:
		return e.replace(1, code.Make(code.OpUniVarXXX, int(p.A()), int(p.B()), int(i.A()), 0))
	case [2]code.Op{code.OpPutYY, code.OpPutY}, [2]code.Op{code.OpGetYY, code.OpGetY}:
		if max(y1, y2, y3) >= tenBits {
			return false
		}
		op := code.OpPutYYY
		if i.Op() == code.OpGetY {
			op = code.OpGetYYY
		}
		return e.replace(1, code.Make(op, int(p.A()), int(p.B()), int(i.A()), uint32(y1|y2<<10|y3<<20)))
	}
	return false
}

// joinTwo joins i with the last two instructions, to match or build one list cell.
func (e *emitter) joinTwo(i code.Instr) bool {
	first, second := e.code[e.last[1]], e.code[e.last[0]]
	a, b, c := int(first.A()), int(second.A()), int(i.A())
	var op code.Op
	switch [3]code.Op{first.Op(), second.Op(), i.Op()} {
	case [3]code.Op{code.OpGetList, code.OpUniVarX, code.OpUniVarX}:
		op = code.OpGetListXX
	case [3]code.Op{code.OpGetList, code.OpUniValX, code.OpUniVarX}:
		op = code.OpGetListVX
	case [3]code.Op{code.OpPutList, code.OpSetValX, code.OpSetValX}:
		return e.replace(2, code.Make(code.OpPutListXX, a, b, c, 0))
	case [3]code.Op{code.OpPutList, code.OpSetValX, code.OpSetVarX}:
		op = code.OpPutListXV
	default:
		return false
	}
	if b == c || op == code.OpPutListXV && a == c {
		return false
	}
	return e.replace(2, code.Make(op, a, b, c, 0))
}

// constant emits the form of an instruction for a constant that suits it. The operations of a kind are consecutive: op
// is for atoms, op+1 for 32-bit integers, op+2 for other cells, which follow as a word.
func (e *emitter) constant(op code.Op, a int, t cell) {
	switch {
	case t.Tag() == code.Atom:
		e.op(op, a, 0, 0, int(t.Atom()))
	case t.Int() >= math.MinInt32 && t.Int() <= math.MaxInt32:
		e.op(op+1, a, 0, 0, int(t.Int()))
	default:
		e.put(code.Make(op+2, a, 0, 0, 0), t)
	}
}

// afterWake emits an inline goal, before which waiting goals of attributed variables must run. The loop only checks for
// them if the goal fails or cannot be decided quickly, so the common case costs nothing. The information for running
// them is stored after the clause.
func (e *emitter) afterWake(emit func()) {
	if !e.st.loose {
		emit()
		return
	}
	at, slots := len(e.code), 0
	if e.st.env {
		slots = 1 + e.nslots
	}
	e.high = e.usedRegs()
	emit()
	e.live = append(e.live, code.MakeBC(code.OpLive, min(e.high, numRegs-1), slots, uint32(at)))
}

// usedRegs returns the number of registers up to the last one in use.
func (e *emitter) usedRegs() int {
	n := numRegs
	for n > 0 && e.st.regs[n-1] == regFree {
		n--
	}
	return n
}

// mark begins the code of a goal, for the table of lines.
func (e *emitter) mark(g *goal) {
	e.pos = g.pos
	n := len(e.lines)
	line := int32(e.source.Line)
	if n > 0 {
		line = e.lines[n-1].Line
	}
	if g.line != line {
		e.lines = append(e.lines, database.LineEntry{Offset: int32(len(e.code)), Line: g.line})
	}
}
