package arith

import (
	"math"
	"math/big"

	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines powers.

// raise is **. A negative exponent of an integer gives a float, unless the result is 1 or -1.
func raise(m *machine.Machine, x, y Num) (Num, error) {
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
		return floatPower(m, x, y)
	}
	return naturalPower(m, x, y)
}

// integerPower is ^. A negative exponent of an integer is a type error, unless the result is 1 or -1 (Cor.2, 9.3.10).
func integerPower(m *machine.Machine, x, y Num) (Num, error) {
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
		return Num{}, m.TypeError("float", Store(m, x))
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

// ratioPower is the power of a rational number to an integer. A base of zero has a positive exponent.
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

// rootPower is the power of a rational number to one that is no integer. It is exact where the root is.
func rootPower(m *machine.Machine, x, y Num) (Num, error) {
	degree := bigOf(y.q.Denom())
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
	return ratioPower(m, ratioOf(bignum.Ratio(n, d)), bigOf(y.q.Num()))
}

// exactRoot returns the root of an integer, which has the same sign, if it is an integer.
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
