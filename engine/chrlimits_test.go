package engine_test

import (
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/stretchr/testify/require"
)

// Constraint handling rules that do not end are ended by the limits of the run.
func TestEndlessConstraintRules(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "endless.pl", `:- use_module(library(chr)).
:- chr_constraint count(+int), more(+int), wake(?any).
count(X) <=> Y is X + 1, count(Y).
more(X) ==> Y is X + 1, more(Y).
wake(X) <=> X = f(Y), wake(Y).
`, nil)
	require.NoError(t, err)
	for _, test := range []struct {
		goal, resource string
		limits         engine.RunOptions
	}{
		{"count(0)", "time", engine.RunOptions{Limits: engine.Limits{Time: 300 * time.Millisecond}}},
		{"count(0)", "inferences", engine.RunOptions{Limits: engine.Limits{Inferences: 100_000}}},
		{"more(0)", "memory", engine.RunOptions{Limits: engine.Limits{Memory: 32 << 20}}},
		{"wake(_)", "inferences", engine.RunOptions{Limits: engine.Limits{Inferences: 100_000}}},
	} {
		_, err := prog.Once(t.Context(), test.goal, &test.limits)
		var ex *engine.Exception
		require.ErrorAs(t, err, &ex, test.goal)
		require.Equal(t, test.resource, ex.Limit(), test.goal)
	}
}
