package arith

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// TestDirected compares the directed roundings of operations on floats of all sizes with the exact results.
func TestDirected(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	float := func() float64 {
		switch random.IntN(4) {
		case 0:
			return math.Float64frombits(random.Uint64())
		case 1:
			return float64(random.IntN(2000) - 1000)
		case 2:
			return (random.Float64() - 0.5) * 0x1p-1070
		}
		return random.Float64() - 0.5
	}
	for range 3000 {
		f, g := float(), float()
		if !finite(f, g) {
			continue
		}
		x, y := new(big.Rat).SetFloat64(f), new(big.Rat).SetFloat64(g)
		for rounding := machine.ToPositive; rounding <= machine.ToZero; rounding++ {
			m := &machine.Machine{}
			m.Floats.Rounding = rounding
			checkDirected(t, m, "+", f, g, directSum(m, f, g), new(big.Rat).Add(x, y))
			checkDirected(t, m, "*", f, g, directProduct(m, f, g), new(big.Rat).Mul(x, y))
			if g != 0 {
				ratio := new(big.Rat).Quo(x, y)
				checkDirected(t, m, "/", f, g, directQuotient(m, f, g), ratio)
				nearest, _ := ratio.Float64()
				if !special(nearest) {
					checkDirected(t, m, "ratio", f, g, directRatio(m, nearest, ratio.Num(), ratio.Denom()), ratio)
				}
			}
			if f > 0 {
				r := directRoot(m, f)
				exact := new(big.Rat).SetFloat64(r)
				below := new(big.Rat).SetFloat64(math.Nextafter(r, 0))
				above := new(big.Rat).SetFloat64(math.Nextafter(r, math.Inf(1)))
				if d := exact.Mul(exact, exact).Cmp(x); d != 0 && (d > 0) != (rounding == machine.ToPositive) ||
					below.Mul(below, below).Cmp(x) >= 0 || above.Mul(above, above).Cmp(x) <= 0 {
					t.Errorf("sqrt(%v) is %v, rounded by %d", f, r, rounding)
				}
			}
		}
	}
}

// checkDirected reports a float that is not the next one to an exact value in the direction that a machine rounds to.
func checkDirected(t *testing.T, m *machine.Machine, op string, f, g, got float64, exact *big.Rat) {
	t.Helper()
	up := m.Floats.Rounding == machine.ToPositive || m.Floats.Rounding == machine.ToZero && exact.Sign() < 0
	if math.IsInf(got, 0) {
		most := new(big.Rat).SetFloat64(math.MaxFloat64)
		if new(big.Rat).Abs(exact).Cmp(most) <= 0 || up != (exact.Sign() > 0) {
			t.Errorf("%v %s %v is %v, rounded by %d", f, op, g, got, m.Floats.Rounding)
		}
		return
	}
	d := new(big.Rat).SetFloat64(got).Cmp(exact)
	if d == 0 {
		return
	}
	toward := math.Inf(1)
	if up {
		toward = math.Inf(-1)
	}
	next := math.Nextafter(got, toward)
	beyond := math.IsInf(next, 0) || (new(big.Rat).SetFloat64(next).Cmp(exact) > 0) != up
	if (d > 0) != up || !beyond {
		t.Errorf("%v %s %v is %v, rounded by %d", f, op, g, got, m.Floats.Rounding)
	}
}
