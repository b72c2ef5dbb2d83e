package items

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/reasons"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines tools as clients see them, how their arguments are read, and how arguments and outputs are placed
// in their goals. It also defines the job of a call of a tool.

// Tool is a tool prepared for calls.
type Tool struct {
	*kb.Tool
	program *engine.Program
	codec   *schema.Codec
	Listed  *mcp.Tool
	// inputs and outputs are the arguments that in and out describe.
	inputs, outputs []kb.Argument
	// variables are the names of the variables of the outputs.
	variables []string
	in, out   schema.Params
	// rows are the outputs and, if answers of the program may be undefined, a member that says so.
	rows schema.Params
	// told are rows and a member with the output of the goal.
	told schema.Params
	// input and output are the schemas that the provider gives, or nil.
	input, output *schema.Schema
	// assumed has the arguments of the facts that may come with a call, by their predicates.
	assumed map[string]schema.Params
	// asks and custom say that tool_call/4 and tool_call/3 may have a clause for the tool.
	asks, custom bool
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

// defaultJSON is a default as clients see it, or nil if there is none.
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

// examplesJSON are the distinct values that are of the type. Examples with other values show something else, such as an
// error.
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

// handled reports whether tool_call/N may have a clause whose head fits the tool. It also does so if this cannot be
// determined.
func (t *Tool) handled(arity int) bool {
	args := make([]engine.Term, arity)
	for i := range args {
		args[i] = term.NewVar("")
	}
	args[0] = term.Atom(t.Name)
	goal := term.New("clause", term.New("tool_call", args...), term.NewVar(""))
	run, err := inner.Of(t.program).StartTerm(goal, nil, &engine.RunOptions{Module: t.Provider.Module})
	if err != nil {
		return true
	}
	defer run.Close()
	state, err := run.Next(context.Background())
	return err != nil || state != engine.NoMore
}

// The members of structured content for the parts of the text besides the solutions. Some clients show a model only the
// structured content.
const (
	memberNote    = "note"
	memberPrinted = "printed"
	// memberUndefined is a member of a single solution.
	memberUndefined = "undefined"
)

// withMember returns the outputs of a predicate and an optional member, unless an output has the member's name.
func withMember(out schema.Params, name, typ, description string) schema.Params {
	if hasParam(out, name) {
		return out
	}
	parsed, _ := (&schema.Codec{}).ParseType(term.Atom(typ))
	return append(out[:len(out):len(out)], schema.Param{Name: name, Type: parsed, Optional: true,
		Description: description})
}

func hasParam(list schema.Params, name string) bool {
	return slices.ContainsFunc(list, func(p schema.Param) bool { return p.Name == name })
}

// describe makes the tool as clients see it.
func (t *Tool) describe() *mcp.Tool {
	listed := &mcp.Tool{Name: t.Name, Description: t.Description,
		InputSchema: t.pageParams().Schema(), Annotations: t.annotations(), Icons: IconsOf(t.Icons)}
	if t.Title != t.Name { // else it says nothing
		listed.Title = t.Title
	}
	if t.input != nil {
		listed.InputSchema = t.input.JSON()
	} else if t.Assume != nil {
		listed.InputSchema = t.withGiven(t.pageParams().Schema())
	}
	switch {
	case t.output != nil:
		listed.OutputSchema = t.output.JSON()
	case len(t.out) > 0 && !t.asks && !t.custom:
		listed.OutputSchema = t.derivedOutput()
	}
	return listed
}

// derivedOutput is the schema of the results of automatic dispatch. It omits members that explain themselves in a
// result, such as the output of the rules, whether there is more, and the cursor of the next part. To keep lists of
// tools short, it also omits the type of objects with properties.
func (t *Tool) derivedOutput() json.RawMessage {
	row := t.rows.ResultSchema(t.in)
	if !t.All {
		return row
	}
	is := func(typ string) schema.Object { return schema.Object{}.With("type", typ) }
	row = bytes.Replace(row, []byte(`"type":"object",`), nil, 1)
	properties := schema.Object{}.With("solutions", is("array").With("items", row))
	return is("object").With("properties", properties).JSON()
}

func (t *Tool) annotations() *mcp.ToolAnnotations {
	if t.ReadOnly == nil && t.Destructive == nil && t.Idempotent == nil && t.OpenWorld == nil {
		return nil
	}
	a := &mcp.ToolAnnotations{DestructiveHint: t.Destructive, OpenWorldHint: t.OpenWorld}
	a.ReadOnlyHint = t.ReadOnly != nil && *t.ReadOnly
	a.IdempotentHint = t.Idempotent != nil && *t.Idempotent
	if a.ReadOnlyHint { // otherwise the other hints have no meaning
		a.IdempotentHint, a.DestructiveHint = false, nil
	}
	return a
}

// IconsOf converts icons to those of the protocol.
func IconsOf(icons []kb.Icon) []mcp.Icon {
	var list []mcp.Icon
	for _, i := range icons {
		list = append(list, mcp.Icon{Source: i.Source, MIMEType: i.MIMEType, Sizes: i.Sizes, Theme: mcp.IconTheme(i.Theme)})
	}
	return list
}

// Arguments are the arguments of one call.
type Arguments struct {
	// values has a term for each input, or nil for an absent one.
	values []engine.Term
	// named are all given arguments, for tool_call/3,4.
	named []schema.Named
	// unquoted are the places of texts that were read as the JSON that they contain.
	unquoted []string
}

// note says which arguments were read differently from what was given, or is "".
func (a *Arguments) note() string {
	if len(a.unquoted) == 0 {
		return ""
	}
	return "Given as a text, and taken as the JSON in it: " + strings.Join(a.unquoted, ", ") + "."
}

// terms are the Name-Value pairs.
func (a *Arguments) terms() engine.Term {
	list := make([]engine.Term, len(a.named))
	for i, n := range a.named {
		list[i] = term.New("-", term.Atom(n.Name), n.Value)
	}
	return term.List(list...)
}

// ReadArguments validates the arguments of a call and converts them.
func (t *Tool) ReadArguments(raw json.RawMessage) (*Arguments, error) {
	if t.input != nil {
		return t.readBySchema(raw)
	}
	values, unquoted, err := t.codec.Arguments(raw, t.in)
	if err != nil {
		return nil, err
	}
	args := &Arguments{values: values, unquoted: unquoted}
	for i, value := range values {
		if value != nil {
			args.named = append(args.named, schema.Named{Name: t.in[i].Name, Value: value})
		}
	}
	return args, nil
}

// readBySchema reads arguments by the provider's own schema. Properties with the names of the predicate's inputs have
// the inputs' types. The types of the others follow from their values.
func (t *Tool) readBySchema(raw json.RawMessage) (*Arguments, error) {
	named, unquoted, err := t.codec.ArgumentsBy(t.input, raw, t.in)
	if err != nil {
		return nil, err
	}
	args := &Arguments{values: make([]engine.Term, len(t.in)), named: named, unquoted: unquoted}
	for _, n := range named {
		if at := slices.IndexFunc(t.in, func(p schema.Param) bool { return p.Name == n.Name }); at >= 0 {
			args.values[at] = n.Value
		}
	}
	return args, nil
}

// ReadOutputs reads values of outputs by their names, in the form of [engine.RunOptions].Bind. It returns nil if there
// are none.
func (t *Tool) ReadOutputs(raw json.RawMessage) (map[string]any, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	values := map[string]any{}
	for name, member := range members {
		i := slices.IndexFunc(t.out, func(p schema.Param) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("the tool %s has no output %q", t.Name, name)
		}
		value, err := t.codec.FromJSON(member, t.out[i].Type)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		values[t.variables[i]] = value
	}
	return values, nil
}

// ShowAnswer replaces the answer of a proof by the outputs of the tool.
func (t *Tool) ShowAnswer(proof *engine.Proof) {
	proof.Answer = nil
	if len(t.out) == 0 || t.custom || t.asks {
		return
	}
	if raw, err := t.codec.Results(t.row(proof.Solution), t.rows); err == nil {
		proof.Answer = raw
	}
}

// textType is the type of the argument cursor, and of the texts besides outputs.
var textType = func() *schema.Type {
	typ, err := (&schema.Codec{}).ParseType(term.Atom("string"))
	if err != nil {
		panic("bridge: " + err.Error())
	}
	return typ
}()

// pages reports whether a call of a tool can continue after the solutions of an earlier call. Tools that ask their
// user, or have their own schema, return all solutions in one result.
func (t *Tool) pages() bool {
	return t.All && len(t.out) > 0 && !t.asks && t.input == nil && t.output == nil && t.takesCursor()
}

// pageParams are the inputs of a tool as clients see them. They include the cursor even if only a few solutions differ,
// because solutions may repeat.
func (t *Tool) pageParams() schema.Params {
	if !t.pages() && !(t.mayBeLong() && t.takesCursor()) {
		return t.in
	}
	return append(t.in[:len(t.in):len(t.in)], schema.Param{Name: sealed.Argument, Type: textType, Optional: true})
}

// CutCursor removes the cursor from the arguments of a call and returns it, or "".
func (t *Tool) CutCursor(raw json.RawMessage) (cursor string, rest json.RawMessage, err error) {
	if !t.takesCursor() || !bytes.Contains(raw, []byte(`"`+sealed.Argument+`"`)) {
		return "", raw, nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members[sealed.Argument] == nil {
		return "", raw, nil // faults are reported elsewhere
	}
	var text *string
	if json.Unmarshal(members[sealed.Argument], &text) != nil {
		return "", nil, errors.New("cursor: expected a string")
	}
	delete(members, sealed.Argument)
	rest, err = json.Marshal(members)
	if text == nil {
		return "", rest, err
	}
	return *text, rest, err
}

// takesCursor reports whether calls of a tool may have a cursor. They may not if the tool has its own argument with
// that name.
func (t *Tool) takesCursor() bool {
	if t.input != nil {
		return !slices.Contains(t.input.Properties(), sealed.Argument)
	}
	return !hasParam(t.in, sealed.Argument)
}

// mayBeLong reports whether results of a tool may be long. Its schema then has the cursor. A cursor is also accepted if
// a text turns out to be long.
func (t *Tool) mayBeLong() bool { return t.custom || slices.ContainsFunc(t.out, isLong) }

func isLong(p schema.Param) bool { return bytes.Contains(p.Type.Schema(), []byte(`"array"`)) }

// The variables of a goal: whether a clause of tool_call has answered, its result, and the
// outputs of the predicate by their number.
var (
	varCustom = &term.Var{Name: "Custom", ID: -1}
	varResult = &term.Var{Name: "Result", ID: -2}
)

// variablesOf names the variables of outputs, as explanations show them. They have the names of the outputs if these
// are distinct and can be names of variables.
func variablesOf(outputs []kb.Argument) (names []string) {
	for i, a := range outputs {
		name := refusal.Capitalize(a.Name)
		taken := name == varCustom.Name || name == varResult.Name || strings.HasPrefix(name, "Out")
		if taken || !plainVariable().MatchString(name) || slices.Contains(names, name) {
			name = fmt.Sprintf("Out%d", i)
		}
		names = append(names, name)
	}
	return names
}

var plainVariable = lazyregexp.New("^[A-Z][A-Za-z0-9_]*$")

// dispatch returns the call of the predicate and the variables of the outputs to collect. An optional input that was
// given is not collected.
func (t *Tool) dispatch(args *Arguments) (engine.Term, []*term.Var) {
	list := make([]engine.Term, t.Arity())
	for i, a := range t.inputs {
		if args.values[i] != nil {
			list[a.Position] = args.values[i]
		}
	}
	var vars []*term.Var
	for i, a := range t.outputs {
		if list[a.Position] == nil {
			v := &term.Var{Name: t.variables[i], ID: int64(-10 - i)}
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

// row returns the outputs of a solution, with nil for those that were given as inputs.
func (t *Tool) row(s engine.Solution) []engine.Term {
	values := make([]engine.Term, len(t.out))
	for i := range values {
		values[i] = s.Get(t.variables[i])
	}
	nameVariables(values)
	if len(t.rows) > len(values) {
		var undefined engine.Term
		if s.Undefined() {
			undefined = term.True
		}
		values = append(values, undefined)
	}
	return values
}

// nameVariables names the variables of outputs _1, _2 and so on. A variable that two outputs share has one name in
// both. Outputs that are too large to be shown are left as they are.
func nameVariables(values []engine.Term) {
	var given []engine.Term
	for _, value := range values {
		if value != nil {
			given = append(given, value)
		}
	}
	whole := term.List(given...)
	if !schema.Within(whole, content.MaxShown) {
		return
	}
	for i, v := range term.Variables(whole) {
		v.Name = fmt.Sprintf("_%d", i+1)
	}
}

// takesUndefined reports whether results mark undefined solutions.
func (t *Tool) takesUndefined() bool {
	return len(t.out) == 0 || len(t.rows) > len(t.out) || t.custom || t.asks
}

// isCustom reports whether the first solution is a result made by the provider.
func isCustom(c *calls.Call) bool {
	return len(c.Solutions) > 0 && c.First(varCustom.Name) == engine.Term(term.True)
}

// ToolJob returns the job of a call of a tool. It runs the provider's clauses that handle calls. If there are none or
// they fail, it runs the predicate itself.
func (m *Maker) ToolJob(t *Tool, args *Arguments, raw json.RawMessage) *calls.Job {
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
		Time: m.set.Time, Task: t.Task, Note: args.note(), Undefined: t.takesUndefined(), Place: t.Place,
		Arguments: raw, Secret: t.Secret, Assumes: t.Assume != nil,
	}
	if t.Timeout > 0 {
		j.Time = t.Timeout
	}
	j.Page = sealed.Page{Pages: t.pages(), Parts: t.takesCursor(), Limit: cmp.Or(t.Limit, m.set.Solutions),
		Size: cmp.Or(t.MaxResult, m.set.MaxText)}
	j.Enough = func(c *calls.Call) bool {
		return !t.All || isCustom(c) || len(c.Solutions) >= c.Job.Page.Skip+c.Job.Page.Limit
	}
	j.Finish = func(ctx context.Context, c *calls.Call) (mcp.Result, error) { return m.result(ctx, t, c) }
	j.Known = func(ctx context.Context, c *calls.Call) []reasons.Instead { return m.advice(ctx, t, c, args) }
	j.Advice = func(ctx context.Context, c *calls.Call) string {
		text := why.InsteadText(j.Known(ctx, c))
		if text == "" && t.Explain != kb.ExplainNever {
			text = m.why.NearestMiss(ctx, c)
		}
		return text
	}
	return j
}

// orElse is (Goal -> Custom = true ; Else).
func orElse(goal, otherwise engine.Term) engine.Term {
	return term.New(";", term.New("->", goal, term.New("=", varCustom, term.True)), otherwise)
}
