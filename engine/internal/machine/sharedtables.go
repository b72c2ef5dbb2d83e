package machine

import (
	"cmp"
	"container/list"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/effects"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines tables that outlive the run: the program keeps tables that a goal has called directly, for other
// runs, until a predicate that they depend on changes. The dependencies are found from the clauses (findBasis). Tables
// of goals with side effects are not kept. A shared table has the answers that the run would compute itself.

// SharedTables are the tables of a program that its runs share. Its machines may use them at the same time.
type SharedTables struct {
	mu     sync.Mutex
	most   int                      // bytes, 0 until a run uses the tables
	tables map[string]*list.Element // of *sharedTable, by the key of the goal
	used   list.List                // most recently used first
	bytes  int
	rows   map[*database.Pred]*sharedRows
	bases  map[*database.Pred]effects.Basis
	rules  effects.RuleCache
	making map[string]chan struct{} // closed when the table is there, or is not going to be
}

// sharedTable is a complete table. It does not change.
type sharedTable struct {
	key     string
	answers answerSet
	basis   []effects.RestsOn
	bytes   int
}

// defaultTableMemory bounds the shared tables of a program whose runs give no bound.
const defaultTableMemory = 64 << 20

// NewSharedTables returns an empty set of tables. All machines of a program share one set, see [New]. The first run
// that uses it sets its size in bytes.
func NewSharedTables() *SharedTables {
	return &SharedTables{tables: map[string]*list.Element{}, making: map[string]chan struct{}{},
		rows: map[*database.Pred]*sharedRows{}, bases: map[*database.Pred]effects.Basis{}}
}

// shared returns the shared tables of the program.
func (m *Machine) shared() *SharedTables {
	s := m.sharedTables
	s.mu.Lock()
	defer s.mu.Unlock()
	s.most = cmp.Or(s.most, m.tables.memory, defaultTableMemory)
	return s
}

// find returns a table and moves it to the front.
func (s *SharedTables) find(key string) *sharedTable {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.tables[key]
	if e == nil {
		return nil
	}
	s.used.MoveToFront(e)
	return e.Value.(*sharedTable)
}

// put adds a table, and drops the least recently used tables to make room.
func (s *SharedTables) put(t *sharedTable) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(s.tables[t.key])
	if t.bytes > s.most/4 {
		return
	}
	s.tables[t.key] = s.used.PushFront(t)
	s.bytes += t.bytes
	for s.bytes > s.most && s.used.Len() > 0 {
		s.drop(s.used.Back())
	}
}

// drop removes one table from the cache. Runs that have taken answers from it keep them.
func (s *SharedTables) drop(e *list.Element) {
	if e == nil {
		return
	}
	t := s.used.Remove(e).(*sharedTable)
	delete(s.tables, t.key)
	s.bytes -= t.bytes
}

// forget drops a table that is out of date.
func (s *SharedTables) forget(t *sharedTable) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.tables[t.key]; e != nil && e.Value.(*sharedTable) == t {
		s.drop(e)
	}
}

// begin says that the caller is going to make a table. If another run is already making it, begin returns a channel
// that is closed at the end.
func (s *SharedTables) begin(key string) (others chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.making[key]; c != nil {
		return c
	}
	s.making[key] = make(chan struct{})
	return nil
}

// end says that a table has been made or given up.
func (s *SharedTables) end(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.making[key]; c != nil {
		close(c)
		delete(s.making, key)
	}
}

// shares reports whether the run uses shared tables: it has no engines, and nothing that would change its answers.
func (m *Machine) shares() bool {
	return m.team == nil && !m.Loading && m.tables.clock == nil && len(m.tables.untabled) == 0 &&
		m.Unknown.Value == "error" && m.Unknown.of == nil && !m.UnderflowError
}

// fromShared fills a new table from a shared one, if there is one. If another run is making the table, fromShared waits
// for a while. Otherwise the caller makes the table, and it is shared if it has a basis.
func (m *Machine) fromShared(t *table, pred *database.Pred) (bool, error) {
	if !m.shares() || !m.isPermanent(t.goal.Cells) || effects.MentionsMoment(t.goal.Cells) {
		return false, nil
	}
	s := m.shared()
	if m.borrow(s, t) {
		return true, nil
	}
	if len(m.tables.frames) > 0 {
		return false, nil
	}
	basis, ok := m.basisOf(pred)
	if !ok {
		return false, nil
	}
	if others := s.begin(t.key); others != nil {
		if err := m.waitFor(others); err != nil || m.borrow(s, t) {
			return err == nil, err
		}
		if s.begin(t.key) != nil {
			return false, nil
		}
	}
	t.making, t.basis = true, basis
	return false, nil
}

