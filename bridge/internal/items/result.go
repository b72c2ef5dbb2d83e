package items

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/reasons"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/kb"
)

// This file makes the results of tools: from solutions by automatic dispatch, from the terms that providers give, and
// from errors.

// result makes the result of a call of a tool.
func (m *Maker) result(ctx context.Context, t *Tool, c *calls.Call) (mcp.Result, error) {
	r, err := m.solved(ctx, t, c)
	if err != nil {
		return nil, err
	}
	if t.Explain == kb.ExplainAlways && c.Run != nil {
		m.why.AddProofs(ctx, c, r)
	}
	if c.Job.Note != "" {
		r.Content = append(r.Content, content.OfText(c.Job.Note)...)
	}
	size := 0
	if raw, ok := r.StructuredContent.(json.RawMessage); ok {
		size = len(raw)
	}
	r.Content = append(r.Content, c.Printed()...)
	if size += content.Size(r.Content); size > 2*t.codec.Limit() { // text and structure have the same contents
		return nil, fmt.Errorf("%w: it has %d bytes", schema.ErrTooLarge, size)
	}
	listed, _ := t.Listed.OutputSchema.(json.RawMessage)
	m.parts.Cut(r, &c.Job.Page, c.Job.User, listed)
	return r, nil
}

func (m *Maker) solved(ctx context.Context, t *Tool, c *calls.Call) (*mcp.CallToolResult, error) {
	switch {
	case isCustom(c) && c.Solutions[0].Undefined():
		r, err := t.given(c.First(varResult.Name))
		if err != nil {
			return nil, err
		}
		r.Content = append(r.Content, content.OfText(undefinedText)...)
		return r, t.markUndefined(r)
	case isCustom(c):
		return t.given(c.First(varResult.Name))
	case len(t.out) == 0:
		return t.truth(ctx, c)
	case t.All:
		if len(c.Solutions) >= c.Job.Page.Skip+c.Job.Page.Limit {
			c.Probe(ctx)
		}
		return m.all(ctx, t, c)
	case len(c.Solutions) == 0:
		return nil, c.Failed(ctx)
	}
	row := t.row(c.Solutions[0])
	raw, err := t.codec.Results(t.withPrinted(c, row), t.told)
	if err != nil {
		return nil, badOutput(err, row...)
	}
	return &mcp.CallToolResult{Content: content.OfText(t.lines(row)), StructuredContent: raw}, nil
}

// withPrinted are the values of t.told for a solution.
func (t *Tool) withPrinted(c *calls.Call, row []engine.Term) []engine.Term {
	if len(t.told) == len(row) {
		return row
	}
	var printed engine.Term
	if text := c.PrintedText(); text != "" {
		printed = term.String(text)
	}
	return append(row[:len(row):len(row)], printed)
}

// badOutput is the error of outputs that do not fit their types.
func badOutput(err error, row ...engine.Term) error {
	for _, x := range row {
		name, args := content.Split(x)
		if len(args) == 2 && strings.Contains("+*/", cmp.Or(name, "none")) {
			err = fmt.Errorf("%w\nA rule gave an expression where its value is meant: use is/2, as = does not calculate", err)
			break
		}
	}
	return calls.BadOutput("the output does not fit its declared type", err)
}

// markUndefined marks structured content as undefined, because many clients show only this content. It returns an error
// if the content cannot be marked.
func (t *Tool) markUndefined(r *mcp.CallToolResult) error {
	raw, ok := r.StructuredContent.(json.RawMessage)
	if !ok {
		return nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return calls.ErrUndefined
	}
	members[memberUndefined] = json.RawMessage("true")
	raw, _ = json.Marshal(members) // of JSON
	if t.output != nil && t.output.Validate(raw) != nil {
		return calls.ErrUndefined
	}
	r.StructuredContent = raw
	return nil
}

// undefinedText is the text of an undefined result.
const undefinedText = "undefined: the rules make it neither true nor false"

// truth is the result of a predicate without outputs.
func (t *Tool) truth(ctx context.Context, c *calls.Call) (*mcp.CallToolResult, error) {
	switch {
	case len(c.Solutions) > 0 && c.Solutions[0].Undefined():
		return &mcp.CallToolResult{Content: content.OfText(undefinedText)}, nil
	case len(c.Solutions) > 0:
		return &mcp.CallToolResult{Content: content.OfText("true")}, nil
	case t.All:
		return &mcp.CallToolResult{Content: content.OfText("false")}, nil
	}
	return nil, c.Failed(ctx)
}

