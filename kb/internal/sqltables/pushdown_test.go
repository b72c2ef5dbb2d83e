package sqltables_test

import (
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb/internal/sqltables"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/mcplogic/mcplogic/tools/pgtest"
)

// This file checks that goals which are left to a database have the answers that they have one by one.

// TestPushdowns checks the statements of goals that are left to a database, and the reasons why other goals are not.
func TestPushdowns(t *testing.T) {
	const text = `
:- facts(customer/3, sql(crm, customers, [id, name, country])).
:- facts(key/1, sql(crm, keys, [id])).
:- facts(amount/1, sql(crm, numbers, [n]), [types([string])]).
large(N, M) :- customer(I, N, de), customer(J, M, C), C == de, J > I.
between(N) :- customer(I, N, _), between(1, 3, I), I > 2.
early(N) :- customer(I, _, C), I > 2, customer(I, N, C).
late(N) :- customer(_, A, _), A > 2, customer(_, A, N).
other(N) :- customer(N, _, _), amount(N).
apart(N, M) :- customer(_, N, _), customer(_, M, _).
single(N) :- customer(1, N, _).
orphan(N) :- customer(I, N, _), \+ key(I), \+ key(7).
later(N) :- customer(_, N, _), \+ key(M), M = N.
named(N) :- customer(I, N, _), \+ customer(I, _, de).
same(N) :- customer(_, N, _), \+ customer(_, N, _).
above(N) :- customer(I, N, C), key(J), I > J.
higher(N) :- customer(I, N, C), key(I), I > C.
known(N) :- customer(I, N, C), C \== null, key(I).
given(N) :- customer(I, N, C), C = de, J = I, key(J).
equal(N, W) :- customer(I, N, C), C == W, key(I).
listed(N) :- customer(I, N, C), memberchk(C, [de, fr, null, "x"]), member(I, [1, 2, a]), key(I).
after(N) :- customer(I, N, C), N > 2, member(C, [de, fr]), I < 7, key(I).
parts(N) :- customer(I, N, C), C = f(_), key(I).
rest(N) :- customer(I, N, C), memberchk(C, [de | _]), key(I).
string(N) :- amount(N), memberchk(N, ["1", 1]).
first(N) :- customer(I, N, C), C > 2, C = N, key(I).
twice(N) :- customer(_, N, C), N > 2, C > 3.
`
	const others = "create table numbers(n integer);create table keys(id integer primary key);"
	p, _ := load(t, "sqlite:"+sqliteFile(t, customers+others), text)
	var lines, columns, blocks []string
	for _, d := range inner.Of(p).Pushdowns() {
		statement := d.Statement
		if d.InBlocks {
			blocks = append(blocks, fmt.Sprintf("%d: %s", d.At.Line, strings.Join(d.Goals, ", ")))
			continue
		}
		if selected, from, ok := strings.Cut(statement, " from "); ok {
			statement = from
			columns = append(columns, selected)
		}
		lines = append(lines, fmt.Sprintf("%d: %s: %s%s", d.At.Line, strings.Join(d.Goals, ", "), statement, d.Refused))
	}
	const noName = `typeof(t0."name") not in ('integer', 'real')`
	const shared = "it shares no variable with the goals before it"
	require.Equal(t, []string{
		"5: customer(I, N, de), customer(J, M, C), C==de, J>I: customers: " + shared,
		`5: customer(J, M, C), C==de, J>I: "customers" t0 where t0."id" > ?1`,
		`6: customer(I, N, _), between(1, 3, I), I>2: "customers" t0 ` +
			`where t0."id" >= ?1 and t0."id" <= ?2 and t0."id" > ?3`,
		`7: customer(I, _, C), I>2, customer(I, N, C): "customers" t0, "customers" t1 where t0."id" = t1."id" and ` +
			`(t0."country" = t1."country" or coalesce(t0."country", 'null') = 'null' and ` +
			`coalesce(t1."country", 'null') = 'null') and t0."id" > ?1`,
		`8: customer(_, A, _), A>2: "customers" t0 ` +
			`where (t0."name" > ?1 or typeof(t0."name") not in ('integer', 'real'))`,
		"9: customer(N, _, _), amount(N): numbers: the values of id and n are not compared in the database",
		"10: customer(_, N, _), customer(_, M, _): customers: " + shared,
		`12: customer(I, N, _), \+key(I), \+key(7): "customers" t0 where ` +
			`not exists (select 1 from "keys" t1 where t0."id" = t1."id") and ` +
			`not exists (select 1 from "keys" t2 where t2."id" = 7)`,
		`13: customer(_, N, _), \+key(M): a variable in the negation of keys has no value from the goals before it`,
		`13: M=N: a negation before it is of a variable without a value`,
		`14: customer(I, N, _), \+customer(I, _, de): the negation of customers compares country, of which ` +
			`not all equal values are equal terms`,
		`15: customer(_, N, _), \+customer(_, N, _): the negation of customers compares name, of which not all equal ` +
			`values are equal terms`,
		"16: customer(I, N, C), key(J), I>J: keys: " + shared,
		`16: key(J), I>J: "keys" t0 where t0."id" < ?1`,
		`17: customer(I, N, C), key(I), I>C: "customers" t0, "keys" t1 where t0."id" = t1."id" and (t0."id" > t0."country" ` +
			`or typeof(t0."id") not in ('integer', 'real') or typeof(t0."country") not in ('integer', 'real') ` +
			`or typeof(t0."id") <> typeof(t0."country"))`,
		`18: customer(I, N, C), C\==null, key(I): "customers" t0, "keys" t1 where t0."id" = t1."id" and ` +
			`t0."country" is not null`,
		`19: customer(I, N, C), C=de, J=I, key(J): "customers" t0, "keys" t1 where t0."id" = t1."id"`,
		`20: customer(I, N, C), C==W: "customers" t0`,
		`21: customer(I, N, C), memberchk(C, [de, fr, null, "x"]), member(I, [1, 2, a]), key(I): "customers" t0, "keys" t1 ` +
			`where t0."id" = t1."id" and (t0."country" in (?1, ?2, ?3) or ` +
			`(t0."country" is null or cast(t0."country" as text) = 'null')) and t0."id" in (?4, ?5, ?6)`,
		`22: customer(I, N, C), N>2, member(C, [de, fr]), I<7: "customers" t0 where (t0."name" > ?1 or ` + noName +
			`) and (t0."id" < ?2 or ` + noName + `) and (t0."country" in (?3, ?4) or ` + noName + `)`,
		"23: C=f(_): a column is compared with something else than a constant or a variable",
		"24: memberchk(C, [de|_]): the list is not one of 1 to 100 constants",
		`25: amount(N), memberchk(N, ["1", 1]): n is not compared with the integer 1 in the database`,
		`26: customer(I, N, C), C>2: "customers" t0 where (t0."country" > ?1 or ` +
			`typeof(t0."country") not in ('integer', 'real'))`,
		"26: customer(I, N, C), C>2, C=N, key(I): comparing name may be an error, so it comes before the goals behind it",
		`27: customer(_, N, C), N>2, C>3: "customers" t0 where (t0."name" > ?1 or ` + noName + `) and ` +
			`((t0."country" > ?2 or typeof(t0."country") not in ('integer', 'real')) or ` + noName + `)`,
	}, lines)
	const three, two = `select +t0."id", +t0."name", +t0."country"`, `select +t0."name", +t0."country"`
	require.Equal(t, []string{three, `select +t0."id", +t0."name"`,
		`select +t0."id", +t0."country", +t1."name", +t1."country"`, // id is the same in both, country may be NULL
		`select +t0."name"`, `select +t0."name"`, `select +t0."id"`, three, two, two, three, three,
		three, three, two}, columns, "what is equal, or looked at by nobody, is not selected")
	require.Equal(t, []string{
		"5: customer(I, N, de), C=de, customer(J, M, C)",
		"8: customer(_, A, _), A>2, customer(_, A, N)",
		"9: customer(N, _, _), amount(N)",
		"16: customer(I, N, C), key(J)",
		"20: customer(I, N, C), C==W, key(I)",
		"23: customer(I, N, C), C=f(_), key(I)",
		"26: customer(I, N, C), C>2, C=N, key(I)",
	}, blocks)
}

