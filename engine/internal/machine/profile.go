package machine

import (
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/effort"
	"github.com/mcplogic/mcplogic/engine/internal/profile"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the profiler: samples of the calls that are active. A ticker rings the alarm of the run, and the
// run takes a sample when it next checks the alarm. A run without a profiler has no ticker and no cost.

// sampleTime is the time between samples. It is some thousand calls.
const sampleTime = time.Millisecond

// sampledBatch is about how many calls there are between the moments at which a sample can be taken. Exits for built-in
// predicates are such moments too. With many more calls between the others, most samples would be of clauses that call
// a built-in.
const sampledBatch = 32

// The largest number of frames of a sample, and of environments walked for them. Consecutive frames of a recursion
// count once.
const (
	mostSampled = 64
	mostWalked  = 1 << 14
)

// sampler takes the samples of a run.
type sampler struct {
	to      *profile.Profile
	batches int      // calls between the moments at which a sample could be taken
	outer   *sampler // the sampler that continues when this one ends
	stop    chan struct{}
	ticks   atomic.Int64 // since the last sample
	builtin atomic.Int64 // the built-in that was at work at the last tick, by its number plus one
	at      atomic.Int64 // where it was called
	last    time.Time    // of the last sample

	// scratch
	frames  []profile.Frame
	entries map[int]*database.Pred
}

// Profile starts adding samples to a profile until EndProfile.
func Profile(m *Machine, p *profile.Profile) {
	if outer := m.sampler; outer != nil {
		outer.pause()
	}
	m.sampler = &sampler{to: p, outer: m.sampler, entries: map[int]*database.Pred{}}
	if m.Pollable { // it is running
		m.sampler.tick(m)
	}
	m.emptyFuel()
}

// EndProfile ends the sampling that the last call of Profile began, and returns the profile; nil if there is none.
func EndProfile(m *Machine) *profile.Profile {
	s := m.sampler
	if s == nil {
		return nil
	}
	s.take(m, exitBuiltin)
	s.pause()
	if m.sampler = s.outer; s.outer != nil && m.Pollable {
		s.outer.tick(m)
	}
	return s.to
}

// endProfiles ends all samples when the machine is given back.
func (m *Machine) endProfiles() {
	for ; m.sampler != nil; m.sampler = m.sampler.outer {
		m.sampler.pause()
	}
}

// batch is the number of calls up to the next moment. It varies, so that the samples of a loop are spread over all its
// calls.
func (s *sampler) batch() int64 {
	s.batches++
	return sampledBatch + int64(s.batches*7)&(sampledBatch-1)
}

// tick starts the ticker that rings the alarm.
func (s *sampler) tick(m *Machine) {
	stop := make(chan struct{})
	s.stop, s.last = stop, time.Now()
	go func() {
		ticker := time.NewTicker(sampleTime)
		defer ticker.Stop()
		for {
			select {
			case <-stop:
				return
			case <-ticker.C:
				builtin, at := working(m)
				s.builtin.Store(int64(builtin))
				s.at.Store(int64(at))
				s.ticks.Add(1)
				m.Alarm.Store(true)
			}
		}
	}()
}

// working returns the number of the built-in at work plus one, or 0, and the address behind its call. They are read
// without synchronisation.
//
//go:norace
func working(m *Machine) (builtin, at int) { return m.inBuiltin, m.P }

// pause ends the ticker.
func (s *sampler) pause() {
	if s.stop != nil {
		close(s.stop)
		s.stop = nil
	}
}

// take takes a sample, if it is time for one. why is the exit at which the alarm was seen.
func (s *sampler) take(m *Machine, why exit) {
	if s.ticks.Swap(0) == 0 {
		return
	}
	now := time.Now()
	spent := now.Sub(s.last)
	s.last, s.frames = now, s.frames[:0]
	at := m.P
	if n := s.builtin.Load(); n > 0 {
		at, why = int(s.at.Load()), exitBuiltin
		if b := &m.builtins[n-1]; b.Name[0] != '$' {
			s.add(profile.Frame{Predicate: b.indicator()})
		}
	}
	if why == exitCheck { // a predicate is about to be called
		if p := s.entry(m, at); p != nil && !effort.IsPlumbing(p) {
			s.add(profile.Frame{Predicate: p.Indicator(), File: p.File, Line: p.Line})
		}
	} else if c := m.program.ClauseAt(uint32(at) - 1); c != nil {
		s.clause(c, at)
	}
	s.callers(m)
	s.to.Add(s.frames, spent)
}

// callers adds the clauses that wait for the current call to return.
func (s *sampler) callers(m *Machine) {
	at, last := cell(m.CP), cell(0)
	for e, n := m.E, 0; n < mostWalked && len(s.frames) < mostSampled; n++ {
		if at != last {
			if c := m.program.ClauseAt(uint32(at) - 1); c != nil {
				s.clause(c, int(at))
			}
		}
		if last = at; e == 0 {
			return
		}
		at, e = m.Envs[e+stacks.EnvCP], int(m.Envs[e+stacks.EnvE])
	}
}

// clause adds the clause that contains an address.
func (s *sampler) clause(c *database.Clause, at int) {
	if !effort.IsPlumbing(c.Pred) {
		s.add(profile.Frame{Predicate: c.Pred.Indicator(), File: c.File, Line: c.LineAt(uint32(at) - 1)})
	}
}

// add adds a frame, unless it equals the one before: a recursion shows once.
func (s *sampler) add(f profile.Frame) {
	if n := len(s.frames); n == 0 || s.frames[n-1] != f {
		s.frames = append(s.frames, f)
	}
}

// entry returns the predicate with an entry, or nil.
func (s *sampler) entry(m *Machine, at int) *database.Pred {
	p, ok := s.entries[at]
	if !ok || p != nil && int(p.Entry) != at {
		p = m.program.PredAt(uint32(at))
		s.entries[at] = p
	}
	return p
}
