// Package sqltables answers for the tables of PostgreSQL and SQLite.
//
// [Open] takes names with addresses or handles and returns a [Set], which connects when it is first asked. A
// [relation.Snapshot] of it opens a read-only transaction in each database that is asked, at the first question, and
// ends it when it is closed. A question that was asked before in the same snapshot is answered from memory. Errors hold
// no addresses and no credentials.
package sqltables

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines sets of databases and their snapshots, how values of both kinds of databases become terms, and how
// a snapshot remembers answers.

// Set is a set of databases by their names. Any goroutine may use it.
type Set struct {
	sources map[string]*source
	ways    ways
}

var _ relation.Databases = (*Set)(nil)

// source is one database of a set.
type source struct {
	name   string
	driver driver
	bad    error // the fault of the address; then there is no driver

	mu    sync.Mutex
	plans map[string]*plan // by the texts of queries
	sizes map[string]sized // by the names of tables
}

// driver speaks with one database.
type driver interface {
	syntax
	// columns returns the columns of a table, nil if it does not exist. open is the transaction of the run, or nil.
	columns(ctx context.Context, open session, table string) ([]tableColumn, error)
	// first is the first value of a statement without parameters.
	first(ctx context.Context, open session, text string) (string, error)
	// begin returns a transaction that begins with the first question.
	begin(left time.Duration) session
	close()
}

// syntax is the SQL of a kind of databases.
type syntax interface {
	// condition returns how a column is compared with a value, and the value as a parameter.
	condition(c *column, v term.Term) (form, any)
	// joined is a condition that holds for all rows in which the terms of two columns are equal. ok is false if there
	// is no such condition that the database can look up.
	joined(a, b *column) (condition string, ok bool)
	// tested is the condition that a column compares with parameter n as an operator says, or that comparing its term
	// is an error; ok is false if there is none.
	tested(c *column, t relation.Test, n int) (condition string, ok bool)
	// compared is the condition that two columns compare as a test says, or that comparing their terms is an error.
	compared(a, b *column, t relation.Test) (condition string, ok bool)
	// number returns a number as the parameter of a test. ok is false if the column cannot be compared with the number.
	number(c *column, v term.Term) (param any, ok bool)
	exactness
	filtering
	// isNative reports whether the values of a column are compared and ordered as the terms of its type, which is one of
	// package values.
	isNative(c *column) bool
	recursing
	// sizes are statements for the number of rows of a table, the more exact ones first. A statement fails if it has no
	// answer.
	sizes(table string) []string
	// placeholder is the text of parameter n, from 1.
	placeholder(n int) string
	// selected is the text by which a value of a column is selected, given its own text.
	selected(c *column, text string) string
}

// session is a transaction. The error of a question ends it.
type session interface {
	ask(ctx context.Context, st *statement, params []any) (*relation.Rows, relation.Rest, error)
	// guess calls f, which may ask. Queries that are open before the call stay open if the database refuses a statement
	// of f.
	guess(ctx context.Context, f func() error) error
	close()
}

// tableColumn is what a database says about a column.
type tableColumn struct {
	name string
	kind kind
	// notNull says that no value is NULL.
	notNull bool
	// loose says that different texts may be equal for the database. collated says that the column has its own
	// collation.
	loose, collated bool
	indexed         bool   // an index finds rows by the values
	oid             uint32 // of the type, or of the elements of an array, in PostgreSQL
	// modifier describes a numeric type: the upper half is the precision and the lower half the number of places. It is
	// negative for a numeric without precision.
	modifier int32
}

// isShort reports whether the numbers of a column have so few digits that a float holds all of them.
func (c tableColumn) isShort() bool {
	const most = 15
	return c.kind == kindNumeric && c.modifier >= 0 && c.modifier>>16 <= most
}

// The codes of errors about a missing table, a missing column, and a value that does not have the type of its column.
const (
	codeTable  = "table"
	codeColumn = "column"
	codeValue  = "value"
)

