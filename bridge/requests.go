package bridge

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
)

// This file handles requests for prompts, resources and completions. It also defines the hints about caching that
// clients of 2026-07-28 get.

func (s *Server) addResource(uri string) {
	r := s.current.Load().Resources[uri]
	for _, k := range s.current.Load().Skills {
		if k.URI == uri {
			s.mcp.AddResource(k.Listed(), s.readSkill)
			return
		}
	}
	if r == nil {
		s.mcp.AddResource(why.DescribePage(), why.ReadPage)
		return
	}
	handle := func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return s.handleResource(ctx, req, uri)
	}
	if r.Template != nil {
		s.mcp.AddResourceTemplate(r.ListedTemplate(), handle)
	} else {
		s.mcp.AddResource(r.ListedResource(), handle)
	}
}

// handleResource handles a request for the contents of a resource; declared is its URI or its template.
func (s *Server) handleResource(ctx context.Context, req *mcp.ReadResourceRequest,
	declared string) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	cr := calls.NewRequest(req, req.Params.RequestState, req.Params.InputResponses)
	r := s.current.Load().Resources[declared]
	if r == nil { // gone since the SDK looked it up
		return nil, refusal.NotFound(cr.Version, uri)
	}
	result, pause, err := s.runner.Serve(ctx, cr, s.maker.ResourceJob(r, uri))
	switch {
	case pause != nil:
		return &mcp.ReadResourceResult{InputRequests: pause.Inputs, RequestState: pause.State}, nil
	case err == calls.ErrFailed:
		return nil, refusal.NotFound(cr.Version, uri)
	case err != nil:
		return nil, err
	}
	read := result.(*mcp.ReadResourceResult)
	s.hintRead(ctx, cr, r, uri, read)
	return read, nil
}

// encodeURIs is a middleware that encodes the characters of a URI that may not stand in one, such as ö and blanks, as
// people and models write them, and has scheme and host as they are declared. A resource that is declared with a URI
// like that keeps it.
func (s *Server) encodeURIs(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch r := req.(type) {
		case *mcp.ReadResourceRequest:
			r.Params.URI = s.encodedURI(r.Params.URI)
		case *mcp.SubscribeRequest:
			r.Params.URI = s.encodedURI(r.Params.URI)
		case *mcp.UnsubscribeRequest:
			r.Params.URI = s.encodedURI(r.Params.URI)
		}
		return next(ctx, method, req)
	}
}

// encodedURI returns a URI in ASCII, or that of a resource as it is declared.
func (s *Server) encodedURI(uri string) string {
	if s.current.Load().Resources[uri] != nil {
		return uri
	}
	var b strings.Builder
	for i := range len(uri) {
		if c := uri[i]; c <= ' ' || c >= utf8.RuneSelf {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return s.current.Load().Declared(b.String())
}

func (s *Server) addPrompt(name string) {
	s.mcp.AddPrompt(s.current.Load().Prompts[name].Listed, s.handlePrompt)
}

func (s *Server) handlePrompt(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	p := s.current.Load().Prompts[req.Params.Name]
	if p == nil { // gone since the SDK looked it up
		return nil, refusal.InvalidParams("unknown prompt %q", req.Params.Name)
	}
	if err := p.Check(req.Params.Arguments); err != nil {
		return nil, err
	}
	cr := calls.NewRequest(req, req.Params.RequestState, req.Params.InputResponses)
	result, pause, err := s.runner.Serve(ctx, cr, s.maker.PromptJob(p, req.Params.Arguments))
	switch {
	case pause != nil:
		return &mcp.GetPromptResult{InputRequests: pause.Inputs, RequestState: pause.State}, nil
	case err == calls.ErrFailed:
		return nil, wire.InternalError("prompt %s failed: there is no solution.", p.Name)
	case err != nil:
		return nil, err
	}
	return result.(*mcp.GetPromptResult), nil
}

func (s *Server) handleComplete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	o := s.current.Load()
	if !o.Completes() {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound,
			Message: "the knowledge base does not define completion/4"}
	}
	target, err := o.Completed(req.Params.Ref)
	if err != nil {
		return nil, err
	}
	if err := target.Check(req.Params.Argument.Name); err != nil {
		return nil, err
	}
	if !target.Provider.Defines("completion", 4) {
		return items.NoCompletions(), nil
	}
	cr := calls.NewRequest(req, "", nil)
	cr.Caps = nil // questions cannot be asked while the user is typing
	c := s.runner.NewCall(s.maker.CompletionJob(target, req.Params))
	result, err := c.Advance(ctx, cr)
	if err != nil {
		if wrong := c.PanicError(err); wrong != nil {
			return nil, wrong
		}
		return nil, wire.InternalError("completion of %s: %s", target.Label, c.Explain(err))
	}
	return result.(*mcp.CompleteResult), nil
}

// hintCaching is a middleware that gives lists the hints of cache_policy/4. If the goal of a policy is an error, the
// error is logged and the hint says not to cache.
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

// hintList joins the hints of all providers about a list: the shortest time, and private if one of them says so.
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

// hintRead gives the contents of a resource the hint of its provider. Contents that depend on an answer of the user
// must not be cached.
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
