package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/clausetext"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file turns an exception of the machine into an [Exception] with a message, a trace and hints.

// wrap turns an error of the machine into one of this package. ctx bounds the making of the message.
func (r *Run) wrap(ctx context.Context, err error) error {
	p, m := r.p, r.m
	var ex *machine.Exception
	if !errors.As(err, &ex) {
		return err
	}
	e := &Exception{Term: ex.Ball()}
	clauses := p.clauseFiles()
	frames := m.Backtrace(ex)
	for _, f := range frames {
		e.Trace = append(e.Trace, source.Frame{Predicate: f.Clause.Pred.Indicator(), Position: f.Position,
			Goal: p.frameGoal(clauses, f)})
	}
	e.Message = p.messageText(ctx, e.Term, builtin.Of(m).Mistake())
	p.explainUnbound(frames, e)
	e.cause = causeOf(m, e.Term)
	if effort := ex.Effort(); effort != nil && e.Limit() != "" {
		e.Effort = effort.Text(inner{p}.FileName)
		e.Message += ". " + e.Effort
	}
	p.explainUnknown(e)
	p.explainMissing(ctx, r.module, r.goal, e)
	return e
}

// explainUnbound adds to an instantiation error in a row of a decision table which input of the table has no value.
func (p *Program) explainUnbound(frames []machine.Frame, e *Exception) {
	if e.Formal() != Term(term.Atom("instantiation_error")) || len(frames) == 0 || frames[0].Values == nil {
		return
	}
	head, _ := frames[0].Instance()
	if missing := p.loaded.UnboundInput(frames[0].Clause.File, frames[0].Line, head); missing != "" {
		e.Message = "Arguments are not sufficiently instantiated: " + missing
	}
}

// frameGoal is the goal of a frame, see [source.Frame]. Variables have the names of the clause as it is in its file.
func (p *Program) frameGoal(clauses *clausetext.Files, f machine.Frame) string {
	if f.Values == nil {
		return ""
	}
	module := f.Clause.Pred.Module
	head, body := f.Instance()
	text := p.shownValue(explain.Untabled(head))
	if module != p.db.User() {
		text = module.Name + ":" + text
	}
	at := explain.Place{Path: f.Clause.File, Line: int(f.Clause.Line)}
	locals := clauses.Locals(at, module.Name, head, body)
	if len(locals) == 0 && saysNothing(head) {
		return ""
	}
	for i, v := range locals {
		text += []string{" where ", ", "}[min(i, 1)] + v.Name + " = " + p.shownValue(v.Value)
	}
	if h := explain.NewHider(p.secrets); h != nil {
		h.Texts(&text)
	}
	return text
}

// saysNothing reports whether all arguments of a goal are variables.
func saysNothing(goal Term) bool {
	c, ok := goal.(*term.Compound)
	return !ok || !slices.ContainsFunc(c.Args, func(arg Term) bool {
		_, unbound := arg.(*term.Var)
		return !unbound
	})
}

// messageText returns the message of a thrown term. For a syntax error it uses the last syntax error of the run, which
// says more than the term.
func (p *Program) messageText(ctx context.Context, t term.Term, mistake *syntax.Error) string {
	const most = 64 << 10 // the most bytes of a message
	x := term.NewVar("Text")
	r, err := p.start(term.New("$message_text", t, x), []*term.Var{x}, nil, messageLimits)
	if err != nil {
		return inspect.ShowTerm(t)
	}
	defer r.Close()
	r.io.Recall(mistake)
	if status, err := r.m.Run(ctx); err != nil || status != machine.True {
		return inspect.ShowTerm(t)
	}
	if err := r.m.Within(ctx, func() { r.found = r.solution() }); err != nil {
		return inspect.ShowTerm(t)
	}
	text, ok := term.Text(r.found.values[0])
	if !ok {
		return inspect.ShowTerm(t)
	}
	return syntax.CutText(text, most)
}

// messageLimits bound the making of a message, including the hooks of the program.
var messageLimits = &RunOptions{Limits: Limits{Inferences: 1_000_000, Time: 10 * time.Second, Memory: 64 << 20}}

// explainUnknown adds the hint and the position that loading has found to the error of an unknown procedure. To the
// error of an unknown database it adds the option that names the database. Calls of unknown procedures are often last
// calls, which leave no frame with a position.
func (p *Program) explainUnknown(e *Exception) {
	args, ok := term.Is(e.Formal(), "existence_error", 2)
	if ok && args[0] == term.Term(term.Atom("database")) {
		e.Message += "; --sql " + FormatTerm(args[1]) + "=... names it"
	}
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
		e.Message += p.loaded.ErrorHint(module, name, arity)
	}
	if ok {
		e.Message += u.Hint
		if len(e.Trace) == 0 || e.Trace[0].Position != u.Position {
			e.Trace = append([]source.Frame{{Predicate: "a call of " + u.Indicator, Position: u.Position}}, e.Trace...)
		}
	}
}

// hintedMessage is the message, with such hints, of a term that a goal has thrown.
func (p *Program) hintedMessage(ctx context.Context, in *database.Module, goal, ball Term) string {
	e := &Exception{Term: ball, Message: p.messageText(ctx, ball, nil)}
	p.explainUnknown(e)
	p.explainMissing(ctx, in, goal, e)
	return e.Message
}

// valueText is a value as text.
func (p *Program) valueText(t term.Term, names map[*term.Var]string) string {
	t, own := p.loaded.Lambdas(t)
	if len(own) > 0 {
		names = maps.Clone(names)
		if names == nil {
			names = map[*term.Var]string{}
		}
	}
	for _, v := range own {
		names[v] = cmp.Or(v.Name, "_")
	}
	w := &syntax.WriteOptions{Quoted: true, NumberVars: true, Cycles: true, SpaceArgs: true, MaxBytes: 4 * maxShownGoal,
		MaxDepth: 10, Ops: p.db.User().Ops, VarNames: names, Priority: 999}
	return syntax.CutText(syntax.Format(t, w), maxShownGoal)
}

// maxShownGoal bounds the text of a goal or value, in bytes.
const maxShownGoal = 2000

// thrown sets the message of an exception that was thrown outside of a run.
func (p *Program) thrown(err error) error {
	if ex, ok := err.(*Exception); ok {
		ex.Message = p.messageText(context.Background(), ex.Term, nil)
	}
	return err
}

// recovered is deferred by functions that run Go code of predicates. It turns a panic into an error and ends the run.
func (r *Run) recovered(err *error) {
	value := recover()
	if value == nil {
		return
	}
	e := &Panic{Value: value, Stack: debug.Stack()}
	if r.m == nil { // it was closed meanwhile
		*err = e
		return
	}
	if b := r.m.Running(); b != nil {
		e.Predicate = fmt.Sprintf("%s/%d", b.Name, b.Arity)
	}
	r.state, r.failed, r.panicked = NoMore, true, e
	*err = e
}

// within calls f, which puts terms into the machine, under the limits of the run.
func (r *Run) within(ctx context.Context, f func()) (err error) {
	defer r.recovered(&err)
	return r.m.Within(ctx, f)
}

// discard releases the resources of a machine whose run has panicked. The machine is not used again.
func discard(m *machine.Machine) {
	defer func() { _ = recover() }() // it may be in any state
	m.Reset()
}
