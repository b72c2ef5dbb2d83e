package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
)

// slowJournal signals that a change is to be stored, and stores it when it is allowed to.
type slowJournal struct{ asked, may chan struct{} }

func (j *slowJournal) Append(host.FactChange) (done func() error, err error) {
	j.asked <- struct{}{}
	<-j.may
	return func() error { return nil }, nil
}

// TestKeyIsAwaited adds a fact whose key another transaction is storing. The conflict is reported only after the other
// transaction has ended, so that running the goal again helps.
func TestKeyIsAwaited(t *testing.T) {
	t.Parallel()
	j := &slowJournal{make(chan struct{}, 2), make(chan struct{})}
	p, err := engine.LoadText(t.Context(), "t.pl", ":- persistent(order/2, [key([1])]).\n", &engine.Options{Journal: j})
	require.NoError(t, err)
	begun := func(goal string) *engine.Run {
		run, err := p.Start(goal, &engine.RunOptions{Transaction: true})
		require.NoError(t, err)
		t.Cleanup(run.Close)
		_, err = run.Next(context.Background())
		require.NoError(t, err)
		return run
	}
	first, second := begun("assertz(order(1, first))"), begun("assertz(order(1, second))")
	stored, lost := make(chan error, 1), make(chan error, 1)
	go func() { stored <- first.Commit() }()
	<-j.asked
	go func() { lost <- second.Commit() }()
	select {
	case err := <-lost:
		require.Fail(t, "the conflict came while the key was being stored", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(j.may)
	require.NoError(t, <-stored)
	require.ErrorIs(t, <-lost, engine.ErrConflict)
	require.ErrorContains(t, begun("assertz(order(1, second))").Commit(), "unique_key")
}
