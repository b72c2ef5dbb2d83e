package stream

import (
	"io"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines the reading of characters, and the end of a stream (ISO 13211-1, 7.10.2.9 and 7.10.2.13).

// EndOfInput stands for the end of a stream where a character or byte is expected.
const EndOfInput rune = -1

// BeforeRead applies the stream's eof_action if its end has been read already.
func (s *Stream) BeforeRead(m *machine.Machine) error {
	if !s.Past {
		return nil
	}
	switch s.EOFAction {
	case EOFError:
		return m.PermissionError("input", "past_end_of_stream", s.Culprit(m))
	case EOFReset:
		s.Past = false
		s.In.ClearEOF()
	}
	return nil
}

// AfterRead turns what an Input has returned into a character or EndOfInput.
func (s *Stream) AfterRead(m *machine.Machine, r rune, err error, peeked bool) (rune, error) {
	switch {
	case err == nil:
		return r, nil
	case err == io.EOF:
		s.Past = s.Past || !peeked
		return EndOfInput, nil
	}
	return 0, IOError(m, "read", s, err)
}

// ReadChar reads a character.
func (s *Stream) ReadChar(m *machine.Machine) (rune, error) {
	if err := s.BeforeRead(m); err != nil {
		return 0, err
	}
	r, _, err := s.In.ReadRune()
	return s.AfterRead(m, r, err, false)
}

// PeekChar returns the next character without reading it.
func (s *Stream) PeekChar(m *machine.Machine) (rune, error) {
	if err := s.BeforeRead(m); err != nil {
		return 0, err
	}
	r, err := s.In.PeekRune()
	return s.AfterRead(m, r, err, true)
}

// TextChar reads or peeks a character of a text stream.
func (s *Stream) TextChar(m *machine.Machine, peek bool) (rune, error) {
	if err := s.NeedText(m, "input"); err != nil {
		return 0, err
	}
	if peek {
		return s.PeekChar(m)
	}
	return s.ReadChar(m)
}
