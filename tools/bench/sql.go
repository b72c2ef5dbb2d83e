// This file defines the measurement of tables in databases: goals on them beside the same questions put by hand through
// the driver, on one PostgreSQL.
package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/kb"
)

const (
	sqlRows   = 1_000_000 // that are streamed
	sqlPoints = 10_000    // questions for one row
	sqlSchema = "mcplogic_bench"
	sqlJoined = 100_000 // rows of each of three tables that are joined
	sqlFacts  = `
:- facts(item/3, sql(bench, 'mcplogic_bench.items', [id, name, price])).
:- facts(first/2, sql(bench, 'mcplogic_bench.first', [id, next])).
:- facts(second/2, sql(bench, 'mcplogic_bench.second', [id, next])).
:- facts(third/2, sql(bench, 'mcplogic_bench.third', [id, name])).
`
	// Rules before the facts ask for one row after the other, those behind them leave the join to the database.
	sqlProgram = "apart(I, N) :- first(I, J), second(J, K), third(K, N).\n" + sqlFacts +
		"joined(I, N) :- first(I, J), second(J, K), third(K, N).\n" +
		"keyed(N) :- between(1, %d, I), K is I * 7919 mod %d + 1, item(K, N, _).\n"
	sqlPrepared = `drop schema if exists mcplogic_bench cascade; create schema mcplogic_bench;
create table mcplogic_bench.items(id integer primary key, name text not null, price double precision not null);
insert into mcplogic_bench.items select i, 'item' || i, i * 0.5 from generate_series(1, %[1]d) i;
create table mcplogic_bench.first as select i as id, i * 7919 %% %[2]d + 1 as next from generate_series(1, %[2]d) i;
create table mcplogic_bench.second as select i as id, i * 6101 %% %[2]d + 1 as next from generate_series(1, %[2]d) i;
create table mcplogic_bench.third as select i as id, 'third' || i as name from generate_series(1, %[2]d) i;
alter table mcplogic_bench.first add primary key (id), alter next set not null;
alter table mcplogic_bench.second add primary key (id), alter next set not null;
alter table mcplogic_bench.third add primary key (id), alter name set not null;
analyze mcplogic_bench.items, mcplogic_bench.first, mcplogic_bench.second, mcplogic_bench.third`
)

// A sqlResult is one question, put in both ways; times are in milliseconds. Processor time is that of this process, not
// of the server.
type sqlResult struct {
	Name       string  `json:"name"`
	Ours       float64 `json:"mcplogic_ms"`
	Hand       float64 `json:"driver_ms"`
	Ratio      float64 `json:"ratio"`
	Statements int     `json:"statements"`
}

// A sqlReport has all of them.
type sqlReport struct {
	Runs    int         `json:"runs"`
	Results []sqlResult `json:"results"`
}

