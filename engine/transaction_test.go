package engine_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/tools/heaptest"
	"github.com/stretchr/testify/require"
)

// This file tests which changes of other runs a run of the same program sees.

// Each step of a script is a line "run: goal -> answer". run names a transaction, which begins with its first goal.
// answer lists the values of X in all answers, or is "no" if there are none. "run: commit" and "run: rollback" end the
// transaction; "-> conflict" expects the commit to fail. The run named "now" makes changes that everyone sees at once.
var transactionScripts = []struct {
	name, program, script string
}{
	{"isolated until the commit", ":- dynamic n/1. n(1).", `
		a: assertz(n(2)), n(X) -> 1 2
		b: n(X) -> 1
		a: commit
		b: n(X) -> 1
		c: n(X) -> 1 2`},
	{"rolled back", ":- dynamic n/1. n(1). n(2).", `
		a: retract(n(1)), asserta(n(0)), n(X) -> 0 2
		a: rollback
		now: n(X) -> 1 2`},
	{"sees its own changes", ":- dynamic n/1. n(1).", `
		a: assertz(n(2)), retract(n(1)), assertz(n(3)), n(X) -> 2 3
		a: retract(n(3)), n(X) -> 2
		a: commit
		now: n(X) -> 2`},
	{"what goals take back within a transaction", ":- dynamic n/1. n(1).", `
		a: snapshot((retract(n(1)), assertz(n(2)))), n(X) -> 1
		a: transaction((retract(n(1)), assertz(n(3)))), n(X) -> 3
		a: ( transaction((retract(n(3)), fail)) ; true ), n(X) -> 3
		b: n(X) -> 1
		a: commit
		now: n(X) -> 3`},
	{"a clause given back is another's", ":- dynamic n/1. n(1).", `
		a: snapshot(retract(n(1))), n(X) -> 1
		b: retract(n(X)) -> 1
		b: commit
		a: commit
		now: n(X) -> no`},
	{"transactions of goals that commit at once", ":- dynamic n/1. n(1).", `
		a: n(X) -> 1
		now: transaction((assertz(n(2)), retract(n(1)))), n(X) -> 2
		now: snapshot(assertz(n(3))), n(X) -> 2
		a: n(X) -> 1
		a: retract(n(X)) -> 1
		a: commit -> conflict`},
	{"conflict of two that retract a clause", ":- dynamic n/1. n(1).", `
		a: retract(n(X)) -> 1
		b: retract(n(X)) -> 1
		a: commit
		b: commit -> conflict
		now: n(X) -> no`},
	{"conflict undoes everything", ":- dynamic n/1, m/1. n(1).", `
		a: retract(n(_)), assertz(m(a)), m(X) -> a
		b: retract(n(_)), assertz(m(b)), m(X) -> b
		b: commit
		a: commit -> conflict
		now: m(X) -> b`},
	{"a rollback of one leaves the other", ":- dynamic n/1. n(1).", `
		a: retract(n(X)) -> 1
		b: retract(n(X)) -> 1
		a: rollback
		b: commit
		now: n(X) -> no`},
	{"the second claim can go first", ":- dynamic n/1. n(1).", `
		a: retract(n(X)) -> 1
		b: retract(n(X)) -> 1
		b: rollback
		a: commit
		now: n(X) -> no`},
	{"additions do not conflict", ":- dynamic n/1.", `
		a: assertz(n(1)) -> -
		b: assertz(n(2)), n(X) -> 2
		b: commit
		a: commit
		now: n(X) -> 1 2`},
	{"direct changes are seen by later transactions only", ":- dynamic n/1. n(1).", `
		a: n(X) -> 1
		now: assertz(n(2)), n(X) -> 1 2
		a: n(X) -> 1
		b: n(X) -> 1 2`},
	{"conflict with a direct change", ":- dynamic n/1. n(1).", `
		a: retract(n(X)) -> 1
		now: retract(n(X)) -> 1
		a: commit -> conflict
		now: n(X) -> no`},
	{"retractall and abolish of the transaction's own", ":- dynamic n/1. n(1). n(2).", `
		a: assertz(n(3)), retractall(n(2)), n(X) -> 1 3
		a: retractall(n(_)), n(X) -> no
		b: n(X) -> 1 2
		a: commit
		now: n(X) -> no`},
	{"a predicate made by the transaction", "", `
		a: assertz(new(1)), new(X) -> 1
		now: catch(new(_), error(_, _), fail) -> no
		a: commit
		now: new(X) -> 1`},
	{"order of clauses", ":- dynamic n/1. n(2).", `
		a: asserta(n(1)), n(X) -> 1 2
		b: assertz(n(3)), n(X) -> 2 3
		b: commit
		a: commit
		now: n(X) -> 1 2 3`},
	{"logical update view in a transaction", ":- dynamic n/1. n(1). n(2).", `
		a: n(X), Y is X + 10, assertz(n(Y)) -> 1 2
		a: n(X) -> 1 2 11 12
		a: n(X), retract(n(X)), assertz(n(X)) -> 1 2 11 12
		a: commit
		now: n(X) -> 1 2 11 12`},
	{"logical update view", ":- dynamic n/1. n(1). n(2).", `
		now: n(X), Y is X + 10, assertz(n(Y)) -> 1 2
		now: n(X), retractall(n(_)) -> 1 2 11 12
		now: n(X) -> no`},
	{"flags and operators of a transaction end with it", "", `
		a: op(700, xfx, ===>), term_to_atom(X, 'a ===> b') -> ===>(a,b)
		a: commit
		now: catch(term_to_atom(X, 'a ===> b'), error(syntax_error(_), _), fail) -> no`},
}

