package bridge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// stockText has an event whose answers come and go, and events that go wrong.
const stockText = `
:- dynamic(bad/0).
:- persistent(stock/2, [key([1])]).
events([event('stock.low', low/3), event(explained, low/3, [explain(true)]),
        event(broken, broken/1), event(many, many/1, [limit(3)]), event(changes, changes/1),
        event(empty, empty/0), event(ticks, ticks/1, [every(0.3)]), event(loop, loop/1, [timeout(0.2)])]).
:- info(low/3, [comment is 'Little is left of an article.', argnames is [limit, article, left]]).
:- mode(low(+integer, -atom, -integer), zero_or_more).
low(Limit, A, N) :- stock(A, N), N < Limit.
:- mode(broken(-integer), zero_or_more).
broken(X) :- bad, X is foo+1.
broken(X) :- stock(_, X).
:- mode(many(-integer), zero_or_more).
many(N) :- stock(many, Most), between(1, Most, N).
:- mode(changes(-integer), zero_or_more).
changes(N) :- stock(_, N), assertz(stock(new, 1)).
empty :- stock(empty, _).
:- mode(ticks(-integer), one).
ticks(N) :- get_time(T), N is floor(T*100).
:- mode(loop(-integer), one).
loop(N) :- repeat, N = 1, fail.
tools([set/2, break/1]).
:- mode(set(+atom, +integer), one).
:- info(set/2, [argnames is [article, left]]).
set(A, N) :- retractall(stock(A, _)), ( N < 0 -> true ; assertz(stock(A, N)) ).
:- mode(break(+atom), one).
:- info(break/1, [argnames is [how]]).
break(on) :- assertz(bad).
break(off) :- retractall(bad).
`

// stock is a client of a server that looks at its events.
func newStock(t *testing.T) *lineClient {
	c := newLineClientOf(t, &Options{}, stockText)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.server.events.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return c
}

func (c *lineClient) set(article string, left int) {
	c.Helper()
	r := c.ask("{}", "tools/call", fmt.Sprintf(`"name":"set","arguments":{"article":%q,"left":%d}`, article, left))
	require.Nil(c, r["isError"], "%v", r)
}

// poll polls an event and returns the data of the occurrences, and the result.
func (c *lineClient) poll(name, arguments, more string) (data []any, r map[string]any) {
	c.Helper()
	r = c.ask("{}", "events/poll", fmt.Sprintf(`"name":%q,"arguments":%s%s`, name, arguments, more))
	list, _ := r["events"].([]any)
	for _, one := range list {
		o := one.(map[string]any)
		require.Equal(c, name, o["name"])
		require.NotEmpty(c, o["eventId"])
		_, err := time.Parse(time.RFC3339, o["timestamp"].(string))
		require.NoError(c, err)
		data = append(data, o["data"])
	}
	return data, r
}

func cursorOf(r map[string]any) string { return fmt.Sprintf(`,"cursor":%q`, r["cursor"]) }

func left(article string, n float64) map[string]any {
	return map[string]any{"article": article, "left": n}
}

