package bridge

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

// waitingRoom holds the calls that wait for their client to come back. A call is given up when the room is full or
// when it has waited too long. Its client can still have it replayed.
type waitingRoom struct {
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
	call  *call
	since time.Time
	timer *time.Timer
}

func newWaitingRoom(ttl time.Duration, most int) *waitingRoom {
	return &waitingRoom{ttl: ttl, most: most, calls: map[string]*waitingCall{}, gone: map[string]bool{}}
}

// maxGone bounds how many calls are remembered as over.
const maxGone = 4096

// count is how many calls wait.
func (r *waitingRoom) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.calls)
}

// put lets a call wait.
func (r *waitingRoom) put(c *call) {
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
func (r *waitingRoom) longest() *waitingCall {
	var found *waitingCall
	for _, w := range r.calls {
		if found == nil || w.since.Before(found.since) {
			found = w
		}
	}
	return found
}

func (r *waitingRoom) expire(w *waitingCall) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls[w.call.ID] == w {
		r.giveUp(w)
	}
}

// giveUp ends a waiting call.
func (r *waitingRoom) giveUp(w *waitingCall) {
	delete(r.calls, w.call.ID)
	w.timer.Stop()
	w.call.close()
}

// claim is what came of asking the room for a call.
type claim int

const (
	claimUnknown claim = iota // nothing
	claimTaken                // it waited and is now the finder's
	claimGone                 // it has gone on already, or is over
)

// take fetches a call. An absent one counts as gone from now on.
func (r *waitingRoom) take(id string) (*call, claim) {
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
	return w.call, claimTaken
}

// holds reports whether a call of a tool waits.
func (r *waitingRoom) holds(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.calls {
		if w.call.job.kind == methodCallTool && w.call.job.name == name {
			return true
		}
	}
	return false
}

func (r *waitingRoom) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.calls {
		r.giveUp(w)
	}
}

// maxLegs bounds how often a client is told to come back with one request. Clients of 2026-07-28 take the tenth time
// for an endless loop.
const maxLegs = 9

// park lets a call wait and returns the state for its client.
func (c *call) park() string {
	c.round++
	c.legs++
	state := c.state()
	c.runner.Waiting.put(c)
	return state
}

// state seals what the client keeps of a call.
func (c *call) state() string {
	state := &sealed.State{ID: c.ID, Round: c.round, Legs: c.legs, Binding: c.job.binding, Past: c.Past,
		Seen: c.runner.sequence(), Expires: time.Now().Add(sealed.StateLife).UTC().Truncate(time.Second)}
	for _, q := range c.Unanswered() {
		state.Asked = append(state.Asked, dialogue.Reply{Key: q.Key, Digest: q.Digest, Misfits: c.Misfits[q.Key]})
	}
	return c.runner.key.Seal(state)
}

// inputs are the questions that the client is to come back with answers to.
func (c *call) inputs(cr *clientRequest) mcp.InputRequestMap {
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
	inputs mcp.InputRequestMap
	state  string
}

// serve runs what a request of a client is about, from its start or from where it waits. It returns a result, or what
// the client has to answer first, or an error.
func (r *Runner) serve(ctx context.Context, cr *clientRequest, j *job) (mcp.Result, *inputRequired, error) {
	c, err := r.resume(j, cr)
	if err != nil {
		return nil, nil, err
	}
	result, err := c.advance(ctx, cr)
	switch {
	case err == errParked:
		return nil, &inputRequired{c.inputs(cr), c.park()}, nil
	case err == nil:
		r.noteSequence(result)
		return result, nil, nil
	case err == errFailed:
		return result, nil, err
	}
	if wire := c.wireError(cr, err); wire != nil {
		return nil, nil, wire
	}
	return nil, nil, wire.InternalError("%s: %s", j.label(), c.explain(err))
}

// label names what a job is about in messages.
func (j *job) label() string {
	switch j.kind {
	case methodGetPrompt:
		return "prompt " + j.name
	case methodReadResource:
		return "resource " + j.name
	}
	return j.name
}

// resume returns the call that a request goes on with. A request without a state begins a new call. One
// with a state goes on with the call that waits. If that call has ended or fallen behind, a new one takes
// its place, which is given the answers so far.
func (r *Runner) resume(j *job, cr *clientRequest) (*call, error) {
	j = j.ofUser(cr.user)
	if cr.state == "" {
		c := r.newCall(j)
		for key, got := range cr.responses {
			if r, ok := dialogue.NewReply(key, "", got); ok {
				c.Past = append(c.Past, r)
			}
		}
		cr.responses = nil
		return c, nil
	}
	state, err := r.key.Open(cr.state, j.binding)
	if err != nil {
		return nil, refusal.InvalidParams("%s", err)
	}
	c, how := r.Waiting.take(state.ID)
	switch how {
	case claimGone:
		return nil, refusal.InvalidParams("this round of the call was answered before; make the call anew")
	case claimUnknown:
		return r.replay(j, cr, state), nil
	}
	switch {
	case state.Round > c.round: // another server with the same key has gone on with the call since
		c.close()
		return r.replay(j, cr, state), nil
	case state.Round < c.round:
		cr.responses = nil // to an older question; the present one is asked again
	}
	return c, nil
}

// replay returns a call that runs again with the answers in the state of its client.
func (r *Runner) replay(j *job, cr *clientRequest, state *sealed.State) *call {
	c := r.newCall(j)
	c.ID, c.round, c.legs, c.Past = state.ID, state.Round, state.Legs, state.Past
	c.Misfits, c.seen = map[string]int{}, state.Seen
	for _, asked := range state.Asked {
		c.Misfits[asked.Key] = asked.Misfits
		if r, ok := dialogue.NewReply(asked.Key, asked.Digest, cr.responses[asked.Key]); ok {
			c.Past = append(c.Past, r)
		}
	}
	cr.responses = nil
	return c
}
