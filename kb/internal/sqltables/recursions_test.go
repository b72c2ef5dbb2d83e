package sqltables_test

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/kb/internal/sqltables"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/mcplogic/mcplogic/tools/pgtest"
)

// recursions are databases that count the recursions that they compute.
type recursions struct {
	*sqltables.Set
	asked, derived, fetched int
}

func (r *recursions) Begin(left time.Duration) relation.Snapshot {
	return countedSnapshot{r.Set.Begin(left), r}
}

type countedSnapshot struct {
	relation.Snapshot
	of *recursions
}

func (s countedSnapshot) Derive(
	ctx context.Context, r *relation.Recursion,
) (*relation.Rows, relation.Derived, error) {
	rows, how, err := s.Snapshot.(relation.Deriver).Derive(ctx, r)
	s.of.asked++
	if how == relation.Computed {
		s.of.derived++
	}
	return rows, how, err
}

func (s countedSnapshot) Fetch(ctx context.Context, q *relation.Query, most int) (*relation.Rows, bool, error) {
	rows, ok, err := s.Snapshot.(relation.Deriver).Fetch(ctx, q, most)
	if ok {
		s.of.fetched++
	}
	return rows, ok, err
}

// loadRecursions loads a program whose recursions the database computes, even for small tables.
func loadRecursions(t *testing.T, d sqltables.Database, text string) (*engine.Program, *recursions) {
	t.Helper()
	r := &recursions{Set: sqltables.Open(map[string]sqltables.Database{"crm": d})}
	t.Cleanup(r.Close)
	r.SetWays(sqltables.Recursive)
	p, err := engine.LoadText(t.Context(), "t.pl", text, &engine.Options{Databases: r})
	require.NoError(t, err)
	return p, r
}

// randomLinks makes three tables of two or three columns, most of them with indexes.
func randomLinks(r *rand.Rand, postgres bool) (schema, facts string, columns [][]string) {
	types := []string{"", "integer", "integer not null", "text", "text collate nocase", "blob", "text not null"}
	values := []string{"1", "2", "3", "4", "1", "2", "'a'", "'b'", "'A'", "null", "'null'", "'1'", "1.0", "0.5", "x'61'",
		"x'ab'", "'qw=='", "0.0", largeIntegers[r.Intn(len(largeIntegers))]}
	uses := 8
	if r.Intn(2) == 0 {
		types, uses = types[:4], 12
	}
	if postgres {
		types = []string{"integer", "integer not null", "bigint", "smallint", "text", "text not null", "varchar(9)",
			"text collate \"C\"", "char(5)", "numeric", "double precision"}
		if r.Intn(2) == 0 {
			types = types[:2]
		} else if r.Intn(2) == 0 {
			types = types[4:6]
		}
	}
	typ := types[r.Intn(len(types))]
	var b, f strings.Builder
	for t := range 3 {
		var defs, names, own []string
		for i := range 2 + r.Intn(2) {
			if r.Intn(6) == 0 {
				typ = types[r.Intn(len(types))]
			}
			own, names = append(own, typ), append(names, fmt.Sprintf("c%d", i))
			defs = append(defs, fmt.Sprintf("c%d %s", i, typ))
		}
		if !postgres && r.Intn(4) == 0 {
			defs[0], own[0] = "c0 integer primary key", "key"
		}
		fmt.Fprintf(&b, "drop table if exists r%d;\ncreate table r%d(%s);\n", t, t, strings.Join(defs, ", "))
		for n := range 4 + r.Intn(6) {
			var row []string
			for _, c := range own {
				value := values[r.Intn(uses)]
				if n < 3 || uses == 8 && r.Intn(3) > 0 {
					value = fmt.Sprint(1 + r.Intn(4))
				}
				switch {
				case c == "key":
					value = fmt.Sprint(n + 1)
				case !postgres && strings.Contains(c, "not null") && value == "null":
					value = "'null'"
				case postgres:
					value = linkValue(r, c)
				}
				row = append(row, value)
			}
			fmt.Fprintf(&b, "insert into r%d values (%s);\n", t, strings.Join(row, ", "))
		}
		for i := range own {
			if r.Intn(5) > 0 {
				fmt.Fprintf(&b, "create index on r%d(c%d);\n", t, i)
			}
		}
		fmt.Fprintf(&f, ":- facts(r%d/%d, sql(crm, r%d, [%s])).\n", t, len(own), t, strings.Join(names, ", "))
		columns = append(columns, own)
	}
	schema = b.String()
	if !postgres {
		for i := 0; strings.Contains(schema, "index on"); i++ {
			schema = strings.Replace(schema, "index on", fmt.Sprintf("index i%d on", i), 1)
		}
	}
	return schema, f.String(), columns
}

