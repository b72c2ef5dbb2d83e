package web

import (
	"errors"
	"sync"
	"time"
)

// This file defines which sessions there are over HTTP, how many there may be and when one that
// is not used ends. The SDK holds the sessions themselves.

// sessionTable knows the sessions. One is in use while a request or a stream of it is open.
type sessionTable struct {
	most int
	idle time.Duration
	// end closes a session. It may take a while.
	end func(id string, why error)

	mu   sync.Mutex
	byID map[string]*httpSession
	// starting counts the requests that may begin a session.
	starting int
}

// httpSession is a session as HTTP sees it.
type httpSession struct {
	id, user string
	open     int
	timer    *time.Timer // runs while nothing is open
}

func newSessionTable(most int, idle time.Duration, end func(id string, why error)) *sessionTable {
	return &sessionTable{most: most, idle: idle, end: end, byID: map[string]*httpSession{}}
}

var errClientIdle = errors.New("the session was not used any more")

// start keeps a place for a session that a request may begin. ok is false if there are too many sessions; otherwise
// done has to be called after the request.
func (t *sessionTable) start() (done func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.byID)+t.starting >= t.most {
		return nil, false
	}
	t.starting++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.starting--
	}, true
}

// add notes a session that has begun.
func (t *sessionTable) add(id, user string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := &httpSession{id: id, user: user}
	s.timer = time.AfterFunc(t.idle, func() { t.expire(s) })
	t.byID[id] = s
}

// use notes a request of a session; done has to be called after it. It returns false when there
// is no such session of this user.
func (t *sessionTable) use(id, user string) (done func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.byID[id]
	if s == nil || s.user != user {
		return nil, false
	}
	s.open++
	s.timer.Stop()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if s.open--; s.open == 0 && t.byID[id] == s {
			s.timer.Reset(t.idle)
		}
	}, true
}

// expire ends a session that was not used, unless it is again.
func (t *sessionTable) expire(s *httpSession) {
	t.mu.Lock()
	if s.open > 0 || t.byID[s.id] != s {
		t.mu.Unlock()
		return
	}
	delete(t.byID, s.id)
	t.mu.Unlock()
	t.end(s.id, errClientIdle)
}

// remove forgets a session that its client ends.
func (t *sessionTable) remove(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.byID[id]; s != nil {
		s.timer.Stop()
		delete(t.byID, id)
	}
}

// endAll ends all sessions and waits for that.
func (t *sessionTable) endAll(why error) {
	t.mu.Lock()
	all := t.byID
	t.byID = map[string]*httpSession{}
	t.mu.Unlock()
	var ending sync.WaitGroup
	for id, s := range all {
		s.timer.Stop()
		ending.Go(func() { t.end(id, why) })
	}
	ending.Wait()
}
