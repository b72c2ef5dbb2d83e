package bridge

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
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
		near := s.current.Load().Nearest(req)
		if near == "" {
			return result, err
		}
		better := *coded
		better.Message += fmt.Sprintf("; did you mean %q?", near)
		return nil, &better
	}
}
