package kb_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

var update = flag.Bool("update", false, "rewrite what testdata expects; read the difference")

// unpack writes all files of an archive except the last into a folder, and returns the last.
func unpack(t *testing.T, archive *txtar.Archive) (dir, want string) {
	dir = t.TempDir()
	last := len(archive.Files) - 1
	for _, f := range archive.Files[:last] {
		save(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	return dir, string(archive.Files[last].Data)
}

func save(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}

// TestDiagnostics loads each archive of testdata/check and compares what is reported.
func TestDiagnostics(t *testing.T) {
	files, err := filepath.Glob("testdata/check/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			dir, want := unpack(t, archive)
			snapshot, err := kb.Load(t.Context(), []string{dir}, nil)
			report := snapshot.Report(err)
			require.Equal(t, len(report.Errors()) == 0, snapshot != nil)
			got := lines(dir, report)
			if *update && got != want {
				archive.Files[len(archive.Files)-1].Data = []byte(got)
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o666))
			}
			require.Equal(t, want, got)
		})
	}
}

// lines returns diagnostics without the source lines and the folder. Diagnostics of the same place are sorted.
func lines(dir string, report source.Diagnostics) string {
	type line struct{ place, text string }
	var all []line
	for _, d := range report {
		d.Source = ""
		all = append(all, line{d.Position.String(), strings.ReplaceAll(d.String(), filepath.ToSlash(dir)+"/", "") + "\n"})
	}
	slices.SortStableFunc(all, func(a, b line) int {
		if a.place != b.place {
			return 0
		}
		return strings.Compare(a.text, b.text)
	})
	var b strings.Builder
	for _, l := range all {
		b.WriteString(l.text)
	}
	return b.String()
}

func TestCaret(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, "a.pl"), "p(1).\ntools([tool('', p, 1, [description(x)])]).\n:- mode(p(+any), one).\n")
	loaded, err := kb.Load(t.Context(), []string{dir}, nil)
	report := loaded.Report(err)
	require.Equal(t, filepath.ToSlash(dir)+`/a.pl:2:8: error: tool name "": want 1 to 128 of A-Z a-z 0-9 _ . - [name]
    tools([tool('', p, 1, [description(x)])]).
           ^`, report.Errors()[0].String())
}

func TestPaths(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, "birds", "a.pl"), "p.")
	save(t, filepath.Join(dir, "empty", "a.txt"), "p.")
	save(t, filepath.Join(dir, "locked.pl"), "q.")
	for _, test := range []struct{ path, want string }{
		{"brids", "no such file or folder; did you mean " + filepath.Join(dir, "birds") + "?"},
		{"nothing/like/that", "no such file or folder"},
		{"empty", "there are no .pl files in this folder"},
	} {
		path := filepath.Join(dir, filepath.FromSlash(test.path))
		snapshot, err := kb.Load(t.Context(), []string{path, dir}, nil)
		report := snapshot.Report(err)
		require.Nil(t, snapshot)
		at := source.Position{File: path}
		want := source.Diagnostic{Position: at, Severity: source.SeverityError, Code: "path", Message: test.want}
		require.Equal(t, source.Diagnostics{want}, report)
	}
	if os.Getuid() != 0 {
		require.NoError(t, os.Chmod(filepath.Join(dir, "locked.pl"), 0))
		loaded, err := kb.Load(t.Context(), []string{dir}, nil)
		report := loaded.Report(err)
		require.Equal(t, "permission denied", report[0].Message)
	}
}

// TestNoRules checks that files whose names show that they are not rules are refused.
func TestNoRules(t *testing.T) {
	for name, refused := range map[string]bool{"README.md": true, "a.csv": true, "a.json": true, "a.pl": false,
		"a.plt": false, "a.prolog": false, "a": false} {
		path := filepath.Join(t.TempDir(), name)
		save(t, path, "p(1).\n")
		loaded, err := kb.Load(t.Context(), []string{path}, nil)
		report := loaded.Report(err)
		require.Equal(t, refused, strings.Contains(report.Error(), "this is no file of rules"), name)
	}
}

