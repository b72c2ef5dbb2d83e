package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the results of tools: from solutions by automatic dispatch, from the terms
// that providers give, and from what went wrong.

// result makes the result of a call of a tool.
func (t *tool) result(ctx context.Context, c *call, limit int) (mcp.Result, error) {
	r, err := t.solved(ctx, c, limit)
	if err != nil {
		return nil, err
	}
	size := 0
	if raw, ok := r.StructuredContent.(json.RawMessage); ok {
		size = len(raw)
	}
	r.Content = append(r.Content, c.printedContent()...)
	if size += contentSize(r.Content); size > 2*t.codec.Limit() { // text and structure say the same
		return nil, fmt.Errorf("%w: it has %d bytes", schema.ErrTooLarge, size)
	}
	return r, nil
}

func (t *tool) solved(ctx context.Context, c *call, limit int) (*mcp.CallToolResult, error) {
	switch {
	case c.isCustom():
		return t.given(c, c.first(varResult.Name))
	case len(t.out) == 0:
		return t.truth(c)
	case t.All:
		if len(c.solutions) >= limit {
			c.probe(ctx)
		}
		return t.all(c)
	case len(c.solutions) == 0:
		return nil, errFailed
	}
	row := t.row(c.solutions[0])
	raw, err := t.codec.Results(row, t.out)
	if err != nil {
		return nil, badOutput(err)
	}
	return &mcp.CallToolResult{Content: textContent(t.lines(row)), StructuredContent: raw}, nil
}

// badOutput is the error of outputs that do not fit their types.
func badOutput(err error) error {
	if errors.Is(err, schema.ErrTooLarge) {
		return err
	}
	return fmt.Errorf("the output does not fit its declared type:\n%w", err)
}

// truth is the result of a predicate without outputs.
func (t *tool) truth(c *call) (*mcp.CallToolResult, error) {
	switch {
	case len(c.solutions) > 0:
		return &mcp.CallToolResult{Content: textContent("true")}, nil
	case t.All:
		return &mcp.CallToolResult{Content: textContent("false")}, nil
	}
	return nil, errFailed
}

// all is the result of a predicate all of whose solutions are wanted.
func (t *tool) all(c *call) (*mcp.CallToolResult, error) {
	rows := make([]json.RawMessage, 0, len(c.solutions))
	blocks := make([]string, 0, len(c.solutions)+1)
	size := 0
	for _, solution := range c.solutions {
		row := t.row(solution)
		raw, err := t.codec.Results(row, t.out)
		if err != nil {
			return nil, badOutput(err)
		}
		if size += len(raw); size > t.codec.Limit() {
			return nil, fmt.Errorf("%w: %d solutions have more than %d bytes", schema.ErrTooLarge, len(c.solutions),
				t.codec.Limit())
		}
		rows, blocks = append(rows, raw), append(blocks, t.lines(row))
	}
	switch {
	case len(rows) == 0:
		blocks = append(blocks, "There are no solutions.")
	case c.more:
		blocks = append(blocks, fmt.Sprintf("There are more solutions; "+
			"these are the first %d, the limit on solutions of one call.", len(rows)))
	}
	return &mcp.CallToolResult{Content: textContent(strings.Join(blocks, "\n\n")),
		StructuredContent: schema.Object{}.With("solutions", rows).With("more", c.more).JSON()}, nil
}

// row returns the outputs of a solution, nil for those that were given as inputs.
func (t *tool) row(s engine.Solution) []engine.Term {
	values := make([]engine.Term, len(t.out))
	for i := range values {
		values[i] = s.Get(outputName(i))
	}
	return values
}

// lines shows outputs, a line each.
func (t *tool) lines(row []engine.Term) string {
	var lines []string
	for i, value := range row {
		if value != nil {
			lines = append(lines, t.out[i].Name+": "+t.shown(t.out[i].Type, value))
		}
	}
	if len(lines) == 0 {
		return "true"
	}
	return strings.Join(lines, "\n")
}

