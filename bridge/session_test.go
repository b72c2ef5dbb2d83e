package bridge

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// This file defines what tests of the server share: loading, connecting, calling.

// load loads files and folders with what bridge adds to them.
func load(t *testing.T, paths ...string) *kb.Snapshot {
	t.Helper()
	return bridgetest.Load(t, Predicates(), paths...)
}

// loadText loads a knowledge base of one file.
func loadText(t *testing.T, text string) *kb.Snapshot {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kb.pl")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return load(t, file)
}

// openTold opens a knowledge base of one file. The channel has a value for each call of begun/0.
func openTold(t *testing.T, text string) (*kb.Base, <-chan bool) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kb.pl")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	told := make(chan bool, 10)
	begun := engine.Predicate{Name: "begun", Call: func(*engine.Call) (bool, error) { told <- true; return true, nil }}
	base, err := kb.Open(t.Context(), []string{file}, &kb.Options{Predicates: append(Predicates(), begun)})
	require.NoError(t, err)
	return base, told
}

// loopText has a tool that loops.
const loopText = "tools([tool(loop, loop, 0, [description('Loops.')])]).\nloop :- begun, repeat, fail.\n"

// connect starts a session of a client of some version with a server, in memory.
func connect(t *testing.T, s *Server, version string, o *mcp.ClientOptions,
	through ...mcp.Middleware) *mcp.ClientSession {
	t.Helper()
	ctx := context.Background()
	ours, theirs := mcp.NewInMemoryTransports()
	session, err := s.MCP().Connect(ctx, ours, nil)
	require.NoError(t, err)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	client.AddReceivingMiddleware(through...)
	cs, err := client.Connect(ctx, theirs, &mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, cs.Close())
		_ = session.Wait() // ends with the client
	})
	return cs
}

// structureOf returns the structured content of a result as JSON, "" when there is none.
func structureOf(t *testing.T, r *mcp.CallToolResult) string {
	t.Helper()
	if r.StructuredContent == nil {
		return ""
	}
	data, err := json.Marshal(r.StructuredContent)
	require.NoError(t, err)
	return string(data)
}
