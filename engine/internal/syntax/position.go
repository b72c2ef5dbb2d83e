package syntax

import (
	"strconv"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines places in source text and the syntax error, which names one.

// Place is a place in one text: line and column from 1, and the number of characters
// before it. Column counts characters, not bytes.
type Place struct {
	Line, Column int32
	Offset       int
}

func (p Place) at(file string) Position {
	return Position{File: file, Line: p.Line, Column: p.Column, Offset: p.Offset}
}

// Position is a place in a named file.
type Position struct {
	File         string
	Line, Column int32 // from 1; 0: unknown
	Offset       int   // characters before it
}

// String is file:line:column, without what is unknown.
func (p Position) String() string {
	s := p.File
	if p.Line == 0 {
		return s
	}
	if s != "" {
		s += ":"
	}
	return s + strconv.Itoa(int(p.Line)) + ":" + strconv.Itoa(int(p.Column))
}

// Error is a syntax error at the place of the offending token.
type Error struct {
	Pos Position
	Msg string
	// Formal is what stands in syntax_error(Formal): for each kind of mistake the term of
	// SWI-Prolog.
	Formal term.Term
	// Incomplete reports that the text ended too early: more input would help.
	Incomplete bool
	// Names are those that may have been meant as operators.
	Names []string
	// SourceLine is the line of Pos, without its newline; empty when it is no longer known.
	SourceLine string
}

// Error is the position and the message.
func (e *Error) Error() string { return e.Pos.String() + ": " + e.Msg }
