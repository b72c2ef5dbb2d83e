package bridge

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/jsontext"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/kb/decisions"
)

// This file records calls of tools, and runs recorded calls again.

// Decision is the record of a call.
type Decision = decisions.Record

// recordRefused records a call whose arguments do not fit.
func (s *Server) recordRefused(
	cr *calls.Request, t *items.Tool, raw json.RawMessage, r *mcp.CallToolResult,
) (*mcp.CallToolResult, error) {
	if s.opts.Decisions == nil {
		return r, nil
	}
	now := time.Now()
	c := &calls.Call{Began: now, Job: &calls.Job{Name: t.Name, User: cr.User, Arguments: raw, Secret: t.Secret,
		Program: s.current.Load().Snapshot.Program, Assumes: t.Assume != nil}}
	c.ID, c.Given.Now, c.Sequence = rand.Text(), now, s.runner.Sequence()
	return s.record(s.newDecision(cr, c), c, r, nil)
}

// recordChanges makes a call record itself before it commits changes, and then record whether it has committed. If the
// call is not a call of a tool, only its changes are recorded, because later calls depend on them.
func (s *Server) recordChanges(cr *calls.Request, c *calls.Call) {
	var d *Decision
	c.Before = func(result mcp.Result) (err error) {
		d = s.newDecision(cr, c)
		if c.Job.Kind == calls.CallTool {
			fill(d, result, nil)
		} else {
			d = &Decision{ID: d.ID, Time: d.Time, Load: d.Load, State: d.State}
		}
		if d.Changes, err = decisions.ChangesOf(c.Job.Program, c.Run); err != nil {
			d.Omitted = []string{"changes"}
		}
		inner.Of(c.Job.Program).Order(c.Run)
		d.Pending = true
		d.End()
		return s.opts.Decisions.Record(d)
	}
	c.After = func() { s.opts.Decisions.Confirm(d, c.Committed, s.runner.Sequence()) }
	c.Undone = func() {
		if d != nil {
			s.opts.Decisions.TakeBack(d)
		}
		d = nil // the call may run again, and change nothing
	}
}

// record records a finished call, unless the call was recorded before its commit. It returns the result for the client.
// If the call has to be recorded and could not be, the result says so.
func (s *Server) record(
	d *Decision, c *calls.Call, r *mcp.CallToolResult, failure error,
) (*mcp.CallToolResult, error) {
	if s.opts.Decisions == nil {
		return r, failure
	}
	if failure == nil {
		calls.NoteDecision(r, d.ID)
	}
	if c.Committed > 0 { // After has confirmed it
		return r, failure
	}
	fill(d, r, failure)
	d.End()
	if err := s.opts.Decisions.Record(d); err != nil {
		return c.Failure(err), nil
	}
	return r, failure
}

// newDecision describes a call without its answer.
func (s *Server) newDecision(cr *calls.Request, c *calls.Call) *Decision {
	p := inner.Of(c.Job.Program)
	d := &Decision{ID: c.ID, Time: c.Began, User: cr.User, Tool: c.Job.Name, Secret: c.Job.Secret, Rules: p.Digest(),
		Load: p.Serial(), State: c.State, Sequence: c.Sequence, Limits: s.limits, Now: c.Given.Now, Zone: decisions.Zone(),
		Seed: c.Given.Seed, Skip: c.Job.Page.Skip, Arguments: c.Job.Arguments,
		Client: &decisions.Client{Protocol: cr.Version}, Statements: c.Statements.Load()}
	if c.Round > 0 { // an earlier undecided attempt has its own record
		d.ID = fmt.Sprintf("%s-%d", c.ID, c.Round)
	}
	if c.Job.Assumes {
		cutFacts(d)
	}
	info, meta := cr.Client()
	if info != nil {
		d.Client.Name, d.Client.Version = info.Name, info.Version
	}
	d.Client.Capabilities = cr.Able()
	known := func(name string, _ any) bool {
		return strings.HasPrefix(name, "io.modelcontextprotocol/") || name == "progressToken"
	}
	for name := range meta {
		if !known(name, nil) {
			meta = maps.Clone(meta)
			maps.DeleteFunc(meta, known)
			d.Client.Meta, _ = json.Marshal(meta) // came as JSON
			break
		}
	}
	if given := c.Job.Outside; given != nil {
		var err error
		if d.Given, err = decisions.GivenOf(given); err != nil {
			d.Given, d.Omitted = &decisions.Given{}, []string{"assume"}
		}
	}
	for _, r := range c.Past {
		d.Answers = append(d.Answers, decisions.Answer(r))
	}
	return d
}

