//go:build unix

package main

import (
	"io"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSilentInput runs goals whose standard input stays open and silent until a limit of time ends them.
func TestSilentInput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, input, output string
		args                []string
		code                int
	}{
		{"goal", "", "", []string{"query", "call_with_time_limit(0.05, read(X))"}, 3},
		{"command", "", "", []string{"query", "--timeout", "50ms", "get_char(X)"}, 4},
		{"half a term", "foo(", "", []string{"query", "call_with_time_limit(0.05, read(X))"}, 3},
		{"caught", "", "X = late.\n", []string{"query", "catch(call_with_time_limit(0.05, read(_)), _, true), X = late"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), "mcplogic", c.args...)
			in, err := cmd.StdinPipe()
			require.NoError(t, err)
			_, err = io.WriteString(in, c.input)
			require.NoError(t, err)
			output, _ := cmd.Output()
			require.Equal(t, c.code, cmd.ProcessState.ExitCode())
			require.Equal(t, c.output, string(output))
		})
	}
}
