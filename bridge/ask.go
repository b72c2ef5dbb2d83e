package bridge

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines asking the user: one way for goals, three for clients. A client of
// a version with sessions is sent the question while its request waits. A later one gets the
// question as the answer to its request and comes back with the user's. A client that
// cannot ask its user leaves that to the model, which comes back with the tool answer.

// way is how the questions of a goal reach the user.
type way int

const (
	send  way = iota // elicitation/create while the request waits
	round            // input_required; the client comes again
	model            // the model asks, and calls the tool answer
)

// way returns how the client of a visit is asked.
func (v *visit) way() way {
	switch {
	case !canElicit(v.caps):
		return model
	case v.version >= versionStateless:
		return round
	}
	return send
}

// canElicit reports whether a client shows forms to its user. One that says nothing but that
// it elicits shows forms.
func canElicit(caps *mcp.ClientCapabilities) bool {
	if caps == nil || caps.Elicitation == nil {
		return false
	}
	return caps.Elicitation.Form != nil || caps.Elicitation.URL == nil
}

// question is one question to the user.
type question struct {
	// key tells the questions of a call apart, digest equal questions from others; label is
	// the key that the goal uses.
	key, digest, label string
	message            string
	schema             *Schema
}

// params is the question as the protocol has it.
func (q *question) params() *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "form", Message: q.message, RequestedSchema: q.schema.JSON()}
}

// reply is the answer to a question.
type reply struct {
	Key    string `json:"k"`
	Digest string `json:"d,omitempty"` // "" fits every question of this key
	// Action is accept, decline or cancel.
	Action  string          `json:"a"`
	Content json.RawMessage `json:"c,omitempty"`
}

// dialogue is what has been asked in one run of a goal.
type dialogue struct {
	// open are the questions that the goal waits for, keyed says that it wants Key-Answer pairs.
	open  []question
	keyed bool
	// keys counts the questions of each key, to keep keys apart.
	keys map[string]int
	// declined are the digests of questions that the user has declined; cancelled is set once
	// the user has cancelled. Neither is asked again.
	declined  map[string]bool
	cancelled bool
}

// The names of the predicates that wait, see Predicates.
const (
	elicitPredicate = "$mcp_elicit"
	askPredicate    = "$mcp_ask"
)

// converse goes on where the goal waits: with answers that are known already, with those the
// client gives now, or with errParked.
func (c *call) converse(ctx context.Context, v *visit) error {
	if c.dialogue.open == nil {
		if err := c.readQuestions(); err != nil {
			return c.run.ResumeError(err)
		}
	}
	c.hear(v.responses)
	v.responses = nil
	missing := c.unanswered()
	if len(missing) > 0 {
		if err := c.ask(ctx, v, missing); err != nil {
			if err == errParked || ctx.Err() != nil {
				return err
			}
			c.dialogue.open = nil
			return c.run.ResumeError(err)
		}
	}
	answer, err := c.answer()
	c.dialogue.open = nil
	if err != nil {
		return c.run.ResumeError(err)
	}
	c.run.Resume(answer)
	return nil
}

// ask gets the missing answers.
func (c *call) ask(ctx context.Context, v *visit, missing []question) error {
	switch way := v.way(); {
	case way == round:
		return errParked
	case way == model && c.job.kind != methodCallTool:
		return mcpError("unsupported", "this client cannot ask its user, and %s has no other way to ask", c.job.kind)
	case way == model && c.server.current.Load().answerTool == "":
		return mcpError("unsupported", "this client cannot ask its user; declare capabilities([elicitation]) and the model will ask")
	case way == model:
		return errParked
	}
	for i := range missing {
		if c.refused(&missing[i]) {
			continue // as the user did just now
		}
		r, err := c.sendQuestion(ctx, v, &missing[i])
		if err != nil {
			return err
		}
		c.past = append(c.past, r)
		c.note(r)
	}
	return nil
}

// sendQuestion asks a client that waits for us. Meanwhile other calls may run.
func (c *call) sendQuestion(ctx context.Context, v *visit, q *question) (reply, error) {
	wait, cancel := context.WithTimeoutCause(ctx, c.server.opts.AskTime, errUnanswered)
	defer cancel()
	var got *mcp.ElicitResult
	var failure error
	err := v.outside(ctx, c.server, func() error {
		got, failure = v.session.Elicit(wait, q.params())
		return ctx.Err()
	})
	switch {
	case err != nil:
		return reply{}, err
	case failure != nil && context.Cause(wait) == errUnanswered:
		return reply{}, mcpError("unanswered", "nobody answered the question %q within %s", shorten(q.message), secondsText(c.server.opts.AskTime))
	case failure != nil:
		return reply{}, mcpError("unanswered", "the client did not answer the question %q: %s", shorten(q.message), failure)
	}
	return newReply(q, got), nil
}

var errUnanswered = errors.New("the question was not answered in time")

func newReply(q *question, got *mcp.ElicitResult) reply {
	r := reply{Key: q.key, Digest: q.digest, Action: got.Action}
	if got.Content != nil {
		content, err := json.Marshal(got.Content)
		if err == nil { // what was decoded from JSON can be encoded
			r.Content = content
		}
	}
	return r
}

// hear takes the answers that a client brings to open questions.
func (c *call) hear(responses mcp.InputResponseMap) {
	for i := range c.dialogue.open {
		q := &c.dialogue.open[i]
		if got, ok := responses[q.key].(*mcp.ElicitResult); ok && c.recall(q) == nil {
			c.past = append(c.past, newReply(q, got))
		}
	}
}

