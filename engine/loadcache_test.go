package engine_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/source"
)

// loaded is a program and the diagnostics of its load.
type loaded struct {
	program *engine.Program
	report  source.Diagnostics
}

// load loads texts. The texts in files are only available to be included.
func load(r *host.LoadCache, files map[string]string, sources []source.File) loaded {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	p := engine.New(&engine.Options{LoadCache: r, Files: engine.FilesOf(fsys)})
	_ = p.Load(context.Background(), sources...)
	return loaded{p, p.Diagnostics()}
}

// requireSame checks that two programs are the same, including all words of their code.
func requireSame(t *testing.T, want, got loaded) {
	t.Helper()
	require.Equal(t, want.report, got.report)
	require.Equal(t, engine.Code(want.program), engine.Code(got.program))
}

// sourcesOf names texts a, b, c.
func sourcesOf(list ...string) []source.File {
	var sources []source.File
	for i, text := range list {
		sources = append(sources, source.File{Name: string(rune('a' + i)), Text: text})
	}
	return sources
}

// TestReadings loads texts, and then similar texts in their place.
func TestReadings(t *testing.T) {
	const rule = "p(X, Y) :- q(X), ( r(X, Z) -> Y = Z ; findall(W, member(W, [X]), Y) ).\nq(1).\nr(1, found).\n"
	cases := []struct {
		name          string
		before, after []string
		included      [2]string // the file i, before and after
		parsed        []string
		goal, want    string
	}{
		{name: "nothing", before: []string{rule, "s(1)."}, after: []string{rule, "s(1)."}, goal: "p(1, A)", want: "found"},
		{name: "one text", before: []string{rule, "s(1).", "u(X) :- s(X)."}, after: []string{rule, "s(2).", "u(X) :- s(X)."},
			parsed: []string{"b"}, goal: "u(A)", want: "2"},
		{name: "a text in front", before: []string{"s(1).", rule},
			after:  []string{"s(1). t(X) :- new1(X), new2(X). new1(1). new2(1).", rule},
			parsed: []string{"a"}, goal: "p(1, A)", want: "found"},
		{name: "warnings", before: []string{"p(X) :- q(Y).\nr(_A, _A).\np(1, 2).\np(2).", "s(1)."},
			after:  []string{"p(X) :- q(Y).\nr(_A, _A).\np(1, 2).\np(2).", "s(2)."},
			parsed: []string{"b"}, goal: "s(A)", want: "2"},
		{name: "errors", before: []string{"p(1.\np(2).\n:- fail.\n", "s(1)."}, after: []string{"p(1.\np(2).\n:- fail.\n",
			"s(2)."},
			parsed: []string{"b"}, goal: "p(A)", want: "2"},
		{name: "operators", before: []string{":- op(700, xfy, ~~>).", "v(a ~~> b ~~> c)."},
			after:  []string{":- op(700, yfx, ~~>).", "v(a ~~> b ~~> c)."},
			parsed: []string{"a", "b"}, goal: "v(A ~~> _)", want: "a~~>b"},
		{name: "operators that are gone", before: []string{":- op(700, xfy, ~~>).", "v(1). v(a ~~> b)."},
			after:  []string{"", "v(1). v(a ~~> b)."},
			parsed: []string{"a", "b"}, goal: "v(A)", want: "1"},
		{name: "operators half way", before: []string{"o(200).", "v(1).\n:- o(P), op(P, xfx, ~~>).\nv(- 2 ~~> 3)."},
			after:  []string{"o(600).", "v(1).\n:- o(P), op(P, xfx, ~~>).\nv(- 2 ~~> 3)."},
			parsed: []string{"a", "b"}, goal: "v(A), compound(A), functor(A, _, 2)", want: "-2~~>3"},
		{name: "flags", before: []string{"f(codes).", ":- f(X), set_prolog_flag(double_quotes, X).\nv(\"a\")."},
			after:  []string{"f(atom).", ":- f(X), set_prolog_flag(double_quotes, X).\nv(\"a\")."},
			parsed: []string{"a"}, goal: "true, A = none", want: "none"},
		{name: "expansion of terms", before: []string{"term_expansion(v(1), v(2)).", "v(1).\nw(X) :- v(X)."},
			after:  []string{"term_expansion(v(1), v(3)).", "v(1).\nw(X) :- v(X)."},
			parsed: []string{"a"}, goal: "w(A)", want: "3"},
		{name: "expansion of goals", before: []string{"goal_expansion(old, fail).", "w(1) :- old.\nw(2)."},
			after:  []string{"goal_expansion(old, true).", "w(1) :- old.\nw(2)."},
			parsed: []string{"a"}, goal: "w(A)", want: "1"},
		{name: "expansion that is new", before: []string{"z.", "w(1) :- old.\nw(2).\nold."},
			after:  []string{"goal_expansion(old, fail).", "w(1) :- old.\nw(2).\nold."},
			parsed: []string{"a"}, goal: "w(A)", want: "2"},
		{name: "conditions", before: []string{"c :- fail.", ":- if(c).\nv(1).\n:- else.\nv(2).\n:- endif.\nw(X) :- v(X)."},
			after:  []string{"c.", ":- if(c).\nv(1).\n:- else.\nv(2).\n:- endif.\nw(X) :- v(X)."},
			parsed: []string{"a"}, goal: "w(A)", want: "1"},
		{name: "arguments that are goals", before: []string{"run(G) :- call(G).",
			":- module(m, [w/1]).\nw(X) :- user:run(v(X)), run(v(X)).\nv(1)."},
			after:  []string{":- meta_predicate run(0).\nrun(G) :- call(G).", ":- module(m, [w/1]).\nw(X) :- run(v(X)).\nv(1)."},
			parsed: []string{"a", "b"}, goal: "m:w(A)", want: "1"},
		{name: "arguments that have become goals", before: []string{"run(G) :- call(G).\nv(user).",
			":- module(m, [w/1]).\nw(X) :- run(v(X)).\nv(m)."},
			after: []string{":- meta_predicate run(0).\nrun(G) :- call(G).\nv(user).",
				":- module(m, [w/1]).\nw(X) :- run(v(X)).\nv(m)."}, parsed: []string{"a"}, goal: "m:w(A)", want: "m"},
		{name: "modules", before: []string{"v(1).", ":- module(m, [w/1]).\nw(X) :- v(X), other:u."},
			after:  []string{"v(2).\nother:u.", ":- module(m, [w/1]).\nw(X) :- v(X), other:u."},
			parsed: []string{"a"}, goal: "m:w(A)", want: "2"},
		{name: "dynamic", before: []string{"", "v(X) :- w(X).\nw(1) :- true."},
			after:  []string{":- dynamic(w/1).", "v(X) :- w(X).\nw(1) :- true."},
			parsed: []string{"a"}, goal: "v(A)", want: "1"},
		{name: "tabled", before: []string{"m(2).", ":- table(v/1).\nv(X) :- v(Y), X is Y + 1, m(M), X < M.\nv(1)."},
			after: []string{"m(3).", ":- table(v/1).\nv(X) :- v(Y), X is Y + 1, m(M), X < M.\nv(1)."}, parsed: []string{"a"},
			goal: "findall(X, v(X), L), sort(L, A)", want: "[1,2]"},
		{name: "included", before: []string{":- include(i).\nw(X) :- v(X)."},
			after: []string{":- include(i).\nw(X) :- v(X)."}, included: [2]string{"v(1).", "v(2)."},
			parsed: []string{"i"}, goal: "w(A)", want: "2"},
		{name: "operators of the included", before: []string{":- include(i).\nv(a ~~> b)."},
			after:    []string{":- include(i).\nv(a ~~> b)."},
			included: [2]string{":- op(700, xfx, ~~>).", ":- op(200, xfy, ~~>)."}, parsed: []string{"i", "a"},
			goal: "v(A ~~> _)", want: "a"},
		{name: "styles of the includer", before: []string{":- include(i)."},
			after:    []string{":- style_check(-singleton).\n:- include(i)."},
			included: [2]string{"v(X, 1).\nw(X) :- v(_, X).", "v(X, 1).\nw(X) :- v(_, X)."}, parsed: []string{"a"}, goal: "w(A)",
			want: "1"},
		{name: "module of the includer", before: []string{"", ":- include(i)."},
			after:    []string{"v(2).", ":- module(m, []).\n:- include(i)."},
			included: [2]string{"v(1).\nw(X) :- v(X).", "v(1).\nw(X) :- v(X)."}, parsed: []string{"a", "b"},
			goal: "m:w(A), v(2)", want: "1"},
		{name: "occurs check", before: []string{"", "v(X, X).\nw(1) :- v(X, f(X)).\nw(2)."},
			after:  []string{":- set_prolog_flag(occurs_check, true).", "v(X, X).\nw(1) :- v(X, f(X)).\nw(2)."},
			parsed: []string{"a"}, goal: "w(A)", want: "2"},
		{name: "occurs check half way", before: []string{"f.", "u(1).\n:- f.\nv(X, X).\nw(1) :- v(X, f(X)).\nw(2)."},
			after:  []string{"f :- set_prolog_flag(occurs_check, true).", "u(1).\n:- f.\nv(X, X).\nw(1) :- v(X, f(X)).\nw(2)."},
			parsed: []string{"a"}, goal: "w(A)", want: "2"},
		{name: "grammar", before: []string{"", "g --> [a], h.\nh --> [b] ; !.\nv(none)."},
			after:  []string{"x.", "g --> [a], h.\nh --> [b] ; !.\nv(none)."},
			parsed: []string{"a"}, goal: "phrase(g, A, [])", want: "[a,b]"},
		{name: "another translation of grammar", before: []string{"", "g --> [a].\nv(1)."},
			after:  []string{"dcg_translate_rule(_, v(2)).", "g --> [a].\nv(1)."},
			parsed: []string{"a"}, goal: "v(A)", want: "2"},
		{name: "tabled elsewhere", before: []string{"", "v(X) :- v(X).\nv(1)."},
			after:  []string{":- multifile(v/1).\n:- table(v/1).", "v(X) :- v(X).\nv(1)."},
			parsed: []string{"a"}, goal: "v(A)", want: "1"},
		{name: "conditions without an end", before: []string{"", ":- if(true).\nv(1).\nv(2)."},
			after:  []string{"w(1).", ":- if(true).\nv(1).\nv(2)."},
			parsed: []string{"a"}, goal: "v(A)", want: "1"},
		{name: "conditions without an end, not taken", before: []string{"c.", ":- if(c).\nv(1).\nv(2) :- w(1)."},
			after:  []string{"c :- fail. w(1).", ":- if(c).\nv(1).\nv(2) :- w(1)."},
			parsed: []string{"a"}, goal: "w(A)", want: "1"},
		{name: "defined elsewhere now", before: []string{"", "v(1).\nv(2) :- true."},
			after: []string{"v(3).", "v(1).\nv(2) :- true."}, parsed: []string{"a"}, goal: "v(A)", want: "3"},
		{name: "undefined now", before: []string{"u(1).", "w(X) :-\n  v(X),\n  \\+ maplist(u, [2]), findall(Y, ( X = 1, " +
			"u(Y) ), _).\nv(1)."},
			after:  []string{"", "w(X) :-\n  v(X),\n  \\+ maplist(u, [2]), findall(Y, ( X = 1, u(Y) ), _).\nv(1)."},
			parsed: []string{"a"}, goal: "v(A)", want: "1"},
		{name: "defined now", before: []string{"", "w(X) :- u(X), m:t(X).\nv(1)."},
			after:  []string{"u(1).\nm:t(1).", "w(X) :- u(X), m:t(X).\nv(1)."},
			parsed: []string{"a"}, goal: "w(A)", want: "1"},
		{name: "goals of arguments now", before: []string{"run(_).", "w(1) :- run(nowhere(2)).\n"},
			after:  []string{":- meta_predicate(run(0)).\nrun(_).", "w(1) :- run(nowhere(2)).\n"},
			parsed: []string{"a"}, goal: "w(A)", want: "1"},
		{name: "asserted by one that is gone", before: []string{"x :- assertz(u(1)).", "w(1) :- u(1).\nw(2)."},
			after:  []string{"", "w(1) :- u(1).\nw(2)."},
			parsed: []string{"a"}, goal: "\\+ catch(w(3), _, fail), A = 1", want: "1"},
		{name: "constraints", before: []string{"", "v(X, Y) :- X #= Y + 1."},
			after:  []string{":- use_module(library(clpfd)).", "v(X, Y) :- X #= Y + 1."},
			parsed: []string{"a", "b"}, goal: "v(A, 1)", want: "2"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			files := [2]map[string]string{{"i": c.included[0]}, {"i": c.included[1]}}
			var r host.LoadCache
			load(&r, files[0], sourcesOf(c.before...))
			for range 2 {
				got := load(&r, files[1], sourcesOf(c.after...))
				requireSame(t, load(nil, files[1], sourcesOf(c.after...)), got)
				require.Equal(t, c.parsed, r.Parsed())
				s, err := got.program.Once(context.Background(), c.goal, nil)
				require.NoError(t, err)
				require.NotNil(t, s)
				require.Equal(t, c.want, got.program.FormatTerm("", s.Get("A")))
				c.parsed = nil // the second time nothing has changed
			}
		})
	}
}

// TestReadingsOfPrograms loads programs twice.
func TestReadingsOfPrograms(t *testing.T) {
	for _, pattern := range []string{"../tools/bench/programs/*.pl", "../examples/*/*.pl", "../examples/*.pl"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			if bytes.Contains(text, []byte(":- facts(")) {
				continue // these programs have no files
			}
			sources := []source.File{{Name: name, Text: string(text)}}
			for range 2 {
				load(nil, nil, sources)
			}
			var r host.LoadCache
			load(&r, nil, sources)
			requireSame(t, load(nil, nil, sources), load(&r, nil, sources))
			require.Empty(t, r.Parsed(), name)
		}
	}
}
