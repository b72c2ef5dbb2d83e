package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExitCodes tells files with errors from what could not be started at all.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.pl")
	require.NoError(t, os.WriteFile(bad, []byte("p(.\n"), 0o666))
	nowhere := filepath.Join(dir, "nowhere.pl")
	for _, test := range []struct {
		args string
		want int
		text string
	}{
		{"query fail", exitNo, ""},
		{"query X=1", exitDone, ""},
		{"query foo(", exitUsage, "syntax error"},
		{"query X~is~1/0", exitThrew, "Arithmetic"},
		{"query throw(a)", exitThrew, "Unhandled exception: a"},
		{"query --timeout 50ms repeat,fail", exitLimit, "Time limit"},
		{"query --json foo(", exitUsage, ""},
		{"query --json fail", exitNo, ""},
		{"query --json throw(a)", exitThrew, ""},
		{"query --json member(X,[1,2]),X>1", exitDone, ""},
		{"query --json member(X,[1,2]),(X>1->throw(a);true)", exitThrew, ""},
		{"query --json --max-inferences 1000 repeat,fail", exitLimit, ""},
		{"query --reference foo(", exitThrew, "unexpected token"},
		{"query " + bad + " true", exitNo, "bad.pl:1:3: error"},
		{"query " + nowhere + " true", exitUsage, "nowhere.pl: error: no such file or folder"},
		{"query --json " + nowhere + " true", exitUsage, ""},
		{"query --reference " + nowhere + " true", exitUsage, "no such file or folder"},
		{"call " + nowhere + " tool", exitUsage, "no such file or folder"},
		{"list " + bad, exitNo, "bad.pl:1:3: error"},
		{"repl " + nowhere, exitUsage, "no such file or folder"},
		{"repl " + bad, exitNo, "bad.pl:1:3: error"},
		{"test " + nowhere, exitUsage, "mcplogic: " + nowhere + ": no such file or folder"},
		{"config vscode " + nowhere, exitUsage, "mcplogic: " + nowhere + ": no such file or folder"},
		{"serve " + nowhere, exitUsage, "no such file or folder"},
	} {
		var stdout, stderr bytes.Buffer
		got := execute(context.Background(), splitWords(test.args), strings.NewReader(""), &stdout, &stderr)
		require.Equal(t, test.want, got, "%s: %s", test.args, &stderr)
		require.Contains(t, stderr.String(), test.text, test.args)
	}
}

// splitWords splits a command line at blanks; ~ stands for a blank within a word.
func splitWords(line string) []string {
	list := strings.Fields(line)
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], "~", " ")
	}
	return list
}

// TestManyDiagnostics checks a file with more errors than are printed, after as many warnings, and one with a long
// line.
func TestManyDiagnostics(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.pl")
	check := func(text string) string {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		var stderr bytes.Buffer
		require.Equal(t, exitNo, execute(context.Background(), []string{"check", file}, strings.NewReader(""), &stderr,
			&stderr))
		return stderr.String()
	}
	out := check(strings.Repeat("p(X).\n", 200) + strings.Repeat("p(.\n", 120))
	require.Equal(t, maxPrinted, strings.Count(out, ": error: "))
	require.NotContains(t, out, ": warning: ")
	require.True(t, strings.HasSuffix(out, "... and 220 more\n120 errors, 200 warnings\n"), out)
	out = check(strings.Repeat("p. ", 10_000) + "p(. " + strings.Repeat("é. ", 10_000))
	require.Contains(t, out, "a.pl:1:30003: error: ")
	lines := strings.Split(out, "\n")
	require.Less(t, len(lines[1]), 300)
	require.Equal(t, "p(. ", lines[1][len(lines[2])-3:len(lines[2])+1])
}
