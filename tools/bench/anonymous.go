// This file defines how the anonymous memory of a child process is measured.
package main

import (
	"context"
	"time"
)

// Peak memory counts the pages of the program file that were touched, which the system can drop and shares
// between processes. Anonymous memory is what a process alone keeps: heaps and stacks. Linux tells it for the
// moment only, so the peak is the largest of many samples.

// The time between two samples grows with the run, so that short runs are seen too and long ones are hardly
// disturbed. A sample takes some 20 microseconds.
const (
	shortestWait = 200 * time.Microsecond
	longestWait  = 5 * time.Millisecond
)

// watchAnonymous samples the command that the shell with the given process number runs, until ctx ends. It
// then sends the largest size in KiB, 0 where the system does not tell.
func watchAnonymous(ctx context.Context, shellID int) <-chan int64 {
	largest := make(chan int64, 1)
	go func() {
		began, peak := time.Now(), int64(0)
		for ctx.Err() == nil {
			peak = max(peak, anonymousKiB(shellID))
			time.Sleep(min(max(time.Since(began)/50, shortestWait), longestWait))
		}
		largest <- peak
	}()
	return largest
}
