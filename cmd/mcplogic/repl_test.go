//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// person sits at a pseudo terminal and types at the prompt of mcplogic repl.
type person struct {
	*testing.T
	tty    *os.File
	shown  chan string
	screen string // what is shown and was not waited for
	done   chan error
}

// sitDown starts the prompt in a folder.
func sitDown(t *testing.T, dir string, args ...string) *person {
	t.Helper()
	return watch(t, dir, append([]string{"repl"}, args...)...)
}

// watch starts the command in a folder.
func watch(t *testing.T, dir string, args ...string) *person {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "mcplogic", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm", "NO_COLOR=1", "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	require.NoError(t, err)
	p := &person{T: t, tty: tty, shown: make(chan string, 100), done: make(chan error, 1)}
	go func() {
		defer close(p.shown)
		for buf := make([]byte, 4096); ; {
			n, err := tty.Read(buf)
			if n > 0 {
				p.shown <- string(buf[:n])
			}
			if err != nil {
				p.done <- cmd.Wait()
				return
			}
		}
	}()
	t.Cleanup(func() { tty.Close() })
	return p
}

// see waits until a text is shown and returns what was shown before it.
func (p *person) see(text string) string {
	p.Helper()
	timeout := time.After(wiretest.Patience)
	for {
		if before, after, ok := strings.Cut(p.screen, text); ok {
			p.screen = after
			return before
		}
		select {
		case more, ok := <-p.shown:
			require.True(p, ok, "the command ended; waited for %q, got %q", text, p.screen)
			p.screen += more
		case <-timeout:
			p.Fatalf("waited for %q, got %q", text, p.screen)
		}
	}
}

func (p *person) keys(text string) {
	_, err := p.tty.WriteString(text)
	require.NoError(p, err)
}

// ask types a goal at the prompt.
func (p *person) ask(goal string) {
	p.Helper()
	p.see("?- ")
	p.keys(goal + "\r")
	p.see("\r\n")
}

func (p *person) leave() {
	p.Helper()
	p.see("?- ")
	p.keys("\x04")
	require.NoError(p, p.end())
}

// end waits until the command has ended.
func (p *person) end() error {
	p.Helper()
	select {
	case err := <-p.done:
		return err
	case <-time.After(wiretest.Patience):
		p.Fatalf("the command does not end; shown was %q", p.screen)
		return nil
	}
}

// TestReplCutsLongAnswers shows the beginning of long values, and all of them where that is wanted.
func TestReplCutsLongAnswers(t *testing.T) {
	p := sitDown(t, t.TempDir())
	p.ask("numlist(1, 9, L).")
	p.see("L = [1, 2, 3, 4, 5, 6, 7, 8, 9].")
	p.ask("numlist(1, 10, L).")
	p.see("L = [1, 2, 3, 4, 5, 6, 7, 8, 9|...].")
	p.ask("X = f(g(h(i(j(k(l(m(n(o(p)))))))))).")
	p.see("X = f(g(h(i(j(k(l(m(n(o(...)))))))))).")
	p.ask("numlist(1, 11, L), member(X, L).")
	p.see("9|...],\r\nX = 1 ")
	p.keys("w")
	p.see("L = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],\r\nX = 1 ")
	p.keys("\r")
	p.ask("set_prolog_flag(answer_write_options, [quoted(true)]).")
	p.ask("numlist(1, 10, L).")
	p.see("L = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].")
	p.leave()
}

func TestReplAnswersOneByOne(t *testing.T) {
	p := sitDown(t, t.TempDir())
	p.ask("member(X, [a, b, c]).")
	p.see("X = a ")
	p.keys(";")
	p.see(";\r\nX = b ")
	p.keys("x?") // neither yes nor no, and a question
	p.see("next answer")
	p.keys(" ")
	p.see(";\r\nX = c.\r\n\r\n")
	p.ask("member(X, [a, b, c]).")
	p.see("X = a ")
	p.keys("\r")
	p.see(" .\r\n\r\n")
	p.ask("X = f(Y),")
	p.see("|    ")
	p.keys("dif(Y, 1).\r")
	p.see("X = f(Y),\r\ndif(Y, 1).")
	p.ask("atom_length(_, _).")
	p.see("error: atom_length/2: Arguments are not sufficiently instantiated")
	p.ask("foo bar.")
	p.see("goal:1:5: error: operator expected, got bar")
	p.ask("halt.")
	require.NoError(t, p.end())
}

