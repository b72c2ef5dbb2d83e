package main

import (
	"archive/zip"
	"bytes"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/npmtest"
)

// bundled packs a folder with small files for commands and returns the manifest, and the modes of the files.
func bundled(t *testing.T, folder string, args ...string) (m map[string]any, modes map[string]string) {
	out, fake := filepath.Join(folder, "x.mcpb"), filepath.Join(t.TempDir(), "command")
	require.NoError(t, os.WriteFile(fake, []byte("#!/bin/sh\n"), 0o600))
	cmd := newBundle()
	cmd.SetOut(io.Discard)
	cmd.SetErr(io.Discard)
	cmd.SetArgs(append([]string{folder, "-o", out, "--binary", "linux=" + fake, "--binary", "darwin=" + fake,
		"--binary", "windows=" + fake}, args...))
	require.NoError(t, cmd.ExecuteContext(t.Context()))
	z, err := zip.OpenReader(out)
	require.NoError(t, err)
	defer z.Close()
	modes = map[string]string{}
	for _, f := range z.File {
		modes[f.Name] = f.Mode().Perm().String()
		if f.Name == "manifest.json" {
			r, err := f.Open()
			require.NoError(t, err)
			require.NoError(t, json.NewDecoder(r).Decode(&m))
			require.NoError(t, r.Close())
		}
	}
	return m, modes
}

// A bundle has the commands, which can be run, the files of the folder, and a manifest that names both. A second
// bundle does not hold the first.
func TestBundle(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	write("rules.pl", "tools([tool(p, p, 0)]).\n:- info(p/0, [comment is 'Says yes.']).\np.\n")
	write("settings.pl", ":- setting(rows, between(1, 9), [default(5), description('How many.')]).\n"+
		":- setting('api-key', atom, [secret(true), title('Key')]).\n:- setting(place, directory, [default('/tmp')]).\n"+
		":- setting(how, oneof([fast, slow]), [default(fast)]).\n:- setting(loud, boolean, [default(false)]).\n")
	write("data/more.csv", "a,b\n")
	write(".hidden/secret", "x")
	write("mcplogic.json", `{"name": "yes", "title": "Yes", "version": "1.2.3"}`)
	outside := filepath.Join(t.TempDir(), "outside")
	require.NoError(t, os.WriteFile(outside, []byte("x"), 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(folder, "link")))
	for range 2 {
		m, modes := bundled(t, folder, "--author", "Ada")
		require.Equal(t, map[string]string{"manifest.json": modes["manifest.json"], "kb/rules.pl": "-rw-------",
			"kb/settings.pl":   "-rw-------",
			"kb/data/more.csv": "-rw-------", "kb/mcplogic.json": "-rw-------", "server/mcplogic-linux": "-rwxr-xr-x",
			"server/mcplogic-darwin": "-rwxr-xr-x", "server/mcplogic-windows.exe": "-rwxr-xr-x"}, modes)
		require.Equal(t, []any{"yes", "Yes", "1.2.3"}, []any{m["name"], m["display_name"], m["version"]})
		require.Equal(t, []any{map[string]any{"name": "p", "description": "Says yes."}}, m["tools"])
		server := m["server"].(map[string]any)
		require.Contains(t, modes, server["entry_point"])
		config := server["mcp_config"].(map[string]any)
		require.Equal(t, []any{"serve", "${__dirname}/kb"}, config["args"])
		require.Len(t, config["platform_overrides"], 2)
		require.JSONEq(t, `{"MCPLOGIC_SETTING_ROWS": "${user_config.rows}",
			"MCPLOGIC_SETTING_API_KEY": "${user_config.api-key}",
			"MCPLOGIC_SETTING_PLACE": "${user_config.place}", "MCPLOGIC_SETTING_HOW": "${user_config.how}",
			"MCPLOGIC_SETTING_LOUD": "${user_config.loud}"}`, toJSON(t, config["env"]))
		require.JSONEq(t, `{
			"rows": {"type": "number", "title": "rows", "description": "How many.", "default": 5, "min": 1, "max": 9},
			"api-key": {"type": "string", "title": "Key", "description": "Key", "required": true, "sensitive": true},
			"place": {"type": "directory", "title": "place", "description": "place", "default": "/tmp"},
			"how": {"type": "string", "title": "how", "description": "One of fast, slow.", "default": "fast"},
			"loud": {"type": "boolean", "title": "loud", "description": "loud", "default": false}}`, toJSON(t, m["user_config"]))
		t.Run("valid", func(t *testing.T) { requireValid(t, m) })
	}
}

