// Package bignum computes with integers so large that it takes long.
//
// Package math/big works at one stretch; this package works in pieces of a millisecond or so. Before each piece a
// [Meter] is told how much work it is; it may end the computation by a panic. Smaller integers go to math/big as they
// are. Arguments are never changed, and results share nothing with them.
package bignum

import (
	"math/big"
	"math/bits"
)

// Meter is told how much work is about to be done, in thousands of word operations. A nil Meter is not called.
type Meter func(work int)

// before announces work of a number of word operations.
func (m Meter) before(operations int) {
	if m != nil {
		m(1 + operations>>10)
	}
}

// Sizes, in bits, up to which a piece of work is left to math/big.
const (
	productBits  = 1 << 18
	quotientBits = 1 << 16
	digitBits    = 1 << 15
	powerBits    = 1 << 17
)

// words is the number of words of n bits.
func words(n int) int { return n/bits.UintSize + 1 }

// Mul returns a * b. Large ones are halved until the pieces are small (Karatsuba and Ofman 1962).
func Mul(a, b *big.Int, m Meter) *big.Int {
	if a.BitLen() < b.BitLen() {
		a, b = b, a
	}
	size, n := a.BitLen(), b.BitLen()
	if size < productBits || n < productBits>>8 {
		m.before(words(size) * min(words(n), 1<<8))
		return new(big.Int).Mul(a, b)
	}
	half := uint(size+1) / 2
	high, low := split(a, half)
	if n < size/2 {
		low, high = Mul(low, b, m), Mul(high, b, m)
		high.Lsh(high, half)
		return high.Add(high, low)
	}
	return karatsuba(high, low, b, half, m)
}

// karatsuba returns (a1 * 2**half + a0) * b from three products of numbers of half the size.
func karatsuba(a1, a0, b *big.Int, half uint, m Meter) *big.Int {
	b1, b0 := split(b, half)
	low, high := Mul(a0, b0, m), Mul(a1, b1, m)
	mid := Mul(a0.Add(a0, a1), b0.Add(b0, b1), m)
	mid.Sub(mid, low).Sub(mid, high)
	r := high.Lsh(high, half)
	r.Add(r, mid).Lsh(r, half)
	return r.Add(r, low)
}

// split returns high and low with a = high * 2**n + low, both of the sign of a.
func split(a *big.Int, n uint) (high, low *big.Int) {
	abs := new(big.Int).Abs(a)
	high = new(big.Int).Rsh(abs, n)
	low = new(big.Int).Lsh(high, n)
	low.Sub(abs, low)
	if a.Sign() < 0 {
		high.Neg(high)
		low.Neg(low)
	}
	return high, low
}

// QuoRem returns the quotient of a and b, rounded toward zero, and the remainder. b is not 0.
func QuoRem(a, b *big.Int, m Meter) (q, r *big.Int) {
	size, n := a.BitLen(), b.BitLen()
	if size < 2*quotientBits || n < quotientBits>>8 || size-n < quotientBits>>8 {
		m.before(words(size) * min(words(n), 1<<8))
		return new(big.Int).QuoRem(a, b, new(big.Int))
	}
	q, r = longDivision(new(big.Int).Abs(a), new(big.Int).Abs(b), m)
	if a.Sign() < 0 {
		r.Neg(r)
	}
	if a.Sign()*b.Sign() < 0 {
		q.Neg(q)
	}
	return q, r
}

// longDivision divides a by b as on paper. Its digits are numbers of as many bits as b.
func longDivision(a, b *big.Int, m Meter) (q, r *big.Int) {
	n := uint(b.BitLen())
	q, r = new(big.Int), new(big.Int)
	for i := (uint(a.BitLen()) - 1) / n; ; i-- {
		digit := new(big.Int).Rsh(a, i*n)
		digit.Sub(digit, shifted(new(big.Int).Rsh(digit, n), n))
		part, rest := divideTwo(shifted(r, n).Add(r, digit), b, n, m)
		q = shifted(q, n).Add(q, part)
		if r = rest; i == 0 {
			return q, r
		}
	}
}

// shifted shifts a to the left, in its place.
func shifted(a *big.Int, n uint) *big.Int { return a.Lsh(a, n) }

// divideTwo divides a by b by divisions of half the size (Burnikel and Ziegler 1998). b has n bits, and a < b * 2**n.
func divideTwo(a, b *big.Int, n uint, m Meter) (q, r *big.Int) {
	if n <= quotientBits {
		m.before(words(int(n)) << 8)
		return new(big.Int).QuoRem(a, b, new(big.Int))
	}
	if n%2 == 1 {
		q, r = divideTwo(new(big.Int).Lsh(a, 1), new(big.Int).Lsh(b, 1), n+1, m)
		return q, r.Rsh(r, 1)
	}
	half := n / 2
	high, low := split(a, half)
	b1, b0 := split(b, half)
	q1, r1 := divideThree(high, b, b1, b0, half, m)
	q0, r0 := divideThree(shifted(r1, half).Add(r1, low), b, b1, b0, half, m)
	return shifted(q1, half).Add(q1, q0), r0
}

// divideThree divides a by b = b1 * 2**half + b0, where b1 has half bits and a < b * 2**half.
func divideThree(a, b, b1, b0 *big.Int, half uint, m Meter) (q, r *big.Int) {
	high, low := split(a, half)
	if new(big.Int).Rsh(high, half).Cmp(b1) < 0 {
		q, r = divideTwo(high, b1, half, m)
	} else { // the quotient has no more than half bits
		q = new(big.Int).Lsh(big.NewInt(1), half)
		q.Sub(q, big.NewInt(1))
		r = high.Sub(high, new(big.Int).Lsh(b1, half))
		r.Add(r, b1)
	}
	r = shifted(r, half).Add(r, low)
	r.Sub(r, Mul(q, b0, m))
	for r.Sign() < 0 {
		q.Sub(q, big.NewInt(1))
		r.Add(r, b)
	}
	return q, r
}