// TestPushedTotals checks the statements of totals, orders and limits, and the reasons why others have no statement.
func TestPushedTotals(t *testing.T) {
	const text = `
:- facts(customer/3, sql(crm, customers, [id, name, country])).
:- facts(key/1, sql(crm, keys, [id])).
count(N) :- aggregate_all(count, customer(_, _, de), N).
sum(S) :- aggregate_all(sum(I), (customer(I, _, C), key(I), I > 2), S), atom(C).
most(M) :- aggregate_all(max(N), customer(_, N, _), M).
first(N) :- limit(2, order_by([desc(I)], customer(I, N, _))).
all(N, L) :- order_by([asc(I)], (customer(I, N, _), between(1, 3, I))), findall(J, (key(J), customer(J, N, _)), L).
some(N) :- limit(N, key(_)).
best(N) :- aggregate_all(max(I, N), customer(I, N, _), _).
other(C) :- aggregate_all(count, (customer(_, N, _), atom_length(N, 3)), C).
absent(N, Y) :- aggregate_all(count, (key(X), \+ customer(X, Y, _)), N).
named(L) :- order_by([asc(N)], customer(_, N, _)), N = L.
set(L) :- aggregate_all(set(I), (key(I), customer(I, _, _)), L).
names(L) :- aggregate_all(set(N), customer(_, N, _), L).
twice(L) :- aggregate_all(sum(N * 2), customer(N, _, _), L).
parts(N) :- aggregate_all(count, customer(1 + 1, _, _), N).
pairs(I) :- limit(1, (key(I), customer(I, [_ | _], _))).
both(R) :- aggregate_all(r(count, set(I)), (key(I), customer(I, _, _)), R).
neither(R) :- aggregate_all(r(count, max(N)), (key(I), customer(I, N, f(_))), R).
`
	p, _ := load(t, "sqlite:"+sqliteFile(t, customers+"create table keys(id integer primary key);"), text)
	var lines []string
	for _, d := range inner.Of(p).Pushdowns() {
		lines = append(lines, fmt.Sprintf("%d: %s%s", d.At.Line, d.Statement, d.Refused))
	}
	const sum = `coalesce(sum(case when t0."id" between -2147483648 and 2147483647 then t0."id" else 0 end), 0), ` +
		`count(case when typeof(t0."id") <> 'integer' or not (t0."id" between -2147483648 and 2147483647) then 1 end)`
	const most = `max(t0."name"), count(case when typeof(t0."name") not in ('integer', 'real') then 1 end) + ` +
		`(case when min(typeof(t0."name")) <> max(typeof(t0."name")) then 1 else 0 end)`
	require.Equal(t, []string{
		`4: select count(*), 0 from "customers" t0`,
		`5: select ` + sum + ` from "customers" t0, "keys" t1 where t0."id" = t1."id" and t0."id" > ?1`,
		`6: select ` + most + ` from "customers" t0`,
		`7: select +t0."id", +t0."name" from "customers" t0 order by t0."id" desc limit ?1`,
		`8: select +t0."id", +t0."name" from "customers" t0 where t0."id" >= ?1 and t0."id" <= ?2 order by t0."id"`,
		`8: select +t0."id", +t1."name" from "keys" t0, "customers" t1 where t0."id" = t1."id"`,
		`9: select 1 from "keys" t0 limit ?1`,
		`10: select max(t0."id"), count(case when typeof(t0."id") not in ('integer', 'real') then 1 end) + ` +
			`(case when min(typeof(t0."id")) <> max(typeof(t0."id")) then 1 else 0 end) from "customers" t0`,
		"11: atom_length(N, 3) is not left to the database",
		"12: a variable in the negation of customers has no value from the goals before it",
		"12: a variable in the negation of customers has no value from the goals before it",
		"13: the database may order name in another way",
		`14: select distinct +t0."id" from "keys" t0, "customers" t1 where t0."id" = t1."id"`,
		"15: not all equal values of name are equal terms",
		"16: only count, sum, max, min and set of a variable, max and min with a term, and records of these are left to " +
			"the database",
		"17: customer(1+1, _, _) is not left to the database",
		"18: customer(I, [_|_], _) is not left to the database",
		`18: select +t0."id", +t1."name" from "keys" t0, "customers" t1 where t0."id" = t1."id"`,
		`19: select count(*), 0 from "keys" t0, "customers" t1 where t0."id" = t1."id"`,
		`19: select distinct +t0."id" from "keys" t0, "customers" t1 where t0."id" = t1."id"`,
		"20: customer(I, N, f(_)) is not left to the database",
		`20: select +t1."name", +t1."country" from "keys" t0, "customers" t1 where t0."id" = t1."id"`,
	}, lines)
}

