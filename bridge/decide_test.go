package bridge

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb/decisions"
)

// TestResultJSON holds the JSON of results against that of encoding/json.
func TestResultJSON(t *testing.T) {
	text := func(text string) mcp.Content { return &mcp.TextContent{Text: text} }
	raw := func(text string) any { return json.RawMessage(text) }
	for _, r := range []*mcp.CallToolResult{
		{}, {Content: []mcp.Content{}}, {Content: []mcp.Content{text("")}},
		{Content: []mcp.Content{text("a"), text("b<\"ü")}},
		{Content: []mcp.Content{text("a")}, StructuredContent: raw(`{"a":[1,"x y"]}`)},
		{Content: []mcp.Content{text("a")}, StructuredContent: raw(`{"a":"<&>"}`), IsError: true},
		{Content: []mcp.Content{text("a")}, StructuredContent: raw("[1,\n2]")},
		{Content: []mcp.Content{text("a")}, StructuredContent: json.RawMessage(nil)},
		{Content: []mcp.Content{text("a")}, StructuredContent: map[string]any{"a": 1}, IsError: true},
		{Content: []mcp.Content{text("a"), &mcp.ImageContent{Data: []byte("x"), MIMEType: "image/png"}}},
		{Content: []mcp.Content{&mcp.TextContent{Text: "a", Meta: mcp.Meta{"b": 1}}}},
		{Content: []mcp.Content{&mcp.TextContent{Text: "a", Annotations: &mcp.Annotations{Priority: 1}}}},
	} {
		want, err := json.Marshal(r)
		require.NoError(t, err)
		r.Meta = mcp.Meta{"c": 1}
		require.Equal(t, string(want), string(resultJSON(r)))
	}
}

// TestDecisionOfLoser has a call of a tool and a poll of an event change the same fact at once. The loser runs again
// and changes nothing. The record takes the change of its first attempt back, so that there is no gap.
func TestDecisionOfLoser(t *testing.T) {
	const text = `:- persistent(stock/2).
tools([ensure/1]).
events([event(low, low/1)]).
:- info(ensure/1, [comment is 'Adds an article.', argnames is [article]]).
:- mode(ensure(+atom), one).
ensure(A) :- ( stock(A, _) -> true ; meet, assertz(stock(A, 1)) ).
:- info(low/1, [comment is 'Articles.', argnames is [article]]).
:- mode(low(-atom), zero_or_more).
low(A) :- meet, stock(A, _).
`
	for method, params := range map[string]string{
		"tools/call":  `"name":"ensure","arguments":{"article":"nut"}`,
		"events/poll": `"name":"low","arguments":{}`,
	} {
		t.Run(method, func(t *testing.T) {
			dir := t.TempDir()
			recorder, err := decisions.Open(dir, &decisions.Options{Required: true})
			require.NoError(t, err)
			var met atomic.Int32
			both := make(chan struct{})
			meet := engine.Predicate{Name: "meet", Call: func(c *engine.Call) (bool, error) {
				if met.Add(1) == 2 {
					close(both)
				}
				select {
				case <-both:
					return true, nil
				case <-c.Context().Done():
					return false, c.Context().Err()
				}
			}}
			c := newLineClientOf(t, &Options{Decisions: recorder, Concurrent: 2}, text, meet)
			var two sync.WaitGroup
			for range 2 {
				two.Go(func() {
					if r := c.ask("{}", method, params); r["code"] != nil || r["isError"] != nil {
						t.Errorf("%v", r)
					}
				})
			}
			two.Wait()
			require.Nil(t, c.ask("{}", "tools/call", `"name":"ensure","arguments":{"article":"nut"}`)["isError"])
			require.NoError(t, recorder.Close())
			files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
			require.NoError(t, err)
			require.Len(t, files, 1)
			lines, err := os.ReadFile(files[0])
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(lines), `"changes":[],"pending":false`), "%s", lines)
			log, err := decisions.Read(dir, &decisions.Filter{})
			require.NoError(t, err)
			defer log.Close()
			require.Empty(t, log.Unconfirmed)
			require.NoError(t, log.Steps(func(step *decisions.Step) error {
				require.False(t, step.Gap, "%s", lines)
				return nil
			}))
		})
	}
}

// TestDecisionGiven records calls that a program in Go gives facts, and replays them. Facts without a text and facts
// that are left out cannot be replayed.
func TestDecisionGiven(t *testing.T) {
	for name, test := range map[string]struct {
		given   engine.Given
		omit    []string
		want    *decisions.Given
		omitted []string
	}{
		"seed": {given: engine.Given{Seed: "1"}, want: &decisions.Given{}},
		"facts": {
			given: engine.Given{Assume: []any{term.New("stock", term.Atom("Kiwi x"), term.Int(7))},
				Without: []any{term.New("stock", term.Atom("pear"), term.NewVar(""))}},
			want: &decisions.Given{Assume: []string{"stock('Kiwi x',7)."}, Without: []string{"stock(pear,A)."}},
		},
		"opaque": {given: engine.Given{Assume: []any{term.New("stock", term.Atom("kiwi"), engine.Opaque(t))}},
			want: &decisions.Given{}, omitted: []string{"assume"}},
		"left out": {given: engine.Given{Assume: []any{term.New("stock", term.Atom("kiwi"), term.Int(7))}},
			omit: []string{"assume"}, want: &decisions.Given{}, omitted: []string{"assume"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			recorder, err := decisions.Open(dir, &decisions.Options{Required: true, Omit: test.omit})
			require.NoError(t, err)
			snapshot := loadText(t, `tools([items/1, add/2]).
:- dynamic stock/2.
stock(pear, 3).
stock(plum, 4).
:- mode(items(-list(atom)), one).
items(L) :- findall(I, stock(I, _), L).
:- mode(add(+atom, +integer), one).
:- info(add/2, [comment is 'Adds an item.', argnames is [item, n]]).
add(I, N) :- assertz(stock(I, N)).
`)
			s := NewServer(snapshot, &Options{Decisions: recorder})
			defer s.Close()
			s.MCP().AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
				return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
					return next(WithGiven(ctx, test.given), method, req)
				}
			})
			here, there := mcp.NewInMemoryTransports()
			_, err = s.MCP().Connect(t.Context(), there, nil)
			require.NoError(t, err)
			client, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), here, nil)
			require.NoError(t, err)
			defer client.Close()
			for _, call := range []*mcp.CallToolParams{
				{Name: "items"}, {Name: "add", Arguments: map[string]any{"item": "fig", "n": 1}},
			} {
				_, err := client.CallTool(t.Context(), call)
				require.NoError(t, err)
			}
			require.NoError(t, recorder.Close())
			log, err := decisions.Read(dir, &decisions.Filter{})
			require.NoError(t, err)
			defer log.Close()
			calls := 0
			require.NoError(t, log.Steps(func(step *decisions.Step) error {
				if step.Call == nil {
					return nil
				}
				calls++
				require.Equal(t, test.want, step.Call.Given)
				require.Equal(t, test.omitted, step.Call.Omitted)
				if test.omitted == nil {
					now, _ := s.Replay(t.Context(), step.Call, nil)
					require.True(t, decisions.Same(step.Call, now), "%s became %s", step.Call.Text(), now.Text())
				}
				return nil
			}))
			require.Equal(t, 2, calls)
		})
	}
}
