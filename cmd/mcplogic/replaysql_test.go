//go:build sqlite

package main

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/kb/decisions"
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
	require.Contains(t, replayed(cli.ExitDone), "1 call replayed, 0 different")
	_, err = db.Exec(`update price set cents = 310`)
	require.NoError(t, err)
	require.Contains(t, replayed(cli.ExitNo), "now: cents: 310")
	var out bytes.Buffer
	require.Equal(t, cli.ExitUsage, execute(t.Context(), []string{"replay", recorded}, strings.NewReader(""), &out, &out))
	require.Contains(t, out.String(), "1 call not replayed: they ask a database, and --sql names none")
}

// TestRecordedStatements makes calls at the same time. The record of each counts its own statements.
func TestRecordedStatements(t *testing.T) {
	dir := t.TempDir()
	file, rules, recorded := filepath.Join(dir, "shop.db"), filepath.Join(dir, "rules.pl"), filepath.Join(dir, "record")
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(`create table price(item text, cents integer); insert into price values ('tea', 300), ('cup', 200)`)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(rules, []byte(`:- facts(price/2, sql(shop, price, [item, cents])).
tools([none/1, one/1, two/1]).
:- mode(none(-integer), one).
none(0).
:- mode(one(-integer), zero_or_one).
one(Cents) :- once(price(tea, Cents)).
:- mode(two(-integer), zero_or_one).
two(Cents) :- once(price(tea, Tea)), once(price(cup, Cup)), Cents is Tea + Cup.
`), 0o600))
	r := record(t, "--decisions", recorded, "--sql", "shop=sqlite:"+file, rules)
	want := map[string]int64{"none": 0, "one": 1, "two": 2}
	var calls sync.WaitGroup
	for range 8 {
		for tool := range want {
			calls.Go(func() {
				result, err := r.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
				assert.NoError(t, err)
				assert.False(t, result.IsError)
			})
		}
	}
	calls.Wait()
	r.end()
	log, err := decisions.Read(recorded, &decisions.Filter{})
	require.NoError(t, err)
	defer log.Close()
	count, last := 0, &decisions.Record{}
	require.NoError(t, log.Steps(func(s *decisions.Step) error {
		if s.Call != nil {
			require.Equal(t, want[s.Call.Tool], s.Call.Statements, s.Call.Tool)
			if count++; s.Call.Tool == "two" {
				last = s.Call
			}
		}
		return nil
	}))
	require.Equal(t, 24, count)
	shown := run(t, cli.ExitDone, "decision", last.ID, recorded)
	require.Contains(t, shown, "\nstatements 2\n")
}
