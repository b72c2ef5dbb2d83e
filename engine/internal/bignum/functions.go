package bignum

import (
	"cmp"
	"math/big"
	"math/bits"
)

// This file defines functions that are computed from products and quotients: powers, roots and common divisors. It also
// defines rational numbers with large numerators and denominators.

// Pow returns a to the power of n, which is not negative.
func Pow(a *big.Int, n uint64, m Meter) *big.Int {
	r := big.NewInt(1)
	for i := bits.Len64(n) - 1; i >= 0; i-- {
		if r = Mul(r, r, m); n>>i&1 == 1 {
			r = Mul(r, a, m)
		}
	}
	return r
}

// Root returns the largest r with r**n <= a, by Newton's method from above. a and n are positive.
func Root(a *big.Int, n uint64, m Meter) *big.Int {
	if n == 2 && a.BitLen() <= quotientBits {
		return new(big.Int).Sqrt(a)
	}
	degree := new(big.Int).SetUint64(n)
	less := new(big.Int).SetUint64(n - 1)
	r := new(big.Int).Lsh(big.NewInt(1), uint(a.BitLen())/uint(n)+1)
	for {
		next, _ := QuoRem(a, Pow(r, n-1, m), m)
		next.Add(next, new(big.Int).Mul(r, less)).Quo(next, degree)
		if next.Cmp(r) >= 0 {
			return r
		}
		r = next
	}
}

// modularWork is the number of word operations up to which a modular power is left to math/big.
const modularWork = 1 << 24

// PowMod returns x to the power of y modulo z, where y is not negative and z is positive.
func PowMod(x, y, z *big.Int, m Meter) *big.Int {
	size := words(z.BitLen())
	if z.BitLen() <= powerBits && size*size*y.BitLen() <= modularWork {
		m.before(size * size * y.BitLen())
		return new(big.Int).Exp(x, y, z)
	}
	_, x = QuoRem(x, z, m)
	step := uint(max(modularWork/4/(size*size), 1)) // bits of y at a time
	r := big.NewInt(1)
	for at := (uint(y.BitLen()) + step - 1) / step; at > 0; {
		at--
		digit := new(big.Int).Rsh(y, at*step)
		digit.Sub(digit, shifted(new(big.Int).Rsh(digit, step), step))
		r = timesMod(powerOfTwoMod(r, step, z, m), smallPowMod(x, digit, z, m), z, m)
	}
	return r
}

// powerOfTwoMod squares r n times modulo z.
func powerOfTwoMod(r *big.Int, n uint, z *big.Int, m Meter) *big.Int {
	if n == 1 {
		return timesMod(r, r, z, m)
	}
	return smallPowMod(r, new(big.Int).Lsh(big.NewInt(1), n), z, m)
}

// smallPowMod returns x to the power of y modulo z for a y so small that the computation is one piece.
func smallPowMod(x, y, z *big.Int, m Meter) *big.Int {
	if y.BitLen() <= 1 {
		return timesMod(Pow(x, y.Uint64(), m), big.NewInt(1), z, m)
	}
	m.before(modularWork / 4)
	return new(big.Int).Exp(x, y, z)
}

// timesMod returns a * b modulo z, with the sign of z.
func timesMod(a, b, z *big.Int, m Meter) *big.Int {
	_, r := QuoRem(Mul(a, b, m), z, m)
	if r.Sign() < 0 {
		r.Add(r, z)
	}
	return r
}

// commonBits is the size up to which a greatest common divisor is left to math/big.
const commonBits = 1 << 15

// GCD returns the greatest common divisor of a and b, not negative.
func GCD(a, b *big.Int, m Meter) *big.Int {
	if a, b := a.Bits(), b.Bits(); len(a) == 1 || len(b) == 1 {
		m.before(len(a) + len(b))
		return new(big.Int).SetUint64(wordGCD(a, b))
	}
	x, y := new(big.Int).Abs(a), new(big.Int).Abs(b)
	if x.Cmp(y) < 0 {
		x, y = y, x
	}
	var e euclid
	for y.BitLen() > commonBits {
		c, ok := quotients(x, y)
		if !ok {
			_, r := QuoRem(x, y, m)
			x, y = y, r
			continue
		}
		m.before(4 * words(x.BitLen()))
		e.first, e.second = e.combine(e.first, x, y, c.a, c.b), e.combine(e.second, x, y, c.c, c.d)
		x, y, e.first, e.second = e.first, e.second, x, y
	}
	m.before(words(x.BitLen()) * words(y.BitLen()))
	return new(big.Int).GCD(nil, nil, x, y)
}

// wordGCD returns the greatest common divisor of two numbers of which one has a single word. Sums of fractions with
// small denominators ask for little else.
func wordGCD(a, b []big.Word) uint64 {
	if len(b) != 1 {
		a, b = b, a
	}
	y, x := uint64(b[0]), uint64(0) // x is a modulo y
	for i := len(a) - 1; i >= 0; i-- {
		if bits.UintSize == 64 {
			_, x = bits.Div64(x, uint64(a[i]), y)
		} else {
			x = (x<<32 | uint64(a[i])) % y
		}
	}
	for x != 0 {
		x, y = y%x, x
	}
	return y
}

// euclid holds numbers whose room is used again at the next step.
type euclid struct {
	first, second *big.Int
	product       big.Int
}

// combine returns x*m + y*n, in the room of z if that is not nil.
func (e *euclid) combine(z, x, y *big.Int, m, n int64) *big.Int {
	if z == nil {
		z = new(big.Int)
	}
	z.Mul(x, big.NewInt(m))
	return z.Add(z, e.product.Mul(y, big.NewInt(n)))
}

// cofactors are the effect of several steps of Euclid's algorithm: a*x + b*y and c*x + d*y.
type cofactors struct{ a, b, c, d int64 }

// quotients finds the quotients of the next steps of Euclid's algorithm from the leading bits of x >= y (Lehmer 1938;
// Knuth, The Art of Computer Programming 2, algorithm 4.5.2 L). ok is false when not even one is certain.
func quotients(x, y *big.Int) (f cofactors, ok bool) {
	const leading = 62
	shift := uint(x.BitLen() - leading)
	u := new(big.Int).Rsh(x, shift).Int64()
	v := new(big.Int).Rsh(y, shift).Int64()
	f = cofactors{a: 1, d: 1}
	for v+f.c != 0 && v+f.d != 0 {
		q := (u + f.a) / (v + f.c)
		if q != (u+f.b)/(v+f.d) {
			break
		}
		f = cofactors{f.c, f.d, f.a - q*f.c, f.b - q*f.d}
		u, v = v, u-q*v
	}
	return f, f.b != 0
}

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
