package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines which hosts a request may name and which web pages may make one. A foreign web page can point a
// host name of its own at this machine, or call an address that only this machine reaches. The headers Host and
// Origin of its requests give it away.

// gate checks the Host and Origin of requests.
type gate struct {
	// names are host names in lower case, some of them with a port.
	names map[string]bool
	// loopback says that other machines do not reach the server.
	loopback bool
	anyHost  bool
	// origins are the origins of other pages that are let in.
	origins   map[string]bool
	anyOrigin bool
}

func newGate(o *Options, public *url.URL) (*gate, error) {
	host, _, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, fmt.Errorf("the address %q: %w", o.Address, err)
	}
	g := &gate{names: map[string]bool{"localhost": true}, loopback: isLoopback(host), origins: map[string]bool{}}
	g.anyHost = slices.Contains(o.AllowHosts, "*")
	g.anyOrigin = slices.Contains(o.AllowOrigins, "*")
	for _, name := range append([]string{public.Host, public.Hostname()}, o.AllowHosts...) {
		g.names[strings.ToLower(name)] = true
	}
	if own, err := os.Hostname(); err == nil && !g.loopback {
		g.names[strings.ToLower(own)] = true
	}
	g.origins[originOf(public)] = true
	for _, text := range o.AllowOrigins {
		if text == "*" {
			continue
		}
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || originOf(u) != strings.ToLower(strings.TrimSuffix(text, "/")) {
			return nil, fmt.Errorf("the origin %q is none like https://app.example.org", text)
		}
		g.origins[originOf(u)] = true
	}
	return g, nil
}

func originOf(u *url.URL) string { return strings.ToLower(u.Scheme + "://" + u.Host) }

func isLoopback(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback()
	}
	return strings.EqualFold(host, "localhost")
}

// admitsHost reports whether the server may be called by this host. A server that other machines reach may be called
// by any IP address, since an attacker can choose where a name points but not where an address does.
func (g *gate) admitsHost(host string) bool {
	host = strings.ToLower(host)
	name := (&url.URL{Host: host}).Hostname()
	if g.anyHost || g.names[host] || g.names[name] {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && (ip.IsLoopback() || !g.loopback)
}

// admitsOrigin reports whether a page of this origin may call the server by this host.
func (g *gate) admitsOrigin(origin, host string) bool {
	origin = strings.ToLower(origin)
	if g.anyOrigin || g.origins[origin] {
		return true
	}
	scheme, from, _ := strings.Cut(origin, "://")
	return (scheme == "http" || scheme == "https") && from == strings.ToLower(host)
}

// admit lets requests pass on, and tells browsers which pages may read the answers.
func (g *gate) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.admitsHost(r.Host) {
			writeFault(w, http.StatusForbidden, nil,
				wire.InvalidFault("the host %s is not one of this server's; --allow-host admits it", wire.Excerpt([]byte(r.Host))))
			return
		}
		origins := r.Header.Values("Origin")
		if len(origins) == 0 {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Add("Vary", "Origin")
		if len(origins) > 1 || !g.admitsOrigin(origins[0], r.Host) {
			writeFault(w, http.StatusForbidden, nil,
				wire.InvalidFault("pages of the origin %s may not call this server; --allow-origin admits them", excerpts(origins)))
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", origins[0])
		w.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate, Retry-After")
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			answerPreflight(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// excerpts quotes texts of a client.
func excerpts(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = wire.Excerpt([]byte(text))
	}
	return strings.Join(quoted, " and ")
}

// preflight answers the question of a browser what an origin that is let in may send.
func answerPreflight(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	if headers := r.Header.Get("Access-Control-Request-Headers"); headers != "" {
		w.Header().Set("Access-Control-Allow-Headers", headers)
	}
	w.Header().Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
}
