package events

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
)

// This file defines where occurrences may be posted, and posts them. An address has to be public unless it is allowed
// by name. The check applies to the address that a name resolves to at the moment of the post. Redirects are not
// followed.

// Callbacks say where occurrences may be posted. Goroutines share them.
type Callbacks struct {
	// Timeout bounds one post. 0: 10 s. Backoff is the time before the second attempt; each later wait is twice as long.
	// 0: 1 s.
	Timeout, Backoff time.Duration
	// Grace is how long the event of an admitted hook must be missing before the hook ends: files may be missing or
	// half written for a moment. 0: 5 s.
	Grace time.Duration
	// Revoked reports whether a user has lost access. The hooks of such a user end. nil: this is unknown. It is set
	// before the server runs.
	Revoked func(user string) bool

	any      bool
	prefixes []*url.URL
	networks []netip.Prefix
	resolve  func(ctx context.Context, host string) ([]netip.Addr, error)
	client   *http.Client

	mu       sync.Mutex
	verified map[string]bool // users with addresses that have answered a challenge
}

// maxVerified bounds the remembered challenges. All are forgotten when there are more.
const maxVerified = 10_000

// NewCallbacks reads where occurrences may be posted. A URL allows the addresses below it. * allows all https addresses
// on public networks, whose receivers have to answer a challenge. A network such as 10.0.0.0/8 allows names that lead
// there. The error names any other entry.
func NewCallbacks(entries []string) (*Callbacks, error) {
	c := &Callbacks{verified: map[string]bool{}}
	c.resolve = func(ctx context.Context, host string) ([]netip.Addr, error) {
		return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	}
	for _, entry := range entries {
		if entry == "*" {
			c.any = true
			continue
		}
		if network, err := netip.ParsePrefix(entry); err == nil {
			c.networks = append(c.networks, network.Masked())
			continue
		}
		u, err := url.Parse(entry)
		if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil ||
			u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Hostname())) {
			return nil, fmt.Errorf("%q is no place for callbacks; want a URL with https, a network such as 10.0.0.0/8, or *",
				entry)
		}
		c.prefixes = append(c.prefixes, u)
	}
	c.client = &http.Client{
		Transport: &http.Transport{DialContext: c.dial, TLSHandshakeTimeout: 5 * time.Second,
			MaxResponseHeaderBytes: 64 << 10, MaxIdleConnsPerHost: maxHost, IdleConnTimeout: 30 * time.Second,
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return c, nil
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

func (c *Callbacks) backoff() time.Duration {
	if c.Backoff > 0 {
		return c.Backoff
	}
	return time.Second
}

func (c *Callbacks) timeout() time.Duration {
	if c.Timeout > 0 {
		return c.Timeout
	}
	return 10 * time.Second
}

// listed reports whether an address lies below one that is allowed by name.
func (c *Callbacks) listed(u *url.URL) bool {
	return slices.ContainsFunc(c.prefixes, func(p *url.URL) bool {
		below := strings.TrimSuffix(p.Path, "/")
		return u.Scheme == p.Scheme && strings.EqualFold(u.Host, p.Host) &&
			(below == "" || u.Path == below || strings.HasPrefix(u.Path, below+"/"))
	})
}

// admit checks the address of a hook, with a challenge if it is not allowed by name.
func (c *Callbacks) admit(ctx context.Context, user string, d *delivery, id string) error {
	u, err := url.Parse(d.URL)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "" || len(d.URL) > 2000:
		return refusal.InvalidParams("the address of the callback is no URL")
	case u.User != nil || u.Fragment != "":
		return refusal.InvalidParams("the address of a callback has no user and no fragment")
	case u.Path != "" && u.Path != "/" && path.Clean(u.Path) != strings.TrimSuffix(u.Path, "/"):
		return refusal.InvalidParams("the path of the callback is not plain")
	}
	listed := c.listed(u)
	switch {
	case u.Scheme != "https" && !listed:
		return refusal.InvalidParams("the address of a callback has to begin with https")
	case !listed && !c.any:
		return coded(codeForbidden, "Forbidden: events may not be posted to this address", "reason", "callback")
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout())
	defer cancel()
	if _, err := c.addresses(ctx, u.Hostname()); errors.Is(err, errPrivate) {
		return coded(codeForbidden, "Forbidden: events may not be posted to this address", "reason", "callback")
	}
	key := user + "\x00" + d.URL
	c.mu.Lock()
	known := c.verified[key]
	c.mu.Unlock()
	if listed || known {
		return nil
	}
	return c.challenge(ctx, key, d, id)
}

// challenge checks that a receiver wants to get posts.
func (c *Callbacks) challenge(ctx context.Context, key string, d *delivery, id string) error {
	nonce := rand.Text()
	body := object("type", "verification", "challenge", nonce).JSON()
	answer, err := c.send(ctx, d.URL, id, "msg_verification_"+rand.Text(), body, []string{d.Secret})
	if err == nil && !challengeAnswered(answer, nonce) {
		err = &deliveryError{category: "challenge_failed"}
	}
	var refused *deliveryError
	if errors.As(err, &refused) {
		return coded(codeCallback, "CallbackEndpointError: the callback does not take events", "reason", refused.category)
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.verified) >= maxVerified {
		c.verified = map[string]bool{}
	}
	c.verified[key] = true
	return nil
}

// deliveryError is the category of a failed post. The receiver's response is not passed on, as the receiver may be a
// server within the network.
type deliveryError struct {
	category string
	// final says that the receiver will never take this body.
	final bool
}

func (e *deliveryError) Error() string { return e.category }

// post posts a body.
func (c *Callbacks) post(ctx context.Context, address, hook, id string, body []byte, secrets []string) error {
	u, err := url.Parse(address)
	if err != nil || !c.any && !c.listed(u) { // the allowed addresses may have changed since
		return &deliveryError{category: "connection_refused"}
	}
	_, err = c.send(ctx, address, hook, id, body, secrets)
	return err
}

// maxAnswer bounds the bytes read of a response.
const maxAnswer = 4 << 10

func (c *Callbacks) send(ctx context.Context, address, hook, id string, body []byte, secrets []string) ([]byte, error) {
	within, cancel := context.WithTimeout(ctx, c.timeout())
	defer cancel()
	req, err := http.NewRequestWithContext(within, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, &deliveryError{category: "connection_refused"}
	}
	seconds := stampOf(time.Now())
	for name, value := range map[string]string{"Content-Type": "application/json", "User-Agent": "mcplogic",
		"Webhook-Id": id, "Webhook-Timestamp": seconds, "Webhook-Signature": signatures(secrets, id, seconds, body),
		"X-Mcp-Subscription-Id": hook} {
		req.Header.Set(name, value)
	}
	resp, err := c.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &deliveryError{category: categoryOf(err)}
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	switch {
	case resp.StatusCode >= 500:
		return nil, &deliveryError{category: "http_5xx"}
	case resp.StatusCode >= 300:
		return nil, &deliveryError{category: "http_4xx",
			final: resp.StatusCode == http.StatusRequestEntityTooLarge || resp.StatusCode == http.StatusGone}
	case err != nil:
		return nil, &deliveryError{category: "timeout"}
	}
	return answer, nil
}

// categoryOf is the category of an error of a post that has no response.
func categoryOf(err error) string {
	var network net.Error
	var record tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &network) && network.Timeout():
		return "timeout"
	case errors.As(err, &record), errors.As(err, &certificate), strings.Contains(err.Error(), "tls: "):
		return "tls_error"
	}
	return "connection_refused"
}

