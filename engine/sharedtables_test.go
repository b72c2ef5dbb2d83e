package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/stretchr/testify/require"
)

// sharedPrograms has predicates whose tables depend on different facts, and some whose tables must not be shared.
const sharedPrograms = `
:- dynamic([edge/2, colour/1, other/1]).
:- table path/2, far/3, tint/1, private/1 as private, chance/1, told/1.
edge(0, 1).
colour(red).
other(0).
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
far(X, Y, N) :- edge(X, Y), N = 1.
far(X, Y, N) :- far(X, Z, M), M < 6, edge(Z, Y), N is M + 1.
tint(X) :- colour(X).
private(X) :- other(X).
chance(X) :- X is random_float.
told(X) :- other(X), write(told).
`

// TestSharedTables compares the answers of runs, while others commit, with those of a new program made from the facts
// that the run sees.
func TestSharedTables(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "shared.pl", sharedPrograms, nil)
	require.NoError(t, err)
	const nodes = 6
	var work sync.WaitGroup
	for w := range 4 {
		work.Add(1)
		go func() {
			defer work.Done()
			r := rand.New(rand.NewPCG(7, uint64(w)))
			for i := range 60 {
				x, y := r.IntN(nodes), r.IntN(nodes)
				goal := []string{
					fmt.Sprintf("( retract(edge(%d, %d)) -> true ; assertz(edge(%d, %d)) )", x, y, x, y),
					fmt.Sprintf("assertz(colour(%d)), retract(colour(%d))", x, x),
					"true", "true",
				}[r.IntN(4)]
				goal += fmt.Sprintf(", findall(E, (edge(A, B), E = edge(A, B)), Es), findall(B1, path(%d, B1), P0), sort(P0, P), "+
					"findall(A2-N, far(A2, %d, N), F0), sort(F0, F), findall(C, tint(C), T0), sort(T0, T), "+
					"findall(C, colour(C), S0), sort(S0, S)", x, y)
				checkShared(t, prog, goal, x, y, r.IntN(2) == 0)
				if i%10 == 0 && t.Failed() {
					return
				}
			}
		}()
	}
	work.Wait()
}

// checkShared runs a goal and computes its answers afresh.
func checkShared(t *testing.T, prog *engine.Program, goal string, x, y int, commit bool) {
	run, err := prog.Start(goal, &engine.RunOptions{Transaction: true})
	if err != nil {
		t.Error(err)
		return
	}
	defer run.Close()
	if state, err := run.Next(t.Context()); err != nil || state != engine.Answer {
		t.Error(err)
		return
	}
	s := run.Solution()
	var facts strings.Builder
	text := strings.Replace(sharedPrograms, "edge(0, 1).\n", "", 1)
	for _, e := range strings.SplitAfter(strings.Trim(s.Text("Es"), "[]"), "),") {
		if e = strings.TrimSuffix(e, ","); e != "" {
			facts.WriteString(e + ".\n")
		}
	}
	fresh, err := engine.LoadText(t.Context(), "fresh.pl", text+facts.String(), nil)
	if err != nil {
		t.Error(err)
		return
	}
	want, err := fresh.Once(t.Context(), fmt.Sprintf("findall(B1, path(%d, B1), P0), sort(P0, P), "+
		"findall(A2-N, far(A2, %d, N), F0), sort(F0, F)", x, y), nil)
	if err != nil {
		t.Error(err)
		return
	}
	for _, name := range []string{"P", "F"} {
		if want.Text(name) != s.Text(name) {
			t.Errorf("%s: got %s, want %s, of %s", name, s.Text(name), want.Text(name), s.Text("Es"))
		}
	}
	if s.Text("T") != s.Text("S") {
		t.Errorf("tint %s, colour %s", s.Text("T"), s.Text("S"))
	}
	if commit {
		_ = run.Commit() // a conflict is fine too
	}
}

