package engine

import (
	"context"

	"github.com/mcplogic/mcplogic/engine/debug"
	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/clausetext"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how runs are traced.

// debugged is a program as its debugger sees it.
type debugged struct{ *Program }

// newTracer makes the tracer of a run, nil without debugger.
func (p *Program) newTracer(d *debug.Debugger) builtin.Debugger {
	if d == nil {
		return nil
	}
	return debug.NewTracer(d, debugged{p})
}

// tracedGoal is a goal that is interpreted, with library(prolog_debug) loaded.
func (p *Program) tracedGoal(goal term.Term, o *RunOptions) (term.Term, error) {
	if o.Debugger == nil || !o.Debugger.TracesFrom(goal) {
		return goal, nil
	}
	for _, name := range []string{"explain", "prolog_debug"} {
		if err := p.needLibrary(context.Background(), name); err != nil {
			return nil, err
		}
	}
	if o.Module != "" {
		goal = term.New(":", term.Atom(o.Module), goal)
	}
	return term.New(":", term.Atom("prolog_debug"), term.New("traced", goal)), nil
}

// BreakLine returns the first line from a given one on at which a clause of a file begins or one of its goals stands.
// ok is false if there is none.
func (p *Program) BreakLine(file string, line int) (found int, ok bool) {
	return p.clauseFiles().BreakLine(func(name string) bool { return name == file || p.FileName(name) == file }, line)
}

// Texts implements [debug.Program].
func (p debugged) Texts() *clausetext.Files { return p.clauseFiles() }

// Message implements [debug.Program].
func (p debugged) Message(ball term.Term) string {
	return p.messageText(context.Background(), ball, nil)
}

// ValueText implements [debug.Program].
func (p debugged) ValueText(value term.Term, names map[*term.Var]string) string {
	return p.valueText(value, names)
}

// ReadGoal implements [debug.Program].
func (p debugged) ReadGoal(text string) (*syntax.Read, error) { return readIn(p.db.User(), text) }

// Translated implements [debug.Program].
func (p debugged) Translated(clause term.Term) term.Term {
	if _, ok := term.Is(clause, "-->", 2); !ok {
		return clause
	}
	vars, result := term.Variables(clause), term.NewVar("")
	all := make([]term.Term, len(vars))
	for i, v := range vars {
		all[i] = v
	}
	r, err := p.start(term.New("dcg_translate_rule", clause, result), append(vars, result), nil, messageLimits)
	if err != nil {
		return clause
	}
	defer r.Close()
	if status, err := r.m.Run(context.Background()); err != nil || status != machine.True {
		return clause
	}
	values := r.solution().values
	named := map[*term.Var]term.Term{}
	for i := range all {
		if v, unbound := values[i].(*term.Var); unbound {
			named[v] = all[i]
		}
	}
	return term.Rename(values[len(values)-1], named)
}
