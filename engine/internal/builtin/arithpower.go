package builtin

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines powers, and the multiplication of integers so large that it takes long.

// power is **: a negative exponent of an integer makes a float, unless the result is 1 or -1.
func power(m *machine.Machine, x, y num) (num, error) {
	if !x.isInt() || !y.isInt() {
		return floatPower(m, x, y)
	}
	if r, ok, err := simplePower(m, x, y); ok || err != nil {
		return r, err
	}
	if y.sign() < 0 {
		return floatPower(m, x, y)
	}
	return naturalPower(m, x, y)
}

// integerPower is ^: a negative exponent of an integer is a type error, unless the result is 1
// or -1.
func integerPower(m *machine.Machine, x, y num) (num, error) {
	if !x.isInt() || !y.isInt() {
		return floatPower(m, x, y)
	}
	if r, ok, err := simplePower(m, x, y); ok || err != nil {
		return r, err
	}
	if y.sign() < 0 {
		return num{}, m.TypeError("float", storeNumber(m, x))
	}
	return naturalPower(m, x, y)
}

// simplePower handles integer bases and exponents that give a value for any other operand.
func simplePower(m *machine.Machine, x, y num) (r num, ok bool, err error) {
	switch {
	case y.sign() == 0 || x == intOf(1):
		return intOf(1), true, nil
	case x == intOf(-1):
		return intOf(1 - 2*int64(y.big().Bit(0))), true, nil
	case x == intOf(0) && y.sign() < 0:
		return num{}, false, m.EvaluationError("zero_divisor")
	case x == intOf(0):
		return x, true, nil
	}
	return num{}, false, nil
}

// naturalPower is the power of an integer other than 0, 1 and -1 to a positive exponent.
func naturalPower(m *machine.Machine, x, y num) (num, error) {
	base := x.big()
	const most = math.MaxInt32 * 8 // bits
	if y.kind == bigNum || y.i > most || y.i*int64(base.BitLen()-1) > most {
		return num{}, m.ResourceError("memory")
	}
	size := int(y.i) * base.BitLen() / 8
	if size < largeBytes {
		return bigOf(newBig().Exp(base, y.big(), nil)), nil
	}
	if err := room(m, size); err != nil {
		return num{}, err
	}
	if zeros := base.TrailingZeroBits(); uint(base.BitLen()) == zeros+1 {
		r := newBig().Lsh(big.NewInt(1), zeros*uint(y.i))
		if base.Sign() < 0 && y.i%2 == 1 {
			r.Neg(r)
		}
		return bigOf(r), nil
	}
	return largePower(m, base, y.i)
}

// largePower squares and multiplies, binary digits of n from the left.
func largePower(m *machine.Machine, base *big.Int, n int64) (num, error) {
	r := big.NewInt(1)
	var err error
	for i := bits.Len64(uint64(n)) - 1; i >= 0; i-- {
		if r, err = multiplyBig(m, r, r); err != nil {
			return num{}, err
		}
		if n>>i&1 == 1 {
			if r, err = multiplyBig(m, r, base); err != nil {
				return num{}, err
			}
		}
	}
	return bigOf(r), nil
}

// blockBits is the size from which multiplication is cut in pieces, between which the clock and
// cancellation are looked at.
const blockBits = 1 << 20

// multiplyBig multiplies numbers of any size. Large ones are halved (Karatsuba and Ofman
// 1962) until a piece takes some milliseconds; the depth is the logarithm of the size.
func multiplyBig(m *machine.Machine, a, b *big.Int) (*big.Int, error) {
	if a.BitLen() < b.BitLen() {
		a, b = b, a
	}
	size, n := a.BitLen(), b.BitLen()
	if size < 2*blockBits || n < blockBits/256 {
		if err := m.Charge(size >> 12 * (1 + n>>12)); err != nil {
			return nil, err
		}
		return newBig().Mul(a, b), nil
	}
	half := uint(size+1) / 2
	high, low := splitBits(a, half)
	if n < size/2 {
		return multiplyHalves(m, high, low, b, half)
	}
	return karatsuba(m, a, b, half)
}

// multiplyHalves returns (high * 2**half + low) * b.
func multiplyHalves(m *machine.Machine, high, low, b *big.Int, half uint) (*big.Int, error) {
	low, err := multiplyBig(m, low, b)
	if err != nil {
		return nil, err
	}
	high, err = multiplyBig(m, high, b)
	if err != nil {
		return nil, err
	}
	high = high.Lsh(high, half)
	return high.Add(high, low), nil
}

// karatsuba returns a * b from three products of numbers of half the size.
func karatsuba(m *machine.Machine, a, b *big.Int, half uint) (*big.Int, error) {
	a1, a0 := splitBits(a, half)
	b1, b0 := splitBits(b, half)
	low, err := multiplyBig(m, a0, b0)
	if err != nil {
		return nil, err
	}
	high, err := multiplyBig(m, a1, b1)
	if err != nil {
		return nil, err
	}
	mid, err := multiplyBig(m, a0.Add(a0, a1), b0.Add(b0, b1))
	if err != nil {
		return nil, err
	}
	mid.Sub(mid, low).Sub(mid, high)
	r := high.Lsh(high, half)
	r = r.Add(r, mid)
	r = r.Lsh(r, half)
	return r.Add(r, low), nil
}

// splitBits returns high and low with a = high * 2**n + low, both of the sign of a.
func splitBits(a *big.Int, n uint) (high, low *big.Int) {
	abs := newBig().Abs(a)
	high = newBig().Rsh(abs, n)
	low = newBig().Sub(abs, newBig().Lsh(high, n))
	if a.Sign() < 0 {
		high.Neg(high)
		low.Neg(low)
	}
	return high, low
}
