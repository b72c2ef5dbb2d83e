package kb_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
)

// offer is a file that offers one tool.
func offer(name string) string {
	return fmt.Sprintf("tools([tool(%[1]s, %[1]s, 0, [description('Does.')])]).\n%[1]s.\n", name)
}

// watched is a base under watch and its folder.
type watched struct {
	*testing.T
	dir     string
	base    *kb.Base
	changes chan kb.Change
}

// open loads a folder with one file and watches it.
func open(t *testing.T, o *kb.Options, paths ...string) *watched {
	dir := t.TempDir()
	full := []string{dir}
	if len(paths) > 0 {
		full = nil
	}
	for _, path := range paths {
		full = append(full, filepath.Join(dir, path))
	}
	return openAt(t, o, dir, full)
}

// openAt puts a file into a folder, loads the paths that lead to it and watches them.
func openAt(t *testing.T, o *kb.Options, dir string, paths []string) *watched {
	save(t, filepath.Join(dir, "a.pl"), offer("a"))
	if o == nil {
		o = &kb.Options{Quiet: 30 * time.Millisecond, MaxWait: 300 * time.Millisecond}
	}
	base, err := kb.Open(t.Context(), paths, o)
	require.NoError(t, err)
	w := &watched{t, dir, base, make(chan kb.Change, 100)}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		base.Watch(ctx, func(c kb.Change) { w.changes <- c })
	}()
	t.Cleanup(func() { cancel(); <-done })
	w.save("a.pl", offer("a0"))
	require.Equal(t, []string{"a0"}, tools(w.next().Snapshot), "the watch has begun")
	return w
}

func (w *watched) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *watched) save(name, text string) {
	w.Helper()
	save(w.T, w.path(name), text)
}

func (w *watched) rename(from, to string) {
	w.Helper()
	require.NoError(w, os.Rename(w.path(from), w.path(to)))
}

// next waits for a reload.
func (w *watched) next() kb.Change {
	w.Helper()
	select {
	case c := <-w.changes:
		return c
	case <-time.After(2 * time.Minute):
		w.Fatal("no reload")
		return kb.Change{}
	}
}

// quiet checks that there is no reload.
func (w *watched) quiet() {
	w.Helper()
	select {
	case c := <-w.changes:
		w.Fatalf("a reload to %v, %v", tools(c.Snapshot), c.Err)
	case <-time.After(250 * time.Millisecond):
	}
}

