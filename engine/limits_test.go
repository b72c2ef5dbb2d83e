package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/mcplogic/mcplogic/tools/heaptest"
	"github.com/stretchr/testify/require"
)

// This file tests that a runaway goal is stopped with an error that it can catch, and that it leaves nothing behind.

const runaways = `
endless :- endless.
grow(L) :- grow([x|L]).
wide(T) :- wide(f(T, T)).
deep(N) :- M is N + 1, deep(M), atom(N).
choice(N) :- M is N + 1, choice(M).
choice(_).
nested(N) :- catch(nested(N), nothing, true), true.
copied(T) :- copy_term(T, C), copied([T|C]).
longer(S) :- string_concat(S, S, T), longer(T).
atoms(A) :- atom_concat(A, A, B), atoms(B).
square(N) :- M is N * N, square(M).
codes(N) :- length(L, N), maplist(=(0'a), L), atom_codes(_, L).
kept(N, L) :- atom_number(_, N), atom_concat(kept_atom_, N, A), M is N + 1, kept(M, [A|L]).
search(X) :- between(1, inf, Y), Y < X.
passing(N) :- atom_concat(passing_atom_, N, A), atom_length(A, _), M is N + 1, passing(M).
global(N) :- nb_getval(g, L), nb_setval(g, [N|L]), global(N).
ball(T) :- catch(throw(f(T)), f(B), true), ball([T|B]).
frozen(L) :- freeze(X, true), frozen([X|L]).
`

// runaway is an endless goal, and the resource that runs out.
type runaway struct {
	goal     string
	resource string
}

// limits are what the goal may use.
func (r runaway) limits() *engine.RunOptions {
	o := &engine.RunOptions{Limits: engine.Limits{Memory: deep.Count(8<<20, 24<<20), Time: 5 * time.Minute}}
	if strings.HasPrefix(r.goal, "square") {
		o.Memory = 1 << 20 // products of numbers of some megabytes take seconds
	}
	switch r.resource {
	case "time":
		o.Time = 100 * time.Millisecond
	case "inferences":
		o.Inferences = 200_000
	}
	return o
}

var runawayGoals = []runaway{
	{"endless", "time"},
	{"endless", "inferences"},
	{"repeat, fail", "time"},
	{"repeat, fail", "inferences"},
	{"between(1, inf, _), fail", "time"},
	{"length(_, N), N < 0", "time"},
	{"search(0)", "time"},
	{"search(0)", "inferences"},
	{"passing(1)", "time"},
	{"grow([])", "memory"},
	{"format(string(S), '~`at~1000000|', []), re_replace(\"a\"/g, bb, S, _)", "memory"},
	{"format(string(S), '~`at~1000000|', []), re_foldl([_, X, Y]>>(Y is X + 1), a, S, 0, _, [])", "memory"},
	{"wide(a)", "memory"},
	{"deep(0)", "memory"},
	{"choice(0)", "memory"},
	{"nested(0)", "memory"},
	{"copied([_])", "memory"},
	{"longer(\"x\")", "memory"},
	{"atoms(x)", "memory"},
	{"square(3)", "memory"},
	{"codes(10000000)", "memory"},
	{"kept(1, [])", "memory"},
	{"numlist(1, 10000, L), nb_setval(g, []), global(L)", "memory"},
	{"ball([_])", "memory"},
	{"findall(X, between(1, 10000000, X), _)", "memory"},
	{"findall(X, repeat, _)", "memory"},
	{"bagof(X, between(1, 10000000, X), _)", "memory"},
	{"aggregate_all(bag(X), between(1, 10000000, X), _)", "memory"},
	{"numlist(1, 100000000, L), L = [_|_]", "memory"},
	{"length(_, 100000000)", "memory"},
	{"functor(_, f, 100000000)", "memory"},
	{"_ is 7 ^ 7 ^ 7 ^ 7", "memory"},
	{"_ is 1 << 100000000000", "memory"},
	{"_ is 3 ** 1000000000", "memory"},
	{"with_output_to(string(_), (repeat, write(abcdefgh), fail))", "memory"},
	{"length(L, 1000000), maplist(=(abcdefghijklmnopqrstuvwxyz), L), atomic_list_concat(L, _)", "memory"},
	{"numlist(1, 300000, L), findall(L, repeat, _)", "memory"},
	{"frozen([])", "memory"},
	{"format(atom(A), \"~*c\", [1000000, 0'x]), open_string(A, S), findall(T, (repeat, peek_string(S, 1000000, T)), _)",
		"memory"},
	{"format(atom(A), \"~*c\", [1000000, 0'x]), open_string(A, S), repeat, peek_string(S, 1000000, _), fail",
		"inferences"},
	{"format(string(S), '~`at~80000|', []), format(string(P), '~`at~40000|b', []), sub_atom_icasechk(S, _, P)",
		"inferences"},
	{"repeat, write(abcdefgh), fail", "time"},
	{"tab(100000000000)", "time"},
	{"findall(X, between(1, inf, X), _)", "memory"},
	{`format(atom(A), "~*c", [1000000, 0'x]), re_match("(x?x?x?){300}y", A)`, "time"},
}

