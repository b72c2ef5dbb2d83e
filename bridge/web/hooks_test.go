package web

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/npmtest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

const stockText = `
:- persistent(stock/2, [key([1])]).
events([event(low, low/2)]).
:- mode(low(+integer, -atom), zero_or_more).
:- info(low/2, [comment is 'Little is left.', argnames is [limit, article]]).
low(Limit, A) :- stock(A, N), N < Limit.
tools([set/2]).
:- mode(set(+atom, +integer), one).
:- info(set/2, [argnames is [article, left]]).
set(A, N) :- retractall(stock(A, _)), assertz(stock(A, N)).
`

// receiver is posted to. It answers with the statuses that are waiting, and then with 200.
type receiver struct {
	*testing.T
	*httptest.Server

	mu       sync.Mutex
	statuses []int
	delay    time.Duration
	posts    []posting
}

// posting is what a receiver has got.
type posting struct {
	header http.Header
	body   map[string]any
	text   string
	status int
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{T: t}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		data, _ := io.ReadAll(req.Body)
		p := posting{header: req.Header, text: string(data), status: 200}
		_ = json.Unmarshal(data, &p.body)
		r.mu.Lock()
		delay := r.delay
		if len(r.statuses) > 0 {
			p.status, r.statuses = r.statuses[0], r.statuses[1:]
		}
		r.posts = append(r.posts, p)
		r.mu.Unlock()
		time.Sleep(delay)
		w.WriteHeader(p.status)
	}))
	t.Cleanup(r.Close)
	return r
}

// got are the articles of the occurrences that were taken.
func (r *receiver) got() (articles []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.posts {
		if data, ok := p.body["data"].(map[string]any); ok && p.status == 200 {
			articles = append(articles, data["article"].(string))
		}
	}
	return articles
}

func (r *receiver) awaits(want ...string) {
	r.Helper()
	require.Eventually(r, func() bool { return len(r.got()) >= len(want) }, wiretest.Patience, 5*time.Millisecond)
	require.Equal(r, want, r.got())
}

// hookSite is a server that posts events, and looks at its facts.
func hookSite(t *testing.T, allowed ...string) *site { return hookSiteOf(t, stockText, allowed...) }

func hookSiteOf(t *testing.T, rules string, allowed ...string) *site {
	return hookSiteWith(t, rules, tokenAda+"\n"+tokenBob+"\n", nil, time.Millisecond, allowed...)
}

// hookSiteWith is a hookSite with a token file, a store that other servers may share, and the grace of its hooks.
func hookSiteWith(t *testing.T, rules, tokenText string, store *kb.Store, grace time.Duration,
	allowed ...string) *site {
	file := filepath.Join(t.TempDir(), "kb.pl")
	require.NoError(t, os.WriteFile(file, []byte(rules), 0o600))
	callbacks, err := bridge.NewCallbacks(allowed)
	require.NoError(t, err)
	callbacks.Backoff, callbacks.Timeout, callbacks.Grace = 100*time.Microsecond, 500*time.Millisecond, grace
	w := serveSiteOf(t, file, &bridge.Options{Callbacks: callbacks},
		&Options{TokenFile: tokens(t, tokenText)}, nil)
	base, err := kb.Open(t.Context(), []string{file}, &kb.Options{Predicates: bridge.Predicates(), Store: store})
	require.NoError(t, err)
	w.file = file
	w.offering.Sync(base.Snapshot())
	callbacks.Revoked = w.Revoked
	t.Cleanup(w.offering.Follow(t.Context(), base, nil))
	return w
}

