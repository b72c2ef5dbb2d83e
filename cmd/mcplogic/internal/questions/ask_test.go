package questions

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// TestAnswers asks for a form, and takes what the person types as its values.
func TestAnswers(t *testing.T) {
	form := json.RawMessage(`{"type": "object", "required": ["name", "age"], "properties": {
		"name": {"type": "string", "title": "Name"}, "age": {"type": "integer", "minimum": 18},
		"colour": {"type": "string", "enum": ["red", "green"]}}}`)
	for _, test := range []struct {
		name, typed, action string
		want                map[string]any
	}{
		{"all", "20\n36\n2\n", "accept", map[string]any{"name": "20", "age": 36.0, "colour": "green"}},
		{"a number that is too small", "ann\n7\n40\n\n", "accept", map[string]any{"name": "ann", "age": 40.0}},
		{"the end of the input", "ann\n", "cancel", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			answer, err := NewAsker(strings.NewReader(test.typed), &out).Ask(t.Context(),
				&mcp.ElicitRequest{Params: &mcp.ElicitParams{Message: "Who are you?", RequestedSchema: form}})
			require.NoError(t, err)
			require.Equal(t, test.action, answer.Action, out.String())
			require.Contains(t, out.String(), "Who are you?")
			if test.want != nil {
				text, err := json.Marshal(answer.Content)
				require.NoError(t, err)
				want, err := json.Marshal(test.want)
				require.NoError(t, err)
				require.JSONEq(t, string(want), string(text))
			}
		})
	}
}

// TestRaw takes texts as JSON unless a string is wanted.
func TestRaw(t *testing.T) {
	for _, test := range []struct {
		typ        any
		text, want string
	}{
		{"string", "20", `"20"`}, {"integer", "20", "20"}, {"integer", "twenty", `"twenty"`},
		{[]any{"string", "integer"}, "20", "20"}, {nil, "true", "true"}, {"string", `a "b"`, `"a \"b\""`},
	} {
		require.Equal(t, test.want, string(Property{Type: test.typ}.Raw(test.text)))
	}
}
