package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/tasks"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines who handles calls of tools.

func (s *Server) addTool(name string) {
	o := s.current.Load()
	if name == o.AnswerTool {
		s.mcp.AddTool(calls.DescribeAnswer(name), s.handleAnswer)
		return
	}
	if name == o.WhyTool {
		s.mcp.AddTool(why.Describe(name), s.handleWhy)
		return
	}
	s.mcp.AddTool(stub(o.Tools[name].Listed), s.handleTool)
}

// stub is what the SDK is given of a tool. It decodes the schemas of each tool several times when it is added, which
// takes most of the start of a server with many tools. It uses them for one thing: the headers that arguments are
// repeated in. fitList puts the tool itself in the place of its stub.
func stub(t *mcp.Tool) *mcp.Tool {
	if raw, ok := t.InputSchema.(json.RawMessage); ok && !bytes.Contains(raw, []byte("x-mcp-header")) {
		return &mcp.Tool{Name: t.Name, InputSchema: schema.AnyObject}
	}
	return t
}

// unstub puts the tools of an offer in the place of their stubs. One that the offer lacks is being removed.
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

// handleTool handles a call of a tool.
func (s *Server) handleTool(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	o := s.current.Load()
	t := o.Tools[req.Params.Name]
	if t == nil { // gone since the SDK looked it up
		return nil, refusal.InvalidParams("unknown tool %q", req.Params.Name)
	}
	if t.Task != nil && t.Task.Required && req.ProtocolVersion() >= wire.VersionStateless &&
		!tasks.Knows(req.ProtocolVersion(), req.ClientCapabilities()) {
		return nil, tasks.ErrUnknown()
	}
	cursor, raw, err := t.CutCursor(req.Params.Arguments)
	var args *items.Arguments
	if err == nil {
		args, err = t.ReadArguments(raw)
	}
	if err != nil {
		return refusal.Result("bad_arguments", fmt.Sprintf("The arguments do not fit the tool %s:\n%s", t.Name, err)), nil
	}
	cr := calls.NewRequest(req, req.Params.RequestState, req.Params.InputResponses)
	j := s.maker.ToolJob(t, args, raw)
	j.Page.Binding = j.Binding
	whose := sealed.PartsBinding(j.Binding, cr.User)
	if id, part, ok := s.seal.OpenPart(cursor, whose); ok {
		return s.parts.Later(id, whose, part), nil
	}
	if cursor != "" {
		if j.Page.Skip, j.Page.Digest, err = s.seal.OpenCursor(cursor, j.Binding); err != nil {
			return refusal.Result("bad_cursor", refusal.Capitalize(err.Error())+"."), nil
		}
		j.Binding = sealed.BindingOf(calls.CallTool, t.Name, req.Params.Arguments)
	}
	return s.callTool(ctx, cr, j)
}

// callTool runs a job of a tool. Whatever goes wrong with the goal is a result, for the model.
func (s *Server) callTool(ctx context.Context, cr *calls.Request, j *calls.Job) (*mcp.CallToolResult, error) {
	c, err := s.runner.Resume(j, cr)
	if err != nil {
		return nil, err
	}
	return s.goOn(ctx, cr, c)
}

// goOn runs a call of a tool on. It may become a task.
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

// runTool runs a call of a tool on. The error is calls.ErrParked when it has to wait for answers.
func (s *Server) runTool(ctx context.Context, cr *calls.Request, c *calls.Call) (*mcp.CallToolResult, error) {
	leave := s.runner.Running.Enter(c.Job.Name)
	defer leave()
	c.Keeps = s.current.Load().WhyTool != ""
	defer c.Forget()
	result, err := c.Advance(ctx, cr)
	if err == nil {
		s.runner.NoteSequence(result)
	}
	if err != calls.ErrParked && c.Keeps {
		s.why.Keep(c.Job, slices.Clone(c.Past), c.Moment)
		c.Moment = nil
	}
	switch {
	case err == calls.ErrParked:
		return nil, err
	case err != nil:
		if wire := c.WireError(cr, err); wire != nil {
			return nil, wire
		}
		return c.Failure(err), nil
	}
	r := result.(*mcp.CallToolResult)
	if raw, ok := r.StructuredContent.(json.RawMessage); ok && cr.Version < wire.VersionStateless && raw[0] != '{' {
		r.StructuredContent = nil // such a client knows objects only; the text says the same
	}
	return r, nil
}

// pause is what the client gets while a call waits: questions to answer, one that the model has to ask, or word
// that the user has more to answer in another request.
func (s *Server) pause(cr *calls.Request, c *calls.Call) *mcp.CallToolResult {
	inputs := c.Inputs(cr)
	t := s.current.Load().Tools[c.Job.Name]
	promised := t != nil && t.Listed.OutputSchema != nil && dialogue.CanElicit(cr.Caps)
	switch {
	case len(inputs) == 0:
		r := c.Question(cr)
		r.IsError = promised // clients hold any other result against the schema
		return r
	case c.Legs >= calls.MaxLegs && c.CanModel:
		return c.Continuation(promised)
	}
	return &mcp.CallToolResult{InputRequests: inputs, RequestState: c.Park()}
}
