package engine_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/stretchr/testify/require"
)

// waitingText has goals that succeed if a goal suspended on a variable runs before the next call. The inline test after
// the binding does not count as a call. All of the goals succeed in SWI-Prolog.
const waitingText = `
:- use_module(library(clpfd)).
foo.
none(_) :- foo.
frozen :- freeze(W, WW = 1), W = 1, foo, WW == 1.
two :- freeze(W, WW = 1), freeze(V, VV = 2), f(W, V) = f(1, 2), foo, WW == 1, VV == 2.
nested :- freeze(W, freeze(V, VV = 1)), W = 1, foo, V = 2, foo, VV == 1.
head(1).
inhead :- freeze(W, WW = 1), head(W), foo, WW == 1.
when :- when(?=(X, Y), Z = 1), X = a, Y = b, foo, Z == 1.
ground :- when(ground(f(X, Y)), Z = 1), X = a, none(X), Y = b, foo, Z == 1.
dif :- dif(X, a), ( X = a, foo -> fail ; true ).
dif2 :- dif(f(X, Y), f(a, b)), X = a, ( Y = b, foo -> fail ; true ).
constraint :- X #> 3, Y #= X + 1, X = 4, foo, Y == 5.
refused :- X #> 3, ( X = 3, foo -> fail ; true ).
cleanup :- nb_setval(done, no), once(setup_call_cleanup(true, member(_, [1, 2]), nb_setval(done, yes))),
    foo, nb_getval(done, D), D == yes.
`

var waitingGoals = []string{"frozen", "two", "nested", "inhead", "when", "ground", "dif", "dif2", "constraint",
	"refused", "cleanup"}

// TestWakeWhileHeapGrows makes the heap grow at each place of a goal that wakes others. It puts a list before the goal,
// which takes three cells for each element; the heap grows when less than 1 Ki cells are free.
func TestWakeWhileHeapGrows(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "wake.pl", waitingText, nil)
	require.NoError(t, err)
	goals := waitingGoals
	if testing.Short() {
		goals = []string{"frozen", "when", "dif", "constraint"}
	}
	for size := 4 << 10; size <= deep.Count(8<<10, 16<<10); size *= 2 {
		full := (size - 1<<10) / 3
		for n := full - 60; n < full+5; n++ {
			for _, goal := range goals {
				// After the second list the next run begins with a small heap again.
				text := fmt.Sprintf("length(L, %d), %s, L = [_|_], length(_, 9000)", n, goal)
				_, err := prog.Once(context.Background(), text, nil)
				if err != nil {
					t.Errorf("%s: %v", text, err)
				}
			}
		}
	}
}

// TestWakeWhileAllGrows moves heap and stacks at every step of these goals.
func TestWakeWhileAllGrows(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "wake.pl", waitingText, nil)
	require.NoError(t, err)
	for _, goal := range waitingGoals {
		_, err := prog.Once(context.Background(), goal, engine.Stressed(&engine.RunOptions{}, engine.Stress{Grow: true}))
		if err != nil {
			t.Errorf("%s: %v", goal, err)
		}
	}
}