// borrow gives a new table the answers of a shared one that is valid for the run.
func (m *Machine) borrow(s *SharedTables, t *table) bool {
	found := s.find(t.key)
	if found == nil {
		return false
	}
	if m.stands(found.basis) {
		t.answers = found.answers
		for _, r := range found.basis {
			m.tx.NoteAllAbsent(r.Pred)
		}
		return true
	}
	if found.isOutdated() {
		s.forget(found)
	}
	return false
}

// isOutdated reports whether no run that begins now can use the table.
func (t *sharedTable) isOutdated() bool {
	return slices.ContainsFunc(t.basis, func(r effects.RestsOn) bool { return r.Mark.Outdated(r.Pred) })
}

// longestWait bounds the time a run waits for another run that makes a table.
const longestWait = 2 * time.Second

// waitFor waits, for a limited time, until another run has made a table.
func (m *Machine) waitFor(others chan struct{}) error {
	return m.Await(func(ctx context.Context) error {
		clock := time.NewTimer(longestWait)
		defer clock.Stop()
		select {
		case <-others:
		case <-clock.C:
		case <-ctx.Done():
		}
		return nil
	})
}

// stands reports whether predicates are unchanged.
func (m *Machine) stands(basis []effects.RestsOn) bool {
	for _, r := range basis {
		if !m.tx.Unchanged(r.Pred, r.Mark) {
			return false
		}
	}
	return true
}

// shareTable keeps a complete table for other runs.
func (m *Machine) shareTable(t *table) {
	if !t.making {
		return
	}
	if !t.unsure && !m.tables.stuck && m.shares() && m.stands(t.basis) && m.isPermanent(t.answers.cells) &&
		m.isPermanent(t.answers.names) {
		answers := t.answers
		answers.clock, answers.born = nil, nil
		kept := &sharedTable{key: t.key, answers: answers, basis: t.basis}
		kept.bytes = tableBytes + len(t.key) + answers.bytes() + 64*len(t.basis)
		m.shared().put(kept)
	}
	m.stopMaking(t)
}

// stopMaking lets other runs make a table.
func (m *Machine) stopMaking(t *table) {
	if t.making {
		t.making, t.basis = false, nil
		m.shared().end(t.key)
	}
}

// stopMakingAll is stopMaking for all tables of the run, which is over.
func (m *Machine) stopMakingAll() {
	for _, t := range m.tables.pending {
		m.stopMaking(t)
	}
}

// isPermanent reports whether all atoms in some cells outlive the run.
func (m *Machine) isPermanent(cells []cell) bool {
	if m.OwnAtoms.Empty() {
		return true
	}
	ok := true
	stacks.EachAtom(cells, func(n uint32) { ok = ok && !m.OwnAtoms.Has(n) })
	return ok
}

// This part defines programs on rows that the runs of a program share, so that calls with different values need not
// each read the facts. Only one run at a time uses a program.

// sharedRows is the place of a program on rows.
type sharedRows struct {
	turn  chan struct{} // holds one while nobody uses it
	p     *rowProgram
	bytes int // accounted for among the shared tables
}

// release ends the run's exclusive use.
func (r *sharedRows) release() { r.turn <- struct{}{} }

// rowsOf returns the shared place for a predicate.
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
		m.tables.forget(p)
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
	for _, rel := range p.mutual {
		if pred := p.preds[rel]; s.rows[pred] == nil {
			s.rows[pred] = r
		}
	}
}

// giveToShared moves the growth of a shared program since it took old bytes from the run's account to that of the
// shared tables. A program that grows too large is dropped.
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

// This part defines the dependencies of tables.

// BasisOf returns the predicates that a predicate depends on, as they are now. ok is false if they are not known.
func (m *Machine) basisOf(pred *database.Pred) (list []effects.RestsOn, ok bool) {
	s := &m.tables
	if old, known := s.bases[pred]; known && (old == nil || m.stands(old)) {
		return old, old != nil
	}
	found := m.findBasis(pred)
	if !found.OK {
		found.List = nil
	}
	if s.bases == nil {
		s.bases = map[*database.Pred][]effects.RestsOn{}
	}
	s.bases[pred] = found.List
	return found.List, found.OK
}

// findBasis returns the basis found by an earlier run, or reads the clauses.
func (m *Machine) findBasis(pred *database.Pred) effects.Basis {
	s := m.shared()
	s.mu.Lock()
	old, known := s.bases[pred]
	s.mu.Unlock()
	if known && m.stands(old.List) {
		return old
	}
	found, own := effects.BasisOf(m.reading(), pred)
	if !own {
		s.mu.Lock()
		s.bases[pred] = found
		s.mu.Unlock()
	}
	return found
}
