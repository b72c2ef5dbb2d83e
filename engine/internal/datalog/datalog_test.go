package datalog

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// free asks for all rows and sets no limits.
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
		r, _, err := Solve(p, 5, 1, test.known, test.values, free)
		require.NoError(t, err)
		require.Equal(t, len(test.want), r.Len(), "%v %v", test.known, test.values)
		if !slices.Equal(test.known, []bool{true, true}) {
			require.Equal(t, test.want, rows(r), "%v %v", test.known, test.values)
		}
	}
	r, _, err := Solve(p, 5, 1, []bool{false, false}, []uint32{0, 0}, free)
	require.NoError(t, err)
	require.Equal(t, 12, r.Len(), "three nodes of a cycle lead to four")
}

// TestTests joins under a condition: the equal pairs of a relation, and the unequal ones.
func TestTests(t *testing.T) {
	given := edges(3, [2]uint32{0, 1}, [2]uint32{2, 1}, [2]uint32{1, 1})
	p := &Program{Arities: []int{2, 2}, Given: []*Relation{given, nil},
		Rules: []Rule{{Head: Atom{1, []Term{0, 1}}, Body: []Atom{{0, []Term{0, 1}}}, Vars: 2, Tests: []Test{{0, 1, false}}}}}
	r, _, err := Solve(p, 3, 1, []bool{false, false}, []uint32{0, 0}, free)
	require.NoError(t, err)
	require.Equal(t, [][]uint32{{1, 1}}, rows(r))
	p.Rules[0].Tests[0].Differ = true
	r, _, err = Solve(p, 3, 1, []bool{false, false}, []uint32{0, 0}, free)
	require.NoError(t, err)
	require.Equal(t, [][]uint32{{0, 1}, {2, 1}}, rows(r))
}

