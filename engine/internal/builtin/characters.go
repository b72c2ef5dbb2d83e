package builtin

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines the input and output of single characters, codes and bytes
// (ISO 13211-1, 8.12 and 8.13).

var characterTable = []machine.Builtin{
	{Name: "get_char", Arity: 1, Func: fromCurrent(getChar), Modes: "?in_character", Doc: "Reads the next character of the current input."},
	{Name: "get_char", Arity: 2, Func: from(getChar), Modes: "+stream, ?in_character", Doc: "Reads the next character of a stream, end_of_file at its end."},
	{Name: "peek_char", Arity: 1, Func: fromCurrent(peekChar), Modes: "?in_character", Doc: "Shows the next character of the current input without reading it."},
	{Name: "peek_char", Arity: 2, Func: from(peekChar), Modes: "+stream, ?in_character", Doc: "Shows the next character of a stream without reading it."},
	{Name: "get_code", Arity: 1, Func: fromCurrent(getCode), Modes: "?in_character_code", Doc: "Reads the next character code of the current input."},
	{Name: "get_code", Arity: 2, Func: from(getCode), Modes: "+stream, ?in_character_code", Doc: "Reads the next character code of a stream, -1 at its end."},
	{Name: "peek_code", Arity: 1, Func: fromCurrent(peekCode), Modes: "?in_character_code", Doc: "Shows the next character code of the current input without reading it."},
	{Name: "peek_code", Arity: 2, Func: from(peekCode), Modes: "+stream, ?in_character_code", Doc: "Shows the next character code of a stream without reading it."},
	{Name: "get_byte", Arity: 1, Func: fromCurrent(getByte), Modes: "?in_byte", Doc: "Reads the next byte of the current input."},
	{Name: "get_byte", Arity: 2, Func: from(getByte), Modes: "+stream, ?in_byte", Doc: "Reads the next byte of a binary stream, -1 at its end."},
	{Name: "peek_byte", Arity: 1, Func: fromCurrent(peekByte), Modes: "?in_byte", Doc: "Shows the next byte of the current input without reading it."},
	{Name: "peek_byte", Arity: 2, Func: from(peekByte), Modes: "+stream, ?in_byte", Doc: "Shows the next byte of a binary stream without reading it."},
	{Name: "get_single_char", Arity: 1, Func: fromCurrent(getCode), Modes: "-code", Doc: "Reads the next character code of the current input."},
	{Name: "skip", Arity: 1, Func: fromCurrent(skipTo), Modes: "+character", Doc: "Reads the current input up to and including a character."},
	{Name: "skip", Arity: 2, Func: from(skipTo), Modes: "+stream, +character", Doc: "Reads a stream up to and including a character."},
	{Name: "put_char", Arity: 1, Func: toCurrent(putChar), Modes: "+character", Doc: "Writes a character to the current output."},
	{Name: "put_char", Arity: 2, Func: to(putChar), Modes: "+stream, +character", Doc: "Writes a character to a stream."},
	{Name: "put_code", Arity: 1, Func: toCurrent(putCode), Modes: "+character_code", Doc: "Writes the character of a code to the current output."},
	{Name: "put_code", Arity: 2, Func: to(putCode), Modes: "+stream, +character_code", Doc: "Writes the character of a code to a stream."},
	{Name: "put_byte", Arity: 1, Func: toCurrent(putByte), Modes: "+byte", Doc: "Writes a byte to the current output."},
	{Name: "put_byte", Arity: 2, Func: to(putByte), Modes: "+stream, +byte", Doc: "Writes a byte to a binary stream."},
	{Name: "nl", Arity: 0, Func: toCurrent(nl), Doc: "Ends the line of the current output."},
	{Name: "nl", Arity: 1, Func: to(nl), Modes: "+stream", Doc: "Ends the line of a stream."},
	{Name: "tab", Arity: 1, Func: toCurrent(tab), Modes: "+expression", Doc: "Writes a number of spaces to the current output."},
	{Name: "tab", Arity: 2, Func: to(tab), Modes: "+stream, +expression", Doc: "Writes a number of spaces to a stream."},
}

