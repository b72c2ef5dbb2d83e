package goals

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/peterh/liner"
	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
)

// This file defines where the goals of mcplogic repl come from: a person at a terminal, or a file or pipe.

// newLineSource returns a terminal if a person sits at both ends, else the plain input.
func newLineSource(cmd *cobra.Command, out io.Writer) lineSource {
	in := cmd.InOrStdin()
	if o, is := out.(*cli.CommandOutput); is {
		out = o.W
	}
	if in == io.Reader(os.Stdin) && out == io.Writer(os.Stdout) && cli.IsTerminal(in) && cli.IsTerminal(out) {
		if t, err := openTerminal(); err == nil {
			return t
		}
	}
	in = cli.Typed(cmd)
	return &piped{in, bufio.NewReader(in)}
}

// piped is an input without a person. There are no prompts, and all answers are printed. What stops the command also
// stops the goal that runs.
type piped struct {
	source io.Reader
	in     *bufio.Reader // of it
}

// line reads the next line. The last one need not end with a newline.
func (p *piped) line(string) (string, error) {
	text, err := p.in.ReadString('\n')
	if err == io.EOF && text != "" {
		err = nil
	}
	return strings.TrimRight(text, "\r\n"), err
}

// reader ignores the context: an input without a person has no keys that could end it.
func (p *piped) reader(context.Context) io.Reader { return oneLine{p} }

// key is always an error, so that a traced goal aborts instead of waiting for ever.
func (p *piped) key(context.Context) (byte, error) { return 0, io.EOF }

// more wants all answers, since nobody is there to stop.
func (p *piped) more(context.Context, func() string) bool { return true }
func (p *piped) remember(string)                          {}
func (p *piped) isTerminal() bool                         { return false }
func (p *piped) close()                                   {}

// interruptible returns the context as it is: nobody can press Ctrl-C.
func (p *piped) interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

// oneLine reads at most the rest of a line at a time. A goal that reads from the input thereby leaves the goals on
// the next lines alone.
type oneLine struct{ *piped }

// ReadContext is Read until a context ends.
func (o oneLine) ReadContext(ctx context.Context, p []byte) (int, error) {
	defer cli.EndingWith(ctx, o.source)()
	return o.Read(p)
}

// Read returns the bytes of the input up to the end of the line, or as many as there is room for.
func (o oneLine) Read(p []byte) (int, error) {
	for n := range p {
		b, err := o.in.ReadByte()
		if err != nil {
			if n > 0 {
				err = nil
			}
			return n, err
		}
		if p[n] = b; b == '\n' {
			return n + 1, nil
		}
	}
	return len(p), nil
}

// terminal is a person at standard input and output.
type terminal struct {
	// complete returns what completes a prefix. nil: nothing does.
	complete func(prefix string) []string
	editor   *liner.State
	history  *history
	// The modes of the terminal: cooked as it was found, which it has while goals run, raw while a line is edited.
	cooked, raw liner.ModeApplier
	// signals gets the interrupts of the user, one at a time; ended is closed by close, once, and ends the goroutine die.
	signals chan os.Signal
	closing sync.Once
	ended   chan struct{}
}

// openTerminal prepares the line editor and starts the goroutine die, which close ends. The editor changes the mode of
// the terminal when it is made; the change is noted as raw and undone.
func openTerminal() (*terminal, error) {
	cooked, err := liner.TerminalMode()
	if err != nil {
		return nil, err
	}
	t := &terminal{cooked: cooked, editor: liner.NewLiner(), signals: make(chan os.Signal, 1), ended: make(chan struct{})}
	if t.raw, err = liner.TerminalMode(); err != nil {
		return nil, err
	}
	_ = cooked.ApplyMode()
	t.editor.SetCtrlCAborts(true)
	t.editor.SetTabCompletionStyle(liner.TabPrints)
	t.editor.SetWordCompleter(t.completions)
	t.history = openHistory()
	for _, line := range t.history.lines {
		t.editor.AppendHistory(line)
	}
	signal.Notify(t.signals, os.Interrupt)
	go t.die()
	return t, nil
}

// die is a goroutine that restores the terminal and ends the process at SIGTERM, because a line editor that reads
// cannot be interrupted. It ends with the session.
func (t *terminal) die() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	select {
	case <-stop:
		t.close()
		os.Exit(cli.ExitNo)
	case <-t.ended:
		signal.Stop(stop)
	}
}

// close gives the terminal back as it was found. Further calls do nothing.
func (t *terminal) close() {
	t.closing.Do(func() {
		signal.Stop(t.signals)
		_ = t.editor.Close()
		_ = t.cooked.ApplyMode()
		close(t.ended)
	})
}

