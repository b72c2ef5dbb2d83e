package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// load loads files and folders, with the predicates of package bridge.
func load(t *testing.T, paths ...string) *kb.Snapshot {
	t.Helper()
	return bridgetest.Load(t, bridge.Predicates(), paths...)
}

// site is a server that listens on loopback.
type site struct {
	*testing.T
	*Server
	// offering is the server behind the endpoint.
	offering *bridge.Server
	url      string
	// file has the rules of a site with hooks.
	file string
	// running counts the calls of tools that are not over.
	running atomic.Int32
	// stop ends the server, which served has the end of.
	stop   context.CancelFunc
	served chan error
}

// serveSite serves a knowledge base over HTTP. prepare may change the server before; it may be nil.
func serveSite(t *testing.T, o *bridge.Options, ho *Options, prepare func(*Server)) *site {
	t.Helper()
	return serveSiteOf(t, bridgetest.File(t), o, ho, prepare)
}

func serveSiteOf(t *testing.T, path string, o *bridge.Options, ho *Options, prepare func(*Server)) *site {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return serveSiteAt(t, l, path, o, ho, prepare)
}

func serveSiteAt(t *testing.T, l net.Listener, path string, o *bridge.Options, ho *Options,
	prepare func(*Server)) *site {
	t.Helper()
	s := bridge.NewServer(load(t, path), o)
	full := Options{}
	if ho != nil {
		full = *ho
	}
	if o != nil {
		full.Grace = o.Grace
	}
	full.Address = l.Addr().String()
	h, err := NewServer(s.MCP(), &full)
	require.NoError(t, err)
	if prepare != nil {
		prepare(h)
	}
	ctx, stop := context.WithCancel(context.Background())
	w := &site{T: t, Server: h, offering: s, url: h.URL(), stop: stop, served: make(chan error, 1)}
	s.MCP().AddReceivingMiddleware(w.count)
	if h.delays != usualDelays {
		l = smallBuffers{l}
	}
	go func() { w.served <- h.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		select {
		case err := <-w.served:
			require.NoError(t, err)
			w.served <- nil
		case <-time.After(wiretest.Patience):
			require.Fail(t, "the server goes on")
		}
		s.Close()
	})
	return w
}

// smallBuffers is a listener whose connections have small buffers.
type smallBuffers struct{ net.Listener }

func (s smallBuffers) Accept() (net.Conn, error) {
	conn, err := s.Listener.Accept()
	if err == nil {
		err = conn.(*net.TCPConn).SetWriteBuffer(4096)
	}
	return conn, err
}

func (w *site) count(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method == "tools/call" {
			w.running.Add(1)
			defer w.running.Add(-1)
		}
		return next(ctx, method, req)
	}
}

// settles waits until this number of calls is running.
func (w *site) settles(running int) {
	w.Helper()
	require.Eventually(w, func() bool { return int(w.running.Load()) == running }, wiretest.Patience, time.Millisecond)
}

// request makes a request with the usual headers of clients. Further headers are NAME: VALUE.
func (w *site) request(method, body string, headers ...string) *http.Request {
	w.Helper()
	r, err := http.NewRequest(method, w.url, strings.NewReader(body))
	require.NoError(w, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
		if name == "Host" {
			r.Host = value
		}
	}
	return r
}

// answer is a response and its messages.
type answer struct {
	status   int
	header   http.Header
	messages []map[string]any
	body     string
}

// code is the JSON-RPC error code of the only message, 0 when it has none.
func (a *answer) code() int {
	if len(a.messages) == 1 {
		if wire, ok := a.messages[0]["error"].(map[string]any); ok {
			return int(wire["code"].(float64))
		}
	}
	return 0
}

