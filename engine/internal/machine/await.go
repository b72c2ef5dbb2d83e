package machine

import (
	"context"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines waiting: for a time, for something outside of the process, for a person.

// Await calls f with a context that ends when the run is cancelled, or when the time limit of the run or of a goal
// within it is over. If the context has ended, Await returns the cause, else the error of f. The time that f takes
// counts.
func (m *Machine) Await(f func(ctx context.Context) error) error {
	return m.await(m.FirstDeadline(), f)
}

// await is Await with a given end of the time, the zero time for none.
func (m *Machine) await(end time.Time, f func(ctx context.Context) error) error {
	p := NewPatience(m)
	defer p.End()
	return m.during(p, end, func() error { return f(p) })
}

// During is Await for an f that already has its context.
func During(m *Machine, p *Patience, f func() error) error { return m.during(p, m.FirstDeadline(), f) }

// Wait is Await for code that cannot return an error: it ends the built-in by a panic, as Poll does. f reports whether
// what it waits for has come.
func Wait(m *Machine, f func(ctx context.Context) bool) {
	p := NewPatience(m)
	defer p.End()
	for done := false; !done; {
		_ = m.awaitIn(p, m.FirstDeadline(), func() error { done = f(p); return nil })
		if !done && (m.IsCancelled() || m.IsAnyLate()) {
			panic(stacks.Interrupted)
		}
	}
}

// awaitIn calls f, which waits with the context p. The context ends when the run is cancelled, or at the given time if
// that is not the zero time.
func (m *Machine) awaitIn(p *Patience, end time.Time, f func() error) error {
	p.begin(m.context(), end)
	defer p.pause()
	m.awaiting.Store(p)
	defer m.awaiting.Store(nil)
	if m.IsCancelled() {
		p.end(context.Canceled, nil)
	}
	return f()
}

func (m *Machine) during(p *Patience, end time.Time, f func() error) error {
	err := m.awaitIn(p, end, f)
	if stacks.HasPassed(end) || m.IsCancelled() {
		if ended := m.refuel(); ended != nil {
			return ended
		}
	}
	return err
}

// Untimed calls f with the context of the run and stops the clock of the run meanwhile, as f waits for a person. It
// returns an error when the run was cancelled.
func Untimed(m *Machine, f func(ctx context.Context)) error {
	return m.await(time.Time{}, func(ctx context.Context) error {
		began := time.Now()
		f(ctx)
		waited := time.Since(began)
		m.Started = m.Started.Add(waited)
		m.delayDeadline(waited)
		return nil
	})
}

// Pause lets a time pass. It returns an error when the run is cancelled, or when the time limit of the run or of a goal
// within it is over. Alarms ring meanwhile. If interruptible is set, the goals of the alarms are called at once, and
// then sleep/1 with the rest of the time.
func (m *Machine) Pause(d time.Duration, interruptible bool) error {
	for end := time.Now().Add(d); time.Until(end) > 0; {
		if err := m.pauseUntil(end); err != nil {
			return err
		}
		if !interruptible || !m.Signalled() && !m.pausing {
			continue
		}
		if left := time.Until(end); left > 0 {
			m.AddWaiting(m.NewStruct("sleep", m.NewFloat(left.Seconds()))) // inside the catch/3 that the caller is in
		}
		return nil
	}
	return nil
}

// pauseUntil waits for the next alarm, but not longer than until end.
func (m *Machine) pauseUntil(end time.Time) error {
	if next := m.nextAlarm(); !m.pausing && !next.IsZero() && next.Before(end) {
		end = next
	}
	err := m.Await(func(ctx context.Context) error {
		timer := time.NewTimer(time.Until(end))
		defer timer.Stop()
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		return nil
	})
	if err != nil {
		return err
	}
	return m.refuel()
}

// TimeLeft returns how long the run may still wait. ok is false if the run has no time limit.
func (m *Machine) TimeLeft() (left time.Duration, ok bool) {
	end := m.FirstDeadline()
	return time.Until(end), !end.IsZero()
}

// The deadline of a run is used in this file alone, so each wait observes all time limits.

func (m *Machine) startClock() {
	m.Started = time.Now()
	if m.Began.IsZero() {
		m.Began = m.Started
	}
	if m.stopClock(); m.Limits.Time > 0 {
		m.Deadline = m.Started.Add(m.Limits.Time - m.Spent)
	}
}

// Began returns when Run was first called after Start.
func Began(m *Machine) time.Time { return m.Began }

func (m *Machine) stopClock() { m.Deadline = time.Time{} }

// delayDeadline gives the run more time, if it has a time limit.
func (m *Machine) delayDeadline(by time.Duration) {
	if !m.Deadline.IsZero() {
		m.Deadline = m.Deadline.Add(by)
	}
	m.setAlarm()
}
