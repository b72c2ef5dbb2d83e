package engine_test

import (
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// TestSharedVariables runs predicates in Go that return terms with variables of the goal, and terms that share new
// variables.
func TestSharedVariables(t *testing.T) {
	swapped := func(pair engine.Term) engine.Term {
		args := pair.(*term.Compound).Args
		return term.New("pair", args[1], args[0])
	}
	p := engine.New(&engine.Options{Predicates: []engine.Predicate{
		{Name: "swap", Arity: 2, Call: func(c *engine.Call) (bool, error) { return c.Unify(1, swapped(c.Arg(0))), nil }},
		{Name: "same", Arity: 3, Call: func(c *engine.Call) (bool, error) {
			args := c.Args()
			return c.Unify(0, args[1]) && c.Unify(2, term.List(c.Arg(1), args[0])), nil
		}},
		{Name: "fresh", Arity: 2, Call: func(c *engine.Call) (bool, error) {
			v := term.NewVar("")
			return c.Unify(0, term.List(v)) && c.Unify(1, v), nil
		}},
		{Name: "turns", Arity: 2, Solve: func(c *engine.Call) iter.Seq2[[]engine.Term, error] {
			return func(yield func([]engine.Term, error) bool) {
				pair := c.Arg(0)
				for yield([]engine.Term{nil, pair}, nil) {
					pair = swapped(pair)
				}
			}
		}},
	}})
	for _, goal := range []string{
		"swap(pair(X, Y), P), P == pair(Y, X)",
		"swap(pair(X, f(X, Z)), P), P = pair(f(1, 2), B), X-Z-B == 1-2-1",
		"swap(pair(X, X), pair(1, Y)), X-Y == 1-1",
		"same(X, Y, L), X == Y, L == [X, Y], X = 1, L == [1, 1]",
		"same(f(A), f(B), [P, Q]), A == B, P == f(A), Q == P",
		"fresh([X], Y), X == Y",
		"fresh(L, Y), Y = 1, L == [1]",
		"dif(X, 1), swap(pair(X, Y), pair(Y2, X2)), Y2 == Y, X2 == X, \\+ X2 = 1, X2 = 2, X == 2",
		"freeze(X, Y = woken), swap(pair(X, Y), pair(B, A)), A = go, B == woken",
		"findall(P, limit(3, turns(pair(X, Y), P)), L), L = [pair(A, B), pair(C, D), pair(_, _)], A \\== C, B \\== D",
		"forall(limit(4, turns(pair(X, Y), P)), (P == pair(X, Y) ; P == pair(Y, X)))",
		"turns(pair(X, Y), P), P = pair(1, 2), X-Y == 2-1",
		"length(L, 3000), T = pair(L, L), swap(T, pair(M, N)), M == L, N == L, garbage_collect, M == L",
		"X = f(X, Y), swap(pair(X, Y), pair(Z, W)), Z == Y, W == X",
	} {
		_, err := p.Once(t.Context(), goal, nil)
		require.NoError(t, err, goal)
	}
}
