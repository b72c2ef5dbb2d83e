package bridge

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// This file tests that a predicate written in Go which never returns keeps neither the other calls nor the end of
// the server waiting.

// lockedText is a log that is read while it is written.
type lockedText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// TestWatchdog has one place for calls, which a stuck one gives back a second after its limit.
func TestWatchdog(t *testing.T) {
	t.Parallel()
	base := bridgetest.OpenStuck(t, Predicates())
	log := &lockedText{}
	o := &Options{Concurrent: 1, Limits: engine.Limits{Time: time.Second}, Log: slog.New(slog.NewTextHandler(log, nil))}
	cs := connect(t, NewServer(base.Snapshot(), o), "2025-11-25", nil)
	for _, tool := range []string{"stuck", "more"} {
		r := bridgetest.CallTool(t, cs, tool, "")
		require.True(t, r.IsError)
		require.Contains(t, bridgetest.TextsOf(r)[0], "The call was given up")
		require.False(t, bridgetest.CallTool(t, cs, "fine", "").IsError)
	}
	require.Contains(t, log.String(), "call=stuck")
	require.Contains(t, log.String(), "host_wait/0 in stuck/0 at ")
	base.Release()
	require.Eventually(t, func() bool { return strings.Count(log.String(), "has stopped") == 2 }, wiretest.Patience,
		10*time.Millisecond)
}

// TestTooManyStuck leaves as many machines behind as may be: then calls are refused, until they stop.
func TestTooManyStuck(t *testing.T) {
	t.Parallel()
	base := bridgetest.OpenStuck(t, Predicates())
	// Long enough for a goal to get to where it is stuck on a machine that is busy.
	s := NewServer(base.Snapshot(), &Options{Concurrent: 1, Limits: engine.Limits{Time: time.Second}})
	cs := connect(t, s, "2025-11-25", nil)
	for range calls.FewStuck {
		require.NoError(t, s.Health())
		require.Contains(t, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "stuck", ""))[0], "The call was given up")
	}
	require.Error(t, s.Health())
	for range 2 {
		require.Contains(t, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "fine", ""))[0], "The call was refused")
	}
	base.Release()
	require.Eventually(t, func() bool { return s.Health() == nil }, wiretest.Patience, time.Millisecond)
	require.False(t, bridgetest.CallTool(t, cs, "fine", "").IsError)
}

// TestWatchdogCancelled cancels a stuck call, long before its limit.
func TestWatchdogCancelled(t *testing.T) {
	base := bridgetest.OpenStuck(t, Predicates())
	cs := connect(t, NewServer(base.Snapshot(), &Options{Concurrent: 1}), "2025-11-25", nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-base.Started
		cancel()
	}()
	_, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "stuck"})
	require.Error(t, err)
	require.False(t, bridgetest.CallTool(t, cs, "fine", "").IsError)
}

// TestServeEndsWhileStuck ends the input, and the context as a signal does, while a call is stuck and another one
// takes its time, which is answered. That one is sent first, so that it has been read when the other one begins.
func TestServeEndsWhileStuck(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"input", "signal"} {
		t.Run(how, func(t *testing.T) {
			base := bridgetest.OpenStuck(t, Predicates())
			in, client := pipe(t)
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			out, over := &lockedText{}, make(chan error, 1)
			const grace = 4 * time.Second
			go func() { over <- Serve(ctx, base.Base, in, out, &Options{Grace: grace, Concurrent: 2}, nil) }()
			_, err := io.WriteString(client, wiretest.InitializeLine("2025-11-25")+
				`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
				wiretest.CallLine("2", "pause")+"\n"+wiretest.CallLine("1", "stuck")+"\n")
			require.NoError(t, err)
			<-base.Started
			began := time.Now()
			if how == "input" {
				require.NoError(t, client.Close())
			} else {
				stop()
			}
			select {
			case err := <-over:
				require.NoError(t, err)
			case <-time.After(wiretest.Patience):
				t.Fatal("the server goes on")
			}
			require.GreaterOrEqual(t, time.Since(began), grace)
			require.Regexp(t, `"id":2,"result":\{"_meta":\{[^}]*\},"content":\[\{"type":"text","text":"N: 1"`, out.String())
			require.Contains(t, out.String(), `"id":1,"result":{"_meta":{"mcplogic/code":"given_up",`)
		})
	}
}
