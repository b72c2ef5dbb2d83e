package code

import "fmt"

// Instr is one instruction word: op in the low byte, then three 8-bit operands a, b, c and a 32-bit operand imm. b and
// c together are the 16-bit operand bc. Xn is argument register n, Yn slot n of the environment.
type Instr uint64

// Op is an operation code.
type Op uint8

// Fail as a target of a test means backtracking; Else means the address in the machine's
// else register, where the next clause of a guarded chain stands.
const (
	TargetFail = 0
	TargetElse = 1
)

// The operations. Variables live on the heap only, so an environment slot or register always
// holds a value: an atomic cell, a pointer, or a reference.
const (
	// The targets of tests. The address of each is its number.
	OpFail Op = iota // backtrack
	OpElse           // to the address in the else register

	// Control.
	OpAllocate // imm: environment of imm slots; saves E and CP
	OpCall     // imm: entry, a: arity, bc: live slots; CP becomes the next instruction
	OpExecute  // imm: entry, a: arity; last call
	OpProceed  // to CP
	OpDeallocateExecute
	OpDeallocateProceed
	OpJump // imm
	// Goals may have to run before a cut. For them cuts carry a: registers in use, bc: 1 + number of slots, 0 without
	// environment.
	OpNeckCut     // cut to the choice point at entry
	OpNeckShallow // remove the shallow choice that OpShallow has begun; without one, as OpNeckCut
	// The necks push the choice point of OpTryHead if that has led here. Then they do the same as the instruction in
	// their name.
	OpNeckTry
	OpNeckAllocate
	OpNeckProceed
	OpNeckExecute
	OpGetLevel    // Y[imm] := choice point at entry
	OpMark        // Y[imm] := current choice point; before that as OpWake, unless bc is 0
	OpCutTo       // imm: cut to the choice point in Y[imm]
	OpSoftCut     // imm: make the choice point after the one in Y[imm] fail when backtracked to
	OpTryElse     // imm: push a choice point without arguments that goes on at imm
	OpRetryElse   // imm: the choice point now goes on at imm
	OpTrustElse   // pop the choice point
	OpWake        // run the goals that wait, if there are some; a: registers, bc: 1 + slots in use
	OpLive        // behind the code of a clause, never executed: a and bc as of OpWake, for the tests from offset imm on
	OpInitY       // Y[imm] := 0, so that a collection finds a value there
	OpBuiltin     // imm: deterministic built-in, a: arity, bc: 1 + live slots or 0 without environment; ends X
	OpBuiltinEnd  // imm, a: the same for any built-in, then proceed
	OpUndefined   // imm: predicate; resolves it or throws
	OpDynamic     // imm: predicate; selects among its clauses at run time
	OpRetryDyn    // next clause of OpDynamic
	OpRows        // a: arity, bc: number of facts, imm: predicate; their constants follow, row by row
	OpRowsFound   // binds the arguments to the row at the register for parts
	OpRowsRetry   // alternative of OpRows: the next row that matches
	OpRedo        // next answer of a nondeterministic built-in
	OpMeta        // imm: predicate implemented by the machine itself, a: arity
	OpCallN       // the same for call/N with N > 1, with a shortcut for goals that were called before
	OpShallowFail // alternative of a shallow choice that became a choice point because goals had to run before its cut
	OpCleanupFail // alternative of a cleanup frame: run the cleanup, then fail
	OpCleanupExit // the goal of setup_call_cleanup/3 has succeeded
	OpPopCatch    // Y[0]: leave catch/3
	OpCatchFail   // alternative of a catch frame: pop and fail
	OpResume      // go on with the call that was put off for a wake-up
	OpExit        // the query succeeded
	OpNoMore      // the query has no more answers

	// Selection among clauses.
	OpSwitch      // on X[a]; imm: variable; next word: constant (low half), list (high half); next: structure
	OpSwitchTable // on X[a]; imm: mask; next word: target if absent; then 2*(mask+1) words: key, target
	OpTry         // imm: clause, a: arity; choice point goes on at the next instruction
	OpTryHead     // imm: clause, a: arity; next word: where failure goes (low half) up to OpNeckTry, then (high half)
	OpRetry       // imm: clause
	OpTrust       // imm: clause
	OpGuard       // imm: clause; the else register is set to the next instruction
	OpShallow     // imm: clause; as OpGuard, and until its cut failure undoes bindings and goes there

	// Head: match an argument.
	OpMove      // X[b] := X[a]
	OpGetY      // Y[imm] := X[a]
	OpGetValX   // unify X[a] with X[b]
	OpGetValY   // unify X[a] with Y[imm]
	OpGetAtom   // unify X[a] with atom imm
	OpGetInt    // unify X[a] with the 32-bit integer imm
	OpGetCell   // unify X[a] with the next word
	OpGetBlob   // unify X[a] with the blob in the next imm words
	OpGetList   // X[a] is a list cell; its parts follow
	OpGetStruct // X[a] is a compound with the functor in the next word; its parts follow
	OpGetListXX // X[a] = [X[b]|X[c]], both new
	OpGetListVX // X[a] = [X[b]|X[c]], the head old, the tail new

	// Parts of a compound, matched or built depending on the mode.
	OpUniVarX       // a: X[a] is new
	OpUniValX       // a
	OpUniVarY       // imm: Y[imm] is new
	OpUniValY       // imm
	OpUniAtom       // imm
	OpUniInt        // imm
	OpUniCell       // next word
	OpUniVoid       // imm: skip that many parts
	OpUniList       // the last part is a list cell; its parts follow
	OpUniVarUniList // a: X[a] is new, then as OpUniList
	OpUniVarXX      // a, b: two parts, both new
	OpUniVarXXX     // a, b, c

	// Body: load an argument.
	OpPutVarX   // X[a], X[b] := new variable
	OpPutVarY   // X[a], Y[imm] := new variable
	OpNewY      // Y[imm] := new variable
	OpPutY      // X[a] := Y[imm]
	OpPutAtom   // X[a] := atom imm
	OpPutInt    // X[a] := 32-bit integer imm
	OpPutCell   // X[a] := next word
	OpPutBlob   // X[a] := blob in the next imm words
	OpPutList   // X[a] := list cell; its parts follow
	OpPutStruct // X[a] := compound with the functor in the next word; its parts follow
	OpSetVarX   // a: part is a new variable, X[a] too
	OpSetValX   // a
	OpSetVarY   // imm: part is a new variable, Y[imm] too
	OpSetValY   // imm
	OpSetAtom   // imm
	OpSetInt    // imm
	OpSetCell   // next word
	OpSetVoid   // imm: that many new variables
	OpSetList   // the last part is a list cell; its parts follow
	OpPutListXX // X[a] := [X[b]|X[c]]
	OpPutListXV // X[a] := [X[b]|new], X[c] := the new variable
	OpPutTerm   // X[a] := copy of the term in the next imm words, see Template

	// Inline goals. A target is an address, TargetFail or TargetElse.
	OpTest   // a, b: Test kind, imm: target if X[a] is not of the kind
	OpIdent  // a, b: imm: target if X[a] \== X[b]; c = 1 turns the test round
	OpBefore // a, b: imm: target unless the order of X[a] and X[b] is in c, see OrderLess
	OpUnify  // a, b: imm: target if they do not unify; bindings are undone only by backtracking
	OpLess   // a, b: imm: target unless X[a] < X[b]; the comparisons evaluate both sides
	OpLessEq // a, b, imm
	OpNumEq  // a, b, imm
	OpNumNe  // a, b, imm
	OpLessI  // a, bc: signed 16-bit constant, imm
	OpLessEqI
	OpGreaterI
	OpGreaterEqI
	OpNumEqI
	OpNumNeI
	OpAdd    // X[c] := X[a] + X[b]
	OpSub    // X[c] := X[a] - X[b]
	OpMul    // X[c] := X[a] * X[b]
	OpIntDiv // X[c] := X[a] // X[b]
	OpMod    // X[c] := X[a] mod X[b]
	OpRem    // X[c] := X[a] rem X[b]
	OpBitAnd // X[c] := X[a] /\ X[b]
	OpBitOr  // X[c] := X[a] \/ X[b]
	OpShiftR // X[c] := X[a] >> X[b]
	OpShiftL // X[c] := X[a] << X[b]
	OpArith  // X[c] := function imm of X[a], X[b]
	OpAddI   // X[c] := X[a] + imm; from here on one register operand
	OpEval   // X[c] := value of the term X[a]
	OpArith1 // X[c] := function imm of X[a]
	OpOrder  // X[c] := atom <, = or > for the order of X[a] and X[b]; imm 1: check X[c] and unify it instead

	// Superinstructions, chosen from counted pairs.
	OpPutYY // X[a] := Y[imm low half], X[b] := Y[imm high half]
	OpGetYY // Y[imm low half] := X[a], Y[imm high half] := X[b]
	OpMove2 // X[b] := X[a], then X[imm] := X[c]
	// OpPutYYY and OpGetYYY have their three slots in imm, with 10 bits each, the first one lowest.
	OpPutYYY        // X[a], X[b], X[c] := three slots
	OpGetYYY        // three slots := X[a], X[b], X[c]
	OpAllocateLevel // as OpAllocate, then OpGetLevel of slot bc

	OpQualify // imm: predicate; adds the module to those of its arguments that depend on one

	OpDet     // imm: predicate; begins to check that its call has one answer and leaves no choice point
	OpDetRest // imm: the clause's predicate, bc: 1 + slots or 0 without environment; the same for the rest of the clause
	OpDetExit // Y[0], Y[1]: the watched call has succeeded
	OpDetFail // alternative of a watched call: it has failed

	OpCount // the number of operations
)

