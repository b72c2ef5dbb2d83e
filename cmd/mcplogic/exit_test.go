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
		got := run(context.Background(), strings.Fields(test.args), strings.NewReader(""), &stdout, &stderr)
		require.Equal(t, test.want, got, "%s: %s", test.args, &stderr)
		require.Contains(t, stderr.String(), test.text, test.args)
	}
}
