package engine_test

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// A call that can match only one clause leaves no choice point, whichever arguments are bound and however deep in them
// the clauses differ. There are many clauses, so that they are hashed.
func TestSelectionIsDeterministic(t *testing.T) {
	t.Parallel()
	const program = `
		:- dynamic(d/3).
		d(0, 0, z).
		fill(N) :- forall(between(1, N, I), (A is I mod 20, B is I // 20, assertz(d(A, B, I)))).
	`
	var text strings.Builder
	text.WriteString(program)
	for i := range 300 {
		fmt.Fprintf(&text, "s(%d, k%d, \"text %d\", %d.5, 1000000000000000000000%d).\n", i%7, i, i, i, i)
		fmt.Fprintf(&text, "n(f(a%d), [x, y%d]).\nm(x, g(h(%d))).\n", i, i, i)
		fmt.Fprintf(&text, "r(a%d, X) :- X = %d.\nr2(X, a%d) :- X = %d.\nr3(p(a%d)) :- true.\n", i, i, i, i, i)
	}
	p, err := engine.LoadText(t.Context(), "t.pl", text.String(), nil)
	require.NoError(t, err)
	_, err = p.Once(t.Context(), "fill(2000)", nil)
	require.NoError(t, err)
	for _, goal := range []string{
		"s(_, k17, T, _, _)", `s(_, A, "text 30", _, _)`, "s(_, A, _, 44.5, _)", "s(_, A, _, _, 1000000000000000000000299)",
		"n(f(a7), L)", "n(F, [x, y8])", "n(F, [_, y9])", "m(x, g(h(12)))", "m(X, g(h(0)))",
		"d(3, 7, X)", "d(X, Y, 1999)", "d(X, Y, z)", "d(19, 99, X)",
		"r(a5, X)", "r2(X, a6)", "clause(d(3, 7, X), B)", "d(3, 8, X), retract(d(3, 8, X))",
	} {
		r, err := p.Start(goal, nil)
		require.NoError(t, err)
		state, err := r.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, engine.Answer, state, goal)
		require.True(t, r.Done(), "%s leaves a choice point", goal)
		r.Close()
	}
}

// Answers of indexed calls equal those of a sequential search in a list, whatever is asserted and retracted in between.
func TestSelectionAgreesWithSearch(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "t.pl", ":- dynamic(d/2).\n"+
		"naive(A, B, L) :- findall(A-B, (clause(d(X, Y), true), X-Y = A-B), L).\n"+
		"indexed(A, B, L) :- findall(A-B, d(A, B), L).\n", nil)
	require.NoError(t, err)
	random := rand.New(rand.NewSource(1))
	value := func() string {
		n := random.Intn(12)
		return []string{"_", "a", "b", "f(a)", "f(b)", "f(_)", "f(g(1))", "f(g(2))", "[1]", "[2|_]", "7", `"s"`}[n]
	}
	once := func(goal string) string {
		s, err := p.Once(t.Context(), goal, nil)
		require.NoError(t, err, goal)
		return engine.FormatTerm(s.Get("L"))
	}
	for i := range 1500 {
		change := fmt.Sprintf("assertz(d(%s, %s))", value(), value())
		switch n := random.Intn(10); {
		case n < 2:
			change = strings.Replace(change, "assertz", "asserta", 1)
		case n < 4 && i > 200:
			change = fmt.Sprintf("ignore(retract(d(%s, %s)))", value(), value())
		case n == 4 && i%50 == 0:
			change = "retractall(d(a, _))"
		}
		_, err := p.Once(t.Context(), change, nil)
		require.NoError(t, err)
		a, b := value(), value()
		call := fmt.Sprintf("(A = %s, B = %s, indexed(A, B, L), numbervars(L, 0, _))", a, b)
		search := fmt.Sprintf("(A = %s, B = %s, naive(A, B, L), numbervars(L, 0, _))", a, b)
		require.Equal(t, once(search), once(call), "%d: d(%s, %s)", i, a, b)
	}
}

// The cost of changing a clause does not depend on the number of clauses: at the beginning, at the end, and in a group
// with the same key that is changed again and again.
func TestChangesDoNotDependOnSize(t *testing.T) {
	t.Parallel()
	const program = `
		:- dynamic(q/2).
		front(N) :- forall(between(1, N, I), asserta(q(I, x))), q(1, _), q(N, _).
		queue(N) :- forall(between(1, N, I), assertz(q(I, x))),
			forall(between(1, N, _), (once(retract(q(I, x))), J is I + N, assertz(q(J, x)))).
		hot(N) :- forall(between(1, N, I), assertz(q(I, x))),
			forall(between(1, N, I), (retract(q(1, _)), assertz(q(1, I)))).
	`
	for _, goal := range []string{"front(200000)", "queue(100000)", "hot(100000)"} {
		p, err := engine.LoadText(t.Context(), "t.pl", program, nil)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err = p.Once(ctx, goal, nil)
		cancel()
		require.NoError(t, err, goal)
	}
}

// An older view always sees the same clauses, also through indexes that are newer than the view.
func TestSelectionKeepsViews(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "t.pl", ":- dynamic(d/1).\n", nil)
	require.NoError(t, err)
	_, err = p.Once(t.Context(), "forall(between(1, 100, I), assertz(d(I)))", nil)
	require.NoError(t, err)
	r, err := p.Start("d(_), findall(X, (member(X, [1, 50, 100, 101]), d(X)), L)", &engine.RunOptions{Transaction: true})
	require.NoError(t, err)
	defer r.Close()
	_, err = r.Next(t.Context())
	require.NoError(t, err)
	_, err = p.Once(t.Context(), "retractall(d(_)), assertz(d(101))", nil)
	require.NoError(t, err)
	_, err = r.Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, "[1,50,100]", engine.FormatTerm(r.Solution().Get("L")))
	s, err := p.Once(t.Context(), "findall(X, d(X), L)", nil)
	require.NoError(t, err)
	require.Equal(t, "[101]", engine.FormatTerm(s.Get("L")))
}
