package sqltables

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb/internal/recursive"
)

// This file defines recursions that a database computes (package recursive).

// recursing is the part of a driver that writes recursions.
type recursing interface {
	// recursions is the dialect of the statements.
	recursions() *recursive.Dialect
	// recursive is a column as rules see it.
	recursive(c *column) recursive.Column
	// derived is a column that rules define.
	derived(class recursive.Class) tableColumn
}

var (
	_ relation.Deriver          = (*snapshot)(nil)
	_ relation.RecursionPlanner = (*Set)(nil)
)

// mostRecursions is how often a call puts a statement of a recursion. After that the engine applies the rules to
// fetched rows.
const mostRecursions = 16

// worthwhile limits the recursions of a database that is slower than this program: their results have at most this part
// (1/worthwhile) of the rows of the largest table. For larger results it costs less to fetch the tables.
const worthwhile = 32

// Derive implements relation.Deriver.
func (s *snapshot) Derive(
	ctx context.Context, r *relation.Recursion,
) (rows *relation.Rows, how relation.Derived, err error) {
	db, q, err := s.set.tablesOf(r)
	if q == nil || err != nil {
		return nil, relation.Refused, err
	}
	p, st, params, err := s.set.recursion(ctx, db, s.sessions[db.name], q, r)
	var refused refusal
	switch {
	case errors.As(err, &refused):
		return nil, relation.Refused, nil
	case err != nil:
		return nil, relation.Refused, err
	case s.recursions[st.text] >= mostRecursions:
		return nil, relation.GivenUp, nil
	}
	s.recursions[st.text]++
	failed := false
	var held int
	err = s.guess(ctx, db, &failed, func() (err error) {
		rows, held, err = s.read(ctx, db, p, question{st: st, params: params}, s.set.ways.rows, s.set.ways.bytes)
		return err
	})
	s.release(held)
	if err != nil || rows == nil || failed || len(st.columns) > r.Relations[r.Goal].Arity && isDoubtful(rows) {
		s.recursions[st.text] = mostRecursions
		return nil, relation.GivenUp, err
	}
	return rows, relation.Computed, nil
}

// Fetch implements relation.Deriver.
func (s *snapshot) Fetch(ctx context.Context, q *relation.Query, most int) (rows *relation.Rows, ok bool, err error) {
	db, p, err := s.planOf(ctx, q.Text())
	if err != nil {
		return nil, false, err
	}
	most = min(most, s.set.ways.rows)
	if n, err := db.size(ctx, s.sessions[db.name], q.Tables[0]); err != nil || n > most || most == 0 {
		return nil, false, err
	}
	failed, held := false, 0
	err = s.guess(ctx, db, &failed, func() (err error) {
		rows, held, err = s.read(ctx, db, p, p.question(make([]term.Term, len(q.Columns))), most, s.set.ways.bytes)
		return err
	})
	s.release(held)
	return rows, err == nil && rows != nil && !failed, err
}

// isDoubtful reports whether a row says that the result is not valid.
func isDoubtful(rows *relation.Rows) bool {
	for i := range rows.Len() {
		if row := rows.Row(i); row[len(row)-1].Int() == 1 {
			return true
		}
	}
	return false
}

// refusal is the reason why a database does not compute a recursion.
type refusal string

func (r refusal) Error() string { return string(r) }

// PlanRecursion implements relation.RecursionPlanner.
func (s *Set) PlanRecursion(ctx context.Context, r *relation.Recursion) (text, refused string, err error) {
	db, q, err := s.tablesOf(r)
	if err != nil {
		return "", "", err
	} else if q == nil {
		return "", "the tables are of several databases", nil
	}
	_, st, _, err := s.recursion(ctx, db, nil, q, r)
	var why refusal
	if errors.As(err, &why) {
		return "", string(why), nil
	} else if err != nil {
		return "", "", err
	}
	return st.text, "", nil
}

