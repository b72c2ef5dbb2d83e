package builtin

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every predicate is described, once.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range Table() {
		key := b.Module + ":" + b.Name + "/" + strconv.Itoa(b.Arity)
		require.False(t, seen[key], "%s is defined twice", key)
		seen[key] = true
		require.NotNil(t, b.Func, key)
		require.True(t, strings.HasSuffix(b.Doc, "."), "%s: Doc is no sentence: %q", key, b.Doc)
		require.Equal(t, b.Arity > 0, b.Modes != "", "%s: modes %q", key, b.Modes)
	}
}
