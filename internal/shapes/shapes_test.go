package shapes_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// read returns the term that a text is.
func read(t *testing.T, text string) term.Term {
	t.Helper()
	s, err := engine.New(nil).Once(t.Context(), "X = ("+text+")", nil)
	require.NoError(t, err, text)
	return s.Get("X")
}

func TestNameArity(t *testing.T) {
	for text, want := range map[string]string{
		"p/2": "p 2 false", "p//1": "p 3 true", "'//'/2": "// 2 false", "p/(-1)": "", "p//(-1)": "",
		"p/N": "", "N/2": "", "p/2.0": "", "\"p\"/2": "", "p": "", "m:p/2": "",
	} {
		name, arity, grammar, ok := shapes.NameArity(read(t, text))
		got := ""
		if ok {
			got = fmt.Sprintf("%s %d %t", name, arity, grammar)
		}
		require.Equal(t, want, got, text)
	}
}

func TestControl(t *testing.T) {
	for text, want := range map[string]struct {
		control, junction bool
		goals             int
	}{
		"a, b": {true, true, 2}, "a ; b": {true, true, 2}, "a -> b": {true, true, 2}, "a *-> b": {true, true, 2},
		"'|'(a, b)": {true, true, 2}, "\\+ a": {true, false, 1},
		"a": {}, "call(a, b)": {}, "','(a, b, c)": {}, "forall(a, b)": {}, "(a :- b)": {}, "G": {}, "\"a, b\"": {},
	} {
		goals, ok := shapes.Control(read(t, text))
		require.Equal(t, want.control, ok, text)
		require.Len(t, goals, want.goals, text)
		_, ok = shapes.Junction(read(t, text))
		require.Equal(t, want.junction, ok, text)
	}
}

// TestSubsumes compares generated pairs of terms without variables in common with subsumes_term/2.
func TestSubsumes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var build func(depth int, variables string) string
	build = func(depth int, variables string) string {
		switch n := random.IntN(8); {
		case n < 2 && depth > 0:
			return "f(" + build(depth-1, variables) + "," + build(depth-1, variables) + ")"
		case n == 2 && depth > 0:
			return "g(" + build(depth-1, variables) + ")"
		case n < 6:
			return variables[random.IntN(len(variables)):][:1]
		}
		return []string{"a", "1", "1.0", "\"a\""}[random.IntN(4)]
	}
	program := engine.New(nil)
	counts := map[bool]int{}
	for range 2000 {
		text := build(3, "XYZ") + " - " + build(3, "UVW")
		s, err := program.Once(t.Context(), "P = "+text+", P = G-S, ( subsumes_term(G, S) -> R = yes ; R = no )", nil)
		require.NoError(t, err, text)
		pair := s.Get("P").(*term.Compound)
		want := s.Text("R") == "yes"
		require.Equal(t, want, shapes.Subsumes(pair.Args[0], pair.Args[1], 0), text)
		require.Equal(t, want, shapes.Subsumes(pair.Args[0], pair.Args[1], 100), text)
		counts[want]++
	}
	require.Greater(t, counts[true], 100)
	require.Greater(t, counts[false], 100)
	require.False(t, shapes.Subsumes(read(t, "f(X,Y,Z)"), read(t, "f(a,b,c)"), 2))
}
