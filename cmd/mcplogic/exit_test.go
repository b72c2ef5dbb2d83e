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
	"time"

	"github.com/stretchr/testify/require"

	locks "github.com/mcplogic/mcplogic/internal/folder"
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
		{"query fail", exitNo, ""},
		{"facts check --store file:" + odd, exitNo, ""},
		{"facts check --store file:" + nowhere, exitUsage, "nowhere.pl"},
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
		{"query --reference --timeout 0 X=1", exitDone, ""},
		{"query --reference foo(", exitThrew, "unexpected token"},
		{"query --strict " + bad + " true", exitNo, "bad.pl:1:3: error"},
		{"query " + bad + " true", exitDone, "bad.pl:1:3: error"},
		{"query " + script + " true", exitNo, "conv.py:1:8: error: this is perhaps no file of rules"},
		{"query --json " + script + " true", exitNo, ""},
		{"query --file " + script + " true", exitNo, "conv.py:1:8: error"},
		{"query " + wide + " true", exitNo, "wide.pl:1:1: error: the text is UTF-16"},
		{"query --code p/1 " + script, exitNo, "conv.py:1:8: error"},
		{"why " + script + " true", exitNo, "conv.py:1:8: error"},
		{"repl " + script, exitNo, "conv.py:1:8: error"},
		{"test " + wide, exitNo, "wide.pl:1:1: error"},
		{"query " + nowhere + " true", exitUsage, "nowhere.pl: error: no such file or folder"},
		{"query --json " + nowhere + " true", exitUsage, ""},
		{"query --reference " + nowhere + " true", exitUsage, "no such file or folder"},
		{"call " + nowhere + " tool", exitUsage, "no such file or folder"},
		{"call " + rules + " nil", exitUsage, "there is no tool nil"},
		{"call " + rules + " no", exitNo, "no failed"},
		{"read " + rules + " x://nowhere", exitUsage, "there is no resource x://nowhere"},
		{"read " + rules + " x://gone", exitNo, "Resource not found"},
		{"prompt " + rules + " nil", exitUsage, "there is no prompt nil"},
		{"prompt " + rules + " gone", exitNo, "prompt gone failed"},
		{"complete " + rules + " nil a b", exitUsage, "there is no prompt or template nil"},
		{"complete " + rules + " gone a b", exitNo, "prompt gone has no argument"},
		{"complete " + rules, exitUsage, "complete needs a PATH"},
		{"fmt " + bad, exitNo, "bad.pl:1:3: error"},
		{"fmt " + nowhere, exitUsage, "no such file or folder"},
		{"fmt -l " + rules, exitDone, ""},
		{"list " + bad, exitNo, "bad.pl:1:3: error"},
		{"repl " + nowhere, exitUsage, "no such file or folder"},
		{"repl --strict " + bad, exitNo, "bad.pl:1:3: error"},
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
		require.Equal(t, exitUsage, execute(t.Context(), args, strings.NewReader(""), noRoom{}, &stderr), "%v", args)
		require.Contains(t, stderr.String(), "no space left on device", "%v", args)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr bytes.Buffer
	code := execute(ctx, []string{"query", "repeat, fail"}, strings.NewReader(""), io.Discard, &stderr)
	require.Equal(t, exitInterrupted, code)
}

// TestUnpackedFolders removes the folders that killed processes have left, and no others.
func TestUnpackedFolders(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	made := func(name string, age time.Duration) string {
		dir := filepath.Join(os.TempDir(), name)
		require.NoError(t, os.MkdirAll(dir, 0o700))
		lock := filepath.Join(dir, unpackedLock)
		require.NoError(t, os.WriteFile(lock, nil, 0o600))
		require.NoError(t, os.Chtimes(lock, time.Time{}, time.Now().Add(-age)))
		return dir
	}
	dead, used := made(unpacked+"1", time.Hour), made(unpacked+"2", time.Hour)
	kept := []string{used, made(unpacked+"3", 0), made("mcplogic-mine", time.Hour)}
	lock, err := locks.Lock(filepath.Join(used, unpackedLock))
	require.NoError(t, err)
	removeUnpacked()
	require.NoDirExists(t, dead)
	for _, dir := range kept {
		require.DirExists(t, dir)
	}
	require.NoError(t, lock.Close())
	removeUnpacked()
	require.NoDirExists(t, used)
}
