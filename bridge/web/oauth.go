package web

import (
	"cmp"
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines access tokens of an authorization server: signed JWTs, as RFC 9068 has them.

// OAuthOptions name the authorization server whose access tokens are accepted.
type OAuthOptions struct {
	// Issuer is the URL of the authorization server, exactly as it names itself.
	Issuer string
	// Audience is what a token must be issued for. "": the URL of the endpoint.
	Audience string
	// Scopes are those that a token must have. None are needed when it is empty.
	Scopes []string
	// Client fetches the metadata and the keys of the issuer. nil: one that gives up after 10 s.
	Client *http.Client
}

// tokenAlgorithms are the signatures that are accepted. Algorithms with a shared secret are not: anybody could sign
// with a public key as the secret.
var tokenAlgorithms = []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512,
	jose.ES256, jose.ES384, jose.ES512, jose.EdDSA}

// tokenLeeway is how far the clocks of the two servers may be apart.
const tokenLeeway = 30 * time.Second

// oauth verifies access tokens.
type oauth struct {
	audience string
	keys     *issuerKeys
}

func newOAuth(o *OAuthOptions, address string, log *slog.Logger) (*oauth, error) {
	issuer, err := url.Parse(o.Issuer)
	if err != nil || issuer.Host == "" || issuer.RawQuery != "" || issuer.Fragment != "" {
		return nil, fmt.Errorf("the issuer %q is no URL like https://login.example.org", o.Issuer)
	}
	if !isSecure(issuer) {
		return nil, fmt.Errorf("the issuer %s must have a URL with https", o.Issuer)
	}
	v := &oauth{audience: cmp.Or(o.Audience, address), keys: newIssuerKeys(issuer, o.Client)}
	ctx, cancel := context.WithTimeout(context.Background(), fetchTime)
	defer cancel()
	if err := v.keys.refresh(ctx); err != nil {
		log.Warn("the keys of the issuer cannot be had yet", "reason", err)
	}
	return v, nil
}

// isSecure reports whether nobody can listen or interfere when a URL is fetched.
func isSecure(u *url.URL) bool {
	return u.Scheme == "https" || (u.Scheme == "http" && isLoopback(u.Hostname()))
}

// accessClaims are the contents of an access token that matter here, besides the registered ones.
type accessClaims struct {
	Scope    scopeList `json:"scope"`
	Scopes   scopeList `json:"scp"` // as some servers have it
	ClientID string    `json:"client_id"`
	// Confirmation binds a token to a key of its client.
	Confirmation json.RawMessage `json:"cnf"`
}

// scopeList are several in one text or in an array.
type scopeList []string

// UnmarshalJSON reads either.
func (w *scopeList) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*w = strings.Fields(text)
		return nil
	}
	var list []string
	if err := json.Unmarshal(data, &list); err != nil {
		return errors.New("expected words in a string or an array")
	}
	*w = list
	return nil
}

func badToken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", auth.ErrInvalidToken, fmt.Sprintf(format, args...))
}

// verify checks the signature and the claims of a token.
func (v *oauth) verify(ctx context.Context, token string) (*auth.TokenInfo, error) {
	parsed, err := jwt.ParseSigned(token, tokenAlgorithms)
	if err != nil || len(parsed.Headers) != 1 {
		return nil, badToken("not a JWT with a signature that is accepted")
	}
	head := parsed.Headers[0]
	if !isAccessToken(head) {
		return nil, badToken("not an access token")
	}
	keys, issuer, err := v.keys.find(ctx, head.KeyID)
	if err != nil {
		return nil, err
	}
	var registered jwt.Claims
	var own accessClaims
	if !readClaims(parsed, keys, &registered, &own) {
		return nil, badToken("the signature is not one of the issuer, or the claims are malformed")
	}
	if err := v.accept(&registered, &own, issuer); err != nil {
		return nil, err
	}
	return &auth.TokenInfo{Scopes: append(own.Scope, own.Scopes...), Expiration: registered.Expiry.Time().Add(tokenLeeway),
		UserID: issuer + " " + cmp.Or(registered.Subject, own.ClientID)}, nil
}

