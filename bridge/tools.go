package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/tasks"
	"github.com/mcplogic/mcplogic/bridge/internal/waiting"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
)

// This file handles calls of tools, including the tool why, by which a model asks for the reasons of results.

// Tool is a tool that is written in Go; see [Options.Tools].
type Tool struct {
	name string
	add  func(*mcp.Server)
}

// NewTool returns a tool whose calls a function answers. It makes the schemas of the types of the arguments and the
// result, as [mcp.AddTool] does.
func NewTool[In, Out any](t *mcp.Tool, f mcp.ToolHandlerFor[In, Out]) Tool {
	return Tool{t.Name, func(s *mcp.Server) { mcp.AddTool(s, t, f) }}
}

func (s *Server) addTool(name string) {
	switch o := s.current.Load(); name {
	case o.AnswerTool:
		s.mcp.AddTool(calls.DescribeAnswer(name), s.handleAnswer)
	case o.WhyTool:
		s.mcp.AddTool(why.Describe(name), s.handleWhy)
	case o.WhatIfTool:
		s.mcp.AddTool(items.DescribeWhatIf(name), s.handleWhatIf)
	default:
		s.mcp.AddTool(stub(o.Tools[name].Listed), s.handleTool)
	}
}

// stub is the reduced form of a tool that the SDK gets. The SDK would decode the schemas of each added tool several
// times, which takes most of the start time of a server with many tools. It uses the schemas only for the headers that
// repeat arguments. fitList replaces the stub in lists by the tool itself.
func stub(t *mcp.Tool) *mcp.Tool {
	if raw, ok := t.InputSchema.(json.RawMessage); ok && !bytes.Contains(raw, []byte("x-mcp-header")) {
		return &mcp.Tool{Name: t.Name, InputSchema: schema.AnyObject}
	}
	return t
}

// unstub replaces stubs by the tools of an offer. A tool that the offer lacks is being removed.
func unstub(list []*mcp.Tool, o *items.Offer) []*mcp.Tool {
	kept := make([]*mcp.Tool, 0, len(list)) // not nil, which is null in JSON
	for _, listed := range list {
		switch t := o.Tools[listed.Name]; {
		case listed.InputSchema != schema.AnyObject:
			kept = append(kept, listed)
		case t != nil:
			kept = append(kept, t.Listed)
		}
	}
	return kept
}

func (s *Server) handleTool(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	o := s.current.Load()
	t := o.Tools[req.Params.Name]
	if t == nil { // gone since the SDK looked it up
		return nil, refusal.InvalidParams("unknown tool %q", req.Params.Name)
	}
	if t.Task != nil && t.Task.Required && req.ProtocolVersion() >= wire.VersionStateless &&
		!tasks.Knows(req.ProtocolVersion(), calls.CapabilitiesOf(req)) {
		return nil, tasks.ErrUnknown()
	}
	cr := calls.NewRequest(req, req.Params.RequestState, req.Params.InputResponses)
	cursor, raw, err := t.CutCursor(req.Params.Arguments)
	if err != nil {
		return s.recordRefused(cr, t, req.Params.Arguments, misfit(t, err))
	}
	j, wrong := s.toolJob(ctx, t, raw)
	if wrong != nil {
		return s.recordRefused(cr, t, raw, wrong)
	}
	j.Page.Binding = j.Binding
	whose := sealed.PartsBinding(j.Binding, cr.User)
	if id, part, ok := s.seal.OpenPart(cursor, whose); ok {
		return s.parts.Later(id, whose, part), nil
	}
	if cursor != "" {
		if j.Page.Skip, j.Page.Digest, err = s.seal.OpenCursor(cursor, j.Binding); err != nil {
			return s.recordRefused(cr, t, raw, refusal.Result("bad_cursor", refusal.Capitalize(err.Error())+"."))
		}
		j.Binding = sealed.BindingOf(calls.CallTool, t.Name, req.Params.Arguments)
	}
	c, err := s.runner.Resume(j, cr)
	if err != nil {
		return nil, err
	}
	return s.goOn(ctx, cr, c)
}

// goOn continues a call of a tool, which may become a task. Errors of the goal are results, for the model.
func (s *Server) goOn(ctx context.Context, cr *calls.Request, c *calls.Call) (*mcp.CallToolResult, error) {
	if slot := tasks.SlotOf(ctx); slot != nil && c.Job.Task != nil {
		return s.answered(cr, c, s.tasks.Detach(ctx, cr, c, slot))
	}
	r, err := s.runTool(ctx, cr, c)
	return s.answered(cr, c, tasks.Outcome{Result: r, Err: err})
}

// answered is the result for a client that waits for it.
func (s *Server) answered(cr *calls.Request, c *calls.Call, o tasks.Outcome) (*mcp.CallToolResult, error) {
	if o.Err == calls.ErrParked {
		return s.pause(cr, c), nil
	}
	return o.Result, o.Err
}

