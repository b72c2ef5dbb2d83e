package datalog

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// free asks for everything and allows all.
var free = Account{Work: func(int) error { return nil }, Hold: func(int) error { return nil }}

// edges returns a relation of pairs.
func edges(domain int, pairs ...[2]uint32) *Relation {
	r := NewRelation(2, domain)
	for _, p := range pairs {
		r.Add(p[:])
	}
	r.Seal()
	return r
}

// rows returns the rows of a relation in order.
func rows(r *Relation) (list [][]uint32) {
	for i := range r.Len() {
		list = append(list, slices.Clone(r.Row(i)))
	}
	slices.SortFunc(list, slices.Compare)
	return list
}

// reaches is path(X, Y) :- edge(X, Y).  path(X, Z) :- path(X, Y), edge(Y, Z).  Relation 0 is edge, 1 is path.
func reaches(edge *Relation) *Program {
	return &Program{Arities: []int{2, 2}, Given: []*Relation{edge, nil}, Rules: []Rule{
		{Head: Atom{1, []Term{0, 1}}, Body: []Atom{{0, []Term{0, 1}}}, Vars: 2},
		{Head: Atom{1, []Term{0, 2}}, Body: []Atom{{1, []Term{0, 1}}, {0, []Term{1, 2}}}, Vars: 3},
	}}
}

// TestSolve asks for paths in a graph with a cycle (0, 1, 2) and a tail (3), in each of the four ways.
func TestSolve(t *testing.T) {
	p := reaches(edges(5, [2]uint32{0, 1}, [2]uint32{1, 2}, [2]uint32{2, 0}, [2]uint32{2, 3}))
	for _, test := range []struct {
		known  []bool
		values []uint32
		want   [][]uint32
	}{
		{[]bool{true, false}, []uint32{1, 0}, [][]uint32{{0}, {1}, {2}, {3}}},
		{[]bool{true, false}, []uint32{3, 0}, nil},
		{[]bool{false, true}, []uint32{0, 3}, [][]uint32{{0}, {1}, {2}}},
		{[]bool{true, true}, []uint32{1, 3}, [][]uint32{{}}},
		{[]bool{true, true}, []uint32{3, 1}, nil},
		{[]bool{true, false}, []uint32{4, 0}, nil},
	} {
		r, err := Solve(p, 5, 1, test.known, test.values, free)
		require.NoError(t, err)
		require.Equal(t, len(test.want), r.Len(), "%v %v", test.known, test.values)
		if !slices.Equal(test.known, []bool{true, true}) {
			require.Equal(t, test.want, rows(r), "%v %v", test.known, test.values)
		}
	}
	r, err := Solve(p, 5, 1, []bool{false, false}, []uint32{0, 0}, free)
	require.NoError(t, err)
	require.Equal(t, 12, r.Len(), "three nodes of a cycle lead to four")
}

// TestTests joins under a condition: the pairs of a relation whose left is less than their right.
func TestTests(t *testing.T) {
	given := edges(3, [2]uint32{0, 1}, [2]uint32{2, 1}, [2]uint32{1, 1})
	p := &Program{Arities: []int{2, 2}, Given: []*Relation{given, nil},
		Rules: []Rule{{Head: Atom{1, []Term{0, 1}}, Body: []Atom{{0, []Term{0, 1}}}, Vars: 2,
			Tests: []Test{{0, 1, func(left, right uint32) bool { return left < right }}}}}}
	r, err := Solve(p, 3, 1, []bool{false, false}, []uint32{0, 0}, free)
	require.NoError(t, err)
	require.Equal(t, [][]uint32{{0, 1}}, rows(r))
}

// TestAccountEndsIt stops an evaluation by either of the two accounts.
func TestAccountEndsIt(t *testing.T) {
	const domain = 200
	var pairs [][2]uint32
	for i := range uint32(domain) {
		pairs = append(pairs, [2]uint32{i, (i + 1) % domain})
	}
	over := errors.New("over")
	refuse := func(int) error { return over }
	for _, acc := range []Account{{Work: refuse, Hold: free.Hold}, {Work: free.Work, Hold: refuse}} {
		_, err := Solve(reaches(edges(domain, pairs...)), domain, 1, []bool{false, false}, []uint32{0, 0}, acc)
		require.ErrorIs(t, err, over)
	}
}

// TestRelation adds rows to relations whose rows are kept as bits, in a hash table, and without columns.
func TestRelation(t *testing.T) {
	for _, domain := range []int{10, 100_000} {
		r := NewRelation(3, domain)
		for i := range uint32(1000) {
			require.True(t, r.Add([]uint32{i % 10, i / 10 % 10, i / 100}))
		}
		require.False(t, r.Add([]uint32{1, 2, 3}))
		require.True(t, r.Has([]uint32{9, 9, 9}))
		require.Equal(t, 1000, r.Len())
	}
	r := NewRelation(0, 5)
	require.False(t, r.Has(nil))
	require.True(t, r.Add(nil))
	require.False(t, r.Add(nil))
	require.True(t, r.Has(nil))
}
