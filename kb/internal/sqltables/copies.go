package sqltables

import (
	"context"

	"github.com/mcplogic/mcplogic/engine/relation"
)

// This file defines the versions of tables. Two versions differ if the rows of the table and of a copy differ.

var _ relation.Copier = (*Set)(nil)

// Version implements relation.Copier.
func (s *Set) Version(ctx context.Context, c *relation.Copy) (string, error) {
	if c.Column == "" {
		var sum relation.Sum
		run := s.Begin(0)
		defer run.Close()
		err := relation.All(ctx, run, c.Query, sum.Add)
		return sum.Text(), err
	}
	db, err := s.source(c.Query.Database)
	if err != nil {
		return "", err
	}
	columns, err := db.columnsOf(ctx, nil, &relation.Query{Database: db.name, Tables: c.Query.Tables,
		Columns: []relation.Column{{Name: c.Column}}})
	if err != nil {
		return "", err
	}
	relation.Count(ctx)
	return db.driver.first(ctx, nil, "select cast(count(*) as text) || ' ' || coalesce(cast(max("+
		quoted(columns[0].asked.Name)+") as text), '') from "+quotedName(c.Query.Tables[0]))
}
