package machine

import (
	"cmp"
	"math"
	"math/bits"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// Arithmetic evaluates what the machine's instructions cannot: big integers, floats, and expressions that are terms.
// Package builtin supplies it.
type Arithmetic struct {
	// Eval returns the value of an expression.
	Eval func(m *Machine, c cell) (cell, error)
	// Apply1 and Apply2 apply a function, given by number, to the values of expressions.
	Apply1 func(m *Machine, fn int, a cell) (cell, error)
	Apply2 func(m *Machine, fn int, a, b cell) (cell, error)
	// Compare orders the values of two expressions: -1, 0, 1, or 2 when one is not a number.
	Compare func(m *Machine, a, b cell) (int, error)
	// Function returns the number of a function.
	Function func(name string, arity int) (fn int, ok bool)
}

// inlineOps are the functions that have instructions, by name.
var inlineOps = map[code.Op]string{
	code.OpAdd: "+", code.OpSub: "-", code.OpMul: "*", code.OpIntDiv: "//", code.OpMod: "mod",
	code.OpRem: "rem", code.OpBitAnd: "/\\", code.OpBitOr: "\\/", code.OpShiftR: ">>",
	code.OpShiftL: "<<", code.OpAddI: "+",
}

// inlineArith does the arithmetic instruction before m.p when its operands are not two small integers.
func (m *Machine) inlineArith() error {
	w := m.Code[m.P-1]
	if x, y, ok := m.floatOperands(w); ok && m.inlineFloat(w, x, y) {
		return m.roomAfter()
	}
	if op := w.Op(); op >= code.OpLess && op <= code.OpNumNeI {
		return m.inlineCompare(w)
	}
	v, err := m.inlineValue(w)
	if err != nil {
		return m.raise(err, cmp.Or(m.comparison(), fnIs))
	}
	m.X[w.C()] = v
	return m.roomAfter()
}

// floatOperands returns the operands of an instruction that adds, multiplies or compares. ok is true if
// both are floats, or one is a float and the other an integer that a float represents exactly.
func (m *Machine) floatOperands(w code.Instr) (x, y float64, ok bool) {
	a, b := m.Deref(m.X[w.A()]), cell(0)
	switch op := w.Op(); {
	case op >= code.OpLess && op <= code.OpNumNe, op >= code.OpAdd && op <= code.OpMul:
		b = m.Deref(m.X[w.B()])
	case op >= code.OpLessI && op <= code.OpNumNeI:
		b = code.MakeInt(w.SBC())
	case op == code.OpAddI:
		b = code.MakeInt(w.SImm())
	default:
		return 0, 0, false
	}
	if a.Tag() != code.Blob && b.Tag() != code.Blob {
		return 0, 0, false
	}
	x, ok = m.exactFloat(a)
	if ok {
		y, ok = m.exactFloat(b)
	}
	return x, y, ok
}

// exactFloat returns the value of a dereferenced float, or of a small integer that a float represents exactly.
func (m *Machine) exactFloat(c cell) (float64, bool) {
	switch c.Tag() {
	case code.Blob:
		return math.Float64frombits(uint64(m.Heap[c.Addr()+1])), m.Heap[c.Addr()] == floatHeader
	case code.Int:
		const exact = 1 << 53
		return float64(c.Int()), -exact <= c.Int() && c.Int() <= exact
	}
	return 0, false
}

var floatHeader = code.MakeBlobHeader(code.FloatBlob, 1, 0)

// inlineFloat does an instruction on floats, unless its value is not finite.
func (m *Machine) inlineFloat(w code.Instr, x, y float64) bool {
	var v float64
	switch w.Op() {
	case code.OpAdd, code.OpAddI:
		v = x + y
	case code.OpSub:
		v = x - y
	case code.OpMul:
		v = x * y
	default:
		m.test(w, compareHolds(w.Op(), CompareFloats(x, y)))
		return true
	}
	if v-v != 0 || m.UnderflowError {
		return false
	}
	m.X[w.C()] = m.NewFloat(v)
	return true
}

// Unordered is the result of comparing with NaN.
const Unordered = 2

// CompareFloats returns -1, 0, 1 or Unordered, as Arithmetic.Compare does.
func CompareFloats(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	case x == y:
		return 0
	}
	return Unordered
}

