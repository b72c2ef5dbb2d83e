package main

import (
	"context"
	"errors"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines how mcplogic test runs the examples of info/2.

// exampleUnit is the unit that examples belong to in results, and in --run.
const exampleUnit = "examples"

// runExamples runs the examples one after the other and prints their results. The output of their goals goes to the
// JSON alone: it belongs to the results of tools.
func (t *testRun) runExamples(ctx context.Context, examples []kb.Example) error {
	for _, e := range examples {
		res := testResult{Unit: exampleUnit, Test: e.Predicate + ": " + e.Title, File: e.Place.File, Line: e.Place.Line}
		t.began, t.restricted = time.Now(), t.program.IsRestricted(e.Place.File)
		if t.tryExample(ctx, e, &res); ctx.Err() != nil {
			return ctx.Err()
		}
		res.Seconds = time.Since(t.began).Seconds()
		res.Output = t.output.String()
		t.output.Reset()
		t.counts.add(res.Status)
		t.note(res)
		if t.asJSON {
			if err := printJSON(t.stdout, res); err != nil {
				return err
			}
			continue
		}
		res.print(t.stdout)
	}
	return nil
}

// tryExample fills in the result of one example. e.Test is the goal with the wanted bindings as a test, and has no
// answer when they do not come; e.Goal is the goal alone. A goal that asks the user of a client is blocked, because a
// test has no client.
func (t *testRun) tryExample(ctx context.Context, e kb.Example, res *testResult) {
	found, state, err := t.first(ctx, e.Test, nil, e.Module)
	switch {
	case found.Undefined(): // told below
	case err == nil && state == engine.Answer:
		res.Status = "passed"
		return
	case err == nil && state == engine.Waiting:
		res.Status, res.Message = "blocked", "it asks the user of a client"
		return
	}
	// The test does not say what came instead, so the goal runs again for its first answer.
	res.Status, res.Message, res.Want = "failed", "the example is wrong", t.program.FormatTerm(e.Module, e.Wanted)
	vars := term.Variables(e.Goal)
	found, state, thrown := t.first(ctx, e.Goal, vars, e.Module)
	var exception *engine.Exception
	switch {
	case errors.As(thrown, &exception):
		res.Got = engine.FormatTerm(exception.Term)
	case thrown != nil:
		res.Got = thrown.Error()
	case state != engine.Answer:
		res.Got = "no solution"
	default:
		res.Got = valuesText(vars, found.Values())
		if found.Undefined() {
			res.Message, res.Got = "undefined: neither true nor false", res.Got+" (undefined)"
		}
	}
}

// valuesText is the values of variables as bindings, "true" when there are none.
func valuesText(vars []*term.Var, values []engine.Term) string {
	text := ""
	for i, v := range vars {
		if text != "" {
			text += ", "
		}
		text += v.Name + " = " + engine.FormatTerm(values[i])
	}
	if text == "" {
		return "true"
	}
	return text
}
