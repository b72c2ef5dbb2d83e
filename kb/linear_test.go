package kb

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLargeLoads loads texts for which a load that is not linear takes minutes.
func TestLargeLoads(t *testing.T) {
	nested := func(n int) string {
		return "p(X) :- " + strings.Repeat("( q(X) -> ", n) + "r" + strings.Repeat(" ; fail )", n) + ".\nq(1).\nr.\n"
	}
	tools := func(n int) string {
		var list, facts strings.Builder
		for i := range n {
			fmt.Fprintf(&list, "tool(t%d, t%[1]d, 0, [description('Number %[1]d.')]),\n", i)
			fmt.Fprintf(&facts, "t%d.\n", i)
		}
		return "tools([" + strings.TrimSuffix(list.String(), ",\n") + "]).\n" + facts.String()
	}
	for _, test := range []struct {
		name, text string
		errors     int
	}{
		{"nul bytes", "p.\n" + strings.Repeat("\x00", 300_000) + "\nq.\n", 1},
		{"nested branches", nested(20_000), 1},
		{"branches one after the other", "p(X) :- " + strings.Repeat("( q(X) ; r ),\n", 3_000) + "r.\nq(1).\nr.\n", 0},
		{"syntax errors", strings.Repeat("p(.\n", 20_000), 20_000},
		{"tools", tools(10_000), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "a.pl")
			require.NoError(t, os.WriteFile(file, []byte(test.text), 0o600))
			_, report := Load(t.Context(), []string{file}, nil)
			require.Len(t, report.Errors(), test.errors)
		})
	}
}

// TestSandboxTellsNothing opens files outside of the folder, whether they are there or not.
func TestSandboxTellsNothing(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	there := filepath.Join(outside, "there")
	require.NoError(t, os.WriteFile(there, nil, 0o600))
	require.NoError(t, os.Symlink(there, filepath.Join(dir, "link")))
	require.NoError(t, os.Symlink(filepath.Join(outside, "nowhere"), filepath.Join(dir, "broken")))
	s := newSandbox([]string{dir}, &Options{})
	for _, name := range []string{there, filepath.Join(outside, "nowhere"), "link", "broken", filepath.Join(dir, "link")} {
		_, err := s.OpenRead(name)
		require.EqualError(t, err, "open "+name+": permission denied")
	}
	_, err := s.OpenRead("absent")
	require.ErrorIs(t, err, os.ErrNotExist)
}
