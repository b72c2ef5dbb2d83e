package lsp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// renameTo renames what stands at a place, in the texts that are open. It returns where that stands now, and why it is
// refused, "" if it is not.
func (c *client) renameTo(file string, at position, name string) (now position, refused string) {
	m := c.ask("textDocument/rename", map[string]any{"textDocument": documentID{URI: c.uri(file)}, "position": at,
		"newName": name})
	if m.Error != nil {
		return at, m.Error.Message
	}
	var edit workspaceEdit
	require.NoError(c.t, json.Unmarshal(m.Result, &edit))
	now = at
	for _, e := range edit.Changes[c.uri(file)] {
		if e.Range.Start.Line == at.Line && e.Range.End.Character <= at.Character {
			now.Character += len(e.NewText) - (e.Range.End.Character - e.Range.Start.Character)
		}
	}
	for file, text := range maps.Clone(c.texts) {
		if edits := edit.Changes[c.uri(file)]; len(edits) > 0 {
			c.replace(file, applied(c.t, text, edits))
		}
	}
	return now, ""
}

// TestRenameVariable refuses the name of another variable of the clause, wherever that stands.
func TestRenameVariable(t *testing.T) {
	text := "anc(X, Y) :- par(X, Z), anc(Z, Y).\n" +
		"all(L, M) :- maplist([A,B]>>(B = A-_U), L, M), \\+ \\+ foldl(\\Q^R^S^plus(Q, R, S), L, 0, _Z).\n" +
		"k(One) --> [Two], {One = \"Z\", 'Z' = Two}. % Z\n"
	c := start(t, map[string]string{"a.pl": text})
	c.open("a.pl", text)
	for _, test := range []struct{ at, refused, free string }{
		{"X, Y", "Z Y", "L"}, {"Z, Y", "X Y", "_Z"}, {"A-_U", "B L M _U _Z Q R S", "X"}, {"_Z).", "A B L M _U Q", "Z"},
		{"L, M)", "A B M Q R S _U", "Y"}, {"Two]", "One", "Z"},
	} {
		for _, name := range strings.Fields(test.refused) {
			_, refused := c.renameTo("a.pl", c.place("a.pl", test.at, 0), name)
			require.Equal(t, name+" is a variable of this clause already", refused, test.at)
			require.Equal(t, text, c.texts["a.pl"])
		}
		at, refused := c.renameTo("a.pl", c.place("a.pl", test.at, 0), test.free)
		require.Empty(t, refused)
		require.NotEqual(t, text, c.texts["a.pl"])
		_, refused = c.renameTo("a.pl", at, test.at[:strings.IndexAny(test.at, ",)].- ")])
		require.Empty(t, refused)
		require.Equal(t, text, c.texts["a.pl"])
	}
}

// TestRenameTaken refuses a name that leads to something else where the predicate is seen, and says where that is.
func TestRenameTaken(t *testing.T) {
	files := map[string]string{
		"a.pl": ":- module(a, [anc/2, top/1]).\n:- use_module(b).\nanc(X, Y) :- par(X, Y).\ntop(1).\nown(1, 2).\n",
		"b.pl": ":- module(b, [par/2]).\npar(tom, bob).\ninner(1, 2).\n",
		"c.pl": ":- use_module(a).\nx(X) :- anc(X, _), member(X, [1]), lost(X, 1).\nhere(1, 2).\n",
		"d.pl": ":- module(d, []).\n:- use_module(library(lists)).\n:- use_module(b, [par/2]).\n" +
			"hidden(X, Y) :- par(X, Y).\n",
		"broken.pl": "half(1, .\n",
	}
	c := start(t, files)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		c.open(name, files[name])
	}
	for _, test := range []struct{ file, at, name, refused string }{
		{"a.pl", "anc(X", "own", "own/2 is defined already, at a.pl:5"},
		{"a.pl", "anc(X", "par", "par/2 is defined already, at b.pl:2"},
		{"a.pl", "anc(X", "here", "here/2 is defined already, at c.pl:3"},
		{"a.pl", "anc(X", "member", "member/2 is used already, at c.pl:2"},
		{"a.pl", "anc(X", "lost", "lost/2 is used already, at c.pl:2"},
		{"a.pl", "anc(X", "=..", "=../2 is built in"},
		{"a.pl", "anc(X", "atom_length", "atom_length/2 is built in"},
		{"a.pl", "anc(X", "half", "broken.pl:1: a clause with a syntax error has the name half"},
		{"c.pl", "anc(X", "own", "own/2 is defined already, at a.pl:5"},
		{"b.pl", "par(tom", "anc", "anc/2 is defined already, at a.pl:3"},
		{"b.pl", "par(tom", "hidden", "hidden/2 is defined already, at d.pl:4"},
		{"b.pl", "par(tom", "last", "last/2 is imported from library(lists) in d.pl"},
		{"a.pl", "own(1", "par", "par/2 is defined already, at b.pl:2"},
		{"c.pl", "here(1", "anc", "anc/2 is defined already, at a.pl:3"},
		{"b.pl", "inner(1", "here", ""},
		{"a.pl", "anc(X", "inner", ""},
		{"a.pl", "own(1", "last", ""},
		{"a.pl", "top(1", "own", ""},
		{"a.pl", "top(1", "top", ""},
		{"b.pl", "par(tom", "-", ""},
		{"b.pl", "par(tom", "is in", ""},
	} {
		before := maps.Clone(c.texts)
		at, refused := c.renameTo(test.file, c.place(test.file, test.at, 0), test.name)
		require.Equal(t, test.refused, refused, test)
		if refused == "" {
			_, refused = c.renameTo(test.file, at, test.at[:strings.IndexByte(test.at, '(')])
			require.Empty(t, refused, test)
		}
		require.Equal(t, before, c.texts, test)
	}
}

