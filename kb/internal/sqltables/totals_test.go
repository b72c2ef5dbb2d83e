package sqltables_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb/internal/sqltables"
	"github.com/mcplogic/mcplogic/tools/pgtest"
)

// This file checks totals, orders and limits over values that the database finds equal although their terms differ, and
// over values that the database cannot total.

const hardFacts = `
:- facts(pair/4, sql(crm, pairs, [id, f, t, n])).
:- facts(other/3, sql(crm, others, [f, t, n])).
:- facts(text/2, sql(crm, pairs, [id, t]), [types([integer, string])]).
:- facts(empty/1, sql(crm, empty, [n])).
`

// hardRules are rules with one goal each.
const hardRules = `
r01(A) :- member(F, [0.0, -0.0, 0, 1, 1.0, 1.5]), aggregate_all(count, pair(_, F, _, _), N), A = F-N.
r02(A) :- aggregate_all(count, (pair(_, F, _, _), other(F, _, _)), A).
r03(A) :- aggregate_all(count, (pair(_, _, T, _), other(_, T, _)), A).
r04(A) :- aggregate_all(count, (pair(_, _, _, N), other(_, _, N)), A).
r05(A) :- member(T, [a, 'A', null, "a", 'a ', '', '1', 1, 1.0, f(_), _]), aggregate_all(count, pair(_, _, T, _), N),
    A = T-N.
r06(A) :- member(T, [a, "a", null, "null"]), aggregate_all(count, text(_, T), N), A = T-N.
r07(A) :- aggregate_all(sum(I), pair(I, _, _, _), A).
r08(A) :- aggregate_all(sum(N), pair(_, _, _, N), A).
r09(A) :- aggregate_all(max(F), pair(_, F, _, _), A).
r10(A) :- aggregate_all(min(F), (pair(I, F, _, _), I > 2), A).
r11(A) :- aggregate_all(max(N), empty(N), A).
r12(A) :- aggregate_all(sum(N), empty(N), A).
r13(A) :- aggregate_all(count, (pair(I, _, _, N), N > 1, I > 0), A).
r14(A) :- aggregate_all(count, (pair(_, F, _, _), F > 1), A).
r15(A) :- aggregate_all(set(T), pair(_, _, T, _), A).
r16(A) :- findall(T, order_by([asc(T)], pair(_, _, T, _)), A).
r17(A) :- findall(T, limit(3, order_by([desc(T)], pair(_, _, T, _))), A).
r18(A) :- findall(F, limit(4, order_by([asc(F)], pair(_, F, _, _))), A).
r19(A) :- findall(N-I, limit(4, order_by([desc(N), asc(I)], pair(I, _, _, N))), A).
r20(A) :- findall(I, limit(2, order_by([desc(I)], (pair(I, _, _, _), I < 4))), A).
r21(A) :- findall(T, order_by([asc(T)], text(_, T)), A).
r22(A) :- findall(I, limit(inf, order_by([asc(I)], pair(I, _, _, _))), A).
r23(A) :- N = 1 + 1, findall(I, limit(N, order_by([asc(I)], pair(I, _, _, _))), A).
r24(A) :- X = Y, aggregate_all(count, pair(X, _, _, Y), A).
r25(A) :- freeze(X, X > 2), aggregate_all(count, pair(X, _, _, _), A).
r26(A) :- aggregate_all(count, pair(A, _, _, _), A).
r27(A) :- aggregate_all(sum(I), pair(I, _, _, _), 10), A = yes.
r28(A) :- aggregate_all(count, limit(2, pair(_, _, a, _)), A).
r29(A) :- aggregate_all(count, (pair(I, _, _, _), \+ other(_, _, I)), A).
r30(A) :- L = 1.5, aggregate_all(count, (pair(I, _, _, _), between(L, 3, I)), A).
r31(A) :- aggregate_all(count, (pair(_, F, _, _), between(1, 3, F)), A).
r32(A) :- \+ aggregate_all(max(I), (pair(I, _, zzz, _)), _), A = none.
r33(A) :- forall((pair(I, _, T, _), other(_, T, _)), I > 0), A = yes.
r34(A) :- ( pair(I, _, T, _), other(_, T, _) -> A = some, integer(I) ; A = none ).
r35(A) :- aggregate_all(max(I, T), pair(I, _, T, _), A).
r36(A) :- aggregate_all(min(F, I), (pair(I, F, _, _), I > 2), A).
r37(A) :- aggregate_all(count, (pair(I, _, _, N), N \== null, N > I), A).
r38(A) :- findall(I-G, (pair(I, F, T, _), other(G, T, _), F > G), A).
r39(A) :- findall(I, (pair(I, _, T, _), T \== null), A).
r40(A) :- aggregate_all(count, (pair(_, _, T, _), T \== null), A).
r41(A) :- aggregate_all(max(N, I), (pair(I, _, _, N), N \== null), A).
r42(A) :- findall(I-N, limit(2, order_by([desc(I)], (pair(I, _, _, N), N \== null))), A).
r43(A) :- aggregate_all(max(N, x), empty(N), A).
r44(A) :- aggregate_all(max(N, x), (pair(I, _, _, N), N > I), A).
r45(A) :- aggregate_all(max(F, x), pair(_, F, _, _), max(A, x)).
r46(A) :- findall(I-T, (pair(I, _, T, _), memberchk(T, [a, null, "a", 1])), A).
r47(A) :- findall(I-F, (pair(I, F, _, _), member(F, [0.0, 1, 1.5, 1])), A).
r48(A) :- aggregate_all(count, (pair(I, _, _, _), memberchk(I, [1, 2, 3, 1, x])), A).
r49(A) :- aggregate_all(count, (pair(_, F, _, _), member(F, [1, 1.5, 0.0])), A).
r50(A) :- aggregate_all(count, (pair(I, _, _, _), member(I, [1, 2, 1])), A).
r51(A) :- aggregate_all(sum(I), (pair(I, _, T, _), T = a), A).
r52(A) :- member(A-T, [1-a, 2-'A', 3-null, 4-"a"]), aggregate_all(count, (pair(_, _, S, _), S == a, S = T), A).
r53(A) :- aggregate_all(count, (pair(I, F, _, _), other(G, _, _), G = F, I = 3), A).
r54(A) :- aggregate_all(count, (pair(I, _, _, _), J = I, J == 2, I = 2), A).
r55(A) :- I = 2, aggregate_all(count, (pair(I, _, _, _), I = 3), A).
r56(A) :- member(W, [0.0, -0.0, 1, f(_), _]), findall(I-F, (pair(I, F, _, _), F == W), A).
r57(A) :- pair(I, _, T, _), T = U, other(F, U, _), A = r(I, T, U, F).
r58(A) :- findall(I, limit(2, order_by([desc(J)], (pair(I, _, _, _), J = I, memberchk(J, [1, 2, 3])))), A).
r59(A) :- aggregate_all(set(T), (pair(I, _, T, _), I = J, J = 1), A).
r60(A) :- findall(I, (pair(I, F, _, N), F > 0, N > 1, member(I, [1, 2, 3])), A).
r61(A) :- findall(J-I, (pair(I, _, _, _), \+ other(_, _, J), J = I), A).
r62(A) :- findall(I, (text(I, T), memberchk(T, ["a", null])), A).
r63(A) :- aggregate_all(count, (text(_, T), memberchk(T, ["a", "null"])), A).
r64(A) :- aggregate_all(max(J, T), (pair(I, _, T, _), I = J, member(J, [1, 3])), A).
r65(A) :- member(N-M, [2-1, 1-0, 0-1, 2-9, inf-2, 2-(-1), -1-0, 1-x, x-1, 1.0-1, 1-(1+1), _-1, 1-_]),
    catch(findall(I, limit(N, offset(M, order_by([desc(I)], pair(I, _, _, _)))), L), error(E, _), L = E), A = N-M-L.
r66(A) :- member(N, [1, 2]), findall(I, limit(N, offset(1, order_by([desc(I)], pair(I, _, _, N)))), L), A = N-L.
r67(A) :- findall(I-M, limit(2, offset(M, order_by([desc(I)], pair(I, _, _, M)))), A).
r68(A) :- aggregate_all(count, limit(9, offset(1, (pair(I, _, _, _), I > 1))), A).
r69(A) :- findall(T, distinct(T, pair(_, _, T, _)), L), msort(L, A).
r70(A) :- aggregate_all(count, distinct(F, (pair(I, F, T, _), other(_, T, _), I > 0)), A).
r71(A) :- findall(I-F, distinct(f(I), (pair(I, _, T, _), other(F, T, _))), L), length(L, A).
r72(A) :- distinct(N, pair(I, _, _, N)), I > 1, A = N.
`

