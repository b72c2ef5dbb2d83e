package web

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// beginHeld begins to load a file whose first directive ends when release is closed, and which then has more text.
func beginHeld(t *testing.T, more string) (base *kb.Base, release chan struct{}) {
	t.Helper()
	release = make(chan struct{})
	hold := func(c *engine.Call) (bool, error) {
		select {
		case <-release:
		case <-c.Context().Done():
		}
		return true, nil
	}
	file := filepath.Join(t.TempDir(), "held.pl")
	text := ":- hold.\n:- mode(hello(-atom), one).\nhello(hi).\ntools([tool(hello, hello, 1)]).\n"
	require.NoError(t, os.WriteFile(file, []byte(text+more), 0o600))
	return kb.Begin(t.Context(), []string{file}, &kb.Options{Directives: engine.Limits{Time: -1},
		Predicates: append(bridge.Predicates(), engine.Predicate{Name: "hold", Call: hold})}), release
}

// serveBoth serves a base over standard streams or HTTP, and returns how a client comes to it.
func serveBoth(t *testing.T, base *kb.Base, overHTTP bool) mcp.Transport {
	t.Helper()
	o := &bridge.Options{Instruct: true, Grace: time.Minute,
		Workbench: &bridge.Workbench{Folder: t.TempDir(), Options: &kb.Options{}}}
	if !overHTTP {
		toServer, fromClient := io.Pipe()
		toClient, fromServer := io.Pipe()
		ctx, stop := context.WithCancel(t.Context())
		over := make(chan error, 1)
		go func() { over <- bridge.Serve(ctx, base, toServer, fromServer, o, nil) }()
		t.Cleanup(func() { stop(); fromClient.Close(); require.NoError(t, <-over) })
		return &mcp.IOTransport{Reader: toClient, Writer: fromClient}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := bridge.NewServer(base.Snapshot(), o)
	h, err := NewServer(s.MCP(), &Options{Address: l.Addr().String(), Health: s.Health})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan error, 1)
	end := s.Follow(ctx, base, nil)
	go func() { over <- h.Serve(ctx, l) }()
	t.Cleanup(func() { stop(); require.NoError(t, <-over); end(); s.Close() })
	return &mcp.StreamableClientTransport{Endpoint: h.URL()}
}

// healthOf returns the status of /healthz beside an endpoint.
func healthOf(t *testing.T, transport mcp.Transport) int {
	t.Helper()
	r, err := http.Get(strings.Replace(transport.(*mcp.StreamableClientTransport).Endpoint, Path, "/healthz", 1))
	require.NoError(t, err)
	defer r.Body.Close()
	return r.StatusCode
}

// TestServeWhileLoading begins a session while the knowledge base is still loading. All that needs the rules waits for
// them, and is refused if they have errors.
func TestServeWhileLoading(t *testing.T) {
	for _, version := range []string{"2025-11-25", wire.VersionStateless} {
		for _, transport := range []string{"stdio", "HTTP"} {
			t.Run(version+"/"+transport, func(t *testing.T) {
				t.Parallel()
				base, release := beginHeld(t, "")
				way := serveBoth(t, base, transport == "HTTP")
				changed := make(chan bool, 10)
				client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
					ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- true }})
				cs, err := client.Connect(t.Context(), way, &mcp.ClientSessionOptions{ProtocolVersion: version})
				require.NoError(t, err)
				defer cs.Close()
				require.Contains(t, cs.InitializeResult().Instructions, "still loading")
				require.NotNil(t, cs.InitializeResult().Capabilities.Completions)
				if version < wire.VersionStateless {
					require.NoError(t, cs.Ping(t.Context(), nil))
				}
				if transport == "HTTP" {
					require.Equal(t, http.StatusServiceUnavailable, healthOf(t, way))
				}
				gone, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				defer cancel()
				_, err = cs.ListPrompts(gone, nil)
				require.ErrorIs(t, err, context.DeadlineExceeded)

				answered := make(chan *mcp.CallToolResult, 1)
				go func() {
					r, _ := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "hello"})
					answered <- r
				}()
				time.Sleep(50 * time.Millisecond)
				require.Empty(t, answered)
				close(release)
				r := <-answered
				require.NotNil(t, r)
				require.Equal(t, map[string]any{"Arg1": "hi"}, r.StructuredContent)
				tools, err := cs.ListTools(t.Context(), nil)
				require.NoError(t, err)
				require.Greater(t, len(tools.Tools), 3, "hello and the workbench")
				<-changed
				if transport == "HTTP" {
					require.Equal(t, http.StatusOK, healthOf(t, way))
				}
			})
			t.Run(version+"/"+transport+"/errors", func(t *testing.T) {
				t.Parallel()
				base, release := beginHeld(t, "broken(.\n")
				way := serveBoth(t, base, transport == "HTTP")
				cs, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), way,
					&mcp.ClientSessionOptions{ProtocolVersion: version})
				require.NoError(t, err)
				defer cs.Close()
				refused := make(chan error, 1)
				go func() {
					_, err := cs.ListTools(t.Context(), nil)
					refused <- err
				}()
				close(release)
				require.ErrorContains(t, <-refused, "the knowledge base was not loaded: ")
				_, err = cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "hello"})
				require.ErrorContains(t, err, "held.pl:5:")
			})
		}
	}
}

// TestEndWhileLoading ends the input behind a request that waits for the load: it is answered after the grace too. An
// input without such a request ends the session at once.
func TestEndWhileLoading(t *testing.T) {
	t.Parallel()
	begins := wiretest.InitializeLine("2025-11-25") + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	base, release := beginHeld(t, "")
	o := &bridge.Options{Grace: 10 * time.Millisecond}
	var out strings.Builder
	require.NoError(t, bridge.Serve(t.Context(), base, strings.NewReader(begins), &out, o, nil))
	require.Equal(t, 1, strings.Count(out.String(), "\n"))
	time.AfterFunc(4*time.Second, func() { close(release) })
	in := strings.NewReader(begins + wiretest.CallLine("7", "hello") + "\n")
	require.NoError(t, bridge.Serve(t.Context(), base, in, &out, &bridge.Options{Grace: 3 * time.Second}, nil))
	require.Regexp(t, `"id":7,"result":\{"_meta":\{[^}]*\},"content":\[\{"type":"text","text":"Arg1: hi"`, out.String())
}
