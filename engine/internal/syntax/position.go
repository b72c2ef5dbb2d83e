package syntax

import (
	"strconv"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines places in source text and the syntax error, which names one.

// Place is a place in one text.
type Place struct {
	Line   int `json:"line"`   // from 1; 0: unknown
	Column int `json:"column"` // from 1, in characters; 0: unknown
	// Offset is the number of characters before the place. The reader sets it; places that are reported leave it 0.
	Offset int `json:"-"`
}

func (p Place) at(file string) Position { return Position{file, p} }

// Position is a place in a named file. It is the only type of such positions: whatever has a position embeds it.
// Packed storage, such as the clauses of the database, keeps a line as an int32 and makes a Position on request.
type Position struct {
	File string `json:"file"`
	Place
}

// At returns a position. The column is 0 where only the line is known.
func At(file string, line, column int) Position {
	return Position{file, Place{Line: line, Column: column}}
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
	s += strconv.Itoa(p.Line)
	if p.Column == 0 {
		return s
	}
	return s + ":" + strconv.Itoa(p.Column)
}

// Error is a syntax error at the place of the offending token.
type Error struct {
	Pos Position
	Msg string
	// Formal is what stands in syntax_error(Formal): for each kind of mistake the term of
	// SWI-Prolog. A resource_error stands for itself.
	Formal term.Term
	// Incomplete reports that the text ended too early: more input would help.
	Incomplete bool
	// Names are those that may have been meant as operators.
	Names []string
	// SourceLine is the line of Pos, without its newline; empty when it is no longer known.
	SourceLine string
}

// Term returns the formal term of the exception.
func (e *Error) Term() term.Term {
	if _, ok := term.Is(e.Formal, "resource_error", 1); ok {
		return e.Formal
	}
	return term.New("syntax_error", e.Formal)
}

// Error is the position and the message.
func (e *Error) Error() string { return e.Pos.String() + ": " + e.Msg }