func toJSON(t *testing.T, value any) string {
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return string(text)
}

// requireValid asks the validator of the format, of the npm package @anthropic-ai/mcpb, which is installed once.
func requireValid(t *testing.T, m map[string]any) {
	dir := npmtest.Install(t, "bundles with the official validator", "mcpb", "../../testdata/mcpb")
	validator := filepath.Join(dir, "node_modules", ".bin", "mcpb")
	file := filepath.Join(t.TempDir(), "manifest.json")
	text, err := json.Marshal(m)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o600))
	out, err := exec.CommandContext(t.Context(), validator, "validate", file).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// A folder of many files, with links to itself and to each other, is packed once.
func TestLargeBundle(t *testing.T) {
	const files = 3000
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "a.pl"), []byte("p.\n"), 0o600))
	for i := range files {
		name := filepath.Join(folder, fmt.Sprintf("d%d", i%10), fmt.Sprintf("f%d.txt", i))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte("x"), 0o600))
	}
	require.NoError(t, os.Symlink(".", filepath.Join(folder, "self")))
	require.NoError(t, os.Symlink("..", filepath.Join(folder, "d1", "up")))
	require.NoError(t, os.Symlink("nowhere", filepath.Join(folder, "dangling")))
	require.NoError(t, os.Symlink("a.pl", filepath.Join(folder, "same.txt")))
	_, modes := bundled(t, folder)
	require.Len(t, modes, files+1+1+1+3) // with a.pl, the link to it, the manifest and three commands
	require.Contains(t, modes, "kb/same.txt")
}

// A folder that cannot be packed is refused, and no file is left.
func TestBadBundles(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "bad.pl"), []byte("p(.\n"), 0o600))
	for _, args := range [][]string{{folder}, {folder, folder}, {filepath.Join(folder, "bad.pl")},
		{filepath.Join(folder, "nowhere")}, {"../../examples/birds", "--binary", "plan9=x"},
		{"../../examples/birds", "--binary", "linux=" + filepath.Join(folder, "nowhere")}} {
		out := filepath.Join(t.TempDir(), "x.mcpb")
		cmd := newBundle()
		cmd.SetOut(io.Discard)
		cmd.SetErr(io.Discard)
		cmd.SetArgs(append(args, "-o", out))
		require.Error(t, cmd.ExecuteContext(t.Context()), strings.Join(args, " "))
		require.NoFileExists(t, out)
	}
}

// TestTellLoader warns of a command for Linux that needs the C library of this machine, and of no other.
func TestTellLoader(t *testing.T) {
	for kind, warns := range map[elf.ProgType]bool{elf.PT_INTERP: true, elf.PT_LOAD: false} {
		var program, told bytes.Buffer
		require.NoError(t, binary.Write(&program, binary.LittleEndian, &elf.Header64{
			Ident: [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
			Type:  uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: uint32(elf.EV_CURRENT), Phoff: 64, Ehsize: 64,
			Phentsize: 56, Phnum: 1, Shentsize: 64}))
		require.NoError(t, binary.Write(&program, binary.LittleEndian, &elf.Prog64{Type: uint32(kind)}))
		cmd := newBundle()
		cmd.SetErr(&told)
		tellLoader(cmd, bytes.NewReader(program.Bytes()))
		require.Equal(t, warns, strings.Contains(told.String(), "CGO_ENABLED=0"), "%s %s", kind, &told)
	}
}