func (w *site) do(r *http.Request) *answer {
	w.Helper()
	resp, err := http.DefaultClient.Do(r)
	require.NoError(w, err)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	require.NoError(w, err)
	a := &answer{status: resp.StatusCode, header: resp.Header, body: string(data)}
	for _, text := range messageTexts(resp.Header.Get("Content-Type"), data) {
		messages, err := wiretest.Decode([]byte(text))
		require.NoError(w, err, "%s", text)
		a.messages = append(a.messages, messages...)
	}
	return a
}

// messageTexts returns the messages in a body.
func messageTexts(kind string, data []byte) []string {
	if !strings.HasPrefix(kind, "text/event-stream") {
		if len(data) == 0 || !strings.HasPrefix(kind, "application/json") {
			return nil
		}
		return []string{string(data)}
	}
	var texts []string
	for line := range strings.Lines(string(data)) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

func (w *site) post(body string, headers ...string) *answer {
	w.Helper()
	return w.do(w.request(http.MethodPost, body, headers...))
}

// begin starts a session and returns its headers.
func (w *site) begin(version string, headers ...string) []string {
	w.Helper()
	a := w.post(wiretest.InitializeLine(version), headers...)
	require.Equal(w, 200, a.status, "%s", a.body)
	headers = append(headers, "Mcp-Session-Id: "+a.header.Get("Mcp-Session-Id"))
	if version >= "2025-06-18" {
		headers = append(headers, "Mcp-Protocol-Version: "+version)
	}
	require.Equal(w, 202, w.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, headers...).status)
	return headers
}

// newVersion are the headers of a request without a session for a tool.
func newVersion(tool string) []string {
	return []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: " + tool}
}

// statelessCall is a call of a tool without a session, with further members of params.
func statelessCall(id, tool, more string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":{}%s,%s}}`, id,
		tool, more, wiretest.Stateless)
}

// connectHTTP is a session of the SDK's client.
func connectHTTP(t *testing.T, url, version string, o *mcp.ClientOptions, client *http.Client) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	cs, err := c.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: client},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	t.Cleanup(func() { _ = cs.Close() })
	return cs
}

// TestHTTPMalformed posts malformed messages. The session survives all of them.
func TestHTTPMalformed(t *testing.T) {
	// These have another meaning in a body than in a line.
	differs := map[string]string{
		"message over two lines":     "7 ok",
		"byte order mark alone":      wiretest.ParseNull,
		"blank lines":                wiretest.ParseNull,
		"a line too long, id first":  wiretest.InvalidNull,
		"a line too long, id last":   wiretest.InvalidNull,
		"a million objects":          wiretest.InvalidNull,
		"error with a null id":       wiretest.InvalidNull,
		"error without an id":        wiretest.InvalidNull,
		"error that is a string":     wiretest.InvalidNull,
		"id in use":                  "7 -32700",
		"result without jsonrpc":     wiretest.InvalidNull,
		"batch of numbers":           wiretest.InvalidNull,
		"batch of everything":        wiretest.InvalidNull,
		"batch with one id twice":    wiretest.ParseNull,
		"batch in a batch":           wiretest.InvalidNull,
		"bad JSON with an id in use": "7 -32700",
	}
	w := serveSite(t, nil, &Options{MaxBody: 3 << 20}, nil)
	session := w.begin("2025-03-26")
	for _, test := range wiretest.MalformedLines() {
		t.Run(test.Name, func(t *testing.T) {
			a := w.post(strings.TrimSuffix(test.Input, "\n"), session...)
			require.Less(t, a.status, 500)
			want, ok := differs[test.Name]
			if !ok && len(test.Want) > 0 {
				want = strings.TrimSuffix(test.Want[0], " in batch of 2")
			}
			got := "" // of a batch, whose order does not matter, the lowest
			for _, m := range a.messages {
				if one := wiretest.Summary(m); got == "" || one < got {
					got = one
				}
			}
			require.Equal(t, want, got, "%d %s", a.status, spell.Shorten(a.body))
		})
	}
	require.Equal(t, "1 ok", wiretest.Summary(w.post(wiretest.PingLine("1"), session...).messages[0]))
	w.settles(0)
}