// cutFacts moves the facts that came with a call out of its arguments.
func cutFacts(d *Decision) {
	var members map[string]json.RawMessage
	if json.Unmarshal(d.Arguments, &members) != nil || members["assume"] == nil && members["without"] == nil {
		return
	}
	d.Assume, d.Without = members["assume"], members["without"]
	delete(members, "assume")
	delete(members, "without")
	d.Arguments, _ = json.Marshal(members) // of JSON
}

// fill notes the answer of a call.
func fill(d *Decision, result mcp.Result, failure error) {
	var wire *jsonrpc.Error
	switch r, _ := result.(*mcp.CallToolResult); {
	case errors.As(failure, &wire):
		d.Outcome, d.Error = "error", &decisions.Error{Code: wire.Code, Message: wire.Message, Data: wire.Data}
	case failure != nil:
		d.Outcome, d.Error = "error", &decisions.Error{Message: failure.Error()}
	default:
		d.Outcome = "ok"
		if r.IsError {
			code, _ := r.Meta[MetaCode].(string)
			d.Outcome = cmp.Or(code, "failed")
		}
		d.Result = resultJSON(r)
	}
}

// resultJSON is the JSON of a result without _meta, as encoding/json would write it. Nearly all results consist of
// texts and structured content, and for these it takes a tenth of the time.
func resultJSON(r *mcp.CallToolResult) json.RawMessage {
	structured, isJSON := r.StructuredContent.(json.RawMessage)
	simple := r.InputRequests == nil && len(r.Content) > 0 && (r.StructuredContent == nil || len(structured) > 0) &&
		!bytes.ContainsAny(structured, "<>&\u2028\u2029\r\n")
	out := make([]byte, 0, 256+len(structured))
	for i, item := range r.Content {
		text, ok := item.(*mcp.TextContent)
		if simple = simple && ok && text.Meta == nil && text.Annotations == nil; !simple {
			break
		}
		out = append(out, [...]string{`{"content":[{"type":"text","text":`, `},{"type":"text","text":`}[min(i, 1)]...)
		out = jsontext.AppendString(out, text.Text, true)
	}
	if !simple {
		plain := *r
		plain.Meta = nil
		raw, _ := json.Marshal(&plain) // goes to the client as JSON
		return raw
	}
	if out = append(out, "}]"...); isJSON {
		out = append(append(out, `,"structuredContent":`...), structured...)
	}
	if r.IsError {
		out = append(out, `,"isError":true`...)
	}
	return append(out, '}')
}

