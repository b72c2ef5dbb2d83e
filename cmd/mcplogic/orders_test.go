package main

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/mcplogic/mcplogic/tools/pgtest"
)

// ordersDatabase makes the database of examples/orders.
func ordersDatabase(t *testing.T) (address string) {
	t.Helper()
	if !slices.Contains(sql.Drivers(), "sqlite") {
		deep.Missing(t, "tables of SQLite", "go run ./tools/testall -tags=sqlite tests them")
	}
	text, err := os.ReadFile("../../examples/orders/customers.sql")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "crm.db")
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(string(text))
	require.NoError(t, err)
	return "crm=sqlite:" + file
}

// TestOrders serves examples/orders twice on one store.
func TestOrders(t *testing.T) {
	address, store := ordersDatabase(t), "file:"+t.TempDir()
	const folder = "../../examples/orders"
	serve := func(use func(call func(tool string, args map[string]any) string)) {
		s := serveHTTPIn(t, "0", "--sql", address, "--store", store, folder)
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: s.url}, nil)
		require.NoError(t, err)
		use(func(tool string, args map[string]any) string {
			r, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
			require.NoError(t, err)
			return r.Content[0].(*mcp.TextContent).Text
		})
		require.NoError(t, session.Close())
		s.stop()
		require.Equal(t, cli.ExitDone, <-s.code)
	}
	serve(func(call func(tool string, args map[string]any) string) {
		require.Equal(t, "Number: 1\nTotal: 840.0",
			call("place_order", map[string]any{"Customer": 1, "Item": "oak table", "Count": 2}))
		require.Contains(t, call("place_order", map[string]any{"Customer": 1, "Item": "oak table", "Count": 2}), "2=<3-2")
		require.Contains(t, call("reach", map[string]any{"Country": "de"}), "office@example.com")
		require.Contains(t, call("place_order", map[string]any{"Customer": 7, "Item": "oak table", "Count": 1}),
			"there is no row `customer(7, _, _, Credit)` in crm.customers, asked for at ")
		missing := call("why", map[string]any{"tool": "reach", "arguments": map[string]any{"Country": "DE"}})
		require.Contains(t, missing, "known instead of 'DE': de, fr, null\n")
		require.Contains(t, missing, "columns: customer(id, name, country, credit), contact(customer, email)\n")
		require.Contains(t, missing, `There are solutions for Country: "de", "null".`+"\n")
	})
	serve(func(call func(tool string, args map[string]any) string) {
		ada := map[string]any{"Customer": 1}
		require.Equal(t, "Number: 1\nItem: oak table\nCost: 840.0", call("order_cost", ada))
		why := call("why", map[string]any{"tool": "order_cost", "arguments": ada})
		require.Regexp(t, `order\(1, 1, 'oak table', 2\)  \[asserted on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\]`, why)
		require.Regexp(t, `price\('oak table', 420.0, 3\)  \[.*prices.csv:2\]`, why)
		why = call("why", map[string]any{"tool": "reach", "arguments": map[string]any{"Country": "de"}})
		require.Contains(t, why, "[crm.contacts]")
	})
}

// TestCheckSQL looks at what is said of goals that are left to a database, and of one that prevents it.
func TestCheckSQL(t *testing.T) {
	file := filepath.Join(t.TempDir(), "listed.pl")
	require.NoError(t, os.WriteFile(file, []byte(`:- facts(customer/3, sql(crm, customers, [id, name, country])).
near(Id, Name) :- customer(Id, Name, C), memberchk(C, [de, fr]).
some(Id, Name) :- customer(Id, Name, C), memberchk(C, [de, f(x)]).
`), 0o600))
	var out, errs strings.Builder
	require.Equal(t, cli.ExitDone, execute(t.Context(), []string{"check", "--sql", ordersDatabase(t), file},
		strings.NewReader(""), &out, &errs), errs.String())
	require.Contains(t, out.String(), `:2: one question: customer(Id, Name, C), memberchk(C, [de, fr])
    select +t0."id", +t0."name", +t0."country" from "customers" t0 where t0."country" in (?1, ?2)
`)
	require.Contains(t, out.String(), `:3: not one question: memberchk(C, [de, f(x)])
    the list is not one of 1 to 100 constants
`)
}