// TestHTTPRequests makes requests that HTTP or the protocol forbid.
func TestHTTPRequests(t *testing.T) {
	w := serveSite(t, nil, nil, nil)
	session := w.begin("2025-11-25")
	with := func(headers ...string) []string { return append(append([]string{}, session...), headers...) }
	ping := wiretest.PingLine("1")
	for _, test := range []struct {
		name, method, body string
		headers            []string
		status, code       int
	}{
		{"fine", "POST", ping, session, 200, 0},
		{"content type with a charset", "POST", ping, with("Content-Type: application/json; charset=utf-8"), 200, 0},
		{"any accepted", "POST", ping, with("Accept: */*"), 200, 0},
		{"wrong content type", "POST", ping, with("Content-Type: text/plain"), 415, -32600},
		{"no content type", "POST", ping, with("Content-Type: "), 200, 0},
		{"accepts no stream", "POST", ping, with("Accept: application/json"), 200, 0},
		{"accepts nothing of ours", "POST", ping, with("Accept: image/png"), 400, -32600},
		{"unknown session", "POST", ping, []string{"Mcp-Session-Id: nope"}, 404, -32001},
		{"no session", "POST", ping, nil, 200, 0}, // before initialize a ping is allowed
		{"a call without a session", "POST", wiretest.CallLine("1", "echo"), nil, 200, -32600},
		{"stream of an unknown session", "GET", "", []string{"Mcp-Session-Id: nope"}, 404, -32001},
		{"stream without a session", "GET", "", nil, 400, -32600},
		{"stream that is not accepted", "GET", "", with("Accept: application/json"), 400, -32600},
		{"stream of an unknown event", "GET", "", with("Last-Event-ID: zebra"), 400, -32600},
		{"delete an unknown session", "DELETE", "", []string{"Mcp-Session-Id: nope"}, 404, -32001},
		{"delete nothing", "DELETE", "", nil, 400, -32600},
		{"PUT", "PUT", ping, session, 405, -32600},
		{"PATCH", "PATCH", ping, session, 405, -32600},
		{"old version", "POST", ping, with("Mcp-Protocol-Version: 1999-01-01"), 400, -32600},
		{"version as noise", "POST", ping, with("Mcp-Protocol-Version: zebra"), 400, 0},
		{"version of the future", "POST", ping, []string{"Mcp-Protocol-Version: 2099-01-01"}, 400, 0},
		{"unknown method", "POST", `{"jsonrpc":"2.0","id":1,"method":"nope"}`, session, 200, -32601},
		{"unknown notification", "POST", `{"jsonrpc":"2.0","method":"nope"}`, session, 202, 0},
		{"a version in the message alone", "POST", statelessCall("1", "echo", ""), nil, 400, -32020},
		{"a version in the header alone", "POST", wiretest.CallLine("1", "echo"), newVersion("echo"), 400, -32602},
		{"another tool in the header", "POST", statelessCall("1", "echo", ""), newVersion("loop"), 400, -32020},
		{"no name for the header", "POST", strings.Replace(statelessCall("1", "echo", ""), `"echo"`, "5", 1),
			newVersion("echo"), 400, -32602},
		{"unknown tool", "POST", statelessCall("1", "nope", ""), newVersion("nope"), 400, -32602},
		{"GET without sessions", "GET", "", []string{"Mcp-Protocol-Version: 2026-07-28"}, 405, -32600},
		{"DELETE without sessions", "DELETE", "", []string{"Mcp-Protocol-Version: 2026-07-28"}, 405, -32600},
		{"params of another shape", "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`, session,
			200, -32602},
		{"an exchange of the client's", "POST", ping, with("Mcplogic-Exchange: x"), 200, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := w.do(w.request(test.method, test.body, test.headers...))
			require.Equal(t, test.status, a.status, "%s", a.body)
			if test.code != 0 || test.status == 200 {
				require.Equal(t, test.code, a.code(), "%s", a.body)
			}
			require.NotContains(t, a.body, "request: Bad Request") // said twice
			require.NotContains(t, a.body, "mcp.")
			if test.status != 202 && a.body != "" {
				require.NotEmpty(t, a.messages, "%s", a.body)
			}
		})
	}
	require.Equal(t, "1 ok", wiretest.Summary(w.post(ping, session...).messages[0]))
	resp, err := http.Get(strings.TrimSuffix(w.url, Path) + "/")
	require.NoError(t, err)
	resp.Body.Close()
	require.Equal(t, 404, resp.StatusCode)
}

