package goals

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// This file defines why/0, why/1 and why_not/1 at the prompt.

// lastGoal is the goal that was called last at the prompt.
type lastGoal struct {
	goal *source.Goal // nil: there was none
	// values are the values of its variables in its last answer, nil if it had none.
	values []engine.Term
	// interview has what the user has answered to it.
	interview *bridge.Interview
}

// whyGoal is a request of the user to explain a goal.
type whyGoal struct {
	lastGoal
	not bool // why_not/1: the lack of an answer
	// held is set if the goal was called before: its questions have their answers in interview.
	held bool
}

// asksWhy returns the request in a goal: why after an answer, why(Goal) or why_not(Goal). It returns nil for other
// goals, and in programs that define predicates of these names.
func (r *repl) asksWhy(g *source.Goal) *whyGoal {
	name, arity, _ := term.Indicator(g.Term)
	if name != "why" && (name != "why_not" || arity != 1) || arity > 1 {
		return nil
	}
	if _, own := inner.Of(r.base.program()).Defines("user", string(name), arity); own {
		return nil
	}
	if arity == 0 {
		return &whyGoal{lastGoal: r.last, not: r.last.values == nil, held: true}
	}
	about := &source.Goal{Term: g.Term.(*term.Compound).Args[0], Vars: g.Vars}
	return &whyGoal{lastGoal: lastGoal{goal: about}, not: name == "why_not"}
}

// explain shows why the goal has its answer, or what was missing. The explanation goes to standard output. An error is
// one that ends the session; others are printed.
func (w *whyGoal) explain(r *repl) error {
	if w.goal == nil {
		fmt.Fprintln(r.stderr, "mcplogic: there is no goal yet to explain")
		return nil
	}
	ctx, stop := r.in.interruptible(r.cmd.Context())
	defer stop()
	program := r.base.program()
	if w.interview == nil {
		w.interview = r.interview(ctx, program, nil)
	}
	o := &engine.WhyOptions{Run: *r.options(ctx, io.Discard), Values: w.values,
		Ask: w.interview.Explaining(ctx, w.held)}
	o.Run.Module = moduleOf(program, w.goal.Term)
	text, err := w.text(ctx, program, o)
	if err != nil {
		return r.failed(ctx, err)
	}
	fmt.Fprint(r.stdout, text)
	r.gap()
	return nil
}

// text is the explanation.
func (w *whyGoal) text(ctx context.Context, program *engine.Program, o *engine.WhyOptions) (string, error) {
	if !w.not {
		proof, err := inner.Of(program).WhyTerm(ctx, w.goal, o)
		if err == nil {
			return proof.Text, nil
		} else if !errors.Is(err, engine.ErrNoSolution) {
			return "", err
		}
	}
	misses, err := inner.Of(program).WhyNotTerm(ctx, w.goal, o)
	if err != nil {
		return "", err
	}
	return missesText(misses), nil
}