// endOfInput stands for the end of a stream where a character or byte is expected.
const endOfInput rune = -1

// beforeRead applies the stream's eof_action when its end has been read already.
func (s *stream) beforeRead(m *machine.Machine) error {
	if !s.past {
		return nil
	}
	switch s.eof {
	case eofError:
		return m.PermissionError("input", "past_end_of_stream", s.culprit(m))
	case eofReset:
		s.past = false
		s.in.ClearEOF()
	}
	return nil
}

// afterRead turns what an Input has returned into a character or endOfInput.
func (s *stream) afterRead(m *machine.Machine, r rune, err error, peeked bool) (rune, error) {
	switch {
	case err == nil:
		return r, nil
	case err == io.EOF:
		s.past = s.past || !peeked
		return endOfInput, nil
	}
	return 0, ioError(m, "read", s, err)
}

// readRune reads a character.
func (s *stream) readRune(m *machine.Machine) (rune, error) {
	if err := s.beforeRead(m); err != nil {
		return 0, err
	}
	r, _, err := s.in.ReadRune()
	return s.afterRead(m, r, err, false)
}

// peekRune returns the next character without reading it.
func (s *stream) peekRune(m *machine.Machine) (rune, error) {
	if err := s.beforeRead(m); err != nil {
		return 0, err
	}
	r, err := s.in.PeekRune()
	return s.afterRead(m, r, err, true)
}

// textRune reads or peeks a character of a text stream.
func (s *stream) textRune(m *machine.Machine, peek bool) (rune, error) {
	if err := s.needText(m, "input"); err != nil {
		return 0, err
	}
	if peek {
		return s.peekRune(m)
	}
	return s.readRune(m)
}

func getChar(m *machine.Machine, s *stream, a []cell) (bool, error)  { return charIn(m, s, a[0], false) }
func peekChar(m *machine.Machine, s *stream, a []cell) (bool, error) { return charIn(m, s, a[0], true) }

func charIn(m *machine.Machine, s *stream, c cell, peek bool) (bool, error) {
	if d := m.Deref(c); !machine.IsVar(d) && d != code.AEOF && !isCharacter(d) {
		return false, m.TypeError("in_character", d)
	}
	r, err := s.textRune(m, peek)
	if err != nil {
		return false, err
	}
	if r == endOfInput {
		return m.Unify(c, code.AEOF), nil
	}
	return m.Unify(c, m.NewAtom(string(r))), nil
}

// isCharacter reports whether a dereferenced cell is an atom of one character.
func isCharacter(c cell) bool {
	return c.Tag() == code.Atom && utf8.RuneCountInString(machine.AtomText(c)) == 1
}

func getCode(m *machine.Machine, s *stream, a []cell) (bool, error)  { return codeIn(m, s, a[0], false) }
func peekCode(m *machine.Machine, s *stream, a []cell) (bool, error) { return codeIn(m, s, a[0], true) }

func codeIn(m *machine.Machine, s *stream, c cell, peek bool) (bool, error) {
	switch d := m.Deref(c); {
	case machine.IsVar(d):
	case !m.IsInteger(d):
		return false, m.TypeError("integer", d)
	case d.Tag() != code.Int || d.Int() < -1 || d.Int() > utf8.MaxRune:
		return false, m.RepresentationError("in_character_code")
	}
	r, err := s.textRune(m, peek)
	if err != nil {
		return false, err
	}
	return m.Unify(c, code.MakeInt(int64(r))), nil
}

func getByte(m *machine.Machine, s *stream, a []cell) (bool, error) {
	return byteIn(m, s, a[0], false)
}

func peekByte(m *machine.Machine, s *stream, a []cell) (bool, error) {
	return byteIn(m, s, a[0], true)
}

