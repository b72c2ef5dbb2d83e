package bridge

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/wire"
)

// This file defines prompts.

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
