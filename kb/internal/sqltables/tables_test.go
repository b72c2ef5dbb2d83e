package sqltables_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb/internal/sqltables"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/mcplogic/mcplogic/tools/pgtest"
)

// customers makes a table in either database.
const customers = `create table customers(id integer primary key, name text, country text, score real);
insert into customers values
	(1, 'ann', 'de', 1.5), (2, 'bob', null, 2), (3, 'cid', 'null', null), (4, 'it''s', 'de', -1);
`

const program = `
:- facts(customer/4, sql(crm, customers, [id, name, country, score])).
:- facts(number/2, sql(crm, numbers, [n, name]), [types([integer, string])]).
:- facts(nation/2, sql(crm, customers, [id, country]), [types([integer, string])]).
twice(I, J) :- nation(I, C), nation(J, C), I < J.
totals(N) :- aggregate_all(count, (nation(_, C), C \== null), N).
`

// needSQLite skips a test if the build lacks SQLite.
func needSQLite(t *testing.T) {
	t.Helper()
	if !slices.Contains(sql.Drivers(), "sqlite") {
		deep.Missing(t, "tables of SQLite", "go run ./tools/testall -tags=sqlite tests them")
	}
}

// sqliteFile makes a database.
func sqliteFile(t *testing.T, text string) string {
	t.Helper()
	needSQLite(t)
	file := filepath.Join(t.TempDir(), "a b.db")
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(text)
	require.NoError(t, err)
	return file
}

// load loads a program whose database crm is at an address.
func load(t *testing.T, address, text string) (*engine.Program, *sqltables.Set) {
	t.Helper()
	return loadFrom(t, sqltables.Database{Address: address}, text)
}

func loadFrom(t *testing.T, d sqltables.Database, text string) (*engine.Program, *sqltables.Set) {
	t.Helper()
	set := sqltables.Open(map[string]sqltables.Database{"crm": d})
	t.Cleanup(set.Close)
	p, err := engine.LoadText(t.Context(), "t.pl", text, &engine.Options{Databases: set})
	require.NoError(t, err)
	return p, set
}

// behind returns the database at an address behind a handle that has one connection for each run.
func behind(t *testing.T, address string) sqltables.Database {
	t.Helper()
	driver, name, dialect := "pgx", address, sqltables.PostgreSQL
	if file, ok := strings.CutPrefix(address, "sqlite:"); ok {
		driver, name, dialect = sqltables.SQLite, file, sqltables.SQLite
	}
	db, err := sql.Open(driver, name)
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return sqltables.Database{DB: db, Dialect: dialect}
}

// bothWays runs a test with a database at an address and behind a handle.
func bothWays(t *testing.T, address string, test func(t *testing.T, d sqltables.Database)) {
	t.Helper()
	t.Run("address", func(t *testing.T) { test(t, sqltables.Database{Address: address}) })
	t.Run("handle", func(t *testing.T) { test(t, behind(t, address)) })
}

// answers returns the answers of a goal, a line each, with its error.
func answers(t *testing.T, p *engine.Program, goal string) string {
	t.Helper()
	return answersWithin(t.Context(), t, p, goal, &engine.RunOptions{})
}

func answersWithin(
	ctx context.Context, t *testing.T, p *engine.Program, goal string, o *engine.RunOptions,
) string {
	t.Helper()
	var lines []string
	for s, err := range p.Query(ctx, goal, o) {
		if err != nil {
			lines = append(lines, "error: "+err.Error())
			break
		}
		var values []string
		for _, name := range s.Names() {
			if !strings.HasPrefix(name, "_") {
				values = append(values, engine.FormatTerm(s.Get(name)))
			}
		}
		lines = append(lines, strings.Join(values, " "))
	}
	return strings.Join(lines, "\n")
}