// Replay runs the call of a record again, and returns a record with the present answer and the changes of facts that
// the call would make. If than is not nil, the text explains the difference to its answer. Nothing is committed, and
// the client is not asked: if the call asks a question that the record does not answer, its outcome is "asks". The
// record is nil if the tool does not exist.
func (s *Server) Replay(ctx context.Context, d, than *Decision) (now *Decision, text string) {
	if d == nil {
		d = &Decision{}
	}
	own := *d
	own.Result, own.Error, own.Changes, own.Omitted, own.Statements = nil, nil, nil, nil, 0
	o := s.current.Load()
	own.Rules = inner.Of(o.Snapshot.Program).Digest()
	refuse := func(code, words string) (*Decision, string) {
		fill(&own, refusal.Result(code, words), nil)
		return &own, ""
	}
	t := o.Tools[d.Tool]
	if t == nil {
		return refuse("no_such_tool", s.noSuchTool(d.Tool))
	}
	giving := ctx
	if d.Given != nil {
		given, err := d.Given.Facts()
		if err != nil {
			return refuse("bad_arguments", "The facts that came with the call cannot be read: "+err.Error())
		}
		giving = items.WithGiven(ctx, given)
	}
	_, raw, err := t.CutCursor(joinFacts(d)) // there is one only if it was refused
	if err != nil {
		fill(&own, misfit(t, err), nil)
		return &own, ""
	}
	j, wrong := s.toolJob(giving, t, raw)
	if wrong != nil {
		fill(&own, wrong, nil)
		return &own, ""
	}
	j.Page.Skip = max(d.Skip, 0)
	cr := recordedRequest(d)
	c := s.runner.NewCall(j.OfUser(d.User))
	trial := c.Job.Trial
	dry := *c.Job
	dry.Trial, c.Job = true, &dry
	if than == nil {
		dry.Advice = nil // it takes time, and answers are compared without it
	}
	c.Given.Now, c.Given.Seed = d.Now, d.Seed
	c.Given.Zone, _ = d.Place()
	for _, a := range d.Answers {
		c.Past = append(c.Past, dialogue.Reply(a))
	}
	if !trial {
		c.Before = func(mcp.Result) (err error) {
			if err = inner.Of(dry.Program).CheckCommit(c.Run); err == nil {
				own.Changes, err = decisions.ChangesOf(dry.Program, c.Run)
			}
			return err
		}
	}
	if s.dryRun(ctx, cr, c, &own); own.Outcome == "ok" && !trial {
		asHost{s}.Publish(ctx, &c.Changes)
	}
	own.Statements = c.Statements.Load()
	if than != nil && own.Outcome != "asks" {
		text = s.explainDry(ctx, cr, c, t, &own, than)
	}
	return &own, text
}

// Differences replays the last recorded calls on two snapshots, which get the persistent facts. It returns the answers
// that would differ, and the number of calls.
func (h asHost) Differences(ctx context.Context, was, would *kb.Snapshot) (list []string, calls int) {
	if h.s.opts.Decisions == nil {
		return nil, 0
	}
	var sides [2]*Server
	for i, snapshot := range []*kb.Snapshot{was, would} {
		facts, end := h.Snapshot().Program.PersistentFacts()
		snapshot.Program.Restore(facts)
		end()
		sides[i] = NewServer(snapshot, h.s.opts.alike())
		defer sides[i].Close()
	}
	for _, d := range h.s.opts.Decisions.Last() {
		before, _ := sides[0].Replay(ctx, d, nil)
		after, _ := sides[1].Replay(ctx, d, nil)
		if calls++; !decisions.Same(before, after) {
			list = append(list, fmt.Sprintf("the call %s %s answers %q and would answer %q", d.Tool, d.Arguments, before.Text(),
				after.Text()))
		}
	}
	return list, calls
}

// dryRun runs a call without committing changes or asking the client, and notes its answer.
func (s *Server) dryRun(ctx context.Context, cr *calls.Request, c *calls.Call, d *Decision) {
	defer c.Close()
	result, err := c.Advance(ctx, cr)
	if err == calls.ErrParked {
		fill(d, refusal.Result("asks", "It asks what nobody has answered: "+c.Unanswered()[0].Message), nil)
		return
	}
	r, err := s.outcome(cr, c, result, err)
	fill(d, r, err)
}

