package bridge_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/zerotest"
)

// TestZeroMethods calls all methods of values that nobody has made, and of servers, with zero values.
func TestZeroMethods(t *testing.T) {
	t.Parallel()
	served := func() *bridge.Server {
		files := fstest.MapFS{"a.pl": {Data: []byte("tools([f/1]).\nf(1).\n")}}
		s, err := kb.Load(t.Context(), []string{"."}, &kb.Options{FS: files, Predicates: bridge.Predicates()})
		require.NoError(t, err)
		return bridge.NewServer(s, nil)
	}
	zerotest.Methods(t, []func() any{
		func() any { return bridge.NewServer(nil, nil) },
		func() any { return served() },
		func() any { return &bridge.Options{} },
		func() any { return &bridge.Tool{} },
		func() any { return &bridge.Decision{} },
		func() any { return &bridge.Observation{} },
	}, "*bridge.Server.Loaded") // a server of no snapshot waits for one
	now, _ := bridge.NewServer(nil, nil).Replay(t.Context(), nil, nil)
	require.Contains(t, string(now.Result), "There is no tool")
}
