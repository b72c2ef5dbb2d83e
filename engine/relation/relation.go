// Package relation describes what programs ask of tables in databases.
//
// A program has the rows of a table as a predicate. Each call of it is a [Query], as text, with the values of the
// arguments that are bound. [Databases] answers queries. It gives each run a [Snapshot], in which all queries of the
// run see the same state. The engine knows these interfaces alone: who embeds it brings the databases.
package relation

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
)

// Query asks for rows. It is immutable.
type Query struct {
	Database string `json:"db"`
	// Tables are joined. The text of a name may have a schema in front, as in sales.orders.
	Tables []string `json:"from"`
	// Columns are those of an answer. It may have nil for a value that is known: one that is given, or equal to that of a
	// column before.
	Columns []Column `json:"columns"`
	// Equal are pairs of columns whose terms are to be equal. Rows in which they are not may be among the answers too.
	Equal [][2]int `json:"equal,omitempty"`
	// Tests compare columns with numbers, or with each other. The values given in a question have those numbers behind the
	// columns. Rows for which a test is false, and only those, may be missing from the answers.
	Tests []Test `json:"tests,omitempty"`
	// Members have columns whose terms are to be in lists. Rows in which they are not may be among the answers too.
	Members []Member `json:"members,omitempty"`
	// Filters may leave out rows for which they are false. They are true for all rows whose goals hold or are an error.
	Filters []Filter `json:"filters,omitempty"`
	// Absent are rows that must not be there, or must be there. The answers have no row for which that is otherwise.
	Absent []Absence `json:"absent,omitempty"`
	// Total, if there is one, is asked for instead of the rows. The answer is one row with it: a value of kind None if it
	// is that of no rows. There is no row if the database cannot tell exactly what the goals would come to.
	Total *Total `json:"total,omitempty"`
	// Distinct says that a row is not looked at twice, so that answers may leave out repeated ones.
	Distinct bool `json:"distinct,omitempty"`
	// Order is the order of the answers, the most important column first: the standard order of their terms.
	Order []Order `json:"order,omitempty"`
	// Limited says that no more rows are looked at than a number that stands behind the other values given in a question,
	// if there is one.
	Limited bool `json:"limited,omitempty"`
}

// Total is a number about all rows that the goals of a query have.
type Total struct {
	Op     string `json:"op"`               // count, sum, max or min
	Column int    `json:"column,omitempty"` // in Query.Columns; not of count
}

// Order is a column that answers are ordered by.
type Order struct {
	Column     int  `json:"column"` // in Query.Columns
	Descending bool `json:"descending,omitempty"`
}

// Filter is a condition that is weaker than a goal.
type Filter struct {
	// Op is and, or, an operator that compares expressions (<, <=, >, >=, =, <>), or one that compares a column with a
	// value: @<, @<=, @>, @>= in the standard order, ==, \==, or prefix and within for texts that begin with it or have
	// it.
	Op    string       `json:"op"`
	Of    []Filter     `json:"of,omitempty"`    // of and, or
	Sides []Expression `json:"sides,omitempty"` // of others, two
	// Tests are the tests of the query, from the first, that the goals make before.
	Tests int `json:"tests,omitempty"`
}

// Expression is what a filter compares. One of its fields says what it is.
type Expression struct {
	Op     string       `json:"op,omitempty"`     // +, -, *, / or mod
	Of     []Expression `json:"of,omitempty"`     // the two operands
	Column int          `json:"column,omitempty"` // in Query.Columns, counted from 1
	Given  int          `json:"given,omitempty"`  // the place of a value that is given in a question, counted from 1
	Value  *Constant    `json:"value,omitempty"`
}

// Absence is that tables have no rows of certain values, or that they have some.
type Absence struct {
	Tables []string `json:"tables"`
	// Present says that there have to be rows.
	Present bool `json:"present,omitempty"`
	// Columns are those that are compared, and others. The Table of the first is the number of Query.Tables plus that of
	// the tables of the absences before.
	Columns []Column `json:"columns"`
	// Same has for each of them a place in Query.Columns, or -1; Values has its value, or nil.
	Same   []int       `json:"same"`
	Values []*Constant `json:"values"`
	// Equal are pairs of Columns whose terms are equal.
	Equal [][2]int     `json:"equal,omitempty"`
	Tests []AbsentTest `json:"tests,omitempty"`
}