// The kinds of databases, and the schemes of their addresses.
const (
	PostgreSQL = "postgres"
	SQLite     = "sqlite"
)

// Database is where a database is: at an address such as postgres://host/database or sqlite:FILE, or behind a handle.
type Database struct {
	Address string
	DB      *sql.DB
	Dialect string // of DB: PostgreSQL or SQLite
}

// Open returns databases by their names. It connects to none of them. A wrong address or dialect is the error of each
// question.
func Open(databases map[string]Database) *Set {
	s := &Set{sources: map[string]*source{}, ways: usualWays}
	for name, d := range databases {
		opened := &source{name: name, plans: map[string]*plan{}, sizes: map[string]sized{}}
		opened.driver, opened.bad = d.open(name)
		s.sources[name] = opened
	}
	return s
}

func (d Database) open(name string) (driver, error) {
	scheme, rest, _ := strings.Cut(d.Address, ":")
	switch {
	case d.DB != nil && d.Address != "":
		return nil, errors.New("it has an address and a handle; want one of them")
	case d.DB != nil && d.Dialect == PostgreSQL:
		return &handle{dialect: pgTexts{&postgres{name: name}}, name: name, db: d.DB}, nil
	case d.DB != nil && d.Dialect == SQLite:
		return &handle{dialect: &sqlite{name: name}, name: name, db: d.DB}, nil
	case d.DB != nil:
		return nil, fmt.Errorf("got a handle with the dialect %q, want %s or %s", d.Dialect, PostgreSQL, SQLite)
	case scheme == PostgreSQL, scheme == "postgresql":
		return openPostgres(name, d.Address)
	case scheme == SQLite:
		return openSQLite(name, rest)
	}
	return nil, errors.New("the address is not right; want postgres://USER@HOST/DATABASE or sqlite:FILE")
}

// Close closes the connections that no snapshot uses. Handles stay open.
func (s *Set) Close() {
	for _, db := range s.sources {
		if db.driver != nil {
			db.driver.close()
		}
	}
}

// Check returns an error if the database lacks a table or column of a query.
func (s *Set) Check(ctx context.Context, q *relation.Query) error {
	db, err := s.source(q.Database)
	if err != nil {
		return err
	}
	_, err = db.columnsOf(ctx, nil, q)
	return err
}

func (s *Set) source(name string) (*source, error) {
	if db := s.sources[name]; db != nil {
		if db.bad != nil {
			return nil, &relation.Error{Database: name, Code: "address", Message: db.bad.Error()}
		}
		return db, nil
	}
	return nil, &relation.Error{Database: name, Code: relation.Unknown,
		Message: fmt.Sprintf("it has no address; give one by --sql %s=ADDRESS or %s%s", name, Variable(name),
			spell.Hint(name, slices.Sorted(maps.Keys(s.sources))))}
}

// Variable is the environment variable with the address of a database.
func Variable(name string) string { return "MCPLOGIC_SQL_" + strings.ToUpper(name) }

func (s *source) columnsOf(ctx context.Context, open session, q *relation.Query) ([]*column, error) {
	tables := make([][]tableColumn, len(q.Tables))
	for i, name := range q.Tables {
		list, err := s.driver.columns(ctx, open, name)
		if err == nil && list == nil {
			err = &relation.Error{Database: s.name, Code: codeTable, Wrong: true, Message: "there is no table " + name}
		}
		if err != nil {
			return nil, err
		}
		tables[i] = list
	}
	var found []*column
	for _, c := range q.Columns {
		known, err := s.find(q.Tables[c.Table], c.Name, tables[c.Table])
		if err != nil {
			return nil, err
		}
		if isOwnType(known.kind, c.Type) {
			c.Type = ""
		}
		found = append(found, &column{tableColumn: *known, asked: c, table: q.Tables[c.Table]})
	}
	return found, nil
}

