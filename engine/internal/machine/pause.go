package machine

import "time"

// This file defines waiting for a time to pass.

// pauseSlice is how long a run that waits does not look whether it was cancelled.
const pauseSlice = 5 * time.Millisecond

// Pause lets a time pass. It returns an error when meanwhile the run is cancelled or runs out of
// time.
func (m *Machine) Pause(d time.Duration) error {
	var done <-chan struct{}
	if m.ctx != nil {
		done = m.ctx.Done()
	}
	for end := time.Now().Add(d); ; {
		left := time.Until(end)
		if left <= 0 {
			return nil
		}
		timer := time.NewTimer(min(left, pauseSlice))
		select {
		case <-done:
		case <-timer.C:
		}
		timer.Stop()
		if err := m.refuel(); err != nil {
			return err
		}
	}
}