// A predicate of the program that has the name of a library predicate is the one that runs, wherever it is defined.
func TestOwnAggregates(t *testing.T) {
	const text = `
:- facts(customer/3, sql(crm, customers, [id, name, country])).
count(N) :- aggregate_all(count, customer(_, _, _), N).
first(I) :- limit(1, order_by([desc(I)], customer(I, _, _))).
last(N) :- findall(I, (customer(I, _, _), forall(customer(J, _, _), J =< I)), L), length(L, N).
`
	address := "sqlite:" + sqliteFile(t, customers)
	p, _ := load(t, address, text)
	require.Equal(t, "4 4", answers(t, p, "count(N), first(I)"))
	p, _ = load(t, address, text+"aggregate_all(_, _, mine).\norder_by(_, customer(7, _, _)).\n")
	require.Equal(t, "mine 7", answers(t, p, "count(N), first(I)"))
	p, _ = load(t, address, text)
	require.Equal(t, "1", answers(t, p, "last(N)"))
	p, _ = load(t, address, "forall(_, _).\n"+text)
	require.Equal(t, "4", answers(t, p, "last(N)"))
}

// The same holds for a predicate of the program that has the name of one for lists of values.
func TestOwnMember(t *testing.T) {
	const text = `
:- facts(customer/3, sql(crm, customers, [id, name, country])).
one(N) :- customer(I, N, _), memberchk(I, [1, 7]).
all(C) :- aggregate_all(count, (customer(I, _, _), memberchk(I, [1, 7])), C).
`
	address := "sqlite:" + sqliteFile(t, customers)
	p, _ := load(t, address, text)
	require.Equal(t, "ann 1", answers(t, p, "one(N), all(C)"))
	require.Contains(t, fmt.Sprint(inner.Of(p).Pushdowns()), `in (?1, ?2)`)
	const own = "memberchk(I, [_, J]) :- I =:= J - 5.\n"
	p, _ = load(t, address, text+own)
	require.Equal(t, "bob 1", answers(t, p, "one(N), all(C)"))
	p, _ = load(t, address, own+text)
	require.Equal(t, "bob 1", answers(t, p, "one(N), all(C)"))
	require.Contains(t, fmt.Sprint(inner.Of(p).Pushdowns()), "memberchk/2 is the program's own")
}

// The arguments that are goals are those that the called predicate declares. The recovery goal of catch/3 is one. A
// predicate of the program with the name of a library predicate has none.
func TestDeclaredGoals(t *testing.T) {
	p, _ := load(t, "sqlite:"+sqliteFile(t, customers), `
:- facts(customer/3, sql(crm, customers, [id, name, country])).
recovered(N) :- catch(throw(x), _, (customer(I, N, de), customer(I, _, de))).
limit(_, _).
unlimited :- limit(1, (customer(I, _, de), customer(I, _, de))).
`)
	var lines []int
	for _, d := range inner.Of(p).Pushdowns() {
		if d.Statement != "" {
			lines = append(lines, d.At.Line)
		}
	}
	require.Equal(t, []int{3}, lines)
	require.NotEmpty(t, answers(t, p, "recovered(N)"))
}

// An error of a comparison is not lost if the row fails a later condition.
func TestErrorsBeforeConditions(t *testing.T) {
	const schema = "create table pairs(n integer, m integer);insert into pairs values (null, 3);"
	for _, goals := range []string{"N > 1, M > 5", "N > 1, member(M, [5, 6])", "N > 1, M = 5", "between(1, 2, N), M > 5",
		"between(1, L, M), M > 5", "between(4, L, M)", "N > L, M > 5", "between(1, foo, M), M > 5",
		"L = 1, sub_atom(N, _, _, _, L), M == 5",
		"sub_atom(N, _, _, _, 1), M == 5", "atom_concat(f(x), _, N), M == 5"} {
		p, _ := load(t, "sqlite:"+sqliteFile(t, schema), ":- facts(pair/2, sql(crm, pairs, [n, m])).\n"+
			"p(N, M, L) :- pair(N, M), "+goals+".\n")
		require.Equal(t, "an error", outcome(answers(t, p, "p(_, _, _)")), goals)
	}
}

// columnTypes are the columns of each random table: of all kinds that are joined, with NULL and without.
var columnTypes = []string{"integer", "integer not null", "text", "text not null", "double precision", "boolean",
	"date", "numeric", "numeric(8,2)", "numeric(8,2) not null", oddText, oddText + " not null"}

// oddText is a column of texts that the database compares without regard to case.
const oddText = "text collate nocase"

// randomTables makes two to four small tables with the same few values, and returns their facts.
func randomTables(r *rand.Rand, booleans bool) (schema, facts string, columns [][]string) {
	var b, f strings.Builder
	if booleans { // PostgreSQL
		b.WriteString("create collation if not exists nocase " +
			"(provider = icu, locale = 'und-u-ks-level2', deterministic = false);\n")
	}
	for t := range 2 + r.Intn(3) {
		var types []string
		for range 2 + r.Intn(3) {
			typ := columnTypes[r.Intn(len(columnTypes))]
			if typ == "boolean" && !booleans {
				typ = "integer"
			}
			types = append(types, typ)
		}
		var names, defs []string
		for i, typ := range types {
			names = append(names, fmt.Sprintf("c%d", i))
			defs = append(defs, fmt.Sprintf("c%d %s", i, typ))
		}
		key := ""
		if !booleans && r.Intn(2) == 0 {
			defs, names, types = append(defs, "id integer primary key"), append(names, "id"), append(types, "key")
		}
		fmt.Fprintf(&b, "drop table if exists r%d;\ncreate table r%d(%s%s);\n", t, t, strings.Join(defs, ", "), key)
		for n := range 3 + r.Intn(10) {
			var values []string
			for _, typ := range types {
				values = append(values, randomValue(r, typ, n))
			}
			fmt.Fprintf(&b, "insert into r%d values (%s);\n", t, strings.Join(values, ", "))
		}
		fmt.Fprintf(&f, ":- facts(r%d/%d, sql(crm, r%d, [%s])).\n", t, len(names), t, strings.Join(names, ", "))
		columns = append(columns, types)
	}
	return b.String(), f.String(), columns
}

