package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/stretchr/testify/require"
)

// This file tests terms and recursions that are as deep as a million, terms that contain themselves, and the
// garbage collector on whole programs.

const deepProgram = `
:- dynamic kept/1.
count(0, 0) :- !.
count(N, S) :- M is N - 1, count(M, T), S is T + 1.
nest(0, leaf) :- !.
nest(N, s(T)) :- M is N - 1, nest(M, T).
left(0, leaf) :- !.
left(N, T) :- M is N - 1, left(M, U), T = l(U, N).
depth(leaf, D, D) :- !.
depth(s(T), D0, D) :- D1 is D0 + 1, depth(T, D1, D).
list(N, L) :- numlist(1, N, L).
plus_chain(0, 0) :- !.
plus_chain(N, E + 1) :- M is N - 1, plus_chain(M, E).
conj(0, true) :- !.
conj(N, (G, true)) :- M is N - 1, conj(M, G).
chars(0, []) --> [].
`

// deepGoals are goals that succeed; N stands for the depth.
var deepGoals = []string{
	"count(N, N)", "nest(N, T), depth(T, 0, N)", "nest(N, T), assertz(kept(T)), kept(U), T == U, retract(kept(U))",
	"nest(N, T), copy_term(T, U), T = U, T == U, compare(=, T, U), \\+ T \\= U",
	"nest(N, T), findall(T, true, [U]), T == U",
	"nest(N, T), ground(T), term_variables(T, []), acyclic_term(T), \\+ cyclic_term(T)",
	"nest(N, T), catch(throw(T), U, true), T == U", "nest(N, T), nb_setval(k, T), nb_getval(k, U), T == U",
	"nest(N, T), garbage_collect, depth(T, 0, N)",
	"nest(N, T), T =@= T, subsumes_term(T, T), unify_with_occurs_check(X, T), X == T",
	"nest(N, T), term_to_atom(T, A), atom_length(A, Len), Len =:= 3 * N + 4, term_to_atom(U, A), T == U",
	"nest(N, T), numbervars(T, 0, 0), term_hash(T, _)",
	"left(N, T), copy_term(T, U), T == U, findall(T, true, [V]), V = T",
	"left(N, T), term_to_atom(T, A), term_to_atom(U, A), T == U",
	"nest(N, T), with_output_to(string(S), (write_canonical(T), write('.'))), term_string(U, S), T == U",
	"list(N, L), length(L, N), msort(L, L), sort(0, @>=, L, [N|_]), last(L, N), nth1(N, L, N)",
	"list(N, L), assertz(kept(L)), kept(M), L == M, retract(kept(_))", "list(N, L), copy_term(L, M), L == M, L = M",
	"list(N, L), findall(X, member(X, L), M), L == M",
	"list(N, L), atomic_list_concat(L, ',', A), atomic_list_concat(P, ',', A), length(P, N)",
	"list(N, L), term_to_atom(L, A), term_to_atom(M, A), L == M",
	"list(N, L), append(L, [x], M), append(_, [x], M), reverse(L, R), sum_list(R, S), S =:= N * (N + 1) / 2",
	"list(N, L), maplist([X, Y]>>(Y is X + 1), L, [2|_])", "list(N, L), foldl([X, A, B]>>(B is A + X), L, 0, _)",
	"list(N, L), T =.. [f|L], functor(T, f, N), arg(N, T, N), T =.. [_|M], L == M", "plus_chain(N, E), N =:= E",
	"conj(N, G), call(G)",
	"length(L, N), maplist(=(0'a), L), atom_codes(A, L), atom_length(A, N), atom_codes(A, M), L == M",
	"length(L, N), maplist([V]>>freeze(V, true), L), maplist(=(1), L)",
	"findall(X, between(1, N, X), L), list_to_ord_set(L, S), length(S, N)", "bagof(X, between(1, N, X), L), length(L, N)",
	"setof(X-Y, (between(1, N, X), Y is X mod 7), L), length(L, N)", "forall(between(1, N, X), X > 0)",
}

func TestDeep(t *testing.T) {
	for i, goal := range deepGoals {
		depth := deep.Count(300_000, 1_000_000)
		switch {
		case testing.Short() || raceEnabled:
			depth = 20_000
		case i > 8: // the rest takes a minute at a million
			depth = deep.Count(50_000, 100_000)
		}
		t.Run(goal, func(t *testing.T) {
			prog, err := engine.LoadText(t.Context(), "deep.pl", deepProgram, nil)
			require.NoError(t, err)
			goal := fmt.Sprintf("N = %d, %s", depth, goal)
			_, err = prog.Once(t.Context(), "("+goal+") -> true",
				&engine.RunOptions{Limits: engine.Limits{Time: 10 * time.Minute}})
			require.NoError(t, err)
		})
	}
	requireFlat(t, 128<<20) // the table of atoms does not shrink
}

