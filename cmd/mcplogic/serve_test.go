package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// conversation is a client of mcplogic serve that writes lines and waits for lines.
type conversation struct {
	*testing.T
	in     io.WriteCloser
	out    chan string
	stderr *lockedBuffer
	code   chan int
}

// lockedBuffer is an output that is read while it is written. It keeps the first MiB, so that a log of many calls does
// not look like memory that the server takes.
type lockedBuffer struct {
	mu sync.Mutex
	b  host.Buffer
}

func (l *lockedBuffer) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b.Max = 1 << 20
	return l.b.Write(data)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func serveIn(t *testing.T, args ...string) *conversation {
	return serveUnder(context.Background(), t, args...)
}

func serveUnder(ctx context.Context, t *testing.T, args ...string) *conversation {
	stdin, in := io.Pipe()
	out, stdout := io.Pipe()
	c := &conversation{t, in, make(chan string, 100), &lockedBuffer{}, make(chan int, 1)}
	go func() {
		c.code <- execute(ctx, append([]string{"serve"}, args...), stdin, stdout, c.stderr)
		stdout.Close()
	}()
	go func() {
		defer close(c.out)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			c.out <- lines.Text()
		}
	}()
	return c
}

func (c *conversation) send(line string) {
	_, err := io.WriteString(c.in, line+"\n")
	require.NoError(c, err)
}

// wait returns the next line that holds a text.
func (c *conversation) wait(text string) string {
	c.Helper()
	timeout := time.After(wiretest.Patience)
	for {
		select {
		case line, ok := <-c.out:
			require.True(c, ok, "the server ended: %s", c.stderr)
			if strings.Contains(line, text) {
				return line
			}
		case <-timeout:
			c.Fatalf("no %s; standard error: %s", text, c.stderr)
		}
	}
}

// begin opens the session.
func (c *conversation) begin() {
	c.Helper()
	c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	c.wait(`"id":1,`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	c.send(`{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"error"}}`)
	c.wait(`"id":2,`)
}

// ends checks that the server ends soon.
func (c *conversation) ends(code int) {
	c.Helper()
	select {
	case got := <-c.code:
		require.Equal(c, code, got, "%s", c.stderr)
	case <-time.After(wiretest.Patience):
		c.Fatalf("the server goes on; standard error: %s", c.stderr)
	}
}

// told waits for a text on standard error, which the server may write after it has told its client.
func (c *conversation) told(text string) {
	c.Helper()
	said := func() bool { return strings.Contains(c.stderr.String(), text) }
	require.Eventually(c, said, wiretest.Patience, time.Millisecond, "%s is not in %s", text, c.stderr)
}

func (c *conversation) call(id int, tool string) string {
	c.Helper()
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q}}`, id, tool))
	return c.wait(fmt.Sprintf(`"id":%d,`, id))
}

// TestServe holds a whole conversation: a file is changed, broken and mended while a client is
// there.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	save := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pl"), []byte(text), 0o666))
	}
	save("tools([tool(one, one, 0, [description('One.')])]).\none :- write(first).\n")
	c := serveIn(t, dir)
	c.begin()
	require.Contains(t, c.call(3, "one"), "first")

	save("tools([tool(one, one, 0, [description('One.')]), tool(two, two, 0, [description('Two.')])]).\n" +
		"one :- write(second).\ntwo.\n")
	c.wait("notifications/tools/list_changed")
	require.Contains(t, c.call(4, "one"), "second")
	require.NotContains(t, c.call(5, "two"), "error")
	c.told("mcplogic: reloaded 1 file: 2 tools")

	save("one :- write(third.\n")
	require.Contains(t, c.wait("notifications/message"), `a.pl","line":1,"column":19`)
	require.Contains(t, c.call(6, "one"), "second")
	c.told("mcplogic: not reloaded")

	save("tools([tool(two, two, 0, [description('Two.')])]).\ntwo.\n")
	c.wait("notifications/tools/list_changed")
	require.Contains(t, c.call(7, "one"), `"code":-32602`)

	require.NoError(t, c.in.Close())
	require.Equal(t, cli.ExitDone, <-c.code)
}
