package items

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yosida95/uritemplate/v3"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/values"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines prompts as clients see them, and the goals of requests for prompts.

// Prompt is a prompt prepared for requests.
type Prompt struct {
	*kb.Prompt
	program *engine.Program
	codec   *schema.Codec
	Listed  *mcp.Prompt
}

func (m *Maker) newPrompt(snapshot *kb.Snapshot, declared *kb.Prompt) *Prompt {
	listed := &mcp.Prompt{Name: declared.Name, Title: declared.Title, Description: declared.Description,
		Icons: IconsOf(declared.Icons)}
	for _, a := range declared.Arguments {
		listed.Arguments = append(listed.Arguments,
			&mcp.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
	}
	return &Prompt{declared, snapshot.Program, m.newCodec(snapshot.Program, declared.Provider), listed}
}

// Check reports every missing or unknown argument.
func (p *Prompt) Check(args map[string]string) error {
	var wrong, known []string
	for _, a := range p.Arguments {
		known = append(known, a.Name)
		if _, ok := args[a.Name]; a.Required && !ok {
			wrong = append(wrong, fmt.Sprintf("%s: missing", a.Name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if slices.Contains(known, name) {
			continue
		}
		problem := name + ": unexpected argument"
		if near := spell.Nearest(name, known); near != "" {
			problem += ", did you mean " + near + "?"
		}
		wrong = append(wrong, problem)
	}
	if len(wrong) == 0 {
		return nil
	}
	return refusal.InvalidParams("the arguments do not fit the prompt %s: %s", p.Name, strings.Join(wrong, "; "))
}

// PromptJob returns the job of a request for a prompt.
func (m *Maker) PromptJob(p *Prompt, args map[string]string) *calls.Job {
	var pairs []engine.Term
	for _, a := range p.Arguments {
		if value, ok := args[a.Name]; ok {
			pairs = append(pairs, term.New("-", term.Atom(a.Name), term.Atom(value)))
		}
	}
	return &calls.Job{
		Kind: calls.GetPrompt, Name: p.Name, Binding: sealed.BindingOf(calls.GetPrompt, p.Name, mustMarshalMap(args)),
		Program: p.program, Provider: p.Provider, Codec: p.codec, Time: m.set.Time, Place: p.Place,
		Goal:   term.New("prompt_get", term.Atom(p.Name), term.List(pairs...), varResult),
		Vars:   []*term.Var{varResult},
		Enough: firstSuffices,
		Finish: func(_ context.Context, c *calls.Call) (mcp.Result, error) { return messages(c) },
	}
}

// firstSuffices is the enough of jobs whose first solution counts.
func firstSuffices(*calls.Call) bool { return true }

// mustMarshalMap encodes strings, which always can be.
func mustMarshalMap(args map[string]string) []byte {
	o := schema.Object{}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		o = o.With(name, args[name])
	}
	return o.JSON()
}

// messages makes a prompt from messages(List) or messages(Description, List).
func messages(c *calls.Call) (mcp.Result, error) {
	if len(c.Solutions) == 0 {
		return nil, calls.ErrFailed
	}
	x := c.First(varResult.Name)
	name, args := content.Split(x)
	if name != "messages" || len(args) < 1 || len(args) > 2 {
		return nil, fmt.Errorf("the result has to be messages(List) or messages(Description, List), it is %s",
			content.Show(x))
	}
	r := &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{}}
	if len(args) == 2 {
		r.Description = content.Text(args[0])
	}
	items, ok := term.Slice(args[len(args)-1])
	if !ok {
		return nil, fmt.Errorf("messages has to hold a list, it has %s", content.Show(args[len(args)-1]))
	}
	size := len(r.Description)
	for _, item := range items {
		m, err := promptMessage(c.Job.Codec, item)
		if err != nil {
			return nil, err
		}
		if size += content.Size([]mcp.Content{m.Content}); size > c.Job.Codec.Limit() {
			return nil, schema.ErrTooLarge
		}
		r.Messages = append(r.Messages, m)
	}
	return r, nil
}

// promptMessage converts message(Role, Content).
func promptMessage(codec *schema.Codec, x engine.Term) (*mcp.PromptMessage, error) {
	role, item, err := content.Message(x)
	if err != nil {
		return nil, err
	}
	content, err := content.Read(codec, item, content.InResults)
	if err != nil {
		return nil, err
	}
	return &mcp.PromptMessage{Role: role, Content: content}, nil
}

// This part defines resources and resource templates as clients see them, and the goals of requests for them.

// Resource is a resource or a template, prepared for requests.
type Resource struct {
	*kb.Resource
	Program  *engine.Program
	codec    *schema.Codec
	Template *uritemplate.Template // nil: one resource
	meta     mcp.Meta
}

func (m *Maker) newResource(snapshot *kb.Snapshot, declared *kb.Resource) *Resource {
	codec := m.newCodec(snapshot.Program, declared.Provider)
	return &Resource{declared, snapshot.Program, codec, nil, m.uiMeta(codec, "resource "+declared.URI, declared.UI)}
}

// parseTemplate returns a template. If the text is not a valid template, it matches nothing; the SDK refuses to list
// it.
func parseTemplate(text string) *uritemplate.Template {
	t, err := uritemplate.New(text)
	if err != nil {
		return &uritemplate.Template{}
	}
	return t
}

// ListedResource is a resource, but not a template, as clients see it.
func (r *Resource) ListedResource() *mcp.Resource {
	return &mcp.Resource{URI: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MIMEType,
		Icons: IconsOf(r.Icons), Size: r.Size, Annotations: r.annotations(), Meta: r.meta}
}

func (r *Resource) ListedTemplate() *mcp.ResourceTemplate {
	return &mcp.ResourceTemplate{URITemplate: r.URI, Name: r.Name, Title: r.Title, Description: r.Description,
		MIMEType: r.MIMEType,
		Icons:    IconsOf(r.Icons), Annotations: r.annotations(), Meta: r.meta}
}

// annotations returns the audience, priority and date of a resource, or nil.
func (r *Resource) annotations() *mcp.Annotations {
	if len(r.Audience) == 0 && r.Priority == 0 && r.LastModified == "" {
		return nil
	}
	a := &mcp.Annotations{Priority: r.Priority, LastModified: r.LastModified}
	for _, role := range r.Audience {
		a.Audience = append(a.Audience, mcp.Role(role))
	}
	return a
}

// ResourceJob returns the job of a request for a resource.
func (m *Maker) ResourceJob(r *Resource, uri string) *calls.Job {
	return &calls.Job{
		Kind: calls.ReadResource, Name: uri, Binding: sealed.BindingOf(calls.ReadResource, uri, nil),
		Program: r.Program, Provider: r.Provider, Codec: r.codec, Time: m.set.Time, Place: r.Place,
		Goal:   term.New("resource_read", term.Atom(uri), r.variables(uri), varResult),
		Vars:   []*term.Var{varResult},
		Enough: firstSuffices,
		Finish: func(_ context.Context, c *calls.Call) (mcp.Result, error) { return contents(c, r.meta) },
	}
}

// variables returns the values of a template's variables in a URI as Name-Value pairs.
func (r *Resource) variables(uri string) engine.Term {
	if r.Template == nil {
		return term.Nil
	}
	values := r.Template.Match(uri)
	var pairs []engine.Term
	for _, name := range r.Template.Varnames() {
		value := values.Get(name)
		switch {
		case !value.Valid():
		case value.T == uritemplate.ValueTypeString:
			pairs = append(pairs, term.New("-", term.Atom(name), term.Atom(value.String())))
		default:
			var list []engine.Term
			for part := range slices.Values(value.V) {
				list = append(list, term.Atom(part))
			}
			pairs = append(pairs, term.New("-", term.Atom(name), term.List(list...)))
		}
	}
	return term.List(pairs...)
}

// contents makes the result from contents(List). Each item has the metadata of the user interface, because hosts look
// for it there first.
func contents(c *calls.Call, meta mcp.Meta) (mcp.Result, error) {
	if len(c.Solutions) == 0 {
		return nil, calls.ErrFailed
	}
	x := c.First(varResult.Name)
	args, ok := term.Is(x, "contents", 1)
	if !ok {
		return nil, fmt.Errorf("the result has to be contents(List), it is %s", content.Show(x))
	}
	items, ok := term.Slice(args[0])
	if !ok {
		return nil, fmt.Errorf("contents has to hold a list, it has %s", content.Show(args[0]))
	}
	r := &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{}}
	size := 0
	for _, item := range items {
		one, err := readContents(item)
		if err != nil {
			return nil, err
		}
		if size += content.ItemOverhead + content.ResourceSize(one); size > c.Job.Codec.Limit() {
			return nil, schema.ErrTooLarge
		}
		one.Meta = meta
		r.Contents = append(r.Contents, one)
	}
	return r, nil
}

// readContents converts text_content/3 and blob_content/3.
func readContents(x engine.Term) (*mcp.ResourceContents, error) {
	name, args := content.Split(x)
	if len(args) != 3 || name != "text_content" && name != "blob_content" {
		return nil, fmt.Errorf("expected text_content(URI, MimeType, Text) or blob_content(URI, MimeType, Base64), got %s",
			content.Show(x))
	}
	r := &mcp.ResourceContents{URI: content.Text(args[0]), MIMEType: content.Text(args[1])}
	if name == "text_content" {
		r.Text = content.Text(args[2])
		return r, nil
	}
	data, err := content.Base64(args[2])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.URI, err)
	}
	r.Blob = data
	return r, nil
}

