package engine_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
)

// doubtfulJournal either stores a change or loses it, and always loses its connection.
type doubtfulJournal struct{ last host.FactChange }

var errDoubt = errors.New("it is not known whether the changes were stored")

func (j *doubtfulJournal) Append(change host.FactChange) (done func() error, err error) {
	j.last = change
	return nil, errDoubt
}

// TestCommitInDoubt runs a transaction that changes everything a goal can change, and loses its connection during the
// commit. All changes are taken back. If the change was stored, its facts, and nothing else, come back with the log, as
// after a start.
func TestCommitInDoubt(t *testing.T) {
	t.Parallel()
	for _, stored := range []bool{true, false} {
		for _, kept := range []struct{ change, state string }{
			{"assertz(seen(1))", "\\+ seen(_)"},
			{"retract(old(1))", "old(1)"},
			{"set_setting(volume, 5)", "setting(volume, 3)"},
			{"op(700, xfx, ===>)", "\\+ current_op(_, _, ===>)"},
			{"op(0, xfx, ===)", "current_op(_, _, ===)"},
			{"set_prolog_flag(double_quotes, atom)", "current_prolog_flag(double_quotes, codes)"},
			{"create_prolog_flag(mine, 1, [])", "\\+ catch(current_prolog_flag(mine, _), _, fail)"},
			{"nb_setval(mine, 1)", "\\+ nb_current(mine, _)"},
			{"dynamic(fresh/1)", "\\+ predicate_property(fresh(_), dynamic)"},
			{"recordz(mine, 1)", "\\+ recorded(mine, _)"},
			{"flag(mine, _, 7)", "flag(mine, 0, 0)"},
			{"char_conversion(a, b)", "\\+ current_char_conversion(a, b)"},
		} {
			j := &doubtfulJournal{}
			p, err := engine.LoadText(t.Context(), "doubt.pl", `
:- use_module(library(settings)).
:- persistent(order/1).
:- dynamic seen/1, old/1.
:- setting(volume, integer, 3, "how loud").
:- op(700, xfx, ===).
:- set_prolog_flag(double_quotes, codes).
old(1).
`, &engine.Options{Journal: j})
			require.NoError(t, err)
			run, err := p.Start("assertz(order(1)), "+kept.change, &engine.RunOptions{Transaction: true})
			require.NoError(t, err)
			_, err = run.Next(t.Context())
			require.NoError(t, err)
			require.ErrorIs(t, run.Commit(), errDoubt, kept.change)
			run.Close()
			if stored {
				require.NoError(t, p.Apply(host.FactChange{Added: j.last.Added}))
			}
			for _, o := range []*engine.RunOptions{{}, {Transaction: true}} {
				_, err = p.Once(t.Context(), kept.state, o)
				require.NoError(t, err, kept.change)
				_, err = p.Once(t.Context(), map[bool]string{true: "order(1)", false: "\\+ order(_)"}[stored], o)
				require.NoError(t, err, kept.change)
			}
		}
	}
}

// lateJournal has a place for each change, and does not know whether it lasts.
type lateJournal struct{}

func (lateJournal) Append(host.FactChange) (done func() error, err error) {
	return func() error { return errDoubt }, nil
}

// TestCommitLate has a change be seen that nobody knows to last: who made it is told, and the turn of its goal is over.
func TestCommitLate(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "doubt.pl", ":- persistent(order/1).", &engine.Options{Journal: lateJournal{}})
	require.NoError(t, err)
	for _, goal := range []string{"assertz(order(1))", "retract(order(1)), assertz(order(2))"} {
		_, err := p.Update(t.Context(), goal, nil)
		require.ErrorIs(t, err, errDoubt)
		require.ErrorIs(t, err, host.ErrNotStored)
	}
	_, err = p.Once(t.Context(), "catch(assertz(order(3)), _, true), findall(N, order(N), [2, 3])", &engine.RunOptions{})
	require.NoError(t, err)
}