// costOf returns how many inferences all answers of a goal take.
func costOf(t *testing.T, prog *engine.Program, goal string) (n int64) {
	t.Helper()
	counted := "statistics(inferences, A), ( " + goal + ", fail ; true ), statistics(inferences, B), C is B - A"
	s, err := prog.Once(t.Context(), counted, nil)
	require.NoError(t, err)
	_, err = fmt.Sscan(s.Text("C"), &n)
	require.NoError(t, err)
	return n
}

// TestManyCallsOnOneClosure checks that ten thousand different calls cost no more than one computation of all answers,
// plus the reading of their answers.
func TestManyCallsOnOneClosure(t *testing.T) {
	t.Parallel()
	calls, ring := 10_000, 20
	if testing.Short() {
		calls = 2000
	}
	var text strings.Builder
	text.WriteString(":- table path/2.\npath(X, Y) :- edge(X, Y).\npath(X, Y) :- path(X, Z), edge(Z, Y).\n")
	for i := range calls {
		fmt.Fprintf(&text, "edge(%d, %d).\n", i, i/ring*ring+(i+1)%ring)
	}
	load := func() *engine.Program {
		prog, err := engine.LoadText(t.Context(), "ring.pl", text.String(), nil)
		require.NoError(t, err)
		return prog
	}
	all := costOf(t, load(), "path(_, _)")
	prog, each := load(), int64(0)
	for i := range calls {
		each += costOf(t, prog, fmt.Sprintf("path(%d, _)", i))
	}
	t.Logf("all answers at once: %d inferences; %d calls: %d", all, calls, each)
	require.Less(t, each, 3*all)
}

// TestTableMemory checks that no table is kept that is larger than the tables that a program may share.
func TestTableMemory(t *testing.T) {
	t.Parallel()
	for _, small := range []bool{false, true} {
		o := &engine.Options{}
		if small {
			o.TableMemory = 1
		}
		prog, err := engine.LoadText(t.Context(), "shared.pl", sharedPrograms, o)
		require.NoError(t, err)
		first := costOf(t, prog, "far(0, _, _)")
		require.Equal(t, small, costOf(t, prog, "far(0, _, _)") == first)
	}
}

// TestTablesAreComputedOnce counts inferences.
func TestTablesAreComputedOnce(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "shared.pl", sharedPrograms, nil)
	require.NoError(t, err)
	cost := func(goal string) int64 { return costOf(t, prog, goal) }
	_, err = prog.Once(t.Context(), "forall(between(1, 200, X), (Y is X + 1, assertz(edge(X, Y))))", nil)
	require.NoError(t, err)
	first := cost("far(1, _, _)")
	require.Less(t, cost("far(1, _, _)"), first)
	_, err = prog.Once(t.Context(), "assertz(colour(blue))", nil)
	require.NoError(t, err)
	require.Less(t, cost("far(1, _, _)"), first, "a commit to another predicate drops nothing")
	_, err = prog.Once(t.Context(), "assertz(edge(7, 9))", nil)
	require.NoError(t, err)
	require.GreaterOrEqual(t, cost("far(1, _, _)"), first)
	once := cost("path(2, _)")
	for i := range 100 {
		_ = cost(fmt.Sprintf("path(%d, _)", i+3))
	}
	require.Less(t, cost("path(150, 201)"), once)
	require.Equal(t, cost("private(_)"), cost("private(_)"))
	for _, goal := range []string{"chance(X)", "told(X)"} {
		a, err := prog.Once(t.Context(), "with_output_to(string(S), "+goal+")", nil)
		require.NoError(t, err)
		b, err := prog.Once(t.Context(), "with_output_to(string(S), "+goal+")", nil)
		require.NoError(t, err)
		require.Equal(t, goal == "told(X)", a.Text("X") == b.Text("X"), goal)
		require.Equal(t, a.Text("S"), b.Text("S"), goal)
	}
}
