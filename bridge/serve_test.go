package bridge

//lint:file-ignore SA1019 2026-07-28 deprecates logging, but clients of all versions use it.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

const (
	oneTool = `
:- mode(hello(-atom), one).
:- info(hello/1, [comment is 'Says hello.', argnames is [text]]).
hello(hi).
tools([tool(hello, hello, 1)]).
`
	twoTools = `
:- mode(hello(-atom), one).
:- info(hello/1, [comment is 'Says hello.', argnames is [text]]).
hello('good day').
:- mode(bye(-atom), one).
:- info(bye/1, [comment is 'Says good-bye.', argnames is [text]]).
bye(ciao).
tools([tool(hello, hello, 1), tool(bye, bye, 1)]).
`
)

// served is a knowledge base in a folder of its own, served over pipes.
type served struct {
	file    string
	session *mcp.ClientSession
	changed chan string // what list has changed
	logged  chan string
	over    chan error
}

func serveFile(t *testing.T, version, text string) *served {
	t.Helper()
	s := &served{file: filepath.Join(t.TempDir(), "hello.pl"), changed: make(chan string, 100),
		logged: make(chan string, 100), over: make(chan error, 1)}
	s.save(t, text)
	o := &kb.Options{Predicates: Predicates(), Quiet: 20 * time.Millisecond}
	base, err := kb.Open(t.Context(), []string{s.file}, o)
	require.NoError(t, err)
	toServer, fromClient := pipe(t)
	toClient, fromServer := pipe(t)
	go func() {
		s.over <- Serve(context.Background(), base, toServer, fromServer, nil, nil)
		fromServer.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { s.changed <- "tools" },
		LoggingMessageHandler: func(_ context.Context, req *mcp.LoggingMessageRequest) {
			data, _ := json.Marshal(req.Params.Data)
			s.logged <- string(data)
		},
	})
	s.session, err = client.Connect(context.Background(), &mcp.IOTransport{Reader: toClient, Writer: fromClient},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	return s
}

// pipe is a pipe of the system, as between processes.
func pipe(t *testing.T) (io.ReadCloser, io.WriteCloser) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	return r, w
}

func (s *served) save(t *testing.T, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(s.file, []byte(text), 0o644))
}

// tools returns the names of the tools listed.
func (s *served) tools(t *testing.T) string {
	t.Helper()
	list, err := s.session.ListTools(context.Background(), nil)
	require.NoError(t, err)
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return strings.Join(names, " ")
}

func (s *served) close(t *testing.T) {
	t.Helper()
	require.NoError(t, s.session.Close())
	select {
	case err := <-s.over:
		require.NoError(t, err)
	case <-time.After(wiretest.Patience):
		t.Fatal("the server goes on after the end of its input")
	}
}

func receive(t *testing.T, from chan string) string {
	t.Helper()
	select {
	case x := <-from:
		return x
	case <-time.After(wiretest.Patience):
		t.Fatal("nothing came")
		return ""
	}
}

// TestReload changes what is served: another tool, a file with an error, and the error mended.
func TestReload(t *testing.T) {
	t.Parallel()
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			s := serveFile(t, version, oneTool)
			defer s.close(t)
			stateful := version < wire.VersionStateless
			if stateful {
				require.NoError(t, s.session.SetLoggingLevel(context.Background(), &mcp.SetLoggingLevelParams{Level: "error"}))
			}
			require.Equal(t, "hello", s.tools(t))
			require.Equal(t, []string{"text: hi"}, bridgetest.TextsOf(bridgetest.CallTool(t, s.session, "hello", "")))

			s.save(t, twoTools)
			require.Eventually(t, func() bool { return s.tools(t) == "bye hello" }, wiretest.Patience, 5*time.Millisecond)
			require.Equal(t, []string{"text: good day"}, bridgetest.TextsOf(bridgetest.CallTool(t, s.session, "hello", "")))
			if stateful {
				require.Equal(t, "tools", receive(t, s.changed))
			}

			s.save(t, twoTools+"broken( .\n")
			if stateful {
				logged := receive(t, s.logged)
				require.Contains(t, logged, `"line":9`)
				require.Contains(t, logged, "hello.pl")
			} else {
				time.Sleep(200 * time.Millisecond)
			}
			require.Equal(t, "bye hello", s.tools(t))
			require.Equal(t, []string{"text: ciao"}, bridgetest.TextsOf(bridgetest.CallTool(t, s.session, "bye", "")))

			s.save(t, oneTool)
			require.Eventually(t, func() bool { return s.tools(t) == "hello" }, wiretest.Patience, 5*time.Millisecond)
		})
	}
}