// testRows runs goals on the tables that both databases have.
func testRows(t *testing.T, p *engine.Program) {
	for _, tt := range []struct{ goal, want string }{
		{"customer(I, N, C, S)", "1 ann de 1.5\n2 bob null 2.0\n3 cid null null\n4 'it\\'s' de -1.0"},
		{"customer(1, N, _, _)", "ann"},
		{"customer(I, 'it\\'s', _, _)", "4"},
		{"customer(I, _, null, _)", "2\n3"},
		{"nation(I, C)", "1 \"de\"\n2 null\n3 null\n4 \"de\""}, // the text null is the same as NULL
		{"nation(I, null)", "2\n3"},
		{"nation(I, \"null\")", ""},
		{"twice(I, J)", "1 4\n2 3"},
		{"totals(N)", "2"},
		{"customer(I, _, _, null)", "3"},
		{"customer(I, _, _, 2.0)", "2"},
		{"customer(I, _, _, 2)", ""},
		{"customer(1.0, N, _, _)", ""},
		{"customer('1', N, _, _)", ""},
		{"customer(f(x), N, _, _)", ""},
		{"customer(I, \"ann\", _, _)", ""},
		{"customer(I, [], _, _)", ""},
		{"customer(99999999999999999999, N, _, _)", ""},
		{"customer(I, N, N, _)", ""},
		{"customer(I, _, C, _), customer(J, _, C, _), I < J", "1 de 4\n2 null 3"},
		{"aggregate_all(count, customer(_, _, _, _), N)", "4"},
		{"\\+ customer(5, _, _, _), once(customer(I, _, _, _))", "1"},
		{"aggregate_all(count, number(_, _), N)", "5000"},
		{"aggregate_all(sum(_N), number(_N, _), S)", "12502500"},
		{"number(4711, S), string(S)", `"n4711"`},
		{"aggregate_all(count, (number(_N, _), _N mod 500 =:= 0, number(_M, _), _M > 4990), C)", "100"},
		{"number(N, \"n17\")", "17"},
		{"number(N, n17)", ""},
		{"freeze(I, I > 3), customer(I, N, _, _)", "4 'it\\'s'"},
		{"number(N, _), N > 3000, !, number(_, _), number(M, _), M > 2, !", "3001 3"},
		{"catch((number(_N, _), _N > 3000, throw(found(_N))), found(M), customer(1, A, _, _))", "3001 ann"},
	} {
		require.Equal(t, tt.want, answers(t, p, tt.goal), tt.goal)
	}
}

// numbers makes a table of 5,000 rows, which take several batches.
func numbers() string {
	var b strings.Builder
	b.WriteString("create table numbers(n integer, name text);\n")
	for i := 1; i <= 5000; i += 500 {
		b.WriteString("insert into numbers values ")
		for j := i; j < i+500; j++ {
			fmt.Fprintf(&b, "(%d, 'n%d')%s", j, j, map[bool]string{true: ",", false: ";\n"}[j < i+499])
		}
	}
	return b.String()
}

func TestSQLite(t *testing.T) {
	file := sqliteFile(t, customers+numbers()+`create table kinds(a, b, c boolean, d date, e blob);
insert into kinds values (1, 'x', 1, '2026-07-28', x'0102'), ('1', 2.5, 0, 'later', null);`)
	bothWays(t, "sqlite:"+file, func(t *testing.T, d sqltables.Database) {
		p, _ := loadFrom(t, d, program+`
:- facts(kind/5, sql(crm, kinds, [a, b, c, d, e]), [types([any, any, boolean, atom, any])]).
:- facts(same/2, sql(crm, 'main.kinds', [a, b])).
`)
		testRows(t, p)
		for _, tt := range []struct{ goal, want string }{
			{"kind(A, B, C, D, E)", "1 x true '2026-07-28' 'AQI='\n'1' 2.5 false later null"},
			{"kind(A, _, true, _, _)", "1"},
			{"kind('1', B, _, _, _)", "2.5"},
			{"kind(A, _, _, later, _)", "'1'"},
			{"same(A, x)", "1"},
		} {
			require.Equal(t, tt.want, answers(t, p, tt.goal), tt.goal)
		}
	})
}

