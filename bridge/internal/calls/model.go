package calls

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/internal/schema"
)

// This file defines asking through the model, for clients that cannot ask their user: a call
// returns its question as a result, and the tool answer goes on with it. It goes on too with calls that have more
// questions than a client answers in one request.

// AnswerArguments are the arguments of the tool answer.
type AnswerArguments struct {
	Token  string          `json:"token"`
	Answer json.RawMessage `json:"answer"`
	Action string          `json:"action"`
}

// answerSchemaJSON is the schema of the arguments of the tool answer, with a place for the type of the answer.
const answerSchemaJSON = `{
	"type": "object",
	"properties": {
		"token": {"type": "string", "description": "The token that came with the question."},
		"answer": {%s"description": "The user's answer, an object that fits the schema of the question."},
		"action": {"type": "string", "enum": ["accept", "decline", "cancel"], "default": "accept",
			"description": "decline when the user does not want to answer this question, cancel when they want to stop."}
	},
	"required": ["token"],
	"additionalProperties": false
}`

// AnswerSchema checks the arguments. It is more lenient than the schema that models see: where an object with one
// property is wanted, the value of that property will do.
var AnswerSchema = refusal.Schema("answer", fmt.Sprintf(answerSchemaJSON, ""))

// DescribeAnswer is what clients see of the tool answer.
func DescribeAnswer(name string) *mcp.Tool {
	return &mcp.Tool{
		Name:  name,
		Title: "Answer a question",
		Description: "Passes on the user's answer to a question that another tool has returned, " +
			"and goes on with that tool. Ask the user; do not make answers up. " +
			"Where a tool has asked for a call with its token alone, the user is asked elsewhere.",
		InputSchema: json.RawMessage(fmt.Sprintf(answerSchemaJSON, `"type": "object", "additionalProperties": true, `)),
	}
}

// Empty reports whether there is nothing but a token.
func (a *AnswerArguments) Empty() bool { return len(a.Answer) == 0 && a.Action == "" }

// Question is the result that asks the model. Of several open questions it has the first, since models manage one
// token better than many.
func (c *Call) Question(cr *Request) *mcp.CallToolResult {
	open := c.Unanswered()
	q := &open[max(0, slices.IndexFunc(open, func(q dialogue.Question) bool { return c.route(cr, &q) == viaModel }))]
	c.ModelKey = q.Key
	name, token := c.runner.host.AnswerTool(), c.parkForModel()
	if q.Kind == dialogue.URLKind {
		return urlQuestion(q, name, token)
	}
	text := fmt.Sprintf("This tool has a question for the user. "+
		"Ask them, then call the tool %s with the token and their answer.\n\n"+
		"Question: %s\nSchema of the answer: %s\nToken: %s", name, q.Message, q.Schema.JSON(), token)
	return &mcp.CallToolResult{Content: content.OfText(text), StructuredContent: schema.Object{}.
		With("question", q.Message).With("schema", q.Schema.JSON()).With("token", token).JSON()}
}

// leaveToModel adds to the result of a call that is not decided the questions, for programs, and the token by which the
// model can answer them one after the other. The call then runs again.
func (c *Call) leaveToModel(r *mcp.CallToolResult, left []dialogue.Left) {
	list := make([]schema.Object, len(left))
	for i, l := range left {
		list[i] = schema.Object{}.With("question", l.Message).With("asked", "the user").With("why", l.Why)
		if l.Schema != nil {
			list[i] = list[i].With("schema", l.Schema.JSON())
		} else if form, ok := l.Request.(*mcp.ElicitParams); ok {
			list[i] = list[i].With("url", form.URL)
		}
	}
	structured := schema.Object{}.With("undecided", list)
	if c.CanModel {
		c.Reask()
		c.ModelKey = left[0].Key
		name, token := c.runner.host.AnswerTool(), c.parkForModel()
		next := fmt.Sprintf("Ask the user the first question, then call the tool %s with the token and their answer.", name)
		structured = structured.With("token", token).With("note", "Not decided. "+next)
		r.Content = append(r.Content, content.OfText(next+"\nToken: "+token)...)
	}
	r.StructuredContent = structured.JSON()
}

