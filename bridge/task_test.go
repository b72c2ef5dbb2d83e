package bridge

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/tasks"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// taskText has tools that become tasks: short, endless, asking, and one that has to be one.
const taskText = `
capabilities([elicitation]).
:- dynamic(done/1).
tools([tool(quick, quick, 1, [task(after(60))]), tool(now, quick, 1, [task(after(0))]),
       tool(loop, loop, 0, [task(after(0)), timeout(600)]), tool(late, late, 1, [task(after(0.1))]),
       tool(must, quick, 1, [task(required)]), tool(age, age, 1, [task(after(0))]),
       tool(two, two, 1, [task(after(0))]), tool(fails, fails, 0, [task(after(0))]),
       tool(broken, broken, 0, [task(after(0))]), tool(done, done, 1)]).
:- mode(quick(-atom), one).
quick(hello).
loop :- mcp_progress(1, 3, 'At it'), mcp_log(info, loops), mcp_progress(2, 3, 'Still at it'), repeat, fail.
:- mode(late(-atom), one).
late(hello) :- mcp_log(info, early), sleep(0.2), assertz(done(late)), mcp_log(info, lost).
:- mode(age(-integer), one).
age(N) :- mcp_elicit_all([ask(age, 'How old?', {type-object, properties-{n-{type-integer}}, required-[n]})],
                         [_-accept({n-N})]).
:- mode(two(-term), one).
two(A-B) :- Schema = {type-object, properties-{n-{type-integer}}, required-[n]},
    mcp_elicit_all([ask(a, 'First?', Schema), ask(b, 'Second?', Schema)], [_-accept({n-A}), _-accept({n-B})]).
fails :- fail.
broken :- throw(error(mcp_error(-32001, 'It broke', _), _)).
:- mode(done(-atom), zero_or_more).
`

// lineClient is a client that writes lines, so that it can do what the SDK's client cannot.
type lineClient struct {
	*testing.T
	server *Server
	out    io.WriteCloser
	logs   *lockedText

	mu      sync.Mutex
	id      int
	replies map[int]chan map[string]any
	notes   []map[string]any // the notifications
	noted   chan struct{}    // until it is closed, goals wait in noted/0
}

func newLineClient(t *testing.T, o *Options) *lineClient { return newLineClientOf(t, o, taskText) }

func newLineClientOf(t *testing.T, o *Options, text string, more ...engine.Predicate) *lineClient {
	t.Helper()
	toServer, out := pipe(t)
	in, fromServer := pipe(t)
	c := &lineClient{T: t, out: out, replies: map[int]chan map[string]any{}, logs: &lockedText{},
		noted: make(chan struct{})}
	o.Log = slog.New(slog.NewTextHandler(c.logs, nil))
	noted := engine.Predicate{Name: "noted", Call: func(*engine.Call) (bool, error) { <-c.noted; return true, nil }}
	file := filepath.Join(t.TempDir(), "kb.pl")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	c.server = NewServer(bridgetest.Load(t, append(append(Predicates(), noted), more...), file), o)
	session, err := c.server.MCP().Connect(context.Background(), &wire.StdioTransport{In: toServer, Out: fromServer}, nil)
	require.NoError(t, err)
	go c.read(in)
	t.Cleanup(func() {
		_ = out.Close()
		_ = session.Wait()
		c.server.Close()
		_ = fromServer.Close()
	})
	return c
}

func (c *lineClient) read(in io.Reader) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var m map[string]any
		_ = json.Unmarshal(lines.Bytes(), &m)
		c.mu.Lock()
		if id, ok := m["id"].(float64); ok {
			c.replies[int(id)] <- m
		} else {
			c.notes = append(c.notes, m)
		}
		c.mu.Unlock()
	}
}

