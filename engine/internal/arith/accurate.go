package arith

import "math"

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
	if g == 2 {
		return f * f
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

// inverse2 is the angle of the point (x, y).
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

// angleOf is the angle of the point (x, y), which is no small one of a large x.
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
