// Package examples_test runs the tests of the example knowledge bases on
// SWI-Prolog, so that the examples stay Prolog and not only ours.
package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// declarations are the two directives SWI-Prolog does not know.
const declarations = "assertz(mode(_, _)), assertz(info(_, _))"

func TestOnSWIProlog(t *testing.T) {
	swipl, err := exec.LookPath("swipl")
	if err != nil {
		deep.Missing(t, "the examples in SWI-Prolog", "there is no swipl; on Debian: apt-get install swi-prolog-nox")
	}
	suites, err := filepath.Glob("*/*.plt")
	require.NoError(t, err)
	require.NotEmpty(t, suites)
	for _, suite := range suites {
		folder := filepath.Dir(suite)
		if isOurs(t, folder) {
			continue
		}
		t.Run(folder, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), swipl, "-q", "-f", "none",
				"-g", declarations, "-g", consult(t, folder), "-g", "run_tests", "-t", "halt")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.NotContains(t, strings.ToLower(string(out)), "warning")
		})
	}
}

// isOurs reports whether the rules of a folder use what SWI-Prolog does not have.
func isOurs(t *testing.T, folder string) bool {
	files, err := filepath.Glob(filepath.Join(folder, "*.pl"))
	require.NoError(t, err)
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		return strings.Contains(string(text), ":- facts(") ||
			strings.Contains(string(text), ":- decision(") || strings.Contains(string(text), "library(law)")
	})
}

// consult is the goal that loads a folder: its rules, then its tests.
func consult(t *testing.T, folder string) string {
	var names []string
	for _, pattern := range []string{"*.pl", "*.plt"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		require.NoError(t, err)
		for _, name := range found {
			names = append(names, "'"+filepath.ToSlash(name)+"'")
		}
	}
	return "consult([" + strings.Join(names, ", ") + "])"
}
