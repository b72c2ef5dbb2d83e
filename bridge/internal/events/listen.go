package events

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file tells clients that the list of events has changed. Clients with a session get the notification on its
// stream, and other clients on a subscription that asks for eventsListChanged.

// listened is a subscription to changes of the list. id is its name; it is set when the acknowledgement is sent.
type listened struct {
	wake chan struct{}
	sent chan struct{}
	id   any
}

type listenedKey struct{}

// Listen serves a subscription. Notifications about the list are sent beside those of the SDK and of others.
func (t *Table) Listen(
	ctx context.Context, method string, req *mcp.SubscriptionsListenRequest, next mcp.MethodHandler,
) (mcp.Result, error) {
	if req.Params.Meta[wire.MetaEvents] != true {
		return next(ctx, method, req)
	}
	l := &listened{wake: make(chan struct{}, 1), sent: make(chan struct{})}
	t.mu.Lock()
	t.listeners[l] = true
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.listeners, l)
	}()
	over := make(chan struct{})
	defer func() { <-over }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer close(over)
		select {
		case <-l.sent:
		case <-ctx.Done():
		}
		for ctx.Err() == nil {
			select {
			case <-l.wake:
				tellList(ctx, req.Session, mcp.Meta{mcp.MetaKeySubscriptionID: l.id})
			case <-ctx.Done():
			}
		}
	}()
	result, err := next(context.WithValue(ctx, listenedKey{}, l), method, req)
	if err == nil {
		<-ctx.Done()
	}
	return result, err
}

// ListChanged tells all clients that the list of events has changed. sessions are the sessions of the server.
func (t *Table) ListChanged(sessions []*mcp.ServerSession) {
	t.mu.Lock()
	for l := range t.listeners {
		select {
		case l.wake <- struct{}{}:
		default:
		}
	}
	t.mu.Unlock()
	for _, s := range sessions {
		if p := s.InitializeParams(); p != nil && p.ProtocolVersion < wire.VersionStateless {
			tellList(context.Background(), s, nil) // the context selects the stream of the session
		}
	}
}

func tellList(ctx context.Context, session *mcp.ServerSession, meta mcp.Meta) {
	n := &note{Mark: wire.Mark{Method: "notifications/events/list_changed"}}
	n.Meta = meta
	_ = session.NotifyProgress(context.WithValue(ctx, noteKey{}, n), &mcp.ProgressNotificationParams{}) // it may have gone
}

// acknowledged are the params of an acknowledgement, which also names the list of events.
type acknowledged struct {
	mcp.ParamsBase
	params mcp.Params
}

// MarshalJSON adds the member.
func (a *acknowledged) MarshalJSON() ([]byte, error) {
	var members, agreed map[string]json.RawMessage
	data, err := json.Marshal(a.params)
	if err != nil || json.Unmarshal(data, &members) != nil || json.Unmarshal(members["notifications"], &agreed) != nil {
		return data, err
	}
	agreed["eventsListChanged"] = json.RawMessage("true")
	members["notifications"], _ = json.Marshal(agreed) // of JSON
	return json.Marshal(members)
}

// acknowledge returns the acknowledgement of a subscription that asks for changes of the list of events.
func (l *listened) acknowledge(req mcp.Request) (own mcp.Request, done func()) {
	session, _ := req.GetSession().(*mcp.ServerSession)
	l.id = req.GetParams().GetMeta()[mcp.MetaKeySubscriptionID]
	return &mcp.ServerRequest[*acknowledged]{Session: session, Params: &acknowledged{params: req.GetParams()}},
		func() { close(l.sent) }
}

// Differ reports whether clients see a difference between the events of two offers.
func (t *Table) Differ(was, now *items.Offer) bool {
	before, _ := json.Marshal(t.types(was)) // of texts and JSON
	after, _ := json.Marshal(t.types(now))
	return !bytes.Equal(before, after)
}