// recall returns the answer that a question has had already, or nil.
func (c *call) recall(q *question) *reply {
	for i := range c.past {
		if r := &c.past[i]; r.Key == q.key && (r.Digest == q.digest || r.Digest == "") {
			return r
		}
	}
	return nil
}

// refused reports whether the user wants to hear no more of a question.
func (c *call) refused(q *question) bool {
	return c.dialogue.cancelled || c.dialogue.declined[q.digest]
}

// unanswered returns the open questions that the user has to be asked.
func (c *call) unanswered() []question {
	var list []question
	for _, q := range c.dialogue.open {
		if r := c.recall(&q); r != nil {
			c.note(*r)
		} else if !c.refused(&q) {
			list = append(list, q)
		}
	}
	return list
}

// note remembers what must not be asked again.
func (c *call) note(r reply) {
	switch r.Action {
	case "decline":
		if c.dialogue.declined == nil {
			c.dialogue.declined = map[string]bool{}
		}
		c.dialogue.declined[r.Digest] = true
	case "cancel":
		c.dialogue.cancelled = true
	}
}

// answer makes the term that the goal waits for.
func (c *call) answer() (engine.Term, error) {
	var list []engine.Term
	for i := range c.dialogue.open {
		q := &c.dialogue.open[i]
		one, err := c.answerTo(q)
		if err != nil {
			return nil, err
		}
		if !c.dialogue.keyed {
			return one, nil
		}
		list = append(list, term.New("-", term.Atom(q.label), one))
	}
	return term.List(list...), nil
}

func (c *call) answerTo(q *question) (engine.Term, error) {
	r := c.recall(q)
	switch {
	case r == nil && c.dialogue.cancelled:
		return term.Atom("cancel"), nil
	case r == nil:
		return term.Atom("decline"), nil
	case r.Action == "decline" || r.Action == "cancel":
		return term.Atom(r.Action), nil
	case r.Action != "accept":
		return nil, mcpError("bad_answer", "the client answered the question %q with the action %q, which is none of accept, decline and cancel",
			shorten(q.message), shorten(r.Action))
	}
	content := r.Content
	if content == nil {
		content = json.RawMessage("{}")
	}
	if err := q.schema.Validate(content); err != nil {
		return nil, mcpError("bad_answer", "the answer to the question %q does not fit its schema: %s", shorten(q.message), err)
	}
	x, err := c.job.codec.FromJSON(content, nil)
	if err != nil {
		return nil, mcpError("bad_answer", "the answer to the question %q: %s", shorten(q.message), err)
	}
	return term.New("accept", x), nil
}

// readQuestions finds out what the goal waits for.
func (c *call) readQuestions() error {
	name, args := c.run.Waiting()
	c.dialogue.keyed = name == askPredicate
	if name == elicitPredicate {
		q, err := c.readQuestion("", args[0], args[1])
		if err != nil {
			return err
		}
		c.dialogue.open = []question{q}
		return nil
	}
	items, ok := term.Slice(args[0])
	if !ok {
		return engine.TypeError("list", args[0])
	}
	list := make([]question, 0, len(items))
	for _, item := range items {
		parts, ok := term.Is(item, "ask", 3)
		if !ok {
			return engine.TypeError("ask(Key, Message, Schema)", item)
		}
		key, ok := term.Text(parts[0])
		if !ok || key == "" {
			return engine.TypeError("atom", parts[0])
		}
		q, err := c.readQuestion(key, parts[1], parts[2])
		if err != nil {
			return err
		}
		list = append(list, q)
	}
	c.dialogue.open = list
	return nil
}

// readQuestion makes a question of what a goal gives. Without a key of its own it gets one by
// its number, which is the same whenever the goal is run with the same answers.
func (c *call) readQuestion(key string, message, schema engine.Term) (question, error) {
	text, ok := term.Text(message)
	if !ok {
		text = textOf(message)
	}
	raw, err := c.job.codec.SchemaJSON(schema)
	if err != nil {
		return question{}, mcpError("bad_question", "the schema of the question %q is not a JSON Schema: %s", shorten(text), err)
	}
	compiled, err := CompileSchema(raw)
	if err != nil {
		return question{}, mcpError("bad_question", "the schema of the question %q: %s", shorten(text), err)
	}
	if !compiled.IsObject() {
		return question{}, mcpError("bad_question", `the schema of the question %q has to have type-object`, shorten(text))
	}
	sum := sha256.Sum256([]byte(text + "\x00" + string(raw)))
	return question{key: c.uniqueKey(key), label: key, message: text, schema: compiled,
		digest: base64.RawURLEncoding.EncodeToString(sum[:9])}, nil
}

// uniqueKey returns a key that no question of this run has had. Questions without one are
// q1, q2 and so on.
func (c *call) uniqueKey(key string) string {
	if c.dialogue.keys == nil {
		c.dialogue.keys = map[string]int{}
	}
	c.dialogue.keys[key]++
	n := c.dialogue.keys[key]
	switch {
	case key == "":
		return fmt.Sprintf("q%d", n)
	case n > 1:
		return fmt.Sprintf("%s#%d", key, n)
	}
	return key
}

// mcpError is an exception about talking to the client. Goals may catch it as
// error(mcp_error(Kind, Text), _).
func mcpError(kind, format string, args ...any) error {
	formal := term.New("mcp_error", term.Atom(kind), term.String(fmt.Sprintf(format, args...)))
	return engine.Throw(term.New("error", formal, term.NewVar("")))
}
