package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

const (
	tokenAda = "ada-0123456789abcdef"
	tokenBob = "bob-0123456789abcdef"
)

// tokens writes a token file and returns its path.
func tokens(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokens")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func bearing(token string) string { return "Authorization: Bearer " + token }

// TestLocal checks that only a request from this machine, without a proxy, may edit without a token.
func TestLocal(t *testing.T) {
	for _, test := range []struct {
		o      Options
		host   string
		header string
		local  bool
	}{
		{Options{}, "127.0.0.1:8080", "", true},
		{Options{}, "localhost:8080", "", true},
		{Options{}, "[::1]:8080", "", true},
		{Options{}, "127.0.0.1:8080", "X-Forwarded-For", false},
		{Options{}, "127.0.0.1:8080", "Forwarded", false},
		{Options{PublicURL: "https://kb.example.org/mcp"}, "kb.example.org", "", false},
		{Options{PublicURL: "https://kb.example.org/mcp"}, "127.0.0.1:8080", "", false},
		{Options{PublicURL: "http://localhost:9090/mcp"}, "localhost:9090", "", true},
		{Options{AllowHosts: []string{"kb.example.org"}}, "kb.example.org", "", false},
		{Options{AllowHosts: []string{"*"}}, "127.0.0.1:8080", "", false},
		{Options{Address: "0.0.0.0:8080"}, "127.0.0.1:8080", "", false},
	} {
		o := test.o
		o.Address = cmp.Or(o.Address, "127.0.0.1:8080")
		public, err := o.endpoint()
		require.NoError(t, err)
		g, err := newGate(&o, public)
		require.NoError(t, err)
		r := httptest.NewRequest(http.MethodPost, "/page/desk", nil)
		r.Host = test.host
		if test.header != "" {
			r.Header.Set(test.header, "192.0.2.1")
		}
		require.Equal(t, test.local, g.local(r), "%+v", test)
	}
}

func TestTokenFile(t *testing.T) {
	path := tokens(t, "# of the team\n\n"+tokenAda+"\n  "+tokenBob+"\r\n")
	w := serveSite(t, nil, &Options{TokenFile: path}, nil)
	status := func(headers ...string) int { return w.post(wiretest.PingLine("1"), headers...).status }
	require.Equal(t, 200, status(bearing(tokenAda)))
	require.Equal(t, 200, status("Authorization: bearer  "+tokenBob))
	for _, wrong := range []string{"", "# of the team", tokenAda[1:], tokenAda + "x", tokenAda + " " + tokenBob, "x"} {
		require.Equal(t, 401, status(bearing(wrong)), wrong)
	}
	require.Equal(t, 401, status())
	require.Equal(t, 401, status("Authorization: Basic YTpi"))
	r := w.request(http.MethodPost, wiretest.PingLine("1"), bearing(tokenAda))
	r.Header.Add("Authorization", "Bearer "+tokenBob)
	require.Equal(t, 401, w.do(r).status)

	require.NoError(t, os.WriteFile(path, []byte(tokenBob+"\n"), 0o600))
	require.Equal(t, 401, status(bearing(tokenAda)))
	require.Equal(t, 200, status(bearing(tokenBob)))
	for _, broken := range []string{"", "short\n", "a token with some spaces\n"} {
		require.NoError(t, os.WriteFile(path, []byte(broken), 0o600))
		require.Equal(t, 401, status(bearing(tokenBob)), broken)
	}
	require.NoError(t, os.WriteFile(path, []byte(tokenBob+"\n"), 0o600))
	require.Equal(t, 200, status(bearing(tokenBob)))
	require.NoError(t, os.Remove(path))
	require.Equal(t, 401, status(bearing(tokenBob)))

	health, err := http.Get(strings.Replace(w.url, Path, "/healthz", 1))
	require.NoError(t, err)
	health.Body.Close()
	require.Equal(t, 200, health.StatusCode)
}

// TestPeople reads the owners of tokens. The names of users do not depend on them.
func TestPeople(t *testing.T) {
	path := tokens(t, tokenAda+" \tAda  Lovelace\r\n"+tokenBob+"\n")
	f, err := openTokenFile(path, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	ada, err := f.verify(t.Context(), tokenAda)
	require.NoError(t, err)
	h := &Server{editors: f}
	require.Equal(t, map[string]string{ada.UserID: "Ada Lovelace"}, h.people())
	require.NoError(t, os.WriteFile(path, []byte(tokenAda+" Ada King\n"), 0o600))
	require.Equal(t, map[string]string{ada.UserID: "Ada King"}, h.people())
	again, err := f.verify(t.Context(), tokenAda)
	require.NoError(t, err)
	require.Equal(t, ada.UserID, again.UserID)
	_, err = f.verify(t.Context(), tokenAda+" Ada King")
	require.Error(t, err)
	require.Empty(t, (&Server{}).people())
}

// TestTokenFileErrors checks that a file without a usable token is an error.
func TestTokenFileErrors(t *testing.T) {
	for text, want := range map[string]string{"": "no token", "# none\n": "no token",
		"\nshort\n": ":2: a token has at least", "with spaces in its middle": ":1: a token"} {
		_, err := openTokenFile(tokens(t, text), slog.New(slog.DiscardHandler))
		require.ErrorContains(t, err, want)
	}
}

// TestTokenChallenge checks the challenges for missing and wrong tokens.
func TestTokenChallenge(t *testing.T) {
	w := serveSite(t, nil, &Options{TokenFile: tokens(t, tokenAda)}, nil)
	for headers, code := range map[string]string{"X: y": "", bearing("nope"): "invalid_token"} {
		a := w.post(wiretest.PingLine("1"), headers)
		require.Equal(t, 401, a.status)
		require.Equal(t, -32600, a.code())
		challenges, err := oauthex.ParseWWWAuthenticate(a.header.Values("WWW-Authenticate"))
		require.NoError(t, err)
		require.Len(t, challenges, 1)
		require.Equal(t, "bearer", challenges[0].Scheme)
		require.Equal(t, code, challenges[0].Params["error"])
	}
}

// TestTokenOwnership checks that a user cannot use the sessions and waiting calls of another.
func TestTokenOwnership(t *testing.T) {
	w := serveSite(t, nil, &Options{TokenFile: tokens(t, tokenAda+"\n"+tokenBob)}, nil)
	session := w.begin("2025-11-25", bearing(tokenAda))
	stolen := append([]string{bearing(tokenBob)}, session[1:]...)
	require.Equal(t, 404, w.post(wiretest.PingLine("1"), stolen...).status)
	require.Equal(t, 404, w.do(w.request(http.MethodGet, "", stolen...)).status)
	require.Equal(t, 404, w.do(w.request(http.MethodDelete, "", stolen...)).status)
	require.Equal(t, 200, w.post(wiretest.PingLine("1"), session...).status)

	// a request state
	asking := func(id, more string) string {
		return strings.Replace(statelessCall(id, "ask", more), `Capabilities":{}`, `Capabilities":{"elicitation":{}}`, 1)
	}
	headers := func(token string) []string { return append(newVersion("ask"), bearing(token)) }
	result := w.post(asking("1", ""), headers(tokenAda)...).messages[0]["result"].(map[string]any)
	require.Equal(t, "input_required", result["resultType"])
	state, err := json.Marshal(result["requestState"])
	require.NoError(t, err)
	again := func(state string) string {
		key := slices.Collect(maps.Keys(result["inputRequests"].(map[string]any)))[0]
		return asking("2", fmt.Sprintf(`,"requestState":%s,"inputResponses":{%q:{"action":"accept",`+
			`"content":{"name":"Ada"}}}`, state, key))
	}
	for _, wrong := range []string{`"x"`, `""`, strings.Replace(string(state), ".", ".x", 1), `"A` + string(state[2:])} {
		a := w.post(again(wrong), headers(tokenAda)...)
		if wrong == `""` { // is no state: the call begins anew
			require.NotContains(t, a.body, "-32602")
			continue
		}
		require.Equal(t, 400, a.status, a.body)
		require.Equal(t, -32602, a.code())
	}
	a := w.post(again(string(state)), headers(tokenBob)...)
	require.Equal(t, -32602, a.code(), a.body)
	require.Contains(t, w.post(again(string(state)), headers(tokenAda)...).body, "Ada")
	a = w.post(again(string(state)), headers(tokenAda)...)
	require.Equal(t, -32602, a.code(), "the same round once more: %s", a.body)

	// the token of a question for a model
	a = w.post(statelessCall("3", "ask", ""), append(newVersion("ask"), bearing(tokenAda))...)
	token := a.messages[0]["result"].(map[string]any)["structuredContent"].(map[string]any)["token"]
	answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"answer",`+
		`"arguments":{"token":%q,"answer":{"name":"Ada"}},%s}}`, token, wiretest.Stateless)
	a = w.post(answer, append(newVersion("answer"), bearing(tokenBob))...)
	require.Contains(t, a.body, "somebody else")
	a = w.post(answer, append(newVersion("answer"), bearing(tokenAda))...)
	require.Contains(t, a.body, `"text":"Ada"`)
}

// TestTaskOwnership checks that a user cannot use the tasks of another, and that the header must name the task.
func TestTaskOwnership(t *testing.T) {
	file := filepath.Join(t.TempDir(), "task.pl")
	text := "tools([tool(hello, hello, 1, [task(after(0))])]).\n:- mode(hello(-atom), one).\nhello(you).\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	w := serveSiteOf(t, file, nil, &Options{TokenFile: tokens(t, tokenAda+"\n"+tokenBob)}, nil)
	as := func(body string) string {
		return strings.Replace(body, `Capabilities":{}`,
			`Capabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, 1)
	}
	a := w.post(as(statelessCall("1", "hello", "")), append(newVersion("hello"), bearing(tokenAda))...)
	id := a.messages[0]["result"].(map[string]any)["taskId"].(string)
	for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
		body := as(fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":%q,"params":{"taskId":%q,%s}}`, method, id,
			wiretest.Stateless))
		headers := []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}
		require.Equal(t, -32020, w.post(body, append(headers, bearing(tokenAda))...).code(), "no name")
		require.Equal(t, -32020, w.post(body, append(headers, "Mcp-Name: x", bearing(tokenAda))...).code())
		headers = append(headers, "Mcp-Name: "+id)
		require.Equal(t, -32602, w.post(body, append(headers, bearing(tokenBob))...).code(), "somebody else's")
		require.Equal(t, 200, w.post(body, append(headers, bearing(tokenAda))...).status)
	}
}

