package web

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// This file defines how many connections there may be. When all places are taken, the connection that has been
// idle longest is closed for a new one; as long as none is idle, one new one waits here and the others in the queue of
// the system.

// usualConnections is how many connections there may be unless the options or the system say otherwise.
const usualConnections = 4096

// connectionBound returns how many connections there may be, given what the options ask for. A quarter of the files
// that the process may open are left for others: a reload needs some.
func connectionBound(asked int) int {
	if asked <= 0 {
		asked = usualConnections
	}
	if files := fileLimit(); files > 0 {
		asked = min(asked, max(files/4*3, 1))
	}
	return asked
}

// boundedListener is a listener with a bound on the connections that are open. One goroutine accepts.
type boundedListener struct {
	net.Listener
	most int

	mu      sync.Mutex
	changed *sync.Cond // told when a connection has closed or become idle, and when the listener has closed
	open    int
	closed  bool
	// idle has the connections without a request, the one that has been so longest first; at finds their places.
	idle list.List
	at   map[net.Conn]*list.Element
	// closing has the connections that are being closed for others. They are counted in open until they have closed.
	closing map[net.Conn]bool
}

func newBoundedListener(l net.Listener, most int) *boundedListener {
	b := &boundedListener{Listener: l, most: most, at: map[net.Conn]*list.Element{}, closing: map[net.Conn]bool{}}
	b.changed = sync.NewCond(&b.mu)
	return b
}

// Accept waits for a connection, then for a place: nothing is closed before somebody needs the place. The connection is
// the system's own: the HTTP server shuts down the two sides of one separately.
func (b *boundedListener) Accept() (net.Conn, error) {
	conn, err := b.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if !b.enter() {
		conn.Close()
		return nil, net.ErrClosed
	}
	return conn, nil
}

// Close ends Accept too while that waits for a place.
func (b *boundedListener) Close() error {
	b.mu.Lock()
	b.closed = true
	b.changed.Signal()
	b.mu.Unlock()
	return b.Listener.Close()
}

// enter takes a place. It returns false when the listener has closed. It closes one connection for the place, however
// often it is told of changes while that one closes.
func (b *boundedListener) enter() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.open >= b.most && !b.closed {
		if b.open-len(b.closing) >= b.most {
			if conn := b.popIdle(); conn != nil {
				b.closing[conn] = true
				go conn.Close() // over TLS it takes as long as the client lets it
			}
		}
		b.changed.Wait()
	}
	b.open++
	return !b.closed
}

// popIdle takes out the connection that has been idle longest, if any.
func (b *boundedListener) popIdle() net.Conn {
	oldest := b.idle.Front()
	if oldest == nil {
		return nil
	}
	conn := b.idle.Remove(oldest).(net.Conn)
	delete(b.at, conn)
	return conn
}

// note is told by the HTTP server what becomes of a connection.
func (b *boundedListener) note(conn net.Conn, state http.ConnState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if place := b.at[conn]; place != nil {
		b.idle.Remove(place)
		delete(b.at, conn)
	}
	switch state {
	case http.StateIdle:
		b.at[conn] = b.idle.PushBack(conn)
		b.changed.Signal()
	case http.StateClosed:
		delete(b.closing, conn)
		b.open--
		b.changed.Signal()
	}
}
