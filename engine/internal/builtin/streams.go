package builtin

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the selection and positioning of streams (ISO 13211-1, 8.11).
//
// Functions of the form stream.To, stream.From and stream.On get the stream that the first argument names, after the
// checks of the standard: that it exists, is open in that direction and is of the right type.

var streamTable = []machine.Builtin{
	{Name: "current_input", Arity: 1, Func: currentInput, Modes: "?stream", Doc: "Stream is the current input."},
	{Name: "current_output", Arity: 1, Func: currentOutput, Modes: "?stream", Doc: "Stream is the current output."},
	{Name: "set_input", Arity: 1, Func: setInput, Modes: "+stream", Doc: "Makes a stream the current input."},
	{Name: "set_output", Arity: 1, Func: stream.To(setOutput), Modes: "+stream",
		Doc: "Makes a stream the current output."},
	{Name: "is_stream", Arity: 1, Func: isStream, Modes: "@term", Doc: "The term denotes an open stream."},
	{Name: "at_end_of_stream", Arity: 0, Func: stream.FromCurrent(atEnd),
		Doc: "True if nothing is left to read from the current input."},
	{Name: "at_end_of_stream", Arity: 1, Func: stream.From(atEnd), Modes: "+stream",
		Doc: "True if nothing is left to read from a stream."},
	{Name: "set_stream_position", Arity: 2, Func: stream.On(setPosition), Modes: "+stream, +stream_position",
		Doc: "Returns to a position that stream_property/2 has given."},
	{Name: "seek", Arity: 4, Func: stream.On(seek), Modes: "+stream, +offset, +method, -location",
		Doc: "Goes to a place in a stream, counted in bytes from bof, current or eof."},
	{Name: "character_count", Arity: 2, Modes: "+stream, -count",
		Func: counting(func(p stream.Place) int { return p.Chars }),
		Doc:  "Count is the number of characters read or written."},
	{Name: "line_count", Arity: 2, Modes: "+stream, -count",
		Func: counting(func(p stream.Place) int { return p.Line }),
		Doc:  "Count is the number of the current line, from 1."},
	{Name: "line_position", Arity: 2, Modes: "+stream, -count",
		Func: counting(func(p stream.Place) int { return p.Column }),
		Doc:  "Count is the number of characters in the current line."},
	{Name: "byte_count", Arity: 2, Modes: "+stream, -count",
		Func: counting(func(p stream.Place) int { return p.Bytes }),
		Doc:  "Count is the number of bytes read or written."},
	{Name: "prompt", Arity: 2, Func: prompt, Modes: "-atom, +atom",
		Doc: "Changes the text shown before a terminal is read."},
	{Name: "stream_pair", Arity: 3, Func: streamPair, Modes: "?pair, ?input, ?output",
		Doc: "Pair is a stream that reads from input and writes to output; closing it closes both."},
	{Name: "$push_output", Arity: 1, Func: pushOutput, Modes: "+most", Nondet: true,
		Doc: "Makes a new text in memory the current output, until the clause is cut, fails or throws. A longer one than " +
			"most bytes is cut, and $full thrown; 0: any."},
	{Name: "$output_text", Arity: 1, Func: outputText, Modes: "-string",
		Doc: "String is what the text in memory holds so far."},
	{Name: "$pop_output", Arity: 0, Func: popOutput, Doc: "Ends the text in memory and makes the output before it " +
		"current again."},
	{Name: "$is_sink", Arity: 1, Func: partOf("with_output_to", 2, isSink), Modes: "+sink",
		Doc: "The term is a sink of text. Throws unless it is that, a stream or an alias."},
	{Name: "$sink_text", Arity: 2, Func: sinkText, Modes: "+sink, +text", Doc: "The sink takes the text."},
}

// currentInput is current_input/1 (ISO 13211-1, 8.11.1).
func currentInput(m *machine.Machine, a []cell) (bool, error) {
	return currentStream(m, a[0], ioOf(m).In)
}

// currentOutput is current_output/1 (ISO 13211-1, 8.11.2).
func currentOutput(m *machine.Machine, a []cell) (bool, error) {
	return currentStream(m, a[0], ioOf(m).Out)
}

