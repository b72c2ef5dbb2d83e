package bridge

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/tasks"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/bridge/wire"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines tools: what a client sees of one, and the goal that a call of it runs.

// tool is a tool prepared for calls.
type tool struct {
	*kb.Tool
	program *engine.Program
	codec   *schema.Codec
	listed  *mcp.Tool
	// inputs and outputs are the arguments that in and out describe.
	inputs, outputs []kb.Argument
	in, out         schema.Params
	// input and output are the schemas that the provider gives, or nil.
	input, output *schema.Schema
	// asks and custom say that tool_call/4 and tool_call/3 may have a clause for the tool.
	asks, custom bool
}

// newCodec returns the conversions for the texts of a provider.
func (s *Server) newCodec(program *engine.Program, p *kb.Provider) *schema.Codec {
	return &schema.Codec{
		Parse:     func(text string) (engine.Term, error) { return program.ParseTerm(p.Module, text) },
		Format:    func(t engine.Term) string { return program.FormatTerm(p.Module, t) },
		MaxResult: s.opts.MaxResult,
	}
}

func (s *Server) newTool(snapshot *kb.Snapshot, declared *kb.Tool) (*tool, error) {
	t := &tool{Tool: declared, program: snapshot.Program, codec: s.newCodec(snapshot.Program, declared.Provider)}
	t.inputs, t.outputs = declared.Inputs(), declared.Outputs()
	t.in, t.out = paramsOf(t.codec, t.inputs), paramsOf(t.codec, t.outputs)
	var err error
	if t.input, err = t.codec.Compile(declared.InputSchema); err != nil {
		return nil, fmt.Errorf("input_schema/2: %w", err)
	}
	if t.input != nil && !t.input.IsObject() {
		return nil, fmt.Errorf("input_schema/2: a tool's input has to have type-object")
	}
	if t.output, err = t.codec.Compile(declared.OutputSchema); err != nil {
		return nil, fmt.Errorf("output_schema/2: %w", err)
	}
	t.asks = declared.Provider.Asks() && t.handled(4)
	t.custom = declared.Provider.Defines("tool_call", 3) && t.handled(3)
	t.listed = t.describe()
	t.listed.Meta = s.toolMeta(t)
	return t, nil
}

// paramsOf prepares the arguments of a predicate. A type that does not exist counts as any.
func paramsOf(c *schema.Codec, declared []kb.Argument) schema.Params {
	list := make(schema.Params, 0, len(declared))
	for _, a := range declared {
		typ, err := c.ParseType(a.Type)
		if err != nil {
			typ, _ = c.ParseType(term.Atom("any")) // exists
		}
		list = append(list, schema.Param{Name: a.Name, Description: a.Description, Type: typ, Optional: a.Optional(),
			Default: a.Default, DefaultJSON: defaultJSON(c, a.Default, typ), Examples: examplesJSON(c, a.Examples, typ)})
	}
	return list
}

// defaultJSON is a default as clients see it, nil when there is none.
func defaultJSON(c *schema.Codec, x engine.Term, typ *schema.Type) json.RawMessage {
	if x == nil {
		return nil
	}
	raw, err := c.ToJSON(x, typ)
	if err != nil { // the loader has checked it
		return nil
	}
	return raw
}

// maxExamples bounds the examples of one property.
const maxExamples = 5

// examplesJSON are the values that are of the type, each once. Examples with other values show something else, such
// as an error.
func examplesJSON(c *schema.Codec, values []engine.Term, typ *schema.Type) []json.RawMessage {
	var list []json.RawMessage
	for _, x := range values {
		raw, err := c.ToJSON(x, typ)
		same := func(one json.RawMessage) bool { return bytes.Equal(one, raw) }
		if err == nil && len(list) < maxExamples && !slices.ContainsFunc(list, same) {
			list = append(list, raw)
		}
	}
	return list
}

// handled reports whether tool_call/N may have a clause whose head fits the tool. It does when nobody can know.
func (t *tool) handled(arity int) bool {
	args := make([]engine.Term, arity)
	for i := range args {
		args[i] = term.NewVar("")
	}
	args[0] = term.Atom(t.Name)
	goal := term.New("clause", term.New("tool_call", args...), term.NewVar(""))
	run, err := t.program.StartTerm(goal, nil, &engine.RunOptions{Module: t.Provider.Module})
	if err != nil {
		return true
	}
	defer run.Close()
	state, err := run.Next(context.Background())
	return err != nil || state != engine.NoMore
}

// describe makes what clients see.
func (t *tool) describe() *mcp.Tool {
	listed := &mcp.Tool{Name: t.Name, Title: t.Title, Description: t.Description,
		InputSchema: t.pageParams().Schema(), Annotations: t.annotations(), Icons: iconsOf(t.Icons)}
	if t.input != nil {
		listed.InputSchema = t.input.JSON()
	}
	switch {
	case t.output != nil:
		listed.OutputSchema = t.output.JSON()
	case len(t.out) > 0 && !t.asks && !t.custom:
		listed.OutputSchema = t.derivedOutput()
	}
	return listed
}

