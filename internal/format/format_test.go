package format

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
)

func formatted(t *testing.T, text string) string {
	t.Helper()
	got, errs := Source("test.pl", text, nil)
	require.Empty(t, errs)
	return got
}

func TestStyle(t *testing.T) {
	files, err := filepath.Glob("testdata/*.in")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		in, err := os.ReadFile(file)
		require.NoError(t, err)
		want, err := os.ReadFile(strings.TrimSuffix(file, ".in") + ".out")
		require.NoError(t, err)
		require.Equal(t, string(want), formatted(t, string(in)), file)
		require.Equal(t, string(want), formatted(t, string(want)), file)
	}
}

func TestLineEndsAndMarks(t *testing.T) {
	require.Equal(t, "a :-\r\n    b.\r\n", formatted(t, "a:-\r\nb.\r\n"))
	require.Equal(t, "\uFEFFa.\n", formatted(t, "\uFEFFa."))
	require.Equal(t, "#!/usr/bin/swipl\n\na.\n", formatted(t, "#!/usr/bin/swipl\n\n  a ."))
	require.Equal(t, "a.\nend_of_file.\n  b ( } ", formatted(t, "a.   end_of_file.\n  b ( } "))
	require.Empty(t, formatted(t, ""))
	require.Equal(t, "% only a comment\n", formatted(t, "% only a comment"))
}

func TestOperators(t *testing.T) {
	require.Equal(t, ":- op(700, xfx, ===>).\na ===> b.\n", formatted(t, ":- op(700,xfx,===>).\na   ===>b."))
	require.Equal(t, ":- use_module(library(clpfd)).\na(X) :- X #= 1.\n",
		formatted(t, ":- use_module(library(clpfd)).\na(X):-X#=1."))
	require.Equal(t, "X = a - -1.\n", formatted(t, "X=a- -1."))
	require.Equal(t, "X = - (1).\n", formatted(t, "X = - (1)."))
	require.Equal(t, "X = + .\n", formatted(t, "X  =  + ."))
	require.Equal(t, "X = (a, b), [c|D].\n", formatted(t, "X=(a ,b),[ c | D ]."))
}

func TestErrors(t *testing.T) {
	for text, code := range map[string]string{
		"a :- b c.\nd.\n": "syntax", "a.\x00": "encoding", "a.\n\xff\xfe": "encoding", "a(": "syntax", "/* open": "syntax",
		strings.Repeat("a. ", MaxBytes/3+1): "path",
	} {
		got, errs := Source("test.pl", text, nil)
		require.Equal(t, len(text), len(got))
		require.NotEmpty(t, errs)
		require.Equal(t, code, errs[0].Code)
	}
	_, errs := Source("test.pl", "a.\n\xff", nil)
	require.Equal(t, 2, errs[0].At.Line)
}

// TestDeep has texts that would take for ever, or the stack, if brackets or lines were walked carelessly.
func TestDeep(t *testing.T) {
	const n = 50_000
	for _, text := range []string{
		strings.Repeat("f(", n) + "x" + strings.Repeat(")", n) + ".\n",
		strings.Repeat("[", n) + "x" + strings.Repeat("]", n) + ".\n",
		"x = " + strings.Repeat("- ", n) + "1.\n",
		"a :- " + strings.Repeat("b,  ", n) + "c.\n",
		strings.Repeat("a.  % x  ", 1) + strings.Repeat(" ", n) + "\n",
		"x(" + strings.Repeat("a,  /* c */", n) + "b).\n",
		"a :- " + strings.Repeat("b;c->", n) + "d.",
	} {
		formatted(t, text)
	}
}

// texts returns the programs of the repository.
func texts(t *testing.T) map[string]string {
	found := map[string]string{}
	for _, folder := range []string{"engine/internal/lib", "examples", "testdata", "kb", "bridge"} {
		root := "../../" + folder
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if ext := filepath.Ext(path); err == nil && (ext == ".pl" || ext == ".plt") {
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				found[path] = string(text)
			}
			return err
		})
		require.NoError(t, err)
	}
	require.Greater(t, len(found), 60)
	return found
}

// terms returns the terms of a text and its comments, written out.
func terms(text string) (list []string) {
	at := 0
	for _, c := range source.Read("test.pl", text, nil).Clauses {
		for _, g := range gapOf(text, at, c.Start).comments {
			list = append(list, g.text)
		}
		at = c.End
		if c.Err != nil {
			continue
		}
		list = append(list, engine.FormatTerm(c.Term))
		for i, tok := range c.Tokens {
			if i > 0 {
				for _, g := range gapOf(text, c.Tokens[i-1].End, tok.Start).comments {
					list = append(list, g.text)
				}
			}
		}
	}
	for i := range list { // the numbers of variables differ from reading to reading
		list[i] = strings.Map(func(r rune) rune {
			if '0' <= r && r <= '9' {
				return -1
			}
			return r
		}, list[i])
	}
	return list
}

