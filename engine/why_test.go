package engine_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

const whyLimits = `
sum(0, 0) :- !.
sum(N, S) :- N > 0, M is N-1, sum(M, T), S is T+N.
holds(N) :- sum(N, S), S > 0.
lacks(N) :- sum(N, S), S < 0.
wide(N) :- numlist(1, N, L), large(L, T), T = t(_).
large(L, t(L)).
`

// TestWhyLimits explains goals with less memory and fewer inferences than they need, and with as much. The explanation
// comes without an error, and is cut where a limit ran out.
func TestWhyLimits(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "limits.pl", whyLimits, nil)
	require.NoError(t, err)
	for _, test := range []struct {
		goal, not string
		o         engine.WhyOptions
		cut       bool // the search ends at once
	}{
		{"holds(5000)", "lacks(5000)", engine.WhyOptions{Limits: engine.Limits{Inferences: 1000}}, true},
		{"holds(5000)", "lacks(5000)", engine.WhyOptions{Limits: engine.Limits{Inferences: 10_000_000}}, false},
		{"wide(100000)", "wide(100000), fail", engine.WhyOptions{Limits: engine.Limits{Memory: 1 << 20}}, true},
		{"wide(100000)", "wide(100000), fail", engine.WhyOptions{Limits: engine.Limits{Memory: 1 << 28}}, false},
	} {
		t.Run(fmt.Sprintf("%s/%d/%d", test.goal, test.o.Inferences, test.o.Memory), func(t *testing.T) {
			test.o.Time = time.Minute
			proof, err := p.Why(t.Context(), test.goal, &test.o)
			require.NoError(t, err)
			require.NotEmpty(t, proof.Nodes)
			require.Equal(t, test.cut, proof.Nodes[0].Cut, proof.Text)
			misses, err := p.WhyNot(t.Context(), test.not, &test.o)
			require.NoError(t, err)
			require.NotEmpty(t, misses.Line)
		})
	}
}

// TestWhyRatherIsBounded explains an answer and an expected one with many long goals: each gets a part of the text, in
// whole lines.
func TestWhyRatherIsBounded(t *testing.T) {
	t.Parallel()
	long, text := strings.Repeat("ä", 200), ""
	for clause := range 3 {
		text += fmt.Sprintf("p(%d) :- ", clause)
		for goal := range 12 {
			text += fmt.Sprintf("q(%d, '%s'), ", goal, long)
		}
		text += fmt.Sprintf("r(%d).\n", clause)
	}
	for goal := range 12 {
		text += fmt.Sprintf("q(%d, '%s').\n", goal, long)
	}
	p, err := engine.LoadText(t.Context(), "p.pl", text+"r(0).\np(X) :- X = 9, p(0), fail.\n", nil)
	require.NoError(t, err)
	for _, bytes := range []int{0, 1000, 100, 1} {
		proof, err := p.Why(t.Context(), "p(X)", &engine.WhyOptions{Bytes: bytes, RatherThan: map[string]any{"X": 2}})
		require.NoError(t, err)
		require.LessOrEqual(t, len(proof.Text), max(cmp.Or(bytes, 4<<10), 8))
		require.True(t, utf8.ValidString(proof.Text) && strings.HasSuffix(proof.Text, "\n"), proof.Text)
		if bytes == 0 {
			require.Contains(t, proof.Text, "\nrather than that: no answer for p(2)")
		}
		misses, err := p.WhyNot(t.Context(), "p(8)", &engine.WhyOptions{Bytes: bytes})
		require.NoError(t, err)
		require.LessOrEqual(t, len(misses.Text), max(cmp.Or(bytes, 4<<10), 8))
	}
}

// TestWhyLongTables explains answers of tables with thousands of answers each: only the answers that later goals need
// are derived.
func TestWhyLongTables(t *testing.T) {
	t.Parallel()
	text := ":- table path/2.\npath(A, B) :- edge(A, B).\npath(A, B) :- path(A, C), edge(C, B).\n"
	for i := range 5000 {
		text += fmt.Sprintf("edge(n%d, n%d).\n", i, i+1)
	}
	p, err := engine.LoadText(t.Context(), "paths.pl", text, nil)
	require.NoError(t, err)
	for _, to := range []string{"n40", "n4000"} {
		proof, err := p.Why(t.Context(), "path(n5, "+to+")", &engine.WhyOptions{Limits: engine.Limits{Time: time.Minute}})
		require.NoError(t, err)
		require.Contains(t, proof.Text, "edge(n"+map[string]string{"n40": "35", "n4000": "3995"}[to]+",")
	}
}

// TestWhyOfLongListIsLinear checks that the proof of a recursion over a list four times as long takes about four times
// as long, and not sixteen times.
func TestWhyOfLongListIsLinear(t *testing.T) {
	p, err := engine.LoadText(t.Context(), "sum.pl", `
total([], 0).
total([X|Xs], T) :- total(Xs, T0), T is T0 + X.
sum(N, T) :- numlist(1, N, L), total(L, T).
`, nil)
	require.NoError(t, err)
	took := func(n int) time.Duration {
		return threadTime(func() {
			proof, err := p.Why(t.Context(), fmt.Sprintf("sum(%d, T)", n), &engine.WhyOptions{
				Depth: 10_000, Nodes: 3, Limits: engine.Limits{Time: time.Minute}})
			require.NoError(t, err)
			require.True(t, proof.Truncated.Nodes)
		})
	}
	took(500)
	require.Less(t, took(3000), 10*took(750)+50*time.Millisecond)
}

// TestWhyBounds explains a proof of 100,000 nodes, and a missing fact among a million. The explanation has at most 40
// nodes, 5 levels and 4 KiB, and the search takes at most 2 s. The goal itself takes as many inferences afterwards as
// before.
func TestWhyBounds(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "large.pl", `
:- dynamic fact/2.
:- initialization(forall(between(1, 1000000, I), assertz(fact(I, even)))).
chain(0) :- !.
chain(N) :- fact(N, even), M is N-1, chain(M).
wide(N) :- findall(X, ( between(1, N, X), fact(X, even) ), L), length(L, N).
costs(Goal, N) :- statistics(inferences, A), call(Goal), statistics(inferences, B), N is B-A.
`, nil)
	require.NoError(t, err)
	costs := func() string {
		s, err := p.Once(t.Context(), "costs(chain(1000), N)", nil)
		require.NoError(t, err)
		return s.Text("N")
	}
	before := costs()
	for _, goal := range []string{"chain(100000)", "wide(100000)"} {
		proof, err := p.Why(t.Context(), goal, &engine.WhyOptions{Limits: engine.Limits{Time: time.Minute}})
		require.NoError(t, err)
		require.LessOrEqual(t, len(proof.Nodes), 40)
		require.LessOrEqual(t, len(proof.Text), 4<<10)
		require.Equal(t, goal == "chain(100000)", proof.More != "")
		for _, n := range proof.Nodes {
			require.LessOrEqual(t, strings.Count(n.ID, "."), 5+3, "levels that are folded have names, too")
		}
	}
	misses, err := p.WhyNot(t.Context(), "chain(1000001)", &engine.WhyOptions{Limits: engine.Limits{Time: time.Minute}})
	require.NoError(t, err)
	require.Contains(t, misses.Line, "and not 1000001")
	require.LessOrEqual(t, len(misses.Text), 4<<10)
	require.Equal(t, before, costs())
	require.Equal(t, 2*time.Second, engine.WhyTime(&engine.WhyOptions{}))
}
