package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
)

// ledger is a journal that writes changes down as text, or is full.
type ledger struct {
	mu    sync.Mutex
	lines []string
	full  bool
}

var errFull = errors.New("the disk is full")

func (l *ledger) Append(change host.FactChange) (done func() error, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.full {
		return nil, fmt.Errorf("%w: %w", host.ErrNotStored, errFull)
	}
	var parts []string
	for _, f := range change.Removed {
		parts = append(parts, "-"+engine.FormatTerm(f.Head))
	}
	for _, f := range change.Added {
		parts = append(parts, "+"+engine.FormatTerm(f.Head))
	}
	l.lines = append(l.lines, strings.Join(parts, " "))
	return func() error { return nil }, nil
}

// TestDirectChangesAreStored changes persistent predicates outside of transactions. Every visible change is stored. A
// change that cannot be stored is an error and not visible.
func TestDirectChangesAreStored(t *testing.T) {
	t.Parallel()
	const program = ":- persistent(n/1).\n:- persistent(k/2, [key([1])]).\n:- dynamic(other/1).\n" +
		"count(N) :- aggregate_all(count, n(_), N).\n"
	for _, c := range []struct{ goal, stored, left string }{
		{"assertz(n(1)), asserta(n(0))", "+n(1), +n(0)", "[0,1]"},
		{"assertz(other(1)), retract(other(1))", "", "[]"},
		{"assertz(n(1)), retract(n(1)), \\+ retract(n(1))", "+n(1), -n(1)", "[]"},
		{"assertz(n(1)), assertz(n(2)), retractall(n(_))", "+n(1), +n(2), -n(1), -n(2)", "[]"},
		{"assertz(n(1)), assertz(n(2)), forall(n(X), (Y is X + 10, retract(n(X)), assertz(n(Y))))",
			"+n(1), +n(2), -n(1), +n(11), -n(2), +n(12)", "[11,12]"},
		{"assertz(n(1), R), erase(R), \\+ catch(erase(R), _, fail)", "+n(1), -n(1)", "[]"},
		{"transaction((assertz(n(1)), assertz(n(2)), retract(n(1)), assertz(n(3))))", "+n(2) +n(3)", "[2,3]"},
		{"\\+ transaction((assertz(n(1)), fail))", "", "[]"},
		{"snapshot(assertz(n(1)))", "", "[]"},
		{"assertz(n(1)), fail ; true", "+n(1)", "[1]"},
		{"engine_create(X, (member(X, [1, 2]), assertz(n(X))), E), engine_next(E, _), engine_next(E, _)", "+n(1), +n(2)",
			"[1,2]"},
		{"assertz(k(1, a)), catch(assertz(k(1, b)), error(E, _), assertz(n(0)))", "+k(1,a), +n(0)", "[0]"},
		{"assertz(k(1, a)), retract(k(1, _)), assertz(k(1, b))", "+k(1,a), -k(1,a), +k(1,b)", "[]"},
	} {
		t.Run(c.goal, func(t *testing.T) {
			l := &ledger{}
			p, err := engine.LoadText(t.Context(), "n.pl", program, &engine.Options{Journal: l})
			require.NoError(t, err)
			_, err = p.Once(t.Context(), c.goal, nil)
			require.NoError(t, err)
			require.Equal(t, c.stored, strings.Join(l.lines, ", "))
			s, err := p.Once(t.Context(), "findall(X, n(X), L)", nil)
			require.NoError(t, err)
			require.Equal(t, c.left, s.Text("L"))

			p, err = engine.LoadText(t.Context(), "n.pl", program, &engine.Options{Journal: &ledger{full: true}})
			require.NoError(t, err)
			_, err = p.Once(t.Context(), c.goal, nil)
			if c.stored == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, errFull)
			require.ErrorIs(t, err, host.ErrNotStored)
			s, err = p.Once(t.Context(), "findall(X, n(X), L)", nil)
			require.NoError(t, err)
			require.Equal(t, "[]", s.Text("L"))
		})
	}
}
