package builtin

import (
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/stream"
)

// This file defines the column stops of format/2. Text since the last stop is pending. At a stop the space that is
// left over is distributed over the fill points of the pending text.

// formatLine is the text of a format/2 that has not been written yet.
type formatLine struct {
	done    []byte      // text before the last stop, not yet written
	pending []byte      // text since the last stop
	fills   []fillPoint // of the pending text
	start   int         // column at which the pending text begins
	col     int         // columns that the pending text takes, from its last newline on
}

// fillPoint is a place in the pending text where padding may go.
type fillPoint struct {
	at   int // bytes of the pending text before it
	char rune
}

// text adds text.
func (l *formatLine) text(s string) { l.bytes(unsafe.Slice(unsafe.StringData(s), len(s))) } // which only reads them

// bytes adds text.
func (l *formatLine) bytes(s []byte) {
	l.pending = append(l.pending, s...)
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
func (l *formatLine) stop() int { return l.start }

// fill notes a fill point.
func (l *formatLine) fill(char rune) {
	l.fills = append(l.fills, fillPoint{len(l.pending), char})
}

// columnStop ends the pending text at a column. A text that is too long ends where it ends.
func (l *formatLine) columnStop(column int) {
	if pad := column - l.column(); pad > 0 {
		l.done = append(l.done, spread(string(l.pending), l.fills, pad)...)
		l.start = column
	} else {
		l.done = append(l.done, l.pending...)
		l.start = l.column()
	}
	l.col = 0
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