func (t *terminal) isTerminal() bool { return true }

// line edits a line. The terminal is raw only meanwhile.
func (t *terminal) line(prompt string) (string, error) {
	_ = t.raw.ApplyMode()
	defer func() { _ = t.cooked.ApplyMode() }()
	text, err := t.editor.Prompt(prompt)
	switch {
	case errors.Is(err, liner.ErrPromptAborted):
		return "", errInterrupted
	case errors.Is(err, io.EOF):
		_, _ = io.WriteString(os.Stdout, "\n")
	}
	return text, err
}

// remember adds a goal to the history. Its lines are joined, unless one of them may hold a comment.
func (t *terminal) remember(text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if !strings.Contains(text, "%") {
		lines = []string{strings.Join(lines, " ")}
	}
	for _, line := range lines {
		t.editor.AppendHistory(line)
		t.history.add(line)
	}
}

// interruptible returns a context that Ctrl-C ends. Ctrl-C ends the context of the command as well, but the prompt goes
// on after a goal that was stopped, so the new context does not depend on that one. cancel ends its goroutine.
func (t *terminal) interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	for len(t.signals) > 0 { // pressed too late for the goal before
		<-t.signals
	}
	go func() {
		select {
		case <-t.signals:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// reader returns what is typed from now on, until the context ends.
func (t *terminal) reader(ctx context.Context) io.Reader { return &cli.Typing{Ctx: ctx} }

// more asks whether the next answer is wanted. Its keys are the keys of SWI-Prolog. Others are ignored.
func (t *terminal) more(ctx context.Context, whole func() string) bool {
	_ = t.raw.ApplyMode()
	defer func() { _ = t.cooked.ApplyMode() }()
	_, _ = io.WriteString(os.Stdout, " ")
	var key [1]byte
	keys := cli.Typing{Ctx: ctx}
	for {
		if _, err := keys.Read(key[:]); err != nil {
			return false
		}
		switch key[0] {
		case ';', ' ', 'n', 'r', '\t':
			return true
		case '\r', '\n', '.', 'a', 'c', 'q', cli.CtrlC, cli.CtrlD:
			return false
		case 'w':
			_, _ = io.WriteString(os.Stdout, "\n"+whole()+" ")
		case 'h', '?':
			_, _ = io.WriteString(os.Stdout, "\n; space n r: next answer, w: all of it, return . a c: enough, h ?: this help\n")
		}
	}
}

// key waits for one key.
func (t *terminal) key(ctx context.Context) (byte, error) {
	_ = t.raw.ApplyMode()
	defer func() { _ = t.cooked.ApplyMode() }()
	var key [1]byte
	_, err := (&cli.Typing{Ctx: ctx}).Read(key[:])
	return key[0], err
}

// lineSource is where goals come from: a terminal, with prompts and history, or a file or pipe.
type lineSource interface {
	// line returns the next line after a prompt, io.EOF, or errInterrupted. The text has no line end.
	line(prompt string) (string, error)
	// reader is what goals read from while ctx is not done.
	reader(ctx context.Context) io.Reader
	// more waits for the user to say whether another answer is wanted. whole is all of the answer that is shown.
	more(ctx context.Context, whole func() string) bool
	// remember adds to the history.
	remember(text string)
	// interruptible returns a context that is done when the user interrupts what is running.
	interruptible(ctx context.Context) (context.Context, context.CancelFunc)
	// key waits for a key. It is an error when nobody has any to press.
	key(ctx context.Context) (byte, error)
	// cli.IsTerminal reports whether a person is there, for whom there are prompts.
	isTerminal() bool
	// close gives back what the source has taken. It may be called again, and from another goroutine.
	close()
}

// errInterrupted is returned for a line that the user has given up by Ctrl-C.
var errInterrupted = errors.New("interrupted")

// completions returns what may replace the word before the cursor. Within quotes these are files, elsewhere atoms of
// the program. A word that begins with a capital is a variable, for which there is nothing to offer.
func (t *terminal) completions(line string, pos int) (head string, words []string, tail string) {
	runes := []rune(line)
	before, tail := string(runes[:pos]), string(runes[pos:])
	if start, ok := openQuote(before); ok {
		return before[:start], fileNames(before[start:]), tail
	}
	start := len(strings.TrimRightFunc(before, isAlphanumeric))
	word := before[start:]
	if first, _ := utf8.DecodeRuneInString(word); !unicode.IsLower(first) || t.complete == nil {
		return before, nil, tail
	}
	return before[:start], t.complete(word), tail
}
