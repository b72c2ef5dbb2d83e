package bridge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// anyTexts are texts of many scripts and of none.
var anyTexts = []string{"", " ", "quelle été", "Füße", "Приве́т, мир", "שלום עולם", "مرحبا \u202Eبالعالم\u202C",
	"日本語のテキスト", "नमस्ते दुनिया", "ไม่มีช่องว่าง", "👩\u200D👩\u200D👧 🇺🇳", "e\u0301\u0327",
	"\u0000\u0001\u001b[31mred", "a\r\nb\tc\u2028d", "\uFEFFmark", "\U0010FFFF",
	`"quoted" \back\ {"json": [1]}`, "'a'(b) % no comment", strings.Repeat("長い", 20_000)}

// Descriptions and results are of any script and size: what a goal is given comes back as it was, in the text, in the
// structured content and in what a model is told of the tool. A long text comes in parts.
func TestAnyText(t *testing.T) {
	var about strings.Builder
	about.WriteString(":- mode(echo(+string, -string), one).\necho(X, X).\n")
	tools := []string{"tool(echo, echo, 2)"}
	for i, text := range anyTexts {
		quoted, err := json.Marshal(text)
		require.NoError(t, err)
		escaped := strings.NewReplacer(`\u0000`, `\x0\`, `\u0001`, `\x1\`, `\u001b`, `\x1B\`, `\u2028`, `\x2028\`).
			Replace(string(quoted))
		fmt.Fprintf(&about, ":- info(t%d/1, [title is %s, comment is %[2]s, argnames is [a]]).\n"+
			":- mode(t%[1]d(-string), one).\nt%[1]d(%[2]s).\n", i, escaped)
		tools = append(tools, fmt.Sprintf("tool(t%d, t%[1]d, 1)", i))
	}
	about.WriteString("tools([" + strings.Join(tools, ", ") + "]).\n")
	s := NewServer(loadText(t, about.String()), nil)
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		cs := connect(t, s, version, nil)
		list, err := cs.ListTools(t.Context(), &mcp.ListToolsParams{})
		require.NoError(t, err)
		told := map[string]string{}
		for _, tool := range list.Tools {
			require.True(t, utf8.ValidString(tool.Description))
			told[tool.Name] = tool.Description
		}
		for i, text := range anyTexts {
			name := fmt.Sprintf("t%d", i)
			require.Contains(t, told[name], strings.TrimSpace(text)[:min(len(strings.TrimSpace(text)), 1000)], name)
			for called, with := range map[string]map[string]string{"echo": {"Arg1": text}, name: {}} {
				whole, first := "", ""
				for cursor := "-"; cursor != ""; {
					args, err := json.Marshal(with)
					require.NoError(t, err)
					r := bridgetest.CallTool(t, cs, called, string(args))
					require.False(t, r.IsError, "%.200q", bridgetest.TextsOf(r))
					var got struct{ Arg2, A, Cursor string }
					require.NoError(t, json.Unmarshal([]byte(structureOf(t, r)), &got))
					whole, cursor = whole+got.Arg2+got.A, got.Cursor
					first = cmp.Or(first, bridgetest.TextsOf(r)[0])
					with["cursor"] = cursor
				}
				require.True(t, text == whole, "%s: %.200q", name, whole)
				require.True(t, strings.Contains(first, text[:min(len(text), 9999)]), "%s: %.200q", name, first)
			}
		}
	}
}