func TestRunaway(t *testing.T) {
	before := heaptest.InUse()
	if testing.Short() || raceEnabled {
		t.Skip("takes long")
	}
	t.Run("goals", func(t *testing.T) { runAway(t) })
	requireFlat(t, before+32<<20)
}

func runAway(t *testing.T) {
	prog, err := engine.LoadText(t.Context(), "runaways.pl", runaways, nil)
	require.NoError(t, err)
	for _, test := range runawayGoals {
		t.Run(test.goal+"/"+test.resource, func(t *testing.T) {
			t.Parallel()
			var ex *engine.Exception
			s, err := prog.Once(t.Context(), "catch(("+test.goal+"), error(resource_error(R), _), true)", test.limits())
			if errors.As(err, &ex) { // the machine was so busy that the time to catch it has passed too
				require.Equal(t, "time", ex.Limit())
			} else {
				require.NoError(t, err)
				require.Equal(t, test.resource, s.Text("R"))
			}
			_, err = prog.Once(t.Context(), test.goal, test.limits())
			require.ErrorAs(t, err, &ex)
			require.Equal(t, test.resource, ex.Limit())
		})
	}
}

// keepingGoals keep storing large terms outside of the stacks.
var keepingGoals = []string{
	"numlist(1, 10000, L), repeat, assertz(fact(L)), fail",
	"numlist(1, 50000, L), repeat, asserta(fact(L)), fail",
	"numlist(1, 10000, L), repeat, assertz((rule(X) :- member(X, L))), fail",
	"numlist(1, 10000, L), repeat, recordz(k, L), fail",
	"numlist(1, 10000, L), between(1, inf, I), atom_concat(k, I, K), create_prolog_flag(K, L, []), fail",
	"length(L, 10000), maplist(=(\"some text\"), L), between(1, inf, I), atom_concat(k, I, K), create_prolog_flag(K, " +
		"L, []), fail",
	"numlist(1, 10000, L), between(1, inf, I), debug(f(I, L)), fail",
	"between(1, inf, I), atom_concat(p, I, P), T =.. [P, 1], assertz(T), fail",
	"between(1, inf, I), atom_concat(m, I, M), assertz(M:foo(1)), fail",
	"between(1, inf, I), atom_concat(p, I, P), dynamic(P/1), fail",
}

