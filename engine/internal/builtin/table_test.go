package builtin

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every predicate is described, once.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range Table() {
		key := strings.TrimPrefix(b.Module+":", ":") + b.Name + "/" + strconv.Itoa(b.Arity)
		assert.False(t, seen[key], "%s is defined twice", key)
		seen[key] = true
		assert.NotNil(t, b.Func, key)
		assert.True(t, strings.HasSuffix(b.Doc, "."), "%s: Doc is no sentence: %q", key, b.Doc)
		assert.Equal(t, b.Arity, b.CountModes(), "%s: Modes %q", key, b.Modes)
	}
}
