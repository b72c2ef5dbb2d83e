package engine_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// TestTakeover loads texts that would replace a predicate written in Go. Each is an error at its place, and goals that
// run later cannot replace it either.
func TestTakeover(t *testing.T) {
	t.Parallel()
	shout := engine.Func("shout", func(_ context.Context, s string) (string, error) { return strings.ToUpper(s), nil })
	voice, user, helper := shout, shout, shout
	voice.Name, voice.Module = "whisper", "voice"
	user.Name, user.Module = "call_out", "user"
	helper.Name = "$shout"
	sum := engine.Func("sum_list", func(context.Context, []int) (string, error) { return "of Go", nil })
	files := fstest.MapFS{
		"other.pl": {Data: []byte(":- module(other, [shout/2, bark/2]).\nshout(_, taken).\nbark(_, taken).\n")},
		"empty.pl": {Data: []byte(":- module(empty, [shout/2]).\n")},
		"plain.pl": {Data: []byte("shout(_, taken).\n")},
	}
	o := &engine.Options{Predicates: []engine.Predicate{shout, voice, user, helper, sum}, Files: engine.FilesOf(files)}
	const redefined, declared, modify = "written in Go and cannot be redefined", "written in Go and cannot be declared",
		"No permission to modify static procedure"
	for _, test := range []struct{ text, want string }{
		{"shout(_, taken).", "f.pl:1:1: error: shout/2 is " + redefined},
		{"p.\n shout(X, Y) :- Y = X.", "f.pl:2:2: error: shout/2 is " + redefined},
		{"shout(X) --> X.", "shout/3"}, // another predicate
		{"shout --> [].", redefined},
		{":- dynamic shout/2.", declared}, {":- discontiguous shout/2.", declared}, {":- multifile shout/2.", declared},
		{":- thread_local(shout/2).", declared}, {":- persistent(shout/2).", declared}, {":- det(shout/2).", declared},
		{":- meta_predicate shout(0, -).", declared}, {":- module_transparent shout/2.", declared},
		{":- table shout/2.", redefined}, {":- facts(shout/2, 'no.csv').", "no.csv"},
		{"system:shout(_, taken).", redefined}, {"user:shout(_, taken).", redefined}, {"m:shout(_, taken).", redefined},
		{":- module(m, []).\nshout(_, taken).", "f.pl:2:1: error: shout/2 is " + redefined},
		{":- use_module(other).", "f.pl:1:1: error: shout/2 is written in Go and cannot be imported from other"},
		{":- use_module(other, [shout/2]).", "cannot be imported from other"},
		{":- use_module(other, [bark/2 as shout]).", "cannot be imported from other"},
		{":- use_module(empty).", "cannot be imported from empty"}, {":- ensure_loaded(other).", "cannot be imported"},
		{":- reexport(other).", "cannot be imported from other"},
		{":- include(plain).", "plain.pl:1:1: error: shout/2 is " + redefined},
		{":- consult(plain).", "plain.pl:1:1: error: shout/2 is " + redefined},
		{":- assertz(shout(_, taken)).", modify}, {":- assertz(m:shout(_, taken)).", modify},
		{":- initialization(assertz(shout(_, taken))).", modify}, {":- abolish(shout/2).", modify},
		{":- retractall(shout(_, _)).", modify}, {":- redefine_system_predicate(shout(_, _)).", modify},
		{"call_out(_, taken).", redefined}, {":- dynamic call_out/2.", declared},
		{":- assertz(call_out(_, taken)).", modify},
		{":- module(voice, [whisper/2]).\nwhisper(_, taken).", redefined}, {"voice:whisper(_, taken).", redefined},
		{":- assertz(voice:whisper(_, taken)).", modify},
		{"'$shout'(_, taken).", redefined}, {":- dynamic '$shout'/2.", declared}, {"sum_list(_, taken).", redefined},
		{":- use_module(library(lists), [sum_list/2]).", "sum_list/2 is written in Go and cannot be imported from lists"},
	} {
		t.Run(test.text, func(t *testing.T) {
			_, err := engine.LoadText(t.Context(), "f.pl", test.text, o)
			if strings.HasPrefix(test.want, "shout/3") {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.want)
		})
	}

	p, err := engine.LoadText(t.Context(), "f.pl", ":- use_module(library(lists)).\n"+
		"all(X, Y, Z, S) :- shout(x, X), call_out(x, Y), voice:whisper(x, Z), sum_list([1], S), last([1], _).\n", o)
	require.NoError(t, err)
	for _, goal := range []string{"assertz(shout(_, taken))", "asserta((m:shout(_, Y) :- Y = taken))", "dynamic(shout/2)",
		"dynamic(m:shout/2)", "retractall(shout(_, _))", "abolish(shout/2)", "assertz(call_out(_, taken))",
		"assertz(voice:whisper(_, taken))", "consult(plain)", "use_module(other)", "use_module(other, [shout/2])",
		"import(other:shout/2)", "load_files(other, [])", "assertz('$shout'(_, taken))"} {
		for _, transaction := range []bool{false, true} {
			_, err := p.Once(t.Context(), "catch("+goal+", _, true)", &engine.RunOptions{Transaction: transaction})
			require.NoError(t, err, goal)
			s, err := p.Once(t.Context(), "all(X, Y, Z, S), shout(x, X), call((shout(x, X))), '$shout'(x, X)", nil)
			require.NoError(t, err, goal)
			require.Equal(t, `X = "X", Y = "X", Z = "X", S = "of Go"`, s.String(), goal)
		}
	}
	var thrown *engine.Exception
	require.ErrorAs(t, p.Assert(struct {
		_    struct{} `prolog:"shout"`
		A, B int
	}{}), &thrown)
	require.Contains(t, thrown.Message, modify)
}