// TestKeptCountsAsMemory fills memory outside the stacks until the memory limit ends it, in a transaction and directly.
func TestKeptCountsAsMemory(t *testing.T) {
	t.Parallel()
	for _, goal := range keepingGoals {
		for _, transaction := range []bool{true, false} {
			prog, err := engine.LoadText(t.Context(), "keep.pl", "kept.\n", nil)
			require.NoError(t, err)
			o := &engine.RunOptions{Limits: engine.Limits{Memory: 4 << 20, Time: time.Minute, Inferences: 3_000_000},
				Transaction: transaction}
			_, err = prog.Once(t.Context(), goal, o)
			var ex *engine.Exception
			require.ErrorAs(t, err, &ex, goal)
			require.Equal(t, "memory", ex.Limit(), goal)
		}
	}
}

// givenBackGoals store much more than the limit in total, and little at a time.
var givenBackGoals = []string{
	"numlist(1, 1000, L), forall(between(1, 500, _), ( assertz(fact(L)), retract(fact(_)) ))",
	"numlist(1, 1000, L), forall(between(1, 500, _), ( assertz(fact(L)), retractall(fact(_)) ))",
	"numlist(1, 1000, L), forall(between(1, 500, _), ( recordz(k, L, R), erase(R) ))",
	"numlist(1, 1000, L), forall(between(1, 500, _), create_prolog_flag(k, L, []))",
	"numlist(1, 1000, L), forall(between(1, 500, _), debug(L))",
	"numlist(1, 1000, L), catch((repeat, assertz(fact(L)), fail), error(resource_error(memory), _), true), " +
		"retractall(fact(_)), forall(between(1, 100, _), assertz(fact(L)))",
}

func TestGivenBackCountsNoMore(t *testing.T) {
	t.Parallel()
	for _, goal := range givenBackGoals {
		for _, transaction := range []bool{true, false} {
			prog, err := engine.LoadText(t.Context(), "keep.pl", ":- dynamic(fact/1).\n", nil)
			require.NoError(t, err)
			_, err = prog.Once(t.Context(), goal, &engine.RunOptions{Limits: engine.Limits{Memory: 4 << 20},
				Transaction: transaction})
			require.NoError(t, err, goal)
		}
	}
}

// requireFlat checks that no more than a number of bytes are in use.
func requireFlat(t *testing.T, limit uint64) {
	t.Helper()
	require.Less(t, heaptest.InUse(), limit)
}

// TestCaughtLimit checks that a goal can continue after it has caught the time limit, but not for ever.
func TestCaughtLimit(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "stubborn.pl", `
stubborn :- catch(endless, _, stubborn).
endless :- endless.
`, nil)
	require.NoError(t, err)
	for _, o := range []engine.RunOptions{
		{Limits: engine.Limits{Time: 50 * time.Millisecond}},
		{Limits: engine.Limits{Inferences: 100_000}},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err := prog.Once(ctx, "stubborn", &o)
		cancel()
		var ex *engine.Exception
		require.ErrorAs(t, err, &ex)
		require.NotEmpty(t, ex.Limit())
	}
}

// TestCancel stops goals from another goroutine, and measures how much they compute after that.
func TestCancel(t *testing.T) { // not beside others, whose processor time would count
	prog, err := engine.LoadText(t.Context(), "runaways.pl", runaways, nil)
	require.NoError(t, err)
	for _, goal := range []string{
		"endless",
		"repeat, fail",
		"between(1, inf, _), fail",
		"findall(X, between(1, inf, X), _)",
		"length(_, N), N < 0",
		"length(_, 60000000), endless",
		"numlist(1, 60000000, L)",
		"findall(X, (between(1, 400000, I), X is (I * 7919) mod 400009), L), repeat, msort(L, _), fail",
		"findall(X, (between(1, 400000, I), X is (I * 7919) mod 400009), L), repeat, sort(0, @>=, L, _), fail",
		"numlist(1, 400000, L), repeat, atomic_list_concat(L, ',', A), atomic_list_concat(_, ',', A), fail",
		"numlist(1, 1000000, L), repeat, copy_term(L, _), length(L, _), fail",
		"numlist(1, 1000000, L), repeat, L == L, ground(L), fail",
		"length(L, 1000000), copy_term(L, M), repeat, L = M, term_variables(L, _), fail",
		"numlist(1, 300000, L), repeat, term_to_atom(L, A), term_to_atom(_, A), fail",
		"X is 3 ** 3000000, repeat, _ is X * X, fail",
		"X is 3 ** 300000, repeat, number_codes(X, C), number_codes(_, C), fail",
		"_ is 3 ** 100000000",
		"repeat, format(atom(_), \"~*c\", [10000000, 0'x]), fail",
	} {
		t.Run(goal, func(t *testing.T) {
			late := cancelAfter(t, prog, goal, 100*time.Millisecond)
			t.Logf("stopped after %v", late)
			require.Less(t, late, lateness())
		})
	}
}