func tools(s *kb.Snapshot) []string {
	names := []string{}
	for _, tool := range s.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// TestSaving changes a folder in the ways of editors and other programs; each leads to one
// reload.
func TestSaving(t *testing.T) {
	for _, test := range []struct {
		name string
		save func(w *watched)
		want []string
	}{
		{"write", func(w *watched) { w.save("a.pl", offer("a1")) }, []string{"a1"}},
		{"append", func(w *watched) {
			f, err := os.OpenFile(w.path("a.pl"), os.O_APPEND|os.O_WRONLY, 0)
			require.NoError(w, err)
			_, err = f.WriteString(offer("a1"))
			require.NoError(w, err)
			require.NoError(w, f.Close())
		}, []string{"a0", "a1"}},
		{"truncate and write in parts", func(w *watched) {
			f, err := os.Create(w.path("a.pl"))
			require.NoError(w, err)
			for _, c := range offer("a1") {
				_, err = f.WriteString(string(c))
				require.NoError(w, err)
			}
			require.NoError(w, f.Close())
		}, []string{"a1"}},
		{"rename a new file over", func(w *watched) {
			w.save(".a.pl.tmp", offer("a1"))
			w.rename(".a.pl.tmp", "a.pl")
		}, []string{"a1"}},
		{"move to a backup, write anew, remove the backup", func(w *watched) {
			w.rename("a.pl", "a.pl~")
			w.save("4913", "")
			w.save("a.pl", offer("a1"))
			require.NoError(w, os.Remove(w.path("a.pl~")))
			require.NoError(w, os.Remove(w.path("4913")))
		}, []string{"a1"}},
		{"remove and write", func(w *watched) {
			require.NoError(w, os.Remove(w.path("a.pl")))
			w.save("a.pl", offer("a1"))
		}, []string{"a1"}},
		{"several files", func(w *watched) {
			w.save("c.pl", offer("c"))
			w.save("b.pl", offer("b"))
			w.save("a.pl", offer("a1"))
		}, []string{"a1", "b", "c"}},
		{"new folders", func(w *watched) { w.save("x/y/z/b.pl", offer("b")) }, []string{"a0", "b"}},
		{"a folder moved in", func(w *watched) {
			outside := w.TempDir()
			save(w.T, filepath.Join(outside, "sub", "b.pl"), offer("b"))
			require.NoError(w, os.Rename(filepath.Join(outside, "sub"), w.path("sub")))
		}, []string{"a0", "b"}},
		{"a link", func(w *watched) {
			outside := filepath.Join(w.TempDir(), "b.pl")
			save(w.T, outside, offer("b"))
			require.NoError(w, os.Symlink(outside, w.path("b.pl")))
		}, []string{"a0", "b"}},
		{"the folder made anew", func(w *watched) {
			require.NoError(w, os.RemoveAll(w.dir))
			w.save("b.pl", offer("b"))
		}, []string{"b"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := open(t, nil)
			test.save(w)
			c := w.next()
			require.NoError(t, c.Err)
			require.Equal(t, test.want, tools(c.Snapshot))
			require.Same(t, c.Snapshot, w.base.Snapshot())
			require.True(t, c.Tools && !c.Prompts && !c.Resources)
			w.quiet()
		})
	}
}

// TestIrrelevant changes what does not matter.
func TestIrrelevant(t *testing.T) {
	for _, test := range []struct {
		name string
		save func(w *watched)
	}{
		{"other files", func(w *watched) { w.save("notes.txt", "x"); w.save("a.plt", "x") }},
		{"hidden files", func(w *watched) { w.save(".b.pl", offer("b")); w.save(".git/b.pl", offer("b")) }},
		{"files of editors", func(w *watched) {
			w.save("#a.pl#", offer("b"))
			w.save(".a.pl.swp", "x")
			w.save("a.pl~", offer("b"))
			require.NoError(w, os.Symlink("nowhere", w.path(".#a.pl")))
		}},
		{"the same text again", func(w *watched) { w.save("a.pl", offer("a0")) }},
		{"the time", func(w *watched) {
			require.NoError(w, os.Chtimes(w.path("a.pl"), time.Now(), time.Now()))
		}},
		{"an empty folder", func(w *watched) { require.NoError(w, os.Mkdir(w.path("sub"), 0o777)) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := open(t, nil)
			test.save(w)
			w.quiet()
		})
	}
}

// TestRemoving removes files and folders.
func TestRemoving(t *testing.T) {
	w := open(t, nil)
	w.save("sub/b.pl", offer("b"))
	require.Equal(t, []string{"a0", "b"}, tools(w.next().Snapshot))
	w.save("sub/b.pl", offer("b1")) // the new folder is watched
	require.Equal(t, []string{"a0", "b1"}, tools(w.next().Snapshot))
	require.NoError(t, os.RemoveAll(w.path("sub")))
	require.Equal(t, []string{"a0"}, tools(w.next().Snapshot))
	w.save("sub/b.pl", offer("b2"))
	require.Equal(t, []string{"a0", "b2"}, tools(w.next().Snapshot))
	require.NoError(t, os.Remove(w.path("a.pl")))
	require.Equal(t, []string{"b2"}, tools(w.next().Snapshot))
	require.NoError(t, os.RemoveAll(w.dir))
	c := w.next()
	require.ErrorContains(t, c.Err, "no such file or folder")
	require.Equal(t, []string{"b2"}, tools(c.Snapshot))
}

// TestPartGone moves a folder away. It is served until it has been gone for a while, whatever it defined.
func TestPartGone(t *testing.T) {
	gone := func(t *testing.T, most time.Duration, part, other string) *watched {
		w := open(t, &kb.Options{Quiet: 30 * time.Millisecond, MaxWait: most})
		w.save("sub/b.pl", part)
		w.save("c.pl", other)
		for len(w.base.Snapshot().Files) < 3 {
			w.next()
		}
		w.rename("sub", ".sub")
		return w
	}
	const fact, caller, shared = "part(1).\n", "uses(X) :- part(X).\n", ":- multifile part/1.\n"
	for name, texts := range map[string][2]string{"called": {fact, caller},
		"another clause": {shared + fact, shared + caller}, "only a tool": {offer("b0") + fact, "other.\n"}} {
		t.Run("for a moment/"+name, func(t *testing.T) {
			t.Parallel()
			w := gone(t, time.Hour, texts[0], texts[1])
			w.quiet()
			w.rename(".sub", "sub")
			w.quiet()
			_, err := w.base.Snapshot().Program.Once(t.Context(), "part(1)", nil)
			require.NoError(t, err)
		})
	}
	t.Run("for good", func(t *testing.T) {
		t.Parallel()
		c := gone(t, 300*time.Millisecond, fact, caller).next()
		require.NoError(t, c.Err)
		require.Contains(t, c.Diagnostics[0].Message, "part/1 is not defined")
	})
}

// TestBroken saves a file with an error; the last good version stays until the error is fixed.
func TestBroken(t *testing.T) {
	w := open(t, nil)
	good := w.base.Snapshot()
	w.save("a.pl", offer("a1")+"p(.\nq(.\n")
	c := w.next()
	require.Len(t, c.Diagnostics.Errors(), 2)
	require.Error(t, c.Err)
	require.Same(t, good, c.Snapshot)
	require.Same(t, good, w.base.Snapshot())
	require.False(t, c.Tools)
	w.quiet()
	w.save("a.pl", offer("a0"))
	c = w.next()
	require.NoError(t, c.Err)
	require.False(t, c.Tools, "nothing has changed for clients")
	require.Equal(t, good.Version+1, c.Snapshot.Version)
}

// TestSingleFile watches one file of a folder.
func TestSingleFile(t *testing.T) {
	w := open(t, nil, "a.pl")
	w.save("b.pl", offer("b"))
	w.quiet()
	w.save(".new", offer("a1"))
	w.rename(".new", "a.pl")
	require.Equal(t, []string{"a1"}, tools(w.next().Snapshot))
}

// TestIncluded changes a file that another one includes.
func TestIncluded(t *testing.T) {
	w := open(t, nil)
	w.save("facts.inc", offer("i0"))
	w.save("a.pl", ":- include('facts.inc').\n")
	require.Equal(t, []string{"i0"}, tools(w.next().Snapshot))
	w.save("facts.inc", "p(.")
	require.Error(t, w.next().Err)
	w.save("facts.inc", offer("i1"))
	require.Equal(t, []string{"i1"}, tools(w.next().Snapshot))
}

// TestIncludedByAnyPath names the folder in several ways.
func TestIncludedByAnyPath(t *testing.T) {
	for _, path := range []string{".", "./", "../rules", "../rules/.", "./a.pl"} {
		t.Run(path, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "rules")
			require.NoError(t, os.Mkdir(dir, 0o777))
			t.Chdir(dir)
			w := openAt(t, nil, dir, []string{path})
			w.save("facts.inc", offer("i0"))
			w.save("a.pl", ":- include('facts.inc').\n")
			require.Equal(t, []string{"i0"}, tools(w.next().Snapshot))
			w.save("facts.inc", offer("i1"))
			require.Equal(t, []string{"i1"}, tools(w.next().Snapshot))
		})
	}
}

