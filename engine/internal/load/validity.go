package load

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/law"
	"github.com/mcplogic/mcplogic/engine/internal/records"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/internal/tables"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines data files whose rows are in force for a time. Their columns valid_from and valid_until are no
// arguments. Each row becomes a clause p(A, B) :- law:in_force(From, Until).

// timedRow is a row that is in force for a time.
type timedRow struct {
	args  []term.Term
	valid [2]term.Term
	place syntax.Place
}

// findTimes looks for the columns valid_from and valid_until. They are no arguments if the arity does not count them,
// or the columns that are chosen do not name them. Then they become the last two columns.
func (f *factsLoad) findTimes() error {
	o := &f.options
	if !o.Header && !o.Format.IsJSON() {
		return nil
	}
	names, err := f.columnNames()
	if err != nil {
		return err
	}
	isTime := func(name string) bool { return slices.Contains(tables.ValidColumns, name) }
	plain := slices.DeleteFunc(slices.Clone(names), isTime)
	if o.Columns != nil {
		plain = o.Columns
	}
	if !slices.ContainsFunc(names, isTime) || len(plain) != o.Arity || slices.ContainsFunc(plain, isTime) {
		return nil
	}
	for len(o.Types) < o.Arity {
		o.Types = append(o.Types, records.Guess)
	}
	f.times, o.Columns = true, slices.Clip(plain)
	for _, name := range tables.ValidColumns {
		if slices.Contains(names, name) || o.Format.IsJSON() {
			o.Columns, o.Types = append(o.Columns, name), append(slices.Clip(o.Types), records.Date)
		}
	}
	o.Arity = len(o.Columns)
	return nil
}

// columnNames returns the names of the columns of a CSV text, or of the members of the first object in JSON, nil if
// they are not known. The reader of the rows reports what is wrong with them.
func (f *factsLoad) columnNames() (names []string, err error) {
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if !f.options.Format.IsJSON() {
		names, _, _ = records.NewTexts(r, f.options.Format, f.options.Separator).Next()
		return names, nil
	}
	text, inObject := json.NewDecoder(r), false
	for {
		t, err := text.Token()
		name, isName := t.(string)
		inObject = inObject || t == json.Delim('{')
		switch {
		case err != nil, t == json.Delim('}'):
			return names, nil
		case isName && inObject:
			if names = append(names, name); text.Decode(new(json.RawMessage)) != nil {
				return nil, nil
			}
		case t != json.Delim('[') && t != json.Delim('{'):
			return nil, nil
		}
	}
}

// timedRow keeps a row until all have been read. It returns what is wrong with its time, nil for nothing.
func (f *factsLoad) timedRow(reader records.Reader, row records.Row) error {
	null := term.Term(records.Null)
	own := timedRow{valid: [2]term.Term{null, null}, place: row.Place}
	arity := f.functor.FunctorArity()
	row.Rows.Seal()
	for i, v := range row.Rows.Row(0) {
		value := row.Rows.TermOf(v)
		if i < arity {
			own.args = append(own.args, value)
		} else {
			own.valid[slices.Index(tables.ValidColumns, f.options.Columns[i])] = value
		}
	}
	if tables.IsReversed(own.valid[0], own.valid[1]) {
		return &records.Mistake{Place: reader.Place(len(f.options.Columns) - 1), Message: "the row is never in force: " +
			tables.ReversedText(own.valid[0], own.valid[1])}
	}
	f.timed = append(f.timed, own)
	return nil
}

// loadLaw loads library(law), whose in_force/2 the clauses of rows call. Its operators are those of texts that use it.
func (l *Loader) loadLaw() {
	defer func(quiet bool) { l.p.quiet = quiet }(l.p.quiet)
	l.p.quiet = true
	l.p.LoadLibrary("law")
}

// addTimed adds the clauses of the rows.
func (f *factsLoad) addTimed(pred *database.Pred, file *DataFile) {
	arity := pred.Arity()
	file.Types = file.Types[:arity]
	if file.Columns != nil {
		file.Columns = file.Columns[:arity]
	}
	if f.missing != nil {
		f.missing, file.Missing = nil, f.missing[:arity]
	}
	f.reader = plainReader{f.Loader}
	f.loadLaw()
	for _, row := range f.timed {
		if f.p.ended() {
			return
		}
		clause := compound(pred.Name(), row.args)
		if goal := tables.InForce(row.valid); goal != nil {
			clause = term.New(":-", clause, goal)
		}
		f.unread.Pos.Place = row.place
		f.addTerm(inModule(f.module, clause))
		f.result = result{}
		f.p.yielder.Step()
	}
	f.overlappingTimes(pred, file.Columns)
	f.timed = nil
}

// overlappingTimes reports rows that are in force on the same day, though the predicate has one answer for their
// inputs, or though they are the same.
func (f *factsLoad) overlappingTimes(pred *database.Pred, columns []string) {
	mode, severity := law.ModeOf(pred, f.p.declarations), source.SeverityError
	if mode.Many || len(mode.Outputs) == 0 {
		mode.Inputs, severity = nil, source.SeverityWarning
		for i := range pred.Arity() {
			mode.Inputs = append(mode.Inputs, i)
		}
	}
	rows, found := map[string][]*timedRow{}, 0
	var keys []string
	for i := range f.timed {
		var values []term.Term
		for _, at := range mode.Inputs {
			values = append(values, f.timed[i].args[at])
		}
		key := syntax.FormatTerm(term.List(values...))
		if rows[key] == nil {
			keys = append(keys, key)
		}
		rows[key] = append(rows[key], &f.timed[i])
	}
	null := term.Term(records.Null)
	for _, key := range keys {
		list := rows[key]
		slices.SortStableFunc(list, func(a, b *timedRow) int {
			if a.valid[0] == null || b.valid[0] == null {
				return map[bool]int{true: -1}[a.valid[0] == null] + map[bool]int{true: 1}[b.valid[0] == null]
			}
			return term.Compare(a.valid[0], b.valid[0])
		})
		for i, last := 1, list[0]; i < len(list) && found < maxWrongRows; i++ {
			row := list[i]
			from, until := row.valid[0], last.valid[1]
			if until == null || from == null || term.Compare(from, until) < 0 {
				found++
				f.overlapping(severity, last, row, from, mode.Inputs, columns)
			}
			if until != null && (row.valid[1] == null || term.Compare(row.valid[1], until) > 0) {
				last = row
			}
		}
	}
}

// overlapping reports two rows that are both in force on a day, null for one before all dates.
func (f *factsLoad) overlapping(
	severity source.Severity, one, other *timedRow, from term.Term, inputs []int, columns []string,
) {
	if one.place.Line > other.place.Line {
		one, other = other, one
	}
	var values []string
	for _, i := range inputs {
		text := syntax.ShowTerm(one.args[i])
		if i < len(columns) {
			text = columns[i] + " = " + text
		}
		values = append(values, text)
	}
	day := ""
	if from != term.Term(records.Null) {
		day = " on " + tables.DayText(from)
	}
	if len(values) > 0 {
		day += " for " + strings.Join(values, ", ")
	}
	f.reportAt(other.place, severity, "facts", "the rows %d and %d are both in force%s", one.place.Line,
		other.place.Line, day)
}
