package clients

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/require"
)

// TestConfig writes the server into the file of each client, twice, and takes it out again. What else the file has
// stays.
func TestConfig(t *testing.T) {
	dir := t.TempDir()
	rules := filepath.Join(dir, "rules.pl")
	require.NoError(t, os.WriteFile(rules, []byte("tools([p/1]).\np(1).\n"), 0o600))
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			file, before := filepath.Join(t.TempDir(), "settings"), `{"mine": 1}`
			decode := func(data []byte, v any) error { return json.Unmarshal(data, v) }
			if c.toml {
				before, decode = "mine = 1\n", toml.Unmarshal
			}
			require.NoError(t, os.WriteFile(file, []byte(before), 0o600))
			run := func(option string) (all map[string]any, servers map[string]any) {
				cmd := NewConfig()
				cmd.SetArgs([]string{option, "--file", file, "--name", "shop", c.name, rules})
				cmd.SetOut(&bytes.Buffer{})
				cmd.SetErr(&bytes.Buffer{})
				require.NoError(t, cmd.Execute())
				data, err := os.ReadFile(file)
				require.NoError(t, err)
				require.NoError(t, decode(data, &all), "%s", data)
				require.EqualValues(t, 1, all["mine"])
				servers, _ = all[c.key].(map[string]any)
				return all, servers
			}
			for range 2 {
				_, servers := run("--write")
				require.Len(t, servers, 1)
				entry, _ := servers["shop"].(map[string]any)
				require.NotEmpty(t, entry["command"])
				require.Contains(t, entry["args"], rules)
				if c.kind != "" {
					require.Equal(t, c.kind, entry["type"])
				}
			}
			_, servers := run("--remove")
			require.Empty(t, servers)
		})
	}
}

// TestFindClient guesses which client is meant.
func TestFindClient(t *testing.T) {
	for name, want := range map[string]string{"vscod": "did you mean vscode?", "Claude Code": "did you mean claude-code?",
		"Gemini-CLI": "did you mean gemini?", "nothing like it": "known are vscode, "} {
		_, err := findClient(name)
		require.ErrorContains(t, err, want)
	}
	for _, c := range clients {
		found, err := findClient(c.name)
		require.NoError(t, err)
		require.Equal(t, c.title, found.title)
	}
}
