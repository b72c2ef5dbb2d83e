package bridge

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the hints about caching that clients of 2026-07-28 get.

// hintCaching is a middleware that gives lists the hints of cache_policy/4. If the goal of a policy goes wrong, that
// is logged and the hint says not to cache.
func (s *Server) hintCaching(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		o := s.current.Load() // a reload in between makes the hint old, not the result
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch r := result.(type) {
		case *mcp.DiscoverResult:
			s.hintList(ctx, req, o, "discover", &r.Cacheable)
		case *mcp.ListToolsResult:
			s.hintList(ctx, req, o, "tools_list", &r.Cacheable)
			if o.AnswerTool != "" {
				r.CacheScope = items.ScopePrivate // it depends on whether the client can ask its user
			}
		case *mcp.ListPromptsResult:
			s.hintList(ctx, req, o, "prompts_list", &r.Cacheable)
		case *mcp.ListResourcesResult:
			s.hintList(ctx, req, o, "resources_list", &r.Cacheable)
		case *mcp.ListResourceTemplatesResult:
			s.hintList(ctx, req, o, "resource_templates_list", &r.Cacheable)
		}
		return result, nil
	}
}

// hintList joins what all providers say about a list: the shortest time, and private when one says so.
func (s *Server) hintList(ctx context.Context, req mcp.Request, o *items.Offer, operation string, c *mcp.Cacheable) {
	cr := requestOf(req)
	if cr == nil {
		return
	}
	found := false
	for _, p := range o.Snapshot.Providers {
		hint, ok := s.policy(ctx, cr, o.Snapshot.Program, p, operation, term.NewVar(""))
		if !ok {
			continue
		}
		if !found {
			*c, found = hint, true
			continue
		}
		c.TTLMs = min(c.TTLMs, hint.TTLMs)
		if hint.CacheScope == items.ScopePrivate {
			c.CacheScope = items.ScopePrivate
		}
	}
}

// hintRead gives the contents of a resource the hint of its provider. Contents that the user was asked for are not to
// be cached.
func (s *Server) hintRead(ctx context.Context, cr *calls.Request, r *items.Resource, uri string,
	result *mcp.ReadResourceResult) {
	if cr.Version < wire.VersionStateless || cr.State != "" || cr.Responses != nil {
		return
	}
	asking := calls.Asking(cr.Session, cr.Version)
	if hint, ok := s.policy(ctx, asking, r.Program, r.Provider, "resources_read", term.Atom(uri)); ok {
		result.Cacheable = hint
	}
}

// requestOf describes a request whose result may carry hints. It returns nil for others.
func requestOf(req mcp.Request) *calls.Request {
	session, ok := req.GetSession().(*mcp.ServerSession)
	request, versioned := req.(interface{ ProtocolVersion() string })
	if !ok || !versioned || request.ProtocolVersion() < wire.VersionStateless {
		return nil
	}
	return calls.Asking(session, request.ProtocolVersion())
}

// policy asks cache_policy/4 of a provider. ok reports whether there was an answer.
func (s *Server) policy(ctx context.Context, cr *calls.Request, program *engine.Program, p *kb.Provider,
	operation string, request engine.Term) (hint mcp.Cacheable, ok bool) {
	if !p.Defines("cache_policy", 4) {
		return hint, false
	}
	c := s.runner.NewCall(s.maker.PolicyJob(program, p, operation, request, &hint))
	_, err := c.Advance(ctx, cr)
	switch err {
	case nil:
		return hint, true
	case calls.ErrFailed:
		return hint, false
	}
	s.opts.Log.Error("cache_policy/4 went wrong", "operation", operation, "reason", c.Explain(err))
	return mcp.Cacheable{CacheScope: items.ScopePrivate}, true
}
