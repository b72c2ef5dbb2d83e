package web

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// withToken is a client's transport that brings a token.
type withToken struct {
	http.RoundTripper
	token string
}

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+w.token)
	return w.RoundTripper.RoundTrip(r)
}

// selfSigned makes a certificate for loopback and returns its files and a pool that trusts it.
func selfSigned(t *testing.T) (certFile, keyFile string, pool *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, IsCA: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	dir := t.TempDir()
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	require.NoError(t, os.WriteFile(certFile, certPEM, 0o600))
	require.NoError(t, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}), 0o600))
	pool = x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(certPEM))
	return certFile, keyFile, pool
}

func tlsClient(pool *x509.CertPool) *http.Client {
	return &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: pool}}}
}

// issuer publishes keys as an authorization server does, and signs what a test wants.
type issuer struct {
	*testing.T
	url string
	// path is where the metadata is, below the origin; name is what it says the issuer is.
	path, name string
	fetched    atomic.Int32

	mu   sync.Mutex
	keys map[string]crypto.Signer
	// extra are keys published as they are.
	extra []string
	down  bool
}

func newIssuer(t *testing.T, path string) *issuer {
	t.Helper()
	i := &issuer{T: t, path: path, keys: map[string]crypto.Signer{}}
	server := httptest.NewServer(i)
	t.Cleanup(server.Close)
	i.url = server.URL
	i.name = server.URL
	return i
}

func (i *issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.down:
		http.Error(w, "down", http.StatusInternalServerError)
	case r.URL.Path == i.path:
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": i.name, "jwks_uri": i.url + "/keys"})
	case strings.HasSuffix(r.URL.Path, "/keys"):
		i.fetched.Add(1)
		keys := []json.RawMessage{}
		for id, key := range i.keys {
			data, _ := jose.JSONWebKey{Key: key.Public(), KeyID: id, Use: "sig"}.MarshalJSON()
			keys = append(keys, data)
		}
		for _, text := range i.extra {
			keys = append(keys, json.RawMessage(text))
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": keys})
	default:
		http.NotFound(w, r)
	}
}

func (i *issuer) set(change func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	change()
}

// key adds a new key for an algorithm.
func (i *issuer) key(id string, algorithm jose.SignatureAlgorithm) {
	var key crypto.Signer
	var err error
	switch algorithm {
	case jose.RS256:
		key, err = rsa.GenerateKey(rand.Reader, 2048)
	case jose.ES256:
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case jose.EdDSA:
		_, key, err = ed25519.GenerateKey(rand.Reader)
	}
	require.NoError(i, err)
	i.set(func() { i.keys[id] = key })
}

// good are the claims of a token that is accepted; change, if it is not nil, makes it another.
func (i *issuer) good(audience string, change func(map[string]any)) map[string]any {
	c := map[string]any{"iss": i.name, "aud": audience, "sub": "ada", "scope": "kb.read kb.write",
		"iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix()}
	if change != nil {
		change(c)
	}
	return c
}

// sign makes a token.
func (i *issuer) sign(id string, key any, algorithm jose.SignatureAlgorithm, claims map[string]any,
	kind string) string {
	i.Helper()
	o := (&jose.SignerOptions{}).WithType(jose.ContentType(kind))
	if id != "" {
		o = o.WithHeader("kid", id)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, o)
	require.NoError(i, err)
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	require.NoError(i, err)
	return token
}

const testAudience = "https://kb.example.org/mcp"

// newVerifier returns a verifier of an issuer's tokens.
func (i *issuer) newVerifier() *oauth {
	v, err := newOAuth(&OAuthOptions{Issuer: i.url, Audience: testAudience}, "", slog.New(slog.DiscardHandler))
	require.NoError(i, err)
	v.keys.pause = 50 * time.Millisecond
	return v
}

// TestOAuthAlgorithms accepts tokens of each kind of key, with and without a key's id.
func TestOAuthAlgorithms(t *testing.T) {
	for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"} {
		i := newIssuer(t, path)
		i.extra = []string{`{"kty":"AKP","alg":"ML-DSA-44","kid":"new","pub":"AAAA"}`,
			`{"kty":"oct","k":"c2VjcmV0","kid":"shared"}`, `5`}
		for _, algorithm := range []jose.SignatureAlgorithm{jose.RS256, jose.ES256, jose.EdDSA} {
			i.key(string(algorithm), algorithm)
		}
		v := i.newVerifier()
		for id, key := range i.keys {
			for _, kind := range []string{"at+jwt", "JWT", "application/at+jwt"} {
				for _, named := range []string{id, ""} {
					info, err := v.verify(context.Background(),
						i.sign(named, key, jose.SignatureAlgorithm(id), i.good(testAudience, nil), kind))
					require.NoError(t, err)
					require.Equal(t, []string{"kb.read", "kb.write"}, info.Scopes)
					require.Equal(t, i.name+" ada", info.UserID)
				}
			}
		}
	}
}

