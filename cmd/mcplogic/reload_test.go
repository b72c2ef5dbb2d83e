package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// endless are beginnings of files that a load does not come to the end of.
var endless = map[string]string{
	"directive":      ":- repeat, fail.\n",
	"initialization": ":- initialization((repeat, fail)).\n",
	"term expansion": "term_expansion(a, _) :- repeat, fail.\na.\n",
	"goal expansion": "goal_expansion(a, _) :- repeat, fail.\nb :- a.\n",
	"condition":      ":- if((repeat, fail)).\n:- endif.\n",
	"shared term":    ":- length(L, 60), foldl([_, A, f(A, A)]>>true, L, 1, T), repeat, catch(throw(T), _, fail).\n",
	"assertions":     ":- dynamic(f/1).\n:- repeat, assertz(f(x)), fail.\n",
	"declarations":   "prompts(_) :- repeat, fail.\n",
}

// versionFile is a file with a tool that tells its version.
func versionFile(n int) string {
	return fmt.Sprintf("tools([tool(version, version, 1, [description('The version %d.')])]).\n"+
		"version(%[1]d).\n:- mode(version(-integer), one).\n", n)
}

// folder is a folder with one file.
func folder(t *testing.T, text string) (dir string, save func(string)) {
	dir = t.TempDir()
	save = func(text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pl"), []byte(text), 0o666))
	}
	save(text)
	return dir, save
}

// TestEndlessSaves saves files whose load does not end, and mends them: the last good version serves until the
// mended one does.
func TestEndlessSaves(t *testing.T) {
	for name, text := range endless {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, save := folder(t, versionFile(1))
			c := serveIn(t, "--load-timeout", "0", dir)
			c.begin()
			save(begins + text + versionFile(2))
			begun(c)
			require.Contains(t, c.call(3, "version"), `"Arg1":1`)
			save(versionFile(3))
			c.wait("notifications/tools/list_changed")
			require.Contains(t, c.call(4, "version"), `"Arg1":3`)
			require.NoError(t, c.in.Close())
			c.ends(cli.ExitDone)
			require.NotContains(t, c.stderr.String(), "error")
		})
	}
}

// TestEndlessSaveReported saves a file whose load does not end; its limit is reported where the goal is.
func TestEndlessSaveReported(t *testing.T) {
	dir, save := folder(t, versionFile(1))
	c := serveIn(t, "--load-timeout", "200ms", dir)
	c.begin()
	save("p.\n  :- repeat, fail.\n" + versionFile(2))
	message := c.wait("notifications/message")
	require.Contains(t, message, `a.pl","line":2,"column":3`)
	require.Contains(t, message, "directive took more than 200ms, the limit of goals that loading runs")
	require.Contains(t, c.call(3, "version"), `"Arg1":1`)
	save(versionFile(3))
	c.wait("notifications/tools/list_changed")
	require.Contains(t, c.call(4, "version"), `"Arg1":3`)
	require.NoError(t, c.in.Close())
	c.ends(cli.ExitDone)
}

// TestEndDuringLoad ends a server while it loads again.
func TestEndDuringLoad(t *testing.T) {
	for name, end := range map[string]func(*conversation, context.CancelFunc){
		"end of input": func(c *conversation, _ context.CancelFunc) { require.NoError(c, c.in.Close()) },
		"signal":       func(_ *conversation, stop context.CancelFunc) { stop() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, save := folder(t, versionFile(1))
			ctx, stop := context.WithCancel(t.Context())
			c := serveUnder(ctx, t, "--load-timeout", "0", dir)
			c.begin()
			save(begins + ":- repeat, fail.\n")
			begun(c)
			end(c, stop)
			c.ends(cli.ExitDone)
		})
	}
}

// TestEndlessStart serves a file whose load does not end.
func TestEndlessStart(t *testing.T) {
	// One directive writes and runs on: a signal cannot arrive between two.
	dir, _ := folder(t, "\n:- format(user_error, 'begun~n', []), repeat, fail.\n")
	c := serveIn(t, "--load-timeout", "200ms", dir)
	c.ends(cli.ExitUsage)
	require.Contains(t, c.stderr.String(), "a.pl:2:1: error: directive took more than 200ms")
	require.Contains(t, c.stderr.String(), "not served, because there are errors")

	ctx, stop := context.WithCancel(t.Context())
	c = serveUnder(ctx, t, "--load-timeout", "0", dir)
	begun(c)
	stop()
	c.ends(cli.ExitInterrupted)
	require.Contains(t, c.stderr.String(), "a.pl:2:1: error: loading was stopped here: context canceled")

	c = serveIn(t, "--load-timeout", "0", "--grace", "100ms", dir)
	begun(c)
	require.NoError(t, c.in.Close())
	c.ends(cli.ExitUsage)
	require.Contains(t, c.stderr.String(), "a.pl:2:1: error: loading was stopped here: the input has ended")
}

// slowStart serves a folder whose load ends with an error when goOn has been called.
func slowStart(t *testing.T, more ...string) (c *conversation, goOn func()) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pl"), []byte(
		":- facts(row/1, 'rows.csv').\n:- repeat, exists_file('go'), !.\nbroken(.\n"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rows.csv"), []byte("1\n2\n"), 0o666))
	c = serveIn(t, append([]string{"--load-timeout", "0", dir}, more...)...)
	c.told("still loading " + filepath.Join(dir, "rows.csv") + ";")
	return c, func() { assert.NoError(t, os.WriteFile(filepath.Join(dir, "go"), nil, 0o666)) }
}

