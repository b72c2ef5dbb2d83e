package builtin

import (
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/texts"
)

// This file defines the input and output of single characters, codes and bytes (ISO 13211-1, 8.12 and 8.13).
//
// Each predicate with a stream has a table entry without one that uses the current stream. The argument is checked
// before the stream is read, so that an error loses no input.

var characterTable = []machine.Builtin{
	{Name: "get_char", Arity: 1, Func: stream.FromCurrent(getChar), Modes: "?in_character",
		Doc: "Reads the next character of the current input."},
	{Name: "get_char", Arity: 2, Func: stream.From(getChar), Modes: "+stream, ?in_character",
		Doc: "Reads the next character of a stream, end_of_file at its end."},
	{Name: "peek_char", Arity: 1, Func: stream.FromCurrent(peekChar), Modes: "?in_character",
		Doc: "Shows the next character of the current input without reading it."},
	{Name: "peek_char", Arity: 2, Func: stream.From(peekChar), Modes: "+stream, ?in_character",
		Doc: "Shows the next character of a stream without reading it."},
	{Name: "get_code", Arity: 1, Func: stream.FromCurrent(getCode), Modes: "?in_character_code",
		Doc: "Reads the next character code of the current input."},
	{Name: "get_code", Arity: 2, Func: stream.From(getCode), Modes: "+stream, ?in_character_code",
		Doc: "Reads the next character code of a stream, -1 at its end."},
	{Name: "peek_code", Arity: 1, Func: stream.FromCurrent(peekCode), Modes: "?in_character_code",
		Doc: "Shows the next character code of the current input without reading it."},
	{Name: "peek_code", Arity: 2, Func: stream.From(peekCode), Modes: "+stream, ?in_character_code",
		Doc: "Shows the next character code of a stream without reading it."},
	{Name: "get_byte", Arity: 1, Func: stream.FromCurrent(getByte), Modes: "?in_byte",
		Doc: "Reads the next byte of the current input."},
	{Name: "get_byte", Arity: 2, Func: stream.From(getByte), Modes: "+stream, ?in_byte",
		Doc: "Reads the next byte of a binary stream, -1 at its end."},
	{Name: "peek_byte", Arity: 1, Func: stream.FromCurrent(peekByte), Modes: "?in_byte",
		Doc: "Shows the next byte of the current input without reading it."},
	{Name: "peek_byte", Arity: 2, Func: stream.From(peekByte), Modes: "+stream, ?in_byte",
		Doc: "Shows the next byte of a binary stream without reading it."},
	{Name: "get_single_char", Arity: 1, Func: stream.FromCurrent(getCode), Modes: "-code",
		Doc: "Reads the next character code of the current input."},
	{Name: "skip", Arity: 1, Func: stream.FromCurrent(skipTo), Modes: "+character",
		Doc: "Reads the current input up to and including a character."},
	{Name: "skip", Arity: 2, Func: stream.From(skipTo), Modes: "+stream, +character",
		Doc: "Reads a stream up to and including a character."},
	{Name: "put_char", Arity: 1, Func: stream.ToCurrent(putChar), Modes: "+character",
		Doc: "Writes a character to the current output."},
	{Name: "put_char", Arity: 2, Func: stream.To(putChar), Modes: "+stream, +character",
		Doc: "Writes a character to a stream."},
	{Name: "put_code", Arity: 1, Func: stream.ToCurrent(putCode), Modes: "+character_code",
		Doc: "Writes the character of a code to the current output."},
	{Name: "put_code", Arity: 2, Func: stream.To(putCode), Modes: "+stream, +character_code",
		Doc: "Writes the character of a code to a stream."},
	{Name: "put_byte", Arity: 1, Func: stream.ToCurrent(putByte), Modes: "+byte",
		Doc: "Writes a byte to the current output."},
	{Name: "put_byte", Arity: 2, Func: stream.To(putByte), Modes: "+stream, +byte",
		Doc: "Writes a byte to a binary stream."},
	{Name: "nl", Arity: 0, Func: stream.ToCurrent(nl), Doc: "Ends the line of the current output."},
	{Name: "nl", Arity: 1, Func: stream.To(nl), Modes: "+stream", Doc: "Ends the line of a stream."},
	{Name: "tab", Arity: 1, Func: stream.ToCurrent(tab), Modes: "+expression",
		Doc: "Writes a number of spaces to the current output."},
	{Name: "tab", Arity: 2, Func: stream.To(tab), Modes: "+stream, +expression",
		Doc: "Writes a number of spaces to a stream."},
}

// get_char/1,2, get_code/1,2, get_byte/1,2 and get_single_char/1 read, the others peek (ISO 13211-1, 8.12.1, 8.12.2,
// 8.13.1 and 8.13.2).
var (
	getChar, peekChar = reading(charIn, false), reading(charIn, true)
	getCode, peekCode = reading(codeIn, false), reading(codeIn, true)
	getByte, peekByte = reading(byteIn, false), reading(byteIn, true)
)

// reading makes a predicate of a function that reads or peeks.
func reading(f func(m *machine.Machine, s *stream.Stream, c cell, peek bool) (bool, error), peek bool) stream.Func {
	return func(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) { return f(m, s, a[0], peek) }
}

// charIn reads or peeks a character and unifies it with c, which must be a character, end_of_file or unbound. The
// errors come in this order: the type of c, a binary stream, a read past the end of a stream whose eof_action is error.
func charIn(m *machine.Machine, s *stream.Stream, c cell, peek bool) (bool, error) {
	if d := m.Deref(c); !stacks.IsVar(d) && d != code.AEOF && !isCharacter(d) {
		return false, m.TypeError("in_character", d)
	}
	r, err := s.TextChar(m, peek)
	if err != nil {
		return false, err
	}
	if r == stream.EndOfInput {
		return m.Unify(c, code.AEOF), nil
	}
	return m.Unify(c, m.NewAtom(string(r))), nil
}