// absentOf returns the columns of the rows that must not exist.
func (s *source) absentOf(ctx context.Context, open session, q *relation.Query) (absent [][]*column, err error) {
	for _, a := range q.Absent {
		of := &relation.Query{Database: q.Database, Tables: a.Tables}
		for _, c := range a.Columns {
			c.Table -= a.Columns[0].Table
			of.Columns = append(of.Columns, c)
		}
		columns, err := s.columnsOf(ctx, open, of)
		if err != nil {
			return nil, err
		}
		for i, c := range columns {
			c.asked.Table = a.Columns[i].Table
		}
		absent = append(absent, columns)
	}
	return absent, nil
}

// find returns a column of a table.
func (s *source) find(table, name string, list []tableColumn) (*tableColumn, error) {
	var names []string
	for i := range list {
		if list[i].name == name {
			return &list[i], nil
		}
		names = append(names, list[i].name)
	}
	message := fmt.Sprintf("the table %s has no column %s; it has %s", table, name, strings.Join(names, ", "))
	if near := spell.Nearest(name, names); near != "" {
		message = fmt.Sprintf("the table %s has no column %s; did you mean %s?", table, name, near)
	}
	return nil, &relation.Error{Database: s.name, Code: codeColumn, Wrong: true, Message: message}
}

// plan returns how a query is put.
func (s *source) plan(ctx context.Context, open session, q *relation.Query, text string) (*plan, error) {
	s.mu.Lock()
	p := s.plans[text]
	s.mu.Unlock()
	if p != nil {
		return p, nil
	}
	columns, err := s.columnsOf(ctx, open, q)
	if err != nil {
		return nil, err
	}
	absent, err := s.absentOf(ctx, open, q)
	if err != nil {
		return nil, err
	}
	p = &plan{query: q, columns: columns, absent: absent, driver: s.driver, statements: map[string]*statement{},
		checked: time.Now()}
	for _, m := range q.Members {
		p.members = append(p.members, p.memberOf(m))
	}
	p.inexactFirst, p.why = p.notFirst() != "", p.refused()
	s.mu.Lock()
	defer s.mu.Unlock()
	keep(s.plans, text, p)
	return p, nil
}

// check verifies from time to time that the tables of a query still have the columns that its plan is made for. If they
// have changed, queries are planned anew.
func (s *source) check(ctx context.Context, open session, text string, trusted time.Duration) error {
	s.mu.Lock()
	p := s.plans[text]
	if trusted == 0 || p == nil || time.Since(p.checked) < trusted {
		s.mu.Unlock()
		return nil
	}
	p.checked = time.Now()
	s.mu.Unlock()
	isSame := func(a, b *column) bool { return a.tableColumn == b.tableColumn }
	columns, err := s.columnsOf(ctx, open, p.query)
	if err != nil {
		s.forget()
		return err
	}
	absent, err := s.absentOf(ctx, open, p.query)
	if err != nil || slices.EqualFunc(columns, p.columns, isSame) &&
		slices.EqualFunc(absent, p.absent, func(a, b []*column) bool { return slices.EqualFunc(a, b, isSame) }) {
		return err
	}
	s.forget()
	return nil
}

// maxKept bounds the entries kept by the texts of queries or the forms of their conditions: rules that are edited while
// they are served produce more and more of them.
const maxKept = 1000

// keep adds to a map, which it empties first if it is full: entries in use come back soon.
func keep[V any](m map[string]V, key string, v V) {
	if len(m) >= maxKept {
		clear(m)
	}
	m[key] = v
}