// isAccessToken reports whether the type of a token, when it has one, lets it be an access token.
func isAccessToken(head jose.Header) bool {
	kind, _ := head.ExtraHeaders[jose.HeaderType].(string)
	kind = strings.TrimPrefix(strings.ToLower(kind), "application/")
	return slices.Contains([]string{"", "jwt", "at+jwt"}, kind)
}

// readClaims reads the claims of a token that one of the keys has signed.
func readClaims(parsed *jwt.JSONWebToken, keys []jose.JSONWebKey, claims ...any) bool {
	algorithm := parsed.Headers[0].Algorithm
	for _, key := range keys {
		if key.Algorithm != "" && key.Algorithm != algorithm {
			continue
		}
		if k, ok := key.Key.(*rsa.PublicKey); ok && k.N.BitLen() < leastRSA {
			continue
		}
		if parsed.Claims(key, claims...) == nil {
			return true
		}
	}
	return false
}

// leastRSA is how many bits a key of the issuer has at least (RFC 7518, 3.3).
const leastRSA = 2048

// accept checks the claims of a token of the issuer.
func (v *oauth) accept(c *jwt.Claims, own *accessClaims, issuer string) error {
	switch {
	case c.Expiry == nil:
		return badToken("the token has no end")
	case len(own.Confirmation) > 0:
		return badToken("the token is bound to a key of its client and no bearer token")
	case c.Subject == "" && own.ClientID == "":
		return badToken("the token does not say whose it is")
	}
	if strings.TrimSuffix(c.Issuer, "/") == strings.TrimSuffix(issuer, "/") {
		issuer = c.Issuer // some issuers end with a slash in one place and not in the other
	}
	err := c.ValidateWithLeeway(jwt.Expected{Issuer: issuer, AnyAudience: jwt.Audience{v.audience}, Time: time.Now()},
		tokenLeeway)
	switch {
	case errors.Is(err, jwt.ErrExpired):
		return badToken("the token has expired")
	case errors.Is(err, jwt.ErrNotValidYet), errors.Is(err, jwt.ErrIssuedInTheFuture):
		return badToken("the token is not valid yet")
	case errors.Is(err, jwt.ErrInvalidAudience):
		return badToken("the token is for another server")
	case err != nil:
		return badToken("the token is of the issuer %q, not of %q", spell.Shorten(c.Issuer), issuer)
	}
	return nil
}

// This part defines the keys with which an authorization server signs: where they are published, and how they are kept
// up to date.

const (
	// fetchTime bounds getting one document of the issuer.
	fetchTime = 10 * time.Second
	// fetchPause is the least time between two fetches, so that tokens with made-up keys do not flood the issuer.
	fetchPause = 10 * time.Second
	// keysFresh is how long keys are used without looking for a change.
	keysFresh = 10 * time.Minute
	// keysStale is how long they are used when the issuer does not answer.
	keysStale = time.Hour
	// maxDocument bounds what the issuer sends.
	maxDocument = 1 << 20
)

// issuerKeys are the keys of an authorization server as it last published them.
type issuerKeys struct {
	issuer *url.URL
	client *http.Client
	pause  time.Duration // fetchPause

	fetching sync.Mutex // held during a fetch

	mu   sync.Mutex
	name string // of the issuer, as it writes it
	keys []jose.JSONWebKey
	got  time.Time // when they were published, as far as we know
	last time.Time // when they were last asked for
	err  error     // what came of that
}

func newIssuerKeys(issuer *url.URL, client *http.Client) *issuerKeys {
	if client == nil {
		client = &http.Client{Timeout: fetchTime, CheckRedirect: staySecure}
	}
	return &issuerKeys{issuer: issuer, client: client, pause: fetchPause}
}

// staySecure stops redirections to where others could interfere.
func staySecure(req *http.Request, via []*http.Request) error {
	if !isSecure(req.URL) || len(via) > 3 {
		return fmt.Errorf("redirected to %s", req.URL)
	}
	return nil
}

