package arith

import (
	"math"
	"math/big"

	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines powers.

// raise is **: a negative exponent of an integer makes a float, unless the result is 1 or -1.
func raise(m *machine.Machine, x, y Num) (Num, error) {
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
func integerPower(m *machine.Machine, x, y Num) (Num, error) {
	if !x.isInt() || !y.isInt() {
		return floatPower(m, x, y)
	}
	if r, ok, err := simplePower(m, x, y); ok || err != nil {
		return r, err
	}
	if y.sign() < 0 {
		return Num{}, m.TypeError("float", Store(m, x))
	}
	return naturalPower(m, x, y)
}

// simplePower handles integer bases and exponents that give a value for any other operand.
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
	base := x.big()
	const most = math.MaxInt32 * 8 // bits
	if y.kind == bigNum || y.i > most || y.i*int64(base.BitLen()-1) > most {
		return Num{}, m.ResourceError("memory")
	}
	size := int(y.i) * base.BitLen() / 8
	if size < machine.LargeBytes {
		return bigOf(newBig().Exp(base, y.big(), nil)), nil
	}
	if err := m.ReserveLarge(size); err != nil {
		return Num{}, err
	}
	if zeros := base.TrailingZeroBits(); uint(base.BitLen()) == zeros+1 {
		r := newBig().Lsh(big.NewInt(1), zeros*uint(y.i))
		if base.Sign() < 0 && y.i%2 == 1 {
			r.Neg(r)
		}
		return bigOf(r), nil
	}
	return bigOf(bignum.Pow(base, uint64(y.i), m.Meter)), nil
}
