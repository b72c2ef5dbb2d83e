package linediff

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnified(t *testing.T) {
	require.Empty(t, Unified("a", "b", "x\n", "x\n"))
	require.Equal(t, "--- a\n+++ b\n@@ -1,3 +1,3 @@\n 1\n-2\n+zwei\n 3\n", Unified("a", "b", "1\n2\n3\n", "1\nzwei\n3\n"))
	require.Equal(t, "--- a\n+++ b\n@@ -1,1 +1,1 @@\n-x\n\\ No newline at end of file\n+x\n",
		Unified("a", "b", "x", "x\n"))
	require.Equal(t, "--- a\n+++ b\n@@ -0,0 +1,1 @@\n+x\n", Unified("a", "b", "", "x\n"))
}

// TestCompareRebuilds makes the second text of the first one and the differences.
func TestCompareRebuilds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		x, y := random(r), random(r)
		var got []string
		at := 0
		for _, e := range compare(x, y) {
			require.GreaterOrEqual(t, e.a0, at)
			got = append(got, x[at:e.a0]...)
			got = append(got, y[e.b0:e.b1]...)
			at = e.a1
		}
		require.Equal(t, strings.Join(y, ""), strings.Join(append(got, x[at:]...), ""))
	}
}

func random(r *rand.Rand) []string {
	list := make([]string, r.IntN(30))
	for i := range list {
		list[i] = string(rune('a'+r.IntN(4))) + "\n"
	}
	return list
}