func randomValue(r *rand.Rand, typ string, row int) string {
	base, notNull := strings.CutSuffix(typ, " not null")
	if !notNull && typ != "key" && r.Intn(4) == 0 {
		return "null"
	}
	switch base {
	case "key":
		return fmt.Sprint(row + 1)
	case "integer":
		return fmt.Sprint(r.Intn(4))
	case oddText:
		return []string{"'a'", "'A'", "'b'", "'null'", "'NULL'"}[r.Intn(5)]
	case "text":
		return []string{"'a'", "'b'", "'null'", "'1'", "''"}[r.Intn(5)]
	case "double precision":
		return []string{"0.5", "1.0", "2.0", "-0.0", "0.0"}[r.Intn(5)]
	case "date":
		return []string{"'2021-03-01'", "'2021-02-28'", "'2021-04-01'", "'0999-01-01'"}[r.Intn(4)]
	case "boolean":
		return []string{"true", "false"}[r.Intn(2)]
	}
	return []string{"1", "1.0", "1.5", "0.12345678901234567891"}[r.Intn(4)]
}

// randomRule is a rule over the tables; its head has all variables.
func randomRule(r *rand.Rand, name string, columns [][]string) string {
	return fmt.Sprintf("%s(X, Y, Z, U, V, W) :- %s.\n", name, randomBody(r, columns, 2+r.Intn(3)))
}

// randomTotal is a rule with an aggregate of the rows, or with some of their keys in order. The result does not depend
// on the order of the rows. The head has some of the variables.
func randomTotal(r *rand.Rand, name string, columns [][]string) string {
	body := randomBody(r, columns, 1+r.Intn(2))
	vars := []string{"X", "Y", "Z", "U", "V", "W"}
	absent := func(v string) bool { return !strings.Contains(body, v) }
	if met := slices.DeleteFunc(slices.Clone(vars), absent); len(met) > 0 {
		vars = met
	}
	v, w := vars[r.Intn(len(vars))], vars[r.Intn(len(vars))]
	way, other := []string{"asc", "desc"}[r.Intn(2)], []string{"asc", "desc"}[r.Intn(2)]
	ordered := fmt.Sprintf("order_by([%s(%s), %s(%s)], (%s))", way, v, other, w, body)
	goal := ""
	switch r.Intn(14) {
	case 11:
		goal = fmt.Sprintf("aggregate_all(r(count, sum(%s), max(%s), set(%s)), (%s), A)", v, w, v, body)
	case 12:
		goal = fmt.Sprintf("findall(%s-%s, limit(%d, offset(%d, %s)), A)", v, w, 1+r.Intn(4), r.Intn(4), ordered)
	case 13:
		goal = fmt.Sprintf("aggregate_all(count, distinct(%s, (%s)), A)", v, body)
	case 9:
		goal = fmt.Sprintf("aggregate_all(max(%s, x), (%s), A)", v, body)
	case 10:
		goal = fmt.Sprintf("aggregate_all(min(%s, f(%s, Q)), (%s), A)", v, v, body)
	case 0, 1:
		goal = fmt.Sprintf("aggregate_all(count, (%s), A)", body)
	case 2:
		goal = fmt.Sprintf("aggregate_all(sum(%s), (%s), A)", v, body)
	case 3:
		goal = fmt.Sprintf("aggregate_all(max(%s), (%s), A)", v, body)
	case 4:
		goal = fmt.Sprintf("aggregate_all(min(%s), (%s), A)", v, body)
	case 5:
		goal = fmt.Sprintf("aggregate_all(set(%s), (%s), A)", v, body)
	case 6:
		goal = fmt.Sprintf("findall(%s-%s, %s, A)", v, w, ordered)
	case 7:
		goal = fmt.Sprintf("findall(%s-%s, limit(%d, %s), A)", v, w, 1+r.Intn(4), ordered)
	case 8:
		goal = fmt.Sprintf("aggregate_all(count, limit(%d, (%s)), A)", 1+r.Intn(4), body)
	}
	head := []string{"X, Z", "Y, U", "X, V", "X, X"}[r.Intn(4)]
	return fmt.Sprintf("%s(%s, A) :- %s.\n", name, head, goal)
}

