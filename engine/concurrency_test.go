package engine_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/tools/heaptest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// This file tests that many goroutines can query one program, and that a reused machine keeps nothing of its previous
// run.

const shared = `
:- dynamic count/1, log/2.
edge(N, M) :- between(1, 20, N), M is N + 1.
path(X, X).
path(X, Y) :- edge(X, Z), path(Z, Y).
nrev([], []).
nrev([X|Xs], R) :- nrev(Xs, Rs), append(Rs, [X], R).
safe(G) :- catch(G, error(E, _), (print_message(silent, E), fail)).
`

// TestConcurrent lets a hundred goroutines run goals of all kinds on one program, some of
// whose predicates are compiled or loaded from the library at their first call.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "shared.pl", shared, nil)
	require.NoError(t, err)
	goals := []struct{ goal, variable, want string }{
		{"path(1, 10)", "", ""},
		{"numlist(1, 30, L), nrev(L, [X|_])", "X", "30"},
		{"findall(X, edge(3, X), L)", "L", "[4]"},
		{"atom_concat(thread_%d, x, A), atom_length(A, _), X = ok", "X", "ok"},
		{"assertz(log(%d, a)), retract(log(%d, X))", "X", "a"},
		{"safe(X is foo + 1) -> true ; X = caught", "X", "caught"},
		{"list_to_assoc([a-1, b-2], A), get_assoc(b, A, X)", "X", "2"},
		{"aggregate_all(count, edge(_, _), X)", "X", "20"},
		{"nb_setval(key, %d), nb_getval(key, Y), (Y =:= %d -> X = same ; X = other)", "X", "same"},
		{"foldl([A, B, C]>>(C is A + B), [1, 2, 3], 0, X)", "X", "6"},
		{"format(atom(X), '~w-~a', [1, b])", "X", "1-b"},
		{"X is 2 ** 200 mod 1000", "X", "376"},
	}
	var wg sync.WaitGroup
	for n := range 100 {
		wg.Go(func() {
			for i := range goals {
				g := goals[(n+i)%len(goals)]
				goal := strings.ReplaceAll(g.goal, "%d", fmt.Sprint(n))
				s, err := prog.Once(t.Context(), goal, &engine.RunOptions{Transaction: n%2 == 0})
				if err != nil || g.variable != "" && s.Text(g.variable) != g.want {
					t.Errorf("%s: got %v, %v", goal, s, err)
				}
			}
		})
	}
	wg.Wait()
	_, err = prog.Once(t.Context(), "log(_, _)", nil)
	require.ErrorIs(t, err, engine.ErrNoSolution)
}

// TestConcurrentCounter repeats conflicting transactions until they are committed.
func TestConcurrentCounter(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "shared.pl", shared+"count(0).", nil)
	require.NoError(t, err)
	const goroutines, turns = 20, 20
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for done := 0; done < turns; {
				_, err := prog.Once(t.Context(), "retract(count(N)), M is N + 1, assertz(count(M))",
					&engine.RunOptions{Transaction: true})
				if err == nil {
					done++
				} else if !errors.Is(err, engine.ErrConflict) {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	s, err := prog.Once(t.Context(), "findall(_N, count(_N), L)", nil)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("[%d]", goroutines*turns), s.Text("L"))
}

