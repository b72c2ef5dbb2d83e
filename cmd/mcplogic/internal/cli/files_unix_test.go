//go:build unix

package cli

import (
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
		require.NoError(t, WriteWhole(path(output), 0o644, func(w io.Writer) error {
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
