package web

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines who may use a server over HTTP. A client needs a bearer token that is listed in a file or that an
// authorization server has issued. The file also defines the tokens that are listed in a file.

// metadataPath is the path of the metadata that name the authorization server (RFC 9728).
const metadataPath = "/.well-known/oauth-protected-resource"

// verifier returns the user of a token. The error is [auth.ErrInvalidToken] for an unknown token, and another one if
// it cannot be checked now.
type verifier interface {
	verify(ctx context.Context, token string) (*auth.TokenInfo, error)
}

// guard admits requests with a valid token, or those that Options.User accepts.
type guard struct {
	user      func(*http.Request) (string, error) // nil: the verifiers decide
	verifiers []verifier
	// scopes holds the scopes that a token must have.
	scopes []string
	// metadataURL and metadata tell clients where tokens are issued. They are "" and nil without an authorization
	// server.
	metadataURL string
	metadata    http.Handler
	log         *slog.Logger
	// recheck is the time between two checks of the token of a stream.
	recheck time.Duration
}

const recheckTime = 15 * time.Second

// newGuard returns nil if the server admits everybody.
func newGuard(o *Options, public *url.URL, log *slog.Logger) (*guard, error) {
	if o.User != nil && (o.TokenFile != "" || o.OAuth != nil) {
		return nil, errors.New("web: Options.User is given, and so is TokenFile or OAuth; want one of them")
	}
	g := &guard{log: log, recheck: recheckTime, user: o.User}
	if o.TokenFile != "" {
		tokens, err := openTokenFile(o.TokenFile, log)
		if err != nil {
			return nil, err
		}
		g.verifiers = append(g.verifiers, tokens)
	}
	if o.OAuth != nil {
		server, err := newOAuth(o.OAuth, public.String(), log)
		if err != nil {
			return nil, err
		}
		g.verifiers = append(g.verifiers, server)
		g.scopes = o.OAuth.Scopes
		g.metadataURL = public.Scheme + "://" + public.Host + metadataPath + strings.TrimSuffix(public.EscapedPath(), "/")
		g.metadata = auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
			Resource:               public.String(), // clients compare it with the address of the server
			AuthorizationServers:   []string{o.OAuth.Issuer},
			ScopesSupported:        o.OAuth.Scopes,
			BearerMethodsSupported: []string{"header"},
		})
	}
	if len(g.verifiers) == 0 && g.user == nil {
		return nil, nil
	}
	return g, nil
}

// check returns the user of a request, from Options.User or from its token. If a verifier cannot check the token, its
// error counts only if no other verifier knows the token.
func (g *guard) check(ctx context.Context, r *http.Request) (*auth.TokenInfo, error) {
	if g.user != nil {
		user, err := g.user(r)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", auth.ErrInvalidToken, err)
		}
		return &auth.TokenInfo{UserID: user, Extra: map[string]any{known: true}}, nil
	}
	token, ok := bearerToken(r)
	if !ok {
		return nil, errNoToken
	}
	failure := error(auth.ErrInvalidToken)
	for _, v := range g.verifiers {
		info, err := v.verify(ctx, token)
		if err == nil {
			return info, nil
		}
		if failure == auth.ErrInvalidToken || !errors.Is(err, auth.ErrInvalidToken) {
			failure = err
		}
	}
	return nil, failure
}

// errNoToken is the error of a request without a bearer token.
var errNoToken = errors.New("a bearer token is needed")

// admitted is the value in the context of a request that the guard has admitted. The type is also the key.
type admitted struct {
	info    *auth.TokenInfo
	request *http.Request
}

// protect returns a handler that passes on only requests with a sufficient token.
func (g *guard) protect(next http.Handler) http.Handler {
	// The SDK accepts the user of a request only from its own middleware.
	inner := auth.RequireBearerToken(func(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
		return ctx.Value(admitted{}).(*admitted).info, nil
	}, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			r.Header = r.Context().Value(admitted{}).(*admitted).request.Header // with the token of an editor
			next.ServeHTTP(w, r)
		}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		info, err := g.check(r.Context(), r)
		switch {
		case errors.Is(err, errNoToken):
			g.challenge(w, http.StatusUnauthorized, "", err.Error())
		case errors.Is(err, auth.ErrInvalidToken):
			g.challenge(w, http.StatusUnauthorized, "invalid_token", describeRefusal(err))
		case err != nil:
			g.log.Error("a token could not be checked", "reason", err)
			refuseBusy(w, http.StatusServiceUnavailable, "the token cannot be checked at the moment")
		case !g.suffices(info):
			g.challenge(w, http.StatusForbidden, "insufficient_scope", "the token lacks a scope")
		default:
			r = r.WithContext(context.WithValue(r.Context(), admitted{}, &admitted{info, r}))
			if g.user != nil {
				r.Header = r.Header.Clone()
				r.Header.Set("Authorization", "Bearer none") // that middleware wants a token
			}
			inner.ServeHTTP(w, r)
		}
	})
}