// TestHTTPNames requests items whose names are in Base64 in the header.
func TestHTTPNames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "names.pl")
	require.NoError(t, os.WriteFile(file, []byte(`
prompts([prompt('Grüße', 'Says hello.', []), prompt(' blanks ', 'Says it, too.', []),
	prompt(plain, 'Says it plainly.', [])]).
prompt_get(Name, _, messages([message(user, text(Name))])).
resources([resource('t://été', summer, 'Summer', 'text/plain')]).
resource_read('t://été', _, contents([text_content('t://été', 'text/plain', soleil)])).
`), 0o644))
	w := serveSiteOf(t, file, nil, nil, nil)
	encoded := func(name string) string { return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(name)) + "?=" }
	for _, test := range []struct {
		name, method, key, value, header string
		status, code                     int
	}{
		{"prompt", "prompts/get", "name", "Grüße", encoded("Grüße"), 200, 0},
		{"blanks at the ends", "prompts/get", "name", " blanks ", encoded(" blanks "), 200, 0},
		{"resource", "resources/read", "uri", "t://été", encoded("t://été"), 200, 0},
		{"plain name in Base64", "prompts/get", "name", "plain", encoded("plain"), 200, 0},
		{"plain name", "prompts/get", "name", "plain", "plain", 200, 0},
		{"another name", "prompts/get", "name", "plain", encoded("Grüße"), 400, -32020},
		{"encoded twice", "prompts/get", "name", "plain", encoded(encoded("plain")), 400, -32020},
		{"no Base64", "prompts/get", "name", "Grüße", "=?base64?R3LDvMOfZ?=", 400, -32020},
		{"no UTF-8", "prompts/get", "name", "Grüße", encoded("Gr\xfc\xdfe"), 400, -32020},
		{"nothing", "prompts/get", "name", "Grüße", "=?base64??=", 400, -32020},
		{"no end", "prompts/get", "name", "Grüße", "=?base64?R3LDvMOfZQ==", 400, -32020},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":{%q:%q,%s}}`, test.method, test.key, test.value,
				wiretest.Stateless)
			a := w.post(body, "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: "+test.method, "Mcp-Name: "+test.header)
			require.Equal(t, test.status, a.status, "%s", a.body)
			require.Equal(t, test.code, a.code(), "%s", a.body)
			require.Equal(t, json.RawMessage("7"), a.messages[0]["id"])
		})
	}
}

// TestHTTPTokens checks that ids and progress tokens come back unchanged, with and without sessions and in a batch.
func TestHTTPTokens(t *testing.T) {
	file := filepath.Join(t.TempDir(), "steps.pl")
	require.NoError(t, os.WriteFile(file, []byte("tools([tool(steps, steps, 0)]).\nsteps :- mcp_progress(1, 2, half).\n"),
		0o600))
	w := serveSiteOf(t, file, nil, nil, nil)
	const token = `"_meta":{"progressToken":-9007199254740993}`
	call := strings.Replace(wiretest.CallLine("1e3", "steps"), `"arguments":{}`, `"arguments":[],`+token, 1)
	a := w.post(call, w.begin("2025-11-25")...)
	require.Contains(t, a.body, `"progressToken":-9007199254740993`)
	require.Equal(t, "1e3 ok", wiretest.Summary(a.messages[len(a.messages)-1]), "%s", a.body)
	call = strings.Replace(statelessCall("18446744073709551617", "steps", ""), `"_meta":{`, token[:len(token)-1]+",", 1)
	a = w.post(call, newVersion("steps")...)
	require.Contains(t, a.body, `"progressToken":-9007199254740993`)
	require.Equal(t, "18446744073709551617 ok", wiretest.Summary(a.messages[len(a.messages)-1]), "%s", a.body)
	a = w.post("["+wiretest.PingLine("1.0")+","+wiretest.PingLine("2")+"]", w.begin("2025-03-26")...)
	require.ElementsMatch(t, []string{"1.0 ok", "2 ok"},
		[]string{wiretest.Summary(a.messages[0]), wiretest.Summary(a.messages[1])})
}

