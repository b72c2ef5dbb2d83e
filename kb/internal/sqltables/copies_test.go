package sqltables_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb/internal/sqltables"
	"github.com/mcplogic/mcplogic/tools/pgtest"
)

// This file checks copies of tables: they have the terms of the tables, and a version that changes with the rows.

// copied returns a program with copies of its tables.
func copied(text string) string {
	return strings.NewReplacer("])).", "]), [copy(true)]).", "[types(", "[copy(true), types(").Replace(text)
}

// TestCopiedRows puts to copies the goals that other tests put to tables.
func TestCopiedRows(t *testing.T) {
	run := func(address string) func(t *testing.T, d sqltables.Database) {
		return func(t *testing.T, d sqltables.Database) {
			p, _ := loadFrom(t, d, copied(program+exactFacts+exactRules))
			require.Empty(t, inner.Of(p).Pushdowns())
			require.Len(t, inner.Of(p).DataFiles(), 6)
			testRows(t, p)
			for i, rule := range strings.Split(strings.TrimSpace(exactRules), "\n") {
				name, _, _ := strings.Cut(rule, "(")
				require.Equal(t, exactAnswers[i], answers(t, p, name+"(A)"), rule)
			}
		}
	}
	const rows = `
insert into bills values (1, 0.10, '2024-02-29', '14:30:00.5', '2024-03-01T01:00:00+02:00', 'PT90M'),
	(2, 0.20, '2024-03-01', '08:00:00', '2024-03-01T08:00:00Z', '-P1D'), (3, 0, null, null, null, null);
insert into paid values (1, '2024-02-29'), (7, '2024-05-01');`
	t.Run("SQLite", func(t *testing.T) {
		address := "sqlite:" + sqliteFile(t, customers+numbers()+`
create table bills(id integer primary key, amount numeric(12,2) not null, due date, at time, made timestamp,
	grace text);
create table wrong(id integer, due date); create table paid(bill integer, day date);`+rows)
		bothWays(t, address, run(address))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		server := pgtest.Start(t)
		server.SQL(t, customers+numbers()+`
create table bills(id int primary key, amount numeric(12,2) not null, due date, at time, made timestamptz,
	grace interval);
create table wrong(id int, due text); create table paid(bill int, day date);`+strings.Replace(rows, "-P1D", "P-1D", 1))
		bothWays(t, server.Address, run(server.Address))
	})
}

// TestVersions changes a table. The version changes if and only if the rows of the copy change, or the column that is
// declared to hold the version.
func TestVersions(t *testing.T) {
	run := func(t *testing.T, address string, change func(text string)) {
		p, set := load(t, address, `
:- facts(item/2, sql(crm, items, [id, name]), [copy(true)]).
:- facts(newest/2, sql(crm, items, [id, name]), [copy(true), version(at)]).
`)
		var versions [2]string
		now := func() (changed [2]bool) {
			for i, f := range inner.Of(p).DataFiles() {
				version, err := set.Version(t.Context(), f.Copy)
				require.NoError(t, err)
				changed[i], versions[i] = version != versions[i], version
			}
			return changed
		}
		for i, f := range inner.Of(p).DataFiles() {
			versions[i] = f.Copy.Version
		}
		require.Equal(t, [2]bool{false, false}, now())
		for _, tt := range []struct {
			text string
			want [2]bool
		}{
			{"insert into items values (3, 'c', 3)", [2]bool{true, true}},
			{"update items set name = 'd' where id = 3", [2]bool{true, false}},
			{"update items set at = 4 where id = 1", [2]bool{false, true}},
			{"delete from items where id = 2", [2]bool{true, true}},
			{"insert into items values (2, 'b', 2)", [2]bool{true, true}},
			{"update items set id = 5 - id where id in (2, 3)", [2]bool{true, false}},
			{"delete from items", [2]bool{true, true}},
		} {
			change(tt.text)
			require.Equal(t, tt.want, now(), tt.text)
		}
		change("drop table items")
		for _, f := range inner.Of(p).DataFiles() {
			_, err := set.Version(t.Context(), f.Copy)
			require.ErrorContains(t, err, "there is no table items")
		}
	}
	const items = "create table items(id integer, name text, at integer); " +
		"insert into items values (1, 'a', 1), (2, 'b', 2);"
	t.Run("SQLite", func(t *testing.T) {
		file := sqliteFile(t, items)
		db, err := sql.Open("sqlite", file)
		require.NoError(t, err)
		defer db.Close()
		run(t, "sqlite:"+file, func(text string) {
			_, err := db.Exec(text)
			require.NoError(t, err)
		})
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		server := pgtest.Start(t)
		server.SQL(t, items)
		run(t, server.Address, func(text string) { server.SQL(t, text) })
	})
}

// TestSum adds rows in other orders, and rows whose texts run into each other.
func TestSum(t *testing.T) {
	sum := func(facts string) string {
		rows, sum := &relation.Rows{}, relation.Sum{}
		rows.Reset(2)
		p, err := engine.LoadText(t.Context(), "t.pl", facts, nil)
		require.NoError(t, err)
		for s, err := range p.Query(t.Context(), "f(A, B)", nil) {
			require.NoError(t, err)
			row := rows.Add()
			row[0], row[1] = rows.OfTerm(s.Get("A")), rows.OfTerm(s.Get("B"))
		}
		rows.Seal()
		sum.Add(rows)
		return sum.Text()
	}
	require.Equal(t, sum("f(a, 1). f(b, [x, 2]). f(b, [x, 2])."), sum("f(b, [x, 2]). f(a, 1). f(b, [x, 2])."))
	seen := map[string]string{}
	for _, facts := range []string{"f(a, bc).", "f(ab, c).", "f(abc, '').", " f(a, \"bc\").", "f(1, 2).", "f(1, 2.0).",
		"f(1, '2').", "f(x, [a]).", "f(x, ['[]'(a)]).", "f(x, g(a, b)).", "f(x, g('a,b')).", "f(a, bc). f(a, bc).",
		"f(x, [1, 2]).", "f(x, [12]).", "f(x, 1r3)."} {
		text := sum(facts)
		require.Empty(t, seen[text], facts)
		seen[text] = facts
	}
}
