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
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines who handles requests for prompts, resources and completions.

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

// handlePrompt handles a request for a prompt.
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

// handleComplete handles a request for completions.
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
	cr.Caps = nil // nobody answers questions while typing
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