// TestHTTPSizes posts too large bodies, with and without a Content-Length.
func TestHTTPSizes(t *testing.T) {
	w := serveSite(t, nil, &Options{MaxBody: 1000}, nil)
	body := `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"` + strings.Repeat("x", 2000) + `"}}`
	for _, headers := range [][]string{nil, {"Mcp-Protocol-Version: 2026-07-28"}} {
		a := w.post(body, headers...)
		require.Equal(t, 413, a.status)
		require.Equal(t, -32600, a.code())
		r := w.request(http.MethodPost, "", headers...)
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), -1
		require.Equal(t, 413, w.do(r).status)
	}
	require.Equal(t, 431, w.post(wiretest.PingLine("1"), "X-Long: "+strings.Repeat("x", 2*maxHeader)).status)
	require.Equal(t, 200, w.post(wiretest.PingLine("1")).status)
}

// TestHTTPSession deletes a session while calls run in it.
func TestHTTPSession(t *testing.T) {
	w := serveSite(t, nil, nil, nil)
	session, other := w.begin("2025-11-25"), w.begin("2025-06-18")
	ended := make(chan *answer, 1)
	go func() { ended <- w.post(wiretest.CallLine("1", "loop"), session...) }()
	w.settles(1)
	require.Equal(t, 204, w.do(w.request(http.MethodDelete, "", session...)).status)
	<-ended
	w.settles(0)
	require.Equal(t, 404, w.post(wiretest.PingLine("2"), session...).status)
	require.Equal(t, 404, w.do(w.request(http.MethodDelete, "", session...)).status)
	require.Equal(t, 200, w.post(wiretest.PingLine("2"), other...).status)
}

// TestHTTPIdle ends sessions that are not used, but not one with an open stream.
func TestHTTPIdle(t *testing.T) {
	t.Parallel()
	w := serveSite(t, nil, nil, nil)
	unused, streaming := w.begin("2025-11-25"), w.begin("2025-11-25")
	ctx, cancel := context.WithCancel(context.Background())
	stream, err := http.DefaultClient.Do(w.request(http.MethodGet, "", streaming...).WithContext(ctx))
	require.NoError(t, err)
	defer stream.Body.Close()
	require.Equal(t, 200, stream.StatusCode)
	w.rests(1)
	require.Equal(t, 404, w.post(wiretest.PingLine("1"), unused...).status)
	require.Equal(t, 200, w.post(wiretest.PingLine("1"), streaming...).status)
	cancel()
	w.rests(0)
	require.Equal(t, 404, w.post(wiretest.PingLine("1"), streaming...).status)
	require.Eventually(t, func() bool { return len(slices.Collect(w.server.Sessions())) == 0 }, wiretest.Patience,
		time.Millisecond)
}

// rests leaves sessions unused until only a number of them are left.
func (w *site) rests(left int) {
	w.Helper()
	require.Eventually(w, func() bool {
		w.sessions.mu.Lock()
		defer w.sessions.mu.Unlock()
		for _, s := range w.sessions.byID {
			if s.open == 0 {
				s.timer.Reset(0)
			}
		}
		return len(w.sessions.byID) == left
	}, wiretest.Patience, time.Millisecond)
}

