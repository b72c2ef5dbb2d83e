// Package tasks has calls of tools that become tasks, by the MCP extension tasks: they continue after their request has
// been answered. A [Table] holds the tasks of a server. [Table.Detach] runs a call that may become one, [Take] and
// [Send] are the middlewares for what the SDK does not know. Goroutines share a Table.
package tasks

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/waiting"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines tasks: calls of tools that continue after their request has been answered. The client asks for the
// result later, answers questions, and may cancel.

// taskPoll is how long a client is told to wait before it asks again.
const taskPoll = time.Second

// The states of a task.
const (
	taskWorking   = "working"
	taskAsking    = "input_required"
	taskCompleted = "completed"
	taskFailed    = "failed"
	taskCancelled = "cancelled"
)

// task is one task.
type task struct {
	// fixed when it is made
	id, user, client string
	name             string // of the tool
	tasks            *Table
	request          *calls.Request
	created          time.Time
	promised         time.Time // when it may expire at the earliest
	ctx              context.Context
	cancel           context.CancelCauseFunc
	expiry           *time.Timer

	mu               sync.Mutex // guards what follows
	status, message  string
	updated, expires time.Time
	// call is what the task runs, nil once it is over. While it is asking nobody else has the call.
	call *calls.Call
	// asked are the questions that wait for answers, by the keys that the client knows; used are all such keys so far.
	asked map[string]askedKey
	used  map[string]bool
	// requests are those questions as the client gets them.
	requests mcp.InputRequestMap
	result   *mcp.CallToolResult
	failure  *jsonrpc.Error
	// whenOver are told when it is over.
	whenOver []func(status string, r *mcp.CallToolResult)
	// listeners are woken when the task has changed.
	listeners map[*taskListener]bool
}

// askedKey is a question of a call, and how many answers to it did not fit.
type askedKey struct {
	key     string
	misfits int
}

// Settings are the settings of the tasks of a server.
type Settings struct {
	// Most is how many tasks there may be, finished ones included.
	Most int
	// AskTime is how long a question waits for its answer, Grace how long tasks may go on that the server ends.
	AskTime, Grace time.Duration
	Log            *slog.Logger
	// Run continues a call. The error is calls.ErrParked if the call has to wait for answers.
	Run func(ctx context.Context, cr *calls.Request, c *calls.Call) (*mcp.CallToolResult, error)
	// Over is called at the end of each task. It may be nil.
	Over func(e *Ended)
}

// Ended is a task that is over.
type Ended struct {
	// Name is that of the tool, User who has called it.
	Name, User string
	Began      time.Time
	// Outcome is "ok", "failed", "cancelled" or "error". Code is the code of a JSON-RPC error.
	Outcome string
	Code    int64
}

// Table holds the tasks that exist. Goroutines share it.
type Table struct {
	set Settings
	// waiting has the calls whose tasks wait for answers.
	waiting *waiting.Room[*calls.Call]
	// Life is how long a result is kept, and how much longer than its time limit a task exists.
	Life time.Duration

	mu   sync.Mutex
	byID map[string]*task
	// running counts the calls that may be tasks; rests is closed when there are none, nil unless somebody waits for that.
	running int
	rests   chan struct{}
}

// taskLife is the life of a task by default.
const taskLife = 15 * time.Minute

// NewTable returns a table without tasks. Calls that wait for answers do so in the waiting room.
func NewTable(waiting *waiting.Room[*calls.Call], set *Settings) *Table {
	return &Table{set: *set, waiting: waiting, Life: taskLife, byID: map[string]*task{}}
}

func (tasks *Table) run(f func()) {
	tasks.mu.Lock()
	defer tasks.mu.Unlock()
	tasks.running++
	go func() {
		f()
		tasks.mu.Lock()
		defer tasks.mu.Unlock()
		if tasks.running--; tasks.running == 0 && tasks.rests != nil {
			close(tasks.rests)
			tasks.rests = nil
		}
	}()
}

