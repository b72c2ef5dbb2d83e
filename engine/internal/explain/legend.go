package explain

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the legend of an explanation: the names of the columns of its rows.

// legend lists predicates whose columns have names, in the order in which they are shown.
type legend struct {
	lines []string
	// exact holds the values that were shown as texts.
	exact []exactValue
}

// maxLegend bounds the predicates of a legend.
const maxLegend = 12

// add adds the predicate of a goal, if its columns have names.
func (l *legend) add(o *Options, g Goal) {
	c, columns := o.columns(g)
	if len(columns) == 0 || len(l.lines) == maxLegend {
		return
	}
	line := string(c.Functor) + "(" + strings.Join(columns, ", ") + ")"
	if !slices.Contains(l.lines, line) {
		l.lines = append(l.lines, line)
	}
}

// columns returns a row and the names of its columns, nil if they have none.
func (o *Options) columns(g Goal) (row *term.Compound, names []string) {
	row, ok := g.Term.(*term.Compound)
	if !ok {
		return nil, nil
	}
	if names = o.advice(g).Columns; len(names) != len(row.Args) {
		return nil, nil
	}
	return row, names
}

// text returns the legend as a line, "" for none.
func (l *legend) text() string {
	if len(l.lines) == 0 {
		return ""
	}
	return "columns: " + strings.Join(l.lines, ", ") + "\n"
}

// columnValues returns the values of a row by the names of their columns, nil if they have none.
func (o *Options) columnValues(g Goal) map[string]string {
	row, columns := o.columns(g)
	if len(columns) == 0 {
		return nil
	}
	values := map[string]string{}
	for i, column := range columns {
		values[column] = o.plainText(Goal{g.Module, row.Args[i]})
	}
	return values
}
