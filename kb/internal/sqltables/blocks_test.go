package sqltables_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb/internal/sqltables"
)

// This file checks questions that are put in blocks.

// counted are tables of many rows. The names of pairs are texts, so that the database does not join them with numbers.
const counted = `create table items(id integer primary key, name text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
	insert into items select i, 'item' || i from n;
create table sold(item integer, day integer);
insert into sold select id % 7 + 1, id from items;
create table many(item integer, n integer);
insert into many select a.id % 3, b.id from items a, items b where b.id <= 30;
`

const countedFacts = `
:- facts(item/2, sql(crm, items, [id, name])).
:- facts(sold/2, sql(crm, sold, [item, day])).
:- facts(text/2, sql(crm, items, [id, name]), [types([string, atom])]).
:- facts(many/2, sql(crm, many, [item, n])).
`

const countedRules = `
want(3). want(1). want(3). want(foo). want(2000). want(2.0). want(null). want(2).
:- dynamic wish/1.
wish(3). wish(1).
wanted(I) :- want(I).
in_order(I, N) :- want(I), item(I, N).
tested(I, N) :- want(I), integer(I), I < 3, item(I, N).
late(I, N) :- want(I), I > 2, item(I, N).
listed(L, I, N) :- member(I, L), item(I, N).
ranged(I, N) :- between(998, 1002, I), item(I, N).
changed(I, N) :- wish(I), item(I, N), assertz(wish(2)).
twice(I, N) :- want(_), wish(I), item(I, N), assertz(wish(2)).
by_rule(I, N) :- wanted(I), item(I, N).
two(I, D) :- want(I), sold(I, D), text(D, _).
pairs(I, D) :- want(I), between(1, 20, D), sold(I, D).
printed(I, N) :- want(I), write(I), item(I, N).
cut(I, N) :- want(I), !, item(I, N).
large(I, N) :- member(I, [9, 0, 1, 2, 0, 9]), many(I, N).
behind(I, N) :- between(1, 3, J), wish(I), item(I, N), K is I + J + 2, K < 40, assertz(wish(K)).
random(I, N) :- want(I), _ is random(10), item(I, N).
plus(E, I, N) :- want(I), integer(I), X is I + E, item(X, N).
value(3). value(2). value(1 + random(5)). value(1 + random(5)). value(1). value(foo). value(2 ** 1000000000).
valued(X, N) :- value(E), X is E, item(X, N).
bounded(X, N) :- value(E), E > 0, member(X, [3, 4]), item(X, N), X > 0.
divided(D, X, N) :- member(D, [3, 2, 0, 1, 3]), X is 6 // D, item(X, N), X > 1.
computed(D, N) :- value(D), _ is 2 ** D, item(D, N).
joined(X, M) :- value(E), X is E, sold(X, D), text(D, M).
drawn(G, L) :- set_random(seed(7)), findall(X-N-R, (limit(5, call(G, X, N)), R is random(1000)), L).
string(I) :- write(I).
shown(I, N) :- want(I), string(I), item(I, N).
`

// ownRange is a predicate of the program with the name of a library's.
const ownRange = `
between(_, _, I) :- member(I, [2, 7, 1]), write(I).
own_range(I, N) :- between(1, 3, I), item(I, N).
own_test(I, N) :- item(I, N), I < 9, between(1, 3, I).
`

// lateRange is a predicate of the program with the name of a library's, behind the clauses that use it.
const lateRange = `
in_range(I, N) :- item(I, N), between(1, 3, I).
in_total(C) :- aggregate_all(count, (item(I, _), between(1, 3, I)), C).
in_order(I, N) :- limit(2, (item(I, N), between(1, 3, I))).
ahead(I, N) :- between(1, 3, I), item(I, N).
between(_, _, I) :- member(I, [7, 2, 1000]).
`

// lineOfText is the line of a clause, in the message of an error.
var lineOfText = regexp.MustCompile(`t\.pl:[0-9]+: `)

// asked wraps databases and notes how many questions are announced at once.
type asked struct {
	*sqltables.Set
	ahead []int
}

