package builtin

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines what a stream is: text or bytes that come in through a syntax.Input or go
// out through an output, which counts characters, lines and columns.

// The modes a stream may be opened in.
const (
	modeRead   = "read"
	modeWrite  = "write"
	modeAppend = "append"
	modeUpdate = "update"
)

// The values of eof_action.
const (
	eofError = "error"
	eofCode  = "eof_code"
	eofReset = "reset"
)

// stream is an open stream. Exactly one of in and out is set.
type stream struct {
	id         int
	aliases    []string
	mode       string
	file       string // "" when it is not a file
	binary     bool
	reposition bool
	tty        bool
	eof        string // eof_action
	encoding   string // "" for utf8
	newline    string // "" for posix
	closer     io.Closer
	held       int // bytes of a text in memory that is read

	in     *syntax.Input
	seeker io.Seeker
	source io.Reader // what in reads, for going back
	past   bool      // the end has been read
	parser *syntax.Parser
	ops    *syntax.Ops // that the parser was made for
	flags  *syntax.Flags

	out *output
}

func (s *stream) dropAlias(name string) {
	s.aliases = slices.DeleteFunc(s.aliases, func(a string) bool { return a == name })
}

// close flushes and closes what is below the stream.
func (s *stream) close() error {
	var err error
	if s.out != nil {
		err = s.out.flush()
	}
	if s.closer != nil {
		if e := s.closer.Close(); err == nil {
			err = e
		}
	}
	return err
}

// reader returns the parser of an input stream under the tables in force.
func (s *stream) reader(m *machine.Machine) *syntax.Parser {
	if ops, flags := m.Ops(), m.Flags(); s.parser == nil || s.ops != ops || s.flags != flags {
		s.parser, s.ops, s.flags = syntax.NewParser(s.in, ops, flags), ops, flags
	}
	s.parser.Meter = m.Work
	return s.parser
}

// Buffering of an output.
const (
	bufferFull = iota
	bufferLine
	bufferNone
)

const outputBuffer = 1 << 12

// output is where an output stream writes. It keeps count of what it has written.
type output struct {
	w      io.Writer // nil: discarded, or kept when memory is set
	buf    []byte
	buffer int
	memory bool

	chars, bytes, lines, column int
	last                        rune // character written
	held                        int  // bytes accounted for with the machine
}

func newOutput(w io.Writer, buffer int) *output { return &output{w: w, buffer: buffer} }

// Write lets the writer of terms write to the output.
func (o *output) Write(p []byte) (int, error) {
	if err := o.put(string(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// put writes text.
func (o *output) put(text string) error {
	o.count(text)
	return o.raw(text)
}

// raw adds text to the buffer, which it flushes when it is time.
func (o *output) raw(text string) error {
	o.bytes += len(text)
	if o.w == nil && !o.memory {
		return nil
	}
	line := o.buffer == bufferLine && strings.IndexByte(text, '\n') >= 0
	o.buf = append(o.buf, text...)
	if !o.memory && (line || o.buffer == bufferNone || len(o.buf) >= outputBuffer) {
		return o.flush()
	}
	return nil
}

// putByte writes a byte of a binary stream.
func (o *output) putByte(b byte) error {
	o.chars++
	return o.raw(string([]byte{b}))
}

// count moves the position over text.
func (o *output) count(text string) {
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		o.chars++
		o.last = r
		o.lines, o.column = nextPlace(r, o.lines, o.column)
	}
}

// nextPlace returns the line and column after a character.
func nextPlace(r rune, line, column int) (int, int) {
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

// flush hands the buffered text to the writer.
func (o *output) flush() error {
	if o.memory || len(o.buf) == 0 {
		return nil
	}
	_, err := o.w.Write(o.buf)
	o.buf = o.buf[:0]
	return err
}

// write writes text to an output stream on behalf of a goal, counting the work and the memory.
func (s *stream) write(m *machine.Machine, text string) error {
	if err := m.Charge(1 + len(text)/8); err != nil {
		return err
	}
	if err := s.out.put(s.newlines(text)); err != nil {
		return ioError(m, "write", s, err)
	}
	return s.hold(m)
}

// newlines writes the ends of lines the way the stream wants them.
func (s *stream) newlines(text string) string {
	if s.newline != "dos" {
		return text
	}
	return strings.ReplaceAll(text, "\n", "\r\n")
}

// hold accounts for the memory that output kept in memory takes.
func (s *stream) hold(m *machine.Machine) error {
	if !s.out.memory {
		return nil
	}
	grown := cap(s.out.buf) - s.out.held
	s.out.held += grown
	return m.HoldBytes(grown)
}

// ioError is the exception of an operation that the system below has refused.
func ioError(m *machine.Machine, action string, s *stream, err error) error {
	return m.ErrorMessage(m.NewStruct("io_error", m.NewAtom(action), s.culprit(m)), err.Error())
}
