package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShare wants small heaps to follow the given share, and large ones to have a smaller one, but
// never to be allowed less than smaller ones are.
func TestShare(t *testing.T) {
	for _, p := range []garbage{WhileLoading, WhileServing} {
		require.Equal(t, int(p.percent), p.share(0))
		require.Equal(t, int(p.percent), p.share(5<<20))
		require.Equal(t, int(p.least), p.share(1<<40))
		room := uint64(0)
		for live := uint64(1 << 20); live < 1<<32; live += 1 << 20 {
			next := live * uint64(p.share(live)) / 100
			require.GreaterOrEqual(t, next+live/100, room, "at %d", live) // percents are whole
			room = next
		}
	}
}
