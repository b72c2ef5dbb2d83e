package engine_test

import (
	"fmt"
	"iter"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/stretchr/testify/require"
)

// This file tests clauses that Go adds to a program.

type edge struct {
	From, To string `prolog:",atom"`
	Cost     float64
}

func TestAssert(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "p.pl", ":- module(m, [q/1]).\n:- dynamic(q/1).\nq(1).\n", nil)
	require.NoError(t, err)
	rule, err := engine.ParseTerm("cheap(A, B) :- edge(A, B, C), C < 3, \\+ G, G = fail")
	require.NoError(t, err)
	qualified, err := engine.ParseTerm("m:q(2)")
	require.NoError(t, err)
	inRule, err := engine.ParseTerm("m:r(X) :- m:q(X)")
	require.NoError(t, err)
	require.NoError(t, prog.Assert(edge{"a", "b", 2.5}, &edge{"a", "c", 4}, rule, term.Atom("ready"), qualified, inRule))
	require.NoError(t, prog.Assert())
	require.NoError(t, prog.Assert(term.New("big", term.String("x"), term.Int(1<<62), term.Float(1.5),
		term.List(term.NewVar("")))))
	quiet := math.Float64frombits(0x7FF8 << 48)
	require.NoError(t, prog.Assert(term.New("other", term.Float(quiet)), term.New("other", term.Float(math.NaN())),
		term.New("other", term.Float(math.Copysign(quiet, -1)))))
	for _, test := range [][2]string{
		{"findall(B, edge(a, B, _), L)", "L = [b,c]"},
		{"ready, X = 1", "X = 1"},
		{"findall(X, m:q(X), L)", "L = [1,2]"},
		{"findall(X, m:r(X), L)", "L = [1,2]"},
		{"X is nan, other(X), findall(x, other(X), L)", "X = 1.5NaN, L = [x,x,x]"},
		{"big(A, B, C, [d])", `A = "x", B = 4611686018427387904, C = 1.5`},
		{"retract(edge(a, b, X))", "X = 2.5"},
	} {
		s, err := prog.Once(t.Context(), test[0], nil)
		require.NoError(t, err, test[0])
		require.Equal(t, test[1], boundOnly(s), test[0])
	}
}

func TestAssertErrors(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "p.pl", "static(1).\n", nil)
	require.NoError(t, err)
	loop := &term.Compound{Functor: "f", Args: []term.Term{nil}}
	loop.Args[0] = loop
	read := func(text string) engine.Term {
		got, err := engine.ParseTerm(text)
		require.NoError(t, err)
		return got
	}
	for _, test := range []struct {
		clause any
		want   string
	}{
		{read("static(2)"), "permission_error(modify,static_procedure,static/1)"},
		{read("atom_length(a, b)"), "permission_error(modify,static_procedure,atom_length/2)"},
		{read("foldl(a, b, c, d) :- append(a, b, c)"), ""}, // libraries can be hidden
		{read("!"), "permission_error(modify,static_procedure,!/0)"},
		{read("(a, b)"), "permission_error(modify,static_procedure,(',')/2)"},
		{read("X"), "instantiation_error"},
		{read("X :- true"), "instantiation_error"},
		{read("3 :- true"), "type_error(callable,3)"},
		{7, "type_error(callable,7)"},
		{"text", `type_error(callable,"text")`},
		{read("a :- b, 1"), "type_error(callable,(b,1))"},
		{read("1:a"), "type_error(module,1)"},
		{read("a :- m:n:(b, X)"), ""},
		{term.New("g", loop), "representation_error(max_clause_size)"},
	} {
		err := prog.Assert(term.New("first", term.Int(1)), test.clause)
		if test.want == "" {
			require.NoError(t, err)
			_, err = prog.Once(t.Context(), "retract(first(1))", nil)
			require.NoError(t, err)
			continue
		}
		var ex *engine.Exception
		require.ErrorAs(t, err, &ex, test.want)
		require.Equal(t, test.want, engine.FormatTerm(ex.Formal()))
		require.Contains(t, err.Error(), "clause 2: ")
		require.NotEmpty(t, ex.Message)
		_, err = prog.Once(t.Context(), "first(_)", nil)
		require.Error(t, err, "nothing was added by what failed")
	}
	var convert *engine.ConvertError
	require.ErrorAs(t, prog.Assert(func() {}), &convert)
}

