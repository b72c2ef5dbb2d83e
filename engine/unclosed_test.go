package engine_test

import (
	"bytes"
	"context"
	"iter"
	"log/slog"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// TestUnclosedRuns drops runs in the middle of an endless sequence. Each run is stopped, with a warning.
func TestUnclosedRuns(t *testing.T) { // not beside others, which may log
	const runs = 50
	stopped := make(chan bool, runs)
	numbers := engine.Func("counting", func(ctx context.Context) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			defer func() { stopped <- ctx.Err() != nil }()
			for i := 0; yield(i, nil); i++ {
			}
		}
	})
	var said bytes.Buffer
	defer slog.SetDefault(slog.Default())
	lines := make(chan struct{}, runs)
	slog.SetDefault(slog.New(notifying{slog.NewTextHandler(&said, nil), lines}))
	p, err := engine.LoadText(t.Context(), "n.pl", "", &engine.Options{Predicates: []engine.Predicate{numbers}})
	require.NoError(t, err)
	for range runs {
		run, err := p.Start("counting(X), X > 3", nil)
		require.NoError(t, err)
		state, err := run.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, engine.Answer, state)
	}
	closed, err := p.Start("counting(X)", nil)
	require.NoError(t, err)
	closed.Close()
	for range runs {
		for waiting := true; waiting; {
			runtime.GC()
			select {
			case ended := <-stopped:
				require.True(t, ended)
				<-lines
				waiting = false
			default:
				runtime.Gosched()
			}
		}
	}
	require.Equal(t, runs, bytes.Count(said.Bytes(), []byte(`msg="a run was not closed" goal="counting(X), X > 3"`)))
	require.Equal(t, runs, bytes.Count(said.Bytes(), []byte("\n")))
}

// notifying is a log handler that signals when it has handled a record.
type notifying struct {
	slog.Handler
	done chan<- struct{}
}

func (n notifying) Handle(ctx context.Context, r slog.Record) error {
	err := n.Handler.Handle(ctx, r)
	n.done <- struct{}{}
	return err
}