// TestSlowStart has clients come while a load goes on that ends with an error. They are told, over both transports.
func TestSlowStart(t *testing.T) {
	t.Parallel()
	ends := func(c *conversation) {
		c.ends(cli.ExitUsage)
		require.Contains(t, c.stderr.String(), "not served, because there are errors")
	}
	c, goOn := slowStart(t)
	c.begin()
	for id := 3; id < 10; id++ {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, id))
	}
	goOn()
	told := ""
	for line := range c.out {
		told += line
	}
	ends(c)
	require.Equal(t, 7, strings.Count(told, "a.pl:3:"), told)

	c, goOn = slowStart(t, "--http", "0")
	c.told("Loading at http://127.0.0.1:")
	c.told("/mcp\n")
	_, url, _ := strings.Cut(c.stderr.String(), "Loading at ")
	url, _, _ = strings.Cut(url, "\n")
	post := func(session, body string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		require.NoError(t, err)
		r.Header = http.Header{"Content-Type": {"application/json"}, "Mcp-Session-Id": {session}}
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		t.Cleanup(func() { response.Body.Close() })
		return response
	}
	session := post("", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26",`+
		`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`).Header.Get("Mcp-Session-Id")
	post(session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	answers := bufio.NewReader(post(session, // the server has the first when it has answered the second
		`[{"jsonrpc":"2.0","id":3,"method":"tools/list"},{"jsonrpc":"2.0","id":4,"method":"ping"}]`).Body)
	for line := ""; !strings.Contains(line, `"id":4`); {
		var err error
		line, err = answers.ReadString('\n')
		require.NoError(t, err)
	}
	goOn()
	rest, err := io.ReadAll(answers)
	require.NoError(t, err)
	require.Contains(t, string(rest), "a.pl:3:")
	ends(c)
}

// TestFailedStart has requests in the pipe before the load fails, which takes no time. Each gets an answer.
func TestFailedStart(t *testing.T) {
	dir, _ := folder(t, "broken(.\n")
	in, client, err := os.Pipe() // stays open
	require.NoError(t, err)
	defer client.Close()
	_, err = client.WriteString(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n" + `{"jsonrpc":"2.0","id":3,"method":"ping"}` + "\n")
	require.NoError(t, err)
	var out, errs bytes.Buffer
	require.Equal(t, cli.ExitUsage, execute(t.Context(), []string{"serve", dir}, in, &out, &errs))
	require.Contains(t, errs.String(), "not served, because there are errors")
	require.GreaterOrEqual(t, strings.Count(out.String(), "a.pl:1:"), 2, out.String()) // the SDK answers tools/list itself
	for id := 1; id <= 3; id++ {
		require.Contains(t, out.String(), fmt.Sprintf(`"id":%d`, id))
	}
}

// begins says on standard error that a load has come here.
const begins = ":- format(user_error, 'begun~n', []).\n"

// begun waits until a load has come to what begins is in front of.
func begun(c *conversation) {
	c.Helper()
	c.told("begun\n")
}

// TestEndlessSaveHTTP does so over HTTP.
func TestEndlessSaveHTTP(t *testing.T) {
	dir, save := folder(t, versionFile(1))
	s := serveHTTPIn(t, "0", "--load-timeout", "0", dir)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: s.url}, nil)
	require.NoError(t, err)
	served := func() string {
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "version"})
		require.NoError(t, err)
		return fmt.Sprint(r.StructuredContent)
	}
	loads := func(n int) {
		require.Eventually(t, func() bool { return strings.Count(s.stderr.String(), "begun\n") == n }, wiretest.Patience,
			time.Millisecond)
	}
	save(begins + ":- repeat, fail.\n" + versionFile(2))
	loads(1)
	require.Equal(t, "map[Arg1:1]", served())
	save(versionFile(3))
	require.Eventually(t, func() bool { return strings.Contains(s.stderr.String(), "reloaded") }, wiretest.Patience,
		time.Millisecond)
	require.Equal(t, "map[Arg1:3]", served())
	save(begins + ":- repeat, fail.\n" + versionFile(4))
	loads(2)
	s.stop()
	select {
	case code := <-s.code:
		require.Equal(t, cli.ExitDone, code)
	case <-time.After(wiretest.Patience):
		t.Fatal("the server goes on")
	}
}

// TestSlowSave truncates a file and writes it some time later, whole or from a part that loads as it is. No call finds
// the tool missing.
func TestSlowSave(t *testing.T) {
	facts := strings.Repeat("fact(1, 2, 3).\n", 10)
	full := versionFile(1) + facts
	for name, parts := range map[string][]string{
		"empty":      {"", full},
		"blank line": {"\n", full},
		"prefix":     {"fact(1, 2, 3).\n", full},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, save := folder(t, full)
			c := serveIn(t, dir)
			c.begin()
			id := 10
			for _, part := range parts {
				saved := time.Now()
				save(part)
				for ; time.Since(saved) < 600*time.Millisecond; id++ {
					answer := c.call(id, "version")
					if time.Since(saved) > time.Second {
						t.Skip("the machine has taken longer to save than the server believes in")
					}
					require.Contains(t, answer, `"Arg1":1`)
					time.Sleep(5 * time.Millisecond)
				}
			}
			save(versionFile(2) + facts)
			c.wait("notifications/tools/list_changed")
			require.Contains(t, c.call(3, "version"), `"Arg1":2`)
			require.NoError(t, c.in.Close())
			c.ends(cli.ExitDone)
		})
	}
}