// The atoms of rows are made before the rows are used. A garbage collection between two rows keeps them.
func TestAtomsAhead(t *testing.T) {
	p, _ := load(t, "sqlite:"+sqliteFile(t, numbers()), `
:- facts(name/2, sql(crm, numbers, [n, name])).
churn(N) :- N mod 300 > 0, !.
churn(N) :- forall(between(1, 20000, I), (atom_concat(N, I, X), atom_concat(churn, X, _))), garbage_collect.
named(N) :- name(N, A), churn(N), atom_concat(n, T, A), atom_number(T, N).
`)
	require.Equal(t, "5000", answers(t, p, "aggregate_all(count, named(_), N)"))
}

// Why names the table that a row comes from.
func TestWhy(t *testing.T) {
	p, _ := load(t, "sqlite:"+sqliteFile(t, customers+numbers()), program+"german(N) :- customer(_, N, de, _).\n")
	proof, err := p.Why(t.Context(), "german(N)", nil)
	require.NoError(t, err)
	require.Equal(t, "german(ann)  [t.pl:7]\n  customer(1, ann, de, 1.5)  [crm.customers]\n"+
		"columns: customer(id, name, country, score)\n", proof.Text)
	require.Equal(t, "sql", proof.Nodes[1].By)
	require.Equal(t, map[string]string{"id": "1", "name": "ann", "country": "de", "score": "1.5"}, proof.Nodes[1].With)
	misses, err := p.WhyNot(t.Context(), "customer(7, bob, _, _)", nil)
	require.NoError(t, err)
	require.Contains(t, misses.Text, "there is no row `customer(7, bob, _, _)` in crm.customers")
}

// testSnapshot checks that a run sees a single state of the database whatever changes meanwhile, and that the next run
// sees the changes.
func testSnapshot(t *testing.T, p *engine.Program, change func(text string)) {
	run, err := p.Start("member(_N, [1, 2]), number(_N, S)", nil)
	require.NoError(t, err)
	defer run.Close()
	for n := 1; n <= 2; n++ {
		state, err := run.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, engine.Answer, state)
		require.Equal(t, fmt.Sprintf("%q", fmt.Sprint("n", n)), engine.FormatTerm(run.Solution().Get("S")))
		change("update numbers set name = 'new' where n < 3")
	}
	require.Equal(t, `"new"`, answers(t, p, "number(2, S)"))
}

func TestSQLiteSnapshot(t *testing.T) {
	for _, isHandle := range []bool{false, true} {
		file := sqliteFile(t, "pragma journal_mode=wal;"+customers+numbers())
		d := sqltables.Database{Address: "sqlite:" + file}
		if isHandle {
			d = behind(t, d.Address)
			d.DB.SetMaxOpenConns(2) // for a run beside the one that is open
		}
		p, _ := loadFrom(t, d, program)
		db, err := sql.Open("sqlite", file)
		require.NoError(t, err)
		defer db.Close()
		testSnapshot(t, p, func(text string) {
			_, err := db.Exec(text)
			require.NoError(t, err)
		})
	}
}

func TestSQLiteErrors(t *testing.T) {
	testSQLiteErrors(t, func(address string) sqltables.Database { return sqltables.Database{Address: address} })
	testSQLiteErrors(t, func(address string) sqltables.Database { return behind(t, address) })
}

func testSQLiteErrors(t *testing.T, open func(address string) sqltables.Database) {
	file := sqliteFile(t, customers+numbers())
	p, _ := loadFrom(t, open("sqlite:"+file), program)
	require.Equal(t, "ann", answers(t, p, "customer(1, A, _, _)"))
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec("alter table customers rename column name to title")
	require.NoError(t, err)
	require.Equal(t, "sql_error(crm,column) 'the table customers has no column name; it has id, title, country, score'",
		answers(t, p, "catch(customer(1, _, _, _), error(E, context(_, M)), true)"))
	require.Contains(t, answers(t, p, "customer(1, A, _, _)"), "the table customers has no column name")
	_, err = db.Exec("drop table customers")
	require.NoError(t, err)
	require.Contains(t, answers(t, p, "customer(1, A, _, _)"), "there is no table customers")
	require.Equal(t, "sql_error(crm,table) 1", answers(t, p,
		"catch(customer(1, _, _, _), error(E, _), true), number(N, _), !"))
}

