package kb_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/kb"
)

// TestNoContext loads without a context.
func TestNoContext(t *testing.T) {
	t.Parallel()
	var none context.Context
	_, err := kb.Load(none, nil, nil)
	require.ErrorContains(t, err, "the context is nil")
	_, err = kb.Open(none, nil, nil)
	require.ErrorContains(t, err, "the context is nil")
	require.Panics(t, func() { kb.Begin(none, nil, nil) })
}