func (a *asked) Begin(left time.Duration) relation.Snapshot { return &askedRun{a.Set.Begin(left), a} }

type askedRun struct {
	relation.Snapshot
	of *asked
}

func (a *askedRun) Ahead(ctx context.Context, text string, given [][]term.Term) (bool, error) {
	a.of.ahead = append(a.of.ahead, len(given))
	return a.Snapshot.Ahead(ctx, text, given)
}

// With blocks, goals have the same answers in the same order as with single questions. No more answers are asked for
// ahead than the goals have used before.
func TestBlocks(t *testing.T) {
	set := sqltables.Open(map[string]sqltables.Database{"crm": {Address: "sqlite:" + sqliteFile(t, counted)}})
	t.Cleanup(set.Close)
	databases := &asked{Set: set}
	loadText := func(text string) *engine.Program {
		p, err := engine.LoadText(t.Context(), "t.pl", text, &engine.Options{Databases: databases})
		require.NoError(t, err)
		return p
	}
	blocks, apart := loadText(countedFacts+countedRules), loadText(countedRules+countedFacts)
	ownBlocks, ownApart := loadText(countedFacts+ownRange), loadText(ownRange+countedFacts)
	for _, goal := range []string{"own_range(I, N)", "limit(3, own_test(I, N))"} {
		require.Equal(t, answers(t, ownApart, goal), answers(t, ownBlocks, goal), goal)
	}
	late, lateApart := loadText(countedFacts+lateRange), loadText(lateRange+countedFacts)
	for goal, want := range map[string]string{
		"in_range(I, N)": "2 item2\n7 item7\n1000 item1000", "in_total(C)": "3", "in_order(I, N)": "2 item2\n7 item7",
		"ahead(I, N)": "7 item7\n2 item2\n1000 item1000",
	} {
		require.Equal(t, want, answers(t, lateApart, goal), goal)
		require.Equal(t, want, answers(t, late, goal), goal)
	}
	const number = "error: t.pl:13: (>)/2: Arithmetic: `foo/0' is not a function"
	for _, tt := range []struct {
		goal, want string
		ahead      []int
	}{
		{"in_order(I, N)", "3 item3\n1 item1\n3 item3\n2 item2", []int{2, 4}},
		{"in_order(1, N)", "item1", nil},
		{"in_order(foo, N)", "", nil},
		{"tested(I, N)", "1 item1\n2 item2", nil},
		{"late(I, N)", "3 item3\n3 item3\n" + number, nil},
		{"limit(2, late(I, N))", "3 item3\n3 item3", nil},
		{"limit(2, in_order(I, N))", "3 item3\n1 item1", []int{2}},
		{"once(in_order(I, N))", "3 item3", nil},
		{"listed([5, 4, 9], 4, N)", "item4", nil},
		{"listed([5, 4, a, 5], I, N)", "5 item5\n4 item4\n5 item5", []int{2}},
		{"limit(3, listed([5, 4 | _], I, N))", "5 item5\n4 item4\n1 item1", nil},
		{"listed([5, X, 4], 5, N)", "_ item5\n5 item5", nil},
		{"listed(no, I, N)", "", nil},
		{"freeze(I, I > 2), in_order(I, N)", "3 item3\n3 item3\n" + strings.Replace(number, "t.pl:13: ", "", 1), nil},
		{"ranged(I, N)", "998 item998\n999 item999\n1000 item1000", []int{2, 2}},
		{"changed(I, N)", "3 item3\n1 item1", nil},
		{"limit(6, twice(I, N))", "any", nil},
		{"by_rule(I, N)", "3 item3\n1 item1\n3 item3\n2 item2", nil},
		{"aggregate_all(count, two(_, _), C)", "any", nil},
		{"pairs(I, D)", "3 2\n3 9\n3 16\n1 7\n1 14\n3 2\n3 9\n3 16\n2 1\n2 8\n2 15", []int{2, 4, 8, 16, 32, 64, 33}},
		{"cut(I, N)", "3 item3", nil},
		{"aggregate_all(count, large(_, _), C), aggregate_all(sum(N), large(_, N), S)", "any", nil},
		{"aggregate_all(count, behind(_, _), C)", "any", nil},
		{"plus(1, I, N)", "3 item4\n1 item2\n3 item4\n2 item3", []int{2, 2}},
		{"plus(1 + random(1), I, N)", "3 item4\n1 item2\n3 item4\n2 item3", nil},
	} {
		databases.ahead = nil
		got := freshVar.ReplaceAllString(answers(t, blocks, tt.goal), "_")
		ahead := databases.ahead
		one := freshVar.ReplaceAllString(answers(t, apart, tt.goal), "_")
		require.Equal(t, lineOfText.ReplaceAllString(one, ""), lineOfText.ReplaceAllString(got, ""), tt.goal)
		if tt.want != "any" {
			require.Equal(t, tt.want, got, tt.goal)
			require.Equal(t, tt.ahead, ahead, tt.goal)
		}
	}
	var goals []string
	for _, r := range inner.Of(blocks).Pushdowns() {
		if r.InBlocks {
			goals = append(goals, fmt.Sprintf("%d: %s", r.At.Line, strings.Join(r.Goals, ", ")))
		}
	}
	require.Equal(t, []string{
		"11: want(I), item(I, N)",
		"12: want(I), integer(I), I<3, item(I, N)",
		"13: want(I), I>2, item(I, N)",
		"14: member(I, L), item(I, N)",
		"15: between(998, 1002, I), item(I, N)",
		"16: wish(I), item(I, N)",
		"17: want(_), wish(I), item(I, N)", // not while the goal runs, as wish/1 may change
		"19: want(I), sold(I, D)",
		"19: want(I), sold(I, D), text(D, _)",
		"20: want(I), between(1, 20, D), sold(I, D)",
		"23: member(I, [9, 0, 1, 2, 0, 9]), many(I, N)",
		"24: between(1, 3, J), wish(I), item(I, N)", // not while the goal runs
		"26: want(I), integer(I), X is I+E, item(X, N)",
		"28: value(E), X is E, item(X, N)",
		"29: value(E), E>0, member(X, [3, 4]), item(X, N)",
		"30: member(D, [3, 2, 0, 1, 3]), X is 6//D, item(X, N)",
		"32: value(E), X is E, sold(X, D)", // not two blocks, as the first block may end within a test
	}, goals)
}