// TestLinkTarget changes the target of a file link, and switches a folder link as tools that publish versions do.
func TestLinkTarget(t *testing.T) {
	w := open(t, nil)
	outside := filepath.Join(t.TempDir(), "b.pl")
	save(t, outside, offer("b0"))
	require.NoError(t, os.Symlink(outside, w.path("b.pl")))
	require.Equal(t, []string{"a0", "b0"}, tools(w.next().Snapshot))
	save(t, outside, offer("b1"))
	require.Equal(t, []string{"a0", "b1"}, tools(w.next().Snapshot))

	w.save("..v1/c.pl", offer("c1"))
	w.save("..v2/c.pl", offer("c2"))
	require.NoError(t, os.Symlink("..v1", w.path("..now")))
	require.NoError(t, os.Symlink(filepath.FromSlash("..now/c.pl"), w.path("c.pl")))
	require.Equal(t, []string{"a0", "b1", "c1"}, tools(w.next().Snapshot))
	require.NoError(t, os.Symlink("..v2", w.path("..next")))
	w.rename("..next", "..now")
	require.Equal(t, []string{"a0", "b1", "c2"}, tools(w.next().Snapshot))
}

// TestEndless changes a file all the time; the reload still happens.
func TestEndless(t *testing.T) {
	w := open(t, &kb.Options{Quiet: 100 * time.Millisecond, MaxWait: 300 * time.Millisecond})
	start := time.Now()
	for i := 0; len(w.changes) == 0; i++ {
		require.Less(t, time.Since(start), 2*time.Minute)
		w.save("a.pl", offer(fmt.Sprintf("a%d", i)))
		time.Sleep(20 * time.Millisecond)
	}
	require.NoError(t, w.next().Err)
}

