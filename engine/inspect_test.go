package engine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// TestPredicatesOfUser checks that the predicates of a file are distinguished from the hooks that every program has.
func TestPredicatesOfUser(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "a.pl", "foo(1).\n:- dynamic seen/1.\nmessage_hook(_, _, _) :- fail.\n", nil)
	require.NoError(t, err)
	var own []string
	for _, info := range p.Predicates("user") {
		if !info.BuiltIn {
			own = append(own, fmt.Sprintf("%s/%d", info.Name, info.Arity))
		}
	}
	require.ElementsMatch(t, []string{"foo/1", "seen/1", "message_hook/3"}, own)
}
