package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// TestConnectCloses wants nothing to be left of a server to which no client can connect. The context ends when the
// warning is printed, which is after the load and before the connection.
func TestConnectCloses(t *testing.T) {
	rules := filepath.Join(t.TempDir(), "rules.pl")
	require.NoError(t, os.WriteFile(rules, []byte("p(Singleton).\n"), 0o666))
	cmd := &cobra.Command{}
	f := &serverFlags{}
	f.add(cmd.Flags())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd.SetContext(ctx)
	cmd.SetErr(writerFunc(func(p []byte) (int, error) {
		cancel()
		return len(p), nil
	}))

	before := runtime.NumGoroutine()
	session, done, err := connect(cmd, f, []string{rules}, &mcp.ClientOptions{})
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, session)
	require.Nil(t, done)
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+1 }, 10*time.Second, time.Millisecond,
		"goroutines of the server are left") // one of them is that of Eventually
}

// writerFunc is a writer that is a function.
type writerFunc func(p []byte) (int, error)

func (w writerFunc) Write(p []byte) (int, error) { return w(p) }
