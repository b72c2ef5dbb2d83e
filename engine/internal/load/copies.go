package load

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/source"
)

// This file defines copies of tables: the rows of a table of a database become facts at the load. The owner of the
// program loads it again when the table has changed.

// usualEvery is the usual interval between comparisons of a table with its copy. maxEvery is the largest interval, in
// seconds, that a directive can set.
const (
	usualEvery = time.Minute
	maxEvery   = 24 * 60 * 60
)

// copied gives a predicate the rows of a table as facts. there says that the database has just answered. Otherwise the
// predicate keeps the facts of an earlier load. Without such facts copied returns false, and each call queries the
// table.
func (f *factsLoad) copied(pred *database.Pred, q *relation.Query, there bool) bool {
	f.copy.Query = q
	key := FactsKey{File: q.Database + "." + q.Tables[0], Module: f.module.Name, Functor: f.functor,
		Options: fmt.Sprint(q.Text(), f.copy.Column, f.copy.Every)}
	known := f.cached(key)
	var facts *database.FactTemplates
	if copier, ok := f.p.opts.Databases.(relation.Copier); ok && there {
		var err error
		if facts, err = f.copiedRows(copier, key.File, known); err != nil {
			f.databaseError(err)
		}
	}
	switch {
	case facts != nil:
	case known != nil:
		f.keep(pred, key, known)
		return true
	default:
		if f.p.opts.Databases != nil && f.p.diagnostics[f.known:].Err() == nil {
			f.report(source.SeverityWarning, "facts", "%s is not copied, so each call asks the table",
				database.FunctorText(f.functor))
		}
		return false
	}
	file := DataFile{Position: f.directive, Name: key.File, Module: f.module.Name,
		Predicate: database.FunctorText(f.functor),
		Rows:      facts.Len(), Read: facts.Len(), Copy: f.copy, Types: make([]string, len(q.Columns))}
	if typer, ok := f.p.opts.Databases.(relation.Typer); ok {
		types, _ := typer.Types(f.p.goalContext(), q) // the database has just answered
		copy(file.Types, types)
	}
	for i, c := range q.Columns {
		file.Columns = append(file.Columns, c.Name)
		file.Types[i] = cmp.Or(file.Types[i], c.Type, "any")
	}
	f.begin(pred)
	f.p.db.AddStaticFacts(pred, facts)
	f.dataFile(pred, file)
	if f.incremental() {
		f.p.opts.Incremental.KeepFacts(key, &Facts{Templates: facts, Warnings: f.p.diagnostics[f.known:], File: file})
	}
	return true
}

// copiedRows reads the rows as facts, nil if they have the known version. The version is read before the rows, so a row
// that changes meanwhile is read again. Without a version column the version is a hash of the rows.
func (f *factsLoad) copiedRows(copier relation.Copier, table string, known *Facts) (*database.FactTemplates, error) {
	ctx := f.p.goalContext()
	isKnown := func() bool { return known != nil && known.File.Copy.Version == f.copy.Version }
	if f.copy.Column != "" {
		short, cancel := context.WithTimeout(ctx, checkTime)
		defer cancel()
		var err error
		if f.copy.Version, err = copier.Version(short, f.copy); err != nil || isKnown() {
			return nil, err
		}
	}
	snapshot := f.p.opts.Databases.Begin(0)
	defer snapshot.Close()
	facts, w, sum := database.NewFactTemplates(table), rowWriter{atoms: map[string]code.Cell{}}, relation.Sum{}
	err := relation.All(ctx, snapshot, f.copy.Query, func(rows *relation.Rows) {
		if f.copy.Column == "" {
			sum.Add(rows)
		}
		for i := range rows.Len() {
			facts.AddCells(w.row(rows, i), 0)
			f.p.yielder.Step()
		}
	})
	if f.copy.Column == "" {
		f.copy.Version = sum.Text()
	}
	if err != nil || isKnown() {
		return nil, err
	}
	return facts, nil
}
