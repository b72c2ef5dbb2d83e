package engine_test

import (
	"context"
	"errors"
	"iter"
	"math/big"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/stretchr/testify/require"
)

// This file tests the engine as a Go program uses it: loading, asking, predicates in Go.

// errBroken is an error of a predicate in Go that is not a Prolog term.
var errBroken = errors.New("the disk is broken")

// callerKey is the context key of the caller that a predicate runs for.
type callerKey struct{}

// goPredicates are predicates in Go of each kind.
var goPredicates = []engine.Predicate{
	{Name: "twice", Arity: 2, Call: func(c *engine.Call) (bool, error) {
		var n int64
		if err := engine.Convert(c.Arg(0), &n); err != nil {
			return false, engine.TermError("type_error", "integer", c.Arg(0))
		}
		return c.Unify(1, term.Int(2*n)), nil
	}},
	{Name: "echo", Arity: 2, Call: func(c *engine.Call) (bool, error) { return c.Unify(1, c.Arg(0)), nil }},
	{Name: "caller", Arity: 1, Call: func(c *engine.Call) (bool, error) {
		return c.Unify(0, term.Atom(c.Context().Value(callerKey{}).(string))), nil
	}},
	{Name: "fails", Arity: 1, Call: func(c *engine.Call) (bool, error) {
		c.Unify(0, term.Atom("bound"))
		return false, nil
	}},
	{Name: "breaks", Arity: 0, Call: func(*engine.Call) (bool, error) { return false, errBroken }},
	{Name: "throws", Arity: 1, Call: func(c *engine.Call) (bool, error) { return false, engine.Throw(c.Arg(0)) }},
	{Name: "range", Arity: 3, Solve: func(c *engine.Call) iter.Seq2[[]engine.Term, error] {
		return func(yield func([]engine.Term, error) bool) {
			var from, to int
			if err := errors.Join(engine.Convert(c.Arg(0), &from), engine.Convert(c.Arg(1), &to)); err != nil {
				yield(nil, engine.TermError("domain_error", "bounds", c.Arg(0)))
				return
			}
			for n := from; n <= to && yield([]engine.Term{nil, nil, term.Int(int64(n))}, nil); n++ {
			}
		}
	}},
	{Name: "pair", Arity: 2, Module: "tools", Solve: func(*engine.Call) iter.Seq2[[]engine.Term, error] {
		return func(yield func([]engine.Term, error) bool) {
			v := term.NewVar("")
			_ = yield([]engine.Term{v, v}, nil) && yield([]engine.Term{term.Atom("a"), term.NewVar("")}, nil)
		}
	}},
	{Name: "same", Arity: 2, Call: func(c *engine.Call) (bool, error) {
		args := c.Args()
		return args[0] == args[1], nil
	}},
	{Name: "ask", Arity: 2, Waits: true},
}

func TestGoPredicates(t *testing.T) {
	t.Parallel()
	prog := engine.New(&engine.Options{Predicates: goPredicates})
	require.NoError(t, prog.Load(t.Context(), source.File{Name: "p.pl", Text: "call_twice(X, Y) :- twice(X, Y).\n"}))
	for _, test := range []struct{ goal, want string }{
		{"twice(21, X)", "X = 42"},
		{"twice(21, 42), X = yes", "X = yes"},
		{"twice(21, 43) -> true ; X = no", "X = no"},
		{"catch(twice(a, _), error(X, context(P, _)), true)", "X = type_error(integer,a), P = system:twice/2"},
		{"call_twice(4, X), call(twice(5), Y)", "X = 8, Y = 10"},
		{"maplist(twice, [1, 2, 3], L)", "L = [2,4,6]"},
		{"T = f(A, B, A, \"s\", 'A b', 1.5, [x|T1], 123456789012345678901234567890), echo(T, U), U = T, A = 1", "same"},
		{"caller(X)", "X = someone"},
		{"fails(X) -> true ; X = free", "X = free"},
		{"catch(breaks, error(X, context(_, M)), true)", "X = system_error, M = 'the disk is broken'"},
		{"catch(throws(my(Y)), my(X), (X = caught))", "X = caught"},
		{"findall(X, range(1, 5, X), L)", "L = [1,2,3,4,5]"},
		{"range(1, 9, X), X > 3, !", "X = 4"},
		{"range(1, 9, 4), X = yes", "X = yes"},
		{"catch(range(a, 9, _), error(X, _), true)", "X = domain_error(bounds,a)"},
		{"findall(X-Y, tools:pair(X, Y), [A-B, a-_]), (A == B -> X = same ; X = other)", "X = same"},
		{"catch(pair(_, _), error(existence_error(K, _), _), true)", "K = procedure"},
		{"same(X, X), \\+ same(X, _), Y = yes", "Y = yes"},
	} {
		s, err := prog.Once(context.WithValue(t.Context(), callerKey{}, "someone"), test.goal, nil)
		require.NoError(t, err, test.goal)
		if test.want != "same" {
			require.Equal(t, test.want, boundOnly(s), test.goal)
		}
	}
}

