package arith

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"

	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines the arithmetic functions that return integers for integers. A result that would not fit under the
// memory limit is refused before it is computed: 7 ^ 7 ^ 7 ^ 7 is an error at once.

func newBig() *big.Int { return new(big.Int) }

// operation is a function of two numbers of the same kind, for each kind. Numbers of two kinds become the wider one.
type operation struct {
	small func(x, y int64) (r int64, ok bool) // not ok: it overflows
	float func(x, y float64) float64
	ratio func(m *machine.Machine, x, y Num) (Num, error)
	big   func(x, y *big.Int, m bignum.Meter) *big.Int
}

var (
	addition = &operation{
		func(x, y int64) (int64, bool) { r := x + y; return r, (r > x) == (y > 0) },
		func(x, y float64) float64 { return x + y }, addRatios,
		func(x, y *big.Int, _ bignum.Meter) *big.Int { return newBig().Add(x, y) }}
	subtraction = &operation{
		func(x, y int64) (int64, bool) { r := x - y; return r, (r < x) == (y > 0) },
		func(x, y float64) float64 { return x - y }, subtractRatios,
		func(x, y *big.Int, _ bignum.Meter) *big.Int { return newBig().Sub(x, y) }}
	multiplication = &operation{multiplySmall, func(x, y float64) float64 { return x * y }, multiplyRatios, bignum.Mul}
)

// Sum returns x + y.
func Sum(m *machine.Machine, x, y Num) (Num, error) { return addition.of(m, x, y) }

func subtract(m *machine.Machine, x, y Num) (Num, error) { return subtraction.of(m, x, y) }
func multiply(m *machine.Machine, x, y Num) (Num, error) { return multiplication.of(m, x, y) }

func (o *operation) of(m *machine.Machine, x, y Num) (Num, error) {
	switch {
	case x.kind == smallNum && y.kind == smallNum:
		if r, ok := o.small(x.i, y.i); ok {
			return Int(r), nil
		}
	case x.kind == floatNum || y.kind == floatNum:
		f, g, err := toFloats(m, x, y)
		if err != nil {
			return Num{}, err
		}
		return checkFloat(m, o.float(f, g))
	case x.kind == ratioNum || y.kind == ratioNum:
		return o.ratio(m, x, y)
	}
	if err := machine.Fits(m, x.bytes()+y.bytes()); err != nil {
		return Num{}, err
	}
	return bigOf(o.big(x.big(), y.big(), m.Meter())), nil
}