// TestConcurrentUpdates reads a predicate while other goroutines change it: a reader sees both clauses of a pair or
// none.
func TestConcurrentUpdates(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "pairs.pl", ":- dynamic pair/2. pair(a, 0). pair(b, 0).", nil)
	require.NoError(t, err)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(stop)
		for n := range 500 {
			goal := fmt.Sprintf("retractall(pair(_, _)), assertz(pair(a, %d)), assertz(pair(b, %d))", n, n)
			if _, err := prog.Once(t.Context(), goal, &engine.RunOptions{Transaction: true}); err != nil {
				t.Error(err)
			}
		}
	})
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				_, err := prog.Once(t.Context(), "findall(K-N, pair(K, N), [a-X, b-X])", &engine.RunOptions{Transaction: true})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestFreshMachine runs goals one after another on the same machine: the second goal must not see any effect of the
// first.
func TestFreshMachine(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ first, second, want string }{
		{"nb_setval(k, 1)", "catch(nb_getval(k, X), error(X, _), true)", "existence_error(variable,k)"},
		{"b_setval(k, 1)", "catch(b_getval(k, X), error(X, _), true)", "existence_error(variable,k)"},
		{"set_prolog_flag(double_quotes, atom)", "term_to_atom(T, '\"a\"'), (string(T) -> X = string ; X = other)", "string"},
		{"set_prolog_flag(unknown, fail)", "catch(nobody_there, error(existence_error(X, _), _), true)", "procedure"},
		{"op(700, xfx, =>>)", "catch(term_to_atom(X, 'a =>> b'), error(syntax_error(_), _), X = unknown)", "unknown"},
		{"open_null_stream(S), set_stream(S, alias(mine))", "catch(nl(mine), error(existence_error(X, _), _), true)",
			"stream"},
		{"with_output_to(atom(_), (write(a), throw(stop)))", "with_output_to(atom(X), write(b))", "b"},
		{"catch(deep(1), _, true)", "X = 1", "1"},
		{"setup_call_cleanup(true, member(_, [1, 2]), nb_setval(cleaned, yes))",
			"catch(nb_getval(cleaned, X), error(_, _), X = no)", "no"},
		{"freeze(V, true), put_attr(W, a, b), throw(W)", "copy_term(Y, Y, G), length(G, X)", "0"},
		{"member(_, [1, 2, 3])", "findall(Y, member(Y, [a]), X)", "[a]"},
		{"assertz(temporary(1)), throw(x)", "catch(temporary(X), error(_, _), fail) -> true ; X = none", "none"},
		{"assertz(other:temporary(1)), throw(x)", "catch(other:temporary(X), error(_, _), fail) -> true ; X = none", "none"},
		{"gensym(g, _)", "gensym(g, X)", "g1"},
	} {
		t.Run(test.first, func(t *testing.T) {
			prog, err := engine.LoadText(t.Context(), "deep.pl", "deep(N) :- M is N + 1, deep(M), atom(N).", nil)
			require.NoError(t, err)
			o := &engine.RunOptions{Transaction: true, Limits: engine.Limits{Memory: 8 << 20}}
			_, err = prog.Once(t.Context(), test.first, o)
			t.Log(err)
			s, err := prog.Once(t.Context(), test.second, o)
			require.NoError(t, err)
			require.Equal(t, test.want, s.Text("X"))
		})
	}
}

// TestAtomsAreGivenBack runs very many goals that each make new atoms. Two goroutines make the same atoms at nearly the
// same time.
func TestAtomsAreGivenBack(t *testing.T) {
	prog, err := engine.LoadText(t.Context(), "atoms.pl", `
make(N, A) :- atom_concat(query_atom_, N, A), T =.. [A, N], functor(T, F, _), atom_length(F, _), sub_atom(A, 0,
	12, _, S), atom(S).
`, nil)
	require.NoError(t, err)
	queries := 100_000
	if testing.Short() || raceEnabled {
		queries = 10_000
	}
	ask := func(n int) {
		s, err := prog.Once(t.Context(), fmt.Sprintf("make(%d, A), B = atom_of_the_text_%d", n, n), nil)
		assert.NoError(t, err)
		assert.Equal(t, fmt.Sprintf("query_atom_%d", n), s.Text("A"))
	}
	ask(0)
	runtime.GC()
	before := code.AtomCount()
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for n := range queries {
				ask(n)
			}
		})
	}
	group.Wait()
	runtime.GC() // machines in the pool may hold atoms until it drops them
	require.InDelta(t, before, code.AtomCount(), 100)
}

// TestSuspendedRunsClosed closes runs that wait or have more answers.
func TestSuspendedRunsClosed(t *testing.T) {
	heap := heaptest.InUse()
	prog := engine.New(&engine.Options{Predicates: []engine.Predicate{{Name: "ask", Arity: 2, Waits: true}}})
	before := runtime.NumGoroutine()
	for range 1000 {
		run, err := prog.Start("member(X, [1, 2, 3]), setup_call_cleanup(true, ask(X, _), true)", nil)
		require.NoError(t, err)
		state, err := run.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, engine.Waiting, state)
		run.Close()
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
	requireFlat(t, heap+32<<20)
}
