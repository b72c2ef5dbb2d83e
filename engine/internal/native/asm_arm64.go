package native

import (
	"encoding/binary"
	"math/bits"
)

// This file defines the assembler for arm64 (Arm Architecture Reference Manual for A-profile, chapter C6).
//
// R18 is the system's, R26 to R30 are Go's: R28 is the goroutine, and native code returns by what the trampoline has
// left in R30. Templates know nothing of the scratch registers, which hold addresses and numbers that do not fit in an
// instruction.

// Registers of the machine. rT0 to rT2 are for anyone.
const (
	rT0   reg = 0
	rT1   reg = 1
	rT2   reg = 2
	rM    reg = 19 // the machine
	rHeap reg = 20 // where the heap begins
	rH    reg = 21 // top of the heap, as a byte offset and so as a reference
	rE    reg = 22
	rS    reg = 23 // the compound that is read, as a byte offset
)

// rX are the argument registers that have registers of the processor.
var rX = [...]reg{3, 4, 5, 6, 7, 8, 9}

// The scratch registers.
const (
	rAddress reg = 16 // an address
	rOperand reg = 17 // an operand from memory, or a number for addressing
	rNumber  reg = 15 // a number that is an operand
	rZero    reg = 31 // always 0
)

// The conditions. Those of unsigned numbers, ccB and the like, hold after opSub and opCmp, test and floatCompare.
const (
	ccE  cond = 0
	ccNE cond = 1
	ccAE cond = 2
	ccB  cond = 3
	ccS  cond = 4
	ccNS cond = 5
	ccO  cond = 6
	ccNO cond = 7
	ccA  cond = 8
	ccBE cond = 9
	ccGE cond = 10
	ccL  cond = 11
	ccG  cond = 12
	ccLE cond = 13

	ccP = ccO // of floats: one is not a number
)

const (
	opAdd alu = iota
	opSub
	opCmp
	opAnd
	opOr
	opXor
)

// aluWords are the instructions on two registers, aluImmWords those on a register and a number. Those of opOr and opXor
// set no flags.
var (
	aluWords = [...]uint32{
		opAdd: 0xAB000000, opSub: 0xEB000000, opCmp: 0xEB000000, opAnd: 0xEA000000, opOr: 0xAA000000, opXor: 0xCA000000,
	}
	aluImmWords = [...]uint32{
		opAdd: 0xB1000000, opSub: 0xF1000000, opCmp: 0xF1000000, opAnd: 0xF2000000, opOr: 0xB2000000, opXor: 0xD2000000,
	}
)

const (
	shl shiftKind = iota
	shr
	sar
)

// The operations on floats, by their opcodes.
const (
	floatMul byte = 0
	floatDiv byte = 1
	floatAdd byte = 2
	floatSub byte = 3
)

// Instructions, without operands. Those that access memory are in the form with an unsigned offset.
const (
	insAdd          = 0x8B000000
	insAddImm       = 0x91000000
	insAdr          = 0x10000000
	insAndImm       = 0x92000000
	insAsrBy        = 0x9AC02800
	insB            = 0x14000000
	insBCond        = 0x54000000
	insBr           = 0xD61F0000
	insCsel         = 0x9A800000
	insField        = 0xD3400000 // UBFM, which shifts
	insFloatBits    = 0x9E660000
	insFloatCompare = 0x1E602000
	insFloatInt     = 0x9E620000
	insFloatOp      = 0x1E600800
	insLdr          = 0xF9400000
	insLdr16        = 0x79400000
	insLdr32        = 0xB9400000
	insLdr8         = 0x39400000
	insLdrFloat     = 0xFD400000
	insLslBy        = 0x9AC02000
	insLsrBy        = 0x9AC02400
	insMov          = 0xAA0003E0
	insMovLow       = 0x2A0003E0
	insMovk         = 0xF2800000
	insMovn         = 0x92800000
	insMovz         = 0xD2800000
	insMsub         = 0x9B008000
	insMul          = 0x9B007C00
	insNop          = 0xD503201F
	insRet          = 0xD65F03C0
	insSdiv         = 0x9AC00C00
	insSignField    = 0x93400000 // SBFM
	insSmulh        = 0x9B407C00
	insStr          = 0xF9000000
	insStr8         = 0x39000000
	insSubImm       = 0xD1000000
)

// maxCode is a bound on the size of code, below the reach of a conditional jump, which is 1 MiB.
const maxCode = 1<<20 - 4

type asm struct{ buffer }

