//go:build linux

package engine_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
)

// TestNativeRefused runs a goal in a process that may not make memory executable.
func TestNativeRefused(t *testing.T) {
	t.Parallel()
	if os.Getenv("MCPLOGIC_REFUSE") == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestNativeRefused$", "-test.v")
		cmd.Env = append(os.Environ(), "MCPLOGIC_REFUSE=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		if strings.Contains(string(out), "--- SKIP") {
			t.Skip(string(out))
		}
		return
	}
	const denyWriteExecute, refuseGain = 65, 1 // PR_SET_MDWE of Linux 6.3
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, denyWriteExecute, refuseGain, 0, 0, 0, 0); errno != 0 {
		t.Skip("this kernel cannot refuse executable memory: ", errno)
	}
	require.False(t, host.NativeAvailable())
	p, err := engine.LoadText(t.Context(), "loop.pl", "loop(0) :- !.\nloop(N) :- M is N-1, loop(M).\n", nil)
	require.NoError(t, err)
	_, err = p.Once(context.Background(), "loop(100000)", nil)
	require.NoError(t, err)
}