// explainDry explains the answer of a dry run. It shows a solution that the other answer lacks, and why the call lacks
// a solution of the other answer. It is "" for a tool without explanations.
func (s *Server) explainDry(
	ctx context.Context, cr *calls.Request, c *calls.Call, t *items.Tool, answer, than *Decision,
) string {
	if t.Explain == kb.ExplainNever {
		return ""
	}
	_, number := answer.Missing(than)
	lacks, _ := than.Missing(answer)
	rather, _ := t.ReadOutputs(lacks) // a tool may make its results itself
	if len(rather) == 0 {
		rather = nil
	}
	r, err := s.why.ExplainCall(ctx, cr, c, &why.Arguments{Answer: number}, rather, t.ShowAnswer)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	PrintContent(&b, r.Content)
	return b.String()
}

// joinFacts returns the original arguments of a recorded call. A day in as_of is a day in the time zone of the call. A
// moment that was in the future is replaced by the last change that the call saw, because the store may have changed
// since.
func joinFacts(d *Decision) json.RawMessage {
	raw := d.Arguments
	asOf := d.Sequence != "" && bytes.Contains(raw, []byte("as_of"))
	if len(d.Assume)+len(d.Without) == 0 && !asOf {
		return raw
	}
	members := map[string]json.RawMessage{}
	_ = json.Unmarshal(raw, &members) // faults are reported elsewhere
	moment := members["as_of"]
	if asOf && moment != nil {
		zone, _ := d.Place()
		sequence, at, err := items.ParseMoment(moment, cmp.Or(zone, time.Local))
		switch {
		case err != nil || sequence != "":
		case at.After(d.Time):
			moment, _ = json.Marshal(d.Sequence) // a string
		default:
			moment, _ = at.MarshalJSON() // of a year that it was read from
		}
	}
	for name, value := range map[string]json.RawMessage{"assume": d.Assume, "without": d.Without, "as_of": moment} {
		if value != nil {
			members[name] = value
		}
	}
	raw, _ = json.Marshal(members) // of JSON
	return raw
}

// recordedRequest is the request of a recorded call.
func recordedRequest(d *Decision) *calls.Request {
	from := cmp.Or(d.Client, &decisions.Client{})
	var caps *mcp.ClientCapabilities
	var meta mcp.Meta
	if len(from.Capabilities) > 0 {
		caps = &mcp.ClientCapabilities{}
		_ = json.Unmarshal(from.Capabilities, caps) // unknown capabilities are left out
	}
	_ = json.Unmarshal(from.Meta, &meta)
	info := &mcp.Implementation{Name: from.Name, Version: from.Version}
	return calls.Recorded(from.Protocol, d.User, info, caps, meta)
}

// toolJob reads the arguments of a call of a tool and returns its job. If the arguments do not fit, it returns a result
// that says so.
func (s *Server) toolJob(ctx context.Context, t *items.Tool, raw json.RawMessage) (*calls.Job, *mcp.CallToolResult) {
	given, plain, err := t.CutGiven(ctx, raw)
	if err == nil && given.AsOf != nil {
		given.Stored, err = s.asOf(ctx, given.AsOf)
	}
	var args *items.Arguments
	if err == nil {
		args, err = t.ReadArguments(plain)
	}
	if err != nil {
		return nil, misfit(t, err)
	}
	j := s.maker.ToolJob(t, args, raw)
	given.GiveTo(j)
	return j, nil
}

// asOf returns the facts of the store at a moment.
func (s *Server) asOf(ctx context.Context, moment json.RawMessage) ([]host.Fact, error) {
	sequence, at, err := items.ParseMoment(moment, time.Local)
	var list []host.Fact
	if err == nil && s.opts.Store == nil {
		err = errors.New("the server has no store")
	} else if err == nil {
		s.past.Lock() // only one store is read at a time
		defer s.past.Unlock()
		list, err = s.opts.Store.AsOf(ctx, sequence, at)
	}
	if err != nil {
		return nil, fmt.Errorf("as_of: %w", err)
	}
	return list, nil
}

// misfit is the result of a call whose arguments do not fit.
func misfit(t *items.Tool, err error) *mcp.CallToolResult {
	return refusal.Result("bad_arguments", fmt.Sprintf("The arguments do not fit the tool %s:\n%s", t.Name, err))
}
