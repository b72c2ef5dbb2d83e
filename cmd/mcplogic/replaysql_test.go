//go:build sqlite

package main

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// TestReplayRows replays a call whose rules ask a database, before and after a row has changed.
func TestReplayRows(t *testing.T) {
	dir := t.TempDir()
	file, rules, recorded := filepath.Join(dir, "shop.db"), filepath.Join(dir, "rules.pl"), filepath.Join(dir, "record")
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(`create table price(item text, cents integer); insert into price values ('tea', 300)`)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(rules, []byte(`:- facts(price/2, sql(shop, price, [item, cents])).
tools([cost/2]).
:- mode(cost(+atom, -integer), zero_or_one).
:- info(cost/2, [comment is 'What an item costs.', argnames is [item, cents]]).
cost(Item, Cents) :- price(Item, Cents).
`), 0o600))
	address := "shop=sqlite:" + file
	r := record(t, "--decisions", recorded, "--sql", address, rules)
	_, err = r.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "cost", Arguments: map[string]any{"item": "tea"}})
	require.NoError(t, err)
	r.end()
	replayed := func(code int) string {
		var out bytes.Buffer
		require.Equal(t, code, execute(t.Context(), []string{"replay", "--sql", address, recorded}, strings.NewReader(""),
			&out, &out), "%s", &out)
		require.Contains(t, out.String(), "these rules ask databases, whose rows are those of now and not of the record")
		return out.String()
	}
	require.Contains(t, replayed(exitDone), "1 call replayed, 0 different")
	_, err = db.Exec(`update price set cents = 310`)
	require.NoError(t, err)
	require.Contains(t, replayed(exitNo), "now: cents: 310")
}