// shown is an output as text. Outputs of types such as term have quotes, as in JSON, so that they can be read back.
// Lists and objects are shown as their JSON, so that a comma within a text differs from one between two. All else is
// plain text.
func (t *tool) shown(typ *schema.Type, value engine.Term) string {
	if !schema.Within(value, maxShown) {
		return textOf(value)
	}
	if typ.IsProlog() {
		return t.codec.Format(value)
	}
	if _, nested := value.(*term.Compound); nested {
		if raw, err := t.codec.ToJSON(value, typ); err == nil && (raw[0] == '[' || raw[0] == '{') {
			return string(raw)
		}
	}
	return textOf(value)
}

// given is the result that the term of a clause of tool_call stands for.
func (t *tool) given(c *call, x engine.Term) (*mcp.CallToolResult, error) {
	name, args := splitCompound(x)
	switch {
	case name == "results" && len(args) == 1:
		return readItems(t.codec, args[0])
	case name == "structured" && len(args) == 1:
		raw, err := t.structure(args[0])
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{Content: textContent(string(raw)), StructuredContent: raw}, nil
	case name == "structured" && len(args) == 2:
		return t.structuredItems(args[0], args[1])
	}
	return readItems(t.codec, term.List(x))
}

func (t *tool) structuredItems(items, x engine.Term) (*mcp.CallToolResult, error) {
	r, err := readItems(t.codec, items)
	if err != nil {
		return nil, err
	}
	raw, err := t.structure(x)
	if err != nil {
		return nil, err
	}
	r.StructuredContent = raw
	return r, nil
}

// structure converts structured content and validates it against the schema that clients see.
func (t *tool) structure(x engine.Term) (json.RawMessage, error) {
	if t.output == nil {
		raw, err := t.codec.ToJSON(x, nil)
		if err != nil {
			return nil, badStructure(err)
		}
		return raw, nil
	}
	raw, err := t.codec.ToJSONAs(x, t.output)
	if err == nil {
		err = t.output.Validate(raw)
	}
	if err != nil {
		return nil, badStructure(err)
	}
	return raw, nil
}

func badStructure(err error) error {
	if errors.Is(err, schema.ErrTooLarge) {
		return err
	}
	return fmt.Errorf("the structured content does not fit:\n%w", err)
}

// splitCompound returns the functor and arguments of a compound, "" for other terms.
func splitCompound(x engine.Term) (name string, args []engine.Term) {
	if c, ok := x.(*term.Compound); ok {
		return string(c.Functor), c.Args
	}
	return "", nil
}

// textContent returns a text content item.
func textContent(text string) []mcp.Content {
	return []mcp.Content{&mcp.TextContent{Text: strings.ToValidUTF8(text, "\uFFFD")}}
}

// maxShown bounds the parts of a term that is shown in full. Nobody wants to read a larger one, and if it shares parts
// its text may be larger than any memory.
const maxShown = 100_000

// textOf is a term as text: that of an atom or string, else what write/1 shows.
func textOf(x engine.Term) string {
	if text, ok := term.Text(x); ok {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	if !schema.Within(x, maxShown) {
		return schema.Summary(x)
	}
	return engine.FormatText(x)
}

// showTerm is a term in a message, not too long.
func showTerm(x engine.Term) string { return showWith(engine.FormatTerm, x) }

func showWith(format func(engine.Term) string, x engine.Term) string {
	if !schema.Within(x, 10_000) {
		return schema.Summary(x)
	}
	const most = 2000
	text := []rune(format(x))
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}

// printedContent is what the goal has printed, as an item.
func (c *call) printedContent() []mcp.Content {
	if c.printed == nil || c.printed.Len() == 0 {
		return nil
	}
	text := c.printed.String()
	if c.printed.Dropped > 0 {
		text += fmt.Sprintf("\n(%d more bytes of output were dropped)", c.printed.Dropped)
	}
	return textContent(text)
}
