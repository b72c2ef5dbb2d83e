// Package why explains calls of tools: why one has its answer, or why it has none. An [Explainer] keeps the data of a
// server's last calls that this needs: the answers of users, and the state of the facts that the calls saw.
package why

import (
	"cmp"
	"context"
	_ "embed" // for the schema
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/reasons"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/whypage"
)

// This file defines the tool why, and the search for explanations. It also defines the page that hosts of MCP Apps show
// for results of the tool why.

// Arguments are the arguments of the tool why.
type Arguments struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Answer    int             `json:"answer"`
	Node      string          `json:"node"`
	Depth     int             `json:"depth"`
	// RatherThan are outputs of another answer, Nodes asks for structured content.
	RatherThan json.RawMessage `json:"rather_than"`
	Nodes      bool            `json:"nodes"`
}

//go:embed arguments.json
var whySchemaJSON string

// Schema checks the arguments of the tool why.
var Schema = refusal.Schema("why", whySchemaJSON)

// Describe is what clients see of the tool why.
func Describe(name string) *mcp.Tool {
	return &mcp.Tool{
		Name:  name,
		Title: "Why, or why not",
		Description: "Explains a call of another tool: the rules and facts behind its answer, or what was missing and " +
			"what would have been enough. Use it for reasons, and before saying that something is impossible.",
		InputSchema: json.RawMessage(whySchemaJSON),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
		Meta:        mcp.Meta{"ui": map[string]any{"resourceUri": PageURI}}, // the page shows its results
	}
}

// Settings are the settings of an explainer.
type Settings struct {
	// Most is for how many of the last calls the state of the facts that they saw is kept.
	Most int
	// Limits are those of a call.
	engine.Limits
	// Origins says who asserted facts, and when. It is "" for unknown origins.
	Origins func(facts []host.Fact) []string
}

// Explainer explains calls. Goroutines share it.
type Explainer struct {
	runner *calls.Runner
	set    Settings
	told   toldCalls
}

// NewExplainer returns what explains the calls of a runner.
func NewExplainer(runner *calls.Runner, set *Settings) *Explainer {
	return &Explainer{runner: runner, set: *set, told: toldCalls{most: max(set.Most, 0)}}
}

// Keep keeps a call that was answered, so that it can be explained. Its moment belongs to the explainer then.
func (e *Explainer) Keep(c *calls.Call) {
	e.told.put(c.Job, slices.Clone(c.Past), c.Given, c.Moment)
	c.Moment = nil
}

// ForgetAll drops the data of calls on other programs.
func (e *Explainer) ForgetAll(but *engine.Program) { e.told.forgetAll(but) }

// search is a search for an explanation of a call. It has the answers that the user has given in that call.
type search struct {
	*calls.Call
	set *Settings
	cr  *calls.Request
}

// newSearch makes the search for an explanation of a call. past are the answers that the user has given in it,
// given is the time and chance of the call, nil where that is not known.
func (e *Explainer) newSearch(j *calls.Job, cr *calls.Request, past []dialogue.Reply, given *engine.Given) *search {
	w := &search{set: &e.set, Call: e.runner.NewCall(j)}
	w.Past = slices.Clone(past)
	if given != nil {
		w.Given = *given
	}
	w.cr = cr.Quietly(w.Call)
	return w
}

// The limits of the search for the nearest miss of a call that has failed.
const (
	MissTime       = time.Second // a goal that needs it has more inferences than may be, but on a machine that is busy
	missInferences = 500_000
	missMemory     = 32 << 20
)

// NearestMiss returns a line that says what was missing for a call without solutions, or "" if the search takes too
// long.
func (e *Explainer) NearestMiss(ctx context.Context, c *calls.Call) string {
	w := e.newSearch(c.Job, c.Request, c.Past, &c.Given)
	o := w.options(&Arguments{})
	o.Line, o.Time, o.Inferences, o.Memory = true, MissTime, missInferences, missMemory
	defer w.seeAs(c, o)()
	misses, err := inner.Of(c.Job.Program).WhyNotTerm(w.cr.Context(ctx), w.failing(), o)
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
	proofTime = 2 * time.Second
)

