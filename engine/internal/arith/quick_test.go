package arith

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuickIsNear compares the functions of 65 bits with those of 100. No error is more than half of quickDoubt.
func TestQuickIsNear(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	most := map[string]float64{}
	note := func(name string, f float64, quick, exact wide) {
		off := math.Abs(quick.sub(exact).hi / exact.hi)
		if off > most[name] {
			most[name] = off
		}
		require.LessOrEqual(t, off, quickDoubt/2, "%s of %v", name, f)
	}
	for range 50_000 {
		f := (random.Float64() - 0.5) * math.Exp2(float64(random.IntN(30)-20))
		m, k := wideOf(f / 2).quickExp()
		if math.Abs(f) < 1400 {
			note("exp", f/2, m.scale(math.Exp2(float64(k))), wideOf(f/2).exp())
		}
		if s, c := wideOf(f).quickSincos(); f != 0 {
			exactS, exactC := wideOf(f).sincos()
			note("sin", f, s, exactS)
			note("cos", f, c, exactC)
		}
		note("log", 1+f, quickLog(math.Abs(1+f)), wideOf(math.Abs(1+f)).log())
		g := math.Float64frombits(random.Uint64N(math.Float64bits(math.MaxFloat64)))
		note("log", g, quickLog(g), wideOf(g).log())
	}
	t.Log(most)
}

// TestQuickIsExact compares the returned floats with those of the pairs, also where 65 bits leave a doubt.
func TestQuickIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	doubts := 0
	for range 50_000 {
		f := (random.Float64() - 0.5) * 40
		s, c := wideOf(f).sincos()
		near, _ := wideOf(f).quickSincos()
		if _, sure := near.nearest(quickDoubt); !sure {
			doubts++
		}
		require.Equal(t, s.float(), sine(f), "sin %v", f)
		require.Equal(t, c.float(), cosine(f), "cos %v", f)
		require.Equal(t, s.div(c).float(), tangent(f), "tan %v", f)
		require.Equal(t, wideOf(f).exp().float(), exponentialOf(f), "exp %v", f)
		x := math.Abs(f)
		require.Equal(t, wideOf(x).log().float(), naturalLogOf(x), "log %v", x)
		require.Equal(t, wideOf(x).log().mul(wideOf(f)).exp().float(), powerOf(x, f), "%v ** %v", x, f)
	}
	require.Greater(t, doubts, 0)
	require.Less(t, doubts, 250)
}