// Types implements relation.Typer.
func (s *Set) Types(ctx context.Context, q *relation.Query) (types []string, err error) {
	db, err := s.source(q.Database)
	if err != nil {
		return nil, err
	}
	columns, err := db.columnsOf(ctx, nil, q)
	for _, c := range columns {
		typ := map[kind]string{kindText: "atom", kindPadded: "atom", kindUUID: "atom",
			kindInteger: "integer", kindRowID: "integer", kindFloat: "float"}[c.kind]
		if c.kind == kindNumeric && c.asked.Type == "decimal" && c.modifier >= 0 {
			typ = fmt.Sprintf("decimal(%d)", c.modifier&0xffff)
		}
		types = append(types, typ)
	}
	return types, err
}

// Plan implements relation.Planner.
func (s *Set) Plan(ctx context.Context, q *relation.Query) (sql, refused string, err error) {
	db, err := s.source(q.Database)
	if err != nil {
		return "", "", err
	}
	p, err := db.plan(ctx, nil, q, q.Text())
	if err != nil {
		return "", "", err
	}
	if p.why != "" {
		return "", p.why, nil
	}
	forms := make([]byte, len(p.columns)+len(q.Tests))
	for i := range forms {
		forms[i] = byte(formNone)
		if i >= len(p.columns) {
			forms[i] = byte(formTest)
		}
	}
	filters, _ := p.filters(nil, forms)
	forms = append(forms, filters...)
	switch {
	case q.Total != nil:
		return p.totalStatement(forms).text, "", nil
	case q.Limited && !p.inexactFirst:
		return p.text(forms, p.selected(forms), askFirst, nil), "", nil
	}
	return p.text(forms, p.selected(forms), askRows, nil), "", nil
}

// forget drops the plans and sizes of tables after an error that a change of the tables may have caused.
func (s *source) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.plans)
}

// explained is an error of a question in the words of its query. The database itself names a missing table or column as
// the statement does, such as t0.name.
func (s *source) explained(ctx context.Context, open session, q *relation.Query, err error) error {
	var told, found *relation.Error
	if !errors.As(err, &told) || !told.Wrong {
		return err
	}
	if _, now := s.columnsOf(ctx, open, q); errors.As(now, &found) && found.Wrong {
		return now
	}
	if _, now := s.absentOf(ctx, open, q); errors.As(now, &found) && found.Wrong {
		return now
	}
	return err
}

// Begin returns the snapshot that one run sees.
func (s *Set) Begin(left time.Duration) relation.Snapshot {
	return &snapshot{set: s, left: left, sessions: map[string]session{}, queries: map[string]*relation.Query{},
		ahead: map[string]map[string]*relation.Rows{}, usages: map[string]*usage{}, recursions: map[string]int{}}
}

// snapshot is a transaction in each of the databases.
type snapshot struct {
	set      *Set
	left     time.Duration
	sessions map[string]session
	queries  map[string]*relation.Query // by their texts
	memory   memory
	ahead    map[string]map[string]*relation.Rows // the answers of blocks of a query
	key      []byte
	// usages has the usages of queries by their texts. seen are the rows that goals got last.
	usages map[string]*usage
	// recursions counts how often statements of recursions were put, by their texts.
	recursions map[string]int
	seen       []seenRows
	hold       func(bytes, all int) (ok bool)
}

var (
	_ relation.Holder = (*snapshot)(nil)
	_ relation.Keeper = (*snapshot)(nil)
)

// Kept implements relation.Keeper. It answers a question if the rows of its query have been fetched.
func (s *snapshot) Kept(text string, given []term.Term) (rows *relation.Rows, ok bool) {
	u := s.usages[text]
	if u == nil || u.kept == nil || u.plan == nil || u.plan.query.Total != nil && !u.plan.question(given).isPut() {
		return nil, false
	}
	u.note(given)
	return u.kept.answer(u.plan, given)
}

