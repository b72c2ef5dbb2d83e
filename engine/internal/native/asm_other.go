//go:build !amd64 && !arm64

package native

// This file stands for an assembler where there is none: it makes no code.

// maxCode says that there is no room for code.
const maxCode = 0

// Registers of the machine.
const (
	rT0 reg = iota
	rT1
	rT2
	rM
	rHeap
	rH
	rE
	rS
)

// rX are the argument registers that have registers of the processor.
var rX = [...]reg{8, 9, 10, 11, 12, 13, 14}

const (
	ccO cond = iota
	ccNO
	ccB
	ccAE
	ccE
	ccNE
	ccBE
	ccA
	ccS
	ccNS
	ccP
	ccL
	ccGE
	ccLE
	ccG
)

const (
	opAdd alu = iota
	opOr
	opAnd
	opSub
	opXor
	opCmp
)

const (
	shl shiftKind = iota
	shr
	sar
)

const (
	floatAdd byte = iota
	floatMul
	floatSub
	floatDiv
)

type asm struct{ buffer }

func (asm) mov(reg, reg)              {}
func (asm) movLow(reg, reg)           {}
func (asm) movImm(reg, int64)         {}
func (asm) load(reg, mem)             {}
func (asm) store(mem, reg)            {}
func (asm) load32(reg, mem)           {}
func (asm) load16(reg, mem)           {}
func (asm) storeImm(mem, int)         {}
func (asm) storeByte(mem, byte)       {}
func (asm) testByte(mem)              {}
func (asm) lea(reg, mem)              {}
func (asm) op(alu, reg, reg)          {}
func (asm) opMem(alu, reg, mem)       {}
func (asm) opImm(alu, reg, int)       {}
func (asm) opMemImm(alu, mem, int)    {}
func (asm) test(reg)                  {}
func (asm) testTag(reg)               {}
func (asm) tag(reg, reg)              {}
func (asm) inSet(uint8, label)        {}
func (asm) shift(shiftKind, reg, int) {}
func (asm) shiftBy(shiftKind, reg)    {}
func (asm) signedHalf(reg, reg)       {}
func (asm) mul(reg, reg, label)       {}
func (asm) mulLow(reg, reg)           {}
func (asm) divide()                   {}
func (asm) max(reg, reg)              {}
func (asm) jcc(cond, label)           {}
func (asm) jmp(label)                 {}
func (asm) jmpMem(mem)                {}
func (asm) jmpReg(reg)                {}
func (asm) loadLabel(reg, label)      {}
func (asm) ret()                      {}
func (asm) floatLoad(reg, mem)        {}
func (asm) floatInt(reg, reg)         {}
func (asm) floatOp(byte)              {}
func (asm) floatToBits(reg)           {}
func (asm) floatCompare(label)        {}
func (asm) align()                    {}

func patchJump([]byte, fixup, int) {}
