package engine_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// solve runs a goal in a transaction and commits its changes. It returns the value of N, or nil without an answer.
func solve(t *testing.T, p *engine.Program, goal string) engine.Term {
	t.Helper()
	run, err := p.Start(goal, &engine.RunOptions{Transaction: true})
	require.NoError(t, err)
	defer run.Close()
	state, err := run.Next(context.Background())
	require.NoError(t, err)
	if state != engine.Answer {
		return nil
	}
	n := run.Solution().Get("N")
	require.NoError(t, run.Commit())
	return n
}

// TestNamesOfFailedGoals runs goals that make predicates and modules with ever new names, and fail.
func TestNamesOfFailedGoals(t *testing.T) {
	t.Parallel()
	for _, goal := range []string{
		"assertz(M:foo(1))",
		"T =.. [M, 1], assertz(T)",
		"dynamic(M/1)",
		"T =.. [M, 1], assertz(T), retract(T)",
		"assertz((M :- true)), call(M)",
		"catch(M:foo, _, true)",
	} {
		t.Run(goal, func(t *testing.T) {
			p, err := engine.LoadText(t.Context(), "a.pl", ":- dynamic(fact/1).\nfact(0).", nil)
			require.NoError(t, err)
			const names, most = 300, 1000
			count := "statistics(predicates, P), statistics(modules, M), N is P + M"
			before := solve(t, p, count).(term.Int)
			for i := range 20 {
				require.Nil(t, solve(t, p, fmt.Sprintf("between(1, %d, I), atom_concat(n%d_, I, M), %s, fail", names, i, goal)))
			}
			require.Less(t, solve(t, p, count).(term.Int), before+term.Int(most))
		})
	}
}

// TestNamesWhileOthersWait runs goals that make names and fail while others wait for answers. The waiting goals keep
// the names that they use, and these names are dropped after their end.
func TestNamesWhileOthersWait(t *testing.T) {
	t.Parallel()
	p := engine.New(&engine.Options{Predicates: goPredicates})
	require.NoError(t, p.Load(t.Context(), source.File{Name: "a.pl", Text: `
		try(Name) :- T =.. [Name, 1], assertz(T), assertz(Name:T), fail.
		many(From) :- To is From + 299, between(From, To, I), atom_concat(p, I, Name), try(Name).
		interview(Name, N) :-
			T =.. [Name, 1], assertz(T), assertz(Name:T), retract(T), ask(a, X), assertz(T), ask(b, Y),
			call(Name, Z), call(Name:Name, Z), N is X + Y + Z.
	`}))
	const most, rounds = 3000, 10
	count := "statistics(predicates, P), statistics(modules, M), N is P + M"
	before := solve(t, p, count).(term.Int)
	from := 0
	fail := func() {
		for range rounds {
			require.Nil(t, solve(t, p, fmt.Sprintf("many(%d)", from)))
			from += 300
		}
	}
	var waiting []*engine.Run
	wait := func(run *engine.Run) {
		state, err := run.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, engine.Waiting, state)
	}
	for i := range 3 {
		run, err := p.Start(fmt.Sprintf("interview(kept%d, N)", i), &engine.RunOptions{Transaction: true})
		require.NoError(t, err)
		defer run.Close()
		wait(run)
		waiting = append(waiting, run)
		fail()
		require.Less(t, solve(t, p, count).(term.Int), before+most)
	}
	for _, run := range waiting {
		run.Resume(term.Int(1))
		wait(run)
		fail()
		require.Less(t, solve(t, p, count).(term.Int), before+most)
	}
	for i, run := range waiting {
		run.Resume(term.Int(2))
		state, err := run.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, engine.Answer, state)
		require.Equal(t, engine.Term(term.Int(4)), run.Solution().Get("N"))
		require.NoError(t, run.Commit())
		fail()
		require.Equal(t, engine.Term(term.Int(1)), solve(t, p, fmt.Sprintf("kept%d:kept%d(N)", i, i)))
	}
	fail()
	require.Less(t, solve(t, p, count).(term.Int), before+1000)
}

// TestNamesThatStay makes names again that earlier goals made before they failed, while many other names are dropped.
func TestNamesThatStay(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "a.pl", `
		try(Name) :- T =.. [Name, 1], assertz(T), fail.
		many(From) :- To is From + 2000, between(From, To, I), atom_concat(p, I, Name), try(Name).
		value(Name, X) :- T =.. [Name, X], call(T).
	`, nil)
	require.NoError(t, err)
	one := term.Int(1)
	require.Nil(t, solve(t, p, "many(1)"))
	require.Equal(t, one, solve(t, p, "assertz(p7(1)), value(p7, N)"))
	require.Equal(t, one, solve(t, p, "assertz((rule(X) :- p8(X), later:q(X))), N = 1"))
	require.Equal(t, one, solve(t, p, "assertz(p9(1)), retract(p9(1)), N = 1"))
	for i := range 5 {
		require.Nil(t, solve(t, p, fmt.Sprintf("many(%d)", i*1000)))
		require.Equal(t, one, solve(t, p, "value(p7, N)"))
	}
	require.Equal(t, one, solve(t, p, "assertz(p8(1)), assertz(later:q(1)), rule(N)"))
	require.Equal(t, one, solve(t, p, "assertz(p9(1)), value(p9, N)"))
	require.Equal(t, one, solve(t, p, "rule(N)"))
}

// TestNamesInParallel runs goals that make names, fail, and use the same names at the same time.
func TestNamesInParallel(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "a.pl", "make(Name) :- T =.. [Name, 1], assertz(T).", nil)
	require.NoError(t, err)
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 150 {
				solve(t, p, fmt.Sprintf("between(1, 100, I), atomic_list_concat([n, %d, '_', I], Name), make(Name), fail", i))
				name := fmt.Sprintf("kept%d_%d", g, i)
				solve(t, p, fmt.Sprintf("make(%s)", name))
				if got := solve(t, p, name+"(N)"); got != engine.Term(term.Int(1)) {
					t.Errorf("%s: %v", name, got)
				}
			}
		})
	}
	all.Wait()
}