// ask sends a request as a client with some capabilities and returns its result, or {"code": ...} for an error.
func (c *lineClient) ask(capabilities, method, params string) map[string]any {
	c.Helper()
	c.mu.Lock()
	c.id++
	id, reply := c.id, make(chan map[string]any, 1)
	c.replies[id] = reply
	c.mu.Unlock()
	meta := strings.Replace(wiretest.Stateless, `Capabilities":{}`, `Capabilities":`+capabilities, 1)
	meta = strings.Replace(meta, `"_meta":{`, `"_meta":{"io.modelcontextprotocol/logLevel":"info","progressToken":7,`, 1)
	_, err := fmt.Fprintf(c.out, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s,%s}}`+"\n", id, method, params, meta)
	require.NoError(c, err)
	select {
	case m := <-reply:
		if wrong, ok := m["error"].(map[string]any); ok {
			return wrong
		}
		return m["result"].(map[string]any)
	case <-time.After(wiretest.Patience):
		c.Fatal("no reply to ", method)
	}
	return nil
}

const taskClient = `{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// call calls a tool.
func (c *lineClient) call(tool string) map[string]any {
	c.Helper()
	return c.ask(taskClient, "tools/call", fmt.Sprintf(`"name":%q,"arguments":{}`, tool))
}

// start calls a tool that becomes a task, and returns its id.
func (c *lineClient) start(tool string) string {
	c.Helper()
	r := c.call(tool)
	require.Equal(c, "task", r["resultType"], "%v", r)
	require.NotContains(c, r, "result")
	return r["taskId"].(string)
}

// about asks about a task.
func (c *lineClient) about(id, method, more string) map[string]any {
	c.Helper()
	return c.ask(taskClient, "tasks/"+method, fmt.Sprintf(`"taskId":%q%s`, id, more))
}

// becomes waits until a task has a status, and returns it.
func (c *lineClient) becomes(id, status string) (r map[string]any) {
	c.Helper()
	require.Eventually(c, func() bool {
		r = c.about(id, "get", "")
		return r["status"] == status
	}, wiretest.Patience, 5*time.Millisecond)
	return r
}

// answer answers a question of a task.
func (c *lineClient) answer(id, key, content string) {
	c.Helper()
	r := c.about(id, "update", fmt.Sprintf(`,"inputResponses":{%q:{"action":"accept","content":%s},"none":{"x":1}}`, key,
		content))
	require.Equal(c, map[string]any{"resultType": "complete"}, withoutMeta(r))
}

func withoutMeta(r map[string]any) map[string]any {
	delete(r, "_meta")
	return r
}

func textOfResult(r map[string]any) any {
	return r["result"].(map[string]any)["content"].([]any)[0].(map[string]any)["text"]
}

// TestTask follows tasks of every kind to their end.
func TestTask(t *testing.T) {
	c := newLineClientOf(t, &Options{}, strings.Replace(taskText, "sleep(0.2)", "noted", 1))
	require.Equal(t, "complete", c.call("quick")["resultType"], "it ends in time")
	done := c.becomes(c.start("now"), "completed")
	require.Equal(t, "Arg1: hello", textOfResult(done))
	require.Equal(t, "completed", c.becomes(c.start("must"), "completed")["status"])
	failed := c.becomes(c.start("fails"), "completed")
	require.Equal(t, true, failed["result"].(map[string]any)["isError"])
	broken := c.becomes(c.start("broken"), "failed")
	require.Equal(t, -32001.0, broken["error"].(map[string]any)["code"])
	require.Equal(t, "It broke", broken["statusMessage"])

	late := c.start("late")
	close(c.noted)
	require.Equal(t, "completed", c.becomes(late, "completed")["status"])
	require.NotContains(t, fmt.Sprint(c.notes), "lost", "a task says nothing to the client")
	require.Contains(t, fmt.Sprint(c.call("done")), "late")

	loop := c.start("loop")
	working := c.about(loop, "get", "")
	require.Eventually(t, func() bool {
		working = c.about(loop, "get", "")
		return working["statusMessage"] == "Still at it (2 of 3)"
	}, wiretest.Patience, time.Millisecond)
	require.Equal(t, "working", working["status"])
	require.Equal(t, map[string]any{"resultType": "complete"}, withoutMeta(c.about(loop, "cancel", "")))
	c.becomes(loop, "cancelled")
	require.Equal(t, map[string]any{"resultType": "complete"}, withoutMeta(c.about(loop, "cancel", "")), "again")
}

// TestTaskErrors is about clients that do not know tasks, and tasks that nobody knows.
func TestTaskErrors(t *testing.T) {
	c := newLineClient(t, &Options{})
	for _, method := range []string{"get", "update", "cancel"} {
		require.Equal(t, -32021.0, c.ask(`{}`, "tasks/"+method, `"taskId":"x"`)["code"])
		require.Equal(t, -32602.0, c.about("x", method, "")["code"])
		require.Equal(t, map[string]any{"code": -32602.0, "message": "invalid params: expected a string as taskId"},
			c.ask(taskClient, "tasks/"+method, `"taskId":7`))
	}
	require.Equal(t, "invalid params: expected a string as uri", c.ask(`{}`, "skills/get", `"uri":["secret"]`)["message"])
	must := c.ask(`{}`, "tools/call", `"name":"must"`)
	require.Equal(t, -32021.0, must["code"])
	require.JSONEq(t, `{"requiredCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}}}`,
		jsonOf(t, must["data"]))
	require.Equal(t, "complete", c.ask(`{}`, "tools/call", `"name":"now"`)["resultType"])
	require.Contains(t, jsonOf(t, c.ask(`{}`, "server/discover", `"x":1`)), tasks.Extension)

	old := connect(t, c.server, "2025-11-25", nil)
	require.False(t, bridgetest.CallTool(t, old, "must", "").IsError, "older versions have no such tasks")
}

// TestTaskAsks has tasks ask: an answer that does not fit is asked for again under another key, answers come one by
// one, and a call that was given up while it waited is run again.
func TestTaskAsks(t *testing.T) {
	c := newLineClient(t, &Options{MaxWaiting: 1})
	keys := func(r map[string]any) []string {
		var list []string
		for key := range r["inputRequests"].(map[string]any) {
			list = append(list, key)
		}
		return list
	}
	age := c.start("age")
	require.Equal(t, []string{"age"}, keys(c.becomes(age, "input_required")))
	c.answer(age, "age", `{"n": "old"}`)
	again := c.becomes(age, "input_required")
	require.Equal(t, []string{"age~2"}, keys(again))
	require.Contains(t, jsonOf(t, again), "does not fit")
	c.answer(age, "age", `{"n": 5}`)
	require.Equal(t, []string{"age~2"}, keys(c.about(age, "get", "")), "the old key counts for nothing")

	two := c.start("two")
	require.ElementsMatch(t, []string{"a", "b"}, keys(c.becomes(two, "input_required")))
	require.Equal(t, 1, c.server.Waiting(), "the first call was given up")
	c.answer(age, "age~2", `{"n": 7}`)
	require.Contains(t, textOfResult(c.becomes(age, "completed")), "7")

	third := c.start("age")
	c.becomes(third, "input_required")
	c.answer(two, "b", `{"n": 2}`)
	require.Equal(t, []string{"a"}, keys(c.becomes(two, "input_required")))
	c.answer(two, "a", `{"n": 1}`)
	require.Contains(t, textOfResult(c.becomes(two, "completed")), "1-2")
	c.about(third, "cancel", "")
	require.Equal(t, "cancelled", c.about(third, "get", "")["status"])
	require.Zero(t, c.server.Waiting())
}

// TestTaskBounds bounds tasks in number and in time.
func TestTaskBounds(t *testing.T) {
	c := newLineClient(t, &Options{MaxTasks: 2})
	c.becomes(c.start("now"), "completed")
	second := c.start("age")
	c.becomes(second, "input_required")
	require.Equal(t, "complete", c.call("now")["resultType"], "there is no room for a task")
	require.Equal(t, float64(tasks.CodeBusy), c.call("must")["code"])
	require.Equal(t, 2, c.server.tasks.Count())
	c.about(second, "cancel", "")
	require.Zero(t, c.server.Waiting())

	c = newLineClient(t, &Options{MaxTasks: 2, Limits: engine.Limits{Time: 10 * time.Millisecond}})
	c.server.tasks.Life = 50 * time.Millisecond
	none := func() bool { return c.server.tasks.Count() == 0 }
	done := c.start("now")
	require.Eventually(t, none, wiretest.Patience, time.Millisecond)
	require.Equal(t, -32602.0, c.about(done, "get", "")["code"])
	given := c.start("age")
	c.about(given, "cancel", "")
	require.Eventually(t, none, wiretest.Patience, time.Millisecond)
	require.Equal(t, -32602.0, c.about(given, "get", "")["code"])
	require.Zero(t, c.server.Waiting())
}

// TestTaskGrace ends tasks with the server: those that run have time to end, others have not.
func TestTaskGrace(t *testing.T) {
	c := newLineClient(t, &Options{Grace: 2 * time.Second})
	late, loop, age := c.start("late"), c.start("loop"), c.start("age")
	c.becomes(age, "input_required")
	c.server.FinishTasks()
	require.Equal(t, "completed", c.about(late, "get", "")["status"])
	require.Equal(t, "cancelled", c.about(loop, "get", "")["status"])
	require.Equal(t, "cancelled", c.about(age, "get", "")["status"])
}

// listen subscribes to tasks and returns the tasks that the acknowledgement names.
func (c *lineClient) listen(ids ...string) (acknowledged []any) {
	c.Helper()
	list, err := json.Marshal(ids)
	require.NoError(c, err)
	meta := strings.Replace(wiretest.Stateless, `Capabilities":{}`, `Capabilities":`+taskClient, 1)
	_, err = fmt.Fprintf(c.out, `{"jsonrpc":"2.0","id":"sub","method":"subscriptions/listen",`+
		`"params":{"notifications":{"taskIds":%s},%s}}`+"\n", list, meta)
	require.NoError(c, err)
	ack := c.note("notifications/subscriptions/acknowledged", func(map[string]any) bool { return true })
	return ack["notifications"].(map[string]any)["taskIds"].([]any)
}

// note waits for a notification and returns its params.
func (c *lineClient) note(method string, is func(params map[string]any) bool) (params map[string]any) {
	c.Helper()
	require.Eventually(c, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, m := range c.notes {
			if p, _ := m["params"].(map[string]any); m["method"] == method && is(p) {
				params = p
				return true
			}
		}
		return false
	}, wiretest.Patience, 5*time.Millisecond)
	return params
}

