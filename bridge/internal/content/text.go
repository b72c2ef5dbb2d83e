package content

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/schema"
)

// This file defines how terms are shown to clients, and what is taken from terms.

// OfText returns a text content item.
func OfText(text string) []mcp.Content {
	return []mcp.Content{&mcp.TextContent{Text: strings.ToValidUTF8(text, "\uFFFD")}}
}

// MaxShown bounds the parts of a term that is shown in full. Nobody wants to read a larger one, and if it shares parts
// its text may be larger than any memory.
const MaxShown = 100_000

// Text is a term as text: that of an atom or string, else what write/1 shows.
func Text(x engine.Term) string {
	if text, ok := term.Text(x); ok {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	if !schema.Within(x, MaxShown) {
		return schema.Summary(x)
	}
	return engine.FormatText(x)
}

// Show is a term in a message, not too long.
func Show(x engine.Term) string { return ShowWith(engine.FormatTerm, x) }

// ShowWith is Show with another writer.
func ShowWith(format func(engine.Term) string, x engine.Term) string {
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

// Split returns the functor and arguments of a compound, "" for other terms.
func Split(x engine.Term) (name string, args []engine.Term) {
	if c, ok := x.(*term.Compound); ok {
		return string(c.Functor), c.Args
	}
	return "", nil
}

// Message takes message(Role, Content) apart.
func Message(x engine.Term) (mcp.Role, engine.Term, error) {
	args, ok := term.Is(x, "message", 2)
	if !ok {
		return "", nil, fmt.Errorf("expected message(Role, Content), got %s", Show(x))
	}
	role := Text(args[0])
	if role != "user" && role != "assistant" {
		return "", nil, fmt.Errorf("the role of a message has to be user or assistant, it is %s", Show(args[0]))
	}
	return mcp.Role(role), args[1], nil
}

// Number is a number as a float.
func Number(x engine.Term) (float64, error) {
	switch n := x.(type) {
	case term.Int:
		return float64(n), nil
	case term.Float:
		return float64(n), nil
	}
	return 0, engine.TypeError("number", x)
}
