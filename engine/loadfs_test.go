package engine_test

import (
	"io/fs"
	"path"
	"testing"
	"testing/fstest"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/stretchr/testify/require"
)

// This file tests loading from file systems.

// library are files that each say their name.
func library() fstest.MapFS {
	files := fstest.MapFS{"README.md": {Data: []byte("# no Prolog")}, "rules/tests.plt": {}}
	for _, name := range []string{"main.pl", "rules/b.pl", "rules/a.pl", "rules/deep/c.pl", "rules/.hidden.pl",
		".git/x.pl", "data/z.pl", "odd[1].pl", "empty/x.txt"} {
		files[name] = &fstest.MapFile{Data: []byte(":- multifile(loaded/1).\n:- discontiguous(loaded/1).\nloaded('" + name +
			"').\n")}
	}
	files["rules/tests.plt"].Data = files["main.pl"].Data
	return files
}

func TestLoadFS(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		patterns []string
		want     string
	}{
		{nil, "L = ['data/z.pl','main.pl','odd[1].pl','rules/a.pl','rules/b.pl','rules/deep/c.pl']"},
		{[]string{"."}, "L = ['data/z.pl','main.pl','odd[1].pl','rules/a.pl','rules/b.pl','rules/deep/c.pl']"},
		{[]string{"main.pl", "rules"}, "L = ['main.pl','rules/a.pl','rules/b.pl','rules/deep/c.pl']"},
		{[]string{"rules/", "main.pl", "rules/a.pl"}, "L = ['rules/a.pl','rules/b.pl','rules/deep/c.pl','main.pl']"},
		{[]string{"*/*.pl"}, "L = ['data/z.pl','rules/a.pl','rules/b.pl']"},
		{[]string{"rules/*"}, "L = ['rules/a.pl','rules/b.pl','rules/deep/c.pl']"},
		{[]string{"*"}, "L = ['data/z.pl','main.pl','odd[1].pl','rules/a.pl','rules/b.pl','rules/deep/c.pl']"},
		{[]string{"odd[1].pl"}, "L = ['odd[1].pl']"},
		{[]string{"rules/.hidden.pl"}, "L = ['rules/.hidden.pl']"},
		{[]string{"rules/.h*.pl"}, "L = ['rules/.hidden.pl']"},
		{[]string{"rules/tests.plt"}, "L = ['main.pl']"},
		{[]string{"./main.pl", "main.pl"}, "L = ['main.pl']"},
	} {
		prog, err := engine.LoadFS(t.Context(), library(), nil, test.patterns...)
		require.NoError(t, err, test.patterns)
		s, err := prog.Once(t.Context(), "findall(F, loaded(F), L)", nil)
		require.NoError(t, err, test.patterns)
		require.Equal(t, test.want, boundOnly(s), test.patterns)
	}
}

func TestLoadFSErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pattern string
		is      error
	}{
		{"none.pl", fs.ErrNotExist}, {"none/*.pl", fs.ErrNotExist}, {"*.plt", fs.ErrNotExist}, {"[", path.ErrBadPattern},
		{"empty", nil}, {"empty/*", nil}, {"../x", nil},
	} {
		_, err := engine.LoadFS(t.Context(), library(), nil, "main.pl", test.pattern)
		var missing *fs.PathError
		require.ErrorAs(t, err, &missing, test.pattern)
		if test.is != nil {
			require.ErrorIs(t, err, test.is, test.pattern)
		}
	}
	_, err := engine.LoadFS(t.Context(), fstest.MapFS{}, nil)
	require.Error(t, err)
	_, err = engine.LoadFS(t.Context(), fstest.MapFS{"a.pl": {Data: []byte("a(.")}}, nil)
	var diagnostics source.Diagnostics
	require.ErrorAs(t, err, &diagnostics)
}

// TestLoadAfterQuery is refused: the code may be running.
func TestLoadAfterQuery(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "a.pl", ":- X = 1, X > 0.\na.\n", nil)
	require.NoError(t, err)
	more := source.File{Name: "b.pl", Text: "b.\n"}
	require.NoError(t, prog.Load(t.Context(), more), "directives are no queries")
	_, err = prog.Once(t.Context(), "a, b", nil)
	require.NoError(t, err)
	require.ErrorIs(t, prog.Load(t.Context(), source.File{Name: "c.pl", Text: "c.\n"}), engine.ErrQueried)
}