// Who listens to tasks is told what becomes of them, as tasks/get would tell it. Tasks of nobody are left out.
func TestTaskNotifications(t *testing.T) {
	var mu sync.Mutex
	var seen []Observation
	c := newLineClient(t, &Options{Observe: observing(func(o Observation) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, o)
	})})
	wrong := c.ask(`{}`, "subscriptions/listen", `"notifications":{"taskIds":["x"]}`)
	require.EqualValues(t, -32021, wrong["code"])
	require.Equal(t, map[string]any{"requiredCapabilities": map[string]any{
		"extensions": map[string]any{"io.modelcontextprotocol/tasks": map[string]any{}}}}, wrong["data"])
	wrong = c.ask(taskClient, "subscriptions/listen", `"notifications":{"taskIds":7}`)
	require.EqualValues(t, -32602, wrong["code"])
	asks, loop := c.start("age"), c.start("loop")
	asking := c.becomes(asks, "input_required")
	require.Equal(t, []any{asks, loop}, c.listen(asks, "nobody's", loop, asks))
	for key := range asking["inputRequests"].(map[string]any) {
		c.about(asks, "update", fmt.Sprintf(`,"inputResponses":{%q:{"action":"accept","content":{"n":7}}}`, key))
	}
	of := func(id, status string) func(map[string]any) bool {
		return func(p map[string]any) bool { return p["taskId"] == id && p["status"] == status }
	}
	note := c.note("notifications/tasks", of(asks, "completed"))
	got := c.about(asks, "get", "")
	require.Equal(t, got["result"], note["result"])
	require.Equal(t, got["lastUpdatedAt"], note["lastUpdatedAt"])
	require.Equal(t, map[string]any{"io.modelcontextprotocol/subscriptionId": "sub"}, note["_meta"])
	require.NotContains(t, note, "mcplogic/method")
	c.about(loop, "cancel", "")
	c.note("notifications/tasks", of(loop, "cancelled"))
	ended := map[string]string{}
	mu.Lock()
	defer mu.Unlock()
	for _, o := range seen {
		if o.Method == "task" {
			ended[o.Name] = o.Outcome
		}
	}
	require.Equal(t, map[string]string{"age": "ok", "loop": "cancelled"}, ended)
}

// observing returns a function that is told of the end of each request.
func observing(end func(Observation)) func(context.Context, Observation) (context.Context, func(Observation)) {
	return func(ctx context.Context, _ Observation) (context.Context, func(Observation)) { return ctx, end }
}
