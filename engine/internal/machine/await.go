package machine

import (
	"context"
	"time"
)

// This file defines waiting for something outside of the process.

// Await calls f with a context that ends when the run is cancelled, or when its time is over or that of a goal within
// it. If that happens Await returns the error of that, else the one of f. The time that f takes counts.
func (m *Machine) Await(f func(ctx context.Context) error) error {
	ctx, cancel := m.Context(), context.CancelFunc(nil)
	if at := m.firstDeadline(); at.IsZero() {
		ctx, cancel = context.WithCancel(ctx)
	} else {
		ctx, cancel = context.WithDeadline(ctx, at)
	}
	defer cancel()
	m.awaiting.Store(&cancel)
	defer m.awaiting.Store(nil)
	if m.cancelled.Load() != nil {
		cancel()
	}
	err := f(ctx)
	if ctx.Err() != nil {
		if ended := m.refuel(); ended != nil {
			return ended
		}
	}
	return err
}

// TimeLeft returns how long the run may still take. ok is false if that is not limited.
func (m *Machine) TimeLeft() (left time.Duration, ok bool) {
	if m.deadline.IsZero() {
		return 0, false
	}
	return time.Until(m.deadline), true
}
