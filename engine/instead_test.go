package engine_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/term"
)

// TestWhatIsWrittenInstead reads the goals that messages propose for predicates of other languages: their predicates
// exist, unlike those that they stand for.
func TestWhatIsWrittenInstead(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("internal/lib/instead.txt")
	require.NoError(t, err)
	known, seen := knownPredicates(), map[string]bool{}
	for _, one := range strings.Split(string(text), "\n\n")[1:] {
		advice, names, _ := strings.Cut(strings.TrimSpace(one), "\n")
		for _, name := range strings.Fields(names) {
			require.False(t, seen[name], name)
			seen[name] = true
			at := strings.LastIndexByte(name, '/')
			arity, err := strconv.Atoi(name[at+1:])
			require.NoError(t, err)
			functor := lib.Indicator{Name: name[:at], Arity: arity}
			require.False(t, known[functor], name)
			require.Equal(t, advice, lib.Instead(functor.Name, functor.Arity))
		}
		if strings.HasPrefix(advice, "a ") || strings.HasPrefix(advice, "the ") {
			continue // words
		}
		for _, part := range strings.Split(strings.ReplaceAll(advice, ", or ", " or "), " or ") {
			goal, err := engine.ParseTerm(part)
			require.NoError(t, err, advice)
			goals, ok := term.Conjuncts(goal)
			require.True(t, ok)
			for _, g := range goals {
				c, ok := g.(*term.Compound)
				require.True(t, ok, advice)
				require.True(t, known[lib.Indicator{Name: string(c.Functor), Arity: len(c.Args)}], "%s/%d", c.Functor, len(c.Args))
			}
		}
	}
	require.Greater(t, len(seen), 100)
}
