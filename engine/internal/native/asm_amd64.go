package native

import "encoding/binary"

// This file defines the assembler for amd64 (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2).

// Registers of the machine. rT0 to rT2 are for anyone; rX are the first argument registers.
const (
	rT0   reg = 0 // AX
	rT1   reg = 1 // CX, which counts shifts
	rT2   reg = 2 // DX
	rM    reg = 3 // BX: the machine
	rHeap reg = 8 // where the heap begins
	rH    reg = 9 // top of the heap, as a byte offset and so as a reference
	rE    reg = 12
	rS    reg = 15 // the compound that is read, as a byte offset
)

// rX are the argument registers that have registers of the processor.
var rX = [...]reg{6, 7, 5, 10, 11, 13, 14} // SI, DI, BP, R10, R11, R13, R14

const (
	ccO  cond = 0
	ccNO cond = 1
	ccB  cond = 2
	ccAE cond = 3
	ccE  cond = 4
	ccNE cond = 5
	ccBE cond = 6
	ccA  cond = 7
	ccS  cond = 8
	ccNS cond = 9
	ccP  cond = 10
	ccL  cond = 12
	ccGE cond = 13
	ccLE cond = 14
	ccG  cond = 15
)

const (
	opAdd alu = 0
	opOr  alu = 1
	opAnd alu = 4
	opSub alu = 5
	opXor alu = 6
	opCmp alu = 7
)

const (
	shl shiftKind = 4
	shr shiftKind = 5
	sar shiftKind = 7
)

// The operations on floats, by their opcodes.
const (
	floatAdd byte = 0x58
	floatMul byte = 0x59
	floatSub byte = 0x5C
	floatDiv byte = 0x5E
)

// distance is the kind of all fixups: the distance of a label from the next instruction, in 32 bits.
const distance uint8 = 0

// maxCode is a bound on the size of code, below the reach of a jump.
const maxCode = 1<<31 - 1

type asm struct{ buffer }

// encode lays down an instruction with a register and a place in memory.
func (a *asm) encode(wide bool, r reg, m mem, op ...byte) {
	rex := byte(r>>3)<<2 | byte(m.base>>3)
	if wide {
		rex |= 8
	}
	if m.index != noReg {
		rex |= byte(m.index>>3) << 1
	}
	if rex != 0 {
		a.bytes(0x40 | rex)
	}
	a.bytes(op...)
	mod := byte(2)
	switch {
	case m.disp == 0 && m.base&7 != 5:
		mod = 0
	case fits8(m.disp):
		mod = 1
	}
	if m.index == noReg && m.base&7 != 4 {
		a.bytes(mod<<6 | byte(r&7)<<3 | byte(m.base&7))
	} else {
		index := byte(4)
		if m.index != noReg {
			index = byte(m.index & 7)
		}
		a.bytes(mod<<6|byte(r&7)<<3|4, m.scale<<6|index<<3|byte(m.base&7))
	}
	switch mod {
	case 1:
		a.bytes(byte(m.disp))
	case 2:
		a.word32(uint32(int32(m.disp)))
	}
}

// encode2 lays down an instruction with two registers.
func (a *asm) encode2(wide bool, r, rm reg, op ...byte) {
	rex := byte(r>>3)<<2 | byte(rm>>3)
	if wide {
		rex |= 8
	}
	if rex != 0 {
		a.bytes(0x40 | rex)
	}
	a.bytes(op...)
	a.bytes(0xC0 | byte(r&7)<<3 | byte(rm&7))
}

// mov copies a register.
func (a *asm) mov(d, s reg) {
	if d != s {
		a.encode2(true, s, d, 0x89)
	}
}

// movLow copies the low half of a register and clears the high half.
func (a *asm) movLow(d, s reg) { a.encode2(false, s, d, 0x89) }

// movImm loads a number.
func (a *asm) movImm(d reg, n int64) {
	switch {
	case n == int64(uint32(n)):
		if d >= 8 {
			a.bytes(0x41)
		}
		a.bytes(0xB8 | byte(d&7))
		a.word32(uint32(n))
	case fits32(int(n)):
		a.encode2(true, 0, d, 0xC7)
		a.word32(uint32(n))
	default:
		a.bytes(0x48|byte(d>>3), 0xB8|byte(d&7))
		a.word64(uint64(n))
	}
}

// load and store move words of 64 bits. load32 and load16 clear the bits above.
func (a *asm) load(d reg, m mem)   { a.encode(true, d, m, 0x8B) }
func (a *asm) store(m mem, s reg)  { a.encode(true, s, m, 0x89) }
func (a *asm) load32(d reg, m mem) { a.encode(false, d, m, 0x8B) }
func (a *asm) load16(d reg, m mem) { a.encode(false, d, m, 0x0F, 0xB7) }

// storeImm stores a number of 32 bits with sign. storeByte stores 0 or 1.
func (a *asm) storeImm(m mem, n int) {
	a.encode(true, 0, m, 0xC7)
	a.word32(uint32(int32(n)))
}

func (a *asm) storeByte(m mem, n byte) {
	a.encode(false, 0, m, 0xC6)
	a.bytes(n)
}

// testByte compares a byte with 0.
func (a *asm) testByte(m mem) {
	a.encode(false, 7, m, 0x80)
	a.bytes(0)
}

// lea loads the address of a place.
func (a *asm) lea(d reg, m mem) { a.encode(true, d, m, 0x8D) }

// op does d = d op s; opCmp only sets the flags.
func (a *asm) op(o alu, d, s reg) { a.encode2(true, s, d, byte(o<<3|1)) }

// opMem is op with a word of memory.
func (a *asm) opMem(o alu, d reg, m mem) { a.encode(true, d, m, byte(o<<3|3)) }

