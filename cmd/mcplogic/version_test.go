package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStamp wants the command to print what the release script sets.
func TestStamp(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "mcplogic.exe")
	stamp := "-X main.releaseVersion=v1.2.3 -X main.releaseCommit=0123456789abcdef0123"
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", binary, "-ldflags", stamp, ".")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	for _, arg := range []string{"version", "--version"} {
		out, err = exec.CommandContext(t.Context(), binary, arg).CombinedOutput()
		require.NoError(t, err)
		require.Regexp(t, `^mcplogic v1\.2\.3 \(commit 0123456789ab\) go\S+ \w+/\w+\n(native code: .+\n)?$`, string(out))
	}
}