// parkForModel lets a call wait and returns the token for the tool answer.
func (c *Call) parkForModel() string {
	if dialogue.CanElicit(c.Request.Caps) { // others have the tool anyway
		c.runner.host.ShowAnswerTool(c.Client)
	}
	c.Round++
	c.runner.Waiting.Put(c.ID, c)
	return fmt.Sprintf("%s-%d", c.ID, c.Round)
}

// urlQuestion asks the model to send the user to an address.
func urlQuestion(q *dialogue.Question, name, token string) *mcp.CallToolResult {
	address := q.Request.(*mcp.ElicitParams).URL
	text := fmt.Sprintf("This tool wants the user to visit an address. "+
		"Show it to them; when they have agreed and are done, "+
		"call the tool %s with the token, or with action decline if they refuse.\n\n"+
		"Message: %s\nAddress: %s\nToken: %s", name, q.Message, address, token)
	return &mcp.CallToolResult{Content: content.OfText(text), StructuredContent: schema.Object{}.
		With("question", q.Message).With("url", address).With("token", token).JSON()}
}

// ComeBack checks the state that a client brings to a call that waits. Answers to an older question are dropped.
func (c *Call) ComeBack(cr *Request) error {
	state, err := c.runner.key.Open(cr.State, c.Job.Binding)
	if err == nil && state.ID != c.ID {
		err = sealed.ErrBadState
	}
	if err != nil {
		return refusal.InvalidParams("%s", err)
	}
	if state.Round != c.Round {
		cr.Responses = nil
	}
	return nil
}

// TakeAnswer notes the model's answer to the question that it was given, unless it does not fit.
func (c *Call) TakeAnswer(answer json.RawMessage, action string) error {
	open := c.Asked.Open
	at := slices.IndexFunc(open, func(q dialogue.Question) bool {
		return q.Key == c.ModelKey || c.ModelKey == "" && q.Kind.Model
	})
	if at < 0 {
		return nil
	}
	q := &open[at]
	r := dialogue.Reply{Key: q.Key, Digest: q.Digest, Action: cmp.Or(action, "accept")}
	if r.Action == "accept" && q.Schema != nil {
		r.Content = wrapAnswer(q, answer)
		if _, err := c.FormContent(q, &r); err != nil {
			return err
		}
	}
	c.Past = append(c.Past, r)
	return nil
}

// wrapAnswer makes an object of an answer that is only the value of the one property.
func wrapAnswer(q *dialogue.Question, answer json.RawMessage) json.RawMessage {
	if len(answer) == 0 || q.Schema.Validate(answer) == nil {
		return answer
	}
	if names := q.Schema.Properties(); len(names) == 1 && answer[0] != '{' {
		return schema.Object{}.With(names[0], answer).JSON()
	}
	return answer
}

// Continuation is the result of a call whose user has more to answer than the client allows in one request. The tool
// answer goes on with the call in a request of its own. hasSchema says that results of the tool have to fit a schema.
func (c *Call) Continuation(hasSchema bool) *mcp.CallToolResult {
	c.ModelKey = ""
	token := c.parkForModel()
	text := fmt.Sprintf("This is not finished: there are more questions for the user than one call may ask. "+
		"Call the tool %s with the token and no answer; the user is asked there.\n\nToken: %s",
		c.runner.host.AnswerTool(), token)
	r := &mcp.CallToolResult{Content: content.OfText(text)}
	if hasSchema {
		r.IsError = true // clients hold any other result against the schema
		return r
	}
	r.StructuredContent = schema.Object{}.With("unfinished", true).With("token", token).JSON()
	return r
}
