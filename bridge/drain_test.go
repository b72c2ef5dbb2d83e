package bridge

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// TestServeEndsWithItsInput closes the input while a call never ends, and while one asks.
func TestServeEndsWithItsInput(t *testing.T) {
	t.Parallel()
	base := openBase(t, bridgetest.File(t))
	const started = `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	in := wiretest.InitializeLine("2025-11-25") + started + wiretest.CallLine("1", "loop") + "\n" +
		wiretest.CallLine("2", "ask") + "\n" + wiretest.CallLine("3", "pause") + "\n"
	var out bytes.Buffer
	require.NoError(t, Serve(context.Background(), base, strings.NewReader(in), &out,
		&Options{Grace: 500 * time.Millisecond, AskTime: time.Hour, Limits: engine.Limits{Time: time.Hour}}, nil))
	for _, want := range []string{`"id":1,"result":{"_meta":{"mcplogic/code":"aborted",`,
		`"text":"The call was stopped: cancelled."}]`,
		`"id":2,"result":{"_meta":{"mcplogic/code":"aborted",`, `"text":"N: 1"`} {
		require.Contains(t, out.String(), want)
	}
}

// TestServeEndsAfterGrace closes the input behind a call that never ends; the answer to initialize, which
// comes after that, gives the call no more time.
func TestServeEndsAfterGrace(t *testing.T) {
	t.Parallel()
	base := openBase(t, bridgetest.File(t))
	in := wiretest.InitializeLine("2025-11-25") + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		wiretest.CallLine("1", "loop") + "\n"
	o := &Options{Grace: 500 * time.Millisecond, Limits: engine.Limits{Time: time.Hour}}
	require.NoError(t, Serve(context.Background(), base, strings.NewReader(in), io.Discard, o, nil))
}

// TestDrainAborts ends the server, or its input, while a call waits for an answer of its user.
func TestDrainAborts(t *testing.T) {
	t.Parallel()
	in := wiretest.InitializeLine("2025-11-25") + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		wiretest.CallLine("2", "ask") + "\n"
	for _, why := range []string{"the input has ended", "the server is stopping"} {
		ctx, stop := context.WithCancel(t.Context())
		reader, writer := pipe(t)
		defer writer.Close() // else the collector may close it, which ends the input
		toClient, out := io.Pipe()
		over := make(chan error, 1)
		go func() {
			over <- Serve(ctx, openBase(t, bridgetest.File(t)), reader, out, &Options{Grace: time.Hour, AskTime: time.Hour}, nil)
			out.Close()
		}()
		_, err := io.WriteString(writer, in)
		require.NoError(t, err)
		lines := bufio.NewScanner(toClient)
		for lines.Scan() && !strings.Contains(lines.Text(), "elicitation/create") {
		}
		if why == "the input has ended" {
			writer.Close()
		} else {
			stop()
		}
		require.True(t, lines.Scan())
		require.Contains(t, lines.Text(), `"id":2,"result":{"_meta":{"mcplogic/code":"aborted",`)
		require.Contains(t, lines.Text(), "The call was stopped: "+why+".")
		require.False(t, lines.Scan())
		require.NoError(t, <-over)
		stop()
	}
}

// openBase opens a knowledge base that may be loaded again.
func openBase(t *testing.T, path string) *kb.Base {
	t.Helper()
	o := &kb.Options{Predicates: Predicates()}
	base, err := kb.Open(t.Context(), []string{path}, o)
	require.NoError(t, err)
	return base
}
