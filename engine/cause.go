package engine

import (
	"errors"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how errors of predicates written in Go become exceptions, and how an exception that leaves the
// machine leads back to the error. In between a goal may catch the ball and throw it again. So the error is found
// by the text of the ball.

// throwable turns an error of a predicate written in Go into one that the machine can throw. An error
// that is or wraps an *Exception throws the term of that; *Halt and *Aborted end the run.
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

// maxBallText bounds the balls whose causes are recorded, in parts.
const maxBallText = 1000

// ballText returns a text that a ball and its copies share, or "" if the ball is large. The names of variables are left
// out. Of the context of an error only the message counts, because the machine fills in the rest.
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
	return syntax.Format(ball, &syntax.WriteOptions{Quoted: true, Ops: standardOps, VarNames: numberedNames(ball)})
}
