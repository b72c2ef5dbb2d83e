package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const lawText = `:- use_module(library(law)).
:- mode(owed(+atom, -integer), zero_or_one).

% Money for a delay.
'Art. 7' :: owed(F, 600) :-
    late(F).
storms :: \+ owed(F, _) :- storm(F).
:- overrides(storms, 'Art. 7'), source(storms, 'Storm act').
late(f1).
storm(storms).
`

const lawDates = `:- use_module(library(law)).
:- valid('Art. 7', from(date(2005,2,17))).
asked(F, By) :- defeated('Art. 7', owed(F, 600), By), storm(storms).
`

// TestLabels finds and renames the labels of rules, across files and in goals. An atom of the same name elsewhere is no
// label.
func TestLabels(t *testing.T) {
	c := start(t, map[string]string{"law.pl": lawText, "dates.pl": lawDates})
	c.open("law.pl", lawText)
	c.open("dates.pl", lawDates)
	c.indexed("owed", 2)
	c.diagnostics("dates.pl")
	rule := location{c.uri("law.pl"), span{position{4, 0}, position{4, 8}}}
	var list []location
	c.call("textDocument/definition", c.at("dates.pl", "'Art. 7'", 2), &list)
	require.Equal(t, []location{rule}, list)
	c.call("textDocument/references", map[string]any{"textDocument": documentID{URI: c.uri("law.pl")},
		"position": rule.Range.Start, "context": map[string]any{"includeDeclaration": true}}, &list)
	require.Equal(t, []location{
		{c.uri("dates.pl"), span{position{1, 9}, position{1, 17}}},
		{c.uri("dates.pl"), span{position{2, 25}, position{2, 33}}},
		rule,
		{c.uri("law.pl"), span{position{7, 21}, position{7, 29}}}}, list)

	var hover hoverResult
	c.call("textDocument/hover", c.at("law.pl", "'Art. 7'", 3), &hover)
	require.Equal(t, "```prolog\n'Art. 7' :: owed(F, 600)\n:- overrides(storms,'Art. 7').\n"+
		":- valid('Art. 7',from(date(2005,2,17))).\n```\nMoney for a delay.\n\n*rule, law.pl:5*", hover.Contents.Value)
	require.Equal(t, "null", string(c.ask("textDocument/hover", c.at("law.pl", "storm(storms)", 8)).Result))

	var symbols []documentSymbol
	c.call("textDocument/documentSymbol", map[string]any{"textDocument": documentID{URI: c.uri("law.pl")}}, &symbols)
	var names []string
	for _, s := range symbols {
		names = append(names, s.Name)
	}
	require.Equal(t, []string{"owed/2", "Art. 7", "storms", "late/1", "storm/1"}, names)

	var edit workspaceEdit
	c.call("textDocument/rename", with(c.at("law.pl", "storms ::", 1), "newName", "Art. 5(3)"), &edit)
	require.Equal(t, map[string][]textEdit{c.uri("law.pl"): {
		{span{position{6, 0}, position{6, 6}}, "'Art. 5(3)'"},
		{span{position{7, 13}, position{7, 19}}, "'Art. 5(3)'"},
		{span{position{7, 39}, position{7, 45}}, "'Art. 5(3)'"}}}, edit.Changes)
	m := c.ask("textDocument/rename", with(c.at("law.pl", "storms ::", 1), "newName", "Art. 7"))
	require.Equal(t, "Art. 7 is defined already, at law.pl:5", m.Error.Message)
}

func with(params map[string]any, name string, value any) map[string]any {
	params[name] = value
	return params
}

