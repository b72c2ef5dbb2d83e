package sqltables_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/tools/pgtest"
)

// This file checks columns of decimals, dates, times and durations.

const exactFacts = `
:- mode(bill(?integer, -decimal(2), -maybe(date), -maybe(time), -maybe(datetime), -maybe(duration)), zero_or_more).
:- facts(bill/6, sql(crm, bills, [id, amount, due, at, made, grace])).
:- facts(wrong/2, sql(crm, wrong, [id, due]), [types([integer, date])]).
:- facts(paid/2, sql(crm, paid, [bill, day]), [types([integer, date])]).
`

// exactRules are rules with one goal each.
const exactRules = `
r01(A) :- aggregate_all(sum(X), bill(_, X, _, _, _, _), A).
r02(A) :- bill(A, 1r10, _, _, _, _).
r03(A) :- bill(A, _, date(2024, 2, 29), _, _, _).
r04(A) :- D = date(2024, 3, 1), findall(I-X, (bill(I, X, E, _, _, _), E @< D), A).
r05(A) :- findall(I, (bill(I, _, E, _, _, _), E @>= date(2024, 3, 1)), A).
r06(A) :- findall(I, (bill(I, X, _, _, _, _), X > 3r20), A).
r07(A) :- aggregate_all(count, (bill(_, _, D, _, _, _), D == date(2024, 2, 29)), A).
r08(A) :- aggregate_all(max(X), bill(_, X, _, _, _, _), A).
r09(A) :- findall(I, (bill(I, _, D, _, _, _), paid(_, D)), A).
r10(A) :- bill(A, _, _, time(14, 30, 1r2), _, _).
r11(A) :- bill(A, _, _, _, datetime(2024, 2, 29, 23, 0, 0), _).
r12(A) :- bill(A, _, _, _, _, duration(5400, 0)).
r13(A) :- findall(I, (bill(I, _, _, T, _, _), time(12, 0, 0) @< T), A).
r14(A) :- findall(I, (bill(I, _, _, _, M, _), M @< datetime(2024, 3, 1, 0, 0, 0)), A).
r15(A) :- findall(D, order_by([desc(D)], bill(_, _, D, _, _, _)), A).
r16(A) :- findall(X, order_by([asc(X)], bill(_, X, _, _, _, _)), A).
r17(A) :- aggregate_all(sum(X), (bill(_, X, D, _, _, _), D @< date(2024, 3, 1)), A).
r18(A) :- findall(I, (bill(I, _, _, _, _, G), G @> duration(0, 0)), A).
r19(A) :- findall(I, bill(I, 0.1, _, _, _, _), A).
r20(A) :- findall(I, (bill(I, X, _, _, _, _), X > 0.15), A).
`

// hidden are the variables of a rule other than A.
var hidden = regexp.MustCompile(`\b[B-Z]\b`)

var exactAnswers = []string{"3r10", "1", "1", "[1-1r10,3-0]", "[2]", "[2]", "1", "1r5", "[1]", "1", "1", "1",
	"[1]", "[1,3]",
	"[date(2024,3,1),date(2024,2,29),null]", "[0,1r10,1r5]", "1r10", "[1]", "[]", "[2]"}

