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

	"github.com/mcplogic/mcplogic/tools/npmtest"
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
	dir := npmtest.Install(t, "the client of VS Code", "lsp", "../../testdata/clients/lsp")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	folder := t.TempDir()
	text := "% age(Who, Years): how old somebody is.\nage(ann, 70).\nage(bob, 20).\nold(X) :- age(X, A), A > 60.\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "family.pl"), []byte(text), 0o644))
	own, err := os.Executable()
	require.NoError(t, err)
	out, err := exec.CommandContext(ctx, "node", filepath.Join(dir, "session.cjs"), own, folder).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "done\n", string(out))
}
