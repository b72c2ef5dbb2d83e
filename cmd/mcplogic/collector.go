package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// This file defines how far Go's heap may grow before it is collected. Go's own rule, by a share of
// what lives, suits small heaps. In a large one most of what lives are facts, which stay, and little is to
// be gained by waiting; so the larger the heap, the smaller the share that may be garbage.

// pace is how much may be garbage, in percent of what lives: small, as long as that is no more than
// room bytes, then so much as these are, but never less than least.
type pace struct{ small, room, least uint64 }

// The paces. While files are loaded most of what is allocated is soon garbage, and a collection
// looks at all that was loaded before: with a least share of 20 in place of 40 a million facts take an
// eighth less memory to load, and an eighth more time. A server wants its collections seldom. Small heaps
// follow Go's own rule: with half of it a process that does little would collect on its way, and touch more of
// its program file for that than it gains.
var (
	loadingPace = pace{small: 100, room: 10 << 20, least: 40}
	servingPace = pace{small: 100, room: 8 << 20, least: 50}
)

// share returns the percentage for a heap of which live bytes were found alive.
func (p pace) share(live uint64) int {
	return int(max(min(p.small, 100*p.room/max(live, 1)), p.least))
}

var paceInForce struct {
	pace    atomic.Pointer[pace]
	percent atomic.Int32
}

// setPace chooses the pace from now on.
func setPace(p pace) {
	if paceInForce.pace.Swap(&p) == nil {
		watchCollections()
	}
	keepPace()
}

// settle gives back what loading has left behind, if that is much: a server may be idle for long,
// and Go would wait for minutes.
func settle() {
	const much = 32 << 20
	var stats runtime.MemStats
	if runtime.ReadMemStats(&stats); stats.HeapInuse > much {
		debug.FreeOSMemory()
	}
}

// watchCollections calls keepPace after each collection, in which the object here is found dead.
func watchCollections() {
	type token struct{ _ *token } // with a pointer, or others would share its memory
	runtime.AddCleanup(&token{}, func(struct{}) {
		keepPace()
		watchCollections()
	}, struct{}{})
}

// keepPace sets Go's rule according to how much was found alive.
func keepPace() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	percent := paceInForce.pace.Load().share(live[0].Value.Uint64())
	if paceInForce.percent.Swap(int32(percent)) != int32(percent) {
		debug.SetGCPercent(percent)
	}
}
