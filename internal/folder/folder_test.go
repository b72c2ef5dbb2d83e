package folder_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/mcplogic/mcplogic/internal/folder"
	"github.com/stretchr/testify/require"
)

func TestFiles(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{"b.pl", "a/z.pl", "a/y.pl", "a.pl", "a/b/c.pl", ".git/x.pl", "a/.x.pl", "a/t.plt",
		"notes.txt", "c.pl/in.pl"} {
		files[name] = &fstest.MapFile{}
	}
	fail := func(name string, err error) { t.Error(name, err) }
	got, folders := folder.In(files).Files(".", fail)
	require.Equal(t, []string{"a.pl", "a/b/c.pl", "a/y.pl", "a/z.pl", "b.pl", "c.pl/in.pl"}, got)
	require.Equal(t, []string{".", "a", "a/b", "c.pl"}, folders)
	got, _ = folder.In(files).Files("a", fail)
	require.Equal(t, []string{"a/b/c.pl", "a/y.pl", "a/z.pl"}, got)

	var failed error
	got, _ = folder.In(files).Files("none", func(_ string, err error) { failed = err })
	require.Empty(t, got)
	require.True(t, errors.Is(failed, fs.ErrNotExist))
}

// TestFilesOnDisk ends where a link leads back.
func TestFilesOnDisk(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "sub"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(root, "sub", "a.pl"), nil, 0o600))
	require.NoError(t, os.Symlink(root, filepath.Join(root, "sub", "back")))
	require.NoError(t, os.Symlink("nowhere", filepath.Join(root, "dead.pl")))
	files, folders := folder.Disk.Files(root, func(name string, err error) { t.Error(name, err) })
	require.Equal(t, []string{filepath.Join(root, "sub", "a.pl")}, files)
	require.Len(t, folders, 2)
}