// TestOtherTexts checks that texts of other languages are reported once as perhaps no rules.
func TestOtherTexts(t *testing.T) {
	const python = "import os\n\ndef f(x):\n    return x + 1\n\nprint(f(1.5))\n"
	for name, texts := range map[string]map[string]int{
		"conv.py":      {python: 1, "p(1).\n" + python: 0, "p(1).\n": 0, ":- use_module(library(lists)).\np(.\n": 0, "": 0},
		"run":          {"#!/bin/sh\necho one two\n": 1, "p(1).\n": 0},
		"rules.pl":     {python: 0},
		"rules.prolog": {python: 0},
		"rules.plt":    {python: 0},
		"a.tmp":        {"\x7fELF\x02\x01\x00\x00": 1, "[1, 2": 1},
	} {
		for text, want := range texts {
			path := filepath.Join(t.TempDir(), name)
			save(t, path, text)
			loaded, err := kb.Load(t.Context(), []string{path}, nil)
			report := loaded.Report(err)
			require.Equal(t, want, strings.Count(report.Error(), "this is perhaps no file of rules"), "%s: %s", name, report)
			if want == 1 {
				require.Regexp(t, `:[12]:\d+: error: this is perhaps`, report.Error(), "the place stays")
			}
		}
	}
}

// TestOnce gives one file by several paths; it is loaded once.
func TestOnce(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, "a.pl"), "p.\n")
	require.NoError(t, os.Symlink("a.pl", filepath.Join(dir, "b.pl")))
	require.NoError(t, os.Symlink(".", filepath.Join(dir, "loop")))
	s, err := kb.Load(t.Context(), []string{dir, filepath.Join(dir, "loop", "a.pl"), dir + "/./a.pl"}, nil)
	report := s.Report(err)
	require.Empty(t, report)
	require.Equal(t, []string{filepath.Join(dir, "a.pl")}, s.Files)
}

// TestEncoding loads texts with unusual bytes.
func TestEncoding(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"\xef\xbb\xbfp(1).\r\nq(é).\r\n", ""},
		{"p(1). % \xe9\nq('\xff').\n", "a.pl:2:3: error: the byte 0xFF is not UTF-8: the text seems to be in another " +
			"encoding, such as Latin-1; texts are read as UTF-8, so save it as UTF-8 (column 4) [syntax]\n"},
		{"\xff\xfep\x00.\x00", "a.pl:1:1: error: the text is UTF-16; texts are read as UTF-8, so save it as UTF-8 " +
			"[syntax]\n"},
		{"", ""},
		{"p(1)", "a.pl:1:5: error: unexpected end of file: the clause is not closed by a full stop [syntax]\n"},
	} {
		dir := t.TempDir()
		save(t, filepath.Join(dir, "a.pl"), test.text)
		loaded, err := kb.Load(t.Context(), []string{dir}, nil)
		report := loaded.Report(err)
		require.Equal(t, test.want, lines(dir, report))
	}
}

