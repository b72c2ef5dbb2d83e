package code

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file defines the disassembler, which shows code as text for tests and debugging.

// form says which operands an operation has and how they are shown.
type form uint8

const (
	formNone    form = iota
	formA            // Xa
	formAB           // Xa, Xb
	formABC          // Xa, Xb, Xc
	formAImm         // Xa, number
	formAAtom        // Xa, atom
	formACell        // Xa, cell in the next word
	formAData        // Xa, words that follow
	formAY           // Xa, Yimm
	formY            // Yimm
	formImm          // number
	formAtom         // atom
	formCell         // cell in the next word
	formTarget       // target
	formTest         // Xa, kind of test, target
	formIdent        // Xa, Xb, target
	formConst        // Xa, bc, target
	formCall         // entry/a, live slots
	formGo           // entry/a
	formBuiltin      // number/a, bc
	formNumber       // number/a
	formRows         // number/a, rows
	formTry          // target, live slots
	formTryHead      // target, places
	formSwitch
	formTable
	formAC    // Xa, Xc
	formACImm // Xa, Xc, number
	formArith // number, Xa, Xb, Xc
	formArith1
	formYY    // Xa, Ylow, Xb, Yhigh
	formYYY   // Xa, Y, Xb, Y, Xc, Y
	formLevel // slots, Ybc
	formMove2
	formBefore // Xa, Xb, orders, target
	formABCImm // Xa, Xb, Xc, number
	formLive   // offset, registers, slots
)

var opForms = [OpCount]form{
	OpAllocate: formImm, OpNeckAllocate: formImm, OpNeckExecute: formGo, OpAllocateLevel: formLevel, OpCall: formCall,
	OpExecute: formGo, OpDeallocateExecute: formGo,
	OpJump: formTarget, OpGetLevel: formY, OpMark: formY, OpCutTo: formY, OpSoftCut: formY,
	OpTryElse: formTry, OpRetryElse: formTarget, OpInitY: formY,
	OpBuiltin: formBuiltin, OpBuiltinEnd: formNumber, OpUndefined: formNumber, OpDynamic: formNumber, OpMeta: formNumber,
	OpRows: formRows, OpQualify: formNumber, OpDet: formNumber, OpDetRest: formCall, OpCallN: formNumber,
	OpSwitch: formSwitch, OpSwitchTable: formTable, OpTry: formTarget, OpTryHead: formTryHead, OpRetry: formTarget,
	OpTrust: formTarget, OpGuard: formTarget, OpShallow: formTarget,
	OpMove: formAB, OpGetY: formAY, OpGetValX: formAB, OpGetValY: formAY, OpGetAtom: formAAtom,
	OpGetInt: formAImm, OpGetCell: formACell, OpGetBlob: formAData, OpGetList: formA,
	OpGetStruct: formACell, OpGetListXX: formABC, OpGetListVX: formABC,
	OpUniVarX: formA, OpUniValX: formA, OpUniVarY: formY, OpUniValY: formY, OpUniAtom: formAtom,
	OpUniInt: formImm, OpUniCell: formCell, OpUniVoid: formImm, OpUniVarUniList: formA,
	OpPutVarX: formAB, OpPutVarY: formAY, OpNewY: formY, OpPutY: formAY, OpPutAtom: formAAtom,
	OpPutInt: formAImm, OpPutCell: formACell, OpPutBlob: formAData, OpPutList: formA,
	OpPutStruct: formACell, OpSetVarX: formA, OpSetValX: formA, OpSetVarY: formY, OpSetValY: formY,
	OpSetAtom: formAtom, OpSetInt: formImm, OpSetCell: formCell, OpSetVoid: formImm,
	OpPutListXX: formABC, OpPutListXV: formABC, OpPutTerm: formAData,
	OpTest: formTest, OpIdent: formIdent, OpBefore: formBefore, OpOrder: formABCImm, OpUnify: formIdent, OpLess: formIdent,
	OpLessEq: formIdent,
	OpNumEq:  formIdent, OpNumNe: formIdent, OpLessI: formConst, OpLessEqI: formConst,
	OpGreaterI: formConst, OpGreaterEqI: formConst, OpNumEqI: formConst, OpNumNeI: formConst,
	OpAdd: formABC, OpSub: formABC, OpMul: formABC, OpIntDiv: formABC, OpMod: formABC, OpRem: formABC,
	OpBitAnd: formABC, OpBitOr: formABC, OpShiftR: formABC, OpShiftL: formABC, OpArith: formArith,
	OpAddI: formACImm, OpEval: formAC, OpArith1: formArith1,
	OpUniVarXX: formAB, OpUniVarXXX: formABC,
	OpLive:  formLive,
	OpPutYY: formYY, OpGetYY: formYY, OpPutYYY: formYYY, OpGetYYY: formYYY, OpMove2: formMove2,
}

