package bridge

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
)

type shoutIn struct {
	Text string `json:"text"`
}

type shoutOut struct {
	Loud string `json:"loud"`
}

// shouting is a tool that is written in Go.
func shouting(name string) Tool {
	return NewTool(&mcp.Tool{Name: name}, func(ctx context.Context, _ *mcp.CallToolRequest, in shoutIn) (
		*mcp.CallToolResult, shoutOut, error,
	) {
		by, _ := ctx.Value(spanKey{}).(string)
		return nil, shoutOut{strings.ToUpper(in.Text) + by}, nil
	})
}

type spanKey struct{}

// TestGoTools has rules try to take over tools that are written in Go, before and after they are served.
func TestGoTools(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.pl")
	write := func(text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o600)) }
	const taken = "tools([tool(shout, shout, 2), tool(other, shout, 2)]).\n" +
		":- mode(shout(+string, -string), one).\nshout(X, X).\n"
	write(taken)
	base, err := kb.Open(t.Context(), []string{file}, &kb.Options{Predicates: Predicates()})
	require.NoError(t, err)
	s := NewServer(base.Snapshot(), &Options{Tools: []Tool{shouting("shout"), shouting("why")}, Explain: true})
	defer s.Close()
	here, there := mcp.NewInMemoryTransports()
	_, err = s.MCP().Connect(t.Context(), there, nil)
	require.NoError(t, err)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), here, nil)
	require.NoError(t, err)
	defer client.Close()
	check := func(want ...string) {
		t.Helper()
		var names []string
		for tool, err := range client.Tools(t.Context(), nil) {
			require.NoError(t, err)
			names = append(names, tool.Name)
		}
		require.ElementsMatch(t, want, names)
		r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "shout", Arguments: shoutIn{"hey"}})
		require.NoError(t, err)
		require.Equal(t, map[string]any{"loud": "HEY"}, r.StructuredContent)
	}
	check("shout", "why", "other", "why_2")
	for _, text := range []string{"p.\n", taken, strings.ReplaceAll(taken, "other", "another"), "p.\n"} {
		write(text)
		s.Sync(base.Reload(t.Context()).Snapshot)
		want := []string{"shout", "why"}
		if text != "p.\n" {
			want = append(want, map[bool]string{true: "another", false: "other"}[strings.Contains(text, "another")], "why_2")
		}
		check(want...)
	}
}

// TestObserveBegin has the observer give requests a context, which predicates and tools see.
func TestObserveBegin(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.pl")
	text := "tools([tool(by, by, 1)]).\n:- mode(by(-string), one).\nby(X) :- span(X).\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	span := engine.Func("span", func(ctx context.Context) (string, error) { return ctx.Value(spanKey{}).(string), nil })
	snapshot, err := kb.Load(t.Context(), []string{file}, &kb.Options{Predicates: append(Predicates(), span)})
	require.NoError(t, err)
	var mu sync.Mutex
	var ended []string
	s := NewServer(snapshot, &Options{Tools: []Tool{shouting("shout")},
		Observe: func(ctx context.Context, begun Observation) (context.Context, func(Observation)) {
			return context.WithValue(ctx, spanKey{}, begun.Method+" "+begun.Name), func(o Observation) {
				mu.Lock()
				defer mu.Unlock()
				require.Equal(t, begun.Began, o.Began)
				ended = append(ended, o.Method+" "+o.Name+" "+o.Outcome)
			}
		}})
	defer s.Close()
	here, there := mcp.NewInMemoryTransports()
	_, err = s.MCP().Connect(t.Context(), there, nil)
	require.NoError(t, err)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), here, nil)
	require.NoError(t, err)
	defer client.Close()
	r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "by"})
	require.NoError(t, err)
	require.Equal(t, "Arg1: tools/call by", r.Content[0].(*mcp.TextContent).Text)
	r, err = client.CallTool(t.Context(), &mcp.CallToolParams{Name: "shout", Arguments: shoutIn{"x"}})
	require.NoError(t, err)
	require.Equal(t, map[string]any{"loud": "Xtools/call shout"}, r.StructuredContent)
	mu.Lock()
	defer mu.Unlock()
	require.Contains(t, ended, "tools/call by ok")
	require.Contains(t, ended, "tools/call shout ok")
}