// recursion returns the statement of a recursion with its parameters. q is what tablesOf returns. The error is a
// refusal if there is none.
func (s *Set) recursion(ctx context.Context, db *source, open session, q *relation.Query, r *relation.Recursion) (
	p *plan, st *statement, params []any, err error,
) {
	largest := 0
	for _, name := range q.Tables {
		n, err := db.size(ctx, open, name)
		if err != nil {
			return nil, nil, nil, err
		}
		largest = max(largest, n)
	}
	if least := s.ways.recursive; least == 0 || largest < least && least > 1 {
		return nil, nil, nil, refusal(fmt.Sprintf("no table has %d rows", least))
	}
	text := q.Text()
	if err := db.check(ctx, open, text, s.ways.trusted); err != nil {
		return nil, nil, nil, err
	}
	if p, err = db.plan(ctx, open, q, text); err != nil {
		return nil, nil, nil, err
	}
	most := 0
	if largest <= s.ways.rows {
		most = max(largest/worthwhile, firstBlock)
	}
	st, params, err = p.recursion(r, most)
	return p, st, params, err
}

// tablesOf returns the database of a recursion, and a query that has the columns of its tables one after the other. It
// is nil if the tables are of several databases.
func (s *Set) tablesOf(r *relation.Recursion) (*source, *relation.Query, error) {
	q := &relation.Query{}
	for _, rel := range r.Relations {
		if rel.Table == nil {
			continue
		}
		if q.Database == "" {
			q.Database = rel.Table.Database
		} else if q.Database != rel.Table.Database {
			return nil, nil, nil
		}
		for _, c := range rel.Table.Columns {
			c.Table = len(q.Tables)
			q.Columns = append(q.Columns, c)
		}
		q.Tables = append(q.Tables, rel.Table.Tables[0])
	}
	if q.Database == "" {
		return nil, nil, nil
	}
	db, err := s.source(q.Database)
	return db, q, err
}

// recursion returns the statement of a recursion whose tables have the columns of the plan. If most is not 0, the
// database gives up when the result has that many rows.
func (p *plan) recursion(r *relation.Recursion, most int) (st *statement, params []any, err error) {
	tables := make([]*recursive.Table, len(r.Relations))
	at := 0
	for i, rel := range r.Relations {
		if rel.Table == nil {
			continue
		}
		tables[i] = &recursive.Table{Name: quotedName(rel.Table.Tables[0])}
		for range rel.Table.Columns {
			c := p.driver.recursive(p.columns[at])
			c.Name = quoted(p.columns[at].name)
			tables[i].Columns = append(tables[i].Columns, c)
			at++
		}
	}
	made, err := p.driver.recursions().Statement(r, tables, most)
	if err != nil {
		return nil, nil, refusal(err.Error())
	}
	st = &statement{text: made.Text, lenient: true}
	add := func(class recursive.Class) {
		st.selected = append(st.selected, len(st.columns))
		st.columns = append(st.columns, &column{tableColumn: p.driver.derived(class)})
	}
	for _, class := range made.Classes {
		add(class)
	}
	if made.Doubtful {
		add(recursive.Integer)
	}
	for _, v := range made.Params {
		class := recursive.Text
		if _, isInt := v.(term.Int); isInt {
			class = recursive.Integer
		}
		f, param := p.driver.condition(&column{tableColumn: p.driver.derived(class)}, v)
		if !f.hasParam() {
			return nil, nil, refusal("no column has the value")
		}
		params = append(params, param)
	}
	return st, params, nil
}

func (p *postgres) recursions() *recursive.Dialect { return recursive.PostgreSQL }

// recursive allows only texts in the database's own collation: a statement that compares texts of different collations
// is an error.
func (p *postgres) recursive(c *column) recursive.Column {
	made := recursive.Column{NotNull: c.notNull, Indexed: c.indexed}
	switch {
	case !c.isPlain():
	case c.kind == kindInteger && c.oid != oidOID:
		made.Class, made.Whole = recursive.Integer, true
	case c.kind == kindText && !c.loose && !c.collated:
		made.Class = recursive.Text
	}
	return made
}

func (p *postgres) derived(class recursive.Class) tableColumn {
	if class == recursive.Integer {
		return tableColumn{kind: kindInteger, oid: oidInt8}
	}
	return tableColumn{kind: kindText}
}

func (s *sqlite) recursions() *recursive.Dialect { return recursive.SQLite }

func (s *sqlite) recursive(c *column) recursive.Column {
	made := recursive.Column{NotNull: c.notNull, Indexed: c.indexed, Whole: c.kind == kindRowID}
	if c.isPlain() && (c.kind == kindRowID || c.kind == kindAny) {
		made.Class = recursive.Any
	}
	return made
}

func (s *sqlite) derived(recursive.Class) tableColumn { return tableColumn{kind: kindAny} }
