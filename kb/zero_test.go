package kb_test

import (
	"context"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/zerotest"
)

// TestZeroMethods calls all methods of zero values, and of a base and its snapshot, with zero arguments.
func TestZeroMethods(t *testing.T) {
	t.Parallel()
	base := func() *kb.Base {
		files := fstest.MapFS{"a.pl": {Data: []byte("f(1).\n")}}
		b, err := kb.Open(t.Context(), []string{"."}, &kb.Options{FS: files})
		require.NoError(t, err)
		return b
	}
	zerotest.Methods(t, []func() any{
		func() any { return (*kb.Base)(nil) },
		func() any { return &kb.Base{} },
		func() any { return base() },
		func() any { return &kb.Snapshot{} },
		func() any { return &kb.Snapshot{Program: &engine.Program{}} },
		func() any { return base().Snapshot() },
		func() any { return &kb.Store{} },
		func() any { return &kb.Options{} },
		func() any { return &kb.Provider{} },
		func() any { return &kb.Tool{} },
		func() any { return &kb.Resource{} },
		func() any { return &kb.Trial{} },
	}, "*kb.Base.Watch") // the method of an open base does not return
}

// TestZeroBase checks the errors of a base without a knowledge base.
func TestZeroBase(t *testing.T) {
	t.Parallel()
	ctx, none := t.Context(), context.Context(nil)
	for _, b := range []*kb.Base{nil, {}} {
		require.ErrorContains(t, b.Opened(ctx), "a zero Base")
		require.ErrorContains(t, b.Opened(none), "the context is nil")
		require.ErrorContains(t, b.Reload(ctx).Err, "a zero Base")
		c, changed := b.ReloadChanged(ctx)
		require.True(t, changed)
		require.ErrorContains(t, c.Err, "a zero Base")
		b.Watch(ctx, nil)
		b.Watch(ctx, func(c kb.Change) { require.ErrorContains(t, c.Err, "a zero Base") })
		require.Nil(t, b.Snapshot())
		require.Len(t, b.Origins(nil, time.Second), 0)
	}
	files := fstest.MapFS{"a.pl": {Data: []byte("f(1).\n")}}
	b, err := kb.Open(ctx, []string{"."}, &kb.Options{FS: files})
	require.NoError(t, err)
	c := b.Reload(none)
	require.ErrorContains(t, c.Err, "the context is nil")
	require.Same(t, b.Snapshot(), c.Snapshot)
	b.Watch(none, func(c kb.Change) { require.ErrorContains(t, c.Err, "the context is nil") })
}
