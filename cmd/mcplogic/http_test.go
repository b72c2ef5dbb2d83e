package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// httpServer is mcplogic serve --http while it runs.
type httpServer struct {
	url    string
	stderr *lockedBuffer
	stop   context.CancelFunc
	code   chan int
}

var servedAt = regexp.MustCompile(`(?m)^Serving .* at (\S+)$`)

// serveHTTPIn starts a server and waits until it says where it is.
func serveHTTPIn(t *testing.T, args ...string) *httpServer {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	s := &httpServer{stderr: &lockedBuffer{}, stop: stop, code: make(chan int, 1)}
	go func() {
		s.code <- execute(ctx, append([]string{"serve", "--http"}, args...), strings.NewReader(""), io.Discard, s.stderr)
	}()
	t.Cleanup(stop)
	require.Eventually(t, func() bool {
		found := servedAt.FindStringSubmatch(s.stderr.String())
		if found != nil {
			s.url = found[1]
		}
		return found != nil
	}, wiretest.Patience, time.Millisecond, "%s", s.stderr)
	return s
}

// TestServeHTTP serves, reloads and stops.
func TestServeHTTP(t *testing.T) {
	dir := t.TempDir()
	save := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pl"), []byte(text), 0o666))
	}
	save("tools([tool(one, one, 0, [description('One.')])]).\none :- write(first).\n")
	s := serveHTTPIn(t, "0", dir)
	require.True(t, strings.HasPrefix(s.url, "http://127.0.0.1:"), s.url)
	require.NotContains(t, s.stderr.String(), "warning")
	changed := make(chan struct{}, 10)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} }})
	session, err := client.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: s.url},
		&mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	require.NoError(t, err)
	save("tools([tool(two, two, 0, [description('Two.')])]).\ntwo.\n")
	select {
	case <-changed:
	case <-time.After(wiretest.Patience):
		require.Fail(t, "the change was not announced", "%s", s.stderr)
	}
	r, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "two"})
	require.NoError(t, err)
	require.False(t, r.IsError)
	health, err := http.Get(strings.Replace(s.url, "/mcp", "/healthz", 1))
	require.NoError(t, err)
	health.Body.Close()
	require.Equal(t, 200, health.StatusCode)
	s.stop()
	require.Equal(t, cli.ExitDone, <-s.code)
	_, err = http.Get(s.url)
	require.Error(t, err)
}

// TestServeHTTPWarns says what a server lacks that others reach.
func TestServeHTTPWarns(t *testing.T) {
	s := serveHTTPIn(t, "0.0.0.0:0", "../../examples/birds")
	require.Eventually(t, func() bool {
		return strings.Contains(s.stderr.String(), "may call the tools") && strings.Contains(s.stderr.String(), "--tls-cert")
	}, wiretest.Patience, time.Millisecond)
	s.stop()
	require.Equal(t, cli.ExitDone, <-s.code)
}

// TestServeHTTPUsage refuses flags that make no sense.
func TestServeHTTPUsage(t *testing.T) {
	short := filepath.Join(t.TempDir(), "short")
	require.NoError(t, os.WriteFile(short, []byte("short"), 0o600))
	for want, args := range map[string][]string{
		"belong together":       {"--tls-cert", "x"},
		"--oauth-issuer":        {"--oauth-scope", "x"},
		"takes more than 0":     {"--max-sessions", "0"},
		"at least 32 bytes":     {"--state-key-file", short},
		"at least 16 character": {"--token-file", short},
		"no such file":          {"--token-file", short + "x"},
		"is none like":          {"--allow-origin", "x"},
	} {
		var stderr strings.Builder
		code := execute(context.Background(), append([]string{"serve", "--http", "0", "../../examples/birds"}, args...),
			nil, io.Discard, &stderr)
		require.Equal(t, cli.ExitUsage, code)
		require.Contains(t, stderr.String(), want)
	}
}

// TestServeFlagsNeedHTTP refuses to serve over standard streams what should be protected.
func TestServeFlagsNeedHTTP(t *testing.T) {
	var stderr strings.Builder
	code := execute(context.Background(), []string{"serve", "--token-file", "x", "../../examples/birds"},
		strings.NewReader(""), io.Discard, &stderr)
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, stderr.String(), "--token-file needs --http")
}

func TestListenAddress(t *testing.T) {
	for text, want := range map[string]string{
		"8080": "127.0.0.1:8080", ":8080": "127.0.0.1:8080", "0.0.0.0:8080": "0.0.0.0:8080",
		"[::]:80": "[::]:80", "localhost:80": "localhost:80", "0": "127.0.0.1:0",
	} {
		require.Equal(t, want, listenAddress(text))
	}
}

// TestServingIsDocumented finds each flag for HTTP in the manual.
func TestServingIsDocumented(t *testing.T) {
	var manual []byte
	for _, page := range []string{"http", "operating", "page", "events"} {
		text, err := os.ReadFile("../../docs/" + page + ".md")
		require.NoError(t, err)
		manual = append(manual, text...)
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	(&httpFlags{}).add(flags)
	flags.VisitAll(func(f *pflag.Flag) {
		require.Regexp(t, `--`+f.Name+`\b`, string(manual))
	})
}
