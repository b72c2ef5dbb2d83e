package main

import (
	"bytes"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// TestTrace wants a build with the tag mcptrace to write each instruction to standard error.
func TestTrace(t *testing.T) {
	deep.Skip(t, "a build with the tag mcptrace")
	cmd := exec.CommandContext(t.Context(), "go", "run", "-tags", "mcptrace", ".", "query",
		"X = f(Y), atom_length(abc, Y)")
	var out, trace bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &trace
	require.NoError(t, cmd.Run(), trace.String())
	require.Contains(t, out.String(), "X = f(3)")
	require.Regexp(t, `(?m)^p \d+ h \d+ b \d+  builtin\S* #\d+/2$`, trace.String())
}