// all is the result of a predicate if all solutions are wanted.
func (m *Maker) all(ctx context.Context, t *Tool, c *calls.Call) (*mcp.CallToolResult, error) {
	p := c.Job.Page
	solutions := c.Solutions[min(p.Skip, len(c.Solutions)):]
	digest, err := t.skipped(c)
	if err != nil {
		return nil, err
	}
	rows := make([]json.RawMessage, 0, len(solutions))
	blocks := make([]string, 0, len(solutions)+1)
	size, shown, taken := 0, 0, 0
	var missing []string
	more := c.More
	for _, solution := range solutions {
		row := t.row(solution)
		raw, err := t.codec.Results(row, t.rows)
		if schema.IsMissing(err) {
			missing = append(missing, fmt.Sprintf("Solution %d was left out: %s.", p.Skip+taken+1, err))
			taken++
			continue
		}
		if err != nil {
			return nil, badOutput(err)
		}
		text := t.lines(row)
		if shown += max(len(raw), len(text)); p.Pages && shown > p.Size && len(rows) > 0 {
			more = true
			break
		}
		if size += len(raw); size > t.codec.Limit() {
			return nil, fmt.Errorf("%w: %d solutions have more than %d bytes", schema.ErrTooLarge, len(solutions),
				t.codec.Limit())
		}
		taken++
		rows, blocks = append(rows, raw), append(blocks, text)
		digest.Add(raw)
	}
	structured := schema.Object{}.With("solutions", rows).With("more", more)
	cursor := ""
	if more && p.Pages {
		cursor = m.seal.Cursor(p.Skip+taken, digest.Text(), p.Binding)
		structured = structured.With(sealed.Argument, cursor)
	}
	note := ""
	switch {
	case taken == 0 && p.Skip > 0:
		blocks = append(blocks, "There are no further solutions.")
	case taken == 0:
		note = c.AdviceText(ctx)
		blocks = append(blocks, "There are no solutions."+note)
	case more:
		rest := sealed.PageNote(p.Skip, p.Skip+taken, cursor)
		blocks = append(blocks, rest)
		if cursor == "" {
			note = rest
		}
	}
	if len(missing) > 0 {
		const most = 5
		if n := len(missing) - most; n > 0 {
			missing = append(missing[:most], fmt.Sprintf("And %d more.", n))
		}
		told := strings.Join(missing, "\n")
		note, blocks = note+"\n"+told, append(blocks, told)
	}
	if note = strings.TrimSpace(note + "\n" + c.Job.Note); note != "" {
		structured = structured.With(memberNote, note)
	}
	if printed := c.PrintedText(); printed != "" {
		structured = structured.With(memberPrinted, printed)
	}
	text := content.OfText(strings.Join(blocks, "\n\n"))
	return &mcp.CallToolResult{Content: text, StructuredContent: structured.JSON()}, nil
}

// skipped returns the digest of the solutions before the page, or an error if they differ from those that the cursor of
// the call was made for.
func (t *Tool) skipped(c *calls.Call) (sealed.Digest, error) {
	p, digest := c.Job.Page, sealed.NewDigest()
	if !p.Pages {
		return digest, nil
	}
	for _, solution := range c.Solutions[:min(p.Skip, len(c.Solutions))] {
		raw, err := t.codec.Results(t.row(solution), t.rows)
		if schema.IsMissing(err) {
			continue
		}
		if err != nil {
			return digest, badOutput(err)
		}
		digest.Add(raw)
	}
	if p.Digest != "" && (len(c.Solutions) < p.Skip || digest.Text() != p.Digest) {
		return digest, sealed.ErrOldCursor
	}
	return digest, nil
}

// lines shows outputs, a line each.
func (t *Tool) lines(row []engine.Term) string {
	var lines []string
	for i, value := range row {
		if value != nil {
			lines = append(lines, t.rows[i].Name+": "+t.shown(t.rows[i].Type, value))
		}
	}
	if len(lines) == 0 {
		return "true"
	}
	return strings.Join(lines, "\n")
}