// boundOnly shows the variables that have a value.
func boundOnly(s engine.Solution) string {
	var parts []string
	for _, name := range s.Names() {
		if _, unbound := s.Get(name).(*term.Var); !unbound {
			parts = append(parts, name+" = "+engine.FormatTerm(s.Get(name)))
		}
	}
	return strings.Join(parts, ", ")
}

// TestWaiting resumes a waiting run with answers and errors.
func TestWaiting(t *testing.T) {
	t.Parallel()
	prog := engine.New(&engine.Options{Predicates: goPredicates})
	for _, test := range []struct {
		goal    string
		answers []any
		want    string
	}{
		{"ask(a, X), ask(b, Y), Z is X + Y", []any{term.Int(1), term.Int(2)}, "X = 1, Y = 2, Z = 3"},
		{"ask(a, yes) -> Z = 1 ; Z = 2", []any{term.Atom("no")}, "Z = 2"},
		{"member(X, [1, 2]), ask(X, yes)", []any{term.Atom("no"), term.Atom("yes")}, "X = 2"},
		{"catch(ask(a, _), error(X, _), true)", []any{engine.TermError("type_error", "sense", term.Atom("none"))},
			"X = type_error(sense,none)"},
		{"catch(ask(a, _), X, true)", []any{engine.Throw(term.Atom("declined"))}, "X = declined"},
		{"findall(A, (member(Q, [a, b]), ask(Q, A)), L)", []any{term.Int(1), term.Int(2)}, "L = [1,2]"},
		{"setup_call_cleanup(true, ask(a, X), Y = cleaned)", []any{term.Int(1)}, "X = 1, Y = cleaned"},
		{"ask(a, f(X, X, Y)), Y = X", []any{term.New("f", term.Int(1), term.NewVar(""), term.NewVar(""))},
			"X = 1, Y = 1"},
	} {
		run, err := prog.Start(test.goal, nil)
		require.NoError(t, err)
		for _, answer := range test.answers {
			state, err := run.Next(t.Context())
			require.NoError(t, err, test.goal)
			require.Equal(t, engine.Waiting, state, test.goal)
			name, args := run.Waiting()
			require.Equal(t, "ask", name)
			require.Len(t, args, 2)
			switch answer := answer.(type) {
			case error:
				require.NoError(t, run.ResumeError(answer))
			case engine.Term:
				run.Resume(answer)
			}
		}
		state, err := run.Next(t.Context())
		require.NoError(t, err, test.goal)
		require.Equal(t, engine.Answer, state, test.goal)
		require.Equal(t, test.want, boundOnly(run.Solution()), test.goal)
		run.Close()
	}
}

// TestResumeErrorUncaught ends the run with the exception.
func TestResumeErrorUncaught(t *testing.T) {
	t.Parallel()
	prog := engine.New(&engine.Options{Predicates: goPredicates})
	run, err := prog.Start("ask(a, _)", nil)
	require.NoError(t, err)
	defer run.Close()
	_, err = run.Next(t.Context())
	require.NoError(t, err)
	var ex *engine.Exception
	require.ErrorAs(t, run.ResumeError(engine.Throw(term.Atom("gone"))), &ex)
	require.Equal(t, term.Atom("gone"), ex.Term)
	state, err := run.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, engine.NoMore, state)
}

// TestQueryCannotWait checks the error of a query whose predicate waits for an answer.
func TestQueryCannotWait(t *testing.T) {
	t.Parallel()
	prog := engine.New(&engine.Options{Predicates: goPredicates})
	_, err := prog.Once(t.Context(), "ask(a, _)", nil)
	require.ErrorContains(t, err, "ask")
	for _, err := range prog.Query(t.Context(), "ask(a, _)", nil) {
		require.ErrorContains(t, err, "ask")
	}
}

