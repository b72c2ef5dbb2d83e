package main

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
	"time"

	"github.com/peterh/liner"
)

// This file defines where the goals of mcplogic repl come from: a person at a terminal, or a file or
// pipe.

// newLineSource returns the terminal if a person sits at both ends.
func newLineSource(in io.Reader, out io.Writer) lineSource {
	if in == io.Reader(os.Stdin) && out == io.Writer(os.Stdout) && isTerminal(in) && isTerminal(out) {
		if t, err := openTerminal(); err == nil {
			return t
		}
	}
	return &piped{bufio.NewReader(in)}
}

// piped is an input without a person: there are no prompts, all answers are wanted, and what stops
// the command stops a goal.
type piped struct{ in *bufio.Reader }

func (p *piped) line(string) (string, error) {
	text, err := p.in.ReadString('\n')
	if err == io.EOF && text != "" {
		err = nil
	}
	return strings.TrimRight(text, "\r\n"), err
}

func (p *piped) reader(context.Context) io.Reader { return oneLine{p.in} }

func (p *piped) more(context.Context) bool { return true }
func (p *piped) remember(string)           {}
func (p *piped) isTerminal() bool          { return false }
func (p *piped) close()                    {}

func (p *piped) interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

// oneLine gives at most the rest of a line at a time, so that what reads from it leaves the
// following goals alone.
type oneLine struct{ in *bufio.Reader }

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
	complete func(prefix string) []string
	editor   *liner.State
	history  *history
	// cooked is how the terminal was found, and is while goals run; raw is how the editor wants it.
	cooked, raw liner.ModeApplier
	signals     chan os.Signal
	closing     sync.Once
	ended       chan struct{}
}

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

// die leaves the terminal in order when the command is told to stop.
func (t *terminal) die() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	select {
	case <-stop:
		t.close()
		os.Exit(exitNo)
	case <-t.ended:
		signal.Stop(stop)
	}
}

func (t *terminal) close() {
	t.closing.Do(func() {
		signal.Stop(t.signals)
		_ = t.editor.Close()
		_ = t.cooked.ApplyMode()
		close(t.ended)
	})
}

func (t *terminal) isTerminal() bool { return true }

// line edits a line.
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

// remember adds a goal to the history, as one line if its comments allow that.
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

// interruptible makes Ctrl-C end the context. The command's own context ends then, too, and counts no
// more.
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

func (t *terminal) reader(ctx context.Context) io.Reader { return &typing{ctx} }

// more reads a key until one is understood: ; and others ask for the next answer, return and others
// do not.
func (t *terminal) more(ctx context.Context) bool {
	_ = t.raw.ApplyMode()
	defer func() { _ = t.cooked.ApplyMode() }()
	_, _ = io.WriteString(os.Stdout, " ")
	var key [1]byte
	keys := typing{ctx}
	for {
		if _, err := keys.Read(key[:]); err != nil {
			return false
		}
		switch key[0] {
		case ';', ' ', 'n', 'r', '\t':
			return true
		case '\r', '\n', '.', 'a', 'c', 'q', ctrlC, ctrlD:
			return false
		case 'h', '?':
			_, _ = io.WriteString(os.Stdout, "\n; space n r: next answer, return . a c: enough, h ?: this help\n")
		}
	}
}

const ctrlC, ctrlD = 3, 4

// typing is what is typed while a goal runs, as long as its context lasts.
type typing struct{ ctx context.Context }

// pollTime is how long it may take until the end of a context is noticed.
const pollTime = 50 * time.Millisecond

func (t *typing) Read(p []byte) (int, error) {
	for !readable(os.Stdin, pollTime) {
		if err := t.ctx.Err(); err != nil {
			return 0, err
		}
	}
	return os.Stdin.Read(p)
}
