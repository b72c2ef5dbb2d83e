package bignum

import (
	"cmp"
	"math/big"
)

// This file defines rational numbers with large numerators and denominators.

// Ratio returns n / d, which must be in lowest terms with a positive denominator. It keeps the digits of both.
func Ratio(n, d *big.Int) *big.Rat {
	r := new(big.Rat)
	*r = oneHalf // the digits of both parts are replaced
	if r.Num().SetBits(n.Bits()); n.Sign() < 0 {
		r.Num().Neg(r.Num())
	}
	r.Denom().SetBits(d.Bits())
	return r
}

// oneHalf is a number whose denominator can be set: that of an integer is none of its parts. Making one with NewRat
// would look for a common divisor.
var oneHalf = *big.NewRat(1, 2)

// RatioBytes estimates the size of a rational number.
func RatioBytes(q *big.Rat) int { return (len(q.Num().Bits()) + len(q.Denom().Bits())) * 8 }

// Reduced returns n / d for any d but 0.
func Reduced(n, d *big.Int, m Meter) *big.Rat {
	if n.Sign() == 0 {
		return new(big.Rat)
	}
	if g := GCD(n, d, m); !g.IsInt64() || g.Int64() != 1 {
		n, _ = QuoRem(n, g, m)
		d, _ = QuoRem(d, g, m)
	}
	if d.Sign() < 0 {
		n, d = new(big.Int).Neg(n), new(big.Int).Neg(d)
	}
	if d.IsInt64() && d.Int64() == 1 {
		return new(big.Rat).SetInt(n)
	}
	return Ratio(n, d)
}

// CompareRatios returns -1, 0 or 1. It multiplies only where signs and lengths do not decide.
func CompareRatios(a, b *big.Rat, m Meter) int {
	sign := a.Sign()
	if d := cmp.Compare(sign, b.Sign()); d != 0 || sign == 0 {
		return d
	}
	// A number whose numerator is longer than its denominator by k bits lies between 2**(k-1) and 2**(k+1).
	k := a.Num().BitLen() - a.Denom().BitLen()
	l := b.Num().BitLen() - b.Denom().BitLen()
	switch {
	case k > l+1:
		return sign
	case l > k+1:
		return -sign
	}
	return Mul(a.Num(), b.Denom(), m).Cmp(Mul(b.Num(), a.Denom(), m))
}

// RatioText returns the digits of a rational number that is no integer, such as 1r3.
func RatioText(r *big.Rat, m Meter) string {
	return Text(r.Num(), 10, m) + "r" + Text(r.Denom(), 10, m)
}