func bearerToken(r *http.Request) (string, bool) {
	headers := r.Header.Values("Authorization")
	if len(headers) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	token = strings.TrimSpace(token)
	return token, strings.EqualFold(scheme, "Bearer") && token != "" && !strings.ContainsAny(token, " \t")
}

// known marks users that come by a token of a file or by Options.User. They have every scope.
const known = "mcplogic user"

func (g *guard) suffices(info *auth.TokenInfo) bool {
	if info.Extra[known] != nil {
		return true
	}
	return !slices.ContainsFunc(g.scopes, func(s string) bool { return !slices.Contains(info.Scopes, s) })
}

// describeRefusal returns why a token is refused, without the text of the wrapped error.
func describeRefusal(err error) string {
	return cmp.Or(strings.TrimPrefix(strings.TrimPrefix(err.Error(), auth.ErrInvalidToken.Error()), ": "),
		"the token is unknown")
}

// challenge refuses a request and says which token it needs (RFC 6750, section 3).
func (g *guard) challenge(w http.ResponseWriter, status int, code, text string) {
	var params []string
	add := func(name, value string) {
		if value != "" {
			params = append(params, name+"="+strconv.Quote(value))
		}
	}
	add("error", code)
	if code != "" {
		add("error_description", text)
	}
	add("resource_metadata", g.metadataURL)
	add("scope", strings.Join(g.scopes, " "))
	w.Header().Set("WWW-Authenticate", strings.TrimSpace("Bearer "+strings.Join(params, ", ")))
	writeFault(w, status, nil, wire.InvalidFault("%s", text))
}

// watch ends a stream when its request would not be admitted any more.
func (g *guard) watch(ctx context.Context, end func()) {
	ticker := time.NewTicker(g.recheck)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if _, err := g.check(ctx, ctx.Value(admitted{}).(*admitted).request); errors.Is(err, auth.ErrInvalidToken) {
				end()
				return
			}
		}
	}
}

// shortestToken is the least length of a token. The number of guesses is not limited.
const shortestToken = 16

// settlingTime is how long after a change a second change of a file may have the same time.
const settlingTime = 2 * time.Second

// tokenFile is the last read state of a file with a token a line. Behind the token the line may name its owner. Empty
// lines and lines that begin with # are ignored.
type tokenFile struct {
	path string
	log  *slog.Logger

	mu   sync.Mutex
	info os.FileInfo // nil when it could not be read
	read time.Time
	// sums holds the digests of the tokens. They have equal length, so that each comparison takes the same time.
	sums [][sha256.Size]byte
	// seen holds the names of all tokens that have been in the file.
	seen map[string]bool
	// people maps names of tokens to their owners, if the file names them.
	people map[string]string
}

// openTokenFile reads a file. The file must hold a token.
func openTokenFile(path string, log *slog.Logger) (*tokenFile, error) {
	f := &tokenFile{path: path, log: log, seen: map[string]bool{}}
	if err := f.load(); err != nil {
		return nil, err
	}
	if f.info.Mode()&0o077 != 0 {
		log.Warn("others can read the tokens", "file", path, "mode", f.info.Mode().String())
	}
	return f, nil
}

// load reads the file. After an error no token is accepted.
func (f *tokenFile) load() error {
	f.sums, f.people, f.info, f.read = nil, nil, nil, time.Now()
	info, err := os.Stat(f.path)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(f.path)
	if err != nil {
		return err
	}
	f.info = info
	sums, people, err := parseTokens(data)
	if err != nil {
		return fmt.Errorf("%s:%w", f.path, err)
	}
	f.sums, f.people = sums, people
	for _, sum := range sums {
		f.seen[nameOf(sum)] = true
	}
	return nil
}

// parseTokens returns the digests of the tokens in a file, and the owners by the names of the tokens.
func parseTokens(data []byte) (sums [][sha256.Size]byte, people map[string]string, err error) {
	people = map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 0 || words[0][0] == '#':
			continue
		case len(words[0]) < shortestToken:
			return nil, nil, fmt.Errorf("%d: a token has at least %d characters and no spaces", n, shortestToken)
		}
		sum := sha256.Sum256([]byte(words[0]))
		if sums = append(sums, sum); len(words) > 1 {
			people[nameOf(sum)] = strings.Join(words[1:], " ")
		}
	}
	if err := lines.Err(); err != nil {
		return nil, nil, fmt.Errorf(" %w", err)
	}
	if len(sums) == 0 {
		return nil, nil, fmt.Errorf("1: there is no token in this file")
	}
	return sums, people, nil
}

// people returns the owners of the tokens in the files, by the names of the users.
func (h *Server) people() map[string]string {
	files := []*tokenFile{h.editors}
	if h.guard != nil {
		for _, v := range h.guard.verifiers {
			f, _ := v.(*tokenFile)
			files = append(files, f)
		}
	}
	all := map[string]string{}
	for _, f := range files {
		if f != nil {
			f.current()
			f.mu.Lock()
			for name, person := range f.people {
				all[tokenUser+name] = person
			}
			f.mu.Unlock()
		}
	}
	return all
}

