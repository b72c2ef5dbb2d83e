package kb_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb"
)

// TestDataReload reloads data files. Only changed files are read again, and a broken file leaves the last good facts.
func TestDataReload(t *testing.T) {
	dir := t.TempDir()
	prices, stock := filepath.Join(dir, "prices.csv"), filepath.Join(dir, "stock.jsonl")
	save(t, filepath.Join(dir, "shop.pl"), ":- facts(price/2, 'prices.csv').\n"+
		":- facts(stock/2, 'stock.jsonl').\n:- dynamic(sold/1).\nvalue(V) :- findall(P, (stock(I, N), price(I, Q), "+
		"P is N*Q), L), sum_list(L, V).\n")
	save(t, prices, "pear,2\napple,3.5\n")
	save(t, stock, "[\"pear\", 3]\n[\"apple\", 2]\n")
	base, err := kb.Open(t.Context(), []string{dir}, nil)
	require.NoError(t, err)
	value := func() engine.Term {
		s, err := base.Snapshot().Program.Once(t.Context(), "value(V)", nil)
		require.NoError(t, err)
		return s.Get("V")
	}
	require.Equal(t, engine.Term(term.Float(13)), value())
	_, err = base.Snapshot().Program.Once(t.Context(), "assertz(sold(pear))", nil)
	require.NoError(t, err)

	save(t, prices, "pear,4\napple,3.5\n")
	require.True(t, base.Touched(), "data files are watched")
	require.NoError(t, base.Reload(t.Context()).Err)
	require.Equal(t, engine.Term(term.Float(19)), value())
	require.Equal(t, []string{filepath.ToSlash(prices)}, base.Parsed())
	s, err := base.Snapshot().Program.Once(t.Context(), "sold(X)", nil)
	require.NoError(t, err)
	require.NotNil(t, s, "what was added at run time stays")

	save(t, prices, "pear,4\napple\n")
	require.ErrorContains(t, base.Reload(t.Context()).Err, "prices.csv:2:1: error: the row has 1 field, expected 2")
	require.Equal(t, engine.Term(term.Float(19)), value())

	save(t, prices, "apple,1\npear,1\n")
	require.NoError(t, base.Reload(t.Context()).Err)
	require.Equal(t, engine.Term(term.Int(5)), value())
	at := func(line int) source.Position {
		place := source.Place{Line: line, Column: 1}
		return source.Position{File: filepath.ToSlash(filepath.Join(dir, "shop.pl")), Place: place}
	}
	require.Equal(t, []inspect.DataFile{
		{Position: at(1),
			Name: filepath.ToSlash(prices), Module: "user", Predicate: "price/2", Rows: 2, Read: 2,
			Types: []string{"atom", "integer"}, Guessed: true},
		{Position: at(2),
			Name: filepath.ToSlash(stock), Module: "user", Predicate: "stock/2", Rows: 2, Types: []string{"any", "any"}},
	}, inner.Of(base.Snapshot().Program).DataFiles())
}

// TestMissingValue checks, for each format, the report of a missing value that no type of the tool allows.
func TestMissingValue(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, options, text, place string }{
		{"a.csv", "", "ann,36\nbob,\ncid,\n", "2:5"},
		{"a.csv", "[header(true), columns([name, age])]", "age,name\n36,ann\n,\"b\nb\"\n", "3:1"},
		{"a.csv", "[null(['-'])]", "ann,36\nbob,-\n", "2:5"},
		{"a.tsv", "", "ann\t36\nböb\t\n", "2:6"},
		{"a.jsonl", "", "[\"ann\", 36]\n[\"bob\", null]\n", "2:9"},
		{"a.jsonl", "[columns([name, age])]", "{\"name\":\"ann\",\"age\":36}\n{\"age\": null, \"name\":\"bob\"}\n", "2:9"},
		{"a.json", "[columns([name, age])]",
			"[{\"name\":\"ann\",\"age\":36},\n {\"name\":\"bob\",\n  \"age\": null}]\n", "3:10"},
		{"a.json", "[columns([name, age])]", "[{\"name\":\"ann\",\"age\":36},\n {\"name\":\"bob\"}]\n", "2:2"},
		{"a.json", "", "[[\"ann\", 36], [\"bob\", null]]\n", "1:23"},
	} {
		dir := t.TempDir()
		if test.options != "" {
			test.options = ", " + test.options
		}
		save(t, filepath.Join(dir, "kb.pl"), ":- facts(emp/2, '"+test.name+"'"+test.options+").\n"+
			":- mode(emp(-atom, -integer), zero_or_more).\n:- info(emp/2, [argnames is [name, age]]).\n"+
			"tools([tool(emp, emp, 2)]).\n")
		save(t, filepath.Join(dir, test.name), test.text)
		loaded, err := kb.Load(t.Context(), []string{dir}, nil)
		report := loaded.Report(err)
		require.Contains(t, report.Error(), test.name+":"+test.place+": warning: age is missing here", "%s", test.text)
	}
}

