package builtin

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the selection, closing and positioning of streams (ISO 13211-1, 8.11).

var streamTable = []machine.Builtin{
	{Name: "current_input", Arity: 1, Func: currentInput, Modes: "?stream", Doc: "Stream is the current input."},
	{Name: "current_output", Arity: 1, Func: currentOutput, Modes: "?stream", Doc: "Stream is the current output."},
	{Name: "set_input", Arity: 1, Func: from(setInput), Modes: "+stream", Doc: "Makes a stream the current input."},
	{Name: "set_output", Arity: 1, Func: to(setOutput), Modes: "+stream", Doc: "Makes a stream the current output."},
	{Name: "open", Arity: 3, Func: openStream, Modes: "+source_sink, +io_mode, -stream", Doc: "Opens a file."},
	{Name: "open", Arity: 4, Func: openStream, Modes: "+source_sink, +io_mode, -stream, +options", Doc: "Opens a file with options."},
	{Name: "close", Arity: 1, Func: closeStream, Modes: "+stream", Doc: "Closes a stream."},
	{Name: "close", Arity: 2, Func: closeStream, Modes: "+stream, +options", Doc: "Closes a stream; force(true) disregards errors."},
	{Name: "flush_output", Arity: 0, Func: toCurrent(flushOutput), Doc: "Hands over what was written to the current output."},
	{Name: "flush_output", Arity: 1, Func: to(flushOutput), Modes: "+stream", Doc: "Hands over what was written to a stream."},
	{Name: "ttyflush", Arity: 0, Func: ttyFlush, Doc: "Hands over what was written to user_output."},
	{Name: "is_stream", Arity: 1, Func: isStream, Modes: "@term", Doc: "True of the terms that stand for open streams."},
	{Name: "at_end_of_stream", Arity: 0, Func: fromCurrent(atEnd), Doc: "True when the current input has no more to read."},
	{Name: "at_end_of_stream", Arity: 1, Func: from(atEnd), Modes: "+stream", Doc: "True when a stream has no more to read."},
	{Name: "set_stream_position", Arity: 2, Func: on(setPosition), Modes: "+stream, +stream_position", Doc: "Goes back to a position that stream_property/2 has given."},
	{Name: "seek", Arity: 4, Func: on(seek), Modes: "+stream, +offset, +method, -location", Doc: "Goes to a place in a stream, counted in bytes from bof, current or eof."},
	{Name: "character_count", Arity: 2, Func: on(characterCount), Modes: "+stream, -count", Doc: "Count is the number of characters read or written."},
	{Name: "line_count", Arity: 2, Func: on(lineCount), Modes: "+stream, -count", Doc: "Count is the number of the current line, from 1."},
	{Name: "line_position", Arity: 2, Func: on(linePosition), Modes: "+stream, -count", Doc: "Count is the number of characters in the current line."},
	{Name: "byte_count", Arity: 2, Func: on(byteCount), Modes: "+stream, -count", Doc: "Count is the number of bytes read or written."},
	{Name: "prompt", Arity: 2, Func: prompt, Modes: "-atom, +atom", Doc: "Changes the text shown before a terminal is read."},
	{Name: "$push_output", Arity: 0, Func: pushOutput, Doc: "Makes a new text in memory the current output."},
	{Name: "$output_text", Arity: 1, Func: outputText, Modes: "-string", Doc: "String is what the text in memory holds so far."},
	{Name: "$pop_output", Arity: 0, Func: popOutput, Doc: "Ends the text in memory and makes the output before it current again."},
}

func currentInput(m *machine.Machine, a []cell) (bool, error) {
	return currentStream(m, a[0], ioOf(m).in)
}

func currentOutput(m *machine.Machine, a []cell) (bool, error) {
	return currentStream(m, a[0], ioOf(m).out)
}

func currentStream(m *machine.Machine, c cell, s *stream) (bool, error) {
	d := m.Deref(c)
	if !machine.IsVar(d) && !isStreamTerm(m, d) {
		return false, m.DomainError("stream", d)
	}
	return m.Unify(d, streamTerm(m, s)), nil
}

func setInput(m *machine.Machine, s *stream, _ []cell) (bool, error) {
	ioOf(m).in = s
	return true, nil
}

func setOutput(m *machine.Machine, s *stream, _ []cell) (bool, error) {
	ioOf(m).out = s
	return true, nil
}

func closeStream(m *machine.Machine, a []cell) (bool, error) {
	force := false
	if len(a) == 2 {
		var err error
		if force, err = closeOptions(m, a[1]); err != nil {
			return false, err
		}
	}
	s, err := findStream(m, a[0])
	if err != nil {
		return false, err
	}
	x := ioOf(m)
	switch s {
	case x.userIn:
		return true, nil
	case x.userOut, x.userErr:
		return flushOutput(m, s, nil)
	}
	for _, c := range x.captures {
		if c.to == s {
			return false, m.PermissionError("close", "stream", m.Deref(a[0]))
		}
	}
	culprit := s.culprit(m)
	x.remove(s)
	_ = m.HoldBytes(-s.held)
	if err := s.close(); err != nil && !force {
		return false, m.ErrorMessage(m.NewStruct("io_error", m.NewAtom("close"), culprit), err.Error())
	}
	return true, nil
}

// closeOptions returns the value of the option force.
func closeOptions(m *machine.Machine, list cell) (force bool, err error) {
	err = eachOption(m, list, "close_option", func(o option) (bool, error) {
		if o.name != "force" {
			return false, nil
		}
		force, err = o.boolean(m)
		return true, err
	})
	return force, err
}

func flushOutput(m *machine.Machine, s *stream, _ []cell) (bool, error) {
	if err := s.out.flush(); err != nil {
		return false, ioError(m, "write", s, err)
	}
	return true, nil
}