// This part defines completions: the values that a knowledge base proposes for the arguments of prompts and the
// variables of resource templates.

// MaxCompletions is how many values the protocol allows in one answer.
const MaxCompletions = 100

// Target is the argument or variable that values are proposed for.
type Target struct {
	ref      engine.Term
	Label    string // for messages
	names    []string
	program  *engine.Program
	Provider *kb.Provider
	codec    *schema.Codec
}

func NoCompletions() *mcp.CompleteResult {
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
}

// Completed returns the prompt or template that a reference names.
func (o *Offer) Completed(ref *mcp.CompleteReference) (*Target, error) {
	if ref.Type == "ref/prompt" {
		p := o.Prompts[ref.Name]
		if p == nil {
			return nil, refusal.InvalidParams("unknown prompt %q", ref.Name)
		}
		c := &Target{term.New("prompt", term.Atom(p.Name)), "prompt " + p.Name, nil, p.program, p.Provider, p.codec}
		for _, a := range p.Arguments {
			c.names = append(c.names, a.Name)
		}
		return c, nil
	}
	r := o.Resources[ref.URI]
	if r == nil {
		return nil, refusal.InvalidParams("unknown resource or resource template %q", ref.URI)
	}
	c := &Target{term.New("resource", term.Atom(r.URI)), "resource " + r.URI, nil, r.Program, r.Provider,
		r.codec}
	if r.Template != nil {
		c.names = r.Template.Varnames()
	}
	return c, nil
}

