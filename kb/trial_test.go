package kb

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTrialHidesItsFolder has no error of a trial say where the copy is, whatever the name of the file is.
func TestTrialHidesItsFolder(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pl"), []byte("p.\n"), 0o600))
	for _, name := range []string{"a.pl/b.pl", "a\x00.pl", strings.Repeat("a", 300) + ".pl",
		strings.Repeat("a/", 3000) + "b.pl", "../b.pl", "x .pl"} {
		trial, err := Try(t.Context(), dir, name, ":- include('nowhere').\np :- .\n", nil)
		if err != nil {
			require.NotContains(t, err.Error(), "mcplogic-trial", "%.20q", name)
			continue
		}
		require.NotEmpty(t, trial.Report, name)
		require.NotContains(t, trial.Report.Error(), "mcplogic-trial", "%.20q", name)
		require.NoError(t, trial.Close())
	}
}
