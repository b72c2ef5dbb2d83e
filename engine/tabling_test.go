package engine_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/mcplogic/mcplogic/tools/heaptest"
	"github.com/stretchr/testify/require"
)

// tabledPrograms are programs whose tables grow without end, or large.
const tabledPrograms = `
:- table nat/1, deep/1, term/1, fact/1, ring/2, least(_, min), left/1, big/1, shaky/1, cross/3, num/1.
nat(0).
nat(X) :- nat(Y), X is Y + 1.
deep(X) :- Y is X + 1, deep(Y).
term(a).
term(f(X)) :- term(X).
left(X) :- left(Y), X is Y * 3.
left(1).
big(X) :- between(1, 1000000, X).
fact(N) :- N =< 0.
fact(N) :- N > 0, M is N - 1, fact(M).
ring(X, Y) :- step(X, Y).
ring(X, Y) :- step(X, Z), ring(Z, Y).
step(X, Y) :- Y is (X + 1) mod 1000.
least(X, Y) :- least(X, Z), Y is Z - 1.
least(_, 0).
cross(X, Y, Z) :- num(X), num(Y), num(Z), X \== Y.
num(X) :- some(X).
shaky(X) :- ring(0, X).
shaky(X) :- ring(0, X), X > 500, throw(stopped).
`

func TestTablesStayWithinLimits(t *testing.T) {
	before := heaptest.InUse()
	text := tabledPrograms
	for i := range 3000 {
		text += fmt.Sprintf("some(%d).\n", i)
	}
	prog, err := engine.LoadText(t.Context(), "tables.pl", text, nil)
	require.NoError(t, err)
	room := deep.Count(6<<20, 16<<20)
	tests := []struct {
		goal, resource string
		limits         engine.RunOptions
	}{
		{"nat(_)", "memory", engine.RunOptions{Limits: engine.Limits{Memory: room}}},
		{"nat(_)", "inferences", engine.RunOptions{Limits: engine.Limits{Inferences: 100_000}}},
		{"nat(_)", "time", engine.RunOptions{Limits: engine.Limits{Time: 200 * time.Millisecond}}},
		{"deep(0)", "memory", engine.RunOptions{Limits: engine.Limits{Memory: room}}},
		{"deep(0)", "inferences", engine.RunOptions{Limits: engine.Limits{Inferences: 100_000}}},
		{"term(_)", "memory", engine.RunOptions{Limits: engine.Limits{Memory: room}}},
		{"left(_)", "inferences", engine.RunOptions{Limits: engine.Limits{Inferences: 10_000}}},
		{"least(a, _)", "inferences", engine.RunOptions{Limits: engine.Limits{Inferences: 100_000}}},
		{"least(a, _)", "memory", engine.RunOptions{Limits: engine.Limits{Memory: room}}},
		{"big(_)", "memory", engine.RunOptions{Limits: engine.Limits{Memory: 8 << 20}}},
		{"cross(_, _, _)", "memory", engine.RunOptions{Limits: engine.Limits{Memory: room}}},
		{"cross(_, _, _)", "inferences", engine.RunOptions{Limits: engine.Limits{Inferences: 100_000}}},
		{"cross(_, _, _)", "time", engine.RunOptions{Limits: engine.Limits{Time: 200 * time.Millisecond}}},
	}
	for _, test := range tests {
		t.Run(test.goal+"/"+test.resource, func(t *testing.T) {
			s, err := prog.Once(t.Context(), "catch("+test.goal+", error(resource_error(R), _), true), fact(3)", &test.limits)
			var ex *engine.Exception
			if errors.As(err, &ex) && ex.Limit() == "time" && test.resource == "time" {
				return // the machine was so busy that the time to catch it has passed too
			}
			require.NoError(t, err)
			require.Equal(t, test.resource, s.Text("R"))
		})
	}
	requireFlat(t, before+32<<20)
}

// A table whose answers are rows keeps the rows: a million pairs take 8 MB and are not copied. Counting them takes two
// calls for each.
func TestTablesKeepRows(t *testing.T) {
	t.Parallel()
	const n = 1000
	text := ":- table pair/2.\npair(X, Y) :- num(X), num(Y).\n"
	for i := range n {
		text += fmt.Sprintf("num(%d).\n", i)
	}
	prog, err := engine.LoadText(t.Context(), "pairs.pl", text, nil)
	require.NoError(t, err)
	for goal, want := range map[string]int{"pair(_, _)": n * n, "pair(X, X)": n, "pair(7, _)": n, "pair(_, 7)": n,
		"pair(7, 8)": 1, "pair(7, n)": 0} {
		s, err := prog.Once(t.Context(), "aggregate_all(count, "+goal+", N), aggregate_all(count, "+goal+", N)",
			&engine.RunOptions{Limits: engine.Limits{Memory: 24 << 20, Inferences: int64(5*want + 300_000)}})
		require.NoError(t, err, goal)
		require.Equal(t, strconv.Itoa(want), s.Text("N"), goal)
	}
}

