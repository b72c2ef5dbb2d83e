package stream

import (
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines positions in streams, and repositioning.

// Place is a position in a stream, as the numbers of characters, lines, columns and bytes before it.
type Place struct{ Chars, Line, Column, Bytes int }

// Place returns the position of a stream.
func (s *Stream) Place() Place {
	if s.In != nil {
		return Place{s.In.Offset(), s.In.Line(), s.In.Column() - 1, s.In.Bytes()}
	}
	return Place{s.Out.chars, s.Out.lines + 1, s.Out.Column, s.Out.bytes}
}

// GoTo moves an input stream to a character. It reads from the beginning up to there, so that line and column are
// right.
func (s *Stream) GoTo(m *machine.Machine, chars int) error {
	if err := s.Rewind(0); err != nil {
		return IOError(m, "seek", s, err)
	}
	for s.In.Offset() < chars {
		if err := m.Charge(1); err != nil {
			return err
		}
		var err error
		if s.Binary {
			_, err = s.In.ReadByte()
		} else {
			_, _, err = s.In.ReadRune()
		}
		if err != nil {
			break
		}
	}
	return nil
}

// At returns the offset of an input stream in its source, in bytes.
func (s *Stream) At() int { return s.start + s.In.Bytes() }

// Rewind makes an input stream read from a byte of its source on.
func (s *Stream) Rewind(at int64) error {
	if _, err := s.Seeker.Seek(at, 0); err != nil {
		return err
	}
	s.In = syntax.NewInput(s.In.Name(), s.Source)
	s.parser, s.Past, s.start = nil, false, int(at)
	return nil
}