// derivedOutput is the schema of the results of automatic dispatch.
func (t *tool) derivedOutput() json.RawMessage {
	one := t.out.Schema()
	if !t.All {
		return one
	}
	more := schema.Object{}.With("type", "boolean").With("description", "Whether there are more solutions than these.")
	properties := schema.Object{}.With("solutions",
		schema.Object{}.With("type", "array").With("items", one)).With("more", more)
	if t.pages() {
		properties = properties.With(sealed.Argument, schema.Object{}.With("type", "string").
			With("description", "If there are more: the argument for a call that returns the next ones."))
	}
	return schema.Object{}.With("type", "object").With("properties", properties).
		With("required", []string{"solutions", "more"}).JSON()
}

func (t *tool) annotations() *mcp.ToolAnnotations {
	if t.ReadOnly == nil && t.Destructive == nil && t.Idempotent == nil && t.OpenWorld == nil {
		return nil
	}
	a := &mcp.ToolAnnotations{DestructiveHint: t.Destructive, OpenWorldHint: t.OpenWorld}
	a.ReadOnlyHint = t.ReadOnly != nil && *t.ReadOnly
	a.IdempotentHint = t.Idempotent != nil && *t.Idempotent
	return a
}

// iconsOf are icons as the protocol has them.
func iconsOf(icons []kb.Icon) []mcp.Icon {
	var list []mcp.Icon
	for _, i := range icons {
		list = append(list, mcp.Icon{Source: i.Source, MIMEType: i.MIMEType, Sizes: i.Sizes, Theme: mcp.IconTheme(i.Theme)})
	}
	return list
}

// toolList lists the tools.
func (o *offer) toolList() itemList {
	list := itemList{}
	for name, t := range o.tools {
		list.put(name, t.listed)
	}
	if o.answerTool != "" {
		list.put(o.answerTool, describeAnswer(o.answerTool))
	}
	if o.whyTool != "" {
		list.put(o.whyTool, why.Describe(o.whyTool))
	}
	return list
}

func (s *Server) addTool(name string) {
	o := s.current.Load()
	if name == o.answerTool {
		s.mcp.AddTool(describeAnswer(name), s.handleAnswer)
		return
	}
	if name == o.whyTool {
		s.mcp.AddTool(why.Describe(name), s.handleWhy)
		return
	}
	s.mcp.AddTool(o.tools[name].listed, s.handleTool)
}

