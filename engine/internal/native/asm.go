package native

import "encoding/binary"

// This file defines what the assemblers of all processors share: labels, and the operations that templates are written
// in. An assembler is the type asm of asm_GOARCH.go; its methods are the same everywhere.

// reg is a register of the processor.
type reg uint8

// noReg stands for no index.
const noReg reg = 0xff

// mem is a place in memory: base + index<<scale + disp.
type mem struct {
	base, index reg
	scale       uint8
	disp        int
}

// at returns the place disp bytes behind base.
func at(base reg, disp int) mem { return mem{base, noReg, 0, disp} }

// indexed returns the place disp bytes behind base + index<<scale.
func indexed(base, index reg, scale uint8, disp int) mem { return mem{base, index, scale, disp} }

// heapAt returns the place of the cell whose address r holds as a byte offset, disp bytes further on.
func heapAt(r reg, disp int) mem { return mem{rHeap, r, 0, disp} }

// alu is an operation of two operands that sets the flags.
type alu uint8

// shiftKind is a direction of shifts.
type shiftKind uint8

// cond is a condition of a jump.
type cond uint8

// label is a place in the code that may not be known yet.
type label int

// fixup is a place in the code that needs the address of a label. How it is written depends on its kind, which the
// assembler knows.
type fixup struct {
	at   int
	to   label
	kind uint8
}

// buffer is the code so far.
type buffer struct {
	code   []byte
	labels []int // offsets; -1 for those that are not bound yet
	fixups []fixup
	words  []fixup // 8-byte addresses
}

func (b *buffer) newLabel() label {
	b.labels = append(b.labels, -1)
	return label(len(b.labels) - 1)
}

// bind puts a label here.
func (b *buffer) bind(l label) { b.labels[l] = len(b.code) }

// offset returns where a bound label is.
func (b *buffer) offset(l label) int { return b.labels[l] }

func (b *buffer) bytes(list ...byte) { b.code = append(b.code, list...) }

func (b *buffer) word32(n uint32) { b.code = binary.LittleEndian.AppendUint32(b.code, n) }

func (b *buffer) word64(n uint64) { b.code = binary.LittleEndian.AppendUint64(b.code, n) }

// address lays down the address of a label.
func (b *buffer) address(l label) {
	b.words = append(b.words, fixup{at: len(b.code), to: l})
	b.word64(0)
}

// resolve writes the addresses of labels into code that will lie at base.
func (b *buffer) resolve(base uintptr) {
	for _, f := range b.fixups {
		patchJump(b.code, f, b.labels[f.to])
	}
	for _, f := range b.words {
		binary.LittleEndian.PutUint64(b.code[f.at:], uint64(base)+uint64(b.labels[f.to]))
	}
}

// fits8 and fits32 report whether a number is a signed one of that many bits.
func fits8(n int) bool  { return n == int(int8(n)) }
func fits32(n int) bool { return n == int(int32(n)) }