// TestExactValues compares the answers of the two databases, and the answers to single questions.
func TestExactValues(t *testing.T) {
	const rows = `
insert into bills values (1, 0.10, '2024-02-29', '14:30:00.5', '2024-03-01T01:00:00+02:00', 'PT90M'),
	(2, 0.20, '2024-03-01', '08:00:00', '2024-03-01T08:00:00Z', '-P1D'), (3, 0, null, null, null, null);
insert into paid values (1, '2024-02-29'), (7, '2024-05-01');`
	run := func(t *testing.T, address string, pushed ...string) {
		rules := strings.Split(strings.TrimSpace(exactRules), "\n")
		p, _ := load(t, address, exactFacts+exactRules)
		var statements []string
		for _, d := range inner.Of(p).Pushdowns() {
			if d.Statement != "" {
				name, _, _ := strings.Cut(rules[d.At.Line-7], "(")
				statements = append(statements, name)
			}
		}
		require.Equal(t, pushed, statements)
		for i, rule := range rules {
			name, body, _ := strings.Cut(strings.TrimSuffix(rule, "."), " :- ")
			require.Equal(t, exactAnswers[i], answers(t, p, name), rule)
			require.Equal(t, exactAnswers[i], answers(t, p, hidden.ReplaceAllString(body, "_$0")), rule)
		}
	}
	t.Run("SQLite", func(t *testing.T) {
		run(t, "sqlite:"+sqliteFile(t, `create table bills(id integer primary key, amount numeric(12,2) not null, due date,
at time, made timestamp, grace text); create table wrong(id integer, due date);
create table paid(bill integer, day date);`+rows),
			"r04", "r05", "r09", "r17")
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		server := pgtest.Start(t)
		server.SQL(t, `create table bills(id int primary key, amount numeric(12,2) not null, due date, at time,
made timestamptz, grace interval); create table wrong(id int, due text);
create table paid(bill int, day date);`+strings.Replace(rows, "-P1D", "P-1D", 1))
		run(t, server.Address, "r01", "r04", "r05", "r06", "r08", "r09", "r13", "r14", "r15", "r16", "r17", "r20")
	})
}

// TestPlaces checks that decimals have the number of places in the catalogue, unless the rules declare another number.
func TestPlaces(t *testing.T) {
	server := pgtest.Start(t)
	server.SQL(t, `create domain money_of_ours as numeric(12,2); create table price(a numeric(12,2), b money_of_ours,
c numeric, d numeric(12,2), e numeric(20,3)); insert into price values (12.5, 12.5, 12.5, 12.5, 12.5)`)
	const modes = ":- mode(price(-decimal, -decimal(3), -decimal, -maybe(decimal), -decimal), zero_or_more).\n"
	const facts = ":- facts(price/5, sql(crm, price, [a, b, c, d, e])"
	const types = ", [types([decimal, maybe(decimal), decimal, decimal(1), decimal])])."
	for text, want := range map[string]string{
		facts + types:        "price(12.50, 12.50, 12.5, 12.5, 12.500)",
		modes + facts + ").": "price(12.50, 12.500, 12.5, 12.50, 12.500)",
	} {
		p, _ := load(t, server.Address, text)
		proof, err := p.Why(t.Context(), "price(A, B, C, D, E)", nil)
		require.NoError(t, err)
		require.Contains(t, proof.Text, want)
	}
}

// TestImpossibleDates checks that the error names the column and the row, and that rows without an impossible date are
// answered.
func TestImpossibleDates(t *testing.T) {
	const rows = `insert into wrong values (1, '2024-01-31'), (2, '2023-02-29'), (3, '2024-00-99');`
	const tables = `create table bills(id int, amount int, due int, at int, made int, grace int);
create table paid(bill int, day int); create table wrong(id integer primary key, due `
	for name, address := range map[string]func(t *testing.T) string{
		"SQLite": func(t *testing.T) string { return "sqlite:" + sqliteFile(t, tables+"date);"+rows) },
		"PostgreSQL": func(t *testing.T) string {
			server := pgtest.Start(t)
			server.SQL(t, tables+"text);"+rows)
			return server.Address
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := load(t, address(t), exactFacts)
			require.Equal(t, "date(2024,1,31)", answers(t, p, "wrong(1, D)"))
			for goal, want := range map[string]string{
				"wrong(2, _)": `the column due of the table wrong has "2023-02-29"`,
				"wrong(_, _)": `the column due of the table wrong has "2023-02-29", in the row with id 2; expected a date ` +
					`such as 2026-01-31: February 2023 has no day 29`,
				"wrong(_I, _D), _D @< date(2000, 1, 1)": "February 2023 has no day 29",
			} {
				require.Contains(t, answers(t, p, goal), want, goal)
			}
		})
	}
}
