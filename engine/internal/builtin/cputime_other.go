//go:build !unix

package builtin

import "time"

var processStart = time.Now()

// cpuTime returns the time since the process began, where there is no better measure.
func cpuTime() time.Duration { return time.Since(processStart) }
