package bridge

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/bridgetest"
)

// TestErrorTexts puts the text of an mcp_error into a sentence, whatever its first letter is.
func TestErrorTexts(t *testing.T) {
	s := NewServer(loadText(t, `
		tools([tool(say, say, 1)]).
		:- mode(say(+atom), one).
		:- info(say/1, [argnames is [text], comment is 'Throws a text.']).
		say(Text) :- throw(error(mcp_error(odd, Text), _)).
	`), nil)
	cs := connect(t, s, "2025-11-25", nil)
	for text, want := range map[string]string{
		"too late": "Too late.\n", "ärger": "Ärger.\n", "émile": "Émile.\n", "日本": "日本.\n",
		"9 lives": "9 lives.\n", "": ".\n",
	} {
		r := bridgetest.CallTool(t, cs, "say", `{"text": "`+text+`"}`)
		require.True(t, r.IsError)
		require.Contains(t, bridgetest.TextsOf(r)[0], want)
		require.Equal(t, want, bridgetest.TextsOf(r)[0][:len(want)])
	}
}