// TestKeyboardInterrupts ends commands that wait for the keyboard by Ctrl-C.
func TestKeyboardInterrupts(t *testing.T) {
	for _, test := range []struct{ args, shown, end string }{
		{"fmt", "mcplogic fmt reads from the keyboard, up to Ctrl-D", "interrupted"},
		{"facts import . --store file:store", "mcplogic import reads from the keyboard, up to Ctrl-D", "interrupted"},
		{"query --batch -", "", "interrupted"},
		{"query read(X)", "|: ", "error: aborted: cancelled"},
		{"query catch(get_char(X),_,true)", "|: ", "error: aborted: cancelled"},
		{"query prompt(_,ok),read_line_to_string(user_input,X)", "ok", "error: aborted: cancelled"},
		{"query trace,member(X,[1,2])", "Call: (1) lists:member(", "error: aborted: cancelled"},
		{"query repeat,fail", "", ""},
		{"dap", "", "interrupted"},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			dir, killed := t.TempDir(), true
			for killed { // by a signal to which it did not listen yet
				p := watch(t, dir, strings.Split(test.args, " ")...)
				p.see(test.shown)
				time.Sleep(100 * time.Millisecond)
				p.keys("\x03")
				var exit *exec.ExitError
				require.ErrorAs(t, p.end(), &exit)
				if killed = !exit.Exited(); !killed {
					require.Equal(t, cli.ExitInterrupted, exit.ExitCode())
					p.see(test.end)
				}
			}
		})
	}
}

func TestReplInterrupts(t *testing.T) {
	p := sitDown(t, t.TempDir())
	p.see("Goals end with a full stop; help. shows more, and halt. or Ctrl-D ends.")
	p.ask("X = run, format('~wning~n', [X]), repeat, fail.")
	p.see("running")
	p.keys("\x03")
	p.see("% interrupted")
	p.ask("read(X).") // a goal that waits for its input
	p.see("|: ")
	p.keys("\x03")
	p.see("% interrupted")
	p.see("?- ")
	p.keys("abandoned, ")
	p.see("abandoned, ") // by now Ctrl-C is a key and no signal
	p.keys("\x03")
	p.see("^C")
	p.ask("read(X).")
	p.see("|: ")
	p.keys("hello.\n")
	p.see("X = hello.")
	p.ask("member(X, [1, 2]).")
	p.see("X = 1 ")
	p.keys("\x03")
	p.see(".")
	p.leave()
}

