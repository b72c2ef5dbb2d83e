package arith

import (
	"math"
	"math/big"
	"sync"
)

// This file defines the elementary functions of floats. The results of Go's library are off by a unit in the last
// place for up to a third of the arguments. C libraries nearly always return the nearest float, and so do the Prologs
// that are built on them. So the functions here do too.

// isNear reports whether f is so close to zero that the odd functions are the identity.
func isNear(f float64) bool { return math.Abs(f) < 1e-9 }

// special reports whether f is infinite or NaN. Go's functions handle these.
func special(f float64) bool { return math.IsInf(f, 0) || math.IsNaN(f) }

func sine(f float64) float64 {
	if isNear(f) || special(f) {
		return math.Sin(f)
	}
	s, _ := wideOf(f).quickSincos()
	if v, ok := s.nearest(quickDoubt); ok {
		return v
	}
	s, _ = wideOf(f).sincos()
	return s.float()
}

func cosine(f float64) float64 {
	if special(f) {
		return math.Cos(f)
	}
	_, c := wideOf(f).quickSincos()
	if v, ok := c.nearest(quickDoubt); ok {
		return v
	}
	_, c = wideOf(f).sincos()
	return c.float()
}

func tangent(f float64) float64 {
	if isNear(f) || special(f) {
		return math.Tan(f)
	}
	s, c := wideOf(f).quickSincos()
	if v, ok := s.div(c).nearest(4 * quickDoubt); ok {
		return v
	}
	s, c = wideOf(f).sincos()
	return s.div(c).float()
}

// The range in which e**f is a normal float.
const (
	minExp = -708
	maxExp = 709.782712893384
)

func exponentialOf(f float64) float64 {
	switch {
	case f >= maxExp:
		return math.Inf(1)
	case f > minExp:
		m, k := wideOf(f).quickExp()
		if v, ok := m.nearest(quickDoubt); ok {
			return math.Ldexp(v, k)
		}
		return wideOf(f).exp().float()
	}
	return math.Exp(f)
}

// logOf returns the natural logarithm of f, divided by that of a base unless it is 0.
func logOf(f float64, base wide) float64 {
	if !(f > 0) || special(f) {
		return math.Log(f)
	}
	inBase := func(v wide) wide {
		if base.hi != 0 {
			v = v.div(base)
		}
		return v
	}
	if v, ok := inBase(quickLog(f)).nearest(2 * quickDoubt); ok {
		return v
	}
	return inBase(wideOf(f).log()).float()
}

func naturalLogOf(f float64) float64 { return logOf(f, wide{}) }
func log2Of(f float64) float64       { return logOf(f, wideLn2) }

// log10Of adds the logarithms of exponent and mantissa, the first in two parts.
func log10Of(f float64) float64 {
	const high, low = 3.01029995663611771306e-01, 3.69423907715893078616e-13 // of 2
	if !(f > 0) || special(f) {
		return math.Log10(f)
	}
	mantissa, exponent := math.Frexp(f) // from 0.5
	if exponent > 0 {
		mantissa, exponent = mantissa*2, exponent-1
	}
	k := float64(exponent)
	return k*low + 1/math.Ln10*naturalLogOf(mantissa) + k*high
}

func powerOf(f, g float64) float64 {
	switch {
	case g == 2:
		return f * f
	case g == 0.5 && f > 0:
		return math.Sqrt(f)
	}
	const safe = 690 // e**safe is a normal float, and so is its inverse
	if f > 0 && !special(f) && g != 0 && !special(g) {
		exponent := quickLog(f).mul(wideOf(g))
		if size := math.Abs(exponent.hi); size < safe {
			m, k := exponent.quickExp()
			if v, ok := m.nearest(2 * quickDoubt * (1 + size)); ok {
				return math.Ldexp(v, k)
			}
		}
	}
	r := math.Pow(f, g)
	if f == 0 || g == 0 || special(f) || special(g) || special(r) || math.Abs(r) < 0x1p-1000 || math.Abs(r) > 0x1p1000 {
		return r
	}
	v := wideOf(math.Abs(f)).log().mul(wideOf(g)).exp().float()
	return math.Copysign(v, r)
}

// inverse2 returns the angle of the point (x, y).
func inverse2(y, x float64) float64 {
	r := math.Atan2(y, x)
	low, high := math.Abs(x), math.Abs(y)
	if low > high {
		low, high = high, low
	}
	if special(r) || low < 0x1p-400 || high > 0x1p400 || math.Abs(r) < 0x1p-900 {
		return r
	}
	return angleOf(wideOf(y), wideOf(x))
}

// angleOf returns the angle of the point (x, y). Coordinates and angle must be far from the limits of floats.
func angleOf(y, x wide) float64 {
	z := math.Atan2(y.hi, x.hi)
	s, c := wideOf(z).quickSincos()
	if v, ok := atan2(y, x, z, s, c).nearest(4 * quickDoubt); ok {
		return v
	}
	s, c = wideOf(z).sincos()
	return atan2(y, x, z, s, c).float()
}