// multiplySmall multiplies unless the product overflows.
func multiplySmall(a, b int64) (r int64, ok bool) {
	const half = 1 << 31
	if -half <= a && a < half && -half <= b && b < half {
		return a * b, true
	}
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	switch {
	case hi != 0:
		return 0, false
	case (a < 0) != (b < 0):
		return -int64(lo), lo <= 1<<63
	}
	return int64(lo), lo < 1<<63
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// divide is /. It returns an integer when integers divide evenly, and else a float, as SWI-Prolog does by default, or a
// rational number under the flag prefer_rationals. Under the flag iso the result is always a float.
func divide(m *machine.Machine, x, y Num) (Num, error) {
	if x.kind == floatNum || y.kind == floatNum {
		f, g, err := toFloats(m, x, y)
		if err != nil {
			return Num{}, err
		}
		return divideFloats(m, f, g)
	}
	if y.sign() == 0 {
		return divideByZero(m, x)
	}
	if !m.Flags().Lenient {
		return divideAsFloats(m, x, y)
	}
	if x.kind == ratioNum || y.kind == ratioNum {
		return divideRatios(m, x, y)
	}
	if x.kind == smallNum && y.kind == smallNum && (x.i != math.MinInt64 || y.i != -1) {
		if x.i%y.i == 0 {
			return Int(x.i / y.i), nil
		}
		if prefersRationals(m) {
			return divideRatios(m, x, y)
		}
		return floatOf(float64(x.i) / float64(y.i)), nil
	}
	if err := machine.Fits(m, x.bytes()); err != nil {
		return Num{}, err
	}
	q, r := bignum.QuoRem(x.big(), y.big(), m.Meter())
	if r.Sign() == 0 {
		return bigOf(q), nil
	}
	if prefersRationals(m) {
		return divideRatios(m, x, y)
	}
	return divideBigs(m, x, y)
}

// divideBigs returns the float for the quotient of two integers.
func divideBigs(m *machine.Machine, x, y Num) (Num, error) {
	return checkFloat(m, bigRatio(m, x.big(), y.big()))
}

// divideAsFloats returns the float nearest to x / y.
func divideAsFloats(m *machine.Machine, x, y Num) (Num, error) {
	if x.kind == ratioNum || y.kind == ratioNum {
		q, err := divideRatios(m, x, y)
		if err != nil {
			return Num{}, err
		}
		return toFloatFunction(m, q)
	}
	if err := machine.Fits(m, x.bytes()); err != nil {
		return Num{}, err
	}
	return divideBigs(m, x, y)
}

// bigRatio returns the float nearest to x / y.
func bigRatio(m *machine.Machine, x, y *big.Int) float64 {
	const enough = 66 // bits of the quotient, so that its last stands for all that follow
	places := x.BitLen() - y.BitLen() - enough
	if places > 0 {
		y = newBig().Lsh(y, uint(places))
	} else {
		x = newBig().Lsh(x, uint(-places))
	}
	q, r := bignum.QuoRem(x, y, m.Meter())
	if r.Sign() != 0 {
		sign := q.Sign()
		q.Abs(q).SetBit(q, 0, 1)
		q.Mul(q, big.NewInt(int64(sign)))
	}
	f, _ := new(big.Float).SetMantExp(new(big.Float).SetInt(q), places).Float64()
	return f
}

// divideByZero is an integer divided by the integer 0.
func divideByZero(m *machine.Machine, x Num) (Num, error) {
	if x.sign() == 0 && flagIs(m, "float_undefined", "nan") {
		return undefinedResult(m)
	}
	return zeroDivision(m, x.sign() < 0)
}

// divideFloats divides; a zero divisor is an error of its own.
func divideFloats(m *machine.Machine, f, g float64) (Num, error) {
	if g == 0 {
		if f == 0 || math.IsNaN(f) {
			return undefinedResult(m)
		}
		return zeroDivision(m, math.Signbit(f) != math.Signbit(g))
	}
	return checkFloat(m, f/g)
}

// integerDivision divides integers. small returns the result for machine integers. large returns it from the
// quotient, remainder and divisor of big ones.
func integerDivision(m *machine.Machine, x, y Num, small func(a, b int64) int64,
	large func(q, r, b *big.Int) *big.Int,
) (Num, error) {
	if err := needInts(m, x, y); err != nil {
		return Num{}, err
	}
	if y.sign() == 0 {
		return Num{}, m.EvaluationError("zero_divisor")
	}
	if x.kind == smallNum && y.kind == smallNum && (x.i != math.MinInt64 || y.i != -1) {
		return Int(small(x.i, y.i)), nil
	}
	if err := machine.Fits(m, x.bytes()); err != nil {
		return Num{}, err
	}
	b := y.big()
	q, r := bignum.QuoRem(x.big(), b, m.Meter())
	return bigOf(large(q, r, b)), nil
}

// quotient is //, which rounds toward zero.
func quotient(m *machine.Machine, x, y Num) (Num, error) {
	return integerDivision(m, x, y, func(a, b int64) int64 { return a / b },
		func(q, _, _ *big.Int) *big.Int { return q })
}

func remainder(m *machine.Machine, x, y Num) (Num, error) {
	return integerDivision(m, x, y, func(a, b int64) int64 { return a % b },
		func(_, r, _ *big.Int) *big.Int { return r })
}

// modulo is mod: the result has the sign of the divisor.
func modulo(m *machine.Machine, x, y Num) (Num, error) {
	return integerDivision(m, x, y, func(a, b int64) int64 {
		r := a % b
		if r != 0 && (r < 0) != (b < 0) {
			r += b
		}
		return r
	}, func(q, r, b *big.Int) *big.Int {
		_, r = floored(q, r, b)
		return r
	})
}

// setModulo sets z, which is neither x nor y, to x mod y.
func setModulo(z, x, y *big.Int) *big.Int {
	if z.Rem(x, y); z.Sign() != 0 && z.Sign() != y.Sign() {
		z.Add(z, y)
	}
	return z
}

// floorQuotient is div, which rounds toward negative infinity.
func floorQuotient(m *machine.Machine, x, y Num) (Num, error) {
	return integerDivision(m, x, y, func(a, b int64) int64 {
		q := a / b
		if a%b != 0 && (a < 0) != (b < 0) {
			q--
		}
		return q
	}, func(q, r, b *big.Int) *big.Int {
		q, _ = floored(q, r, b)
		return q
	})
}

// floored turns the quotient and remainder of a division by b that rounds toward zero into those of one that rounds
// toward negative infinity.
func floored(q, r, b *big.Int) (*big.Int, *big.Int) {
	if r.Sign() != 0 && r.Sign() != b.Sign() {
		q.Sub(q, big.NewInt(1))
		r.Add(r, b)
	}
	return q, r
}

func shiftRight(m *machine.Machine, x, y Num) (Num, error) { return shift(m, x, y, true) }
func shiftLeft(m *machine.Machine, x, y Num) (Num, error)  { return shift(m, x, y, false) }

// shift shifts by y, in the other direction when y is negative.
func shift(m *machine.Machine, x, y Num, right bool) (Num, error) {
	if err := needInts(m, x, y); err != nil {
		return Num{}, err
	}
	if y.sign() < 0 {
		right = !right
	}
	if x.sign() == 0 {
		return x, nil
	}
	if y.kind == bigNum || y.i == math.MinInt64 {
		if right {
			return Int(int64(min(x.sign(), 0))), nil
		}
		return Num{}, m.ResourceError("memory")
	}
	n := magnitude(y.i)
	if right {
		return shiftDown(x, n), nil
	}
	return shiftUp(m, x, n)
}

func shiftDown(x Num, n uint64) Num {
	if x.kind == smallNum {
		return Int(x.i >> min(n, 63))
	}
	return bigOf(newBig().Rsh(x.b, uint(n)))
}

func shiftUp(m *machine.Machine, x Num, n uint64) (Num, error) {
	if x.kind == smallNum && n < 63 && x.i<<n>>n == x.i {
		return Int(x.i << n), nil
	}
	if n > math.MaxInt32*8 {
		return Num{}, m.ResourceError("memory")
	}
	if err := machine.Fits(m, x.bytes()+int(n/8)); err != nil {
		return Num{}, err
	}
	return bigOf(newBig().Lsh(x.big(), uint(n))), nil
}

// bitwise is the common part of the functions of two bit patterns.
func bitwise(m *machine.Machine, x, y Num, small func(a, b int64) int64,
	large func(z, a, b *big.Int) *big.Int,
) (Num, error) {
	if err := needInts(m, x, y); err != nil {
		return Num{}, err
	}
	if x.kind == smallNum && y.kind == smallNum {
		return Int(small(x.i, y.i)), nil
	}
	if err := machine.Fits(m, max(x.bytes(), y.bytes())); err != nil {
		return Num{}, err
	}
	return bigOf(large(newBig(), x.big(), y.big())), nil
}

func bitAnd(m *machine.Machine, x, y Num) (Num, error) {
	return bitwise(m, x, y, func(a, b int64) int64 { return a & b }, (*big.Int).And)
}

func bitOr(m *machine.Machine, x, y Num) (Num, error) {
	return bitwise(m, x, y, func(a, b int64) int64 { return a | b }, (*big.Int).Or)
}

func bitXor(m *machine.Machine, x, y Num) (Num, error) {
	return bitwise(m, x, y, func(a, b int64) int64 { return a ^ b }, (*big.Int).Xor)
}

func bitNot(m *machine.Machine, x Num) (Num, error) {
	if err := needInt(m, x); err != nil {
		return Num{}, err
	}
	if x.kind == smallNum {
		return Int(^x.i), nil
	}
	return bigOf(newBig().Not(x.b)), nil
}

func gcd(m *machine.Machine, x, y Num) (Num, error) {
	if err := needInts(m, x, y); err != nil {
		return Num{}, err
	}
	if x.kind == smallNum && y.kind == smallNum {
		if d := gcdSmall(magnitude(x.i), magnitude(y.i)); d < 1<<63 {
			return Int(int64(d)), nil
		}
	}
	return bigOf(bignum.GCD(x.big(), y.big(), m.Meter())), nil
}

// gcdSmall is Euclid's algorithm; the greatest divisor of 0 and 0 is 0.
func gcdSmall(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func lcm(m *machine.Machine, x, y Num) (Num, error) {
	g, err := gcd(m, x, y)
	if err != nil || g.sign() == 0 {
		return g, err
	}
	q, err := quotient(m, x, g)
	if err != nil {
		return Num{}, err
	}
	r, err := multiply(m, q, y)
	if err != nil {
		return Num{}, err
	}
	return absolute(m, r)
}

// needPositive fails unless x is an integer greater than 0.
func needPositive(m *machine.Machine, x Num) error {
	if err := needInt(m, x); err != nil {
		return err
	}
	if x.sign() <= 0 {
		return m.DomainError("not_less_than_one", Store(m, x))
	}
	return nil
}

// needNatural fails unless x is an integer not less than 0.
func needNatural(m *machine.Machine, x Num) error {
	if err := needInt(m, x); err != nil {
		return err
	}
	if x.sign() < 0 {
		return m.DomainError("not_less_than_zero", Store(m, x))
	}
	return nil
}

func msb(m *machine.Machine, x Num) (Num, error) {
	if err := needPositive(m, x); err != nil {
		return Num{}, err
	}
	return Int(int64(x.big().BitLen() - 1)), nil
}

func lsb(m *machine.Machine, x Num) (Num, error) {
	if err := needPositive(m, x); err != nil {
		return Num{}, err
	}
	return Int(int64(x.big().TrailingZeroBits())), nil
}

func popcount(m *machine.Machine, x Num) (Num, error) {
	if err := needNatural(m, x); err != nil {
		return Num{}, err
	}
	n := 0
	for _, w := range x.big().Bits() {
		n += bits.OnesCount(uint(w))
	}
	return Int(int64(n)), nil
}

func getbit(m *machine.Machine, x, y Num) (Num, error) {
	if err := needNatural(m, x); err != nil {
		return Num{}, err
	}
	if err := needNatural(m, y); err != nil {
		return Num{}, err
	}
	if y.kind == bigNum || y.i > math.MaxInt32*8 {
		return Int(0), nil
	}
	return Int(int64(x.big().Bit(int(y.i)))), nil
}

// powm is x ** y mod z.
func powm(m *machine.Machine, x, y, z Num) (Num, error) {
	if err := needInt(m, x); err != nil {
		return Num{}, err
	}
	if err := needNatural(m, y); err != nil {
		return Num{}, err
	}
	if err := needPositive(m, z); err != nil {
		return Num{}, err
	}
	q, r := bignum.QuoRem(x.big(), z.big(), m.Meter())
	_, base := floored(q, r, z.big())
	return bigOf(bignum.PowMod(base, y.big(), z.big(), m.Meter())), nil
}

// randomBig is a random integer from 0 to limit-1.
func randomBig(random *rand.Rand, limit *big.Int) *big.Int {
	n := limit.BitLen()
	words := make([]big.Word, (n+bits.UintSize-1)/bits.UintSize)
	for {
		for i := range words {
			words[i] = big.Word(random.Uint64())
		}
		r := newBig().SetBits(append([]big.Word(nil), words...))
		r.Rsh(r, uint(len(words)*bits.UintSize-n))
		if r.Cmp(limit) < 0 {
			return r
		}
	}
}