// resting returns a channel that is closed when nothing runs.
func (tasks *Table) resting() <-chan struct{} {
	tasks.mu.Lock()
	defer tasks.mu.Unlock()
	rests := tasks.rests
	if rests == nil {
		rests = make(chan struct{})
		if tasks.running == 0 {
			close(rests)
		} else {
			tasks.rests = rests
		}
	}
	return rests
}

// errNoRoom is the error of a call that can only be a task when there are too many.
var errNoRoom = errors.New("there are too many tasks; try again later")

// begin makes a task of a call whose run ends with cancel. It returns nil if there are too many tasks, of all clients
// or of this one: no client may have more than half of them where there are several.
func (tasks *Table) begin(ctx context.Context, cancel context.CancelCauseFunc, cr *calls.Request, c *calls.Call) *task {
	now := time.Now()
	t := &task{id: rand.Text(), user: cr.User, client: wire.ClientOf(ctx), name: c.Job.Name, tasks: tasks, request: cr,
		created: now, ctx: ctx, cancel: cancel, status: taskWorking, updated: now, call: c, used: map[string]bool{}}
	tasks.mu.Lock()
	defer tasks.mu.Unlock()
	own := 0
	for _, other := range tasks.byID {
		if other.client == t.client {
			own++
		}
	}
	if len(tasks.byID) >= tasks.set.Most || t.client != "" && own >= max(1, tasks.set.Most/2) {
		return nil
	}
	tasks.byID[t.id] = t
	life := c.Job.Time + tasks.Life
	t.promised = now.Add(life)
	t.expires = t.promised
	t.mu.Lock() // for a life of nothing
	t.expiry = time.AfterFunc(life, t.expire)
	t.mu.Unlock()
	cr.Become(t)
	return t
}

// find returns a task of a user, or nil.
func (tasks *Table) find(id, user string) *task {
	tasks.mu.Lock()
	defer tasks.mu.Unlock()
	if t := tasks.byID[id]; t != nil && t.user == user {
		return t
	}
	return nil
}

// Count is how many tasks there are.
func (tasks *Table) Count() int {
	tasks.mu.Lock()
	defer tasks.mu.Unlock()
	return len(tasks.byID)
}

func (tasks *Table) all() []*task {
	tasks.mu.Lock()
	defer tasks.mu.Unlock()
	return slices.Collect(maps.Values(tasks.byID))
}

// errExpired is why the run of a task ends whose time is over.
var errExpired = errors.New("the task has expired")

// expire ends a task when its time is over, unless it has got more.
func (t *task) expire() {
	t.mu.Lock()
	left := time.Until(t.expires)
	if left > 0 {
		t.expiry.Reset(left)
		t.mu.Unlock()
		return
	}
	t.drop(errExpired)
	t.mu.Unlock()
	tasks := t.tasks
	tasks.mu.Lock()
	defer tasks.mu.Unlock()
	delete(tasks.byID, t.id)
}

// last sets the remaining life of a task, which is not shorter than first promised; mu is held.
func (t *task) last(life time.Duration) {
	t.expires = time.Now().Add(life)
	if t.expires.Before(t.promised) {
		t.expires = t.promised
	}
	t.expiry.Reset(time.Until(t.expires))
}

// drop ends what a task runs or waits for; mu is held.
func (t *task) drop(why error) {
	t.cancel(why)
	if t.status == taskAsking {
		if c, how := t.tasks.waiting.Take(t.call.ID); how == waiting.Taken {
			c.Close()
		}
		t.settle(taskCancelled)
	}
}

// complete ends a task with a result; mu is held.
func (t *task) complete(r *mcp.CallToolResult) {
	if r.Content == nil {
		r.Content = []mcp.Content{} // as the SDK does, lest it is null
	}
	t.result = r
	t.settle(taskCompleted)
}

// settle gives a task its last status; mu is held.
func (t *task) settle(status string) {
	t.call, t.asked, t.requests = nil, nil, nil
	t.message = ""
	t.enter(status)
	t.last(t.tasks.Life)
	t.observe()
	for _, f := range t.whenOver {
		f(t.status, t.result)
	}
	t.whenOver = nil
}