// as sends a request of a user and returns its result or error.
func (w *site) as(token, method, params string) map[string]any {
	w.Helper()
	headers := []string{bearing(token), "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}
	if method == "tools/call" {
		headers = append(headers, "Mcp-Name: set")
	}
	a := w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s,%s}}`, method, params, wiretest.Stateless),
		headers...)
	require.NotEmpty(w, a.messages, "%s", a.body)
	last := a.messages[len(a.messages)-1]
	if wrong, ok := last["error"].(map[string]any); ok {
		return wrong
	}
	return last["result"].(map[string]any)
}

func (w *site) set(article string, left int) { w.setAs(tokenAda, article, left) }

func (w *site) setAs(token, article string, left int) {
	w.Helper()
	r := w.as(token, "tools/call", fmt.Sprintf(`"name":"set","arguments":{"article":%q,"left":%d}`, article, left))
	require.Nil(w, r["isError"], "%v", r)
}

const (
	firstSecret  = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	secondSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"
)

func (w *site) subscribe(token, url, secret, more string) map[string]any {
	w.Helper()
	return w.as(token, "events/subscribe", fmt.Sprintf(
		`"name":"low","arguments":{"limit":5},"delivery":{"mode":"webhook","url":%q,"secret":%q}%s`, url, secret, more))
}

// signed is the signature of a post, made as Standard Webhooks says.
func (p posting) signed(secret string) string {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	sum := hmac.New(sha256.New, key)
	fmt.Fprintf(sum, "%s.%s.%s", p.header.Get("Webhook-Id"), p.header.Get("Webhook-Timestamp"), p.text)
	return "v1," + base64.StdEncoding.EncodeToString(sum.Sum(nil))
}

// TestHooks has occurrences posted to a receiver that is sometimes down, renews the subscription and ends it.
func TestHooks(t *testing.T) {
	r := newReceiver(t)
	w := hookSite(t, r.URL)
	list := w.as(tokenAda, "events/list", `"x":1`)
	require.Contains(t, fmt.Sprint(list["events"]), "webhook")
	first := w.subscribe(tokenAda, r.URL+"/a", firstSecret, `,"ttlMs":600000`)
	require.Equal(t, false, first["truncated"], "%v", first)
	until, err := time.Parse(time.RFC3339, first["refreshBefore"].(string))
	require.NoError(t, err)
	require.InDelta(t, 600, time.Until(until).Seconds(), 60)
	w.set("nut", 1)
	r.awaits("nut")
	p := r.posts[0]
	require.Equal(t, p.signed(firstSecret), p.header.Get("Webhook-Signature"))
	require.Equal(t, []any{first["id"], p.body["eventId"]},
		[]any{p.header.Get("X-Mcp-Subscription-Id"), p.header.Get("Webhook-Id")})

	r.statuses = []int{500, 404, 302, 503}
	w.set("bolt", 2)
	w.set("screw", 3)
	r.awaits("nut", "bolt", "screw")
	require.Len(t, r.posts, 7)
	for _, p := range r.posts[1:6] { // each attempt has the same name
		require.Equal(t, r.posts[1].header.Get("Webhook-Id"), p.header.Get("Webhook-Id"))
	}

	var again map[string]any
	for range 1000 { // the server may not have read yet what the last post was answered
		again = w.subscribe(tokenAda, r.URL+"/a", secondSecret, fmt.Sprintf(`,"cursor":%q,"ttlMs":null`, first["cursor"]))
		if again["cursor"] == r.posts[6].body["cursor"] {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.Equal(t, first["id"], again["id"])
	require.Equal(t, r.posts[6].body["cursor"], again["cursor"], "a subscription that lives goes on where it is")
	require.Equal(t, []any{true, nil}, []any{again["deliveryStatus"].(map[string]any)["active"],
		again["deliveryStatus"].(map[string]any)["lastError"]})
	w.set("rivet", 1)
	r.awaits("nut", "bolt", "screw", "rivet")
	p = r.posts[7]
	require.Equal(t, p.signed(secondSecret)+" "+p.signed(firstSecret), p.header.Get("Webhook-Signature"))

	r.statuses = []int{413}
	w.set("large", 1)
	w.set("small", 1)
	r.awaits("nut", "bolt", "screw", "rivet", "small")

	other := w.as(tokenBob, "events/unsubscribe", fmt.Sprintf(
		`"name":"low","arguments":{"limit":5},"delivery":{"url":%q}`, r.URL+"/a"))
	require.Equal(t, -32011.0, other["code"], "%v", other)
	ended := fmt.Sprintf(`"name":"low","arguments":{"limit":5},"delivery":{"url":%q}`, r.URL+"/a")
	require.Nil(t, w.as(tokenAda, "events/unsubscribe", ended)["code"])
	require.Equal(t, -32011.0, w.as(tokenAda, "events/unsubscribe", ended)["code"])
	w.set("late", 1)

	back := w.subscribe(tokenBob, r.URL+"/b", firstSecret, fmt.Sprintf(`,"cursor":%q`, p.body["cursor"]))
	require.Nil(t, back["code"], "%v", back)
	r.awaits("nut", "bolt", "screw", "rivet", "small", "large", "small", "late")
}

// TestHookSuspended has a receiver be down for good: posts end, and go on when the subscription is renewed.
func TestHookSuspended(t *testing.T) {
	r := newReceiver(t)
	w := hookSite(t, r.URL)
	r.delay = time.Second // beyond the timeout
	w.subscribe(tokenAda, r.URL+"/", firstSecret, "")
	w.set("nut", 1)
	require.Eventually(t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.posts) > 0
	}, wiretest.Patience, 5*time.Millisecond)
	r.mu.Lock()
	r.delay = 0
	for range 11 {
		r.statuses = append(r.statuses, 500)
	}
	r.mu.Unlock()
	var status map[string]any
	require.Eventually(t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.posts) == 12
	}, 2*wiretest.Patience, 10*time.Millisecond)
	require.Eventually(t, func() bool {
		s := w.subscribe(tokenAda, r.URL+"/", firstSecret, "")
		status, _ = s["deliveryStatus"].(map[string]any)
		return status != nil
	}, wiretest.Patience, 10*time.Millisecond)
	require.Equal(t, "http_5xx", status["lastError"])
	require.NotEmpty(t, status["failedSince"])
	r.awaits("nut")
}

// terminated waits until it is said that a subscription is over, and returns why.
func (r *receiver) terminated() (wrong map[string]any) {
	r.Helper()
	require.Eventually(r, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, p := range r.posts {
			if p.body["type"] == "terminated" && p.status == 200 {
				wrong = p.body["error"].(map[string]any)
			}
		}
		return wrong != nil
	}, wiretest.Patience, 5*time.Millisecond)
	return wrong
}

// TestHookEnds ends the event of a subscription in three ways. The receiver is told that, once it takes it, although
// nothing has occurred, and is told nothing afterwards.
func TestHookEnds(t *testing.T) {
	const plain = "tools([t/0]).\nt.\n"
	otherEvent := strings.NewReplacer("low", "rare").Replace(stockText)
	otherInput := strings.Replace(stockText, "low(+integer,", "low(+oneof([1,2]),", 1)
	for text, want := range map[string]map[string]any{
		plain:      {"code": -32011.0, "kind": "event"},
		otherEvent: {"code": -32011.0, "kind": "event"},
		otherInput: {"code": -32014.0, "kind": nil, "feature": "inputSchema", "reason": "schema_changed"},
	} {
		r := newReceiver(t)
		w := hookSite(t, r.URL)
		require.Nil(t, w.subscribe(tokenAda, r.URL+"/a", firstSecret, "")["code"])
		w.set("nut", 1)
		r.awaits("nut")
		r.mu.Lock()
		r.statuses = []int{503}
		r.mu.Unlock()
		require.NoError(t, os.WriteFile(w.file, []byte(text), 0o600))
		wrong := r.terminated()
		require.Equal(t, want["code"], wrong["code"], text)
		for key, value := range wrong["data"].(map[string]any) {
			if key != "reason" || want["reason"] != nil {
				require.Equal(t, want[key], value, text)
			}
		}
		require.NoError(t, os.WriteFile(w.file, []byte(stockText), 0o600))
		require.Eventually(t, func() bool {
			return w.as(tokenAda, "events/poll", `"name":"low","arguments":{"limit":5}`)["code"] == nil
		}, wiretest.Patience, 5*time.Millisecond)
		ended := fmt.Sprintf(`"name":"low","arguments":{"limit":5},"delivery":{"url":%q}`, r.URL+"/a")
		require.Equal(t, -32011.0, w.as(tokenAda, "events/unsubscribe", ended)["code"], "the subscription is gone")
	}
}

// TestHookRevoked takes the token away with which a subscription was made: no occurrence is posted any more.
func TestHookRevoked(t *testing.T) {
	r := newReceiver(t)
	w := hookSite(t, r.URL)
	require.Nil(t, w.subscribe(tokenAda, r.URL+"/a", firstSecret, "")["code"])
	require.Nil(t, w.subscribe(tokenBob, r.URL+"/b", firstSecret, "")["code"])
	w.set("nut", 1)
	r.awaits("nut", "nut")
	require.NoError(t, os.WriteFile(w.opts.TokenFile, []byte("# nobody\n"), 0o600)) // an error: it revokes nothing
	require.False(t, w.Revoked("token x"))
	require.NoError(t, os.WriteFile(w.opts.TokenFile, []byte(tokenBob+"\n"), 0o600))
	w.setAs(tokenBob, "bolt", 2)
	require.Equal(t, map[string]any{"code": -32012.0, "message": "Forbidden",
		"data": map[string]any{"reason": "Access revoked"}}, r.terminated())
	r.awaits("nut", "nut", "bolt")
}

// ended reports whether somebody was told that a subscription is over.
func (r *receiver) ended() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.posts, func(p posting) bool { return p.body["type"] == "terminated" })
}

// TestHookOfOthers has a server with a store in which another has left a subscription. It does not know the token, or
// has the event with another input, or not: it ends nothing.
func TestHookOfOthers(t *testing.T) {
	otherInput := strings.Replace(stockText, "low(+integer,", "low(+oneof([1,2]),", 1)
	otherEvent := strings.ReplaceAll(stockText, "low", "rare")
	for rules, tokenText := range map[string]string{stockText: tokenBob, otherInput: tokenAda, otherEvent: tokenAda} {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			r := newReceiver(t)
			dir := t.TempDir()
			first, err := kb.OpenStore("file:"+dir, nil)
			require.NoError(t, err)
			require.True(t, t.Run("first", func(t *testing.T) {
				w := hookSiteWith(t, stockText, tokenAda, first, time.Millisecond, r.URL)
				require.Nil(t, w.subscribe(tokenAda, r.URL+"/a", firstSecret, "")["code"])
				w.set("nut", 1)
				r.awaits("nut")
			}))
			require.NoError(t, first.Close())
			second, err := kb.OpenStore("file:"+dir, nil)
			require.NoError(t, err)
			defer func() { require.NoError(t, second.Close()) }()
			t.Run("second", func(t *testing.T) {
				w := hookSiteWith(t, rules, tokenText, second, time.Millisecond, r.URL)
				require.Never(t, r.ended, 1500*time.Millisecond, 10*time.Millisecond)
				require.NoError(t, os.WriteFile(w.opts.TokenFile, []byte(tokenAda), 0o600))
				require.NoError(t, os.WriteFile(w.file, []byte(stockText), 0o600))
				require.Eventually(t, func() bool {
					return w.as(tokenAda, "events/poll", `"name":"low","arguments":{"limit":5}`)["code"] == nil
				}, wiretest.Patience, 5*time.Millisecond)
				w.set("bolt", 1)
				r.awaits("nut", "bolt")
			})
		})
	}
}

// TestHookOutlivesGaps takes the event and the token away for a moment, as files that are being written do.
func TestHookOutlivesGaps(t *testing.T) {
	r := newReceiver(t)
	w := hookSiteWith(t, stockText, tokenAda+"\n"+tokenBob+"\n", nil, time.Hour, r.URL)
	require.Nil(t, w.subscribe(tokenAda, r.URL+"/a", firstSecret, "")["code"])
	for file, text := range map[string]string{w.file: "tools([t/0]).\nt.\n", w.opts.TokenFile: tokenBob} {
		whole, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		require.Never(t, r.ended, time.Second, 10*time.Millisecond)
		require.NoError(t, os.WriteFile(file, whole, 0o600))
	}
	require.Eventually(t, func() bool {
		return w.as(tokenAda, "events/poll", `"name":"low","arguments":{"limit":5}`)["code"] == nil
	}, wiretest.Patience, 5*time.Millisecond)
	w.set("nut", 1)
	r.awaits("nut")
	require.False(t, r.ended())
}

// TestNotRevoked has a server without a token file, and one that has never had a token, revoke nothing.
func TestNotRevoked(t *testing.T) {
	f, err := openTokenFile(tokens(t, tokenAda), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	info, err := f.verify(t.Context(), tokenAda)
	require.NoError(t, err)
	require.False(t, (&Server{guard: &guard{}}).Revoked(info.UserID))
	other, err := openTokenFile(tokens(t, tokenBob), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.False(t, (&Server{guard: &guard{verifiers: []verifier{other}}}).Revoked(info.UserID))
	require.NoError(t, os.WriteFile(f.path, []byte(tokenBob), 0o600))
	require.True(t, (&Server{guard: &guard{verifiers: []verifier{f}}}).Revoked(info.UserID))
}

// TestHookRefused asks for hooks that there cannot be.
func TestHookRefused(t *testing.T) {
	r := newReceiver(t)
	w := hookSite(t, r.URL)
	for params, code := range map[string]float64{
		`"name":"none","delivery":{"mode":"webhook","url":"` + r.URL + `"}`:                          -32011,
		`"name":"low","arguments":{"limit":5}`:                                                       -32602,
		`"name":"low","arguments":{"limit":5},"delivery":{"mode":"push","url":"` + r.URL + `"}`:      -32014,
		`"name":"low","arguments":{"limit":5},"delivery":{"mode":"webhook","url":"` + r.URL + `"}`:   -32602,
		`"name":"low","arguments":{"limit":"x"},"delivery":{"mode":"webhook","url":"` + r.URL + `"}`: -32602,
		`"name":"low","arguments":{"limit":5},"delivery":{"mode":"webhook","url":7}`:                 -32602,
		`"name":"low","arguments":{"limit":5},"delivery":{"mode":"webhook","url":"https://127.0.0.1/","secret":"` +
			firstSecret + `"}`: -32012,
		`"name":"low","arguments":{"limit":5},"delivery":{"mode":"webhook","url":"http://127.0.0.1:1/","secret":"` +
			firstSecret + `"}`: -32602,
	} {
		require.Equal(t, code, w.as(tokenAda, "events/subscribe", params)["code"], params)
	}
	for i := range 101 {
		got := w.subscribe(tokenAda, fmt.Sprintf("%s/%d", r.URL, i), firstSecret, "")
		if i == 100 {
			require.Equal(t, -32013.0, got["code"], "%v", got)
			require.Equal(t, "subscriptions", got["data"].(map[string]any)["limit"])
		}
	}
	require.Nil(t, w.subscribe(tokenBob, r.URL+"/", firstSecret, "")["code"], "others have theirs")
	plain := serveSiteOf(t, filepath.Join("..", "..", "examples", "family"), nil, nil, nil)
	a := plain.post(`{"jsonrpc":"2.0","id":1,"method":"events/subscribe","params":{"name":"low",`+wiretest.Stateless+`}}`,
		"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: events/subscribe")
	require.Equal(t, -32012, a.code())
}

