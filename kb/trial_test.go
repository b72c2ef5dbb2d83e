package kb

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTrialHidesItsFolder checks that no error of a trial reveals the place of the copy, whatever the name of the file
// is.
func TestTrialHidesItsFolder(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pl"), []byte("p.\n"), 0o600))
	for _, name := range []string{"a.pl/b.pl", "a\x00.pl", strings.Repeat("a", 300) + ".pl",
		strings.Repeat("a/", 3000) + "b.pl", "../b.pl", "x .pl"} {
		trial, err := new(Options).Try(t.Context(), dir, name, ":- include('nowhere').\np :- .\n")
		if err != nil {
			require.NotContains(t, err.Error(), "mcplogic-trial", "%.20q", name)
			continue
		}
		require.NotEmpty(t, trial.Report, name)
		require.NotContains(t, trial.Report.Error(), "mcplogic-trial", "%.20q", name)
		require.NoError(t, trial.Close())
	}
}

// TestTrialsOwnRoot checks that goals of a trial cannot learn the name of the copy's folder, or of a folder above it.
func TestTrialsOwnRoot(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.csv"), []byte("a,b\n1,2\n"), 0o600))
	trial, err := new(Options).Try(t.Context(), dir, "sub/a.pl", ":- initialization((prolog_load_context(directory, D), "+
		"assertz(at(D)))).\n:- dynamic at/1.\n:- facts(b/2, '../b.csv', [header(true)]).\n"+
		"p :- open('../no', read, _).\n")
	require.NoError(t, err)
	defer func() { require.NoError(t, trial.Close()) }()
	require.Empty(t, trial.Report)
	for _, goal := range []string{"absolute_file_name('..', X)", "absolute_file_name('../..', X)",
		"absolute_file_name(a, X)",
		"working_directory(X, X)", "at(X)", "source_file(X)", "source_file(p, X)", "predicate_property(p, file(X))",
		"module_property(user, file(X))", "catch(p, X, true)", "catch(open('/no', read, _), X, true)", "b(X, 2)",
		"absolute_file_name('~', X)", "expand_file_name('*', X)", "directory_files('.', X)",
		"stream_property(_, file_name(X))"} {
		for answer, err := range trial.Snapshot.Program.Query(t.Context(), goal, nil) {
			require.NotContains(t, fmt.Sprint(answer, err), filepath.ToSlash(os.TempDir()), goal)
		}
	}
}

// TestTrialsWorkingFolder checks that a goal of a trial can ask for its folder, and cannot leave it.
func TestTrialsWorkingFolder(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.csv"), []byte("a,b\n"), 0o600))
	trial, err := new(Options).Try(t.Context(), dir, "sub/a.pl", "p.\n")
	require.NoError(t, err)
	defer func() { require.NoError(t, trial.Close()) }()
	goal := "working_directory(D, D), working_directory(_, D), exists_file('b.csv'), exists_file('sub/a.pl')"
	answers := 0
	for answer, failure := range trial.Snapshot.Program.Query(t.Context(), goal, nil) {
		require.NoError(t, failure)
		require.Equal(t, "./", fmt.Sprint(answer.Get("D")))
		answers++
	}
	require.Equal(t, 1, answers)
}
