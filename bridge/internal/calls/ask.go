package calls

import (
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines asking the client: one way for goals, three for clients. A client of a version with sessions is
// sent the question while its request waits. A later one gets the question as the answer to its request and comes back
// with the answer. A client that cannot ask its user leaves that to the model, which comes back with the tool answer.

// route is how a question of a goal is put to a client.
type route int

const (
	viaNobody  route = iota // nobody can answer it
	viaRequest              // in a request of ours while the client's waits
	viaRound                // input_required; the client comes again
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

// converse answers what the goal waits for and lets it go on. The error is ErrParked when some answers are neither
// known nor to be had in this request.
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

// ask gets the missing answers from the client. The error is ErrParked when the client has to come back with some.
func (c *Call) ask(ctx context.Context, cr *Request, missing []dialogue.Question) error {
	for i := range missing {
		if c.route(cr, &missing[i]) == viaNobody {
			return c.unsupported(&missing[i])
		}
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

// askAgain asks a client that waits for us until the answer fits, or for the last time. Each time
// but the first the message says what was wrong.
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

// sendQuestion asks a client that waits for us. Meanwhile other calls may run.
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
	r, _ := dialogue.NewReply(q.Key, q.Digest, got) // the SDK knows what answers a request
	return r, nil
}

// sdkMisfit is in the error by which clients made with the SDK refuse an answer of their user's.
const sdkMisfit = "does not match requested schema"

var errUnanswered = errors.New("the question was not answered in time")
