package events

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines hooks: addresses to which occurrences are posted, one after the other, until the receiver has them.

const (
	// defaultTTL is how long a hook lives without a renewal. A client may choose a time between leastTTL and mostTTL.
	defaultTTL, leastTTL, mostTTL = time.Hour, time.Minute, 24 * time.Hour
	// maxPosting bounds the concurrent posts, and maxHost the concurrent posts to one host.
	maxPosting, maxHost = 16, 4
	// claimTime is how long a server may post to a hook before others may.
	claimTime = 15 * time.Second
	// maxAttempts is how often a post is tried before the hook rests until its client renews it.
	maxAttempts = 12
	// maxBackoff bounds the time between two attempts.
	maxBackoff = 5 * time.Minute
	// overGrace is the default of Callbacks.Grace. overTime is how often a hook that may be over is checked.
	overGrace, overTime = 5 * time.Second, time.Second
)

// delivery says where and how a client wants occurrences posted.
type delivery struct {
	Mode   string `json:"mode"`
	URL    string `json:"url"`
	Secret string `json:"secret"`
}

type (
	subscribeResult struct {
		mcp.ResultBase
		ResultType string  `json:"resultType"`
		ID         string  `json:"id"`
		Before     string  `json:"refreshBefore"`
		Cursor     string  `json:"cursor"`
		Truncated  bool    `json:"truncated"`
		Status     *status `json:"deliveryStatus,omitempty"`
	}
	// status is the state of a hook's posts as the client sees it: the category of an error, and nothing of the
	// receiver's response.
	status struct {
		Active      bool    `json:"active"`
		LastAt      *string `json:"lastDeliveryAt"`
		LastError   *string `json:"lastError"`
		FailedSince *string `json:"failedSince,omitempty"`
	}
)

// post is the state of a hook that this server posts to.
type post struct {
	status
	busy     bool
	ending   bool      // its receiver has not accepted the end of the hook, or the hook is about to end
	admitted bool      // this server has admitted it
	over     time.Time // since when the hook seems to be over, or zero
	attempts int
	next     time.Time // the time of the next attempt
	until    int64     // the stamp of the hook; a renewed hook is tried again
	host     string
}

// hookID names the hook of a user for a watch and an address.
func hookID(user, key, address string) string {
	sum := sha256.Sum256([]byte(user + "\x00" + address + "\x00" + key))
	return "sub_" + hex.EncodeToString(sum[:12])
}

// hookRequest checks a request about a hook.
func (t *Table) hookRequest(req *request) (user string, w *watch, d *delivery, err error) {
	if user = calls.UserOf(req.Extra); user == "" {
		return "", nil, nil, coded(codeForbidden, "Forbidden: webhooks are for users who have signed in", "reason",
			"unauthenticated")
	}
	if t.set.Callbacks == nil {
		return "", nil, nil, coded(codeUnsupported, "Unsupported: this server posts no events", "feature", "deliveryMode",
			"value", "webhook")
	}
	if d = req.Params.Delivery; d == nil || d.URL == "" {
		return "", nil, nil, refusal.InvalidParams("expected delivery with a url")
	}
	w, err = t.watched(req.Params)
	return user, w, d, err
}