// lateness is how long a run may compute after it has been stopped: 10 ms, or the time of an uninterruptible step of a
// built-in on a large term, plus the time that Go needs to collect the term.
func lateness() time.Duration {
	if raceEnabled {
		return 10 * time.Second
	}
	return time.Second
}

// cancelAfter runs a goal and cancels it after a while. It returns the processor time that stopping took, which does
// not depend on the load of the machine.
func cancelAfter(t *testing.T, prog *engine.Program, goal string, after time.Duration) time.Duration {
	run, err := prog.Start(goal, &engine.RunOptions{Limits: engine.Limits{Memory: 2 << 30}})
	require.NoError(t, err)
	defer run.Close()
	cancelled := make(chan time.Duration, 1)
	timer := time.AfterFunc(after, func() {
		cancelled <- cpuTime()
		run.Cancel("enough")
	})
	defer timer.Stop()
	_, err = run.Next(t.Context())
	end := cpuTime()
	var aborted *engine.Aborted
	require.ErrorAs(t, err, &aborted)
	require.Equal(t, "enough", aborted.Reason)
	return end - <-cancelled
}

// TestContext ends a run by its context. The error of the run wraps the error of the context.
func TestContext(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "runaways.pl", runaways, nil)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = prog.Once(ctx, "catch(endless, _, true)", nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	var aborted *engine.Aborted
	require.True(t, errors.As(err, &aborted))
}

// TestCountingLoop runs a deterministic loop in constant memory.
func TestCountingLoop(t *testing.T) {
	t.Parallel()
	steps := "100000000"
	if testing.Short() || raceEnabled {
		steps = "1000000"
	}
	prog, err := engine.LoadText(t.Context(), "loop.pl", `
loop(0) :- !.
loop(N) :- M is N - 1, loop(M).
text(0) :- !.
text(N) :- atom_number(A, N), atom_length(A, _), M is N - 1, text(M).
guard(0) => true.
guard(N) => choice, $, M is N - 1, guard(M).
choice.
choice.
`, nil)
	require.NoError(t, err)
	o := &engine.RunOptions{Limits: engine.Limits{Memory: 1 << 20}}
	_, err = prog.Once(t.Context(), "loop("+steps+")", o)
	require.NoError(t, err)
	for _, goal := range []string{"text(300000)", "guard(100000)"} {
		_, err = prog.Once(t.Context(), goal, &engine.RunOptions{Limits: engine.Limits{Memory: 4 << 20}})
		require.NoError(t, err)
	}
}

// TestClausesAreCountedWhenAsked checks that a property is found without visiting all clauses, and that counting the
// clauses costs inferences.
func TestClausesAreCountedWhenAsked(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "facts.pl", ":- dynamic(f/1).\n"+
		"ask(P) :- forall(between(1, 20000, I), assertz(f(I))), "+
		"( between(1, 300, _), predicate_property(f(_), P), fail ; true ).", nil)
	require.NoError(t, err)
	o := &engine.RunOptions{Limits: engine.Limits{Inferences: 200_000}, Transaction: true}
	_, err = prog.Once(t.Context(), "ask(dynamic)", o)
	require.NoError(t, err)
	_, err = prog.Once(t.Context(), "ask(number_of_clauses(20000))", o)
	require.ErrorContains(t, err, "Inference limit exceeded")
}