// TestEventPoll checks that polls return each new answer once, whatever happens between two polls.
func TestEventPoll(t *testing.T) {
	c := newStock(t)
	c.set("nut", 1)
	const below5 = `{"limit":5}`
	data, r := c.poll("stock.low", below5, "")
	require.Empty(t, data, "what holds already has not occurred")
	start := cursorOf(r)
	c.set("bolt", 3)
	data, r = c.poll("stock.low", below5, start)
	require.Equal(t, []any{left("bolt", 3)}, data)
	require.Equal(t, []any{false, false}, []any{r["truncated"], r["hasMore"]})
	data, again := c.poll("stock.low", below5, cursorOf(r))
	require.Empty(t, data)
	require.Equal(t, r["cursor"], again["cursor"])
	first, _ := c.poll("stock.low", below5, start)
	require.Equal(t, []any{left("bolt", 3)}, first, "from an earlier position")

	c.set("bolt", 9) // it stops to hold, which is seen before it holds again
	c.poll("stock.low", below5, cursorOf(r))
	c.set("bolt", 3)
	c.set("screw", 2)
	data, r = c.poll("stock.low", below5, start+`,"maxEvents":2`)
	require.Equal(t, []any{left("bolt", 3), left("bolt", 3)}, data)
	require.Equal(t, true, r["hasMore"])
	data, r = c.poll("stock.low", below5, cursorOf(r)+`,"maxEvents":2`)
	require.Equal(t, []any{left("screw", 2)}, data)
	require.Equal(t, false, r["hasMore"])

	other, r2 := c.poll("stock.low", `{"limit":2}`, "")
	require.Empty(t, other, "with other arguments it is another subscription")
	require.NotEqual(t, r["cursor"], r2["cursor"])
	_, wrong := c.poll("stock.low", below5, cursorOf(r2))
	require.Equal(t, true, wrong["truncated"], "a position of another subscription")
	for _, cursor := range []string{"", "x", "x.1", "A.99999999999999999999"} {
		_, wrong = c.poll("stock.low", below5, fmt.Sprintf(`,"cursor":%q`, cursor))
		require.Equal(t, []any{true, r["cursor"]}, []any{wrong["truncated"], wrong["cursor"]}, cursor)
	}
	time.Sleep(5 * time.Millisecond)
	data, old := c.poll("stock.low", below5, start+`,"maxAgeMs":1`)
	require.Empty(t, data)
	require.Equal(t, []any{true, r["cursor"]}, []any{old["truncated"], old["cursor"]})
	data, old = c.poll("stock.low", below5, start+`,"maxAgeMs":60000`)
	require.Len(t, data, 3)
	require.Equal(t, false, old["truncated"])

	data, r = c.poll("empty", `{}`, "")
	require.Empty(t, data)
	c.set("empty", 1)
	data, _ = c.poll("empty", `{}`, cursorOf(r))
	require.Equal(t, []any{map[string]any{}}, data, "an event without outputs occurs when it begins to hold")
	for params, code := range map[string]float64{`"name":"none"`: -32011, `"name":"stock.low","arguments":{}`: -32602,
		`"name":"stock.low","arguments":{"limit":"x"}`: -32602, `"name":"stock.low","arguments":[1]`: -32602,
		`"name":"stock.low","arguments":{"limit":1,"more":2}`: -32602} {
		require.Equal(t, code, c.ask("{}", "events/poll", params)["code"], params)
	}
}

// TestEventFailures has events go wrong: clients are told, and what has occurred before is not lost.
func TestEventFailures(t *testing.T) {
	c := newStock(t)
	_, r := c.poll("broken", "{}", "")
	c.set("a", 1)
	require.Eventually(t, func() bool { d, _ := c.poll("broken", "{}", cursorOf(r)); return len(d) == 1 },
		wiretest.Patience, 10*time.Millisecond)
	c.ask("{}", "tools/call", `"name":"break","arguments":{"how":"on"}`)
	data, next := c.poll("broken", "{}", cursorOf(r))
	require.Len(t, data, 1, "what has occurred comes first")
	_, wrong := c.poll("broken", "{}", cursorOf(next))
	require.Equal(t, -32603.0, wrong["code"])
	require.Contains(t, wrong["message"], "foo/0")
	c.ask("{}", "tools/call", `"name":"break","arguments":{"how":"off"}`)
	c.set("a", 2)
	data, _ = c.poll("broken", "{}", cursorOf(next))
	require.Len(t, data, 1)

	_, r = c.poll("many", "{}", "")
	c.set("many", 3)
	data, _ = c.poll("many", "{}", cursorOf(r))
	require.Len(t, data, 3)
	c.set("many", 4)
	_, next = c.poll("many", "{}", cursorOf(r))
	_, wrong = c.poll("many", "{}", cursorOf(next))
	require.Contains(t, wrong["message"], "event_answers")
	_, wrong = c.poll("loop", "{}", "")
	require.Contains(t, wrong["message"], "time")
	data, r = c.poll("changes", "{}", "")
	require.Empty(t, data)
	c.set("b", 7)
	data, _ = c.poll("changes", "{}", cursorOf(r))
	require.Len(t, data, 1, "what the goal of an event changes is taken back")
	require.Contains(t, c.logs.String(), "an event could not be looked at")
}

