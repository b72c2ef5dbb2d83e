// Package waiting has the room in which calls wait for their client to come back.
package waiting

import (
	"sync"
	"time"
)

// Room holds the calls that wait for their client to come back, each under an id. A call is closed and dropped when the
// room is full or when it has waited too long. Its client can still have it replayed. Goroutines may share the room.
type Room[C Call] struct {
	ttl  time.Duration
	most int

	mu    sync.Mutex
	calls map[string]*waitingCall[C] // by id
	// gone are the ids of calls that went on or are over. They keep a client that repeats its request from having
	// the call run twice. The oldest is forgotten first.
	gone   map[string]bool
	oldest []string
}

// Call is what waits.
type Call interface {
	comparable
	// Close ends the call.
	Close()
}

type waitingCall[C Call] struct {
	call  C
	id    string
	since time.Time
	timer *time.Timer
}

// New returns a room for a limited number of waiting calls, none of which waits longer than ttl.
func New[C Call](ttl time.Duration, most int) *Room[C] {
	return &Room[C]{ttl: ttl, most: most, calls: map[string]*waitingCall[C]{}, gone: map[string]bool{}}
}

// maxGone bounds how many calls are remembered as over.
const maxGone = 4096

// Count is how many calls wait.
func (r *Room[C]) Count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.calls)
}

// Put lets a call wait under an id.
func (r *Room[C]) Put(id string, c C) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.calls) >= r.most {
		r.giveUp(r.longest())
	}
	delete(r.gone, id)
	w := &waitingCall[C]{call: c, id: id, since: time.Now()}
	w.timer = time.AfterFunc(r.ttl, func() { r.expire(w) })
	r.calls[id] = w
}

// longest returns the call that has waited longest.
func (r *Room[C]) longest() *waitingCall[C] {
	var found *waitingCall[C]
	for _, w := range r.calls {
		if found == nil || w.since.Before(found.since) {
			found = w
		}
	}
	return found
}

// expire closes a call whose time is over, if it still waits.
func (r *Room[C]) expire(w *waitingCall[C]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls[w.id] == w {
		r.giveUp(w)
	}
}

func (r *Room[C]) giveUp(w *waitingCall[C]) {
	delete(r.calls, w.id)
	w.timer.Stop()
	w.call.Close()
}

// Claim is the result of asking the room for a call.
type Claim int

const (
	Unknown Claim = iota // no call of the id has waited here
	Taken                // it waited and is now the finder's
	Gone                 // it has gone on already, or is over
)

// Take fetches the call of an id. An absent one counts as gone from now on.
func (r *Room[C]) Take(id string) (c C, how Claim) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone[id] {
		return c, Gone
	}
	r.gone[id] = true
	if r.oldest = append(r.oldest, id); len(r.oldest) > maxGone {
		delete(r.gone, r.oldest[0])
		r.oldest = r.oldest[1:]
	}
	w := r.calls[id]
	if w == nil {
		return c, Unknown
	}
	delete(r.calls, id)
	w.timer.Stop()
	return w.call, Taken
}

// Has reports whether a call waits for which a test is true.
func (r *Room[C]) Has(is func(C) bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.calls {
		if is(w.call) {
			return true
		}
	}
	return false
}

// Close ends the calls that wait.
func (r *Room[C]) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.calls {
		r.giveUp(w)
	}
}
