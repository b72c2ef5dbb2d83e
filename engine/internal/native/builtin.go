package native

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines the templates of built-ins that are called often and do little. Errors and rare cases are left to
// the predicate written in Go.

// Intrinsic is a built-in that has a template.
type Intrinsic uint8

// The built-ins with templates, by their names. 0 stands for none.
const (
	Arg Intrinsic = 1 + iota
	Functor
	SetArg
	NbSetArg
	GetAttr
	PutAttr
)

// Intrinsics are the built-ins with templates, by name and arity.
var Intrinsics = map[string]Intrinsic{
	"arg/3": Arg, "functor/3": Functor, "setarg/3": SetArg, "nb_setarg/3": NbSetArg, "nb_linkarg/3": NbSetArg,
	"get_attr/3": GetAttr, "put_attr/3": PutAttr,
}

// attFunctor is the functor of the cells of an attribute chain: module, value, rest.
var attFunctor = code.Functor("att", 3)

// intrinsic returns the built-in that an instruction calls, if it has a template.
func (t *translator) intrinsic(w code.Instr) Intrinsic {
	if n := w.Imm(); n < len(t.intrinsics) {
		return t.intrinsics[n]
	}
	return 0
}

// emitBuiltin makes the code of an OpBuiltin.
func (t *translator) emitBuiltin(w code.Instr, p int) {
	give := t.newLabel()
	switch t.intrinsic(w) {
	case Functor:
		t.emitFunctor(give)
	case SetArg:
		t.hasFuel(1, give)
		t.part(give)
		t.assign(give)
	case NbSetArg:
		t.hasFuel(1, give)
		t.part(give)
		t.assignAtomic(give)
	case GetAttr:
		t.findAttribute(give)
		t.load(rT0, heapAt(rT0, 16-int(code.Str)))
		t.charge(1)
		t.mov(rT1, rX[2])
		t.unify(p+1, noPart)
	case PutAttr:
		t.findAttribute(give)
		t.lea(rS, at(rT0, 16-int(code.Str)))
		t.assign(give)
	default:
		t.leave(layout.Exits.Builtin, p+1)
		return
	}
	t.known = 0
	t.later = append(t.later, func() {
		t.bind(give)
		t.leave(layout.Exits.Builtin, p+1)
	})
}

// hasFuel exits unless there is fuel for n calls. charge consumes it.
func (t *translator) hasFuel(n int, give label) {
	t.opMemImm(opCmp, fFuel, n)
	t.jcc(ccL, give)
}

func (t *translator) charge(n int) { t.opMemImm(opSub, fFuel, n) }

// callArg is a call of arg/3 in the middle of a body, which has a built-in as its predicate.
func (t *translator) callArg(p int, give label) {
	t.opMem(opCmp, rH, sHSoft)
	t.jcc(ccA, give)
	t.hasFuel(2, give)
	t.part(give)
	t.load(rT0, heapAt(rS, 0))
	t.charge(2)
	t.load(rT1, fB)
	t.store(fB0, rT1)
	t.storeImm(fCP, p+1)
	t.mov(rT1, rX[2])
	t.unify(p+1, noPart)
}

// part loads the place of the argument of a compound, the second argument register, whose number is in the first one,
// into rS.
func (t *translator) part(give label) {
	list, done := t.newLabel(), t.newLabel()
	t.deref(rT1, rX[0])
	t.tag(rT2, rT1)
	t.opImm(opCmp, rT2, intTag)
	t.jcc(ccNE, give)
	t.shift(sar, rT1, 3)
	t.test(rT1)
	t.jcc(ccLE, give)
	t.deref(rT0, rX[1])
	t.tag(rT2, rT0)
	t.opImm(opCmp, rT2, int(code.Lst))
	t.jcc(ccE, list)
	t.opImm(opCmp, rT2, int(code.Str))
	t.jcc(ccNE, give)
	t.load32(rT2, heapAt(rT0, -int(code.Str)))
	t.shift(shr, rT2, code.ArityShift)
	t.op(opCmp, rT1, rT2)
	t.jcc(ccG, give)
	t.lea(rS, indexed(rT0, rT1, 3, -int(code.Str)))
	t.jmp(done)
	t.bind(list)
	t.opImm(opCmp, rT1, 2)
	t.jcc(ccG, give)
	t.lea(rS, indexed(rT0, rT1, 3, -8-int(code.Lst)))
	t.bind(done)
}

