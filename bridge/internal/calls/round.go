package calls

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/waiting"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines calls of several rounds: how they are resumed, and what the client keeps of them.

// MaxLegs bounds how often a client is told to come back with one request. Clients of 2026-07-28 take the tenth time
// for an endless loop.
const MaxLegs = 9

// Park lets a call wait and returns the state for its client.
func (c *Call) Park() string {
	c.Round++
	c.Legs++
	state := c.state()
	c.runner.Waiting.Put(c.ID, c)
	return state
}

// state seals what the client keeps of a call.
func (c *Call) state() string {
	state := &sealed.State{ID: c.ID, Round: c.Round, Legs: c.Legs, Binding: c.Job.Binding, Past: c.Past,
		Seen: c.runner.sequence(), Expires: time.Now().Add(sealed.StateLife).UTC().Truncate(time.Second)}
	for _, q := range c.Unanswered() {
		state.Asked = append(state.Asked, dialogue.Reply{Key: q.Key, Digest: q.Digest, Misfits: c.Misfits[q.Key]})
	}
	return c.runner.key.Seal(state)
}

// Inputs are the questions that the client is to come back with answers to.
func (c *Call) Inputs(cr *Request) mcp.InputRequestMap {
	requests := mcp.InputRequestMap{}
	for _, q := range c.Unanswered() {
		if c.route(cr, &q) == viaRound {
			requests[q.Key] = q.Request
		}
	}
	return requests
}

// inputRequired is what a client is given instead of a result, to come back with answers.
type inputRequired struct {
	Inputs mcp.InputRequestMap
	State  string
}

// Serve runs what a request of a client is about, from its start or from where it waits. It returns a result, or what
// the client has to answer first, or an error.
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
		return result, nil, nil
	case err == ErrFailed:
		return result, nil, err
	}
	if wire := c.WireError(cr, err); wire != nil {
		return nil, nil, wire
	}
	return nil, nil, wire.InternalError("%s: %s", j.label(), c.Explain(err))
}

// Resume returns the call that a request goes on with. A request without a state begins a new call. One
// with a state goes on with the call that waits. If that call has ended or fallen behind, a new one takes
// its place, which is given the answers so far.
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
	case state.Round > c.Round: // another server with the same key has gone on with the call since
		c.Close()
		return r.replay(j, cr, state), nil
	case state.Round < c.Round:
		cr.Responses = nil // to an older question; the present one is asked again
	}
	return c, nil
}

// replay returns a call that runs again with the answers in the state of its client.
func (r *Runner) replay(j *Job, cr *Request, state *sealed.State) *Call {
	c := r.NewCall(j)
	c.ID, c.Round, c.Legs, c.Past = state.ID, state.Round, state.Legs, state.Past
	c.Misfits, c.seen = map[string]int{}, state.Seen
	for _, asked := range state.Asked {
		c.Misfits[asked.Key] = asked.Misfits
		if r, ok := dialogue.NewReply(asked.Key, asked.Digest, cr.Responses[asked.Key]); ok {
			c.Past = append(c.Past, r)
		}
	}
	cr.Responses = nil
	return c
}
