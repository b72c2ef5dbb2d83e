package engine_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/stretchr/testify/require"
)

// This file tests programs that load files while other goroutines run them.

// TestConsultWhileOthersRun consults files that define new predicates, add to static ones and declare modules and
// meta-predicates, while goals that call all of these run on other machines. A running machine sees a predicate with or
// without the clauses that a file adds, and in no other state.
func TestConsultWhileOthersRun(t *testing.T) {
	t.Parallel()
	const files = 24
	fsys := fstest.MapFS{"main.pl": {Data: []byte(`
:- multifile hook/1, picked/2.
:- discontiguous late/1.
hook(0).
picked(none, 0).
loop(0) :- !.
loop(N) :- once(hook(_)), forall(picked(a, X), integer(X)), try(N), M is N - 1, loop(M).
try(N) :- K is N mod 24, atom_concat(new_, K, P), G =.. [P, X],
    catch((call(G) -> integer(X) ; true), error(existence_error(_, _), _), true),
    catch((late(Y), integer(Y)), error(existence_error(_, _), _), true), fail.
try(N) :- K is N mod 24, atom_concat(m_, K, M), atom_concat(each_, K, E), G =.. [E, integer, [1, 2]],
    ignore(catch(M:G, error(existence_error(_, _), _), true)).
`)}}
	for i := range files {
		var b strings.Builder
		fmt.Fprintf(&b, ":- module(m_%d, [new_%d/1, each_%d/2]).\n:- multifile user:hook/1, user:picked/2.\n", i, i, i)
		fmt.Fprintf(&b, ":- meta_predicate each_%d(1, +).\n:- op(700, xfx, =%d=).\n", i, i)
		fmt.Fprintf(&b, "user:hook(%d) :- new_%d(_).\nuser:picked(a, %d).\nuser:picked(b, X) :- hook(X).\n", i, i, i)
		fmt.Fprintf(&b, "new_%d(X) :- helper(X, _).\nhelper(%d, L) :- findall(Y, between(1, 20, Y), L).\n", i, i)
		fmt.Fprintf(&b, "each_%d(G, L) :- maplist(G, L).\n:- initialization(new_%d(_)).\n", i, i)
		for k := range 12 {
			fmt.Fprintf(&b, "bulk(X, Y) :- X > %d, helper(Z, _), Y is X + Z.\n", k)
		}
		fsys[fmt.Sprintf("f%d.pl", i)] = &fstest.MapFile{Data: []byte(b.String())}
	}
	prog, err := engine.LoadFS(t.Context(), fsys, &engine.Options{Files: engine.FilesOf(fsys)}, "main.pl")
	require.NoError(t, err)
	var done atomic.Bool
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for !done.Load() {
				if _, err := prog.Once(t.Context(), "loop(300)", nil); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range files {
		goal := fmt.Sprintf("use_module(f%d), new_%d(%d), m_%d:each_%d(integer, [1])", i, i, i, i, i)
		_, err := prog.Once(t.Context(), goal, nil)
		require.NoError(t, err)
	}
	done.Store(true)
	wg.Wait()
	s, err := prog.Once(t.Context(), "findall(X, hook(X), L), length(L, N), aggregate_all(count, picked(b, _), M)", nil)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprint(files+1), s.Text("N"))
}