// assign stores the third argument register at rS, so that backtracking restores the old value.
func (t *translator) assign(give label) {
	plain, store := t.newLabel(), t.newLabel()
	t.opMem(opCmp, rS, sHB)
	t.jcc(ccAE, plain)
	t.trailRoomFor(2, give)
	t.load(rT1, sTrail)
	t.load(rT0, fTR)
	t.lea(rT1, indexed(rT1, rT0, 3, 0))
	t.load(rT0, heapAt(rS, 0))
	t.store(at(rT1, 0), rT0)
	t.lea(rT0, at(rS, 1))
	t.store(at(rT1, 8), rT0)
	t.opMemImm(opAdd, fTR, 2)
	t.bind(plain)
	t.deref(rT0, rX[2])
	t.tag(rT1, rT0)
	t.opImm(opCmp, rT1, int(code.Att))
	t.jcc(ccNE, store)
	t.opImm(opSub, rT0, int(code.Att)) // a reference to it
	t.bind(store)
	t.store(heapAt(rS, 0), rT0)
	t.charge(1)
}

// assignAtomic stores the third argument register at rS for good, if it is an atom or a small integer. Other terms are
// copied.
func (t *translator) assignAtomic(give label) {
	store := t.newLabel()
	t.deref(rT0, rX[2])
	t.tag(rT1, rT0)
	t.opImm(opCmp, rT1, int(code.Atom))
	t.jcc(ccE, store)
	t.opImm(opCmp, rT1, intTag)
	t.jcc(ccNE, give)
	t.bind(store)
	t.store(heapAt(rS, 0), rT0)
	t.charge(1)
}

// findAttribute loads the part of the chain of attributes of the first argument register that is for the module in the
// second one into rT0.
func (t *translator) findAttribute(give label) {
	loop, found := t.newLabel(), t.newLabel()
	t.hasFuel(1, give)
	t.deref(rT0, rX[0])
	t.tag(rT1, rT0)
	t.opImm(opCmp, rT1, int(code.Att))
	t.jcc(ccNE, give)
	t.load(rS, heapAt(rT0, 8-int(code.Att)))
	t.deref(rT1, rX[1])
	t.bind(loop)
	t.deref(rT0, rS)
	t.tag(rT2, rT0)
	t.opImm(opCmp, rT2, int(code.Str))
	t.jcc(ccNE, give)
	t.load(rT2, heapAt(rT0, -int(code.Str)))
	t.compare(rT2, uint64(attFunctor), rS)
	t.jcc(ccNE, give)
	t.load(rS, heapAt(rT0, 8-int(code.Str)))
	t.op(opCmp, rS, rT1)
	t.jcc(ccE, found)
	t.testTag(rS)
	t.jcc(ccE, give) // not in the form that put_attr/3 gives it
	t.load(rS, heapAt(rT0, 24-int(code.Str)))
	t.jmp(loop)
	t.bind(found)
}

// emitFunctor takes a term apart.
func (t *translator) emitFunctor(give label) {
	list, atomic, known := t.newLabel(), t.newLabel(), t.newLabel()
	t.hasFuel(1, give)
	t.deref(rT0, rX[0])
	t.tag(rT1, rT0)
	t.opImm(opCmp, rT1, int(code.Lst))
	t.jcc(ccE, list)
	t.opImm(opCmp, rT1, int(code.Atom))
	t.jcc(ccE, atomic)
	t.opImm(opCmp, rT1, intTag)
	t.jcc(ccE, atomic)
	t.opImm(opCmp, rT1, int(code.Str))
	t.jcc(ccNE, give)
	t.load(rT0, heapAt(rT0, -int(code.Str)))
	t.movLow(rT1, rT0)
	t.shift(shr, rT1, code.ArityShift)
	t.shift(shl, rT1, 3)
	t.opImm(opOr, rT1, intTag)
	t.shift(shr, rT0, 32)
	t.shift(shl, rT0, 3)
	t.opImm(opOr, rT0, int(code.Atom))
	t.jmp(known)
	t.bind(list)
	t.movImm(rT0, int64(code.FDot.FunctorName()))
	t.movImm(rT1, int64(code.MakeInt(2)))
	t.jmp(known)
	t.bind(atomic)
	t.movImm(rT1, int64(code.MakeInt(0)))
	t.bind(known)
	t.mov(rS, rT1)
	t.unifyAtomic(1, give)
	t.mov(rT0, rS)
	t.unifyAtomic(2, give)
	t.charge(1)
}

// unifyAtomic unifies an argument register with the atom or small integer in rT0. If it exits, the binding remains, and
// the predicate makes the same binding.
func (t *translator) unifyAtomic(n int, give label) {
	done, variable := t.newLabel(), t.newLabel()
	t.deref(rT1, rX[n])
	t.op(opCmp, rT1, rT0)
	t.jcc(ccE, done)
	t.testTag(rT1)
	t.jcc(ccE, variable)
	t.jmp(give) // it fails, or an attributed variable is bound
	t.bind(variable)
	t.trailRoom(give)
	t.store(heapAt(rT1, 0), rT0)
	t.mov(rT0, rT1)
	t.trailed(done)
	t.bind(done)
}