// TestOutputLimit keeps the first bytes of an endless output.
func TestOutputLimit(t *testing.T) {
	t.Parallel()
	prog := engine.New(nil)
	out := &host.Buffer{Max: 10}
	_, err := prog.Once(t.Context(), "repeat, write(abc), fail", &engine.RunOptions{Output: out,
		Limits: engine.Limits{Inferences: 10_000}})
	var ex *engine.Exception
	require.ErrorAs(t, err, &ex)
	require.Equal(t, strings.Repeat("abc", 3)+"a", out.String())
	require.Positive(t, out.Dropped)
}

// TestNoRoomForError makes built-ins run out of memory when heap and stacks are full to the last cell.
func TestNoRoomForError(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "p.pl", "", nil)
	require.NoError(t, err)
	for _, goal := range []string{
		"length(L, 1000000000000)",
		"findall(X, between(1, inf, X), L)",
		"numlist(1, 100000000, L)",
		"call_cleanup(length(L, 1000000000000), true)",
	} {
		for _, wrapped := range []string{goal, "catch((" + goal +
			"), error(resource_error(E), _), throw(error(resource_error(E), _)))"} {
			_, err := prog.Once(t.Context(), wrapped, engine.Stressed(&engine.RunOptions{
				Limits: engine.Limits{Memory: 1 << 18}}, engine.Stress{Grow: true}))
			var ex *engine.Exception
			require.ErrorAs(t, err, &ex, wrapped)
			require.Equal(t, "memory", ex.Limit(), wrapped)
		}
	}
}

// TestGoalTooLarge runs a goal, and gives an answer from outside, that are larger than the memory of the run.
func TestGoalTooLarge(t *testing.T) {
	t.Parallel()
	large := make([]engine.Term, 1<<18)
	for i := range large {
		large[i] = term.Int(int64(i))
	}
	list := term.List(large...)
	prog, err := engine.LoadText(t.Context(), "p.pl", "", &engine.Options{Predicates: goPredicates})
	require.NoError(t, err)
	options := &engine.RunOptions{Limits: engine.Limits{Memory: 1 << 20}}
	_, err = engine.Inner(prog).StartTerm(term.New("=", term.NewVar("X"), list), nil, options)
	var ex *engine.Exception
	require.ErrorAs(t, err, &ex)
	require.Equal(t, "memory", ex.Limit())
	for goal, caught := range map[string]bool{"ask(q, X)": false,
		"catch(ask(q, X), error(resource_error(memory), _), true)": true} {
		r, err := prog.Start(goal, options)
		require.NoError(t, err)
		state, err := r.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, engine.Waiting, state)
		r.Resume(list)
		state, err = r.Next(t.Context())
		if caught {
			require.NoError(t, err)
			require.Equal(t, engine.Answer, state)
		} else {
			require.ErrorAs(t, err, &ex)
			require.Equal(t, "memory", ex.Limit())
		}
		r.Close()
	}
}

// Formatting an answer is a part of its run: the time limit of the run, its context and Cancel end it.
func TestFormatAnswerLimits(t *testing.T) {
	p, err := engine.LoadText(t.Context(), "t.pl",
		"list(N, L) :- length(L, N).\nsame(N, L) :- length(L, N), maplist(=(x), L).", nil)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	formats := map[string]func(ctx context.Context, r *engine.Run) (string, error){
		"answer": func(ctx context.Context, r *engine.Run) (string, error) { return r.FormatAnswer(ctx, false) },
		"values": func(ctx context.Context, r *engine.Run) (string, error) {
			values, err := r.FormatValues(ctx)
			return values["L"], err
		},
	}
	for name, format := range formats {
		for _, goal := range []string{"list(20000, L)", "same(20000, L)"} {
			t.Run(name+" "+goal, func(t *testing.T) {
				t.Parallel()
				limit := time.Second
				for !outlivesItsTime(t, p, goal, limit, ctx, format) { // a busy machine may need the whole time before
					limit *= 4
				}
			})
		}
	}
}

