package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the tool why: a model asks why a call of another tool has its answer, or why it has none.

// chooseWhyTool returns the name of the tool why, "" when nobody wants it. If the knowledge base has a tool of that
// name, ours gets a number.
func (s *Server) chooseWhyTool(o *offer) string {
	wants := func(p *kb.Provider) bool { return p.Declares("explain") }
	if !s.opts.Explain && !slices.ContainsFunc(o.snapshot.Providers, wants) || len(o.tools) == 0 {
		return ""
	}
	return o.freeToolName("why")
}

// whyArguments are the arguments of the tool why.
type whyArguments struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Answer    int             `json:"answer"`
	Node      string          `json:"node"`
	Depth     int             `json:"depth"`
}

const whySchemaJSON = `{
	"type": "object",
	"properties": {
		"tool": {"type": "string", "description": "The name of the tool whose result is to be explained."},
		"arguments": {"type": "object", "additionalProperties": true,
			"description": "The arguments of that call, unchanged. Default: none."},
		"answer": {"type": "integer", "minimum": 1, "default": 1,
			"description": "Which of the solutions is to be explained, from 1."},
		"node": {"type": "string",
			"description": "A node of an earlier explanation of the same answer that was cut: its own explanation."},
		"depth": {"type": "integer", "minimum": 1, "maximum": 50, "default": 5,
			"description": "How many levels of rules are shown."}
	},
	"required": ["tool"],
	"additionalProperties": false
}`

var whySchema = refusal.Schema("why", whySchemaJSON)

func describeWhy(name string) *mcp.Tool {
	return &mcp.Tool{
		Name:  name,
		Title: "Why, or why not",
		Description: "Explains a call of another tool: the rules and facts that its answer follows from, with their " +
			"places, or, when there was no answer, what was missing and what would have been enough. " +
			"Use it when the user asks for reasons, and before saying that something is impossible. Changes nothing.",
		InputSchema: json.RawMessage(whySchemaJSON),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true},
		Meta:        whyToolMeta(),
	}
}

// handleWhy handles a call of the tool why.
func (s *Server) handleWhy(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args whyArguments
	if wrong := refusal.ReadArguments(req, whySchema(), &args); wrong != nil {
		return wrong, nil
	}
	if len(args.Arguments) == 0 {
		args.Arguments = json.RawMessage("{}")
	}
	o := s.current.Load()
	t := o.tools[args.Tool]
	if t == nil && (args.Tool == o.whyTool || args.Tool == o.answerTool) {
		return refusal.Result("not_explained",
			fmt.Sprintf("%s is the server's own; why explains tools of the knowledge base.", args.Tool)), nil
	}
	if t == nil {
		return refusal.Result("no_such_tool", s.noSuchTool(args.Tool)), nil
	}
	if t.Explain == kb.ExplainNever {
		return refusal.Result("not_explained", fmt.Sprintf("The tool %s gives no reasons.", t.Name)), nil
	}
	values, err := t.readArguments(args.Arguments)
	if err != nil {
		return refusal.Result("bad_arguments", fmt.Sprintf("The arguments do not fit the tool %s:\n%s", t.Name, err)), nil
	}
	cr := calls.NewRequest(req, "", nil)
	if err := cr.Enter(ctx, s.runner); err != nil {
		return nil, err
	}
	defer cr.Exit(s.runner)
	return s.why(ctx, cr, t, s.toolJob(t, values, args.Arguments).OfUser(cr.User), &args)
}

// noSuchTool says that there is no tool of a name, and which one may have been meant.
func (s *Server) noSuchTool(name string) string {
	var names []string
	for known := range s.current.Load().tools {
		names = append(names, known)
	}
	slices.Sort(names)
	text := fmt.Sprintf("There is no tool %q", name)
	if near := spell.Nearest(name, names); near != "" {
		return text + "; did you mean " + near + "?"
	}
	return text + ". The tools are " + strings.Join(names, ", ") + "."
}

// whyRun is a search for an explanation of a call. It has the answers that the user has given in that call.
type whyRun struct {
	*calls.Call
	server *Server
	cr     *calls.Request
}

