package sqltables_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/kb/internal/sqltables"
	"github.com/mcplogic/mcplogic/tools/pgtest"
)

// This file checks unusual values of databases: keys that are not the rowid, bytes, domains, and values that the server
// refuses to read.

// TestKeysSQLite has the three kinds of integer keys. The last is an alias of rowid; the others may hold any value.
func TestKeysSQLite(t *testing.T) {
	const schema = `
create table w(id integer primary key, x int) without rowid;
insert into w values ('b', 3), (2.5, 4), (1, 5), ('null', 6);
create table d(id integer primary key desc, x int);
insert into d values (null, 1), ('null', 2), ('b', 3), (2.5, 4), (1, 5);
create table k(id integer primary key, x int);
insert into k values (1, 5), (2, 4);`
	bothWays(t, "sqlite:"+sqliteFile(t, schema), func(t *testing.T, d sqltables.Database) {
		p, _ := loadFrom(t, d, `
:- facts(w/2, sql(crm, w, [id, x])).
:- facts(d/2, sql(crm, d, [id, x])).
:- facts(k/2, sql(crm, k, [id, x])).
sorted(L) :- findall(I, order_by([asc(I)], d(I, _)), L).
both(I, X) :- w(I, X), d(I, _).
`)
		for goal, want := range map[string]string{
			"w(null, X)": "6", "findall(_X, d(null, _X), L)": "[1,2]", "w(b, X)": "3", "w(1, X)": "5", "k(2, X)": "4",
			"sorted(L)": "[1,2.5,b,null,null]", "findall(_I, both(_I, _), _Is), msort(_Is, L)": "[1,2.5,b,null,null]",
			"findall(_I, (w(_I, _), \\+ d(_I, _)), L)": "[]", "aggregate_all(max(_I), k(_I, _), M)": "2",
		} {
			require.Equal(t, want, answers(t, p, goal), goal)
		}
	})
}

// TestBlobsSQLite finds bytes by their base64 in columns that are declared to hold bytes.
func TestBlobsSQLite(t *testing.T) {
	const schema = `
create table e(a blob, b blob);
insert into e values (x'ff', 'two'), ('two', x'03'), ('/w==', 'x'), (null, 'null');
create table m(a longblob, b varbinary(8), size int generated always as (length(a)));
insert into m values (x'ff', x'03');
create table n(t text); insert into n values ('/w=='), ('Aw=='), ('null');`
	bothWays(t, "sqlite:"+sqliteFile(t, schema), func(t *testing.T, d sqltables.Database) {
		p, _ := loadFrom(t, d, `
:- facts(e/2, sql(crm, e, [a, b])).
:- facts(n/1, sql(crm, n, [t])).
:- facts(m/3, sql(crm, m, [a, b, size])).
:- table p/2.
p(X, Y) :- e(X, Y).
p(X, Z) :- p(X, Y), e(Y, Z).
joined(T) :- n(T), e(_, T).
count(N) :- aggregate_all(count, e('/w==', _), N).
`)
		for goal, want := range map[string]string{
			"findall(_B, e('/w==', _B), L)": "[two,x]", "p('/w==', 'Aw==')": "", "findall(_T, joined(_T), L)": "['Aw==',null]",
			"m('/w==', _, X)": "1", "m(_, 'Aw==', X)": "1", "aggregate_all(count, m(_, _, 1), X)": "1",
			"count(N)": "2", "e(null, X)": "null", "e(two, X)": "'Aw=='",
		} {
			require.Equal(t, want, answers(t, p, goal), goal)
		}
	})
}

// TestDomainsPostgres checks domains over domains, and arrays of domains.
func TestDomainsPostgres(t *testing.T) {
	server := pgtest.Start(t)
	server.SQL(t, `create domain d1 as int; create domain d2 as d1; create domain d3 as numeric(8,2);
create domain d4 as d3;
create domain d5 as d2[]; create table dom(a d1, b d2, c d2[], d d4, e d5);
insert into dom values (1, 2, '{3,4}', 1.50, '{5}');`)
	bothWays(t, server.Address, func(t *testing.T, d sqltables.Database) {
		p, _ := loadFrom(t, d, `
:- facts(dom/5, sql(crm, dom, [a, b, c, d, e])).
sum(S) :- aggregate_all(sum(B), dom(_, B, _, _, _), S).
`)
		require.Equal(t, "1 2 [3,4] 1.5 [5]", answers(t, p, "dom(A, B, C, D, E)"))
		require.Equal(t, "1", answers(t, p, "dom(A, 2, _, _, _)"))
		require.Equal(t, "2", answers(t, p, "sum(S)"))
	})
}

