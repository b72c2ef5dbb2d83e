package calls

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/waiting"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines how goals ask the client. Goals ask in one way; clients are asked in three ways. A client of a
// protocol version with sessions gets the question while its request waits. A client of a later version gets the
// question as the result of its request, and repeats the request with the answer. If the client cannot ask its user,
// the model gets the question and answers with the tool answer. The file also defines calls of several rounds: how they
// are resumed, and the state that the client keeps of them.

// route is how a question of a goal is put to a client.
type route int

const (
	viaNobody  route = iota // the question cannot be answered
	viaRequest              // in a request of the server while the client's request waits
	viaRound                // by input_required; the client repeats its request
	viaModel                // the model asks, and calls the tool answer
)

// route returns how a client is asked a question.
func (c *Call) route(cr *Request, q *dialogue.Question) route {
	modelCan := q.Kind.Model && c.CanModel
	switch {
	case modelCan && (c.ByModel || q.Kind == dialogue.FormKind && c.Client.Model.Load()):
		return viaModel
	case q.Kind.Able(cr.Caps) && cr.Version >= wire.VersionStateless:
		return viaRound
	case q.Kind.Able(cr.Caps):
		return viaRequest
	case modelCan:
		return viaModel
	}
	return viaNobody
}

// converse answers the questions that the goal waits for, and lets the goal continue. The error is ErrParked if some
// answers are unknown and cannot be obtained in this request.
func (c *Call) converse(ctx context.Context, cr *Request) error {
	if c.Asked.Open == nil {
		if err := c.ReadQuestions(c.Run.Waiting()); err != nil {
			return c.GoOn(nil, err)
		}
	}
	c.Hear(cr.Responses)
	cr.Responses = nil
	c.Reopen()
	missing := c.Unanswered()
	if len(missing) > 0 {
		if err := c.ask(ctx, cr, missing); err != nil {
			if err == ErrParked || ctx.Err() != nil || errors.As(err, new(*engine.Aborted)) {
				return err
			}
			return c.GoOn(nil, err)
		}
	}
	return c.GoOn(c.Answer())
}

// ask gets the missing answers from the client. The error is ErrParked if the client has to come back with some of
// them.
func (c *Call) ask(ctx context.Context, cr *Request, missing []dialogue.Question) error {
	for i := range missing {
		if c.route(cr, &missing[i]) == viaNobody {
			return c.unsupported(&missing[i])
		}
	}
	if cr.quiet {
		return ErrParked
	}
	for i := range missing {
		q := &missing[i]
		if c.Refused(q) || c.route(cr, q) != viaRequest { // the user may have refused it just now
			continue
		}
		r, err := c.askAgain(ctx, cr, q)
		if err != nil {
			return err
		}
		if c.route(cr, q) == viaModel { // as has turned out just now
			continue
		}
		r.Final = true
		c.Past = append(c.Past, r)
		c.Note(r)
	}
	if len(c.Unanswered()) > 0 {
		return ErrParked
	}
	return nil
}

// unsupported is the exception of a question that the client cannot answer. Its context names the
// capability, which clients of 2026-07-28 are told.
func (c *Call) unsupported(q *dialogue.Question) error {
	text := "this client does not have the capability " + q.Kind.Capability
	switch {
	case q.Kind.Model && c.Job.Kind != CallTool:
		text = "this client cannot ask its user, and " + c.Job.Kind + " has no other way to ask"
	case q.Kind.Model:
		text = "this client cannot ask its user; declare capabilities([elicitation]) and the model will ask"
	}
	formal := term.New("mcp_error", term.Atom("unsupported"), term.String(text))
	return engine.Throw(term.New("error", formal, term.New("client_capability", term.Atom(q.Kind.Capability))))
}

// askAgain asks a waiting client until the answer fits, a bounded number of times. From the second time on, the message
// says what was wrong.
func (c *Call) askAgain(ctx context.Context, cr *Request, q *dialogue.Question) (dialogue.Reply, error) {
	again := *q
	for range dialogue.MaxAsks - 1 {
		r, err := c.sendQuestion(ctx, cr, &again)
		if err != nil || q.Schema == nil || r.Action != "accept" {
			return r, err
		}
		_, wrong := c.FormContent(q, &r)
		if wrong == nil || !c.AskAnew(&again, &r, wrong) || c.route(cr, q) == viaModel {
			return r, nil
		}
	}
	return c.sendQuestion(ctx, cr, &again)
}