// randomBody are goals on the tables and tests.
func randomBody(r *rand.Rand, columns [][]string, tables int) string {
	vars := []string{"X", "Y", "Z", "U", "V", "W"}
	pools := map[string][]string{"integer": vars[:2], "key": vars[:2], "text": vars[2:4], oddText: vars[2:4],
		"double precision": vars[4:5], "date": vars[2:4], "numeric": vars[4:5], "numeric(8,2)": vars[4:5]}
	var goals []string
	for range tables {
		t := r.Intn(len(columns))
		var args []string
		for _, typ := range columns[t] {
			base, _ := strings.CutSuffix(typ, " not null")
			pool := append(slices.Clone(pools[base]), "_", vars[5])
			arg := pool[r.Intn(len(pool))]
			switch r.Intn(20) {
			case 0:
				arg = vars[r.Intn(len(vars))]
			case 2:
				if r.Intn(2) > 0 {
					break
				}
				v := vars[r.Intn(len(vars))]
				arg = []string{"1 + 1", "f(" + v + ")", "[" + v + " | _]", v + "-" + v, "{" + v + "}", `"a"`, "_{a: 1}",
					"1r3", "[]", "{}", "{a: " + v + "}", "9223372036854775808"}[r.Intn(12)]
			case 1:
				arg = []string{"1", "a", "null", "_", "1.0", "true"}[r.Intn(6)]
			}
			args = append(args, arg)
		}
		if r.Intn(8) == 0 {
			goals = append(goals, randomLocal(r, vars))
		}
		goals = append(goals, fmt.Sprintf("r%d(%s)", t, strings.Join(args, ", ")))
		if r.Intn(4) == 0 {
			goals = append(goals, randomNegation(r, columns))
		}
		if r.Intn(4) == 0 {
			goals = append(goals, randomValues(r, vars))
		}
		if r.Intn(2) == 0 {
			v, w := []string{"X", "X", "Y", "V", "Z", "U"}[r.Intn(6)], []string{"X", "Y", "V"}[r.Intn(3)]
			n := []string{"1", "2", "0.5", "0", "null", w}[r.Intn(6)]
			op := []string{"<", ">", "=<", ">=", "=:=", "=\\=", "==", "\\=="}[r.Intn(8)]
			switch r.Intn(6) {
			case 5:
				goals = append(goals, v+" \\== null")
			case 0:
				goals = append(goals, fmt.Sprintf("( number(%s) -> %s %s 1 ; true )", v, v, op))
			case 1:
				goals = append(goals, fmt.Sprintf("between(0, 2, %s)", v))
			case 2:
				goals = append(goals, fmt.Sprintf("%s %s %s", n, op, v))
			default:
				goals = append(goals, fmt.Sprintf("%s %s %s", v, op, n))
			}
			if r.Intn(6) == 0 {
				goals = append(goals, fmt.Sprintf("%s > %d", w, r.Intn(3)))
			}
		}
	}
	return strings.Join(goals, ", ")
}

// checkFilters does the same as checkPushdown with conditions that a database checks in a weaker form.
func checkFilters(t *testing.T, programs int, booleans bool, address func(schema string) string) {
	rules := func(r *rand.Rand, columns [][]string) (text string, goals []string) {
		for i := range 10 {
			table := r.Intn(len(columns))
			var vars, numbers, texts []string
			for j, typ := range columns[table] {
				v := fmt.Sprintf("C%d", j)
				vars = append(vars, v)
				switch base, _ := strings.CutSuffix(typ, " not null"); base {
				case "integer", "key", "double precision":
					numbers = append(numbers, v)
				case "text", "date", oddText:
					texts = append(texts, v)
				}
			}
			body := []string{fmt.Sprintf("r%d(%s)", table, strings.Join(vars, ", "))}
			for range 1 + r.Intn(3) {
				body = append(body, randomFilter(r, vars, numbers, texts))
			}
			if r.Intn(3) == 0 {
				body = append(body, fmt.Sprintf("r0(%s%s)", vars[0], strings.Repeat(", _", len(columns[0])-1)))
			}
			rule, rest := strings.Join(body, ", "), append(slices.Clone(vars[1:]), "P")
			text += fmt.Sprintf("p%d(%s, P) :- %s.\n", i, strings.Join(vars, ", "), rule)
			p := []string{"1", "a", "'2021-03-01'", "1.5", "P", "null"}[r.Intn(6)]
			goals = append(goals, fmt.Sprintf("P = %s, p%d(%s, %s)", p, i, vars[0], strings.Join(rest, ", ")))
			total := []string{"count", "sum(C0)", "max(C0)", "min(C0, C0)", "set(C0)", "r(count, max(C0))"}[r.Intn(6)]
			text += fmt.Sprintf("q%d(P, A) :- aggregate_all(%s, (%s), A).\n", i, total, rule)
			goals = append(goals, fmt.Sprintf("P = %s, q%d(P, A)", p, i))
			text += fmt.Sprintf("s%d(P, A) :- aggregate_all(count, limit(%d, (%s)), A).\n", i, 1+r.Intn(3), rule)
			goals = append(goals, fmt.Sprintf("P = %s, s%d(P, A)", p, i))
			if r.Intn(2) == 0 {
				goals = append(goals, fmt.Sprintf("far(%s), P = %s, p%d(%s, %s)", vars[0], p, i, vars[0], strings.Join(rest, ", ")))
			}
		}
		return text, goals
	}
	checkPushed(t, programs, booleans, rules, address)
}

// randomFilter is a condition on columns, some of which are numbers or texts. P is a variable that the call may bind.
func randomFilter(r *rand.Rand, vars, numbers, texts []string) string {
	one := func(list ...string) string { return list[r.Intn(len(list))] }
	op := one("<", ">", "=<", ">=", "=:=", "=\\=")
	n := one("1", "2", "0", "1.5", "0.5", "-1", "3", "2.0")
	text := one("a", "b", "''", "null", "'1'", "n", "'2021-03-01'", "'2021-03'", "'2021'", "l", "P")
	v := one(vars...)
	if len(numbers) > 0 && r.Intn(2) == 0 {
		x, y := one(numbers...), one(numbers...)
		switch r.Intn(5) {
		case 0:
			return fmt.Sprintf("%s mod %s %s %s", x, one("2", "3", "-2", "P"), op, n)
		case 1:
			return fmt.Sprintf("( %s %s %s ; %s =:= %s )", x, op, n, y, one("1", "2", "P"))
		case 2:
			return fmt.Sprintf("( %s %s %s, %s \\== %s ; %s == %s )", x, op, n, v, text, x, one("null", "9"))
		case 3:
			return fmt.Sprintf("%s %s %s %s %s", x, one("*", "+", "-"), one("2", "1.5", y, "0.5"), op, one(n, "P"))
		}
		return fmt.Sprintf("%s %s %s", x, op, one("P", y+" + 1", "1 / 2.0", y+" * 1.5", y+" / 0.5"))
	}
	if len(texts) > 0 && r.Intn(3) > 0 {
		x := one(texts...)
		switch r.Intn(3) {
		case 0:
			return fmt.Sprintf("%s @%s %s", x, one("<", ">", "=<", ">="), text)
		case 1:
			return fmt.Sprintf("once(sub_atom(%s, %s, _, _, %s))", x, one("0", "_", "1"), text)
		}
		return fmt.Sprintf("once(atom_concat(%s, _, %s))", text, x)
	}
	return one(v+" \\== "+text, v+" \\= "+n, fmt.Sprintf("( %s == %s ; %s = %s )", v, text, v, n), v+" @> "+n,
		fmt.Sprintf("( atom(%s) -> true ; %s == %s )", v, v, n))
}

