package tables

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file describes tables for clients and editors.

// Description is a table as texts.
type Description struct {
	// Predicate is the predicate of the table, with its arity, or the name of a decision of a model.
	Predicate string `json:"predicate"`
	File      string `json:"file"`
	// Line is that of the header, 0 if there is none.
	Line    int               `json:"line"`
	Hit     string            `json:"hit"`
	Columns []DescribedColumn `json:"columns"`
	// Count is the number of all rows. Rows holds the first ones.
	Count int            `json:"count"`
	Rows  []DescribedRow `json:"rows"`
}

// DescribedColumn is an input or an output. Its Type is "" if the column accepts any value.
type DescribedColumn struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Output bool   `json:"output"`
}

// DescribedRow is a row, with its line in the file.
type DescribedRow struct {
	Line  int      `json:"line"`
	Cells []string `json:"cells"`
	Note  string   `json:"note,omitempty"`
}

// Describe returns a table as texts, with a bound on its rows.
func (t *Table) Describe(most int) Description {
	d := Description{Predicate: t.Name, File: t.File, Hit: string(cmp.Or(t.Said, t.Hit)), Count: len(t.Rows),
		Columns: []DescribedColumn{}, Rows: []DescribedRow{}}
	first := 0 // the first columns may have no cells: expressions use them
	for ; len(t.Rows) > 0 && first < len(t.Columns) && t.Rows[0].Cells[first].At.Line == 0; first++ {
	}
	for _, c := range t.Columns[first:] {
		shown := DescribedColumn{Name: c.Name, Output: c.Output}
		if c.Type != nil {
			shown.Type = syntax.FormatTerm(c.Type)
		}
		d.Columns, d.Line = append(d.Columns, shown), cmp.Or(d.Line, c.At.Line)
	}
	for _, c := range t.Times {
		d.Columns = append(d.Columns, DescribedColumn{Name: c.Name, Type: "date"})
	}
	for _, r := range t.Rows[:min(most, len(t.Rows))] {
		row := DescribedRow{Line: r.At.Line, Note: r.Note}
		for _, cell := range append(slices.Clip(r.Cells[first:]), r.Times...) {
			row.Cells = append(row.Cells, cmp.Or(strings.TrimSpace(cell.Text), "-"))
		}
		d.Rows = append(d.Rows, row)
	}
	return d
}