// TestOAuthRefuses has a token wrong in one way each.
func TestOAuthRefuses(t *testing.T) {
	i := newIssuer(t, "/.well-known/oauth-authorization-server")
	i.key("one", jose.RS256)
	v := i.newVerifier()
	rsaKey := i.keys["one"].(*rsa.PrivateKey)
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	claim := func(name string, value any) map[string]any {
		return i.good(testAudience, func(c map[string]any) {
			if c[name] = value; value == nil {
				delete(c, name)
			}
		})
	}
	now := time.Now().Unix()
	good := i.sign("one", rsaKey, jose.RS256, i.good(testAudience, nil), "at+jwt")
	parts := strings.Split(good, ".")
	head, err := json.Marshal(map[string]string{"alg": "none", "typ": "at+jwt"})
	require.NoError(t, err)
	publicPEM := pem.EncodeToMemory(&pem.Block{Type: "RSA PUBLIC KEY",
		Bytes: x509.MarshalPKCS1PublicKey(&rsaKey.PublicKey)})
	for name, test := range map[string]struct{ token, want string }{
		"expired":         {i.sign("one", rsaKey, jose.RS256, claim("exp", now-60), "JWT"), "expired"},
		"no end":          {i.sign("one", rsaKey, jose.RS256, claim("exp", nil), "JWT"), "no end"},
		"not yet":         {i.sign("one", rsaKey, jose.RS256, claim("nbf", now+60), "JWT"), "not valid yet"},
		"from the future": {i.sign("one", rsaKey, jose.RS256, claim("iat", now+60), "JWT"), "not valid yet"},
		"other audience": {i.sign("one", rsaKey, jose.RS256, claim("aud", "https://other.example.org"), "JWT"),
			"another server"},
		"no audience":     {i.sign("one", rsaKey, jose.RS256, claim("aud", nil), "JWT"), "another server"},
		"prefix audience": {i.sign("one", rsaKey, jose.RS256, claim("aud", testAudience+"/x"), "JWT"), "another server"},
		"other issuer": {i.sign("one", rsaKey, jose.RS256, claim("iss", "https://evil.example"), "JWT"),
			`of the issuer "https://evil.example"`},
		"no issuer":        {i.sign("one", rsaKey, jose.RS256, claim("iss", nil), "JWT"), `of the issuer ""`},
		"nobody":           {i.sign("one", rsaKey, jose.RS256, claim("sub", nil), "JWT"), "whose"},
		"bound to a key":   {i.sign("one", rsaKey, jose.RS256, claim("cnf", map[string]string{"jkt": "x"}), "JWT"), "bound"},
		"odd scope":        {i.sign("one", rsaKey, jose.RS256, claim("scope", 5), "JWT"), "malformed"},
		"id token":         {i.sign("one", rsaKey, jose.RS256, i.good(testAudience, nil), "dpop+jwt"), "not an access token"},
		"a stranger's key": {i.sign("one", stranger, jose.RS256, i.good(testAudience, nil), "JWT"), "signature"},
		"unknown key":      {i.sign("two", stranger, jose.RS256, i.good(testAudience, nil), "JWT"), "no such key"},
		"shared secret":    {i.sign("one", publicPEM, jose.HS256, i.good(testAudience, nil), "JWT"), "not a JWT"},
		"no signature":     {base64.RawURLEncoding.EncodeToString(head) + "." + parts[1] + ".", "not a JWT"},
		"changed claims": {parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"eve"}`)) + "." +
			parts[2], "signature"},
		"cut off": {parts[0] + "." + parts[1], "not a JWT"},
		"noise":   {"zebra", "not a JWT"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := v.verify(context.Background(), test.token)
			require.ErrorIs(t, err, auth.ErrInvalidToken)
			require.ErrorContains(t, err, test.want)
		})
	}
	_, err = v.verify(context.Background(), good)
	require.NoError(t, err)
	for _, end := range []int64{now - 20, now - 1} { // by clocks that are not quite the same
		info, err := v.verify(context.Background(), i.sign("one", rsaKey, jose.RS256, claim("exp", end), "JWT"))
		require.NoError(t, err)
		require.Greater(t, info.Expiration.Unix(), now)
	}
	_, err = v.verify(context.Background(), i.sign("one", rsaKey, jose.RS256, claim("iss", i.name+"/"), "JWT"))
	require.NoError(t, err)
	_, err = v.verify(context.Background(), i.sign("one", rsaKey, jose.RS256, claim("exp", now-5), "JWT"))
	require.NoError(t, err, "clocks may differ a little")
}

// TestOAuthClocks takes what clocks that are half a minute apart make of a token's times, and no second more.
func TestOAuthClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &oauth{audience: testAudience}
		accept := func(end, begin, issued time.Duration) error {
			at := func(d time.Duration) *jwt.NumericDate { return jwt.NewNumericDate(time.Now().Add(d)) }
			return v.accept(&jwt.Claims{Subject: "ada", Audience: jwt.Audience{testAudience}, Expiry: at(end),
				NotBefore: at(begin), IssuedAt: at(issued)}, &accessClaims{}, "")
		}
		for _, late := range []time.Duration{0, time.Second, 29 * time.Second, 30 * time.Second} {
			require.NoError(t, accept(-late, 0, 0), late)
			require.NoError(t, accept(time.Hour, late, 0), late)
			require.NoError(t, accept(time.Hour, 0, late), late)
		}
		require.ErrorContains(t, accept(-31*time.Second, 0, 0), "expired")
		require.ErrorContains(t, accept(time.Hour, 31*time.Second, 0), "not valid yet")
		require.ErrorContains(t, accept(time.Hour, 0, 31*time.Second), "not valid yet")
	})
}

// TestOAuthRotation finds new keys, forgets old ones, and does not flood the issuer.
func TestOAuthRotation(t *testing.T) {
	i := newIssuer(t, "/.well-known/oauth-authorization-server")
	i.key("one", jose.ES256)
	v := i.newVerifier()
	token := func(id string) string {
		return i.sign(id, i.keys[id], jose.ES256, i.good(testAudience, nil), "JWT")
	}
	first := token("one")
	verify := func(token string) error {
		_, err := v.verify(context.Background(), token)
		return err
	}
	require.NoError(t, verify(first))
	i.key("two", jose.ES256)
	time.Sleep(v.keys.pause)
	require.NoError(t, verify(token("two")))
	i.set(func() { delete(i.keys, "one") })
	require.NoError(t, verify(first), "still known")
	age := func(by time.Duration) {
		v.keys.mu.Lock()
		defer v.keys.mu.Unlock()
		v.keys.got = v.keys.got.Add(-by)
	}
	age(keysFresh)
	time.Sleep(v.keys.pause)
	require.ErrorIs(t, verify(first), auth.ErrInvalidToken)

	before := i.fetched.Load()
	v.keys.pause = time.Hour
	for range 50 {
		require.ErrorIs(t, verify(first), auth.ErrInvalidToken)
	}
	require.Equal(t, before, i.fetched.Load())

	v.keys.pause = 0
	i.set(func() { i.down = true })
	second := token("two")
	age(2 * keysFresh)
	require.NoError(t, verify(second), "the issuer may be down for a while")
	age(keysStale)
	err := verify(second)
	require.Error(t, err)
	require.NotErrorIs(t, err, auth.ErrInvalidToken)
	i.set(func() { i.down = false })
	require.NoError(t, verify(second))
}

// TestOAuthDiscovery refuses issuers that are not who they should be.
func TestOAuthDiscovery(t *testing.T) {
	i := newIssuer(t, "/.well-known/oauth-authorization-server")
	i.key("one", jose.ES256)
	token := i.sign("one", i.keys["one"], jose.ES256, i.good(testAudience, nil), "JWT")
	i.set(func() { i.name = "https://evil.example" })
	_, err := i.newVerifier().verify(context.Background(), token)
	require.ErrorContains(t, err, "it calls itself")
	i.set(func() { i.name, i.path = i.url+"/", "/.well-known/openid-configuration" })
	v := i.newVerifier()
	_, err = v.verify(context.Background(), i.sign("one", i.keys["one"], jose.ES256, i.good(testAudience, nil), "JWT"))
	require.NoError(t, err, "a slash at the end may be left out")

	for _, path := range []string{"/.well-known/oauth-authorization-server/t", "/.well-known/openid-configuration/t",
		"/t/.well-known/openid-configuration"} {
		tenant := newIssuer(t, path)
		tenant.key("one", jose.ES256)
		tenant.url += "/t"
		tenant.name = tenant.url
		_, err = tenant.newVerifier().verify(context.Background(),
			tenant.sign("one", tenant.keys["one"], jose.ES256, tenant.good(testAudience, nil), "JWT"))
		require.NoError(t, err)
	}
}

// TestOAuthServer serves with an issuer: metadata, challenges, scopes and an issuer that is down.
func TestOAuthServer(t *testing.T) {
	i := newIssuer(t, "/.well-known/oauth-authorization-server")
	i.key("one", jose.ES256)
	w := serveSite(t, nil, &Options{OAuth: &OAuthOptions{Issuer: i.url, Scopes: []string{"kb.read"}},
		TokenFile: tokens(t, tokenAda)}, nil)
	token := func(change func(map[string]any)) string {
		return bearing(i.sign("one", i.keys["one"], jose.ES256, i.good(w.url, change), "at+jwt"))
	}
	a := w.post(wiretest.PingLine("1"))
	require.Equal(t, 401, a.status)
	challenges, err := oauthex.ParseWWWAuthenticate(a.header.Values("WWW-Authenticate"))
	require.NoError(t, err)
	require.Equal(t, "kb.read", challenges[0].Params["scope"])
	meta, err := oauthex.GetProtectedResourceMetadata(context.Background(), challenges[0].Params["resource_metadata"],
		w.url, http.DefaultClient)
	require.NoError(t, err)
	require.Equal(t, []string{i.url}, meta.AuthorizationServers)
	require.Equal(t, []string{"kb.read"}, meta.ScopesSupported)
	require.Equal(t, 200, w.post(wiretest.PingLine("1"), token(nil)).status)
	require.Equal(t, 200, w.post(wiretest.PingLine("1"), bearing(tokenAda)).status)

	a = w.post(wiretest.PingLine("1"), token(func(c map[string]any) { c["scope"] = "kb.write" }))
	require.Equal(t, 403, a.status)
	require.Contains(t, a.header.Get("WWW-Authenticate"), `error="insufficient_scope"`)
	a = w.post(wiretest.PingLine("1"), token(func(c map[string]any) { c["exp"] = 5 }))
	require.Equal(t, 401, a.status)
	require.Contains(t, a.header.Get("WWW-Authenticate"), `error_description="the token has expired"`)
	require.Equal(t, 200, w.post(wiretest.PingLine("1"),
		token(func(c map[string]any) { c["scope"], c["scp"] = nil, []string{"kb.read"} })).status)

	session := w.begin("2025-11-25", token(nil))
	other := append([]string{token(func(c map[string]any) { c["sub"] = "bob" })}, session[1:]...)
	require.Equal(t, 404, w.post(wiretest.PingLine("1"), other...).status)
	renewed := append([]string{token(func(c map[string]any) { c["jti"] = "2" })}, session[1:]...)
	require.Equal(t, 200, w.post(wiretest.PingLine("1"), renewed...).status)

	w = serveSite(t, nil, &Options{OAuth: &OAuthOptions{Issuer: i.url, Audience: "api://kb"}}, nil)
	require.Equal(t, 401, w.post(wiretest.PingLine("1"), token(nil)).status)
	require.Equal(t, 200, w.post(wiretest.PingLine("1"),
		token(func(c map[string]any) { c["aud"] = []string{"x", "api://kb"} })).status)
	_, err = oauthex.GetProtectedResourceMetadata(context.Background(),
		strings.Replace(w.url, Path, metadataPath+Path, 1), w.url, http.DefaultClient)
	require.NoError(t, err)

	i.set(func() { i.down = true })
	w = serveSite(t, nil, &Options{OAuth: &OAuthOptions{Issuer: i.url}}, nil)
	require.Equal(t, 503, w.post(wiretest.PingLine("1"), token(nil)).status)
}

// TestOAuthWeakKeys takes no signature by an RSA key of fewer than 2048 bits, though the issuer has it.
func TestOAuthWeakKeys(t *testing.T) {
	for bits, good := range map[int]bool{1024: false, 2047: false, 2048: true} {
		i := newIssuer(t, "/.well-known/oauth-authorization-server")
		key, err := rsa.GenerateKey(rand.Reader, bits)
		require.NoError(t, err)
		i.set(func() { i.keys["one"] = key })
		v := i.newVerifier()
		for _, id := range []string{"one", ""} {
			_, err = v.verify(context.Background(), i.sign(id, key, jose.RS256, i.good(testAudience, nil), "at+jwt"))
			if good {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, auth.ErrInvalidToken)
			}
		}
	}
}