// AddProofs adds the proofs of the solutions of a call to its result, as many as there is time for.
func (e *Explainer) AddProofs(ctx context.Context, c *calls.Call, r *mcp.CallToolResult) {
	w := e.newSearch(c.Job, c.Request, c.Past, &c.Given)
	var proofs []*engine.Proof
	for i, s := range c.Solutions[:min(len(c.Solutions), maxProofs)] {
		o := w.options(&Arguments{Answer: i + 1})
		o.Values, o.Time = s.Values(), proofTime
		end := w.seeAs(c, o)
		proof, err := inner.Of(c.Job.Program).WhyTerm(w.cr.Context(ctx), w.goal(), o)
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

func (w *search) options(args *Arguments) *engine.WhyOptions {
	set := w.set
	o := &engine.WhyOptions{Answer: args.Answer, Node: args.Node, Depth: args.Depth, Limits: set.Limits, Ask: w.replies,
		Origins: set.Origins, Run: engine.RunOptions{Module: w.Job.Provider.Module, Served: true, Limits: set.Limits,
			Output: io.Discard, Restricted: w.Job.Restricted(), Given: w.Given}}
	o.Time, o.Run.Time = 0, w.Job.Time
	return o
}

// replies answers the questions of one run of the goal as they were answered in the call. What the run before has
// changed is forgotten.
func (w *search) replies() reasons.Replies {
	w.Asked, w.Changes = dialogue.Asked{}, calls.Changes{}
	return w.Repeat
}

// goal is what the call runs, failing what it tries first: what is missing for that is missing for the call.
func (w *search) goal() *source.Goal    { return &source.Goal{Term: w.Job.Goal, Vars: w.Job.Vars} }
func (w *search) failing() *source.Goal { return &source.Goal{Term: w.Job.First, Vars: w.Job.Vars} }

// Explain explains a call of a tool as args ask for it. rather are outputs of another answer, nil for none. show makes
// the answer in a proof what the tool gives.
func (e *Explainer) Explain(
	ctx context.Context, cr *calls.Request, j *calls.Job, args *Arguments, rather map[string]any,
	show func(proof *engine.Proof),
) (*mcp.CallToolResult, error) {
	told := e.told.find(j.Binding)
	defer told.release()
	return e.newSearch(j, cr, told.past, told.given).explain(ctx, args, told, rather, show)
}

// explain explains a call whose data is kept.
func (w *search) explain(ctx context.Context, args *Arguments, told *toldCall, rather map[string]any,
	show func(proof *engine.Proof)) (*mcp.CallToolResult, error) {
	j, cr, o := w.Job, w.cr, w.options(args)
	o.At, o.RatherThan = told.at(j.Program), rather
	proof, err := inner.Of(j.Program).WhyTerm(w.cr.Context(ctx), w.goal(), o)
	if err == nil {
		proof.Of = told.facts(j.Program)
		show(proof)
		return result(cr, args, proofText(proof), proof)
	}
	var few *reasons.FewAnswersError
	if !errors.As(err, &few) || few.Answers > 0 {
		return w.unexplained(ctx, o, err)
	}
	misses, err := inner.Of(j.Program).WhyNotTerm(w.cr.Context(ctx), w.failing(), o)
	if err != nil {
		return w.unexplained(ctx, o, err)
	}
	misses.Of = told.facts(j.Program)
	misses.Instead = j.Known(ctx, w.Call)
	return result(cr, args, missesText(misses), misses)
}

// ExplainCall explains a call that has just run, as it would be answered now.
func (e *Explainer) ExplainCall(ctx context.Context, cr *calls.Request, c *calls.Call, args *Arguments,
	rather map[string]any, show func(proof *engine.Proof)) (*mcp.CallToolResult, error) {
	return e.newSearch(c.Job, cr, c.Past, &c.Given).explain(ctx, args, &toldCall{}, rather, show)
}

// seeAs has a search see the database as a call does that is still running. end ends that.
func (w *search) seeAs(c *calls.Call, o *engine.WhyOptions) (end func()) {
	if c.Run == nil {
		return func() {}
	}
	o.At = c.Run.Keep()
	return o.At.Release
}

// unexplained is the result of a search that has come to no explanation. For a call that throws it says how the goal
// came to the exception.
func (w *search) unexplained(ctx context.Context, o *engine.WhyOptions, err error) (*mcp.CallToolResult, error) {
	if message, ok := dialogue.IsNewQuestion(err); ok {
		return refusal.Result("not_explained",
			"The explanation depends on a question that the user has not answered: "+message), nil
	}
	var noNode *reasons.NoNodeError
	var few *reasons.FewAnswersError
	if errors.As(err, &noNode) || errors.As(err, &few) {
		return refusal.Result("not_explained", refusal.Capitalize(err.Error())+"."), nil
	}
	if wrong := w.PanicError(err); wrong != nil {
		return nil, wrong
	}
	r := w.Failure(err)
	if exception := (*engine.Exception)(nil); errors.As(err, &exception) {
		misses, err := inner.Of(w.Job.Program).WhyNotTerm(w.cr.Context(ctx), w.failing(), o)
		if err == nil && misses.Line != "" {
			r.Content = append(r.Content, content.OfText(misses.Whole())...)
		}
	}
	return r, nil
}

// result is an explanation as the result of the tool why: its text, with its nodes for who asks for them, and for
// clients that show the page, which get the texts of the clauses too.
func result(cr *calls.Request, args *Arguments, text string, explanation interface {
	Clauses() map[string]string
},
) (*mcp.CallToolResult, error) {
	r := &mcp.CallToolResult{Content: content.OfText(text)}
	if !args.Nodes && !showsApps(cr.Caps) {
		return r, nil
	}
	raw, err := json.Marshal(explanation)
	if err != nil {
		return nil, err
	}
	r.StructuredContent = json.RawMessage(raw)
	if showsApps(cr.Caps) {
		r.Meta = mcp.Meta{MetaClauses: explanation.Clauses()}
	}
	return r, nil
}

// proofText is a proof as the text of such a result.
func proofText(proof *engine.Proof) string {
	text := proof.Text
	if proof.Truncated != nil && proof.More != "" {
		text += "The explanation was cut at the nodes with dots. For more, ask again with node: " + proof.More + ".\n"
	}
	return text + strings.TrimPrefix(proof.Of+"\n", "\n")
}

// missesText are misses as the text of such a result, with the advice that the call gets too.
func missesText(misses *reasons.Misses) string {
	text := cmp.Or(misses.Whole(), "There is no answer, and no reason was found.\n")
	if advice := InsteadText(misses.Instead); advice != "" {
		text += strings.TrimPrefix(advice, "\n") + "\n"
	}
	return text + strings.TrimPrefix(misses.Of+"\n", "\n")
}

// InsteadText is the advice as lines, each of which begins with a new line.
func InsteadText(list []reasons.Instead) string {
	var b strings.Builder
	for _, other := range list {
		values := make([]string, len(other.Values))
		for i, value := range other.Values {
			quoted, _ := json.Marshal(value) // a string always has JSON
			values[i] = string(quoted)
		}
		fmt.Fprintf(&b, "\nThere are solutions for %s: %s.", other.Name, strings.Join(values, ", "))
	}
	return b.String()
}

// The names that MCP Apps are agreed on with.
const (
	// ExtensionUI is the name under which MCP Apps are agreed on.
	ExtensionUI = "io.modelcontextprotocol/ui"
	// MIMEApp is the type of the pages that are shown.
	MIMEApp = "text/html;profile=mcp-app"
)

// PageURI is the address of the page.
const PageURI = "ui://mcplogic/why"

// MetaClauses is the member of the _meta of an explanation that has the texts of its clauses, by their places. Only
// clients that show the page get it.
const MetaClauses = "mcplogic/clauses"

// DescribePage is what clients see of the page.
func DescribePage() *mcp.Resource {
	return &mcp.Resource{URI: PageURI, Name: "why", Title: "Why, or why not", MIMEType: MIMEApp,
		Description: "A page that shows results of the tool why as a tree."}
}

// ReadPage handles a request for the page.
func ReadPage(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
		{URI: PageURI, MIMEType: MIMEApp, Text: whypage.App}}}, nil
}