// checkHard compares the answers of rules after the declarations of the tables with those of the same rules before
// them. The rules named in pushed are left to the database.
func checkHard(t *testing.T, address, pushed string) {
	bothWays(t, address, func(t *testing.T, d sqltables.Database) { checkHardFrom(t, d, pushed) })
}

func checkHardFrom(t *testing.T, d sqltables.Database, pushed string) {
	joined, _ := loadFrom(t, d, hardFacts+hardRules)
	apart, _ := loadFrom(t, d, hardRules+hardFacts)
	require.Empty(t, inner.Of(apart).Pushdowns())
	done := []string{}
	lines := strings.Split(hardFacts+hardRules, "\n")
	for _, d := range inner.Of(joined).Pushdowns() {
		if d.Refused == "" {
			done = append(done, lines[d.At.Line-1][:3])
		}
	}
	for _, line := range strings.Split(hardRules, "\n") {
		name, _, isRule := strings.Cut(line, "(A)")
		if !isRule {
			continue
		}
		require.Equal(t, outcome(answers(t, apart, name+"(A)")), outcome(answers(t, joined, name+"(A)")), line)
	}
	require.Equal(t, strings.Fields(pushed), slices.Compact(done), "%+v", inner.Of(joined).Pushdowns())
}

// without returns the rules without some of them.
func without(names ...string) string {
	var list []string
	for i := range strings.Count(hardRules, " :- ") {
		if name := fmt.Sprintf("r%02d", i+1); !slices.Contains(names, name) {
			list = append(list, name)
		}
	}
	return strings.Join(list, " ")
}

