package stream

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file finds the stream that an argument names. It defines the errors for arguments that name no stream, or one
// of the wrong kind (ISO 13211-1, 7.10 and 8.11-8.14).

// Find returns the open stream that a stream term or alias stands for.
func Find(m *machine.Machine, c cell) (*Stream, error) {
	c = m.Deref(c)
	x := Of(m)
	switch {
	case stacks.IsVar(c):
		return nil, m.InstantiationError()
	case c.Tag() == code.Atom:
		if s := x.named(stacks.AtomText(c)); s != nil {
			return s, nil
		}
		return nil, m.ExistenceError("stream", c)
	case IsTerm(m, c):
		if s := x.WithTerm(m, c); s != nil {
			return s, nil
		}
		return nil, m.ExistenceError("stream", c)
	}
	return nil, m.DomainError("stream_or_alias", c)
}

// named returns the stream with an alias. The names of the current streams are aliases too, as in
// SWI-Prolog.
func (x *Table) named(alias string) *Stream {
	if s := x.Alias[alias]; s != nil {
		return s
	}
	switch alias {
	case "current_input":
		return x.In
	case "current_output":
		return x.Out
	}
	return nil
}

// IsTerm reports whether a dereferenced cell has the form of a stream term.
func IsTerm(m *machine.Machine, c cell) bool {
	return c.Tag() == code.Str && m.Functor(c) == fStream && m.Deref(m.Arg(c, 0)).Tag() == code.Int
}

// FindInput returns the input stream that an argument stands for.
func FindInput(m *machine.Machine, c cell) (*Stream, error) {
	s, err := Find(m, c)
	if err == nil && s.In == nil {
		err = m.PermissionError("input", "stream", c)
	}
	return s, err
}

// FindOutput returns the output stream that an argument stands for.
func FindOutput(m *machine.Machine, c cell) (*Stream, error) {
	s, err := Find(m, c)
	if err == nil && s.Out == nil {
		err = m.PermissionError("output", "stream", c)
	}
	return s, err
}

// NeedText makes sure that a stream carries text.
func (s *Stream) NeedText(m *machine.Machine, action string) error {
	if s.Binary {
		return m.PermissionError(action, "binary_stream", s.Culprit(m))
	}
	return nil
}

// NeedBinary makes sure that a stream carries bytes.
func (s *Stream) NeedBinary(m *machine.Machine, action string) error {
	if !s.Binary {
		return m.PermissionError(action, "text_stream", s.Culprit(m))
	}
	return nil
}

// PutText writes text to a text stream, as the last step of a predicate. A binary stream is a permission error.
func (s *Stream) PutText(m *machine.Machine, text string) (bool, error) {
	if err := s.NeedText(m, "output"); err != nil {
		return false, err
	}
	err := s.Write(m, text)
	return err == nil, err
}

// Func is a predicate that works on a stream. Its arguments are those after the stream.
type Func func(m *machine.Machine, s *Stream, a []cell) (bool, error)

// FromCurrent makes f work on the current input.
func FromCurrent(f Func) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		s := Of(m).In
		if err := s.needReader(m); err != nil {
			return false, err
		}
		return f(m, s, a)
	}
}

// needReader returns an error if a served goal reads user_input. Such a goal would read the end of the input, and
// take it for an answer.
func (s *Stream) needReader(m *machine.Machine) error {
	x := Of(m)
	if x.user.m = m; m.Served && s == x.UserIn {
		return m.PermissionError("input", "stream", m.NewAtom("user_input"))
	}
	return nil
}

// From makes f work on the input stream given as first argument.
func From(f Func) machine.Func {
	return given(FindInput, func(m *machine.Machine, s *Stream, a []cell) (bool, error) {
		if err := s.needReader(m); err != nil {
			return false, err
		}
		return f(m, s, a)
	})
}

// ToCurrent makes f work on the current output.
func ToCurrent(f Func) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) { return f(m, Of(m).Out, a) }
}

// To makes f work on the output stream given as first argument.
func To(f Func) machine.Func { return given(FindOutput, f) }

// On makes f work on the stream of either kind given as first argument.
func On(f Func) machine.Func { return given(Find, f) }

// given makes f work on the stream that find returns for the first argument.
func given(find func(m *machine.Machine, c cell) (*Stream, error), f Func) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		s, err := find(m, a[0])
		if err != nil {
			return false, err
		}
		return f(m, s, a[1:])
	}
}
