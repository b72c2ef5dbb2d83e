package source_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
)

// usesOf lists the uses of a text, as kind name/arity@token.
func usesOf(text string) (list []string) {
	kinds := [...]string{source.Defines: "def", source.Calls: "call", source.Declares: "decl", source.Exports: "export"}
	for _, c := range source.Read("test.pl", text, nil).Clauses {
		for _, u := range source.Uses(&c, inspect.Meta) {
			module := ""
			if u.Module != "" {
				module = u.Module + ":"
			}
			list = append(list, fmt.Sprintf("%s %s%s/%d %s", kinds[u.Kind], module, u.Name, u.Arity,
				text[c.Tokens[u.Token].Start:c.Tokens[u.Token].End]))
		}
	}
	slices.Sort(list)
	return list
}

func TestUses(t *testing.T) {
	for text, want := range map[string][]string{
		"p(X) :- q(X), \\+ r, ( s -> t ; u ).": {"call q/1 q", "call r/0 r", "call s/0 s", "call t/0 t", "call u/0 u",
			"def p/1 p"},
		"p :- findall(X, m:q(X), L), maplist(r(a), L).": {"call findall/3 findall", "call m:q/1 q", "call maplist/2 maplist",
			"call r/2 r", "def p/0 p"},
		"p --> q, {r}, \"x\", call(s, 1).":              {"call q/2 q", "call r/0 r", "call s/3 s", "def p/2 p"},
		":- dynamic p/1, 'q r'/2.":                      {"decl p/1 p", "decl q r/2 'q r'"},
		":- module(m, [p/1, q//0, op(1, fx, x)]).":      {"export p/1 p", "export q/2 q"},
		":- op(700, xfx, owns).\na owns b :- c owns d.": {"call op/3 op", "call owns/2 owns", "def owns/2 owns"},
		"p :- X is 1+2, X = a, assertz((q(X) :- r)).": {"call =/2 =", "call assertz/1 assertz", "call is/2 is",
			"call q/1 q", "call r/0 r", "def p/0 p"},
		":- mode(p(+a), one).\ntools([tool(n, p, 1)]).": {"decl p/1 p", "def tools/1 tools", "export p/1 p"},
		"tools([p/1, m:q/2]).":                          {"def tools/1 tools", "export m:q/2 q", "export p/1 p"},
		":- info(p/1, [comment is 'P.', examples is ['One' - p(a) - {true}, 'Two' - (m:q(X), r) - {X = 1}, 'No' - s]]).": {
			"call m:q/1 q", "call p/1 p", "call r/0 r", "decl p/1 p"},
		"p :- maplist([X]>>q(X), L), forall(r, s).": {"call forall/2 forall", "call maplist/2 maplist", "call q/1 q",
			"call r/0 r", "call s/0 s", "def p/0 p"},
		":- op(1150, xfx, ::).\n'Art. 5' :: p(X) :- q(X).\ne :: \\+ p(X) :- r.\nf :: p(a).": {"call op/3 op", "call q/1 q",
			"call r/0 r", "def Art. 5/-1 'Art. 5'", "def e/-1 e", "def f/-1 f", "def p/1 p", "def p/1 p", "def p/1 p"},
		":- overrides(a, 'B').\np :- applies(a, q), defeated(X, q, B).": {"call a/-1 a", "call applies/2 applies",
			"call defeated/3 defeated", "call overrides/2 overrides", "decl B/-1 'B'", "decl a/-1 a", "def p/0 p"},
	} {
		require.Equal(t, want, usesOf(text), text)
	}
}

// TestRecover reads the clauses after a half-written one.
func TestRecover(t *testing.T) {
	text := "a :- b(\n\nc(X) :- d(X).\n  e.\n:- f.\ng('x.\nh.\n"
	heads := func(o *source.Options) (list []string) {
		for _, c := range source.Read("test.pl", text, o).Clauses {
			if c.Err == nil {
				list = append(list, engine.FormatTerm(c.Term))
			}
		}
		return list
	}
	require.Equal(t, []string{"c(_123):-d(_123)", "e", ":-f", "h"}, normal(heads(&source.Options{Recover: true})))
	require.NotContains(t, normal(heads(nil)), "c(_123):-d(_123)")
}

func normal(list []string) []string {
	for i, text := range list {
		if len(text) > 2 && text[:2] == "c(" {
			list[i] = "c(_123):-d(_123)"
		}
	}
	return list
}
