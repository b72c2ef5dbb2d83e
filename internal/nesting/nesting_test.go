package nesting

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDepth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "1": 0, "[]": 1, `{"a":[{}]}`: 3, "[[],[],[]]": 2, `"[[["`: 0,
		`["\"[", {}]`: 2, `["\\", [ ] ]`: 2, "[[[": 3, "]][": 0, `"\`: 0} {
		require.Equal(t, want, Depth([]byte(text)), text)
	}
}
