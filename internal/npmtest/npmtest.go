// Package npmtest installs programs that tests take from npm, once for all runs.
package npmtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// installTime bounds an installation.
const installTime = 10 * time.Minute

// Install copies the files of the folder source into the folder mcplogic-test-NAME of the user's cache, and installs
// there what its package-lock.json names, unless that was done before. It returns the folder. The error says why
// nothing is installed: node or npm is missing, npm has failed, or the tests are short ones.
func Install(t *testing.T, name, source string) (dir string, err error) {
	t.Helper()
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("there is no %s", tool)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	dir = filepath.Join(cache, "mcplogic-test-"+name)
	same := copyFiles(t, source, dir)
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Stat(filepath.Join(modules, ".package-lock.json")); err == nil && same {
		return dir, nil
	}
	if testing.Short() {
		return "", errors.New("short tests install nothing")
	}
	ctx, cancel := context.WithTimeout(t.Context(), installTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		_ = os.RemoveAll(modules) // half of it is worse than none
		return "", fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	return dir, nil
}

// copyFiles copies the files of a folder into another one and reports whether those that say what to install, which are
// JSON, were the same there before.
func copyFiles(t *testing.T, from, to string) (same bool) {
	t.Helper()
	require.NoError(t, os.MkdirAll(to, 0o755))
	files, err := os.ReadDir(from)
	require.NoError(t, err)
	same = true
	for _, file := range files {
		if !file.Type().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, file.Name()))
		require.NoError(t, err)
		old, _ := os.ReadFile(filepath.Join(to, file.Name()))
		same = same && (string(old) == string(text) || !strings.HasSuffix(file.Name(), ".json"))
		require.NoError(t, os.WriteFile(filepath.Join(to, file.Name()), text, 0o644))
	}
	return same
}
