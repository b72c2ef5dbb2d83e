// Package tables has decision tables as values: read from the grids of CSV, TSV and XLSX files, compiled to
// clauses, searched for overlaps and gaps, and written back.
//
// [Read] makes a [Table] of a grid. [Table.Clauses] makes the clauses of its predicate, whose arguments are the columns
// in their order. [Table.Check] finds rows that overlap and inputs that no row is for. The package knows terms and
// cells, but no program.
package tables

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/feel"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines tables and their hit policies, and the kinds of columns.

// Policy says which rows of those that hold give the result.
type Policy string

// Policies are the hit policies, by the names that the option hit(P) has for them, with their letters in DMN.
var Policies = []struct {
	Policy Policy
	Letter string
	// Several says that there may be several answers.
	Several bool
}{
	{"unique", "U", false}, {"any", "A", false}, {"priority", "P", false}, {"first", "F", false},
	{"output_order", "O", true}, {"rule_order", "R", true}, {"collect", "C", true}, {"sum", "C+", false},
	{"min", "C<", false}, {"max", "C>", false}, {"count", "C#", false},
}

// PolicyNamed returns the policy of a name or a letter.
func PolicyNamed(name string) (p Policy, several, ok bool) {
	for _, known := range Policies {
		if name == string(known.Policy) || name == known.Letter {
			return known.Policy, known.Several, true
		}
	}
	return "", false, false
}

// Table is a decision table.
type Table struct {
	// Name is that of the predicate, with its arity, or of a decision of a model.
	Name string
	// File is where the table stands, Module that of its predicate.
	File, Module string
	Hit          Policy
	// Said is the policy that a model has in place of Hit, "" elsewhere.
	Said Policy
	// Columns are the inputs and outputs, in the order of the arguments.
	Columns []Column
	// Times are the columns that say when a row is in force. They are no arguments.
	Times []Column
	Rows  []Row
	// Searched is the table as one that can be searched for overlaps and gaps, nil if this one can. Partial says that
	// inputs without a row have a result.
	Searched *Table
	Partial  bool
	// Single says that each row is one clause, as coverage wants it.
	Single bool
}

// Column is an input or an output.
type Column struct {
	Name   string
	Output bool
	// Type is that of mode/2. It is known when the table has been read.
	Type term.Term
	// Kind says how cells are read.
	Kind Kind
	// Texts are strings, and not atoms.
	Strings bool
	// Loose says that values of other types may come too.
	Loose bool
	At    Place
	index int // of the column in the grid
	// low and high bound the dates that are searched for overlaps and gaps, nil for no bound.
	low, high *big.Rat
	// texted is a cell that makes a text of each cell.
	texted string
	// needed says that a call has to give a value. values are the values of a type that lists its values.
	needed bool
	values []term.Term
	v      *term.Var
}

// Kind is the kind of values that a column has.
type Kind string

// The kinds. The other ones are the types of package values: date, time, datetime and duration.
const (
	Number  Kind = "number"
	Text    Kind = "text"
	Boolean Kind = "boolean"
	Anyhow  Kind = "any"
)

// Place is the place of a cell: its name in a spreadsheet, and that in the file.
type Place struct {
	Cell string // such as B3
	syntax.Place
}

// Row is a row of the table.
type Row struct {
	At    Place
	Cells []Cell
	Note  string
	// Times are the cells that say when the row is in force, Valid the first day and the first one behind, null for an
	// open end.
	Times []Cell
	Valid [2]term.Term
}

// Cell is a cell of a row.
type Cell struct {
	Text  string
	At    Place
	Tests feel.Tests // of an input
	// Value is that of an output: a constant, or an expression of FEEL.
	Value term.Term
}

// Mistake is what is wrong with a table or one of its cells.
type Mistake struct {
	At      Place
	Message string
}

// Error is the message, with the name of the cell.
func (m *Mistake) Error() string {
	if m.At.Cell == "" {
		return m.Message
	}
	return "cell " + m.At.Cell + ": " + m.Message
}

func mistake(at Place, format string, args ...any) *Mistake {
	return &Mistake{at, fmt.Sprintf(format, args...)}
}