// linkValue is a value of a column of PostgreSQL.
func linkValue(r *rand.Rand, typ string) string {
	if !strings.Contains(typ, "not null") && r.Intn(8) == 0 {
		return "null"
	}
	switch {
	case strings.HasPrefix(typ, "text"), strings.HasPrefix(typ, "varchar"), strings.HasPrefix(typ, "char"):
		return []string{"'a'", "'b'", "'c'", "'A'", "'null'", "'1'"}[r.Intn(6)]
	}
	if typ == "bigint" && r.Intn(12) == 0 {
		return largeIntegers[r.Intn(len(largeIntegers))]
	}
	return fmt.Sprint(1 + r.Intn(4))
}

// largeIntegers are at or beyond the bounds of the integers that fit into one cell.
var largeIntegers = []string{"1152921504606846976", "9223372036854775807", "-1152921504606846977",
	"1152921504606846975"}

// randomRecursion is rules of two tabled predicates and one that is not, and goals about them.
func randomRecursion(r *rand.Rand, columns [][]string) (text string, goals []string) {
	value := func() string { return []string{"1", "2", "3", "a", "b", "null", "'1'", "'YQ=='"}[r.Intn(8)] }
	link := func(a, b string) string {
		t := r.Intn(len(columns))
		args := []string{a, b, "_"}[:len(columns[t])]
		if r.Intn(6) == 0 {
			args[0], args[1] = args[1], args[0]
		}
		if len(args) == 3 && r.Intn(4) == 0 {
			args[2] = value()
		}
		return fmt.Sprintf("r%d(%s)", t, strings.Join(args, ", "))
	}
	test := func(v string) string {
		switch r.Intn(12) {
		case 0:
			return fmt.Sprintf(", %s \\== %s", v, value())
		case 1:
			return fmt.Sprintf(", %s == %s", v, value())
		case 2:
			return fmt.Sprintf(", %s < 4", v)
		case 3:
			return ", X \\== Y"
		case 4:
			return fmt.Sprintf(", 1 =< %s", v)
		case 5:
			return fmt.Sprintf(", \\+ %s", link(v, "_"))
		case 6:
			return fmt.Sprintf(", \\+ v(%s, %s)", v, []string{"_", "X", value()}[r.Intn(3)])
		}
		return ""
	}
	other := []string{"p", "q"}
	var b strings.Builder
	b.WriteString(":- table p/2, q/2, d(_, min), h/2.\n")
	own := test("Y")
	for strings.Contains(own, "v(") { // the relation has no table
		own = test("Y")
	}
	fmt.Fprintf(&b, "v(X, Y) :- %s%s.\n", link("X", "Y"), own)
	if r.Intn(3) == 0 {
		b.WriteString("v(1, 2).\nv(a, b).\n")
	}
	for _, name := range other {
		for range 1 + r.Intn(2) {
			body := []string{link("X", "Y"), link("X", "Y"), link("X", "Z") + ", " + link("Z", "Y"), "v(X, Y)",
				link("X", "Y") + ", " + link("Y", "_"), link("X", "X") + ", " + link("X", "Y")}[r.Intn(6)]
			fmt.Fprintf(&b, "%s(X, Y) :- %s%s.\n", name, body, test("X"))
		}
		for range r.Intn(3) {
			callee := other[r.Intn(2)]
			if r.Intn(3) > 0 {
				callee = name
			}
			step := []string{
				callee + "(X, Z), " + link("Z", "Y"), link("X", "Z") + ", " + callee + "(Z, Y)", callee + "(X, Z), v(Z, Y)",
				link("X", "U") + ", " + callee + "(U, V), " + link("V", "Y"), callee + "(Y, X)",
				callee + "(X, Z), " + callee + "(Z, Y)", link("X", "Y") + ", " + callee + "(X, _)",
				callee + "(X, Z), " + link("Z", "Y") + ", " + link("Y", "_"),
			}[r.Intn(8)]
			fmt.Fprintf(&b, "%s(X, Y) :- %s%s.\n", name, step, test("Y"))
		}
	}
	fmt.Fprintf(&b, "d(%s, 0).\nd(Y, D) :- d(X, D0), %s, D is D0+%d.\n", value(), link("X", "Y"), 1+r.Intn(2))
	fmt.Fprintf(&b, "h(1, 0).\nh(Y, D) :- h(X, D0), %s, D is D0+1, D < 5%s.\n", link("X", "Y"), test("Y"))
	goals = append(goals, "d(X, D)", fmt.Sprintf("d(%s, D)", value()), "h(X, D)", fmt.Sprintf("h(X, %d)", r.Intn(5)))
	for _, name := range other {
		goals = append(goals, fmt.Sprintf("%s(%s, Y)", name, value()), fmt.Sprintf("%s(%s, Y)", name, value()),
			fmt.Sprintf("%s(X, %s)", name, value()), fmt.Sprintf("%s(%s, %s)", name, value(), value()),
			fmt.Sprintf("%s(X, Y)", name), fmt.Sprintf("v(X, Y), %s(Y, Z)", name))
	}
	return b.String(), goals
}