// Table prints the report. A natural query is well if it takes at most three times as long as by hand, or a tenth of a
// second.
func (r *sqlReport) Table(w io.Writer) error {
	const well, short = 3, 100
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "least of %d runs\tmcplogic ms\tdriver ms\tratio\tstatements\t\n", r.Runs)
	good := 0
	for _, l := range r.Results {
		fmt.Fprintf(out, "%s\t%.0f\t%.0f\t%.2f\t%d\t\n", l.Name, l.Ours, l.Hand, l.Ratio, l.Statements)
		if l.Ratio <= well || l.Ours <= short {
			good++
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	const told = "%d of %d take at most %d times the driver's time, or %d ms\n"
	_, err := fmt.Fprintf(w, told, good, len(r.Results), well, short)
	return err
}

// byHand puts a question by hand. The value is that of the first row, if it has one column.
type byHand func(ctx context.Context, conn *pgx.Conn) (value string, err error)

// sqlQuestion is a question in both ways. The goal binds N to the value, if there is one.
type sqlQuestion struct {
	name, goal, about string
	hand              byHand
}

// sqlQuestions are those about rows of one table, and the natural ones.
func sqlQuestions() []sqlQuestion {
	const join = `select a.id, c.name from mcplogic_bench.first a, mcplogic_bench.second b, mcplogic_bench.third c
		where a.next = b.id and b.next = c.id`
	list := []sqlQuestion{
		{"points",
			fmt.Sprintf("forall(between(1, %d, I), (K is I * 7919 mod %d + 1, item(K, _, _)))", sqlPoints, sqlRows),
			fmt.Sprintf("%d questions for one row", sqlPoints), pointsByHand},
		{"blocks", fmt.Sprintf("aggregate_all(count, keyed(_), %d)", sqlPoints), "the same, in blocks", pointsByHand},
		{"rows", fmt.Sprintf("aggregate_all(count, item(_, _, _), %d)", sqlRows), fmt.Sprintf("%d rows", sqlRows),
			statement("select id, name, price from mcplogic_bench.items")},
		{"join", fmt.Sprintf("aggregate_all(count, joined(_, _), %d)", sqlJoined),
			fmt.Sprintf("join of three tables of %d", sqlJoined), statement(join)},
		{"apart", fmt.Sprintf("aggregate_all(count, apart(_, _), %d)", sqlJoined), "the same, goal by goal", statement(join)},
	}
	for _, q := range naturalQueries {
		list = append(list, sqlQuestion{q.name, q.name + "(N)", q.name, statement(q.sql)})
	}
	return list
}

// measureSQL makes tables in a schema of its own, which goes away afterwards.
func measureSQL(ctx context.Context, opts options) (*sqlReport, error) {
	conn, err := pgx.Connect(ctx, opts.sql)
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, fmt.Sprintf(sqlPrepared, sqlRows, sqlJoined)+naturalTables); err != nil {
		return nil, err
	}
	defer func() { _, _ = conn.Exec(context.WithoutCancel(ctx), "drop schema "+sqlSchema+" cascade") }()
	databases := kb.OpenDatabases(map[string]kb.Database{"bench": {Address: opts.sql}, "other": {Address: opts.sql}})
	text := fmt.Sprintf(sqlProgram, sqlPoints, sqlRows) + naturalFacts
	for i := range 500 {
		text += fmt.Sprintf("chosen(%d).\n", (i+1)*40)
	}
	for _, q := range naturalQueries {
		text += q.rule + "\n"
	}
	loaded, err := engine.LoadText(ctx, "bench.pl", text, &engine.Options{Databases: databases})
	if err != nil {
		return nil, err
	}
	report := &sqlReport{Runs: opts.runs}
	start := time.Now()
	now := func() time.Duration { return time.Since(start) }
	if opts.clock == "cpu" {
		now = ownTime
	}
	for _, q := range sqlQuestions() {
		if !chosen(opts.only, q.name) {
			continue
		}
		var ours, hand []time.Duration
		var statements atomic.Int64
		for range opts.runs {
			statements.Store(0)
			began := now()
			answer, err := loaded.Once(relation.Counted(ctx, &statements), q.goal, nil)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", q.goal, err)
			}
			ours = append(ours, now()-began)
			began = now()
			value, err := q.hand(ctx, conn)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", q.name, err)
			}
			hand = append(hand, now()-began)
			if n := answer.Get("N"); n != nil && engine.FormatTerm(n) != value {
				return nil, fmt.Errorf("%s: got %s, and %s by hand", q.goal, engine.FormatTerm(n), value)
			}
		}
		r := sqlResult{Name: q.about, Ours: milliseconds(slices.Min(ours)), Hand: milliseconds(slices.Min(hand)),
			Statements: int(statements.Load())}
		r.Ratio = r.Ours / r.Hand
		report.Results = append(report.Results, r)
	}
	return report, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// pointsByHand asks for one row at a time, in a transaction as a call does.
func pointsByHand(ctx context.Context, conn *pgx.Conn) (string, error) {
	return "", pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		var name string
		var price float64
		for i := 1; i <= sqlPoints; i++ {
			key := i*7919%sqlRows + 1
			err := tx.QueryRow(ctx, "select name, price from mcplogic_bench.items where id = $1", key).Scan(&name, &price)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// statement puts a statement and reads all rows.
func statement(text string) byHand {
	return func(ctx context.Context, conn *pgx.Conn) (value string, err error) {
		rows, err := conn.Query(ctx, text)
		if err != nil {
			return "", err
		}
		defer rows.Close()
		for n := 0; rows.Next(); n++ {
			if n == 0 && len(rows.RawValues()) == 1 {
				values, err := rows.Values()
				if err != nil {
					return "", err
				}
				value = fmt.Sprint(values[0])
			}
			_ = rows.RawValues()
		}
		return value, rows.Err()
	}
}