// newWhyRun makes the search for an explanation of a call. past are the answers that the user has given in it.
func (s *Server) newWhyRun(j *calls.Job, cr *calls.Request, past []dialogue.Reply) *whyRun {
	w := &whyRun{server: s, Call: s.runner.NewCall(j)}
	w.Past = slices.Clone(past)
	w.cr = cr.Quietly(w.Call)
	return w
}

// The limits of the search for the nearest miss of a call that has failed.
const (
	missTime       = 100 * time.Millisecond
	missInferences = 500_000
	missMemory     = 32 << 20
)

// nearestMiss says in a line of its own what was missing for a call without solutions, or nothing when that takes too
// long.
func (s *Server) nearestMiss(ctx context.Context, c *calls.Call) string {
	w := s.newWhyRun(c.Job, c.Request, c.Past)
	o := w.options(&whyArguments{})
	o.Time, o.Inferences, o.Memory = missTime, missInferences, missMemory
	defer w.seeAs(c, o)()
	misses, err := c.Job.Program.WhyNotTerm(ctx, w.failing(), o)
	if err != nil || misses.Line == "" {
		return ""
	}
	return "\n" + strings.ToValidUTF8(misses.Line, "\uFFFD")
}

// metaWhy is the member of a result's _meta that holds the proofs of its solutions.
const metaWhy = "mcplogic/why"

// The limits of the proofs that a result carries.
const (
	maxProofs = 10
	proofTime = 500 * time.Millisecond
)

// addProofs adds the proofs of the solutions of a call to its result, as many as there is time for.
func (s *Server) addProofs(ctx context.Context, c *calls.Call, r *mcp.CallToolResult) {
	w := s.newWhyRun(c.Job, c.Request, c.Past)
	var proofs []*engine.Proof
	for i, s := range c.Solutions[:min(len(c.Solutions), maxProofs)] {
		o := w.options(&whyArguments{Answer: i + 1})
		o.Values, o.Time = s.Values(), proofTime
		end := w.seeAs(c, o)
		proof, err := c.Job.Program.WhyTerm(ctx, w.goal(), o)
		end()
		if err != nil {
			break
		}
		proof.Answer = nil // the result has it
		proofs = append(proofs, proof)
		if proof.Truncated != nil && proof.Truncated.Time {
			break
		}
	}
	if len(proofs) > 0 {
		if r.Meta == nil {
			r.Meta = mcp.Meta{}
		}
		r.Meta[metaWhy] = proofs
	}
}

// options are those of the search.
func (w *whyRun) options(args *whyArguments) *engine.WhyOptions {
	o := &w.server.opts
	return &engine.WhyOptions{Answer: args.Answer, Node: args.Node, Depth: args.Depth, Memory: o.Memory,
		Inferences: o.Inferences, Ask: w.replies, Origins: w.server.origins,
		Run: engine.RunOptions{Module: w.Job.Provider.Module, Time: w.Job.Time, Memory: o.Memory, Inferences: o.Inferences,
			Output: io.Discard, Host: w.cr}}
}

// replies answers the questions of one run of the goal as they were answered in the call. What the run before has
// changed is forgotten.
func (w *whyRun) replies() engine.Replies {
	w.Asked, w.Changes = dialogue.Asked{}, calls.Changes{}
	return w.Repeat
}

// goal is what the call runs, failing what it tries first: what is missing for that is missing for the call.
func (w *whyRun) goal() *engine.Goal    { return &engine.Goal{Term: w.Job.Goal, Vars: w.Job.Vars} }
func (w *whyRun) failing() *engine.Goal { return &engine.Goal{Term: w.Job.First, Vars: w.Job.Vars} }

