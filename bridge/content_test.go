package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// TestContentLimits refuses results of many small items, whatever they are.
func TestContentLimits(t *testing.T) {
	s := NewServer(loadText(t, `
		tools([tool(many, many, 2)]).
		:- mode(many(+integer, +term), one).
		:- info(many/2, [argnames is [n, item], comment is 'Repeats an item.']).
		many(_, _).
		tool_call(many, [n-N, item-Item], results(Items)) :- length(Items, N), maplist(=(Item), Items).
	`), nil)
	cs := connect(t, s, "2025-11-25", nil)
	for _, test := range []struct {
		item      string
		few, many int
	}{
		{"resource_link('x://a/long/address/of/a/resource', 'the name of the resource')", 1000, 60000},
		{"text('')", 1000, 100000},
		{"resource('x://a/long/address/of/a/resource', 'text/plain', '')", 1000, 100000},
	} {
		call := func(n int) *mcp.CallToolResult {
			args, err := json.Marshal(map[string]any{"n": n, "item": test.item})
			require.NoError(t, err)
			return bridgetest.CallTool(t, cs, "many", string(args))
		}
		require.Len(t, call(test.few).Content, test.few, test.item)
		refused := call(test.many)
		require.True(t, refused.IsError, test.item)
		require.Contains(t, bridgetest.TextsOf(refused)[0], "The limit on the size of a result, 1048576 bytes, was exceeded")
	}
}

// TestContentForms wants each form of items that results may have in a clause of form/2 of the examples of results.
func TestContentForms(t *testing.T) {
	program := load(t, "testdata/kb/results.pl").Program
	found, err := program.Once(t.Context(), "findall(Result, form(_, Result), Results)", nil)
	require.NoError(t, err)
	used := map[string]bool{}
	for part := range term.Parts(found.Get("Results")) {
		name, arity, _ := term.Indicator(part)
		used[fmt.Sprintf("%s/%d", name, arity)] = true
	}
	for _, f := range content.Forms {
		if form := fmt.Sprintf("%s/%d", f.Name, f.Arity); f.Where&content.InResults != 0 && !used[form] {
			t.Errorf("no clause of form/2 in testdata/kb/results.pl has the item %s", form)
		}
	}
}

// TestContentSize wants each item to count for about its JSON, of an unknown form too.
func TestContentSize(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	for _, item := range []mcp.Content{
		&mcp.TextContent{Text: long}, &mcp.ImageContent{Data: []byte(long)}, &mcp.AudioContent{Data: []byte(long)},
		&mcp.ResourceLink{URI: long}, &mcp.ResourceLink{Name: long}, &mcp.ResourceLink{Title: long},
		&mcp.ResourceLink{Description: long}, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{Text: long}},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{Blob: []byte(long)}},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: long}}, &mcp.ImageContent{MIMEType: long},
		&mcp.ToolUseContent{Input: map[string]any{"x": long}},
		&mcp.ToolResultContent{Content: []mcp.Content{&mcp.TextContent{Text: long}}},
	} {
		size := content.Size([]mcp.Content{item})
		require.GreaterOrEqual(t, size, len(long), "%T", item)
		require.LessOrEqual(t, size, len(long)+200, "%T", item)
	}
}

// TestPrintContent shows each kind of item.
func TestPrintContent(t *testing.T) {
	var out bytes.Buffer
	content.Print(&out, []mcp.Content{
		&mcp.TextContent{Text: "hello"}, &mcp.ImageContent{Data: []byte("x"), MIMEType: "image/png"},
		&mcp.AudioContent{Data: []byte("xy"), MIMEType: "audio/wav"}, &mcp.ResourceLink{URI: "x://y", Name: "y"},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "x://y", Text: "text"}},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "x://y", MIMEType: "image/png", Blob: []byte("x")}},
		&mcp.ToolUseContent{ID: "1", Name: "add", Input: map[string]any{}},
	})
	require.Equal(t, `hello
[image image/png, 1 byte]
[audio audio/wav, 2 bytes]
[y: x://y]
text
[x://y image/png, 1 byte]
{"type":"tool_use","id":"1","name":"add","input":{}}
`, out.String())
}

// TestContentsLimit refuses a resource of many contents without a text.
func TestContentsLimit(t *testing.T) {
	s := NewServer(loadText(t, `
		resources([resource('x://few', few, '', 'text/plain'), resource('x://many', many, '', 'text/plain')]).
		resource_read(URI, _, contents(Items)) :-
			( URI == 'x://few' -> N = 1000 ; N = 100000 ),
			length(Items, N),
			maplist(=(text_content('x://a', 'text/plain', '')), Items).
	`), nil)
	cs := connect(t, s, "2025-11-25", nil)
	r, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "x://few"})
	require.NoError(t, err)
	require.Len(t, r.Contents, 1000)
	_, err = cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "x://many"})
	require.ErrorContains(t, err, "The limit on the size of a result")
}