// Ask puts a query to its database, unless it has been put before.
func (s *snapshot) Ask(ctx context.Context, text string, given []term.Term) (*relation.Rows, relation.Rest, error) {
	if rows, ok := s.Kept(text, given); ok {
		return rows, nil, nil
	}
	s.key = appendKey(s.key[:0], text, given)
	if rows, ok := s.memory.find(s.key); ok {
		return rows, nil, nil
	}
	if rows, ok := s.ahead[text][string(s.key)]; ok {
		s.memory.keep(s.key, rows)
		return rows, nil, nil
	}
	db, p, err := s.planOf(ctx, text)
	if err != nil {
		return nil, nil, err
	}
	u := s.usageOf(text, given)
	u.plan = p
	ask := p.question(given)
	if !ask.isPut() {
		return p.unasked(ask), nil, nil
	}
	if rows, ok, err := s.severally(ctx, db, p, u, text, given); ok || err != nil {
		return rows, nil, err
	}
	u.statements++
	rows, rest, err := s.put(ctx, db, p, ask)
	if err != nil {
		return nil, nil, err
	}
	u.streamed += rows.Len()
	if p.query.Total != nil {
		rows = totalRow(rows, 0)
	}
	s.see(text, rows)
	if rest == nil {
		s.memory.keep(s.key, rows)
		return rows, nil, nil
	}
	return rows, &seenRest{rest, s, u, text}, nil
}

// planOf returns the database of a query, and how the query is put.
func (s *snapshot) planOf(ctx context.Context, text string) (*source, *plan, error) {
	q, first := s.queries[text], false
	if q == nil {
		var err error
		if q, err = relation.Parse(text); err != nil {
			return nil, nil, &relation.Error{Code: "query", Message: err.Error()}
		}
		s.queries[text], first = q, true
	}
	db, err := s.set.source(q.Database)
	if err != nil {
		return nil, nil, err
	}
	if first {
		if err := db.check(ctx, s.sessions[q.Database], text, s.set.ways.trusted); err != nil {
			return nil, nil, err
		}
	}
	p, err := db.plan(ctx, s.sessions[q.Database], q, text)
	if err == nil && p.why != "" { // the clauses that put the query are made for other columns
		err = &relation.Error{Database: db.name, Code: codeColumn, Wrong: true,
			Message: "a table has changed since the program was loaded: " + p.why}
	}
	return db, p, err
}

// put puts a question in the transaction of its database.
func (s *snapshot) put(ctx context.Context, db *source, p *plan, ask question) (*relation.Rows, relation.Rest, error) {
	open := s.session(db)
	relation.Count(ctx)
	rows, rest, err := open.ask(ctx, ask.st, ask.params)
	if err != nil {
		db.forget()
		return nil, nil, db.explained(ctx, open, p.query, err)
	}
	return rows, rest, nil
}

// session returns the transaction of a database.
func (s *snapshot) session(db *source) session {
	open := s.sessions[db.name]
	if open == nil {
		open = db.driver.begin(s.left)
		s.sessions[db.name] = open
	}
	return open
}

// Close ends the transactions.
func (s *snapshot) Close() {
	for _, open := range s.sessions {
		open.close()
	}
	clear(s.sessions)
}

// The most rows of a remembered answer, and about the most bytes of all remembered answers.
const (
	maxRemembered      = 256
	maxRememberedBytes = 4 << 20
)

// memory has the remembered answers of a snapshot.
type memory struct {
	answers map[string]*relation.Rows
	bytes   int
}

// find returns a remembered answer.
func (m *memory) find(key []byte) (rows *relation.Rows, ok bool) {
	rows, ok = m.answers[string(key)]
	return rows, ok
}

// keep remembers an answer if there is room.
func (m *memory) keep(key []byte, rows *relation.Rows) {
	const entry = 128 // beside key and rows
	size := entry + len(key) + rows.Bytes()
	if rows.Len() > maxRemembered || m.bytes+size > maxRememberedBytes {
		return
	}
	if m.answers == nil {
		m.answers = map[string]*relation.Rows{}
	}
	m.bytes += size
	m.answers[string(key)] = rows
}

