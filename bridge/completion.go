package bridge

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/bridge/wire"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines completions: the values that a knowledge base proposes for the arguments of
// prompts and the variables of resource templates.

// maxCompletions is how many values the protocol allows in one answer.
const maxCompletions = 100

// completes reports whether any provider proposes values.
func (o *offer) completes() bool {
	return slices.ContainsFunc(o.snapshot.Providers, func(p *kb.Provider) bool { return p.Defines("completion", 4) })
}

// completionTarget is what values are proposed for.
type completionTarget struct {
	ref      engine.Term
	label    string // for messages
	names    []string
	program  *engine.Program
	provider *kb.Provider
	codec    *schema.Codec
}

// handleComplete handles a request for completions.
func (s *Server) handleComplete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	o := s.current.Load()
	if !o.completes() {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound,
			Message: "the knowledge base does not define completion/4"}
	}
	target, err := o.completed(req.Params.Ref)
	if err != nil {
		return nil, err
	}
	if err := target.check(req.Params.Argument.Name); err != nil {
		return nil, err
	}
	if !target.provider.Defines("completion", 4) {
		return noCompletions(), nil
	}
	cr := calls.NewRequest(req, "", nil)
	cr.Caps = nil // nobody answers questions while typing
	c := s.runner.NewCall(s.completionJob(target, req.Params))
	result, err := c.Advance(ctx, cr)
	if err != nil {
		if wrong := c.PanicError(err); wrong != nil {
			return nil, wrong
		}
		return nil, wire.InternalError("completion of %s: %s", target.label, c.Explain(err))
	}
	return result.(*mcp.CompleteResult), nil
}

func noCompletions() *mcp.CompleteResult {
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
}

// completionTarget returns what a reference is to.
func (o *offer) completed(ref *mcp.CompleteReference) (*completionTarget, error) {
	if ref.Type == "ref/prompt" {
		p := o.prompts[ref.Name]
		if p == nil {
			return nil, refusal.InvalidParams("unknown prompt %q", ref.Name)
		}
		c := &completionTarget{term.New("prompt", term.Atom(p.Name)), "prompt " + p.Name, nil, p.program, p.Provider, p.codec}
		for _, a := range p.Arguments {
			c.names = append(c.names, a.Name)
		}
		return c, nil
	}
	r := o.resources[ref.URI]
	if r == nil {
		return nil, refusal.InvalidParams("unknown resource or resource template %q", ref.URI)
	}
	c := &completionTarget{term.New("resource", term.Atom(r.URI)), "resource " + r.URI, nil, r.program, r.Provider,
		r.codec}
	if r.template != nil {
		c.names = r.template.Varnames()
	}
	return c, nil
}

// check reports an argument that nobody knows.
func (c *completionTarget) check(name string) error {
	if slices.Contains(c.names, name) {
		return nil
	}
	problem := ""
	if near := spell.Nearest(name, c.names); near != "" {
		problem = ", did you mean " + near + "?"
	}
	return refusal.InvalidParams("%s has no argument %q%s", c.label, name, problem)
}

// completionJob returns what a request for completions runs.
func (s *Server) completionJob(t *completionTarget, params *mcp.CompleteParams) *calls.Job {
	argument := term.New("-", term.Atom(params.Argument.Name), term.Atom(params.Argument.Value))
	return &calls.Job{
		Kind: calls.Complete, Name: t.label,
		Program: t.program, Provider: t.provider, Codec: t.codec, Time: s.opts.Time,
		Goal:   term.New("completion", t.ref, argument, contextTerm(params.Context), varResult),
		Vars:   []*term.Var{varResult},
		Enough: firstSuffices,
		Finish: func(_ context.Context, c *calls.Call) (mcp.Result, error) { return completions(c) },
	}
}

// contextTerm is a list of Name-Value of the arguments that have values already.
func contextTerm(given *mcp.CompleteContext) engine.Term {
	if given == nil {
		return term.Nil
	}
	var pairs []engine.Term
	for _, name := range slices.Sorted(maps.Keys(given.Arguments)) {
		pairs = append(pairs, term.New("-", term.Atom(name), term.Atom(given.Arguments[name])))
	}
	return term.List(pairs...)
}

// completions makes the result of completion(Values) or completion(Values, Total, HasMore). If the goal has failed,
// it proposes nothing.
func completions(c *calls.Call) (mcp.Result, error) {
	if len(c.Solutions) == 0 {
		return noCompletions(), nil
	}
	x := c.First(varResult.Name)
	name, args := content.Split(x)
	if name != "completion" || len(args) != 1 && len(args) != 3 {
		return nil, fmt.Errorf("the result has to be completion(Values) or completion(Values, Total, HasMore), it is %s",
			content.Show(x))
	}
	r := noCompletions()
	if err := readValues(&r.Completion, args[0]); err != nil {
		return nil, err
	}
	if len(args) == 3 {
		if err := readTotal(&r.Completion, args[1], args[2]); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// readValues reads the proposed values, at most as many as the protocol allows.
func readValues(d *mcp.CompletionResultDetails, list engine.Term) error {
	items, ok := term.Slice(list)
	if !ok {
		return fmt.Errorf("completion has to hold a list, it has %s", content.Show(list))
	}
	if len(items) > maxCompletions {
		d.Total, d.HasMore = len(items), true
		items = items[:maxCompletions]
	}
	for _, item := range items {
		d.Values = append(d.Values, content.Text(item))
	}
	return nil
}

// readTotal reads how many values there are in all, and whether there are more than those given.
func readTotal(d *mcp.CompletionResultDetails, total, more engine.Term) error {
	n, ok := total.(term.Int)
	if !ok || n < 0 {
		return fmt.Errorf("the total of completion(Values, Total, HasMore) has to be an integer from 0, it is %s",
			content.Show(total))
	}
	if more != engine.Term(term.True) && more != engine.Term(term.False) {
		return fmt.Errorf("the last argument of completion(Values, Total, HasMore) has to be true or false, it is %s",
			content.Show(more))
	}
	d.Total = max(d.Total, int(n))
	d.HasMore = d.HasMore || more == engine.Term(term.True)
	return nil
}