// ins3 lays down an instruction with three registers.
func (a *asm) ins3(op uint32, d, n, m reg) { a.word32(op | uint32(m)<<16 | uint32(n)<<5 | uint32(d)) }

// access lays down an instruction that loads or stores. rAddress and rOperand may be lost before it.
func (a *asm) access(op uint32, r reg, m mem) {
	size := op >> 30 // of what is accessed, as a power of 2
	if m.index != noReg {
		if m.disp == 0 && (m.scale == 0 || uint32(m.scale) == size) {
			scaled := uint32(0)
			if m.scale != 0 {
				scaled = 1 << 12
			}
			a.ins3(op&^(1<<24)|0x206800|scaled, r, m.base, m.index)
			return
		}
		a.ins3(insAdd|uint32(m.scale)<<10, rAddress, m.base, m.index)
		m = at(rAddress, m.disp)
	}
	aligned := m.disp&(1<<size-1) == 0
	switch {
	case aligned && m.disp >= 0 && m.disp>>size <= 0xfff:
	case m.disp >= -256 && m.disp < 256:
		a.word32(op&^(1<<24) | uint32(m.disp&0x1ff)<<12 | uint32(m.base)<<5 | uint32(r))
		return
	default:
		near := 0
		if aligned {
			near = m.disp & 0xfff
		}
		a.addNumber(rAddress, m.base, m.disp-near)
		m = at(rAddress, near)
	}
	a.word32(op | uint32(m.disp>>size)<<10 | uint32(m.base)<<5 | uint32(r))
}

// addNumber does d = s + n and leaves the flags. rOperand may be lost.
func (a *asm) addNumber(d, s reg, n int) {
	op, size := uint32(insAddImm), n
	if n < 0 {
		op, size = insSubImm, -n
	}
	if size >= 1<<24 {
		a.movImm(rOperand, int64(n))
		a.ins3(insAdd, d, s, rOperand)
		return
	}
	if high := size >> 12; high != 0 {
		a.word32(op | 1<<22 | uint32(high)<<10 | uint32(s)<<5 | uint32(d))
		s = d
	}
	if low := size & 0xfff; low != 0 || s != d {
		a.word32(op | uint32(low)<<10 | uint32(s)<<5 | uint32(d))
	}
}

// mov copies a register.
func (a *asm) mov(d, s reg) {
	if d != s {
		a.ins3(insMov, d, 0, s)
	}
}

// movLow copies the low half of a register and clears the high half.
func (a *asm) movLow(d, s reg) { a.ins3(insMovLow, d, 0, s) }

// movImm loads a number.
func (a *asm) movImm(d reg, n int64) {
	zeros, ones := 0, 0
	for i := 0; i < 64; i += 16 {
		switch uint16(n >> i) {
		case 0:
			zeros++
		case 0xffff:
			ones++
		}
	}
	first, rest := uint32(insMovz), uint16(0) // the first instruction fills the register with rest
	if ones > zeros {
		first, rest = insMovn, 0xffff
	}
	op := first
	for i := range uint32(4) {
		part := uint16(n >> (16 * i))
		if part == rest {
			continue
		}
		if op == insMovn {
			part = ^part
		}
		a.word32(op | i<<21 | uint32(part)<<5 | uint32(d))
		op = insMovk
	}
	if op == first {
		a.word32(op | uint32(d))
	}
}

// load and store move words of 64 bits. load32 and load16 clear the bits above.
func (a *asm) load(d reg, m mem)   { a.access(insLdr, d, m) }
func (a *asm) store(m mem, s reg)  { a.access(insStr, s, m) }
func (a *asm) load32(d reg, m mem) { a.access(insLdr32, d, m) }
func (a *asm) load16(d reg, m mem) { a.access(insLdr16, d, m) }

// storeImm stores a number of 32 bits with sign. storeByte stores 0 or 1.
func (a *asm) storeImm(m mem, n int) { a.access(insStr, a.number(n), m) }

func (a *asm) storeByte(m mem, n byte) { a.access(insStr8, a.number(int(n)), m) }

// number returns a register that holds a number.
func (a *asm) number(n int) reg {
	if n == 0 {
		return rZero
	}
	a.movImm(rNumber, int64(n))
	return rNumber
}

// testByte compares a byte with 0.
func (a *asm) testByte(m mem) {
	a.access(insLdr8, rOperand, m)
	a.test(rOperand)
}

