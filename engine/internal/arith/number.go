package arith

import (
	"cmp"
	"math"
	"math/big"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines numbers as arithmetic computes with them: outside the heap, so that
// intermediate results cost no cells.

// numKind says which field of a Num holds its value.
type numKind uint8

const (
	smallNum numKind = iota // i
	bigNum                  // b, which does not fit in an int64
	floatNum                // f
)

// Num is an evaluated number.
type Num struct {
	kind numKind
	i    int64
	f    float64
	b    *big.Int // never changed once it is in a Num
}

// Int returns the number that is an integer of 64 bits.
func Int(i int64) Num { return Num{i: i} }

// floatOf returns the number that is a float.
func floatOf(f float64) Num { return Num{kind: floatNum, f: f} }

// bigOf returns an integer of any size; it keeps b.
func bigOf(b *big.Int) Num {
	if b.IsInt64() {
		return Num{i: b.Int64()}
	}
	return Num{kind: bigNum, b: b}
}

func (x Num) isInt() bool { return x.kind != floatNum }

// big returns an integer as a big.Int that must not be changed.
func (x Num) big() *big.Int {
	if x.kind == bigNum {
		return x.b
	}
	return big.NewInt(x.i)
}

// sign returns -1, 0 or 1; 0 for NaN.
func (x Num) sign() int {
	switch x.kind {
	case bigNum:
		return x.b.Sign()
	case floatNum:
		switch {
		case x.f > 0:
			return 1
		case x.f < 0:
			return -1
		}
		return 0
	}
	return cmp.Compare(x.i, 0)
}

// bytes estimates the size of a number.
func (x Num) bytes() int {
	if x.kind == bigNum {
		return len(x.b.Bits()) * 8
	}
	return 8
}

// loadNumber returns the value of a dereferenced cell if it is a number.
func loadNumber(m *machine.Machine, c cell) (Num, bool) {
	if c.Tag() == code.Int {
		return Num{i: c.Int()}, true
	}
	if c.Tag() != code.Blob {
		return Num{}, false
	}
	switch m.BlobKind(c) {
	case code.FloatBlob:
		return floatOf(m.FloatValue(c)), true
	case code.StringBlob:
		return Num{}, false
	}
	return bigOf(m.BigValue(c)), true
}

// Store builds a number on the heap.
func Store(m *machine.Machine, x Num) cell {
	switch x.kind {
	case floatNum:
		return m.NewFloat(x.f)
	case bigNum:
		return m.NewBig(x.b)
	}
	return m.NewInt(x.i)
}

// Unify unifies a cell with a number.
func Unify(m *machine.Machine, c cell, x Num) bool {
	return m.Unify(c, Store(m, x))
}

// checkFloat turns results that are no numbers into errors, unless the flags float_overflow and
// float_undefined let them be.
func checkFloat(m *machine.Machine, f float64) (Num, error) {
	switch {
	case math.IsNaN(f):
		return undefinedResult(m)
	case math.IsInf(f, 0) && !flagIs(m, "float_overflow", "infinity"):
		return Num{}, m.EvaluationError("float_overflow")
	}
	return floatOf(f), nil
}

// Flags is what a machine's IO is asked when a result is no number. Flag returns nil when there is no
// such flag; the defaults hold for a machine without IO.
type Flags interface {
	Flag(name string) term.Term
}

// flagIs reports whether a flag has a value that is not its default.
func flagIs(m *machine.Machine, name, value string) bool {
	flags, ok := m.IO.(Flags)
	return ok && flags.Flag(name) == term.Term(term.Atom(value))
}

// undefinedResult is what flag float_undefined says: an error, or nan.
func undefinedResult(m *machine.Machine) (Num, error) {
	if flagIs(m, "float_undefined", "nan") {
		return floatOf(math.NaN()), nil
	}
	return Num{}, m.EvaluationError("undefined")
}

// zeroDivision is what flag float_zero_div says of a number of this sign divided by zero: an
// error, or infinity.
func zeroDivision(m *machine.Machine, negative bool) (Num, error) {
	if flagIs(m, "float_zero_div", "infinity") {
		sign := 1
		if negative {
			sign = -1
		}
		return floatOf(math.Inf(sign)), nil
	}
	return Num{}, m.EvaluationError("zero_divisor")
}

// toFloat converts a number; an integer out of range is an overflow.
func toFloat(m *machine.Machine, x Num) (float64, error) {
	switch x.kind {
	case floatNum:
		return x.f, nil
	case smallNum:
		return float64(x.i), nil
	}
	f, _ := x.b.Float64()
	if math.IsInf(f, 0) && !flagIs(m, "float_overflow", "infinity") {
		return 0, m.EvaluationError("float_overflow")
	}
	return f, nil
}

// toFloats converts two operands.
func toFloats(m *machine.Machine, x, y Num) (f, g float64, err error) {
	if f, err = toFloat(m, x); err != nil {
		return 0, 0, err
	}
	g, err = toFloat(m, y)
	return f, g, err
}

// needInt fails with a type error unless x is an integer.
func needInt(m *machine.Machine, x Num) error {
	if x.kind == floatNum {
		return m.TypeError("integer", Store(m, x))
	}
	return nil
}

// needInts is needInt for two operands.
func needInts(m *machine.Machine, x, y Num) error {
	if err := needInt(m, x); err != nil {
		return err
	}
	return needInt(m, y)
}

// floatToInt returns the integer with the value of f, which must be integral.
func floatToInt(m *machine.Machine, f float64) (Num, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return undefinedResult(m)
	}
	if f >= -(1<<63) && f < 1<<63 {
		return Int(int64(f)), nil
	}
	b, _ := big.NewFloat(f).Int(nil)
	return bigOf(b), nil
}

// compareNums compares by value: -1, 0, 1 or [machine.Unordered].
func compareNums(x, y Num) int {
	switch {
	case x.kind == smallNum && y.kind == smallNum:
		return cmp.Compare(x.i, y.i)
	case x.kind == floatNum && y.kind == floatNum:
		return machine.CompareFloats(x.f, y.f)
	case x.kind == floatNum:
		if d := compareIntFloat(y, x.f); d != machine.Unordered {
			return -d
		}
		return machine.Unordered
	case y.kind == floatNum:
		return compareIntFloat(x, y.f)
	}
	return x.big().Cmp(y.big())
}

// compareIntFloat compares an integer with a float, to which it is converted (ISO 13211-1,
// 9.1.7); beyond the range of floats the comparison is exact.
func compareIntFloat(x Num, f float64) int {
	if x.kind == smallNum {
		return machine.CompareFloats(float64(x.i), f)
	}
	g, _ := x.b.Float64()
	if !math.IsInf(g, 0) || math.IsNaN(f) {
		return machine.CompareFloats(g, f)
	}
	if f == g {
		return -x.sign()
	}
	return x.sign()
}
