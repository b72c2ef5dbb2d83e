package bridge

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
)

// This file defines resources and resource templates.

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

// handleResource handles a request for the contents of a resource; declared is its URI or its
// template.
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
// people and models write them. A resource that is declared with such a URI keeps it.
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
	return b.String()
}