// showsApps reports whether a client shows the pages of tools.
func showsApps(caps *mcp.ClientCapabilities) bool {
	return caps != nil && caps.Extensions[ExtensionUI] != nil
}

// This part defines what the server keeps of its last calls, so that they can be explained: what users have answered,
// and the state of the facts that the call saw.

// toldCalls are the last calls of tools.
type toldCalls struct {
	mu    sync.Mutex
	calls []*toldCall // the newest first
	most  int         // calls whose state is kept
}

// toldCall is a call of a tool that was answered. Who has it from find must release it.
type toldCall struct {
	binding string
	past    []dialogue.Reply
	given   *engine.Given
	program *engine.Program
	// moment is the state that the call saw, nil when it is not kept any more; then gone is set.
	moment *engine.Moment
	gone   bool
	users  int // those who explain it, and one while it is kept; guarded by toldCalls.mu
	of     *toldCalls
}

// remembered is how many calls are known for each one whose state is kept.
const remembered = 8

// put keeps a call. The moment belongs to it then. Of a call that is too old only the binding stays known.
func (t *toldCalls) put(j *calls.Job, past []dialogue.Reply, given engine.Given, moment *engine.Moment) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := t.index(j.Binding); at >= 0 {
		t.calls[at].forget()
		t.calls = slices.Delete(t.calls, at, at+1)
	}
	c := &toldCall{binding: j.Binding, past: past, given: &given, program: j.Program, moment: moment, users: 1, of: t}
	t.calls = slices.Insert(t.calls, 0, c)
	if t.most < len(t.calls) {
		t.calls[t.most].forget() // those behind it were forgotten before
	}
	clear(t.calls[min(t.most*remembered, len(t.calls)):])
	t.calls = t.calls[:min(t.most*remembered, len(t.calls))]
}

