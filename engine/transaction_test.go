package engine_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/stretchr/testify/require"
)

// This file tests what the runs of one program see of each other's changes.

// Each step of a script is a line "run: goal -> answer", where run is a name for a transaction
// that is begun by its first goal; answer is what X is in all answers, "no" when there is
// none. "run: commit" and "run: rollback" end one, "-> conflict" says that it must not go
// through. The run named now makes changes that everyone sees at once.
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
		a: op(700, xfx, ===>), term_to_atom(a ===> b, X) -> 'a===>b'
		a: commit
		now: catch(term_to_atom(_, 'a ===> b'), error(syntax_error(_), _), X = no) -> no`},
}

func TestTransactions(t *testing.T) {
	for _, test := range transactionScripts {
		t.Run(test.name, func(t *testing.T) {
			prog, err := engine.LoadText("state.pl", test.program, nil)
			require.NoError(t, err)
			s := &script{t: t, prog: prog, goals: map[string]chan string{}, answers: map[string]chan string{}}
			defer s.end()
			for line := range strings.Lines(test.script) {
				if line = strings.TrimSpace(line); line != "" {
					s.step(line)
				}
			}
		})
	}
}
