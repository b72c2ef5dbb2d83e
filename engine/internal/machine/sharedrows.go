package machine

import (
	"context"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines programs on rows that the runs of a program share, so that calls with different values do not each
// read the facts. One run at a time uses one.

// sharedRows is the place of a program on rows.
type sharedRows struct {
	turn  chan struct{} // holds one while nobody uses it
	p     *rowProgram
	bytes int // accounted for among the shared tables
}

// release ends the turn that a run has.
func (r *sharedRows) release() { r.turn <- struct{}{} }

// rowsOf returns the place for a predicate.
func (s *SharedTables) rowsOf(pred *database.Pred) *sharedRows {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.rows[pred]
	if r == nil {
		r = &sharedRows{turn: make(chan struct{}, 1)}
		r.release()
		s.rows[pred] = r
	}
	return r
}

// takeTurn waits until nobody else uses the rows.
func (m *Machine) takeTurn(r *sharedRows) error {
	select {
	case <-r.turn:
		return nil
	default:
	}
	took := false
	err := m.Await(func(ctx context.Context) error {
		select {
		case <-r.turn:
			took = true
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if err != nil && took {
		r.release()
	}
	return err
}

// sharedRowsFor is rowsFor for a run that shares rows.
func (m *Machine) sharedRowsFor(pred *database.Pred, open bool) (p *rowProgram, release func(), err error) {
	r := m.shared().rowsOf(pred)
	if err := m.takeTurn(r); err != nil {
		return nil, func() {}, err
	}
	mine := true
	defer func() {
		if mine {
			r.release()
		}
	}()
	before := 0
	if r.p != nil && m.isCurrent(r.p) {
		before = r.p.held
	} else {
		if p, err = m.readRows(pred, open); err != nil || p == nil || !m.mayShare(p) {
			return p, func() {}, err
		}
		delete(m.tables.rows, pred)
		m.shared().replaceRows(r, p)
	}
	mine = false
	return r.p, func() {
		m.giveToShared(r, before)
		r.release()
	}, nil
}

// mayShare reports whether other runs can use a program on rows.
func (m *Machine) mayShare(p *rowProgram) bool {
	return m.isPermanent(p.cells) && !slices.ContainsFunc(p.marks, database.Mark.Touched)
}

// replaceRows puts a new program in the place of an old one.
func (s *SharedTables) replaceRows(r *sharedRows, p *rowProgram) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes -= r.bytes
	r.p, r.bytes, p.shared = p, 0, true
}

// giveToShared accounts for what a shared program has grown by since it took so many bytes: the run does not hold that
// any more. A program that takes too much is given up.
func (m *Machine) giveToShared(r *sharedRows, before int) {
	_ = m.Hold(before - r.p.held) // giving back cannot fail
	s := m.shared()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes += r.p.held - r.bytes
	r.bytes = r.p.held
	for s.bytes > s.most && s.used.Len() > 0 {
		s.drop(s.used.Back())
	}
	if s.bytes > s.most {
		s.bytes -= r.bytes
		r.p, r.bytes = nil, 0
	}
}
