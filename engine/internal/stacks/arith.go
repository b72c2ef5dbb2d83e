package stacks

import (
	"math/big"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines arithmetic on large integers in place on the heap.

// bigWords views cells as words of a big.Int, without copying.
func bigWords(cells []cell) []big.Word {
	if len(cells) == 0 {
		return nil
	}
	return unsafe.Slice((*big.Word)(unsafe.Pointer(&cells[0])), len(cells))
}

// bigOperand is an integer in the form that package math/big computes with. It shares the words of the heap.
type bigOperand struct {
	n    big.Int
	word [1]big.Word // the word of a small integer
}

// bigOperands are the operands and the result of one operation. They stay in the machine, because the methods of a
// big.Int make it escape: in a function it would be allocated at each operation.
type bigOperands struct {
	x, y bigOperand
	z    big.Int
}

// clear drops the references to words, which may move or vanish.
func (o *bigOperands) clear() {
	o.x.n.SetBits(nil)
	o.y.n.SetBits(nil)
	o.z.SetBits(nil)
}

// loadBig makes o the value of a dereferenced integer.
func (m *Terms) loadBig(o *bigOperand, c cell) {
	if c.Tag() == code.Int {
		i := c.Int()
		o.word[0] = big.Word(max(i, -i))
		o.n.SetBits(o.word[:])
		if i < 0 {
			o.n.Neg(&o.n)
		}
		return
	}
	h := m.Heap[c.Addr()]
	at := c.Addr() + 1
	o.n.SetBits(bigWords(m.Heap[at : at+h.BlobWords() : at+h.BlobWords()]))
	if h.BlobKind() == code.BigNeg {
		o.n.Neg(&o.n)
	}
}

// BigWords returns how many words a dereferenced integer has.
func (m *Terms) BigWords(c cell) int {
	if c.Tag() == code.Int {
		return 1
	}
	return m.Heap[c.Addr()].BlobWords()
}

// BigApply returns the integer op(z, a, b), where a and b are dereferenced integers. If the result has more than the
// given number of words, op stores it in other memory.
func (m *Terms) BigApply(op func(z, x, y *big.Int) *big.Int, a, b cell, words int) cell {
	m.Room(words + 1)
	o := &m.bigs
	defer o.clear()
	m.loadBig(&o.x, a)
	m.loadBig(&o.y, b)
	at := m.H + 1
	space := m.Heap[at : at+words : at+words]
	o.z.SetBits(bigWords(space)[:0])
	op(&o.z, &o.x.n, &o.y.n)
	r := o.z.Bits()
	if len(r) == 0 || &r[0] != &bigWords(space)[0] {
		return m.NewBig(&o.z)
	}
	if o.z.IsInt64() && code.FitsInt(o.z.Int64()) {
		return code.MakeInt(o.z.Int64())
	}
	m.Push(code.MakeBlobHeader(bigKind(&o.z), len(r), 0))
	m.H += len(r)
	return code.MakeBlob(at - 1)
}

// BigCompare orders two dereferenced integers.
func (m *Terms) BigCompare(a, b cell) int {
	o := &m.bigs
	defer o.clear()
	m.loadBig(&o.x, a)
	m.loadBig(&o.y, b)
	return o.x.n.Cmp(&o.y.n)
}

func bigKind(n *big.Int) code.BlobKind {
	if n.Sign() < 0 {
		return code.BigNeg
	}
	return code.BigPos
}
