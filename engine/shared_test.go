package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/tools/heaptest"
)

// This file tests that terms with shared parts, which would exceed any memory when written out, are walked and written
// within the limits.

const sharing = `
term(T) :- build([A, f(A, A)], x, T).
conjunction(T) :- build([A, (A, A)], true, T).
negation(T) :- build([A, (\+ A, \+ A)], fail, T).
open(T) :- build([A, (A, A)], _, T).
build(Step, T0, T) :- length(L, 60), build(L, Step, T0, T).
build([], _, T, T).
build([_|L], Step, T0, T) :- copy_term(Step, [T0, T1]), build(L, Step, T1, T).
`

// sharedGoals are goals that end with an exception. Making the message of a thrown term takes most of the time; other
// messages are like that of must_be/2.
var sharedGoals = []string{
	"term(T), throw(T)",
	"term(T), throw(error(type_error(x, T), _))",
	"term(T), throw(error(x, T))",
	"term(T), throw(error(existence_error(procedure, T/1), _))",
	"term(T), must_be(integer, T)",
}

var sharedQuietly = []string{
	"term(T), atom_length(T, _)",
	"term(T), halt(T)",
	"term(T), use_module(T)",
	"term(T), use_module(library(T))",
	"term(T), use_module(lists, T)",
	"term(T), consult(T)",
	"term(T), consult([T])",
	"term(T), ensure_loaded(T)",
	"term(T), load_files(T, [])",
	"term(T), load_files(T, T)",
	"term(T), help(T)",
	"term(T), portray_clause(T)",
	"term(T), dynamic(T)",
	"term(T), op(700, xfx, T)",
	"term(T), open(T, read, _)",
	"term(T), set_prolog_flag(T, T)",
	"term(T), print_message(error, format(T, T)), throw(done)",
	"conjunction(T), call(T)",
	"conjunction(T), assertz((foo :- T)), foo, throw(done)",
	"conjunction(T), dynamic(T)",
	"conjunction(T), portray_clause((a :- T))",
	"conjunction(T), findall(x, T, _)",
	"conjunction(T), forall(T, true), throw(done)",
	"negation(T), call(T), throw(done)",
	"negation(T), assertz((foo :- T)), foo, throw(done)",
	"negation(T), portray_clause((a :- T))",
	"open(T), call(T)",
	"open(T), assertz((foo :- T)), foo, throw(done)",
	"open(T), dynamic(T)",
}

func TestShared(t *testing.T) {
	before := heaptest.InUse()
	t.Run("goals", func(t *testing.T) { share(t) })
	requireFlat(t, before+32<<20)
}

func share(t *testing.T) {
	prog, err := engine.LoadText(t.Context(), "sharing.pl", sharing, nil)
	require.NoError(t, err)
	goals := slices.Clone(sharedGoals)
	for _, goal := range sharedQuietly {
		goals = append(goals, "catch(("+goal+"), _, throw(caught))")
	}
	for _, goal := range goals {
		t.Run(goal, func(t *testing.T) {
			t.Parallel()
			o := &engine.RunOptions{Limits: engine.Limits{Time: 100 * time.Millisecond, Memory: 24 << 20}, Transaction: true}
			_, err := prog.Once(t.Context(), goal, o)
			var ex *engine.Exception
			require.ErrorAs(t, err, &ex)
			require.Less(t, len(ex.Message), 100_000)
		})
	}
}

// TestSharedText writes such a term outside of a run.
func TestSharedText(t *testing.T) {
	t.Parallel()
	shared := engine.Term(term.Atom("x"))
	for range 100 {
		shared = term.List(shared, shared)
	}
	require.Less(t, len(inspect.ShowTerm(shared)), 3000)
	require.Less(t, len(engine.FormatTerm(shared)), 20<<20)
	require.Less(t, len(inspect.FormatText(shared)), 20<<20)
	require.Equal(t, "'f(X)'", inspect.ShowTerm(term.Atom("f(X)")))
}

// TestSharedMessage checks the message of an error about such a term: it shows a part of the term.
func TestSharedMessage(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "message.pl", `
:- table tabled/1.
shared(0, leaf) :- !.
shared(N, f(T, T)) :- M is N - 1, shared(M, T).
tabled(X) :- atom_length(X, _).
`, nil)
	require.NoError(t, err)
	for _, goal := range []string{"atom_length(X, _)", "tabled(X)", "throw(error(type_error(atom, X), context(p/1, X)))",
		"type_error(atom, [X, X])", "length(L, 100000), type_error(atom, f(L, X))",
		"print_message(error, X), print_message(error, format(\"~p~w\", [X, X])), atom_length(X, _)",
		"catch(assertion(X == 1), _, true), type_error(atom, X)", "debug(a), debug(a, \"~q\", [X]), atom_length(X, _)"} {
		_, err := prog.Once(t.Context(), "shared(60, X), "+goal, nil)
		var ex *engine.Exception
		require.ErrorAs(t, err, &ex)
		require.Regexp(t, "^([a-z.]+:[0-9]+: )?([a-z_]+/[0-9]: )?Type error: `atom' expected, found `", ex.Error())
		require.Contains(t, ex.Message, "...")
	}
}
