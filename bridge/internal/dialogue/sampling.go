package dialogue

//lint:file-ignore SA1019 2026-07-28 deprecates sampling, but clients of all versions have it.

import (
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines questions to the client's model: messages and options from terms, and the
// model's message as a term.

// defaultTokens is how long an answer of the model may be unless the goal says otherwise. The protocol requires a
// number.
const defaultTokens = 1000

// readSampling reads sample(Key, Messages, Options).
func (c *Conversation) readSampling(q *Question, args []engine.Term) error {
	p := &mcp.CreateMessageWithToolsParams{MaxTokens: defaultTokens}
	q.Request = p
	var err error
	if p.Messages, err = c.samplingMessages(args[0]); err != nil {
		return Error("bad_question", "the messages to the model: %s", err)
	}
	q.Message = firstText(p.Messages)
	options, ok := term.Slice(args[1])
	if !ok {
		return engine.TermError("type_error", "list", args[1])
	}
	for _, option := range options {
		if err := c.samplingOption(p, option); err != nil {
			return Error("bad_question", "the options of a question to the model: %s", err)
		}
	}
	if p.Tools != nil {
		q.Kind = ToolsKind
	}
	return nil
}

// firstText is the beginning of messages, for people.
func firstText(messages []*mcp.SamplingMessageV2) string {
	for _, m := range messages {
		for _, item := range m.Content {
			if text, ok := item.(*mcp.TextContent); ok {
				return text.Text
			}
		}
	}
	return "sampling/createMessage"
}

// samplingMessages reads a list of message(Role, Content), or a text, which is one message of the user.
func (c *Conversation) samplingMessages(x engine.Term) ([]*mcp.SamplingMessageV2, error) {
	if text, ok := term.Text(x); ok && x != engine.Term(term.Nil) {
		return []*mcp.SamplingMessageV2{{Role: "user", Content: content.OfText(text)}}, nil
	}
	items, ok := term.Slice(x)
	if !ok || len(items) == 0 {
		return nil, fmt.Errorf("expected a text or a list of message(Role, Content), got %s", content.Show(x))
	}
	list := make([]*mcp.SamplingMessageV2, 0, len(items))
	for _, item := range items {
		role, said, err := content.Message(item)
		if err != nil {
			return nil, err
		}
		m := &mcp.SamplingMessageV2{Role: role}
		parts, isList := term.Slice(said)
		if !isList {
			parts = []engine.Term{said}
		}
		for _, one := range parts {
			part, err := content.Read(c.Codec, one, content.InMessages)
			if err != nil {
				return nil, err
			}
			m.Content = append(m.Content, part)
		}
		list = append(list, m)
	}
	return list, nil
}

// samplingOptions set the options of sample/3 by name.
var samplingOptions = map[string]func(c *Conversation, p *mcp.CreateMessageWithToolsParams, value engine.Term) error{
	"max_tokens": func(_ *Conversation, p *mcp.CreateMessageWithToolsParams, x engine.Term) error {
		n, ok := x.(term.Int)
		if !ok || n < 1 {
			return fmt.Errorf("got %s, want a positive integer", content.Show(x))
		}
		p.MaxTokens = int64(n)
		return nil
	},
	"system_prompt": func(_ *Conversation, p *mcp.CreateMessageWithToolsParams, x engine.Term) error {
		p.SystemPrompt = content.Text(x)
		return nil
	},
	"temperature": func(_ *Conversation, p *mcp.CreateMessageWithToolsParams, x engine.Term) (err error) {
		// The SDK leaves 0 out, and clients then choose a value; this value has the effect of 0.
		const coldest = 1e-9
		p.Temperature, err = content.Number(x)
		p.Temperature = max(p.Temperature, coldest)
		return err
	},
	"stop_sequences": func(_ *Conversation, p *mcp.CreateMessageWithToolsParams, x engine.Term) (err error) {
		p.StopSequences, err = textList(x)
		return err
	},
	"include_context": func(_ *Conversation, p *mcp.CreateMessageWithToolsParams, x engine.Term) error {
		p.IncludeContext = content.Text(x)
		return nil
	},
	"metadata": func(c *Conversation, p *mcp.CreateMessageWithToolsParams, x engine.Term) error {
		raw, err := c.Codec.ToJSON(x, nil)
		p.Metadata = raw
		return err
	},
	"models": func(_ *Conversation, p *mcp.CreateMessageWithToolsParams, x engine.Term) error {
		names, err := textList(x)
		for _, name := range names {
			modelPreferences(p).Hints = append(modelPreferences(p).Hints, &mcp.ModelHint{Name: name})
		}
		return err
	},
	"cost_priority": func(_ *Conversation, p *mcp.CreateMessageWithToolsParams, x engine.Term) (err error) {
		modelPreferences(p).CostPriority, err = content.Number(x)
		return err
	},
	"speed_priority": func(_ *Conversation, p *mcp.CreateMessageWithToolsParams, x engine.Term) (err error) {
		modelPreferences(p).SpeedPriority, err = content.Number(x)
		return err
	},
	"intelligence_priority": func(_ *Conversation, p *mcp.CreateMessageWithToolsParams, x engine.Term) (err error) {
		modelPreferences(p).IntelligencePriority, err = content.Number(x)
		return err
	},
	"tools": (*Conversation).samplingTools,
	"tool_choice": func(_ *Conversation, p *mcp.CreateMessageWithToolsParams, x engine.Term) error {
		mode := content.Text(x)
		if !slices.Contains([]string{"auto", "required", "none"}, mode) {
			return fmt.Errorf("got %s, want auto, required or none", content.Show(x))
		}
		p.ToolChoice = &mcp.ToolChoice{Mode: mode}
		return nil
	},
}

// samplingOption sets one option Name(Value).
func (c *Conversation) samplingOption(p *mcp.CreateMessageWithToolsParams, option engine.Term) error {
	name, args := content.Split(option)
	set := samplingOptions[name]
	if set == nil || len(args) != 1 {
		names := slices.Sorted(maps.Keys(samplingOptions))
		if near := spell.Nearest(name, names); near != "" && near != name {
			return fmt.Errorf("unknown option %s, did you mean %s?", content.Show(option), near)
		}
		return fmt.Errorf("unknown option %s, want Name(Value) with one of %s", content.Show(option), spell.Listing(names))
	}
	if err := set(c, p, args[0]); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// samplingTools reads a list of tool(Name, Description, Schema), which the model may call.
func (c *Conversation) samplingTools(p *mcp.CreateMessageWithToolsParams, x engine.Term) error {
	items, ok := term.Slice(x)
	if !ok {
		return fmt.Errorf("got %s, want a list", content.Show(x))
	}
	p.Tools = make([]*mcp.Tool, 0, len(items))
	for _, item := range items {
		args, ok := term.Is(item, "tool", 3)
		if !ok {
			return fmt.Errorf("got %s, want tool(Name, Description, Schema)", content.Show(item))
		}
		schema, err := c.Codec.Compile(args[2])
		if err != nil {
			return err
		}
		p.Tools = append(p.Tools, &mcp.Tool{Name: content.Text(args[0]), Description: content.Text(args[1]),
			InputSchema: schema.JSON()})
	}
	return nil
}

// modelPreferences returns the preferences of a question, to be set.
func modelPreferences(p *mcp.CreateMessageWithToolsParams) *mcp.ModelPreferences {
	if p.ModelPreferences == nil {
		p.ModelPreferences = &mcp.ModelPreferences{}
	}
	return p.ModelPreferences
}

func textList(x engine.Term) ([]string, error) {
	items, ok := term.Slice(x)
	if !ok {
		return nil, fmt.Errorf("got %s, want a list", content.Show(x))
	}
	list := make([]string, len(items))
	for i, item := range items {
		list[i] = content.Text(item)
	}
	return list, nil
}

// sampled is the model's answer, message(Role, Content, Info): the content is one item, or a list
// when there is another number of them.
func (c *Conversation) sampled(_ *Question, r *Reply) (engine.Term, error) {
	got, err := contentOf[mcp.CreateMessageWithToolsResult](r, "the message of the client's model")
	if err != nil {
		return nil, err
	}
	items := make([]engine.Term, 0, len(got.Content))
	for _, part := range got.Content {
		item, err := content.Write(c.Codec, part)
		if err != nil {
			return nil, Error("bad_answer", "the message of the client's model: %s", err)
		}
		items = append(items, item)
	}
	said := term.List(items...)
	if len(items) == 1 {
		said = items[0]
	}
	info := []engine.Term{term.New("model", term.Atom(got.Model))}
	if got.StopReason != "" {
		info = append(info, term.New("stop_reason", term.Atom(got.StopReason)))
	}
	return term.New("message", term.Atom(string(got.Role)), said, term.List(info...)), nil
}
