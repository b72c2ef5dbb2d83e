package bridge

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/waiting"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines who handles calls of the tool answer, by which a model passes on what its user has answered, and
// which clients see that tool.

// handleAnswer handles a call of the tool answer.
func (s *Server) handleAnswer(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args calls.AnswerArguments
	if wrong := refusal.ReadArguments(req, calls.AnswerSchema(), &args); wrong != nil {
		return wrong, nil
	}
	id, roundText, _ := strings.Cut(args.Token, "-")
	round, err := strconv.Atoi(roundText)
	if err != nil {
		return refusal.Result("bad_token", "This is not a token of a question; it has to be copied exactly."), nil
	}
	c, how := s.runner.Waiting.Take(id)
	if how != waiting.Taken {
		return refusal.Result("bad_token",
			"No question with this token is waiting for an answer. Call the tool that asked it again."), nil
	}
	cr := calls.NewRequest(req, req.Params.RequestState, req.Params.InputResponses)
	if c.Job.User != cr.User {
		s.runner.Waiting.Put(c.ID, c)
		return refusal.Result("bad_token", "This is a token of somebody else's question."), nil
	}
	if cr.State != "" {
		if err := c.ComeBack(cr); err != nil {
			s.runner.Waiting.Put(c.ID, c)
			return nil, err
		}
		return s.goOn(ctx, cr, c)
	}
	c.Legs = 0
	if round == c.Round && !(c.ModelKey == "" && args.Empty()) {
		if err := c.TakeAnswer(args.Answer, args.Action); err != nil {
			s.runner.Waiting.Put(c.ID, c)
			return refusal.Result("bad_answer", fmt.Sprintf("The answer does not fit the question:\n%s\n"+
				"The question is still open: call %s again with the same token.", err, req.Params.Name)), nil
		}
	}
	return s.goOn(ctx, cr, c)
}

// fitList is a middleware that completes the list of tools and takes out of it what the client cannot use.
func (s *Server) fitList(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		list, ok := result.(*mcp.ListToolsResult)
		request, isList := req.(*mcp.ListToolsRequest)
		if err != nil || !ok || !isList {
			return result, err
		}
		o := s.current.Load()
		list.Tools = unstub(list.Tools, o)
		asks := dialogue.CanElicit(request.ClientCapabilities())
		stateless := request.ProtocolVersion() >= wire.VersionStateless
		client := s.runner.Client(ctx, request.Session, request.ClientInfo())
		if asks && o.AnswerTool != "" && !client.Lists.Load() {
			list.Tools = slices.DeleteFunc(list.Tools, func(t *mcp.Tool) bool { return t.Name == o.AnswerTool })
		}
		for i, listed := range list.Tools {
			if t := o.Tools[listed.Name]; t != nil && listed.OutputSchema != nil && !o.Promises(t, asks, stateless) {
				plain := *listed
				plain.OutputSchema = nil
				list.Tools[i] = &plain
			}
		}
		return list, nil
	}
}