// TestSnapshot checks the items of a snapshot that declarations make.
func TestSnapshot(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, "a.pl"), `
:- module(shop, []).
capabilities([elicitation]).
:- mode(price(+atom, ?atom, -number), zero_or_more).
:- mode(price(-atom, -atom, +number), one).
:- info(price/3, [
       comment is 'Looks up a price.',
       arguments is [product-'What', shop-"Where", price-'How much'],
       remarks is ['Currency'-'Euros'],
       examples is ['An apple' - price(apple, here, P) - {P = 0.4}]
   ]).
tools([
    tool(price, price, 3, [title('Prices'), read_only(true), destructive(false), timeout(1.5), limit(7)]),
    tool(cheap, price, 3, [mode(2), description("By price.")])
]).
input_schema(cheap, {type-object}).
output_schema(T, {type-object}) :- T = price.
tool_call(_, _, _, text(x)).
price(apple, here, 0.4).
prompts([prompt(p, 'Title', 'Text', [argument(a, 'A', true)])]).
prompt_get(p, _, messages([])).
resources([resource('x://a', a, 'A', 'text/plain')]).
resource_templates([resource_template('x://{b}', b, 'Title', 'B', 'text/plain')]).
resource_read(_, _, contents([])).
`)
	s, err := kb.Load(t.Context(), []string{dir}, nil)
	report := s.Report(err)
	require.Empty(t, report)
	shop := s.Providers[1]
	require.Equal(t, "shop", shop.Module)
	require.True(t, shop.Asks())
	require.True(t, shop.Defines("prompt_get", 3))
	require.False(t, s.Providers[0].Defines("prompt_get", 3))
	require.True(t, s.Capable("prompts") && s.Capable("elicitation") && !s.Capable("completions"))

	price := s.Tool("price")
	require.Equal(t, "Prices", price.Title)
	require.Equal(t, "Looks up a price.\n\nRemarks:\n- Currency: Euros\n\nExamples:\n- An apple: "+
		"{\"product\":\"apple\",\"shop\":\"here\"} -> {\"price\":0.4}", price.Description)
	require.True(t, price.All && *price.ReadOnly && !*price.Destructive && price.Idempotent == nil)
	require.Equal(t, "1.5s 7", price.Timeout.String()+" "+string(rune('0'+price.Limit)))
	require.Equal(t, kb.Argument{Name: "shop", Description: "Where", Position: 1, Mode: "?", Type: term.Atom("atom"),
		Examples: []term.Term{term.Atom("here")}}, price.Inputs()[1])
	require.Equal(t, []string{"shop", "price"}, names(price.Outputs()))
	require.NotNil(t, price.OutputSchema)

	cheap := s.Tool("cheap")
	require.Equal(t, []string{"price"}, names(cheap.Inputs()))
	require.False(t, cheap.All)
	require.Equal(t, "price|By price.", cheap.Title+"|"+cheap.Description)
	require.NotNil(t, cheap.InputSchema)
	require.Equal(t, 14, cheap.Place.Line)

	require.Equal(t, []kb.PromptArgument{{Name: "a", Description: "A", Required: true}}, s.Prompts[0].Arguments)
	require.Equal(t, "Title", s.Templates[0].Title)
	require.Equal(t, "x://a", s.Resources[0].URI)
}

func names(list []kb.Argument) []string {
	var names []string
	for _, a := range list {
		names = append(names, a.Name)
	}
	return names
}

// TestBeside loads a file that a user has named and that loads texts from outside its folder, and the same file as a
// part of a folder.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main/m.pl":    ":- use_module('../lib/a').\n:- include('../lib/c.pl').\nmain :- a, c.\n",
		"main/data.pl": ":- include('../secret.txt').\n",
		"lib/a.pl":     ":- module(a, [a/0]).\n:- use_module('../deep/b').\na :- b.\n",
		"lib/c.pl":     "c.\n",
		"deep/b.pl":    ":- module(b, [b/0]).\nb.\n",
		"secret.txt":   "secret.\n",
	} {
		save(t, filepath.Join(dir, name), text)
	}
	snapshot, err := kb.Load(t.Context(), []string{filepath.Join(dir, "main", "m.pl")}, nil)
	report := snapshot.Report(err)
	require.Empty(t, report)
	_, err = snapshot.Program.Once(t.Context(), "main", nil)
	require.NoError(t, err)
	for _, goal := range []string{"open('" + filepath.ToSlash(dir) + "/lib/a.pl', read, _)",
		"open('../lib/a.pl', read, _)", "consult('../deep/b.pl')"} {
		_, err = snapshot.Program.Once(t.Context(), goal, nil)
		require.Error(t, err, goal)
	}
	snapshot, err = kb.Load(t.Context(), []string{filepath.Join(dir, "main")}, nil)
	report = snapshot.Report(err)
	require.Contains(t, report.Error(), "cannot be read: permission denied")
	snapshot, err = kb.Load(t.Context(), []string{filepath.Join(dir, "main", "data.pl")}, nil)
	report = snapshot.Report(err)
	require.Contains(t, report.Error(), "cannot be read: permission denied")
}
