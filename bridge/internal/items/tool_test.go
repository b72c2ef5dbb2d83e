package items

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/kb"
)

// TestVariables names the variables of outputs: no two alike, and none like one of the server's own.
func TestVariables(t *testing.T) {
	var outputs []kb.Argument
	for _, name := range []string{"fee", "größe", "result", "Fee", "out0", "net amount", "x_1", ""} {
		outputs = append(outputs, kb.Argument{Name: name})
	}
	require.Equal(t, []string{"Fee", "Out1", "Out2", "Out3", "Out4", "Out5", "X_1", "Out7"}, variablesOf(outputs))
}
