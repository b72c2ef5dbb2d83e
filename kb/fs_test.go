package kb

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/stretchr/testify/require"
)

// embedded is a knowledge base inside of the binary.
func embedded() fstest.MapFS {
	return fstest.MapFS{
		"rules/main.pl": {Data: []byte(`
			:- use_module('lib/prices').
			:- mode(stock(+atom, -integer), one).
			:- facts(stock/2, 'data/stock.csv', [header(true)]).
			:- mode(worth(+atom, -number), one).
			tools([tool(worth, worth, 2)]).
			worth(S, W) :- stock(S, N), price(S, P), W is N * P.
			note(T) :- read_file_to_string('data/note.txt', T, []).
			other(T) :- read_file_to_string('/etc/hostname', T, []).
		`)},
		"rules/lib/prices.pl":   {Data: []byte(":- module(prices, [price/2]).\nprice(tea, 3).\n")},
		"rules/data/stock.csv":  {Data: []byte("sku,count\ntea,4\n")},
		"rules/data/note.txt":   {Data: []byte("hello")},
		"rules/.hidden/bad.pl":  {Data: []byte("bad bad.\n")},
		"elsewhere/not_this.pl": {Data: []byte("bad bad.\n")},
	}
}

func TestFileSystem(t *testing.T) {
	ctx, files := t.Context(), embedded()
	b, err := Open(ctx, []string{"rules"}, &Options{FS: files})
	require.NoError(t, err)
	once := func(goal, name string) string {
		s, err := b.Snapshot().Program.Once(ctx, goal, nil)
		if err != nil {
			return err.Error()
		}
		return s.Text(name)
	}
	require.Equal(t, "12", once("worth(tea, W)", "W"))
	require.Equal(t, "hello", once("note(T)", "T"))
	require.Equal(t, "true", once("exists_file('data/note.txt'), exists_directory('lib'), X = true", "X"))
	require.Contains(t, once("other(T)", "T"), "permission")
	require.Equal(t, []string{"rules/lib/prices.pl", "rules/main.pl"}, b.Snapshot().Files)
	require.Len(t, b.Snapshot().Tools, 1)

	_, changed := b.ReloadChanged(ctx)
	require.False(t, changed)
	files["rules/data/stock.csv"] = &fstest.MapFile{Data: []byte("sku,count\ntea,5\n")}
	c, changed := b.ReloadChanged(ctx)
	require.True(t, changed)
	require.NoError(t, c.Err)
	require.Equal(t, "15", once("worth(tea, W)", "W"))
}

// TestFileSystemWatch watches a file system by polling, as it does not report its changes.
func TestFileSystemWatch(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) { require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pl"), []byte(text), 0o600)) }
	write("p(1).\n")
	b, err := Open(t.Context(), []string{"."}, &Options{FS: os.DirFS(dir)})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	changes, done := make(chan Change, 10), make(chan struct{})
	go func() {
		defer close(done)
		b.Watch(ctx, func(c Change) { changes <- c })
	}()
	write("p(1).\np(2).\n")
	c := <-changes
	require.NoError(t, c.Err)
	_, err = c.Snapshot.Program.Once(ctx, "p(2)", nil)
	require.NoError(t, err)
	cancel()
	<-done
}

func TestFileSystemErrors(t *testing.T) {
	for path, message := range map[string]string{
		"rule":          "no such file or folder; did you mean rules?",
		"rules/data":    "there are no .pl files in this folder",
		"/rules":        "no such file or folder",
		"../rules":      "no such file or folder",
		"rules/data/no": "no such file or folder",
		"elsewhere":     "syntax",
	} {
		loaded, err := Load(t.Context(), []string{path}, &Options{FS: embedded()})
		report := loaded.Report(err)
		require.NotEmpty(t, report, path)
		require.Contains(t, report[0].Code+": "+report[0].Message, message, path)
	}
}

// TestOutcomes runs tests and examples that are inside of the binary, and reads their outcomes as data.
func TestOutcomes(t *testing.T) {
	files := fstest.MapFS{
		"a.pl": {Data: []byte(":- mode(twice(+integer, -integer), one).\n" +
			":- info(twice/2, [examples is ['Two' - twice(2, N) - {N = 5}]]).\n" +
			"twice(X, Y) :- Y is 2 * X.\n")},
		"a.plt": {Data: []byte(":- begin_tests(a).\ntest(four) :- twice(2, 4).\ntest(five, X == 5) :- twice(2, X).\n" +
			"test(long) :- repeat, fail.\n:- end_tests(a).\n")},
	}
	s, err := Load(t.Context(), []string{"a.pl", "a.plt"}, &Options{FS: files})
	require.NoError(t, err)
	list, err := s.Test(t.Context(), engine.Limits{Time: 200 * time.Millisecond})
	require.NoError(t, err)
	var passed []string
	for _, one := range list {
		if one.Passed {
			passed = append(passed, one.Name)
			continue
		}
		require.NotEmpty(t, one.Message, one.Name)
	}
	require.Equal(t, []string{"a: four"}, passed)
	require.Len(t, list, 4)
	require.Equal(t, 3, list[1].Line)
	require.Equal(t, []string{"twice(2,4)"}, list[3].Answers)
}
