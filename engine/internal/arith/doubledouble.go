package arith

import (
	"math"
	"math/big"
	"sync"
)

// This file defines arithmetic on pairs of floats, which hold about 106 bits (Dekker 1971;
// Knuth, The Art of Computer Programming, 4.2.2). The functions of accurate.go compute with
// them, so that rounding to a float nearly always gives the float nearest to the true value.

// wide is a float of double width: the unevaluated sum of two floats, of which lo is at most half a unit of hi.
type wide struct{ hi, lo float64 }

func wideOf(f float64) wide { return wide{f, 0} }

// float returns the float nearest to the sum.
func (a wide) float() float64 { return a.hi + a.lo }

// twoSum returns a+b exactly.
func twoSum(a, b float64) wide {
	s := a + b
	v := s - a
	return wide{s, (a - (s - v)) + (b - v)}
}

// fastSum is twoSum for |a| >= |b|.
func fastSum(a, b float64) wide {
	s := a + b
	return wide{s, b - (s - a)}
}

// twoProduct returns a*b exactly.
func twoProduct(a, b float64) wide {
	p := a * b
	return wide{p, math.FMA(a, b, -p)}
}

func (a wide) neg() wide { return wide{-a.hi, -a.lo} }

func (a wide) add(b wide) wide {
	s := twoSum(a.hi, b.hi)
	t := twoSum(a.lo, b.lo)
	s = fastSum(s.hi, s.lo+t.hi)
	return fastSum(s.hi, s.lo+t.lo)
}

func (a wide) sub(b wide) wide { return a.add(b.neg()) }

func (a wide) mul(b wide) wide {
	p := twoProduct(a.hi, b.hi)
	return fastSum(p.hi, p.lo+a.hi*b.lo+a.lo*b.hi)
}

func (a wide) div(b wide) wide {
	q := a.hi / b.hi
	return fastSum(q, a.sub(b.mul(wideOf(q))).hi/b.hi)
}

// scale multiplies by a power of two.
func (a wide) scale(power float64) wide { return wide{a.hi * power, a.lo * power} }

func (a wide) sqrt() wide {
	if a.hi <= 0 {
		return wide{}
	}
	s := math.Sqrt(a.hi)
	return fastSum(s, a.sub(twoProduct(s, s)).hi/(2*s))
}

// Constants as pairs; pi/2 as three floats for the reduction of angles.
var (
	wideOne = wideOf(1)
	wideLn2 = wide{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}

	halfPi = [3]float64{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110}
)

// inverseFactorials holds 1/n!.
var inverseFactorials = func() (table [30]wide) {
	table[0] = wideOne
	for n := 1; n < len(table); n++ {
		table[n] = table[n-1].div(wideOf(float64(n)))
	}
	return table
}()

// exp returns e**a for |a| < 745.
func (a wide) exp() wide {
	const halvings = 9
	k := math.Round(a.hi / math.Ln2)
	r := a.sub(wideLn2.mul(wideOf(k))).scale(1.0 / (1 << halvings))
	s := wideOf(0)
	for n := 8; n >= 1; n-- { // s becomes e**r - 1
		s = s.add(inverseFactorials[n]).mul(r)
	}
	for range halvings { // (1+s)**2 - 1 = 2s + s*s
		s = s.scale(2).add(s.mul(s))
	}
	s = s.add(wideOne)
	half := math.Trunc(k / 2) // in two steps, as 2**k may be out of range
	return s.scale(math.Ldexp(1, int(half))).scale(math.Ldexp(1, int(k-half)))
}

// log returns the natural logarithm of a positive number, by a step of Newton's method.
func (a wide) log() wide {
	_, e := math.Frexp(a.hi)
	a = a.scale(math.Ldexp(1, -e/2)).scale(math.Ldexp(1, -e-(-e/2)))
	x := wideOf(math.Log(a.hi))
	x = x.add(a.mul(x.neg().exp())).sub(wideOne)
	return x.add(wideLn2.mul(wideOf(float64(e))))
}

// sincos returns sine and cosine of a finite angle.
func (a wide) sincos() (sin, cos wide) {
	r, quadrant := a.reduce()
	s, c := r.sincosSmall()
	return turned(s, c, quadrant)
}

// turned returns sine and cosine of an angle to which quarters of a turn are added.
func turned(s, c wide, quadrant int) (sin, cos wide) {
	switch quadrant {
	case 1:
		return c, s.neg()
	case 2:
		return s.neg(), c.neg()
	case 3:
		return c.neg(), s
	}
	return s, c
}

// largeAngle is where the three floats of pi/2 no longer suffice.
const largeAngle = 1 << 20

// reduce takes the nearest multiple of pi/2 off an angle.
func (a wide) reduce() (r wide, quadrant int) {
	if math.Abs(a.hi) > largeAngle {
		return reduceLarge(a.hi)
	}
	k := math.Round(a.hi / halfPi[0])
	for _, part := range halfPi {
		a = a.sub(twoProduct(k, part))
	}
	return a, int(int64(k) & 3)
}

// sincosSmall sums the series for |a| <= pi/4.
func (a wide) sincosSmall() (sin, cos wide) {
	sq := a.mul(a)
	for n := 27; n >= 1; n -= 2 {
		sin = inverseFactorials[n].sub(sin.mul(sq))
		cos = inverseFactorials[n-1].sub(cos.mul(sq))
	}
	return sin.mul(a), cos
}

// bigHalfPi is pi/2 with as many bits as the reduction of the largest float needs, by
// Machin's formula: pi/4 = 4 arctan 1/5 - arctan 1/239.
var bigHalfPi = sync.OnceValue(func() *big.Float {
	const bits = 1300
	arctan := func(n int64) *big.Int { // of 1/n, times 2**bits
		sum, term := new(big.Int), new(big.Int).Lsh(big.NewInt(1), bits)
		term.Quo(term, big.NewInt(n))
		for k := int64(1); term.Sign() != 0; k += 2 {
			t := new(big.Int).Quo(term, big.NewInt(k))
			if k%4 == 3 {
				t.Neg(t)
			}
			sum.Add(sum, t)
			term.Quo(term, big.NewInt(n*n))
		}
		return sum
	}
	quarter := arctan(5)
	quarter.Lsh(quarter, 2).Sub(quarter, arctan(239))
	f := new(big.Float).SetInt(quarter)
	return f.SetMantExp(f, 1-bits)
})

// reduceLarge is reduce for any finite angle.
func reduceLarge(f float64) (r wide, quadrant int) {
	const precision = 1300
	x := new(big.Float).SetPrec(precision).SetFloat64(f)
	q := new(big.Float).SetPrec(precision).Quo(x, bigHalfPi())
	half := big.NewFloat(math.Copysign(0.5, f))
	k, _ := q.Add(q, half).Int(nil) // rounds to nearest, as Int truncates
	x.Sub(x, q.Mul(new(big.Float).SetPrec(precision).SetInt(k), bigHalfPi()))
	hi, _ := x.Float64()
	lo, _ := x.Sub(x, big.NewFloat(hi)).Float64()
	return wide{hi, lo}, int(new(big.Int).And(k, big.NewInt(3)).Int64())
}

// atan2 returns the angle of the point (x, y), by a step of Newton's method from z with its sine and cosine.
func atan2(y, x wide, z float64, s, c wide) wide {
	rest := y.mul(c).sub(x.mul(s)).hi / (x.hi*c.hi + y.hi*s.hi) // of which the first half is enough
	return fastSum(z, rest)
}
