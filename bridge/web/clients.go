package web

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"golang.org/x/time/rate"
)

// This file defines how much one client may ask for over HTTP.

// clientTable counts what each client has open.
type clientTable struct {
	most  int
	rate  rate.Limit
	burst int

	mu       sync.Mutex
	byName   map[string]*clientLoad
	cleaning int // the size at which those that do nothing are forgotten
}

// clientLoad is what a client asks for.
type clientLoad struct {
	open    int
	limiter *rate.Limiter // nil: no limit
}

const (
	// burstSeconds is how much of its rate a client may use at once.
	burstSeconds = 10
	// fewClients need no cleaning.
	fewClients = 1024
)

func newClientTable(most int, perSecond float64) *clientTable {
	return &clientTable{most: most, rate: rate.Limit(perSecond), burst: max(1, int(perSecond*burstSeconds)),
		byName: map[string]*clientLoad{}, cleaning: fewClients}
}

// enter notes a request of a client. It returns false when the client has too many; otherwise leave
// has to be called after it.
func (t *clientTable) enter(name string) (leave func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.byName[name]
	if c == nil {
		t.clean()
		c = &clientLoad{}
		if t.rate > 0 {
			c.limiter = rate.NewLimiter(t.rate, t.burst)
		}
		t.byName[name] = c
	}
	if c.open >= t.most || (c.limiter != nil && !c.limiter.Allow()) {
		return nil, false
	}
	c.open++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if c.open--; c.rests(t.burst) {
			delete(t.byName, name)
		}
	}, true
}

// rests reports whether forgetting a client changes nothing.
func (c *clientLoad) rests(burst int) bool {
	return c.open == 0 && (c.limiter == nil || c.limiter.Tokens() >= float64(burst))
}

// clean forgets clients that do nothing, now and then.
func (t *clientTable) clean() {
	if len(t.byName) < t.cleaning {
		return
	}
	for name, c := range t.byName {
		if c.rests(t.burst) {
			delete(t.byName, name)
		}
	}
	t.cleaning = max(fewClients, 2*len(t.byName))
}

// userOf is the user that a request was authorized for, "" without authorization.
func userOf(r *http.Request) string {
	if info := auth.TokenInfoFromContext(r.Context()); info != nil {
		return info.UserID
	}
	return ""
}

// clientOf names the client of a request for the table.
func clientOf(r *http.Request) string {
	if user := userOf(r); user != "" {
		return "user " + user
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if ip = ip.Unmap(); ip.Is4() {
		return ip.String()
	}
	// Whoever has one address of version 6 has the other 2^64 too.
	network, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return ip.String()
	}
	return network.String()
}

// This part defines how many connections there may be. When all places are taken, the connection that has been idle
// longest is closed for a new one; as long as none is idle, one new one waits here and the others in the queue of the
// system.

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
