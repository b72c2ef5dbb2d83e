package engine_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/tools/heaptest"
)

// The rules are asserted, called often enough to be compiled, and retracted. Some retract themselves while they run.
const rulesComeAndGo = `
	:- dynamic(rule/2).
	:- dynamic(last/1).
	cycle(N) :- forall(between(1, N, I), once(turn(I))).
	turn(I) :-
		assertz((rule(I, Y) :- X is I * 2, ( X > 3 -> Y = X ; Y = [I, X], atom(a) ), last(_))),
		forall(between(1, 12, _), rule(I, _)),
		rule(I, Y), ( I > 1 -> Y =:= I * 2 ; true ),
		retract((rule(I, _) :- _)).
	last(a).
	suicide(N) :- forall(between(1, N, I), once(die(I))).
	die(I) :-
		assertz((rule(I, Y) :- I > 0, retractall(rule(_, _)), spin(I), Y = f(I))),
		asserta((rule(I, Y) :- fail, Y = 1)),
		forall(between(1, 12, K), (assertz((rule(K, _) :- true, true)), ignore(rule(K, _)))),
		forall(rule(I, Y), (nonvar(Y) -> Y = f(I) ; true)).
	spin(I) :- ( I mod 100 =:= 0 -> cycle(50) ; true ).
`

// The code of retracted rules is freed.
func TestCodeOfRetractedRulesIsFreed(t *testing.T) {
	p, err := engine.LoadText(t.Context(), "t.pl", rulesComeAndGo, nil)
	require.NoError(t, err)
	run := func(goal string) {
		_, err := p.Once(context.Background(), goal, nil)
		require.NoError(t, err)
	}
	run("cycle(2000), suicide(200)")
	before, words := heaptest.InUse(), engine.CodeWords(p)
	run("cycle(30000), suicide(1000)")
	for range 20 {
		run("cycle(100)")
	}
	require.LessOrEqual(t, engine.CodeWords(p), words+20_000)
	requireFlat(t, before+2<<20)
}

// Several runs do the same at once, with shared rules.
func TestCodeIsFreedUnderOthers(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "t.pl", rulesComeAndGo+`
		shared(N) :- forall(between(1, N, I), step(I)).
		step(I) :- assertz((rule(x, Y) :- Y = I, last(_))), forall(rule(x, Y), integer(Y)),
			ignore(retract((rule(x, _) :- _))).
	`, nil)
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 5 {
				_, err := p.Once(context.Background(), "shared(2000)", nil)
				require.NoError(t, err)
			}
		})
	}
	group.Wait()
}
