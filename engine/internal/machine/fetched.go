package machine

import (
	"math"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/datalog"
)

// This file defines how tables are computed bottom up from rows of databases. It fetches all rows that the rules may
// need, once the run has made enough inferences to justify that many rows. Until then the clauses are called and
// request the rows they need.

// fetchedProgram is the program of a tabled predicate over tables of databases.
type fetchedProgram struct {
	p     *rowProgram // nil as long as there are no rows
	never bool        // package datalog cannot take the rules or the rows, or there are too many rows
	next  int         // the number of allowed rows from which a fetch is tried again
}

// The rows that a call with values may fetch: some, and more when it has made many inferences. A failed fetch is tried
// again when four times as many are allowed.
const (
	fewFetched     = 1 << 13
	inferencesEach = 4
	fetchGrowth    = 4
)

// fetchedFor returns the program of a tabled predicate with the rows of its tables. It returns nil if the clauses are
// to be called. all says that the call needs all rows.
func (m *Machine) fetchedFor(pred *database.Pred, all bool) (*rowProgram, error) {
	s := &m.tables
	f := s.fetched[pred]
	if f == nil {
		f = &fetchedProgram{}
		if s.fetched == nil {
			s.fetched = map[*database.Pred]*fetchedProgram{}
		}
		s.fetched[pred] = f
	}
	if f.p != nil && !m.isCurrent(f.p) {
		m.dropRows(f.p)
		f.p = nil
	}
	most := math.MaxInt
	if !all {
		most = fewFetched + int(m.Inferences()/inferencesEach)
	}
	if f.never || f.p != nil || most < f.next {
		return f.p, nil
	}
	io, ok := m.IO.(Deriver)
	p := m.overTables(pred, true)
	if !ok || p == nil || p.addsUntabled() {
		f.never = true
		return nil, nil
	}
	before := f.next
	f.next = most
	if most < math.MaxInt/fetchGrowth {
		f.next *= fetchGrowth
	}
	rows, ok, err := m.fetchRows(p, io, most)
	if err != nil { // a limit of the run or an error of the database: it says nothing about the rows
		f.next = before
		return nil, err
	}
	if !ok {
		f.never = all
		return nil, nil
	}
	if ok, err = m.readFacts(p, rows); err != nil || !ok {
		m.dropRows(p)
		f.never = err == nil
		return nil, err
	}
	f.p = p
	for _, rel := range p.mutual {
		if s.fetched[p.preds[rel]] == nil {
			s.fetched[p.preds[rel]] = f
		}
	}
	return p, nil
}

// addsUntabled reports whether a program without a table adds up values of equal answers. Rows hold each answer only
// once.
func (p *rowProgram) addsUntabled() bool {
	return slices.ContainsFunc(p.rules.Modes, func(modes []datalog.Mode) bool {
		return slices.Contains(modes, datalog.Sum)
	}) && slices.ContainsFunc(p.rules.Rules, func(r datalog.Rule) bool { return !isBehindTable(p.preds[r.Head.Rel]) })
}

// fetchRows fetches the rows of the tables of a program, as its constants. ok is false if there are more than most
// rows, or values that are neither atoms nor small integers.
func (m *Machine) fetchRows(p *rowProgram, io Deriver, most int) (fetched map[int][]uint32, ok bool, err error) {
	fetched = map[int][]uint32{}
	for rel := range p.preds {
		q := p.over[rel]
		if q == nil {
			continue
		}
		rows, ok, err := io.Fetch(m, q, most)
		if err != nil || !ok {
			return nil, false, err
		}
		most -= rows.Len()
		list := make([]uint32, 0, rows.Len()*len(q.Columns))
		ok, err = m.eachRow(rows, len(q.Columns), func(row []cell) error {
			for _, c := range row {
				if !isFlat(c) {
					return errNotRows
				}
				list = append(list, p.id(c))
			}
			return m.Charge(1)
		})
		if err == errNotRows {
			ok, err = false, nil
		}
		if err != nil || !ok {
			return nil, false, err
		}
		fetched[rel] = list
	}
	return fetched, true, nil
}