// opImm is op with a number of 32 bits.
func (a *asm) opImm(o alu, d reg, n int) {
	if fits8(n) {
		a.encode2(true, reg(o), d, 0x83)
		a.bytes(byte(n))
		return
	}
	a.encode2(true, reg(o), d, 0x81)
	a.word32(uint32(int32(n)))
}

// opMemImm changes or compares a word of memory.
func (a *asm) opMemImm(o alu, m mem, n int) {
	if fits8(n) {
		a.encode(true, reg(o), m, 0x83)
		a.bytes(byte(n))
		return
	}
	a.encode(true, reg(o), m, 0x81)
	a.word32(uint32(int32(n)))
}

// test sets the flags by a register: for ccE, ccS and their opposites.
func (a *asm) test(r reg) { a.encode2(true, r, r, 0x85) }

// testTag sets the flags by the tag of a cell: ccE is that of a reference.
func (a *asm) testTag(r reg) {
	if r < 4 {
		a.bytes(0xF6, 0xC0|byte(r), 7)
		return
	}
	a.bytes(0x40|byte(r>>3), 0xF6, 0xC0|byte(r&7), 7)
}

// tag loads the tag of a cell.
func (a *asm) tag(d, s reg) {
	a.movLow(d, s)
	a.encode2(false, reg(opAnd), d, 0x83)
	a.bytes(7)
}

// inSet jumps unless the tag in rT1 is in a set of tags. rT2 is lost.
func (a *asm) inSet(tags uint8, unless label) {
	a.movImm(rT2, int64(tags))
	a.encode2(false, rT1, rT2, 0x0F, 0xA3) // bt
	a.jcc(ccAE, unless)
}

// shift shifts by a number; the flags are lost.
func (a *asm) shift(kind shiftKind, d reg, n int) {
	a.encode2(true, reg(kind), d, 0xC1)
	a.bytes(byte(n))
}

// shiftBy shifts by rT1.
func (a *asm) shiftBy(kind shiftKind, d reg) { a.encode2(true, reg(kind), d, 0xD3) }

// signedHalf sign-extends the low half of s to d.
func (a *asm) signedHalf(d, s reg) { a.encode2(true, d, s, 0x63) }

// mul multiplies and jumps if the product does not fit.
func (a *asm) mul(d, s reg, overflow label) {
	a.encode2(true, d, s, 0x0F, 0xAF)
	a.jcc(ccO, overflow)
}

// mulLow multiplies and keeps the low word.
func (a *asm) mulLow(d, s reg) { a.encode2(true, d, s, 0x0F, 0xAF) }

// divide divides rT0 by rT1: the quotient, cut towards 0, is in rT0, the remainder in rT2.
func (a *asm) divide() {
	a.bytes(0x48, 0x99) // cqo
	a.encode2(true, 7, rT1, 0xF7)
}

// max makes d the larger one of two addresses.
func (a *asm) max(d, s reg) {
	a.op(opCmp, d, s)
	a.encode2(true, d, s, 0x0F, 0x42) // cmovb
}

// jcc jumps on a condition, jmp always.
func (a *asm) jcc(c cond, l label) {
	a.bytes(0x0F, 0x80|byte(c))
	a.jumpTo(l)
}

func (a *asm) jmp(l label) {
	a.bytes(0xE9)
	a.jumpTo(l)
}

func (a *asm) jumpTo(l label) {
	a.fixups = append(a.fixups, fixup{at: len(a.code), to: l, kind: distance})
	a.word32(0)
}

// jmpMem jumps to the address in memory, jmpReg to that in a register.
func (a *asm) jmpMem(m mem) { a.encode(false, 4, m, 0xFF) }
func (a *asm) jmpReg(r reg) { a.encode2(false, 4, r, 0xFF) }

// loadLabel loads the address of a label.
func (a *asm) loadLabel(d reg, l label) {
	a.bytes(0x48|byte(d>>3)<<2, 0x8D, byte(d&7)<<3|5)
	a.jumpTo(l)
}

func (a *asm) ret() { a.bytes(0xC3) }

// floatLoad loads float register f, 0 or 1. floatInt makes it the value of an integer.
func (a *asm) floatLoad(f reg, m mem) { a.encodeFloat(0xF2, f, m, 0x10) }

func (a *asm) encodeFloat(prefix byte, f reg, m mem, op byte) {
	a.bytes(prefix)
	a.encode(false, f, m, 0x0F, op)
}

func (a *asm) floatInt(f, s reg) {
	a.bytes(0xF2)
	a.encode2(true, f, s, 0x0F, 0x2A)
}

// floatOp does float register 0 = float register 0 op float register 1.
func (a *asm) floatOp(op byte) {
	a.bytes(0xF2)
	a.encode2(false, 0, 1, 0x0F, op)
}

// floatToBits copies the bits of float register 0.
func (a *asm) floatToBits(d reg) {
	a.bytes(0x66)
	a.encode2(true, 0, d, 0x0F, 0x7E)
}

// floatCompare compares the float registers 0 and 1 and jumps to unordered if one is not a number. Then ccB, ccE, ccA
// and their opposites give the order.
func (a *asm) floatCompare(unordered label) {
	a.bytes(0x66)
	a.encode2(false, 0, 1, 0x0F, 0x2E)
	a.jcc(ccP, unordered)
}

// align fills up to 8 bytes.
func (a *asm) align() {
	for len(a.code)%8 != 0 {
		a.bytes(0x90)
	}
}

func patchJump(code []byte, f fixup, to int) {
	binary.LittleEndian.PutUint32(code[f.at:], uint32(int32(to-f.at-4)))
}
