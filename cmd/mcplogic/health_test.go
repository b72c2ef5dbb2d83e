package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
)

// TestHealth asks a server that takes calls, and where there is none.
func TestHealth(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pl"), []byte("tools([one/0]).\none.\n"), 0o666))
	s := serveHTTPIn(t, "0", dir)
	var stdout, stderr strings.Builder
	health := func(args ...string) int {
		return execute(t.Context(), append([]string{"health"}, args...), strings.NewReader(""), &stdout, &stderr)
	}
	require.Equal(t, cli.ExitDone, health(s.url), stderr.String())
	require.Equal(t, "ok\n", stdout.String())
	s.stop()
	<-s.code
	require.Equal(t, cli.ExitNo, health(s.url))
	require.Contains(t, stderr.String(), "refused")
	require.Equal(t, cli.ExitUsage, health("here"))
}