// TestSQLiteReplaced puts another file in the place of a database. An open run continues with the old file.
func TestSQLiteReplaced(t *testing.T) {
	file := sqliteFile(t, customers+numbers())
	p, _ := load(t, "sqlite:"+file, program)
	run, err := p.Start("member(N, [1, 2]), customer(N, A, _, _)", nil)
	require.NoError(t, err)
	defer run.Close()
	next := func() string {
		_, err := run.Next(t.Context())
		require.NoError(t, err)
		return engine.FormatTerm(run.Solution().Get("A"))
	}
	require.Equal(t, "ann", next())
	second := answers(t, p, "customer(2, A, _, _)")
	require.NoError(t, os.Rename(sqliteFile(t, customers+numbers()+"update customers set name = 'new';"), file))
	require.Equal(t, "new", answers(t, p, "customer(2, A, _, _)"))
	require.Equal(t, second, next())
	require.NoError(t, os.Remove(file))
	require.Equal(t, "sql_error(crm,connection)", answers(t, p, "catch(customer(2, _, _, _), error(E, _), true)"))
}

// A run inside another run that holds the only connection of a handle is an error after a time.
func TestOneConnection(t *testing.T) {
	t.Parallel()
	d := behind(t, "sqlite:"+sqliteFile(t, customers+numbers()))
	p, _ := loadFrom(t, d, program)
	run, err := p.Start("customer(_, N, _, _)", nil)
	require.NoError(t, err)
	defer run.Close()
	_, err = run.Next(t.Context())
	require.NoError(t, err)
	require.Contains(t, answers(t, p, "customer(_, N, _, _)"), "the handle had no connection for 10s")
}

// The rows of an interrupted query are kept, up to a limit.
func TestRowsKept(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	server.SQL(t, customers+numbers()+"create table wide(n int, t text); "+
		"insert into wide select n, repeat('x', 1000) || n from generate_series(1, 100000) n;")
	d := behind(t, server.Address)
	p, _ := loadFrom(t, d, program+":- facts(wide/2, sql(crm, wide, [n, t])).\n")
	require.Equal(t, "10 4", answers(t, p, "number(I, _), I >= 10, customer(J, _, _, _), J > 3, !"))
	require.Contains(t, answers(t, p, "wide(I, T), atom_length(T, _), customer(_, _, _, _), I > 100000"), "64 MiB")
	require.Equal(t, "100000", answers(t, p, "aggregate_all(count, wide(_, _), N)"))
}