// lea loads the address of a place.
func (a *asm) lea(d reg, m mem) {
	if m.index == noReg {
		a.addNumber(d, m.base, m.disp)
		return
	}
	a.ins3(insAdd|uint32(m.scale)<<10, d, m.base, m.index)
	a.addNumber(d, d, m.disp)
}

// op does d = d op s; opCmp only sets the flags.
func (a *asm) op(o alu, d, s reg) {
	a.ins3(aluWords[o], resultOf(o, d), d, s)
	a.flags(o, d)
}

// resultOf returns where the result of an operation on d goes.
func resultOf(o alu, d reg) reg {
	if o == opCmp {
		return rZero
	}
	return d
}

// flags sets the flags by the result d of an operation that has not done so.
func (a *asm) flags(o alu, d reg) {
	if o == opOr || o == opXor {
		a.test(d)
	}
}

// opMem is op with a word of memory.
func (a *asm) opMem(o alu, d reg, m mem) {
	a.load(rOperand, m)
	a.op(o, d, rOperand)
}

// opImm is op with a number of 32 bits.
func (a *asm) opImm(o alu, d reg, n int) {
	fields, ok := uint32(0), false
	op := aluImmWords[o]
	switch o {
	case opAnd, opOr, opXor:
		fields, ok = maskFields(uint64(n))
	default:
		size := n
		if n < 0 { // adding -n sets the same flags as subtracting n, and the other way round
			size = -n
			op ^= insAddImm ^ insSubImm
		}
		fields, ok = sumFields(size)
	}
	if !ok {
		a.op(o, d, a.number(n))
		return
	}
	a.word32(op | fields | uint32(d)<<5 | uint32(resultOf(o, d)))
	a.flags(o, d)
}

// sumFields returns the encoding of a non-negative number in an add instruction, if there is one.
func sumFields(n int) (fields uint32, ok bool) {
	switch {
	case n <= 0xfff:
		return uint32(n) << 10, true
	case n&0xfff == 0 && n < 1<<24:
		return 1<<22 | uint32(n>>12)<<10, true
	}
	return 0, false
}

// maskFields returns the encoding of a number in a bit operation, if the number is a run of ones, which may wrap
// around. The processor's encodings of repeated runs are not used.
func maskFields(n uint64) (fields uint32, ok bool) {
	start, length := bits.TrailingZeros64(n), bits.OnesCount64(n)
	if n&1 != 0 {
		start = (64 - bits.LeadingZeros64(^n)) & 63
	}
	if length == 0 || length == 64 || bits.RotateLeft64(1<<length-1, start) != n {
		return 0, false
	}
	return 1<<22 | uint32(-start&63)<<16 | uint32(length-1)<<10, true
}

// opMemImm changes or compares a word of memory.
func (a *asm) opMemImm(o alu, m mem, n int) {
	if m.index != noReg || m.disp&7 != 0 || m.disp < 0 || m.disp>>3 > 0xfff {
		a.lea(rAddress, m)
		m = at(rAddress, 0)
	}
	a.load(rOperand, m)
	a.opImm(o, rOperand, n)
	if o != opCmp {
		a.store(m, rOperand)
	}
}

// test sets the flags by a register: for ccE, ccS and their opposites.
func (a *asm) test(r reg) { a.word32(aluImmWords[opCmp] | uint32(r)<<5 | uint32(rZero)) }

// tagFields stand for 7 in an operation on bits.
const tagFields = 1<<22 | 2<<10

// testTag sets the flags by the tag of a cell: ccE is that of a reference.
func (a *asm) testTag(r reg) { a.word32(aluImmWords[opAnd] | tagFields | uint32(r)<<5 | uint32(rZero)) }

// tag loads the tag of a cell.
func (a *asm) tag(d, s reg) { a.word32(insAndImm | tagFields | uint32(s)<<5 | uint32(d)) }

// inSet jumps unless the tag in rT1 is in a set of tags. rT2 is lost.
func (a *asm) inSet(tags uint8, unless label) {
	const oneFields = 1 << 22 // 1 in an operation on bits
	a.movImm(rT2, int64(tags))
	a.ins3(insLsrBy, rT2, rT2, rT1)
	a.word32(aluImmWords[opAnd] | oneFields | uint32(rT2)<<5 | uint32(rZero))
	a.jcc(ccE, unless)
}

// shift shifts by a number; the flags are lost.
func (a *asm) shift(kind shiftKind, d reg, n int) {
	op, from, to := uint32(insField), n&63, 63
	switch kind {
	case shl:
		from, to = -n&63, 63-n&63
	case sar:
		op = insSignField
	}
	a.word32(op | uint32(from)<<16 | uint32(to)<<10 | uint32(d)<<5 | uint32(d))
}