func arcTangentOf(f float64) float64 {
	if isNear(f) {
		return math.Atan(f)
	}
	return inverse2(f, 1)
}

// otherLeg returns sqrt(1 - f*f).
func otherLeg(f float64) wide { return twoSum(1, f).mul(twoSum(1, -f)).sqrt() }

func arcSineOf(f float64) float64 {
	if isNear(f) || !(math.Abs(f) < 1) {
		return math.Asin(f)
	}
	return angleOf(wideOf(f), otherLeg(f))
}

func arcCosineOf(f float64) float64 {
	if !(math.Abs(f) < 1) {
		return math.Acos(f)
	}
	return angleOf(otherLeg(f), wideOf(f))
}

// expLess1 returns e**f - 1.
func expLess1(f float64) float64 {
	if isNear(f) || !(minExp < f && f < maxExp) {
		return math.Expm1(f)
	}
	if m, k := wideOf(f).quickExp(); math.Abs(f) > 1 && k < 1000 {
		if v, ok := m.scale(math.Ldexp(1, k)).sub(wideOne).nearest(4 * quickDoubt); ok {
			return v
		}
	}
	return wideOf(f).exp().sub(wideOne).float()
}

// log1 returns the logarithm of 1 + f.
func log1(f float64) float64 {
	if isNear(f) || f <= -1 || special(f) {
		return math.Log1p(f)
	}
	return twoSum(1, f).log().float()
}

// The hyperbolic functions are computed from the rounded exponential or logarithm, as C
// libraries do, since the last place of their results is what people see elsewhere.

func hyperbolicSine(f float64) float64 {
	x := math.Abs(f)
	t := expLess1(x)
	switch {
	case isNear(f) || special(f):
		return f
	case x < 1:
		return math.Copysign(0.5, f) * (2*t - t*t/(t+1))
	case x < 22:
		return math.Copysign(0.5, f) * (t + t/(t+1))
	}
	return math.Copysign(halfExponential(x), f)
}

func hyperbolicCosine(f float64) float64 {
	x := math.Abs(f)
	switch {
	case special(f):
		return math.Abs(f)
	case x < math.Ln2/2:
		t := expLess1(x)
		return 1 + t*t/(2*(1+t))
	case x < 22:
		t := exponentialOf(x)
		return 0.5*t + 0.5/t
	}
	return halfExponential(x)
}

// halfExponential returns e**f / 2, which may be in range where e**f is not.
func halfExponential(f float64) float64 {
	if f < maxExp {
		return 0.5 * exponentialOf(f)
	}
	t := exponentialOf(f / 2)
	return 0.5 * t * t
}

func hyperbolicTangent(f float64) float64 {
	x := math.Abs(f)
	switch {
	case isNear(f) || x >= 22 || special(f):
		return math.Tanh(f)
	case x >= 1:
		return math.Copysign(1-2/(expLess1(2*x)+2), f)
	}
	t := expLess1(-2 * x)
	return math.Copysign(-t/(t+2), f)
}

func areaSineOf(f float64) float64 {
	x := math.Abs(f)
	switch {
	case isNear(f) || special(f) || x > 0x1p28:
		return math.Asinh(f)
	case x > 2:
		return math.Copysign(naturalLogOf(2*x+1/(math.Sqrt(x*x+1)+x)), f)
	}
	sq := x * x
	return math.Copysign(log1(x+sq/(1+math.Sqrt(1+sq))), f)
}

func areaCosineOf(f float64) float64 {
	switch {
	case !(f > 1) || special(f) || f > 0x1p28:
		return math.Acosh(f)
	case f > 2:
		return naturalLogOf(2*f - 1/(f+math.Sqrt(f*f-1)))
	}
	t := f - 1
	return log1(t + math.Sqrt(2*t+t*t))
}

func areaTangentOf(f float64) float64 {
	x := math.Abs(f)
	switch {
	case isNear(f) || x >= 1 || special(f):
		return math.Atanh(f)
	case x < 0.5:
		return math.Copysign(0.5*log1(2*x+2*x*x/(1-x)), f)
	}
	return math.Copysign(0.5*log1(2*x/(1-x)), f)
}

// This part computes the elementary functions to some 65 bits. That is enough to know the nearest float of nearly all
// results. For the others pairs of floats give 100 bits, ten times as slowly. This is Ziv's strategy ("Fast
// evaluation of elementary mathematical functions with correctly rounded last bit", ACM TOMS 17, 1991). A table
// reduces an argument to one near zero (Tang, ACM TOMS 15, 1989). The first terms of the series there are pairs.

// quickDoubt bounds the relative error of quickExp, quickLog and quickSincos. A test checks that the error is at most
// half of it.
const quickDoubt = 0x1p-65

// nearest returns the float that is nearest to a number known up to a relative error. ok is false if the error leaves
// two candidates.
func (a wide) nearest(doubt float64) (f float64, ok bool) {
	e := math.Abs(a.hi) * doubt
	f = a.hi + (a.lo - e)
	return f, f == a.hi+(a.lo+e)
}

