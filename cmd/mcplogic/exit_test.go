package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
)

// exitRules is a knowledge base that offers one item of each kind. None has a result.
const exitRules = `:- module(rules, []).
tools([tool(no, no, 0)]).
no :- fail.
prompts([prompt(gone, 'Fails', [])]).
prompt_get(gone, _, _) :- fail.
resources([resource('x://gone', gone, 'Fails', 'text/plain')]).
resource_read('x://gone', _, _) :- fail.
completion(prompt(gone), _, _, completion([])).
`

// TestExitCodes tells files with errors from what could not be started at all.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.pl")
	require.NoError(t, os.WriteFile(bad, []byte("p(.\n"), 0o666))
	rules := filepath.Join(dir, "rules.pl")
	require.NoError(t, os.WriteFile(rules, []byte(exitRules), 0o666))
	script, wide := filepath.Join(dir, "conv.py"), filepath.Join(dir, "wide.pl")
	require.NoError(t, os.WriteFile(script, []byte("import os\n"), 0o666))
	require.NoError(t, os.WriteFile(wide, []byte("\xff\xfet\x00.\x00"), 0o666))
	nowhere := filepath.Join(dir, "nowhere.pl")
	odd := filepath.Join(dir, "odd.store")
	require.NoError(t, os.Mkdir(odd, 0o777))
	log := filepath.Join(odd, "log-0000000000000001")
	require.NoError(t, os.WriteFile(log, []byte("something else altogether"), 0o666))
	for _, test := range []struct {
		args string
		want int
		text string
	}{
		{"query fail", cli.ExitNo, ""},
		{"facts check --store file:" + odd, cli.ExitNo, ""},
		{"facts check --store file:" + nowhere, cli.ExitUsage, "nowhere.pl"},
		{"query X=1", cli.ExitDone, ""},
		{"query foo(", cli.ExitUsage, "syntax error"},
		{"query X~is~1/0", cli.ExitThrew, "Arithmetic"},
		{"query throw(a)", cli.ExitThrew, "Unhandled exception: a"},
		{"query --timeout 50ms repeat,fail", cli.ExitLimit, "Time limit"},
		{"query --json foo(", cli.ExitUsage, ""},
		{"query --json fail", cli.ExitNo, ""},
		{"query --json throw(a)", cli.ExitThrew, ""},
		{"query --json member(X,[1,2]),X>1", cli.ExitDone, ""},
		{"query --json member(X,[1,2]),(X>1->throw(a);true)", cli.ExitThrew, ""},
		{"query --json --max-inferences 1000 repeat,fail", cli.ExitLimit, ""},
		{"query --reference --timeout 0 X=1", cli.ExitDone, ""},
		{"query --reference foo(", cli.ExitThrew, "unexpected token"},
		{"query --strict " + bad + " true", cli.ExitNo, "bad.pl:1:3: error"},
		{"query " + bad + " true", cli.ExitDone, "bad.pl:1:3: error"},
		{"query " + script + " true", cli.ExitNo, "conv.py:1:8: error: this is perhaps no file of rules"},
		{"query --json " + script + " true", cli.ExitNo, ""},
		{"query --file " + script + " true", cli.ExitNo, "conv.py:1:8: error"},
		{"query " + wide + " true", cli.ExitNo, "wide.pl:1:1: error: the text is UTF-16"},
		{"query --code p/1 " + script, cli.ExitNo, "conv.py:1:8: error"},
		{"why " + script + " true", cli.ExitNo, "conv.py:1:8: error"},
		{"repl " + script, cli.ExitNo, "conv.py:1:8: error"},
		{"test " + wide, cli.ExitNo, "wide.pl:1:1: error"},
		{"query " + nowhere + " true", cli.ExitUsage, "nowhere.pl: error: no such file or folder"},
		{"query --json " + nowhere + " true", cli.ExitUsage, ""},
		{"query --reference " + nowhere + " true", cli.ExitUsage, "no such file or folder"},
		{"call " + nowhere + " tool", cli.ExitUsage, "no such file or folder"},
		{"call " + rules + " nil", cli.ExitUsage, "there is no tool nil"},
		{"call " + rules + " no", cli.ExitNo, "no failed"},
		{"read " + rules + " x://nowhere", cli.ExitUsage, "there is no resource x://nowhere"},
		{"read " + rules + " x://gone", cli.ExitNo, "Resource not found"},
		{"prompt " + rules + " nil", cli.ExitUsage, "there is no prompt nil"},
		{"prompt " + rules + " gone", cli.ExitNo, "prompt gone failed"},
		{"complete " + rules + " nil a b", cli.ExitUsage, "there is no prompt or template nil"},
		{"complete " + rules + " gone a b", cli.ExitNo, "prompt gone has no argument"},
		{"complete " + rules, cli.ExitUsage, "complete needs a PATH"},
		{"fmt " + bad, cli.ExitNo, "bad.pl:1:3: error"},
		{"fmt " + nowhere, cli.ExitUsage, "no such file or folder"},
		{"fmt -l " + rules, cli.ExitDone, ""},
		{"list " + bad, cli.ExitNo, "bad.pl:1:3: error"},
		{"repl " + nowhere, cli.ExitUsage, "no such file or folder"},
		{"repl --strict " + bad, cli.ExitNo, "bad.pl:1:3: error"},
		{"test " + nowhere, cli.ExitUsage, "mcplogic: " + nowhere + ": no such file or folder"},
		{"config vscode " + nowhere, cli.ExitUsage, "mcplogic: " + nowhere + ": no such file or folder"},
		{"serve " + nowhere, cli.ExitUsage, "no such file or folder"},
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
		require.Equal(t, cli.ExitNo, execute(context.Background(), []string{"check", file}, strings.NewReader(""), &stderr,
			&stderr))
		return stderr.String()
	}
	out := check(strings.Repeat("p(X).\n", 200) + strings.Repeat("p(.\n", 120))
	require.Equal(t, cli.MaxPrinted, strings.Count(out, ": error: "))
	require.NotContains(t, out, ": warning: ")
	require.True(t, strings.HasSuffix(out, "... and 220 more\n120 errors, 200 warnings\n"), out)
	out = check(strings.Repeat("p. ", 10_000) + "p(. " + strings.Repeat("é. ", 10_000))
	require.Contains(t, out, "a.pl:1:30003: error: ")
	lines := strings.Split(out, "\n")
	require.Less(t, len(lines[1]), 300)
	require.Equal(t, "p(. ", lines[1][len(lines[2])-3:len(lines[2])+1])
}

// noRoom is an output that cannot be written, as on a full disk.
type noRoom struct{}

func (noRoom) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// Output that cannot be written is an error of every command, and a command that a signal has ended says so.
func TestLostOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.pl")
	require.NoError(t, os.WriteFile(file, []byte("p( 1 ).\ntools([p/1]).\n"), 0o600))
	for _, args := range [][]string{{"query", "X = 1"}, {"why", file, "p(1)"}, {"list", file}, {"fmt", file},
		{"graph", file}, {"config", "vscode", file}, {"version"}, {"check", file}} {
		var stderr bytes.Buffer
		require.Equal(t, cli.ExitUsage, execute(t.Context(), args, strings.NewReader(""), noRoom{}, &stderr), "%v", args)
		require.Contains(t, stderr.String(), "no space left on device", "%v", args)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr bytes.Buffer
	code := execute(ctx, []string{"query", "repeat, fail"}, strings.NewReader(""), io.Discard, &stderr)
	require.Equal(t, cli.ExitInterrupted, code)
}