// shiftBy shifts by rT1.
func (a *asm) shiftBy(kind shiftKind, d reg) {
	a.ins3([...]uint32{shl: insLslBy, shr: insLsrBy, sar: insAsrBy}[kind], d, d, rT1)
}

// signedHalf sign-extends the low half of s to d.
func (a *asm) signedHalf(d, s reg) { a.word32(insSignField | 31<<10 | uint32(s)<<5 | uint32(d)) }

// mul multiplies and jumps if the product does not fit.
func (a *asm) mul(d, s reg, overflow label) {
	const signOfOperand = 2<<22 | 63<<10 // the second operand is shifted until its sign is left
	a.ins3(insSmulh, rOperand, d, s)
	a.ins3(insMul, d, d, s)
	a.ins3(aluWords[opCmp]|signOfOperand, rZero, rOperand, d)
	a.jcc(ccNE, overflow)
}

// mulLow multiplies and keeps the low word.
func (a *asm) mulLow(d, s reg) { a.ins3(insMul, d, d, s) }

// divide divides rT0 by rT1: the quotient, cut towards 0, is in rT0, the remainder in rT2.
func (a *asm) divide() {
	a.mov(rT2, rT0)
	a.ins3(insSdiv, rT0, rT2, rT1)
	a.ins3(insMsub|uint32(rT2)<<10, rT2, rT0, rT1)
}

// max makes d the larger one of two addresses.
func (a *asm) max(d, s reg) {
	a.op(opCmp, d, s)
	a.ins3(insCsel|uint32(ccAE)<<12, d, d, s)
}

// The kinds of fixups: the distance to a label is in a jump, in a conditional jump, or in an address load.
const (
	fixJump uint8 = iota
	fixCond
	fixAddress
)

// jcc jumps on a condition, jmp always.
func (a *asm) jcc(c cond, l label) { a.toLabel(insBCond|uint32(c), l, fixCond) }
func (a *asm) jmp(l label)         { a.toLabel(insB, l, fixJump) }

func (a *asm) toLabel(op uint32, l label, kind uint8) {
	a.fixups = append(a.fixups, fixup{len(a.code), l, kind})
	a.word32(op)
}

// jmpMem jumps to the address in memory, jmpReg to that in a register.
func (a *asm) jmpMem(m mem) {
	a.load(rAddress, m)
	a.jmpReg(rAddress)
}

func (a *asm) jmpReg(r reg) { a.word32(insBr | uint32(r)<<5) }

// loadLabel loads the address of a label.
func (a *asm) loadLabel(d reg, l label) { a.toLabel(insAdr|uint32(d), l, fixAddress) }

func (a *asm) ret() { a.word32(insRet) }

// floatLoad loads float register f, 0 or 1. floatInt makes it the value of an integer.
func (a *asm) floatLoad(f reg, m mem) { a.access(insLdrFloat, f, m) }
func (a *asm) floatInt(f, s reg)      { a.ins3(insFloatInt, f, s, 0) }

// floatOp does float register 0 = float register 0 op float register 1.
func (a *asm) floatOp(op byte) { a.ins3(insFloatOp|uint32(op)<<12, 0, 0, 1) }

// floatToBits copies the bits of float register 0.
func (a *asm) floatToBits(d reg) { a.ins3(insFloatBits, d, 0, 0) }

// floatCompare compares the float registers 0 and 1 and jumps to unordered if one is not a number. Then ccB, ccE, ccA
// and their opposites give the order.
func (a *asm) floatCompare(unordered label) {
	a.ins3(insFloatCompare, 0, 0, 1)
	a.jcc(ccP, unordered)
}

// align fills up to 8 bytes.
func (a *asm) align() {
	for len(a.code)%8 != 0 {
		a.word32(insNop)
	}
}

func patchJump(code []byte, f fixup, to int) {
	op, by := binary.LittleEndian.Uint32(code[f.at:]), uint32(to-f.at)
	switch f.kind {
	case fixJump:
		op |= by >> 2 & (1<<26 - 1)
	case fixCond:
		op |= by >> 2 & (1<<19 - 1) << 5
	case fixAddress:
		op |= by&3<<29 | by>>2&(1<<19-1)<<5
	}
	binary.LittleEndian.PutUint32(code[f.at:], op)
}
