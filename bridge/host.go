package bridge

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/events"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/tasks"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines a server as its calls see it, and the items on offer that goals have changed for all clients.

// asHost is a server as calls see it.
type asHost struct{ s *Server }

// Snapshot is the snapshot that is now on offer.
func (h asHost) Snapshot() *kb.Snapshot { return h.s.current.Load().Snapshot }

// AnswerTool is the name of the tool by which a model passes on answers, or "".
func (h asHost) AnswerTool() string { return h.s.current.Load().AnswerTool }

// Publish makes the changes of a call that has succeeded.
func (h asHost) Publish(ctx context.Context, made *calls.Changes) {
	if len(made.Items) > 0 {
		h.s.apply(made.Items)
	}
	for _, uri := range made.Updated {
		_ = h.s.mcp.ResourceUpdated(context.WithoutCancel(ctx),
			&mcp.ResourceUpdatedNotificationParams{URI: uri}) // never fails
	}
}

// HasAdded reports whether goals have added an item.
func (h asHost) HasAdded(kind kb.ItemKind, name string) bool {
	h.s.syncing.Lock()
	defer h.s.syncing.Unlock()
	return slices.ContainsFunc(h.s.added, func(ch calls.Change) bool { return ch.Kind == kind && ch.Name == name })
}

// apply changes the items on offer. If another call has changed the same item since the goal looked, the later change
// counts.
func (s *Server) apply(list []calls.Change) {
	s.syncing.Lock()
	defer s.syncing.Unlock()
	snapshot := s.current.Load().Snapshot.Clone()
	for _, ch := range list {
		same := func(old calls.Change) bool { return old.Kind == ch.Kind && old.Name == ch.Name }
		known := slices.ContainsFunc(s.added, same)
		s.added = slices.DeleteFunc(s.added, same)
		if ch.Item == nil || known {
			snapshot.Remove(ch.Kind, ch.Name)
		}
		if ch.Item != nil {
			s.add(snapshot, ch)
		}
	}
	s.show(snapshot)
}

// add adds an item to a snapshot and remembers it, or logs why it cannot be added.
func (s *Server) add(snapshot *kb.Snapshot, ch calls.Change) {
	if err := snapshot.Add(ch.Module, ch.Item); err != nil {
		s.opts.Log.Warn("an item that a goal has added is left out", "item", fmt.Sprintf("%s %s", ch.Kind, ch.Name),
			"reason", err)
		return
	}
	s.added = append(s.added, ch)
}

// keepAdded returns a newly loaded snapshot with the items that goals have added. An added item is dropped if the files
// now declare it, or if it no longer fits the files.
func (s *Server) keepAdded(snapshot *kb.Snapshot) *kb.Snapshot {
	list := s.added
	s.added = nil
	if len(list) == 0 {
		return snapshot
	}
	snapshot = snapshot.Clone()
	for _, ch := range list {
		s.add(snapshot, ch)
	}
	return snapshot
}

// This part defines which resources clients may subscribe to, and which announcements follow a reload. The SDK knows
// which client gets which announcement.

// maxSubscriptions bounds the resources that one session subscribes to.
const maxSubscriptions = 1000

// subscriptions are the resources that clients have subscribed to, by session.
type subscriptions struct {
	server *mcp.Server // set before there are sessions
	offer  func() *items.Offer

	mu   sync.Mutex
	uris map[*mcp.ServerSession]map[string]int
}

// newSubscriptions returns an empty set of subscriptions. offer returns the present offer.
func newSubscriptions(offer func() *items.Offer) *subscriptions {
	return &subscriptions{offer: offer, uris: map[*mcp.ServerSession]map[string]int{}}
}

func (s *subscriptions) subscribe(_ context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	if !s.offer().Reads(uri) {
		return refusal.NotFound(req.ProtocolVersion(), uri)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.uris[req.Session]
	if own == nil {
		s.forgetGone()
		own = map[string]int{}
		s.uris[req.Session] = own
	}
	if own[uri] == 0 && len(own) >= maxSubscriptions {
		return refusal.InvalidParams("a client can subscribe to %d resources", maxSubscriptions)
	}
	own[uri]++
	return nil
}

func (s *subscriptions) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.uris[req.Session]
	if own == nil {
		return nil
	}
	if own[req.Params.URI]--; own[req.Params.URI] <= 0 {
		delete(own, req.Params.URI)
	}
	if len(own) == 0 {
		delete(s.uris, req.Session)
	}
	return nil
}

// fitListen returns a middleware for subscriptions of 2026-07-28. It leaves out resources that are not served, so that
// the acknowledgement names only the others, and adds subscriptions to tasks and events. The served resources are
// unknown while loading.
func (s *subscriptions) fitListen(table *tasks.Table, rules *events.Table) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if listen, ok := req.(*mcp.SubscriptionsListenRequest); ok && listen.Params != nil &&
				listen.Params.Notifications != nil {
				o, wanted := s.offer(), listen.Params.Notifications
				wanted.ResourceSubscriptions = slices.DeleteFunc(wanted.ResourceSubscriptions,
					func(uri string) bool { return o.Snapshot.Program != nil && !o.Reads(uri) })
				return rules.Listen(ctx, method, listen,
					func(ctx context.Context, method string, _ mcp.Request) (mcp.Result, error) {
						return table.Listen(ctx, method, listen, next)
					})
			}
			return next(ctx, method, req)
		}
	}
}

// forgetGone drops the sessions that are over; mu is held.
func (s *subscriptions) forgetGone() {
	alive := map[*mcp.ServerSession]bool{}
	for session := range s.server.Sessions() {
		alive[session] = true
	}
	for session := range s.uris {
		if !alive[session] {
			delete(s.uris, session)
		}
	}
}

// announceAll tells subscribers, after a reload, that every resource may have changed: the contents that a goal makes
// may depend on any of the files.
func (s *subscriptions) announceAll(ctx context.Context) {
	s.mu.Lock()
	all := map[string]bool{}
	for _, own := range s.uris {
		for uri := range own {
			all[uri] = true
		}
	}
	s.mu.Unlock()
	for uri := range all {
		_ = s.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}) // never fails
	}
}
