package items

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/kb"
)

func TestMergeKnown(t *testing.T) {
	t.Parallel()
	require.Equal(t, []kb.Known{{Argument: "a, b", Values: []string{"x"}, More: false}, {Argument: "c",
		Values: []string{"x"}, More: true}},
		mergeKnown([]kb.Known{{Argument: "a", Values: []string{"x"}, More: false}, {Argument: "b", Values: []string{"x"},
			More: false},
			{Argument: "c", Values: []string{"x"}, More: true}, {Argument: "a", Values: []string{"x"}, More: false}}))
}
