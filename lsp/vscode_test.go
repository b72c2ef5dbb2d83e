package lsp

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMain makes the test a language server when it is started as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "lsp" {
		if err := Run(context.Background(), os.Stdin, os.Stdout, &Options{Log: os.Stderr}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestVSCodeClient has a session with the protocol library of VS Code, which npm installs.
func TestVSCodeClient(t *testing.T) {
	if testing.Short() {
		t.Skip("installs packages")
	}
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("NOT TESTED with the client of VS Code: there is no %s", tool)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	dir := filepath.Join(cache, "mcplogic-test-lsp")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for _, name := range []string{"package.json", "package-lock.json", "session.cjs"} {
		text, err := os.ReadFile(filepath.Join("../testdata/clients/lsp", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	if _, err := os.Stat(filepath.Join(dir, "node_modules", ".package-lock.json")); err != nil {
		install := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
		install.Dir = dir
		if out, err := install.CombinedOutput(); err != nil {
			_ = os.RemoveAll(filepath.Join(dir, "node_modules"))
			t.Skipf("NOT TESTED with the client of VS Code: npm ci: %v\n%s", err, out)
		}
	}
	folder := t.TempDir()
	text := "% age(Who, Years): how old somebody is.\nage(ann, 70).\nage(bob, 20).\nold(X) :- age(X, A), A > 60.\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "family.pl"), []byte(text), 0o644))
	own, err := os.Executable()
	require.NoError(t, err)
	out, err := exec.CommandContext(ctx, "node", filepath.Join(dir, "session.cjs"), own, folder).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "done\n", string(out))
}