// TestRefusedValuesPostgres asks for values that a type cannot have, and goes on after a statement that has failed.
func TestRefusedValuesPostgres(t *testing.T) {
	server := pgtest.Start(t)
	server.SQL(t, `create table r(f real, d date, t text, n numeric, s timestamp);
insert into r values (1.5, '2024-01-02', 'a', 1, '2024-01-02 03:04:05'), (null, '0001-01-01', 'b', 2, null);
create table nans(f float8, r real, n numeric, a float8[]);
insert into nans values ('NaN', 'NaN', 'NaN', '{NaN}'), (1.5, 1.5, 1.5, '{1.5}');
create view bad as select 1 / (n - n)::int as x, n from r;`)
	bothWays(t, server.Address, func(t *testing.T, d sqltables.Database) {
		p, _ := loadFrom(t, d, `
:- facts(r/5, sql(crm, r, [f, d, t, n, s])).
:- facts(bad/2, sql(crm, bad, [x, n])).
:- facts(nans/4, sql(crm, nans, [f, r, n, a])).
`)
		for _, goal := range []string{"nans(_X, _X, _X, [_X])", "nans(_X, _, _, _), _X is nan",
			"_X is nan, nans(_X, _, _, _)",
			"_X is nan, nans(_, _X, _, _)", "_X is nan, nans(_, _, _X, _)", "_X is nan, nans(_, _, _, [_X])"} {
			require.Equal(t, "yes", answers(t, p, "once(("+goal+")), A = yes"), goal)
		}
		for _, goal := range []string{"r(1.0e300, _, _, _, _)", "r(5.0e-324, _, _, _, _)", "r(3.5e38, _, _, _, _)",
			"r(-1.0e39, _, _, _, _)", "r(_, '0000-01-01', _, _, _)", "r(_, _, _, _, '0000-01-01T00:00:00')",
			"X is 10 ** 200000, r(_, _, _, X, _)", "r(_, '2024-02-30', _, _, _)"} {
			require.Equal(t, "", answers(t, p, goal), goal)
		}
		require.Equal(t, "a", answers(t, p, "r(1.5, _, T, _, _)"))
		require.Equal(t, "a\nb", answers(t, p, "catch(bad(_, _), _, true), r(_, _, T, _, _)"))
		require.Contains(t, answers(t, p, "r(_, _, T, _, _), catch(bad(_, _), error(E, _), true)"), "22012")
	})
}

// TestSeldomTypesPostgres compares values that the server would convert first: numbers to an oid, texts to one byte,
// and addresses to other texts than those that it sends.
func TestSeldomTypesPostgres(t *testing.T) {
	server := pgtest.Start(t)
	server.SQL(t, `create table s(o oid, i inet, c "char"); create table n(i bigint not null, v varchar(3));
insert into s values (4294967295, '1.2.3.4', 'a'), (1, '10.0.0.0/8', 'b');
insert into n values (-1, 'abc'), (1, 'a'), (9223372036854775807, 'b');`)
	bothWays(t, server.Address, func(t *testing.T, d sqltables.Database) {
		p, _ := loadFrom(t, d, `
:- facts(s/3, sql(crm, s, [o, i, c])).
:- facts(n/2, sql(crm, n, [i, v])).
of_oid(X, N) :- aggregate_all(count, s(X, _, _), N).
of_inet(X, N) :- aggregate_all(count, s(_, X, _), N).
of_char(X, N) :- aggregate_all(count, s(_, _, X), N).
above(X, N) :- aggregate_all(count, (s(O, _, _), O > X), N).
joined(N) :- aggregate_all(count, (n(O, _), s(O, _, _)), N).
less(N) :- aggregate_all(count, (n(I, _), s(O, _, _), I < O), N).
letters(N) :- aggregate_all(count, (n(_, V), s(_, _, V)), N).
`)
		for goal, want := range map[string]string{
			"of_oid(-1, N)": "0", "of_oid(4294967295, N)": "1", "of_oid(4294967296, N)": "0", "s(-1, _, C)": "",
			"of_inet('1.2.3.4', N)": "1", "of_inet('1.2.3.4/32', N)": "0", "of_inet('10.0.0.0/8', N)": "1",
			"s(_, '1.2.3.4', C)": "a", "of_char(ab, N)": "0", "of_char(a, N)": "1", "letters(N)": "2",
			"above(-1, N)": "2", "above(1, N)": "1", "joined(N)": "1", "less(N)": "3",
			"findall(_I, order_by([asc(_I)], s(_, _I, _)), L)": "['1.2.3.4','10.0.0.0/8']",
		} {
			require.Equal(t, want, answers(t, p, goal), goal)
		}
	})
}

// TestPooler asks through PgBouncer in transaction mode, by two processes one after the other.
func TestPooler(t *testing.T) {
	server := pgtest.Start(t)
	server.SQL(t, "create table r(a int, b bytea); insert into r select n, '\\x01' from generate_series(1, 500) n;")
	address := server.Pooler(t)
	const text = ":- facts(r/2, sql(crm, r, [a, b])).\ntwo(A, B) :- r(A, X), B is A + 1, r(B, X).\n"
	for range 3 {
		p, _ := load(t, address, text)
		other, _ := load(t, address, text)
		for range 3 {
			require.Equal(t, "'AQ=='", answers(t, p, "r(7, B)"))
			require.Equal(t, "499", answers(t, other, "aggregate_all(count, two(_, _), N)"))
			require.Equal(t, "500", answers(t, p, "aggregate_all(count, (r(_, _), true), N)"))
		}
	}
}