// AbsentTest compares a column of an absence with an integer or a column of the query.
type AbsentTest struct {
	Column int    `json:"column"` // in Absence.Columns
	Op     string `json:"op"`     // <, <=, >, >=, = or <>
	Same   int    `json:"same"`   // a place in Query.Columns, or -1
	Number int64  `json:"number"`
}

// Test compares a column with a number, or with another column.
type Test struct {
	Column int    `json:"column"` // in Query.Columns
	Op     string `json:"op"`     // <, <=, >, >=, = or NotNull
	// Other is the column to compare with, counted from 1, or 0 if it is a number.
	Other int `json:"other,omitempty"`
	// Early says that the goals compare before they ask the last table, or unify, so that a value that is no number would
	// be an error also where that leaves no row.
	Early bool `json:"early,omitempty"`
	// Integers says that anything but integers is an error.
	Integers bool `json:"integers,omitempty"`
	// Standard says that terms are compared in the standard order, which is never an error.
	Standard bool `json:"standard,omitempty"`
}

// NotNull is the Op of a test that the term of a column is not the atom null. There is no number then.
const NotNull = "not null"

// Column is a column of a table.
type Column struct {
	Table int    `json:"table,omitempty"` // in Query.Tables, from 0
	Name  string `json:"name"`
	Type  string `json:"type,omitempty"` // of the terms, as in facts/3; "" for that of the database
	// Unused says that nobody looks at the value, so that answers may have nil for it.
	Unused bool `json:"unused,omitempty"`
}

// Text returns the query as text, from which Parse makes the same query.
func (q *Query) Text() string {
	text, err := json.Marshal(q)
	if err != nil {
		panic(err) // strings and numbers alone
	}
	return string(text)
}

// Parse reads the text of a query.
func Parse(text string) (*Query, error) {
	q := &Query{}
	return q, json.Unmarshal([]byte(text), q)
}

// Databases has databases by their names. Any goroutine may use it.
type Databases interface {
	// Check asks whether the tables and columns of a query are there. An [*Error] whose Wrong is set is a mistake in
	// the query; other errors may go away.
	Check(ctx context.Context, q *Query) error
	// Begin returns what one run sees. It connects to nothing. No query may take longer than left; 0: no limit.
	Begin(left time.Duration) Snapshot
}

// Planner is what Databases may be, too: it says which queries are worth while.
type Planner interface {
	// Plan says how a query will be put: the statement of a question without values. refused says why a query of several
	// tables, with tests, a total or an order would not be put as one statement that the database can do well, and
	// exactly; then there is none.
	Plan(ctx context.Context, q *Query) (statement, refused string, err error)
}

// Typer is what Databases may be, too: it says of which types the terms of columns are.
type Typer interface {
	// Types returns for each column of a query the type that all its terms have but null: atom, integer or float, "" for
	// any other. A column whose Type is decimal has decimal(N) if its numbers have N places.
	Types(ctx context.Context, q *Query) ([]string, error)
}

// Estimator is what Databases may be, too: it says how many rows tables have.
type Estimator interface {
	// Rows returns about how many rows a table has, by the statistics of the database; -1 if it has none.
	Rows(ctx context.Context, database, table string) (int, error)
	// Statements returns how many statements a query takes at most that is put again and again with other values, if its
	// largest table has so many rows.
	Statements(q *Query, rows int) int
}

// Copy is a table whose rows a program holds as facts.
type Copy struct {
	Query *Query
	// Column has a value for each row that grows whenever the row changes. "": there is none.
	Column string
	// Every is how often the table is compared with the copy.
	Every time.Duration
	// Version is that of the rows.
	Version string
}

// Copier is what Databases may be, too: it says whether a table has other rows than a copy.
type Copier interface {
	// Version returns a text that differs if the rows do: of the number of rows and the greatest value of the Column, or
	// the [Sum] of all rows if there is no Column.
	Version(ctx context.Context, c *Copy) (string, error)
}