// randomText returns a text with clauses of the predicates r/2, s/2 and so on. A module exports another one.
func randomText(random *rand.Rand, module, export string, others ...string) string {
	var b strings.Builder
	pick := func(from string) string { i := random.IntN(len(from)); return from[i : i+1] }
	goal := func(names string) string {
		return fmt.Sprintf("%s(%s, %s)", pick(names), pick("UVWXYZ"), pick("UVWXYZ"))
	}
	if module != "" {
		fmt.Fprintf(&b, ":- module(%s, [%s/2]).\n%s.\n", module, export, goal(export))
	}
	for _, other := range others {
		if random.IntN(2) == 0 {
			fmt.Fprintf(&b, ":- use_module(%s).\n", other)
		}
	}
	for range 1 + random.IntN(3) {
		forms := []string{"%s :- %s, %s.\n", "%s :- ( \\+ %s -> true ; %s ).\n", "%s :- findall(X, %s, [_Y]), %s.\n"}
		fmt.Fprintf(&b, forms[random.IntN(len(forms))], goal(export+"rstu"), goal("pqrstu"), goal("pqrstu"))
	}
	fmt.Fprintf(&b, ":- dynamic %s/2.\n", pick("rstu"))
	return b.String()
}

// TestRandomRenames renames what stands at random places. A fresh name is taken, and the old one gives the same text
// again. A name that is in use is refused where the two would be one, so each renaming that is taken can be undone.
func TestRandomRenames(t *testing.T) {
	t.Parallel()
	refused, used := 0, 0
	for seed := range deep.Count(12, 100) {
		random := rand.New(rand.NewPCG(uint64(seed), 61))
		files := map[string]string{"a.pl": randomText(random, "a", "p"), "b.pl": randomText(random, "b", "q", "a"),
			"c.pl": randomText(random, "", "", "a", "b"), "d.pl": randomText(random, "", "")}
		c := start(t, files)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			c.open(name, files[name])
		}
		for range 40 {
			file := string(rune('a'+random.IntN(4))) + ".pl"
			text := c.texts[file]
			offset := random.IntN(len(text))
			at, old := indexLines(text).position(text, offset), text[offset:offset+1]
			isVariable := strings.Contains("UVWXYZ", old)
			if !isVariable && !strings.Contains("pqrstu", old) || !strings.ContainsAny(text[offset+1:offset+2], "(,)/") {
				continue
			}
			names := "p q r s t u fresh"
			if isVariable {
				names = "U V W X Y Z _Y Fresh"
			}
			for _, name := range strings.Fields(names) {
				before := maps.Clone(c.texts)
				now, reason := c.renameTo(file, at, name)
				if strings.Contains(reason, "is not defined in these files") {
					break
				}
				where := fmt.Sprintf("seed %d, %s of %s to %s: %s\n%s", seed, old, file, name, reason, text)
				switch {
				case reason != "":
					refused++
					require.NotEqual(t, "fresh", strings.ToLower(name), where)
					require.Regexp(t, `^\w+ is a variable of this clause already$|^\w/2 is (defined|used) already, at .\.pl:\d+$`,
						reason, where)
				case name == old:
				default:
					used++
					require.NotEqual(t, before, c.texts, where)
					_, refused := c.renameTo(file, now, old)
					require.Empty(t, refused, where)
				}
				require.Equal(t, before, c.texts, where)
			}
		}
	}
	require.Greater(t, used, 50)
	require.Greater(t, refused, 50)
}

// TestRenameToSigns writes any name so that the text is read as before but for that name, or refuses it.
func TestRenameToSigns(t *testing.T) {
	text := ":- module(m, [x/1, run/1]).\n:- meta_predicate run(0).\n:- dynamic x/1, y/0.\nrun(G) :- G, y.\n" +
		"x(1).\nq :- run(x(1)), run((x(2), \\+x(3))), y.\nr(- x, [x|x]) :- maplist(x, [1]), m:x(1), X = - , y, \\+y.\n"
	c := start(t, map[string]string{"a.pl": text})
	c.open("a.pl", text)
	taken := 0
	for _, at := range []string{"x(1)", "run(G)", "y, \\+"} {
		for _, name := range strings.Fields("go - --> :- dynamic is \\+ , ; ! [] {} | a.b Go _ table mod . " +
			"'a\\\\b' '' ? $ # 1") {
			now, refused := c.renameTo("a.pl", c.place("a.pl", at, 0), name)
			if refused == "" {
				taken++
				_, refused = c.renameTo("a.pl", now, at[:strings.IndexAny(at, "(,")])
				require.Empty(t, refused, name)
			}
			require.Equal(t, text, c.texts["a.pl"], name)
		}
	}
	require.Greater(t, taken, 40)
}
