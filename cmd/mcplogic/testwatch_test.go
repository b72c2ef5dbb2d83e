package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// TestWatchTests runs the tests of a folder again and again while its files change.
func TestWatchTests(t *testing.T) {
	dir := t.TempDir()
	save := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	save("rules.pl", "p(1).\n:- include('more.txt').\n")
	save("more.txt", "q(1).\n")
	save("rules.plt", ":- begin_tests(r).\ntest(p) :- p(1).\ntest(q) :- q(1).\n:- end_tests(r).\n")
	ctx, stop := context.WithCancel(t.Context())
	var stdout, stderr lockedBuffer
	code := make(chan int, 1)
	go func() {
		code <- execute(ctx, []string{"test", "--watch", dir}, strings.NewReader(""), &stdout, &stderr)
	}()
	says := func(text string) { // none of the texts comes twice
		t.Helper()
		require.Eventually(t, func() bool { return strings.Contains(stdout.String()+stderr.String(), text) },
			wiretest.Patience, 10*time.Millisecond, "%s is not in %s%s", text, &stdout, &stderr)
	}
	says("2 passed\n")
	save("rules.pl", "p(2).\n:- include('more.txt').\n")
	says("1 failed, 1 passed\n")
	save("more.txt", "q(2).\n") // a file that a file of rules names
	says("2 failed, 0 passed\n")
	save("new.plt", ":- begin_tests(n).\ntest(n) :- true.\n:- end_tests(n).\n")
	says("2 failed, 1 passed\n")
	save("rules.pl", "p(1).\np(\n")
	says("rules.pl:2:1")
	stop()
	require.Equal(t, cli.ExitInterrupted, <-code)
}