// A mistake in a directive is reported at the directive.
func TestDirectives(t *testing.T) {
	file := sqliteFile(t, customers)
	db, closed := behind(t, "sqlite:"+file).DB, behind(t, "sqlite:"+file)
	require.NoError(t, closed.DB.Close())
	set := sqltables.Open(map[string]sqltables.Database{"crm": {Address: "sqlite:" + file}, "closed": closed,
		"bad": {Address: "mysql://ann:secret@host"}, "none": {Address: "sqlite:/no/file"},
		"both": {Address: "sqlite:" + file, DB: db}, "odd": {DB: db, Dialect: "mysql"}})
	defer set.Close()
	for _, tt := range []struct{ text, want string }{
		{":- facts(c/1, sql(crm, customers, [nam])).", "the table customers has no column nam; did you mean name?"},
		{":- facts(c/1, sql(crm, custom, [name])).", "there is no table custom"},
		{":- facts(c/2, sql(crm, customers, [name])).", "c/2 has 2 arguments, and there is a list of 1 column"},
		{":- facts(c/1, sql(crm, customers, name)).", "want sql(Database, Table, [Column, ...])"},
		{":- facts(c/1, sql(crm, customers, [name]), [header(true)]).", "bad option header(true); tables of databases have"},
		{":- facts(c/1, sql(crm, customers, [name]), [refresh(0)]).", "bad option refresh(0)"},
		{":- facts(c/1, sql(crm, customers, [name]), [copy(maybe)]).", "bad option copy(maybe)"},
		{":- facts(c/1, sql(crm, customers, [name]), copy(true)).", "the options must be a list"},
		{":- facts(c/1, sql(crm, customers, [name]), [version(id)]).", "say copy(true) too"},
		{":- facts(c/1, sql(crm, customers, [name]), [copy(true), version(v)]).", "the table customers has no column v"},
		{":- facts(c/1, sql(none, customers, [name]), [copy(true)]).", "(and 1 warning more)"},
		{"c(1).\n:- facts(c/1, sql(crm, customers, [name])).", "c/1 has clauses already"},
		{":- facts(c/1, sql(other, customers, [name])).", "warning: database other: it has no address"},
		{":- facts(c/1, sql(bad, customers, [name])).", "warning: database bad: the address is not right"},
		{":- facts(c/1, sql(none, customers, [name])).", "warning: database none: there is no file /no/file"},
		{":- facts(c/1, sql(both, customers, [name])).", "database both: it has an address and a handle; want one of them"},
		{":- facts(c/1, sql(odd, customers, [name])).", `got a handle with the dialect "mysql", want postgres or sqlite`},
		{":- facts(c/1, sql(closed, customers, [name])).", "database closed: sql: database is closed"},
	} {
		p := engine.New(&engine.Options{Databases: set})
		_ = p.Load(t.Context(), source.File{Name: "t.pl", Text: tt.text})
		require.Contains(t, p.Diagnostics().Error(), strings.TrimPrefix(tt.want, "warning: "), tt.text)
		require.NotContains(t, p.Diagnostics().Error(), "secret")
	}
}

// A database without an address is reported by loads that serve or check, and by the call that needs the database,
// which names the option. Goals and tests that do not need it run.
func TestUnnamed(t *testing.T) {
	const text = ":- facts(c/1, sql(crm, customers, [name])).\nother(1).\n"
	for lenient, want := range map[bool]string{true: "", false: "there is no database crm; --sql crm=... names it"} {
		p := engine.New(&engine.Options{Lenient: lenient})
		require.NoError(t, p.Load(t.Context(), source.File{Name: "t.pl", Text: text}))
		if want == "" {
			require.Empty(t, p.Diagnostics())
		} else {
			require.Contains(t, p.Diagnostics().Error(), want)
		}
		require.Equal(t, "1", answers(t, p, "other(X)"))
		require.Equal(t, "existence_error(database,crm)", answers(t, p, "catch(c(_), error(E, _), true)"))
	}
}

// clock is a database that returns the deadline for its answer.
type clock struct{ until time.Time }

func (c *clock) Check(context.Context, *relation.Query) error { return nil }

func (c *clock) Begin(time.Duration) relation.Snapshot { return c }

func (c *clock) Ask(ctx context.Context, _ string, _ []term.Term) (*relation.Rows, relation.Rest, error) {
	c.until, _ = ctx.Deadline()
	return &relation.Rows{}, nil, nil
}

func (c *clock) Ahead(context.Context, string, [][]term.Term) (bool, error) { return true, nil }

func (c *clock) Close() {}

// The time of a call is measured by the monotonic clock, which Go prints as m. Setting the wall clock during the call
// neither ends the call nor prolongs it.
func TestTimeOfCalls(t *testing.T) {
	c := &clock{}
	p := engine.New(&engine.Options{Databases: c})
	const text = ":- facts(c/1, sql(crm, customers, [name]))."
	require.NoError(t, p.Load(t.Context(), source.File{Name: "t.pl", Text: text}))
	require.Empty(t, answersWithin(t.Context(), t, p, "c(_)", &engine.RunOptions{Limits: engine.Limits{Time: time.Hour}}))
	require.Contains(t, c.until.String(), " m=+")
}

