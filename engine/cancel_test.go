package engine

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file tests that built-ins which walk over much data can be cancelled during the walk.

// countdown is a context that is cancelled after its Err has been called a given number of times.
type countdown struct {
	context.Context
	looks, left atomic.Int64
}

func newCountdown(t *testing.T, left int64) *countdown {
	c := &countdown{Context: t.Context()}
	c.left.Store(left)
	return c
}

// Err is called by the machine to check whether to continue.
func (c *countdown) Err() error {
	c.looks.Add(1)
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// longWalks are goals, each with a preparation and a single call of a built-in that has much work.
var longWalks = []struct{ name, setup, goal string }{
	{"length", "numlist(1, 60000, L)", "length(L, _)"},
	{"is_list", "numlist(1, 60000, L)", "is_list(L)"},
	{"msort", "numlist(1, 30000, L)", "msort(L, _)"},
	{"sort/4", "numlist(1, 30000, L)", "sort(0, @>=, L, _)"},
	{"term_variables", "length(L, 30000)", "term_variables(L, _)"},
	{"copy_term", "length(L, 60000)", "copy_term(L, _)"},
	{"ground", "numlist(1, 60000, L)", "ground(L)"},
	{"acyclic_term", "numlist(1, 60000, L)", "acyclic_term(L)"},
	{"==", "numlist(1, 60000, L), numlist(1, 60000, K)", "L == K"},
	{"=", "numlist(1, 60000, L), numlist(1, 60000, K)", "L = K"},
	{"=@=", "length(L, 30000), length(K, 30000)", "L =@= K"},
	{"subsumes_term", "length(L, 30000), length(K, 30000)", "subsumes_term(L, K)"},
	{"unify_with_occurs_check", "length(L, 30000), length(K, 30000)", "unify_with_occurs_check(L, K)"},
	{"term_to_atom, writing", "numlist(1, 30000, L)", "term_to_atom(L, _)"},
	{"term_to_atom, reading", "numlist(1, 30000, L), term_to_atom(L, A)", "term_to_atom(_, A)"},
	{"format", "numlist(1, 30000, L)", "format(atom(_), \"~w\", [L])"},
	{"atom_codes", "length(L, 60000), maplist(=(0'a), L), atom_codes(A, L)", "atom_codes(A, _)"},
	{"atom_codes, making", "length(L, 60000), maplist(=(0'a), L)", "atom_codes(_, L)"},
	{"atom_chars", "length(L, 60000), maplist(=(0'a), L), atom_codes(A, L)", "atom_chars(A, _)"},
	{"atomic_list_concat", "numlist(1, 30000, L)", "atomic_list_concat(L, ',', _)"},
	{"atomic_list_concat, splitting", "numlist(1, 30000, L), atomic_list_concat(L, ',', A)",
		"atomic_list_concat(_, ',', A)"},
	{"split_string", "numlist(1, 30000, L), atomic_list_concat(L, ',', A)", "split_string(A, \",\", \"\", _)"},
	{"assertz", "numlist(1, 60000, L)", "assertz(stored(L))"},
	{"nb_setval", "numlist(1, 60000, L)", "nb_setval(k, L)"},
	{"findall", "numlist(1, 60000, L)", "findall(L, true, _)"},
	{"throw", "numlist(1, 60000, L)", "catch(throw(L), _, true)"},
	{"term_hash", "numlist(1, 30000, L)", "term_hash(L, _)"},
	{"numbervars", "length(L, 30000)", "numbervars(L, 0, _)"},
	{"digits of a number", "X is 7 ** 60000", "atom_length(X, _)"},
	{"number of digits", "X is 7 ** 60000, number_codes(X, L)", "number_codes(_, L)"},
	{"writing a number", "X is 7 ** 60000", "format(atom(_), \"~w\", [X])"},
	{"grouping digits", "X is 7 ** 60000", "format(atom(_), \"~D\", [X])"},
	{"product", "X is 7 ** 300000", "_ is X * X"},
	{"quotient", "X is 7 ** 600000, Y is 3 ** 500000", "_ is X // Y"},
	{"remainder", "X is 7 ** 600000, Y is 3 ** 500000", "_ is X mod Y"},
	{"gcd", "X is 7 ** 50000, Y is 3 ** 50000", "_ is gcd(X, Y)"},
	{"powm", "X is 7 ** 2000, Y is 3 ** 2000, Z is 11 ** 2000", "_ is powm(X, Y, Z)"},
	{"root", "X is 7 ** 60000", "nth_integer_root_and_remainder(2, X, _, _)"},
}

// leastLooks is how often a long walk must at least check whether it has been cancelled. It is low because some walks
// take only a few milliseconds.
const leastLooks = 5

func TestCancelWithinBuiltin(t *testing.T) {
	t.Parallel()
	p := New(nil)
	require.NoError(t, p.Load(t.Context()))
	for _, c := range longWalks {
		t.Run(c.name, func(t *testing.T) {
			before := looks(t, p, c.setup)
			goal := c.setup + ", " + c.goal
			all := looks(t, p, goal)
			require.GreaterOrEqual(t, all-before, int64(leastLooks), "looks within the call")
			ctx := newCountdown(t, before+(all-before)/2)
			err := runCounted(t, p, ctx, goal)
			require.ErrorIs(t, err, context.Canceled)
			require.LessOrEqual(t, ctx.looks.Load(), before+(all-before)/2+5, "looks after the call was cancelled")
		})
	}
}

// looks returns how often a goal checks whether it has been cancelled.
func looks(t *testing.T, p *Program, goal string) int64 {
	ctx := newCountdown(t, 1<<40)
	require.NoError(t, runCounted(t, p, ctx, goal))
	return ctx.looks.Load()
}

func runCounted(t *testing.T, p *Program, ctx context.Context, goal string) error {
	r, err := p.Start(goal, &RunOptions{Transaction: true})
	require.NoError(t, err)
	defer r.Close()
	state, err := r.Next(ctx)
	if err == nil && state != Answer {
		return errors.New("no answer")
	}
	return err
}
