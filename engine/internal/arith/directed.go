package arith

import (
	"math"
	"math/big"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines the rounding of floats that the flag float_rounding and roundtoward/2 ask for: to the next float
// above, below or nearer to zero. The processor rounds to the nearest; where that is not wanted the exact value is
// compared with what it gave. Sums, products, quotients, square roots and conversions are so as IEEE 754 has them. Of
// other functions no exact value is known: the float next to the computed one is taken, which bounds the value where
// that is the nearest.

// direct returns the float for a value, given the nearest and how the value compares with that.
func direct(m *machine.Machine, nearest float64, d int) float64 {
	switch {
	case d > 0 && m.Floats.Rounding == machine.ToPositive:
		return math.Nextafter(nearest, math.Inf(1))
	case d < 0 && m.Floats.Rounding == machine.ToNegative:
		return math.Nextafter(nearest, math.Inf(-1))
	case m.Floats.Rounding == machine.ToZero && (d > 0 && nearest < 0 || d < 0 && nearest > 0):
		return math.Nextafter(nearest, 0)
	}
	return nearest
}

// exactBits is a precision in which a sum or a product of floats is exact, and a float less a product.
const exactBits = 2*1074 + 2*1024 + 64

func exactly(f float64) *big.Float { return new(big.Float).SetPrec(exactBits).SetFloat64(f) }

func exactProduct(f, g float64) *big.Float {
	return new(big.Float).SetPrec(exactBits).Mul(exactly(f), exactly(g))
}

// finite reports whether both are finite.
func finite(f, g float64) bool { return !special(f) && !special(g) }

// compareTo compares an exact value with the float nearest to it, which may be infinite.
func compareTo(x *big.Float, nearest float64) int {
	if math.IsInf(nearest, 0) {
		return -int(math.Copysign(1, nearest))
	}
	return x.Cmp(exactly(nearest))
}

// directSum returns f + g rounded as the flag says.
func directSum(m *machine.Machine, f, g float64) float64 {
	s := f + g
	if m.Floats.Rounding == machine.ToNearest || !finite(f, g) {
		return s
	}
	exact := new(big.Float).SetPrec(exactBits).Add(exactly(f), exactly(g))
	if exact.Sign() == 0 && m.Floats.Rounding == machine.ToNegative && (math.Signbit(f) || math.Signbit(g)) {
		return math.Copysign(0, -1)
	}
	return direct(m, s, compareTo(exact, s))
}

// directProduct returns f * g likewise.
func directProduct(m *machine.Machine, f, g float64) float64 {
	p := f * g
	if m.Floats.Rounding == machine.ToNearest || !finite(f, g) {
		return p
	}
	return direct(m, p, compareTo(exactProduct(f, g), p))
}

// directQuotient returns f / g likewise; g is not zero.
func directQuotient(m *machine.Machine, f, g float64) float64 {
	q := f / g
	if m.Floats.Rounding == machine.ToNearest || !finite(f, g) {
		return q
	}
	d := -int(math.Copysign(1, q))
	if !math.IsInf(q, 0) {
		d = exactly(f).Cmp(exactProduct(q, g))
		if g < 0 {
			d = -d
		}
	}
	return direct(m, q, d)
}

// directRoot returns the square root of v, which is not negative.
func directRoot(m *machine.Machine, v float64) float64 {
	r := math.Sqrt(v)
	if m.Floats.Rounding == machine.ToNearest || special(r) {
		return r
	}
	return direct(m, r, exactly(v).Cmp(exactProduct(r, r)))
}

// directRatio returns the float for x / y, given the nearest.
func directRatio(m *machine.Machine, nearest float64, x, y *big.Int) float64 {
	if m.Floats.Rounding == machine.ToNearest || special(nearest) {
		return nearest
	}
	const mantissa = 53
	fraction, exponent := math.Frexp(nearest)
	scaled := newBig().Mul(y, big.NewInt(int64(math.Ldexp(fraction, mantissa))))
	if exponent -= mantissa; exponent > 0 {
		scaled.Lsh(scaled, uint(exponent))
	} else {
		x = newBig().Lsh(x, uint(-exponent))
	}
	return direct(m, nearest, x.Cmp(scaled)*y.Sign())
}

// outward returns the bound of a function's value at v, given the float r that was computed. At 0 and 1 the functions
// have values that are floats.
func outward(m *machine.Machine, v, r float64) float64 {
	if m.Floats.Rounding == machine.ToNearest || special(r) || (v == 0 || v == 1) && (r == 0 || r == 1) {
		return r
	}
	switch m.Floats.Rounding {
	case machine.ToPositive:
		return direct(m, r, 1)
	case machine.ToNegative:
		return direct(m, r, -1)
	}
	return math.Nextafter(r, 0)
}

// directPower returns f ** g, given the nearest float r.
func directPower(m *machine.Machine, f, g, r float64) float64 {
	const exactPower = 16
	switch {
	case m.Floats.Rounding == machine.ToNearest || special(r) || f == 0 || !finite(f, g):
		return r
	case g == 0.5:
		return directRoot(m, f)
	case g != math.Trunc(g) || math.Abs(g) > exactPower:
		return outward(m, f, r)
	}
	const bits = 64 * (exactPower + 1) // of floats that are neither very large nor very small
	power := new(big.Float).SetPrec(bits).SetInt64(1)
	for range int(math.Abs(g)) {
		power.Mul(power, new(big.Float).SetPrec(bits).SetFloat64(f))
	}
	if g >= 0 {
		return direct(m, r, compareTo(power, r))
	}
	one, scaled := big.NewFloat(1), new(big.Float).SetPrec(2*bits).SetFloat64(r)
	return direct(m, r, one.Cmp(scaled.Mul(scaled, power))*power.Sign())
}

// fRoundToward is roundtoward/2, which is no function of the values of its arguments.
var fRoundToward = code.Functor("roundtoward", 2)

// roundToward plans the evaluation of roundtoward(Expression, Mode): of the expression under the mode, and then the
// return to what is in force now.
func (e *evaluator) roundToward(c cell) error {
	m := e.m
	mode := m.Deref(m.Arg(c, 1))
	if machine.IsVar(mode) {
		return m.InstantiationError()
	}
	name, err := m.AtomArg(mode)
	if err != nil {
		return err
	}
	rounding, ok := machine.RoundingOf(name)
	if !ok {
		return m.DomainError("round", mode)
	}
	e.todo = append(e.todo, step{fn: restoreRounding - int(m.Floats.Rounding)}, step{m.Arg(c, 0), -1})
	m.Floats.Rounding = rounding
	return nil
}

// restoreRounding less a rounding is the fn of the step that goes back to it.
const restoreRounding = -2
