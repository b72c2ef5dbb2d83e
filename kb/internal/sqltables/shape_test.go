package sqltables_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/kb/internal/sqltables"
	"github.com/mcplogic/mcplogic/tools/pgtest"
)

// This file checks databases that change while a program uses them: altered tables, wrong statistics, and servers that
// stall.

const shapeRules = waysFacts + waysRules + `
double(N) :- aggregate_all(count, (ordered(_, _, T), T * 2 + 1 > 100), N).
most(N) :- aggregate_all(max(T), ordered(_, _, T), N).
both(N) :- aggregate_all(count, (client(I, _, _), ordered(_, I, _)), N).
ends(N) :- aggregate_all(count, (client(_, C, _), atom_concat(c1, 1, C)), N).
first_of(L) :- findall(I, limit(2, (client(I, C, _), atom_concat(c1, 12, C), I > 0)), L).
begins(N) :- aggregate_all(count, (client(_, C, _), atom_concat(c1, _, C)), N).
`

// TestShapes alters the columns of a table between calls. The answers follow the present table.
func TestShapes(t *testing.T) {
	server := pgtest.Start(t)
	server.SQL(t, waysSchema)
	bothWays(t, server.Address, func(t *testing.T, d sqltables.Database) {
		defer server.SQL(t, "drop view ordered; drop table client, edge;"+waysSchema)
		p, set := loadFrom(t, d, shapeRules)
		set.SetWays(sqltables.Untrusted())
		check := func(goal, want string) {
			t.Helper()
			require.Equal(t, want, answers(t, p, goal), goal)
		}
		check("double(N)", "3000")
		check("most(N)", "99")
		check("both(N)", "6000")
		check("ends(N)", "1")
		check("first_of(L)", "[112]")
		check("begins(N)", "1111")
		check("ordered(7, C, T)", "50 7")
		server.SQL(t, "alter table ordered alter total type bigint;"+
			"insert into ordered values (6001, 1, 9223372036854775807);")
		check("double(N)", "3001")
		check("most(N)", "9223372036854775807")
		server.SQL(t, "alter table ordered alter total drop not null; insert into ordered values (6002, 1, null);")
		check("catch(double(_), error(E, _), true)", "type_error(evaluable,null/0)")
		server.SQL(t, "delete from ordered where id > 6000; alter table ordered alter client type text;")
		check("ordered(7, C, T)", "'50' 7")
		check("catch(sums(_), error(E, _), true), E = none", "none")
		for range 3 {
			require.Contains(t, answers(t, p, "both(N)"), "a table has changed since the program was loaded")
		}
		server.SQL(t, "alter table ordered drop total;")
		require.Contains(t, answers(t, p, "ordered(7, C, T)"), "the table ordered has no column total")
		server.SQL(t, "alter table ordered add total integer not null default 60;")
		check("double(N)", "6000")
		server.SQL(t, "drop table ordered;")
		require.Contains(t, answers(t, p, "double(N)"), "there is no table ordered")
		server.SQL(t, "create view ordered as select id as total, id as client, id from client;")
		check("double(N)", "1951")
	})
}

// TestFalseStatistics sets wrong statistics: hardly any rows, or a thousand million. The answers stay the same, and the
// statements few.
func TestFalseStatistics(t *testing.T) {
	server := pgtest.Start(t)
	server.SQL(t, waysSchema+"analyze;")
	p, _ := load(t, server.Address, shapeRules)
	goals := []string{"reached", "behind", "lists", "sums", "counts", "best", "listed"}
	want := map[string]string{}
	for _, goal := range goals {
		want[goal] = answers(t, p, goal+"(N)")
	}
	for _, rows := range []string{"1", "1000000000", "-1"} {
		server.SQL(t, "update pg_class set reltuples = "+rows+" where relname in ('client', 'ordered', 'edge');")
		lied, _ := load(t, server.Address, shapeRules)
		for _, goal := range goals {
			var statements atomic.Int64
			ctx := relation.Counted(t.Context(), &statements)
			require.Equal(t, want[goal], answersWithin(ctx, t, lied, goal+"(N)", &engine.RunOptions{}), "%s %s", goal, rows)
			require.LessOrEqual(t, statements.Load(), int64(90), "%s %s", goal, rows)
		}
	}
}

// TestStalls locks a table, and then stops the server: calls end at their time limit, and later calls have answers.
func TestStalls(t *testing.T) {
	server := pgtest.Start(t)
	server.SQL(t, waysSchema)
	bothWays(t, server.Address, func(t *testing.T, d sqltables.Database) {
		p, _ := loadFrom(t, d, shapeRules)
		require.Equal(t, "3000", answers(t, p, "double(N)"))
		done := make(chan struct{})
		go func() {
			defer close(done)
			server.SQL(t, "begin; lock table ordered in access exclusive mode; select pg_sleep(3); commit;")
		}()
		time.Sleep(time.Second)
		began := time.Now()
		got := answersWithin(t.Context(), t, p, "double(N)", &engine.RunOptions{Limits: engine.Limits{Time: time.Second}})
		require.Contains(t, got, "Time")
		require.Less(t, time.Since(began), 10*time.Second)
		<-done
		require.Equal(t, "3000", answers(t, p, "double(N)"))
		run, err := p.Start("client(C, _, _), ordered(_, C, T), T > 98", nil)
		require.NoError(t, err)
		defer run.Close()
		_, err = run.Next(t.Context())
		require.NoError(t, err)
		server.Kill(t)
		require.Contains(t, answers(t, p, "double(N)"), "reports connection")
		for err == nil {
			_, err = run.Next(t.Context())
		}
		require.ErrorContains(t, err, "connection")
		server.Run(t)
		require.Equal(t, "3000", answers(t, p, "double(N)"))
	})
}
