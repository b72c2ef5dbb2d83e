package bignum

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// number returns a random integer of n bits.
func number(r *rand.Rand, n int) *big.Int {
	a := new(big.Int)
	for a.BitLen() < n {
		a.Lsh(a, 64).Or(a, new(big.Int).SetUint64(r.Uint64()|1<<63))
	}
	return a.Rsh(a, uint(a.BitLen()-n))
}

// sizes are in bits. They lie on both sides of the sizes at which the algorithm changes.
var sizes = []int{1, 2, 33, 63, 64, 65, 128, 1000, 1 << 15, 1<<16 + 1, 1<<17 + 1, 300_001}

func TestAgainstMathBig(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	work := 0
	meter := Meter(func(n int) { work += n })
	for _, m := range sizes {
		for _, n := range sizes {
			a, b := number(r, m), number(r, n)
			if r.IntN(2) == 0 {
				a.Neg(a)
			}
			if r.IntN(2) == 0 {
				b.Neg(b)
			}
			checkPair(t, a, b, meter)
		}
	}
	require.Positive(t, work)
}

func checkPair(t *testing.T, a, b *big.Int, meter Meter) {
	t.Helper()
	same := func(want, got *big.Int, what string) {
		require.Zero(t, want.Cmp(got), "%s of %d and %d bits", what, a.BitLen(), b.BitLen())
	}
	same(new(big.Int).Mul(a, b), Mul(a, b, meter), "product")
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	q1, r1 := QuoRem(a, b, meter)
	same(q, q1, "quotient")
	same(r, r1, "remainder")
	x, y := new(big.Int).Abs(a), new(big.Int).Abs(b)
	same(new(big.Int).GCD(nil, nil, x, y), GCD(a, b, meter), "common divisor")
	// A quotient at the border: b * c - 1.
	c := new(big.Int).Mul(a, b)
	c.Sub(c, big.NewInt(1))
	q, r = new(big.Int).QuoRem(c, b, new(big.Int))
	q1, r1 = QuoRem(c, b, nil)
	same(q, q1, "quotient at the border")
	same(r, r1, "remainder at the border")
}

func TestCommonFactor(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	common := number(r, 70_000)
	a, b := new(big.Int).Mul(common, number(r, 90_000)), new(big.Int).Mul(common, number(r, 80_000))
	require.Zero(t, new(big.Int).GCD(nil, nil, a, b).Cmp(GCD(a, b, nil)))
}

func TestDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, base := range []int{2, 3, 10, 16, 36} {
		for _, n := range sizes {
			a := number(r, n)
			text := a.Text(base)
			require.True(t, text == Text(a, base, nil), "digits of %d bits in base %d", n, base)
			require.Zero(t, a.Cmp(Parse(text, base, nil)), "%d bits in base %d", n, base)
		}
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(100_000), nil)
	for _, a := range []*big.Int{power, new(big.Int).Sub(power, big.NewInt(1)), new(big.Int).Neg(power)} {
		require.True(t, a.String() == Text(a, 10, nil), "many zeros or nines")
	}
	require.Equal(t, "1", Parse("0000"+"1", 10, nil).String())
}

func TestPowersAndRoots(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{100, 5000, 8000} {
		x, y, z := number(r, n), number(r, n/4), number(r, n)
		require.Zero(t, new(big.Int).Exp(x, y, z).Cmp(PowMod(x, y, z, nil)), "%d bits", n)
	}
	z := number(r, powerBits+5)
	x, y := number(r, 1000), big.NewInt(1000)
	require.Zero(t, new(big.Int).Exp(x, y, z).Cmp(PowMod(x, y, z, nil)))
	for _, n := range sizes {
		a := number(r, n)
		require.Zero(t, new(big.Int).Sqrt(a).Cmp(Root(a, 2, nil)), "root of %d bits", n)
	}
	cube := Pow(number(r, 3000), 3, nil)
	root := Root(cube, 3, nil)
	require.Zero(t, Pow(root, 3, nil).Cmp(cube))
}

// TestPieces checks that no large computation is one piece.
func TestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	a, b := number(r, 1<<20), number(r, 1<<19)
	text := a.Text(10)
	for name, f := range map[string]func(Meter){
		"product":        func(m Meter) { Mul(a, b, m) },
		"quotient":       func(m Meter) { QuoRem(a, b, m) },
		"digits":         func(m Meter) { Text(a, 10, m) },
		"number":         func(m Meter) { Parse(text, 10, m) },
		"root":           func(m Meter) { Root(a, 2, m) },
		"common divisor": func(m Meter) { GCD(new(big.Int).Rsh(a, 1<<19), b, m) },
	} {
		pieces := 0
		f(func(int) { pieces++ })
		require.Greater(t, pieces, 10, name)
	}
}