// outlivesItsTime formats an answer with a context that has ended, and after the time of the run is over. It returns
// false if the time was over before the answer came.
func outlivesItsTime(t *testing.T, p *engine.Program, goal string, limit time.Duration, ended context.Context,
	format func(ctx context.Context, r *engine.Run) (string, error)) bool {
	r, err := p.Start(goal, &engine.RunOptions{Limits: engine.Limits{Time: limit}})
	require.NoError(t, err)
	defer r.Close()
	began := time.Now()
	_, err = r.Next(t.Context())
	var text string
	if err == nil {
		text, err = format(t.Context(), r)
	}
	if err != nil && limit < time.Minute {
		return false
	}
	require.NoError(t, err)
	require.Greater(t, len(text), 40000)

	_, err = format(ended, r)
	var aborted *engine.Aborted
	require.ErrorAs(t, err, &aborted)

	time.Sleep(time.Until(began.Add(limit)))
	_, err = format(t.Context(), r)
	var ex *engine.Exception
	require.ErrorAs(t, err, &ex)
	require.Equal(t, "time", ex.Limit())
	return true
}

// TestWalksCount runs goals that walk over long terms without a call for each element. The limit of inferences ends
// them.
func TestWalksCount(t *testing.T) {
	p := engine.New(nil)
	for _, goal := range []string{"L == L", "L == M", "L = M", "L \\== [x|M]", "L @< M", "compare(_, L, M)", "L =@= M",
		"copy_term(L, _)", "ground(L)", "term_variables(L, _)", "acyclic_term(L)", "is_list(L)", "length(L, _)",
		"findall(L, true, _)", "nb_setval(k, L)", "msort(L, _)", "catch(throw(L), _, true)", "unify_with_occurs_check(L, M)",
		"term_hash(L, _)", "L =.. _", "assertz(p(L))", "sum_list(L, _)", "last(L, _)", "subsumes_term(L, M)", "dif(L, M)",
	} {
		s, err := p.Once(t.Context(), "numlist(1, 100000, L), numlist(1, 100000, M), "+
			"call_with_inference_limit(( repeat, ignore(( "+goal+" )), fail ), 1000000, R)", &engine.RunOptions{})
		require.NoError(t, err, goal)
		require.Equal(t, term.Atom("inference_limit_exceeded"), s.Get("R"), goal)
	}
}

// TestMemoryOfRefusedTables catches the memory errors of a table again and again. The limit does not change.
func TestMemoryOfRefusedTables(t *testing.T) {
	var text strings.Builder
	text.WriteString(":- table p/2.\np(X, Y) :- e(X, Y).\np(X, Y) :- p(X, Z), e(Z, Y).\n")
	const nodes = 1500
	for i := range nodes {
		fmt.Fprintf(&text, "e(%d, %d).\n", i, (i+1)%nodes)
	}
	program, err := engine.LoadText(t.Context(), "p.pl", text.String(), nil)
	require.NoError(t, err)
	found, err := program.Once(t.Context(), "findall(E, (between(1, 40, _), catch(aggregate_all(count, p(_, _), E), "+
		"error(resource_error(E), _), true)), L), "+
		"catch((numlist(1, 1000000, N), length(N, _)), error(resource_error(F), _), true)",
		&engine.RunOptions{Limits: engine.Limits{Memory: 12 << 20}})
	require.NoError(t, err)
	require.Equal(t, "["+strings.TrimSuffix(strings.Repeat("memory,", 40), ",")+"]", found.Text("L"))
	require.Equal(t, "memory", found.Text("F"))
}