// why explains a call of a tool.
func (s *Server) why(
	ctx context.Context, cr *calls.Request, t *tool, j *calls.Job, args *whyArguments,
) (*mcp.CallToolResult, error) {
	told := s.told.find(j.Binding)
	defer told.release()
	w := s.newWhyRun(j, cr, told.past)
	o := w.options(args)
	o.At = told.at(j.Program)
	proof, err := j.Program.WhyTerm(ctx, w.goal(), o)
	if err == nil {
		proof.Of = told.facts(j.Program)
		r, err := t.proofResult(proof)
		return withClauses(cr, r, proof.Clauses), err
	}
	var exception *engine.Exception
	if errors.As(err, &exception) {
		return w.thrown(ctx, o, err)
	}
	var few *engine.FewAnswersError
	if !errors.As(err, &few) {
		return w.unexplained(err)
	}
	if few.Answers > 0 {
		return refusal.Result("not_explained", refusal.Capitalize(few.Error())+"."), nil
	}
	misses, err := j.Program.WhyNotTerm(ctx, w.failing(), o)
	if err != nil {
		return w.unexplained(err)
	}
	misses.Of = told.facts(j.Program)
	misses.Instead = j.Known(ctx, w.Call)
	r, err := missesResult(misses)
	return withClauses(cr, r, misses.Clauses), err
}

// seeAs has a search see the database as a call does that is still running. end ends that.
func (w *whyRun) seeAs(c *calls.Call, o *engine.WhyOptions) (end func()) {
	if c.Run == nil {
		return func() {}
	}
	o.At = c.Run.Keep()
	return o.At.Release
}

// thrown is the result for a call that throws: the exception, and how the goal came to it.
func (w *whyRun) thrown(ctx context.Context, o *engine.WhyOptions, err error) (*mcp.CallToolResult, error) {
	r, wrong := w.unexplained(err)
	if _, asks := dialogue.IsNewQuestion(err); wrong != nil || asks {
		return r, wrong
	}
	misses, err := w.Job.Program.WhyNotTerm(ctx, w.failing(), o)
	if err == nil && misses.Line != "" {
		r.Content = append(r.Content, content.OfText(misses.Line+"\n"+misses.Text)...)
	}
	return r, nil
}

// unexplained is the result of a search that has come to no explanation.
func (w *whyRun) unexplained(err error) (*mcp.CallToolResult, error) {
	if message, ok := dialogue.IsNewQuestion(err); ok {
		return refusal.Result("not_explained",
			"The explanation depends on a question that the user has not answered: "+message), nil
	}
	var noNode *engine.NoNodeError
	if errors.As(err, &noNode) {
		return refusal.Result("not_explained", refusal.Capitalize(noNode.Error())+"."), nil
	}
	if wrong := w.PanicError(err); wrong != nil {
		return nil, wrong
	}
	return w.Failure(err), nil
}

// proofResult is a proof as the result of the tool why.
func (t *tool) proofResult(proof *engine.Proof) (*mcp.CallToolResult, error) {
	t.showAnswer(proof)
	text := proof.Text
	if proof.Truncated != nil && proof.More != "" {
		text += "The explanation was cut at the nodes with dots. For more, ask again with node: " + proof.More + ".\n"
	}
	text += noteOf(proof.Of)
	raw, err := json.Marshal(proof)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: content.OfText(text), StructuredContent: json.RawMessage(raw)}, nil
}

// showAnswer replaces the answer of a proof by the outputs of the tool.
func (t *tool) showAnswer(proof *engine.Proof) {
	proof.Answer = nil
	if len(t.out) == 0 || t.custom || t.asks {
		return
	}
	if raw, err := t.codec.Results(t.row(proof.Solution), t.out); err == nil {
		proof.Answer = raw
	}
}

// missesResult are misses as the result of the tool why, with the advice that the call gets too.
func missesResult(misses *engine.Misses) (*mcp.CallToolResult, error) {
	raw, err := json.Marshal(misses)
	if err != nil {
		return nil, err
	}
	text := misses.Line + "\n" + misses.Text
	if advice := insteadText(misses.Instead); advice != "" {
		text += strings.TrimPrefix(advice, "\n") + "\n"
	}
	text += noteOf(misses.Of)
	if misses.Line == "" {
		text = "There is no answer, and no reason was found."
	}
	return &mcp.CallToolResult{Content: content.OfText(text), StructuredContent: json.RawMessage(raw)}, nil
}