// checkRecursions compares random recursions over tables with the same recursions over facts.
func checkRecursions(t *testing.T, programs int, postgres bool, address func(schema string) string) {
	asked, derived, fetched, pairs, answered := 0, 0, 0, 0, 0
	one := func(t *testing.T, seed int) {
		r := rand.New(rand.NewSource(int64(seed)))
		schema, facts, columns := randomLinks(r, postgres)
		rules, goals := randomRecursion(r, columns)
		at := address(schema)
		database := sqltables.Database{Address: at}
		if seed%4 == 1 {
			database = behind(t, at)
		}
		p, set := loadRecursions(t, database, facts+rules)
		here, all := loadRecursions(t, database, facts+rules)
		all.SetWays(sqltables.UsualWays)
		apart, _ := load(t, at, rules+facts)
		inMemory, err := engine.LoadText(t.Context(), "t.pl", factsOf(t, apart, columns)+rules, nil)
		require.NoError(t, err)
		for _, goal := range goals {
			want := outcome(answers(t, inMemory, goal))
			for _, over := range []*engine.Program{p, here} {
				got := outcome(answers(t, over, goal))
				if want == "an error" {
					continue // the order of goals decides whether there is an error
				}
				require.Equal(t, want, got, "%s %t\n%s%s%s", goal, over == here, schema, facts, rules)
				pairs++
			}
			if want != "an error" && want != "" {
				answered++
			}
		}
		asked, derived, fetched = asked+set.asked, derived+set.derived, fetched+all.fetched
	}
	first := deep.Number(t, "MCPLOGIC_SEED", 0)
	for seed := first; seed < first+programs; seed++ {
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { one(t, seed) }) {
			return
		}
	}
	t.Logf("%d recursions, %d of them in the database, %d fetched; %d pairs, %d goals have answers", asked, derived,
		fetched, pairs, answered)
	require.Greater(t, fetched, programs)
	require.Greater(t, derived, asked/8)
	require.Greater(t, answered, programs)
}

// recursivePrograms is how many programs are compared.
func recursivePrograms(t *testing.T) int { return deep.Number(t, "MCPLOGIC_PROGRAMS", programsOf(t)/2) }

func TestRecursionsSQLite(t *testing.T) {
	t.Parallel()
	needSQLite(t)
	checkRecursions(t, recursivePrograms(t), false, func(schema string) string {
		return "sqlite:" + sqliteFile(t, schema)
	})
}

func TestRecursionsPostgres(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	checkRecursions(t, recursivePrograms(t), true, func(schema string) string {
		server.SQL(t, schema)
		return server.Address
	})
}

// chain makes a table that is a chain of edges, and a program that follows the chain.
const (
	chain = `create table edge(a bigint not null, b bigint not null); create index edge_a on edge(a);
insert into edge with recursive n(i) as (select 1 union all select i + 1 from n where i < 300) select i, i + 1 from n;
insert into edge values (400, 1152921504606846976), (1152921504606846976, -9223372036854775807), (400, 401);`
	chainRules = `:- facts(edge/2, sql(crm, edge, [a, b])).
:- table reach/2.
reach(X, Y) :- edge(X, Y).
reach(X, Y) :- reach(X, Z), edge(Z, Y).
right(X, Y) :- edge(X, Y).
right(X, Y) :- edge(X, Z), right(Z, Y).
:- table right/2.
:- table far(_, max).
far(300, 0).
far(X, D) :- edge(X, Y), far(Y, D0), D is D0+1.
:- table both/2.
both(X, Y) :- edge(X, Y).
both(X, Y) :- both(X, Z), both(Z, Y).
many_from(X, L) :- setof(Y, reach(X, Y), L).
many(N) :- findall(X, (between(1, 40, X), reach(X, 300)), L), length(L, N).
`
)

