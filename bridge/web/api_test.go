package web

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/npmtest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

const plainFile = "../testdata/kb/plain.pl"

// plain makes a request of plain HTTP. Headers are NAME: VALUE.
func (w *site) plain(method, path, body string, headers ...string) *answer {
	w.Helper()
	r := w.request(method, body, headers...)
	u, err := r.URL.Parse(path)
	require.NoError(w, err)
	r.URL = u
	resp, err := http.DefaultClient.Do(r)
	require.NoError(w, err)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	require.NoError(w, err)
	return &answer{status: resp.StatusCode, header: resp.Header, body: string(data)}
}

// TestPlainHTTP calls tools without MCP. Errors are problems with the codes of results.
func TestPlainHTTP(t *testing.T) {
	w := serveSiteOf(t, plainFile, nil, &Options{MaxBody: 1000}, nil)
	for _, test := range []struct {
		name, method, path, body string
		headers                  []string
		status                   int
		want                     string // the body, or a part of the body of an error
	}{
		{"an answer", "POST", "square", `{"number": 12}`, nil, 200, `{"square":144}`},
		{"beyond 2^53", "POST", "square", `{"number": 9007199254740993}`, nil, 200,
			`{"square":"81129638414606699710187514626049"}`},
		{"no content type", "POST", "square", `{"number": 2}`, []string{"Content-Type: "}, 200, `{"square":4}`},
		{"no Accept", "POST", "square", `{"number": 2}`, []string{"Accept: "}, 200, `{"square":4}`},
		{"several answers", "POST", "names", `{"most": 2}`, nil, 200,
			`{"solutions":[{"name":"n1"},{"name":"n2"}],"more":false}`},
		{"no structured content", "POST", "route", `{"region": "Köln"}`, nil, 200,
			`{"content":[{"type":"text","text":"in Köln"}]}`},
		{"a picture", "POST", "picture", ``, nil, 200, `{"content":[{"type":"image","mimeType":"image/png","data":"aGk="}]}`},
		{"a name beyond ASCII", "POST", "gr%C3%B6%C3%9Fe", `{"in": 3}`, nil, 404, `größe`},
		{"a name that is no UTF-8", "POST", "a%FF", `{}`, nil, 404, `unknown tool`},
		{"wrong arguments", "POST", "square", `{"number": "many"}`, nil, 400, `"code":"bad_arguments"`},
		{"no object", "POST", "square", `[1]`, nil, 400, `"code":"bad_arguments"`},
		{"a name twice", "POST", "square", `{"number": 1, "number": 2}`, nil, 400, `the name \"number\" is there twice`},
		{"no JSON", "POST", "square", `{"number": 1}, "x": {`, nil, 400, `invalid character ','`},
		{"no UTF-8", "POST", "square", "{\"number\": \"\xff\"}", nil, 400, `not UTF-8`},
		{"another type", "POST", "square", `number=1`, []string{"Content-Type: application/x-www-form-urlencoded"}, 415,
			`application/json`},
		{"too long", "POST", "square", `{"number": ` + strings.Repeat(" ", 1000) + `1}`, nil, 413, `longer than 1000 bytes`},
		{"no such tool", "POST", "sqare", `{}`, nil, 404, `did you mean \"square\"?`},
		{"another method", "GET", "square", ``, nil, 405, `want POST`},
		{"a foreign page", "POST", "square", `{"number": 1}`, []string{"Origin: https://evil.example"}, 403,
			`--allow-origin`},
		{"a foreign name", "POST", "square", `{"number": 1}`, []string{"Host: evil.example"}, 403, `--allow-host`},
		{"undecided", "POST", "earns", `{"who": "ann"}`, nil, 409, `"code":"undecided"`},
		{"out of time", "POST", "endless", ``, nil, 504, `"code":"time_limit"`},
		{"an exception", "POST", "broken", ``, nil, 500, `"code":"type_error"`},
		{"an error of the rules", "POST", "chosen", ``, nil, 422, `closed on Sundays`},
		{"a change that there is not", "POST", "square", `{"number": 1}`, []string{"Mcplogic-Sequence: none"}, 400,
			`mcplogic/sequence`},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := w.plain(test.method, "/api/tools/"+test.path, test.body, test.headers...)
			require.Equal(t, test.status, a.status, a.body)
			if test.status == 200 {
				require.Equal(t, "application/json", a.header.Get("Content-Type"))
				require.Equal(t, test.want, strings.TrimSpace(a.body))
				require.Len(t, a.header.Get("Mcplogic-Rules"), 16)
				return
			}
			require.Equal(t, typeProblem, a.header.Get("Content-Type"))
			require.Contains(t, a.body, test.want)
			var p problem
			require.NoError(t, json.Unmarshal([]byte(a.body), &p))
			require.Equal(t, test.status, p.Status)
			require.NotEmpty(t, p.Title)
		})
	}
}