// observe reports the end of a task; mu is held.
func (t *task) observe() {
	if t.tasks.set.Over == nil {
		return
	}
	e := &Ended{Name: t.name, User: t.user, Began: t.created, Outcome: "ok"}
	switch {
	case t.failure != nil:
		e.Outcome, e.Code = "error", t.failure.Code
	case t.status == taskCancelled:
		e.Outcome = "cancelled"
	case t.result != nil && t.result.IsError:
		e.Outcome = "failed"
	}
	t.tasks.set.Over(e)
}

// enter gives a task another status; mu is held.
func (t *task) enter(status string) {
	t.status, t.updated = status, time.Now()
	t.tell()
}

// follow takes what a run of the call comes to, until it is over or has to ask.
func (t *task) follow(o Outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case o.Err == calls.ErrParked && t.ctx.Err() == nil:
		t.ask()
	case o.Err == calls.ErrParked:
		t.call.Close()
		t.settle(taskCancelled)
	case t.ctx.Err() != nil && (o.Err != nil || o.Result.IsError):
		t.settle(taskCancelled)
	case o.Err == nil:
		t.complete(o.Result)
	default:
		t.failure = wire.PlainError(o.Err)
		t.settle(taskFailed)
		t.message = t.failure.Message
	}
}

// ask lets a call wait for the answers to its questions; mu is held. A question that only the model can ask is the
// result of the task.
func (t *task) ask() {
	c := t.call
	c.Legs = 0
	if len(c.Inputs(t.request)) == 0 {
		t.complete(c.Question(t.request))
		return
	}
	c.Round++
	t.offer()
	t.tasks.waiting.Put(c.ID, c)
	t.enter(taskAsking)
	t.message = ""
	t.last(t.tasks.set.AskTime + t.tasks.Life)
}

// offer notes the questions that the client has to answer; mu is held. A question that is asked again because its
// answer did not fit gets a new key, as the extension wants it.
func (t *task) offer() {
	c, was := t.call, t.asked
	t.asked, t.requests = map[string]askedKey{}, mcp.InputRequestMap{}
	for key, request := range c.Inputs(t.request) {
		q := askedKey{key, c.Misfits[key]}
		name := key
		for known, old := range was {
			if old == q {
				name = known
			}
		}
		for i := 2; t.used[name] && was[name] != q; i++ {
			name = fmt.Sprintf("%s~%d", key, i)
		}
		t.used[name], t.asked[name], t.requests[name] = true, q, request
	}
}

// answer takes answers of the client, each as JSON. What answers no open question is left alone. Once all are answered
// the call goes on.
func (t *task) answer(responses map[string]json.RawMessage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.status != taskAsking {
		return
	}
	fitting := mcp.InputResponseMap{}
	for name, raw := range responses {
		var one mcp.InputResponseMap
		q, open := t.asked[name]
		if open && json.Unmarshal(fmt.Appendf(nil, `{"": %s}`, raw), &one) == nil {
			fitting[q.key] = one[""]
		}
	}
	c := t.call
	t.tasks.waiting.Take(c.ID) // unless it was given up there
	c.Hear(fitting)
	c.Reopen()
	if len(c.Inputs(t.request)) > 0 {
		t.offer()
		if c.Run != nil { // else it was given up, and will be run again
			t.tasks.waiting.Put(c.ID, c)
		}
		t.updated = time.Now()
		return
	}
	t.asked, t.requests = nil, nil
	t.enter(taskWorking)
	t.tasks.run(func() { t.follow(t.tasks.runGuarded(t.ctx, t.request, c)) })
}