func TestTransactions(t *testing.T) {
	t.Parallel()
	for _, test := range transactionScripts {
		t.Run(test.name, func(t *testing.T) {
			prog := engine.New(&engine.Options{Predicates: []engine.Predicate{
				{Name: "next_goal", Arity: 1, Waits: true},
				{Name: "report", Arity: 2, Waits: true},
			}})
			require.NoError(t, prog.Load(t.Context(), source.File{Name: "state.pl", Text: test.program}))
			s := &script{t: t, prog: prog, runs: map[string]*engine.Run{}}
			defer s.close()
			for line := range strings.Lines(test.script) {
				if line = strings.TrimSpace(line); line != "" {
					s.step(line)
				}
			}
		})
	}
}

// script runs the steps of a transaction script.
type script struct {
	t    *testing.T
	prog *engine.Program
	runs map[string]*engine.Run
}

func (s *script) close() {
	for _, run := range s.runs {
		run.Close()
	}
}

func (s *script) step(line string) {
	name, rest, ok := strings.Cut(line, ": ")
	require.True(s.t, ok, line)
	goal, want, _ := strings.Cut(rest, " -> ")
	switch goal {
	case "commit":
		err := s.runs[name].Commit()
		if want == "conflict" {
			require.ErrorIs(s.t, err, engine.ErrConflict, line)
		} else {
			require.NoError(s.t, err, line)
		}
		fallthrough
	case "rollback":
		s.runs[name].Close()
		delete(s.runs, name)
	default:
		require.Equal(s.t, want, s.ask(name, goal), line)
	}
}

// ask runs a goal in the transaction of a name and returns the values of X in all answers.
func (s *script) ask(name, goal string) string {
	run := s.runs[name]
	if run == nil {
		run = s.start(name != "now")
		if name == "now" {
			defer run.Close()
		} else {
			s.runs[name] = run
		}
	}
	question, err := s.prog.ParseTerm("", "X-("+goal+")")
	require.NoError(s.t, err)
	run.Resume(question)
	s.waitFor(run, "report")
	_, args := run.Waiting()
	run.Resume(term.Atom("done"))
	defer s.waitFor(run, "next_goal")
	var values []engine.Term
	require.NoError(s.t, engine.Convert(args[0], &values))
	if len(values) == 0 {
		return "no"
	}
	return texts(values)
}

// texts returns the values as text, with - for unbound variables.
func texts(values []engine.Term) string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = engine.FormatTerm(v)
		if strings.HasPrefix(list[i], "_") {
			list[i] = "-"
		}
	}
	return strings.Join(list, " ")
}

// start begins a run that reads and calls one goal after another.
func (s *script) start(transaction bool) *engine.Run {
	run, err := s.prog.Start("repeat, next_goal(X-G), findall(X, G, Xs), report(Xs, _), fail",
		&engine.RunOptions{Transaction: transaction})
	require.NoError(s.t, err)
	s.waitFor(run, "next_goal")
	return run
}

func (s *script) waitFor(run *engine.Run, predicate string) {
	state, err := run.Next(s.t.Context())
	require.NoError(s.t, err)
	require.Equal(s.t, engine.Waiting, state)
	name, _ := run.Waiting()
	require.Equal(s.t, predicate, name)
}

// TestQueryTransaction commits when the loop over answers ends, not when the goal throws.
func TestQueryTransaction(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "state.pl", ":- dynamic n/1.", nil)
	require.NoError(t, err)
	o := &engine.RunOptions{Transaction: true}
	for _, err := range prog.Query(t.Context(), "between(1, 3, X), assertz(n(X))", o) {
		require.NoError(t, err)
		_, err = prog.Once(t.Context(), "n(_)", nil)
		require.ErrorIs(t, err, engine.ErrNoSolution)
	}
	_, err = prog.Once(t.Context(), "assertz(n(4)), throw(no)", o)
	require.Error(t, err)
	_, err = prog.Once(t.Context(), "assertz(n(5)), n(5)", o)
	require.NoError(t, err)
	s, err := prog.Once(t.Context(), "findall(X, n(X), L)", nil)
	require.NoError(t, err)
	require.Equal(t, "[1,2,3,5]", s.Text("L"))
}

// TestChanged checks which runs report changes.
func TestChanged(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "state.pl", ":- dynamic n/1. n(1).", nil)
	require.NoError(t, err)
	for goal, want := range map[string]bool{
		"n(1)": false, "assertz(n(2))": true, "retract(n(1))": true, "retract(n(9)) ; true": false,
		"retractall(n(9))": false,
	} {
		run, err := prog.Start(goal, &engine.RunOptions{Transaction: true})
		require.NoError(t, err)
		_, err = run.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, run.Changed(), goal)
		run.Close()
		run.Close() // may be called again
	}
}

// TestManyTransactions leaves nothing behind of a great many changes.
func TestManyTransactions(t *testing.T) {
	before := heaptest.InUse()
	prog, err := engine.LoadText(t.Context(), "state.pl", `
:- dynamic counter/1, item/2.
counter(0).
next(N) :- retract(counter(M)), N is M + 1, assertz(counter(N)).
turn(N) :- assertz(item(N, a)), assertz(item(N, b)), retract(item(N, a)), retractall(item(N, _)).
`, nil)
	require.NoError(t, err)
	for i := 1; i <= 20_000; i++ {
		s, err := prog.Once(t.Context(), "next(N), turn(N)", &engine.RunOptions{Transaction: true})
		require.NoError(t, err)
		require.Equal(t, strconv.Itoa(i), s.Text("N"))
	}
	s, err := prog.Once(t.Context(), "findall(_X, counter(_X), L), aggregate_all(count, item(_, _), C)", nil)
	require.NoError(t, err)
	require.Equal(t, "L = [20000], C = 0", s.String())
	requireFlat(t, before+32<<20)
}
