package engine_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file tests that a load with the cache of an earlier load has the same result as a load without a cache, whatever
// was edited in between.

// editPieces are the lines that texts are made of. $p, $q and $r are names of predicates, $n is a number, $a an atom,
// $o an operator, and $f the file that can be included.
var editPieces = strings.Split(`$p($a).
$p($n).
$p($a). $p($n). $p("text"). $p([$a, $n]).
$p($a, $n).
$p(f($a), X, X).
$p(X) :- $q(X).
$p(X) :- $q(X), $r(X, Y), Y > $n.
$p(X) :- $q(Y).
$p(X) :- ( $q(X) -> true ; $r(X, _) ).
$p(X, Y) :- findall(Z, $q(Z), Y), forall($r(X, _), $q(X)).
$p(X) :- \+ $q(X), $r(_A, _A).
$p(X) :- call($q, X), maplist($q, [X]).
$p(X) :- G = $q(X), G, X.
$p(X) :- assertz($q(X)), undefined_$n(X).
$p(X) :- other:$q(X), m1:$r(X, $a).
$p(X), X = $a => true.
m1:$p($a) :- $q($n).
user:$p($a).
$p --> [$a], $q.
$p(X) --> "abc", { $r(X, $n) }, !, $q(X).
$p --> $q, $r($a).
v($a $o $n $o X, X).
:- op(700, xfx, $o).
:- op(200, xfy, $o).
:- op(0, xfx, $o).
:- set_prolog_flag(double_quotes, codes).
:- set_prolog_flag(double_quotes, atom).
:- set_prolog_flag(occurs_check, true).
:- dynamic($p/1).
:- dynamic $p/2, $q/1.
:- discontiguous $p/1.
:- multifile $p/1, $q/2.
:- table $p/1.
:- meta_predicate $p(0).
:- meta_predicate $p(1, ?).
:- style_check(-singleton).
:- style_check(-discontiguous).
:- module(m$n, [$p/1, $q/2]).
:- module(m1, [$p/1, op(700, xfx, $o)]).
:- module(m2, [$q/1]).
:- use_module(m1).
:- use_module(library(lists)).
:- use_module(library(clpfd)).
:- use_module(library(apply), [maplist/3]).
:- if($n > 1).
:- else.
:- endif.
:- include($f).
:- assertz($p($a)).
:- assertz(($p(X) :- $q(X))).
:- call_with_inference_limit(ignore($p(_)), 1000, _).
:- initialization(assertz(started($n))).
:- mode($p(+atom), one).
:- info($p/1, [comment is '$a']).
:- $q.
:- fail.
term_expansion($p($a), $p($n)).
term_expansion($p(X), [$q(X), (:- dynamic $r/2)]).
term_expansion(old, (:- op(700, xfx, $o))).
user:term_expansion($q($a), $q(expanded)).
goal_expansion($q(X), $r(X, $n)).
goal_expansion($q(X), $r(X)).
old.
broken($a.
broken($a)) .
'unclosed
tools([$p/1]).
tools([$q/2, $a]).
$p(X, Y) :- X #= Y + $n, $q(Y).
:- begin_tests($a).
test($a) :- $p($a).
test(two, [true(X == $n)]) :- $q(X).
:- end_tests($a).
dcg_translate_rule(($p --> _), $p($a)).
% a comment
`, "\n")

// editor makes and edits texts.
type editor struct{ *rand.Rand }

func (e editor) pick(list ...string) string { return list[e.IntN(len(list))] }

// piece is a line of a text.
func (e editor) piece() string {
	var b strings.Builder
	piece := editPieces[e.IntN(len(editPieces))]
	for i := 0; i < len(piece); i++ {
		if piece[i] != '$' {
			b.WriteByte(piece[i])
			continue
		}
		i++
		switch piece[i] {
		case 'n':
			fmt.Fprint(&b, e.IntN(4))
		case 'a':
			b.WriteString(e.pick("a", "b", "c"))
		case 'o':
			b.WriteString(e.pick("~~>", "is_like"))
		case 'f':
			b.WriteString(e.pick("i", "j"))
		default:
			b.WriteString(e.pick("p", "q", "r", "s", "t"))
		}
	}
	return b.String()
}

func (e editor) text() []string {
	var lines []string
	for range 3 + e.IntN(20) {
		lines = append(lines, e.piece())
	}
	return lines
}

