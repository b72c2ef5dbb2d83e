// Package examples_test runs the tests of the example knowledge bases on
// SWI-Prolog, so that the examples stay Prolog and not only ours.
package examples_test

import (
	"os/exec"
	"path/filepath"
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
		if folder == "flights" { // SWI-Prolog has no library(law)
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
