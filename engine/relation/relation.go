// Package relation describes the queries that programs put to tables in databases.
//
// A program has the rows of a table as a predicate. A call of the predicate puts a [Query], as text, with the values of
// the bound arguments. [Databases] answers queries. It gives each run a [Snapshot], in which all queries of the run see
// the same state. The engine uses only these interfaces; the embedding program brings the databases.
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

// Query asks for rows of tables. It is immutable.
type Query struct {
	Database string `json:"db"`
	// Tables are the tables to join. A name may begin with a schema, as in sales.orders.
	Tables []string `json:"from"`
	// Columns are the columns of an answer. An answer may have nil for a known value, that is, a value that is given or
	// equals that of an earlier column.
	Columns []Column `json:"columns"`
	// Equal are pairs of columns whose terms have to be equal. The answers may also include rows in which they differ.
	Equal [][2]int `json:"equal,omitempty"`
	// Tests compare columns with numbers, or with each other. In the values given in a question, the numbers follow the
	// columns. Answers may leave out rows for which a test is false, and no other rows.
	Tests []Test `json:"tests,omitempty"`
	// Members are columns whose terms have to be in lists. The answers may also include rows in which they are not.
	Members []Member `json:"members,omitempty"`
	// Filters are conditions that hold for all rows whose goals succeed or throw. Answers may leave out rows for which
	// a filter is false.
	Filters []Filter `json:"filters,omitempty"`
	// Absent are conditions that certain rows do not exist, or that they exist. All rows of the answers meet these
	// conditions.
	Absent []Absence `json:"absent,omitempty"`
	// Total, if it is not nil, is asked for instead of the rows. The answer is one row with the total. The value has
	// kind None if there are no rows to total. The answer has no row if the database cannot compute exactly the total
	// that the goals would have.
	Total *Total `json:"total,omitempty"`
	// Distinct says that the goals ignore repeated rows, so that answers may leave them out.
	Distinct bool `json:"distinct,omitempty"`
	// Order is the order of the answers, the most important column first: the standard order of their terms.
	Order []Order `json:"order,omitempty"`
	// Limited says that the goals look at a limited number of rows. The limit is the last of the values given in a
	// question, and may be missing.
	Limited bool `json:"limited,omitempty"`
}

// Total is a number computed from all rows for which the goals of a query hold.
type Total struct {
	Op     string `json:"op"`               // count, sum, max or min
	Column int    `json:"column,omitempty"` // an index of Query.Columns; unused for count
}

// Order is a column that answers are ordered by.
type Order struct {
	Column     int  `json:"column"` // in Query.Columns
	Descending bool `json:"descending,omitempty"`
}

// Filter is a condition that is weaker than a goal.
type Filter struct {
	// Op is "and", "or", an operator that compares expressions (<, <=, >, >=, =, <>), or an operator that compares a
	// column with a value. The latter are @<, @<=, @>, @>= in the standard order, ==, \==, and "prefix" and "within"
	// for texts that begin with the value or contain it.
	Op    string       `json:"op"`
	Of    []Filter     `json:"of,omitempty"`    // the conditions of "and" and "or"
	Sides []Expression `json:"sides,omitempty"` // the two sides of other operators
	// Tests are the tests of the query, from the first, that the goals make before.
	Tests int `json:"tests,omitempty"`
}

// Expression is one side of a filter: an operation with Op and Of, or one of Column, Given and Value.
type Expression struct {
	Op     string       `json:"op,omitempty"`     // +, -, *, / or mod
	Of     []Expression `json:"of,omitempty"`     // the two operands
	Column int          `json:"column,omitempty"` // in Query.Columns, counted from 1
	Given  int          `json:"given,omitempty"`  // the place of a value given in a question, counted from 1
	Value  *Constant    `json:"value,omitempty"`
}

// Absence is the condition that tables have no rows with certain values, or that they have some.
type Absence struct {
	Tables []string `json:"tables"`
	// Present says that such rows have to exist.
	Present bool `json:"present,omitempty"`
	// Columns are the columns of Tables, compared or not. Column.Table counts on from Query.Tables and the tables of
	// earlier absences.
	Columns []Column `json:"columns"`
	// Same has, for each of Columns, the equal column in Query.Columns, or -1. Values has the required value of each,
	// or nil.
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
	// Early says that the goals make the test before they ask the last table, or before they unify. A value that is not
	// a number is then an error even for a row that these steps would leave out.
	Early bool `json:"early,omitempty"`
	// Integers says that any value other than an integer is an error.
	Integers bool `json:"integers,omitempty"`
	// Standard says that terms are compared in the standard order, which is never an error.
	Standard bool `json:"standard,omitempty"`
}