// cellName is the name of a cell; both numbers count from 0.
func cellName(row, column int) string {
	letters := ""
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		letters = string(rune('A'+(n-1)%26)) + letters
	}
	return fmt.Sprint(letters, row+1)
}

// kindOf returns the kind of a type of mode/2, and the values that it lists.
func kindOf(t term.Term) (k Kind, listed []term.Term) {
	if v, ok := values.Of(t); ok && v.Name != "decimal" {
		return Kind(v.Name), nil
	}
	name, _, _ := term.Indicator(t)
	args := []term.Term{}
	if c, ok := t.(*term.Compound); ok {
		args = c.Args
	}
	switch name {
	case "integer", "positive_integer", "non_negative_integer", "negative_integer", "byte", "float", "number", "rational",
		"decimal", "between":
		return Number, nil
	case "boolean":
		return Boolean, nil
	case "maybe":
		return kindOf(args[0])
	case "oneof", "one_of":
		listed, _ = term.Slice(args[len(args)-1])
		if len(listed) > 0 && !slices.ContainsFunc(listed, func(v term.Term) bool { _, ok := feel.Rat(v); return !ok }) {
			return Number, listed
		}
		return Text, listed
	case "list", "non_empty_list", "object", "compound", "dict", "types", "any", "nonvar", "term":
		return Anyhow, nil
	}
	return Text, nil
}

// setType gives a column its type.
func (c *Column) setType(t term.Term) {
	c.Type = t
	c.Kind, _ = kindOf(t)
	c.Strings = t == term.Term(term.Atom("string"))
}

// text makes the term of a text.
func (c *Column) text(s string) term.Term {
	if c.Strings {
		return term.String(s)
	}
	return term.Atom(s)
}

// fits reports whether a constant is a value of a column. The end of a range need not be: it has its kind.
func (c *Column) fits(t term.Term, end bool) bool {
	if t == term.Term(term.Atom("null")) {
		return true
	}
	if _, listed := kindOf(c.Type); listed != nil {
		return slices.ContainsFunc(listed, func(v term.Term) bool { return term.Equal(v, t) })
	}
	number, isNumber := feel.Rat(t)
	_, isText := term.Text(t)
	isBoolean := t == term.Term(term.True) || t == term.Term(term.Atom("false"))
	switch c.Kind {
	case Anyhow:
		return true
	case Number:
		whole, low, high := domain(c)
		return isNumber && (end || !(whole && !number.IsInt() || low != nil && number.Cmp(low) < 0 ||
			high != nil && number.Cmp(high) > 0))
	case Text:
		return isText
	case Boolean:
		return isBoolean
	}
	name, _, _ := term.Indicator(t)
	return string(name) == string(c.Kind)
}

// CellTexts says what stands in the cells of a row, each with its name and its column.
func (t *Table) CellTexts(r *Row) string {
	var parts []string
	for i, cell := range r.Cells {
		text := strings.TrimSpace(cell.Text)
		switch {
		case cell.At.Line == 0: // what an expression may use besides
			continue
		case text == "":
			text = "-"
		}
		parts = append(parts, strings.TrimSpace(cell.At.Cell+" "+t.Columns[i].Name)+": "+text)
	}
	for i, cell := range r.Times {
		if cell.Value != null {
			parts = append(parts, cell.At.Cell+" "+t.Times[i].Name+": "+cell.Text)
		}
	}
	if r.Note != "" {
		parts = append(parts, r.Note)
	}
	return strings.Join(parts, "; ")
}

// CellsAt says what stands in the cells of the row at a line, "" for none.
func (t *Table) CellsAt(line int) string {
	i, ok := slices.BinarySearchFunc(t.Rows, line, func(r Row, line int) int { return r.At.Line - line })
	if !ok {
		return ""
	}
	return t.CellTexts(&t.Rows[i])
}

// Mode returns the template of mode/2 of the predicate.
func (t *Table) Mode(name string) term.Term {
	var args []term.Term
	for _, c := range t.Columns {
		sign := term.Atom("+")
		if c.Output {
			sign = "-"
		}
		args = append(args, term.New(sign, c.Type))
	}
	return term.New(term.Atom(name), args...)
}
