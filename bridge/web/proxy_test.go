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

// TestBehindNginx puts nginx as it is installed between a client and the server: progress and a question come while the
// call waits for the answer.
func TestBehindNginx(t *testing.T) {
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		nginx, err = exec.LookPath("/usr/sbin/nginx")
	}
	if err != nil {
		t.Skip("SKIPPED: nginx is not installed (apt-get install nginx-light)")
	}
	w := serveAsking(t)
	folder := t.TempDir()
	var address string
	require.Eventually(t, func() bool { // another process may take the port
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		address = l.Addr().String()
		require.NoError(t, l.Close())
		return startNginx(t, nginx, folder, address, strings.TrimSuffix(w.url, Path))
	}, wiretest.Patience, time.Millisecond)

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
		cs, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: "http://" + address + Path},
			&mcp.ClientSessionOptions{ProtocolVersion: version})
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

// startNginx starts nginx as a proxy for a server. It returns false if the address is taken.
func startNginx(t *testing.T, nginx, folder, address, server string) bool {
	t.Helper()
	conf := filepath.Join(folder, "nginx.conf")
	text := fmt.Sprintf("daemon off; master_process off; pid %s/pid; error_log stderr;\n"+
		"events {}\nhttp {\naccess_log off;\n", folder)
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		text += fmt.Sprintf("%s_temp_path %s/%s;\n", kind, folder, kind)
	}
	text += fmt.Sprintf("server { listen %s; location / { proxy_pass %s; } }\n}\n", address, server)
	require.NoError(t, os.WriteFile(conf, []byte(text), 0o600))
	cmd := exec.Command(nginx, "-p", folder, "-c", conf)
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	for {
		select {
		case <-ended:
			return false
		case <-time.After(10 * time.Millisecond):
		}
		if conn, err := net.Dial("tcp", address); err == nil {
			_ = conn.Close()
			return true
		}
	}
}

// TestAccepts sends the headers that clients send, which are not all that the protocol asks for.
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
