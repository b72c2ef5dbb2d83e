package bridge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines what a client is told that asks for an item which does not exist.

// suggestNames is a middleware that adds the nearest name to the error for an unknown item.
func (s *Server) suggestNames(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		var coded *jsonrpc.Error
		if err == nil || !errors.As(err, &coded) {
			return result, err
		}
		near := s.current.Load().nearest(req)
		if near == "" {
			return result, err
		}
		better := *coded
		better.Message += fmt.Sprintf("; did you mean %q?", near)
		return nil, &better
	}
}

// nearest returns the name of an item that is close to the one that a request asks for. It returns "" if
// none is close enough to be meant.
func (o *offer) nearest(req mcp.Request) string {
	name, known := "", []string(nil)
	switch p := req.GetParams().(type) {
	case *mcp.CallToolParamsRaw:
		name, known = p.Name, slices.Collect(maps.Keys(o.tools))
	case *mcp.GetPromptParams:
		name, known = p.Name, slices.Collect(maps.Keys(o.prompts))
	case *mcp.ReadResourceParams:
		name = p.URI
		for uri, r := range o.resources {
			if r.template == nil {
				known = append(known, uri)
			} else if r.template.Match(name) != nil {
				return "" // the template knows it, its goal does not
			}
		}
	case *mcp.CompleteParams:
		if p.Ref == nil {
			return ""
		}
		if name, known = p.Ref.URI, slices.Collect(maps.Keys(o.resources)); p.Ref.Type == "ref/prompt" {
			name, known = p.Ref.Name, slices.Collect(maps.Keys(o.prompts))
		}
	}
	slices.Sort(known)
	if near := spell.Nearest(name, known); near != name {
		return near
	}
	return ""
}