// Check reports an unknown argument.
func (c *Target) Check(name string) error {
	if slices.Contains(c.names, name) {
		return nil
	}
	problem := ""
	if near := spell.Nearest(name, c.names); near != "" {
		problem = ", did you mean " + near + "?"
	}
	return refusal.InvalidParams("%s has no argument %q%s", c.Label, name, problem)
}

// CompletionJob returns the job of a request for completions.
func (m *Maker) CompletionJob(t *Target, params *mcp.CompleteParams) *calls.Job {
	argument := term.New("-", term.Atom(params.Argument.Name), term.Atom(params.Argument.Value))
	return &calls.Job{
		Kind: calls.Complete, Name: t.Label,
		Program: t.program, Provider: t.Provider, Codec: t.codec, Time: m.set.Time,
		Goal:   term.New("completion", t.ref, argument, contextTerm(params.Context), varResult),
		Vars:   []*term.Var{varResult},
		Enough: firstSuffices,
		Finish: func(_ context.Context, c *calls.Call) (mcp.Result, error) { return completions(c) },
	}
}

// contextTerm is a list of Name-Value pairs of the arguments that already have values.
func contextTerm(given *mcp.CompleteContext) engine.Term {
	if given == nil {
		return term.Nil
	}
	var pairs []engine.Term
	for _, name := range slices.Sorted(maps.Keys(given.Arguments)) {
		pairs = append(pairs, term.New("-", term.Atom(name), term.Atom(given.Arguments[name])))
	}
	return term.List(pairs...)
}

// completions makes the result from completion(Values) or completion(Values, Total, HasMore). If the goal has failed,
// it proposes nothing.
func completions(c *calls.Call) (mcp.Result, error) {
	if len(c.Solutions) == 0 {
		return NoCompletions(), nil
	}
	x := c.First(varResult.Name)
	name, args := content.Split(x)
	if name != "completion" || len(args) != 1 && len(args) != 3 {
		return nil, fmt.Errorf("the result has to be completion(Values) or completion(Values, Total, HasMore), it is %s",
			content.Show(x))
	}
	r := NoCompletions()
	if err := readValues(&r.Completion, args[0]); err != nil {
		return nil, err
	}
	if len(args) == 3 {
		if err := readTotal(&r.Completion, args[1], args[2]); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// readValues reads the proposed values, at most as many as the protocol allows.
func readValues(d *mcp.CompletionResultDetails, list engine.Term) error {
	items, ok := term.Slice(list)
	if !ok {
		return fmt.Errorf("completion has to hold a list, it has %s", content.Show(list))
	}
	if len(items) > MaxCompletions {
		d.Total, d.HasMore = len(items), true
		items = items[:MaxCompletions]
	}
	for _, item := range items {
		text, ok := values.TextOf(item)
		if !ok {
			text = content.Text(item)
		}
		d.Values = append(d.Values, text)
	}
	return nil
}

// readTotal reads how many values there are in all, and whether there are more than those given.
func readTotal(d *mcp.CompletionResultDetails, total, more engine.Term) error {
	n, ok := total.(term.Int)
	if !ok || n < 0 {
		return fmt.Errorf("the total of completion(Values, Total, HasMore) has to be an integer from 0, it is %s",
			content.Show(total))
	}
	if more != engine.Term(term.True) && more != engine.Term(term.False) {
		return fmt.Errorf("the last argument of completion(Values, Total, HasMore) has to be true or false, it is %s",
			content.Show(more))
	}
	d.Total = max(d.Total, int(n))
	d.HasMore = d.HasMore || more == engine.Term(term.True)
	return nil
}
