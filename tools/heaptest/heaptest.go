// Package heaptest measures the heap for tests that look for memory that is kept for nothing.
package heaptest

import (
	"runtime"
	"runtime/metrics"
	"testing"

	"github.com/stretchr/testify/require"
)

// InUse returns the bytes that two collections leave: the second one empties what sync.Pool keeps.
func InUse() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// RequireForgotten calls use with 0, 1, 2 and so on, n times. It checks that what Go's own collections find alive never
// grows by bound bytes, and forces no collection after the first call.
func RequireForgotten(t *testing.T, n int, bound uint64, use func(int)) {
	t.Helper()
	use(0)
	limit := InUse() + bound
	alive := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for i := 1; i < n; i++ {
		use(i)
		metrics.Read(alive)
		require.Less(t, alive[0].Value.Uint64(), limit, "bytes alive after %d", i)
	}
}
