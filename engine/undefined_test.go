package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// TestManyUndefined calls more undefined predicates than get a suggestion, which each cost a walk over all predicates.
func TestManyUndefined(t *testing.T) {
	t.Parallel()
	const most = 100
	for _, calls := range []int{most, most + 1, 3 * most} {
		var b strings.Builder
		for i := range calls {
			fmt.Fprintf(&b, "number_%d_known.\np :- number_%d_knwon.\n", i, i)
		}
		p, err := engine.LoadText(t.Context(), "a.pl", b.String(), nil)
		require.NoError(t, err)
		undefined, hints := 0, 0
		for _, d := range p.Diagnostics() {
			if d.Code == "undefined" {
				undefined++
				hints += strings.Count(d.Message, "did you mean number_")
			}
		}
		require.Equal(t, calls, undefined)
		require.Equal(t, min(calls, most), hints)
	}
}
