package gc

import (
	"testing"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/stretchr/testify/require"
)

// TestSlide collects a heap that was made by hand. It has garbage, f(X, [a|X]), garbage, and the blob of a string
// with a raw word that looks like a reference.
func TestSlide(t *testing.T) {
	a := code.AtomCell("a")
	blob := code.MakeBlobHeader(code.StringBlob, 1, 0)
	cells := []cell{0, a, a, code.Functor("f", 2), code.MakeRef(4), code.MakeLst(7), a, a, code.MakeRef(4), a, blob,
		code.MakeRef(1), a}
	root, text, stale := code.MakeStr(3), code.MakeBlob(10), code.MakeStr(11)
	var g Heap
	g.Begin(cells, true, func() {})
	require.False(t, g.Plausible(stale), "a raw word is no structure")
	require.True(t, g.Plausible(root))
	g.MarkRoots([]cell{root, text})
	require.True(t, g.Marked(7))
	require.False(t, g.Marked(6))
	require.Equal(t, 8, g.Count())
	require.Equal(t, code.MakeStr(1), g.Moved(root))
	require.Equal(t, code.MakeBlob(6), g.Moved(text))
	g.Slide()
	want := []cell{0, code.Functor("f", 2), code.MakeRef(2), code.MakeLst(4), a, code.MakeRef(2), blob, code.MakeRef(1)}
	require.Equal(t, want, cells[:8])
	g.End()
	check := NewCheck(cells[:8])
	require.NoError(t, check.Reach(code.MakeStr(1)))
	require.Error(t, check.Reach(code.MakeStr(2)))
	require.Error(t, check.Reach(code.MakeRef(7)), "a raw word")
}