// sendQuestion sends a question to a waiting client. Meanwhile other calls may run.
func (c *Call) sendQuestion(ctx context.Context, cr *Request, q *dialogue.Question) (dialogue.Reply, error) {
	wait, cancel := context.WithTimeoutCause(ctx, c.runner.limits.AskTime, errUnanswered)
	defer cancel()
	var got mcp.InputResponse
	var failure error
	var refused *jsonrpc.Error
	err := cr.outside(ctx, c.runner, func() error {
		got, failure = q.Kind.Send(wait, cr.Session, q.Request)
		return ctx.Err()
	})
	switch {
	case err != nil:
		return dialogue.Reply{}, err
	case errors.As(failure, &refused) && refused.Code == wire.CodeEnded:
		return dialogue.Reply{}, &engine.Aborted{Reason: refused.Message}
	case failure != nil && context.Cause(wait) == errUnanswered:
		return dialogue.Unanswered(q, "nobody answered within "+secondsText(c.runner.limits.AskTime))
	case failure != nil && strings.Contains(failure.Error(), sdkMisfit):
		return dialogue.Reply{}, dialogue.Misfit(q, failure)
	case failure != nil:
		return dialogue.Unanswered(q, "the client said: "+failure.Error())
	}
	r, _ := dialogue.NewReply(q.Key, q.Digest, got) // the SDK matches answers to requests
	return r, nil
}

// sdkMisfit is in the error by which clients made with the SDK refuse an answer of their user.
const sdkMisfit = "does not match requested schema"

var errUnanswered = errors.New("the question was not answered in time")

// MaxLegs bounds how often a client is told to repeat a request with answers. Clients of 2026-07-28 take the tenth time
// for an endless loop.
const MaxLegs = 9

// Park suspends a call and returns the state for its client.
func (c *Call) Park() string {
	c.Round++
	c.Legs++
	state := c.state()
	c.runner.Waiting.Put(c.ID, c)
	return state
}

// state returns the sealed state of a call that the client keeps.
func (c *Call) state() string {
	state := &sealed.State{ID: c.ID, Round: c.Round, Legs: c.Legs, Binding: c.Job.Binding, Past: c.Past,
		Now: c.Given.Now, Seed: c.Given.Seed, Seen: c.runner.Sequence(),
		Expires: time.Now().Add(sealed.StateLife).UTC().Truncate(time.Second)}
	for _, q := range c.Unanswered() {
		state.Asked = append(state.Asked, sealed.Asked{Reply: dialogue.Reply{Key: q.Key, Digest: q.Digest},
			Misfits: c.Misfits[q.Key]})
	}
	return c.runner.key.Seal(state)
}

// Inputs are the questions that the client has to answer.
func (c *Call) Inputs(cr *Request) mcp.InputRequestMap {
	requests := mcp.InputRequestMap{}
	for _, q := range c.Unanswered() {
		if c.route(cr, &q) == viaRound {
			requests[q.Key] = q.Request
		}
	}
	return requests
}

// inputRequired is the result by which a client is asked to repeat its request with answers.
type inputRequired struct {
	Inputs mcp.InputRequestMap
	State  string
}

// Serve runs the call of a client's request, from its start or from where it waits. It returns a result, the questions
// that the client has to answer first, or an error.
func (r *Runner) Serve(ctx context.Context, cr *Request, j *Job) (mcp.Result, *inputRequired, error) {
	c, err := r.Resume(j, cr)
	if err != nil {
		return nil, nil, err
	}
	result, err := c.Advance(ctx, cr)
	switch {
	case err == ErrParked:
		return nil, &inputRequired{c.Inputs(cr), c.Park()}, nil
	case err == nil:
		r.NoteSequence(result)
		c.Job.NoteRules(result)
		return result, nil, nil
	case err == ErrFailed:
		return result, nil, err
	}
	if wire := c.WireError(cr, err); wire != nil {
		return nil, nil, wire
	}
	return nil, nil, wire.InternalError("%s: %s", j.label(), c.Explain(err))
}

// Resume returns the call that a request continues. A request without a state begins a new call. A request with a state
// continues the waiting call. If that call has ended or fallen behind, a new call with the answers so far replaces it.
func (r *Runner) Resume(j *Job, cr *Request) (*Call, error) {
	if _, err := cr.demanded(); err != nil {
		return nil, err
	}
	j = j.OfUser(cr.User)
	if cr.State == "" {
		c := r.NewCall(j)
		for key, got := range cr.Responses {
			if r, ok := dialogue.NewReply(key, "", got); ok {
				c.Past = append(c.Past, r)
			}
		}
		cr.Responses = nil
		return c, nil
	}
	state, err := r.key.Open(cr.State, j.Binding)
	if err != nil {
		return nil, refusal.InvalidParams("%s", err)
	}
	c, how := r.Waiting.Take(state.ID)
	switch how {
	case waiting.Gone:
		return nil, refusal.InvalidParams("this round of the call was answered before; make the call anew")
	case waiting.Unknown:
		return r.replay(j, cr, state), nil
	}
	switch {
	case state.Round > c.Round: // another server with the same key has continued the call since
		c.Close()
		return r.replay(j, cr, state), nil
	case state.Round < c.Round:
		cr.Responses = nil // an answer to an older question; the present one is asked again
	}
	return c, nil
}

