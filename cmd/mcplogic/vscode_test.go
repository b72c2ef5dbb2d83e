package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// TestVSCodeExplorer runs the test explorer of the extension for VS Code, in a small editor.
func TestVSCodeExplorer(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		deep.Missing(t, "the extension for VS Code", "there is no node")
	}
	folder, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	files := map[string]string{
		"family.pl": ":- info(age/2, [examples is ['Ann' - age(ann, A) - {A = 70}]]).\nage(ann, 70).\nage(bob, 20).\n",
		"family.plt": ":- begin_tests(family).\ntest(old) :- age(ann, A), A > 60.\ntest(young) :- age(bob, A), A > 60.\n" +
			"test(add(1), X == 2) :- X is 1 + 1.\n:- end_tests(family).\n" +
			":- begin_tests(off, [blocked(later)]).\ntest(never).\n:- end_tests(off).\n",
	}
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	extension, err := filepath.Abs("../../editors/vscode/extension.js")
	require.NoError(t, err)
	own, err := exec.LookPath("mcplogic")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	session := "../../testdata/clients/vscode/explorer.cjs"
	out, err := exec.CommandContext(ctx, "node", session, extension, own, folder).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "done\n", string(out))
}