// randomValues is an equation, mostly of columns, or a list of values.
func randomValues(r *rand.Rand, vars []string) string {
	at := r.Intn(len(vars))
	v, w := vars[at], vars[at^1]
	constants := []string{"1", "2", "1.0", "0.0", "-0.0", "a", "null", "b", `"a"`, "true", "1.5", "'1'", "''"}
	if r.Intn(3) > 0 { // those that many rows have
		constants = [][]string{{"0", "1", "2", "null"}, {"a", "b", "null"}, {"1.0", "0.5", "null"}}[at/2]
	} else {
		w = vars[r.Intn(len(vars))]
	}
	constant := func() string { return constants[r.Intn(len(constants))] }
	switch r.Intn(9) {
	case 0, 1:
		return v + " = " + w
	case 2:
		return v + " = " + constant()
	case 3:
		return v + " == " + constant()
	case 4:
		return v + " == " + w
	case 5:
		return fmt.Sprintf("member(%s, [%s, %s, %s])", v, constant(), constant(), constant())
	case 6:
		return fmt.Sprintf("memberchk(%s, [%s, %s])", v, constant(), constant())
	case 7:
		return v + " = " + []string{"f(_)", "Q", constant()}[r.Intn(3)]
	}
	n := r.Intn(3)
	return fmt.Sprintf("%s(%s, [%d, %d, null])", []string{"member", "memberchk"}[r.Intn(2)], v, n, n+1)
}

// localFacts are facts of the program, some of which are among the values of the tables.
const localFacts = `
near(1, a). near(0, null). near(3, b). near(1, c). near(2, _). near(null, 1.0). near(1.0, 0.0). near("1", '1').
near(2, b). near(7, a). near(f(1), true). near(X, X). near(0, a).
:- dynamic far/1.
far(2). far(0). far(2). far(1).
`

// randomLocal is a goal whose answers do not come from a table.
func randomLocal(r *rand.Rand, vars []string) string {
	v, w := vars[r.Intn(len(vars))], vars[r.Intn(len(vars))]
	return []string{"near(" + v + ", " + w + ")", "near(X, Z)", "near(Y, V)", "far(X)", "far(Y)", "far(" + v + ")",
		"between(0, 3, X)", "between(1, 2, Y)", "member(" + v + ", [1, 0, 2, a, 1.0, null, b, 2, W])",
		"member(Z, [a, b, null])", "member(X, [1, 2, 0])", "far(X), near(X, Z)",
	}[r.Intn(12)]
}

// randomRow is a goal that mostly compares integers. The variables N and M occur in such goals only.
func randomRow(r *rand.Rand, columns [][]string) string {
	t := r.Intn(len(columns))
	var args []string
	for _, typ := range columns[t] {
		arg := "_"
		if base, _ := strings.CutSuffix(typ, " not null"); base == "integer" || base == "key" {
			arg = []string{"X", "Y", "X", "1", "_"}[r.Intn(5)]
			if r.Intn(3) == 0 {
				arg = []string{"N", "N", "M"}[r.Intn(3)]
			}
		} else if r.Intn(10) == 0 || (base == "text" || base == oddText) && r.Intn(3) == 0 {
			arg = []string{"Z", "a", "null", "X", "b"}[r.Intn(5)]
		}
		args = append(args, arg)
	}
	return fmt.Sprintf("r%d(%s)", t, strings.Join(args, ", "))
}

// randomNegation is a goal that tests whether rows exist.
func randomNegation(r *rand.Rand, columns [][]string) string {
	goal, test := randomRow(r, columns), []string{"N > 1", "N =< X", "Y < N", "N =:= 0", "M >= N", "N > foo", "0 < N",
		"N \\== null"}[r.Intn(8)]
	switch r.Intn(8) {
	case 0:
		return fmt.Sprintf("\\+ (%s, %s)", goal, randomRow(r, columns))
	case 1:
		return fmt.Sprintf("\\+ (%s, %s)", goal, test)
	case 2:
		return fmt.Sprintf("forall((%s, %s), %s)", goal, randomRow(r, columns), test)
	case 3:
		return fmt.Sprintf("forall(%s, %s)", goal, test)
	case 4:
		return fmt.Sprintf("once(%s)", goal)
	case 5:
		return fmt.Sprintf("once((%s, %s))", goal, test)
	}
	return "\\+ " + goal
}

// chosenWays are the usual ways of a query, a fetch at the second question, blocks without a fetch, and single
// questions only.
var chosenWays = []sqltables.Ways{sqltables.UsualWays, sqltables.FetchSoon, sqltables.BlocksAlone, sqltables.OneByOne}

// freshVar is a variable without a name.
var freshVar = regexp.MustCompile(`\b_[0-9]+\b`)

