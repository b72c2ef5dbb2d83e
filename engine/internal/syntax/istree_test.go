package syntax

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

// TestIsTree compares isTree with a search for cycles by depth, on random graphs of compounds.
func TestIsTree(t *testing.T) {
	var cyclic func(c *term.Compound, path map[*term.Compound]bool) bool
	cyclic = func(c *term.Compound, path map[*term.Compound]bool) bool {
		if path[c] {
			return true
		}
		path[c] = true
		defer delete(path, c)
		for _, a := range c.Args {
			if d, ok := a.(*term.Compound); ok && cyclic(d, path) {
				return true
			}
		}
		return false
	}
	found := map[bool]int{}
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 0))
		nodes := make([]*term.Compound, 1+r.IntN(12))
		for i := range nodes {
			nodes[i] = &term.Compound{Functor: "f", Args: make([]term.Term, r.IntN(4))}
		}
		for i, n := range nodes {
			for k := range n.Args {
				switch at := r.IntN(2 * len(nodes)); {
				case at >= len(nodes):
					n.Args[k] = term.Int(k)
				case at <= i && r.IntN(4) > 0:
					n.Args[k] = nodes[min(i+1, len(nodes)-1)]
				default:
					n.Args[k] = nodes[at]
				}
			}
		}
		want := !cyclic(nodes[0], map[*term.Compound]bool{})
		require.Equal(t, want, isTree(nodes[0], nil), "seed %d", seed)
		found[want]++
	}
	require.Greater(t, min(found[true], found[false]), 2_000)
	shared := term.Term(term.Int(1))
	for range 64 {
		shared = term.New("f", shared, shared)
	}
	require.False(t, isTree(shared, nil), "too many to walk")
	require.Nil(t, cycleHeads(term.Int(1), nil))
}
