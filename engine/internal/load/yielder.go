package load

import "runtime"

// Yielder lets other goroutines run from time to time. Without it a call would wait for up to ten milliseconds, until
// the scheduler preempts the load. The zero value is ready. One goroutine uses it.
type Yielder int

// Step counts a step of a long operation and yields every 256 steps.
func (n *Yielder) Step() {
	const steps = 256
	if *n++; *n%steps == 0 {
		runtime.Gosched()
	}
}
