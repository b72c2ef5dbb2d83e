package machine

import (
	"math"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/datalog"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how a database computes a table, if the rules are about tables of that database
// (relation.Recursion).

// Deriver is an optional interface of the IO of a run: it has a database compute what follows from rules.
type Deriver interface {
	// Derive returns the rows of a recursion.
	Derive(m *Machine, r *relation.Recursion) (rows *relation.Rows, how relation.Derived, err error)
	// Fetch returns all rows of a query of one table. ok is false if there are more than most, or too many.
	Fetch(m *Machine, q *relation.Query, most int) (rows *relation.Rows, ok bool, err error)
}

// maxDerivedRules bounds the rules of a recursion, together with the facts that are not in the database.
const maxDerivedRules = 64

// deriveRows has a database compute a new table for a call with bound arguments.
func (m *Machine) deriveRows(
	t *table, pred *database.Pred, known []bool, values []cell,
) (how relation.Derived, err error) {
	io, ok := m.IO.(Deriver)
	if !ok || !slices.Contains(known, true) {
		return relation.Refused, nil
	}
	p := m.derivedProgram(pred)
	if p == nil || slices.ContainsFunc(m.tables.frames, func(f *tableFrame) bool {
		_, within := p.number[f.table.pred]
		return within // a relation that the database did not compute
	}) {
		return relation.Refused, nil
	}
	ids := make([]uint32, len(values))
	for i, v := range values {
		if known[i] {
			ids[i] = p.id(v)
		}
	}
	m.tables.onRows = pred
	rows, how, err := io.Derive(m, m.recursion(p, known, ids))
	if how == relation.Computed && err == nil {
		if ok, err = m.addDerived(t, rows, known, values); !ok {
			how = relation.GivenUp
		}
	}
	if how != relation.Computed {
		m.tables.onRows = nil
	}
	return how, err
}

// derivedProgram returns the program of a tabled predicate over tables of databases, nil if it has none.
func (m *Machine) derivedProgram(pred *database.Pred) *rowProgram {
	s := &m.tables
	if p, ok := s.derived[pred]; ok && (p == nil || m.isCurrent(p)) {
		return p
	}
	p := m.overTables(pred, false)
	if p != nil && !isDerived(p) {
		p = nil
	}
	if s.derived == nil {
		s.derived = map[*database.Pred]*rowProgram{}
	}
	s.derived[pred] = p
	return p
}

// overTables reads the program of a tabled predicate over tables of databases. It returns nil if the predicate has
// none, or if there is a recursion without a table, which might not end. here says that its rules are applied here.
func (m *Machine) overTables(pred *database.Pred, here bool) *rowProgram {
	p := &rowProgram{number: map[*database.Pred]int{}, ids: map[cell]uint32{}, orders: map[int][]int{},
		all: map[int]*datalog.Relation{}, over: map[int]*relation.Query{}, here: here}
	p.view = m.tx.Now()
	if !m.readRules(p, pred) {
		return nil
	}
	for rel, pred := range p.preds {
		if q := m.program.Loader.QueryOf(pred); q != nil {
			p.over[rel] = q
			p.rules.Given[rel] = datalog.NewRelation(pred.Arity(), 0)
		}
	}
	for rel, pred := range p.preds {
		if !isBehindTable(pred) && p.rules.CallsItself(rel) {
			return nil
		}
	}
	if len(p.over) == 0 {
		return nil
	}
	return p
}

// isDerived reports whether a database may compute a program: it has no negation, no arithmetic but comparisons, and no
// modes.
func isDerived(p *rowProgram) bool {
	hasModes := func(modes []datalog.Mode) bool { return modes != nil }
	return !slices.ContainsFunc(p.rules.Modes, hasModes) && !slices.ContainsFunc(p.rules.Rules, func(r datalog.Rule) bool {
		return r.Steps > 0 || len(r.Absent) > 0 || slices.ContainsFunc(r.Calcs, func(c datalog.Calc) bool {
			return comparisons[c.Op] == ""
		})
	})
}

// isBehindTable reports whether a predicate holds the clauses of a tabled one.
func isBehindTable(pred *database.Pred) bool { return pred.Shown() != pred.Functor }

// comparisons are the operators of conditions as relation.Comparison has them.
var comparisons = map[datalog.Op]string{datalog.Less: "<", datalog.NotMore: "<=", datalog.Same: "=",
	datalog.Other: "<>"}

// recursion returns the database query for a call of a program.
func (m *Machine) recursion(p *rowProgram, known []bool, ids []uint32) *relation.Recursion {
	made := datalog.Rewrite(&p.rules, p.domain(), 0, known, ids)
	r := &relation.Recursion{Goal: made.Goal}
	for rel, arity := range made.Arities {
		r.Relations = append(r.Relations, relation.Related{Arity: arity, Table: p.over[rel]})
	}
	operand := func(t datalog.Term) relation.Operand {
		if id, ok := t.Value(); ok {
			return relation.Operand{Value: m.Export(p.cells[id])}
		}
		return relation.Operand{Var: int(t)}
	}
	literal := func(a datalog.Atom) relation.Literal {
		l := relation.Literal{Relation: a.Rel}
		for _, t := range a.Args {
			l.Args = append(l.Args, operand(t))
		}
		return l
	}
	for rel := range made.Arities {
		if row, ok := made.Seeds[rel]; ok {
			head := relation.Literal{Relation: rel}
			for _, id := range row {
				head.Args = append(head.Args, relation.Operand{Value: m.Export(p.cells[id])})
			}
			r.Rules = append(r.Rules, relation.Rule{Head: head})
		}
	}
	for _, rule := range made.Rules {
		next := relation.Rule{Head: literal(rule.Head)}
		for _, a := range rule.Body {
			next.Body = append(next.Body, literal(a))
		}
		for _, test := range rule.Tests {
			op := "="
			if test.Differ {
				op = "<>"
			}
			next.Comparisons = append(next.Comparisons,
				relation.Comparison{Op: op, Left: operand(test.Left), Right: operand(test.Right)})
		}
		for _, c := range rule.Calcs {
			next.Comparisons = append(next.Comparisons, relation.Comparison{Op: comparisons[c.Op], Integers: true,
				Left: operand(c.Left), Right: operand(c.Right)})
		}
		r.Rules = append(r.Rules, next)
	}
	return r
}

// addDerived adds rows to a table. If a value is neither an atom nor an integer, ok is false and the table stays empty.
func (m *Machine) addDerived(t *table, rows *relation.Rows, known []bool, values []cell) (ok bool, err error) {
	width := t.answers.width
	n := 0
	for _, k := range known {
		if !k {
			n++
		}
	}
	ok, err = m.eachRow(rows, n, func(row []cell) error { return m.addRow(t, values, known, row, false, false) })
	if !ok {
		t.answers.reset()
		t.answers.width = width
	}
	return ok && err == nil, err
}

// eachRow yields the first n values of each row, as cells that the next row overwrites. ok is false if a value is
// neither an atom nor an integer.
func (m *Machine) eachRow(rows *relation.Rows, n int, add func(row []cell) error) (ok bool, err error) {
	const batch = 256
	var texts []string
	var places []int
	cells, atoms := make([]cell, batch*n), make([]cell, batch*n)
	for from := 0; from < rows.Len(); from += batch {
		to := min(from+batch, rows.Len())
		texts, places = texts[:0], places[:0]
		for i := from; i < to; i++ {
			for j, v := range rows.Row(i)[:n] {
				at := (i-from)*n + j
				switch {
				case v.Kind == relation.Atom:
					texts, places = append(texts, rows.Text(v)), append(places, at)
				case v.Kind == relation.Int:
					cells[at] = m.NewInt(v.Int())
				default:
					return false, nil
				}
			}
		}
		m.NewAtoms(texts, atoms)
		for i, at := range places {
			cells[at] = atoms[i]
		}
		m.HoldAtoms(stacks.Frozen{Cells: cells[:(to-from)*n]})
		for i := range to - from {
			if err := add(cells[i*n : (i+1)*n]); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// RecursionOf returns the database query for a call of a tabled predicate with a value at one argument, nil if its
// rules are not for databases. The machine must not be running.
func RecursionOf(m *Machine, pred *database.Pred, at int, value term.Term) *relation.Recursion {
	m.tx = m.program.Begin(false)
	defer func() {
		m.tx.Rollback()
		m.tx, m.tables.derived = nil, nil
	}()
	m.Fuel = math.MaxInt32
	p := m.derivedProgram(pred.Module.Lookup(pred.TableFunctor()))
	if p == nil {
		return nil
	}
	known, ids := make([]bool, pred.Arity()), make([]uint32, pred.Arity())
	known[at], ids[at] = true, p.id(m.Import(value))
	return m.recursion(p, known, ids)
}
