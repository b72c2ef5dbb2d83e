package pushdown_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/pushdown"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// clause has the tables customer(id, country) and orders(customer, total), whose database accepts each query unless
// refused gives a reason. Each goal with a query shows it as the text of the tables and the conditions.
func clause(refused string) *pushdown.Clause {
	db := database.New()
	user, definer := db.User(), db.Definer()
	table := func(name string, types []string, columns ...string) (*database.Pred, *relation.Query) {
		q := &relation.Query{Database: "db", Tables: []string{name}}
		for i, column := range columns {
			q.Columns = append(q.Columns, relation.Column{Name: column, Type: types[i]})
		}
		pred := user.Lookup(code.Functor(name, len(columns)))
		definer.Set(pred, database.Defined)
		return pred, q
	}
	tables := map[*database.Pred]*relation.Query{}
	for _, name := range []string{"customer", "orders"} {
		pred, q := table(name, []string{"integer", "integer"}, "a", "b")
		tables[pred] = q
	}
	return &pushdown.Clause{Home: user, Tables: tables, Ops: syntax.StandardOps(),
		Plan: func(q *relation.Query) (string, string) { return strings.Join(q.Tables, " x "), refused },
		Ask: func(predicate string, q *relation.Query, row *term.Compound, more ...term.Term) term.Term {
			parts := summary(q)
			return &term.Compound{Functor: "ask", Args: append([]term.Term{term.Atom(parts), row}, more...)}
		}}
}

// summary describes a query for a test.
func summary(q *relation.Query) string {
	text := strings.Join(q.Tables, " ")
	for _, t := range q.Tests {
		text += " " + t.Op
	}
	if len(q.Absent) > 0 {
		text += " without " + q.Absent[0].Tables[0]
	}
	return text
}

// TestBody checks which goals of a body become one query.
func TestBody(t *testing.T) {
	for text, want := range map[string]string{ // "in blocks": the second table is asked for several rows of the first
		"h(X) :- customer(X, C), orders(X, T)":           "customer orders",
		"h(X) :- customer(X, C), orders(X, T), T > 5":    "customer orders >",
		"h(X) :- customer(X, C), \\+ orders(X, 3)":       "customer without orders",
		"h(X) :- customer(X, 7)":                         "",
		"h(X) :- customer(X, C), write(X), orders(X, T)": "in blocks",
		"h(X) :- customer(X, C), !, orders(X, T)":        "customer",
		"h(X) :- write(X), nothing(X)":                   "",
	} {
		c := clause("")
		read, err := syntax.ParseTerm(text, syntax.StandardOps(), nil)
		require.NoError(t, err)
		parts, ok := term.Is(read.Term, ":-", 2)
		require.True(t, ok)
		instead := c.Body(parts[0], parts[1])
		if want == "" {
			require.Nil(t, instead, text)
			continue
		}
		require.NotNil(t, instead, text)
		inBlocks := func(r pushdown.Report) bool { return r.InBlocks }
		if want == "in blocks" {
			require.True(t, slices.ContainsFunc(c.Reports, inBlocks), text)
			continue
		}
		require.Contains(t, asked(instead), want, text)
	}
}

// asked lists the queries that a goal sends.
func asked(t term.Term) (list []string) {
	c, ok := t.(*term.Compound)
	if !ok {
		return nil
	}
	if query, ok := c.Args[0].(term.Atom); ok && c.Functor == "ask" {
		list = append(list, string(query))
	}
	for _, arg := range c.Args {
		list = append(list, asked(arg)...)
	}
	return list
}

// TestRefused keeps the goals when the database refuses the query, and reports why.
func TestRefused(t *testing.T) {
	c := clause("there is no index")
	read, err := syntax.ParseTerm("customer(X, C), orders(X, T)", syntax.StandardOps(), nil)
	require.NoError(t, err)
	c.Body(term.Atom("h"), read.Term)
	require.Equal(t, "there is no index", c.Reports[0].Refused)
	require.Len(t, c.Reports[0].Goals, 2)
}