// TestTokenStream checks that a stream ends when its token is removed from the file.
func TestTokenStream(t *testing.T) {
	path := tokens(t, tokenAda)
	w := serveSite(t, nil, &Options{TokenFile: path}, func(h *Server) { h.guard.recheck = 10 * time.Millisecond })
	session := w.begin("2025-11-25", bearing(tokenAda))
	stream, err := http.DefaultClient.Do(w.request(http.MethodGet, "", session...))
	require.NoError(t, err)
	defer stream.Body.Close()
	ended := make(chan struct{})
	go func() { _, _ = io.Copy(io.Discard, stream.Body); close(ended) }()
	select {
	case <-ended:
		require.Fail(t, "the stream ended too early")
	case <-time.After(100 * time.Millisecond):
	}
	require.NoError(t, os.WriteFile(path, []byte(tokenBob), 0o600))
	select {
	case <-ended:
	case <-time.After(wiretest.Patience):
		require.Fail(t, "the stream goes on")
	}
}

// TestTokenTLS serves with a certificate.
func TestTokenTLS(t *testing.T) {
	cert, key, pool := selfSigned(t)
	w := serveSite(t, nil, &Options{TokenFile: tokens(t, tokenAda), CertFile: cert, KeyFile: key}, nil)
	require.True(t, strings.HasPrefix(w.url, "https://"))
	client := tlsClient(pool)
	defer client.CloseIdleConnections()
	resp, err := client.Do(w.request(http.MethodPost, wiretest.PingLine("1"), bearing(tokenAda)))
	require.NoError(t, err)
	resp.Body.Close()
	require.Equal(t, 200, resp.StatusCode)
	require.Equal(t, 2, resp.ProtoMajor)
	plain, err := http.Post(strings.Replace(w.url, "https", "http", 1), "application/json",
		strings.NewReader(wiretest.PingLine("1")))
	require.NoError(t, err)
	plain.Body.Close()
	require.Equal(t, 400, plain.StatusCode)

	renewedCert, renewedKey, renewed := selfSigned(t)
	for from, to := range map[string]string{renewedKey: key, renewedCert: cert} {
		data, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, data, 0o600))
	}
	client.CloseIdleConnections()
	_, err = client.Do(w.request(http.MethodPost, wiretest.PingLine("1"), bearing(tokenAda)))
	require.ErrorContains(t, err, "certificate")
	client = tlsClient(renewed)
	defer client.CloseIdleConnections()
	cs := connectHTTP(t, w.url, "2025-11-25", nil, &http.Client{Transport: withToken{client.Transport, tokenAda}})
	require.NoError(t, cs.Ping(context.Background(), nil))
}

