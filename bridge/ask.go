package bridge

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/bridge/wire"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines asking the client: one way for goals, three for clients. A client of
// a version with sessions is sent the question while its request waits. A later one gets the
// question as the answer to its request and comes back with the answer. A client that
// cannot ask its user leaves that to the model, which comes back with the tool answer.

// way is how a question of a goal is put to a client.
type way int

const (
	nobody way = iota // nobody can answer it
	send              // in a request of ours while the client's waits
	round             // input_required; the client comes again
	model             // the model asks, and calls the tool answer
)

// way returns how the client of a visit is asked.
func (c *call) way(v *visit, q *question) way {
	switch {
	case q.kind.able(v.caps) && v.version >= wire.VersionStateless:
		return round
	case q.kind.able(v.caps):
		return send
	case q.kind.model && c.job.kind == methodCallTool && c.server.current.Load().answerTool != "":
		return model
	}
	return nobody
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
	askAllPredicate = "$mcp_ask_all"
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

// ask gets the missing answers that can be had now; errParked says that there are others.
func (c *call) ask(ctx context.Context, v *visit, missing []question) error {
	for i := range missing {
		if c.way(v, &missing[i]) == nobody {
			return c.unsupported(&missing[i])
		}
	}
	for i := range missing {
		q := &missing[i]
		if c.refused(q) || c.way(v, q) != send { // the user may have refused it just now
			continue
		}
		r, err := c.sendQuestion(ctx, v, q)
		if err != nil {
			return err
		}
		c.past = append(c.past, r)
		c.note(r)
	}
	if len(c.unanswered()) > 0 {
		return errParked
	}
	return nil
}

// unsupported is the exception of a question that the client cannot answer. Its context names the
// capability, which clients of 2026-07-28 are told.
func (c *call) unsupported(q *question) error {
	text := "this client does not have the capability " + q.kind.capability
	switch {
	case q.kind.model && c.job.kind != methodCallTool:
		text = "this client cannot ask its user, and " + c.job.kind + " has no other way to ask"
	case q.kind.model:
		text = "this client cannot ask its user; declare capabilities([elicitation]) and the model will ask"
	}
	formal := term.New("mcp_error", term.Atom("unsupported"), term.String(text))
	return engine.Throw(term.New("error", formal, term.New("client_capability", term.Atom(q.kind.capability))))
}

// sendQuestion asks a client that waits for us. Meanwhile other calls may run.
func (c *call) sendQuestion(ctx context.Context, v *visit, q *question) (reply, error) {
	wait, cancel := context.WithTimeoutCause(ctx, c.server.opts.AskTime, errUnanswered)
	defer cancel()
	var got mcp.InputResponse
	var failure error
	err := v.outside(ctx, c.server, func() error {
		got, failure = q.kind.send(wait, v.session, q.request)
		return ctx.Err()
	})
	switch {
	case err != nil:
		return reply{}, err
	case failure != nil && context.Cause(wait) == errUnanswered:
		return reply{}, mcpError("unanswered", "nobody answered the question %q within %s", schema.Shorten(q.message), secondsText(c.server.opts.AskTime))
	case failure != nil:
		return reply{}, mcpError("unanswered", "the client did not answer the question %q: %s", schema.Shorten(q.message), failure)
	}
	r, _ := newReply(q.key, q.digest, got) // the SDK knows what answers a request
	return r, nil
}

var errUnanswered = errors.New("the question was not answered in time")

// hear takes the answers that a client brings to open questions.
func (c *call) hear(responses mcp.InputResponseMap) {
	for i := range c.dialogue.open {
		q := &c.dialogue.open[i]
		if r, ok := newReply(q.key, q.digest, responses[q.key]); ok && r.answers(q) && c.recall(q) == nil {
			c.past = append(c.past, r)
		}
	}
}

// recall returns the answer that a question has had already, or nil.
func (c *call) recall(q *question) *reply {
	for i := range c.past {
		if r := &c.past[i]; r.answers(q) {
			return r
		}
	}
	return nil
}

// refused reports whether the user wants to hear no more of a question.
func (c *call) refused(q *question) bool {
	return q.kind.byPeople() && (c.dialogue.cancelled || c.dialogue.declined[q.digest])
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
	case r != nil:
		return q.kind.answer(c, q, r)
	case c.dialogue.cancelled:
		return term.Atom("cancel"), nil
	}
	return term.Atom("decline"), nil
}

// readQuestions finds out what the goal waits for.
func (c *call) readQuestions() error {
	name, args := c.run.Waiting()
	c.dialogue.keyed = name == askAllPredicate
	items := []engine.Term{args[0]}
	switch name {
	case elicitPredicate:
		items[0] = term.New("ask", term.Atom(""), args[0], args[1])
	case askAllPredicate:
		list, ok := term.Slice(args[0])
		if !ok {
			return engine.TypeError("list", args[0])
		}
		items = list
	}
	list := make([]question, 0, len(items))
	for _, item := range items {
		q, err := c.readQuestion(item)
		if err != nil {
			return err
		}
		list = append(list, q)
	}
	c.dialogue.open = list
	return nil
}

// mcpError is an exception about talking to the client. Goals may catch it as
// error(mcp_error(Kind, Text), _).
func mcpError(kind, format string, args ...any) error {
	formal := term.New("mcp_error", term.Atom(kind), term.String(fmt.Sprintf(format, args...)))
	return engine.Throw(term.New("error", formal, term.NewVar("")))
}
