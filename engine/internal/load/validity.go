package load

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/law"
	"github.com/mcplogic/mcplogic/engine/internal/records"
	"github.com/mcplogic/mcplogic/engine/internal/tables"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines data files whose rows are in force for a time. Their columns valid_from and valid_until are not
// arguments. Each row becomes a clause p(A, B) :- law:in_force(From, Until).

// findTimes looks for the columns valid_from and valid_until. They are not arguments if the arity does not include
// them, or if the option columns does not name them. In that case they become the last two columns.
func (f *factsLoad) findTimes() error {
	o := &f.options
	if !o.Header && !o.Format.IsJSON() {
		return nil
	}
	r, err := f.open()
	if err != nil {
		return err
	}
	defer r.Close()
	names := records.ColumnNames(r, o)
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

// timedRow keeps a row until all have been read. It returns an error if the time is invalid.
func (f *factsLoad) timedRow(reader records.Reader, row records.Row) error {
	null := term.Term(records.Null)
	own := tables.TimedRow{Valid: [2]term.Term{null, null}, Place: row.Place}
	arity := f.functor.FunctorArity()
	row.Rows.Seal()
	for i, v := range row.Rows.Row(0) {
		value := row.Rows.TermOf(v)
		if i < arity {
			own.Args = append(own.Args, value)
		} else {
			own.Valid[slices.Index(tables.ValidColumns, f.options.Columns[i])] = value
		}
	}
	if tables.IsReversed(own.Valid[0], own.Valid[1]) {
		return &records.Mistake{Place: reader.Place(len(f.options.Columns) - 1), Message: "the row is never in force: " +
			tables.ReversedText(own.Valid[0], own.Valid[1])}
	}
	f.timed = append(f.timed, own)
	return nil
}

// loadLaw loads library(law), whose in_force/2 the clauses of rows call. Its operators stay those of texts that use it.
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
		clause := compound(pred.Name(), row.Args)
		if goal := tables.InForce(row.Valid); goal != nil {
			clause = term.New(":-", clause, goal)
		}
		f.unread.Pos.Place = row.Place
		f.addTerm(inModule(f.module, clause))
		f.result = result{}
		f.p.yielder.Step()
	}
	f.overlappingTimes(pred, file.Columns)
	f.timed = nil
}

// overlappingTimes reports rows that are in force on the same day and are equal, or have equal inputs although the
// predicate has one answer.
func (f *factsLoad) overlappingTimes(pred *database.Pred, columns []string) {
	mode, severity := law.ModeOf(pred, f.p.declarations), source.SeverityError
	if mode.Many || len(mode.Outputs) == 0 {
		mode.Inputs, severity = nil, source.SeverityWarning
		for i := range pred.Arity() {
			mode.Inputs = append(mode.Inputs, i)
		}
	}
	for _, o := range tables.TimeOverlaps(f.timed, mode.Inputs, maxWrongRows) {
		f.reportAt(o.Other.Place, severity, "facts", "%s", o.Text(mode.Inputs, columns))
	}
}
