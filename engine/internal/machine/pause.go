package machine

import (
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines waiting for a time to pass.

// slicePause is how long a run that waits does not look whether it was cancelled.
const slicePause = 5 * time.Millisecond

// Pause lets a time pass. It returns an error when meanwhile the run is cancelled or runs out of time. With
// interruptible the goals of alarms that ring are called at once, and then sleep/1 with the rest of the time.
func (m *Machine) Pause(d time.Duration, interruptible bool) error {
	for end := time.Now().Add(d); time.Until(end) > 0; {
		if err := m.pauseSlice(end); err != nil {
			return err
		}
		if !interruptible || !m.alarms.pending() {
			continue
		}
		goal := m.takeSignals()
		if left := time.Until(end); left > 0 {
			goal = m.NewCompound(code.FComma, []cell{goal, m.NewStruct("sleep", m.NewFloat(left.Seconds()))})
		}
		m.addWaiting(goal) // within the catch/3 that the caller stands in
		return nil
	}
	return nil
}

// pauseSlice waits for a while, but not after end.
func (m *Machine) pauseSlice(end time.Time) error {
	var done <-chan struct{}
	if m.ctx != nil {
		done = m.ctx.Done()
	}
	timer := time.NewTimer(min(time.Until(end), slicePause))
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
	return m.refuel()
}