// replay returns a call that runs again with the answers in the state of its client.
func (r *Runner) replay(j *Job, cr *Request, state *sealed.State) *Call {
	c := r.NewCall(j)
	c.ID, c.Round, c.Legs, c.Past = state.ID, state.Round, state.Legs, state.Past
	c.Misfits, c.seen = map[string]int{}, state.Seen
	c.Given.Now, c.Given.Seed = state.Now, state.Seed
	for _, asked := range state.Asked {
		c.Misfits[asked.Key] = asked.Misfits
		if r, ok := dialogue.NewReply(asked.Key, asked.Digest, cr.Responses[asked.Key]); ok {
			c.Past = append(c.Past, r)
		}
	}
	cr.Responses = nil
	return c
}

// This part defines asking through the model, for clients that cannot ask their user: a call returns its question as a
// result, and the tool answer continues the call. The tool also continues calls that have more questions than a client
// answers in one request.

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
		"token": {"type": "string", "description": "That of the question."},
		"answer": {%s"description": "An object that fits the schema of the question."},
		"action": {"type": "string", "enum": ["accept", "decline", "cancel"], "default": "accept",
			"description": "cancel when the user wants to stop."}
	},
	"required": ["token"],
	"additionalProperties": false
}`

// AnswerSchema checks the arguments. It is more lenient than the schema that models see: in place of an object with a
// single property it accepts the value of that property.
var AnswerSchema = refusal.Schema("answer", fmt.Sprintf(answerSchemaJSON, ""))

// DescribeAnswer returns the tool answer as clients see it.
func DescribeAnswer(name string) *mcp.Tool {
	return &mcp.Tool{
		Name:  name,
		Title: "Answer a question",
		Description: "Passes on the user's answer to a question of another tool, and goes on with that tool. Ask the user; " +
			"do not make answers up. Where a tool wants a call with its token alone, the user is asked elsewhere.",
		InputSchema: json.RawMessage(fmt.Sprintf(answerSchemaJSON, `"type": "object", "additionalProperties": true, `)),
	}
}

// Empty reports whether the arguments have only a token.
func (a *AnswerArguments) Empty() bool { return len(a.Answer) == 0 && a.Action == "" }

// Question is the result that asks the model. If several questions are open, it has only the first, since models handle
// one token better than many.
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

// leaveToModel adds two things to the result of an undecided call: the questions, for programs, and the token by which
// the model can answer them one after the other. The call then runs again.
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

// parkForModel suspends a call and returns the token for the tool answer.
func (c *Call) parkForModel() string {
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

// ComeBack checks the state that a client returns to a waiting call. It drops answers to an older question.
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

// TakeAnswer notes the model's answer to its question, if the answer fits.
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

// wrapAnswer makes an object of an answer that is only the value of its single property.
func wrapAnswer(q *dialogue.Question, answer json.RawMessage) json.RawMessage {
	if len(answer) == 0 || q.Schema.Validate(answer) == nil {
		return answer
	}
	if names := q.Schema.Properties(); len(names) == 1 && answer[0] != '{' {
		return schema.Object{}.With(names[0], answer).JSON()
	}
	return answer
}

// Continuation is the result of a call with more questions than the client allows in one request. The tool answer
// continues the call in a separate request. hasSchema says that results of the tool have to fit a schema.
func (c *Call) Continuation(hasSchema bool) *mcp.CallToolResult {
	c.ModelKey = ""
	token := c.parkForModel()
	text := fmt.Sprintf("This is not finished: there are more questions for the user than one call may ask. "+
		"Call the tool %s with the token and no answer; the user is asked there.\n\nToken: %s",
		c.runner.host.AnswerTool(), token)
	r := &mcp.CallToolResult{Content: content.OfText(text)}
	if hasSchema {
		r.IsError = true // clients check any other result against the schema
		return r
	}
	r.StructuredContent = schema.Object{}.With("unfinished", true).With("token", token).JSON()
	return r
}
