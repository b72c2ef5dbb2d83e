package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/heaptest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// TestHTTPCancelled cancels calls in sessions. They get no answers, and the client need not come back for one.
func TestHTTPCancelled(t *testing.T) {
	cancelled := func(id string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id)
	}
	for _, test := range []struct{ version, call, id string }{
		{"2024-11-05", wiretest.CallLine("77", "loop"), "77"},
		{"2025-03-26", wiretest.CallLine(`"text"`, "loop"), `"text"`},
		{"2025-06-18", wiretest.CallLine("0", "loop"), "0"},
		{"2025-11-25", wiretest.CallLine("77", "loop"), "77"},
		{"2025-11-25", wiretest.CallLine("78", "ask"), "78"},
		{"2025-11-25", wiretest.CallLine("9007199254740993", "loop"), "9007199254740993"},
		{"2025-11-25", wiretest.CallLine("1e3", "loop"), "1e3"},
	} {
		t.Run(test.version+" "+test.id, func(t *testing.T) {
			w := serveSite(t, nil, nil, nil)
			session := w.begin(test.version)
			answers := make(chan *answer, 1)
			go func() { answers <- w.post(test.call, session...) }()
			w.settles(1)
			require.Equal(t, 202, w.post(cancelled("999"), session...).status)
			require.Equal(t, 202, w.post(cancelled(test.id), session...).status)
			a := <-answers
			require.Equal(t, 200, a.status)
			require.False(t, slices.ContainsFunc(a.messages, func(m map[string]any) bool { return m["method"] == nil }), "%s",
				a.body)
			w.settles(0)
			if at := strings.LastIndex(a.body, "id: "); at >= 0 {
				event, _, _ := strings.Cut(a.body[at:], "\n")
				back := w.do(w.request(http.MethodGet, "", append(session, strings.Replace(event, "id", "Last-Event-ID", 1))...))
				require.Equal(t, 204, back.status, "%s", back.body)
			}
			// A client may use the id again, although it should not. The SDK handles a cancellation in another
			// goroutine, which may hit a request with the same id that follows at once.
			require.Eventually(t, func() bool {
				a = w.post(wiretest.PingLine(test.id), session...)
				return wiretest.Summary(a.messages[0]) == test.id+" ok"
			}, wiretest.Patience, time.Millisecond)
		})
	}
	w := serveSite(t, nil, nil, nil)
	session := w.begin("2025-03-26")
	answers := make(chan *answer, 1)
	go func() {
		answers <- w.post("["+wiretest.CallLine("1", "loop")+","+wiretest.PingLine("2")+"]", session...)
	}()
	w.settles(1)
	require.Equal(t, 202, w.post(cancelled("1"), session...).status)
	a := <-answers
	require.Len(t, a.messages, 1)
	require.Equal(t, "2 ok", wiretest.Summary(a.messages[0]))
}

// TestHTTPCancelledEarly sends the cancellation of a call before the call, as may happen over two connections.
func TestHTTPCancelledEarly(t *testing.T) {
	w := serveSite(t, nil, nil, nil)
	session := w.begin("2025-11-25")
	cancel := func(id int) {
		t.Helper()
		body := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
		require.Equal(t, 202, w.post(body, session...).status)
	}
	hasAnswer := func(a *answer) bool {
		require.Equal(t, 200, a.status)
		return slices.ContainsFunc(a.messages, func(m map[string]any) bool { return m["method"] == nil })
	}
	cancel(5)
	require.False(t, hasAnswer(w.post(wiretest.CallLine("5", "loop"), session...)), "an endless call was not begun")
	w.settles(0)
	require.True(t, hasAnswer(w.post(wiretest.PingLine("5"), session...)), "a cancellation is used once")

	for i := range maxEarly + 1 {
		cancel(100 + i)
	}
	require.True(t, hasAnswer(w.post(wiretest.PingLine("100"), session...)), "only the last are kept")
	require.False(t, hasAnswer(w.post(wiretest.PingLine("101"), session...)))
	e := w.events.sessions[strings.TrimPrefix(session[0], "Mcp-Session-Id: ")]
	w.events.mu.Lock()
	e.early[0].at = e.early[0].at.Add(-earlyTime)
	w.events.mu.Unlock()
	require.True(t, hasAnswer(w.post(wiretest.PingLine("102"), session...)), "they are not kept for long")
}

