package bridge

import (
	"context"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
)

// This file defines which resources clients may subscribe to, and what they are told after a
// reload. The SDK knows who gets which announcement.

// maxSubscriptions bounds the resources that one session subscribes to.
const maxSubscriptions = 1000

// subscriptions are the resources that clients want to hear about, by session.
type subscriptions struct {
	mu   sync.Mutex
	uris map[*mcp.ServerSession]map[string]int
}

// subscribe notes a subscription.
func (s *Server) subscribe(_ context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	if !s.current.Load().Reads(uri) {
		return refusal.NotFound(req.ProtocolVersion(), uri)
	}
	s.subscribed.mu.Lock()
	defer s.subscribed.mu.Unlock()
	own := s.subscribed.uris[req.Session]
	if own == nil {
		s.forgetGone()
		own = map[string]int{}
		s.subscribed.uris[req.Session] = own
	}
	if own[uri] == 0 && len(own) >= maxSubscriptions {
		return refusal.InvalidParams("a client can subscribe to %d resources", maxSubscriptions)
	}
	own[uri]++
	return nil
}

// unsubscribe forgets a subscription.
func (s *Server) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	s.subscribed.mu.Lock()
	defer s.subscribed.mu.Unlock()
	own := s.subscribed.uris[req.Session]
	if own == nil {
		return nil
	}
	if own[req.Params.URI]--; own[req.Params.URI] <= 0 {
		delete(own, req.Params.URI)
	}
	if len(own) == 0 {
		delete(s.subscribed.uris, req.Session)
	}
	return nil
}

// fitListen is a middleware for subscriptions of 2026-07-28. It leaves out resources that nobody serves, so that the
// acknowledgement names the others only, and tells of tasks.
func (s *Server) fitListen(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if listen, ok := req.(*mcp.SubscriptionsListenRequest); ok && listen.Params != nil &&
			listen.Params.Notifications != nil {
			o, wanted := s.current.Load(), listen.Params.Notifications
			wanted.ResourceSubscriptions = slices.DeleteFunc(wanted.ResourceSubscriptions,
				func(uri string) bool { return !o.Reads(uri) })
			return s.tasks.Listen(ctx, method, listen, next)
		}
		return next(ctx, method, req)
	}
}

// forgetGone drops the sessions that are over; mu is held.
func (s *Server) forgetGone() {
	alive := map[*mcp.ServerSession]bool{}
	for session := range s.mcp.Sessions() {
		alive[session] = true
	}
	for session := range s.subscribed.uris {
		if !alive[session] {
			delete(s.subscribed.uris, session)
		}
	}
}

// announceAll tells subscribers that every resource may have changed, as after a reload: what a
// goal says may depend on any of the files.
func (s *Server) announceAll(ctx context.Context) {
	s.subscribed.mu.Lock()
	all := map[string]bool{}
	for _, own := range s.subscribed.uris {
		for uri := range own {
			all[uri] = true
		}
	}
	s.subscribed.mu.Unlock()
	for uri := range all {
		_ = s.mcp.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}) // never fails
	}
}
