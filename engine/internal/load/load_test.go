package load

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// read reads a term with its variables.
func read(t *testing.T, text string) *syntax.Read {
	r, err := syntax.ParseTerm(text, nil, nil)
	require.NoError(t, err, text)
	return r
}

// TestIsMarked checks which names of variables declare a single occurrence: an underscore and a capital, or two
// underscores.
func TestIsMarked(t *testing.T) {
	for name, want := range map[string]bool{"_X": true, "__x": true, "__": true, "_x": false, "X": false, "_": false,
		"_1": false, "_Été": true, "_xY": false} {
		require.Equal(t, want, isMarked(name), name)
	}
}

// TestCallVars checks that call/1 is put around variables in goal position, as in ISO 13211-1, 7.6.2, and nowhere else.
func TestCallVars(t *testing.T) {
	for text, want := range map[string]string{
		"X":                      "call(X)",
		"a, X":                   "a,call(X)",
		"( X -> Y ; Z )":         "call(X)->call(Y);call(Z)",
		"p(X), findall(Y, X, Z)": "p(X),findall(Y,X,Z)",
		"\\+ X":                  "\\+X",
		"\\+ (X, a)":             "\\+ (call(X),a)",
		"m:X":                    "m:X",
		"m:(X, a)":               "m:(call(X),a)",
	} {
		was := read(t, text)
		got := callVars(was.Term)
		require.True(t, isVariant(read(t, want).Term, got), "%s: %s", text, syntax.FormatTerm(got))
		require.Equal(t, !hasOddGoal(was.Term), got == was.Term, text)
	}
	empty := &term.Compound{Functor: "f"}
	require.Equal(t, term.Term(term.Atom("f")), callVars(empty))
	cut := &term.Compound{Functor: "!"}
	require.Equal(t, term.Term(cut), callVars(cut))
}

// isVariant reports whether two terms are the same up to the names of their variables.
func isVariant(t, u term.Term) bool {
	names := map[*term.Var]*term.Var{}
	var same func(t, u term.Term) bool
	same = func(t, u term.Term) bool {
		v, isVar := t.(*term.Var)
		w, alsoVar := u.(*term.Var)
		if isVar && alsoVar {
			if names[v] == nil {
				names[v] = w
			}
			return names[v] == w
		}
		c, isCompound := t.(*term.Compound)
		d, alsoCompound := u.(*term.Compound)
		if !isCompound || !alsoCompound || c.Functor != d.Functor || len(c.Args) != len(d.Args) {
			return !isVar && !alsoVar && term.Equal(t, u)
		}
		for i := range c.Args {
			if !same(c.Args[i], d.Args[i]) {
				return false
			}
		}
		return true
	}
	return same(t, u)
}

// TestOnOnePath checks the largest number of occurrences of a variable on one path through a term.
func TestOnOnePath(t *testing.T) {
	for text, want := range map[string]int{"p(X, X)": 2, "( p(X) ; q(X) )": 1, "p(X), ( q(X) ; r )": 2,
		"( p(X), q(X) ; r(X) )": 2, "( p(X) -> q(X) ; r(X) )": 2, "[X, f(X, X)]": 3} {
		r := read(t, text)
		require.Equal(t, want, onOnePath(r.Term, r.Vars[0].Var, 0), text)
	}
}

// TestBranchesOf checks that disjunctions and negations are split, and no other terms.
func TestBranchesOf(t *testing.T) {
	for text, want := range map[string]int{"( a ; b ; c )": 3, "( a -> b ; c )": 2, "\\+ (a ; b)": 1, "a, b": 0, "a": 0,
		"( a -> b )": 0, "( a | b )": 2} {
		require.Len(t, branchesOf(read(t, text).Term), want, text)
	}
	require.Len(t, sequence(read(t, "a, ( b -> c ), ( d ; e ), \\+ f").Term), 5)
}
