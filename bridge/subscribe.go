package bridge

import (
	"context"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/tasks"
)

// This file defines which resources clients may subscribe to, and what they are told after a
// reload. The SDK knows who gets which announcement.

// maxSubscriptions bounds the resources that one session subscribes to.
const maxSubscriptions = 1000

// subscriptions are the resources that clients want to hear about, by session.
type subscriptions struct {
	server *mcp.Server // set before there are sessions
	offer  func() *items.Offer

	mu   sync.Mutex
	uris map[*mcp.ServerSession]map[string]int
}

// newSubscriptions returns that there are none. offer is what is on offer at a moment.
func newSubscriptions(offer func() *items.Offer) *subscriptions {
	return &subscriptions{offer: offer, uris: map[*mcp.ServerSession]map[string]int{}}
}

// subscribe notes a subscription.
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

// unsubscribe forgets a subscription.
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

// fitListen returns a middleware for subscriptions of 2026-07-28. It leaves out resources that nobody serves, so that
// the acknowledgement names the others only, and tells of tasks. Which these are is not known while loading.
func (s *subscriptions) fitListen(table *tasks.Table) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if listen, ok := req.(*mcp.SubscriptionsListenRequest); ok && listen.Params != nil &&
				listen.Params.Notifications != nil {
				o, wanted := s.offer(), listen.Params.Notifications
				wanted.ResourceSubscriptions = slices.DeleteFunc(wanted.ResourceSubscriptions,
					func(uri string) bool { return o.Snapshot.Program != nil && !o.Reads(uri) })
				return table.Listen(ctx, method, listen, next)
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

// announceAll tells subscribers that every resource may have changed, as after a reload: what a
// goal says may depend on any of the files.
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
