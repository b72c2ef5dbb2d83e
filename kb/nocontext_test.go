package kb_test

import (
	"context"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/host"
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
	_, err = kb.NewStore(none, nowhere{}, nil)
	require.ErrorContains(t, err, "the context is nil")
}

// nowhere is a FactStore that breaks its contract.
type nowhere struct{}

func (nowhere) Load(context.Context) iter.Seq2[host.Fact, error] { return nil }
func (nowhere) Append(host.FactChange) error                     { return nil }

// TestNoStore loads with unusable stores.
func TestNoStore(t *testing.T) {
	t.Parallel()
	_, err := kb.NewStore(t.Context(), nil, nil)
	require.ErrorContains(t, err, "the FactStore is nil")
	_, err = kb.NewStore(t.Context(), nowhere{}, nil)
	require.ErrorContains(t, err, "has returned nil")
	_, err = kb.OpenStore("", nil)
	require.ErrorContains(t, err, "the name of the store is empty")
	o := &kb.Options{Empty: true, Store: &kb.Store{}}
	_, err = kb.Load(t.Context(), []string{t.TempDir()}, o)
	require.ErrorContains(t, err, "a zero Store")
	_, err = kb.Open(t.Context(), []string{t.TempDir()}, o)
	require.ErrorContains(t, err, "a zero Store")
}