// A query that takes too long ends when the time of the call is over, and when the call is cancelled.
func testEnds(t *testing.T, p *engine.Program, endless string) {
	require.Contains(t, answersWithin(t.Context(), t, p, endless,
		&engine.RunOptions{Limits: engine.Limits{Time: 300 * time.Millisecond}}), "Time")
	run, err := p.Start(endless, nil)
	require.NoError(t, err)
	defer run.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	_, err = run.Next(ctx)
	var aborted *engine.Aborted
	require.ErrorAs(t, err, &aborted)
	run, err = p.Start(endless, nil)
	require.NoError(t, err)
	defer run.Close()
	time.AfterFunc(100*time.Millisecond, func() { run.Cancel("enough") })
	_, err = run.Next(t.Context())
	require.ErrorAs(t, err, &aborted)
	require.Equal(t, "ann", answers(t, p, "customer(1, A, _, _)"))
}

func TestSQLiteEnds(t *testing.T) {
	file := sqliteFile(t, customers+numbers()+`create view endless(n) as
with recursive r(n) as (select 1 union all select n + 1 from r where n > 0) select n from r where n < 0;`)
	bothWays(t, "sqlite:"+file, func(t *testing.T, d sqltables.Database) {
		p, _ := loadFrom(t, d, program+":- facts(endless/1, sql(crm, endless, [n])).")
		testEnds(t, p, "endless(_)")
		require.Equal(t, "time_limit_exceeded sql_error(crm,connection) 'the transaction of this call has ended, since a "+
			"limit or a cancellation ended a question in it'", answers(t, p,
			`catch(call_with_time_limit(0.2, endless(_)), L, true), catch(customer(1, _, _, _), error(E, context(_, M)), true)`))
	})
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	testPostgres(t, func(address string) sqltables.Database { return sqltables.Database{Address: address} })
}

func TestPostgresHandle(t *testing.T) {
	t.Parallel()
	testPostgres(t, func(address string) sqltables.Database { return behind(t, address) })
}

