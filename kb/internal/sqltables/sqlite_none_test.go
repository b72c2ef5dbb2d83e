//go:build !sqlite

package sqltables_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWithoutSQLite(t *testing.T) {
	p, _ := load(t, "sqlite:crm.db", ":- facts(customer/1, sql(crm, customers, [name])).\n")
	_, err := p.Once(context.Background(), "customer(_)", nil)
	require.ErrorContains(t, err, "this mcplogic is without SQLite")
	require.ErrorContains(t, err, "-tags sqlite")
}
