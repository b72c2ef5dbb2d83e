// Package bignum computes with large integers, on which an operation may take seconds.
//
// Package math/big cannot be interrupted. This package works in pieces of a millisecond or so. Before each piece it
// calls a [Meter] with the amount of work. The Meter may end the computation by a panic. Smaller integers go to
// math/big as they are. Arguments are never changed, and results share nothing with them.
package bignum

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"
	"strings"
)

// Meter is called with the amount of work that is about to be done, in thousands of word operations. A nil Meter is
// not called.
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

// This part defines the conversion of integers to text and back, by halves (Knuth, The Art of Computer Programming 2,
// 4.4). The usual way takes time by the square of the length.

// Text returns a in a base from 2 to 36.
func Text(a *big.Int, base int, m Meter) string {
	if a.BitLen() <= digitBits {
		return a.Text(base)
	}
	var b strings.Builder
	if a.Sign() < 0 {
		b.WriteByte('-')
	}
	powers := []*big.Int{blockPower(base)}
	for top := powers[0]; 2*top.BitLen()-1 <= a.BitLen(); {
		top = Mul(top, top, m)
		powers = append(powers, top)
	}
	writeDigits(&b, new(big.Int).Abs(a), powers, 0, base, m)
	return b.String()
}

// blockDigits is the number of digits in a base that make up about digitBits.
func blockDigits(base int) int { return int(digitBits / math.Log2(float64(base))) }

// blockPower is the power of the base with that many zeros.
func blockPower(base int) *big.Int {
	return new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(int64(blockDigits(base))), nil)
}

// writeDigits writes a with at least a number of digits, zeros first. Each of the powers is the square of the one
// before, and a is less than the square of the last.
func writeDigits(b *strings.Builder, a *big.Int, powers []*big.Int, least, base int, m Meter) {
	if len(powers) == 0 {
		m.before(1 << 16)
		text := a.Text(base)
		if a.Sign() == 0 {
			text = ""
		}
		b.WriteString(strings.Repeat("0", max(least-len(text), 0)))
		b.WriteString(text)
		return
	}
	last := len(powers) - 1
	below := blockDigits(base) << last // digits of the remainder
	if least == 0 && a.Cmp(powers[last]) < 0 {
		writeDigits(b, a, powers[:last], 0, base, m)
		return
	}
	q, r := QuoRem(a, powers[last], m)
	writeDigits(b, q, powers[:last], max(least-below, 0), base, m)
	writeDigits(b, r, powers[:last], below, base, m)
}

// Parse returns the integer of a text of digits of a base. All characters must be such digits.
func Parse(text string, base int, m Meter) *big.Int {
	block := blockDigits(base)
	if len(text) <= block {
		n, _ := new(big.Int).SetString(text, base)
		return n
	}
	var parts []*big.Int // from the left; the first may be shorter than a block
	for end := (len(text)-1)%block + 1; end <= len(text); end += block {
		m.before(1 << 16)
		n, _ := new(big.Int).SetString(text[max(end-block, 0):end], base)
		parts = append(parts, n)
	}
	for power := blockPower(base); len(parts) > 1; power = Mul(power, power, m) {
		parts = pairs(parts, power, m)
	}
	return parts[0]
}

// pairs joins neighbours, from the right, as high * power + low.
func pairs(parts []*big.Int, power *big.Int, m Meter) []*big.Int {
	joined := make([]*big.Int, (len(parts)+1)/2)
	for to, from := len(joined)-1, len(parts)-1; to >= 0; to, from = to-1, from-2 {
		joined[to] = parts[from]
		if from > 0 {
			high := Mul(parts[from-1], power, m)
			joined[to] = high.Add(high, parts[from])
		}
	}
	return joined
}

// This part defines functions that are computed from products and quotients: powers, roots and common divisors. It also
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

// RatioOf is Ratio for the digits of both parts, which it copies. Short ones take a single allocation.
func RatioOf(negative bool, n, d []big.Word) *big.Rat {
	made := &struct {
		ratio big.Rat
		few   [4]big.Word
	}{ratio: oneHalf}
	both := append(append(made.few[:0], n...), d...)
	numerator := made.ratio.Num().SetBits(both[:len(n):len(n)])
	if negative {
		numerator.Neg(numerator)
	}
	made.ratio.Denom().SetBits(both[len(n):])
	return &made.ratio
}

// oneHalf is copied to make rational numbers. Its denominator is a part of it and can be set; that of an integer is
// not. NewRat would look for a common divisor.
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
