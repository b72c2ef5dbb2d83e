package engine

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/convert"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines exceptions as users of the package see them, the conversion of errors of Go predicates to
// exceptions, and the end of a run in which Go code panics.

// Errors that errors.Is finds.
var (
	// ErrNoSolution is returned by Once when the goal fails.
	ErrNoSolution = explain.ErrNoSolution
	// ErrConflict is returned by Commit if another run has meanwhile retracted a clause that this run retracts. The
	// caller should run the goal again.
	ErrConflict = database.ErrConflict
	// ErrQueried is returned by Load for a program that has been queried: its code may be running. Add clauses with
	// Assert, or load another program.
	ErrQueried = errors.New("the program has been queried; it cannot load texts any more")
	// ErrGiven is in the error of the first Next of a run whose [Given.Assume] or [Given.Without] does not fit the
	// existing facts.
	ErrGiven = errors.New("the facts that were given do not fit")
	// ErrUndecided is in the error of [Run.Next] if the outcome of the goal depends on a question that was not
	// answered.
	ErrUndecided = errors.New("not decided")
)

// Exception is a Prolog term that was thrown and not caught.
type Exception struct {
	// Term is the thrown term. For errors it is error(Formal, Context).
	Term Term
	// Message describes the term.
	Message string
	// Trace has the active clauses with their places, innermost first.
	Trace []source.Frame
	// Effort is set if a limit ran out. It says which predicate was called most, how often and how deep, and what is
	// likely to be wrong. Message ends with it. For other exceptions Effort is "".
	Effort string

	cause error // see Unwrap
}

// Error returns the place, if known, and the message.
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

// Backtrace returns the trace, one line for each frame.
func (e *Exception) Backtrace() string {
	var b strings.Builder
	for _, f := range e.Trace {
		fmt.Fprintf(&b, "  at %s\n", f)
	}
	return b.String()
}

// Throw returns an error. A predicate written in Go that returns it throws the term.
func Throw(t Term) error { return &Exception{Term: t} }

// TermError returns an error that throws an ISO error about the term culprit. kind is type_error, domain_error,
// existence_error and so on, and want is the expected type, as in TermError("type_error", "integer", culprit).
func TermError(kind, what string, culprit Term) error {
	return throwFormal(term.New(term.Atom(kind), term.Atom(what), culprit))
}

func throwFormal(formal Term) error { return Throw(term.New("error", formal, term.NewVar(""))) }

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
			syn.Pos.Line, syn.Pos.Column, source.SyntaxMessage(syn)),
	}
}

// Unwrap returns the error of the predicate written in Go that the exception comes from, so that errors.Is and
// errors.As find the error that the predicate returned. It is nil for exceptions that the program itself has thrown. A
// goal may catch the exception and throw it again in between.
func (e *Exception) Unwrap() error { return e.cause }

// Errors that end a run and are not Prolog exceptions have these types.
type (
	// Halt is the error of a goal that called halt/0,1. Its field Code is the exit code.
	Halt = machine.Halt
	// Aborted is the error of a run that was cancelled: its Reason, and Err, the error of the context, or nil. No catch/3
	// catches it.
	Aborted = machine.Aborted
)

// throwable turns an error of a predicate written in Go into one that the machine can throw. An error that is or wraps
// an *Exception throws the exception's term; *Halt and *Aborted end the run.
func throwable(m *machine.Machine, err error) error {
	switch err.(type) {
	case nil:
		return nil
	case *Halt, *Aborted:
		return err
	}
	var ex *Exception
	if !errors.As(err, &ex) {
		thrown := m.ErrorMessage(m.NewAtom("system_error"), err.Error())
		if errors.Is(err, convert.ErrLarge) {
			thrown = m.ResourceError("memory")
		}
		noteCause(m, thrown, err)
		return thrown
	}
	thrown := m.Throw(m.Import(ex.Term))
	if err == error(ex) {
		err = ex.cause
	}
	if err != nil {
		noteCause(m, thrown, err)
	}
	return thrown
}

// noteCause records the Go error behind an exception.
func noteCause(m *machine.Machine, thrown, err error) {
	x := builtin.Of(m)
	ex, isException := thrown.(*machine.Exception)
	if x == nil || !isException {
		return
	}
	if ball := ballText(ex.Ball()); ball != "" {
		x.NoteCause(ball, err)
	}
}

// causeOf returns the Go error behind a ball that leaves the machine, or nil.
func causeOf(m *machine.Machine, ball Term) error {
	if x := builtin.Of(m); x != nil && x.HasCauses() {
		return x.Cause(ballText(ball))
	}
	return nil
}

// maxBallText bounds the number of parts of a ball whose cause is recorded.
const maxBallText = 1000

// ballText returns the same text for a ball and its copies, or "" if the ball is large. The names of variables are left
// out. The context of an error is reduced to its message, because the machine fills in the rest.
func ballText(ball Term) string {
	if args, ok := term.Is(ball, "error", 2); ok {
		message := Term(term.Nil)
		if context, ok := term.Is(args[1], "context", 2); ok {
			if _, none := context[1].(*term.Var); !none {
				message = context[1]
			}
		}
		ball = term.New("error", args[0], message)
	}
	if !smaller(ball, maxBallText) {
		return ""
	}
	names := syntax.NumberedVariables(ball, nil)
	return syntax.Format(ball, &syntax.WriteOptions{Quoted: true, Ops: standardOps, VarNames: names})
}

// Panic is the error of a run in which Go code panicked: a predicate written in Go, or the engine itself, which is a
// bug. No catch/3 catches it. It ends only this run; other runs of the program are not affected.
type Panic struct {
	// Value is what the code panicked with.
	Value any
	// Predicate is the name/arity of the running predicate written in Go, or "" if there was none.
	Predicate string
	// Stack is the stack of the goroutine, as [runtime/debug.Stack] shows it.
	Stack []byte
}

// Error names the predicate and shows the value.
func (e *Panic) Error() string {
	if e.Predicate == "" {
		return fmt.Sprintf("panic in the engine: %v", e.Value)
	}
	return fmt.Sprintf("panic in %s: %v", e.Predicate, e.Value)
}

// Unwrap returns the value if it is an error.
func (e *Panic) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
