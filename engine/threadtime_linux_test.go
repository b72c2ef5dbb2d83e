package engine_test

import (
	"runtime"
	"time"
)

// threadTime calls a function and returns the processor time that it used. Other goroutines run on other threads
// meanwhile and do not count.
func threadTime(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const thread = 1 // RUSAGE_THREAD, which package syscall lacks
	before := usedTime(thread)
	f()
	return usedTime(thread) - before
}
