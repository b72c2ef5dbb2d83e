package format

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/source"
)

// foreignRoots are where packages of other systems have their sources.
var foreignRoots = []string{"/usr/lib/swi-prolog", "/usr/share/doc/gprolog-doc"}

// TestForeign formats the sources of other systems. A formatted text has the same terms and comments, nearly all
// comments that stand below each other stay so, and formatting it again changes nothing. SWI-Prolog reads the same
// terms.
func TestForeign(t *testing.T) {
	dir, files, together, apart := t.TempDir(), 0, 0, 0
	var pairs strings.Builder
	for _, root := range foreignRoots {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".pl" || !d.Type().IsRegular() {
				return nil
			}
			if files++; testing.Short() && files%10 > 0 {
				return nil
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			requireKept(t, path, string(text))
			got, errs := Source(path, string(text), nil)
			if len(errs) > 0 {
				return nil // such as operators of another file
			}
			before, after := besides(string(text)), besides(got)
			require.Len(t, after, len(before), path)
			for i := 1; i < len(before); i++ {
				switch {
				case !before[i].below(before[i-1]):
				case after[i].below(after[i-1]):
					together++
				default:
					apart++
				}
			}
			copied := filepath.Join(dir, fmt.Sprintf("%d.pl", files))
			require.NoError(t, os.WriteFile(copied, []byte(got), 0o600))
			fmt.Fprintf(&pairs, "pair('%s', '%s').\n", path, copied)
			return nil
		})
	}
	if files == 0 {
		t.Skip("no other Prolog system is installed")
	}
	require.Less(t, apart*20, together, "%d of %d comments are no longer below the one before", apart, together)
	program := filepath.Join(dir, "program.pl")
	require.NoError(t, os.WriteFile(program, []byte(pairs.String()+sameTerms), 0o600))
	out, err := exec.Command("swipl", "-g", "main", "-t", "halt", program).Output()
	if err != nil {
		t.Skip("swipl: ", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, lines, strings.Count(pairs.String(), "\n"))
	for _, line := range lines {
		require.Regexp(t, "^same [0-9]", line)
	}
}

// sameTerms prints a line for each pair of files: same and the number of their terms, or how they differ.
const sameTerms = `
:- use_module(library(prolog_source)).
main :-
    forall(pair(A, B),
           ( terms(A, X), terms(B, Y), length(X, N),
             ( X =@= Y -> format("same ~w ~w~n", [N, A]) ; format("other terms in ~w~n", [A]) ) )).
terms(File, Terms) :-
    setup_call_cleanup(prolog_open_source(File, In), terms_of(In, Terms), prolog_close_source(In)).
terms_of(In, Terms) :-
    catch(prolog_read_source_term(In, T, _, [syntax_errors(error)]), error(E, _), T = '$error'(E)),
    ( T == end_of_file -> Terms = [] ; T = '$error'(_) -> Terms = [T] ; Terms = [T|More], terms_of(In, More) ).
`

// besideCode is a comment that stands behind code: its line and column, from 1. Both are 0 for another comment.
type besideCode struct{ line, column int }

// below reports whether a comment stands below another one, in the same column of the next line.
func (c besideCode) below(o besideCode) bool {
	return o.line > 0 && c == besideCode{o.line + 1, o.column}
}

// besides returns the comments of a text that begin with %. Tabs lead to columns eight apart.
func besides(text string) (list []besideCode) {
	at := 0
	gap := func(to int) {
		for from := at; from < to; {
			n := strings.IndexByte(text[from:to], '%')
			if n < 0 {
				return
			}
			var c besideCode
			if begin := strings.LastIndexByte(text[:from+n], '\n') + 1; strings.TrimSpace(text[begin:from+n]) != "" {
				c.line, c.column = 1+strings.Count(text[:begin], "\n"), 1
				for _, r := range text[begin : from+n] {
					if c.column++; r == '\t' {
						c.column = (c.column-2)/8*8 + 9
					}
				}
			}
			list = append(list, c)
			from += n + strings.IndexByte(text[from+n:]+"\n", '\n')
		}
	}
	for _, c := range source.Read("", text, nil).Clauses {
		for _, tok := range c.Tokens {
			gap(tok.Start)
			at = tok.End
		}
	}
	gap(len(text))
	return list
}