// TestBacktrace names the clauses and lines that were active.
func TestBacktrace(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadFS(t.Context(), fstest.MapFS{
		"top.pl": {Data: []byte(":- use_module(deep).\n\nstart(X) :-\n    true,\n    middle(X),\n    nonvar(X).\n")},
		"deep.pl": {Data: []byte(":- module(deep, [middle/1]).\nmiddle(X) :-\n\n    inner(X),\n    atom(X).\ninner(X) :- " +
			"X > 0,\n    _ is X + foo, true.\ninner(_) :-\n    throw(my_ball).\n")},
	}, nil, "top.pl")
	require.NoError(t, err)
	for _, test := range []struct{ goal, message, trace string }{
		{"start(1)", "deep.pl:7: is/2: Arithmetic: `foo/0' is not a function", `
  at deep.pl:7: deep:inner/1
  at deep.pl:4: deep:middle/1
  at top.pl:5: start/1
`},
		{"start(0)", "deep.pl:9: Unhandled exception: my_ball", `
  at deep.pl:9: deep:inner/1
  at deep.pl:4: deep:middle/1
  at top.pl:5: start/1
`},
	} {
		_, err := prog.Once(t.Context(), test.goal, nil)
		var ex *engine.Exception
		require.ErrorAs(t, err, &ex)
		require.Equal(t, strings.TrimPrefix(test.trace, "\n"), ex.Backtrace())
		require.Equal(t, test.message, ex.Error())
	}
}

func TestHalt(t *testing.T) {
	t.Parallel()
	prog := engine.New(nil)
	for goal, code := range map[string]int{"halt": 0, "halt(3)": 3, "catch(halt(4), _, true)": 4,
		"member(X, [5, 6]), halt(X)": 5,
		"findall(X, halt(2), _)":     2, "setup_call_cleanup(true, halt(7), true)": 7} {
		_, err := prog.Once(t.Context(), goal, nil)
		var halt *engine.Halt
		require.ErrorAs(t, err, &halt, goal)
		require.Equal(t, code, halt.Code, goal)
	}
}

// TestGoalErrors checks errors of the text of a goal and of its call.
func TestGoalErrors(t *testing.T) {
	t.Parallel()
	prog := engine.New(nil)
	for goal, want := range map[string]string{
		"foo(": "syntax_error", "X = 'a": "syntax_error", "1": "type_error", "_": "instantiation_error",
		"nobody(1)": "existence_error",
		"a, 1":      "type_error", "": "syntax_error", "no_module:nobody": "existence_error",
	} {
		_, err := prog.Once(t.Context(), goal, nil)
		var ex *engine.Exception
		require.ErrorAs(t, err, &ex, goal)
		require.True(t, strings.HasPrefix(engine.FormatTerm(ex.Formal()), want), "%s: %v", goal, ex)
		require.NotEmpty(t, ex.Message, goal)
	}
}

// TestAnswers walks over answers, in text and as Go values.
func TestAnswers(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "p.pl", "p(1). p(2). p(3).", nil)
	require.NoError(t, err)
	var got []string
	for s, err := range prog.Query(t.Context(), "p(X), Y = f(X, _Z), _W = 1", nil) {
		require.NoError(t, err)
		require.Equal(t, []string{"X", "Y", "_Z", "_W"}, s.Names())
		require.Nil(t, s.Get("Nobody"))
		got = append(got, s.Text("X"))
		if len(got) == 2 {
			break
		}
	}
	require.Equal(t, []string{"1", "2"}, got)

	run, err := prog.Start("p(X)", nil)
	require.NoError(t, err)
	defer run.Close()
	for i := range 3 {
		state, err := run.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, engine.Answer, state)
		require.Equal(t, i == 2, run.Done())
	}
	for range 2 {
		state, err := run.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, engine.NoMore, state)
	}
	require.Positive(t, run.Inferences())
}

