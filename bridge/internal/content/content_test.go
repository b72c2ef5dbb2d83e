package content_test

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/schema"
)

var codec = &schema.Codec{}

// read returns the term of a text.
func read(t *testing.T, text string) engine.Term {
	x, err := engine.New(nil).ParseTerm("user", text)
	require.NoError(t, err, text)
	return x
}

// TestForms makes an item of each form, and says how people see it.
func TestForms(t *testing.T) {
	for text, want := range map[string]string{
		`text(hello)`:                           "hello",
		`text("a b")`:                           "a b",
		`text(f(a,'B'))`:                        "f(a,B)",
		`error(bad)`:                            "bad",
		`image('aGk=', 'image/png')`:            "[image image/png, 2 bytes]",
		`image('a G\nk', 'image/png')`:          "[image image/png, 2 bytes]",
		`audio("aA==", 'audio/wav')`:            "[audio audio/wav, 1 byte]",
		`resource_link('a:b', c)`:               "[c: a:b]",
		`resource_link('a:b', c, d, e)`:         "[c: a:b]",
		`resource('a:b', 'text/plain', "body")`: "body",
		`blob('a:b', 'x/y', 'aGk')`:             "[a:b x/y, 2 bytes]",
	} {
		item, err := content.Read(codec, read(t, text), content.InResults)
		require.NoError(t, err, text)
		var shown strings.Builder
		content.Print(&shown, []mcp.Content{item})
		require.Equal(t, want+"\n", shown.String(), text)
		require.Positive(t, content.Size([]mcp.Content{item}), text)
	}
}

// TestForeign says what is no item, or none of this holder.
func TestForeign(t *testing.T) {
	for text, want := range map[string]string{
		"text":                    "unknown result or content item: text",
		"text(a, b)":              "unknown result or content item: text(a,b)",
		"tool_use(a, b, {})":      "unknown result or content item",
		"image('?', 'image/png')": "content item image/2: the data is not base64",
		"blob(a, b, 'é')":         "content item blob/3: the data is not base64",
	} {
		_, err := content.Read(codec, read(t, text), content.InResults)
		require.ErrorContains(t, err, want, text)
	}
	for text, want := range map[string]string{
		"error(x)":                 "a message to a model holds text/1, image/2, audio/2, tool_use/3 and tool_result/2",
		"tool_use(a, b, c)":        "the input of tool_use has to be an object, it is c",
		"tool_result(a, x)":        "the result has to have a list of content items, it has x",
		"tool_result(a, [b])":      "unknown result or content item: b",
		"tool_result(a, [b|_])":    "the result has to have a list",
		"resource(a, b, c)":        "a message to a model holds",
		"tool_use(a, b, {c-f(X)})": "content item tool_use/3",
	} {
		_, err := content.Read(codec, read(t, text), content.InMessages)
		require.ErrorContains(t, err, want, text)
	}
}

// TestOfModels reads what a model may send, written as terms and read again.
func TestOfModels(t *testing.T) {
	for _, text := range []string{"text('')", "text('größer\n')", "image('aGk=','image/png')", "audio('','audio/wav')",
		"tool_use(id,name,{})", "tool_use(id,name,{a-1,b-[x,1.5,@true,@null],c-{d-'E'}})"} {
		x := read(t, text)
		item, err := content.Read(codec, x, content.InMessages)
		require.NoError(t, err, text)
		written, err := content.Write(codec, item)
		require.NoError(t, err, text)
		require.Equal(t, engine.FormatTerm(x), engine.FormatTerm(written))
	}
	_, err := content.Write(codec, &mcp.ResourceLink{})
	require.ErrorContains(t, err, "is not understood")
}

// TestErrors makes results errors that hold an item error/1, also within the result of a tool that goes to a model.
func TestErrors(t *testing.T) {
	for text, want := range map[string]bool{"[]": false, "[text(a)]": false, "[text(a), error(b), text(c)]": true} {
		r, err := content.ReadItems(codec, read(t, text))
		require.NoError(t, err, text)
		require.Equal(t, want, r.IsError, text)
		item, err := content.Read(codec, term.New("tool_result", term.Atom("id"), read(t, text)), content.InMessages)
		require.NoError(t, err, text)
		require.Equal(t, want, item.(*mcp.ToolResultContent).IsError, text)
	}
}
