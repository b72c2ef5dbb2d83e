// Package bridgetest holds what tests of package bridge and of package web share: knowledge bases, calls and a user.
package bridgetest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

// Load loads files and folders with further predicates.
func Load(t *testing.T, predicates []engine.Predicate, paths ...string) *kb.Snapshot {
	t.Helper()
	snapshot, err := kb.Load(t.Context(), paths, &kb.Options{Predicates: predicates})
	require.NoError(t, err)
	return snapshot
}

// CallTool calls a tool with arguments in JSON, "" being none.
func CallTool(t *testing.T, cs *mcp.ClientSession, name, args string) *mcp.CallToolResult {
	t.Helper()
	params := &mcp.CallToolParams{Name: name}
	if args != "" {
		params.Arguments = json.RawMessage(args)
	}
	r, err := cs.CallTool(context.Background(), params)
	require.NoError(t, err)
	return r
}

// TextsOf returns the text items of a result.
func TextsOf(r *mcp.CallToolResult) []string {
	var list []string
	for _, c := range r.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			list = append(list, text.Text)
		}
	}
	return list
}

// Watcher is a user who looks at a bird and answers what is asked about it.
type Watcher struct {
	Snapshot *kb.Snapshot
	Bird     string
	Asked    []string
}

// Answer is a handler of questions for a client.
func (w *Watcher) Answer(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	w.Asked = append(w.Asked, req.Params.Message)
	goal := fmt.Sprintf("question(Feature, %s), feature_of(%s, Feature, Value)",
		engine.FormatTerm(term.Atom(req.Params.Message)), w.Bird)
	s, err := w.Snapshot.Program.Once(ctx, goal, nil)
	if err != nil {
		return nil, err
	}
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": s.Text("Value")}}, nil
}

// calls is a knowledge base with a call of each kind: short, endless, slow, large, counting, asking.
const calls = `
:- dynamic(count/1).
count(0).
capabilities([elicitation]).
tools([tool(echo, echo, 2, [description('Says it again.')]), tool(loop, loop, 0, [description('Never ends.')]),
       tool(pause, pause, 1, [description('Takes its time.')]), tool(large, large, 1, [description('Says much.')]),
       tool(add, add, 1, [description('Counts.')]), tool(ask, ask, 1, [description('Asks.')])]).
:- mode(echo(+string, -string), one).
:- info(echo/2, [argnames is ['In', 'Out']]).
echo(X, X).
loop :- repeat, fail.
:- mode(pause(-integer), one).
:- info(pause/1, [argnames is ['N']]).
pause(N) :- statistics(walltime, [T0|_]), End is T0+300, repeat, statistics(walltime, [T|_]), T >= End, !, N = 1.
:- mode(large(-string), one).
:- info(large/1, [argnames is ['Text']]).
large(S) :- format(string(S), "~*c", [200000, 0'x]).
:- mode(add(-integer), one).
:- info(add/1, [argnames is ['N']]).
add(N) :- retract(count(M)), N is M+1, assertz(count(N)).
:- mode(ask(-string), one).
:- info(ask/1, [argnames is ['Name']]).
tool_call(ask, _, Elicit, text(Name)) :-
    call(Elicit, 'Who are you?', {type-object, properties-{name-{type-string}}, required-[name]}, Answer),
    ( Answer = accept({name-Name}) -> true ; Name = nobody ).
ask(nobody).
`

// File writes a knowledge base with a call of each kind and returns its file.
func File(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "http.pl")
	require.NoError(t, os.WriteFile(file, []byte(calls), 0o644))
	return file
}
