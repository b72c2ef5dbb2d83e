package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/wire"
)

// This file defines asking through the model, for clients that cannot ask their user: a call
// returns its question as a result, and the tool answer goes on with it. It goes on too with calls that have more
// questions than a client answers in one request.

// chooseAnswerTool returns the name of the tool answer, "" when no provider asks. If the knowledge base has a tool of
// that name, ours gets a number.
func (o *offer) chooseAnswerTool() string {
	if !slices.ContainsFunc(o.snapshot.Providers, o.elicits) {
		return ""
	}
	return o.freeToolName("answer")
}

// answerArguments are the arguments of the tool answer.
type answerArguments struct {
	Token  string          `json:"token"`
	Answer json.RawMessage `json:"answer"`
	Action string          `json:"action"`
}

// answerSchemaJSON is the schema of answerArguments, with a place for the type of the answer.
const answerSchemaJSON = `{
	"type": "object",
	"properties": {
		"token": {"type": "string", "description": "The token that came with the question."},
		"answer": {%s"description": "The user's answer, an object that fits the schema of the question."},
		"action": {"type": "string", "enum": ["accept", "decline", "cancel"], "default": "accept",
			"description": "decline when the user does not want to answer this question, cancel when they want to stop."}
	},
	"required": ["token"],
	"additionalProperties": false
}`

// answerSchema checks the arguments. It is more lenient than the schema that models see: where an object with one
// property is wanted, the value of that property will do.
var answerSchema = refusal.Schema("answer", fmt.Sprintf(answerSchemaJSON, ""))

func describeAnswer(name string) *mcp.Tool {
	return &mcp.Tool{
		Name:  name,
		Title: "Answer a question",
		Description: "Passes on the user's answer to a question that another tool has returned, " +
			"and goes on with that tool. Ask the user; do not make answers up. " +
			"Where a tool has asked for a call with its token alone, the user is asked elsewhere.",
		InputSchema: json.RawMessage(fmt.Sprintf(answerSchemaJSON, `"type": "object", "additionalProperties": true, `)),
	}
}

// showAnswerTool lists the tool answer from now on also to clients that ask their user, as long as those may have to
// call it.
func (s *Server) showAnswerTool() {
	if s.answerShown.Swap(true) {
		return
	}
	s.syncing.Lock()
	defer s.syncing.Unlock()
	if name := s.current.Load().answerTool; name != "" {
		s.addTool(name) // so that the clients are told that the list has changed
	}
}

// handleAnswer handles a call of the tool answer.
func (s *Server) handleAnswer(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args answerArguments
	if wrong := refusal.ReadArguments(req, answerSchema(), &args); wrong != nil {
		return wrong, nil
	}
	id, roundText, _ := strings.Cut(args.Token, "-")
	round, err := strconv.Atoi(roundText)
	if err != nil {
		return refusal.Result("bad_token", "This is not a token of a question; it has to be copied exactly."), nil
	}
	c, how := s.runner.Waiting.Take(id)
	if how != calls.ClaimTaken {
		return refusal.Result("bad_token",
			"No question with this token is waiting for an answer. Call the tool that asked it again."), nil
	}
	cr := calls.NewRequest(req, req.Params.RequestState, req.Params.InputResponses)
	if c.Job.User != cr.User {
		s.runner.Waiting.Put(c)
		return refusal.Result("bad_token", "This is a token of somebody else's question."), nil
	}
	if cr.State != "" {
		if err := c.ComeBack(cr); err != nil {
			s.runner.Waiting.Put(c)
			return nil, err
		}
		return s.goOn(ctx, cr, c)
	}
	c.Legs = 0
	if round == c.Round && !(c.ModelKey == "" && args.empty()) {
		if err := c.TakeAnswer(args.Answer, args.Action); err != nil {
			s.runner.Waiting.Put(c)
			return refusal.Result("bad_answer", fmt.Sprintf("The answer does not fit the question:\n%s\n"+
				"The question is still open: call %s again with the same token.", err, req.Params.Name)), nil
		}
	}
	return s.goOn(ctx, cr, c)
}

// empty reports whether there is nothing but a token.
func (a *answerArguments) empty() bool { return len(a.Answer) == 0 && a.Action == "" }

// fitList is a middleware that takes out of the list of tools what the client cannot use.
func (s *Server) fitList(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		list, ok := result.(*mcp.ListToolsResult)
		request, isList := req.(*mcp.ListToolsRequest)
		if err != nil || !ok || !isList {
			return result, err
		}
		o := s.current.Load()
		asks := dialogue.CanElicit(request.ClientCapabilities())
		stateless := request.ProtocolVersion() >= wire.VersionStateless
		if asks && o.answerTool != "" && !(stateless && s.answerShown.Load()) {
			list.Tools = slices.DeleteFunc(list.Tools, func(t *mcp.Tool) bool { return t.Name == o.answerTool })
		}
		for i, listed := range list.Tools {
			if t := o.tools[listed.Name]; t != nil && listed.OutputSchema != nil && !o.promises(t, asks, stateless) {
				plain := *listed
				plain.OutputSchema = nil
				list.Tools[i] = &plain
			}
		}
		return list, nil
	}
}

// promises reports whether a client may rely on the output schema of a tool. To one that cannot
// ask its user, a tool that asks may return its question instead. Clients of versions with
// sessions drop the whole list for a schema of anything but objects.
func (o *offer) promises(t *tool, asks, stateless bool) bool {
	if !asks && o.elicits(t.Provider) {
		return false
	}
	return stateless || t.output == nil || t.output.IsObject()
}
