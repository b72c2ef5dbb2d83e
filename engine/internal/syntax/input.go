package syntax

import (
	"io"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
)

// This file defines Input, the buffered text below the lexer and below every text stream.

const (
	readSize  = 1 << 16 // size of a request to the reader; a pipe or file fills it
	keepBytes = 512     // kept of the current line between terms, for error messages
	maxEmpty  = 100     // reads without data or error before giving up
)

// Input is buffered UTF-8 text with line, column and offset. It calls its reader only if the buffer is empty and uses
// the result of one Read, so a terminal is never read ahead. The parser takes its characters from the same buffer, and
// stops exactly after the end token. An Input belongs to one goroutine.
type Input struct {
	name string
	r    io.Reader // nil when buf is the whole text
	err  error     // the error at which the reader ended, io.EOF included

	buf  []byte
	pos  int  // next byte, an index of buf
	mark int  // bytes from here on are kept when the buffer is filled; -1: none
	bom  bool // the first bytes have been checked for a mark

	base      int // bytes dropped before buf[0]
	extra     int // bytes consumed that began no character: offset = bytes - extra
	line      int // from 0
	lineStart int // offset, in characters, at which the line began
	lineByte  int // the same in bytes

	shown shownLine
}

// shownLine caches the last line for a message, as a long line may have many mistakes.
type shownLine struct {
	from, end int // of what was in the buffer, from the beginning of the input
	text      string
}

// NewInput returns an Input over r that reads only if it must. The name is used in positions.
func NewInput(name string, r io.Reader) *Input {
	return &Input{name: name, r: r, mark: -1}
}

// NewTextInput returns an Input over the whole text, which is not copied.
func NewTextInput(name, text string) *Input {
	in := textInput(name, text)
	return &in
}

func textInput(name, text string) Input {
	in := Input{name: name, err: io.EOF, mark: -1}
	if text != "" { // the bytes are only ever read: with r nil nothing is appended or moved
		in.buf = arrays.Bytes(text)
	}
	return in
}

// Name is the name given to NewInput.
func (in *Input) Name() string { return in.name }

// Line is the number of the current line, from 1.
func (in *Input) Line() int { return in.line + 1 }

// Column is the number of the next character in its line, from 1.
func (in *Input) Column() int { return in.Offset() - in.lineStart + 1 }

// Offset is the number of characters consumed so far.
func (in *Input) Offset() int { return in.base + in.pos - in.extra }

// Bytes is the number of bytes consumed so far.
func (in *Input) Bytes() int { return in.base + in.pos }

// Position is the place of the next character.
func (in *Input) Position() Position { return in.place().at(in.name) }

// back goes back to a place that is still in the buffer. to is a copy of the input at that place.
func (in *Input) back(to *Input) {
	in.pos = to.pos + to.base - in.base
	in.extra, in.line, in.lineStart, in.lineByte = to.extra, to.line, to.lineStart, to.lineByte
}

// backTo goes back to a token that begins at a byte.
func (in *Input) backTo(start int, t *token) {
	in.pos = start - in.base
	in.extra, in.line = start-t.at.Offset, t.at.Line-1
	in.lineStart, in.lineByte = t.at.Offset-t.at.Column+1, t.line
}

func (in *Input) place() Place {
	return Place{Line: in.line + 1, Column: in.Column(), Offset: in.Offset()}
}

// Size is the number of bytes that the input takes.
func (in *Input) Size() int { return cap(in.buf) }

// Buffered is the number of bytes that can be read without calling the reader.
func (in *Input) Buffered() int { return len(in.buf) - in.pos }

// ReadRune returns the next character and its length, io.EOF at the end. An invalid byte is
// utf8.RuneError; a byte order mark at the very beginning is skipped. It implements io.RuneReader.
func (in *Input) ReadRune() (r rune, size int, err error) {
	r, size, err = in.next()
	if err != nil {
		return 0, 0, err
	}
	in.skip(r, size)
	return r, size, nil
}

// PeekRune returns the next character without consuming it.
func (in *Input) PeekRune() (rune, error) {
	r, _, err := in.next()
	return r, err
}

// PeekText returns the next n characters, or the remaining ones, without consuming them.
func (in *Input) PeekText(n int) string {
	if _, err := in.PeekRune(); err != nil {
		return ""
	}
	end := 0
	for ; n > 0; n-- {
		_, size := in.runeAt(end)
		if size == 0 {
			break
		}
		end += size
	}
	return string(in.buf[in.pos : in.pos+end])
}

// ReadByte returns the next byte, io.EOF at the end.
func (in *Input) ReadByte() (byte, error) {
	b, err := in.PeekByte()
	if err == nil {
		in.skip(rune(b), 1)
	}
	return b, err
}

// PeekByte returns the next byte without consuming it.
func (in *Input) PeekByte() (byte, error) {
	in.bom = true // binary access sees the mark
	if !in.need(1) {
		return 0, in.err
	}
	return in.buf[in.pos], nil
}