// Report says what a working task is doing; the goal has said so by mcp_progress/3.
func (t *task) Report(done, total float64, message string) {
	text := fmt.Sprintf("%g", done)
	if total > 0 {
		text = fmt.Sprintf("%g of %g", done, total)
	}
	if message != "" {
		text = message + " (" + text + ")"
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.status == taskWorking {
		t.message, t.updated = text, time.Now()
		t.tell()
	}
}

// Outcome is what a run of a tool's call has come to. The error is calls.ErrParked when the call has to ask.
type Outcome struct {
	Result *mcp.CallToolResult
	Err    error
}

// runGuarded runs a call on in a goroutine of its own, where a panic would end the process.
func (tasks *Table) runGuarded(ctx context.Context, cr *calls.Request, c *calls.Call) (o Outcome) {
	defer func() {
		if p := recover(); p != nil {
			tasks.set.Log.Error("a call panicked", "item", c.Job.Name, "panic", p, "stack", string(debug.Stack()))
			o = Outcome{nil, refusal.ErrPanicked}
		}
	}()
	result, err := tasks.set.Run(ctx, cr, c)
	return Outcome{result, err}
}

// Detach runs a call that becomes a task unless it ends in time. Then its request is answered with the task, by way of
// the slot of ctx, instead of the result. Else the outcome of the call is returned.
func (tasks *Table) Detach(ctx context.Context, cr *calls.Request, c *calls.Call, slot *Slot) Outcome {
	own, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	became := Outcome{&mcp.CallToolResult{}, nil}
	if c.Job.Task.After == 0 || c.Job.Task.Required {
		if t := tasks.begin(own, cancel, cr, c); t != nil {
			slot.task = t.shown(KindTask)
			tasks.run(func() { t.follow(tasks.runGuarded(own, cr, c)) })
			return became
		}
		if c.Job.Task.Required {
			cancel(errNoRoom)
			c.Close()
			return Outcome{nil, &jsonrpc.Error{Code: CodeBusy, Message: errNoRoom.Error()}}
		}
	}
	over := make(chan Outcome, 1)
	tasks.run(func() { over <- tasks.runGuarded(own, cr, c) })
	late := time.NewTimer(c.Job.Task.After)
	defer late.Stop()
	for {
		select {
		case o := <-over:
			cancel(nil)
			return o
		case <-ctx.Done():
			cancel(context.Cause(ctx))
			return <-over
		case <-late.C:
			if t := tasks.begin(own, cancel, cr, c); t != nil {
				slot.task = t.shown(KindTask)
				tasks.run(func() { t.follow(<-over) })
				return became
			}
		}
	}
}

// Finish ends the tasks: those that run may go on for the grace of the options, those that wait for answers end at
// once. It returns when all have ended, except for machines that do not stop.
func (tasks *Table) Finish() {
	tasks.endTasks(func(t *task) bool { return t.status == taskAsking })
	over := tasks.resting()
	select {
	case <-over:
		return
	case <-time.After(tasks.set.Grace):
	}
	tasks.End()
	select {
	case <-over:
	case <-time.After(2 * calls.StopTime):
	}
}

func (tasks *Table) endTasks(chosen func(t *task) bool) {
	for _, t := range tasks.all() {
		t.mu.Lock()
		if chosen(t) {
			t.drop(errStopped)
		}
		t.mu.Unlock()
	}
}

// End ends all tasks at once.
func (tasks *Table) End() { tasks.endTasks(func(*task) bool { return true }) }

// errStopped is why tasks end with the server.
var errStopped = errors.New("the server is stopping")

// shown is the answer about a task.
func (t *task) shown(kind string) *Result {
	r := &Result{task: t, ResultType: kind, taskState: t.state()}
	if kind == KindTask {
		r.Inputs, r.Result, r.Error = nil, nil, nil
	}
	return r
}

// state is what clients see of a task.
func (t *task) state() taskState {
	t.mu.Lock()
	defer t.mu.Unlock()
	return taskState{ID: t.id, Status: t.status, Message: t.message,
		Created: timestamp(t.created), Updated: timestamp(t.updated), TTL: t.expires.Sub(t.created).Milliseconds(),
		Poll: taskPoll.Milliseconds(), Inputs: maps.Clone(t.requests), Result: t.result, Error: t.failure}
}

func timestamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }
