package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// asking is a knowledge base with a tool that reports progress and asks before it answers.
const asking = `:- use_module(library(mcp)).
capabilities([tools, elicitation]).
tools([tool(ask, ask, 1)]).
:- mode(ask(-integer), zero_or_one).
:- info(ask/1, [comment is 'Asks.', argnames is [n]]).
ask(N) :- mcp_progress(1, 2, half), mcp_ask('How many?', integer, N).
`

func serveAsking(t *testing.T) *site {
	t.Helper()
	path := filepath.Join(t.TempDir(), "asking.pl")
	require.NoError(t, os.WriteFile(path, []byte(asking), 0o600))
	return serveSiteOf(t, path, nil, nil, nil)
}

// proxy is a program between clients and a server.
type proxy struct {
	name, pack string // the command, and the Debian package that has it
	// settings are those with which it listens at a socket and asks a server. It may write below the folder.
	settings func(folder, socket, server string) string
	args     func(file, folder string) []string
}

var proxies = []proxy{{"nginx", "nginx-light", func(folder, socket, server string) string {
	text := fmt.Sprintf("daemon off; master_process off; pid %s/pid; error_log stderr;\n"+
		"events {}\nhttp {\naccess_log off;\n", folder)
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		text += fmt.Sprintf("%s_temp_path %s/%s;\n", kind, folder, kind)
	}
	return text + fmt.Sprintf("server { listen unix:%s; location / { proxy_pass http://%s; } }\n}\n", socket, server)
}, func(file, folder string) []string {
	return []string{"-p", folder, "-c", file}
}}, {"caddy", "caddy", func(_, socket, server string) string {
	return fmt.Sprintf("{\n\tadmin off\n}\nhttp:// {\n\tbind unix/%s\n\treverse_proxy %s\n}\n", socket, server)
}, func(file, _ string) []string {
	return []string{"run", "--adapter", "caddyfile", "--config", file}
}}}

// TestBehindProxies puts installed proxies between a client and the server. Progress and a question must arrive while
// the call waits for the answer.
func TestBehindProxies(t *testing.T) {
	for _, p := range proxies {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(p.name)
			if err != nil {
				path, err = exec.LookPath("/usr/sbin/" + p.name)
			}
			if err != nil {
				t.Skipf("SKIPPED: %s is not installed (apt-get install %s)", p.name, p.pack)
			}
			w := serveAsking(t)
			socket := p.start(t, path, strings.TrimPrefix(strings.TrimSuffix(w.url, Path), "http://"))
			askThrough(t, socket)
		})
	}
}

// askThrough calls a tool that asks, with clients of each version, at a socket.
func askThrough(t *testing.T, socket string) {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}
	site := &mcp.StreamableClientTransport{Endpoint: "http://localhost" + Path,
		HTTPClient: &http.Client{Transport: &http.Transport{DialContext: dial}}}
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		var progress atomic.Int32
		asked := func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			told := func() bool { return version >= "2026" || progress.Load() == 1 }
			require.Eventually(t, told, wiretest.Patience, time.Millisecond)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"value": 7}}, nil
		}
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{ElicitationHandler: asked,
			ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { progress.Add(1) }})
		ctx, cancel := context.WithTimeout(t.Context(), wiretest.Patience)
		cs, err := client.Connect(ctx, site, &mcp.ClientSessionOptions{ProtocolVersion: version})
		require.NoError(t, err)
		p := &mcp.CallToolParams{Name: "ask"}
		p.SetProgressToken("p")
		r, err := cs.CallTool(ctx, p)
		require.NoError(t, err, version)
		require.Equal(t, []string{"n: 7"}, bridgetest.TextsOf(r))
		require.NoError(t, cs.Close())
		cancel()
	}
}

// start starts the proxy for a server and returns the socket where it listens. Another process could take a port.
func (p proxy) start(t *testing.T, path, server string) (socket string) {
	t.Helper()
	folder := t.TempDir()
	file, socket := filepath.Join(folder, "settings"), filepath.Join(folder, "socket")
	require.NoError(t, os.WriteFile(file, []byte(p.settings(folder, socket, server)), 0o600))
	cmd := exec.Command(path, p.args(file, folder)...)
	cmd.Env = append(os.Environ(), "HOME="+folder)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	for {
		select {
		case <-ended:
			require.Fail(t, "the proxy has ended", said.String())
		case <-time.After(10 * time.Millisecond):
		}
		if conn, err := net.Dial("unix", socket); err == nil {
			_ = conn.Close()
			return socket
		}
	}
}

// TestAccepts sends the headers of real clients. They lack some that the protocol requires.
func TestAccepts(t *testing.T) {
	w := serveAsking(t)
	list := wiretest.InitializeLine("2025-11-25")
	for accept, kind := range map[string]string{
		"":                                    "text/event-stream",
		"*/*":                                 "text/event-stream",
		"application/json, text/event-stream": "text/event-stream",
		"text/event-stream":                   "text/event-stream",
		"application/json":                    "application/json",
		"application/json; q=0.9":             "application/json",
		"Application/*":                       "application/json",
	} {
		for _, path := range []string{"", "/"} {
			r := w.request(http.MethodPost, list)
			r.URL.Path += path
			r.Header.Del("Accept")
			if accept != "" {
				r.Header.Set("Accept", accept)
			}
			a := w.do(r)
			require.Equal(t, http.StatusOK, a.status, "%q: %s", accept, a.body)
			require.Equal(t, kind, a.header.Get("Content-Type"), accept)
			require.Len(t, a.messages, 1, accept)
			require.Contains(t, a.messages[0], "result")
			require.Equal(t, kind == "text/event-stream", a.header.Get("X-Accel-Buffering") == "no")
		}
	}
	for coding, status := range map[string]int{"gzip": http.StatusUnsupportedMediaType, "identity": http.StatusOK} {
		require.Equal(t, status, w.do(w.request(http.MethodPost, list, "Content-Encoding: "+coding)).status)
	}
}
