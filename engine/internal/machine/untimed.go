package machine

import (
	"context"
	"time"
)

// This file defines waiting that does not count.

// Untimed calls f, with the context of the run, and lets the clock of the run stand still meanwhile: f waits for a
// person. It returns an error when the run was cancelled.
func Untimed(m *Machine, f func(ctx context.Context)) error {
	ctx := m.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m.awaiting.Store(&cancel)
	defer m.awaiting.Store(nil)
	if m.cancelled.Load() != nil {
		cancel()
	}
	began := time.Now()
	f(ctx)
	waited := time.Since(began)
	m.started = m.started.Add(waited)
	if !m.deadline.IsZero() {
		m.deadline = m.deadline.Add(waited)
	}
	m.setAlarm()
	if ctx.Err() != nil {
		return m.refuel()
	}
	return nil
}
