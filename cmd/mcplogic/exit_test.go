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
		got := run(context.Background(), words(test.args), strings.NewReader(""), &stdout, &stderr)
		require.Equal(t, test.want, got, "%s: %s", test.args, &stderr)
		require.Contains(t, stderr.String(), test.text, test.args)
	}
}

// words splits a command line at blanks; ~ stands for a blank within a word.
func words(line string) []string {
	list := strings.Fields(line)
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], "~", " ")
	}
	return list
}
