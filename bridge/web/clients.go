package web

import (
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