// TestConvert stores terms in Go values, and checks the errors of values that cannot be stored.
func TestConvert(t *testing.T) {
	t.Parallel()
	var row struct {
		Text   string
		Whole  int8
		Big    *big.Int
		Float  float64
		Truth  bool
		List   []string
		Nested [][]int
		Any    any
		Raw    engine.Term
	}
	prog := engine.New(nil)
	s, err := prog.Once(t.Context(),
		`Text = "a", Whole = -128, Big is 2 ** 80, Float = 0.5, Truth = true, List = [a, "b"], Nested = [[1], []],
			Any = f(x), Raw = 1`, nil)
	require.NoError(t, err)
	require.NoError(t, s.Scan(&row))
	require.Equal(t, "a", row.Text)
	require.Equal(t, int8(-128), row.Whole)
	require.Equal(t, "1208925819614629174706176", row.Big.String())
	require.Equal(t, [][]int{{1}, {}}, row.Nested)
	require.Equal(t, []string{"a", "b"}, row.List)
	for _, text := range []string{"Whole = 128", "Text = f(x)", "List = [a|_]", "Float = a", "Truth = yes", "Big = 1.5",
		"Whole = 1.0"} {
		s, err := prog.Once(t.Context(), text, nil)
		require.NoError(t, err)
		require.Error(t, s.Scan(&row), text)
	}
	require.Error(t, s.Scan(row))
	require.Error(t, engine.Convert(term.Int(1), row))
}

// TestPanic runs predicates written in Go that panic: in a call, in a further answer, and while a directive runs.
func TestPanic(t *testing.T) {
	t.Parallel()
	predicates := []engine.Predicate{
		{Name: "explode", Arity: 1, Call: func(*engine.Call) (bool, error) { panic(errBroken) }},
		{Name: "explode_later", Arity: 2, Solve: func(*engine.Call) iter.Seq2[[]engine.Term, error] {
			return func(yield func([]engine.Term, error) bool) {
				if yield([]engine.Term{nil, term.Int(1)}, nil) && yield([]engine.Term{nil, term.Int(2)}, nil) {
					panic(errBroken)
				}
			}
		}},
	}
	prog, err := engine.LoadText(t.Context(), "p.pl", ":- dynamic(seen/1).\nseen(no).\n",
		&engine.Options{Predicates: predicates})
	require.NoError(t, err)
	for _, tt := range []struct{ goal, predicate string }{
		{"retract(seen(no)), assertz(seen(yes)), explode(x)", "explode/1"},
		{"catch(explode(x), _, true)", "explode/1"},
		{"catch_with_backtrace(findall(X, explode(X), _), _, true)", "explode/1"},
		{"setup_call_cleanup(true, call(explode, x), true)", "explode/1"},
		{"explode_later(_, X), X > 2", "explode_later/2"},
	} {
		r, err := prog.Start(tt.goal, &engine.RunOptions{Transaction: true})
		require.NoError(t, err)
		_, err = r.Next(t.Context())
		var p *engine.Panic
		require.ErrorAs(t, err, &p, tt.goal)
		require.Equal(t, tt.predicate, p.Predicate, tt.goal)
		require.Contains(t, p.Error(), "panic in "+tt.predicate)
		require.Contains(t, string(p.Stack), "goroutine ")
		require.ErrorIs(t, err, errBroken)
		if tt.predicate == "explode/1" {
			require.Contains(t, string(p.Stack), "TestPanic")
		}
		state, err := r.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, engine.NoMore, state)
		require.ErrorAs(t, r.Commit(), &p, "nothing is committed")
		r.Close()
		s, err := prog.Once(t.Context(), "findall(X, retract(seen(X)), L), L == [no], between(1, 2, Y)",
			&engine.RunOptions{Transaction: true})
		require.NoError(t, err, "changes are taken back, and the clause is free again")
		require.Equal(t, term.Int(1), s.Get("Y"))
		r, err = prog.Start("assertz(seen(no))", nil)
		require.NoError(t, err)
		_, err = r.Next(t.Context())
		require.NoError(t, err)
		r.Close()
	}

	session := &engine.Session{}
	_, err = prog.Once(t.Context(), "nb_setval(k, 1)", &engine.RunOptions{Session: session})
	require.NoError(t, err)
	_, err = prog.Once(t.Context(), "nb_setval(k, 2), explode(x)", &engine.RunOptions{Session: session})
	require.ErrorIs(t, err, errBroken)
	_, err = prog.Once(t.Context(), "nb_getval(k, 1)", &engine.RunOptions{Session: session})
	require.NoError(t, err, "a session goes on as before the panic")

	_, err = engine.LoadText(t.Context(), "p.pl", ":- explode(x).\n", &engine.Options{Predicates: predicates})
	require.ErrorContains(t, err, "panic in explode/1")
}
