package effects_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/base"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/effects"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// read loads a text and returns a run that has begun. foreign/0 counts as written in Go.
func read(t *testing.T, text string) *effects.Run {
	loaded := base.New()
	loaded.Configure(load.Options{})
	require.NoError(t, loaded.Load(t.Context(), source.File{Name: "rules.pl", Text: text}))
	foreign := loaded.DB().User().Lookup(code.Functor("foreign", 0))
	tx := loaded.DB().Begin(false)
	t.Cleanup(tx.Rollback)
	return &effects.Run{Program: loaded.DB(), Tx: tx, Foreign: func(p *database.Pred) bool { return p == foreign },
		Charge: func(int) error { return nil }}
}

// TestOf finds the worst effect of the goals of p/1, and the predicate that has it.
func TestOf(t *testing.T) {
	const rest = `
		:- dynamic(fact/1). :- dynamic(open/1). :- meta_predicate(each(1, ?)). fact(1). open(1).
		double(X, Y) :- Y is 2*X.
		each(G, X) :- call(G, X).
		foreign.`
	kinds := [...]string{"none", "outside", "unknown", "changes"}
	for body, want := range map[string]string{
		"true":                                       "none",
		"X > 1, \\+ fact(X)":                         "none",
		"maplist(double, [X], _)":                    "none",
		"findall(Y, fact(Y), X), msort(X, _)":        "none",
		"write(X), format(\"~w\", [X])":              "none",
		"each(fact, X)":                              "unknown each/2", // only libraries are looked through
		"mcp_ask(X, X, X)":                           "outside mcp_ask/3",
		"call(X)":                                    "unknown p/1",
		"format(X, [])":                              "unknown format/2",
		"format(\"~@\", [fact(X)])":                  "unknown p/1",
		"X:fact(1)":                                  "unknown p/1",
		"foreign":                                    "unknown foreign/0",
		"assertz(fact(X))":                           "changes assertz/1",
		"( fact(X) -> true ; retract(fact(X)) )":     "changes retract/1",
		"maplist(assertz, [fact(X)])":                "changes assertz/1",
		"catch(fact(X), _, retractall(fact(_)))":     "changes retractall/1",
		"foldl([A,B,C]>>(C = A, erase(B)), X, 1, _)": "changes recorded:erase/1",
		// A dynamic predicate may get rules only if a clause adds some.
		"open(X), p(1)": "none",
		"p(X)":          "none",
	} {
		run := read(t, ":- use_module(library(yall)). p(X) :- "+body+"."+rest)
		worst, by, reads := effects.Of(run, &effects.RuleCache{}, run.Program.User().Lookup(code.Functor("p", 1)))
		got := kinds[worst]
		if by != nil {
			got += " " + strings.TrimPrefix(by.Indicator(), "mcp:")
		}
		assert.Equal(t, want, got, body)
		require.Nil(t, reads, body)
	}
}

// TestComingRules tells predicates that may get rules from those that may get facts alone.
func TestComingRules(t *testing.T) {
	for clause, want := range map[string]effects.Effect{
		"":                                          effects.NoEffect,
		"add :- assertz(d(1)).":                     effects.NoEffect,
		"add :- assertz((d(X) :- e(X))).":           effects.UnknownEffect,
		"add :- assertz((e(X) :- d(X))).":           effects.NoEffect,
		"add(X) :- assertz(X).":                     effects.UnknownEffect,
		"add :- consult(file).":                     effects.UnknownEffect,
		"add(G) :- call(G).":                        effects.UnknownEffect,
		"add(L) :- maplist([X]>>assertz(e(X)), L).": effects.NoEffect,
	} {
		run := read(t, ":- dynamic(d/1). :- dynamic(e/1). p(X) :- d(X). "+clause)
		worst, _, _ := effects.Of(run, &effects.RuleCache{}, run.Program.User().Lookup(code.Functor("p", 1)))
		assert.Equal(t, want, worst, clause)
	}
}

// TestReads finds the predicates that read user_input.
func TestReads(t *testing.T) {
	for body, want := range map[string]string{
		"read(X)":                 "read/1",
		"read(user_input, X)":     "read/2",
		"read(s, X)":              "",
		"see(f), read(X)":         "",
		"peek_char(user_input,X)": "peek_char/2",
		"write(user_input, X)":    "",
	} {
		run := read(t, "p(X) :- "+body+".")
		_, _, reads := effects.Of(run, &effects.RuleCache{}, run.Program.User().Lookup(code.Functor("p", 1)))
		got := ""
		if reads != nil {
			got = reads.Indicator()
		}
		assert.Equal(t, want, got, body)
	}
}

// TestBasisOf lists the basis of p/1, or "none".
func TestBasisOf(t *testing.T) {
	for text, want := range map[string]string{
		"p(1).": "p/1",
		"p(X) :- q(X), r(X). q(X) :- r(X). r(1).": "p/1 q/1 r/1",
		"p(X) :- p(X).":                       "p/1",
		"p(X) :- findall(Y, q(Y), X). q(1).":  "p/1 q/1",
		"p(X) :- \\+ q(X), X > 1. q(1).":      "p/1 q/1",
		"p(X) :- call(X).":                    "none",
		"p(X) :- write(X).":                   "none",
		"p(X) :- X is random(3).":             "none",
		"p(X) :- m:q(X).":                     "none",
		":- thread_local(l/1). p(X) :- l(X).": "none",
		":- dynamic(d/1). p(X) :- d(X).":      "d/1 p/1",
	} {
		run := read(t, text)
		basis, own := effects.BasisOf(run, run.Program.User().Lookup(code.Functor("p", 1)))
		require.False(t, own, text)
		var got []string
		for _, on := range basis.List {
			got = append(got, on.Pred.Indicator())
		}
		if slices.Sort(got); !basis.OK {
			got = []string{"none"}
		}
		assert.Equal(t, want, strings.Join(got, " "), text)
	}
	run := read(t, ":- dynamic(d/1). p(X) :- d(X).")
	d := run.Program.User().Lookup(code.Functor("d", 1))
	run.Tx.Add(load.Clause(d, term.New("d", term.Int(1)), term.True), false)
	_, own := effects.BasisOf(run, run.Program.User().Lookup(code.Functor("p", 1)))
	require.True(t, own, "the run has changed what p/1 rests on")
}