var testNames = [...]string{"var", "nonvar", "atom", "integer", "float", "number", "atomic",
	"compound", "callable", "string", "is_list"}

func (t Test) String() string {
	if int(t) < len(testNames) {
		return testNames[t]
	}
	return "test(" + strconv.Itoa(int(t)) + ")"
}

// Disassemble shows the instruction at an address, without the address. It reads the words
// that follow as far as they belong to the instruction.
func Disassemble(words []Instr, at int) string {
	i := words[at]
	data := words[at+1:]
	if n := i.Words() - 1; n < len(data) {
		data = data[:n]
	}
	text := operands(i, data)
	if text == "" {
		return i.Op().String()
	}
	return i.Op().String() + " " + text
}

// operands shows what follows the name of an operation.
func operands(i Instr, data []Instr) string {
	var f form
	if int(i.Op()) < len(opForms) {
		f = opForms[i.Op()]
	}
	a, b, c := i.A(), i.B(), i.C()
	switch f {
	case formA:
		return fmt.Sprintf("X%d", a)
	case formAB:
		return fmt.Sprintf("X%d, X%d", a, b)
	case formABC:
		return fmt.Sprintf("X%d, X%d, X%d", a, b, c)
	case formAImm:
		return fmt.Sprintf("X%d, %d", a, i.SImm())
	case formAAtom:
		return fmt.Sprintf("X%d, %s", a, showCell(MakeAtom(uint32(i.Imm()))))
	case formACell:
		return fmt.Sprintf("X%d, %s", a, showCells(data))
	case formAData:
		return fmt.Sprintf("X%d, {%s}", a, showCells(data))
	case formAY:
		return fmt.Sprintf("X%d, Y%d", a, i.Imm())
	case formY:
		return fmt.Sprintf("Y%d", i.Imm())
	case formImm:
		return strconv.FormatInt(i.SImm(), 10)
	case formAtom:
		return showCell(MakeAtom(uint32(i.Imm())))
	case formCell:
		return showCells(data)
	case formAC:
		return fmt.Sprintf("X%d, X%d", a, c)
	case formACImm:
		return fmt.Sprintf("X%d, %d, X%d", a, i.SImm(), c)
	case formArith:
		return fmt.Sprintf("%d, X%d, X%d, X%d", i.Imm(), a, b, c)
	case formArith1:
		return fmt.Sprintf("%d, X%d, X%d", i.Imm(), a, c)
	case formYY:
		return fmt.Sprintf("X%d, Y%d, X%d, Y%d", a, i.Imm()&0xffff, b, i.Imm()>>16)
	case formYYY:
		return fmt.Sprintf("X%d, Y%d, X%d, Y%d, X%d, Y%d", a, i.Imm()&1023, b, i.Imm()>>10&1023, c, i.Imm()>>20)
	case formLive:
		return fmt.Sprintf("from %d, %d, %d", i.Imm(), a, i.BC())
	case formLevel:
		return fmt.Sprintf("%d, Y%d", i.Imm(), i.BC())
	case formMove2:
		return fmt.Sprintf("X%d, X%d, X%d, X%d", a, b, c, uint8(i.Imm()))
	}
	return targets(f, i, data)
}

