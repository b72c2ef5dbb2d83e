package items

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines prompts: what a client sees of one, and the goal that a request for it runs.

// Prompt is a prompt prepared for requests.
type Prompt struct {
	*kb.Prompt
	program *engine.Program
	codec   *schema.Codec
	Listed  *mcp.Prompt
}

func (m *Maker) newPrompt(snapshot *kb.Snapshot, declared *kb.Prompt) *Prompt {
	listed := &mcp.Prompt{Name: declared.Name, Title: declared.Title, Description: declared.Description,
		Icons: IconsOf(declared.Icons)}
	for _, a := range declared.Arguments {
		listed.Arguments = append(listed.Arguments,
			&mcp.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
	}
	return &Prompt{declared, snapshot.Program, m.newCodec(snapshot.Program, declared.Provider), listed}
}

// Check reports every argument that is missing or that nobody knows.
func (p *Prompt) Check(args map[string]string) error {
	var wrong, known []string
	for _, a := range p.Arguments {
		known = append(known, a.Name)
		if _, ok := args[a.Name]; a.Required && !ok {
			wrong = append(wrong, fmt.Sprintf("%s: missing", a.Name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if slices.Contains(known, name) {
			continue
		}
		problem := name + ": unexpected argument"
		if near := spell.Nearest(name, known); near != "" {
			problem += ", did you mean " + near + "?"
		}
		wrong = append(wrong, problem)
	}
	if len(wrong) == 0 {
		return nil
	}
	return refusal.InvalidParams("the arguments do not fit the prompt %s: %s", p.Name, strings.Join(wrong, "; "))
}

// PromptJob returns what a request for a prompt runs.
func (m *Maker) PromptJob(p *Prompt, args map[string]string) *calls.Job {
	var pairs []engine.Term
	for _, a := range p.Arguments {
		if value, ok := args[a.Name]; ok {
			pairs = append(pairs, term.New("-", term.Atom(a.Name), term.Atom(value)))
		}
	}
	return &calls.Job{
		Kind: calls.GetPrompt, Name: p.Name, Binding: sealed.BindingOf(calls.GetPrompt, p.Name, mustMarshalMap(args)),
		Program: p.program, Provider: p.Provider, Codec: p.codec, Time: m.set.Time, Place: p.Place,
		Goal:   term.New("prompt_get", term.Atom(p.Name), term.List(pairs...), varResult),
		Vars:   []*term.Var{varResult},
		Enough: firstSuffices,
		Finish: func(_ context.Context, c *calls.Call) (mcp.Result, error) { return messages(c) },
	}
}

// firstSuffices is the enough of jobs whose first solution counts.
func firstSuffices(*calls.Call) bool { return true }

// mustMarshalMap encodes strings, which always can be.
func mustMarshalMap(args map[string]string) []byte {
	o := schema.Object{}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		o = o.With(name, args[name])
	}
	return o.JSON()
}

// messages makes a prompt of messages(List) or messages(Description, List).
func messages(c *calls.Call) (mcp.Result, error) {
	if len(c.Solutions) == 0 {
		return nil, calls.ErrFailed
	}
	x := c.First(varResult.Name)
	name, args := content.Split(x)
	if name != "messages" || len(args) < 1 || len(args) > 2 {
		return nil, fmt.Errorf("the result has to be messages(List) or messages(Description, List), it is %s",
			content.Show(x))
	}
	r := &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{}}
	if len(args) == 2 {
		r.Description = content.Text(args[0])
	}
	items, ok := term.Slice(args[len(args)-1])
	if !ok {
		return nil, fmt.Errorf("messages has to hold a list, it has %s", content.Show(args[len(args)-1]))
	}
	size := len(r.Description)
	for _, item := range items {
		m, err := promptMessage(c.Job.Codec, item)
		if err != nil {
			return nil, err
		}
		if size += content.Size([]mcp.Content{m.Content}); size > c.Job.Codec.Limit() {
			return nil, schema.ErrTooLarge
		}
		r.Messages = append(r.Messages, m)
	}
	return r, nil
}

// promptMessage converts message(Role, Content).
func promptMessage(codec *schema.Codec, x engine.Term) (*mcp.PromptMessage, error) {
	role, item, err := content.Message(x)
	if err != nil {
		return nil, err
	}
	content, err := content.Read(codec, item, content.InResults)
	if err != nil {
		return nil, err
	}
	return &mcp.PromptMessage{Role: role, Content: content}, nil
}
