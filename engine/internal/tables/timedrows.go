package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file finds rows of data files that are in force on the same day.

// TimedRow is a row that is in force for a time. Valid holds the first day, and the first day not in force any more.
type TimedRow struct {
	Args  []term.Term
	Valid [2]term.Term
	Place syntax.Place
}

// TimeOverlap is a pair of rows with the same inputs that are both in force on a day. One is the row with the earlier
// line.
type TimeOverlap struct {
	One, Other *TimedRow
	Day        term.Term // the first such day, or null for one before all dates
}

// TimeOverlaps lists up to most overlaps, in the order of the first rows with the same inputs. It compares a row with
// the earlier one that is in force longest.
func TimeOverlaps(all []TimedRow, inputs []int, most int) (found []TimeOverlap) {
	rows := map[string][]*TimedRow{}
	var keys []string
	for i := range all {
		var values []term.Term
		for _, at := range inputs {
			values = append(values, all[i].Args[at])
		}
		text := syntax.FormatTerm(term.List(values...))
		if rows[text] == nil {
			keys = append(keys, text)
		}
		rows[text] = append(rows[text], &all[i])
	}
	for _, text := range keys {
		list := rows[text]
		slices.SortStableFunc(list, byFirstDay)
		last := list[0]
		for _, row := range list[1:] {
			from, until := row.Valid[0], last.Valid[1]
			if len(found) < most && (until == null || from == null || term.Compare(from, until) < 0) {
				o := TimeOverlap{last, row, from}
				if last.Place.Line > row.Place.Line {
					o.One, o.Other = row, last
				}
				found = append(found, o)
			}
			if until != null && (row.Valid[1] == null || term.Compare(row.Valid[1], until) > 0) {
				last = row
			}
		}
	}
	return found
}

// byFirstDay orders rows. Those without a first day come first.
func byFirstDay(a, b *TimedRow) int {
	switch from, next := a.Valid[0], b.Valid[0]; {
	case from == next:
		return 0
	case from == null:
		return -1
	case next == null:
		return 1
	default:
		return term.Compare(from, next)
	}
}

// Text returns a sentence about the rows that overlap and their inputs. columns holds the known names of the
// arguments.
func (o *TimeOverlap) Text(inputs []int, columns []string) string {
	var values []string
	for _, i := range inputs {
		text := syntax.ShowTerm(o.One.Args[i])
		if i < len(columns) {
			text = columns[i] + " = " + text
		}
		values = append(values, text)
	}
	text := fmt.Sprintf("the rows %d and %d are both in force", o.One.Place.Line, o.Other.Place.Line)
	if o.Day != null {
		text += " on " + DayText(o.Day)
	}
	if len(values) > 0 {
		text += " for " + strings.Join(values, ", ")
	}
	return text
}
