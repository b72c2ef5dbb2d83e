package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// This file defines the keys with which an authorization server signs: where they are published, and
// how they are kept up to date.

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