// TestHTTPMemory makes many calls in one session.
func TestHTTPMemory(t *testing.T) {
	calls := 20_000
	if testing.Short() {
		calls = 2_000
	}
	w := serveSite(t, nil, nil, nil)
	session := w.begin("2025-11-25")
	var early uint64
	for i := range calls {
		a := w.post(wiretest.PingLine(fmt.Sprint(i)), session...)
		require.Equal(t, fmt.Sprint(i)+" ok", wiretest.Summary(a.messages[0]))
		if i == calls/10 {
			early = heaptest.InUse()
		}
	}
	require.Less(t, int64(heaptest.InUse())-int64(early), int64(4<<20))
	w.events.mu.Lock()
	defer w.events.mu.Unlock()
	id := strings.TrimPrefix(session[0], "Mcp-Session-Id: ")
	require.LessOrEqual(t, len(w.events.sessions[id].streams), maxFinished+1)
	require.Empty(t, w.events.sessions[id].calls)
	require.LessOrEqual(t, w.events.held, maxReplay)
}

// TestEventStore checks the limits of the store. It drops finished streams first.
func TestEventStore(t *testing.T) {
	const answer = `{"jsonrpc":"2.0","id":1,"result":{}}`
	ctx := context.Background()
	s := newEventStore()
	s.most, s.mostFinished = 20*eventCost, 3
	require.NoError(t, s.Open(ctx, "s", ""))
	put := func(stream string, messages ...string) {
		for _, m := range messages {
			require.NoError(t, s.Append(ctx, "s", stream, []byte(m)))
		}
	}
	after := func(stream string, index int) string {
		text := ""
		for m, err := range s.After(ctx, "s", stream, index) {
			if err != nil {
				return err.Error()
			}
			text += string(m) + ","
		}
		return text
	}
	require.Empty(t, after("", -1))
	require.Equal(t, errNotKept.Error(), after("none", 0))
	put("open", "a", "b", "c")
	require.Equal(t, "b,c,", after("open", 0))
	require.Equal(t, "", after("open", 2))
	require.Equal(t, "", after("open", 1000))
	for i := range 5 {
		put(fmt.Sprint("done", i), "", answer)
	}
	require.Equal(t, errNotKept.Error(), after("done1", 0))
	require.Equal(t, answer+",", after("done4", 0))
	put("other", "d", "e")
	put("open", strings.Repeat("x", 10*eventCost))
	require.Equal(t, errNotKept.Error(), after("done3", 0))
	require.Equal(t, "d,e,", after("other", -1))
	put("other", strings.Repeat("y", 10*eventCost))
	require.Equal(t, errNotKept.Error(), after("open", 0))
	require.Equal(t, "", after("open", 3))
	put("open", "f")
	require.Equal(t, "f,", after("open", 3))
	require.LessOrEqual(t, s.held, s.most)
	put("huge", strings.Repeat("z", 100*eventCost))
	require.Zero(t, s.held)
	require.NoError(t, s.SessionClosed(ctx, "s"))
	put("late", "g")
	require.Empty(t, s.sessions)
	require.Zero(t, s.finished.Len()+s.unfinished.Len()+s.held)
}

// TestSessionsAreForgotten begins sessions, uses each once, and ends it. The memory must be freed without a forced
// collection.
func TestSessionsAreForgotten(t *testing.T) {
	w := serveSite(t, nil, nil, nil)
	heaptest.RequireForgotten(t, 3000, 64<<20, func(int) {
		session := w.begin("2025-11-25")
		w.post(wiretest.PingLine("1"), session...)
		require.Equal(t, http.StatusNoContent, w.do(w.request("DELETE", "", session...)).status)
	})
	w.events.mu.Lock()
	defer w.events.mu.Unlock()
	require.Empty(t, w.events.sessions)
}
