package cli

import (
	"bytes"
	"context"
	"io"
)

// This file defines how the input and output of goals is parted into lines and keys.

// InputLines is a reader that returns at most one line at a time, so that a goal that reads a line leaves the next ones
// to other goals. One goroutine reads at a time: the command, or the goal that it runs. What a goal leaves unread
// stays in rest for the next one.
type InputLines struct {
	R    io.Reader
	rest []byte // read and not passed on
}

// IsTerminal reports whether a person types the lines.
func (l *InputLines) IsTerminal() bool { return IsTerminal(l.R) }

// ReadContext is Read until a context ends.
func (l *InputLines) ReadContext(ctx context.Context, data []byte) (int, error) {
	defer EndingWith(ctx, l.R)()
	return l.Read(data)
}

// Read returns bytes up to the next newline, that one included. It reads from r only when it holds nothing.
func (l *InputLines) Read(data []byte) (int, error) {
	if len(l.rest) == 0 {
		chunk := make([]byte, 4096)
		n, err := l.R.Read(chunk)
		if l.rest = chunk[:n]; n == 0 {
			return 0, err
		}
	}
	n := min(len(data), len(l.rest))
	if at := bytes.IndexByte(l.rest[:n], '\n'); at >= 0 {
		n = at + 1
	}
	copy(data, l.rest[:n])
	l.rest = l.rest[n:]
	return n, nil
}

// LineWriter passes data on and notes whether they end within a line, so that answers begin on a line of their own.
type LineWriter struct {
	W    io.Writer
	open bool // the last line has no end yet
}

// Write passes data on.
func (l *LineWriter) Write(data []byte) (int, error) {
	if len(data) > 0 {
		l.open = data[len(data)-1] != '\n'
	}
	return l.W.Write(data)
}

// FreshLine ends the line if it has begun.
func (l *LineWriter) FreshLine() {
	if l.open {
		_, _ = io.WriteString(l, "\n")
	}
}

// NextLine returns the next line without its end, from a reader that returns no more than one line at a time. It keeps
// no buffer, so that the goal behind a line stays in the input. ok is false at the end of the input.
func NextLine(in io.Reader) (text string, ok bool) {
	var line []byte
	var one [1]byte
	for {
		n, err := in.Read(one[:])
		if n == 1 && one[0] == '\n' {
			return string(line), true
		}
		line = append(line, one[:n]...)
		if err != nil {
			return string(line), len(line) > 0
		}
	}
}

// The keys that a raw terminal sends for Ctrl-C and Ctrl-D, in place of a signal and the end of the input.
const CtrlC, CtrlD = 3, 4