// handleTool handles a call of a tool.
func (s *Server) handleTool(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	o := s.current.Load()
	t := o.tools[req.Params.Name]
	if t == nil { // gone since the SDK looked it up
		return nil, refusal.InvalidParams("unknown tool %q", req.Params.Name)
	}
	if t.Task != nil && t.Task.Required && req.ProtocolVersion() >= wire.VersionStateless &&
		!tasks.Knows(req.ProtocolVersion(), req.ClientCapabilities()) {
		return nil, tasks.ErrUnknown()
	}
	cursor, raw, err := t.cutCursor(req.Params.Arguments)
	var args *arguments
	if err == nil {
		args, err = t.readArguments(raw)
	}
	if err != nil {
		return refusal.Result("bad_arguments", fmt.Sprintf("The arguments do not fit the tool %s:\n%s", t.Name, err)), nil
	}
	cr := calls.NewRequest(req, req.Params.RequestState, req.Params.InputResponses)
	j := s.toolJob(t, args, raw)
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

// runTool runs a call of a tool on. The error is errParked when it has to wait for answers.
func (s *Server) runTool(ctx context.Context, cr *calls.Request, c *calls.Call) (*mcp.CallToolResult, error) {
	leave := s.runner.Running.Enter(c.Job.Name)
	defer leave()
	c.Keeps = s.current.Load().whyTool != ""
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
	switch {
	case len(inputs) == 0:
		return c.Question(cr)
	case c.Legs >= calls.MaxLegs && s.current.Load().answerTool != "":
		s.showAnswerTool()
		t := s.current.Load().tools[c.Job.Name]
		return c.Continuation(t != nil && t.listed.OutputSchema != nil)
	}
	return &mcp.CallToolResult{InputRequests: inputs, RequestState: c.Park()}
}

// arguments are those of one call.
type arguments struct {
	// values has a term for each input, nil for one that is absent.
	values []engine.Term
	// named are all that were given, for tool_call/3,4.
	named []schema.Named
}

// terms are the Name-Value pairs.
func (a *arguments) terms() engine.Term {
	list := make([]engine.Term, len(a.named))
	for i, n := range a.named {
		list[i] = term.New("-", term.Atom(n.Name), n.Value)
	}
	return term.List(list...)
}

// readArguments validates the arguments of a call and converts them.
func (t *tool) readArguments(raw json.RawMessage) (*arguments, error) {
	if t.input != nil {
		return t.readBySchema(raw)
	}
	values, err := t.codec.Arguments(raw, t.in)
	if err != nil {
		return nil, err
	}
	args := &arguments{values: values}
	for i, value := range values {
		if value != nil {
			args.named = append(args.named, schema.Named{Name: t.in[i].Name, Value: value})
		}
	}
	return args, nil
}

// readBySchema reads arguments by the provider's own schema. Properties that are named like
// inputs of the predicate have their types, the others are what they look like.
func (t *tool) readBySchema(raw json.RawMessage) (*arguments, error) {
	named, err := t.codec.ArgumentsBy(t.input, raw, t.in)
	if err != nil {
		return nil, err
	}
	args := &arguments{values: make([]engine.Term, len(t.in)), named: named}
	for _, n := range named {
		if at := slices.IndexFunc(t.in, func(p schema.Param) bool { return p.Name == n.Name }); at >= 0 {
			args.values[at] = n.Value
		}
	}
	return args, nil
}

// The variables of a goal: whether a clause of tool_call has answered, its result, and the
// outputs of the predicate by their number.
var (
	varCustom = &term.Var{Name: "Custom", ID: -1}
	varResult = &term.Var{Name: "Result", ID: -2}
)

func outputName(i int) string { return fmt.Sprintf("Out%d", i) }

// toolJob returns what a call of a tool runs: the clauses of the provider that handle calls, and
// when there are none or they fail, the predicate itself.
func (s *Server) toolJob(t *tool, args *arguments, raw json.RawMessage) *calls.Job {
	goal, outputs := t.dispatch(args)
	first := goal
	vars := append([]*term.Var{}, outputs...)
	named := func() []engine.Term { return []engine.Term{term.Atom(t.Name), args.terms()} }
	if t.custom {
		first = term.New("tool_call", append(named(), varResult)...)
		goal = orElse(first, goal)
	}
	if t.asks {
		first = term.New("tool_call", append(named(), term.Atom(dialogue.ElicitPredicate), varResult)...)
		goal = orElse(first, goal)
	}
	if t.custom || t.asks {
		vars = append(vars, varCustom, varResult)
	}
	j := &calls.Job{
		Kind: calls.CallTool, Name: t.Name, Binding: sealed.BindingOf(calls.CallTool, t.Name, raw),
		Program: t.program, Provider: t.Provider, Codec: t.codec, Goal: goal, First: first, Vars: vars,
		Time: s.opts.Time, Task: t.Task,
	}
	if t.Timeout > 0 {
		j.Time = t.Timeout
	}
	j.Page = sealed.Page{Pages: t.pages(), Parts: t.takesCursor(), Limit: cmp.Or(t.Limit, s.opts.Solutions),
		Size: cmp.Or(t.MaxResult, s.opts.MaxText)}
	j.Enough = func(c *calls.Call) bool {
		return !t.All || isCustom(c) || len(c.Solutions) >= c.Job.Page.Skip+c.Job.Page.Limit
	}
	j.Finish = func(ctx context.Context, c *calls.Call) (mcp.Result, error) { return s.result(ctx, t, c) }
	j.Known = func(ctx context.Context, c *calls.Call) []engine.Instead { return s.advice(ctx, t, c, args) }
	j.Advice = func(ctx context.Context, c *calls.Call) string {
		text := why.InsteadText(j.Known(ctx, c))
		if text == "" && t.Explain != kb.ExplainNever {
			text = s.why.NearestMiss(ctx, c)
		}
		return text
	}
	return j
}

// orElse is (Goal -> Custom = true ; Else).
func orElse(goal, otherwise engine.Term) engine.Term {
	return term.New(";", term.New("->", goal, term.New("=", varCustom, term.True)), otherwise)
}

// isCustom reports whether the first solution is the provider's own result.
func isCustom(c *calls.Call) bool {
	return len(c.Solutions) > 0 && c.First(varCustom.Name) == engine.Term(term.True)
}

// dispatch returns the call of the predicate and the variables of the outputs to collect. An optional input that was
// given is not collected.
func (t *tool) dispatch(args *arguments) (engine.Term, []*term.Var) {
	list := make([]engine.Term, t.Arity())
	for i, a := range t.inputs {
		if args.values[i] != nil {
			list[a.Position] = args.values[i]
		}
	}
	var vars []*term.Var
	for i, a := range t.outputs {
		if list[a.Position] == nil {
			v := &term.Var{Name: outputName(i), ID: int64(-10 - i)}
			list[a.Position] = v
			vars = append(vars, v)
		}
	}
	for i := range list {
		if list[i] == nil { // an input that the provider's schema does not demand
			list[i] = term.NewVar("")
		}
	}
	return term.New(term.Atom(t.Functor), list...), vars
}
