package engine_test

import (
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/stretchr/testify/require"
)

// TestCyclicExpansion loads programs whose expansions return cyclic terms or never end, which is an error. A goal
// within its own expansion is not expanded again.
func TestCyclicExpansion(t *testing.T) {
	t.Parallel()
	for _, program := range []string{
		"term_expansion(a, T) :- T = f(T).\na.",
		"term_expansion(a, (a :- X)) :- X = (true, X).\na.",
		"term_expansion(a, (a :- X)) :- X = (_, X).\na.",
		"term_expansion(a, (X :- true)) :- X = f(X).\na.",
		"term_expansion(a, L) :- L = [b|L].\na.",
		"term_expansion(a, (:- X)) :- X = (true, X).\na.",
		"term_expansion(a, (p --> X)) :- X = ([a], X).\na.",
		"term_expansion(a, [(:- dynamic(X))]) :- X = (b/0, X).\na.",
		"goal_expansion(c, G) :- G = (true, G).\nd :- c.",
		"goal_expansion(c, G) :- G = f(G).\nd :- c.",
		"goal_expansion(c(X), c(s(X))).\nd :- c(0).",
		"goal_expansion(c(X), c([X|X])).\nd :- c(0).", // each goal twice as large as the one before
		"goal_expansion(c, X) :- X = (_ ; X).\nd :- c.",
		"goal_expansion(c, \\+ X) :- X = (\\+ X).\nd :- c.",
	} {
		var err error
		took := threadTime(func() {
			_, err = engine.LoadText(t.Context(), "cyclic.pl", program,
				&engine.Options{Directives: engine.Limits{Time: 2 * time.Second, Memory: 64 << 20}})
		})
		require.Less(t, took, 20*time.Second, program)
		require.Error(t, err, program)
	}
	_, err := engine.LoadText(t.Context(), "once.pl", "goal_expansion(c, (c, c)).\nc.\nd :- c.", nil)
	require.NoError(t, err)
}
