package recursive_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb/internal/recursive"
)

// Relations of the recursions: the tables edge(a, b), named(a, name) and loose(a, b), then those of rules.
const (
	edge = iota
	named
	loose
	p
	q
	seed
)

// literal writes a part of a rule: capital letters are variables, other arguments are values.
func literal(rel int, args ...any) relation.Literal {
	l := relation.Literal{Relation: rel}
	for _, a := range args {
		switch a := a.(type) {
		case int:
			l.Args = append(l.Args, relation.Operand{Value: term.Int(a)})
		case string:
			l.Args = append(l.Args, operand(a))
		}
	}
	return l
}

func operand(text string) relation.Operand {
	if len(text) == 1 && text[0] >= 'A' && text[0] <= 'Z' {
		return relation.Operand{Var: int(text[0] - 'A')}
	}
	return relation.Operand{Value: term.Atom(text)}
}

func rule(head relation.Literal, body ...relation.Literal) relation.Rule {
	return relation.Rule{Head: head, Body: body}
}

// recursions are the recursions whose statements are in testdata.
var recursions = map[string][]relation.Rule{
	// p(Y) :- edge(7, Y). p(Y) :- p(X), edge(X, Y).
	"reach": {rule(literal(p, "Y"), literal(edge, 7, "Y")),
		rule(literal(p, "Y"), literal(p, "X"), literal(edge, "X", "Y"))},
	// The first column of q is always 7, as seed has one row.
	"constant": {rule(literal(seed, 7)), rule(literal(q, "X", "Y"), literal(seed, "X"), literal(edge, "X", "Y")),
		rule(literal(q, "X", "Y"), literal(seed, "X"), literal(q, "X", "Z"), literal(edge, "Z", "Y")),
		rule(literal(p, "Y"), literal(q, 7, "Y"))},
	"two rules": {rule(literal(p, 7)), rule(literal(p, "Y"), literal(p, "X"), literal(edge, "X", "Y")),
		rule(literal(p, "Y"), literal(p, "X"), literal(edge, "Y", "X"))},
	"mutual": {rule(literal(p, "Y"), literal(edge, 7, "Y")),
		rule(literal(q, "Y", "X"), literal(p, "X"), literal(edge, "X", "Y")),
		rule(literal(p, "Y"), literal(q, "X", "Z"), literal(edge, "X", "Y"))},
	"filter": {rule(literal(seed, 7)), rule(literal(seed, "Y"), literal(seed, "X"), literal(edge, "X", "Y")),
		rule(literal(q, "X", "Y"), literal(seed, "X"), literal(edge, "X", "Y")),
		rule(literal(q, "X", "Y"), literal(edge, "X", "Z"), literal(q, "Z", "Y"), literal(seed, "X")),
		rule(literal(p, "Y"), literal(q, 7, "Y"))},
	"texts": {rule(literal(q, "Y", "N"), literal(edge, 7, "Y"), literal(named, "Y", "N")),
		{Head: literal(q, "Y", "N"), Body: []relation.Literal{literal(q, "X", "M"), literal(edge, "X", "Y"),
			literal(named, "Y", "N")}, Comparisons: []relation.Comparison{
			{Op: "<>", Left: operand("N"), Right: operand("none")},
			{Op: "<", Integers: true, Left: operand("X"), Right: operand("Y")}}},
		rule(literal(p, "N"), literal(q, "X", "N"))},
	"nulls": {rule(literal(p, "Y"), literal(loose, 7, "Y")),
		rule(literal(p, "Y"), literal(p, "X"), literal(loose, "X", "Y"))},
	"twice": {rule(literal(p, "Y"), literal(edge, 7, "Y")), rule(literal(p, "Y"), literal(p, "X"), literal(p, "Y"))},
	"no index": {rule(literal(p, "Y"), literal(edge, 7, "Y")),
		rule(literal(p, "Y"), literal(p, "X"), literal(named, "Y", "X"))},
	"types": {rule(literal(p, "Y"), literal(edge, 7, "Y")), rule(literal(p, "Y"), literal(named, "X", "Y"))},
	"null":  {rule(literal(p, "Y"), literal(edge, "null", "Y"))},
	"empty": {rule(literal(p, "Y"), literal(p, "X"), literal(edge, "X", "Y"))},
}

// TestStatements compares statements with those of testdata.
func TestStatements(t *testing.T) {
	typed := func(number, text recursive.Class) []*recursive.Table {
		a := recursive.Column{Name: `"a"`, Class: number, NotNull: true, Whole: number == recursive.Integer, Indexed: true}
		b, name, open := a, a, a
		b.Name, name.Name, open.NotNull = `"b"`, `"name"`, false
		name.Class, name.Indexed, name.NotNull, name.Whole = text, false, false, false
		openB := open
		openB.Name = `"b"`
		return []*recursive.Table{{Name: `"edge"`, Columns: []recursive.Column{a, b}},
			{Name: `"named"`, Columns: []recursive.Column{a, name}},
			{Name: `"loose"`, Columns: []recursive.Column{open, openB}}, nil, nil, nil}
	}
	const integer, text, mixed = recursive.Integer, recursive.Text, recursive.Any
	for name, d := range map[string]*recursive.Dialect{"postgres": recursive.PostgreSQL, "sqlite": recursive.SQLite,
		"duckdb": recursive.DuckDB} {
		want, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		require.NoError(t, err)
		seen := 0
		for entry := range strings.SplitSeq(strings.TrimSpace(string(want)), "\n\n") {
			title, statement, _ := strings.Cut(entry, "\n")
			tables := typed(integer, text)
			if name == "sqlite" {
				tables = typed(mixed, mixed)
			}
			r := &relation.Recursion{Rules: recursions[title], Goal: p}
			for i, arity := range []int{2, 2, 2, 1, 2, 1} {
				r.Relations = append(r.Relations, relation.Related{Arity: arity})
				if i <= loose {
					r.Relations[i].Table = &relation.Query{}
				}
			}
			require.NotEmpty(t, r.Rules, title)
			seen++
			got, most := "", 0
			if title == "two rules" {
				most = 100
			}
			if st, err := d.Statement(r, tables, most); err != nil {
				got = "refused: " + err.Error()
			} else {
				got = st.Text
			}
			require.Equal(t, strings.Join(strings.Fields(statement), " "), got, "%s: %s", name, title)
		}
		require.Equal(t, len(recursions), seen)
	}
}
