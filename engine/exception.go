package engine

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines Prolog exceptions as Go errors.

// Exception is a Prolog term that was thrown and not caught.
type Exception struct {
	// Term is the term, for errors error(Formal, Context).
	Term Term
	// Message is the term in words.
	Message string
	// Trace are the clauses that were active, innermost first, with their places.
	Trace []Frame
	// Effort is for a limit that ran out: sentences that say which predicate was called most, how often and how deep,
	// and what is likely to be wrong. Else it is "". Message ends with it.
	Effort string

	cause error // see Unwrap
}

// Frame is a clause that was active when an exception was thrown.
type Frame struct {
	// Predicate is name/arity.
	Predicate string
	// Position is that of the goal in the clause; its column is not known.
	Position
	// Goal is how the predicate was called and then what variables of its clause were, as text, as far as that is known:
	// a clause gives up what it needs no more. It is "" if nothing is known, and without [RunOptions.TraceValues].
	Goal string
}

// String is the position, if known, and the goal or else the predicate.
func (f Frame) String() string {
	return placed(f.Position, cmp.Or(f.Goal, f.Predicate))
}

// Error is the place, if known, and the message.
func (e *Exception) Error() string {
	if len(e.Trace) > 0 && e.Trace[0].File != "" {
		return e.Trace[0].Position.String() + ": " + e.Message
	}
	return e.Message
}

// Formal returns the first argument of an error/2 term, or nil for other terms.
func (e *Exception) Formal() Term {
	if args, ok := term.Is(e.Term, "error", 2); ok {
		return args[0]
	}
	return nil
}

// Limit returns the resource that ran out ("time", "memory", "inferences"), or "".
func (e *Exception) Limit() string {
	if args, ok := term.Is(e.Formal(), "resource_error", 1); ok {
		text, _ := term.Text(args[0])
		return text
	}
	return ""
}

// Backtrace shows the trace, a line a frame.
func (e *Exception) Backtrace() string {
	var b strings.Builder
	for _, f := range e.Trace {
		fmt.Fprintf(&b, "  at %s\n", f)
	}
	return b.String()
}

// Throw returns an error that makes a predicate written in Go throw the term.
func Throw(t Term) error { return &Exception{Term: t} }

// TypeError returns an error for an argument of the wrong type. It throws an ISO error term, as the next ones do.
func TypeError(typ string, culprit Term) error {
	return throwFormal(term.New("type_error", term.Atom(typ), culprit))
}

// DomainError returns an error for an argument of the right type but with a bad value.
func DomainError(domain string, culprit Term) error {
	return throwFormal(term.New("domain_error", term.Atom(domain), culprit))
}

// ExistenceError returns an error for something that does not exist.
func ExistenceError(kind string, culprit Term) error {
	return throwFormal(term.New("existence_error", term.Atom(kind), culprit))
}

func throwFormal(formal Term) error {
	return Throw(term.New("error", formal, term.NewVar("")))
}

// readIn reads a term with the operators and flags of a module. The error is an *Exception.
func readIn(module *database.Module, text string) (*syntax.Read, error) {
	read, err := syntax.ParseTerm(text, module.Ops, &module.Flags)
	if err != nil {
		return nil, syntaxException(err)
	}
	return read, nil
}

// syntaxException is the exception of a goal text that does not parse.
func syntaxException(err error) error {
	if err == io.EOF {
		err = &syntax.Error{Pos: syntax.At("", 1, 1), Msg: "the text is empty",
			Formal: term.Atom("end_of_file"), Incomplete: true}
	}
	var syn *syntax.Error
	if !errors.As(err, &syn) {
		return err
	}
	return &Exception{
		Term: term.New("error", syn.Term(),
			term.New("context", term.NewVar(""), term.Atom(syn.Error()))),
		Message: fmt.Sprintf("syntax error in the goal, line %d, column %d: %s",
			syn.Pos.Line, syn.Pos.Column, load.SyntaxMessage(syn)),
	}
}

// Unwrap returns the error of the predicate written in Go that the exception comes from, so that
// errors.Is and errors.As find what that predicate returned. It is nil for exceptions that the
// program itself has thrown. A goal may catch the exception and throw it again in between.
func (e *Exception) Unwrap() error { return e.cause }

// Limit errors and others that end a run without being Prolog exceptions are these types.
type (
	// Halt is the error of a goal that called halt/0,1.
	Halt = machine.Halt
	// Aborted is the error of a run that was cancelled.
	Aborted = machine.Aborted
)