// Orders of two terms, as bits.
const (
	OrderLess = 1 << iota
	OrderEqual
	OrderGreater
)

// Template is the first number in an [OpPutTerm] that means a slot. The words of the instruction are the root of the
// term and then its cells, with pointers relative to the first of them. Att|n stands for the value of X[n], or for
// that of Y[n-Template] if n is at least Template.
const Template = 256

// MaxRow is the largest arity of the facts of an [OpRows].
const MaxRow = 8

// Test is the kind of an OpTest.
type Test uint8

// The type tests that run inline.
const (
	TestVar Test = iota
	TestNonvar
	TestAtom
	TestInteger
	TestFloat
	TestNumber
	TestAtomic
	TestCompound
	TestCallable
	TestString
	TestIsList
)

// Make builds an instruction.
func Make(op Op, a, b, c int, imm uint32) Instr {
	return Instr(op) | Instr(uint8(a))<<8 | Instr(uint8(b))<<16 | Instr(uint8(c))<<24 | Instr(imm)<<32
}

// MakeBC builds an instruction with a 16-bit operand bc.
func MakeBC(op Op, a, bc int, imm uint32) Instr { return Make(op, a, bc, bc>>8, imm) }

// Op returns the operation. A, B, C, BC and Imm are its operands; Imm is unsigned, SImm and SBC are signed.
func (i Instr) Op() Op      { return Op(i) }
func (i Instr) A() uint8    { return uint8(i >> 8) }
func (i Instr) B() uint8    { return uint8(i >> 16) }
func (i Instr) C() uint8    { return uint8(i >> 24) }
func (i Instr) BC() int     { return int(uint16(i >> 16)) }
func (i Instr) SBC() int64  { return int64(int16(i >> 16)) }
func (i Instr) Imm() int    { return int(uint32(i >> 32)) }
func (i Instr) SImm() int64 { return int64(i) >> 32 }