// subscribe adds a hook, or renews it.
func (t *Table) subscribe(ctx context.Context, req *request) (*subscribeResult, error) {
	user, w, d, err := t.hookRequest(req)
	if err != nil {
		return nil, err
	}
	if d.Mode != "webhook" {
		return nil, coded(codeUnsupported, "Unsupported: subscriptions are for webhooks", "feature", "deliveryMode",
			"value", d.Mode)
	}
	if _, err := secretKey(d.Secret); err != nil {
		return nil, err
	}
	id := hookID(user, w.key, d.URL)
	if err := t.set.Callbacks.admit(ctx, user, d, id); err != nil {
		return nil, err
	}
	ttl := defaultTTL
	if p := req.Params.TTL; p != nil {
		ttl = max(leastTTL, time.Duration(min(mostTTL.Seconds(), math.Max(0, *p/1000))*float64(time.Second)))
	}
	now := time.Now()
	until := now.Add(ttl)
	if token := req.Extra.TokenInfo.Expiration; !token.IsZero() && token.Before(until) {
		until = token // a renewal sets a new one
	}
	// The watch is prolonged when half of its time is over, and has to live as long as the hook.
	last, err := t.begin(ctx, w, user, now.Add(2*ttl))
	if err != nil {
		return nil, told(err)
	}
	b, err := t.since(ctx, w, req.Params.from(last), 1, req.Params.oldest())
	if err != nil {
		return nil, told(err)
	}
	from := req.Params.from(last)
	if b.truncated {
		if from = b.next; len(b.events) > 0 {
			from.number = b.events[0].number - 1
		}
	}
	found, err := t.run(ctx, nil, "hooked", []any{[]any{"hook", id, user, w.key, d.URL, d.Secret, millis(until)},
		from.stamp, from.number, maxHooks}, "At", "Lives")
	if err != nil {
		return nil, told(err)
	}
	at := positionOf(term.Atom(last.stamp), found["At"])
	lives := found["Lives"] == term.Term(term.True)
	result := &subscribeResult{ResultType: complete, ID: id, Before: timestamp(until), Cursor: at.String(),
		Truncated: b.truncated && !lives, Status: t.statusOf(id)}
	t.mu.Lock()
	t.postOf(id, d.URL, millis(until)).admitted = true
	t.mu.Unlock()
	return result, nil
}

// postOf returns the post of a hook. The table is locked.
func (t *Table) postOf(id, address string, until int64) *post {
	if t.posting[id] == nil {
		t.posting[id] = &post{until: until, host: hostOf(address), status: status{Active: true}}
	}
	return t.posting[id]
}

// unsubscribe ends a hook.
func (t *Table) unsubscribe(ctx context.Context, req *request) (*doneResult, error) {
	user, w, d, err := t.hookRequest(req)
	if err != nil {
		return nil, err
	}
	id := hookID(user, w.key, d.URL)
	_, err = t.run(ctx, nil, "unhooked", []any{id})
	if errors.Is(err, calls.ErrFailed) {
		return nil, coded(codeNotFound, "NotFound: there is no such subscription", "kind", "subscription")
	}
	if err != nil {
		return nil, told(err)
	}
	return &doneResult{ResultType: complete}, nil
}

// statusOf is the status of a hook that this server posts to, or nil for other hooks. The call also makes the server
// try again.
func (t *Table) statusOf(id string) *status {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.posting[id]
	if p == nil {
		return nil
	}
	s := p.status
	return &s
}

// secretKey decodes the key from a secret of Standard Webhooks.
func secretKey(secret string) ([]byte, error) {
	text, ok := strings.CutPrefix(secret, "whsec_")
	key, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil || len(key) < 24 || len(key) > 64 {
		return nil, refusal.InvalidParams("the secret has to be whsec_ and 24 to 64 bytes in Base64")
	}
	return key, nil
}

// signatures signs a message with each secret, as Standard Webhooks requires.
func signatures(secrets []string, id, seconds string, body []byte) string {
	var list []string
	for _, secret := range secrets {
		key, err := secretKey(secret)
		if err != nil {
			continue // subscribe has checked it
		}
		sum := hmac.New(sha256.New, key)
		sum.Write([]byte(id + "." + seconds + "."))
		sum.Write(body)
		list = append(list, "v1,"+base64.StdEncoding.EncodeToString(sum.Sum(nil)))
	}
	return strings.Join(list, " ")
}

// due is a hook with occurrences that its receiver has not got.
type due struct {
	id, owner, key, event, arguments, url string
	secrets                               []string
	until                                 int64
}