// targets shows the operands of instructions that have a target.
func targets(f form, i Instr, data []Instr) string {
	to := showTarget(i.Imm())
	switch f {
	case formTarget:
		return to
	case formTest:
		return fmt.Sprintf("X%d, %s, %s", i.A(), Test(i.B()), to)
	case formBefore:
		return fmt.Sprintf("X%d, X%d, %d, %s", i.A(), i.B(), i.C(), to)
	case formABCImm:
		return fmt.Sprintf("X%d, X%d, X%d, %d", i.A(), i.B(), i.C(), i.Imm())
	case formIdent:
		if i.C() != 0 {
			return fmt.Sprintf("X%d, X%d, not, %s", i.A(), i.B(), to)
		}
		return fmt.Sprintf("X%d, X%d, %s", i.A(), i.B(), to)
	case formConst:
		return fmt.Sprintf("X%d, %d, %s", i.A(), i.SBC(), to)
	case formCall:
		return fmt.Sprintf("%s/%d, %d", to, i.A(), i.BC())
	case formGo:
		return fmt.Sprintf("%s/%d", to, i.A())
	case formBuiltin:
		return fmt.Sprintf("#%d/%d, %d", i.Imm(), i.A(), i.BC())
	case formNumber:
		return fmt.Sprintf("#%d/%d", i.Imm(), i.A())
	case formRows:
		return fmt.Sprintf("#%d/%d, %s", i.Imm(), i.A(), showCells(data))
	case formTry:
		return fmt.Sprintf("%s, %d", to, i.BC())
	case formTryHead:
		if len(data) < 1 {
			return to
		}
		return fmt.Sprintf("%s, fail %s, then %s", to, showTarget(int(uint32(data[0]))), showTarget(int(data[0]>>32)))
	case formSwitch:
		return showSwitch(i, to, data)
	case formTable:
		return showTable(i, data)
	}
	return ""
}

// showTarget shows an address. The special ones have names.
func showTarget(at int) string {
	switch at {
	case TargetFail:
		return "fail"
	case TargetElse:
		return "else"
	}
	return "@" + strconv.Itoa(at)
}

func showSwitch(i Instr, variable string, data []Instr) string {
	if len(data) < 2 {
		return variable
	}
	return fmt.Sprintf("X%d, variable %s, constant %s, list %s, structure %s", i.A(), variable,
		showTarget(int(uint32(data[0]))), showTarget(int(data[0]>>32)), showTarget(int(data[1])))
}

// showTable shows the entries of a table, sorted. Their places depend on the numbers of atoms.
func showTable(i Instr, data []Instr) string {
	var list []string
	for n := 1; n+1 < len(data); n += 2 {
		if data[n] != 0 {
			list = append(list, showCell(Cell(data[n]))+": "+showTarget(int(data[n+1])))
		}
	}
	slices.Sort(list)
	if len(data) > 0 {
		list = append(list, "other "+showTarget(int(data[0])))
	}
	return fmt.Sprintf("X%d, %s", i.A(), strings.Join(list, ", "))
}

// showCells shows words that are cells, and the words of blobs as numbers.
func showCells(words []Instr) string {
	list := make([]string, 0, len(words))
	for i := 0; i < len(words); i++ {
		c := Cell(words[i])
		list = append(list, showCell(c))
		if c.Tag() == Hdr && !c.IsFunctor() {
			for n := c.BlobWords(); n > 0 && i+1 < len(words); n-- {
				i++
				list = append(list, fmt.Sprintf("%#x", uint64(words[i])))
			}
		}
	}
	return strings.Join(list, " ")
}

var tagNames = [...]string{Ref: "ref", Att: "var", Str: "str", Lst: "lst", Blob: "blob"}

// showCell shows one cell. It shows pointers by tag and address.
func showCell(c Cell) string {
	switch c.Tag() {
	case Atom:
		return strconv.Quote(AtomText(c.Atom()))
	case Int:
		return strconv.FormatInt(c.Int(), 10)
	case Hdr:
		if c.IsFunctor() {
			return fmt.Sprintf("%s/%d", AtomText(c.FunctorAtom()), c.FunctorArity())
		}
		return fmt.Sprintf("blob%d/%d", c.BlobKind(), c.BlobWords())
	}
	return fmt.Sprintf("%s(%d)", tagNames[c.Tag()], c.Addr())
}
