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
	ratioNum                // q, which is no integer, or a short one in i
	floatNum                // i: the bits of the float
)

// Num is an evaluated number.
type Num struct {
	kind numKind
	i    int64
	b    *big.Int // never changed once it is in a Num
	q    *big.Rat // likewise; nil for a short rational number
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

// float returns the value of a number of kind floatNum. The float is kept as bits in field i, so that a Num is no
// larger.
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
		if x.q != nil {
			return x.q.Sign()
		}
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
	switch {
	case x.kind != ratioNum:
		return 8
	case x.q == nil:
		return 16
	}
	return bignum.RatioBytes(x.q)
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
		if n, d, ok := m.ShortRatio(c); ok {
			return shortRatio(n, d), true
		}
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
		if n, d, ok := x.smallParts(); ok {
			return m.NewShortRatio(n, d)
		}
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

// isSubnormal reports whether a float is so small that it has fewer digits than others.
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
		if n, d, ok := x.smallParts(); ok {
			return float64(n) / float64(d)
		}
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
		if a, b, c, d, ok := smallRatios(x, y); ok {
			return cmp.Compare(a*d, c*b)
		}
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

// This part defines arithmetic on rational numbers. They are kept in lowest terms, and those that are integers become
// integers.

// ratioOf returns a rational number, which may be an integer; it keeps q.
func ratioOf(q *big.Rat) Num {
	if q.IsInt() {
		return bigOf(q.Num())
	}
	return Num{kind: ratioNum, q: q}
}

// shortLimit bounds the parts of short rational numbers. Products of two and sums of two products fit in an int64.
const shortLimit = 1<<31 - 1

// shortRatio returns n/d, which is in lowest terms and no integer, with parts up to shortLimit and a positive d.
func shortRatio(n, d int64) Num { return Num{kind: ratioNum, i: n<<32 | d} }

// ratio returns a number that is no float as a big.Rat that must not be changed.
func (x Num) ratio() *big.Rat {
	if x.kind == ratioNum && x.q != nil {
		return x.q
	}
	if n, d, ok := x.smallParts(); ok && d != 1 {
		return bignum.RatioOf(n < 0, []big.Word{big.Word(magnitude(n))}, []big.Word{big.Word(d)})
	}
	return new(big.Rat).SetInt(x.big())
}

// numerator and denominator return the parts of a number that is no float. They must not be changed.
func (x Num) numerator() *big.Int {
	if x.kind == ratioNum {
		return x.ratio().Num()
	}
	return x.big()
}

func (x Num) denominator() *big.Int {
	if x.kind == ratioNum {
		return x.ratio().Denom()
	}
	return big.NewInt(1)
}

// prefersRationals reports whether integers that do not divide evenly have a rational quotient.
func prefersRationals(m *machine.Machine) bool { return m.IO != nil && m.IO.PrefersRationals() }

// tolerated returns a result, unless it is a rational number larger than the flag max_rational_size allows. The flag
// max_rational_size_action says whether that is an error, or the float nearest to it is the result.
func tolerated(m *machine.Machine, x Num) (Num, error) {
	if x.kind != ratioNum || m.IO == nil {
		return x, nil
	}
	if x.bytes() <= m.IO.MostRationalBytes() {
		return x, nil
	}
	if flagIs(m, "max_rational_size_action", "float") {
		return toFloatFunction(m, x)
	}
	tripwire := m.NewStruct("tripwire", m.NewAtom("max_rational_size"), Store(m, x))
	return Num{}, m.ErrorMessage(m.NewStruct("resource_error", tripwire), "the rational number takes too many bytes")
}

// ratioRoom asks for the room that the product of two numbers takes.
func ratioRoom(m *machine.Machine, x, y Num) error { return machine.Fits(m, x.bytes()+y.bytes()) }

func addRatios(m *machine.Machine, x, y Num) (Num, error) {
	if a, b, c, d, ok := smallRatios(x, y); ok {
		return smallRatio(m, a*d+c*b, b*d)
	}
	return combined(m, x, y, (*big.Int).Add)
}

func subtractRatios(m *machine.Machine, x, y Num) (Num, error) {
	if a, b, c, d, ok := smallRatios(x, y); ok {
		return smallRatio(m, a*d-c*b, b*d)
	}
	return combined(m, x, y, (*big.Int).Sub)
}

// smallRatios returns the parts of a/b and c/d, numbers that are no floats, if they are so short that products of two
// of them and their sums fit in an int64.
func smallRatios(x, y Num) (a, b, c, d int64, ok bool) {
	if a, b, ok = x.smallParts(); ok {
		c, d, ok = y.smallParts()
	}
	return a, b, c, d, ok
}

func (x Num) smallParts() (n, d int64, ok bool) {
	switch x.kind {
	case smallNum:
		n, d = x.i, 1
	case ratioNum:
		if x.q == nil {
			return x.i >> 32, x.i & math.MaxUint32, true
		}
		if !x.q.Num().IsInt64() || !x.q.Denom().IsInt64() {
			return 0, 0, false
		}
		n, d = x.q.Num().Int64(), x.q.Denom().Int64()
	default:
		return 0, 0, false
	}
	return n, d, -shortLimit <= n && n <= shortLimit && d <= shortLimit
}

// smallRatio returns n/d for a positive d.
func smallRatio(m *machine.Machine, n, d int64) (Num, error) {
	g := int64(gcdSmall(magnitude(n), uint64(d)))
	if n, d = n/g, d/g; d == 1 {
		return Int(n), nil
	}
	if -shortLimit <= n && n <= shortLimit && d <= shortLimit {
		return tolerated(m, shortRatio(n, d))
	}
	return tolerated(m, ratioOf(bignum.RatioOf(n < 0, []big.Word{big.Word(magnitude(n))}, []big.Word{big.Word(d)})))
}

// combined adds or subtracts. Common divisors are sought among the parts of the operands, which are shorter than
// those of the result (Henrici 1956; Knuth, The Art of Computer Programming, 4.5.1).
func combined(m *machine.Machine, x, y Num, op func(z, a, b *big.Int) *big.Int) (Num, error) {
	if err := ratioRoom(m, x, y); err != nil {
		return Num{}, err
	}
	common := bignum.GCD(x.denominator(), y.denominator(), m.Meter())
	left, right := quotientOf(m, x.denominator(), common), quotientOf(m, y.denominator(), common)
	a, b := bignum.Mul(x.numerator(), right, m.Meter()), bignum.Mul(y.numerator(), left, m.Meter())
	n := op(a, a, b)
	if n.Sign() == 0 {
		return Int(0), nil
	}
	rest := bignum.GCD(n, common, m.Meter())
	d := bignum.Mul(left, quotientOf(m, y.denominator(), rest), m.Meter())
	return tolerated(m, ratioOf(bignum.Ratio(quotientOf(m, n, rest), d)))
}

// quotientOf returns a / d, which is an integer.
func quotientOf(m *machine.Machine, a, d *big.Int) *big.Int {
	if d.IsInt64() && d.Int64() == 1 {
		return a
	}
	q, _ := bignum.QuoRem(a, d, m.Meter())
	return q
}

func multiplyRatios(m *machine.Machine, x, y Num) (Num, error) {
	if a, b, c, d, ok := smallRatios(x, y); ok {
		return smallRatio(m, a*c, b*d)
	}
	return product(m, x.numerator(), x.denominator(), y.numerator(), y.denominator())
}

// divideRatios divides numbers of which none is a float and y is not zero.
func divideRatios(m *machine.Machine, x, y Num) (Num, error) {
	if a, b, c, d, ok := smallRatios(x, y); ok {
		if c < 0 {
			c, d = -c, -d
		}
		return smallRatio(m, a*d, b*c)
	}
	n, d := y.denominator(), y.numerator()
	if d.Sign() < 0 {
		n, d = newBig().Neg(n), newBig().Neg(d)
	}
	return product(m, x.numerator(), x.denominator(), n, d)
}

// product returns a/b * c/d, where both are in lowest terms and b and d are positive. Common divisors are taken out
// before the multiplication.
func product(m *machine.Machine, a, b, c, d *big.Int) (Num, error) {
	if a.Sign() == 0 || c.Sign() == 0 {
		return Int(0), nil
	}
	size := len(a.Bits()) + len(b.Bits()) + len(c.Bits()) + len(d.Bits())
	if err := machine.Fits(m, 8*size); err != nil {
		return Num{}, err
	}
	first, second := bignum.GCD(a, d, m.Meter()), bignum.GCD(c, b, m.Meter())
	n := bignum.Mul(quotientOf(m, a, first), quotientOf(m, c, second), m.Meter())
	below := bignum.Mul(quotientOf(m, b, second), quotientOf(m, d, first), m.Meter())
	return tolerated(m, ratioOf(bignum.Ratio(n, below)))
}

// exactQuotient is rdiv.
func exactQuotient(m *machine.Machine, x, y Num) (Num, error) {
	if err := needRational(m, x); err != nil {
		return Num{}, err
	}
	if err := needRational(m, y); err != nil {
		return Num{}, err
	}
	if y.sign() == 0 {
		return Num{}, m.EvaluationError("zero_divisor")
	}
	return divideRatios(m, x, y)
}

// needRational fails unless x is an integer or another rational number.
func needRational(m *machine.Machine, x Num) error {
	if x.kind == floatNum {
		return m.TypeError("rational", Store(m, x))
	}
	return nil
}

func numerator(m *machine.Machine, x Num) (Num, error) {
	if x.kind != ratioNum {
		return x, needRational(m, x)
	}
	return bigOf(x.numerator()), nil
}

func denominator(m *machine.Machine, x Num) (Num, error) {
	return bigOf(x.denominator()), needRational(m, x)
}

// rational returns the number that a float is.
func rational(m *machine.Machine, x Num) (Num, error) {
	switch {
	case x.kind != floatNum:
		return x, nil
	case math.IsNaN(x.float()):
		return Num{}, m.EvaluationError("undefined")
	case math.IsInf(x.float(), 0):
		return Num{}, m.EvaluationError("rational_overflow")
	}
	return ratioOf(new(big.Rat).SetFloat64(x.float())), nil
}

// rationalize returns a rational number with a small denominator that converts to the same float. It is the first
// such convergent of the continued fraction of the float. The partial quotients are computed with floats. If one of
// them is infinite, the result is the exact value of the float.
func rationalize(m *machine.Machine, x Num) (Num, error) {
	exact, err := rational(m, x)
	if err != nil || x.kind != floatNum || exact.kind != ratioNum {
		return exact, err
	}
	n, d := big.NewInt(1), new(big.Int) // the convergent, and the one before it
	n0, d0 := new(big.Int), big.NewInt(1)
	for high, low := math.Abs(x.float()), 1.0; low != 0; {
		whole := math.Floor(high / low)
		if math.IsInf(whole, 0) {
			break
		}
		high, low = low, high-whole*low
		q, _ := big.NewFloat(whole).Int(nil)
		n0.Add(n0, newBig().Mul(q, n))
		d0.Add(d0, q.Mul(q, d))
		n, n0, d, d0 = n0, n, d0, d
		if bigRatio(m, n, d) == math.Abs(x.float()) {
			if x.float() < 0 {
				n.Neg(n)
			}
			return ratioOf(bignum.Ratio(n, d)), nil
		}
	}
	return exact, nil
}

// The functions that round a rational number to an integer.
func truncateRatio(m *machine.Machine, q *big.Rat) *big.Int {
	n, _ := bignum.QuoRem(q.Num(), q.Denom(), m.Meter())
	return n
}

func floorRatio(m *machine.Machine, q *big.Rat) *big.Int {
	n, r := bignum.QuoRem(q.Num(), q.Denom(), m.Meter())
	n, _ = floored(n, r, q.Denom())
	return n
}

func ceilingRatio(m *machine.Machine, q *big.Rat) *big.Int {
	n := floorRatio(m, q)
	return n.Add(n, big.NewInt(1))
}

// roundRatio rounds halves away from zero.
func roundRatio(m *machine.Machine, q *big.Rat) *big.Int {
	n := newBig().Abs(q.Num())
	n.Lsh(n, 1).Add(n, q.Denom())
	n, _ = bignum.QuoRem(n, newBig().Lsh(q.Denom(), 1), m.Meter())
	if q.Sign() < 0 {
		n.Neg(n)
	}
	return n
}