// TestSessionTable ends unused sessions, and keeps one that is used again.
func TestSessionTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ends := make(chan string, 2)
		table := newSessionTable(10, time.Minute, func(id string, _ error) { ends <- id })
		table.add("used", "")
		table.add("unused", "")
		time.Sleep(59 * time.Second)
		done, ok := table.use("used", "")
		require.True(t, ok)
		time.Sleep(time.Hour)
		require.Equal(t, "unused", <-ends)
		done()
		time.Sleep(59 * time.Second)
		require.Empty(t, ends)
		time.Sleep(2 * time.Second)
		require.Equal(t, "used", <-ends)
	})
}

// vanish posts a call and drops the connection once the call runs.
func (w *site) vanish(body string, headers ...string) {
	w.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		resp, err := http.DefaultClient.Do(w.request(http.MethodPost, body, headers...).WithContext(ctx))
		if err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	}()
	w.settles(1)
	cancel()
	<-done
}

// TestHTTPVanished checks that calls end when their clients have gone, whether they compute or ask.
func TestHTTPVanished(t *testing.T) {
	w := serveSite(t, &bridge.Options{AskTime: time.Hour}, &Options{CallIdle: 50 * time.Millisecond}, nil)
	session := w.begin("2025-11-25")
	for _, call := range []string{wiretest.CallLine("1", "loop"), wiretest.CallLine("2", "ask")} {
		w.vanish(call, session...)
		w.settles(0)
	}
	w.vanish(statelessCall("3", "loop", ""), newVersion("loop")...)
	w.settles(0)
	require.Eventually(t, func() bool {
		w.exchanges.mu.Lock()
		defer w.exchanges.mu.Unlock()
		return len(w.exchanges.byID) == 0
	}, wiretest.Patience, time.Millisecond)
	require.Equal(t, 200, w.post(wiretest.PingLine("4"), session...).status)
}

// TestHTTPResumed closes the connection of a call and gets its result on another.
func TestHTTPResumed(t *testing.T) {
	w := serveSite(t, nil, nil, nil)
	session := w.begin("2025-11-25")
	ctx, cancel := context.WithCancel(context.Background())
	resp, err := http.DefaultClient.Do(w.request(http.MethodPost, wiretest.CallLine("1", "pause"),
		session...).WithContext(ctx))
	require.NoError(t, err)
	event := ""
	for lines := bufio.NewScanner(resp.Body); event == "" && lines.Scan(); {
		event, _ = strings.CutPrefix(lines.Text(), "id: ")
		if !strings.HasPrefix(lines.Text(), "id: ") {
			event = ""
		}
	}
	cancel()
	resp.Body.Close()
	resume := func() *answer {
		return w.do(w.request(http.MethodGet, "", append(session, "Last-Event-ID: "+event)...))
	}
	a := resume()
	for ; a.status == http.StatusConflict; a = resume() { // until the server has noticed
		time.Sleep(time.Millisecond)
	}
	require.Equal(t, "1 ok", wiretest.Summary(a.messages[0]), "%s", a.body)
}

// TestHTTPPolling runs a handler that ends its stream and goes on. The result comes on the next stream.
func TestHTTPPolling(t *testing.T) {
	w := serveSite(t, nil, nil, func(h *Server) {
		h.server.AddTool(&mcp.Tool{Name: "poll", InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 10 * time.Millisecond})
				time.Sleep(100 * time.Millisecond)
				return &mcp.CallToolResult{}, ctx.Err()
			})
	})
	session := w.begin("2025-11-25")
	a := w.post(wiretest.CallLine("1", "poll"), session...)
	require.Empty(t, a.messages)
	event := ""
	for line := range strings.Lines(a.body) {
		if id, ok := strings.CutPrefix(line, "id: "); ok {
			event = strings.TrimSpace(id)
		}
	}
	a = w.do(w.request(http.MethodGet, "", append(session, "Last-Event-ID: "+event)...))
	require.Equal(t, "1 ok", wiretest.Summary(a.messages[0]), "%s", a.body)
}

