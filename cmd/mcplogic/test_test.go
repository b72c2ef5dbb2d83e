package main

import (
	"bytes"
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

// The tests of the examples pass, as they do on SWI-Prolog.
func TestExamples(t *testing.T) {
	suites, err := filepath.Glob("../../examples/*/*.plt")
	require.NoError(t, err)
	require.NotEmpty(t, suites)
	for _, suite := range suites {
		t.Run(filepath.Base(suite), func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := execute(t.Context(), []string{"test", filepath.Dir(suite)}, strings.NewReader(""), &stdout, &stderr)
			require.Zero(t, code, "%s%s", &stdout, &stderr)
			require.Regexp(t, `^\d+ passed\n$`, stdout.String())
		})
	}
}

// TestInterruptedTests says which tests have run when the command is interrupted, in a test or in an example.
func TestInterruptedTests(t *testing.T) {
	const rules = `p(X) :- q(X).
q(1).
:- info(p/1, [comment is 'P.', examples is ['One' - p(X) - {X = 2}, 'Never' - (repeat, p(2)) - {true}]]).
`
	for _, test := range []struct{ tests, after string }{
		{"test(a).\ntest(b) :- p(2).\ntest(c) :- repeat, fail.\n", "loop:b: 1 failed, 1 passed"},
		{"test(a) :- true.\n", "examples:p/1: One: 1 failed, 1 passed"},
	} {
		dir := t.TempDir()
		suite := ":- begin_tests(loop).\n" + strings.Replace(test.tests, "test(a).", "test(a) :- true.", 1) +
			":- end_tests(loop).\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pl"), []byte(rules), 0o666))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.plt"), []byte(suite), 0o666))
		ctx, cancel := context.WithCancel(t.Context())
		out, errs := &lockedBuffer{}, &lockedBuffer{}
		code := make(chan int, 1)
		go func() {
			code <- execute(ctx, []string{"test", "--timeout", "0", dir}, strings.NewReader(""), out, errs)
		}()
		require.Eventually(t, func() bool { return strings.Contains(out.String(), "error: ") }, wiretest.Patience,
			time.Millisecond)
		cancel()
		require.Equal(t, cli.ExitInterrupted, <-code)
		require.Contains(t, errs.String(), "interrupted after "+test.after+"\n")
		require.NotContains(t, errs.String(), "error")
	}
}