// currentStream unifies an argument with the term of a stream. An alias is no stream term, so it is a domain error
// (8.11.1.3).
func currentStream(m *machine.Machine, c cell, s *stream.Stream) (bool, error) {
	d := m.Deref(c)
	if !stacks.IsVar(d) {
		if !stream.IsTerm(m, d) {
			return false, m.DomainError("stream", d)
		}
		if _, err := stream.Find(m, d); err != nil {
			return false, err
		}
	}
	return m.Unify(d, stream.Term(m, s)), nil
}

// setInput is set_input/1 (ISO 13211-1, 8.11.3).
func setInput(m *machine.Machine, a []cell) (bool, error) {
	s, err := stream.FindInput(m, a[0])
	if err == nil {
		ioOf(m).In = s
	}
	return err == nil, err
}

// setOutput is set_output/1 (ISO 13211-1, 8.11.4).
func setOutput(m *machine.Machine, s *stream.Stream, _ []cell) (bool, error) {
	ioOf(m).Out = s
	return true, nil
}

// streamPair is stream_pair/3. A stream that is no pair is its own input or output. The side of a part that has been
// closed stays unbound.
func streamPair(m *machine.Machine, a []cell) (bool, error) {
	x := ioOf(m)
	if !stacks.IsVar(m.Deref(a[0])) {
		s, err := stream.Find(m, a[0])
		if err != nil {
			return false, err
		}
		parts := []*stream.Stream{s}
		if s.Pair != nil {
			parts = s.Pair
		}
		for _, part := range parts {
			side := a[2]
			if part.In != nil {
				side = a[1]
			}
			if slices.Contains(x.Order, part) && !m.Unify(side, part.Culprit(m)) {
				return false, nil
			}
		}
		return true, nil
	}
	in, err := stream.FindInput(m, a[1])
	if err != nil {
		return false, err
	}
	out, err := stream.FindOutput(m, a[2])
	if err == nil {
		err = x.NeedRoom(m)
	}
	if err != nil {
		return false, err
	}
	pair := x.Add(&stream.Stream{Mode: out.Mode, EOFAction: in.EOFAction, Binary: in.Binary, In: in.In, Source: in.Source,
		Out: out.Out, Pair: []*stream.Stream{in, out}})
	return m.Unify(a[0], stream.Term(m, pair)), nil
}

// isStream is is_stream/1. It throws for no argument, and fails for a closed stream.
func isStream(m *machine.Machine, a []cell) (bool, error) {
	c := m.Deref(a[0])
	x := ioOf(m)
	if c.Tag() == code.Atom {
		return x.Alias[stacks.AtomText(c)] != nil, nil
	}
	return stream.IsTerm(m, c) && x.WithTerm(m, c) != nil, nil
}

// atEnd is at_end_of_stream/0,1 (ISO 13211-1, 8.11.8). It waits for input when none has been read ahead, as get_char/1
// would. A stream whose end has been read is at its end, unless its eof_action is reset.
func atEnd(m *machine.Machine, s *stream.Stream, _ []cell) (bool, error) {
	if s.Past {
		return s.EOFAction != stream.EOFReset, nil
	}
	var err error
	if s.Binary {
		_, err = s.In.PeekByte()
	} else {
		_, err = s.In.PeekRune()
	}
	r, err := s.AfterRead(m, 0, err, true)
	return r == stream.EndOfInput, err
}

// positionTerm returns a position as SWI-Prolog's term of it.
func positionTerm(p stream.Place) term.Term {
	return term.New("$stream_position",
		term.Int(p.Chars), term.Int(p.Line), term.Int(p.Column), term.Int(p.Bytes))
}

