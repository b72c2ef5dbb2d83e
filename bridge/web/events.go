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

// This file defines what is kept of the streams of sessions, so that clients whose connection breaks can have it sent
// again. The SDK's own store keeps every stream as long as its session lives. It also says which answers are not to be
// sent: those to calls that the client has cancelled.

const (
	// maxReplay bounds the bytes of messages kept, over all sessions.
	maxReplay = 16 << 20
	// maxFinished bounds the finished streams kept, over all sessions. They are of use only to a client whose connection
	// broke while the answer was on its way.
	maxFinished = 1000
	// eventCost is about what an event takes besides its message.
	eventCost = 64
)

// eventStore is an [mcp.EventStore] whose memory is bounded. Streams that are not finished give up their messages last.
type eventStore struct {
	most, mostFinished int

	mu       sync.Mutex
	sessions map[string]*sessionEvents
	held     int // bytes, by cost
	// finished and unfinished have the streams, the one with the oldest last message first.
	finished, unfinished list.List
}

// sessionEvents is what is kept of a session.
type sessionEvents struct {
	streams map[string]*eventStream
	// calls are those whose answers are due; true says that the client has cancelled the call.
	calls map[jsonrpc.ID]bool
	// early are the last cancellations of calls that are not due: they are over, or their requests have been overtaken.
	early []earlyCancel
}

// earlyCancel is the cancellation of a call that may be still on its way, on another connection.
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

// eventStream is what is kept of a stream.
type eventStream struct {
	session, id string
	// events are the messages from the index first on. nil is none: the SDK's first event, or an answer not to be sent.
	events      [][]byte
	first, held int
	finished    bool
	cancelled   bool          // finished with an answer not to be sent
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
		return nil // it has just ended
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

// unlink takes a stream out of its list.
func (s *eventStore) unlink(t *eventStream) {
	if t.place != nil {
		s.finished.Remove(t.place) // nothing when it is in the other
		s.unfinished.Remove(t.place)
		t.place = nil
	}
}

// purge keeps within the bounds.
func (s *eventStore) purge() {
	for s.held > s.most || s.finished.Len() > s.mostFinished {
		t := cmp.Or(s.finished.Front(), s.unfinished.Front()).Value.(*eventStream)
		s.empty(t)
		if t.finished {
			delete(s.sessions[t.session].streams, t.id)
		}
	}
}

// empty gives up the messages of a stream.
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
		t.first = 0 // the SDK numbers what it sends from here on
	}
	return slices.Clone(t.events[min(index+1-t.first, len(t.events)):]), nil
}

// stream returns what is kept of a stream, or nil.
func (s *eventStore) stream(session, id string) *eventStream {
	if e := s.sessions[session]; e != nil {
		return e.streams[id]
	}
	return nil
}

// SessionClosed gives up all of a session.
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

// expect notes calls whose answers are due. The function says that they need not be waited for any more.
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

// takeEarly reports whether a call that comes now has been cancelled before.
func (e *sessionEvents) takeEarly(call jsonrpc.ID) bool {
	e.early = slices.DeleteFunc(e.early, func(c earlyCancel) bool { return time.Since(c.at) > earlyTime })
	n := len(e.early)
	e.early = slices.DeleteFunc(e.early, func(c earlyCancel) bool { return c.call == call })
	return len(e.early) < n
}

// isCancelled reports whether the client wants no answer to a call that is due.
func (s *eventStore) isCancelled(session string, call jsonrpc.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.sessions[session]
	return e != nil && e.calls[call]
}

// cancel notes that the client wants no answers to calls.
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

// withholds reports whether an event, as it is written, has the answer to a cancelled call.
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

// over reports whether nothing follows an event that a client has seen last, because it has cancelled the call.
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

// answeredID returns the id of the request that a message of the SDK answers. It reads no further than it has to.
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