// ClearEOF lets the next read call the reader again after its end, for eof_action(reset) and terminals. It does nothing
// for a whole text.
func (in *Input) ClearEOF() {
	if in.r != nil && in.err == io.EOF {
		in.err = nil
	}
}

// next decodes the next character without consuming it.
func (in *Input) next() (rune, int, error) {
	if in.pos < len(in.buf) && in.buf[in.pos] < utf8.RuneSelf {
		return rune(in.buf[in.pos]), 1, nil
	}
	if !in.bom {
		in.skipBOM()
	}
	if !in.need(1) {
		return 0, 0, in.err
	}
	r, size := in.runeAt(0)
	return r, size, nil
}

// runeAt decodes the character that begins i bytes ahead, or returns size 0 at the end.
func (in *Input) runeAt(i int) (rune, int) {
	if !in.need(i + 1) {
		return 0, 0
	}
	if b := in.buf[in.pos+i]; b < utf8.RuneSelf {
		return rune(b), 1
	}
	for !utf8.FullRune(in.buf[in.pos+i:]) && in.need(len(in.buf)-in.pos+1) {
		// a character cut in two by the end of a Read
	}
	return utf8.DecodeRune(in.buf[in.pos+i:])
}

// byteAt is the byte i bytes ahead, or 0 past the end; 0 in the text itself is no
// token either, so the lexer need not tell them apart.
func (in *Input) byteAt(i int) byte {
	if in.pos+i < len(in.buf) || in.need(i+1) {
		return in.buf[in.pos+i]
	}
	return 0
}

// isUTF16 reports whether the text begins with the mark of UTF-16, or has a zero byte, r, among its first two.
func (in *Input) isUTF16(r rune) bool {
	mark := uint(in.byteAt(0))<<8 | uint(in.byteAt(1))
	return in.Bytes() == 0 && (mark == 0xFFFE || mark == 0xFEFF) || in.Bytes() <= 1 && r == 0
}

// skip consumes one character.
func (in *Input) skip(r rune, size int) {
	in.pos += size
	in.extra += size - 1
	if r == '\n' {
		in.line++
		in.lineStart = in.Offset()
		in.lineByte = in.Bytes()
	}
}

func (in *Input) skipBOM() {
	in.bom = true
	if in.Bytes() == 0 && in.byteAt(0) == 0xEF && in.byteAt(1) == 0xBB && in.byteAt(2) == 0xBF {
		in.pos += 3
		in.extra += 3
		in.lineByte = in.Bytes()
	}
}

// need makes n unread bytes available, or reports that the text ends earlier.
func (in *Input) need(n int) bool {
	for empty := 0; len(in.buf)-in.pos < n; {
		if in.err != nil {
			return false
		}
		if in.fill() > 0 {
			empty = 0
		} else if empty++; empty == maxEmpty {
			in.err = io.ErrNoProgress
		}
	}
	return true
}

// fill calls the reader once.
func (in *Input) fill() int {
	if cap(in.buf)-len(in.buf) < readSize/4 {
		in.compact()
	}
	n, err := in.r.Read(in.buf[len(in.buf):cap(in.buf)])
	in.buf = in.buf[:len(in.buf)+n]
	in.err = err
	return n
}

// compact drops consumed bytes and makes room for another read. A long rest is moved to a buffer of twice its size, so
// long tokens take linear time.
func (in *Input) compact() {
	keep := in.contextStart()
	if in.mark >= 0 {
		keep = min(keep, in.mark)
		in.mark -= keep
	}
	rest := in.buf[keep:]
	room := in.buf[:0]
	if cap(in.buf) < 2*len(rest)+readSize {
		room = make([]byte, 0, 2*len(rest)+readSize)
	}
	in.buf = append(room, rest...)
	in.pos -= keep
	in.base += keep
}

// contextStart is the index in the buffer of the current line, or of its last part when it is long.
func (in *Input) contextStart() int { return max(in.lineByte-in.base, in.pos-keepBytes, 0) }

// advance consumes n bytes that contain no newline.
func (in *Input) advance(n int) {
	span := in.buf[in.pos : in.pos+n]
	for _, b := range span {
		if b >= utf8.RuneSelf {
			in.extra += n - utf8.RuneCount(span)
			break
		}
	}
	in.pos += n
}

// lineAt returns the text of a line. start is its first byte, counted from the beginning of the input. It returns only
// the part in the buffer and reads nothing.
func (in *Input) lineAt(start int) string {
	from := start - in.base
	if from < 0 || from > len(in.buf) {
		return ""
	}
	if end := in.base + len(in.buf); in.shown.from != start || in.shown.end != end {
		in.shown = shownLine{start, end, in.cutLine(from)}
	}
	return in.shown.text
}

// cutLine is the rest of a line in the buffer.
func (in *Input) cutLine(from int) string {
	to := from
	for to < len(in.buf) && in.buf[to] != '\n' && in.buf[to] != '\r' {
		to++
	}
	return string(in.buf[from:to])
}