// setPosition is set_stream_position/2 (ISO 13211-1, 8.11.9). It checks the fields, since a program may have made the
// term itself. It uses only the number of characters; reading up to it finds line and column. It checks the position
// before the stream.
func setPosition(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	c := m.Deref(a[0])
	if stacks.IsVar(c) {
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
	if !s.Reposition {
		return false, m.PermissionError("reposition", "stream", s.Culprit(m))
	}
	return true, s.GoTo(m, n[0])
}

// seek is seek/4 of SWI-Prolog. It goes to a byte. Line and column restart there. Only inputs from files and texts can
// be moved. The errors come in this order: the offset, the type of the method, a stream that cannot be moved, an
// unknown method.
func seek(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	offset, err := m.IntArg(a[0])
	if err != nil {
		return false, err
	}
	method, err := m.AtomArg(a[1])
	if err != nil {
		return false, err
	}
	if !s.Reposition {
		return false, m.PermissionError("reposition", "stream", s.Culprit(m))
	}
	switch method {
	case "bof":
	case "current":
		offset += s.At()
	case "eof":
		size := int64(s.Held)
		if s.File != "" {
			if size, err = s.Seeker.Seek(0, 2); err != nil {
				return false, stream.IOError(m, "seek", s, err)
			}
		}
		offset += int(size)
	default:
		return false, m.DomainError("seek_method", a[1])
	}
	if s.File == "" && (offset < 0 || offset > s.Held) { // a text
		return false, m.DomainError("position", m.NewInt(int64(offset)))
	}
	if err := s.Rewind(int64(offset)); err != nil {
		return false, stream.IOError(m, "seek", s, err)
	}
	return m.Unify(a[2], m.NewInt(int64(offset))), nil
}

// counting makes a predicate that returns a number of the stream position.
func counting(number func(p stream.Place) int) machine.Func {
	return stream.On(func(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
		return m.Unify(a[0], m.NewInt(int64(number(s.Place())))), nil
	})
}

// prompt is prompt/2. The old prompt is unified before the new one is set, so that prompt(P, P) changes nothing.
func prompt(m *machine.Machine, a []cell) (bool, error) {
	x := ioOf(m)
	if !m.Unify(a[0], m.NewAtom(x.Prompt)) {
		return false, nil
	}
	text, ok := m.TextOf(a[1])
	if !ok {
		return false, m.TypeError("atom", a[1])
	}
	x.Prompt = text
	return true, nil
}

// pushOutput is $push_output/1, the first half of with_output_to/2: output goes to a text in memory.
func pushOutput(m *machine.Machine, a []cell) (bool, error) {
	most, err := m.IntArg(a[0])
	if err != nil {
		return false, err
	}
	x := ioOf(m)
	x.Capture(most)
	return m.Guard(func() { endOutput(m, x) }, m.NewAtom("$pop_output"))
}

// outputText is $output_text/1. It returns the content of the text in memory so far.
func outputText(m *machine.Machine, a []cell) (bool, error) {
	text := ""
	if s := ioOf(m).Captured(); s != nil {
		if text = s.Out.View(); s.Out.Undefined {
			machine.RestOnUndefined(m)
		}
	}
	return m.Unify(a[0], m.NewString(text)), nil
}

// popOutput is $pop_output/0. It runs after the cleanup goals of the goal of with_output_to/2.
func popOutput(m *machine.Machine, _ []cell) (bool, error) {
	endOutput(m, ioOf(m))
	return true, nil
}

// endOutput ends the text in memory, unless the run has ended it. It releases the memory of the text.
func endOutput(m *machine.Machine, x *IO) {
	if s := x.Captured(); s != nil {
		x.EndCapture()
		s.Forget(m)
	}
}

// isSink is $is_sink/1. It throws for an invalid sink before the goals that would write to it run.
func isSink(m *machine.Machine, a []cell) (bool, error) {
	c := m.Deref(a[0])
	switch {
	case stacks.IsVar(c):
		return false, m.InstantiationError()
	case stream.IsSink(m, c):
		return true, nil
	case c.Tag() == code.Atom && c != code.ANil, stream.IsTerm(m, c):
		return false, nil
	}
	return false, m.TypeError("output", c)
}

// sinkText is $sink_text/2. It unifies the argument of a sink such as atom(A) with a text.
func sinkText(m *machine.Machine, a []cell) (bool, error) {
	if ok, err := isSink(m, a); !ok {
		return false, err
	}
	text, _ := m.TextView(a[1])
	return stream.FillSink(m, m.Deref(a[0]), text), nil
}
