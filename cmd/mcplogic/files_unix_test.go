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

// Links stay links, also one to a file that is not there yet, and a pipe is written to.
func TestReplacedFiles(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	write := func(output string) {
		require.NoError(t, writeWhole(path(output), 0o644, func(w io.Writer) error {
			_, err := io.WriteString(w, "new")
			return err
		}))
	}
	require.NoError(t, os.WriteFile(path("file"), []byte("old"), 0o600))
	require.NoError(t, os.Symlink("file", path("link")))
	require.NoError(t, os.Symlink(path("link"), path("further")))
	require.NoError(t, os.Symlink("later", path("dangling")))
	for link, target := range map[string]string{"link": "file", "further": "file", "dangling": "later"} {
		require.NoError(t, os.RemoveAll(path(target)))
		write(link)
		info, err := os.Lstat(path(link))
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeSymlink, link)
		text, err := os.ReadFile(path(target))
		require.NoError(t, err)
		require.Equal(t, "new", string(text))
	}
	require.NoError(t, syscall.Mkfifo(path("pipe"), 0o600))
	read := make(chan string)
	go func() {
		text, _ := os.ReadFile(path("pipe"))
		read <- string(text)
	}()
	write("pipe")
	require.Equal(t, "new", <-read)
	info, err := os.Lstat(path("pipe"))
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeNamedPipe)
}

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