// isCharacter reports whether a dereferenced cell is a one-character atom.
func isCharacter(c cell) bool {
	_, ok := stacks.OneChar(c)
	return ok
}

// codeIn reads or peeks a character code and unifies it with c: an integer from -1, or unbound. A term that is no
// integer is a type error, an integer that is no code is a representation error. Both errors come before those of the
// stream.
func codeIn(m *machine.Machine, s *stream.Stream, c cell, peek bool) (bool, error) {
	switch d := m.Deref(c); {
	case stacks.IsVar(d):
	case !m.IsInteger(d):
		return false, m.TypeError("integer", d)
	case d.Tag() != code.Int || d.Int() < -1 || d.Int() > utf8.MaxRune:
		return false, m.RepresentationError("in_character_code")
	}
	r, err := s.TextChar(m, peek)
	if err != nil {
		return false, err
	}
	return m.Unify(c, code.MakeInt(int64(r))), nil
}

// byteIn reads or peeks a byte and unifies it with c: an integer from -1 to 255, or unbound. The errors come in this
// order: the type of c, a text stream, a read past the end of the input.
func byteIn(m *machine.Machine, s *stream.Stream, c cell, peek bool) (bool, error) {
	if d := m.Deref(c); !stacks.IsVar(d) && (d.Tag() != code.Int || d.Int() < -1 || d.Int() > 255) {
		return false, m.TypeError("in_byte", d)
	}
	if err := s.NeedBinary(m, "input"); err != nil && !s.Octets {
		return false, err
	}
	if err := s.BeforeRead(m); err != nil {
		return false, err
	}
	b, err := nextByte(s, peek)
	r, err := s.AfterRead(m, b, err, peek)
	if err != nil {
		return false, err
	}
	return m.Unify(c, code.MakeInt(int64(r))), nil
}

// nextByte reads or peeks a byte.
func nextByte(s *stream.Stream, peek bool) (rune, error) {
	switch isChar := s.Octets && !s.Binary; {
	case isChar && peek:
		return s.In.PeekRune()
	case isChar:
		r, _, err := s.In.ReadRune()
		return r, err
	case peek:
		b, err := s.In.PeekByte()
		return rune(b), err
	}
	b, err := s.In.ReadByte()
	return rune(b), err
}

// skipTo is skip/1,2 of Edinburgh Prolog. It charges each character, since the input may have no end. At the end of the
// input it succeeds. The character may be given as a code.
func skipTo(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	want, err := characterArg(m, a[0])
	if err != nil {
		return false, err
	}
	for {
		if err := m.Charge(1); err != nil {
			return false, err
		}
		r, err := s.TextChar(m, false)
		if err != nil || r == want || r == stream.EndOfInput {
			return err == nil, err
		}
	}
}

// characterArg returns an argument that must be a character or a character code. put_char/1 accepts codes and strings
// of one character, as in SWI-Prolog. An unbound argument is an instantiation error, because TypeError makes it one.
func characterArg(m *machine.Machine, c cell) (rune, error) {
	c = m.Deref(c)
	if r, ok := texts.OneChar(m, c); ok {
		return r, nil
	}
	if m.IsInteger(c) {
		return codeArg(m, c)
	}
	return 0, m.TypeError("character", c)
}

// codeArg returns an argument that must be a character code. An integer that is no code is a representation error
// (8.12.3.3).
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

// put_char/1,2 and put_code/1,2 (ISO 13211-1, 8.12.3).
var putChar, putCode = writing(characterArg), writing(codeArg)

// writing makes a predicate that writes the character given by an argument.
func writing(arg func(m *machine.Machine, c cell) (rune, error)) stream.Func {
	return func(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
		r, err := arg(m, a[0])
		if err != nil {
			return false, err
		}
		return s.PutText(m, string(r))
	}
}

// putByte is put_byte/1,2 (ISO 13211-1, 8.13.3). The byte is checked before the type of the stream.
func putByte(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	c := m.Deref(a[0])
	if stacks.IsVar(c) || c.Tag() != code.Int || c.Int() < 0 || c.Int() > 255 {
		return false, m.TypeError("byte", c)
	}
	if err := s.NeedBinary(m, "output"); err != nil {
		return false, err
	}
	if err := s.Out.PutByte(byte(c.Int())); err != nil {
		return false, stream.IOError(m, "write", s, err)
	}
	return true, nil
}

// nl is nl/0,1 (ISO 13211-1, 8.12.3).
func nl(m *machine.Machine, s *stream.Stream, _ []cell) (bool, error) { return s.PutText(m, "\n") }

// tab is tab/1,2. It writes in chunks, so a limit ends the writing of a huge number of spaces early.
func tab(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	n, err := integerExpression(m, a[0])
	if err != nil {
		return false, err
	}
	// A negative number writes nothing, as in SWI-Prolog. The stream charges for the output.
	for ; n > 0; n -= len(spaces) {
		if ok, err := s.PutText(m, spaces[:min(n, len(spaces))]); !ok {
			return false, err
		}
	}
	return true, nil
}

// integerExpression returns the value of an expression that must be an integer, for tab/1, which evaluates its
// argument. A float is the type error integer_expression of SWI-Prolog, even if it is whole.
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

// spaceCount is how many spaces tab/1 writes at a time.
const spaceCount = 256

// spaces is a text of spaceCount spaces.
var spaces = strings.Repeat(" ", spaceCount)
