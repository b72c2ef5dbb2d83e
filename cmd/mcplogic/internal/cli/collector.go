package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// This file defines how far Go's heap may grow before it is collected. Go allows the same percentage of garbage for
// every heap. That suits small heaps. Most of a large heap are facts, which stay alive, so waiting for more garbage
// costs memory and saves little time. The percentage therefore falls as the heap grows.

// garbage says how much garbage a heap may hold before a collection, in percent of what lives.
type garbage struct {
	percent uint64 // for small heaps: as long as it comes to no more than room bytes
	room    uint64 // for larger heaps: bytes
	least   uint64 // for the largest heaps: the percentage never falls below it
}

// Loading makes much garbage, and each collection visits everything loaded so far. Measured with a million
// facts: 20 percent as the least in place of 40 saves an eighth of the memory and costs an eighth more time.
// In a server of a small base little lives, and the SDK makes 130 KB of garbage a call. Measured with small calls: 300
// percent in place of 100 saves a fifth of their processor time, and costs up to 16 MB.
var (
	WhileLoading = garbage{percent: 100, room: 10 << 20, least: 40}
	WhileServing = garbage{percent: 300, room: 16 << 20, least: 50}
)

// share returns the percentage for a heap in which the last collection found live bytes alive.
func (g garbage) share(live uint64) int {
	return int(max(min(g.percent, 100*g.room/max(live, 1)), g.least))
}

// collector holds what Go's collector was last told. There is one for the process. Its fields are atomic, because
// cleanups run in goroutines of the runtime. allowed is nil before the first call of CollectFor.
var collector struct {
	allowed atomic.Pointer[garbage]
	percent atomic.Int32
}

// CollectFor sets how much garbage is allowed from now on.
func CollectFor(g garbage) {
	if collector.allowed.Swap(&g) == nil {
		watchCollections()
	}
	tellCollector()
}

// ReturnMemory gives the system back what loading no longer needs, if that is much. A server may be idle for
// long after it has loaded, and Go itself would keep the memory for minutes. It begins with a collection, so callers
// that are in a hurry run it in a goroutine.
func ReturnMemory() {
	const much = 32 << 20
	var stats runtime.MemStats
	if runtime.ReadMemStats(&stats); stats.HeapInuse > much {
		debug.FreeOSMemory()
	}
}

// watchCollections calls tellCollector after each collection. A collection finds the token dead and runs its
// cleanup, which makes the next token.
func watchCollections() {
	type token struct{ _ *token } // has a pointer: Go puts small objects without one into shared memory
	runtime.AddCleanup(&token{}, func(struct{}) {
		tellCollector()
		watchCollections()
	}, struct{}{})
}

// tellCollector sets Go's percentage for the heap that the last collection left.
func tellCollector() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	percent := collector.allowed.Load().share(live[0].Value.Uint64())
	if collector.percent.Swap(int32(percent)) != int32(percent) {
		debug.SetGCPercent(percent)
	}
}
