package bridge

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/kb"
)

// load loads files and folders with what bridge adds to them.
func load(t *testing.T, paths ...string) *kb.Snapshot {
	t.Helper()
	o := &kb.Options{}
	Equip(o)
	snapshot, report := kb.Load(paths, o)
	require.NotNil(t, snapshot, "%v", report)
	return snapshot
}

// connect starts a session of a client of some version with a server, in memory.
func connect(t *testing.T, s *Server, version string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	ctx := context.Background()
	ours, theirs := mcp.NewInMemoryTransports()
	session, err := s.MCP().Connect(ctx, ours, nil)
	require.NoError(t, err)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	cs, err := client.Connect(ctx, theirs, &mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	t.Cleanup(func() { cs.Close(); _ = session.Wait() })
	return cs
}

// kingfisher answers the questions of the interview.
func kingfisher(asked *[]string) func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	return func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		*asked = append(*asked, req.Params.Message)
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "unsure"}}, nil
	}
}

func TestBirds(t *testing.T) {
	snapshot := load(t, "../examples/birds")
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			s := NewServer(snapshot, nil)
			var asked []string
			cs := connect(t, s, version, &mcp.ClientOptions{ElicitationHandler: kingfisher(&asked)})
			r, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "identify_bird"})
			require.NoError(t, err)
			for _, c := range r.Content {
				t.Log(c.(*mcp.TextContent).Text)
			}
			t.Log(asked)
			r, err = cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "birds_with", Arguments: map[string]any{"feature": "hovers", "value": "yes"}})
			require.NoError(t, err)
			for _, c := range r.Content {
				t.Log(c.(*mcp.TextContent).Text)
			}
			t.Log(r.StructuredContent)
		})
	}
}
