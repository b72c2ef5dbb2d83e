package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing/fstest"
	"time"

	"github.com/mcplogic/mcplogic/engine"
)

// This file defines the measurement of decision tables: how long a table takes to load, and to give the row of an
// input.

// A tableResult is a kind of table with a number of rows. Load is in milliseconds, Lookup in microseconds.
type tableResult struct {
	Table  string  `json:"table"`
	Rows   int     `json:"rows"`
	Load   float64 `json:"load_ms"`
	Lookup float64 `json:"lookup_us"`
}

type tableResults []tableResult

// Table implements table.
func (r tableResults) Table(w io.Writer) error {
	text := fmt.Sprintf("%-40s %8s %12s %14s\n", "table", "rows", "load, ms", "one row, us")
	for _, one := range r {
		text += fmt.Sprintf("%-40s %8d %12.0f %14.2f\n", one.Table, one.Rows, one.Load, one.Lookup)
	}
	_, err := io.WriteString(w, text)
	return err
}

// tableShapes are kinds of tables: the head, and row i. Each has a row for the number 10*i.
var tableShapes = []struct {
	about, head string
	row         func(i int) string
}{
	{"ranges of a number", "n (integer),out: o (integer)", func(i int) string {
		return fmt.Sprintf("[%d..%d),%d", 10*i, 10*i+10, i)
	}},
	{"values", "n (integer),out: o (integer)", func(i int) string { return fmt.Sprintf("%d,%d", 10*i, i) }},
	{"ranges of a number, each in force", "n (integer),valid_from,out: o (integer)", func(i int) string {
		return fmt.Sprintf("[%d..%d),2001-01-01,%d", 10*i, 10*i+10, i)
	}},
}

// measureTables loads the tables and looks rows up, in an order that is not that of the rows. The least of some runs
// counts. A loop that looks nothing up is taken off.
func measureTables(ctx context.Context, runs int) (table, error) {
	const lookups = 100_000
	var results tableResults
	for _, kind := range tableShapes {
		for _, rows := range []int{1000, 100_000} {
			var text strings.Builder
			text.WriteString(kind.head + "\n")
			for i := range rows {
				text.WriteString(kind.row(i) + "\n")
			}
			files := fstest.MapFS{"t.csv": {Data: []byte(text.String())}, "t.pl": {Data: fmt.Appendf(nil,
				":- decision(row/2, 't.csv', [complete(false)]).\n"+
					"look(0) :- !.\nlook(I) :- N is I * 7919 mod %d * 10, row(N, _), J is I - 1, look(J).\n"+
					"loop(0) :- !.\nloop(I) :- N is I * 7919 mod %d * 10, N >= 0, J is I - 1, loop(J).\n", rows, rows)}}
			begin := time.Now()
			prog, err := engine.LoadFS(ctx, files, nil, "t.pl")
			if err != nil {
				return nil, err
			}
			one := tableResult{Table: kind.about, Rows: rows, Load: float64(time.Since(begin).Microseconds()) / 1000}
			least := map[string]time.Duration{}
			for range runs {
				for _, goal := range []string{"look", "loop"} {
					begin := time.Now()
					if _, err := prog.Once(ctx, fmt.Sprintf("%s(%d)", goal, lookups), nil); err != nil {
						return nil, err
					}
					if took := time.Since(begin); least[goal] == 0 || took < least[goal] {
						least[goal] = took
					}
				}
			}
			one.Lookup = float64((least["look"] - least["loop"]).Nanoseconds()) / 1000 / lookups
			results = append(results, one)
		}
	}
	return results, nil
}
