package stream

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines streams. Text or bytes come in through a syntax.Input or go out through an Output. Both count
// characters, lines and columns.

// The modes a stream may be opened in.
const (
	ModeRead   = "read"
	ModeWrite  = "write"
	ModeAppend = "append"
)

// The values of eof_action.
const (
	EOFError = "error"
	EOFCode  = "eof_code"
	EOFReset = "reset"
)

// Stream is an open stream. Exactly one of In and Out is set.
type Stream struct {
	id         int
	Aliases    []string
	Mode       string
	File       string // "" when it is not a file
	Binary     bool
	Reposition bool
	TTY        bool
	EOFAction  string // eof_action
	Encoding   string // "" for utf8
	Newline    string // "" for posix
	Closer     io.Closer
	Held       int  // bytes of the text in memory that the stream reads
	Octets     bool // the characters of that text are bytes, too

	In     *syntax.Input
	Seeker io.Seeker
	start  int       // the byte of the source at which In began
	Source io.Reader // what In reads, for going back
	Past   bool      // the end has been read
	parser *syntax.Parser

	Out *Output

	Pair []*Stream // the input and output of a stream pair, which it shares
}

func (s *Stream) dropAlias(name string) {
	s.Aliases = slices.DeleteFunc(s.Aliases, func(a string) bool { return a == name })
}

// Close flushes the stream and closes its source or destination.
func (s *Stream) Close() error {
	var err error
	if s.parser != nil {
		s.parser.GiveBack()
		s.parser = nil
	}
	if s.Out != nil {
		err = s.Out.Flush()
	}
	if s.Closer != nil {
		if e := s.Closer.Close(); err == nil {
			err = e
		}
	}
	return err
}

// Reader returns the parser of an input stream, with the current operators and flags.
func (s *Stream) Reader(m *machine.Machine) *syntax.Parser {
	if s.parser == nil {
		s.parser = syntax.BorrowStreamParser(s.In, nil, nil)
	}
	s.parser.SetConditions(m.Ops(), m.Flags())
	s.parser.Meter, s.parser.Room = m.Meter(), m
	return s.parser
}

// Buffering of an output.
const (
	BufferFull = iota
	BufferLine
	BufferNone
)

// OutputBuffer is the number of bytes that an output buffers.
const OutputBuffer = 1 << 12

// Output is the destination of an output stream. It counts what is written.
type Output struct {
	w      io.Writer // nil: discarded, or kept when memory is set
	buf    []byte
	Buffer int
	memory bool
	most   int // the largest size in memory, 0 for any

	Largest rune // the largest character of the encoding, 0 for any

	chars, bytes, lines, Column int
	Last                        rune // the last character written
	Held                        int  // bytes that are charged to the machine
	Undefined                   bool // some of the text in memory was written by a goal whose truth is undefined
}

// NewOutput returns an output that writes to w. With a nil w it discards.
func NewOutput(w io.Writer, buffer int) *Output { return &Output{w: w, Buffer: buffer} }

// NewMemory returns an output that collects its text in memory.
func NewMemory() *Stream {
	s := &Stream{Mode: ModeWrite, Out: NewOutput(nil, BufferFull)}
	s.Out.memory = true
	return s
}

// View returns the text of an output in memory. It is valid until the next write.
func (o *Output) View() string { return unsafe.String(unsafe.SliceData(o.buf), len(o.buf)) }

// Write lets the writer of terms write to the output.
func (o *Output) Write(p []byte) (int, error) {
	if err := o.put(unsafe.String(unsafe.SliceData(p), len(p))); err != nil { // put copies
		return 0, err
	}
	return len(p), nil
}

// put writes text.
func (o *Output) put(text string) error {
	if o.Largest > 0 {
		for _, r := range text {
			if r > o.Largest {
				return fmt.Errorf("the encoding has no character %U", r)
			}
		}
	}
	o.count(text)
	return o.raw(text)
}

// raw adds text to the buffer, and flushes the buffer if necessary.
func (o *Output) raw(text string) error {
	o.bytes += len(text)
	if o.w == nil && !o.memory {
		return nil
	}
	line := o.Buffer == BufferLine && strings.IndexByte(text, '\n') >= 0
	o.buf = arrays.Append(o.buf, arrays.Bytes(text)...)
	if !o.memory && (line || o.Buffer == BufferNone || len(o.buf) >= OutputBuffer) {
		return o.Flush()
	}
	return nil
}

// PutByte writes a byte of a binary stream.
func (o *Output) PutByte(b byte) error {
	o.chars++
	return o.raw(string([]byte{b}))
}

// count moves the position over text.
func (o *Output) count(text string) {
	chars, lines, column := o.chars, o.lines, o.Column
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		chars++
		o.Last = r
		if r >= ' ' {
			column++
		} else {
			lines, column = NextPlace(r, lines, column)
		}
	}
	o.chars, o.lines, o.Column = chars, lines, column
}

// NextPlace returns the line and column after a character.
func NextPlace(r rune, line, column int) (int, int) {
	switch r {
	case '\n':
		return line + 1, 0
	case '\r':
		return line, 0
	case '\t':
		return line, column&^7 + 8
	case '\b':
		return line, max(column-1, 0)
	}
	return line, column + 1
}

// Flush hands the buffered text to the writer.
func (o *Output) Flush() error {
	if o.memory || len(o.buf) == 0 {
		return nil
	}
	_, err := o.w.Write(o.buf)
	o.buf = o.buf[:0]
	return err
}

// Write writes text to an output stream for a goal, and does not keep the text. It charges the work and the memory.
func (s *Stream) Write(m *machine.Machine, text string) error {
	if err := m.Charge(1 + len(text)/8); err != nil {
		return err
	}
	text = s.newlines(text)
	var full error
	if o := s.Out; o.memory {
		var err error
		if o.most > 0 && len(o.buf)+len(text) > o.most {
			text, full = syntax.CutText(text, max(o.most-len(o.buf), 0))+"\n", m.Throw(m.NewAtom("$full"))
		}
		if o.buf, err = machine.Grow(m, o.buf, len(text), &o.Held); err != nil {
			return err
		}
		o.Undefined = o.Undefined || machine.Undefined(m)
	}
	if err := s.Out.put(text); err != nil {
		return IOError(m, "write", s, err)
	}
	return full
}

// WriteBytes is Write for bytes that the caller may change afterwards.
func (s *Stream) WriteBytes(m *machine.Machine, text []byte) error {
	return s.Write(m, unsafe.String(unsafe.SliceData(text), len(text)))
}

// newlines returns a text with the line ends of the stream.
func (s *Stream) newlines(text string) string {
	if s.Newline != "dos" {
		return text
	}
	return strings.ReplaceAll(text, "\n", "\r\n")
}

// IOError returns the exception for an error of the operating system.
func IOError(m *machine.Machine, action string, s *Stream, err error) error {
	return m.ErrorMessage(m.NewStruct("io_error", m.NewAtom(action), s.Culprit(m)), err.Error())
}