// index is where the call with a binding is, -1 for none.
func (t *toldCalls) index(binding string) int {
	return slices.IndexFunc(t.calls, func(c *toldCall) bool { return c.binding == binding })
}

// forget gives up what is kept of a call, once nobody explains it any more. The call itself stays known.
func (c *toldCall) forget() {
	if !c.gone {
		c.gone = true
		c.drop()
	}
}

// drop is one user less.
func (c *toldCall) drop() {
	if c.users--; c.users == 0 {
		c.moment.Release()
		c.moment, c.program, c.past, c.given = nil, nil, nil, nil
	}
}

// forgetAll gives up what is kept of all calls on other programs, which would stay in memory with them.
func (t *toldCalls) forgetAll(but *engine.Program) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.calls {
		if c.program != but {
			c.forget()
		}
	}
}

// find returns the last call with a binding, or one of which nothing is known.
func (t *toldCalls) find(binding string) *toldCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.index(binding)
	if at < 0 || t.calls[at].gone {
		return &toldCall{gone: at >= 0}
	}
	t.calls[at].users++
	return t.calls[at]
}

// release says that a call from find is not used any more.
func (c *toldCall) release() {
	if c.of == nil {
		return
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.drop()
}

// at is the state that the call saw, nil for that of now.
func (c *toldCall) at(p *engine.Program) *engine.Moment {
	if c.program != p {
		return nil
	}
	return c.moment
}

// facts says of which facts an explanation of the call is, "" if there are no others.
func (c *toldCall) facts(p *engine.Program) string {
	switch at := c.at(p); {
	case at != nil && at.Changed():
		return "These are the facts as they were when the call was answered. Facts have changed since."
	case at == nil && (c.of != nil || c.gone):
		return "These are the facts as they are now. Those that the call saw are not kept any more."
	}
	return ""
}
