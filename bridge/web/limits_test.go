package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// TestHTTPLimits asks for too much of each.
func TestHTTPLimits(t *testing.T) {
	w := serveSite(t, nil, &Options{MaxSessions: 2}, nil)
	first := w.begin("2025-11-25")
	w.begin("2025-11-25")
	a := w.post(wiretest.InitializeLine("2025-11-25"))
	require.Equal(t, 503, a.status)
	require.Equal(t, codeBusy, a.code())
	require.NotEmpty(t, a.header.Get("Retry-After"))
	w.do(w.request(http.MethodDelete, "", first...))
	w.begin("2025-11-25")

	w = serveSite(t, nil, &Options{MaxSessions: 1}, nil)
	for range 3 {
		w.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":5}}`)
		w.post(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`)
	}
	w.begin("2025-11-25")

	w = serveSite(t, nil, &Options{MaxRequests: 1}, nil)
	session := w.begin("2025-11-25")
	ctx, cancel := context.WithCancel(context.Background())
	stream, err := http.DefaultClient.Do(w.request(http.MethodGet, "", session...).WithContext(ctx))
	require.NoError(t, err)
	require.Equal(t, 429, w.post(wiretest.PingLine("1"), session...).status)
	cancel()
	stream.Body.Close()
	require.Eventually(t, func() bool { return w.post(wiretest.PingLine("1"), session...).status == 200 },
		wiretest.Patience, time.Millisecond)

	w = serveSite(t, nil, &Options{Rate: 1}, nil)
	for range burstSeconds {
		require.Equal(t, 200, w.post(wiretest.PingLine("1")).status)
	}
	require.Equal(t, 429, w.post(wiretest.PingLine("1")).status)
}

// TestHTTPSlowClients keeps connections busy without sending or taking anything.
func TestHTTPSlowClients(t *testing.T) {
	t.Parallel()
	const delay = 2 * time.Second // for honest requests too, on a machine however busy
	w := serveSite(t, nil, nil, func(h *Server) {
		h.delays = delays{header: delay, body: delay, write: delay, idle: time.Minute, silence: time.Minute}
	})
	session := w.begin("2025-11-25")
	address := w.address()
	head := func(length int) string {
		return fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: "+
			"*/*\r\n%s\r\nContent-Length: %d\r\n\r\n",
			address, strings.Join(session, "\r\n"), length)
	}
	open := func(text string) net.Conn {
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		t.Cleanup(func() { conn.Close() })
		require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4096))
		_, err = io.WriteString(conn, text)
		require.NoError(t, err)
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(wiretest.Patience)))
		return conn
	}
	// the head is never finished
	_, err := io.ReadAll(open("POST /mcp HTTP/1.1\r\nHost: "))
	require.NoError(t, err)
	// the body is never finished
	got, err := io.ReadAll(open(head(100) + `{"jsonrpc":`))
	require.NoError(t, err)
	require.Contains(t, string(got), "408 Request Timeout")
	// the results are not read, and are more than the kernel keeps
	var lazy []net.Conn
	for i := range 3 {
		call := wiretest.CallLine(fmt.Sprint(i), "large")
		lazy = append(lazy, open(head(len(call))+call))
	}
	// others are served, the same session too
	require.Equal(t, "99 ok", wiretest.Summary(w.post(wiretest.PingLine("99"), session...).messages[0]))
	require.Eventually(t, func() bool { return w.running.Load() == 0 && w.open() == 0 }, wiretest.Patience,
		10*time.Millisecond)
	for _, conn := range lazy {
		got, _ := io.ReadAll(conn) // with or without an error, after what the kernel kept
		require.Less(t, len(got), 400_000)
	}
}

// address is where the site listens.
func (w *site) address() string {
	return strings.TrimSuffix(strings.TrimPrefix(w.url, "http://"), Path)
}

// open counts the requests that have no answer yet.
func (w *site) open() int {
	w.clients.mu.Lock()
	defer w.clients.mu.Unlock()
	open := 0
	for _, c := range w.clients.byName {
		open += c.open
	}
	return open
}

// TestHTTPHosts names hosts and origins of all kinds.
func TestHTTPHosts(t *testing.T) {
	here := &Options{Address: "127.0.0.1:8000"}
	everywhere := &Options{Address: "0.0.0.0:8000", PublicURL: "https://kb.example.org/mcp",
		AllowOrigins: []string{"https://app.example.org"}}
	named := &Options{Address: "127.0.0.1:8000", AllowHosts: []string{"kb.lan", "other.lan:81"},
		AllowOrigins: []string{"*"}}
	for _, test := range []struct {
		o            *Options
		host, origin string
		want         bool
	}{
		{here, "127.0.0.1:8000", "", true}, {here, "localhost:8000", "", true}, {here, "LOCALHOST", "", true},
		{here, "[::1]:8000", "", true}, {here, "127.1.2.3:8000", "", true},
		{here, "evil.example:8000", "", false}, {here, "192.168.1.5:8000", "", false}, {here, "", "", false},
		{here, "localhost.evil.example", "", false}, {here, "127.0.0.1.evil.example", "", false},
		{here, "evil.example@localhost", "", false},
		{here, "localhost:8000", "http://localhost:8000", true}, {here, "127.0.0.1:8000", "http://127.0.0.1:8000", true},
		{here, "localhost:8000", "http://localhost:3000", false}, {here, "localhost:8000", "http://evil.example", false},
		{here, "localhost:8000", "foo://localhost:8000", false}, {here, "localhost:8000", "https://localhost:8000", true},
		{here, "localhost:8000", "://localhost:8000", false}, {here, "localhost:8000", "null", false},
		{here, "localhost:8000", "file://", false},
		{everywhere, "kb.example.org", "https://kb.example.org", true}, {everywhere, "10.0.0.7:8000", "", true},
		{everywhere, "evil.example", "", false}, {everywhere, "kb.example.org", "https://app.example.org", true},
		{everywhere, "kb.example.org", "https://app.example.org.evil.example", false},
		{everywhere, "kb.example.org", "http://app.example.org", false},
		{named, "kb.lan:5000", "https://evil.example", true}, {named, "other.lan:81", "", true},
		{named, "other.lan:82", "", false},
	} {
		public, err := test.o.endpoint()
		require.NoError(t, err)
		g, err := newGate(test.o, public)
		require.NoError(t, err)
		got := g.admitsHost(test.host) && (test.origin == "" || g.admitsOrigin(test.origin, test.host))
		require.Equal(t, test.want, got, "%q %q", test.host, test.origin)
	}
}

// TestHTTPGate has browsers and others come by forbidden names.
func TestHTTPGate(t *testing.T) {
	w := serveSite(t, nil, &Options{AllowOrigins: []string{"https://app.example.org"}}, nil)
	require.Equal(t, 403, w.post(wiretest.PingLine("1"), "Host: evil.example").status)
	require.Equal(t, 403, w.post(wiretest.PingLine("1"), "Origin: http://evil.example").status)
	a := w.post(wiretest.PingLine("1"), "Origin: https://app.example.org")
	require.Equal(t, 200, a.status)
	require.Equal(t, "https://app.example.org", a.header.Get("Access-Control-Allow-Origin"))
	a = w.do(w.request(http.MethodOptions, "", "Origin: https://app.example.org", "Access-Control-Request-Method: POST",
		"Access-Control-Request-Headers: mcp-session-id, authorization"))
	require.Equal(t, 204, a.status)
	require.Contains(t, a.header.Get("Access-Control-Allow-Headers"), "authorization")
	a = w.do(w.request(http.MethodOptions, "", "Origin: http://evil.example", "Access-Control-Request-Method: POST"))
	require.Equal(t, 403, a.status)
	require.Empty(t, a.header.Get("Access-Control-Allow-Origin"))
}

// TestHTTPURL says where clients find a server.
func TestHTTPURL(t *testing.T) {
	own, err := os.Hostname()
	require.NoError(t, err)
	for want, o := range map[string]*Options{
		"http://127.0.0.1:80/mcp":   {Address: "127.0.0.1:80"},
		"https://[::1]:80/mcp":      {Address: "[::1]:80", CertFile: "x"},
		"http://" + own + ":80/mcp": {Address: "0.0.0.0:80"},
		"https://kb.example.org/kb/mcp": {Address: "0.0.0.0:80", PublicURL: "https://kb.example.org/kb/mcp",
			OAuth: &OAuthOptions{}},
	} {
		u, err := o.endpoint()
		require.NoError(t, err)
		require.Equal(t, want, u.String())
	}
}

// TestHTTPOptions refuses options that make no sense.
func TestHTTPOptions(t *testing.T) {
	for want, o := range map[string]*Options{
		"public URL": {PublicURL: "kb.example.org"},
		"origin":     {AllowOrigins: []string{"app.example.org"}},
		"address":    {Address: "8000"},
		"https":      {OAuth: &OAuthOptions{Issuer: "http://login.example.org"}},
		"no URL":     {OAuth: &OAuthOptions{Issuer: "login"}},
		"no such":    {TokenFile: "/nowhere"},
		"for one":    {Address: "[::]:80", OAuth: &OAuthOptions{Issuer: "https://login.example.org"}},
		"open /nowh": {CertFile: "../../examples/birds/birds.pl", KeyFile: "/nowhere"},
	} {
		_, err := NewServer(mcp.NewServer(&mcp.Implementation{Name: "test"}, nil), o)
		require.ErrorContains(t, err, want)
	}
}

// TestHTTPClients forgets clients that do nothing, and takes addresses of one network for one.
func TestHTTPClients(t *testing.T) {
	table := newClientTable(1, 1)
	for i := range 10 * fewClients {
		leave, ok := table.enter(fmt.Sprint(i))
		require.True(t, ok)
		leave()
	}
	table = newClientTable(1, 0)
	for i := range 10 * fewClients {
		leave, ok := table.enter(fmt.Sprint(i))
		require.True(t, ok)
		leave()
	}
	require.Empty(t, table.byName)
	for address, want := range map[string]string{
		"192.0.2.1:5": "192.0.2.1", "[::ffff:192.0.2.1]:5": "192.0.2.1", "[2001:db8::1:2:3]:5": "2001:db8::/64", "@": "@"} {
		require.Equal(t, want, clientOf(&http.Request{RemoteAddr: address}))
	}
}

// TestHTTPRefusedBodies announces bodies of requests that are refused, and never sends them.
func TestHTTPRefusedBodies(t *testing.T) {
	tokens := filepath.Join(t.TempDir(), "tokens")
	require.NoError(t, os.WriteFile(tokens, []byte("0123456789abcdefghij\n"), 0o600))
	hasty := func(h *Server) { h.delays.body = 200 * time.Millisecond }
	guarded := serveSite(t, nil, &Options{TokenFile: tokens}, hasty)
	full := serveSite(t, nil, nil, func(h *Server) {
		hasty(h)
		h.clients.most = 0
	})
	token := "Host: localhost\r\nAuthorization: Bearer 0123456789abcdefghij"
	var waiting sync.WaitGroup
	for _, test := range []struct {
		site                 *site
		line, header, status string
	}{
		{guarded, "POST /mcp", "Host: localhost", "401"},
		{guarded, "GET /mcp", "Host: localhost", "401"},
		{guarded, "POST /mcp", "Host: evil.example", "403"},
		{guarded, "POST /nothing", "Host: localhost", "404"},
		{guarded, "POST /healthz", "Host: localhost", "405"},
		{guarded, "PUT /mcp", token, "405"},
		{guarded, "DELETE /mcp", token, "400"},
		{full, "POST /mcp", "Host: localhost", "429"},
	} {
		for _, length := range []string{"Content-Length: 20", "Transfer-Encoding: chunked"} {
			waiting.Go(func() {
				conn, err := net.Dial("tcp", test.site.address())
				if !assert.NoError(t, err) {
					return
				}
				defer conn.Close()
				_, _ = fmt.Fprintf(conn, "%s HTTP/1.1\r\n%s\r\nContent-Type: application/json\r\n%s\r\n\r\n{", test.line,
					test.header, length)
				_ = conn.SetReadDeadline(time.Now().Add(wiretest.Patience))
				got, err := io.ReadAll(conn)
				assert.NoError(t, err, "%s: %s", test.line, length)
				assert.Contains(t, string(got), " "+test.status+" ", "%s: %s", test.line, length)
			})
		}
	}
	waiting.Wait()
}

// TestHTTPConnections opens more connections than there may be.
func TestHTTPConnections(t *testing.T) {
	w := serveSite(t, nil, &Options{MaxConnections: 2}, nil)
	address := w.address()
	dial := func() net.Conn {
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		t.Cleanup(func() { conn.Close() })
		require.NoError(t, conn.SetDeadline(time.Now().Add(wiretest.Patience)))
		return conn
	}
	ask := func(conn net.Conn) error {
		if _, err := io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			return err
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			return err
		}
		_, err = io.ReadAll(resp.Body)
		return err
	}
	// idle connections make room
	idle := make([]net.Conn, 5)
	for i := range idle {
		idle[i] = dial()
		require.NoError(t, ask(idle[i]))
	}
	require.NoError(t, ask(idle[len(idle)-1]))

	// those with a request do not
	for range 2 {
		_, err := io.WriteString(dial(), "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n")
		require.NoError(t, err)
	}
	late := dial()
	require.NoError(t, late.SetDeadline(time.Now().Add(200*time.Millisecond)))
	require.ErrorIs(t, ask(late), os.ErrDeadlineExceeded)
}

// TestHTTPTwoOrigins names both origins of a request in the refusal.
func TestHTTPTwoOrigins(t *testing.T) {
	w := serveSite(t, nil, nil, nil)
	r := w.request(http.MethodPost, wiretest.PingLine("1"))
	r.Header["Origin"] = []string{"http://one.example", "http://two.example"}
	a := w.do(r)
	require.Equal(t, 403, a.status)
	require.Contains(t, a.messages[0]["error"].(map[string]any)["message"],
		`"http://one.example" and "http://two.example"`)
}

// TestHTTPTwoLengths sends a body with two lengths. What follows on the connection is no request.
func TestHTTPTwoLengths(t *testing.T) {
	w := serveSite(t, nil, nil, nil)
	conn, err := net.Dial("tcp", w.address())
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(wiretest.Patience)))
	ping := wiretest.PingLine("1")
	_, err = fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
		"Accept: application/json, text/event-stream\r\nContent-Length: %d\r\nTransfer-Encoding: "+
		"chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"+
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", len(ping), len(ping), ping)
	require.NoError(t, err)
	got, err := io.ReadAll(conn)
	require.NoError(t, err)
	require.Contains(t, string(got), `"id":1,"result"`)
	require.Equal(t, 1, strings.Count(string(got), "HTTP/1.1 "), "%s", got)
}

// TestGreedyClient has one client ask for more than there is, in twenty sessions: another one waits for one place at
// most.
func TestGreedyClient(t *testing.T) {
	path := tokens(t, tokenAda+"\n"+tokenBob+"\n")
	for _, o := range []*bridge.Options{
		{Concurrent: 4, Grace: time.Millisecond}, // one of which Ada may not have
		{Concurrent: 4, ConcurrentEach: 4, Limits: engine.Limits{Time: 100 * time.Millisecond}, Grace: time.Millisecond},
	} {
		w := serveSite(t, o, &Options{TokenFile: path}, nil)
		var left atomic.Int32
		var all sync.WaitGroup
		ctx, stop := context.WithCancel(t.Context())
		for range 20 {
			left.Add(1)
			session := w.begin("2025-11-25", bearing(tokenAda))
			all.Go(func() {
				r := w.request(http.MethodPost, wiretest.CallLine("1", "loop"), append(session, bearing(tokenAda))...)
				if resp, err := http.DefaultClient.Do(r.WithContext(ctx)); err == nil {
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
				left.Add(-1)
			})
		}
		require.Eventually(t, func() bool { return w.running.Load()-left.Load() == 0 }, wiretest.Patience, time.Millisecond)
		for range 3 {
			before := left.Load()
			a := w.post(statelessCall("1", "add", ""), append(newVersion("add"), bearing(tokenBob))...)
			require.Contains(t, a.body, "N: ")
			require.LessOrEqual(t, before-left.Load(), int32(8), "two rounds of what runs at a time")
		}
		stop()
		w.stop()
		require.NoError(t, <-w.served)
		w.served <- nil
		all.Wait()
	}
}
