package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
)

// officialSchema is the schema of server.json that the registry checks entries by.
func officialSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile("../../testdata/mcpb/server.schema.json")
	require.NoError(t, err)
	var schema jsonschema.Schema
	require.NoError(t, json.Unmarshal(text, &schema))
	require.Equal(t, registrySchema, schema.ID)
	resolved, err := schema.Resolve(nil)
	require.NoError(t, err)
	return resolved
}

// Entries fit the official schema, whatever the folder says of itself.
func TestRegistryEntry(t *testing.T) {
	schema := officialSchema(t)
	long := strings.Repeat("lång ", 100)
	for name, settings := range map[string]string{
		"plain": `{}`, "said": `{"name": "yes", "title": "Yes", "version": "1.2.3"}`,
		"long": `{"name": "yes", "title": "` + long + `", "instructions": "` + long + `", "version": "1.0.0-beta.2"}`,
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(folder, "rules.pl"),
				[]byte("tools([tool(p, p, 0)]).\n:- info(p/0, [comment is '"+long+"']).\np.\n"), 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(folder, "mcplogic.json"), []byte(settings), 0o600))
			out := filepath.Join(t.TempDir(), "server.json")
			bundled(t, folder, "--server-json", out, "--registry-name", "io.github.ada/yes",
				"--url", "https://example.com/releases/yes.mcpb")
			text, err := os.ReadFile(out)
			require.NoError(t, err)
			var entry map[string]any
			require.NoError(t, json.Unmarshal(text, &entry))
			require.NoError(t, schema.Validate(entry), "%s", text)
			entry["name"] = "no slash"
			require.Error(t, schema.Validate(entry), "the schema is in force")
		})
	}
}

// Versions of an entry in the registry are exact ones.
func TestRegistryVersion(t *testing.T) {
	r := &registryFlags{file: "server.json"}
	for _, good := range []string{"1.2.3", "0.1.0", "1.0.0-beta.2+x5", "2026.07.28", "v1", "1.0.0-xylon"} {
		require.NoError(t, r.checkVersion(good), good)
	}
	for _, bad := range []string{"", "latest", "^1.2.3", "~1", ">=1.0", "1.x", "1.*", "1.0 - 2.0", "1 || 2", " 1.0"} {
		require.Error(t, r.checkVersion(bad), bad)
	}
	require.NoError(t, (&registryFlags{}).checkVersion("^1"), "there is no entry")
}
