package items

import (
	"context"
	"time"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what a model is told that has called a tool with texts for which there is nothing.

// What the search for other values may take in all, and how many it may find of one input. One more means that the
// values are no choice.
const (
	adviceTime       = 50 * time.Millisecond
	adviceInferences = 200_000
	maxAdvice        = 12
)

// advice names, for each input that may be any text, the values for which the other inputs have solutions. It runs the
// predicate with a variable in the place of the value; what that changes is forgotten. Only tools that search, with
// outputs and all solutions, do so: an input of others may be a secret that the tool checks.
func (m *Maker) advice(ctx context.Context, t *Tool, c *calls.Call, args *Arguments) (list []engine.Instead) {
	if t.asks || t.custom || !t.All || len(t.out) == 0 {
		return nil
	}
	began := time.Now()
	for i, p := range t.in {
		left := adviceTime - time.Since(began)
		if args.values[i] == nil || !p.Type.IsText() || left <= 0 {
			continue
		}
		if values := m.valuesOf(ctx, t, c, args, i, left); len(values) > 0 {
			list = append(list, engine.Instead{Name: p.Name, Values: values})
		}
	}
	return list
}

// valuesOf returns the values of one input for which there are solutions. It returns none if there are too many,
// if one is no text, or if the search does not end.
func (m *Maker) valuesOf(
	ctx context.Context, t *Tool, c *calls.Call, args *Arguments, i int, left time.Duration,
) []string {
	other := &Arguments{values: append([]engine.Term{}, args.values...)}
	v := &term.Var{Name: "Value", ID: -5}
	other.values[i] = v
	goal, _ := t.dispatch(other)
	run, err := c.Job.Program.StartTerm(goal, []*term.Var{v}, &engine.RunOptions{Module: t.Provider.Module,
		Transaction: true, Time: left, Inferences: adviceInferences, Memory: m.set.Memory})
	if err != nil {
		return nil
	}
	defer run.Close()
	var list []string
	seen := map[string]bool{}
	for {
		state, err := run.Next(ctx)
		if err != nil || state == engine.Waiting {
			return nil
		}
		if state != engine.Answer {
			return list
		}
		text, ok := term.Text(run.Solution().Get(v.Name))
		if !ok || len(list) == maxAdvice {
			return nil
		}
		if !seen[text] {
			seen[text] = true
			list = append(list, text)
		}
	}
}
