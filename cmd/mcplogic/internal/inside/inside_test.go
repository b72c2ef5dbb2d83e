package inside

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	locks "github.com/mcplogic/mcplogic/internal/folder"
)

// TestWrite puts a folder behind a program, and another one in its place.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	bare := filepath.Join(dir, "bare")
	require.NoError(t, os.WriteFile(bare, []byte("a program"), 0o700))
	require.False(t, Has(bare))
	require.False(t, Has(filepath.Join(dir, "none")))
	built := func(from, text string) string {
		program, err := os.Open(from)
		require.NoError(t, err)
		defer program.Close()
		var out bytes.Buffer
		require.NoError(t, Write(&out, program, func(z *zip.Writer) error {
			w, err := z.Create(Folder + "/a.pl")
			require.NoError(t, err)
			_, err = w.Write([]byte(text))
			return err
		}))
		file := filepath.Join(dir, text)
		require.NoError(t, os.WriteFile(file, out.Bytes(), 0o700))
		return file
	}
	first := built(bare, "p(1).")
	require.True(t, Has(first))
	second := built(first, "p(2).")
	program, err := os.Open(second)
	require.NoError(t, err)
	defer program.Close()
	folder, length, err := insideOf(program)
	require.NoError(t, err)
	require.EqualValues(t, len("a program"), length)
	require.Len(t, folder.File, 1)
	file, err := folder.Open(Folder + "/a.pl")
	require.NoError(t, err)
	defer file.Close()
	var text bytes.Buffer
	_, err = text.ReadFrom(file)
	require.NoError(t, err)
	require.Equal(t, "p(2).", text.String())

	// A length that the file does not have is there by chance.
	odd := filepath.Join(dir, "odd")
	require.NoError(t, os.WriteFile(odd, append(bytes.Repeat([]byte{0x7f}, 100), buildMark...), 0o600))
	require.False(t, Has(odd))
}

// TestArgs gives commands the folder as their PATH.
func TestArgs(t *testing.T) {
	for _, test := range []struct{ args, want []string }{
		{nil, []string{"serve", "kb"}},
		{[]string{"--http", ":0"}, []string{"serve", "kb", "--http", ":0"}},
		{[]string{"check", "--run"}, []string{"check", "kb", "--run"}},
		{[]string{"query", "p(X)"}, []string{"query", "--file", "kb", "p(X)"}},
		{[]string{"config", "vscode"}, []string{"config", "vscode", "kb"}},
		{[]string{"version"}, []string{"version"}},
		{[]string{"--help"}, []string{"--help"}},
	} {
		require.Equal(t, test.want, Args(test.args, "kb"))
	}
}

// TestUnpackedFolders removes the folders that killed processes have left, and no others.
func TestUnpackedFolders(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	made := func(name string, age time.Duration) string {
		dir := filepath.Join(os.TempDir(), name)
		require.NoError(t, os.MkdirAll(dir, 0o700))
		lock := filepath.Join(dir, unpackedLock)
		require.NoError(t, os.WriteFile(lock, nil, 0o600))
		require.NoError(t, os.Chtimes(lock, time.Time{}, time.Now().Add(-age)))
		return dir
	}
	dead, used := made(unpacked+"1", time.Hour), made(unpacked+"2", time.Hour)
	kept := []string{used, made(unpacked+"3", 0), made("mcplogic-mine", time.Hour)}
	lock, err := locks.Lock(filepath.Join(used, unpackedLock))
	require.NoError(t, err)
	removeUnpacked()
	require.NoDirExists(t, dead)
	for _, dir := range kept {
		require.DirExists(t, dir)
	}
	require.NoError(t, lock.Close())
	removeUnpacked()
	require.NoDirExists(t, used)
}
