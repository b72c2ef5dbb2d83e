package eventtexts

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOf finds the texts of the innermost context that has some.
func TestOf(t *testing.T) {
	require.Nil(t, Of(t.Context()))
	first, second := &Texts{}, &Texts{}
	outer := With(t.Context(), first)
	inner, cancel := context.WithCancel(With(outer, second))
	defer cancel()
	require.Same(t, first, Of(outer))
	require.Same(t, second, Of(inner))
}