// TestHTTPSilence checks that silent streams stay alive, and that an error after the begin of a stream is sent as an
// event. The tools go on when the client has seen a comment.
func TestHTTPSilence(t *testing.T) {
	seen := make(chan struct{})
	w := serveSite(t, nil, nil, func(h *Server) {
		h.delays.silence = 20 * time.Millisecond
		late := &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "late"}
		for name, err := range map[string]error{"fine": nil, "late": late} {
			h.server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
				func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					<-seen
					return &mcp.CallToolResult{}, err
				})
		}
	})
	session := w.begin("2025-06-18")
	for tool, want := range map[string]string{"fine": `"result":`, "late": `"code":-32602`} {
		for _, r := range []*http.Request{w.request(http.MethodPost, wiretest.CallLine("1", tool), session...),
			w.request(http.MethodPost, statelessCall("1", tool, ""), newVersion(tool)...)} {
			resp, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			require.Equal(t, 200, resp.StatusCode)
			require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
			lines := bufio.NewScanner(resp.Body)
			requireComments(t, lines, 1)
			seen <- struct{}{}
			rest := ""
			for lines.Scan() {
				rest += lines.Text()
			}
			require.Contains(t, rest, want)
			require.NoError(t, resp.Body.Close())
		}
	}
	stream, err := http.DefaultClient.Do(w.request(http.MethodGet, "", session...))
	require.NoError(t, err)
	defer stream.Body.Close()
	requireComments(t, bufio.NewScanner(stream.Body), 3)
}

// requireComments reads a stream up to the n-th comment that keeps it alive.
func requireComments(t *testing.T, lines *bufio.Scanner, n int) {
	t.Helper()
	for n > 0 {
		require.True(t, lines.Scan())
		if lines.Text() == ": still here" {
			n--
		}
	}
}

// TestHTTPQuestionExpires does not answer a question to a client without a session.
func TestHTTPQuestionExpires(t *testing.T) {
	w := serveSite(t, &bridge.Options{AskTime: 50 * time.Millisecond}, nil, nil)
	body := strings.Replace(statelessCall("1", "ask", ""), `Capabilities":{}`, `Capabilities":{"elicitation":{}}`, 1)
	a := w.post(body, newVersion("ask")...)
	require.Contains(t, a.body, "Who are you?")
	require.Eventually(t, func() bool { return w.offering.Waiting() == 0 }, wiretest.Patience, time.Millisecond)
	// The state still holds all that is needed to go on.
	result := a.messages[0]["result"].(map[string]any)
	state, err := json.Marshal(result["requestState"])
	require.NoError(t, err)
	key := ""
	for k := range result["inputRequests"].(map[string]any) {
		key = k
	}
	more := fmt.Sprintf(`,"requestState":%s,"inputResponses":{%q:{"action":"accept","content":{"name":"Ada"}}}`, state,
		key)
	body = strings.Replace(statelessCall("2", "ask", more), `Capabilities":{}`, `Capabilities":{"elicitation":{}}`, 1)
	require.Contains(t, w.post(body, newVersion("ask")...).body, "Ada")
}

// TestHTTPParallel makes a thousand calls at a time and counts them.
func TestHTTPParallel(t *testing.T) {
	const calls = 1000
	w := serveSite(t, nil, nil, nil)
	session := w.begin("2025-11-25")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	var failed atomic.Int32
	for i := range calls {
		all.Go(func() {
			r := w.request(http.MethodPost, wiretest.CallLine(fmt.Sprint(i), "add"), session...)
			if i%2 == 0 {
				r = w.request(http.MethodPost, statelessCall(fmt.Sprint(i), "add", ""), newVersion("add")...)
			}
			resp, err := client.Do(r)
			if err != nil {
				failed.Add(1)
				return
			}
			defer resp.Body.Close()
			if data, err := io.ReadAll(resp.Body); err != nil || !bytes.Contains(data, []byte("N: ")) {
				failed.Add(1)
			}
		})
	}
	all.Wait()
	require.Zero(t, failed.Load())
	require.Contains(t, w.post(wiretest.CallLine("0", "add"), session...).body, fmt.Sprintf("N: %d", calls+1))
}

