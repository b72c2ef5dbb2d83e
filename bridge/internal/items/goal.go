package items

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the job of a call of a tool.

// ToolJob returns what a call of a tool runs: the clauses of the provider that handle calls, and
// when there are none or they fail, the predicate itself.
func (m *Maker) ToolJob(t *Tool, args *Arguments, raw json.RawMessage) *calls.Job {
	goal, outputs := t.dispatch(args)
	first := goal
	vars := append([]*term.Var{}, outputs...)
	named := func() []engine.Term { return []engine.Term{term.Atom(t.Name), args.terms()} }
	if t.custom {
		first = term.New("tool_call", append(named(), varResult)...)
		goal = orElse(first, goal)
	}
	if t.asks {
		first = term.New("tool_call", append(named(), term.Atom(dialogue.ElicitPredicate), varResult)...)
		goal = orElse(first, goal)
	}
	if t.custom || t.asks {
		vars = append(vars, varCustom, varResult)
	}
	j := &calls.Job{
		Kind: calls.CallTool, Name: t.Name, Binding: sealed.BindingOf(calls.CallTool, t.Name, raw),
		Program: t.program, Provider: t.Provider, Codec: t.codec, Goal: goal, First: first, Vars: vars,
		Time: m.set.Time, Task: t.Task, Note: args.note(), Undefined: t.takesUndefined(), Place: t.Place,
	}
	if t.Timeout > 0 {
		j.Time = t.Timeout
	}
	j.Page = sealed.Page{Pages: t.pages(), Parts: t.takesCursor(), Limit: cmp.Or(t.Limit, m.set.Solutions),
		Size: cmp.Or(t.MaxResult, m.set.MaxText)}
	j.Enough = func(c *calls.Call) bool {
		return !t.All || isCustom(c) || len(c.Solutions) >= c.Job.Page.Skip+c.Job.Page.Limit
	}
	j.Finish = func(ctx context.Context, c *calls.Call) (mcp.Result, error) { return m.result(ctx, t, c) }
	j.Known = func(ctx context.Context, c *calls.Call) []engine.Instead { return m.advice(ctx, t, c, args) }
	j.Advice = func(ctx context.Context, c *calls.Call) string {
		text := why.InsteadText(j.Known(ctx, c))
		if text == "" && t.Explain != kb.ExplainNever {
			text = m.why.NearestMiss(ctx, c)
		}
		return text
	}
	return j
}

// orElse is (Goal -> Custom = true ; Else).
func orElse(goal, otherwise engine.Term) engine.Term {
	return term.New(";", term.New("->", goal, term.New("=", varCustom, term.True)), otherwise)
}
