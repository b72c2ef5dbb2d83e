package kb

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// writeRules writes the files of a knowledge base and returns its folder.
func writeRules(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return dir
}

func TestRules(t *testing.T) {
	files := map[string]string{
		"a.pl": ":- use_module(library(settings)).\n:- setting(rate, number, [default(1)]).\n" +
			":- facts(row/2, 'in/rows.csv', [header(true)]).\n" +
			"total(T) :- row(_, N), setting(rate, R), T is N * R.\n",
		"in/rows.csv": "name,n\ntea,3\n",
		"notes.txt":   "no part of it",
	}
	set := &Options{Setting: func(name string) (string, bool) { return "5", name == "rate" }}
	dir := writeRules(t, files)
	load := func(path string, o *Options) *Snapshot {
		s, err := Load(t.Context(), []string{path}, o)
		require.NoError(t, err)
		return s
	}
	s := load(dir, set)
	again := load(writeRules(t, files), set)
	require.Equal(t, s.Rules.Digest, again.Rules.Digest)
	require.NotEqual(t, s.Rules.Digest, load(dir, nil).Rules.Digest)

	var packed bytes.Buffer
	require.NoError(t, s.Rules.Archive(&packed))
	z, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	require.NoError(t, err)
	r, o, err := new(Options).OpenArchive(z)
	require.NoError(t, err)
	require.Equal(t, s.Rules.Digest, r.Digest)
	back := load(r.Paths[0], o)
	require.Equal(t, s.Rules.Digest, back.Rules.Digest)
	found, err := back.Program.Once(t.Context(), "total(T)", nil)
	require.NoError(t, err)
	require.Equal(t, "15", found.Text("T"))

	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("other"), 0o666))
	require.NoError(t, s.Rules.Archive(&packed))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "in/rows.csv"), []byte("name,n\ntea,4\n"), 0o666))
	require.ErrorIs(t, s.Rules.Archive(&packed), ErrRulesChanged)
	require.NotEqual(t, s.Rules.Digest, load(dir, set).Rules.Digest)
	require.NoError(t, os.Remove(filepath.Join(dir, "in/rows.csv")))
	require.ErrorIs(t, s.Rules.Archive(&packed), ErrRulesChanged)
}

func TestReloadHasItsDigest(t *testing.T) {
	dir := writeRules(t, map[string]string{"a.pl": "p(1).\n"})
	b, err := Open(t.Context(), []string{dir}, nil)
	require.NoError(t, err)
	first := b.Snapshot().Rules.Digest
	s, _ := Load(t.Context(), []string{dir}, nil)
	require.Equal(t, first, s.Rules.Digest)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pl"), []byte("p(2).\n"), 0o666))
	_, changed := b.ReloadChanged(t.Context())
	require.True(t, changed)
	require.NotEqual(t, first, b.Snapshot().Rules.Digest)
}