// TestPlainHead requests the description with HEAD, as clients do to see whether it exists.
func TestPlainHead(t *testing.T) {
	w := serveSiteOf(t, plainFile, nil, nil, nil)
	for method, status := range map[string]int{"HEAD": 200, "GET": 200, "POST": 405} {
		a := w.plain(method, openAPIPath, "")
		require.Equal(t, status, a.status, method)
		require.Equal(t, method == "HEAD", a.body == "", method)
	}
	require.Equal(t, 405, w.plain("HEAD", "/api/tools/square", "").status)
}

// TestPlainAnswer answers a question. With its token and the tool answer the call is decided.
func TestPlainAnswer(t *testing.T) {
	w := serveSiteOf(t, plainFile, nil, nil, nil)
	a := w.plain("POST", "/api/tools/earns", `{"who": "ann"}`)
	var p struct {
		Data struct {
			Token     string
			Undecided []struct{ Question string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(a.body), &p))
	require.Equal(t, "ann", p.Data.Undecided[0].Question)
	a = w.plain("POST", "/api/tools/answer", `{"token": "`+p.Data.Token+`", "answer": {"income": 9001}}`)
	require.Equal(t, 200, a.status, a.body)
}

// TestPlainGuard checks that calls and the description need a token.
func TestPlainGuard(t *testing.T) {
	tokens := filepath.Join(t.TempDir(), "tokens")
	require.NoError(t, os.WriteFile(tokens, []byte("0123456789abcdef\n"), 0o600))
	w := serveSiteOf(t, plainFile, nil, &Options{TokenFile: tokens}, nil)
	for method, path := range map[string]string{"GET": "/openapi.json", "POST": "/api/tools/square"} {
		a := w.plain(method, path, `{"number": 3}`)
		require.Equal(t, 401, a.status)
		require.Equal(t, typeProblem, a.header.Get("Content-Type"))
		require.NotEmpty(t, a.header.Get("WWW-Authenticate"))
		require.Equal(t, 200, w.plain(method, path, `{"number": 3}`, "Authorization: Bearer 0123456789abcdef").status)
	}
	require.Contains(t, w.plain("GET", "/openapi.json", "", "Authorization: Bearer 0123456789abcdef").body,
		`"securitySchemes":{"token":{"scheme":"bearer","type":"http"}}`)
}

// TestPlainSame calls the tools of a knowledge base by MCP and by plain HTTP. The answers and the limits of a client
// are the same.
func TestPlainSame(t *testing.T) {
	w := serveSiteOf(t, plainFile, nil, &Options{Rate: 1}, nil)
	cs := connectHTTP(t, w.url, "2026-07-28", nil, nil)
	r := bridgetest.CallTool(t, cs, "names", `{"most": 3}`)
	structured, err := json.Marshal(r.StructuredContent)
	require.NoError(t, err)
	require.JSONEq(t, string(structured), w.plain("POST", "/api/tools/names", `{"most": 3}`).body)
	var last *answer
	for range 11 {
		last = w.plain("POST", "/api/tools/square", `{"number": 1}`)
	}
	require.Equal(t, 429, last.status)
	require.Equal(t, typeProblem, last.header.Get("Content-Type"))
}

// TestPlainVanished checks that a call ends when its client has gone.
func TestPlainVanished(t *testing.T) {
	w := serveSite(t, nil, nil, nil)
	r := w.request("POST", "{}").WithContext(t.Context())
	u, err := r.URL.Parse("/api/tools/loop")
	require.NoError(t, err)
	r.URL = u
	client := &http.Client{Timeout: wiretest.Patience}
	go func() { w.settles(1); client.CloseIdleConnections(); w.stop() }()
	resp, err := client.Do(r)
	if err == nil { // the server stops after its grace
		require.Equal(t, 503, resp.StatusCode)
		require.NoError(t, resp.Body.Close())
	}
	w.settles(0)
}

// TestOpenAPI reads the description. References within a schema lead to places in the description, and the server is
// where clients find it.
func TestOpenAPI(t *testing.T) {
	s := bridge.NewServer(load(t, plainFile), &bridge.Options{Title: "Numbers", Version: "3", PageSize: 2})
	t.Cleanup(s.Close)
	h, err := NewServer(s.MCP(), &Options{Address: "127.0.0.1:1", PublicURL: "https://kb.example.org/numbers/mcp"})
	require.NoError(t, err)
	out := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "http://127.0.0.1:1/openapi.json", nil)
	h.ServeHTTP(out, r)
	require.Equal(t, 200, out.Code, out.Body)
	var described struct {
		OpenAPI string
		Info    map[string]string
		Servers []map[string]string
		Paths   map[string]struct {
			Post struct {
				OperationID string
				RequestBody struct{ Required bool }
			}
		}
		Components struct{ Schemas map[string]map[string]any }
	}
	require.NoError(t, json.Unmarshal(out.Body.Bytes(), &described))
	require.Equal(t, "3.1.0", described.OpenAPI)
	require.Equal(t, "Numbers", described.Info["title"])
	require.Equal(t, "https://kb.example.org/numbers", described.Servers[0]["url"])
	require.Len(t, described.Paths, 9) // eight tools and answer
	require.Equal(t, "names", described.Paths["/api/tools/names"].Post.OperationID)
	require.True(t, described.Paths["/api/tools/square"].Post.RequestBody.Required)
	require.False(t, described.Paths["/api/tools/picture"].Post.RequestBody.Required)
	from := described.Components.Schemas["route.arguments"]["properties"].(map[string]any)["from"].(map[string]any)
	require.Equal(t, "#/components/schemas/route.arguments/$defs/place", from["$ref"])
}