var errPrivate = errors.New("the address is on no public network")

// addresses returns the addresses of a host that may be posted to. An address in the place of a name is allowed if it
// is allowed by name.
func (c *Callbacks) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	named := slices.ContainsFunc(c.prefixes, func(p *url.URL) bool { return strings.EqualFold(p.Hostname(), host) })
	if ip, err := netip.ParseAddr(host); err == nil {
		if named || c.open(ip) {
			return []netip.Addr{ip}, nil
		}
		return nil, errPrivate
	}
	found, err := c.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(ip netip.Addr) bool {
		return !c.open(ip) && !(named && host == "localhost" && ip.Unmap().IsLoopback())
	})
	if len(found) == 0 {
		return nil, errPrivate
	}
	return found, nil
}

// dial connects to a checked address, so that the name cannot lead elsewhere meanwhile.
func (c *Callbacks) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	list, err := c.addresses(ctx, host)
	for _, ip := range list {
		var conn net.Conn
		if conn, err = new(net.Dialer).DialContext(ctx, network, net.JoinHostPort(ip.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// open reports whether an address is public, so that events may be posted to it.
func (c *Callbacks) open(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	contains := func(p netip.Prefix) bool { return p.Contains(ip) }
	if slices.ContainsFunc(c.networks, contains) {
		return true
	}
	global := ip.Is4() || netip.MustParsePrefix("2000::/3").Contains(ip)
	return global && ip.IsGlobalUnicast() && !ip.IsPrivate() && !slices.ContainsFunc(special(), contains)
}

// special are networks of the registries of special addresses (IANA) that are not reachable by everybody, or lead to
// addresses of IPv4.
var special = sync.OnceValue(func() (list []netip.Prefix) {
	for _, text := range strings.Fields(`0.0.0.0/8 100.64.0.0/10 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15
		198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 2001::/23 2001:db8::/32 2002::/16 3fff::/20`) {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
})
