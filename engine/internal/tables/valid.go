package tables

import (
	"math/big"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/feel"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the columns that say when a row is in force.

// ValidColumns holds the heads of these columns: the first day in force, and the first day not in force any more.
var ValidColumns = []string{"valid_from", "valid_until"}

// timeColumn adds a column that says when rows are in force.
func (t *Table) timeColumn(name, typ string, at Place, index int) *Mistake {
	if typ != "" && typ != "date" {
		return mistake(at, "%s has dates, and not %s; say in: %s if it is an input", name, typ, name)
	}
	if slices.ContainsFunc(t.Times, func(c Column) bool { return c.Name == name }) {
		return mistake(at, "several columns are called %s", name)
	}
	c := Column{Name: name, At: at, index: index}
	c.setType(term.Atom("date"))
	t.Times = append(t.Times, c)
	return nil
}

// readTimes reads when a row is in force.
func (t *Table) readTimes(row GridRow, r *Row) *Mistake {
	r.Valid = [2]term.Term{null, null}
	for _, c := range t.Times {
		cell := Cell{At: row.Places[0], Value: null}
		if c.index < len(row.Texts) {
			cell.Text, cell.At = strings.TrimSpace(row.Texts[c.index]), row.Places[c.index]
		}
		if cell.Text != "" && cell.Text != "-" && cell.Text != "null" {
			value, err := feel.Expression(cell.Text, &feel.Scope{Plain: true})
			if err != nil || !feel.Constant(value) || !c.fits(value, false) {
				return mistake(cell.At, "want a date such as 2024-01-31, or an empty cell, got %q", cell.Text)
			}
			cell.Value = value
		}
		r.Valid[slices.Index(ValidColumns, c.Name)] = cell.Value
		r.Times = append(r.Times, cell)
	}
	if IsReversed(r.Valid[0], r.Valid[1]) {
		return mistake(r.Times[1].At, "the row is never in force: %s", ReversedText(r.Valid[0], r.Valid[1]))
	}
	return nil
}

// IsReversed reports whether a time ends before its first day. null is an open end.
func IsReversed(from, until term.Term) bool {
	return from != null && until != null && term.Compare(from, until) >= 0
}

// ReversedText returns the message about such a time.
func ReversedText(from, until term.Term) string {
	return "valid_until " + DayText(until) + " is not after valid_from " + DayText(from)
}

// DayText writes a date.
func DayText(t term.Term) string { return feel.Written(t, false) }

// InForce returns the goal that the day of the call is within a time. It returns nil if both ends are open.
func InForce(valid [2]term.Term) term.Term {
	if valid[0] == null && valid[1] == null {
		return nil
	}
	return term.New(":", term.Atom("law"), term.New("in_force", valid[0], valid[1]))
}

// dayTest returns the test that a day is within the time of a row.
func (r *Row) dayTest() Cell {
	ends := []term.Term{term.Atom("inf"), term.Atom("open"), term.Atom("inf"), term.Atom("open")}
	if r.Valid[0] != null {
		ends[0], ends[1] = r.Valid[0], term.Atom("closed")
	}
	if r.Valid[1] != null {
		ends[2] = r.Valid[1]
	}
	test := term.New("range", ends...)
	return Cell{Text: syntax.FormatTerm(test), Tests: feel.Tests{Items: []term.Term{test},
		Any: r.Valid[0] == null && r.Valid[1] == null}}
}

// dated returns the table with the day of the call as one more input, so that overlaps and gaps are found in time,
// too. It returns nil if all rows are always in force. The days range from the first to the last day in force that a
// row names, with one more day at each end that is open in a row.
func (t *Table) dated() *Table {
	var days []term.Term
	var open [2]bool
	for _, r := range t.Rows {
		for i, day := range r.Valid {
			if open[i] = open[i] || day == null; day != null {
				days = append(days, day)
			}
		}
	}
	if len(days) == 0 {
		return nil
	}
	c := Column{Name: "today", v: term.NewVar("")}
	c.setType(term.Atom("date"))
	c.low, c.high = key(slices.MinFunc(days, term.Compare)), key(slices.MaxFunc(days, term.Compare))
	one := big.NewRat(1, 1)
	if open[0] {
		c.low.Sub(c.low, one)
	}
	if !open[1] {
		c.high.Sub(c.high, one)
	}
	own := *t
	own.Columns, own.Rows = append(slices.Clip(t.Columns), c), slices.Clone(t.Rows)
	for i := range own.Rows {
		r := &own.Rows[i]
		r.Cells = append(slices.Clip(r.Cells), r.dayTest())
	}
	return &own
}
