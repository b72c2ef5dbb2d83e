package calls

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/wire"
)

// This file defines calls of several rounds: where they wait, and what the client keeps of them.

// WaitingRoom holds the calls that wait for their client to come back. A call is given up when the room is full or
// when it has waited too long. Its client can still have it replayed.
type WaitingRoom struct {
	ttl  time.Duration
	most int

	mu    sync.Mutex
	calls map[string]*waitingCall // by id
	// gone are the ids of calls that went on or are over. They keep a client that repeats its request from having
	// the call run twice. The oldest is forgotten first.
	gone   map[string]bool
	oldest []string
}

type waitingCall struct {
	call  *Call
	since time.Time
	timer *time.Timer
}

func newWaitingRoom(ttl time.Duration, most int) *WaitingRoom {
	return &WaitingRoom{ttl: ttl, most: most, calls: map[string]*waitingCall{}, gone: map[string]bool{}}
}

// maxGone bounds how many calls are remembered as over.
const maxGone = 4096

// Count is how many calls wait.
func (r *WaitingRoom) Count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.calls)
}

// Put lets a call wait.
func (r *WaitingRoom) Put(c *Call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.calls) >= r.most {
		r.giveUp(r.longest())
	}
	delete(r.gone, c.ID)
	w := &waitingCall{call: c, since: time.Now()}
	w.timer = time.AfterFunc(r.ttl, func() { r.expire(w) })
	r.calls[c.ID] = w
}

// longest returns the call that has waited longest.
func (r *WaitingRoom) longest() *waitingCall {
	var found *waitingCall
	for _, w := range r.calls {
		if found == nil || w.since.Before(found.since) {
			found = w
		}
	}
	return found
}

func (r *WaitingRoom) expire(w *waitingCall) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls[w.call.ID] == w {
		r.giveUp(w)
	}
}

// giveUp ends a waiting call.
func (r *WaitingRoom) giveUp(w *waitingCall) {
	delete(r.calls, w.call.ID)
	w.timer.Stop()
	w.call.Close()
}

// claim is what came of asking the room for a call.
type claim int

const (
	claimUnknown claim = iota // nothing
	ClaimTaken                // it waited and is now the finder's
	claimGone                 // it has gone on already, or is over
)

// Take fetches a call. An absent one counts as gone from now on.
func (r *WaitingRoom) Take(id string) (*Call, claim) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone[id] {
		return nil, claimGone
	}
	r.gone[id] = true
	if r.oldest = append(r.oldest, id); len(r.oldest) > maxGone {
		delete(r.gone, r.oldest[0])
		r.oldest = r.oldest[1:]
	}
	w := r.calls[id]
	if w == nil {
		return nil, claimUnknown
	}
	delete(r.calls, id)
	w.timer.Stop()
	return w.call, ClaimTaken
}

// holds reports whether a call of a tool waits.
func (r *WaitingRoom) holds(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.calls {
		if w.call.Job.Kind == CallTool && w.call.Job.Name == name {
			return true
		}
	}
	return false
}

func (r *WaitingRoom) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.calls {
		r.giveUp(w)
	}
}

// MaxLegs bounds how often a client is told to come back with one request. Clients of 2026-07-28 take the tenth time
// for an endless loop.
const MaxLegs = 9

// Park lets a call wait and returns the state for its client.
func (c *Call) Park() string {
	c.Round++
	c.Legs++
	state := c.state()
	c.runner.Waiting.Put(c)
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

// label names what a job is about in messages.
func (j *Job) label() string {
	switch j.Kind {
	case GetPrompt:
		return "prompt " + j.Name
	case ReadResource:
		return "resource " + j.Name
	}
	return j.Name
}

// Resume returns the call that a request goes on with. A request without a state begins a new call. One
// with a state goes on with the call that waits. If that call has ended or fallen behind, a new one takes
// its place, which is given the answers so far.
func (r *Runner) Resume(j *Job, cr *Request) (*Call, error) {
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
	case claimGone:
		return nil, refusal.InvalidParams("this round of the call was answered before; make the call anew")
	case claimUnknown:
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