// testChain counts statements, looks at an explanation, and ends a recursion early.
func testChain(t *testing.T, address string) {
	bothWays(t, address, func(t *testing.T, d sqltables.Database) {
		p, set := loadRecursions(t, d, chainRules)
		set.SetWays(sqltables.Unlimited)
		var statements atomic.Int64
		ctx := relation.Counted(t.Context(), &statements)
		require.Equal(t, "290", answersWithin(ctx, t, p, "aggregate_all(count, reach(11, _), N)", &engine.RunOptions{}))
		require.Equal(t, 1, set.derived)
		require.LessOrEqual(t, statements.Load(), int64(3)) // other statements ask for the size of the table
		require.Equal(t, "1", answers(t, p, "aggregate_all(count, reach(290, 301), N)"))
		require.Equal(t, "0", answers(t, p, "aggregate_all(count, reach(301, _), N)"))
		require.Equal(t, "40", answers(t, p, "many(N)"))
		require.Equal(t, "290", answers(t, p, "aggregate_all(count, both(11, _), N)"))
		require.Equal(t, "10", answers(t, p, "aggregate_all(count, both(_, 11), N)"))
		set.derived = 0
		require.Equal(t, "[-9223372036854775807,401,1152921504606846976]",
			answers(t, p, "many_from(400, L)"))
		require.Equal(t, "1", answers(t, p, "aggregate_all(count, reach(400, -9223372036854775807), N)"))
		require.Equal(t, 1, set.derived) // a call with a large integer calls the clauses
		set.derived = 0
		why, err := p.Why(t.Context(), "reach(298, 301)", nil)
		require.NoError(t, err)
		require.Contains(t, why.Text, "edge(300, 301)")
		require.Zero(t, set.derived)
		late, end := context.WithCancel(t.Context())
		end()
		for _, err := range p.Query(late, "reach(1, _)", &engine.RunOptions{}) {
			require.Error(t, err)
		}
		require.Equal(t, "300", answers(t, p, "aggregate_all(count, reach(1, _), N)"))
		set.SetWays(sqltables.Recursive)
		set.derived = 0
		goal, once := "aggregate_all(count, right(1, _), N)", ", aggregate_all(count, right(2, _), M)"
		require.Equal(t, "300 299", answers(t, p, goal+once))
		if strings.HasPrefix(address, "sqlite:") { // the limit, a 32nd of the rows, is lower
			require.Zero(t, set.derived)
		}
	})
}

// TestFetchedRules applies rules that no database computes to rows that are fetched only once.
func TestFetchedRules(t *testing.T) {
	needSQLite(t)
	schema := strings.Replace(chain, "insert into edge values", "insert into edge values (500, 500);--", 1)
	p, set := loadRecursions(t, sqltables.Database{Address: "sqlite:" + sqliteFile(t, schema)}, chainRules)
	set.SetWays(sqltables.UsualWays)
	var statements atomic.Int64
	ctx := relation.Counted(t.Context(), &statements)
	require.Equal(t, "299 298", answersWithin(ctx, t, p, "far(1, D), far(2, E)", &engine.RunOptions{}))
	require.Equal(t, 1, set.fetched)
	require.LessOrEqual(t, statements.Load(), int64(5)) // other statements ask about the table
	set.fetched = 0                                     // a fetch that a limit ends tells nothing about the rows
	require.Equal(t, "inference_limit_exceeded 300", answers(t, p, "call_with_inference_limit("+
		"aggregate_all(count, far(_, _), _), 100, R), aggregate_all(count, far(_, _), N)"))
	require.Equal(t, 2, set.fetched)
}

func TestChainSQLite(t *testing.T) { testChain(t, "sqlite:"+sqliteFile(t, chain)) }

func TestChainPostgres(t *testing.T) {
	server := pgtest.Start(t)
	server.SQL(t, chain)
	testChain(t, server.Address)
}