// NotNull is the Op of a test that the term of a column is not the atom null. Such a test has no number.
const NotNull = "not null"

// Column is a column of a table.
type Column struct {
	Table int    `json:"table,omitempty"` // an index of Query.Tables
	Name  string `json:"name"`
	Type  string `json:"type,omitempty"` // the type of the terms, as in facts/3; "" for the database's
	// Unused says that the goals do not use the value, so that answers may have nil for it.
	Unused bool `json:"unused,omitempty"`
}

// Text returns the query as text, from which Parse makes the same query.
func (q *Query) Text() string {
	text, err := json.Marshal(q)
	if err != nil {
		panic(err) // only strings and numbers, so there is no error
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
	// Check returns an error if a table or column of a query does not exist. If the error is an [*Error] with Wrong
	// set, the query has a mistake; other errors may be temporary.
	Check(ctx context.Context, q *Query) error
	// Begin returns the snapshot of one run, without connecting to a database. No query may take longer than left; 0:
	// no limit.
	Begin(left time.Duration) Snapshot
}

// Planner is implemented by Databases that can tell which queries they answer well.
type Planner interface {
	// Plan says how a query will be put: the statement of a question without values. A query of several tables, or with
	// tests, a total or an order, may be refused because no single statement answers it well and exactly. refused is
	// then the reason, and there is no statement.
	Plan(ctx context.Context, q *Query) (statement, refused string, err error)
}

// Typer is implemented by Databases that know the types of the terms of columns.
type Typer interface {
	// Types returns, for each column of a query, the type of all its terms other than null: atom, integer or float, or
	// "" for other types. For a column whose Type is decimal it returns decimal(N) if the numbers have N places.
	Types(ctx context.Context, q *Query) ([]string, error)
}

// Estimator is implemented by Databases that can estimate the cost of queries.
type Estimator interface {
	// Rows estimates the rows of a table by the statistics of the database. It returns -1 if there are none.
	Rows(ctx context.Context, database, table string) (int, error)
	// Statements returns the greatest number of statements for a query that is put again and again with other values.
	// rows is the size of its largest table.
	Statements(q *Query, rows int) int
}

// Copy is a table whose rows a program holds as facts.
type Copy struct {
	Query *Query
	// Column names a column whose value grows whenever its row changes. "": there is no such column.
	Column string
	// Every is how often the table is compared with the copy.
	Every time.Duration
	// Version is the version of the copied rows.
	Version string
}

// Copier is implemented by Databases that can tell whether a table has changed since it was copied.
type Copier interface {
	// Version returns a text that changes with the rows of the table. It contains the number of rows and the greatest
	// value of Column or, if there is no Column, the [Sum] of all rows.
	Version(ctx context.Context, c *Copy) (string, error)
}

// All asks for all rows of a query without tests, and calls each with some rows at a time. The rows are valid only
// during the call.
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

// Snapshot is the state of the databases that one run sees. One goroutine at a time may use it.
type Snapshot interface {
	// Ask puts a query, given as its text. given has a term for each column whose value is known, and nil for others.
	// The answers include all rows that have these values, and perhaps more. rest is nil if rows has all of them. The
	// caller must not change the rows.
	Ask(ctx context.Context, text string, given []term.Term) (rows *Rows, rest Rest, err error)
	// Ahead announces that Ask will be called with a query and several values, so that a snapshot may get their answers
	// together. The answers of Ask are the same without it. ok is false if the answers have too many rows for that.
	Ahead(ctx context.Context, text string, given [][]term.Term) (ok bool, err error)
	// Close ends the snapshot. It may be called when a query has failed, and again.
	Close()
}

// Keeper is implemented by Snapshots that keep answers to some questions in memory.
type Keeper interface {
	// Kept returns the answer of Ask if Ask has it without asking a database. Otherwise ok is false.
	Kept(text string, given []term.Term) (rows *Rows, ok bool)
}

// Holder is implemented by Snapshots that keep rows in memory that counts as the run's.
type Holder interface {
	// HoldBy sets the function that takes memory from the run, or returns it if bytes is negative. all is the total of
	// bytes that the rows of the query then take. ok is false if the run has too little memory.
	HoldBy(hold func(bytes, all int) (ok bool))
}

// counterKey is the key of a counter in a context.
type counterKey struct{}

// Counted returns a context. Statements that snapshots put to databases under it are counted.
func Counted(ctx context.Context, statements *atomic.Int64) context.Context {
	return context.WithValue(ctx, counterKey{}, statements)
}

// Count counts a statement if the context comes from Counted.
func Count(ctx context.Context) {
	if statements, ok := ctx.Value(counterKey{}).(*atomic.Int64); ok {
		statements.Add(1)
	}
}

// Rest is the rest of the rows of a query.
type Rest interface {
	// Fetch replaces the contents of rows by the next rows. If more is false, these are the last rows, and the rest is
	// closed.
	Fetch(ctx context.Context, rows *Rows) (more bool, err error)
	// Close drops the rows that have not been fetched.
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

// Unknown is the code of an Error about a database without an address. Stopped is the code of an Error about a query
// that the database has ended because it took too long.
const (
	Unknown = "unknown"
	Stopped = "57014"
)

// Error returns the message with the name of the database.
func (e *Error) Error() string { return fmt.Sprintf("database %s: %s", e.Database, e.Message) }

// This part defines conditions of queries with constants.

// Member is a column whose term has to be in a list.
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

// NewConstant returns an atom, a string, an integer or a float as a constant. ok is false for other terms and for
// floats that are not numbers.
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

// Term returns the term of a constant.
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

// This part defines the rows that databases and data files return. Most values are numbers and texts. They are stored
// without a Go term for each, so that a million rows take few allocations. The engine makes its own terms from them.

// Rows are rows of the same width. The zero value has no rows; Reset sets the width.
type Rows struct {
	width  int
	count  int
	values []Value
	texts  []byte      // while rows are added
	sealed string      // all texts, after Seal
	terms  []term.Term // values of other kinds
}

// Value is a value of a row. The zero value stands for a known or unused value.
type Value struct {
	Kind Kind
	size uint32
	bits uint64
}

// Kind is the kind of a value.
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

// Reset removes all rows and sets the width of the next ones. The memory is reused.
func (r *Rows) Reset(width int) {
	clear(r.terms)
	*r = Rows{width: width, values: r.values[:0], texts: r.texts[:0], terms: r.terms[:0]}
}

// Reserve makes room for an expected number of rows and bytes of text, so that adding them does not copy earlier ones.
func (r *Rows) Reserve(rows, bytes int) {
	if n := rows * r.width; n > cap(r.values) {
		r.values = make([]Value, 0, n)
	}
	if bytes > cap(r.texts) {
		r.texts = make([]byte, 0, bytes)
	}
}

// Add adds a row. The caller sets its values before it adds the next row.
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

// Copy adds row i of other rows, which are sealed.
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

// Seal ends the adding of rows. After Seal they can be read.
func (r *Rows) Seal() { r.sealed = string(r.texts) }

// Finish is Seal for rows that are kept: no more rows will be added.
func (r *Rows) Finish() {
	r.Seal()
	r.texts = nil
}

// Pick returns some of the rows. They share texts and terms with the original rows, which are sealed.
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

// TermOf returns a value as a term, or nil for kind None.
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

// Sum is the sum of the SHA-256 hashes of rows. It does not depend on the order of the rows.
type Sum struct {
	sum   [4]uint64
	bytes []byte // of the current row
}

// Add adds rows, which are sealed.
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
	for ; ok; c, ok = t.(*term.Compound) { // long lists nest deeply
		s.bytes = fmt.Appendf(s.bytes, "%q(%d", c.Functor, len(c.Args))
		last := len(c.Args) - 1
		for _, arg := range c.Args[:last] {
			s.add(arg)
		}
		t = c.Args[last]
	}
	s.bytes = fmt.Appendf(s.bytes, "%T %q", t, fmt.Sprint(t))
}

// Text returns the sum in hexadecimal digits.
func (s *Sum) Text() string { return fmt.Sprintf("%016x", s.sum) }

// Bytes estimates the memory that the rows take.
func (r *Rows) Bytes() int {
	const value, other = 16, 1 << 10 // for a JSON value or an array
	return value*len(r.values) + 2*len(r.texts) + other*len(r.terms)
}