// TestEventProof hears why an answer is new, if the event is explained: as it was then, whatever has changed since.
func TestEventProof(t *testing.T) {
	c := newStock(t)
	const below5 = `{"limit":5}`
	_, plain := c.poll("stock.low", below5, "")
	_, explained := c.poll("explained", below5, "")
	stream := c.open(`"name":"explained","arguments":{"limit":5}`)
	c.next(stream, "active")
	c.set("bolt", 3)
	proof, _ := c.next(stream, "event")["_meta"].(map[string]any)["mcplogic/why"].(string)
	require.Contains(t, proof, "stock(bolt, 3)")
	require.Contains(t, proof, "left 3 is below limit 5")
	c.set("bolt", 9)
	_, r := c.poll("explained", below5, cursorOf(explained))
	require.Equal(t, map[string]any{"mcplogic/why": proof}, r["events"].([]any)[0].(map[string]any)["_meta"])
	_, r = c.poll("stock.low", below5, cursorOf(plain))
	require.NotContains(t, r["events"].([]any)[0], "_meta")
}

// next waits for a notification of a stream.
func (c *lineClient) next(id string, kind string) (p map[string]any) {
	c.Helper()
	require.Eventually(c, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		for i, m := range c.notes {
			p, _ = m["params"].(map[string]any)
			meta, _ := p["_meta"].(map[string]any)
			if m["method"] == "notifications/events/"+kind && fmt.Sprint(meta["io.modelcontextprotocol/subscriptionId"]) == id {
				c.notes = append(c.notes[:i:i], c.notes[i+1:]...)
				return true
			}
		}
		return false
	}, wiretest.Patience, 5*time.Millisecond, kind)
	return p
}

// open opens a stream, whose id is returned.
func (c *lineClient) open(params string) (id string) {
	c.mu.Lock()
	c.id++
	n := c.id
	c.replies[n] = make(chan map[string]any, 1)
	c.mu.Unlock()
	_, err := fmt.Fprintf(c.out, `{"jsonrpc":"2.0","id":%d,"method":"events/stream","params":{%s,%s}}`+"\n", n, params,
		wiretest.Stateless)
	require.NoError(c, err)
	return fmt.Sprint(n)
}

