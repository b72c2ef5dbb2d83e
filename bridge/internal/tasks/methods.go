package tasks

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines the extension by which clients learn of tasks: who knows it, and its methods. It also defines how
// clients that listen are told what becomes of tasks.

const Extension = "io.modelcontextprotocol/tasks"

// The kinds of results in which a task is shown.
const (
	KindTask       = "task"
	resultComplete = "complete"
)

// CodeBusy is the JSON-RPC error code for clients that should come back later.
const CodeBusy = -32000

// The parameters and results of the methods of the extension.
type (
	taskParams struct {
		mcp.ParamsBase
		ID        string                     `json:"taskId"`
		Responses map[string]json.RawMessage `json:"inputResponses"`
	}
	Result struct {
		mcp.ResultBase
		ResultType string `json:"resultType"`
		taskState
		task *task
	}
	// taskState is what clients see of a task.
	taskState struct {
		ID      string              `json:"taskId"`
		Status  string              `json:"status"`
		Message string              `json:"statusMessage,omitempty"`
		Created string              `json:"createdAt"`
		Updated string              `json:"lastUpdatedAt"`
		TTL     int64               `json:"ttlMs"`
		Poll    int64               `json:"pollIntervalMs"`
		Inputs  mcp.InputRequestMap `json:"inputRequests,omitempty"`
		Result  *mcp.CallToolResult `json:"result,omitempty"`
		Error   *jsonrpc.Error      `json:"error,omitempty"`
	}
	taskNoted struct {
		mcp.ResultBase
		ResultType string `json:"resultType"`
	}
)

// WhenOver has f called once the task is over, with its status and its result, if it has one. f must not block.
func (r *Result) WhenOver(f func(status string, r *mcp.CallToolResult)) {
	t := r.task
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.call != nil {
		t.whenOver = append(t.whenOver, f)
		return
	}
	f(t.status, t.result)
}

// Knows reports whether a request is from a client that takes a task for an answer. Those of older versions have
// tasks of another kind.
func Knows(version string, caps *mcp.ClientCapabilities) bool {
	if version < wire.VersionStateless || caps == nil {
		return false
	}
	_, ok := caps.Extensions[Extension]
	return ok
}

// Slot is where the handler of a call leaves the task that it has become, since the SDK takes no result of another
// type from it.
type Slot struct{ task *Result }

type taskSlotKey struct{}

// SlotOf returns the slot of a call that may become a task, or nil.
func SlotOf(ctx context.Context) *Slot {
	slot, _ := ctx.Value(taskSlotKey{}).(*Slot)
	return slot
}

// taskRequestKey is the key of a context with the request of a method of the extension, which the SDK does not give to
// handlers of such methods.
type taskRequestKey struct{}

// Take is a middleware for calls that become tasks and for the methods of the extension.
func Take(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch req := req.(type) {
		case *mcp.CallToolRequest:
			if !Knows(req.ProtocolVersion(), calls.CapabilitiesOf(req)) {
				break
			}
			slot := &Slot{}
			result, err := next(context.WithValue(ctx, taskSlotKey{}, slot), method, req)
			if err == nil && slot.task != nil {
				return slot.task, nil
			}
			return result, err
		case *mcp.ServerRequest[*taskParams]:
			if !Knows(req.ProtocolVersion(), calls.CapabilitiesOf(req)) {
				return nil, ErrUnknown()
			}
			ctx = context.WithValue(ctx, taskRequestKey{}, req)
		}
		return next(ctx, method, req)
	}
}

// ErrUnknown is the error for a client that has to know tasks and does not.
func ErrUnknown() error {
	return refusal.MissingCapability("this needs a client with the extension "+Extension, "extensions", Extension)
}

// AddMethods adds the methods of the extension.
func (tasks *Table) AddMethods(server *mcp.Server) {
	noted := func(do func(t *task, p *taskParams)) func(t *task, p *taskParams) *taskNoted {
		return func(t *task, p *taskParams) *taskNoted {
			do(t, p)
			return &taskNoted{ResultType: resultComplete}
		}
	}
	err := errors.Join(
		addTaskMethod(tasks, server, "tasks/get", func(t *task, _ *taskParams) *Result { return t.shown(resultComplete) }),
		addTaskMethod(tasks, server, "tasks/update", noted(func(t *task, p *taskParams) { t.answer(p.Responses) })),
		addTaskMethod(tasks, server, "tasks/cancel", noted(func(t *task, _ *taskParams) {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.drop(errTaskCancelled)
		})))
	if err != nil {
		panic("bridge: " + err.Error()) // the methods are no standard ones
	}
}

// errTaskCancelled is why the run of a task ends that its client has cancelled.
var errTaskCancelled = errors.New("the client has cancelled the task")

// addTaskMethod adds a method about a task of the user who asks.
func addTaskMethod[R mcp.Result](
	tasks *Table, server *mcp.Server, method string, handle func(t *task, p *taskParams) R,
) error {
	return mcp.AddReceivingCustomMethod(server, method,
		func(ctx context.Context, _ *mcp.ServerSession, p *taskParams) (r R, err error) {
			req, ok := ctx.Value(taskRequestKey{}).(*mcp.ServerRequest[*taskParams])
			if !ok || p == nil {
				return r, refusal.InvalidParams("expected a string as taskId")
			}
			t := tasks.find(p.ID, calls.UserOf(req.Extra))
			if t == nil {
				return r, refusal.InvalidParams("there is no task %q; it has expired, or was never made for this client", p.ID)
			}
			return handle(t, p), nil
		})
}

// taskListener is a subscription to tasks.
type taskListener struct {
	// wake has room for one: who is slow misses what was in between.
	wake chan struct{}
	// told is when each task was last changed that the client has been told of.
	told map[*task]string
}