func TestTotalsSQLite(t *testing.T) {
	t.Parallel()
	checkHard(t, "sqlite:"+sqliteFile(t, `
create table pairs(id integer primary key, f, t text collate nocase, n integer);
create table others(f, t text collate nocase, n integer);
create table empty(n integer);
insert into pairs values (1, 0.0, 'a', 1), (2, -0.0, 'A', 2), (3, 1.5, null, 2147483648), (4, 1, 'null', null);
insert into others values (0.0, 'a', 1), (1.0, null, 2), (-0.0, '', 1), (1.5, 'A', 9223372036854775807);
`), without("r15", "r16", "r17", "r18", "r19", "r21", "r29", "r61", "r69", "r72"))
}

func TestTotalsPostgres(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	schema := `
drop table if exists pairs, others, empty;
create table pairs(id integer primary key, f double precision, t text COLLATION, n NUMBER);
create table others(f double precision, t text COLLATION, n NUMBER);
create table empty(n integer not null);
insert into pairs values (1, 0.0, 'a', 1), (2, '-0.0', 'A', 9223372036854775807), (3, 1.5, null, 2),
	(4, 'NaN', 'null', null), (5, 1, 'b', 1);
insert into others values (0.0, 'a', 1), (1.0, null, 2), ('-0.0', '', 1), (1.5, 'A', 9223372036854775807);
`
	for _, tt := range []struct{ collation, number, pushed string }{
		{`collate "C"`, "bigint", without("r31", "r61")},
		{"", "numeric", without("r08", "r19", "r29", "r31", "r44", "r61", "r72")},
		{"", "numeric(12,2)", without("r08", "r29", "r31", "r44", "r61", "r72")},
		{"collate ignoring", "bigint not null default 0", without("r15", "r31", "r61", "r69")},
	} {
		t.Run(tt.collation+tt.number, func(t *testing.T) {
			text := strings.NewReplacer("COLLATION", tt.collation, "NUMBER", tt.number).Replace(schema)
			if tt.number == "numeric(12,2)" {
				text = strings.ReplaceAll(text, "9223372036854775807", "'NaN'")
			}
			if strings.Contains(tt.number, "not null") {
				text = strings.Replace(text, "'null', null)", "'null', 7)", 1)
			}
			server.SQL(t, "create collation if not exists ignoring (provider = icu, locale = 'und-u-ks-level2', "+
				"deterministic = false);"+text)
			checkHard(t, server.Address, tt.pushed)
		})
	}
}

// TestMissingInTotals checks that the error names the row without a value, in totals of the database and in totals of
// goals.
func TestMissingInTotals(t *testing.T) {
	t.Parallel()
	p, _ := load(t, "sqlite:"+sqliteFile(t, `create table emp(name text primary key, age integer, pay real);
insert into emp values ('ann', 30, 1.5), ('bob', null, 2.0), ('cid', 50, null);`),
		`:- facts(emp/3, sql(crm, emp, [name, age, pay])).
pushed(S) :- aggregate_all(sum(A), emp(_, A, _), S).
most(S) :- aggregate_all(max(A), emp(_, A, _), S).
goals(S) :- G = emp(_, A, _), findall(A, G, L), sum_list(L, S).
old(N) :- emp(N, A, _), A + 0 > 40.
`)
	for _, goal := range []string{"pushed(_)", "most(_)", "goals(_)", "findall(N, old(N), _)"} {
		_, err := p.Once(t.Context(), goal, nil)
		require.ErrorContains(t, err, "; null stands for a missing value: emp(bob, null, 2.0) of table crm.emp has no age; "+
			"emp(cid, 50, null) of table crm.emp has no pay", goal)
	}
}