// TestDeepAnswer takes a deep term out of a run and puts it into another.
func TestDeepAnswer(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "deep.pl", deepProgram, nil)
	require.NoError(t, err)
	s, err := prog.Once(t.Context(), "nest(300000, T)", nil)
	require.NoError(t, err)
	text := engine.FormatTerm(s.Get("T"))
	require.True(t, strings.HasPrefix(text, "s(s(s("))
	back, err := engine.ParseTerm(text)
	require.NoError(t, err)
	require.Equal(t, text, engine.FormatTerm(back))
}

// cyclicGoals hand terms that contain themselves to the predicates that walk over terms. Each
// must come to an end: with an answer, with failure, or with an error.
var cyclicGoals = []string{
	"cyclic_term(X)", "acyclic_term(X)", "ground(X)", "X == Y", "X = Y", "X \\= Y", "compare(_, X, Y)", "X @< Y",
	"unify_with_occurs_check(X, Y)", "unify_with_occurs_check(_, X)", "copy_term(X, Z), Z = X",
	"copy_term([X, Y], [Z, Z])", "term_variables(X, _)", "X =@= Y", "subsumes_term(X, Y)", "subsumes_term(_, X)",
	"findall(X, true, [_])", "bagof(X, true, _)", "setof(X-Y, true, _)", "forall(X = Y, true)",
	"aggregate_all(bag(X), true, _)", "assertz(kept(X))", "assertz((kept(_) :- call(X)))", "asserta(X)", "retract(X)",
	"retract(kept(X))", "abolish(X)", "clause(X, _)", "clause(kept(X), _)", "catch(throw(X), _, true)", "throw(X)",
	"call(X)", "call((true, X))", "\\+ X", "findall(_, X, _)", "forall(X, true)", "call(X, 1)",
	"nb_setval(k, X), nb_getval(k, _)", "b_setval(k, X), b_getval(k, _)", "setarg(1, X, a)", "nb_setarg(1, X, X)",
	"functor(X, _, _)", "X =.. _", "arg(_, X, _)", "_ =.. X", "length(X, _)", "is_list(X)", "proper_length(X, _)",
	"print_message_lines(user_output, kind(x), X)", "write(X)", "print(X)", "writeq(X)", "write_canonical(X)",
	"write_term(X, [max_depth(5)])", "format(\"~w ~q ~p\", [X, X, X])", "format(\"~a\", X)", "format(X, [])",
	"with_output_to(string(_), write(X))", "term_to_atom(X, _)", "term_string(_, X)", "sformat(_, X, _)",
	"atom_length(X, _)", "atom_codes(_, X)", "atom_chars(_, X)", "number_codes(_, X)", "atom_to_term(X, _, _)",
	"atomic_list_concat(X, _)", "atomic_list_concat(X, ',', _)", "atomics_to_string(X, _)",
	"split_string(X, \",\", \"\", _)", "string_concat(X, a, _)", "atom_string(_, X)", "number_vars(X, 0, _)",
	"numbervars(X, 0, _)", "term_hash(X, _)", "variant_sha1(X, _)", "variant_hash(X, _)", "_ is X", "X =:= 1", "X < Y",
	"succ_or_zero(X)", "succ(X, _)", "plus(X, 1, _)", "msort(X, _)", "sort(X, _)", "sort(0, @>=, X, _)",
	"predsort(compare, X, _)", "keysort(X, _)", "list_to_set(X, _)", "sumlist(X, _)", "msort([X, Y, X], _)",
	"sort([X, Y, X], _)", "list_to_ord_set([X, Y], _)", "sort(1, @<, [X, Y], _)", "keysort([X-1, Y-2], _)",
	"memberchk(a, X)", "once(member(zz, X))", "append(X, [1], _)", "reverse(X, _)", "last(X, _)", "nth0(100, X, _)",
	"nth1(0, X, _)", "sum_list(X, _)", "exclude([_]>>fail, X, _)", "maplist([_]>>true, X)",
	"foldl([_, A, A]>>true, X, 0, _)", "max_list(X, _)", "delete(X, a, _)", "subtract(X, [], _)",
	"list_to_assoc([X-1], _)", "list_to_assoc(X, _)", "pairs_keys(X, _)", "term_variables(X-Y, _)",
	"setof(A, member(A, X), _)", "freeze(V, true), V = X", "dif(X, Y)", "when(ground(X), true)", "when(?=(X, Y), true)",
	"put_attr(V, a, X), copy_term(V, _, _)", "copy_term_nat(X, _)", "tab(X)", "nl(X)", "open(X, read, _)", "use_module(X)",
	"consult(X)", "ensure_loaded(X)", "discontiguous(X)", "close(X)", "see(X)", "set_stream(user_output, X)",
	"read_term(user_input, _, X)", "write_term(a, X)", "char_conversion(X, a)", "op(X, xfx, a)", "op(200, X, a)",
	"op(200, xfx, X)", "set_prolog_flag(X, a)", "set_prolog_flag(double_quotes, X)", "current_op(_, _, X)",
	"current_prolog_flag(X, _)", "halt(X)", "atom_number(X, _)", "number_vars(X)", "char_code(X, _)",
	"sub_atom(X, _, _, _, a)", "upcase_atom(X, _)", "term_variables(_, X)", "tab(user_output, X)", "nb_getval(X, _)",
	"current_predicate(X)", "predicate_property(X, _)", "dynamic(X)", "assertion(X)", "must_be(list, X)", "must_be(X, a)",
	"is_of_type(list(integer), X)", "phrase(X, [])", "phrase([a], X)", "dcg_translate_rule(X, _)", "expand_term(X, _)",
	"expand_goal(X, _)", "json_write(user_output, X)", "atom_json_term(_, X, [])", "string_code(1, X, _)",
	"setup_call_cleanup(true, X, true)", "call_cleanup(true, X)", "catch(true, X, true)", "catch(throw(a), X, true)",
	"once(X)", "ignore(X)", "apply(X, [])", "apply(true, X)", "not(X)", "succ_throw(X)", "tnot(X)",
	"copy_predicate_clauses(X, Y)", "portray_clause(X)", "listing(X)", "print_message(error, X)",
	"message_to_codes(X, _, _)", "assertz(X, _)", "term_subterm(X)", "mapargs(=, X, _)", "mapsubterms(=, X, _)",
	"foldsubterms([_, _, _]>>fail, X, 0, _)",
}

