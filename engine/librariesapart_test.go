package engine_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/stretchr/testify/require"
)

// This file tests that programs which use the same libraries do not see each other.

// withLibraries loads a text that uses libraries.
func withLibraries(t *testing.T, text string) *engine.Program {
	t.Helper()
	p, err := engine.LoadText(t.Context(), "a.pl", text, nil)
	require.NoError(t, err)
	return p
}

// holds reports whether a goal has an answer.
func holds(t *testing.T, p *engine.Program, goal string) bool {
	t.Helper()
	_, err := p.Once(context.Background(), goal, nil)
	if errors.Is(err, engine.ErrNoSolution) {
		return false
	}
	require.NoError(t, err, goal)
	return true
}

const clpfdText = ":- use_module(library(clpfd)).\ntwo(X) :- X #> 1, X #< 3.\n"

func TestLibraryInManyPrograms(t *testing.T) {
	for range 2 {
		require.True(t, holds(t, withLibraries(t, clpfdText), "two(X), X == 2"))
		require.True(t, holds(t, withLibraries(t, clpfdText), "use_module(library(clpfd)), 3 #= 1 + Y, Y == 2"))
	}
}

// A program that did not load a library has neither its module nor its operators.
func TestLibraryOfAnotherProgram(t *testing.T) {
	withLibraries(t, clpfdText)
	p, err := engine.LoadText(t.Context(), "b.pl", "a.\n", nil)
	require.NoError(t, err)
	require.False(t, holds(t, p, "current_op(_, _, #=)"))
	require.False(t, holds(t, p, "current_module(clpfd)"))
	require.False(t, holds(t, p, "catch(_ = clpfd:foo, _, fail), current_predicate(_, clpfd:_)"))
	_, err = engine.LoadText(t.Context(), "c.pl", "p(X) :- X #= 1.\n", nil)
	require.Error(t, err, "a syntax error without the library's operators")
	require.True(t, holds(t, withLibraries(t, clpfdText), "current_op(700, xfx, #=), current_module(clpfd)"))
}

func TestLibrariesAreApart(t *testing.T) {
	const checks = "t(X) :- must_be(even, X).\n"
	withLibraries(t, "t(X) :- must_be(integer, X).\n")
	extended := withLibraries(t, ":- multifile error:has_type/2.\nerror:has_type(even, X) :- integer(X), 0 is X mod 2.\n"+
		checks)
	late := withLibraries(t, ":- use_module(library(error)).\n:- multifile error:has_type/2.\nerror:has_type(even, X) "+
		":- integer(X), 0 is X mod 2.\n"+checks)
	plain := withLibraries(t, checks)
	for _, p := range []*engine.Program{extended, late} {
		require.True(t, holds(t, p, "t(2), must_be(integer, 3), catch(t(3), error(type_error(even, 3), _), true)"))
	}
	require.True(t, holds(t, plain, "catch(t(2), error(existence_error(type, even), _), true)"))

	changed := withLibraries(t, clpfdText+":- op(0, xfx, #=).\n:- set_prolog_flag(double_quotes, atom).\n:- "+
		"assertz(seen(1)).\n")
	require.False(t, holds(t, changed, "current_op(_, xfx, #=)"))
	other := withLibraries(t, clpfdText)
	require.True(t, holds(t, other, "current_op(700, xfx, #=), \\+ catch(seen(_), _, fail)"))
	require.True(t, holds(t, changed, "recordz(k, 1), recorded(k, 1)"))
	require.True(t, holds(t, changed, "recordz(k, 2), recorded(k, 2)"))
	require.False(t, holds(t, other, "recorded(k, _)"))
}

// Changes that a program makes to a library's module affect no other program, whichever was loaded first.
func TestLibraryChanged(t *testing.T) {
	const use = "t(L) :- pairs_keys(L, [a]), pairs_values(L, [1]).\n"
	withLibraries(t, use)
	mine := withLibraries(t, "pairs:mine(1).\n"+use)
	require.True(t, holds(t, mine, "pairs:mine(1), t([a-1])"))
	own := withLibraries(t, ":- module(pairs, [pairs_keys/2]).\npairs_keys(_, mine).\n")
	require.True(t, holds(t, own, "pairs:pairs_keys([], X), X == mine"))
	require.True(t, holds(t, withLibraries(t, use), "t([a-1]), \\+ catch(pairs:mine(_), _, fail)"))
	_, err := engine.LoadText(t.Context(), "a.pl", ":- use_module(library(pairs)).\n:- dynamic pairs:pairs_keys/2.\n"+use,
		nil)
	require.ErrorContains(t, err, "pairs_keys/2 is built in and cannot be declared")
	require.True(t, holds(t, withLibraries(t, use), "t([a-1])"))
}

func TestLibrariesConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			text := fmt.Sprintf("%sn(N) :- aggregate_all(count, member(_, [a,b]), N).\nme(%d).\n", clpfdText, i)
			p, err := engine.LoadText(t.Context(), "a.pl", text, nil)
			if err != nil {
				t.Error(err)
				return
			}
			_, err = p.Once(context.Background(), fmt.Sprintf("two(2), n(2), me(%d), string_code(1, \"a\", 97), "+
				"pairs_keys([a-1], [a])", i), nil)
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