// TestHTTPStop stops the server while calls run: one ends in time, one is cancelled, streams end.
func TestHTTPStop(t *testing.T) {
	w := serveSite(t, &bridge.Options{Grace: 3 * time.Second}, nil, nil)
	session := w.begin("2025-11-25")
	answers := map[string]chan *answer{"pause": make(chan *answer, 1), "loop": make(chan *answer, 1)}
	for tool, c := range answers {
		go func() { c <- w.post(wiretest.CallLine(`"`+tool+`"`, tool), session...) }()
	}
	w.settles(2)
	stream, err := http.DefaultClient.Do(w.request(http.MethodGet, "", session...))
	require.NoError(t, err)
	defer stream.Body.Close()
	listen, err := http.DefaultClient.Do(w.request(http.MethodPost,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{`+wiretest.Stateless+
			`,"notifications":{"toolsListChanged":true}}}`, "Mcp-Protocol-Version: 2026-07-28",
		"Mcp-Method: subscriptions/listen"))
	require.NoError(t, err)
	defer listen.Body.Close()
	w.stop()
	for _, body := range []io.Reader{stream.Body, listen.Body} {
		_, err = io.ReadAll(body)
		require.NoError(t, err)
	}
	require.Empty(t, answers["loop"], "the streams end first")
	require.Equal(t, `"pause" ok`, wiretest.Summary((<-answers["pause"]).messages[0]))
	require.Contains(t, (<-answers["loop"]).body, "cancelled")
	require.NoError(t, <-w.served)
	w.served <- nil
}

// TestStopAborts stops the server while a call waits for an answer of its user.
func TestStopAborts(t *testing.T) {
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		w := serveSite(t, &bridge.Options{Grace: 50 * time.Millisecond, AskTime: time.Hour}, nil, nil)
		session := w.begin(version)
		r, err := http.DefaultClient.Do(w.request(http.MethodPost, wiretest.CallLine("1", "ask"), session...))
		require.NoError(t, err)
		lines := bufio.NewScanner(r.Body)
		for lines.Scan() && !strings.Contains(lines.Text(), "elicitation/create") {
		}
		w.stop()
		rest := ""
		for lines.Scan() {
			rest += lines.Text()
		}
		r.Body.Close()
		require.Contains(t, rest, `"id":1,"result":{"_meta":{"mcplogic/code":"aborted",`)
	}
}

// TestStopWhileStuck stops the server while a call is stuck in a predicate that cannot be cancelled.
func TestStopWhileStuck(t *testing.T) {
	base := bridgetest.OpenStuck(t, bridge.Predicates())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := bridge.NewServer(base.Snapshot(), nil)
	h, err := NewServer(s.MCP(), &Options{Address: l.Addr().String(), Grace: time.Second})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	w := &site{T: t, Server: h, offering: s, url: h.URL(), stop: stop, served: make(chan error, 1)}
	go func() { w.served <- h.Serve(ctx, l) }()
	session := w.begin("2025-11-25")
	answered := make(chan *answer, 1)
	go func() {
		defer close(answered)
		answered <- w.post(wiretest.CallLine("1", "stuck"), session...)
	}()
	<-base.Started
	stop()
	select {
	case err := <-w.served:
		require.NoError(t, err)
	case <-time.After(2 * wiretest.Patience):
		t.Fatal("the server goes on")
	}
	last, ok := <-answered
	require.True(t, ok, "the connection was closed before the answer came")
	require.Contains(t, last.body, "The call was given up")
}