// MakeMeta builds the entry of a predicate implemented by the machine itself.
func MakeMeta(functor Cell, id uint32) Instr {
	op, arity := OpMeta, functor.FunctorArity()
	if arity > 1 && functor.FunctorAtom() == FCall.FunctorAtom() {
		op = OpCallN
	}
	return Make(op, arity, 0, 0, id)
}

// WithImm returns the instruction with another imm.
func (i Instr) WithImm(imm uint32) Instr { return i&0xffffffff | Instr(imm)<<32 }

// Words returns how many words the instruction takes, its inline data included.
func (i Instr) Words() int {
	switch i.Op() {
	case OpGetCell, OpUniCell, OpPutCell, OpSetCell, OpGetStruct, OpPutStruct, OpTryHead:
		return 2
	case OpGetBlob, OpPutBlob, OpPutTerm:
		return 1 + i.Imm()
	case OpRows:
		return 1 + int(i.A())*i.BC()
	case OpSwitch:
		return 3
	case OpSwitchTable:
		return 2 + 2*(i.Imm()+1)
	}
	return 1
}

func (op Op) String() string {
	if int(op) < len(opNames) && opNames[op] != "" {
		return opNames[op]
	}
	return fmt.Sprintf("op(%d)", op)
}

// SwitchHash is the slot where the search for key begins in a table of mask+1 entries.
func SwitchHash(key Cell, mask int) int { return int(uint64(key)*0x9E3779B97F4A7C15>>40) & mask }