// requireKept checks that a text is formatted, that the result has the same terms, and that formatting it again changes
// nothing.
func requireKept(t *testing.T, name, text string) {
	t.Helper()
	got, errs := Source(name, text, nil)
	if len(errs) > 0 {
		require.Equal(t, text, got, name)
		return
	}
	require.Equal(t, terms(text), terms(got), name)
	again, errs := Source(name, got, nil)
	require.Empty(t, errs, name)
	require.Equal(t, got, again, name)
}

func TestKeepsTerms(t *testing.T) {
	for name, text := range texts(t) {
		requireKept(t, name, text)
	}
}

// TestKeepsTermsOfShuffledTexts puts other white space and comments between the tokens of clauses.
func TestKeepsTermsOfShuffledTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	var clauses []string
	for _, text := range texts(t) {
		for _, c := range source.Read("test.pl", text, nil).Clauses {
			if c.Err == nil && len(c.Tokens) < 300 {
				clauses = append(clauses, shuffled(r, text, &c))
			}
		}
	}
	n := 2000
	if testing.Short() {
		n = 200
	}
	for range n {
		var text strings.Builder
		for range 1 + r.IntN(5) {
			text.WriteString(clauses[r.IntN(len(clauses))])
			text.WriteString([]string{"\n", "  ", "\n\n\n\n", " % end\n", "\n% about\n\n"}[r.IntN(5)])
		}
		requireKept(t, "shuffled", text.String())
	}
}

var gaps = []string{" ", " ", " ", "  ", "\n", "\n   ", "\n\n", " % note\n", " /* x */ ", "\n  % line\n", "\t", "\n\t",
	"\t\t% \tnote\n", "\n \t/* x\n\t y */\t"}

// shuffled returns a clause with other gaps between its tokens, where there may be some.
func shuffled(r *rand.Rand, text string, c *source.Clause) string {
	var b strings.Builder
	for i, tok := range c.Tokens {
		if i > 0 {
			had := c.Tokens[i-1].End < tok.Start
			punctuation := tok.Kind == source.KindComma || c.Tokens[i-1].Kind == source.KindComma
			if had || punctuation {
				b.WriteString(gaps[r.IntN(len(gaps))])
			}
		}
		b.WriteString(text[tok.Start:tok.End])
	}
	return b.String()
}

// TestTabs has columns where tabs lead, eight apart, and keeps the tabs of tokens and comments.
func TestTabs(t *testing.T) {
	require.Equal(t, ":- module(m,\n          [ a/1,        % one\n            bcdef/2     % two\n          ]).\n",
		formatted(t, ":- module(m,\n\t  [ a/1,\t% one\n\t    bcdef/2\t% two\n\t  ]).\n"))
	require.Equal(t, "price(tea,      1).     % a\tb\nprice(biscuit,  20).    % c\n",
		formatted(t, "price(tea,\t1).\t% a\tb\nprice(biscuit,\t20).\t% c\n"))
	require.Equal(t, "a('\t', 0'\t).\n", formatted(t, "a('\t',\t0'\t).\n"))
	require.Equal(t, "a :-\n    b.\nend_of_file.\n\tx", formatted(t, "a :-\n\tb.\nend_of_file.\n\tx"))
}

// TestKept has what the author decides: the blank behind a sign, closing brackets of lists on lines of their own, and
// necks below each other.
func TestKept(t *testing.T) {
	for _, text := range []string{
		"a(X) :- X is - 0.0.\nb(- 1, -1).\n",
		"x([ a,\n    b\n  ]).\n",
		"x([a,\n   b]).\n",
		"p(X)     :- var(X).\np(f(X))  :- q(X).\np(g(_))  --> [].\n",
		"p(X),\n    X > 0 =>\n    q(X).\n",
		"a -->\n    {   b\n    ->  c\n    ;   d\n    },\n    { e,\n      f\n    }.\n",
	} {
		require.Equal(t, text, formatted(t, text))
	}
}

// TestBlockComments keeps the lines of a comment below each other.
func TestBlockComments(t *testing.T) {
	text := "a.\n\n\t\t /*****\n\t\t * B   *\n\t\t *****/\n\nb :-\n  /* one\n     two */\n  c.\n"
	require.Equal(t, strings.Replace(text, "  c.", "    c.", 1), formatted(t, text))
	require.Equal(t, "a.\n\n/* one line */\nb.\n", formatted(t, "a.\n\n  /* one line */\nb.\n"))
}