// TestCheckSQLWays looks at what is said of the costs of questions, on both kinds of databases.
func TestCheckSQLWays(t *testing.T) {
	const text = `:- facts(customer/3, sql(crm, customers, [id, name, country])).
:- facts(item/2, sql(crm, item, [id, customer])).
:- facts(seen/1, sql(crm, seen, [id])).
one(Id, Name) :- customer(Id, Name, _).
two(Name, I) :- customer(C, Name, de), item(I, C), I > 2.
apart(Name, I) :- customer(C, Name, _), write(C), item(I, C).
counts(Name, N) :- customer(C, Name, _), aggregate_all(count, item(_, C), N).
counted(N) :- aggregate_all(count, item(_, _), N).
path(X, Y) :- item(X, Z), path(Z, Y).
views(I) :- seen(I).
:- table linked/2.
linked(X, Y) :- item(X, Y).
linked(X, Y) :- linked(X, Z), step(Z, Y).
step(X, Y) :- item(X, Y).
odd(X, Y) :- item(X, Z), even(Z, Y).
even(X, Y) :- item(X, Z), odd(Z, Y).
even(X, X) :- item(_, _).
`
	const schema = `create table item(id integer not null, customer integer not null);
insert into item with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) select i, i % 3 from n;
create view seen as select id from item; analyze item;`
	file := filepath.Join(t.TempDir(), "ways.pl")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	check := func(address, ofView string) {
		var out, errs strings.Builder
		args := []string{"check", "--sql", address, file}
		require.Equal(t, cli.ExitDone, execute(t.Context(), args, strings.NewReader(""), &out, &errs), errs.String())
		for _, line := range []string{
			":4: alone, 1 statement: customer(Id, Name, _)\n    rows: customers 3",
			":5: there, 1 statement: customer(C, Name, de), item(I, C), I>2\n    rows: customers 3, item 5000",
			":6: alone, 1 statement: customer(C, Name, _)\n    rows: customers 3",
			":6: in blocks, at most 83 statements: item(I, C)\n    rows: item 5000",
			":7: by groups, at most 24 statements: aggregate_all(count, item(_, C), N)\n    rows: item 5000",
			":8: there, 1 statement: aggregate_all(count, item(_, _), N)\n    rows: item 5000",
			":9: fetched, at most 83 statements: item(X, Z)\n    rows: item 5000",
			":10: alone, 1 statement: seen(I)\n    rows: seen " + ofView,
			":12: fetched, at most 83 statements: item(X, Y)\n    rows: item 5000",
			":14: fetched, at most 83 statements: item(X, Y)\n    rows: item 5000",
			":15: fetched, at most 83 statements: item(X, Z)\n    rows: item 5000",
			":16: fetched, at most 83 statements: item(X, Z)\n    rows: item 5000",
			":17: alone, 1 statement: item(_, _)\n    rows: item 5000",
			":12: recursion here: linked(given, _)\n    no table has 8192 rows",
			":12: recursion here: linked(_, given)\n    no table has 8192 rows",
		} {
			require.Contains(t, out.String(), line+"\n")
		}
	}
	address := ordersDatabase(t)
	db, err := sql.Open("sqlite", strings.TrimPrefix(address, "crm=sqlite:"))
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(schema)
	require.NoError(t, err)
	check(address, "of unknown size")
	pg := pgtest.Start(t)
	customers, err := os.ReadFile("../../examples/orders/customers.sql")
	require.NoError(t, err)
	pg.SQL(t, string(customers)+schema+"analyze;")
	check("crm="+pg.Address, "5000")
}