// TestTotalsOfFilters checks totals of filtered rows that the database computes. If there is a row that the database
// cannot decide on, the goals are called.
func TestTotalsOfFilters(t *testing.T) {
	exact := []string{"double", "mod", "other", "begins", "within", "notes", "month", "large", "least", "days", "one"}
	t.Run("PostgreSQL", func(t *testing.T) {
		server := pgtest.Start(t)
		server.SQL(t, `create table sold(id integer not null, item text not null, note text, day date not null, n integer);
insert into sold select i, 'item' || i % 7, case when i % 10 > 0 then 'n' || i end, date '2024-01-01' + i, i % 3
	from generate_series(1, 300) i; insert into sold values (301, 'item', 'x', '0044-03-15 BC', 1);`)
		checkFiltered(t, server.Address, append(exact, "some"))
	})
	t.Run("SQLite", func(t *testing.T) {
		checkFiltered(t, "sqlite:"+sqliteFile(t, `create table sold(id integer, item text, note text, day text, n integer);
with recursive s(i) as (select 1 union all select i + 1 from s where i < 300) insert into sold select i,
	'item' || (i % 7), case when i % 10 > 0 then 'n' || i end, date('2024-01-01', '+' || i || ' days'), i % 3 from s;
insert into sold values (301, 'item', 'x', '0044-03-15 BC', 1);`), exact)
	})
}

// checkFiltered checks that the database computes the totals of the named rules.
func checkFiltered(t *testing.T, address string, told []string) {
	const text = `
:- facts(sold/5, sql(crm, sold, [id, item, note, day, n])).
double(P, N) :- aggregate_all(count, (sold(I, _, _, _, _), I * 2 + 1 > P), N).
mod(N) :- aggregate_all(sum(I), (sold(I, _, _, _, _), I mod 50 =:= 31), N).
other(P, N) :- aggregate_all(count, (sold(_, _, T, _, _), T \== P), N).
begins(P, N) :- aggregate_all(count, (sold(_, M, _, _, _), sub_atom(M, 0, _, _, P)), N).
occurs(N) :- aggregate_all(count, (sold(_, M, _, _, _), sub_atom(M, _, _, _, e)), N).
within(N) :- aggregate_all(max(I), (sold(I, M, _, _, _), once(sub_atom(M, _, _, _, '3'))), N).
notes(N) :- aggregate_all(count, (sold(_, _, T, _, _), T @> n29), N).
month(N) :- aggregate_all(count, (sold(_, _, _, D, _), sub_atom(D, 0, 7, _, '2024-03')), N).
short(N) :- aggregate_all(count, (sold(_, _, _, D, _), sub_atom(D, 0, 5, _, '2024-03')), N).
large(N) :- aggregate_all(count, (sold(I, _, _, _, _), I * 2147483647 + 2147483647 > 644245094099), N).
least(N) :- aggregate_all(count, (sold(I, _, _, _, _), (I + 1) * (I + 1) > 4294967296), N).
days(N) :- aggregate_all(count, (sold(I, _, _, D, _), D @>= '2024-03-01', D @< '2024-03-04', I > 3), N).
either(N) :- aggregate_all(count, (sold(I, _, _, _, _), ( I < 5 ; I > 2, I < 9 )), N).
one(N) :- aggregate_all(count, (sold(I, _, _, _, _), once(( I < 5 ; I =:= 9 ))), N).
some(L) :- findall(I, limit(2, order_by([desc(I)], (sold(I, _, _, _, _), I mod 100 =:= 7))), L).
`
	p, _ := load(t, address, text)
	var exact []string
	for _, d := range inner.Of(p).Pushdowns() {
		if strings.Contains(d.Statement, "count(*)") || strings.Contains(d.Statement, "max(") ||
			strings.Contains(d.Statement, "sum(") || strings.Contains(d.Statement, "limit") {
			name, _, _ := strings.Cut(strings.Split(text, "\n")[d.At.Line-1], "(")
			exact = append(exact, name)
		}
	}
	require.Equal(t, told, exact)
	for goal, want := range map[string]string{
		"double(117, N)":   "243", // 59 to 301
		"double(117.5, N)": "243",
		"mod(N)":           fmt.Sprint(31 + 81 + 131 + 181 + 231 + 281),
		"other(null, N)":   "271",
		"other(n7, N)":     "300",
		"other(_, N)":      "301",
		"begins(item3, N)": "43",
		"begins(item, N)":  "301",
		"occurs(N)":        "301",
		"within(N)":        "297",
		"notes(N)":         "110", // 79 of n3 to n299, 30 times null, x
		"month(N)":         "31",
		"short(N)":         "0",
		"large(N)":         "3", // 299 to 301: 300 * 2147483647 is 644245094100
		"least(N)":         "0",
		"days(N)":          "3",
		"either(N)":        "10",
		"one(N)":           "5",
		"some(N)":          "[207,107]",
	} {
		require.Equal(t, want, answers(t, p, goal), goal)
	}
}
