package database

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/term"
)

// TestTurn lets a goal that has lost take its turn: others that retract in the same predicate are to wait until it is
// over, and goals have their turns in the order in which they ask.
func TestTurn(t *testing.T) {
	prog := New()
	pred, other := prog.User().Lookup(code.Functor("counter", 1)), prog.User().Lookup(code.Functor("other", 1))
	pred.set(Dynamic | Defined)
	other.set(Dynamic | Defined)
	for _, p := range []*Pred{pred, other} {
		prog.AddStatic(clauseOf(p, term.New(term.Atom(p.Name()), term.Int(0))))
		prog.AddStatic(clauseOf(p, term.New(term.Atom(p.Name()), term.Int(1))))
	}

	slow, fast := prog.Begin(false), prog.Begin(false)
	require.True(t, slow.Erase(pred.Clauses()[0]))
	require.True(t, fast.Erase(pred.Clauses()[0]))
	require.Nil(t, fast.Obstacle())
	require.NoError(t, fast.Commit())
	require.ErrorIs(t, slow.Commit(), ErrConflict)
	require.Equal(t, []*Pred{pred}, slow.Lost())

	again, same, elsewhere := prog.Begin(false), prog.Begin(false), prog.Begin(false)
	lost := map[*Pred]bool{pred: true}
	turn, next, third := prog.Queue(), prog.Queue(), prog.Queue()
	<-turn.Begun
	require.True(t, same.Erase(pred.Clauses()[1]))
	require.Nil(t, same.Obstacle(), "no transaction of the turn runs yet")
	again.Prefer(turn, lost)
	require.True(t, elsewhere.Erase(other.Clauses()[1]))
	require.Nil(t, elsewhere.Obstacle())
	require.Nil(t, again.Obstacle())
	obstacle := same.Obstacle()
	require.NotNil(t, obstacle)
	require.True(t, again.Erase(pred.Clauses()[1]))
	require.NoError(t, again.Commit())
	next.End() // it is given up
	select {
	case <-obstacle:
		require.Fail(t, "the turn is not over")
	case <-third.Begun:
		require.Fail(t, "it is not its turn")
	default:
	}
	turn.End()
	<-obstacle
	<-third.Begun
	require.Nil(t, same.Obstacle())
	prog.Begin(false).Prefer(third, lost)
	require.NotNil(t, same.Obstacle())
	third.End()
	third.End()
	require.Nil(t, same.Obstacle())
	require.ErrorIs(t, same.Commit(), ErrConflict)
	require.Empty(t, prog.turns)
}
