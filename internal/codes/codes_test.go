package codes

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCodes checks that each code has a cause, an example and a fix, and that no name is twice in a chapter.
func TestCodes(t *testing.T) {
	for chapter, list := range map[string][]Code{"loading": Loading(), "results": Results()} {
		seen := map[string]bool{}
		require.NotEmpty(t, list)
		for _, c := range list {
			require.False(t, seen[c.Name], "%s has %s twice", chapter, c.Name)
			seen[c.Name] = true
			for _, part := range []string{c.Cause, c.Example, c.Fix} {
				require.NotEmpty(t, strings.TrimSpace(part), c.Name)
				require.NotContains(t, part, "```", c.Name)
			}
			found, ok := Find(c.Name)
			require.True(t, ok)
			require.Equal(t, c.Name, found.Name)
			require.Contains(t, Page(), "(#"+c.Name)
		}
	}
	require.Len(t, LoadingNames(), len(Loading()))
	_, ok := Find("no such code")
	require.False(t, ok)
}

// TestCodesOf reads a chapter that shows a text that is no rule, and one that is mended.
func TestCodesOf(t *testing.T) {
	list := codesOf("Title\n\n### a\n\nIt is.\n\n```prolog\np.\n```\n\nDo.\n\n" +
		"```prolog\nq.\n```\n\n### b\n\nWhy.\n\n```text\nx\n```\n\nNo.\n")
	require.Equal(t, []Code{{Name: "a", Cause: "It is.", Example: "p.", Fix: "Do.", Mended: "q."},
		{Name: "b", Cause: "Why.", Example: "x", Fix: "No.", Shown: true}}, list)
}
