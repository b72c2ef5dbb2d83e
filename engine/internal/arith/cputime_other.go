//go:build !unix

package arith

import "time"

var processStart = time.Now()

// CPUTime returns the time since the process began, where there is no better measure.
func CPUTime() time.Duration { return time.Since(processStart) }