// TestClientUser checks that a goal knows the user of its client.
func TestClientUser(t *testing.T) {
	for _, test := range []struct {
		o     *Options
		known string
	}{{nil, "known: false"}, {&Options{TokenFile: tokens(t, tokenAda)}, "known: true"}} {
		w := serveSiteOf(t, "../testdata/kb/client.pl", nil, test.o, nil)
		session := w.begin("2025-11-25", bearing(tokenAda))
		require.Contains(t, w.post(wiretest.CallLine("1", "signed_in"), session...).body, test.known)
	}
}

// TestOwnAuthorizationEdits admits users by a function. Those with a token may also edit.
func TestOwnAuthorizationEdits(t *testing.T) {
	var edited []Editor
	w := serveSite(t, nil, &Options{
		User: func(r *http.Request) (string, error) {
			if c, err := r.Cookie("who"); err == nil {
				return c.Value, nil
			}
			return "", errors.New("sign in at /login")
		},
		EditTokenFile: tokens(t, tokenAda),
		Status:        func() Status { return Status{} },
		Actions: map[string]func(context.Context, Editor, json.RawMessage) (any, error){
			"save": func(_ context.Context, by Editor, _ json.RawMessage) (any, error) {
				edited = append(edited, by)
				return nil, nil
			},
		},
	}, nil)
	save := func(headers ...string) int {
		r := w.request(http.MethodPost, "{}", headers...)
		r.URL.Path = "/page/save"
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer response.Body.Close()
		return response.StatusCode
	}
	require.Equal(t, 401, save(bearing(tokenAda)))
	require.Equal(t, 403, save("Cookie: who=bob"))
	require.Equal(t, 403, save("Cookie: who=bob", "Authorization: Bearer none"))
	require.Equal(t, 200, save("Cookie: who=bob", bearing(tokenAda)))
	require.Len(t, edited, 1)
	require.True(t, edited[0].Owner)
}

