package bridge

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
)

// office returns a knowledge base of 25 tools as people write them: lookups, calculations and lists, with and without
// descriptions of their arguments.
func office() string {
	var b strings.Builder
	b.WriteString(":- discontiguous(tools/1).\ncity(rome). city(oslo). city(bern).\n")
	for i := range 25 {
		name := fmt.Sprintf("rate_%d", i)
		b.WriteString(strings.ReplaceAll([]string{`
:- info(NAME/3, [comment is 'The rate of a city in a month of the year.',
    arguments is [city-'Where', month-'Number of the month', rate-'Per night']]).
:- mode(NAME(+atom, +between(integer, 1, 12), -number), one).
NAME(C, M, R) :- city(C), R is M * 2.
tools([NAME/3]).
`, `
:- info(NAME/2, [comment is 'Whether a city has an office.', argnames is [city, open]]).
:- mode(NAME(+atom, -boolean), one).
NAME(C, O) :- ( city(C) -> O = true ; O = false ).
tools([NAME/2]).
`, `
:- info(NAME/2, [comment is 'The cities that are cheaper than a price.', argnames is [price, city]]).
:- mode(NAME(+number, -atom), zero_or_more).
NAME(P, C) :- city(C), P > 10.
tools([NAME/2]).
`}[i%3], "NAME", name))
	}
	return b.String()
}

// The list of 25 tools is short enough for any client, says which values are known, and which tools only look.
func TestListIsShort(t *testing.T) {
	t.Parallel()
	cs := connect(t, NewServer(loadText(t, office()), nil), "2025-11-25", nil)
	all, err := cs.ListTools(t.Context(), nil)
	require.NoError(t, err)
	var list []*mcp.Tool
	for _, tool := range all.Tools {
		if strings.HasPrefix(tool.Name, "rate_") {
			list = append(list, tool)
			require.Equal(t, &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(bool)},
				tool.Annotations)
		}
	}
	require.Len(t, list, 25)
	raw, err := json.Marshal(all.Tools) // and those of the server
	require.NoError(t, err)
	require.Less(t, len(raw), 12<<10)
	require.Contains(t, string(raw), `"enum":["rome","oslo","bern"]`)
	t.Log(len(raw), "bytes")
}

// The 25 tools of twelve domains, as authors write them, are not longer.
func TestListOfAuthorsIsShort(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("../testdata/authors/*/first.pl")
	require.NoError(t, err)
	require.Len(t, folders, 12)
	var list []*mcp.Tool
	for _, file := range folders {
		loaded, err := kb.Load(t.Context(), []string{filepath.Dir(file)}, nil)
		require.NoError(t, err)
		all, err := connect(t, NewServer(loaded, nil), "2025-11-25", nil).ListTools(t.Context(), nil)
		require.NoError(t, err)
		list = append(list, all.Tools...)
	}
	require.Len(t, list, 25)
	raw, err := json.Marshal(list)
	require.NoError(t, err)
	require.LessOrEqual(t, len(wire.Restore(raw)), 12_000)
	require.Contains(t, string(raw), `"enum":["anna","berg","cruz","dahl","evans","finn"]`, "in place of the example anna")
	t.Log(len(wire.Restore(raw)), "bytes")
}