// appendKey adds a query and its values to a key.
func appendKey(key []byte, text string, given []term.Term) []byte {
	key = append(key, text...)
	for _, v := range given {
		switch v := v.(type) {
		case nil:
			key = append(key, '_')
		case term.Int:
			key = strconv.AppendInt(append(key, 'i'), int64(v), 10)
		case term.Float:
			key = strconv.AppendFloat(append(key, 'f'), float64(v), 'g', -1, 64)
		case term.Atom:
			key = append(strconv.AppendInt(append(key, 'a'), int64(len(v)), 10), v...)
		case term.String:
			key = append(strconv.AppendInt(append(key, 's'), int64(len(v)), 10), v...)
		case *term.Big:
			key = append(append(key, 'b'), v.Int().String()...)
		case *term.Rational:
			key = append(append(key, 'r'), v.String()...)
		case *term.Compound:
			key = appendKey(append(key, 'c'), string(v.Functor)+" ", v.Args)
		}
		key = append(key, ' ')
	}
	return key
}

func integerTerm(text string) (term.Term, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return term.Int(n), true
	}
	if n, ok := new(big.Int).SetString(text, 10); ok {
		return term.NewInt(n), true
	}
	return nil, false
}

// numericTerm returns a decimal number as an integer, as a float if the float has the same digits, and otherwise as an
// atom. No digit is lost.
func numericTerm(text string) term.Term {
	if n, ok := integerTerm(text); ok {
		return n
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return term.Atom(text)
	case math.IsNaN(f) || math.IsInf(f, 0):
		return term.Float(f)
	}
	exact, ok := new(big.Rat).SetString(text)
	shown, shownOK := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	if ok && shownOK && exact.Cmp(shown) == 0 {
		return term.Float(f)
	}
	return term.Atom(text)
}

// bytesTerm returns bytes as base64.
func bytesTerm(data []byte) term.Term { return term.Atom(base64.StdEncoding.EncodeToString(data)) }

// as returns a value as a term of the type that facts/3 gives its column. A value that does not fit stays as it is.
func as(typ string, v term.Term) term.Term {
	switch typ {
	case "", "any", "number":
		return v
	}
	if v == term.Term(null) {
		return v
	}
	text, isText := term.Text(v)
	switch typ {
	case "string":
		if isText {
			return term.String(text)
		}
	case "atom":
		if isText {
			return term.Atom(text)
		}
		return term.Atom(numberText(v))
	case "float":
		if f, ok := floatOf(v); ok {
			return term.Float(f)
		}
	case "integer":
		if f, ok := v.(term.Float); ok && float64(f) == math.Trunc(float64(f)) {
			if n, acc := big.NewFloat(float64(f)).Int(nil); acc == big.Exact {
				return term.NewInt(n)
			}
		}
	case "boolean":
		return asBoolean(v, text)
	}
	return v
}

// asBoolean returns true or false for the values that represent them in databases without booleans.
func asBoolean(v term.Term, text string) term.Term {
	switch {
	case v == term.Term(term.Int(0)), strings.EqualFold(text, "false"):
		return term.False
	case v == term.Term(term.Int(1)), strings.EqualFold(text, "true"):
		return term.True
	}
	return v
}

// numberText is the text of a number, "" for other terms.
func numberText(v term.Term) string {
	switch v := v.(type) {
	case term.Int:
		return strconv.FormatInt(int64(v), 10)
	case *term.Big:
		return v.Int().String()
	case term.Float:
		return strconv.FormatFloat(float64(v), 'g', -1, 64)
	}
	return ""
}

func floatOf(v term.Term) (f float64, ok bool) {
	switch v := v.(type) {
	case term.Int:
		return float64(v), true
	case term.Float:
		return float64(v), true
	case *term.Big:
		f, _ = new(big.Float).SetInt(v.Int()).Float64()
		return f, true
	}
	return 0, false
}

func isNumberText(text string) bool {
	_, isText := numericTerm(text).(term.Atom)
	return !isText
}
