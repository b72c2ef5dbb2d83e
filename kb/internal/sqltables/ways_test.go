package sqltables_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/kb/internal/sqltables"
	"github.com/mcplogic/mcplogic/tools/pgtest"
)

// waysSchema makes 2,000 customers, 6,000 orders of them, and 6,000 edges.
const waysSchema = `
create table client(id integer primary key, name text not null, city integer not null);
create table ordered(id integer primary key, client integer not null, total integer not null);
create table edge(a integer not null, b integer not null);
insert into client with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
	select i, 'c' || i, i % 7 from n;
insert into ordered with recursive n(i) as (select 1 union all select i + 1 from n where i < 6000)
	select i, i * 7 % 2000 + 1, i % 100 from n;
insert into edge with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
	select i, i * 2 % 3000 + 1 from n union all select i, (i * 2 + 1) % 3000 + 1 from n;
`

const waysFacts = `
:- facts(client/3, sql(crm, client, [id, name, city])).
:- facts(ordered/3, sql(crm, ordered, [id, client, total])).
:- facts(edge/2, sql(crm, edge, [a, b])).
`

const waysRules = `
:- table reach/2.
reach(X, Y) :- edge(X, Y).
reach(X, Y) :- reach(X, Z), edge(Z, Y).
reached(N) :- aggregate_all(count, reach(1, _), N).
large(C) :- ordered(_, C, T), T > 90.
large_name(N) :- large(C), client(C, N, _).
behind(K) :- aggregate_all(count, large_name(_), K).
lists(K) :- findall(C-L, (client(C, _, 3), findall(O, ordered(O, C, _), L)), All), length(All, K).
sums(K) :- findall(S, (client(C, _, _), aggregate_all(sum(T), ordered(_, C, T), S)), All), sum_list(All, K).
counts(K) :- aggregate_all(count, (client(C, _, _), aggregate_all(count, ordered(_, C, _), N), N > 2), K).
without(K) :- aggregate_all(count, (client(C, _, _), \+ (ordered(_, C, T), T > 50)), K).
every(K) :- aggregate_all(count, (client(C, _, _), forall(ordered(_, C, T), T > 20)), K).
first(K) :- aggregate_all(count, (client(C, _, _), once(ordered(_, C, _))), K).
best(K) :- findall(T, (client(C, _, _), limit(1, order_by([desc(T)], ordered(_, C, T)))), All), sum_list(All, K).
either(K) :- aggregate_all(count, (client(C, _, _), ( ordered(_, C, 5) -> true ; C < 5 )), K).
above(K) :- aggregate_all(count, (member(T, [1, 5, 20, 40, 60, 80, 90, 95, 99, 12, 13, 14]), between(1, 5, I),
	S is T + I, aggregate_all(count, (client(C, _, _), C > S), N), N > 1930), K).
listed(K) :- findall(C, client(C, _, 2), Cs), findall(O, (member(C, Cs), order_of(C, O)), Os), length(Os, K).
order_of(C, O) :- ordered(O, C, _), O > 0.
again(K) :- aggregate_all(count, (between(1, 300, _), full), K).
full :- client(_, N, _), N == c1999.
`

// testWays runs goals that ask tables for each of thousands of values. The answers are the same as with facts, and
// there are few statements.
func testWays(t *testing.T, address string) {
	databases := sqltables.Open(map[string]sqltables.Database{"crm": {Address: address}})
	t.Cleanup(databases.Close)
	loadText := func(text string, options *engine.Options) *engine.Program {
		p, err := engine.LoadText(t.Context(), "t.pl", text, options)
		require.NoError(t, err)
		return p
	}
	joined := loadText(waysFacts+waysRules, &engine.Options{Databases: databases})
	apart := loadText(waysRules+waysFacts, &engine.Options{Databases: databases})
	columns := [][]string{{"", "", ""}, {"", "", ""}, {"", ""}}
	inMemory := loadText(factsNamed(t, apart, []string{"client", "ordered", "edge"}, columns)+waysRules, nil)
	for _, goal := range []string{"reached", "behind", "lists", "sums", "counts", "without", "every", "first",
		"best", "either", "above", "listed", "again"} {
		want := answers(t, inMemory, goal+"(N)")
		for name, p := range map[string]*engine.Program{"joined": joined, "apart": apart} {
			var statements atomic.Int64
			ctx := relation.Counted(t.Context(), &statements)
			require.Equal(t, want, answersWithin(ctx, t, p, goal+"(N)", &engine.RunOptions{}), "%s %s", goal, name)
			t.Logf("%s %s: %s, %d statements", goal, name, want, statements.Load())
			require.Positive(t, statements.Load())
			require.LessOrEqual(t, statements.Load(), int64(50), "%s %s", goal, name)
		}
	}
}

