package builtin

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines how predicates find the stream they work on, and the errors when there is
// none, or one of the wrong kind (ISO 13211-1, 7.10 and 8.11-8.14).

// findStream returns the open stream that a stream term or alias stands for.
func findStream(m *machine.Machine, c cell) (*stream, error) {
	c = m.Deref(c)
	x := ioOf(m)
	switch {
	case machine.IsVar(c):
		return nil, m.InstantiationError()
	case c.Tag() == code.Atom:
		if s := x.named(machine.AtomText(c)); s != nil {
			return s, nil
		}
		return nil, m.ExistenceError("stream", c)
	case isStreamTerm(m, c):
		if s := x.streams[int(m.Deref(m.Arg(c, 0)).Int())]; s != nil {
			return s, nil
		}
		return nil, m.ExistenceError("stream", c)
	}
	return nil, m.DomainError("stream_or_alias", c)
}

// named returns the stream with an alias. The names of the current streams are aliases too, as in
// SWI-Prolog.
func (x *IO) named(alias string) *stream {
	if s := x.alias[alias]; s != nil {
		return s
	}
	switch alias {
	case "current_input":
		return x.in
	case "current_output":
		return x.out
	}
	return nil
}

// isStreamTerm reports whether a dereferenced cell has the form of a stream term.
func isStreamTerm(m *machine.Machine, c cell) bool {
	return c.Tag() == code.Str && m.Functor(c) == fStream && m.Deref(m.Arg(c, 0)).Tag() == code.Int
}

// inputStream returns the input stream that an argument stands for.
func inputStream(m *machine.Machine, c cell) (*stream, error) {
	s, err := findStream(m, c)
	if err == nil && s.in == nil {
		err = m.PermissionError("input", "stream", c)
	}
	return s, err
}

// outputStream returns the output stream that an argument stands for.
func outputStream(m *machine.Machine, c cell) (*stream, error) {
	s, err := findStream(m, c)
	if err == nil && s.out == nil {
		err = m.PermissionError("output", "stream", c)
	}
	return s, err
}

// needText makes sure that a stream carries text.
func (s *stream) needText(m *machine.Machine, action string) error {
	if s.binary {
		return m.PermissionError(action, "binary_stream", s.culprit(m))
	}
	return nil
}

// needBinary makes sure that a stream carries bytes.
func (s *stream) needBinary(m *machine.Machine, action string) error {
	if !s.binary {
		return m.PermissionError(action, "text_stream", s.culprit(m))
	}
	return nil
}

// streamFunc is a predicate that works on a stream; the arguments are those after the stream.
type streamFunc func(m *machine.Machine, s *stream, a []cell) (bool, error)

// fromCurrent makes f work on the current input.
func fromCurrent(f streamFunc) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) { return f(m, ioOf(m).in, a) }
}

// from makes f work on the input stream given as first argument.
func from(f streamFunc) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		s, err := inputStream(m, a[0])
		if err != nil {
			return false, err
		}
		return f(m, s, a[1:])
	}
}

// toCurrent makes f work on the current output.
func toCurrent(f streamFunc) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) { return f(m, ioOf(m).out, a) }
}

// to makes f work on the output stream given as first argument.
func to(f streamFunc) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		s, err := outputStream(m, a[0])
		if err != nil {
			return false, err
		}
		return f(m, s, a[1:])
	}
}

// on makes f work on the stream of either kind given as first argument.
func on(f streamFunc) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		s, err := findStream(m, a[0])
		if err != nil {
			return false, err
		}
		return f(m, s, a[1:])
	}
}

// partOf makes the errors of f name the predicate in Prolog that calls it.
func partOf(name string, arity int, f machine.Func) machine.Func {
	functor := code.Functor(name, arity)
	return func(m *machine.Machine, a []cell) (bool, error) {
		ok, err := f(m, a)
		if err != nil {
			err = machine.InContext(err, functor)
		}
		return ok, err
	}
}
