package kb

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/eventtexts"
)

// TestEventDeclarations reads events/1, and says what is wrong with it.
func TestEventDeclarations(t *testing.T) {
	const rules = `
:- info(low/2, [comment is 'Little is left.', argnames is [article, left]]).
:- mode(low(-atom, -integer), zero_or_more).
low(a, 1).
`
	for text, want := range map[string]string{
		"events([low/2]).":                                      "low 0s",
		"events([event(l, low/2)]).":                            "l 0s",
		"events([event('a.b', low/2, [every(60), limit(3)])]).": "a.b 1m0s",
		"events([event(l, low/2), event(l, low/2)]).":           "event l is already declared at",
		"events([event(l, lwo/2)]).":                            "event l: lwo/2 is not defined; did you",
		"events([event('a b', low/2)]).":                        `event name "a b": want 1 to 128`,
		"events([event(l, low)]).":                              "want event(Name, Predicate/Arity)",
		"events([event(l, low, 2)]).":                           "want event(Name, Predicate/Arity)",
		"events([event(l, low/2, [evry(1)])]).":                 "unknown option evry; did you mean every?",
		"events([event(l, low/2, [every(0)])]).":                "option every: got 0, want a number",
		"events(low/2).":                                        "want a list",
	} {
		file := filepath.Join(t.TempDir(), "kb.pl")
		require.NoError(t, os.WriteFile(file, []byte(rules+text+"\n"), 0o600))
		s, err := Load(t.Context(), []string{file}, nil)
		if err != nil {
			require.Contains(t, err.Error(), want, text)
			continue
		}
		require.Len(t, s.Events, 1, text)
		require.Equal(t, want, s.Events[0].Name+" "+s.Events[0].Every.String(), text)
		require.Empty(t, s.Diagnostics, text)
		require.True(t, s.Capable("events"))
		_, err = s.Program.Once(t.Context(), eventtexts.Module+":watches([])", nil)
		require.NoError(t, err)
	}
	file := filepath.Join(t.TempDir(), "kb.pl")
	require.NoError(t, os.WriteFile(file, []byte(rules), 0o600))
	s, err := Load(t.Context(), []string{file}, nil)
	require.NoError(t, err)
	_, err = s.Program.Once(t.Context(), eventtexts.Module+":watches(_)", nil)
	require.True(t, err != nil && strings.Contains(err.Error(), "watches/1"), "rules without events have no such module")
}
