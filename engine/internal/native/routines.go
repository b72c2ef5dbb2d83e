package native

import (
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines the routines that all native code shares.

// routines are the addresses of the routines, and the memory that they lie in.
var routines struct {
	once                                      sync.Once
	pages                                     *pages
	enter, fail, interpret, exit, unify, rows uint64
	rowsRetry, proceed, retryDyn, redo        uint64
}

// prepare makes the routines. It reports whether that was possible.
func prepare() bool {
	routines.once.Do(func() {
		r := &routineMaker{}
		r.enter, r.fail, r.interpret = r.newLabel(), r.newLabel(), r.newLabel()
		r.exit, r.unify, r.rows = r.newLabel(), r.newLabel(), r.newLabel()
		r.makeEnter()
		r.makeFail()
		r.makeRows()
		rowsRetry, proceed, retryDyn, redo := r.newLabel(), r.newLabel(), r.newLabel(), r.newLabel()
		r.bind(rowsRetry)
		r.makeRowsRetry()
		r.bind(proceed)
		r.load(rT0, fCP)
		r.jumpTable()
		r.bind(retryDyn)
		r.leaveAt(AddrRetryDyn, layout.Exits.RetryDyn)
		r.bind(redo)
		r.leaveAt(AddrRedo, layout.Exits.Redo)
		r.makeUnify()
		r.makeExit()
		routines.pages = publish(&r.buffer)
		if routines.pages == nil {
			return
		}
		lies := func(l label) uint64 { return uint64(routines.pages.base()) + uint64(r.offset(l)) }
		routines.enter, routines.fail, routines.interpret = lies(r.enter), lies(r.fail), lies(r.interpret)
		routines.exit, routines.unify, routines.rows = lies(r.exit), lies(r.unify), lies(r.rows)
		routines.rowsRetry, routines.proceed = lies(rowsRetry), lies(proceed)
		routines.retryDyn, routines.redo = lies(retryDyn), lies(redo)
	})
	return routines.pages != nil
}

// routineMaker makes the routines.
type routineMaker struct {
	asm
	enter, fail, interpret, exit, unify, rows label
}

// leaveAt makes the code that leaves native code after the instruction at an address.
func (r *routineMaker) leaveAt(p int, exit uint8) {
	r.movImm(rT0, int64(p+1))
	r.movImm(rT1, int64(exit))
	r.jmp(r.exit)
}

// makeEnter makes the code that loads the registers and continues at the address in the machine's p, which has native
// code.
func (r *routineMaker) makeEnter() {
	r.bind(r.enter)
	for i, x := range rX {
		r.load(x, xMem(i))
	}
	r.load(rHeap, sHeap)
	r.load(rH, at(rM, layout.H))
	r.shift(shl, rH, 3)
	r.load(rT1, at(rM, layout.E))
	r.load(rT2, sEnvs)
	r.lea(rE, indexed(rT2, rT1, 3, 0))
	r.load(rT0, at(rM, layout.P))
	r.jumpTable()
}

// makeExit makes the exits. At interpret rT0 is the address of an instruction for the loop. At exit rT0 is where the
// machine continues, and rT1 is the number of the exit.
func (r *routineMaker) makeExit() {
	r.bind(r.interpret)
	r.movImm(rT1, int64(layout.Exits.Interpret))
	r.bind(r.exit)
	r.store(sExitP, rT0)
	r.store(sExitCode, rT1)
	for i, x := range rX {
		r.store(xMem(i), x)
	}
	r.shift(shr, rH, 3)
	r.store(at(rM, layout.H), rH)
	r.opMem(opSub, rE, sEnvs)
	r.shift(shr, rE, 3)
	r.store(at(rM, layout.E), rE)
	r.ret()
}

// makeFail makes the code that backtracks.
func (r *routineMaker) makeFail() {
	deep, undone, loop := r.newLabel(), r.newLabel(), r.newLabel()
	value, next, shallow := r.newLabel(), r.newLabel(), r.newLabel()
	entry := rX[6] // of the trail; its value is in the machine meanwhile
	often := r.newLabel()
	r.bind(r.fail)
	r.opMemImm(opSub, sFails, 1)
	r.jcc(ccS, often)
	r.choice()
	r.load(rT0, at(rT2, 8*ChoiceTR))
	r.testByte(fShallow)
	r.jcc(ccE, deep)
	r.load(rT0, fShallowTR)
	r.bind(deep)
	r.load(rT1, fTR)
	r.op(opCmp, rT1, rT0)
	r.jcc(ccLE, undone)
	r.store(xMem(6), entry)
	r.load(rS, sTrail)
	r.bind(loop)
	r.opImm(opSub, rT1, 1)
	r.load(entry, indexed(rS, rT1, 3, 0))
	r.testTag(entry)
	r.jcc(ccNE, value)
	r.store(heapAt(entry, 0), entry)
	r.bind(next)
	r.op(opCmp, rT1, rT0)
	r.jcc(ccG, loop)
	r.store(fTR, rT1)
	r.load(entry, xMem(6))
	r.bind(undone)
	r.testByte(fShallow)
	r.jcc(ccNE, shallow)
	r.load(rH, at(rT2, 8*ChoiceH))
	r.shift(shl, rH, 3)
	r.load(rT1, sEnvs)
	r.load(rT0, at(rT2, 8*ChoiceE))
	r.lea(rE, indexed(rT1, rT0, 3, 0))
	r.load(rT0, at(rT2, 8*ChoiceEtop))
	r.lea(rT0, indexed(rT1, rT0, 3, 0))
	r.store(sEtop, rT0)
	r.load(rT0, at(rT2, 8*ChoiceCP))
	r.store(fCP, rT0)
	r.load(rT0, at(rT2, 8*ChoiceObjs))
	r.store(fObjs, rT0)
	r.load(rT0, at(rT2, 8*ChoiceAlt))
	r.jumpTable()
	r.bind(value) // the old value is before the entry
	r.opImm(opSub, rT1, 1)
	r.shift(shr, entry, 3)
	r.shift(shl, entry, 3)
	r.store(sSpill, rT2)
	r.load(rT2, indexed(rS, rT1, 3, 0))
	r.store(heapAt(entry, 0), rT2)
	r.load(rT2, sSpill)
	r.jmp(next)
	r.bind(often)
	r.movImm(rT0, AddrFail)
	r.jmp(r.interpret)
	r.bind(shallow)
	r.failShallow()
}

// failShallow jumps to the else register. rT2 is the newest choice point, after which OpTryHead has saved arguments.
func (r *routineMaker) failShallow() {
	loop, rest := r.newLabel(), r.newLabel()
	r.storeByte(fShallow, 0)
	r.load(rH, fShallowH)
	r.shift(shl, rH, 3)
	r.load(rT0, at(rT2, 8*ChoiceH))
	r.shift(shl, rT0, 3)
	r.store(sHB, rT0)
	r.load(rT1, fArgs)
	r.test(rT1)
	r.jcc(ccE, rest)
	r.load16(rT0, at(rT2, 8*ChoiceArity))
	r.lea(rT2, indexed(rT2, rT0, 3, 8*ChoiceArgs))
	for i, x := range rX {
		if i == len(rX)/2 { // registers behind the arguments are dead
			r.opImm(opCmp, rT1, i)
			r.jcc(ccLE, rest)
		}
		r.load(x, at(rT2, 8*(ChoiceArgs+i)))
	}
	r.bind(loop)
	r.opImm(opCmp, rT1, len(rX))
	r.jcc(ccLE, rest)
	r.opImm(opSub, rT1, 1)
	r.load(rT0, indexed(rT2, rT1, 3, 8*ChoiceArgs))
	r.store(indexed(rM, rT1, 3, layout.X), rT0)
	r.jmp(loop)
	r.bind(rest)
	r.load(rT0, fElse)
	r.jumpTable()
}

// makeRows makes the search through the rows of facts. Its registers are the row, the number of remaining rows, the
// number of arguments, the found row or 0, whether it comes from a choice point, the place of the arguments, and a
// scratch register.
func (r *routineMaker) makeRows() {
	row, left, n, found, again, args, i := rX[0], rX[1], rX[2], rX[3], rX[4], rX[5], rX[6]
	loop, argument, matches, matched := r.newLabel(), r.newLabel(), r.newLabel(), r.newLabel()
	nextRow, end, bind, retry, pop := r.newLabel(), r.newLabel(), r.newLabel(), r.newLabel(), r.newLabel()
	r.bind(r.rows)
	r.bind(loop)
	r.test(left)
	r.jcc(ccLE, end)
	r.movImm(i, 0)
	r.bind(argument)
	r.op(opCmp, i, n)
	r.jcc(ccGE, matched)
	r.load(rT0, indexed(args, i, 3, 0))
	r.opMem(opCmp, rT0, indexed(row, i, 3, 0))
	r.jcc(ccE, matches)
	r.testTag(rT0)
	r.jcc(ccNE, nextRow)
	r.bind(matches)
	r.opImm(opAdd, i, 1)
	r.jmp(argument)
	r.bind(matched)
	r.test(found)
	r.jcc(ccNE, end)
	r.mov(found, row)
	r.bind(nextRow)
	r.lea(row, indexed(row, n, 3, 0))
	r.opImm(opSub, left, 1)
	r.jmp(loop)
	r.bind(end)
	r.test(found)
	r.jcc(ccE, r.fail)
	r.test(again)
	r.jcc(ccNE, retry)
	r.test(left)
	r.jcc(ccLE, bind)
	r.keepRow(row, left, args, n)
	r.pushRows(args, n, i)
	r.jmp(bind)
	r.bind(retry)
	r.test(left)
	r.jcc(ccLE, pop)
	r.keepRow(row, left, args, n)
	r.jmp(bind)
	r.bind(pop)
	r.choice()
	r.load(rT0, at(rT2, 8*ChoicePrev))
	r.popTo()
	r.bind(bind)
	r.bindRow(found, args, n, i)
}

// makeRowsRetry makes the alternative of OpRows: the choice point has the arguments and the next row.
func (r *routineMaker) makeRowsRetry() {
	row, left, n, found, again, args := rX[0], rX[1], rX[2], rX[3], rX[4], rX[5]
	none := r.newLabel()
	r.trailRoomFor(code.MaxRow, none)
	r.choice()
	r.load16(n, at(rT2, 8*ChoiceArity))
	r.opImm(opSub, n, 2)
	r.lea(args, at(rT2, 8*ChoiceArgs))
	r.load(found, indexed(args, n, 3, 0))
	r.shift(sar, found, 3)
	r.load(rT1, sCode)
	r.lea(found, indexed(rT1, found, 3, 0))
	r.lea(row, indexed(found, n, 3, 0))
	r.load(left, indexed(args, n, 3, 8))
	r.shift(sar, left, 3)
	r.opImm(opSub, left, 1)
	r.movImm(again, 1)
	r.jmp(r.rows)
	r.bind(none)
	r.movImm(rT0, AddrRowsRetry)
	r.jmp(r.interpret)
}

// keepRow stores the next row and the number of remaining rows after the arguments.
func (r *routineMaker) keepRow(row, left, args, n reg) {
	r.opMem(opSub, row, sCode) // a number times 8
	r.opImm(opOr, row, intTag)
	r.store(indexed(args, n, 3, 0), row)
	r.shift(shl, left, 3)
	r.opImm(opOr, left, intTag)
	r.store(indexed(args, n, 3, 8), left)
}

// pushRows pushes the choice point for the next row; i is lost.
func (r *routineMaker) pushRows(args, n, i reg) {
	loop := r.newLabel()
	r.choice()
	r.load16(rT0, at(rT2, 8*ChoiceArity))
	r.lea(rT2, indexed(rT2, rT0, 3, 8*ChoiceArgs))
	r.lea(i, at(n, 2))
	r.movImm(rT1, 0)
	r.bind(loop)
	r.load(rT0, indexed(args, rT1, 3, 0))
	r.store(indexed(rT2, rT1, 3, 8*ChoiceArgs), rT0)
	r.opImm(opAdd, rT1, 1)
	r.op(opCmp, rT1, i)
	r.jcc(ccL, loop)
	r.store(sSpill, rT2)
	r.frame(AddrRowsRetry, 0)
	r.load(rT2, sSpill)
	r.store(at(rT2, 8*ChoiceArity), i)
}

// bindRow binds the arguments to a row, and returns to the continuation.
func (r *routineMaker) bindRow(row, args, n, i reg) {
	loop, next, done, bound := r.newLabel(), r.newLabel(), r.newLabel(), r.newLabel()
	r.movImm(i, 0)
	r.bind(loop)
	r.op(opCmp, i, n)
	r.jcc(ccGE, done)
	r.load(rS, indexed(row, i, 3, 0))
	r.load(rT0, indexed(args, i, 3, 0))
	r.op(opCmp, rT0, rS)
	r.jcc(ccE, next)
	r.opMem(opCmp, rT0, heapAt(rT0, 0))
	r.jcc(ccNE, bound)
	r.store(heapAt(rT0, 0), rS)
	r.trailed(next)
	r.bind(next)
	r.opImm(opAdd, i, 1)
	r.jmp(loop)
	r.bind(bound)
	r.opMem(opCmp, rS, heapAt(rT0, 0))
	r.jcc(ccE, next)
	r.jmp(r.fail)
	r.bind(done)
	r.load(rT0, fCP)
	r.jumpTable()
}

// unifier makes the unification of two dereferenced cells that are no variables, rT0 and rT1, like the loop. The
// routine continues at the address in the state, and leaves other cases to the machine.
type unifier struct {
	*routineMaker
	x, y, n       reg // the next parts of two compounds, and the number of remaining parts
	steps         reg // the number of parts that it may still examine
	top           reg // of the remaining parts of enclosing compounds
	tmp           reg
	loop, parts   label
	failed, leave label
}

// restSize is the size of an entry for the remaining parts of a compound, in bytes.
const restSize = 24

func (r *routineMaker) makeUnify() {
	u := &unifier{r, rX[0], rX[1], rX[2], rX[3], rX[4], rX[5], r.newLabel(), r.newLabel(), r.newLabel(), r.newLabel()}
	compound, pop, done := r.newLabel(), r.newLabel(), r.newLabel()
	u.bind(r.unify)
	u.store(fUA, rT0)
	u.store(fUB, rT1)
	for i := range 6 {
		u.store(xMem(i), rX[i])
	}
	u.lea(u.top, at(rM, layout.Rest))
	u.movImm(u.steps, UnifySteps)
	u.movImm(u.n, 0)
	u.bind(compound)
	u.makeCompounds()
	u.makeParts(compound, pop)
	u.bind(pop)
	u.lea(u.tmp, at(rM, layout.Rest))
	u.op(opCmp, u.top, u.tmp)
	u.jcc(ccE, done)
	u.opImm(opSub, u.top, restSize)
	u.load(u.x, at(u.top, 0))
	u.load(u.y, at(u.top, 8))
	u.load(u.n, at(u.top, 16))
	u.jmp(u.loop)
	u.bind(done)
	u.restore()
	u.jmpMem(sRet)
	u.bind(u.failed)
	u.restore()
	u.jmp(r.fail)
	u.bind(u.leave)
	u.restore()
	u.load(rT0, sNext)
	u.movImm(rT1, int64(layout.Exits.Unify))
	u.jmp(r.exit)
}

// restore brings the argument registers back.
func (u *unifier) restore() {
	for i := range 6 {
		u.load(rX[i], xMem(i))
	}
}

// makeCompounds begins the unification of the parts of rT0 and rT1, if they are compounds of the same functor.
func (u *unifier) makeCompounds() {
	last, list := u.newLabel(), u.newLabel()
	u.tag(rT2, rT0)
	u.tag(u.tmp, rT1)
	u.opImm(opCmp, rT2, int(code.Att))
	u.jcc(ccE, u.leave)
	u.opImm(opCmp, u.tmp, int(code.Att))
	u.jcc(ccE, u.leave)
	u.opImm(opCmp, rT2, int(code.Blob))
	u.jcc(ccE, u.leave)
	u.op(opCmp, rT2, u.tmp)
	u.jcc(ccNE, u.failed)
	u.opImm(opCmp, rT2, int(code.Lst))
	u.jcc(ccA, u.failed)
	u.test(u.n)
	u.jcc(ccE, last)
	u.store(at(u.top, 0), u.x)
	u.store(at(u.top, 8), u.y)
	u.store(at(u.top, 16), u.n)
	u.opImm(opAdd, u.top, restSize)
	u.bind(last)
	u.opImm(opCmp, rT2, int(code.Lst))
	u.jcc(ccE, list)
	u.load(u.n, heapAt(rT0, -int(code.Str)))
	u.opMem(opCmp, u.n, heapAt(rT1, -int(code.Str)))
	u.jcc(ccNE, u.failed)
	u.movLow(u.n, u.n)
	u.shift(shr, u.n, code.ArityShift)
	u.lea(u.x, at(rT0, 8-int(code.Str)))
	u.lea(u.y, at(rT1, 8-int(code.Str)))
	u.jmp(u.parts)
	u.bind(list)
	u.movImm(u.n, 2)
	u.lea(u.x, at(rT0, -int(code.Lst)))
	u.lea(u.y, at(rT1, -int(code.Lst)))
}

// makeParts unifies the parts one after the other. It goes on at compound with two compounds, and at pop behind the
// last part.
func (u *unifier) makeParts(compound, pop label) {
	left, right := u.newLabel(), u.newLabel()
	u.bind(u.parts)
	u.op(opSub, u.steps, u.n)
	u.jcc(ccS, u.leave)
	u.lea(u.tmp, at(rM, layout.Rest+(RestDepth-1)*restSize))
	u.op(opCmp, u.top, u.tmp)
	u.jcc(ccA, u.leave)
	u.bind(u.loop)
	u.test(u.n)
	u.jcc(ccE, pop)
	u.opImm(opSub, u.n, 1)
	u.load(rT0, heapAt(u.x, 0))
	u.load(rT1, heapAt(u.y, 0))
	u.opImm(opAdd, u.x, 8)
	u.opImm(opAdd, u.y, 8)
	u.op(opCmp, rT0, rT1)
	u.jcc(ccE, u.loop)
	u.deref(rT0, rT0)
	u.deref(rT1, rT1)
	u.op(opCmp, rT0, rT1)
	u.jcc(ccE, u.loop)
	u.testTag(rT0)
	u.jcc(ccE, left)
	u.testTag(rT1)
	u.jcc(ccE, right)
	u.jmp(compound)
	u.bindVariables(left, right, u.leave, u.loop)
}