// TestEndlessLoads changes a file all the time whose load takes longer than the pauses between changes; loads still
// finish.
func TestEndlessLoads(t *testing.T) {
	slow := engine.Predicate{Name: "slow", Call: func(c *engine.Call) (bool, error) {
		select {
		case <-c.Context().Done():
		case <-time.After(200 * time.Millisecond):
		}
		return true, nil
	}}
	w := open(t, &kb.Options{Quiet: 10 * time.Millisecond, MaxWait: 50 * time.Millisecond,
		Predicates: []engine.Predicate{slow}})
	deadline := time.Now().Add(2 * time.Minute)
	for i := 0; len(w.changes) < 2; i++ {
		require.True(t, time.Now().Before(deadline), "no reload")
		w.save(".new", ":- slow.\n"+offer(fmt.Sprintf("a%d", i)))
		w.rename(".new", "a.pl")
		time.Sleep(30 * time.Millisecond)
	}
	require.NoError(t, w.next().Err)
	require.NoError(t, w.next().Err)
}

// TestShrunk makes files shorter. A file that stays short is loaded.
func TestShrunk(t *testing.T) {
	w := open(t, nil)
	w.save("b.pl", offer("b")+offer("bb"))
	require.Equal(t, []string{"a0", "b", "bb"}, tools(w.next().Snapshot))
	w.save("b.pl", offer("b"))
	require.Equal(t, []string{"a0", "b"}, tools(w.next().Snapshot))
	w.save("b.pl", "")
	require.Equal(t, []string{"a0"}, tools(w.next().Snapshot))
	w.quiet()
}

// TestFactsSurvive reloads while there are facts that were added at run time.
func TestFactsSurvive(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, "a.pl"), ":- dynamic(seen/1).\nseen(file).\n:- assertz(seen(directive)).\np.\n")
	base, err := kb.Open(t.Context(), []string{dir}, nil)
	require.NoError(t, err)
	run(t, base, "asserta(seen(first)), assertz(seen('new atom')), assertz((seen(X) :- X = \"rule\")), "+
		"assertz(made(1)), retract(seen(file))")
	require.Equal(t, "[first,directive,'new atom',\"rule\"]", list(t, base, "seen(X)"))

	flight, err := base.Snapshot().Program.Start("assertz(seen(late)), retract(seen(first)), asserta(seen(zero))",
		&engine.RunOptions{Transaction: true})
	require.NoError(t, err)
	defer flight.Close()
	_, err = flight.Next(t.Context())
	require.NoError(t, err)

	save(t, filepath.Join(dir, "a.pl"), ":- dynamic(seen/1).\nseen(other).\np :- true.\n")
	require.NoError(t, base.Reload(t.Context()).Err)
	require.Equal(t, "[first,other,'new atom',\"rule\"]", list(t, base, "seen(X)"))
	require.Equal(t, "[1]", list(t, base, "made(X)"))

	require.NoError(t, base.Reload(t.Context()).Err)
	require.NoError(t, flight.Commit(), "it began two reloads ago")
	require.Equal(t, "[zero,other,'new atom',\"rule\",late]", list(t, base, "seen(X)"))

	save(t, filepath.Join(dir, "a.pl"), "seen(static).\n")
	require.NoError(t, base.Reload(t.Context()).Err)
	require.Equal(t, "[static]", list(t, base, "seen(X)"), "not dynamic any more")
}

// run commits the changes of a goal.
func run(t *testing.T, base *kb.Base, goal string) {
	t.Helper()
	r, err := base.Snapshot().Program.Start(goal, &engine.RunOptions{Transaction: true})
	require.NoError(t, err)
	defer r.Close()
	state, err := r.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, engine.Answer, state)
	require.NoError(t, r.Commit())
}

// list returns all values of X in the answers of a goal.
func list(t *testing.T, base *kb.Base, goal string) string {
	t.Helper()
	s, err := base.Snapshot().Program.Once(t.Context(), "findall(X, "+goal+", L)", nil)
	require.NoError(t, err)
	return engine.FormatTerm(s.Get("L"))
}