func TestWaysSQLite(t *testing.T) { testWays(t, "sqlite:"+sqliteFile(t, waysSchema)) }

func TestWaysPostgres(t *testing.T) {
	server := pgtest.Start(t)
	server.SQL(t, waysSchema)
	testWays(t, server.Address)
}

// oddSchema has views that the database cannot compute for one row.
const oddSchema = `create view odd as
	select id, abs(case when id = 700 then cast('-9223372036854775808' as bigint) else id end) as size from client;
create view late as
	select id, abs(case when id = 1300 then cast('-9223372036854775808' as bigint) else id end) as size from client;
`

const oddRules = `
each(K) :- aggregate_all(count, (client(C, _, _), C =\= 700, odd(C, S), integer(S)), K).
other(K) :- aggregate_all(count, (client(C, _, _), X is C * 7 mod 600 + 1, odd(X, S), integer(S)), K).
sums(K) :- findall(S, (client(C, _, _), C =\= 700, aggregate_all(sum(T), odd(C, T), S)), All), sum_list(All, K).
before(C) :- between(690, 800, C), odd(C, S), integer(S), C >= 699, !.
passed(After, N) :- late(I, S), I > After, integer(S), named(I, N), !.
named(I, N) :- client(I, N, _).
on(N) :- catch(odd(700, S), error(_, _), true), var(S), named(5, N).
caught(E) :- client(C, _, _), C > 698, catch(odd(C, S), error(E, _), true), nonvar(E), var(S), !.
`

// testRefused makes the database refuse blocks and fetches because of a row that no goal asks for. The answers are the
// same as for single questions, and open queries continue.
func testRefused(t *testing.T, address string) {
	const facts = waysFacts + ":- facts(odd/2, sql(crm, odd, [id, size])).\n" +
		":- facts(late/2, sql(crm, late, [id, size])).\n"
	for name, text := range map[string]string{"joined": facts + oddRules, "apart": oddRules + facts} {
		bothWays(t, address, func(t *testing.T, d sqltables.Database) {
			p, _ := loadFrom(t, d, text)
			for _, tt := range []struct{ goal, want string }{
				{"each(N)", "1999"},
				{"other(N)", "2000"},
				{"sums(N)", fmt.Sprint(2000*2001/2 - 700)},
				{"before(N)", "699"},
				{"passed(100, N)", "c101"},
				{"passed(200, N)", "c201"}, // which may have been read with row 1300
				{"on(N)", "c5"},
			} {
				require.Equal(t, tt.want, answers(t, p, tt.goal), "%s %s", tt.goal, name)
			}
			require.Contains(t, answers(t, p, "caught(E)"), "sql_error(crm,", name)
		})
	}
}

func TestRefusedSQLite(t *testing.T) { testRefused(t, "sqlite:"+sqliteFile(t, waysSchema+oddSchema)) }

func TestRefusedPostgres(t *testing.T) {
	server := pgtest.Start(t)
	server.SQL(t, waysSchema+oddSchema)
	testRefused(t, server.Address)
}

// TestMemoryOfWays checks that a run with too little memory for the rows of a table asks for them one by one.
func TestMemoryOfWays(t *testing.T) {
	p, _ := load(t, "sqlite:"+sqliteFile(t, waysSchema), waysRules+waysFacts)
	limits := engine.Limits{Memory: 1 << 20}
	got := answersWithin(t.Context(), t, p, "listed(N)", &engine.RunOptions{Limits: limits})
	require.Equal(t, fmt.Sprint(858), got)
}

// TestFetchedJoins joins columns whose values are equal for the database although their terms differ. A fetch compares
// the terms even if no goal names the columns.
func TestFetchedJoins(t *testing.T) {
	p, set := load(t, "sqlite:"+sqliteFile(t, `create table pair(a text not null, b real);
insert into pair values ('1', 3.0), ('2', 2.0), ('4', 1.0), ('3', 'b'), ('1', 1.0), ('b', 7.0);`), `
:- facts(pair/2, sql(crm, pair, [a, b])).
joined(X, Y) :- pair(X, Z), pair(Z, Y).
`)
	for name, ways := range map[string]sqltables.Ways{"usual": sqltables.UsualWays, "fetched": sqltables.FetchSoon,
		"blocks": sqltables.BlocksAlone, "one": sqltables.OneByOne} {
		set.SetWays(ways)
		require.Equal(t, "'3' 7.0", answers(t, p, "joined(X, Y)"), name)
		require.Equal(t, "'3' 7.0", answers(t, p, "member(X, ['1', '2', '3', '4', b, 1]), joined(X, Y)"), name)
	}
}