// This part defines which slots of the environment instructions use.

// EachSlot calls f for each slot that the instruction at the start of words reads or writes.
func EachSlot(words []Instr, f func(slot int, written bool)) {
	w := words[0]
	const third = 1<<10 - 1
	switch w.Op() {
	case OpGetLevel, OpMark, OpInitY, OpGetY, OpUniVarY, OpPutVarY, OpNewY, OpSetVarY:
		f(w.Imm(), true)
	case OpCutTo, OpSoftCut, OpGetValY, OpUniValY, OpPutY, OpSetValY:
		f(w.Imm(), false)
	case OpAllocateLevel:
		f(w.BC(), true)
	case OpGetYY, OpPutYY:
		f(w.Imm()&0xffff, w.Op() == OpGetYY)
		f(w.Imm()>>16, w.Op() == OpGetYY)
	case OpGetYYY, OpPutYYY:
		for i := range 3 {
			f(w.Imm()>>(10*i)&third, w.Op() == OpGetYYY)
		}
	case OpPutTerm:
		templateSlots(words[1:1+w.Imm()], f)
	}
}

// Loads returns the slots that the first n instructions load into registers 0 to 3, by register.
func Loads(words []Instr) (slots [4]int, n int) {
	for ; ; n++ {
		switch w := words[n]; w.Op() {
		case OpPutY:
			slots[w.A()&3] = w.Imm()
		case OpPutYY:
			slots[w.A()&3], slots[w.B()&3] = w.Imm()&0xffff, w.Imm()>>16
		case OpPutYYY:
			const third = 1<<10 - 1
			slots[w.A()&3], slots[w.B()&3], slots[w.C()&3] = w.Imm()&third, w.Imm()>>10&third, w.Imm()>>20
		default:
			return slots, n
		}
	}
}

// templateSlots calls f for the slots in the words of an OpPutTerm.
func templateSlots(words []Instr, f func(slot int, written bool)) {
	for i := 1; i < len(words); i++ {
		switch c := Cell(words[i]); {
		case c.Tag() == Att && c.Addr() >= Template:
			f(c.Addr()-Template, false)
		case c.Tag() == Hdr && !c.IsFunctor():
			i += c.BlobWords()
		}
	}
}

