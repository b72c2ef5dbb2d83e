package bridge

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/reasons"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file answers questions of goals that do not run for a client: the program that runs such a goal answers them.

// Interview answers the questions of one goal. A question that the user has declined or cancelled is not asked again.
// One goroutine uses it.
type Interview struct {
	// Ask puts a question to a person or model. The question is *mcp.ElicitParams, *mcp.CreateMessageWithToolsParams or
	// *mcp.ListRootsParams, and the answer the result of that name. It has to be set before Answer is called.
	Ask func(ctx context.Context, q mcp.InputRequest) (mcp.InputResponse, error)

	talk dialogue.Conversation
}

// NewInterview returns the interview of a run of the program.
func NewInterview(program *engine.Program, run *engine.Run) *Interview {
	codec := &schema.Codec{
		Parse:  func(text string) (engine.Term, error) { return program.ParseTerm("", text) },
		Format: func(t engine.Term) string { return program.FormatTerm("", t) },
	}
	return &Interview{talk: dialogue.Conversation{Run: run, Codec: codec}}
}

// Answer answers the questions that the run waits for. The next call of Next continues the run. An error means that the
// run is over.
func (i *Interview) Answer(ctx context.Context) error {
	name, args := i.talk.Run.Waiting()
	return i.talk.GoOn(i.answer(ctx, name, args))
}

// Explaining returns the Ask of [engine.WhyOptions] for explaining a goal. The first run of the goal asks, unless the
// interview was held already. All other runs get the same answers.
func (i *Interview) Explaining(ctx context.Context, held bool) func() reasons.Replies {
	return func() reasons.Replies {
		asks := !held
		held = true
		i.talk.Asked = dialogue.Asked{}
		if !asks {
			return i.talk.Repeat
		}
		return func(name string, args []engine.Term) (engine.Term, error) { return i.answer(ctx, name, args) }
	}
}

func (i *Interview) answer(ctx context.Context, name string, args []engine.Term) (engine.Term, error) {
	c := &i.talk
	defer func() { c.Asked.Open = nil }()
	if err := c.ReadQuestions(name, args); err != nil {
		return nil, err
	}
	for _, q := range c.Unanswered() {
		if c.Refused(&q) { // just now
			continue
		}
		got, err := i.Ask(ctx, q.Request)
		if err != nil {
			return nil, dialogue.Error("unanswered", "the question %q was not answered: %s", spell.Shorten(q.Message), err)
		}
		r, _ := dialogue.NewReply(q.Key, q.Digest, got)
		c.Past = append(c.Past, r)
		c.Note(r)
	}
	return c.Answer()
}