// facts are n facts of three arguments.
func facts(n int) iter.Seq2[engine.Term, error] {
	return func(yield func(engine.Term, error) bool) {
		for i := range n {
			if !yield(term.New("fact", term.Int(i), term.Atom(fmt.Sprintf("name%d", i%1000)), term.Int(i*7%1000)), nil) {
				return
			}
		}
	}
}

func TestAssertAll(t *testing.T) {
	t.Parallel()
	prog := engine.New(nil)
	n, err := prog.AssertAll(facts(5000))
	require.NoError(t, err)
	require.Equal(t, 5000, n)
	s, err := prog.Once(t.Context(), "fact(4321, Name, _), aggregate_all(count, fact(_, _, _), N)", nil)
	require.NoError(t, err)
	require.Equal(t, "Name = name321, N = 5000", boundOnly(s))

	n, err = prog.AssertAll(func(yield func(engine.Term, error) bool) {
		_ = yield(term.New("fact", term.Int(-1), term.Nil, term.Nil), nil) && yield(nil, errBroken) && yield(nil, errBroken)
	})
	require.ErrorIs(t, err, errBroken)
	require.Zero(t, n)
	_, err = prog.Once(t.Context(), "fact(-1, _, _)", nil)
	require.ErrorIs(t, err, engine.ErrNoSolution)
	require.Panics(t, func() {
		_, _ = prog.AssertAll(func(yield func(engine.Term, error) bool) {
			yield(term.New("fact", term.Int(-2), term.Nil, term.Nil), nil)
			panic("broken")
		})
	})
	_, err = prog.Once(t.Context(), "fact(-2, _, _)", nil)
	require.ErrorIs(t, err, engine.ErrNoSolution)
}

// TestAssertWhileQueried adds clauses from some goroutines while others query them; a query sees all clauses of an
// AssertAll or none.
func TestAssertWhileQueried(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "p.pl", ":- dynamic(fact/3).\n", nil)
	require.NoError(t, err)
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			for range 10 {
				if _, err := prog.AssertAll(facts(100)); err != nil {
					t.Error(err)
				}
			}
		})
		wait.Go(func() {
			for range 20 {
				s, err := prog.Once(t.Context(), "aggregate_all(count, fact(_, _, _), N), 0 is N mod 100",
					&engine.RunOptions{Transaction: true})
				if err != nil {
					t.Error(err, s)
				}
			}
		})
	}
	wait.Wait()
}

// TestAssertIsInherited checks that clauses added by Go are passed on to the program that replaces another.
func TestAssertIsInherited(t *testing.T) {
	t.Parallel()
	load := func() *engine.Program {
		p, err := engine.LoadText(t.Context(), "p.pl", ":- dynamic(seen/1).\n", nil)
		require.NoError(t, err)
		return p
	}
	old := load()
	require.NoError(t, old.Assert(term.New("seen", term.Int(1))))
	next := load()
	next.Inherit(old)
	require.NoError(t, old.Assert(term.New("seen", term.Int(2))))
	s, err := next.Once(t.Context(), "findall(X, seen(X), L)", nil)
	require.NoError(t, err)
	require.Equal(t, "L = [1,2]", boundOnly(s))
}

// TestAssertSpeed shows how long a million facts take in three ways, if FACTS is set.
func TestAssertSpeed(t *testing.T) {
	t.Parallel()
	if os.Getenv("FACTS") == "" {
		t.Skip("set FACTS to measure")
	}
	const n = 1_000_000
	var text strings.Builder
	for f := range facts(n) {
		text.WriteString(engine.FormatTerm(f) + ".\n")
	}
	for range 3 {
		begin := time.Now()
		_, err := engine.LoadText(t.Context(), "facts.pl", text.String(), nil)
		require.NoError(t, err)
		fromText := time.Since(begin)

		begin = time.Now()
		_, err = engine.New(nil).AssertAll(facts(n))
		require.NoError(t, err)
		fromGo := time.Since(begin)

		begin = time.Now()
		_, err = engine.New(nil).Once(t.Context(), "forall(between(1, 1000000, I), (J is I mod 1000, atom_concat(name, J, "+
			"A), K is I*7 mod 1000, assertz(fact(I, A, K))))", nil)
		require.NoError(t, err)
		fromLoop := time.Since(begin)
		t.Logf("text %v, AssertAll %v, assertz in a loop %v", fromText, fromGo, fromLoop)
	}
}
