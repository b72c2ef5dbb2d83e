package lsp

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// TestNeovim has a session with Neovim, whose settings are those of the manual.
func TestNeovim(t *testing.T) {
	path, err := exec.LookPath("nvim")
	if err != nil {
		deep.Missing(t, "the language server in Neovim", "there is no nvim; on Debian: apt-get install neovim")
	}
	manual, err := os.ReadFile("../../docs/editors.md")
	require.NoError(t, err)
	_, settings, ok := strings.Cut(string(manual), "**Neovim** (0.11")
	version, err := exec.Command(path, "--version").Output()
	require.NoError(t, err)
	if !strings.HasPrefix(string(version), "NVIM v0.11") {
		_, settings, ok = strings.Cut(string(manual), "**Neovim** before")
	}
	require.True(t, ok)
	_, settings, _ = strings.Cut(settings, "```lua\n")
	settings, _, _ = strings.Cut(settings, "```")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	own, err := os.Executable()
	require.NoError(t, err)
	session, err := filepath.Abs("../../testdata/clients/neovim/session.lua")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "bin"), 0o755))
	require.NoError(t, os.Symlink(own, filepath.Join(dir, "bin/mcplogic")))
	for name, text := range map[string]string{
		"init.lua": settings,
		"kb/family.pl": "% age(Who, Years): how old somebody is.\nage('\U0001F467', 7).\nage(bob, 20).\n" +
			"old(X) :- age(X, A), A > 60.\nyoung(X) :- X = '\U0001F467', agee(X, A), A < 30.\n",
		"kb/mcplogic.json": "{}",
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--headless", "-n", "-u", filepath.Join(dir, "init.lua"),
		"-c", "luafile "+session)
	cmd.Dir = filepath.Join(dir, "kb")
	cmd.Env = append(os.Environ(), "SESSION="+filepath.Join(dir, "seen.json"), "XDG_STATE_HOME="+dir,
		"XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir,
		"PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	got, err := os.ReadFile(filepath.Join(dir, "seen.json"))
	require.NoError(t, err, "%s", out)
	// The types of arguments stand there once the folder has been loaded.
	got = regexp.MustCompile(`(- argument[^"\\]*\\n)+\\n`).ReplaceAll(got, nil)
	require.JSONEq(t, `{"filetype": "prolog", "fix": "Change to age",
		"diagnostic": [4, 24, "undefined", "agee/2 is not defined; did you mean age?"],
		"hover": "`+"```prolog\\nage('\U0001F467', 7)\\n```"+`\nage(Who, Years): how old somebody is.\n\n`+
		`*2 clauses, family.pl:2*",
		"definition": 1, "references": 3, "completion": "years/2", "formatted": "x(X) :- years(X, _).",
		"renamed": ["% age(Who, Years): how old somebody is.", "years('\ud83d\udc67', 7).", "years(bob, 20).",
			"old(X) :- years(X, A), A > 60.", "young(X) :- X = '\ud83d\udc67', years(X, A), A < 30."]}`, string(got))
}
