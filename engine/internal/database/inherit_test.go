package database

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/term"
)

// plans are what is known of the indexes of a set and of the groups that these make.
func plans(s *set) (list []*plan) {
	pl := s.plan.Load()
	if pl == nil {
		return nil
	}
	list = append(list, pl)
	for _, w := range pl.ways {
		if w.index == nil {
			continue
		}
		slots := w.index.table.Load().slots
		for i := range slots {
			if some := slots[i].many.Load(); some != nil {
				list = append(list, plans(some)...)
			}
		}
	}
	return list
}

// TestIndexLike makes all indexes of another program that there are, also those in groups and on parts of arguments.
// Calls that were made there make no more.
func TestIndexLike(t *testing.T) {
	load := func() *Pred {
		pred := New().User().Lookup(code.Functor("p", 4))
		for i := range 2000 {
			n := term.Int(i)
			pred.all.add(clauseOf(pred, term.New("p", n%5, n/5%40, n, term.New("f", n%2, n/2%50))), false)
		}
		return pred
	}
	x := func() term.Term { return &term.Var{} }
	calls := func(p *Pred) {
		for _, call := range []term.Term{term.New("p", x(), x(), term.Int(7), x()),
			term.New("p", term.Int(3), term.Int(17), x(), x()), term.New("p", term.Int(4), x(), x(), x()),
			term.New("p", x(), x(), x(), term.New("f", x(), term.Int(9))),
			term.New("p", term.Int(1), x(), x(), term.New("f", term.Int(1), term.Int(3)))} {
			p.candidates(probeOf(call.(*term.Compound)))
		}
	}
	old, next := load(), load()
	calls(old)
	next.IndexLike(old)
	made := plans(&next.all)
	require.Len(t, made, len(plans(&old.all)))
	require.Greater(t, len(made), 2, "groups have indexes of their own")
	calls(next)
	now := plans(&next.all)
	require.Len(t, now, len(made))
	for i := range made {
		require.Same(t, made[i], now[i])
	}
	unasked := load()
	unasked.IndexLike(load())
	require.Empty(t, plans(&unasked.all))
}