// TestMissingValueInSum checks that the error names the rows that lack a value which a goal computes with, in each kind
// of storage.
func TestMissingValueInSum(t *testing.T) {
	t.Parallel()
	const rules = `
total(S) :- aggregate_all(sum(A), emp(_, A, _), S).
listed(S) :- pays(L), sum_list(L, S).
pays(L) :- findall(P, pay(_, P), L).
pay(N, P) :- emp(N, _, P).
closure(S) :- maplist(pay, [cid, ann], L), max_list(L, S).
old(N) :- emp(N, A, _), A > 40.
typed(A) :- emp(_, A, _), must_be(integer, A).
none(X) :- X is null + 1.
unknown(X) :- other(X), X > 1.
other(1).
`
	const age, pay = "emp(bob, null, 12) has no age", "emp(cid, 50, null) has no pay"
	for name, store := range map[string]string{
		"csv": "name,age,pay\nann,30,10\nbob,,12\ncid,50,\n",
		"json": `[{"name":"ann","age":30,"pay":10},` + "\n\n" +
			`{"name":"bob","pay":12},` + "\n" + `{"name":"cid","age":50}]`,
		"pl": "",
	} {
		dir := t.TempDir()
		file, line := "emp."+name, 3
		text := ":- facts(emp/3, '" + file + "', [columns([name, age, pay])]).\n"
		if name == "csv" {
			text = strings.Replace(text, "[", "[header(true), ", 1)
		}
		if name == "pl" {
			file, text = "kb.pl", ":- info(emp/3, [comment is 'Pay.', argnames is [name, age, pay]]).\n"+
				"emp(ann, 30, 10).\nemp(bob, null, 12).\nemp(cid, 50, null).\n"
		} else {
			save(t, filepath.Join(dir, file), store)
		}
		save(t, filepath.Join(dir, "kb.pl"), text+rules)
		s, err := kb.Load(t.Context(), []string{dir}, nil)
		require.NoError(t, err)
		for _, goal := range []string{"total(_)", "listed(_)", "closure(_)", "old(cid), old(bob)", "findall(A, typed(A), _)",
			"aggregate_all(max(A), emp(_, A, _), _)", "emp(_, A, _), A =:= 7",
			"forall(emp(_, A, _), A < 99)"} {
			_, err := s.Program.Once(t.Context(), goal, nil)
			require.ErrorContains(t, err, "; null stands for a missing value: ", goal)
			require.ErrorContains(t, err, fmt.Sprintf("%s:%d: %s", file, line, age), "%s %s", name, goal)
			require.ErrorContains(t, err, fmt.Sprintf("%s:%d: %s", file, line+1, pay), "%s %s", name, goal)
		}
		for _, goal := range []string{"none(_)", "X is null", "X = null, X > 1"} {
			_, err := s.Program.Once(t.Context(), goal, nil)
			require.ErrorContains(t, err, "`null/0' is not a function", goal)
			require.NotContains(t, err.Error(), "missing value", goal)
		}
	}
}

// TestLongLine checks that a row which is too long is reported without the whole row in memory.
func TestLongLine(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, "long.pl"), ":- facts(long/2, 'long.csv').\n")
	long := filepath.Join(dir, "long.csv")
	save(t, long, "a,1\nb")
	require.NoError(t, os.Truncate(long, 1<<30))
	_, err := kb.Open(t.Context(), []string{dir}, nil)
	var found source.Diagnostics
	require.ErrorAs(t, err, &found)
	require.Len(t, found, 1)
	require.Equal(t, "the row is longer than 16 MiB; is a quote or bracket left open?", found[0].Message)
	require.Equal(t, 2, found[0].Line)
	require.LessOrEqual(t, len(found[0].Source), 1<<21)
}

// TestColumnNames offers a decision table as a tool: column heads name the arguments that info/2 does not name.
func TestColumnNames(t *testing.T) {
	for directives, want := range map[string][]string{
		"":                                   {"since_when", "Zone", "fee"},
		":- info(fee/3, [comment is 'A.']).": {"since_when", "Zone", "fee"},
		":- info(fee/3, [argnames is [a, b, c]]).": {"a", "b", "c"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"kb.pl":    ":- decision(fee/3, 'fees.csv').\n" + directives + "\ntools([fee/3]).\n",
			"fees.csv": "since when,Zone,out: fee,valid_until\n<= 2,home,4.90,2026-12-31\n",
		} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		s, err := kb.Load(t.Context(), []string{dir}, nil)
		require.NoError(t, err)
		var names []string
		for _, a := range s.Tools[0].Arguments {
			names = append(names, a.Name)
		}
		require.Equal(t, want, names, directives)
	}
}

// TestColumnsThatAreNoNames offers a decision table whose column heads are not valid argument names: the arguments are
// named by their positions.
func TestColumnsThatAreNoNames(t *testing.T) {
	for _, head := range []string{"Größe", strings.Repeat("long", 21)} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"kb.pl":    ":- decision(fee/2, 'fees.csv').\ntools([fee/2]).\n",
			"fees.csv": head + ",out: fee\n2,4.90\n",
		} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		s, err := kb.Load(t.Context(), []string{dir}, nil)
		require.NoError(t, err)
		require.Equal(t, "Arg1", s.Tools[0].Arguments[0].Name, head)
	}
}
