package kb

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// TestLargeLoads loads texts that would take minutes if loading were not linear.
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
	n := deep.Count(5_000, 20_000)
	for _, test := range []struct {
		name, text string
		errors     int
	}{
		{"nul bytes", "p.\n" + strings.Repeat("\x00", 300_000) + "\nq.\n", 1},
		{"nested branches", nested(n), 1},
		{"branches one after the other", "p(X) :- " + strings.Repeat("( q(X) ; r ),\n", 3_000) + "r.\nq(1).\nr.\n", 0},
		{"syntax errors", strings.Repeat("p(.\n", n), n},
		{"tools", tools(n / 2), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "a.pl")
			require.NoError(t, os.WriteFile(file, []byte(test.text), 0o600))
			loaded, err := Load(t.Context(), []string{file}, &Options{Lint: true})
			report := loaded.Report(err)
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

// TestFileNames checks that goals which ask where the program is learn no more than its place in the folder.
func TestFileNames(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "sub"), 0o700))
	file := filepath.Join(dir, "sub", "a.pl")
	require.NoError(t, os.WriteFile(file, []byte(":- dynamic(d/0).\np.\nd.\nthrows :- atom_length(_, _), p.\n"), 0o600))
	snapshot, err := Load(t.Context(), []string{dir}, nil)
	report := snapshot.Report(err)
	require.Empty(t, report)
	program := snapshot.Program
	for _, goal := range []string{"predicate_property(p, file(F))", "clause(d, true, R), clause_property(R, file(F))",
		"clause(d, true, R), clause_property(R, source(F))"} {
		s, err := program.Once(t.Context(), goal, nil)
		require.NoError(t, err)
		require.Equal(t, "'sub/a.pl'", engine.FormatTerm(s.Get("F")))
	}
	require.Equal(t, "sub/a.pl", inner.Of(program).FileName(filepath.ToSlash(file)))
	require.Equal(t, "other.pl", inner.Of(program).FileName("/nowhere/other.pl"))
	require.Equal(t, "a.pl", inner.Of(program).FileName("a.pl"))
}
