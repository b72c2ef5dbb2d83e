// Package tables reads decision tables from CSV, TSV and XLSX files and from DMN models. It compiles them to clauses,
// searches them for overlaps and gaps, and writes them.
//
// [Read] makes a [Table] from a grid. [Table.Clauses] makes the clauses of its predicate. The arguments are the
// columns in their order. [Table.Check] finds rows that overlap and inputs without a row. The package works on terms
// and does not depend on a program.
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

// Policy says which of the rows that hold give the result.
type Policy string

// Policies holds the hit policies: their names in the option hit(P), with their letters in DMN.
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

// PolicyNamed returns the policy with a name or a letter.
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
	// Name is the name of the predicate, with its arity, or that of a decision of a model.
	Name string
	// File is the file of the table. Module is the module of its predicate.
	File, Module string
	Hit          Policy
	// Said is the policy that a model names; "" for a table of a file. The rows of a model are collected first, so
	// Hit is another policy.
	Said Policy
	// Columns holds the inputs and outputs, in the order of the arguments.
	Columns []Column
	// Times holds the columns that say when a row is in force. They are not arguments.
	Times []Column
	Rows  []Row
	// Searched is the form of this table that is searched for overlaps and gaps, nil if it is this table itself.
	// Partial says that inputs without a row have a result.
	Searched *Table
	Partial  bool
	// Single says that each row becomes one clause, as coverage requires.
	Single bool
}

// Column is an input or an output.
type Column struct {
	Name   string
	Output bool
	// Type is a type of mode/2. Read sets it.
	Type term.Term
	// Kind says how cells are read.
	Kind Kind
	// Strings says that texts are strings and not atoms.
	Strings bool
	// Loose says that values may have other types, too.
	Loose bool
	At    Place
	index int // of the column in the grid
	// low and high bound the dates that are searched for overlaps and gaps, nil for no bound.
	low, high *big.Rat
	// texted is a cell because of which the column is one of texts.
	texted string
	// needed says that the input must be bound in a call. values holds the values that the type lists.
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

// Place is the place of a cell in the file, with its name in a spreadsheet.
type Place struct {
	Cell string // such as B3
	syntax.Place
}

// Row is a row of the table.
type Row struct {
	At    Place
	Cells []Cell
	Note  string
	// Times holds the cells that say when the row is in force. Valid holds the first day in force and the first day
	// not in force any more, null for an open end.
	Times []Cell
	Valid [2]term.Term
}

// Cell is a cell of a row.
type Cell struct {
	Text  string
	At    Place
	Tests feel.Tests // of an input
	// Value is the value of an output: a constant, or an expression of FEEL.
	Value term.Term
}

// Mistake is a mistake in a table or one of its cells.
type Mistake struct {
	At      Place
	Message string
}

// Error returns the message, with the name of the cell.
func (m *Mistake) Error() string {
	if m.At.Cell == "" {
		return m.Message
	}
	return "cell " + m.At.Cell + ": " + m.Message
}

func mistake(at Place, format string, args ...any) *Mistake {
	return &Mistake{at, fmt.Sprintf(format, args...)}
}

// cellName returns the name of a cell. Both numbers count from 0.
func cellName(row, column int) string {
	letters := ""
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		letters = string(rune('A'+(n-1)%26)) + letters
	}
	return fmt.Sprint(letters, row+1)
}

// kindOf returns the kind of a type of mode/2, and the values that the type lists.
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

// setType sets the type of a column.
func (c *Column) setType(t term.Term) {
	c.Type = t
	c.Kind, _ = kindOf(t)
	c.Strings = t == term.Term(term.Atom("string"))
}

// text returns the term of a text.
func (c *Column) text(s string) term.Term {
	if c.Strings {
		return term.String(s)
	}
	return term.Atom(s)
}

// fits reports whether a constant is a value of a column. The end of a range only needs the kind of the column.
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

// CellTexts returns the texts of the cells of a row, each with its name and its column.
func (t *Table) CellTexts(r *Row) string {
	var parts []string
	for i, cell := range r.Cells {
		text := strings.TrimSpace(cell.Text)
		switch {
		case cell.At.Line == 0: // a column without a cell, for expressions
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

// CellsAt returns the texts of the cells of the row at a line, "" if there is no row.
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
