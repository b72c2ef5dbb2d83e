package bridge

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/bridgetest"
	"github.com/mcplogic/mcplogic/internal/wiretest"
	"github.com/mcplogic/mcplogic/kb"
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
		&Options{Grace: 500 * time.Millisecond, AskTime: time.Hour, Time: time.Hour}, nil))
	for _, want := range []string{`"id":1,"result":{"_meta":{"mcplogic/code":"aborted"},`,
		`"text":"The call was stopped: cancelled."}]`,
		`"id":2,`, `"text":"N: 1"`} {
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
	o := &Options{Grace: 500 * time.Millisecond, Time: time.Hour}
	require.NoError(t, Serve(context.Background(), base, strings.NewReader(in), io.Discard, o, nil))
}

// openBase opens a knowledge base that may be loaded again.
func openBase(t *testing.T, path string) *kb.Base {
	t.Helper()
	o := &kb.Options{Predicates: Predicates()}
	base, _, err := kb.Open(t.Context(), []string{path}, o)
	require.NoError(t, err)
	return base
}