func ttyFlush(m *machine.Machine, _ []cell) (bool, error) {
	return flushOutput(m, ioOf(m).userOut, nil)
}

func isStream(m *machine.Machine, a []cell) (bool, error) {
	c := m.Deref(a[0])
	x := ioOf(m)
	if c.Tag() == code.Atom {
		return x.alias[machine.AtomText(c)] != nil, nil
	}
	return isStreamTerm(m, c) && x.streams[int(m.Deref(m.Arg(c, 0)).Int())] != nil, nil
}

func atEnd(m *machine.Machine, s *stream, _ []cell) (bool, error) {
	if s.past {
		return s.eof != eofReset, nil
	}
	var err error
	if s.binary {
		_, err = s.in.PeekByte()
	} else {
		_, err = s.in.PeekRune()
	}
	r, err := s.afterRead(m, 0, err, true)
	return r == endOfInput, err
}

// place is a position in a stream: characters, line, column and bytes before it.
type place struct{ chars, line, column, bytes int }

// place returns where a stream is.
func (s *stream) place() place {
	if s.in != nil {
		return place{s.in.Offset(), s.in.Line(), s.in.Column() - 1, s.in.Bytes()}
	}
	return place{s.out.chars, s.out.lines + 1, s.out.column, s.out.bytes}
}

// term returns the position as SWI-Prolog's term of it.
func (p place) term() term.Term {
	return term.New("$stream_position",
		term.Int(p.chars), term.Int(p.line), term.Int(p.column), term.Int(p.bytes))
}

func setPosition(m *machine.Machine, s *stream, a []cell) (bool, error) {
	c := m.Deref(a[0])
	if machine.IsVar(c) {
		return false, m.InstantiationError()
	}
	args, ok := term.Is(m.Export(c), "$stream_position", 4)
	if !ok {
		return false, m.DomainError("stream_position", c)
	}
	var n [4]int
	for i, arg := range args {
		v, isInt := arg.(term.Int)
		if !isInt || v < 0 {
			return false, m.DomainError("stream_position", c)
		}
		n[i] = int(v)
	}
	if !s.reposition {
		return false, m.PermissionError("reposition", "stream", s.culprit(m))
	}
	return true, s.goTo(m, n[0])
}

// goTo moves an input stream to a character, by reading up to it from the beginning: so line
// and column are right again.
func (s *stream) goTo(m *machine.Machine, chars int) error {
	if err := s.rewind(0); err != nil {
		return ioError(m, "seek", s, err)
	}
	for s.in.Offset() < chars {
		if err := m.Charge(1); err != nil {
			return err
		}
		var err error
		if s.binary {
			_, err = s.in.ReadByte()
		} else {
			_, _, err = s.in.ReadRune()
		}
		if err != nil {
			break
		}
	}
	return nil
}

// rewind starts the stream anew at a byte of its source.
func (s *stream) rewind(at int64) error {
	if _, err := s.seeker.Seek(at, 0); err != nil {
		return err
	}
	s.in = syntax.NewInput(s.in.Name(), s.source)
	s.parser, s.past = nil, false
	return nil
}

func seek(m *machine.Machine, s *stream, a []cell) (bool, error) {
	offset, err := m.IntArg(a[0])
	if err != nil {
		return false, err
	}
	method, err := m.AtomArg(a[1])
	if err != nil {
		return false, err
	}
	if !s.reposition {
		return false, m.PermissionError("reposition", "stream", s.culprit(m))
	}
	switch method {
	case "bof":
	case "current":
		offset += s.in.Bytes()
	case "eof":
		size, err := s.seeker.Seek(0, 2)
		if err != nil {
			return false, ioError(m, "seek", s, err)
		}
		offset += int(size)
	default:
		return false, m.DomainError("seek_method", a[1])
	}
	if err := s.rewind(int64(offset)); err != nil {
		return false, ioError(m, "seek", s, err)
	}
	return m.Unify(a[2], m.NewInt(int64(offset))), nil
}

func characterCount(m *machine.Machine, s *stream, a []cell) (bool, error) {
	return m.Unify(a[0], m.NewInt(int64(s.place().chars))), nil
}

func lineCount(m *machine.Machine, s *stream, a []cell) (bool, error) {
	return m.Unify(a[0], m.NewInt(int64(s.place().line))), nil
}

func linePosition(m *machine.Machine, s *stream, a []cell) (bool, error) {
	return m.Unify(a[0], m.NewInt(int64(s.place().column))), nil
}

func byteCount(m *machine.Machine, s *stream, a []cell) (bool, error) {
	return m.Unify(a[0], m.NewInt(int64(s.place().bytes))), nil
}

func prompt(m *machine.Machine, a []cell) (bool, error) {
	x := ioOf(m)
	if !m.Unify(a[0], m.NewAtom(x.prompt)) {
		return false, nil
	}
	text, ok := m.TextOf(a[1])
	if !ok {
		return false, m.TypeError("atom", a[1])
	}
	x.prompt = text
	return true, nil
}

func pushOutput(m *machine.Machine, _ []cell) (bool, error) {
	ioOf(m).pushCapture()
	return true, nil
}

func outputText(m *machine.Machine, a []cell) (bool, error) {
	x := ioOf(m)
	text := ""
	if n := len(x.captures); n > 0 {
		text = string(x.captures[n-1].to.out.buf)
	}
	return m.Unify(a[0], m.NewString(text)), nil
}

func popOutput(m *machine.Machine, _ []cell) (bool, error) {
	x := ioOf(m)
	if n := len(x.captures); n > 0 {
		held := x.captures[n-1].to.out.held
		x.popCapture()
		return true, m.HoldBytes(-held)
	}
	return true, nil
}
