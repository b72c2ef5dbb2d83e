package host

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBuffer checks that buffers of all sizes keep the beginning of the output and count the rest.
func TestBuffer(t *testing.T) {
	const text = "abcdefghij"
	for limit := range len(text) + 2 {
		for part := 1; part <= len(text); part++ {
			b := &Buffer{Max: limit}
			for rest := text; rest != ""; {
				n, err := fmt.Fprint(b, rest[:min(part, len(rest))])
				require.NoError(t, err)
				require.Equal(t, min(part, len(rest)), n)
				rest = rest[n:]
			}
			kept := text[:min(limit, len(text))]
			if limit == 0 {
				kept = text
			}
			require.Equal(t, kept, b.String())
			require.Equal(t, len(text)-len(kept), b.Dropped)
		}
	}
}