// changed reports whether the file is not the one that was read.
func (f *tokenFile) changed() bool {
	info, err := os.Stat(f.path)
	if err != nil || f.info == nil {
		return f.info != nil || err == nil
	}
	return !os.SameFile(info, f.info) || info.Size() != f.info.Size() || !info.ModTime().Equal(f.info.ModTime()) ||
		f.read.Sub(info.ModTime()) < settlingTime
}

// verify looks a token up.
func (f *tokenFile) verify(_ context.Context, token string) (*auth.TokenInfo, error) {
	sum := sha256.Sum256([]byte(token))
	found := 0
	for _, one := range f.current() {
		found |= subtle.ConstantTimeCompare(one[:], sum[:])
	}
	if found == 0 {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{UserID: tokenUser + nameOf(sum), Extra: map[string]any{known: true}}, nil
}

// tokenUser begins the name of a user with a token of a file.
const tokenUser = "token "

// Revoked reports whether the token of a user was in the file of the server and is not there any more. It is false
// for a token that has never been in the file, which may belong to another server. While the file is being written
// the result may be wrong: ask again some seconds later.
func (h *Server) Revoked(user string) bool {
	digest, ok := strings.CutPrefix(user, tokenUser)
	if !ok || h.guard == nil {
		return false
	}
	for _, v := range h.guard.verifiers {
		if f, isFile := v.(*tokenFile); isFile {
			return f.lost(digest)
		}
	}
	return false
}

// nameOf returns the part of a digest that is in the name of a user.
func nameOf(sum [sha256.Size]byte) string { return hex.EncodeToString(sum[:8]) }

// lost reports whether the token with a name was in the file and is not there any more.
func (f *tokenFile) lost(name string) bool {
	sums := f.current()
	f.mu.Lock()
	defer f.mu.Unlock()
	return sums != nil && f.seen[name] &&
		!slices.ContainsFunc(sums, func(sum [sha256.Size]byte) bool { return nameOf(sum) == name })
}

// current returns the digests of the tokens in the file. It reads the file again if it has changed.
func (f *tokenFile) current() [][sha256.Size]byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.changed() {
		if err := f.load(); err != nil {
			f.log.Error("nobody is let in by a token of the file", "reason", err)
		}
	}
	return f.sums
}

// This part defines which hosts a request may name and which web pages may make one. A foreign web page can make a
// host name of its own lead to this machine, or call an address that only this machine reaches. The headers Host and
// Origin show that.

// gate checks the Host and Origin of requests.
type gate struct {
	// names holds the accepted host names in lower case, some of them with a port.
	names map[string]bool
	// loopback says that only this machine reaches the server.
	loopback bool
	anyHost  bool
	// proxied says that the public address of the server is not on this machine.
	proxied bool
	// origins holds the origins of web pages that are admitted.
	origins   map[string]bool
	anyOrigin bool
}

func newGate(o *Options, public *url.URL) (*gate, error) {
	host, _, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, fmt.Errorf("the address %q: %w", o.Address, err)
	}
	g := &gate{names: map[string]bool{"localhost": true}, loopback: isLoopback(host), origins: map[string]bool{}}
	g.anyHost, g.proxied = slices.Contains(o.AllowHosts, "*"), !isLoopback(public.Hostname())
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

// admitsHost reports whether a request may name this host. For a server that other machines reach, any IP address is
// allowed: an attacker can choose where a name leads, but not where an address does.
func (g *gate) admitsHost(host string) bool {
	host = strings.ToLower(host)
	name := (&url.URL{Host: host}).Hostname()
	if g.anyHost || g.names[host] || g.names[name] {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && (ip.IsLoopback() || !g.loopback)
}

// local reports whether a request seems to come from this machine. It is false if the headers show a proxy.
func (g *gate) local(r *http.Request) bool {
	return g.loopback && !g.anyHost && !g.proxied && isLoopback((&url.URL{Host: r.Host}).Hostname()) &&
		r.Header.Get("Forwarded") == "" && r.Header.Get("X-Forwarded-For") == ""
}

// admitsOrigin reports whether a page of this origin may make requests to this host.
func (g *gate) admitsOrigin(origin, host string) bool {
	origin = strings.ToLower(origin)
	if g.anyOrigin || g.origins[origin] {
		return true
	}
	scheme, from, _ := strings.Cut(origin, "://")
	return (scheme == "http" || scheme == "https") && from == strings.ToLower(host)
}

// admit returns a handler that passes on admitted requests, and tells browsers which pages may read the responses.
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

func excerpts(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = wire.Excerpt([]byte(text))
	}
	return strings.Join(quoted, " and ")
}

// answerPreflight tells a browser which requests an admitted origin may send.
func answerPreflight(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	if headers := r.Header.Get("Access-Control-Request-Headers"); headers != "" {
		w.Header().Set("Access-Control-Allow-Headers", headers)
	}
	w.Header().Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
}
