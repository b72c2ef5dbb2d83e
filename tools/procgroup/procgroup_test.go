//go:build unix

package procgroup

import (
	"bufio"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKill ends a shell and the sleeper that it waits for, which holds the pipe open.
func TestKill(t *testing.T) {
	cmd := exec.Command("sh", "-c", "sleep 600 & echo $!; wait")
	Own(cmd)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan(), "the sleeper has started")
	require.NoError(t, Kill(cmd))
	require.False(t, lines.Scan(), "nobody holds the pipe")
	require.Error(t, cmd.Wait())
}