func testPostgres(t *testing.T, open func(address string) sqltables.Database) {
	server := pgtest.Start(t)
	server.SQL(t, customers+numbers()+`
create type mood as enum ('sad', 'ok');
create domain positive as int check (value > 0);
create schema sales;
create table sales.kinds(i2 smallint, i8 bigint, f4 real, n numeric, b boolean, u uuid, d date, t time, ts timestamp,
	tz timestamptz, j json, jb jsonb, ia int[], ta text[], m mood, bytes bytea, p positive, c char(4), big numeric);
insert into sales.kinds values (-3, 9223372036854775807, 0.1, 12.50, true, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
	'2026-07-28', '12:30', '2026-07-28 12:30:00.5', '2026-07-28 14:30:00+02',
	'{"a": [1, 2.5, null, "x"], "b": {}, "d": 0.12345678901234567890}',
	'{"k": true}', '{1,NULL,3}', '{"a b","c\"d",NULL}', 'ok', '\x00ff', 5, 'ab', 12345678901234567890.5);
create view endless(n) as with recursive r(n) as (select 1 union all select n # 1 from r) select n from r where n < 0;`)
	d := open(server.Address)
	p, _ := loadFrom(t, d, program+`
:- facts(kind/19, sql(crm, 'sales.kinds', [i2, i8, f4, n, b, u, d, t, ts, tz, j, jb, ia, ta, m, bytes, p, c, big])).
:- facts(endless/1, sql(crm, endless, [n])).
:- facts(short/1, sql(crm, 'sales.kinds', [f4])).
few(F) :- short(F), F =< 0.1.
same(I, V) :- functor(G, kind, 19), call(G), arg(I, G, V), functor(H, kind, 19), arg(I, H, V), call(H).
odd(I, V, E) :- functor(G, kind, 19), between(1, 19, I),
    member(V, [foo, 2, 2.5, "s", true, 99999999999, 12345678901234567890, '2026-13-40', 'a\000\b', inf, f(x), []]),
    arg(I, G, V), catch(call(G), E, true).
`)
	testRows(t, p)
	for _, tt := range []struct{ goal, want string }{
		{"functor(_G, kind, 19), call(_G), _G =.. [_|L]", "[-3,9223372036854775807,0.1,12.5,true,'a0eebc99-9c0b-4ef8-bb6d-" +
			"6bb9bd380a11','2026-07-28','12:30:00','2026-07-28T12:30:00.5','2026-07-28T12:30:00Z',{a-[1,2.5,null,x],b-{}," +
			"d-0.12345678901234568},{k-true},[1,null,3],['a b','c\"d',null],ok,'AP8=',5,ab,'12345678901234567890.5']"},
		{"few(F)", "0.1"},
		{"findall(_I, (between(1, 19, _I), same(_I, _)), L), length(L, N)",
			"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19] 19"},
		{"forall(odd(_I, _V, _E), (var(_E), _I-_V == 5-true)), X = yes", "yes"},
	} {
		require.Equal(t, tt.want, answers(t, p, tt.goal), tt.goal)
	}
	testEnds(t, p, "endless(_)")
	if d.DB != nil {
		d.DB.SetMaxOpenConns(2) // for a run beside the one that is open
	}
	testSnapshot(t, p, func(text string) { server.SQL(t, text) })
	server.SQL(t, "update numbers set name = 'n' || n")

	server.SQL(t, "alter table customers rename column name to title; alter table numbers alter n type bigint;")
	require.Equal(t, "sql_error(crm,column) 'the table customers has no column name; it has id, title, country, score'",
		answers(t, p, "catch(customer(1, _, _, _), error(E, context(_, M)), true)"))
	require.Contains(t, answers(t, p, "customer(1, A, _, _)"), "the table customers has no column name")
	require.Equal(t, "12502500", answers(t, p, "aggregate_all(sum(_N), number(_N, _), S)"))
	server.SQL(t, "drop table customers")
	require.Contains(t, answers(t, p, "customer(1, A, _, _)"), "there is no table customers")

	server.Kill(t)
	require.Contains(t, answers(t, p, "number(1, A)"), "reports connection (the server cannot be reached)")
	server.Run(t)
	require.Equal(t, `"n1"`, answers(t, p, "number(1, A)"))

	wrong, _ := loadFrom(t, open(strings.Replace(server.Address, "postgres@", "ann:secret@", 1)), program)
	require.NotContains(t, answers(t, wrong, "number(1, A)"), "secret")
	require.Contains(t, answers(t, wrong, "number(1, A)"), "reports 28000")
}

// The lint knows the types of columns, both those that the directive names and those of the database.
func TestColumnTypes(t *testing.T) {
	t.Parallel()
	found := func(address, text string) (list []string) {
		set := sqltables.Open(map[string]sqltables.Database{"crm": {Address: address}})
		t.Cleanup(set.Close)
		p, err := engine.LoadText(t.Context(), "t.pl", text, &engine.Options{Databases: set, Lint: true, Lenient: true})
		require.NoError(t, err)
		for _, d := range p.Diagnostics() {
			list = append(list, fmt.Sprint(d.Line, " ", d.Code, ": ", d.Message))
		}
		return list
	}
	rules := `:- facts(client/3, sql(crm, customers, [id, name, country]), [types([integer, atom, any])]).
german(N) :- client(_, N, "de"), client(_, "ann", _).
first(N) :- client(one, N, _).
right(N) :- client(1, N, C), C \== null, N \== null.
`
	require.Equal(t, []string{
		`2 never: client(_,"ann",_) never succeeds: client/3 has an atom as argument 2, and this is "ann"`,
		`3 never: client(one,N,_) never succeeds: client/3 has null or an integer as argument 1, and this is one`,
	}, found("sqlite:"+sqliteFile(t, customers), rules))
}
