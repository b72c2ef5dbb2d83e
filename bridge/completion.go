package bridge

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/wire"
)

// This file defines completions: the values that a knowledge base proposes for the arguments of
// prompts and the variables of resource templates.

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
