package kb_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

// module is the text of module i, with rules and facts.
func module(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, ":- module(part%d, [path%[1]d/3]).\n:- use_module(library(lists)).\n:- mode(path%[1]d(+atom, "+
		"-atom, -integer), zero_or_more).\n", i)
	for j := range 60 {
		fmt.Fprintf(&b, "edge(n%d, n%d, %d, 'one of part %d').\n", j, j+1, i+j, i)
	}
	for j := range 20 {
		fmt.Fprintf(&b, `step%[1]d(From, To, Cost) :-
    edge(From, Via, Near, _),
    (   Near > %[1]d
    ->  findall(Next-Far, edge(Via, Next, Far, _), Pairs),
        member(To-Last, Pairs)
    ;   edge(Via, To, Last, Text), Text \== [a, b, "c"]
    ),
    Cost is Near + Last * %[1]d.
`, j)
	}
	fmt.Fprintf(&b, "path%d(X, Y, C) :- step0(X, Y, C).\n", i)
	return b.String()
}

// BenchmarkReload loads a folder of 100 files, and reloads it after one of them has changed.
func BenchmarkReload(b *testing.B) {
	dir := b.TempDir()
	for i := range 100 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part%02d.pl", i)), []byte(module(i)), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("load", func(b *testing.B) {
		for range b.N {
			if _, err := kb.Load(b.Context(), []string{dir}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	base, err := kb.Open(b.Context(), []string{dir}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("reload", func(b *testing.B) {
		for i := range b.N {
			text := module(7) + fmt.Sprintf("extra%d.\n", i)
			if err := os.WriteFile(filepath.Join(dir, "part07.pl"), []byte(text), 0o666); err != nil {
				b.Fatal(err)
			}
			if c := base.Reload(b.Context()); c.Err != nil {
				b.Fatal(c.Err)
			}
		}
	})
}

// TestReloadParses counts the files that a reload parses, and compares its diagnostics.
func TestReloadParses(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		save(t, filepath.Join(dir, fmt.Sprintf("part%02d.pl", i)), module(i)+"warned(X, Y) :- edge(X, Z, _, _).\n")
	}
	base, err := kb.Open(t.Context(), []string{dir}, nil)
	require.NoError(t, err)
	before := base.Snapshot().Diagnostics
	require.NotEmpty(t, before)
	changed := filepath.Join(dir, "part07.pl")
	save(t, changed, module(7)+"extra(1).\n")
	c := base.Reload(t.Context())
	require.NoError(t, c.Err)
	require.Equal(t, []string{filepath.ToSlash(changed)}, base.Parsed())
	loaded, err := kb.Load(t.Context(), []string{dir}, nil)
	fresh := loaded.Report(err)
	require.Equal(t, fresh, c.Diagnostics)
	require.Len(t, fresh, len(before)-1, "the changed file has lost its warning")

	save(t, changed, module(7)+"extra(1.\n")
	require.Error(t, base.Reload(t.Context()).Err)
	save(t, changed, module(7)+"extra(2).\n")
	require.NoError(t, base.Reload(t.Context()).Err)
	require.Equal(t, []string{filepath.ToSlash(changed)}, base.Parsed(), "a load that failed is remembered too")
	s, err := base.Snapshot().Program.Once(t.Context(), "part7:extra(X)", nil)
	require.NoError(t, err)
	require.Equal(t, engine.Term(term.Int(2)), s.Get("X"))
}

// TestCallsDuringReload calls while a reload is held up by a directive.
func TestCallsDuringReload(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, "a.pl"), ":- hold.\n:- dynamic(n/1).\nn(0).\nv(1).\nadd(X) :- assertz(n(X)).\n")
	held, release := make(chan bool, 1), make(chan bool, 1)
	release <- true // the first load is not held up
	hold := engine.Predicate{Name: "hold", Call: func(*engine.Call) (bool, error) {
		held <- true
		<-release
		return true, nil
	}}
	base, err := kb.Open(t.Context(), []string{dir}, &kb.Options{Predicates: []engine.Predicate{hold}})
	require.NoError(t, err)
	<-held
	done := make(chan kb.Change)
	go func() { done <- base.Reload(t.Context()) }()
	<-held
	for i := range 10 {
		s, err := base.Snapshot().Program.Once(t.Context(), fmt.Sprintf("v(X), add(%d)", i+1), nil)
		require.NoError(t, err)
		require.NotNil(t, s)
	}
	release <- true
	c := <-done
	require.NoError(t, c.Err)
	s, err := c.Snapshot.Program.Once(t.Context(), "findall(X, n(X), L), length(L, N)", nil)
	require.NoError(t, err)
	require.Equal(t, engine.Term(term.Int(11)), s.Get("N"), "facts added meanwhile have moved")
}

// TestTouched changes files in ways that change their sizes or times.
func TestTouched(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.pl")
	long := time.Now().Add(-time.Hour)
	save := func(name, text string, at time.Time) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		require.NoError(t, os.Chtimes(path, at, at))
	}
	save("a.pl", ":- include('part.inc').\np(1).\n", long)
	save("part.inc", "q(1).\n", long)
	base, err := kb.Open(t.Context(), []string{dir}, nil)
	require.NoError(t, err)
	for _, change := range []func(){
		func() { save("a.pl", ":- include('part.inc').\np(2).\n", long.Add(time.Minute)) },
		func() { save("a.pl", ":- include('part.inc').\np(22).\n", long.Add(time.Minute)) },
		func() { save("part.inc", "q(2).\n", long.Add(time.Minute)) },
		func() { save("b.pl", "r(1).\n", long) },
		func() { require.NoError(t, os.Remove(filepath.Join(dir, "b.pl"))) },
	} {
		require.False(t, base.Touched())
		change()
		require.True(t, base.Touched())
		_, changed := base.ReloadChanged(t.Context())
		require.True(t, changed)
	}
	save("a.pl", ":- include('part.inc').\np(22).\n", long.Add(2*time.Minute)) // the same again
	require.True(t, base.Touched())
	_, changed := base.ReloadChanged(t.Context())
	require.False(t, changed)
	require.False(t, base.Touched())
	save("a.pl", ":- include('part.inc').\np(33).\n", time.Now())
	base.Reload(t.Context())
	require.True(t, base.Touched(), "so shortly after %s was written another change may not show", file)
}
