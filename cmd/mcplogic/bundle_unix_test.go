//go:build unix

package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The entry of the registry has the hash of a bundle that went into a pipe, where it cannot be read again.
func TestBundleIntoPipe(t *testing.T) {
	folder, dir := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "rules.pl"), []byte("p.\n"), 0o600))
	pipe, entry := filepath.Join(dir, "pipe"), filepath.Join(dir, "server.json")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	read := make(chan []byte)
	go func() {
		bundle, _ := os.ReadFile(pipe)
		read <- bundle
	}()
	cmd := newBundle()
	cmd.SetOut(io.Discard)
	cmd.SetErr(io.Discard)
	cmd.SetArgs([]string{folder, "-o", pipe, "--binary", "linux=/dev/null", "--server-json", entry, "--registry-name",
		"io.github.ada/yes", "--url", "https://example.com/yes.mcpb"})
	require.NoError(t, cmd.ExecuteContext(t.Context()))
	text, err := os.ReadFile(entry)
	require.NoError(t, err)
	require.Contains(t, string(text), fmt.Sprintf("%x", sha256.Sum256(<-read)))
}
