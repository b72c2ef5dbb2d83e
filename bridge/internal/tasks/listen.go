package tasks

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines how clients that listen are told what becomes of tasks.

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
	case !Knows(req.ProtocolVersion(), req.ClientCapabilities()):
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
	wire.TaskMark
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
			note := &taskNote{TaskMark: wire.MarkTask(), taskState: told.state}
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