// TestSync announces the lists that have changed, and no others.
func TestSync(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) *kb.Snapshot {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		return load(t, file)
	}
	one, two := write("one.pl", oneTool), write("two.pl", twoTools)
	prompts := write("prompts.pl", oneTool+"prompts([prompt(p, 'A prompt', [])]).\nprompt_get(p, _, messages([])).\n")
	s := NewServer(one, nil)
	changed := make(chan string, 10)
	connect(t, s, "2025-11-25", &mcp.ClientOptions{
		ToolListChangedHandler:   func(context.Context, *mcp.ToolListChangedRequest) { changed <- "tools" },
		PromptListChangedHandler: func(context.Context, *mcp.PromptListChangedRequest) { changed <- "prompts" },
	})
	s.Sync(two)
	require.Equal(t, "tools", receive(t, changed))
	s.Sync(one)
	require.Equal(t, "tools", receive(t, changed))
	s.Sync(prompts)
	require.Equal(t, "prompts", receive(t, changed))
	s.Sync(one)
	require.Equal(t, "prompts", receive(t, changed))
	s.Sync(write("same.pl", oneTool+"\nnothing_new.\n")) // announces nothing: what comes next is of the next two
	s.Sync(two)
	require.Equal(t, "tools", receive(t, changed))
	s.Sync(write("both.pl", twoTools+"prompts([prompt(p, 'A prompt', [])]).\nprompt_get(p, _, messages([])).\n"))
	require.Equal(t, "prompts", receive(t, changed))
	require.Empty(t, changed)
}

// TestServeStops ends with its context, also while a goal loops.
func TestServeStops(t *testing.T) {
	base, begun := openTold(t, loopText)
	toServer, fromClient := pipe(t)
	toClient, fromServer := pipe(t)
	ctx, stop := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { over <- Serve(ctx, base, toServer, fromServer, &Options{Grace: 500 * time.Millisecond}, nil) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := client.Connect(ctx, &mcp.IOTransport{Reader: toClient, Writer: fromClient},
		&mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	require.NoError(t, err)
	go func() { _, _ = cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "loop"}) }()
	<-begun
	stop()
	select {
	case err := <-over:
		require.NoError(t, err)
	case <-time.After(wiretest.Patience):
		t.Fatal("the server goes on")
	}
}

// TestServeText pipes a text in and reads all replies, in both framings: malformed messages, an
// unknown tool, a goal that prints and one that is pending at the end of the input.
func TestServeText(t *testing.T) {
	messages := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},` +
			`"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"nothing"}}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"print_only"}}`,
		`{"jsonrpc":"2.0","id":5,"method":"no/such/method"}`,
		`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"loop"}}`,
	}
	want := map[string]string{
		"1":    `"protocolVersion":"2025-03-26"`,
		"null": `"code":-32700`,
		"3":    `"code":-32602`,
		"4":    `[{"type":"text","text":"true"},{"type":"text","text":"{\"jsonrpc\":\"2.0\"}\n"}]`,
		"5":    `"code":-32601`,
		"6":    `time limit of 0.2 s`,
	}
	for _, framing := range []wire.Framing{wire.Lines, wire.ContentLength} {
		t.Run(framing.String(), func(t *testing.T) {
			base := openBase(t, "testdata/kb/faults.pl")
			var in, out strings.Builder
			for _, m := range messages {
				if framing == wire.ContentLength {
					fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(m), m)
				} else {
					in.WriteString(m + "\n")
				}
			}
			require.NoError(t, Serve(context.Background(), base, strings.NewReader(in.String()), &out, nil, nil))
			replies := splitReplies(t, out.String(), framing)
			require.Len(t, replies, len(want), "%s", out.String())
			for _, reply := range replies {
				var envelope struct {
					ID json.RawMessage `json:"id"`
				}
				require.NoError(t, json.Unmarshal([]byte(reply), &envelope), "%s", reply)
				require.Contains(t, reply, want[string(envelope.ID)])
			}
		})
	}
}

// splitReplies parts an output into messages.
func splitReplies(t *testing.T, out string, framing wire.Framing) []string {
	t.Helper()
	if framing == wire.Lines {
		return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	}
	var list []string
	for out != "" {
		var n int
		_, err := fmt.Sscanf(out, "Content-Length: %d\r\n", &n)
		require.NoError(t, err)
		_, body, ok := strings.Cut(out, "\r\n\r\n")
		require.True(t, ok)
		list, out = append(list, body[:n]), body[n:]
	}
	return list
}