// outcome is the result of a goal: its answers in order, or only its error, as the order of the rows is unknown.
func outcome(answered string) string {
	lines := strings.Split(freshVar.ReplaceAllString(answered, "_"), "\n")
	for _, line := range lines {
		if strings.HasPrefix(line, "error: ") {
			return "an error"
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// checkPushdown compares random programs over facts with the same programs over tables. The tables are declared before
// the rules, which then know them, or after the rules, so that goals are asked one by one.
func checkPushdown(t *testing.T, programs int, booleans bool, address func(schema string) string) {
	rules := func(r *rand.Rand, columns [][]string) (text string, goals []string) {
		for i := range 4 {
			text += randomRule(r, fmt.Sprintf("p%d", i), columns)
			goals = append(goals, fmt.Sprintf("p%d(X, Y, Z, U, V, W)", i), fmt.Sprintf("p%d(1, Y, Z, U, V, W)", i),
				fmt.Sprintf("p%d(X, Y, a, null, V, W)", i))
		}
		return text, goals
	}
	checkPushed(t, programs, booleans, rules, address)
}

// checkTotals does the same as checkPushdown with aggregates, orders and limits.
func checkTotals(t *testing.T, programs int, booleans bool, address func(schema string) string) {
	rules := func(r *rand.Rand, columns [][]string) (text string, goals []string) {
		for i := range 6 {
			text += randomTotal(r, fmt.Sprintf("p%d", i), columns)
			for _, args := range []string{"_, _", "1, _", "X, X", "null, a", "1.0, f(_)", "_, 0.0", "_, 1"} {
				goals = append(goals, fmt.Sprintf("p%d(%s, A)", i, args))
			}
		}
		return text, goals
	}
	checkPushed(t, programs, booleans, rules, address)
}

// checkNested does the same as checkPushdown with nested goals, which are asked for each answer of the goals before
// them.
func checkNested(t *testing.T, programs int, booleans bool, address func(schema string) string) {
	rules := func(r *rand.Rand, columns [][]string) (text string, goals []string) {
		for i := range 6 {
			rule, goal := randomNested(r, i, columns)
			text, goals = text+rule, append(goals, goal)
		}
		return text, goals
	}
	checkPushed(t, programs, booleans, rules, address)
}

// randomNested is a rule with a goal nested in another goal, or in the body of another rule.
func randomNested(r *rand.Rand, i int, columns [][]string) (rule, goal string) {
	outer := randomBody(r, columns, 1)
	if r.Intn(3) == 0 {
		outer = randomLocal(r, []string{"X", "Y", "Z", "U", "V", "W"})
	}
	inner := randomBody(r, columns, 1+r.Intn(2))
	if r.Intn(2) == 0 {
		outer, inner = randomPair(r, columns)
	}
	name := "all"
	made := ""
	switch r.Intn(9) {
	case 0:
		made = fmt.Sprintf("findall(X-Z-V, (%s), L), msort(L, A)", inner)
	case 1:
		made = fmt.Sprintf("\\+ (%s), A = none", inner)
		name = "first"
	case 2:
		made = fmt.Sprintf("( %s -> A = yes ; A = no )", inner)
		name = "first"
	case 3:
		made = fmt.Sprintf("aggregate_all(count, (%s), A)", inner)
	case 4:
		op := []string{"sum(X)", "max(X)", "min(Y)", "set(Z)", "max(X, Z)"}[r.Intn(5)]
		if strings.Contains(inner, "N") {
			op = []string{"sum(N)", "max(N)", "min(N)", "set(N)"}[r.Intn(4)]
		}
		made = fmt.Sprintf("findall(B, aggregate_all(%s, (%s), B), A)", op, inner)
		if op == "max(X, Z)" {
			made = strings.Replace(made, "findall(B", "findall(M-N", 1)
			made = strings.Replace(made, ", B)", ", max(M, N))", 1)
			name = "first"
		}
	case 5:
		made = fmt.Sprintf("forall((%s), X \\== 1), A = ok", inner)
		name = "first"
	case 6:
		made = fmt.Sprintf("step%d(X, Y, Z, U, V, W, A)", i)
		rule = fmt.Sprintf("step%d(X, Y, Z, U, V, W, a) :- %s.\n", i, inner)
		rule += fmt.Sprintf("step%d(X, _, _, _, _, _, b) :- X == 1.\n", i)
	case 7:
		made = fmt.Sprintf("aggregate_all(count, limit(2, order_by([asc(X), desc(Y)], (%s))), A)", inner)
	case 8:
		rule = fmt.Sprintf(":- table walk%d/2.\nwalk%d(X, Y) :- link%d(X, Y).\nwalk%d(X, Y) :- walk%d(X, A), link%d(A, Y).\n"+
			"link%d(X, Y) :- %s.\n", i, i, i, i, i, i, i, randomBody(r, columns, 1))
		made = fmt.Sprintf("findall(X-A, walk%d(X, A), L), msort(L, A)", i)
	}
	name = fmt.Sprintf("%s%d", name, i)
	rule += fmt.Sprintf("%s(X, Y, Z, U, V, W, A) :- %s, %s.\n", name, outer, made)
	args := []string{"X, Y, Z, U, V, W, A", "1, Y, Z, U, V, W, A", "X, Y, a, null, V, W, A"}[r.Intn(3)]
	return rule, fmt.Sprintf("%s(%s)", name, args)
}

// randomPair returns a goal on a table, and a goal that looks for the first one's values, or larger ones, in another
// table.
func randomPair(r *rand.Rand, columns [][]string) (outer, inner string) {
	goal := func(texts, numbers, test string) string {
		t := r.Intn(len(columns))
		var args []string
		for _, typ := range columns[t] {
			base, _ := strings.CutSuffix(typ, " not null")
			switch {
			case (base == "text" || base == oddText) && r.Intn(3) > 0:
				args = append(args, texts)
			case (base == "integer" || base == "key") && r.Intn(3) > 0:
				args = append(args, numbers)
				if numbers == "X" && test != "" {
					numbers = "N"
				}
			default:
				args = append(args, "_")
			}
		}
		made := fmt.Sprintf("r%d(%s)", t, strings.Join(args, ", "))
		if test != "" && strings.Contains(made, "N") && r.Intn(2) == 0 {
			made += ", " + test
		}
		return made
	}
	test := []string{"N > 0", "N =< X", "N \\== null", "N >= 1, N < 3", "r0(N, _)"}[r.Intn(5)]
	return goal("Z", "X", ""), goal([]string{"Z", "_", "T"}[r.Intn(3)], []string{"X", "N", "X"}[r.Intn(3)], test)
}

// factsOf are the rows of the tables as facts.
func factsOf(t *testing.T, p *engine.Program, columns [][]string) string {
	t.Helper()
	var names []string
	for i := range columns {
		names = append(names, fmt.Sprintf("r%d", i))
	}
	return factsNamed(t, p, names, columns)
}

func factsNamed(t *testing.T, p *engine.Program, names []string, columns [][]string) string {
	t.Helper()
	var b strings.Builder
	for i, types := range columns {
		goal := fmt.Sprintf("length(L, %d), F =.. [%s|L], F", len(types), names[i])
		for s, err := range p.Query(t.Context(), goal, &engine.RunOptions{}) {
			require.NoError(t, err)
			b.WriteString(engine.FormatTerm(s.Get("F")) + ".\n")
		}
	}
	return b.String()
}

// checkPushed compares programs whose rows are facts with programs whose tables are declared before and after the
// rules.
func checkPushed(
	t *testing.T, programs int, booleans bool, made func(*rand.Rand, [][]string) (text string, goals []string),
	address func(schema string) string,
) {
	pushed, blocks, refused, pairs, errors, answered := 0, 0, 0, 0, 0, 0
	one := func(t *testing.T, seed int) {
		r := rand.New(rand.NewSource(int64(seed)))
		schema, facts, columns := randomTables(r, booleans)
		rules, goals := made(r, columns)
		at := address(schema)
		database := sqltables.Database{Address: at}
		if seed%2 == 1 {
			database = behind(t, at)
		}
		joined, set := loadFrom(t, database, facts+localFacts+rules)
		apart, other := load(t, at, rules+localFacts+facts)
		set.SetWays(chosenWays[seed/2%len(chosenWays)])
		other.SetWays(chosenWays[seed%len(chosenWays)])
		require.Empty(t, inner.Of(apart).Pushdowns())
		inMemory, err := engine.LoadText(t.Context(), "t.pl", factsOf(t, apart, columns)+localFacts+rules, nil)
		require.NoError(t, err)
		for _, p := range inner.Of(joined).Pushdowns() {
			if p.InBlocks {
				blocks++
			} else if p.Refused == "" {
				pushed++
			} else {
				refused++
			}
		}
		for _, goal := range goals {
			want := outcome(answers(t, inMemory, goal))
			for _, p := range []*engine.Program{apart, joined} {
				got := outcome(answers(t, p, goal))
				if strings.Contains(want+got, "an error") && strings.Contains(goal, "first") {
					continue // the order of the rows decides whether the goal reaches the error
				}
				require.Equal(t, inAnyOrder(goal, want), inAnyOrder(goal, got), "%s\n%s%s%s\n%+v", goal, schema, facts, rules,
					inner.Of(p).Pushdowns())
				pairs++
			}
			switch want {
			case "an error":
				errors++
			case "":
			default:
				answered++
			}
		}
	}
	first := deep.Number(t, "MCPLOGIC_SEED", 0)
	for seed := first; seed < first+programs; seed++ {
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { one(t, seed) }) {
			return
		}
	}
	t.Logf("%d runs of goals pushed down, %d in blocks, %d not; %d pairs, %d goals have answers, %d errors", pushed,
		blocks, refused, pairs, answered, errors)
	require.NotZero(t, blocks)
	require.Greater(t, pushed, programs/2)
	require.Greater(t, answered, programs/8)
}

// inAnyOrder is answers without what the order of the rows decides: the place of elements in lists that hold variables,
// and of a goal that takes the first row all but the verdict.
func inAnyOrder(goal, answers string) string {
	lines := strings.Split(answers, "\n")
	for i, line := range lines {
		parts := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("[ ,]", r) })
		if strings.HasPrefix(goal, "first") && len(parts) > 0 {
			parts = parts[len(parts)-1:]
		}
		slices.Sort(parts)
		lines[i] = strings.Join(parts, " ")
	}
	return strings.Join(lines, "\n")
}

