package load

import "runtime"

// Yielder lets other goroutines run from time to time. A load is in no hurry, and without it calls would
// wait until the scheduler takes the processor away, after ten milliseconds.
type Yielder int

// Step is called at each small step of a long work.
func (n *Yielder) Step() {
	const steps = 256
	if *n++; *n%steps == 0 {
		runtime.Gosched()
	}
}