// TestAccountEndsIt stops an evaluation by each of the two accounts.
func TestAccountEndsIt(t *testing.T) {
	const domain = 200
	var pairs [][2]uint32
	for i := range uint32(domain) {
		pairs = append(pairs, [2]uint32{i, (i + 1) % domain})
	}
	over := errors.New("over")
	refuse := func(int) error { return over }
	for _, acc := range []Account{{Work: refuse, Hold: free.Hold}, {Work: free.Work, Hold: refuse}} {
		_, _, err := Solve(reaches(edges(domain, pairs...)), domain, 1, []bool{false, false}, []uint32{0, 0}, acc)
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
	r := NewRelation(3, 10_000)
	addRandom(t, r)
	r = NewRelation(0, 5)
	require.False(t, r.Has(nil))
	require.True(t, r.Add(nil))
	require.False(t, r.Add(nil))
	require.True(t, r.Has(nil))
}

// addRandom adds rows with a growing number of constants, and compares with a set.
func addRandom(t *testing.T, r *Relation) {
	set, random := map[[3]uint32]bool{}, rand.New(rand.NewPCG(1, 1))
	ranked := false
	for i := range 60_000 {
		row := [3]uint32{uint32(random.IntN(10+i/500)) * 70, uint32(random.IntN(20)) * 500, uint32(random.IntN(40) * 9)}
		require.Equal(t, !set[row], r.Add(row[:]))
		set[row] = true
		row[random.IntN(3)] += uint32(random.IntN(2))
		require.Equal(t, set[row], r.Has(row[:]))
		ranked = ranked || r.ranks != nil
	}
	require.Equal(t, len(set), r.Len())
	require.True(t, ranked, "few constants in many rows have small numbers")
}

// naive derives the rows of a program rule by rule and row by row, until nothing is new.
func naive(p *Program, domain int) []map[[3]uint32]bool {
	rels := make([]map[[3]uint32]bool, len(p.Arities))
	for i, given := range p.Given {
		rels[i] = map[[3]uint32]bool{}
		for at := 0; given != nil && at < given.Len(); at++ {
			var row [3]uint32
			copy(row[:], given.Row(at))
			rels[i][row] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for _, r := range p.Rules {
			env := make([]uint32, r.Vars)
			rowOf := func(a Atom) (row [3]uint32) {
				for i, t := range a.Args {
					row[i] = env[t]
				}
				return row
			}
			for n := range pow(domain, r.Vars) { // each assignment of constants to the variables
				for v := range env {
					env[v] = uint32(n % domain)
					n /= domain
				}
				holds := !slices.ContainsFunc(r.Body, func(a Atom) bool { return !rels[a.Rel][rowOf(a)] })
				if head := rowOf(r.Head); holds && !rels[r.Head.Rel][head] {
					rels[r.Head.Rel][head], grown = true, true
				}
			}
		}
	}
	return rels
}

func pow(n, exponent int) int {
	p := 1
	for range exponent {
		p *= n
	}
	return p
}

// TestGeneratedRules compares the answers of random programs with those of a naive evaluation.
func TestGeneratedRules(t *testing.T) {
	t.Parallel()
	const domain, given, all = 4, 2, 4
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := &Program{Given: make([]*Relation, all)}
		for i := range all {
			p.Arities = append(p.Arities, 1+r.IntN(3))
			if i < given {
				p.Given[i] = NewRelation(p.Arities[i], domain)
				for range 1 + r.IntN(12) {
					row := make([]uint32, p.Arities[i])
					for at := range row {
						row[at] = uint32(r.IntN(domain))
					}
					p.Given[i].Add(row)
				}
				p.Given[i].Seal()
			}
		}
		for range 2 + r.IntN(4) {
			rule := Rule{Vars: 4}
			used := []Term{}
			for range 1 + r.IntN(3) {
				rel := r.IntN(all)
				a := Atom{Rel: rel}
				for range p.Arities[rel] {
					v := Term(r.IntN(rule.Vars))
					a.Args, used = append(a.Args, v), append(used, v)
				}
				rule.Body = append(rule.Body, a)
			}
			rule.Head.Rel = given + r.IntN(all-given)
			for range p.Arities[rule.Head.Rel] {
				rule.Head.Args = append(rule.Head.Args, used[r.IntN(len(used))])
			}
			p.Rules = append(p.Rules, rule)
		}
		want := naive(p, domain)
		for goal := given; goal < all; goal++ {
			known, values := make([]bool, p.Arities[goal]), make([]uint32, p.Arities[goal])
			for i := range known {
				known[i], values[i] = r.IntN(3) == 0, uint32(r.IntN(domain))
			}
			found, whole, err := Solve(p, domain, goal, known, values, free)
			require.NoError(t, err)
			for rel, all := range whole {
				require.Equal(t, len(want[rel]), all.Len(), "seed %d, relation %d", seed, rel)
			}
			n := 0
			for row := range want[goal] {
				if slices.Equal(pick(row[:len(known)], known, true), pick(values, known, true)) {
					n++
					require.True(t, found.Has(pick(row[:len(known)], known, false)), "seed %d: %v", seed, row)
				}
			}
			require.Equal(t, n, found.Len(), "seed %d, relation %d", seed, goal)
		}
	}
}

// TestManyRows compares joins of more rows than fit in one stage with nested loops: closed walks of three steps, and
// pairs connected by a path.
func TestManyRows(t *testing.T) {
	const domain = 60
	r := rand.New(rand.NewPCG(1, 2))
	next, paths := noPaths(domain), noPaths(domain)
	edge := NewRelation(2, domain)
	for range 700 {
		x, y := r.IntN(domain), r.IntN(domain-5) // the last nodes have no incoming edge
		next[x][y], paths[x][y] = true, true
		edge.Add([]uint32{uint32(x), uint32(y)})
	}
	edge.Seal()
	closePaths(paths)
	p := reaches(edge)
	p.Arities, p.Given = append(p.Arities, 3), append(p.Given, nil)
	p.Rules = append(p.Rules, Rule{Head: Atom{2, []Term{0, 1, 2}}, Vars: 3, Tests: []Test{{0, 2, true}},
		Body: []Atom{{0, []Term{0, 1}}, {1, []Term{1, 2}}, {0, []Term{2, 0}}}, Absent: []Atom{{0, []Term{0, 2}}}})
	found, _, err := Solve(p, domain, 2, []bool{false, false, false}, []uint32{0, 0, 0}, free)
	require.NoError(t, err)
	var want [][]uint32
	for x := range domain {
		for y := range domain {
			for z := range domain {
				if next[x][y] && paths[y][z] && next[z][x] && x != z && !next[x][z] {
					want = append(want, []uint32{uint32(x), uint32(y), uint32(z)})
				}
			}
		}
	}
	require.Greater(t, len(want), 2*width)
	require.Equal(t, want, rows(found))
}

// noPaths returns the matrix of a graph that has no paths.
func noPaths(nodes int) [][]bool {
	paths := make([][]bool, nodes)
	for x := range paths {
		paths[x] = make([]bool, nodes)
	}
	return paths
}

// closePaths adds the paths of several edges, by Warshall's algorithm.
func closePaths(paths [][]bool) {
	for z := range paths {
		for x := range paths {
			for y := range paths {
				paths[x][y] = paths[x][y] || paths[x][z] && paths[z][y]
			}
		}
	}
}

// TestShards joins the paths of a graph with each other, which finds each of them many times. The rows and their order
// are the same on one processor and on several.
func TestShards(t *testing.T) {
	const domain = 400
	paths := noPaths(domain)
	r := rand.New(rand.NewPCG(3, 4))
	edge := NewRelation(2, domain)
	for range 5 * domain / 4 {
		x, y := r.IntN(domain), r.IntN(domain)
		paths[x][y] = true
		edge.Add([]uint32{uint32(x), uint32(y)})
	}
	edge.Seal()
	closePaths(paths)
	p := reaches(edge)
	p.Rules[1].Body[1].Rel = 1
	again := Atom{1, []Term{0, 1}} // path(X, Y) :- path(X, Y) keeps the join of path with itself
	p.Rules = append(p.Rules, Rule{Head: again, Body: []Atom{again}, Vars: 2})
	var first []uint32
	var totals []int
	total := 0
	count := Account{Hold: free.Hold, Work: func(n int) error { total += n; return nil }}
	for _, processors := range []int{1, 4} {
		before := runtime.GOMAXPROCS(processors)
		found, _, err := Solve(p, domain, 1, []bool{false, false}, []uint32{0, 0}, count)
		runtime.GOMAXPROCS(before)
		require.NoError(t, err)
		totals = append(totals, total)
		n := 0
		for x := range paths {
			for y, is := range paths[x] {
				require.Equal(t, is, found.Has([]uint32{uint32(x), uint32(y)}))
				if is {
					n++
				}
			}
		}
		require.Equal(t, n, found.Len())
		require.Greater(t, n, 20_000)
		if first == nil {
			first = found.rows
		}
		require.True(t, slices.Equal(first, found.rows))
	}
	require.Equal(t, 2*totals[0], totals[1], "steps depend on the number of processors")
	over := errors.New("over")
	for limit := range 6 { // wherever it is ended
		left := total / 2 * limit / 6 // total is that of two runs
		_, _, err := Solve(p, domain, 1, []bool{false, false}, []uint32{0, 0}, Account{Hold: free.Hold,
			Work: func(n int) error {
				if left -= n; left < 0 {
					return over
				}
				return nil
			}})
		require.ErrorIs(t, err, over)
	}
}

// TestPanicOfShard expects that a panic in any goroutine of a wave is raised in the calling goroutine, which can
// recover from it.
func TestPanicOfShard(t *testing.T) {
	before := runtime.GOMAXPROCS(4)
	defer runtime.GOMAXPROCS(before)
	v := &wave{e: &evaluation{acc: free}, j: &join{}, to: waveSize * shardRows} // without a head
	v.e.runner.e = v.e
	require.Panics(t, v.run)
	require.Nil(t, v.panicked.Load())
}

// TestManyConstants adds rows of few constants and then rows of more and more new ones, so that a bit for each possible
// row would take too much memory.
func TestManyConstants(t *testing.T) {
	const domain = 5000
	r := NewRelation(2, domain)
	for i := range uint32(40 * 40) {
		require.True(t, r.Add([]uint32{i % 40, i / 40}))
	}
	for i := range uint32(2000) {
		require.True(t, r.Add([]uint32{100 + i, 100 + i}))
		require.False(t, r.Has([]uint32{100 + i, 101 + i}))
	}
	require.Equal(t, 3600, r.Len())
}

// TestOrderOfJoins counts the steps of a rule whose body names the atom with many rows for a key before the one with
// few, and the other way round. A value of b has 100 rows in many and one in few.
func TestOrderOfJoins(t *testing.T) {
	const domain = 1000
	many, few, first := NewRelation(2, domain), NewRelation(2, domain), NewRelation(1, domain)
	for i := range uint32(domain) {
		first.Add([]uint32{i})
		few.Add([]uint32{i, 0})
		for j := range uint32(100) {
			many.Add([]uint32{i, (i + j) % domain})
		}
	}
	for _, r := range []*Relation{first, many, few} {
		r.Seal()
	}
	body := []Atom{{0, []Term{0}}, {1, []Term{0, 1}}, {2, []Term{0, 1}}}
	for range 2 {
		steps := 0
		acc := Account{Hold: free.Hold, Work: func(n int) error { steps += n * stepsPerCall; return nil }}
		p := &Program{Arities: []int{1, 2, 2, 1}, Given: []*Relation{first, many, few, nil},
			Rules: []Rule{{Head: Atom{3, []Term{0}}, Body: body, Vars: 2}}}
		found, _, err := Solve(p, domain, 3, []bool{false}, []uint32{0}, acc)
		require.NoError(t, err)
		require.Equal(t, 100, found.Len())
		require.Less(t, steps, 20*domain, "%v", body) // the other order takes 100 steps for each value
		slices.Reverse(body)
	}
}