// postAll begins to post to hooks with new occurrences, and to hooks that are over. A sweep also looks for hooks whose
// user has lost access.
func (t *Table) postAll(ctx context.Context, o *items.Offer, sweep bool) {
	if t.set.Callbacks == nil {
		return
	}
	var names []engine.Term
	for name := range o.Events {
		names = append(names, term.Atom(name))
	}
	t.mu.Lock()
	all := t.anew || sweep
	for _, p := range t.posting {
		all = all || p.ending && p.Active && !time.Now().Before(p.next)
	}
	t.anew = false
	t.mu.Unlock()
	found, err := t.run(ctx, nil, "due", []any{term.List(names...), strconv.FormatBool(all)}, "Hooks")
	if err != nil {
		return // a later round reports the error
	}
	list, _ := term.Slice(found["Hooks"])
	for _, x := range list {
		args, _ := term.Is(x, "h", 8)
		texts := make([]string, 6)
		for i := range texts {
			texts[i], _ = term.Text(args[i])
		}
		d := &due{id: texts[0], owner: texts[1], key: texts[2], event: texts[3], arguments: texts[4], url: texts[5]}
		secrets, _ := term.Slice(args[6])
		for _, s := range secrets {
			text, _ := term.Text(s)
			d.secrets = append(d.secrets, text)
		}
		n, _ := args[7].(term.Int)
		d.until = int64(n)
		if p := t.take(d); p != nil {
			t.posts.Go(func() {
				defer func() {
					t.mu.Lock()
					p.busy = false
					t.mu.Unlock()
					<-t.places
				}()
				t.postTo(ctx, d, p)
			})
		}
	}
}

// take returns the post of a hook that may be tried now, and nil for other hooks.
func (t *Table) take(d *due) *post {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.postOf(d.id, d.url, d.until)
	if p.until != d.until { // it was renewed
		p.until, p.attempts, p.next, p.over, p.Active = d.until, 0, time.Time{}, time.Time{}, true
	}
	if p.busy || !p.Active || time.Now().Before(p.next) || d.until < millis(time.Now()) {
		return nil
	}
	same := 0
	for _, other := range t.posting {
		if other.busy && other.host == p.host {
			same++
		}
	}
	if same >= maxHost {
		return nil
	}
	select {
	case t.places <- struct{}{}:
		p.busy = true
		return p
	default:
		return nil
	}
}

// forgetPosts forgets hooks that are over.
func (t *Table) forgetPosts() {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.posting, func(_ string, p *post) bool { return !p.busy && p.until < millis(time.Now()) })
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// postTo posts to a hook the occurrences that its receiver has not got, unless another server does.
func (t *Table) postTo(ctx context.Context, d *due, p *post) {
	w, end := t.rewatch(t.set.Offer(), d.event, d.arguments)
	if t.revoked(d.owner) {
		end = ending(codeForbidden, "Forbidden", "reason", "Access revoked")
	}
	if t.mayLive(p, end != nil) {
		return // another server may post
	}
	found, err := t.run(ctx, nil, "claim", []any{d.id, t.server, millis(time.Now()), millis(time.Now().Add(claimTime))},
		"Stamp", "From")
	if err != nil { // another server posts, or the hook is gone
		t.mu.Lock()
		p.next = time.Now().Add(time.Second)
		t.mu.Unlock()
		return
	}
	at := positionOf(found["Stamp"], found["From"])
	if end != nil {
		body := object("type", "terminated", "error", end).JSON()
		done := t.delivered(t.control(ctx, d, "terminated", body), p)
		t.mu.Lock()
		p.ending = !done
		t.mu.Unlock()
		if done {
			_, _ = t.run(ctx, nil, "unhooked", []any{d.id})
		}
		return
	}
	for err == nil && ctx.Err() == nil && !t.revoked(d.owner) {
		var b *batch
		if b, err = t.since(ctx, w, at, maxPolled, time.Time{}); err != nil || len(b.events) == 0 && !b.truncated {
			break
		}
		if b.truncated {
			fresh := b.next
			if len(b.events) > 0 {
				fresh.number = b.events[0].number - 1
			}
			gap := object("type", "gap", "cursor", fresh.String()).JSON()
			if !t.delivered(t.control(ctx, d, "gap", gap), p) || !t.got(ctx, d, fresh) {
				return
			}
			at = fresh
		}
		for _, one := range b.events {
			body, _ := json.Marshal(one) // of texts and JSON
			next := position{at.stamp, one.number}
			if ctx.Err() != nil || !t.delivered(t.deliver(ctx, d, one.ID, body), p) || !t.got(ctx, d, next) {
				return
			}
			at = next
		}
	}
}