// TestEventStreamHTTP listens to events over HTTP, in both eras, and goes away.
func TestEventStreamHTTP(t *testing.T) {
	w := hookSite(t, "https://hooks.example/")
	for meta, headers := range map[string][]string{
		"," + wiretest.Stateless: {bearing(tokenAda), "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: events/stream"},
		"":                       w.begin("2025-11-25", bearing(tokenAda))} {
		stream, err := http.DefaultClient.Do(w.request(http.MethodPost, `{"jsonrpc":"2.0","id":9007199254740993,`+
			`"method":"events/stream","params":{"name":"low","arguments":{"limit":5}`+meta+`}}`, headers...))
		require.NoError(t, err)
		lines := bufio.NewScanner(stream.Body)
		next := func(method string) string {
			var before []string
			for lines.Scan() {
				if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok && strings.Contains(text, method) {
					return text
				}
				before = append(before, lines.Text())
			}
			require.FailNow(t, "the stream has ended", "%s", before)
			return ""
		}
		require.Contains(t, next("notifications/events/active"), `"io.modelcontextprotocol/subscriptionId":9007199254740993`)
		w.set("a", 9)
		w.set("a", 1)
		require.Contains(t, next("notifications/events/event"), `"data":{"article":"a"}`)
		w.set("a", 9)
		stream.Body.Close()
	}
}