// cyclicTerms are goals that make X and Y.
var cyclicTerms = []string{
	"X = f(X), Y = f(Y)",
	"X = [a|X], Y = [a, a|Y]",
	"X = (X, a), Y = (Y, a)",
	"X = g(X, Y, _), Y = g(Y, X, b)",
	"X = '+'(1, X), Y = X",
	"X = (a :- X), Y = (X :- Y)",
	"X = X / a, Y = Y : a",
	"X = m : X, Y = library(Y)",
}

func TestCyclic(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "cyclic.pl", ":- dynamic kept/1.", nil)
	require.NoError(t, err)
	ways := cyclicTerms
	if testing.Short() || raceEnabled {
		ways = ways[:2]
	}
	for i, terms := range ways {
		for j, goal := range cyclicGoals {
			if (i+j)%deep.Count(2, 1) != 0 {
				continue // each goal is run with half of the terms, and each term with half of the goals
			}
			out := &host.Buffer{Max: 1 << 16}
			var err error
			took := threadTime(func() {
				_, err = prog.Once(t.Context(), terms+", "+goal, &engine.RunOptions{Transaction: true,
					Limits: engine.Limits{Memory: 16 << 20, Time: 2 * time.Second, Inferences: 300_000}, Output: out, Error: out,
					Input: strings.NewReader("a. b.")})
			})
			if took > 2*time.Second && !raceEnabled {
				t.Errorf("%s, %s: took %v: %v", terms, goal, took, err)
			}
		}
	}
}

// TestCollectorOnPrograms runs the small goals of the benchmarks with a collection and a check
// of the heap at every call, for as long as their inferences last.
func TestCollectorOnPrograms(t *testing.T) {
	t.Parallel()
	if testing.Short() || raceEnabled {
		t.Skip("takes a minute")
	}
	files, err := filepath.Glob("../tools/bench/programs/*.pl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".pl"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			prog, err := engine.LoadText(t.Context(), file, string(text), nil)
			require.NoError(t, err)
			steps := int64(deep.Count(1500, 3000))
			plain := outcome(t, prog, &engine.RunOptions{Limits: engine.Limits{Inferences: steps}})
			verified := outcome(t, prog, engine.Stressed(&engine.RunOptions{
				Limits: engine.Limits{Inferences: steps, Time: 5 * time.Second}}, engine.Stress{Verify: true}))
			if verified != "time" {
				require.Equal(t, plain, verified)
			}
		})
	}
}

// outcome runs the goal small of a benchmark and returns its outcome and output.
func outcome(t *testing.T, prog *engine.Program, o *engine.RunOptions) string {
	out := &host.Buffer{}
	o.Output = out
	_, err := prog.Once(t.Context(), "catch(small, error(resource_error(R), _), (write(R), fail))", o)
	if err != nil && err != engine.ErrNoSolution {
		return err.Error()
	}
	return out.String()
}
