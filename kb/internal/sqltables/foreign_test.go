package sqltables_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// TestForeignQueries puts queries to a database that no clause of the program makes: about tables without predicates,
// with SQL statements as conditions, and with columns out of range.
func TestForeignQueries(t *testing.T) {
	const secrets = "create table secrets(word text); insert into secrets values ('sesame');"
	p, _ := load(t, "sqlite:"+sqliteFile(t, customers+secrets),
		":- facts(customer/4, sql(crm, customers, [id, name, country, score])).\n"+
			"german(I, N) :- customer(I, N, de, _), customer(I, _, _, S), S > 1.\n"+
			"many(N) :- aggregate_all(count, customer(_, _, _, _), N).\n"+
			"first(I) :- limit(2, customer(I, _, _, _)).\n")
	const own = `{"db":"crm","from":["customers"],"columns":[{"name":"id"},{"name":"name"},{"name":"country"},` +
		`{"name":"score"}]}`
	for _, goal := range []string{
		`'$sql'('{"db":"crm","from":["secrets"],"columns":[{"name":"word"}]}', row(X))`,
		`'$sql'('{"db":"crm","from":["sqlite_master"],"columns":[{"name":"sql"}]}', row(X))`,
		`'$sql'('{"db":"crm","from":["customers"],"columns":[{"name":"id"}]}', row(X))`,
		`'$sql'('{"db":"crm","from":["customers"],"columns":[{"name":"id"}],"tests":[{"op":"= 1 or 1 ="}]}', row(X, 3))`,
		`'$sql'('{"db":"crm","from":["customers"],"columns":[{"name":"id"}],"tests":[{"column":9,"op":"<"}]}', row(X))`,
		`'$sql'('{"db":"crm","from":["customers"],"columns":[{"name":"id","table":7}]}', row(X))`,
		`'$sql'('{"db":"crm","from":["customers"],"columns":[{"name":"id"}],"equal":[[7,9]]}', row(X))`,
		`'$sql'('{"db":"crm","from":["customers"],"columns":[{"name":"id"}],"order":[{"column":5}]}', row(X))`,
		`'$sql_total'('{"db":"crm","from":["customers"],"columns":[{"name":"id"}],"total":{"op":"evil"}}', row(X), v, T)`,
		`'$sql_first'('{"db":"crm","from":["customers"],"columns":[{"name":"id"}],"limited":true}', row(X, 1), v(X))`,
		`'$sql'('` + own + `', row)`, `'$sql'('` + own + `', X)`, `'$sql'('` + own + `', 1)`,
		`'$sql'('` + own + `', row(X))`, `'$sql'('` + own + `', row(A, B, C, D, E))`,
		`'$sql_total'('` + own + `', row(A, B, C, D), v, T)`, `'$sql_first'('` + own + `', row(A, B, C, D), v)`,
		`'$sql'(notext, row(X))`, `assertz((p(X) :- '$sql'('{"db":"crm","from":["secrets"]}', row(X)))), p(X)`,
	} {
		_, err := p.Once(t.Context(), goal, &engine.RunOptions{Transaction: true})
		var ex *engine.Exception
		require.True(t, errors.As(err, &ex), "%s: %v", goal, err)
		require.True(t, strings.HasPrefix(inner.Of(p).FormatNumbered(ex.Formal()),
			"permission_error(access,private_procedure,'$sql"),
			"%s: %v", goal, ex)
	}
	for goal, want := range map[string]string{
		"german(I, N)": "1 ann", "many(N)": "4", "first(I)": "1\n2", "customer(4, N, _, _)": "it's",
		"clause(customer(2, N, C, S), Body), call(Body)": "bob null 2.0 " + "'$sql'('" + own + "',row(2,bob,null,2.0))",
		"'$sql'('" + own + "', row(3, N, _, _))":         "cid",
	} {
		require.Equal(t, strings.ReplaceAll(want, "it's", `it\'s`), strings.Trim(answers(t, p, goal), "'"), goal)
	}
}
