package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
)

// TestSetupURL writes the URL of a server that runs, in the words of each client, and takes it back. A client that
// starts the server by its command, from an earlier setup, gets the URL in its place.
func TestSetupURL(t *testing.T) {
	family, err := filepath.Abs("../../examples/family")
	require.NoError(t, err)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("CODEX_HOME", "")
	t.Chdir(home)
	s := serveHTTPIn(t, "0", family)
	var stderr strings.Builder
	setup := func(args ...string) int {
		stderr.Reset()
		return execute(t.Context(), append([]string{"setup"}, args...), strings.NewReader(""), io.Discard, &stderr)
	}
	require.NoError(t, os.Mkdir(".gemini", 0o777))
	before := `{"mcpServers": {"kin": {"command": "/old/mcplogic", "args": ["serve", "x"], "env": {"A": "b"}}}}`
	require.NoError(t, os.WriteFile(".gemini/settings.json", []byte(before), 0o666))
	args := []string{"--url", s.url, "--name", "kin", "--replace"}
	for _, c := range []string{"vscode", "claude-code", "cursor", "codex", "windsurf", "gemini", "copilot", "lmstudio"} {
		args = append(args, "--client", c)
	}
	require.Equal(t, cli.ExitDone, setup(append(args, "--yes")...), stderr.String())
	for file, want := range map[string]string{
		".vscode/mcp.json":                  `"type": "http"`,
		".mcp.json":                         `"type": "http"`,
		".cursor/mcp.json":                  `"url": "` + s.url,
		".codex/config.toml":                `url = "` + s.url,
		".codeium/windsurf/mcp_config.json": `"serverUrl": "` + s.url,
		".gemini/settings.json":             `"httpUrl": "` + s.url,
		".copilot/mcp-config.json":          `"tools": [`,
		".lmstudio/mcp.json":                `"url": "` + s.url,
	} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(data), want)
		require.NotContains(t, string(data), "command")
	}
	require.Equal(t, cli.ExitDone, setup(append(args, "--undo")...), stderr.String())
	for _, file := range []string{".vscode/mcp.json", ".codex/config.toml", ".gemini/settings.json"} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotContains(t, string(data), s.url)
	}
	require.Equal(t, cli.ExitNo, setup("--url", s.url, "--name", "kin", "--client", "claude", "--yes"))
	require.Contains(t, stderr.String(), "Claude Desktop is left out: its file takes no servers over HTTP")
}
