package arith

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// Values from tables (Abramowitz and Stegun, chapter 4, and the exact decimal expansions of
// e and pi), rounded to the nearest float by Go's reader of numbers.
func TestElementaryFunctions(t *testing.T) {
	tests := []struct {
		name string
		got  float64
		want float64
	}{
		{"exp(1)", exponentialOf(1), 2.71828182845904523536028747135},
		{"exp(-1)", exponentialOf(-1), 0.367879441171442321595523770161},
		{"log(2)", naturalLogOf(2), 0.693147180559945309417232121458},
		{"log(10)", naturalLogOf(10), 2.30258509299404568401799145468},
		{"log2(8)", log2Of(8), 3},
		{"sin(1)", sine(1), 0.841470984807896506652502321630},
		{"cos(1)", cosine(1), 0.540302305868139717400936607443},
		{"tan(1)", tangent(1), 1.55740772465490223050697480745},
		{"sin(pi)", sine(math.Pi), 1.22464679914735317722606593227e-16},
		{"sin(1e22)", sine(1e22), -0.852200849767188801772705893753},
		{"atan(1)", arcTangentOf(1), 0.785398163397448309615660845819},
		{"asin(0.5)", arcSineOf(0.5), 0.523598775598298873077107230546},
		{"acos(0.5)", arcCosineOf(0.5), 1.04719755119659774615421446109},
		{"atan2(1,-1)", inverse2(1, -1), 2.35619449019234492884698253745},
		{"2**0.5", powerOf(2, 0.5), 1.41421356237309504880168872420},
		{"(-2)**3", powerOf(-2, 3), -8},
	}
	for _, test := range tests {
		require.Equal(t, test.want, test.got, test.name)
	}
}

// Sums, products, quotients and roots of pairs agree with numbers of 200 bits to 100 bits.
func TestWideArithmetic(t *testing.T) {
	exact := func(a wide) *big.Float {
		f := new(big.Float).SetPrec(200).SetFloat64(a.hi)
		return f.Add(f, big.NewFloat(a.lo))
	}
	near := func(name string, got wide, want *big.Float) {
		diff := new(big.Float).SetPrec(200).Sub(exact(got), want)
		if want.Sign() != 0 {
			diff.Quo(diff, want)
		}
		f, _ := diff.Float64()
		require.LessOrEqual(t, math.Abs(f), 0x1p-100, name)
	}
	a := wide{1.0 / 3, 1.0 / 3 * 0x1p-54}
	b := wide{math.Pi, 0x1p-52 / 7}
	new200 := func() *big.Float { return new(big.Float).SetPrec(200) }
	near("add", a.add(b), new200().Add(exact(a), exact(b)))
	near("sub", a.sub(b), new200().Sub(exact(a), exact(b)))
	near("mul", a.mul(b), new200().Mul(exact(a), exact(b)))
	near("div", a.div(b), new200().Quo(exact(a), exact(b)))
	near("sqrt", b.sqrt(), new200().Sqrt(exact(b)))
	near("exp, log", b.exp().log(), exact(b))
}