// TestOpenAPIClient checks descriptions with the linter of Redocly, and calls tools with a client that is generated
// from one.
func TestOpenAPIClient(t *testing.T) {
	dir := npmtest.Install(t, "OpenAPI with a linter and a client", "openapi", "../../testdata/openapi")
	run := func(args ...string) string {
		cmd := exec.Command("node", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "REDOCLY_TELEMETRY=off")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	examples, err := filepath.Glob("../../examples/*/README.md")
	require.NoError(t, err)
	for _, path := range append(examples, plainFile, "../testdata/kb/types.pl") {
		w := serveSiteOf(t, strings.TrimSuffix(path, "README.md"), &bridge.Options{WhatIf: true}, nil, nil)
		file := filepath.Join(t.TempDir(), "openapi.json")
		require.NoError(t, os.WriteFile(file, []byte(w.plain("GET", "/openapi.json", "").body), 0o600))
		run("node_modules/@redocly/cli/bin/cli.js", "lint", "--config", "redocly.yaml", file)
	}
	w := serveSiteOf(t, plainFile, nil, nil, nil)
	require.Equal(t, "200 {\"square\":144}\n200 {\"content\":[{\"type\":\"text\",\"text\":\"in Köln\"}]}\n409 undecided\n",
		run("call.mjs", w.baseURL(), "square", `{"number": 12}`, "route", `{"region": "Köln"}`, "earns", `{"who": "ann"}`))
}
