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

// This file limits the requests of a client over HTTP, and the number of connections.

// clientTable counts the open requests of each client.
type clientTable struct {
	most  int
	rate  rate.Limit
	burst int

	mu       sync.Mutex
	byName   map[string]*clientLoad
	cleaning int // the size at which idle clients are removed
}

// clientLoad counts the requests of a client.
type clientLoad struct {
	open    int
	limiter *rate.Limiter // nil: no limit
}

const (
	// burstSeconds is the number of seconds whose rate a client may use at once.
	burstSeconds = 10
	// fewClients is the size of the table up to which no clients are removed.
	fewClients = 1024
)

func newClientTable(most int, perSecond float64) *clientTable {
	return &clientTable{most: most, rate: rate.Limit(perSecond), burst: max(1, int(perSecond*burstSeconds)),
		byName: map[string]*clientLoad{}, cleaning: fewClients}
}

// enter notes a request of a client. It returns false if the client has too many. Otherwise the caller calls leave
// after the request.
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

// rests reports whether a client can be removed without an effect on its limits.
func (c *clientLoad) rests(burst int) bool {
	return c.open == 0 && (c.limiter == nil || c.limiter.Tokens() >= float64(burst))
}

// clean removes idle clients when the table has grown.
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

// userOf returns the authorized user of a request, "" without authorization.
func userOf(r *http.Request) string {
	if info := auth.TokenInfoFromContext(r.Context()); info != nil {
		return info.UserID
	}
	return ""
}

// clientOf returns the name of the client of a request in the table.
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
	// A client with one IPv6 address has all 2^64 of its network.
	network, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return ip.String()
	}
	return network.String()
}

// This part limits the number of connections. At the limit a new connection replaces the one that has been idle
// longest. While none is idle, one new connection waits here and the others wait in the queue of the system.

// usualConnections is the limit of connections unless the options or the system set another.
const usualConnections = 4096

// connectionBound returns the limit of connections. asked is the limit in the options. A quarter of the files that
// the process may open are kept for other uses, such as a reload.
func connectionBound(asked int) int {
	if asked <= 0 {
		asked = usualConnections
	}
	if files := fileLimit(); files > 0 {
		asked = min(asked, max(files/4*3, 1))
	}
	return asked
}

// boundedListener is a listener that limits the number of open connections. Only one goroutine accepts.
type boundedListener struct {
	net.Listener
	most int

	mu      sync.Mutex
	changed *sync.Cond // signalled when a connection has closed or become idle, and when the listener has closed
	open    int
	closed  bool
	// idle holds the connections without a request. The one that has been idle longest comes first. at finds their
	// places.
	idle list.List
	at   map[net.Conn]*list.Element
	// closing holds the connections that are being closed for new ones. They count in open until they have closed.
	closing map[net.Conn]bool
}

func newBoundedListener(l net.Listener, most int) *boundedListener {
	b := &boundedListener{Listener: l, most: most, at: map[net.Conn]*list.Element{}, closing: map[net.Conn]bool{}}
	b.changed = sync.NewCond(&b.mu)
	return b
}

// Accept waits for a connection and then for a place. So no connection is closed before another needs its place. The
// result is the system's own type, because the HTTP server shuts down the two sides of a connection separately.
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

// Close closes the listener. It also ends an Accept that waits for a place.
func (b *boundedListener) Close() error {
	b.mu.Lock()
	b.closed = true
	b.changed.Signal()
	b.mu.Unlock()
	return b.Listener.Close()
}

// enter takes a place. It returns false if the listener has closed. It closes only one connection for the place, even
// if it wakes up several times before that has closed.
func (b *boundedListener) enter() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.open >= b.most && !b.closed {
		if b.open-len(b.closing) >= b.most {
			if conn := b.popIdle(); conn != nil {
				b.closing[conn] = true
				go conn.Close() // over TLS closing waits for the client
			}
		}
		b.changed.Wait()
	}
	b.open++
	return !b.closed
}

// popIdle removes and returns the connection that has been idle longest, nil if there is none.
func (b *boundedListener) popIdle() net.Conn {
	oldest := b.idle.Front()
	if oldest == nil {
		return nil
	}
	conn := b.idle.Remove(oldest).(net.Conn)
	delete(b.at, conn)
	return conn
}

// note records the state of a connection. The HTTP server calls it.
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