// shown is an output as text. Outputs of types such as term have quotes, as in JSON, so that they can be read back.
// Lists and objects are shown as their JSON, so that a comma within a text differs from one between two. All other
// outputs are shown as plain text.
func (t *Tool) shown(typ *schema.Type, value engine.Term) string {
	if !schema.Within(value, content.MaxShown) {
		return content.Text(value)
	}
	if typ.IsProlog() {
		return t.codec.Format(value)
	}
	if text, ok := typ.Exact(value); ok {
		return text
	}
	if _, nested := value.(*term.Compound); nested {
		if raw, err := t.codec.ToJSON(value, typ); err == nil && (raw[0] == '[' || raw[0] == '{') {
			return string(raw)
		}
	}
	return content.Text(value)
}

// given makes the result from the term that a clause of tool_call returned.
func (t *Tool) given(x engine.Term) (*mcp.CallToolResult, error) {
	name, args := content.Split(x)
	switch {
	case name == "results" && len(args) == 1:
		return content.ReadItems(t.codec, args[0])
	case name == "structured" && len(args) == 1:
		raw, err := t.structure(args[0])
		return &mcp.CallToolResult{Content: content.OfText(string(raw)), StructuredContent: raw}, err
	case name == "structured" && len(args) == 2:
		r, err := content.ReadItems(t.codec, args[0])
		if err == nil {
			r.StructuredContent, err = t.structure(args[1])
		}
		return r, err
	}
	return content.ReadItems(t.codec, term.List(x))
}

// structure converts structured content and validates it against the schema that clients see.
func (t *Tool) structure(x engine.Term) (json.RawMessage, error) {
	raw, err := t.codec.Structured(x, t.output)
	if err == nil && t.output != nil {
		err = t.output.Validate(raw)
	}
	if err != nil {
		return nil, calls.BadOutput("the structured content does not fit", err)
	}
	return raw, nil
}

// advice names, for each input that may be any text, the values for which the other inputs have solutions. It runs the
// predicate with a variable in place of the value, and rolls back its changes. Only tools with outputs and all
// solutions get such advice, because an input of another tool may be a secret that the tool checks.
func (m *Maker) advice(ctx context.Context, t *Tool, c *calls.Call, args *Arguments) (list []reasons.Instead) {
	if t.asks || t.custom || !t.All || len(t.out) == 0 {
		return nil
	}
	began := time.Now()
	for i, p := range t.in {
		left := adviceTime - time.Since(began)
		if args.values[i] == nil || !p.Type.IsText() || left <= 0 {
			continue
		}
		if values := m.valuesOf(ctx, t, c, args, i, left); len(values) > 0 {
			list = append(list, reasons.Instead{Name: p.Name, Values: values})
		}
	}
	return list
}

// The bounds of the whole search for other values, and of the values for one input. If there are more values, none are
// shown.
const (
	adviceTime       = time.Second // a guard for a busy machine: the inferences take some 20 ms
	adviceInferences = 200_000
	maxAdvice        = 12
)

// valuesOf returns the values of one input that a client can give and that have solutions. It leaves out texts of
// another type than the input's. It returns none if there are too many values, if a value is not a text, or if the
// search does not end.
func (m *Maker) valuesOf(
	ctx context.Context, t *Tool, c *calls.Call, args *Arguments, i int, left time.Duration,
) []string {
	other := &Arguments{values: append([]engine.Term{}, args.values...)}
	v := &term.Var{Name: "Value", ID: -5}
	other.values[i] = v
	goal, _ := t.dispatch(other)
	run, err := inner.Of(c.Job.Program).StartTerm(goal, []*term.Var{v}, &engine.RunOptions{Module: t.Provider.Module,
		Served: true, Transaction: true,
		Limits:     engine.Limits{Time: left, Inferences: adviceInferences, Memory: m.set.Memory},
		Restricted: c.Job.Restricted()})
	if err != nil {
		return nil
	}
	defer run.Close()
	var list []string
	seen := map[string]bool{}
	for {
		state, err := run.Next(ctx)
		if err != nil || state == engine.Waiting {
			return nil
		}
		if state != engine.Answer {
			return list
		}
		value := run.Solution().Get(v.Name)
		text, ok := term.Text(value)
		if !ok || len(list) == maxAdvice {
			return nil
		}
		raw, _ := json.Marshal(text) // it is a string
		given, err := t.codec.FromJSON(raw, t.in[i].Type)
		if err == nil && given == value && !seen[text] {
			seen[text] = true
			list = append(list, text)
		}
	}
}
