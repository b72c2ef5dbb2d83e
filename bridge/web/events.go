package web

import (
	"bytes"
	"cmp"
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file keeps messages of the streams of sessions, so that they can be sent again after a connection breaks. The
// SDK's own store would keep every stream as long as its session lives. The file also withholds the answers to calls
// that the client has cancelled.

const (
	// maxReplay bounds the bytes of messages kept, over all sessions.
	maxReplay = 16 << 20
	// maxFinished bounds the finished streams kept, over all sessions. Only a client whose connection broke during
	// the answer needs them.
	maxFinished = 1000
	// eventCost estimates the memory of an event without its message.
	eventCost = 64
)

// eventStore is an [mcp.EventStore] with limited memory. It drops messages of finished streams first.
type eventStore struct {
	most, mostFinished int

	mu       sync.Mutex
	sessions map[string]*sessionEvents
	held     int // bytes, with eventCost for each event
	// finished and unfinished list the streams. The one with the oldest last message comes first.
	finished, unfinished list.List
}

// sessionEvents holds the streams and calls of a session.
type sessionEvents struct {
	streams map[string]*eventStream
	// calls holds the calls whose answers are due. The value is true if the client has cancelled the call.
	calls map[jsonrpc.ID]bool
	// early holds the last cancellations of calls that are not due. Such a call is over, or its request has not
	// arrived yet.
	early []earlyCancel
}

// earlyCancel is the cancellation of a call that may still arrive on another connection.
type earlyCancel struct {
	call jsonrpc.ID
	at   time.Time
}

const (
	// maxEarly bounds the early cancellations that a session keeps.
	maxEarly = 64
	// earlyTime is how long an early cancellation is kept.
	earlyTime = 5 * time.Second
)

// eventStream holds the kept messages of a stream.
type eventStream struct {
	session, id string
	// events holds the messages from the index first on. nil stands for the SDK's first event, or for a withheld
	// answer.
	events      [][]byte
	first, held int
	finished    bool
	cancelled   bool          // finished with a withheld answer
	place       *list.Element // in one of the lists
}

func newEventStore() *eventStore {
	return &eventStore{most: maxReplay, mostFinished: maxFinished, sessions: map[string]*sessionEvents{}}
}

// Open notes a session. A stream is kept from its first message on.
func (s *eventStore) Open(_ context.Context, session, _ string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sessions[session] == nil {
		s.sessions[session] = &sessionEvents{streams: map[string]*eventStream{}, calls: map[jsonrpc.ID]bool{}}
	}
	return nil
}

// Append keeps a message of a stream.
func (s *eventStore) Append(_ context.Context, session, stream string, message []byte) error {
	answered, isAnswer := answeredID(message)
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.sessions[session]
	if e == nil {
		return nil // the session has just ended
	}
	t := e.streams[stream]
	if t == nil {
		t = &eventStream{session: session, id: stream}
		e.streams[stream] = t
	}
	if isAnswer {
		t.finished = true
		if e.calls[answered] {
			message, t.cancelled = nil, true
		}
		delete(e.calls, answered)
	}
	t.events = append(t.events, message)
	t.held += eventCost + len(message)
	s.held += eventCost + len(message)
	s.touch(t)
	s.purge()
	return nil
}

// touch makes a stream the last of its list.
func (s *eventStore) touch(t *eventStream) {
	s.unlink(t)
	if t.finished {
		t.place = s.finished.PushBack(t)
	} else {
		t.place = s.unfinished.PushBack(t)
	}
}

// unlink removes a stream from its list.
func (s *eventStore) unlink(t *eventStream) {
	if t.place != nil {
		s.finished.Remove(t.place) // does nothing if it is in the other list
		s.unfinished.Remove(t.place)
		t.place = nil
	}
}

// purge drops messages until the store is within its limits.
func (s *eventStore) purge() {
	for s.held > s.most || s.finished.Len() > s.mostFinished {
		t := cmp.Or(s.finished.Front(), s.unfinished.Front()).Value.(*eventStream)
		s.empty(t)
		if t.finished {
			delete(s.sessions[t.session].streams, t.id)
		}
	}
}

// empty drops the messages of a stream.
func (s *eventStore) empty(t *eventStream) {
	s.unlink(t)
	s.held -= t.held
	t.first, t.events, t.held = t.first+len(t.events), nil, 0
}

var errNotKept = errors.New("what was sent is not kept any more")

// After returns the messages behind an index.
func (s *eventStore) After(_ context.Context, session, stream string, index int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		messages, err := s.after(session, stream, index)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, m := range messages {
			if !yield(m, nil) {
				return
			}
		}
	}
}