func byteIn(m *machine.Machine, s *stream, c cell, peek bool) (bool, error) {
	if d := m.Deref(c); !machine.IsVar(d) && (d.Tag() != code.Int || d.Int() < -1 || d.Int() > 255) {
		return false, m.TypeError("in_byte", d)
	}
	if err := s.needBinary(m, "input"); err != nil {
		return false, err
	}
	if err := s.beforeRead(m); err != nil {
		return false, err
	}
	read := s.in.ReadByte
	if peek {
		read = s.in.PeekByte
	}
	b, err := read()
	r, err := s.afterRead(m, rune(b), err, peek)
	if err != nil {
		return false, err
	}
	return m.Unify(c, code.MakeInt(int64(r))), nil
}

func skipTo(m *machine.Machine, s *stream, a []cell) (bool, error) {
	want, err := characterArg(m, a[0])
	if err != nil {
		return false, err
	}
	for {
		if err := m.Charge(1); err != nil {
			return false, err
		}
		r, err := s.textRune(m, false)
		if err != nil || r == want || r == endOfInput {
			return err == nil, err
		}
	}
}

// characterArg returns an argument that must be a character or a character code.
func characterArg(m *machine.Machine, c cell) (rune, error) {
	c = m.Deref(c)
	switch {
	case isCharacter(c):
		r, _ := utf8.DecodeRuneInString(machine.AtomText(c))
		return r, nil
	case m.IsInteger(c):
		return codeArg(m, c)
	}
	return 0, m.TypeError("character", c)
}

// codeArg returns an argument that must be a character code.
func codeArg(m *machine.Machine, c cell) (rune, error) {
	c = m.Deref(c)
	if !m.IsInteger(c) {
		return 0, m.TypeError("integer", c)
	}
	if c.Tag() != code.Int || c.Int() < 0 || c.Int() > utf8.MaxRune {
		return 0, m.RepresentationError("character_code")
	}
	return rune(c.Int()), nil
}

func putChar(m *machine.Machine, s *stream, a []cell) (bool, error) {
	r, err := characterArg(m, a[0])
	if err != nil {
		return false, err
	}
	return putText(m, s, string(r))
}

func putCode(m *machine.Machine, s *stream, a []cell) (bool, error) {
	r, err := codeArg(m, a[0])
	if err != nil {
		return false, err
	}
	return putText(m, s, string(r))
}

// putText writes text to a text stream.
func putText(m *machine.Machine, s *stream, text string) (bool, error) {
	if err := s.needText(m, "output"); err != nil {
		return false, err
	}
	err := s.write(m, text)
	return err == nil, err
}

func putByte(m *machine.Machine, s *stream, a []cell) (bool, error) {
	c := m.Deref(a[0])
	if machine.IsVar(c) || c.Tag() != code.Int || c.Int() < 0 || c.Int() > 255 {
		return false, m.TypeError("byte", c)
	}
	if err := s.needBinary(m, "output"); err != nil {
		return false, err
	}
	if err := s.out.putByte(byte(c.Int())); err != nil {
		return false, ioError(m, "write", s, err)
	}
	return true, nil
}

func nl(m *machine.Machine, s *stream, _ []cell) (bool, error) { return putText(m, s, "\n") }

func tab(m *machine.Machine, s *stream, a []cell) (bool, error) {
	n, err := integerExpression(m, a[0])
	if err != nil {
		return false, err
	}
	for ; n > 0; n -= len(spaces) {
		if ok, err := putText(m, s, spaces[:min(n, len(spaces))]); !ok {
			return false, err
		}
	}
	return true, nil
}

// integerExpression returns the value of an expression that must be an integer.
func integerExpression(m *machine.Machine, c cell) (int, error) {
	v, err := arith.Eval(m, c)
	if err != nil {
		return 0, err
	}
	if v = m.Deref(v); !m.IsInteger(v) {
		return 0, m.TypeError("integer_expression", v)
	}
	return m.IntArg(v)
}

const spaceCount = 256

var spaces = strings.Repeat(" ", spaceCount)
