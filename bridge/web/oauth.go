package web

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
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
	v := &oauth{audience: o.Audience, keys: newIssuerKeys(issuer, o.Client)}
	if v.audience == "" {
		v.audience = address
	}
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
	user := registered.Subject
	if user == "" {
		user = own.ClientID
	}
	return &auth.TokenInfo{Scopes: append(own.Scope, own.Scopes...), Expiration: registered.Expiry.Time().Add(tokenLeeway),
		UserID: issuer + " " + user}, nil
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