func TestReplHistoryAndCompletion(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "zoo.pl"), []byte("quagga(marius).\n"), 0o666))
	p := sitDown(t, dir, "zoo.pl")
	p.see("?- ")
	p.keys("quag\t(X).\r") // a predicate
	p.see("\r\nX = marius.\r\n")
	p.see("?- ")
	p.keys("X = 'zo\t'.\r") // a file
	p.see("\r\nX = 'zoo.pl'.\r\n")
	p.see("?- ")
	p.keys("atom_ch\tX, X = 1.\r") // chars or check: only what they have in common
	p.see("error")
	p.leave()

	p = sitDown(t, dir, "zoo.pl")
	p.see("?- ")
	p.keys("quagga\x1b[A\r") // upwards among what begins so
	p.see("\r\nX = marius.\r\n")
	p.see("?- ")
	p.keys("\x12zoo\r") // searched for
	p.see("\r\nX = 'zoo.pl'.\r\n")
	p.leave()
	text, err := os.ReadFile(filepath.Join(dir, "state", "mcplogic", "history"))
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(text), "quagga(X).\n"))
	info, err := os.Stat(filepath.Join(dir, "state", "mcplogic", "history"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

// TestReplReloads changes, breaks and mends a file between goals. What goals have added stays.
func TestReplReloads(t *testing.T) {
	dir := t.TempDir()
	save := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	save("a.pl", ":- dynamic f/1.\np(1).\np(.\n")
	p := sitDown(t, dir, "--strict", "a.pl")
	p.see("a.pl:3:3: error")
	p.see("not loaded")
	p.ask("true.")
	p.see("true.")
	save("a.pl", ":- dynamic f/1.\np(1).\n")
	p.ask("p(X).")
	p.see("mcplogic: loaded 1 file")
	p.see("X = 1.")
	p.ask("assertz(f(1)).")
	p.see("true.")
	p.ask("op(700, xfx, ===>).")
	p.see("true.")
	save("b.pl", "q(3).\n")
	p.ask("[b].")
	p.see("true.")
	save("a.pl", ":- dynamic f/1.\np(2).\n")
	p.ask("p(X), f(Y), q(Z), W = (a ===> b).")
	p.see("mcplogic: reloaded 2 files")
	p.see("X = 2,\r\nY = 1,\r\nZ = 3,\r\nW = (a===>b).")
	save("b.pl", "q(.\n")
	p.ask("q(X).")
	p.see("not reloaded")
	p.see("X = 3.")
	p.ask("[user].")
	p.see("|: ")
	p.keys("r(7).\r")
	p.see("|: ")
	p.keys("\x04")
	p.see("true.")
	p.ask("r(X).")
	p.see("X = 7.")
	p.ask("Y = $X.")
	p.see("Y = 7.")
	p.ask("halt(4).")
	err := p.end()
	var exited *exec.ExitError
	require.ErrorAs(t, err, &exited)
	require.Equal(t, 4, exited.ExitCode())
}

// TestReplAsks answers what a goal wants to know.
func TestReplAsks(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pl"), []byte(
		"ask(X) :- mcp_elicit('Which colour?', {type-object, properties-{c-{type-string, enum-[red, blue]}}, "+
			"required-[c]}, X).\n"), 0o666))
	p := sitDown(t, dir, "a.pl")
	p.ask("ask(X).")
	p.see("Which colour?")
	p.see("> ")
	p.keys("green\n")
	p.see("Please answer with one of the choices")
	p.see("> ")
	p.keys("2\n")
	p.see("X = accept({c-blue}).")
	p.leave()
}

func TestReplTraces(t *testing.T) {
	dir := t.TempDir()
	text := "f(X) :-\n    g(X),\n    h(X).\ng(1).\ng(2).\nh(2).\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.pl"), []byte(text), 0o600))
	p := sitDown(t, dir, "p.pl")
	p.ask("trace, f(X).")
	p.see("Call: (1) f(_")
	p.see(" ? ")
	p.keys("\r")
	p.see("creep\r\n   Call: (2) g(_")
	p.keys("v")
	p.see("variables\r\n  X = _")
	p.keys("s")
	p.see("skip\r\n   Exit: (2) g(1) ? ")
	p.keys("e")
	p.see("evaluate: ")
	p.keys("Y is X + 1\n")
	p.see("Y = 2")
	p.keys("g")
	p.see("[2] g(1) at p.pl:2\r\n  [1] f(1)\r\n")
	p.keys("l")
	p.see("X = 2.")
	p.ask("notrace, nodebug, spy(h/1).")
	p.see("Spy point on h/1")
	p.ask("f(X).")
	p.see(" * Call: (2) h(1) ? ")
	p.keys("a")
	p.see("% Execution Aborted")
	p.leave()
}

// TestTellsWhatTakesLong names the files that are loaded and the test that runs to a person at a terminal.
func TestTellsWhatTakesLong(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"late.pl": ":- sleep(600).\n",
		"slow.plt": ":- begin_tests(u).\ntest(quick) :- true.\ntest(slow) :- sleep(600).\n:- end_tests(u).\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	watch(t, dir, "query", "--load-timeout", "0", "late.pl", "true").see("mcplogic: loading late.pl")
	watch(t, dir, "test", "slow.plt").see("mcplogic: running test u:slow")
	p := watch(t, dir, "test", "-v", "slow.plt")
	p.see("test u:quick")
	p.see("test u:slow")
}
