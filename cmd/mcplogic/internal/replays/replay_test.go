package replays

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/kb/decisions"
)

// shop are rules with a state: what is in stock changes between calls.
const shop = `tools([price/2, put/2]).
:- dynamic stock/2.
stock(pear, 3).
:- info(price/2, [argnames is [item, euro]]).
:- mode(price(+atom, -integer), zero_or_one).
price(I, E) :- stock(I, N), E is 2 * N.
:- info(put/2, [argnames is [item, n]]).
:- mode(put(+atom, +integer), one).
put(I, N) :- assertz(stock(I, N)).
`

// recorded serves rules in a folder of their own, makes calls, and returns the folders of the rules and of the record.
func recorded(t *testing.T, text string, calls ...*mcp.CallToolParams) (rules, dir string) {
	t.Helper()
	rules, dir = t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(rules, "rules.pl"), []byte(text), 0o644))
	snapshot, err := kb.Load(t.Context(), []string{rules}, &kb.Options{})
	require.NoError(t, err)
	recorder, err := decisions.Open(dir, &decisions.Options{Required: true})
	require.NoError(t, err)
	server := bridge.NewServer(snapshot, &bridge.Options{Decisions: recorder})
	here, there := mcp.NewInMemoryTransports()
	_, err = server.MCP().Connect(t.Context(), there, nil)
	require.NoError(t, err)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), here, nil)
	require.NoError(t, err)
	for _, call := range calls {
		_, err := client.CallTool(t.Context(), call)
		require.NoError(t, err)
	}
	require.NoError(t, client.Close())
	server.Close()
	require.NoError(t, recorder.Close())
	return rules, dir
}

func call(tool string, arguments map[string]any) *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: tool, Arguments: arguments}
}

// replayed runs mcplogic replay with arguments.
func replayed(t *testing.T, args ...string) (out, note string, err error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := NewReplay()
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetOut(&stdout)
	cmd.SetErr(&stderr)
	cmd.SetArgs(args)
	err = cmd.ExecuteContext(t.Context())
	return stdout.String(), stderr.String(), err
}

// TestReplayOnOwnRules has each call see the facts of its moment, though the rules in the folder are others now.
func TestReplayOnOwnRules(t *testing.T) {
	rules, dir := recorded(t, shop, call("price", map[string]any{"item": "fig"}),
		call("put", map[string]any{"item": "fig", "n": 2}), call("price", map[string]any{"item": "fig"}))
	require.NoError(t, os.Remove(filepath.Join(rules, "rules.pl")))
	out, note, err := replayed(t, dir)
	require.NoError(t, err, "%s%s", out, note)
	require.Equal(t, "3 calls replayed, 0 different\n", out)
}

// TestReplayOnOtherRules names the call whose answer is another by changed rules, with both reasons, and no other call.
// A difference that is accepted is none the next time.
func TestReplayOnOtherRules(t *testing.T) {
	rules, dir := recorded(t, shop, call("price", map[string]any{"item": "pear"}),
		call("price", map[string]any{"item": "nut"}))
	dearer := bytes.Replace([]byte(shop), []byte("2 * N"), []byte("3 * N"), 1)
	require.NoError(t, os.WriteFile(filepath.Join(rules, "rules.pl"), dearer, 0o644))
	out, note, err := replayed(t, "--json", dir, rules)
	require.Error(t, err, "%s", note)
	decoder := json.NewDecoder(bytes.NewReader([]byte(out)))
	var d difference
	require.NoError(t, decoder.Decode(&d))
	require.Equal(t, "price", d.Tool)
	require.JSONEq(t, `{"item":"pear"}`, string(d.Arguments))
	require.Contains(t, d.WhyWas, "6 is 2 * stock 3")
	require.Contains(t, d.WhyNow, "9 is 3 * stock 3")
	var counts replayCounts
	require.NoError(t, decoder.Decode(&counts))
	require.Equal(t, replayCounts{Replayed: 2, Different: 1, Skipped: map[string]int{}}, counts)

	out, note, err = replayed(t, "--accept", "prices of May", dir, rules)
	require.NoError(t, err, "%s", note)
	require.Equal(t, "2 calls replayed, 0 different, 1 accepted\n", out)
	kept, err := os.ReadFile(besideRules(filepath.Join(rules, "rules.pl")))
	require.NoError(t, err)
	require.Contains(t, string(kept), "prices of May")
	out, _, err = replayed(t, dir, rules)
	require.NoError(t, err)
	require.Equal(t, "2 calls replayed, 0 different, 1 accepted\n", out)
}

// TestReplayChosen replays the calls that the flags choose. That none are left is an error.
func TestReplayChosen(t *testing.T) {
	_, dir := recorded(t, shop, call("price", map[string]any{"item": "pear"}),
		call("put", map[string]any{"item": "fig", "n": 1}))
	out, _, err := replayed(t, "--tool", "put", dir)
	require.NoError(t, err)
	require.Equal(t, "1 call replayed, 0 different\n", out)
	_, _, err = replayed(t, "--tool", "take", dir)
	require.EqualError(t, err, "no call was replayed")
	_, _, err = replayed(t, "--since", "2999-01-01", dir)
	require.EqualError(t, err, "no call was replayed")
	_, _, err = replayed(t, "--since", "lately", dir)
	require.ErrorContains(t, err, "or a duration such as 720h")
	_, _, err = replayed(t, "--accept", "why not", dir)
	require.ErrorContains(t, err, "--accept needs the PATH of the rules")
}

func TestParseSince(t *testing.T) {
	for text, want := range map[string]time.Time{
		"":                     {},
		"2026-05-01T10:00:00Z": time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC),
		"2026-05-01":           time.Date(2026, 5, 1, 0, 0, 0, 0, time.Local),
	} {
		since, err := parseSince(text)
		require.NoError(t, err, text)
		require.True(t, want.Equal(since), "%q is %v, want %v", text, since, want)
	}
	before := time.Now()
	since, err := parseSince("2h")
	require.NoError(t, err)
	require.WithinRange(t, since, before.Add(-2*time.Hour), time.Now().Add(-2*time.Hour))
}

// TestDecision shows a call with its proof. An identifier that no call has is an error.
func TestDecision(t *testing.T) {
	_, dir := recorded(t, shop, call("price", map[string]any{"item": "pear"}))
	log, err := decisions.Read(dir, &decisions.Filter{})
	require.NoError(t, err)
	defer log.Close()
	id := ""
	require.NoError(t, log.Steps(func(s *decisions.Step) error {
		if s.Call != nil {
			id = s.Call.ID
		}
		return nil
	}))
	show := func(args ...string) (string, error) {
		var stdout bytes.Buffer
		cmd := NewDecision()
		cmd.SilenceUsage, cmd.SilenceErrors = true, true
		cmd.SetOut(&stdout)
		cmd.SetArgs(args)
		err := cmd.ExecuteContext(t.Context())
		return stdout.String(), err
	}
	out, err := show(id, dir)
	require.NoError(t, err)
	require.Contains(t, out, `price {"item":"pear"}`)
	require.Contains(t, out, "stock(pear, 3)")
	_, err = show("none", dir)
	require.EqualError(t, err, "there is no decision none in "+dir)
}
