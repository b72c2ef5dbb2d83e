package arith

import (
	"cmp"
	"math"
	"math/big"

	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines numbers outside the heap, so that intermediate results take no cells.

// numKind says which field of a Num holds its value.
type numKind uint8

const (
	smallNum numKind = iota // i
	bigNum                  // b, which does not fit in an int64
	ratioNum                // q, which is no integer
	floatNum                // i: the bits of the float
)

// Num is an evaluated number.
type Num struct {
	kind numKind
	i    int64
	b    *big.Int // never changed once it is in a Num
	q    *big.Rat // likewise
}

// Int returns the number that is an integer of 64 bits.
func Int(i int64) Num { return Num{i: i} }

// floatOf returns the number that is a float.
func floatOf(f float64) Num { return Num{kind: floatNum, i: int64(math.Float64bits(f))} }

// bigOf returns an integer of any size; it keeps b.
func bigOf(b *big.Int) Num {
	if b.IsInt64() {
		return Num{i: b.Int64()}
	}
	return Num{kind: bigNum, b: b}
}

// float returns a float. Its bits stand for it, so that a number is no larger for them.
func (x Num) float() float64 { return math.Float64frombits(uint64(x.i)) }

func (x Num) isInt() bool { return x.kind <= bigNum }

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
	case ratioNum:
		return x.q.Sign()
	case floatNum:
		switch {
		case x.float() > 0:
			return 1
		case x.float() < 0:
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
	if x.kind == ratioNum {
		return bignum.RatioBytes(x.q)
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
	case code.RatioPos, code.RatioNeg:
		return ratioOf(m.RatioValue(c)), true
	}
	return bigOf(m.BigValue(c)), true
}

// Store builds a number on the heap.
func Store(m *machine.Machine, x Num) cell {
	switch x.kind {
	case floatNum:
		return m.NewFloat(x.float())
	case bigNum:
		return m.NewBig(x.b)
	case ratioNum:
		return m.NewRational(x.q)
	}
	return m.NewInt(x.i)
}

// Unify unifies a cell with a number.
func Unify(m *machine.Machine, c cell, x Num) bool { return m.Unify(c, Store(m, x)) }

// checkFloat turns infinite and undefined results into errors, unless the flags float_overflow and float_undefined
// allow them (ISO 13211-1, 9.1.4), and very small ones if the flag float_underflow says so.
func checkFloat(m *machine.Machine, f float64) (Num, error) {
	switch {
	case math.IsNaN(f):
		return undefinedResult(m)
	case math.IsInf(f, 0) && !flagIs(m, "float_overflow", "infinity"):
		return Num{}, m.EvaluationError("float_overflow")
	case m.UnderflowError && isSubnormal(f):
		return Num{}, m.EvaluationError("float_underflow")
	}
	return floatOf(f), nil
}

// isSubnormal reports whether a float has fewer digits than others, because it is so small.
func isSubnormal(f float64) bool { return f != 0 && math.Abs(f) < 0x1p-1022 }

// flagIs reports whether a flag has a value that is not its default. A machine without IO has the defaults.
func flagIs(m *machine.Machine, name, value string) bool {
	return m.IO != nil && m.IO.Flag(name) == term.Term(term.Atom(value))
}

// undefinedResult returns an error or nan, as the flag float_undefined says.
func undefinedResult(m *machine.Machine) (Num, error) {
	if flagIs(m, "float_undefined", "nan") {
		return floatOf(math.NaN()), nil
	}
	return Num{}, m.EvaluationError("undefined")
}

// zeroDivision returns the result of dividing a number of this sign by zero: an error or infinity, as the flag
// float_zero_div says.
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

// toFloat converts a number; an integer or a rational number out of range is an overflow.
func toFloat(m *machine.Machine, x Num) (float64, error) {
	switch x.kind {
	case floatNum:
		return x.float(), nil
	case smallNum:
		return float64(x.i), nil
	}
	f := x.nearest(m)
	if math.IsInf(f, 0) && !flagIs(m, "float_overflow", "infinity") {
		return 0, m.EvaluationError("float_overflow")
	}
	return f, nil
}

// nearest returns the float nearest to a large integer or a rational number, which may be infinite.
func (x Num) nearest(m *machine.Machine) float64 {
	if x.kind == ratioNum {
		return bigRatio(m, x.q.Num(), x.q.Denom())
	}
	f, _ := x.big().Float64()
	return f
}

// Float returns the value of a dereferenced number as a float.
func Float(m *machine.Machine, c cell) (float64, error) {
	x, _ := loadNumber(m, c)
	return toFloat(m, x)
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
	if !x.isInt() {
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

// floatToInt returns the integer with the value of f, which must be integral. Infinity and nan are errors, or stay what
// they are when the flag float_undefined allows nan.
func floatToInt(m *machine.Machine, f float64) (Num, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		if r, err := undefinedResult(m); err != nil {
			return r, err
		}
		return floatOf(f), nil
	}
	if f >= -(1<<63) && f < 1<<63 {
		return Int(int64(f)), nil
	}
	b, _ := big.NewFloat(f).Int(nil)
	return bigOf(b), nil
}

// compareNums compares by value: -1, 0, 1 or [machine.Unordered].
func compareNums(m *machine.Machine, x, y Num) int {
	switch {
	case x.kind == smallNum && y.kind == smallNum:
		return cmp.Compare(x.i, y.i)
	case x.kind == floatNum && y.kind == floatNum:
		return machine.CompareFloats(x.float(), y.float())
	case x.kind == floatNum:
		if d := compareFloat(m, y, x.float()); d != machine.Unordered {
			return -d
		}
		return machine.Unordered
	case y.kind == floatNum:
		return compareFloat(m, x, y.float())
	case x.kind == ratioNum || y.kind == ratioNum:
		return bignum.CompareRatios(x.ratio(), y.ratio(), m.Meter())
	}
	return x.big().Cmp(y.big())
}

// compareFloat compares an integer or a rational number with a float. It converts the number to a float
// (ISO 13211-1, 9.1.7). Beyond the range of floats it compares exactly.
func compareFloat(m *machine.Machine, x Num, f float64) int {
	if x.kind == smallNum {
		return machine.CompareFloats(float64(x.i), f)
	}
	g := x.nearest(m)
	if !math.IsInf(g, 0) || math.IsNaN(f) {
		return machine.CompareFloats(g, f)
	}
	if f == g {
		return -x.sign()
	}
	return x.sign()
}