const (
	expSteps   = 64  // of the exponent between two powers of two
	logSteps   = 128 // between two powers of two
	angleSteps = 64  // between 0 and 1
)

// quickTables holds the values of the functions at the steps.
type quickTables struct {
	exp      [expSteps]wide             // 2**(i/expSteps)
	log      [logSteps*3/2 + 1]logEntry // index: a number from 3/4 to 3/2, in steps
	sin, cos [angleSteps]wide           // of i/angleSteps, up to pi/4
}

// A logEntry belongs to one number. It holds a short float near the inverse of the number, and the negated logarithm
// of that float.
type logEntry struct {
	inverse float64
	log     wide
}

var quick = sync.OnceValue(func() *quickTables {
	var t quickTables
	for i := range t.exp {
		t.exp[i] = wideLn2.mul(wideOf(float64(i) / expSteps)).exp()
	}
	for i := logSteps * 3 / 4; i <= logSteps*3/2; i++ {
		const short = 1 << 10
		inverse := math.Round(short*logSteps/float64(i)) / short
		t.log[i] = logEntry{inverse, wideOf(inverse).log().neg()}
	}
	t.log[logSteps] = logEntry{1, wide{}}
	for i := range angleSteps*4/5 + 1 {
		t.sin[i], t.cos[i] = wideOf(float64(i) / angleSteps).sincosSmall()
	}
	return &t
})

// quickExp returns m and k with e**a = m * 2**k, for |a| < 745.
func (a wide) quickExp() (m wide, k int) {
	t := quick()
	n := math.Round(a.hi * (expSteps / math.Ln2))
	r := a.sub(wideLn2.mul(wideOf(n / expSteps)))
	x := r.hi // below ln 2 / 128
	sq := r.mul(r)
	rest := x * x * x * (1.0/6 + x*(1.0/24+x*(1.0/120+x*(1.0/720+x*(1.0/5040)))))
	less1 := r.add(wide{sq.hi / 2, sq.lo / 2}).add(wideOf(rest))
	factor := t.exp[int(n)&(expSteps-1)]
	return factor.add(factor.mul(less1)), int(n) >> 6
}

// quickLog returns the natural logarithm of a positive float that is not tiny.
func quickLog(f float64) wide {
	m, e := math.Frexp(f)
	if m < 0.75 {
		m, e = 2*m, e-1
	}
	near := &quick().log[int(math.Round(m*logSteps))]
	r := twoProduct(m, near.inverse) // near to 1, so that the difference is exact
	r = fastSum(r.hi-1, r.lo)
	x := r.hi // below 1/100
	sq := r.mul(r)
	rest := x * x * x * (1.0/3 - x*(1.0/4-x*(1.0/5-x*(1.0/6-x*(1.0/7-x*(1.0/8-x*(1.0/9-x/10)))))))
	v := r.sub(wide{sq.hi / 2, sq.lo / 2}).add(wideOf(rest))
	if e == 0 && near.inverse == 1 {
		return v
	}
	return wideLn2.mul(wideOf(float64(e))).add(near.log).add(v)
}

// quickSincos returns sine and cosine of a finite angle.
func (a wide) quickSincos() (sin, cos wide) {
	r, quadrant := a.reduce()
	s, c := r.quickSincosSmall()
	return turned(s, c, quadrant)
}

// quickSincosSmall returns sine and cosine of an angle of up to pi/4. It adds the distance to the nearest step to
// that step.
func (a wide) quickSincosSmall() (sin, cos wide) {
	t := quick()
	sign := math.Copysign(1, a.hi)
	a = a.scale(sign)
	i := int(math.Round(a.hi * angleSteps))
	r := a.sub(wideOf(float64(i) / angleSteps))
	x := r.hi // at most 1/128
	sq := r.mul(r)
	y := sq.hi
	s := r.add(wideOf(-x * y * (1.0/6 - y*(1.0/120-y*(1.0/5040)))))
	less1 := wide{-sq.hi / 2, -sq.lo / 2}.add(wideOf(y * y * (1.0/24 - y*(1.0/720-y*(1.0/40320)))))
	if i == 0 {
		return s.scale(sign), wideOne.add(less1)
	}
	s0, c0 := t.sin[i], t.cos[i]
	return s0.add(s0.mul(less1).add(c0.mul(s))).scale(sign), c0.add(c0.mul(less1).sub(s0.mul(s)))
}

// This part defines arithmetic on pairs of floats, which hold about 106 bits (Dekker 1971; Knuth, The Art of Computer
// Programming, 4.2.2). The functions of accurate.go compute with them, so that rounding to a float nearly always gives
// the float nearest to the true value.

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

// largeAngle is the largest angle for which the three floats of pi/2 suffice.
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
	rest := y.mul(c).sub(x.mul(s)).hi / (x.hi*c.hi + y.hi*s.hi) // only the high float of this matters
	return fastSum(z, rest)
}
