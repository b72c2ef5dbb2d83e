package terms_test

import (
	"cmp"
	"math/rand"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/base"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/internal/terms"
	"github.com/mcplogic/mcplogic/engine/term"
)

// caller calls predicates of the package on terms, without a program around them.
type caller struct {
	t     *testing.T
	m     *machine.Machine
	preds map[string]machine.Func
}

func newCaller(t *testing.T) *caller {
	c := &caller{t: t, m: base.New().NewMachine(), preds: map[string]machine.Func{}}
	for _, b := range slices.Concat(terms.Types, terms.Comparison, terms.Construction, terms.Sorting, terms.Dicts) {
		c.preds[b.Name+"/"+strconv.Itoa(b.Arity)] = b.Func
	}
	return c
}

// call calls a predicate. Equal variables of the arguments are one.
func (c *caller) call(pred string, args ...term.Term) (out []term.Term, ok bool) {
	require.NotNil(c.t, c.preds[pred], pred)
	all := c.m.Import(&term.Compound{Functor: "args", Args: args})
	cells := make([]code.Cell, len(args))
	for i := range cells {
		cells[i] = c.m.Arg(all, i)
	}
	ok, err := c.preds[pred](c.m, cells)
	require.NoError(c.t, err, pred)
	for _, cell := range cells {
		out = append(out, c.m.Export(cell))
	}
	return out, ok
}

// random returns a term without variables.
func random(r *rand.Rand, depth int) term.Term {
	switch n := r.Intn(7); {
	case n == 0 || depth == 0:
		return term.Int(r.Intn(5) - 2)
	case n == 1:
		return term.Float(float64(r.Intn(9)-4) / 2)
	case n == 2:
		return []term.Atom{"a", "b", "é", "[]", "ab"}[r.Intn(5)]
	case n == 3:
		return term.String([]string{"a", "b", ""}[r.Intn(3)])
	case n == 4:
		return term.List(random(r, depth-1), random(r, depth-1))
	}
	args := make([]term.Term, 1+r.Intn(3))
	for i := range args {
		args[i] = random(r, depth-1)
	}
	return term.New([]term.Atom{"f", "g", "-"}[r.Intn(3)], args...)
}

// TestOrder compares and sorts random terms as package term compares them, which knows no cells.
func TestOrder(t *testing.T) {
	c, r := newCaller(t), rand.New(rand.NewSource(1))
	order := map[int]term.Atom{-1: "<", 0: "=", 1: ">"}
	for range 2000 {
		a, b := random(r, 3), random(r, 3)
		out, ok := c.call("compare/3", term.NewVar("O"), a, b)
		require.True(t, ok)
		require.Equal(t, order[cmp.Compare(term.Compare(a, b), 0)], out[0], "%s and %s", show(a), show(b))
	}
	for range 200 {
		list := make([]term.Term, r.Intn(40))
		for i := range list {
			list[i] = random(r, 2)
		}
		out, ok := c.call("msort/2", term.List(list...), term.NewVar("S"))
		require.True(t, ok)
		slices.SortStableFunc(list, term.Compare)
		require.Equal(t, show(term.List(list...)), show(out[1]))
		out, ok = c.call("sort/2", out[1], term.NewVar("S"))
		require.True(t, ok)
		distinct := slices.CompactFunc(list, func(a, b term.Term) bool { return term.Compare(a, b) == 0 })
		require.Equal(t, show(term.List(distinct...)), show(out[1]))
	}
}

func show(t term.Term) string { return syntax.FormatTerm(t) }

// TestVariants tells variants and instances apart. Hashes of variants are equal.
func TestVariants(t *testing.T) {
	c := newCaller(t)
	for _, test := range []struct {
		a, b              string
		variant, instance bool // b is an instance of a
	}{
		{"f(X, Y)", "f(A, B)", true, true},
		{"f(X, X)", "f(A, B)", false, false},
		{"f(X, Y)", "f(A, A)", false, true},
		{"f(X, a)", "f(Y, b)", false, false},
		{"[X|T]", "[1, 2]", false, true},
		{"f(X, Y, X)", "f(A, B, B)", false, false},
		{"1", "1.0", false, false},
	} {
		a, err := syntax.ParseTerm(test.a, nil, nil)
		require.NoError(t, err)
		b, err := syntax.ParseTerm(test.b, nil, nil)
		require.NoError(t, err)
		_, ok := c.call("=@=/2", a.Term, b.Term)
		require.Equal(t, test.variant, ok, "%s =@= %s", test.a, test.b)
		_, ok = c.call("subsumes_term/2", a.Term, b.Term)
		require.Equal(t, test.instance, ok, "subsumes_term(%s, %s)", test.a, test.b)
		one, _ := c.call("variant_sha1/2", a.Term, term.NewVar("H"))
		two, _ := c.call("variant_sha1/2", b.Term, term.NewVar("H"))
		require.Equal(t, test.variant, one[1] == two[1], "hashes of %s and %s", test.a, test.b)
	}
}

// TestParts takes terms to pieces and puts them together again.
func TestParts(t *testing.T) {
	c, r := newCaller(t), rand.New(rand.NewSource(2))
	for range 500 {
		a := random(r, 3)
		out, ok := c.call("=../2", a, term.NewVar("L"))
		require.True(t, ok)
		again, ok := c.call("=../2", term.NewVar("T"), out[1])
		require.True(t, ok)
		require.True(t, term.Equal(a, again[0]), show(a))
		copied, ok := c.call("copy_term/2", a, term.NewVar("C"))
		require.True(t, ok)
		require.True(t, term.Equal(a, copied[1]), show(a))
		_, ok = c.call("ground/1", a)
		require.True(t, ok)
	}
}
