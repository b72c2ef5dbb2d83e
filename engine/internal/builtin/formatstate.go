package builtin

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
)

// This file defines the state of a format/2: the arguments that are still to be used, and the text with its column
// stops. Text since the last stop is pending. At a stop the space that is left over is distributed over the fill points
// of the pending text.

// formatter is the state of one format/2.
type formatter struct {
	m      *machine.Machine
	s      *stream.Stream
	format string
	at     int    // next byte of format
	args   []cell // those still to be used
	line   formatLine
	// goals are those of ~@ and ~p, when collect is set; texts what they have written otherwise.
	collect bool
	goals   []cell
	texts   []string
	portray bool           // ~p is a goal
	own     *database.Pred // the directives that the program has defined, or nil
	held    int            // bytes accounted for
	room    []cell         // of args
}

// formatters are those that wait for the next format, with the room that they have.
var formatters = sync.Pool{New: func() any { return new(formatter) }}

// release lets others use f, unless a long text has made it large.
func (f *formatter) release() {
	if cap(f.line.pending) > stream.OutputBuffer || cap(f.line.done) > stream.OutputBuffer || cap(f.room) > 64 {
		return
	}
	line := formatLine{done: f.line.done[:0], pending: f.line.pending[:0], fills: f.line.fills[:0]}
	*f = formatter{line: line, room: f.room[:0]}
	formatters.Put(f)
}

// hold accounts for n bytes of text since the last column stop; 0 gives all of it back. Small texts are not
// counted, as most formats write little.
func (f *formatter) hold(n int) error {
	if n < stream.OutputBuffer && f.held == 0 {
		return nil
	}
	if err := f.m.Hold(n - f.held); err != nil {
		return err
	}
	f.held = n
	return nil
}

// failed is the error of a format that does not match its arguments. It is error(format(Message), _), as in SWI-Prolog.
func (f *formatter) failed(message string) error {
	m := f.m
	formal := m.NewStruct("format", m.NewAtom(message))
	return m.Throw(m.NewStruct("error", formal, m.NewVar()))
}

// next returns the next argument, dereferenced. It is an error if there is none.
func (f *formatter) next() (cell, error) {
	if len(f.args) == 0 {
		return 0, f.failed("not enough arguments")
	}
	c := f.m.Deref(f.args[0])
	f.args = f.args[1:]
	return c, nil
}

// noNumber stands for a directive without a numeric argument.
const noNumber = -1

// mistyped is the error of an argument of the wrong type for a directive. It is error(format_argument_type(Letter,
// Argument), _), as in SWI-Prolog.
func (f *formatter) mistyped(letter rune, c cell) error {
	m := f.m
	formal := m.NewStruct("format_argument_type", m.NewAtom(string(letter)), c)
	return m.Throw(m.NewStruct("error", formal, m.NewVar()))
}

// formatLine is the text of a format/2 that has not been written yet.
type formatLine struct {
	done    []byte      // text before the last stop, not yet written
	pending []byte      // text since the last stop
	fills   []fillPoint // of the pending text
	start   int         // column at which the pending text begins
	col     int         // columns that the pending text takes, from its last newline on
	last    int         // column of the last stop, 0 before the first one
}

// fillPoint is a place in the pending text where padding may go.
type fillPoint struct {
	at   int // bytes of the pending text before it
	char rune
}

// text adds text.
func (l *formatLine) text(s string) { l.bytes(arrays.Bytes(s)) } // which only reads them

// bytes adds text.
func (l *formatLine) bytes(s []byte) {
	l.pending = arrays.Append(l.pending, s...)
	column := l.column()
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(s[i:])
		}
		i += size
		_, column = stream.NextPlace(r, 0, column)
		if r == '\n' {
			l.start, column = 0, 0
		}
	}
	l.col = column - l.start
}

// column returns the column of the next character, without padding.
func (l *formatLine) column() int { return l.start + l.col }

// stop is the column of the last stop.
func (l *formatLine) stop() int { return l.last }

// fill notes a fill point.
func (l *formatLine) fill(char rune) { l.fills = append(l.fills, fillPoint{len(l.pending), char}) }

// columnStop ends the pending text at a column. What follows a text that is too long for its column keeps its
// distances, as if the text had ended there.
func (l *formatLine) columnStop(column int) {
	if pad := column - l.column(); pad > 0 {
		l.done = append(l.done, spread(string(l.pending), l.fills, pad)...)
	} else {
		l.done = arrays.Append(l.done, l.pending...)
	}
	l.start, l.col, l.last = column, 0, column
	l.pending = l.pending[:0]
	l.fills = l.fills[:0]
}

// spread puts n characters of padding into text, equally at all fill points; the last ones get one more if it does
// not come out even. Without fill points the padding comes after the text.
func spread(text string, fills []fillPoint, n int) string {
	if len(fills) == 0 {
		return text + strings.Repeat(" ", n)
	}
	var b strings.Builder
	from := 0
	share, extra := n/len(fills), n%len(fills)
	for i, f := range fills {
		b.WriteString(text[from:f.at])
		from = f.at
		width := share
		if i >= len(fills)-extra {
			width++
		}
		b.WriteString(strings.Repeat(string(f.char), width))
	}
	b.WriteString(text[from:])
	return b.String()
}

// spill returns all text so far, which lasts until more is added. The pending text begins anew at the column where it
// ends.
func (l *formatLine) spill() []byte {
	text := l.pending
	if len(l.done) > 0 {
		text = append(l.done, l.pending...)
	}
	l.done, l.pending = l.done[:0], l.pending[:0]
	return text
}

// spillDone returns the text before the last column stop.
func (l *formatLine) spillDone() []byte {
	text := l.done
	l.done = l.done[:0]
	return text
}