// TestAISDK has the client of the AI SDK subscribe to the event of docs/events.md: it verifies what is posted, refuses
// the first post, renews the subscription and ends it.
func TestAISDK(t *testing.T) {
	dir := npmtest.Install(t, "events with the AI SDK", "aisdk", filepath.Join("..", "..", "testdata", "clients", "aisdk"))
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "events.md"))
	require.NoError(t, err)
	_, rules, _ := strings.Cut(string(page), "% stock.pl\n")
	rules, _, _ = strings.Cut(rules, "```")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := l.Addr().(*net.TCPAddr).Port
	require.NoError(t, l.Close()) // the client listens there
	w := hookSiteOf(t, rules, fmt.Sprintf("http://127.0.0.1:%d", port))
	out, err := exec.CommandContext(t.Context(), "node", filepath.Join(dir, "events.mjs"), w.url, tokenAda,
		strconv.Itoa(port)).Output()
	require.NoError(t, err, "%s", out)
	var report struct {
		Listed    []struct{ Name string }
		Events    []struct{ Data map[string]any }
		Errors    []string
		Left      int
		Same      bool
		Fresh     bool
		Truncated []bool
	}
	require.NoError(t, json.Unmarshal(out, &report), "%s", out)
	require.Len(t, report.Listed, 1)
	require.Equal(t, []struct{ Data map[string]any }{{map[string]any{"article": "bolt", "left": 3.0}},
		{map[string]any{"article": "nut", "left": 4.0}}}, report.Events)
	require.Equal(t, []string{"busy"}, report.Errors)
	require.Equal(t, []any{0, true, true, []bool{false, false}},
		[]any{report.Left, report.Same, report.Fresh, report.Truncated})
}
