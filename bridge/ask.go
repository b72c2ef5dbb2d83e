package bridge

import (
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/wire"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines asking the client: one way for goals, three for clients. A client of
// a version with sessions is sent the question while its request waits. A later one gets the
// question as the answer to its request and comes back with the answer. A client that
// cannot ask its user leaves that to the model, which comes back with the tool answer.

// route is how a question of a goal is put to a client.
type route int

const (
	viaNobody  route = iota // nobody can answer it
	viaRequest              // in a request of ours while the client's waits
	viaRound                // input_required; the client comes again
	viaModel                // the model asks, and calls the tool answer
)

// route returns how a client is asked a question.
func (c *call) route(cr *clientRequest, q *question) route {
	switch {
	case q.kind.able(cr.caps) && cr.version >= wire.VersionStateless:
		return viaRound
	case q.kind.able(cr.caps):
		return viaRequest
	case q.kind.model && c.job.kind == methodCallTool && c.server.current.Load().answerTool != "":
		return viaModel
	}
	return viaNobody
}

// converse answers what the goal waits for and lets it go on. The error is errParked when some answers are neither
// known nor to be had in this request.
func (c *call) converse(ctx context.Context, cr *clientRequest) error {
	if c.dialogue.open == nil {
		if err := c.readQuestions(c.run.Waiting()); err != nil {
			return c.run.ResumeError(err)
		}
	}
	c.hear(cr.responses)
	cr.responses = nil
	c.reopen()
	missing := c.unanswered()
	if len(missing) > 0 {
		if err := c.ask(ctx, cr, missing); err != nil {
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

// ask gets the missing answers from the client. The error is errParked when the client has to come back with some.
func (c *call) ask(ctx context.Context, cr *clientRequest, missing []question) error {
	for i := range missing {
		if c.route(cr, &missing[i]) == viaNobody {
			return c.unsupported(&missing[i])
		}
	}
	for i := range missing {
		q := &missing[i]
		if c.refused(q) || c.route(cr, q) != viaRequest { // the user may have refused it just now
			continue
		}
		r, err := c.askAgain(ctx, cr, q)
		if err != nil {
			return err
		}
		r.Final = true
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

// askAgain asks a client that waits for us until the answer fits, or for the last time. Each time
// but the first the message says what was wrong.
func (c *call) askAgain(ctx context.Context, cr *clientRequest, q *question) (reply, error) {
	again := *q
	for range maxAsks - 1 {
		r, err := c.sendQuestion(ctx, cr, &again)
		if err != nil || q.schema == nil || r.Action != "accept" {
			return r, err
		}
		_, wrong := c.formContent(q, &r)
		if wrong == nil {
			return r, nil
		}
		again.request = corrected(q, wrong)
	}
	return c.sendQuestion(ctx, cr, &again)
}

// sendQuestion asks a client that waits for us. Meanwhile other calls may run.
func (c *call) sendQuestion(ctx context.Context, cr *clientRequest, q *question) (reply, error) {
	wait, cancel := context.WithTimeoutCause(ctx, c.server.opts.AskTime, errUnanswered)
	defer cancel()
	var got mcp.InputResponse
	var failure error
	err := cr.outside(ctx, c.server, func() error {
		got, failure = q.kind.send(wait, cr.session, q.request)
		return ctx.Err()
	})
	switch {
	case err != nil:
		return reply{}, err
	case failure != nil && context.Cause(wait) == errUnanswered:
		return reply{}, mcpError("unanswered", "nobody answered the question %q within %s", spell.Shorten(q.message),
			secondsText(c.server.opts.AskTime))
	case failure != nil && strings.Contains(failure.Error(), sdkMisfit):
		return reply{}, misfit(q, failure)
	case failure != nil:
		return reply{}, mcpError("unanswered", "the client did not answer the question %q: %s", spell.Shorten(q.message),
			failure)
	}
	r, _ := newReply(q.key, q.digest, got) // the SDK knows what answers a request
	return r, nil
}

// sdkMisfit is in the error by which clients made with the SDK refuse an answer of their user's.
const sdkMisfit = "does not match requested schema"

var errUnanswered = errors.New("the question was not answered in time")
