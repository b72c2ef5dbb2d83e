package database

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/term"
)

// TestGuard lets a transaction that has lost guard what it lost: others that retract there are to wait until it has
// ended.
func TestGuard(t *testing.T) {
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

	again, same, elsewhere, third := prog.Begin(false), prog.Begin(false), prog.Begin(false), prog.Begin(false)
	again.Guard(map[*Pred]bool{pred: true})
	third.Guard(map[*Pred]bool{other: true}) // too late
	require.True(t, same.Erase(pred.Clauses()[1]))
	require.True(t, elsewhere.Erase(other.Clauses()[1]))
	require.Nil(t, elsewhere.Obstacle())
	require.Nil(t, again.Obstacle())
	obstacle := same.Obstacle()
	require.NotNil(t, obstacle)
	require.True(t, again.Erase(pred.Clauses()[1]))
	require.NoError(t, again.Commit())
	<-obstacle
	require.Nil(t, same.Obstacle())
	require.ErrorIs(t, same.Commit(), ErrConflict)

	third.Guard(map[*Pred]bool{pred: true})
	third.Guard(nil)
	last := prog.Begin(false)
	last.Guard(map[*Pred]bool{pred: true})
	last.Rollback()
	require.Nil(t, prog.elder)
}