// Tables that an exception has left incomplete are evaluated anew.
func TestTablesAfterExceptions(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "tables.pl", tabledPrograms, nil)
	require.NoError(t, err)
	for _, test := range []struct{ goal, want string }{
		{"catch(shaky(_), stopped, true), aggregate_all(count, ring(0, _), X)", "1000"},
		{"catch(shaky(_), stopped, true), catch(shaky(_), X, true)", "stopped"},
		{"aggregate_all(count, ring(0, _), X)", "1000"},
		{"fact(20000), X = done", "done"},
		{"aggregate_all(count, big(_), _), aggregate_all(max(X0), big(X0), X)", "1000000"},
	} {
		s, err := prog.Once(t.Context(), test.goal, nil)
		require.NoError(t, err, test.goal)
		require.Equal(t, test.want, s.Text("X"), test.goal)
	}
}

// Each run has its own tables.
func TestTablesBelongToTheRun(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "own.pl", ":- dynamic(d/1).\nd(1).\n:- table p/1.\np(X) :- d(X).\n", nil)
	require.NoError(t, err)
	for _, test := range []struct{ goal, want string }{
		{"aggregate_all(count, p(_), N)", "1"},
		{"aggregate_all(count, p(_), _), assertz(d(2)), aggregate_all(count, p(_), N)", "1"},
		{"aggregate_all(count, p(_), N)", "2"},
		{"untable(p/1), assertz(d(2)), aggregate_all(count, p(_), N)", "3"},
		{"untable(p/1), table(p/1), aggregate_all(count, p(_), N)", "2"},
	} {
		s, err := prog.Once(t.Context(), test.goal, nil)
		require.NoError(t, err, test.goal)
		require.Equal(t, test.want, s.Text("N"), test.goal)
	}
}

func TestTableDirectiveMistakes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, message string }{
		{"p(X), X > 0 => true.\n:- table p/1.\n",
			"p/1 has rules Head => Body already; it must be declared tabled before them"},
		{":- table p(_, best).\n", "best is not a mode of tabling; want _, index, -, min, max, first, last, sum, " +
			"lattice(PI) or po(PI)"},
		{":- table 3.\n", "3 cannot be tabled; want name/arity or a head with modes"},
		{":- table atom_length/2.\n", "atom_length/2 is built in and cannot be redefined"},
	} {
		_, err := engine.LoadText(t.Context(), "mistake.pl", test.text, nil)
		require.ErrorContains(t, err, test.message)
	}
}

// TestTabledElsewhere tables a predicate in one file and defines it in another.
func TestTabledElsewhere(t *testing.T) {
	t.Parallel()
	directive := source.File{Name: "table.pl", Text: ":- table v/1.\n"}
	clauses := source.File{Name: "v.pl", Text: "v(X) :- v(Y), Y < 5, X is Y + 1.\nv(0).\nv(X) :- X == bad, _ is X.\n"}
	for _, order := range [][]source.File{{directive, clauses}, {clauses, directive}} {
		p := engine.New(nil)
		require.NoError(t, p.Load(t.Context(), order...))
		require.Empty(t, p.Diagnostics())
		s, err := p.Once(t.Context(), "findall(X, (member(X, [0, 3, 5, 6]), v(X)), L)", nil)
		require.NoError(t, err)
		require.Equal(t, "[0,3,5]", s.Text("L"))
		_, err = p.Once(t.Context(), "v(bad)", nil)
		require.ErrorContains(t, err, "v.pl:3: is/2: Arithmetic: `bad/0' is not a function")
	}

	p := engine.New(nil)
	require.NoError(t, p.Load(t.Context(), directive))
	_, err := p.Once(t.Context(), "v(_)", nil)
	require.EqualError(t, err, "Unknown procedure: v/1")
	require.Error(t, engine.New(nil).Load(t.Context(), directive, clauses,
		source.File{Name: "more.pl", Text: "v(7).\n"}))
}
