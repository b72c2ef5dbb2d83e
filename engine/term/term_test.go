package term_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

var a, b, c = term.Atom("a"), term.Atom("b"), term.Atom("c")

func TestChains(t *testing.T) {
	for text, got := range map[string]term.Term{
		"true":    term.Conjunction(),
		"a":       term.Conjunction(a),
		"a,b,c":   term.Conjunction(a, b, c),
		"{}":      term.Curlies(),
		"{a}":     term.Curlies(a),
		"{a,b}":   term.Curlies(a, b),
		"[]":      term.List(),
		"[a,b]":   term.List(a, b),
		"[a,b|c]": term.PartialList(c, a, b),
	} {
		require.Equal(t, text, engine.FormatTerm(got))
	}
}

func TestSlice(t *testing.T) {
	items, ok := term.Slice(term.List(a, b))
	require.True(t, ok)
	require.Equal(t, []term.Term{a, b}, items)
	endless := term.PartialList(nil, a).(*term.Compound)
	endless.Args[1] = term.PartialList(endless, b)
	for _, x := range []term.Term{a, term.PartialList(c, a), term.PartialList(term.NewVar("T"), a), endless} {
		_, ok := term.Slice(x)
		require.False(t, ok)
	}
}

func TestParts(t *testing.T) {
	x := term.New("f", term.New("g", a), a, b)
	var texts []string
	for part := range term.Parts(x) {
		texts = append(texts, engine.FormatTerm(part))
	}
	require.Equal(t, "f(g(a),a,b)", texts[0])
	slices.Sort(texts)
	require.Equal(t, []string{"a", "a", "b", "f(g(a),a,b)", "g(a)"}, texts)
	for range term.Parts(x) {
		break // a walk may end early
	}
}

func TestVariables(t *testing.T) {
	x, y := term.NewVar("X"), term.NewVar("Y")
	loop := term.New("f", y, x, y, a).(*term.Compound)
	loop.Args[3] = loop
	require.Equal(t, []*term.Var{y, x}, term.Variables(loop))
	renamed := term.Rename(loop, map[*term.Var]term.Term{y: b}).(*term.Compound)
	require.Equal(t, []term.Term{b, x, b}, renamed.Args[:3])
	require.Same(t, renamed, renamed.Args[3])
	require.Same(t, y, loop.Args[0], "the term itself stays")
}

func TestSubsumes(t *testing.T) {
	x, y := term.NewVar("X"), term.NewVar("Y")
	f := func(args ...term.Term) term.Term { return term.New("f", args...) }
	a, one := term.Atom("a"), term.Int(1)
	for _, c := range []struct {
		general, special term.Term
		want             bool
	}{
		{x, f(a), true}, {f(x, y), f(a, one), true}, {f(x, x), f(a, a), true}, {f(x, x), f(a, one), false},
		{f(x, x), f(y, y), true}, {f(a), f(x), false}, {f(a), f(a), true}, {f(one), f(term.Float(1)), false},
		{f(x), f(a, a), false}, {a, one, false}, {f(x), term.New("g", a), false}, {f(x), a, false},
	} {
		require.Equal(t, c.want, shapes.Subsumes(c.general, c.special, 0), "%v %v", c.general, c.special)
		require.Equal(t, c.want, shapes.Subsumes(c.general, c.special, 10), "%v %v", c.general, c.special)
	}
	require.False(t, shapes.Subsumes(term.List(a, a, a), term.List(a, a, a), 3))
	require.True(t, shapes.Subsumes(term.List(a, a, a), term.List(a, a, a), 7))
}

func TestNameArity(t *testing.T) {
	for text, want := range map[string]string{"foo/2": "foo 2 false true", "foo//2": "foo 4 true true",
		"foo/0": "foo 0 false true",
		"foo":   " 0 false false", "foo / a": "foo 0 false false", "1/2": " 2 false false", "foo/(-1)": "foo -1 false false",
		"'/'(a)": " 0 false false", "m:foo/2": " 0 false false"} {
		read, err := engine.ParseTerm(text)
		require.NoError(t, err)
		name, arity, grammar, ok := shapes.NameArity(read)
		require.Equal(t, want, fmt.Sprint(string(name), " ", arity, grammar, ok), text)
	}
}