// mayLive notes whether a hook seems to be over for this server. It reports whether the hook may live on nevertheless;
// it is then checked again later.
func (t *Table) mayLive(p *post, over bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !over {
		p.admitted, p.ending, p.over = true, false, time.Time{}
		return false
	}
	now, grace := time.Now(), goneTime
	if p.admitted {
		grace = cmp.Or(t.set.Callbacks.Grace, overGrace)
	}
	if p.over.IsZero() {
		p.over = now
	}
	if now.Sub(p.over) >= grace {
		return false
	}
	p.ending, p.next = true, now.Add(min(grace, overTime))
	return true
}

// revoked reports whether the user of a hook has lost access.
func (t *Table) revoked(user string) bool {
	return t.set.Callbacks.Revoked != nil && t.set.Callbacks.Revoked(user)
}

// deliver posts a body. A stopping server waits for the answer, so that a receiver does not get the same body again.
func (t *Table) deliver(ctx context.Context, d *due, id string, body []byte) error {
	return t.set.Callbacks.post(context.WithoutCancel(ctx), d.url, d.id, id, body, d.secrets)
}

// control posts a message that is not an occurrence.
func (t *Table) control(ctx context.Context, d *due, kind string, body []byte) error {
	return t.deliver(ctx, d, "msg_"+kind+"_"+rand.Text(), body)
}

// got notes that a receiver has got all occurrences up to a position. It returns false if another server has taken
// over.
func (t *Table) got(ctx context.Context, d *due, at position) bool {
	_, err := t.run(context.WithoutCancel(ctx), nil, "got",
		[]any{d.id, t.server, at.stamp, at.number, millis(time.Now().Add(claimTime))})
	return err == nil
}

// delivered notes the outcome of a post, and reports whether the receiver need not get it again.
func (t *Table) delivered(err error, p *post) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := timestamp(time.Now())
	var refused *deliveryError
	if err == nil || errors.As(err, &refused) && refused.final {
		p.attempts, p.next, p.FailedSince, p.LastAt = 0, time.Time{}, nil, &now
		if p.LastError = nil; err != nil {
			p.LastError = &refused.category
		}
		return true
	}
	if !errors.As(err, &refused) {
		return false // the server stops
	}
	p.LastError = &refused.category
	if p.FailedSince == nil {
		p.FailedSince = &now
	}
	wait := min(maxBackoff, t.set.Callbacks.backoff()<<min(p.attempts, 20))
	p.attempts++
	p.next = time.Now().Add(wait)
	if p.attempts >= maxAttempts {
		p.Active = false
		t.set.Log.Warn("a receiver of events does not answer; it is tried again when its client renews the subscription",
			"host", p.host, "reason", refused.category)
	}
	return false
}

// lastPosts bounds the wait for posts under way when the server stops.
const lastPosts = 2 * time.Second

// release lets other servers post, once the posts under way have ended.
func (t *Table) release() {
	over := make(chan struct{})
	go func() {
		defer close(over)
		t.posts.Wait()
	}()
	select {
	case <-over:
	case <-time.After(lastPosts):
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if t.set.Callbacks != nil {
		_, _ = t.run(ctx, nil, "release", []any{t.server}) // otherwise the claim ends by itself
	}
}

// stampOf is a time of a signature.
func stampOf(now time.Time) string { return strconv.FormatInt(now.Unix(), 10) }

// challengeAnswered reports whether the body of a response has the nonce of a challenge.
func challengeAnswered(body []byte, nonce string) bool {
	var answer struct {
		Challenge string `json:"challenge"`
	}
	if json.Unmarshal(bytes.TrimSpace(body), &answer) != nil {
		return false
	}
	return hmac.Equal([]byte(answer.Challenge), []byte(nonce))
}