// edit changes a random place of a random file, or adds or removes a file.
func (e editor) edit(files map[string][]string) {
	names := slices.Sorted(maps.Keys(files))
	name := names[e.IntN(len(names))]
	lines := slices.Clone(files[name])
	at := 0
	if len(lines) > 0 {
		at = e.IntN(len(lines))
	}
	switch e.IntN(12) {
	case 0:
		if len(names) > 3 {
			delete(files, name)
			return
		}
		lines = e.text()
	case 1:
		name = e.pick("a", "b", "c", "d", "e", "i", "j")
		lines = e.text()
	case 2, 3:
		if len(lines) > 0 {
			lines = slices.Delete(lines, at, at+1)
		}
	case 4: // a line is moved, perhaps to another file
		if len(lines) > 0 {
			other := names[e.IntN(len(names))]
			moved := lines[at]
			files[name] = slices.Delete(lines, at, at+1)
			files[other] = slices.Insert(slices.Clone(files[other]), e.IntN(len(files[other])+1), moved)
			return
		}
	case 5: // all that follows moves to another line
		lines = slices.Insert(lines, 0, "", "% moved")
	case 6, 7, 8:
		if len(lines) > 0 {
			lines[at] = e.piece()
		}
	default:
		lines = slices.Insert(lines, at, e.piece())
	}
	files[name] = lines
}

// loadEdited loads the files. The files named i and j are only available to be included or used.
func loadEdited(r *host.LoadCache, files map[string][]string) loaded {
	texts := fstest.MapFS{}
	var sources []source.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := strings.Join(files[name], "\n")
		texts[name] = &fstest.MapFile{Data: []byte(text)}
		if name < "i" {
			sources = append(sources, source.File{Name: name, Text: text})
		}
	}
	p := engine.New(&engine.Options{LoadCache: r, Files: engine.FilesOf(texts), Scattered: []string{"tools/1", "s/1"}})
	_ = p.Load(context.Background(), sources...)
	return loaded{p, p.Diagnostics()}
}

// listed returns everything that a program reports about itself, and the answers of its predicates.
func listed(p *engine.Program) string {
	var b strings.Builder
	for _, m := range engine.Inner(p).Modules() {
		fmt.Fprintln(&b, "module", m.Name, m.File)
		for _, info := range p.Predicates(m.Name) {
			fmt.Fprintf(&b, "%s/%d %t %s:%d", info.Name, info.Arity, info.Dynamic, info.File, info.Line)
			for _, c := range info.Clauses {
				fmt.Fprintf(&b, " %s:%d %t %s", c.File, c.Line, c.Fact, places(c.Layout))
			}
			fmt.Fprintln(&b, "\n  ", firstAnswers(p, m.Name, info))
		}
	}
	for _, d := range p.Declarations() {
		fmt.Fprintln(&b, d.Name, p.FormatTerm("", d.Term), d.Module, d.File, d.Line, d.Column, places(d.Layout))
	}
	return b.String()
}

// places writes the positions of the parts of a term.
func places(l *source.Layout) string {
	if l == nil {
		return "-"
	}
	text := fmt.Sprint(l.Pos.Line, ":", l.Pos.Column)
	for _, a := range l.Args {
		text += "(" + places(a) + ")"
	}
	return text
}

// anonymous matches variables, whose numbers do not matter.
var anonymous = regexp.MustCompile(`_(G|_)?[0-9]+`)

// effort matches the description of calls in the error of a limit. The description depends on the tables that earlier
// runs have left.
var effort = regexp.MustCompile(` It made [0-9,]+ calls(?s:.*)`)

// firstAnswers returns the first answers of a predicate, and the error that ends them.
func firstAnswers(p *engine.Program, module string, info inspect.Predicate) string {
	args := make([]engine.Term, info.Arity)
	vars := make([]*term.Var, info.Arity)
	for i := range args {
		vars[i] = term.NewVar("")
		args[i] = vars[i]
	}
	r, err := engine.Inner(p).StartTerm(term.New(term.Atom(info.Name), args...), vars,
		&engine.RunOptions{Module: module, Limits: engine.Limits{Inferences: 3000}, Transaction: true})
	if err != nil {
		return err.Error()
	}
	defer r.Close()
	text := ""
	for range 5 {
		state, err := r.Next(context.Background())
		if err != nil {
			return text + effort.ReplaceAllString(err.Error(), "")
		}
		if state != engine.Answer {
			return text
		}
		for _, v := range r.Solution().Values() {
			text += anonymous.ReplaceAllString(engine.FormatTerm(v), "_") + " "
		}
		text += "; "
	}
	return text
}

// TestEdits edits files at random, and loads them with and without the cache of the previous load.
func TestEdits(t *testing.T) {
	for seed := range deep.Count(6, 30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			editAtRandom(t, uint64(seed))
		})
	}
}

func editAtRandom(t *testing.T, seed uint64) {
	e := editor{rand.New(rand.NewPCG(seed, 1))}
	files := map[string][]string{"i": e.text()}
	for _, name := range []string{"a", "b", "c"} {
		files[name] = e.text()
	}
	var r host.LoadCache
	for step := range 25 {
		if step > 0 {
			e.edit(files)
		}
		got, want := loadEdited(&r, files), loadEdited(nil, files)
		name := fmt.Sprintf("step %d", step)
		require.Equal(t, want.report, got.report, name)
		require.Equal(t, listed(want.program), listed(got.program), name)
		require.True(t, slices.Equal(engine.Code(want.program), engine.Code(got.program)), "%s: the code differs", name)
	}
}
