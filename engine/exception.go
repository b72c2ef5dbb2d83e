package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/clausetext"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
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

// wrap turns an error of the machine into one of this package. The context ends the search for the text of its
// message.
func (p *Program) wrap(ctx context.Context, m *machine.Machine, err error) error {
	var ex *machine.Exception
	if !errors.As(err, &ex) {
		return err
	}
	e := &Exception{Term: ex.Ball()}
	clauses := p.clauseFiles()
	for _, f := range m.Backtrace(ex) {
		e.Trace = append(e.Trace, Frame{f.Clause.Pred.Indicator(), f.Position, p.frameGoal(clauses, f)})
	}
	e.Message = p.messageText(ctx, e.Term, builtin.Of(m).Mistake())
	e.cause = causeOf(m, e.Term)
	if effort := ex.Effort(); effort != nil && e.Limit() != "" {
		e.Effort = effort.Text(p.FileName)
		e.Message += ". " + e.Effort
	}
	p.explainUnknown(e)
	return e
}

// frameGoal is the goal of a frame, see [Frame]. Variables have the names of the clause as it is in its file.
func (p *Program) frameGoal(clauses *clausetext.Files, f machine.Frame) string {
	if f.Values == nil {
		return ""
	}
	module := f.Clause.Pred.Module
	show := func(t Term) string {
		names := map[*term.Var]string{}
		for _, v := range term.Variables(t) {
			names[v] = "_"
		}
		return p.valueText(t, names)
	}
	head, body := f.Instance()
	text := show(head)
	if module != p.db.User() {
		text = module.Name + ":" + text
	}
	at := explain.Place{Path: f.Clause.File, Line: int(f.Clause.Line)}
	locals := clauses.Locals(at, module.Name, head, body)
	if len(locals) == 0 && saysNothing(head) {
		return ""
	}
	for i, v := range locals {
		text += []string{" where ", ", "}[min(i, 1)] + v.Name + " = " + show(v.Value)
	}
	if h := newHider(p.secrets); h != nil {
		h.texts(&text)
	}
	return text
}

// saysNothing reports whether a goal has variables as arguments only.
func saysNothing(goal Term) bool {
	c, ok := goal.(*term.Compound)
	return !ok || !slices.ContainsFunc(c.Args, func(arg Term) bool {
		_, unbound := arg.(*term.Var)
		return !unbound
	})
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

// messageText returns the message of a thrown term. For a syntax error it uses the last one of the run, which says more
// than the term.
func (p *Program) messageText(ctx context.Context, t term.Term, mistake *syntax.Error) string {
	const most = 64 << 10 // bytes of a message
	x := term.NewVar("Text")
	r, err := p.start(term.New("$message_text", t, x), []*term.Var{x}, nil, messageLimits)
	if err != nil {
		return ShowTerm(t)
	}
	defer r.Close()
	r.io.Recall(mistake)
	if status, err := r.m.Run(ctx); err != nil || status != machine.True {
		return ShowTerm(t)
	}
	if err := r.m.Within(ctx, func() { r.found = r.solution() }); err != nil {
		return ShowTerm(t)
	}
	text, ok := term.Text(r.found.values[0])
	if !ok {
		return ShowTerm(t)
	}
	return syntax.CutText(text, most)
}

// messageLimits bound the making of a message's text. A term that shares parts could take any time and memory.
var messageLimits = &RunOptions{Inferences: 1_000_000, Time: 2 * time.Second, Memory: 4 << 20}

// explainUnknown adds the hint and the position that loading has found to the error of an unknown procedure. Such
// calls are often last calls, which leave no frame with a position.
func (p *Program) explainUnknown(e *Exception) {
	args, ok := term.Is(e.Formal(), "existence_error", 2)
	if !ok || args[0] != term.Term(term.Atom("procedure")) {
		return
	}
	culprit, module := args[1], p.db.User()
	if in, ok := term.Is(culprit, ":", 2); ok {
		if name, ok := in[0].(term.Atom); ok && p.db.FindModule(string(name)) != nil {
			culprit, module = in[1], p.db.FindModule(string(name))
		}
	}
	name, arity, ok := load.Indicator(culprit)
	if !ok {
		return
	}
	u, ok := p.loaded.Unknown(culprit)
	if !ok && !strings.Contains(e.Message, "did you mean") {
		e.Message += p.loaded.Suggestion(module, name, arity)
	}
	if ok {
		e.Message += u.Hint
		if len(e.Trace) == 0 || e.Trace[0].Position != u.Position {
			e.Trace = append([]Frame{{Predicate: "a call of " + u.Indicator, Position: u.Position}}, e.Trace...)
		}
	}
}

// valueText is a value as text.
func (p *Program) valueText(t term.Term, names map[*term.Var]string) string {
	w := &syntax.WriteOptions{Quoted: true, NumberVars: true, Cycles: true, SpaceArgs: true, MaxBytes: 4 * maxShownGoal,
		MaxDepth: 10, Ops: p.db.User().Ops, VarNames: names, Priority: 999}
	return syntax.CutText(syntax.Format(t, w), maxShownGoal)
}

// maxShownGoal bounds the text of a goal or value, in bytes.
const maxShownGoal = 2000