// opNames are the names that the disassembler shows.
var opNames = [OpCount]string{
	OpFail:              "fail",
	OpElse:              "else",
	OpAllocate:          "allocate",
	OpCall:              "call",
	OpExecute:           "execute",
	OpProceed:           "proceed",
	OpDeallocateExecute: "deallocate_execute",
	OpDeallocateProceed: "deallocate_proceed",
	OpJump:              "jump",
	OpNeckCut:           "neck_cut",
	OpNeckShallow:       "neck_shallow",
	OpNeckTry:           "neck_try",
	OpNeckAllocate:      "neck_allocate",
	OpNeckProceed:       "neck_proceed",
	OpNeckExecute:       "neck_execute",
	OpGetLevel:          "get_level",
	OpMark:              "mark",
	OpCutTo:             "cut_to",
	OpSoftCut:           "soft_cut",
	OpTryElse:           "try_else",
	OpRetryElse:         "retry_else",
	OpTrustElse:         "trust_else",
	OpInitY:             "init_y",
	OpWake:              "wake",
	OpLive:              "live",
	OpBuiltin:           "builtin",
	OpBuiltinEnd:        "builtin_end",
	OpQualify:           "qualify",
	OpDet:               "det",
	OpDetRest:           "det_rest",
	OpDetExit:           "det_exit",
	OpDetFail:           "det_fail",
	OpUndefined:         "undefined",
	OpDynamic:           "dynamic",
	OpRetryDyn:          "retry_dyn",
	OpRows:              "rows",
	OpRowsFound:         "rows_found",
	OpRowsRetry:         "rows_retry",
	OpRedo:              "redo",
	OpMeta:              "meta",
	OpCallN:             "call_n",
	OpShallowFail:       "shallow_fail",
	OpCleanupFail:       "cleanup_fail",
	OpCleanupExit:       "cleanup_exit",
	OpPopCatch:          "pop_catch",
	OpCatchFail:         "catch_fail",
	OpResume:            "resume",
	OpExit:              "exit",
	OpNoMore:            "no_more",
	OpSwitch:            "switch",
	OpSwitchTable:       "switch_table",
	OpTry:               "try",
	OpTryHead:           "try_head",
	OpRetry:             "retry",
	OpTrust:             "trust",
	OpGuard:             "guard",
	OpShallow:           "shallow",
	OpMove:              "move",
	OpGetY:              "get_y",
	OpGetValX:           "get_val_x",
	OpGetValY:           "get_val_y",
	OpGetAtom:           "get_atom",
	OpGetInt:            "get_int",
	OpGetCell:           "get_cell",
	OpGetBlob:           "get_blob",
	OpGetList:           "get_list",
	OpGetStruct:         "get_struct",
	OpGetListXX:         "get_list_xx",
	OpGetListVX:         "get_list_vx",
	OpUniVarX:           "uni_var_x",
	OpUniValX:           "uni_val_x",
	OpUniVarY:           "uni_var_y",
	OpUniValY:           "uni_val_y",
	OpUniAtom:           "uni_atom",
	OpUniInt:            "uni_int",
	OpUniCell:           "uni_cell",
	OpUniVoid:           "uni_void",
	OpUniList:           "uni_list",
	OpUniVarUniList:     "uni_var_uni_list",
	OpUniVarXX:          "uni_var_xx",
	OpUniVarXXX:         "uni_var_xxx",
	OpPutVarX:           "put_var_x",
	OpPutVarY:           "put_var_y",
	OpNewY:              "new_y",
	OpPutY:              "put_y",
	OpPutAtom:           "put_atom",
	OpPutInt:            "put_int",
	OpPutCell:           "put_cell",
	OpPutBlob:           "put_blob",
	OpPutList:           "put_list",
	OpPutStruct:         "put_struct",
	OpSetVarX:           "set_var_x",
	OpSetValX:           "set_val_x",
	OpSetVarY:           "set_var_y",
	OpSetValY:           "set_val_y",
	OpSetAtom:           "set_atom",
	OpSetInt:            "set_int",
	OpSetCell:           "set_cell",
	OpSetVoid:           "set_void",
	OpSetList:           "set_list",
	OpPutListXX:         "put_list_xx",
	OpPutListXV:         "put_list_xv",
	OpPutTerm:           "put_term",
	OpTest:              "test",
	OpIdent:             "ident",
	OpBefore:            "before",
	OpUnify:             "unify",
	OpLess:              "less",
	OpLessEq:            "less_eq",
	OpNumEq:             "num_eq",
	OpNumNe:             "num_ne",
	OpLessI:             "less_i",
	OpLessEqI:           "less_eq_i",
	OpGreaterI:          "greater_i",
	OpGreaterEqI:        "greater_eq_i",
	OpNumEqI:            "num_eq_i",
	OpNumNeI:            "num_ne_i",
	OpAdd:               "add",
	OpSub:               "sub",
	OpMul:               "mul",
	OpIntDiv:            "int_div",
	OpMod:               "mod",
	OpRem:               "rem",
	OpBitAnd:            "bit_and",
	OpBitOr:             "bit_or",
	OpShiftR:            "shift_r",
	OpShiftL:            "shift_l",
	OpArith:             "arith",
	OpAddI:              "add_i",
	OpEval:              "eval",
	OpArith1:            "arith1",
	OpOrder:             "order",
	OpPutYY:             "put_yy",
	OpGetYY:             "get_yy",
	OpPutYYY:            "put_yyy",
	OpGetYYY:            "get_yyy",
	OpAllocateLevel:     "allocate_level",
	OpMove2:             "move2",
}
