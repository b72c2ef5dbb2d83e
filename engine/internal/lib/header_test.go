package lib

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file tests the reading of libraries for the index.

func TestIndexIsFresh(t *testing.T) {
	want, err := Index()
	require.NoError(t, err, "mend the text and run go generate ./engine")
	have, err := os.ReadFile("index.go")
	require.NoError(t, err)
	if string(want) != string(have) {
		t.Fatal("index.go is stale: run go generate ./engine")
	}
}

// Every way of writing a header that the system accepts exports the same.
func TestHeaders(t *testing.T) {
	predicates := []Indicator{{"vowels", 2}, {"consonants", 4}, {">>>", 2}}
	for name, text := range map[string]string{
		"a line": ":- module(vowel, [vowels/2, consonants//2, (>>>)/2]).\n",
		"lines":  ":- module(vowel, [\n    vowels/2,\n    consonants//2,\n    (>>>)/2\n]).\n",
		"comments": "/* :- module(other, [x/1]). */\n% :- module(other, [y/1]).\n:- module(vowel,\n [ vowels/2 % " +
			"one\n , consonants//2, >>> /2 ]).\n",
		"operators":        ":- module(vowel, [op(200, xfx, >>>), vowels/2, consonants//2, (>>>)/2]).\nX >>> Y :- X = Y.\n",
		"quoted":           ":- module('vowel', ['vowels'/2, 'consonants'//2, '>>>'/2]).",
		"a tail":           ":- module(vowel, [vowels/2, consonants//2|[(>>>)/2]]).",
		"without brackets": ":- module(vowel, .(vowels/2, .(consonants//2, .((>>>)/2, [])))).",
	} {
		l, err := readLibrary("vowel", text, Source)
		require.NoError(t, err, name)
		var exports []Indicator
		for _, e := range l.exports {
			exports = append(exports, e.Indicator)
		}
		require.Equal(t, predicates, exports, name)
	}
}

// Declarations and descriptions of exports are found anywhere in a text.
func TestIndexOfLibrary(t *testing.T) {
	l, err := readLibrary("vowel", `:- module(vowel, [op(700, xfx, [=~, ~=]), each/2,
    in//1, of/1, under/1, 'not'/1]).
:- use_module(library(clpfd)).
:- op(700, xfx, ===>), (meta_predicate other(0), each(1, ?)).
:- set_prolog_flag(double_quotes, codes).

% each(:Goal, ?List): Goal is true
% of each element. More is said here.
each(G, Xs) :- Xs =~ G, X #= 1, X ===> Xs.
% in(+X)//: X.
in(X) --> [X].
% of(+Options): goes on behind . and .. in a line with options
% each(X), in(Y), and with one that ends in
% under: they begin no description
% under(Y): here.
% under(+X): the one
% 'not'(+X), which is not described here.
`, Source)
	require.NoError(t, err)
	require.Equal(t, library{name: "vowel", operators: []string{"=~", "~="}, exports: []export{
		{Indicator: Indicator{"each", 2}, line: 1, meta: "1?", modes: ":Goal, ?List", doc: "Goal is true of each element."},
		{Indicator: Indicator{"in", 3}, line: 2, modes: "+X", doc: "X.", nonterminal: true},
		{Indicator: Indicator{"of", 1}, line: 2, modes: "+Options", doc: "goes on behind . and .. in a line with options " +
			"each(X), in(Y), and with one that ends in under: they begin no description under(Y): here."},
		{Indicator: Indicator{"under", 1}, line: 2, modes: "+X", doc: "the one 'not'(+X), which is not described here."},
		{Indicator: Indicator{"not", 1}, line: 2},
	}}, l)
}

// An error names the file and the line to mend.
func TestHeaderErrors(t *testing.T) {
	for text, want := range map[string]string{
		"": "vowel.pl:1:1: a library begins with :- module(Name, " +
			"[Predicate/Arity, ...])",
		"\nfact.\n":                                    "vowel.pl:2:1: a library begins with :- module(",
		":- dynamic f/1.\n:- module(v, [f/1]).":        "vowel.pl:1:1: a library begins with",
		":- module(v, []).":                            "vowel.pl:1:1: the library exports no predicate",
		":- module(v, [op(700, xfx, ~~)]).":            "vowel.pl:1:1: the library exports no predicate",
		":- module(v, [f/1|T]).":                       "vowel.pl:1:19: the exports must be a list",
		":- module(v, [f/1,\n  g]).":                   "vowel.pl:2:3: got g, want Name/Arity",
		":- module(v, [f/1,\n  f/x]).":                 "vowel.pl:2:3: got f/x, want Name/Arity",
		":- module(v, [op(1, no, f)]).":                "vowel.pl:1:15: no operator: op(1, no, f)",
		":- module(v, [f/1]).\nf(x y).\n":              "vowel.pl:2:",
		":- module(v, [f/1]).\n:- meta_predicate f.\n": "vowel.pl:2:1: got f in meta_predicate/1",
	} {
		_, err := readLibrary("vowel", text, Source)
		require.ErrorContains(t, err, "engine/internal/lib/"+want, text)
	}
}
