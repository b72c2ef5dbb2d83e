package lsp

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// editPieces are what the files of a folder are made of; # is a number, @ a file.
var editPieces = strings.Split(`p#(X) :- q#(X).
p#(a). p#(b). p#(#).
p#(X, Y) :- q#(X), p#(Y), X \== Y.
q#(X) :- p1(X) ; p#(X).
q#(1).
r#(X) :- nowhere#(X).
r#(X, Y) :- q#(X).
r#(X) :- m#:p#(X).
:- module(m#, [p#/1]).
:- module(m#, [q#/1, op(700, xfx, like)]).
:- use_module(@).
:- use_module(@, [p#/1]).
:- use_module(library(lists)).
:- ensure_loaded(@).
:- op(700, xfx, like).
:- op(0, xfx, like).
:- op(200, xfy, like).
like# :- a like b.
a like #.
:- dynamic p#/1.
:- dynamic(q#/1).
:- discontiguous p#/1.
:- multifile q#/1.
:- table q#/1.
:- initialization(p#(nobody)).
:- p#(1).
:- set_prolog_flag(double_quotes, codes).
s# :- X = "text", q#(X).
term_expansion(q#(X), p#(X)).
goal_expansion(q#(X), p#(X)).
user:term_expansion(r#(X), [p#(X), q#(X)]).
t# --> "a", t#.
t# --> [].
tools([p#/1]).
:- mode(p#(+atom), one).
:- info(p#/1, [comment is 'Says #.', argnames is ['X']]).
wrong(#.
open# :- 'no end
:- if(current_predicate(p#/1)).
:- else.
:- endif.
u# :- X is #, \+ q#(Y), X = Y + 1.
% a line`, "\n")

func editPiece(random *rand.Rand) string {
	piece := editPieces[random.IntN(len(editPieces))]
	piece = strings.ReplaceAll(piece, "@", string(rune('a'+random.IntN(4))))
	return strings.ReplaceAll(piece, "#", fmt.Sprint(random.IntN(3)))
}

// editLines puts a line into a text, or takes one out.
func editLines(random *rand.Rand, lines []string) []string {
	at := random.IntN(len(lines) + 1)
	if at < len(lines) && (len(lines) > 8 || random.IntN(3) == 0) {
		return slices.Delete(slices.Clone(lines), at, at+1)
	}
	return slices.Insert(slices.Clone(lines), at, editPiece(random))
}

func textOf(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// checked returns the diagnostics of a load from the beginning, by file.
func checked(t *testing.T, dir string, texts map[string]string) map[string][]string {
	snapshot, err := (&kb.Options{Lint: true, Directives: engine.Limits{Time: directiveTime}}).Drafts([]string{dir}).
		Load(t.Context(), texts)
	report := snapshot.Report(err)
	found := map[string][]string{}
	for i := range report {
		d := &report[i]
		name := filepath.Base(d.File)
		text := texts[filepath.Join(dir, name)]
		found[name] = append(found[name], shownAs(diagnosticOf(d, text, indexLines(text))))
	}
	return found
}

func shownAs(d diagnostic) string {
	at := d.Range.Start
	return fmt.Sprintf("%d:%d %d %s %s", at.Line+1, at.Character+1, d.Severity, d.Code, d.Message)
}

func allShown(list []diagnostic) (lines []string) {
	for _, d := range list {
		lines = append(lines, shownAs(d))
	}
	return lines
}

// settled reports whether the editor shows what a load from the beginning finds. While a text has a syntax error,
// predicates count as defined whose clauses stand behind it, in any module.
func settled(shown, want []string, broken bool) bool {
	if broken {
		want = slices.DeleteFunc(slices.Clone(want), func(line string) bool {
			return strings.Fields(line)[2] == "undefined" && !slices.Contains(shown, line)
		})
	}
	return slices.Equal(shown, want)
}

// TestRandomEdits edits the texts of a folder at random. After each edit the editor gets the diagnostics of a load from
// the beginning.
func TestRandomEdits(t *testing.T) {
	t.Parallel()
	for seed := range deep.Count(2, 6) {
		random := rand.New(rand.NewPCG(uint64(seed), 14))
		files := map[string]string{"a.pl": "p1(1).\n", "b.pl": "q1(1).\n", "c.pl": "", "d.pl": ""}
		c := start(t, files)
		lines, texts := map[string][]string{}, map[string]string{}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			lines[name] = strings.Split(strings.TrimSuffix(files[name], "\n"), "\n")
			c.open(name, textOf(lines[name]))
			texts[filepath.Join(c.dir, name)] = textOf(lines[name])
		}
		for step := range 40 {
			for range 1 + random.IntN(3) {
				name := string(rune('a'+random.IntN(4))) + ".pl"
				lines[name] = editLines(random, lines[name])
				c.replace(name, textOf(lines[name]))
				texts[filepath.Join(c.dir, name)] = c.texts[name]
			}
			want := checked(t, c.dir, texts)
			broken := strings.Contains(fmt.Sprint(want), " syntax ")
			for name := range files {
				c.settle(name, want[name], broken, fmt.Sprintf("seed %d step %d", seed, step))
			}
		}
	}
}