// TestOwnAuthorization admits users by a function. Calls and questions belong to them. Their streams end when they
// are not admitted any more.
func TestOwnAuthorization(t *testing.T) {
	out := map[string]bool{}
	var mu sync.Mutex
	user := func(r *http.Request) (string, error) {
		c, err := r.Cookie("who")
		if err != nil {
			return "", errors.New("sign in at /login")
		}
		mu.Lock()
		defer mu.Unlock()
		if out[c.Value] || r.Header.Get("Authorization") != "Basic YTpi" {
			return "", errors.New("signed out")
		}
		return c.Value, nil
	}
	var users []string
	o := &bridge.Options{Observe: func(ctx context.Context, o bridge.Observation) (
		context.Context, func(bridge.Observation),
	) {
		mu.Lock()
		defer mu.Unlock()
		users = append(users, o.User)
		return ctx, func(bridge.Observation) {}
	}}
	w := serveSite(t, o, &Options{User: user}, func(h *Server) { h.guard.recheck = 10 * time.Millisecond })
	a := w.post(wiretest.PingLine("1"))
	require.Equal(t, 401, a.status)
	require.Contains(t, a.body, "sign in at /login")
	ada := []string{"Cookie: who=ada", "Authorization: Basic YTpi"}
	require.Equal(t, 200, w.post(wiretest.PingLine("1"), ada...).status)
	session := w.begin("2025-11-25", ada...)
	mu.Lock()
	require.Contains(t, users, "ada")
	mu.Unlock()
	bob := slices.Clone(session)
	for i := range bob {
		bob[i] = strings.Replace(bob[i], "who=ada", "who=bob", 1)
	}
	require.Contains(t, []int{403, 404}, w.post(wiretest.PingLine("2"), bob...).status, "somebody else's session")

	stream, err := http.DefaultClient.Do(w.request(http.MethodGet, "", session...))
	require.NoError(t, err)
	defer stream.Body.Close()
	mu.Lock()
	out["ada"] = true
	mu.Unlock()
	_, _ = io.Copy(io.Discard, stream.Body) // ends
	require.Equal(t, 401, w.post(wiretest.PingLine("3"), session...).status)

	_, err = NewServer(w.offering.MCP(), &Options{User: user, TokenFile: tokens(t, tokenAda)})
	require.ErrorContains(t, err, "want one of them")
}