func (s *eventStore) after(session, stream string, index int) ([][]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.stream(session, stream)
	switch {
	case t == nil && index < 0:
		return nil, nil
	case t == nil || index >= 0 && index+1 < t.first:
		return nil, errNotKept
	case index < 0:
		t.first = 0 // the SDK numbers the messages that it sends from here on
	}
	return slices.Clone(t.events[min(index+1-t.first, len(t.events)):]), nil
}

// stream returns a stream, or nil.
func (s *eventStore) stream(session, id string) *eventStream {
	if e := s.sessions[session]; e != nil {
		return e.streams[id]
	}
	return nil
}

// SessionClosed drops all messages of a session.
func (s *eventStore) SessionClosed(_ context.Context, session string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.sessions[session]; e != nil {
		for _, t := range e.streams {
			s.empty(t)
		}
	}
	delete(s.sessions, session)
	return nil
}

// expect notes calls whose answers are due. The returned function forgets them.
func (s *eventStore) expect(session string, calls []jsonrpc.ID) func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.sessions[session]
	if e == nil {
		return func() {}
	}
	for _, id := range calls {
		e.calls[id] = e.takeEarly(id)
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, id := range calls {
			delete(e.calls, id)
		}
	}
}

// takeEarly reports whether a new call was cancelled before it arrived, and forgets the cancellation.
func (e *sessionEvents) takeEarly(call jsonrpc.ID) bool {
	e.early = slices.DeleteFunc(e.early, func(c earlyCancel) bool { return time.Since(c.at) > earlyTime })
	n := len(e.early)
	e.early = slices.DeleteFunc(e.early, func(c earlyCancel) bool { return c.call == call })
	return len(e.early) < n
}

// isCancelled reports whether the client has cancelled a call whose answer is due.
func (s *eventStore) isCancelled(session string, call jsonrpc.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.sessions[session]
	return e != nil && e.calls[call]
}

// cancel notes that the client has cancelled calls.
func (s *eventStore) cancel(session string, calls []jsonrpc.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.sessions[session]
	if e == nil {
		return
	}
	for _, id := range calls {
		if _, due := e.calls[id]; due {
			e.calls[id] = true
			continue
		}
		e.early = append(e.early, earlyCancel{id, time.Now()})
		e.early = e.early[max(0, len(e.early)-maxEarly):]
	}
}

// withholds reports whether an event contains the answer to a cancelled call. event has the form in which it is
// written.
func (s *eventStore) withholds(session string, event []byte) bool {
	rest, ok := bytes.CutPrefix(event, []byte("event: message\nid: "))
	if !ok {
		return false
	}
	name, _, _ := bytes.Cut(rest, []byte("\n"))
	stream, index, ok := parseEvent(string(name))
	if !ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.stream(session, stream)
	return t != nil && t.cancelled && t.first <= index && index-t.first < len(t.events) && t.events[index-t.first] == nil
}

// over reports whether the client has cancelled the call and no message follows the last event that it has seen.
func (s *eventStore) over(session, event string) bool {
	stream, index, ok := parseEvent(event)
	if !ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.stream(session, stream)
	if t == nil || !t.cancelled || index+1 < t.first {
		return false
	}
	rest := t.events[min(index+1-t.first, len(t.events)):]
	return !slices.ContainsFunc(rest, func(m []byte) bool { return m != nil })
}

// parseEvent takes the id of an event apart.
func parseEvent(id string) (stream string, index int, ok bool) {
	stream, digits, _ := strings.Cut(id, "_")
	index, err := strconv.Atoi(digits)
	return stream, index, err == nil && index >= 0
}

// answeredID returns the id of the request that a message of the SDK answers. It reads only the beginning of the
// message.
func answeredID(message []byte) (id jsonrpc.ID, ok bool) {
	d := json.NewDecoder(bytes.NewReader(message))
	_, _ = d.Token() // the brace
	var raw any
	for {
		key, err := d.Token()
		if err != nil {
			return id, false
		}
		switch key {
		case "result", "error":
			id, err = jsonrpc.MakeID(raw)
			return id, err == nil
		case "id":
			raw, err = d.Token()
		case "jsonrpc":
			_, err = d.Token()
		default:
			return id, false
		}
		if err != nil {
			return id, false
		}
	}
}

var _ mcp.EventStore = (*eventStore)(nil)
