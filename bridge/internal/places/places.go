// Package places has the places for running calls, and decides which waiting call is next.
package places

import (
	"context"
	"math"
	"sync"
	"time"
)

// Places hands out the places for running calls. A freed place goes to the client with the fewest places. Among clients
// with equally many, it goes to the client that has used the least time lately. The sessions of a client share its
// places by the same rule. The calls of a session come in the order in which they were made. Goroutines may share it.
type Places struct {
	// each bounds the places of a client with a name. Clients without names count as one client.
	each int

	mu       sync.Mutex
	free     int
	root     share
	arrivals uint64
	cleaning int // the number of clients at which idle ones are forgotten
}

// share is the account of a client or of one of its sessions.
type share struct {
	parts   map[string]*share // nil for a session
	most    int               // places that it may have
	running int
	waiting int
	queue   []*Ticket // the waiting calls of a session
	used    float64   // seconds in places; older ones count less
	usedAt  time.Time
}

// Ticket is a call that waits for a place or has one.
type Ticket struct {
	path    [3]*share // all clients, the client, its session
	arrived uint64
	ready   chan struct{} // closed when the call gets its place
	began   time.Time
}

const (
	// fadeTime is how long it takes until the time that a client has used counts half.
	fadeTime = time.Minute
	// fewShares is the number of clients up to which idle ones are kept.
	fewShares = 1024
)

// New makes n places. A client with a name may have at most `each` of them.
func New(most, each int) *Places {
	return &Places{free: most, each: each, root: share{parts: map[string]*share{}}, cleaning: fewShares}
}

// Enter waits for a place for a call of a client's session. [Places.Leave] gives the place back. The error is that of
// the context.
func (p *Places) Enter(ctx context.Context, client, session string) (*Ticket, error) {
	p.mu.Lock()
	t := p.join(client, session)
	p.grant()
	p.mu.Unlock()
	select {
	case <-t.ready:
		return t, nil
	case <-ctx.Done():
		p.giveUp(t)
		return nil, ctx.Err()
	}
}

// join queues a call.
func (p *Places) join(client, session string) *Ticket {
	p.clean()
	p.arrivals++
	t := &Ticket{arrived: p.arrivals, ready: make(chan struct{})}
	most := p.each
	if client == "" {
		most = math.MaxInt
	}
	owner := p.root.part(client, most)
	own := owner.part(session, math.MaxInt)
	t.path = [3]*share{&p.root, owner, own}
	own.queue = append(own.queue, t)
	t.count(func(s *share) { s.waiting++ })
	return t
}

// count changes the counts of all shares that a call belongs to.
func (t *Ticket) count(by func(*share)) {
	for _, s := range t.path {
		by(s)
	}
}

// grant gives free places to those who are next.
func (p *Places) grant() {
	for p.free > 0 {
		owner := p.root.next()
		if owner == nil {
			return
		}
		own := owner.next()
		t := own.queue[0]
		own.queue = own.queue[1:]
		t.count(func(s *share) { s.waiting--; s.running++ })
		t.began = time.Now()
		p.free--
		close(t.ready)
	}
}

// Leave gives a place back.
func (p *Places) Leave(t *Ticket) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	t.count(func(s *share) {
		s.running--
		s.used, s.usedAt = s.usedLately(now)+now.Sub(t.began).Seconds(), now
	})
	p.free++
	p.grant()
}

// giveUp ends the waiting of a call, which may just have been given its place.
func (p *Places) giveUp(t *Ticket) {
	p.mu.Lock()
	own := t.path[2]
	for i, other := range own.queue {
		if other == t {
			own.queue = append(own.queue[:i:i], own.queue[i+1:]...)
			t.count(func(s *share) { s.waiting-- })
			p.mu.Unlock()
			return
		}
	}
	p.mu.Unlock()
	p.Leave(t)
}

// part returns the part with a name. It makes the part if it does not exist.
func (s *share) part(name string, most int) *share {
	part := s.parts[name]
	if part == nil {
		part = &share{most: most}
		if s.parts == nil {
			s.parts = map[string]*share{}
		}
		s.parts[name] = part
	}
	return part
}

// next returns the part whose turn it is, among those that wait and may have one more place. It is nil if there is
// none.
func (s *share) next() *share {
	var best *share
	now := time.Now()
	for _, part := range s.parts {
		if part.waiting > 0 && part.running < part.most && (best == nil || part.before(best, now)) {
			best = part
		}
	}
	return best
}

// before reports whether a part comes before another.
func (s *share) before(other *share, now time.Time) bool {
	if s.running != other.running {
		return s.running < other.running
	}
	if used, others := s.usedLately(now), other.usedLately(now); used != others {
		return used < others
	}
	return s.oldest() < other.oldest()
}

// usedLately is the time that was used in places. Older time counts less.
func (s *share) usedLately(now time.Time) float64 {
	if s.used == 0 {
		return 0
	}
	return s.used * math.Exp2(-float64(now.Sub(s.usedAt))/float64(fadeTime))
}

// oldest is the arrival of the call that has waited longest.
func (s *share) oldest() uint64 {
	if len(s.queue) > 0 {
		return s.queue[0].arrived
	}
	least := uint64(math.MaxUint64)
	for _, part := range s.parts {
		least = min(least, part.oldest())
	}
	return least
}

// clean forgets idle clients and sessions from time to time.
func (p *Places) clean() {
	size := 0
	for _, owner := range p.root.parts {
		size += 1 + len(owner.parts)
	}
	if size < p.cleaning {
		return
	}
	size = 0
	for client, owner := range p.root.parts {
		for session, own := range owner.parts {
			if own.rests() {
				delete(owner.parts, session)
			}
		}
		if owner.rests() {
			delete(p.root.parts, client)
			continue
		}
		size += 1 + len(owner.parts)
	}
	p.cleaning = max(fewShares, 2*size)
}

func (s *share) rests() bool { return s.running == 0 && s.waiting == 0 }