// find returns the keys that may have signed a token, and the name of the issuer. Keys that are
// not known are looked for.
func (k *issuerKeys) find(ctx context.Context, id string) ([]jose.JSONWebKey, string, error) {
	found, name, age := k.named(id)
	if len(found) == 0 || age > keysFresh {
		if err := k.refresh(ctx); err != nil && (age > keysStale || len(found) == 0) {
			return nil, "", err
		}
		found, name, _ = k.named(id)
	}
	if len(found) == 0 {
		return nil, "", badToken("the issuer has no such key")
	}
	return found, name, nil
}

// named returns the known keys with an id, all of them when it is empty.
func (k *issuerKeys) named(id string) (found []jose.JSONWebKey, issuer string, age time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, key := range k.keys {
		if id == "" || key.KeyID == id {
			found = append(found, key)
		}
	}
	return found, k.name, time.Since(k.got)
}

// refresh fetches the keys anew, unless that was done just now.
func (k *issuerKeys) refresh(ctx context.Context) error {
	k.fetching.Lock()
	defer k.fetching.Unlock()
	k.mu.Lock()
	last, err := k.last, k.err
	k.mu.Unlock()
	if time.Since(last) < k.pause {
		return err
	}
	// Others wait for the result too, so it does not depend on this request alone.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTime)
	defer cancel()
	name, keys, err := k.fetch(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last, k.err = time.Now(), err
	if err == nil {
		k.name, k.keys, k.got = name, keys, k.last
	}
	return err
}

// issuerMetadata is what an authorization server says of itself (RFC 8414), as far as it matters here.
type issuerMetadata struct {
	Issuer  string `json:"issuer"`
	JWKSURI string `json:"jwks_uri"`
}

// fetch asks the issuer for its metadata and then for its keys.
func (k *issuerKeys) fetch(ctx context.Context) (name string, keys []jose.JSONWebKey, err error) {
	meta, err := k.discover(ctx)
	if err != nil {
		return "", nil, fmt.Errorf("the issuer %s: %w", k.issuer, err)
	}
	address, err := url.Parse(meta.JWKSURI)
	if err != nil || !isSecure(address) {
		return "", nil, fmt.Errorf("the issuer %s has its keys at %q, which is no URL with https", k.issuer, meta.JWKSURI)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := k.get(ctx, meta.JWKSURI, &set); err != nil {
		return "", nil, fmt.Errorf("the keys of the issuer %s: %w", k.issuer, err)
	}
	for _, raw := range set.Keys {
		var key jose.JSONWebKey // one of a kind we do not know is none of those that count
		if json.Unmarshal(raw, &key) == nil && key.Use != "enc" && key.IsPublic() && key.Valid() {
			keys = append(keys, key)
		}
	}
	return meta.Issuer, keys, nil
}

// discover gets the metadata from the first of the places that has it.
func (k *issuerKeys) discover(ctx context.Context) (*issuerMetadata, error) {
	var problems []error
	for _, place := range metadataPlaces(k.issuer) {
		var meta issuerMetadata
		if err := k.get(ctx, place, &meta); err != nil {
			problems = append(problems, err)
			continue
		}
		if strings.TrimSuffix(meta.Issuer, "/") != strings.TrimSuffix(k.issuer.String(), "/") {
			return nil, fmt.Errorf("it calls itself %q", meta.Issuer)
		}
		return &meta, nil
	}
	return nil, errors.Join(problems...)
}

// metadataPlaces are where an issuer publishes its metadata: in two ways of OAuth, and as OpenID Connect had it before.
func metadataPlaces(issuer *url.URL) []string {
	origin, path := issuer.Scheme+"://"+issuer.Host, strings.TrimSuffix(issuer.EscapedPath(), "/")
	places := []string{origin + "/.well-known/oauth-authorization-server" + path,
		origin + "/.well-known/openid-configuration" + path}
	if path != "" {
		places = append(places, origin+path+"/.well-known/openid-configuration")
	}
	return places
}

// get fetches a JSON document.
func (k *issuerKeys) get(ctx context.Context, address string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	resp, err := k.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, resp.Status)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument))
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	return nil
}
