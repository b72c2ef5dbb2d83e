package arith

import (
	"math"
	"math/big"

	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines the arithmetic functions whose operands or results are floats: rounding, roots, powers, logarithms
// and the inverse trigonometric functions.

func toFloatFunction(m *machine.Machine, x Num) (Num, error) {
	f, err := toFloat(m, x)
	return floatOf(f), err
}

// rounded applies a rounding function for floats or for rational numbers; integers stay as they are.
func rounded(m *machine.Machine, x Num, f func(float64) float64,
	ratio func(m *machine.Machine, q *big.Rat) *big.Int,
) (Num, error) {
	switch x.kind {
	case floatNum:
		return floatToInt(m, f(x.float()))
	case ratioNum:
		return bigOf(ratio(m, x.ratio())), nil
	}
	return x, nil
}

func toInteger(m *machine.Machine, x Num) (Num, error) { return round(m, x) }
func truncate(m *machine.Machine, x Num) (Num, error) {
	return rounded(m, x, math.Trunc, truncateRatio)
}
func round(m *machine.Machine, x Num) (Num, error)   { return rounded(m, x, math.Round, roundRatio) }
func ceiling(m *machine.Machine, x Num) (Num, error) { return rounded(m, x, math.Ceil, ceilingRatio) }
func floor(m *machine.Machine, x Num) (Num, error)   { return rounded(m, x, math.Floor, floorRatio) }

func integerPart(m *machine.Machine, x Num) (Num, error) {
	if x.kind != floatNum {
		return truncate(m, x)
	}
	return floatOf(math.Trunc(x.float())), nil
}

func fractionalPart(m *machine.Machine, x Num) (Num, error) {
	switch x.kind {
	case floatNum:
		return checkFloat(m, math.Copysign(x.float()-math.Trunc(x.float()), x.float()))
	case ratioNum:
		whole := bigOf(truncateRatio(m, x.ratio()))
		return subtractRatios(m, x, whole)
	}
	return Int(0), nil
}

// realWhere applies a float function to arguments for which defined holds. The result for others is undefined, but at a
// pole the flag float_zero_div may make it infinite.
func realWhere(m *machine.Machine, x Num, defined func(float64) bool, f func(float64) float64) (Num, error) {
	v, err := toFloat(m, x)
	if err != nil {
		return Num{}, err
	}
	if !defined(v) {
		if r := f(v); math.IsInf(r, 0) && flagIs(m, "float_zero_div", "infinity") {
			return floatOf(r), nil
		}
		return undefinedResult(m)
	}
	return checkFloat(m, f(v))
}

func within(low, high float64) func(float64) bool {
	return func(v float64) bool { return low <= v && v <= high }
}

func outside(v float64) bool  { return math.Abs(v) > 1 }
func nonzero(v float64) bool  { return v != 0 }
func positive(v float64) bool { return v > 0 }

func squareRoot(m *machine.Machine, x Num) (Num, error) {
	v, err := toFloat(m, x)
	switch {
	case err != nil:
		return Num{}, err
	case !(v >= 0):
		return undefinedResult(m)
	}
	return checkFloat(m, math.Sqrt(v))
}

func exponential(m *machine.Machine, x Num) (Num, error) {
	return realWhere(m, x, func(float64) bool { return true }, exponentialOf)
}

// bigLog returns the natural logarithm of a positive integer beyond the range of floats.
func bigLog(b *big.Int) float64 {
	n := b.BitLen() - 64
	f, _ := newBig().Rsh(b, uint(n)).Float64()
	return math.Log(f) + float64(n)*math.Ln2
}

// naturalLog returns the logarithm of any positive number.
func naturalLog(m *machine.Machine, x Num) (float64, error) {
	switch {
	case x.sign() == 0:
		r, err := realWhere(m, x, positive, naturalLogOf)
		return r.float(), err
	case x.sign() < 0:
		r, err := undefinedResult(m)
		return r.float(), err
	case x.kind == bigNum && x.b.BitLen() > 1000:
		return bigLog(x.b), nil
	}
	f, err := toFloat(m, x)
	return naturalLogOf(f), err
}

func logarithm(m *machine.Machine, x Num) (Num, error) {
	f, err := naturalLog(m, x)
	if err != nil || x.sign() == 0 {
		return floatOf(f), err
	}
	return checkFloat(m, f)
}

// scaledLog is a logarithm to a fixed base; f computes it for floats.
func scaledLog(m *machine.Machine, x Num, base float64, f func(float64) float64) (Num, error) {
	if x.kind == bigNum && x.b.Sign() > 0 && x.b.BitLen() > 1000 {
		return floatOf(bigLog(x.b) / math.Log(base)), nil
	}
	return realWhere(m, x, positive, f)
}

func logarithm2(m *machine.Machine, x Num) (Num, error)  { return scaledLog(m, x, 2, log2Of) }
func logarithm10(m *machine.Machine, x Num) (Num, error) { return scaledLog(m, x, 10, log10Of) }

// logarithmBase is the logarithm of y to base x.
func logarithmBase(m *machine.Machine, x, y Num) (Num, error) {
	base, err := naturalLog(m, x)
	if err != nil {
		return Num{}, err
	}
	f, err := naturalLog(m, y)
	if err != nil {
		return Num{}, err
	}
	return divideFloats(m, f, base)
}

// floatPower is the power of two numbers as floats.
func floatPower(m *machine.Machine, x, y Num) (Num, error) {
	f, g, err := toFloats(m, x, y)
	if err != nil {
		return Num{}, err
	}
	switch {
	case f == 0 && g < 0:
		return zeroDivision(m, math.Signbit(f) && math.Mod(g, 2) == -1)
	case f < 0 && y.kind == ratioNum && y.denominator().Bit(0) == 1: // an odd root
		r := powerOf(-f, g)
		if y.numerator().Bit(0) == 1 {
			r = -r
		}
		return checkFloat(m, r)
	case f < 0 && g != math.Trunc(g):
		return undefinedResult(m)
	}
	return checkFloat(m, powerOf(f, g))
}

func arcSine(m *machine.Machine, x Num) (Num, error) {
	return realWhere(m, x, within(-1, 1), arcSineOf)
}
func arcCosine(m *machine.Machine, x Num) (Num, error) {
	return realWhere(m, x, within(-1, 1), arcCosineOf)
}

// arcTangent2 is atan2(x, y): the angle of the point (y, x), undefined at the origin.
func arcTangent2(m *machine.Machine, x, y Num) (Num, error) {
	f, g, err := toFloats(m, x, y)
	if err != nil {
		return Num{}, err
	}
	if f == 0 && g == 0 {
		return undefinedResult(m)
	}
	return checkFloat(m, inverse2(f, g))
}

func cotangent(m *machine.Machine, x Num) (Num, error) {
	return realWhere(m, x, nonzero, func(v float64) float64 { return 1 / tangent(v) })
}

func arcCotangent(m *machine.Machine, x Num) (Num, error) {
	return realWhere(m, x, func(float64) bool { return true }, func(v float64) float64 {
		return arcTangentOf(1 / v)
	})
}

func areaCosine(m *machine.Machine, x Num) (Num, error) {
	return realWhere(m, x, within(1, math.Inf(1)), areaCosineOf)
}

func areaTangent(m *machine.Machine, x Num) (Num, error) {
	return realWhere(m, x, within(-1, 1), areaTangentOf)
}

func hyperbolicCotangent(m *machine.Machine, x Num) (Num, error) {
	return realWhere(m, x, nonzero, func(v float64) float64 { return 1 / hyperbolicTangent(v) })
}

func areaCotangent(m *machine.Machine, x Num) (Num, error) {
	return realWhere(m, x, outside, func(v float64) float64 { return areaTangentOf(1 / v) })
}

func logGamma(v float64) float64 {
	f, _ := math.Lgamma(v)
	return f
}

// copySign returns x with the sign of y, where -0.0 is negative. For an integer x the result is an integer.
func copySign(m *machine.Machine, x, y Num) (Num, error) {
	f, g, err := toFloats(m, x, y)
	if err != nil || x.kind == floatNum {
		return floatOf(math.Copysign(f, g)), err
	}
	if math.Signbit(f) == math.Signbit(g) {
		return x, nil
	}
	return negate(m, x)
}

func nextToward(m *machine.Machine, x, y Num) (Num, error) {
	f, g, err := toFloats(m, x, y)
	switch {
	case err != nil:
		return Num{}, err
	case f == g: // perhaps zeros of different signs
		return floatOf(g), nil
	}
	return checkFloat(m, math.Nextafter(f, g))
}

// raise is **. A negative exponent of an integer gives a float, unless the result is 1 or -1.
func raise(m *machine.Machine, x, y Num) (Num, error) { return anyPower(m, x, y, floatPower) }

// integerPower is ^. A negative exponent of an integer is a type error, unless the result is 1 or -1 (Cor.2, 9.3.10).
func integerPower(m *machine.Machine, x, y Num) (Num, error) {
	return anyPower(m, x, y, func(m *machine.Machine, x, _ Num) (Num, error) {
		return Num{}, m.TypeError("float", Store(m, x))
	})
}

// anyPower returns x to the power of y. It calls otherwise for integers with a negative exponent whose power is no
// integer, unless the flag prefer_rationals gives a rational number.
func anyPower(m *machine.Machine, x, y Num, otherwise func(m *machine.Machine, x, y Num) (Num, error)) (Num, error) {
	if !x.isInt() || !y.isInt() {
		return otherPower(m, x, y)
	}
	if r, ok, err := simplePower(m, x, y); ok || err != nil {
		return r, err
	}
	if y.sign() < 0 {
		if prefersRationals(m) {
			return ratioPower(m, x, y)
		}
		return otherwise(m, x, y)
	}
	return naturalPower(m, x, y)
}

// otherPower is the power of two numbers that are not both integers.
func otherPower(m *machine.Machine, x, y Num) (Num, error) {
	switch {
	case x.kind == floatNum || y.kind == floatNum:
		return floatPower(m, x, y)
	case y.kind != ratioNum:
		return ratioPower(m, x, y)
	}
	return rootPower(m, x, y)
}

// ratioPower is the power of a rational number to an integer.
func ratioPower(m *machine.Machine, x, y Num) (Num, error) {
	exponent, err := absolute(m, y)
	if err != nil {
		return Num{}, err
	}
	n, err := integralPower(m, bigOf(x.numerator()), exponent)
	if err != nil {
		return Num{}, err
	}
	d, err := integralPower(m, bigOf(x.denominator()), exponent)
	if err != nil {
		return Num{}, err
	}
	if y.sign() < 0 {
		n, d = d, n
	}
	return divideRatios(m, n, d)
}

// integralPower is the power of an integer to a natural number.
func integralPower(m *machine.Machine, x, y Num) (Num, error) {
	if r, ok, err := simplePower(m, x, y); ok || err != nil {
		return r, err
	}
	return naturalPower(m, x, y)
}

// rootPower is the power of a rational number to a fraction. The result is exact if the root is.
func rootPower(m *machine.Machine, x, y Num) (Num, error) {
	degree := bigOf(y.denominator())
	switch {
	case x == Int(1):
		return x, nil
	case x.sign() == 0 && y.sign() < 0:
		return zeroDivision(m, false)
	case x.sign() == 0:
		return x, nil
	case x.sign() < 0 && degree.big().Bit(0) == 0:
		return undefinedResult(m)
	}
	n, exact := exactRoot(m, degree, x.numerator())
	if !exact {
		return floatPower(m, x, y)
	}
	d, exact := exactRoot(m, degree, x.denominator())
	if !exact {
		return floatPower(m, x, y)
	}
	return ratioPower(m, ratioOf(bignum.Ratio(n, d)), bigOf(y.numerator()))
}

// exactRoot returns the root of x, with the sign of x. exact is false if the root is no integer.
func exactRoot(m *machine.Machine, degree Num, x *big.Int) (root *big.Int, exact bool) {
	root = integerRoot(m, degree, newBig().Abs(x))
	power, err := integralPower(m, bigOf(root), degree)
	if err != nil || power.big().CmpAbs(x) != 0 {
		return nil, false
	}
	if x.Sign() < 0 {
		root.Neg(root)
	}
	return root, true
}

// simplePower handles the integer bases 0, 1 and -1, and the exponents whose result is known without computing.
func simplePower(m *machine.Machine, x, y Num) (r Num, ok bool, err error) {
	switch {
	case y.sign() == 0 || x == Int(1):
		return Int(1), true, nil
	case x == Int(-1):
		return Int(1 - 2*int64(y.big().Bit(0))), true, nil
	case x == Int(0) && y.sign() < 0:
		r, err := zeroDivision(m, false)
		return r, true, err
	case x == Int(0):
		return x, true, nil
	}
	return Num{}, false, nil
}

// naturalPower is the power of an integer other than 0, 1 and -1 to a positive exponent.
func naturalPower(m *machine.Machine, x, y Num) (Num, error) {
	if x.kind == smallNum && y.kind == smallNum {
		if r, ok := powerSmall(x.i, y.i); ok {
			return Int(r), nil
		}
	}
	base := x.big()
	const most = math.MaxInt32 * 8 // bits
	if y.kind == bigNum || y.i > most || y.i*int64(base.BitLen()-1) > most {
		return Num{}, m.ResourceError("memory")
	}
	size := int(y.i) * base.BitLen() / 8
	if size < machine.LargeBytes {
		return bigOf(newBig().Exp(base, y.big(), nil)), nil
	}
	if err := machine.Fits(m, size); err != nil {
		return Num{}, err
	}
	if zeros := base.TrailingZeroBits(); uint(base.BitLen()) == zeros+1 {
		r := newBig().Lsh(big.NewInt(1), zeros*uint(y.i))
		if base.Sign() < 0 && y.i%2 == 1 {
			r.Neg(r)
		}
		return bigOf(r), nil
	}
	return bigOf(bignum.Pow(base, uint64(y.i), m.Meter())), nil
}

// powerSmall raises to a positive power unless the result overflows.
func powerSmall(base, exponent int64) (r int64, ok bool) {
	for r = 1; ; {
		if exponent&1 == 1 {
			if r, ok = multiplySmall(r, base); !ok {
				return 0, false
			}
		}
		if exponent >>= 1; exponent == 0 {
			return r, true
		}
		if base, ok = multiplySmall(base, base); !ok {
			return 0, false
		}
	}
}
