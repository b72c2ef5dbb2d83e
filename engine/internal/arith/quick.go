package arith

import (
	"math"
	"sync"
)

// This file defines the elementary functions to some 65 bits, which is enough to know the nearest float of nearly all
// results; where it is not, pairs of floats are exact to 100 bits and ten times as slow. This is Ziv's strategy ("Fast
// evaluation of elementary mathematical functions with correctly rounded last bit", ACM TOMS 17, 1991). A table takes
// an argument near to zero, as Tang has it (ACM TOMS 15, 1989), and the first terms of a series there are pairs.

// quickDoubt bounds the relative error of the functions of this file for a float. A test has it that the error is at
// most half of that.
const quickDoubt = 0x1p-65

// nearest returns the float that is nearest to a number known up to a relative error; ok is false where two come into
// question.
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

// quickTables hold what the functions are at the steps.
type quickTables struct {
	exp      [expSteps]wide             // 2**(i/expSteps)
	log      [logSteps*3/2 + 1]logEntry // by the number, from 3/4 to 3/2, rounded to steps
	sin, cos [angleSteps]wide           // of i/angleSteps, up to pi/4
}

// A logEntry is about one number: a short float near to its inverse, and the negated logarithm of that.
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

// quickSincosSmall adds what is left of an angle of up to pi/4 to the nearest step.
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
