package tasks

import (
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/wire"
)

// TestKnows asks which clients take a task as an answer. Clients of the version without sessions do if they declare it.
func TestKnows(t *testing.T) {
	with := &mcp.ClientCapabilities{Extensions: map[string]any{Extension: map[string]any{}}}
	for _, test := range []struct {
		version string
		caps    *mcp.ClientCapabilities
		want    bool
	}{
		{wire.VersionStateless, with, true},
		{wire.VersionStateless, &mcp.ClientCapabilities{}, false},
		{wire.VersionStateless, nil, false},
		{"2025-06-18", with, false},
		{"", with, false},
	} {
		require.Equal(t, test.want, Knows(test.version, test.caps), "%s %v", test.version, test.caps)
	}
}

// TestWantedTasks reads which tasks a subscription is about.
func TestWantedTasks(t *testing.T) {
	for _, test := range []struct {
		meta mcp.Meta
		ids  []string
		asks bool
		err  string
	}{
		{nil, nil, false, ""},
		{mcp.Meta{"other": 1}, nil, false, ""},
		{mcp.Meta{wire.MetaTaskIDs: []any{}}, nil, true, ""},
		{mcp.Meta{wire.MetaTaskIDs: []any{"a", "b"}}, []string{"a", "b"}, true, ""},
		{mcp.Meta{wire.MetaTaskIDs: []any{"a", 1.0}}, nil, true, "expected a list of strings as taskIds"},
		{mcp.Meta{wire.MetaTaskIDs: "a"}, nil, true, "expected a list of strings as taskIds"},
	} {
		ids, asks, err := wantedTasks(test.meta)
		if test.err != "" {
			require.ErrorContains(t, err, test.err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, test.ids, ids)
		require.Equal(t, test.asks, asks)
	}
}

// TestTimestamp writes times in UTC, to the millisecond.
func TestTimestamp(t *testing.T) {
	at := time.Date(2026, 3, 1, 1, 2, 3, 4_567_890, time.FixedZone("", 3600))
	require.Equal(t, "2026-03-01T00:02:03.004Z", timestamp(at))
}
