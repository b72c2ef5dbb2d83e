package items

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines completions: the values that a knowledge base proposes for the arguments of
// prompts and the variables of resource templates.

// MaxCompletions is how many values the protocol allows in one answer.
const MaxCompletions = 100

// Target is what values are proposed for.
type Target struct {
	ref      engine.Term
	Label    string // for messages
	names    []string
	program  *engine.Program
	Provider *kb.Provider
	codec    *schema.Codec
}

func NoCompletions() *mcp.CompleteResult {
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
}

// Completed returns what a reference is to.
func (o *Offer) Completed(ref *mcp.CompleteReference) (*Target, error) {
	if ref.Type == "ref/prompt" {
		p := o.Prompts[ref.Name]
		if p == nil {
			return nil, refusal.InvalidParams("unknown prompt %q", ref.Name)
		}
		c := &Target{term.New("prompt", term.Atom(p.Name)), "prompt " + p.Name, nil, p.program, p.Provider, p.codec}
		for _, a := range p.Arguments {
			c.names = append(c.names, a.Name)
		}
		return c, nil
	}
	r := o.Resources[ref.URI]
	if r == nil {
		return nil, refusal.InvalidParams("unknown resource or resource template %q", ref.URI)
	}
	c := &Target{term.New("resource", term.Atom(r.URI)), "resource " + r.URI, nil, r.Program, r.Provider,
		r.codec}
	if r.Template != nil {
		c.names = r.Template.Varnames()
	}
	return c, nil
}

// Check reports an argument that nobody knows.
func (c *Target) Check(name string) error {
	if slices.Contains(c.names, name) {
		return nil
	}
	problem := ""
	if near := spell.Nearest(name, c.names); near != "" {
		problem = ", did you mean " + near + "?"
	}
	return refusal.InvalidParams("%s has no argument %q%s", c.Label, name, problem)
}

// CompletionJob returns what a request for completions runs.
func (m *Maker) CompletionJob(t *Target, params *mcp.CompleteParams) *calls.Job {
	argument := term.New("-", term.Atom(params.Argument.Name), term.Atom(params.Argument.Value))
	return &calls.Job{
		Kind: calls.Complete, Name: t.Label,
		Program: t.program, Provider: t.Provider, Codec: t.codec, Time: m.set.Time,
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
		return NoCompletions(), nil
	}
	x := c.First(varResult.Name)
	name, args := content.Split(x)
	if name != "completion" || len(args) != 1 && len(args) != 3 {
		return nil, fmt.Errorf("the result has to be completion(Values) or completion(Values, Total, HasMore), it is %s",
			content.Show(x))
	}
	r := NoCompletions()
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
	if len(items) > MaxCompletions {
		d.Total, d.HasMore = len(items), true
		items = items[:MaxCompletions]
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
