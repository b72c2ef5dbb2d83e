package bridge

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// TestQueue makes more calls than may run at a time: the others wait for their turn, and all are
// answered.
func TestQueue(t *testing.T) {
	const most, calls = 2, 10
	var running, highest atomic.Int32
	meet := make(chan struct{})
	work := func(c *engine.Call) (bool, error) {
		n := running.Add(1)
		defer running.Add(-1)
		for old := highest.Load(); n > old && !highest.CompareAndSwap(old, n); old = highest.Load() {
		}
		select { // each call ends with another that runs beside it
		case meet <- struct{}{}:
		case <-meet:
		case <-c.Context().Done():
		}
		return true, nil
	}
	file := filepath.Join(t.TempDir(), "work.pl")
	require.NoError(t, os.WriteFile(file,
		[]byte("tools([tool(work, work, 0, [description('Works.')])]).\nwork :- host_work.\n"), 0o600))
	o := &kb.Options{Predicates: append(Predicates(), engine.Predicate{Name: "host_work", Call: work})}
	snapshot, err := kb.Load(t.Context(), []string{file}, o)
	require.NoError(t, err)
	cs := connect(t, NewServer(snapshot, &Options{Concurrent: most}), "2025-11-25", nil)
	var all sync.WaitGroup
	var answered atomic.Int32
	for range calls {
		all.Go(func() {
			r, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "work"})
			if err == nil && !r.IsError {
				answered.Add(1)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, calls, answered.Load())
	require.EqualValues(t, most, highest.Load())
}

// TestDefaultLimits are those that the documentation promises.
func TestDefaultLimits(t *testing.T) {
	o := (*Options)(nil).withDefaults()
	require.Equal(t, time.Minute, o.Time)
	require.Equal(t, 256<<20, o.Memory)
	require.Zero(t, o.Inferences)
	require.Equal(t, 100, o.Solutions)
	require.Equal(t, 1<<20, o.MaxResult)
	require.Equal(t, 10*time.Minute, o.AskTime)
	require.Equal(t, 100, o.MaxWaiting)
	require.Equal(t, 5*time.Second, o.Grace)
}

// TestCancelSleep cancels a goal that computes nothing, and one whose error handler goes on.
func TestCancelSleep(t *testing.T) {
	const text = `
		tools([tool(sleeps, sleeps, 0, [description('Sleeps.')]), tool(goes_on, goes_on, 0, [description('Goes on.')])]).
		sleeps :- begun, sleep(1000).
		goes_on :- begun, repeat, catch(sleep(1000), _, true), fail.`
	base, begun := openTold(t, text)
	cs := connect(t, NewServer(base.Snapshot(), &Options{Concurrent: 1, Limits: engine.Limits{Time: time.Hour}}),
		"2025-11-25", nil)
	for _, tool := range []string{"sleeps", "goes_on", "sleeps"} { // each begins when the one before has ended
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			<-begun
			cancel()
		}()
		_, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: tool})
		require.Error(t, err)
	}
}

// TestWaitingExpires gives up calls whose clients do not come back: beyond the number that may wait, the ones first
// that have waited longest, and all after their time.
func TestWaitingExpires(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/asking.pl"), &Options{MaxWaiting: 3})
	cs := byHand(t, s)
	for range 10 {
		require.True(t, mustCall(t, cs, answered("", "", nil)).NeedsInput())
		require.LessOrEqual(t, s.Waiting(), 3)
	}
	require.Equal(t, 3, s.Waiting())

	s = NewServer(load(t, "testdata/kb/asking.pl"), &Options{AskTime: 50 * time.Millisecond, MaxWaiting: 3})
	cs = byHand(t, s)
	require.True(t, mustCall(t, cs, answered("", "", nil)).NeedsInput())
	require.Eventually(t, func() bool { return s.Waiting() == 0 }, wiretest.Patience, 10*time.Millisecond)
	require.Equal(t, []string{"count: 0"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "count_greeted", "")),
		"nothing is committed")
}