// Errors in a clause that leaves goals to a database name the lines of the goals.
func TestLinesOfGoals(t *testing.T) {
	set := sqltables.Open(map[string]sqltables.Database{"crm": {Address: "sqlite:" + sqliteFile(t, counted)}})
	t.Cleanup(set.Close)
	text := countedFacts + "late(I, N) :-\n    item(I, N),\n    sold(I, D),\n    N > D,\n    true.\n"
	p, err := engine.LoadText(t.Context(), "t.pl", text, &engine.Options{Databases: set})
	require.NoError(t, err)
	require.Len(t, inner.Of(p).Pushdowns(), 1)
	require.Contains(t, answers(t, p, "late(_, _)"), "error: t.pl:9: ")
}

// A clause that leaves goals to a database and calls a goal with arguments that are goals, which are of the module of
// the clause, is compiled again when the declaration that says so comes behind it.
func TestLateDeclaration(t *testing.T) {
	set := sqltables.Open(map[string]sqltables.Database{"crm": {Address: "sqlite:" + sqliteFile(t, counted)}})
	t.Cleanup(set.Close)
	text := ":- module(shop, []).\n" + countedFacts +
		"late(I, N) :- item(I, N), sold(I, 9), wanted(own(I)).\n" +
		"own(3). own(4).\n" +
		":- meta_predicate wanted(0).\n" +
		"wanted(G) :- call(G).\n"
	p, err := engine.LoadText(t.Context(), "t.pl", text, &engine.Options{Databases: set})
	require.NoError(t, err)
	require.Len(t, inner.Of(p).Pushdowns(), 1)
	require.Equal(t, "3 item3", answers(t, p, "shop:late(I, N)"))
}