// All asks for all rows of a query without tests, and has each look at some of them, which may change afterwards.
func All(ctx context.Context, of Snapshot, q *Query, each func(rows *Rows)) error {
	rows, rest, err := of.Ask(ctx, q.Text(), make([]term.Term, len(q.Columns)))
	if err != nil {
		return err
	}
	each(rows)
	if rest == nil {
		return nil
	}
	rows = &Rows{}
	for more := true; more; {
		rows.Reset(len(q.Columns))
		if more, err = rest.Fetch(ctx, rows); err != nil {
			return err
		}
		each(rows)
	}
	return nil
}

// Snapshot is what one run sees of the databases. It belongs to one goroutine at a time.
type Snapshot interface {
	// Ask puts a query, given as its text. given has a term for each column whose value is known, and nil for others.
	// The answers include all rows that have these values, and perhaps more. rest is nil if rows has them all. Nobody
	// may change the rows.
	Ask(ctx context.Context, text string, given []term.Term) (rows *Rows, rest Rest, err error)
	// Ahead says that Ask will be asked a query for several values. What Ask answers does not depend on it; a snapshot may
	// get the answers of all together. ok is false if they have too many rows for that.
	Ahead(ctx context.Context, text string, given [][]term.Term) (ok bool, err error)
	// Close ends the snapshot. It may be called when a query has failed, and again.
	Close()
}

// Keeper is what a Snapshot may be, too: it has the answers to some questions in memory.
type Keeper interface {
	// Kept is what Ask would answer without asking a database. ok is false if it would ask one, or may.
	Kept(text string, given []term.Term) (rows *Rows, ok bool)
}

// Holder is what a Snapshot may be, too: it keeps rows in memory that the run holds.
type Holder interface {
	// HoldBy gives the function that takes memory from the run, and gives it back if bytes is negative. all is how many
	// bytes the rows of the query take then. ok is false if the run has too little.
	HoldBy(hold func(bytes, all int) (ok bool))
}

// counterKey is the key of a counter in a context.
type counterKey struct{}

// Counted returns a context that has the statements counted which snapshots put to databases for it.
func Counted(ctx context.Context, statements *atomic.Int64) context.Context {
	return context.WithValue(ctx, counterKey{}, statements)
}

// Count counts a statement, if the context has that done.
func Count(ctx context.Context) {
	if statements, ok := ctx.Value(counterKey{}).(*atomic.Int64); ok {
		statements.Add(1)
	}
}

// Rest is the rest of the rows of a query.
type Rest interface {
	// Fetch puts the next rows in the place of others. When more is false there are none behind them, and the rest is
	// closed.
	Fetch(ctx context.Context, rows *Rows) (more bool, err error)
	// Close gives up the rows that have not been fetched.
	Close()
}

// Error is the error of a database.
type Error struct {
	Database string
	// Code is an SQLSTATE or a word such as unknown, connection, closed.
	Code string
	// Message holds no credentials.
	Message string
	// Wrong says that the query is at fault: a table or column that does not exist, or a type that does not fit.
	Wrong bool
}

// Unknown is the code of an Error about a database that has not been named, Stopped that of a query that the database
// has ended because it took too long.
const (
	Unknown = "unknown"
	Stopped = "57014"
)

// Error is the message with the name of the database.
func (e *Error) Error() string { return fmt.Sprintf("database %s: %s", e.Database, e.Message) }

// This part defines conditions of queries that have constants.

// Member is a column whose term is one of a list.
type Member struct {
	Column int        `json:"column"` // in Query.Columns
	Values []Constant `json:"values"`
	// Tests are the tests of the query, from the first, that the goals make before.
	Tests int `json:"tests,omitempty"`
}

// Constant is an atomic term as text.
type Constant struct {
	Kind string `json:"kind"` // atom, string, integer or float
	Text string `json:"text"`
}

