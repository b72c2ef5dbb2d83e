package bridge

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/kb/decisions"
)

// This file defines the tool what_if, by which a model compares the answer that a call has with the one that it would
// have on other facts.

// whatIfArguments are the arguments of the tool.
type whatIfArguments struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Assume    json.RawMessage `json:"assume"`
	Without   json.RawMessage `json:"without"`
	Now       json.RawMessage `json:"now"`
}

func (s *Server) handleWhatIf(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args whatIfArguments
	if wrong := refusal.ReadArguments(req, items.WhatIfSchema(), &args); wrong != nil {
		return wrong, nil
	}
	if len(args.Arguments) == 0 {
		args.Arguments = json.RawMessage("{}")
	}
	t := s.current.Load().Tools[args.Tool]
	if t == nil {
		return refusal.Result("no_such_tool", s.noSuchTool(args.Tool)), nil
	}
	given, err := t.Suppose(args.Assume, args.Without, args.Now)
	if err != nil {
		return misfit(t, err), nil
	}
	before, wrong := s.toolJob(items.WithoutGiven(ctx), t, args.Arguments)
	if wrong != nil {
		return wrong, nil
	}
	after, wrong := s.toolJob(ctx, t, args.Arguments)
	if wrong != nil {
		return wrong, nil
	}
	given.AddTo(after)
	from := calls.NewRequest(req, "", nil)
	clock := time.Now()
	seed := cmp.Or(after.Given.Seed, rand.Text())
	w := &whatIf{Server: s, tool: t, cr: from.Dry()}
	was := w.run(ctx, before, clock, seed)
	would := w.run(ctx, after, clock, seed)
	r := w.compare(ctx, was, would)
	after.NoteRules(r)
	return r, nil
}

// WhatIfFacts returns the JSON Schema of the facts that may come with a question of what if about a tool, nil if there
// is no such tool.
func (s *Server) WhatIfFacts(tool string) json.RawMessage {
	if t := s.current.Load().Tools[tool]; t != nil {
		return t.Supposable().JSON()
	}
	return nil
}

// whatIf is one comparison.
type whatIf struct {
	*Server
	tool *items.Tool
	cr   *calls.Request
}

// supposed is a call and its answer.
type supposed struct {
	*Decision
	call *calls.Call
}

// run runs a call that commits nothing and asks nobody.
func (w *whatIf) run(ctx context.Context, j *calls.Job, clock time.Time, seed string) *supposed {
	dry := *j.OfUser(w.cr.User)
	dry.Trial, dry.Task = true, nil
	c := w.runner.NewCall(&dry)
	if j.Given.Now.IsZero() {
		c.Given.Now = clock
	}
	if j.Given.Seed == "" {
		c.Given.Seed = seed
	}
	d := &Decision{}
	w.dryRun(ctx, w.cr, c, d)
	return &supposed{d, c}
}

// compare says what differs between the answers, and why.
func (w *whatIf) compare(ctx context.Context, was, would *supposed) *mcp.CallToolResult {
	answer := func(s *supposed) json.RawMessage {
		if s.Error != nil {
			raw, _ := json.Marshal(s.Error) // came as JSON
			return raw
		}
		return s.Result
	}
	same := decisions.Same(was.Decision, would.Decision)
	o := schema.Object{}.With("same", same).With("before", answer(was)).With("after", answer(would))
	text := "Before: " + was.Text() + "\nAfter: " + would.Text() + "\n"
	if same {
		text += "The answer is the same.\n"
	} else {
		whyBefore := w.explainDry(ctx, w.cr, was.call, w.tool, was.Decision, would.Decision)
		whyAfter := w.explainDry(ctx, w.cr, would.call, w.tool, would.Decision, was.Decision)
		if whyBefore+whyAfter != "" { // a tool may give no reasons
			text += "\nWhy before:\n" + strings.TrimRight(whyBefore, "\n") + "\n\nWhy after:\n" + whyAfter
			o = o.With("why_before", whyBefore).With("why_after", whyAfter)
		}
	}
	return &mcp.CallToolResult{Content: content.OfText(strings.TrimSpace(text)), StructuredContent: o.JSON()}
}
