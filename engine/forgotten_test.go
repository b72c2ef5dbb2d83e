package engine_test

import (
	"fmt"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/mcplogic/mcplogic/tools/heaptest"
	"github.com/stretchr/testify/require"
)

// TestProgramsAreForgotten makes programs, uses each once in some way, and drops it. If a pool, a cache or a table of
// the process keeps a part of a dropped program, the heap grows.
func TestProgramsAreForgotten(t *testing.T) {
	const small = "p(1). p(2). q(X) :- p(X).\n"
	const text = small + `
:- dynamic(fact/1).
:- table reach/2.
reach(X, Y) :- arc(X, Y).
reach(X, Z) :- reach(X, Y), arc(Y, Z).
arc(1, 2). arc(2, 3).
`
	eager := engine.Stressed(&engine.RunOptions{}, engine.Stress{Eager: true})
	some := deep.Count(250, 1200)
	for _, c := range []struct {
		name, text, goal string
		programs         int
		options          engine.RunOptions
	}{
		{name: "asked", text: small, goal: "q(X)", programs: deep.Count(2000, 10_000)},
		{name: "native", text: text, goal: "q(X), q(X)", programs: some, options: *eager},
		{name: "tabled", text: text, goal: "reach(1, 3)", programs: some},
		{name: "changed", text: text, goal: "assertz(fact(1)), clause(arc(_, 3), true, R), nonvar(R)", programs: some},
		{name: "compiled", text: text, goal: "X = 1, findall(Y, (p(Y), Y > X, (Y = 7 -> fail ; true)), L)", programs: some},
		{name: "library", text: text, goal: "clpfd:'#>'(X, 3), clpfd:'#<'(X, 5)", programs: deep.Count(150, 300)},
		{name: "large", text: text, goal: "numlist(1, 30_000, L)", programs: deep.Count(150, 300)},
	} {
		t.Run(c.name, func(t *testing.T) {
			heaptest.RequireForgotten(t, c.programs, 64<<20, func(n int) {
				p, err := engine.LoadText(t.Context(), fmt.Sprintf("p%d.pl", n), c.text, nil)
				require.NoError(t, err)
				_, err = p.Once(t.Context(), c.goal, &c.options)
				require.NoError(t, err)
			})
		})
	}
}