// TestDecisionTables leads to the file of a table, says what it has, and shows its mistakes there and at the directive.
func TestDecisionTables(t *testing.T) {
	text := ":- decision(fine/2, 'tables/fines.csv', [hit(unique)]).\np(X) :- fine(3, X).\n"
	c := start(t, map[string]string{"a.pl": text,
		"tables/fines.csv": "\nover (integer),out: fine\n[1..10],30\n> 10,60\n< 1,0\n"})
	c.open("a.pl", text)
	var hover hoverResult
	for began := time.Now(); hover.Contents == nil || !strings.Contains(hover.Contents.Value, "rows"); {
		require.Less(t, time.Since(began), 5*time.Minute)
		c.call("textDocument/hover", c.at("a.pl", "fine(3", 1), &hover)
	}
	var list []location
	for _, place := range []string{"fine(3", "fine/2"} {
		c.call("textDocument/definition", c.at("a.pl", place, 1), &list)
		require.Equal(t, []location{{c.uri("tables/fines.csv"), span{position{1, 0}, position{1, 0}}}}, list)
	}
	require.Equal(t, "```prolog\nfine(A1, A2)\n```\ntables/fines.csv: 3 rows with the hit policy unique. "+
		"In: `over` (integer). Out: `fine` (integer).\n\n*decision table, a.pl:1*", hover.Contents.Value)

	file := filepath.Join(c.dir, "tables", "fines.csv")
	overlap := "over (integer),out: fine\n[1..10],30\n[10..20],60\n> 20,0\n< 1,0\n"
	require.NoError(t, os.WriteFile(file, []byte(overlap), 0o666))
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": uriOf(file),
		"type": 2}}})
	found := c.diagnostics("fines.csv", "decision")
	require.Equal(t, "the rows 2 and 3 hold for over = 10", found[0].Message)
	require.Equal(t, 2, found[0].Range.Start.Line)
	found = c.diagnostics("a.pl", "decision")
	require.Equal(t, "fines.csv:3: the rows 2 and 3 hold for over = 10", found[0].Message)
	require.Equal(t, position{0, 0}, found[0].Range.Start)
	require.NoError(t, os.WriteFile(file, []byte("over (integer),out: fine\n-,30\n"), 0o666))
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": uriOf(file),
		"type": 2}}})
	c.diagnostics("fines.csv")
	c.diagnostics("a.pl")
}

// TestModels leads to the decisions of a model, and says what their tables have.
func TestModels(t *testing.T) {
	text := ":- decision('fees.dmn').\np(X) :- fee(3, X), twice(3, X).\n"
	c := start(t, map[string]string{"a.pl": text, "fees.dmn": `<definitions>
<inputData id="n" name="N"/>
<decision id="f" name="Fee"><informationRequirement><requiredInput href="#n"/></informationRequirement>
<decisionTable>
<input><inputExpression typeRef="number"><text>N</text></inputExpression></input><output name="Fee"/>
<rule><inputEntry><text>-</text></inputEntry><outputEntry><text>1</text></outputEntry></rule>
</decisionTable></decision>
<decision id="t" name="Twice"><informationRequirement><requiredInput href="#n"/></informationRequirement>
<literalExpression><text>N * 2</text></literalExpression></decision>
</definitions>
`})
	c.open("a.pl", text)
	var hover hoverResult
	for began := time.Now(); hover.Contents == nil || !strings.Contains(hover.Contents.Value, "row"); {
		require.Less(t, time.Since(began), 5*time.Minute)
		c.call("textDocument/hover", c.at("a.pl", "fee(3", 1), &hover)
	}
	require.Equal(t, "```prolog\nfee(A1, A2)\n```\nfees.dmn: 1 row with the hit policy unique. "+
		"In: `N` (rational). Out: `Fee`.\n\n*decision, fees.dmn:3*", hover.Contents.Value)
	c.call("textDocument/hover", c.at("a.pl", "twice(3", 1), &hover)
	require.Equal(t, "```prolog\ntwice(A1, A2)\n```\n*decision, fees.dmn:8*", hover.Contents.Value)
	var list []location
	for line, place := range map[int]string{2: "fee(3", 7: "twice(3"} {
		c.call("textDocument/definition", c.at("a.pl", place, 1), &list)
		require.Equal(t, []location{{c.uri("fees.dmn"), span{position{line, 0}, position{line, 0}}}}, list)
	}
}