// settle waits until the editor shows for a text what a load from the beginning finds.
func (c *client) settle(name string, want []string, broken bool, where string) {
	for began := time.Now(); !settled(allShown(c.published[name].Diagnostics), want, broken); {
		if time.Since(began) > 2*time.Minute {
			require.Equal(c.t, want, allShown(c.published[name].Diagnostics), "%s %s:\n%s", where, name, c.texts[name])
		}
		var none any
		c.call("textDocument/foldingRange", map[string]any{"textDocument": documentID{URI: c.uri(name)}}, &none)
		time.Sleep(5 * time.Millisecond)
	}
}

// replace sends the part of a text that differs from a new one.
func (c *client) replace(name, text string) {
	old := c.texts[name]
	from, last := 0, 0
	for from < min(len(old), len(text)) && old[from] == text[from] {
		from++
	}
	for last < min(len(old), len(text))-from && old[len(old)-1-last] == text[len(text)-1-last] {
		last++
	}
	c.texts[name] = text
	at := indexLines(old).span(old, from, len(old)-last)
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri(name), "version": 2},
		"contentChanges": []any{map[string]any{"range": at, "text": text[from : len(text)-last]}}})
}

// TestRandomAlone loads texts of random folders alone. What is shown of them at once is what a load of the folder says
// of the text itself, and no predicate is shown as undefined that another text defines. Some undefined ones show later:
// the index of the folder takes what stands behind a syntax error for defined.
func TestRandomAlone(t *testing.T) {
	t.Parallel()
	folders, known := deep.Count(100, 400), 0
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	// Files that load each other, predicates that call each other across files, and texts that expand others.
	seeds := []int{643, 880, 1107, 1214, 1469, 1759, 1831, 1894, 1942, 2501, 2540, 2672}
	for seed := range folders {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		random := rand.New(rand.NewPCG(uint64(seed), 17))
		texts, all := map[string]string{}, ""
		for _, name := range []string{"a.pl", "b.pl", "c.pl", "d.pl"} {
			var lines []string
			for range random.IntN(8) {
				lines = editLines(random, lines)
			}
			path := filepath.Join(dir, name)
			texts[path] = textOf(lines)
			all += "--- " + name + "\n" + texts[path]
			require.NoError(t, os.WriteFile(path, []byte(texts[path]), 0o666))
		}
		s := &server{ctx: context.Background(), out: io.Discard, docs: map[string]*document{}, space: newWorkspace()}
		s.loads = newLoader(s)
		s.addRoot(dir)
		s.space.list(dir, func() bool { return false })
		path := filepath.Join(dir, string(rune('a'+random.IntN(4)))+".pl")
		d := &document{path: path}
		d.set(texts[path])
		s.docs[path] = d
		b := s.loads.base(dir)
		report, ok := s.loads.alone(t.Context(), b, path, d.text)
		if !ok {
			continue
		}
		s.foundAlone(b, path, d.text, report)
		found := checked(t, dir, texts)
		if listed := fmt.Sprint(found); strings.Contains(listed, " redefined ") || strings.Contains(listed, " export ") ||
			strings.Contains(all, "\n:- module") && !strings.Contains(all, ".pl\n:- module") {
			continue // what counts depends on who loads whom first
		}
		known++
		var got, want []string
		for _, one := range d.diagnostics {
			if one.Code != "undefined" {
				got = append(got, shownAs(one))
			} else if !strings.Contains(fmt.Sprint(found), " undefined "+undefinedIn(one.Message)+" ") {
				t.Errorf("seed %d %s:\n%s\ngot %s", seed, filepath.Base(path), all, shownAs(one))
			}
		}
		broken := false // what stands behind a syntax error is known to the index
		for name, lines := range found {
			broken = broken || name != filepath.Base(path) && strings.Contains(fmt.Sprint(lines), " syntax ")
		}
		for _, line := range found[filepath.Base(path)] {
			code := strings.Fields(line)[2]
			unknown := strings.Contains(line, " calls itself through ") || strings.Contains(d.text, ":- if(") ||
				broken && code == "syntax"
			if code != "undefined" && slices.Contains(ownCodes, code) && (!unknown || slices.Contains(got, line)) {
				want = append(want, line)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("seed %d %s:\n%s\n got %s\nwant %s", seed, filepath.Base(path), all, strings.Join(got, "\n     "),
				strings.Join(want, "\n     "))
		}
	}
	require.Greater(t, known, folders/3)
}

// TestPlaceInFact warns of an argument of a fact at the argument, also when only another text has changed.
func TestPlaceInFact(t *testing.T) {
	t.Parallel()
	facts := "tools([p/1]).\n:- mode(p(+integer), one).\np(1).\np(seven).\n"
	c := start(t, map[string]string{"a.pl": facts, "b.pl": ""})
	c.open("a.pl", facts)
	c.open("b.pl", "")
	for _, text := range []string{"q :- nowhere.\n", "r :- q(1).\n", "s(1) :- r.\n"} {
		c.replace("b.pl", text)
		want := checked(t, c.dir, map[string]string{filepath.Join(c.dir, "a.pl"): facts, filepath.Join(c.dir, "b.pl"): text})
		require.Contains(t, strings.Join(want["a.pl"], "\n"), "4:3 ")
		c.settle("b.pl", want["b.pl"], false, text)
		c.settle("a.pl", want["a.pl"], false, text)
	}
}