// inlineValue computes what an arithmetic instruction left to Go, because an operand was not a small integer or the
// result does not fit. The operands are in registers, or in the instruction.
func (m *Machine) inlineValue(w code.Instr) (cell, error) {
	a := m.X[w.A()]
	switch w.Op() {
	case code.OpEval:
		return m.arith.Eval(m, a)
	case code.OpArith1:
		return m.arith.Apply1(m, w.Imm(), a)
	case code.OpArith:
		return m.arith.Apply2(m, w.Imm(), a, m.X[w.B()])
	case code.OpAddI:
		return m.arith.Apply2(m, m.inlineFn[w.Op()], a, code.MakeInt(w.SImm()))
	}
	return m.arith.Apply2(m, m.inlineFn[w.Op()], a, m.X[w.B()])
}

var (
	fnIs      = code.Functor("is", 2)
	fnLess    = code.Functor("<", 2)
	fnLessEq  = code.Functor("=<", 2)
	fnGreater = code.Functor(">", 2)
	fnGreatEq = code.Functor(">=", 2)
	fnNumEq   = code.Functor("=:=", 2)
	fnNumNe   = code.Functor("=\\=", 2)
)

// inlineCompare does a comparison of expressions.
func (m *Machine) inlineCompare(w code.Instr) error {
	a, b := m.X[w.A()], code.MakeInt(w.SBC())
	if w.Op() < code.OpLessI {
		b = m.X[w.B()]
	}
	d, err := m.arith.Compare(m, a, b)
	if err != nil {
		functor := cmp.Or(m.comparison(), compareFunctor(w.Op()))
		if w.Op() < code.OpLessI && (functor == fnGreater || functor == fnGreatEq) {
			_, err = m.arith.Compare(m, b, a) // the error of the left operand in the text
		}
		return m.raise(err, functor)
	}
	m.test(w, compareHolds(w.Op(), d))
	return m.roomAfter()
}

// comparison returns the functor of the comparison in the source text that contains the arithmetic instruction before
// m.p. It returns 0 if the instruction is in no comparison or the source text is unknown.
func (m *Machine) comparison() cell {
	before := uint32(m.P)
	if c := m.program.ClauseAt(before - 1); c != nil {
		if p := m.compile.Places(c, before); p != nil {
			return p.Comparison
		}
	}
	return 0
}

// compareFunctor returns the predicate whose call an instruction of comparison replaces. It stands in the context of
// errors.
func compareFunctor(op code.Op) cell {
	switch op {
	case code.OpLess, code.OpLessI:
		return fnLess
	case code.OpLessEq, code.OpLessEqI:
		return fnLessEq
	case code.OpGreaterI:
		return fnGreater
	case code.OpGreaterEqI:
		return fnGreatEq
	case code.OpNumEq, code.OpNumEqI:
		return fnNumEq
	}
	return fnNumNe
}

// compareHolds says whether a comparison holds for an order d of its sides; 2 is unordered.
func compareHolds(op code.Op, d int) bool {
	switch op {
	case code.OpLess, code.OpLessI:
		return d < 0
	case code.OpLessEq, code.OpLessEqI:
		return d <= 0
	case code.OpGreaterI:
		return d == 1
	case code.OpGreaterEqI:
		return d == 0 || d == 1
	case code.OpNumEq, code.OpNumEqI:
		return d == 0
	}
	return d != 0
}

// This part defines arithmetic on big integers in place: it reads operands from the heap and writes results to the
// heap, so no value is copied to Go memory.

const _ = uint(bits.UintSize - 64) // a cell holds a word of a big.Int
