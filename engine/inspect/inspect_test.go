package inspect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// TestCoverage counts the points that a run reaches, except while the counting is stopped.
func TestCoverage(t *testing.T) {
	const text = `
p(X) :- ( X > 1 -> true ; X < 0 ).
:- dynamic(d/1).
d(1).
`
	var c inspect.Coverage
	prog, err := engine.LoadText(t.Context(), "a.pl", text, &engine.Options{Coverage: &c})
	require.NoError(t, err)
	for _, goal := range []string{"p(2)", "p(2)", "\\+ p(0)", "d(1)"} {
		_, err := prog.Once(t.Context(), goal, nil)
		require.NoError(t, err)
	}
	c.Pause(true)
	_, err = prog.Once(t.Context(), "p(3)", nil)
	require.NoError(t, err)
	c.Pause(false)
	kinds := map[inspect.PointKind]string{inspect.PointEntered: "entered", inspect.PointLeft: "left",
		inspect.PointBranch: "branch"}
	var got []string
	c.Each(func(p inspect.CoveragePoint, count int64) {
		got = append(got, fmt.Sprintf("%s %s %d:%d %d", p.Predicate, kinds[p.Kind], p.Line, p.Column, count))
	})
	require.Equal(t, []string{"p/1 entered 2:1 3", "p/1 branch 2:20 2", "p/1 branch 2:27 1", "p/1 left 2:1 2"}, got)
	require.NotPanics(t, func() { c.Count(-1); c.Count(len(got)) }, "points that do not exist")
}

// TestTexts checks the texts that the types of this package write.
func TestTexts(t *testing.T) {
	at := source.Position{File: "a.pl", Place: source.Place{Line: 3}}
	require.Equal(t, "a.pl:3: m:'P'/2", inspect.Predicate{Module: "m", Name: "P", Arity: 2, Position: at}.String())
	require.Equal(t, "user:p/0", inspect.Predicate{Module: "user", Name: "p"}.String())
	require.Equal(t, "a.pl:3: a fact", inspect.Clause{Position: at, Fact: true}.String())
	require.Equal(t, "a rule", inspect.Clause{}.String())
	require.Equal(t, "a b", inspect.FormatText(term.Atom("a b")))
	long := inspect.ShowTerm(term.Atom(strings.Repeat("a b", 2000)))
	require.Less(t, len(long), 2100)
	require.True(t, strings.HasSuffix(long, "..."))
}

// TestMeta checks which arguments of predicates of the system and of libraries are goals.
func TestMeta(t *testing.T) {
	for indicator, want := range map[string]string{"findall/3": "?0?", "maplist/3": "2??", "forall/2": "00",
		"append/3": "", "no_such_predicate/3": ""} {
		name, arity, _ := strings.Cut(indicator, "/")
		require.Equal(t, want, inspect.Meta(name, int(arity[0]-'0')), indicator)
	}
}

// TestDocumentation checks that each predicate is once in its chapter, with a text that ends like a sentence.
func TestDocumentation(t *testing.T) {
	known := map[string]bool{}
	for _, name := range inspect.Libraries() {
		known["library("+name+")"] = true
	}
	require.True(t, known["library(lists)"])
	chapters := 0
	for _, chapter := range inspect.Documentation() {
		if known[chapter.Title] {
			chapters++
		}
		seen := map[string]bool{}
		for _, p := range chapter.Predicates {
			id := fmt.Sprintf("%s/%d", p.Name, p.Arity)
			require.False(t, seen[id], "%s of %s", id, chapter.Title)
			seen[id] = true
			require.True(t, strings.HasSuffix(p.Text, "."), "%s: %s", id, p.Text)
		}
	}
	require.Greater(t, chapters, 20)
}