// tell wakes those who listen to a task; mu is held.
func (t *task) tell() {
	for l := range t.listeners {
		select {
		case l.wake <- struct{}{}:
		default:
		}
	}
}

// listen adds a listener to a task. The function takes it away.
func (t *task) listen(l *taskListener) func() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.listeners == nil {
		t.listeners = map[*taskListener]bool{}
	}
	t.listeners[l] = true
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.listeners, l)
	}
}

// wantedTasks returns the tasks that a subscription names; asks is false when it is not about tasks.
func wantedTasks(meta mcp.Meta) (ids []string, asks bool, err error) {
	raw, asks := meta[wire.MetaTaskIDs]
	if !asks {
		return nil, false, nil
	}
	items, ok := raw.([]any)
	for _, item := range items {
		id, isText := item.(string)
		ids, ok = append(ids, id), ok && isText
	}
	if !ok {
		return nil, true, refusal.InvalidParams("expected a list of strings as taskIds")
	}
	return ids, true, nil
}

// maxListened bounds the tasks that one subscription names.
const maxListened = 1000

// Listen serves a subscription. What it wants to hear of tasks goes out beside what the SDK sends.
func (tasks *Table) Listen(
	ctx context.Context, method string, req *mcp.SubscriptionsListenRequest, next mcp.MethodHandler,
) (mcp.Result, error) {
	ids, asks, err := wantedTasks(req.Params.Meta)
	switch {
	case err != nil:
		return nil, err
	case !asks:
		return next(ctx, method, req)
	case !Knows(req.ProtocolVersion(), calls.CapabilitiesOf(req)):
		return nil, ErrUnknown()
	case len(ids) > maxListened:
		return nil, refusal.InvalidParams("a client can listen to %d tasks", maxListened)
	}
	heard := &taskAck{ids: []string{}}
	l := &taskListener{wake: make(chan struct{}, 1), told: map[*task]string{}}
	for _, id := range ids {
		if t := tasks.find(id, calls.UserOf(req.Extra)); t != nil && l.told[t] == "" {
			heard.ids = append(heard.ids, id)
			l.told[t] = t.state().stamp()
			defer t.listen(l)()
		}
	}
	over := make(chan struct{})
	defer func() { <-over }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	heard.sent = make(chan struct{})
	go func() {
		defer close(over)
		l.follow(ctx, req.Session, heard)
	}()
	result, err := next(context.WithValue(ctx, taskAckKey{}, heard), method, req)
	if err == nil && len(heard.ids) > 0 {
		<-ctx.Done()
	}
	return result, err
}

// follow sends what becomes of the tasks until ctx ends, once the subscription has been acknowledged.
func (l *taskListener) follow(ctx context.Context, session *mcp.ServerSession, heard *taskAck) {
	select {
	case <-heard.sent:
	case <-ctx.Done():
	}
	for ctx.Err() == nil {
		for t, was := range l.told {
			now := t.state()
			if stamp := now.stamp(); stamp != was {
				l.told[t] = stamp
				note := context.WithValue(ctx, taskNoteKey{}, &toldTask{now, heard.id})
				_ = session.NotifyProgress(note, &mcp.ProgressNotificationParams{}) // who has gone is told nothing
			}
		}
		select {
		case <-l.wake:
		case <-ctx.Done():
		}
	}
}

// stamp differs between two states of a task that clients can tell apart.
func (s taskState) stamp() string {
	s.TTL = 0
	text, _ := json.Marshal(s) // of what clients are sent
	return string(text)
}

// taskNote are the params of the notification of a task: what tasks/get would answer.
type taskNote struct {
	wire.Mark
	mcp.ParamsBase
	taskState
}

// taskAck are the tasks that the acknowledgement of a subscription names. Sent is closed when that is out; then id is
// the name of the subscription.
type taskAck struct {
	ids  []string
	sent chan struct{}
	id   any
}

// toldTask is a task as a subscription is told of it.
type toldTask struct {
	state        taskState
	subscription any
}

type (
	taskAckKey  struct{}
	taskNoteKey struct{}
)

// taskAcknowledged are the params of such an acknowledgement.
type taskAcknowledged struct {
	mcp.ParamsBase
	Notifications struct {
		mcp.NotificationSubscriptions
		Tasks []string `json:"taskIds"`
	} `json:"notifications"`
}

// Send is a middleware for what the SDK does not send: the tasks in the acknowledgement of a subscription, and the
// notifications of tasks.
func Send(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session, _ := req.GetSession().(*mcp.ServerSession)
		if told, ok := ctx.Value(taskNoteKey{}).(*toldTask); ok && method == wire.MethodProgress {
			note := &taskNote{Mark: wire.Mark{Method: wire.MethodTask}, taskState: told.state}
			note.Meta = mcp.Meta{mcp.MetaKeySubscriptionID: told.subscription}
			return next(ctx, method, &mcp.ServerRequest[*taskNote]{Session: session, Params: note})
		}
		p, isAck := req.GetParams().(*mcp.SubscriptionsAcknowledgedParams)
		ack, ok := ctx.Value(taskAckKey{}).(*taskAck)
		if !isAck || !ok {
			return next(ctx, method, req)
		}
		ack.id = p.Meta[mcp.MetaKeySubscriptionID]
		defer close(ack.sent)
		own := &taskAcknowledged{}
		own.Meta = p.Meta
		own.Notifications.NotificationSubscriptions, own.Notifications.Tasks = p.Notifications, ack.ids
		return next(ctx, method, &mcp.ServerRequest[*taskAcknowledged]{Session: session, Params: own})
	}
}