// programsOf is how many programs are compared.
func programsOf(t *testing.T) int { return deep.Number(t, "MCPLOGIC_PROGRAMS", deep.Count(40, 120)) }

func TestPushdownSQLite(t *testing.T) {
	t.Parallel()
	needSQLite(t)
	at := func(schema string) string { return "sqlite:" + sqliteFile(t, schema) }
	t.Run("rows", func(t *testing.T) { checkPushdown(t, programsOf(t), false, at) })
	t.Run("totals", func(t *testing.T) { checkTotals(t, programsOf(t)/2, false, at) })
	t.Run("nested", func(t *testing.T) { checkNested(t, programsOf(t), false, at) })
	t.Run("filters", func(t *testing.T) { checkFilters(t, programsOf(t), false, at) })
}

func TestPushdownPostgres(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	at := func(schema string) string {
		server.SQL(t, schema)
		return server.Address
	}
	t.Run("rows", func(t *testing.T) { checkPushdown(t, programsOf(t), true, at) })
	t.Run("totals", func(t *testing.T) { checkTotals(t, programsOf(t)/2, true, at) })
	t.Run("nested", func(t *testing.T) { checkNested(t, programsOf(t), true, at) })
	t.Run("filters", func(t *testing.T) { checkFilters(t, programsOf(t), true, at) })
}

// TestErrorsOfComparisons checks that a comparison of a query's rows throws the same errors as a comparison of facts.
func TestErrorsOfComparisons(t *testing.T) {
	const text = `
:- facts(t/2, sql(crm, numbers, [n, m])).
f(1, 2).
t1(X) :- X > N, t(N, M), M == 2.
f1(X) :- X > N, f(N, M), M == 2.
t2(X) :- N >= X, t(N, M), M == 2.
f2(X) :- N >= X, f(N, M), M == 2.
t3(X) :- X < N, t(N, M), M == 2.
f3(X) :- X < N, f(N, M), M == 2.
t4(X) :- t(N, M), M == 2, X > N.
f4(X) :- f(N, M), M == 2, X > N.
`
	p, _ := load(t, "sqlite:"+sqliteFile(t,
		"create table numbers(n integer, m integer);insert into numbers values(1, 2);"),
		text)
	for n := 1; n <= 4; n++ {
		for _, x := range []string{"'$1'", "a+1", "_", "1", "2.5", "[1]"} {
			thrown := func(kind string) string {
				_, err := p.Once(t.Context(), fmt.Sprintf("catch(%s%d(%s), error(E, context(C, _)), throw(E-C))", kind, n, x), nil)
				if err == nil {
					return ""
				}
				message, _, _ := strings.Cut(err.Error(), "\n")
				return message
			}
			require.Equal(t, thrown("f"), thrown("t"), "%d %s", n, x)
		}
	}
}