// TestEventStream is told of what occurs, of what goes wrong, and of what it has missed.
func TestEventStream(t *testing.T) {
	c := newStock(t)
	id := c.open(`"name":"stock.low","arguments":{"limit":5}`)
	broken := c.open(`"name":"broken"`)
	active := c.next(id, "active")
	c.next(broken, "active")
	require.Equal(t, false, active["truncated"])
	c.set("bolt", 3)
	event := c.next(id, "event")
	require.Equal(t, left("bolt", 3), event["data"])
	c.set("nut", 4)
	require.Equal(t, left("nut", 4), c.next(id, "event")["data"])
	c.next(broken, "event")
	c.ask("{}", "tools/call", `"name":"break","arguments":{"how":"on"}`)
	require.Contains(t, fmt.Sprint(c.next(broken, "error")["error"]), "foo/0")
	c.ask("{}", "tools/call", `"name":"break","arguments":{"how":"off"}`)
	c.set("nut", 2)
	c.next(broken, "event")

	later := c.open(`"name":"stock.low","arguments":{"limit":5}` + cursorOf(event))
	require.Equal(t, left("nut", 4), c.next(later, "event")["data"], "from a position on")
	lost := c.open(`"name":"stock.low","arguments":{"limit":5},"cursor":"x.1"`)
	require.Equal(t, true, c.next(lost, "active")["truncated"])
	ticks := c.open(`"name":"ticks"`)
	c.next(ticks, "event")
	c.next(ticks, "event")
	_, err := fmt.Fprintf(c.out,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`+"\n", ticks)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return c.server.events.Streams() == 4 }, wiretest.Patience, 5*time.Millisecond)
}

// TestEventListChanged hears of another list of events, on a subscription that asks for it and in a session of old. A
// reload that leaves the list as it is tells nothing.
func TestEventListChanged(t *testing.T) {
	c := newStock(t)
	heard := func(of any) int {
		c.mu.Lock()
		defer c.mu.Unlock()
		n := 0
		for _, m := range c.notes {
			p, _ := m["params"].(map[string]any)
			meta, _ := p["_meta"].(map[string]any)
			if m["method"] == "notifications/events/list_changed" && meta["io.modelcontextprotocol/subscriptionId"] == of {
				n++
			}
		}
		return n
	}
	serve := func(text string) {
		file := filepath.Join(t.TempDir(), "kb.pl")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		c.server.Sync(bridgetest.Load(t, Predicates(), file))
	}
	for id, wanted := range map[string]string{"a": `"eventsListChanged":true`, "b": `"eventsListChanged":false`,
		"c": `"taskIds":[],"toolsListChanged":true,"eventsListChanged":true`} {
		meta := strings.Replace(wiretest.Stateless, `Capabilities":{}`, `Capabilities":`+taskClient, 1)
		_, err := fmt.Fprintf(c.out, `{"jsonrpc":"2.0","id":%q,"method":"subscriptions/listen",`+
			`"params":{"notifications":{%s},%s}}`+"\n", id, wanted, meta)
		require.NoError(t, err)
		ack := c.note("notifications/subscriptions/acknowledged", func(p map[string]any) bool {
			return p["_meta"].(map[string]any)["io.modelcontextprotocol/subscriptionId"] == id
		})
		agreed := ack["notifications"].(map[string]any)
		require.Equal(t, strings.Contains(wanted, `"eventsListChanged":true`), agreed["eventsListChanged"] == true, id)
		require.Equal(t, id == "c", agreed["toolsListChanged"] == true, id)
	}
	serve(stockText + "more.\n")
	serve(strings.Replace(stockText, "Little is left", "Hardly anything is left", 1))
	require.Eventually(t, func() bool { return heard("a") == 1 && heard("c") == 1 }, wiretest.Patience,
		5*time.Millisecond)
	require.Zero(t, heard("b"))
	found := c.ask("{}", "server/discover", `"x":1`)["capabilities"].(map[string]any)
	require.Equal(t, map[string]any{"listChanged": true}, found["events"])
	require.Equal(t, map[string]any{"listChanged": true},
		found["extensions"].(map[string]any)["io.modelcontextprotocol/events"])

	old := newLineClientOf(t, &Options{}, stockText)
	begun := make(chan map[string]any, 1)
	old.replies[0] = begun
	_, err := fmt.Fprintln(old.out, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{`+
		`"protocolVersion":"2025-11-25",`+
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	require.NoError(t, err)
	c = old
	<-begun
	serve("tools([t/0]).\nt.\n")
	require.Eventually(t, func() bool { return heard(nil) == 1 }, wiretest.Patience, 5*time.Millisecond)
}

// TestEventReload has the rules change under a stream: it goes on with an event that they still have, and ends with one
// that they have no more.
func TestEventReload(t *testing.T) {
	c := newStock(t)
	id := c.open(`"name":"stock.low","arguments":{"limit":5}`)
	c.next(id, "active")
	serve := func(text string) {
		file := filepath.Join(t.TempDir(), "kb.pl")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		c.server.Sync(bridgetest.Load(t, Predicates(), file))
	}
	serve(strings.Replace(stockText, "N < Limit", "N =< Limit", 1))
	require.Equal(t, true, c.next(id, "active")["truncated"], "the facts of another program")
	c.set("bolt", 5)
	require.Equal(t, left("bolt", 5), c.next(id, "event")["data"])
	serve("tools([t/0]).\nt.\n")
	require.Contains(t, fmt.Sprint(c.next(id, "terminated")["error"]), "-32011")
	require.Equal(t, -32011.0, c.ask("{}", "events/poll", `"name":"stock.low","arguments":{"limit":5}`)["code"])
	require.Empty(t, c.ask("{}", "events/list", `"x":1`)["events"])
}
