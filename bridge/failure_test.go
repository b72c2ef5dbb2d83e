package bridge

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// TestErrorTexts puts the text of an mcp_error into a sentence, whatever its first letter is.
func TestErrorTexts(t *testing.T) {
	s := NewServer(loadText(t, `
		tools([tool(say, say, 1)]).
		:- mode(say(+atom), one).
		:- info(say/1, [argnames is [text], comment is 'Throws a text.']).
		say(Text) :- throw(error(mcp_error(odd, Text), _)).
	`), nil)
	cs := connect(t, s, "2025-11-25", nil)
	for text, want := range map[string]string{
		"too late": "Too late.\n", "ärger": "Ärger.\n", "émile": "Émile.\n", "日本": "日本.\n",
		"9 lives": "9 lives.\n", "": ".\n",
	} {
		r := bridgetest.CallTool(t, cs, "say", `{"text": "`+text+`"}`)
		require.True(t, r.IsError)
		require.Contains(t, bridgetest.TextsOf(r)[0], want)
		require.Equal(t, want, bridgetest.TextsOf(r)[0][:len(want)])
	}
}

// TestLimitTexts has limits run out, also in goals that catch that: the text names the limit, the predicate and what is
// likely to be wrong.
func TestLimitTexts(t *testing.T) {
	s := NewServer(loadText(t, `
		tools([tool(spin, spin, 0, [timeout(0.2)]), tool(stubborn, stubborn, 0, [timeout(0.2)]), tool(deep, deep, 0)]).
		spin :- spin.
		stubborn :- catch(again, _, stubborn).
		again :- again.
		deep :- deep, atom(a).
	`), &Options{Limits: engine.Limits{Memory: 8 << 20}})
	cs := connect(t, s, "2025-11-25", nil)
	for tool, want := range map[string]string{
		"spin": `^The call was stopped: it exceeded the time limit of 0\.2 s\. It made [0-9,]+ calls, nearly all of spin/0 ` +
			`\(kb\.pl:3\)\. Likely cause: spin/0 calls itself`,
		"stubborn": `^The call was stopped: it exceeded the time limit of 0\.2 s\. It made [0-9,]+ calls, nearly all of ` +
			`again/0 \(kb\.pl:5\)\. Likely cause: again/0 calls itself`,
		"deep": `exceeded the memory limit of 8 MiB\. It made .* waited for the end of another\. Likely cause: deep/0 calls`,
	} {
		r := bridgetest.CallTool(t, cs, tool, "")
		require.True(t, r.IsError)
		require.Regexp(t, want, bridgetest.TextsOf(r)[0])
	}
}

// TestErrorPlaces calls what throws: clients get the words, the term and the place of the goal, and the log all else.
func TestErrorPlaces(t *testing.T) {
	const text = `tools([tool(find, find, 1), tool(short, short, 0)]).
:- mode(find(+atom), one).
:- info(find/1, [argnames is [name], comment is 'Looks for an applicant.']).
find(Name) :-
    applicant(Name), atom(Name).
applicant(Name) :- must_exist(Name), atom(Name).
must_exist(Name) :-
    existence_error(applicant, Name), atom(Name).
:- mode(short, one).
:- info(short/0, [comment is 'Lacks a value.']).
short :- atom_length(_, 3), foo.
foo.
`
	const where = "Error term: error(existence_error(applicant,'A-9999'),_1)\n  at kb.pl:8: must_exist"
	for _, verbose := range []bool{false, true} {
		var log strings.Builder
		cs := connect(t, NewServer(loadText(t, text), &Options{Backtraces: verbose,
			Log: slog.New(slog.NewTextHandler(&log, nil))}), "2025-11-25", nil)
		missing := bridgetest.TextsOf(bridgetest.CallTool(t, cs, "find", `{"name": "A-9999"}`))[0]
		unbound := bridgetest.TextsOf(bridgetest.CallTool(t, cs, "short", ""))[0]
		require.True(t, strings.HasPrefix(missing, "applicant 'A-9999' does not exist\n"), missing)
		require.Contains(t, missing, where)
		require.Equal(t, verbose, strings.Contains(missing, "find('A-9999')"), missing)
		require.Equal(t, verbose, strings.Contains(unbound, "system:atom_length/2"), unbound)
		require.Equal(t, !verbose, strings.Contains(log.String(), "find/1"), log.String())
		require.Equal(t, !verbose, strings.Contains(log.String(), "system:atom_length/2"), log.String())
	}
}