// runTool continues a call of a tool. The error is calls.ErrParked if the call has to wait for answers.
func (s *Server) runTool(ctx context.Context, cr *calls.Request, c *calls.Call) (*mcp.CallToolResult, error) {
	leave := s.runner.Running.Enter(c.Job.Name)
	defer leave()
	c.Keeps = s.current.Load().WhyTool != "" && c.Given.Stored == nil // which may be many
	defer c.Forget()
	result, err := c.Advance(ctx, cr)
	if err == nil {
		s.runner.NoteSequence(result)
	}
	if err != calls.ErrParked && c.Keeps {
		s.why.Keep(c)
	}
	if err == calls.ErrParked {
		return nil, err
	}
	d := s.newDecision(cr, c) // the outcome may forget answers, which the model is asked for
	r, err := s.outcome(cr, c, result, err)
	if r, err = s.record(d, c, r, err); err != nil {
		return nil, err
	}
	if raw, ok := r.StructuredContent.(json.RawMessage); ok && cr.Version < wire.VersionStateless && raw[0] != '{' {
		r.StructuredContent = nil // such a client knows objects only; the text says the same
	}
	return r, nil
}

// outcome is the result or the JSON-RPC error of a finished call.
func (s *Server) outcome(
	cr *calls.Request, c *calls.Call, result mcp.Result, err error,
) (r *mcp.CallToolResult, failure error) {
	if err == nil {
		r = result.(*mcp.CallToolResult)
	} else if failure = c.WireError(cr, err); failure == nil {
		r = c.Failure(err)
	}
	if r != nil {
		c.Job.NoteRules(r)
	}
	return r, failure
}

// pause is the result for the client while a call waits: questions to answer, a question that the model has to ask, or
// the message that the user has more to answer in another request.
func (s *Server) pause(cr *calls.Request, c *calls.Call) *mcp.CallToolResult {
	inputs := c.Inputs(cr)
	t := s.current.Load().Tools[c.Job.Name]
	promised := t != nil && t.Listed.OutputSchema != nil && dialogue.CanElicit(cr.Caps)
	switch {
	case len(inputs) == 0:
		r := c.Question(cr)
		r.IsError = promised // clients check any other result against the schema
		return r
	case c.Legs >= calls.MaxLegs && c.CanModel:
		return c.Continuation(promised)
	}
	return &mcp.CallToolResult{InputRequests: inputs, RequestState: c.Park()}
}

// This part handles calls of the tool answer, by which a model passes on its user's answers, and decides which clients
// see that tool.

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

// fitList is a middleware that completes the list of tools and removes tools that the client cannot use.
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
		asks := dialogue.CanElicit(calls.CapabilitiesOf(request))
		stateless := request.ProtocolVersion() >= wire.VersionStateless
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

func (s *Server) handleWhy(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args why.Arguments
	if wrong := refusal.ReadArguments(req, why.Schema(), &args); wrong != nil {
		return wrong, nil
	}
	if len(args.Arguments) == 0 {
		args.Arguments = json.RawMessage("{}")
	}
	o := s.current.Load()
	t := o.Tools[args.Tool]
	if t == nil && (args.Tool == o.WhyTool || args.Tool == o.AnswerTool) {
		return refusal.Result("not_explained",
			fmt.Sprintf("%s is the server's own; why explains tools of the knowledge base.", args.Tool)), nil
	}
	if t == nil {
		return refusal.Result("no_such_tool", s.noSuchTool(args.Tool)), nil
	}
	if t.Explain == kb.ExplainNever {
		return refusal.Result("not_explained", fmt.Sprintf("The tool %s gives no reasons.", t.Name)), nil
	}
	j, wrong := s.toolJob(ctx, t, args.Arguments)
	if wrong != nil {
		return wrong, nil
	}
	rather, err := t.ReadOutputs(args.RatherThan)
	if err != nil {
		return refusal.Result("bad_arguments", fmt.Sprintf("rather_than: %s", err)), nil
	}
	cr := calls.NewRequest(req, "", nil)
	if err := cr.Enter(ctx, s.runner); err != nil {
		return nil, err
	}
	defer cr.Exit(s.runner)
	j = j.OfUser(cr.User)
	result, err := s.why.Explain(ctx, cr, j, &args, rather, t.ShowAnswer)
	if err == nil {
		j.NoteRules(result)
	}
	return result, err
}

// noSuchTool is the error for an unknown tool. It names a similar tool that may have been meant.
func (s *Server) noSuchTool(name string) string {
	names := slices.Sorted(maps.Keys(s.current.Load().Tools))
	text := fmt.Sprintf("There is no tool %q", name)
	if near := spell.Nearest(name, names); near != "" {
		return text + "; did you mean " + near + "?"
	}
	return text + ". The tools are " + strings.Join(names, ", ") + "."
}

// origins says who asserted facts, and when, if they are in the store.
func (s *Server) origins(facts []host.Fact) []string {
	texts := make([]string, len(facts))
	f := s.followed.Load()
	if f == nil {
		return texts
	}
	for i, origin := range f.base.Origins(facts, originTime) {
		if origin != nil {
			texts[i] = origin.String()
		}
	}
	return texts
}

// originTime bounds the search for the origins of asserted facts.
const originTime = 200 * time.Millisecond