// NewConstant returns an atom, a string, an integer or a float that is a number as a constant.
func NewConstant(t term.Term) (c Constant, ok bool) {
	switch t := t.(type) {
	case term.Atom:
		return Constant{"atom", string(t)}, utf8.ValidString(string(t))
	case term.String:
		return Constant{"string", string(t)}, utf8.ValidString(string(t))
	case term.Int:
		return Constant{"integer", strconv.FormatInt(int64(t), 10)}, true
	case *term.Big:
		return Constant{"integer", t.Int().String()}, true
	case term.Float:
		f := float64(t)
		return Constant{"float", strconv.FormatFloat(f, 'g', -1, 64)}, !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	return Constant{}, false
}

// Term is the term of a constant.
func (c Constant) Term() term.Term {
	switch c.Kind {
	case "string":
		return term.String(c.Text)
	case "integer":
		if n, ok := new(big.Int).SetString(c.Text, 10); ok {
			return term.NewInt(n)
		}
	case "float":
		if f, err := strconv.ParseFloat(c.Text, 64); err == nil {
			return term.Float(f)
		}
	}
	return term.Atom(c.Text)
}

// This part defines rows as databases and data files give them. Most values are numbers and texts. They stand in a row
// without a Go term for each, so that a million rows are few allocations, and the engine makes its own terms of them.

// Rows are rows of one width. The zero value has none; Reset says how wide they are.
type Rows struct {
	width  int
	count  int
	values []Value
	texts  []byte      // while rows are added
	sealed string      // the texts, once they all are there
	terms  []term.Term // values of other kinds
}

// Value is a value of a row. The zero value is one that is known, or that nobody wants.
type Value struct {
	Kind Kind
	size uint32
	bits uint64
}

// Kind says what a value is.
type Kind uint8

// The kinds of values.
const (
	None   Kind = iota
	Int         // see Value.Int
	Float       // see Value.Float
	Atom        // see Rows.Text
	String      // see Rows.Text
	Other       // see Rows.Term
)

// OfInt returns an integer.
func OfInt(n int64) Value { return Value{Kind: Int, bits: uint64(n)} }

// OfFloat returns a float.
func OfFloat(f float64) Value { return Value{Kind: Float, bits: math.Float64bits(f)} }

// Int is the number of an integer.
func (v Value) Int() int64 { return int64(v.bits) }

// Float is the number of a float.
func (v Value) Float() float64 { return math.Float64frombits(v.bits) }

// Reset takes all rows away and sets how wide the next ones are. The memory is used again.
func (r *Rows) Reset(width int) {
	clear(r.terms)
	*r = Rows{width: width, values: r.values[:0], texts: r.texts[:0], terms: r.terms[:0]}
}

// Reserve makes room for rows and for bytes of text that are expected, so that adding them copies nothing.
func (r *Rows) Reserve(rows, bytes int) {
	if n := rows * r.width; n > cap(r.values) {
		r.values = make([]Value, 0, n)
	}
	if bytes > cap(r.texts) {
		r.texts = make([]byte, 0, bytes)
	}
}

// Add adds a row, whose values are to be filled in before the next one is added.
func (r *Rows) Add() []Value {
	n := len(r.values)
	r.count++
	if n+r.width <= cap(r.values) {
		r.values = r.values[:n+r.width]
		clear(r.values[n:])
		return r.values[n:]
	}
	r.values = append(r.values, make([]Value, r.width)...)
	return r.values[n:]
}

// OfText returns a text as a value of kind Atom or String.
func (r *Rows) OfText(kind Kind, text []byte) Value {
	at := len(r.texts)
	r.texts = append(r.texts, text...)
	return Value{Kind: kind, size: uint32(len(text)), bits: uint64(at)}
}

// OfTerm returns a ground term as a value.
func (r *Rows) OfTerm(t term.Term) Value {
	switch t := t.(type) {
	case term.Int:
		return OfInt(int64(t))
	case term.Float:
		return OfFloat(float64(t))
	case term.Atom:
		return r.OfText(Atom, []byte(t))
	case term.String:
		return r.OfText(String, []byte(t))
	}
	r.terms = append(r.terms, t)
	return Value{Kind: Other, bits: uint64(len(r.terms) - 1)}
}

// Copy adds row i of other rows, which can be read.
func (r *Rows) Copy(from *Rows, i int) {
	row := r.Add()
	for j, v := range from.Row(i) {
		switch v.Kind {
		case Atom, String:
			v = r.OfText(v.Kind, []byte(from.Text(v)))
		case Other:
			v = r.OfTerm(from.Term(v))
		}
		row[j] = v
	}
}

// Seal ends the adding of rows: from then on they can be read.
func (r *Rows) Seal() { r.sealed = string(r.texts) }

// Finish is Seal for rows that are kept: no rows will be added any more.
func (r *Rows) Finish() {
	r.Seal()
	r.texts = nil
}

// Pick returns some of the rows, which share the texts and terms. All rows are there.
func (r *Rows) Pick(list []int32) *Rows {
	made := &Rows{width: r.width, count: len(list), sealed: r.sealed, terms: r.terms}
	if len(list) == 1 {
		made.values = slices.Clip(r.Row(int(list[0])))
		return made
	}
	made.values = make([]Value, 0, len(list)*r.width)
	for _, i := range list {
		made.values = append(made.values, r.Row(int(i))...)
	}
	return made
}

// Len is the number of rows.
func (r *Rows) Len() int { return r.count }

// Row returns the values of row i.
func (r *Rows) Row(i int) []Value { return r.values[i*r.width : (i+1)*r.width] }

// Text is the text of an atom or a string.
func (r *Rows) Text(v Value) string { return r.sealed[v.bits : v.bits+uint64(v.size)] }

// Unsealed is the text of an atom or a string, also while rows are being added. Reset overwrites it.
func (r *Rows) Unsealed(v Value) []byte {
	if r.texts == nil {
		return []byte(r.Text(v))
	}
	return r.texts[v.bits : v.bits+uint64(v.size)]
}

// Term is a value of kind Other.
func (r *Rows) Term(v Value) term.Term { return r.terms[v.bits] }

// TermOf returns a value as a term, nil for one of kind None.
func (r *Rows) TermOf(v Value) term.Term {
	switch v.Kind {
	case Int:
		return term.Int(v.Int())
	case Float:
		return term.Float(v.Float())
	case Atom:
		return term.Atom(r.Text(v))
	case String:
		return term.String(r.Text(v))
	case Other:
		return r.Term(v)
	}
	return nil
}

// Sum is the sum of the hashes of rows, by SHA-256. It does not depend on the order of the rows.
type Sum struct {
	sum   [4]uint64
	bytes []byte // of the row
}

// Add adds rows, which can be read.
func (s *Sum) Add(r *Rows) {
	for i := range r.Len() {
		s.bytes = s.bytes[:0]
		for _, v := range r.Row(i) {
			switch s.bytes = append(s.bytes, byte(v.Kind)); v.Kind {
			case Atom, String:
				s.bytes = append(binary.AppendUvarint(s.bytes, uint64(v.size)), r.Text(v)...)
			case Other:
				s.add(r.Term(v))
			default:
				s.bytes = binary.AppendUvarint(s.bytes, v.bits)
			}
		}
		hash := sha256.Sum256(s.bytes)
		for j := range s.sum {
			s.sum[j] += binary.LittleEndian.Uint64(hash[8*j:])
		}
	}
}

// add adds a ground term to the bytes of a row.
func (s *Sum) add(t term.Term) {
	c, ok := t.(*term.Compound)
	for ; ok; c, ok = t.(*term.Compound) { // a list is as deep as it is long
		s.bytes = fmt.Appendf(s.bytes, "%q(%d", c.Functor, len(c.Args))
		last := len(c.Args) - 1
		for _, arg := range c.Args[:last] {
			s.add(arg)
		}
		t = c.Args[last]
	}
	s.bytes = fmt.Appendf(s.bytes, "%T %q", t, fmt.Sprint(t))
}

// Text is the sum as hexadecimal digits.
func (s *Sum) Text() string { return fmt.Sprintf("%016x", s.sum) }

// Bytes is about how much memory the rows take.
func (r *Rows) Bytes() int {
	const value, other = 16, 1 << 10 // a value of JSON or an array
	return value*len(r.values) + 2*len(r.texts) + other*len(r.terms)
}
