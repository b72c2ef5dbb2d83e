package main

// This file defines loops written by hand for the programs of datalog.go, as one who knows the program would write
// them: a list of rows that are to be joined, a bit for each possible row, and lists of what each is joined with.

// bits are a set of small numbers.
type bits []uint64

func newBits(n int) bits { return make(bits, n/64+1) }

// add adds a number. It returns false if the set has it.
func (b bits) add(n uint32) bool {
	if b.has(n) {
		return false
	}
	b[n>>6] |= 1 << (n & 63)
	return true
}

func (b bits) has(n uint32) bool { return b[n>>6]>>(n&63)&1 != 0 }

// size returns one more than the largest argument of some facts.
func size(facts map[string][]fact) uint32 {
	n := uint32(0)
	for _, list := range facts {
		for _, f := range list {
			for _, v := range f {
				n = max(n, v+1)
			}
		}
	}
	return n
}

// by returns the facts by one of their arguments.
func by(place int, n uint32, facts []fact) [][]fact {
	lists := make([][]fact, n)
	for _, f := range facts {
		lists[f[place]] = append(lists[f[place]], f)
	}
	return lists
}

func closureLoop(facts map[string][]fact) int {
	n := size(facts)
	next := by(0, n, facts["e"])
	seen := newBits(int(n * n))
	var rows [][2]uint32
	add := func(x, y uint32) {
		if seen.add(x*n + y) {
			rows = append(rows, [2]uint32{x, y})
		}
	}
	for _, f := range facts["e"] {
		add(f[0], f[1])
	}
	for i := 0; i < len(rows); i++ {
		for _, f := range next[rows[i][1]] {
			add(rows[i][0], f[1])
		}
	}
	return len(rows)
}

func generationLoop(facts map[string][]fact) int {
	n := size(facts)
	children := by(0, n, facts["p"])
	seen := newBits(int(n * n))
	var rows [][2]uint32
	add := func(x, y uint32) {
		if seen.add(x*n + y) {
			rows = append(rows, [2]uint32{x, y})
		}
	}
	for _, list := range children {
		for _, f := range list {
			for _, g := range list {
				add(f[1], g[1])
			}
		}
	}
	for i := 0; i < len(rows); i++ {
		for _, f := range children[rows[i][0]] {
			for _, g := range children[rows[i][1]] {
				add(f[1], g[1])
			}
		}
	}
	return len(rows)
}

func pointsToLoop(facts map[string][]fact) int {
	const fields = 20
	n := size(facts)
	assigned := by(1, n, facts["assign"])
	loads, loadsOf := by(1, n, facts["ld"]), by(2, n, facts["ld"])
	stores, stored := by(0, n, facts["st"]), by(2, n, facts["st"])
	points, heap := newBits(int(n*n)), newBits(int(n*n*fields))
	var vp [][2]uint32
	var hp [][3]uint32
	objects := make([][]uint32, n)       // by variable
	values := make([][]uint32, n*fields) // by object and field
	addVar := func(v, o uint32) {
		if points.add(v*n + o) {
			vp, objects[v] = append(vp, [2]uint32{v, o}), append(objects[v], o)
		}
	}
	addField := func(o, f, h uint32) {
		if at := o*fields + f; heap.add(at*n + h) {
			hp, values[at] = append(hp, [3]uint32{o, f, h}), append(values[at], h)
		}
	}
	for _, f := range facts["new"] {
		addVar(f[0], f[1])
	}
	for i, j := 0, 0; i < len(vp) || j < len(hp); {
		for ; i < len(vp); i++ {
			v, o := vp[i][0], vp[i][1]
			for _, f := range assigned[v] {
				addVar(f[0], o)
			}
			for _, f := range loads[v] {
				for _, h := range values[o*fields+f[2]] {
					addVar(f[0], h)
				}
			}
			for _, f := range stores[v] {
				for _, h := range objects[f[2]] {
					addField(o, f[1], h)
				}
			}
			for _, f := range stored[v] {
				for _, base := range objects[f[0]] {
					addField(base, f[1], o)
				}
			}
		}
		for ; j < len(hp); j++ {
			for _, f := range loadsOf[hp[j][1]] {
				if points.has(f[1]*n + hp[j][0]) {
					addVar(f[0], hp[j][2])
				}
			}
		}
	}
	return len(vp) + len(hp)
}

func pathsLoop(facts map[string][]fact) int {
	n := size(facts)
	next := by(0, n, facts["w"])
	found := 0
	for from := range n {
		costs := make([]uint32, n) // plus one, or 0
		var changed []uint32
		waits := newBits(int(n))
		reach := func(f fact, before uint32) {
			if to, cost := f[1], before+f[2]+1; costs[to] == 0 || cost < costs[to] {
				costs[to] = cost
				if waits.add(to) {
					changed = append(changed, to)
				}
			}
		}
		for _, f := range next[from] {
			reach(f, 0)
		}
		for i := 0; i < len(changed); i++ {
			at := changed[i]
			waits[at>>6] &^= 1 << (at & 63)
			for _, f := range next[at] {
				reach(f, costs[at]-1)
			}
		}
		for _, cost := range costs {
			if cost > 0 {
				found++
			}
		}
	}
	return found
}

func completionLoop(facts map[string][]fact) int {
	const roles = 8
	n := size(facts)
	ps, qs := newBits(int(n*n)), newBits(int(n*n*roles))
	var p [][2]uint32
	var q [][3]uint32
	above, below := make([][]uint32, n), make([][]uint32, n)
	out := make([][][2]uint32, n)     // of q, by subject: role and object
	in := make([][]uint32, n*roles)   // of q, by object and role
	from := make([][]uint32, n*roles) // of q, by subject and role
	u, cs := by(0, n, facts["u"]), by(0, n, facts["c"])
	byRole := make([][]fact, roles) // of u
	for _, f := range facts["u"] {
		byRole[f[1]] = append(byRole[f[1]], f)
	}
	cs2 := by(1, n, facts["c"])
	supers := by(0, n, facts["s"])
	chains := by(0, n, facts["r"])
	chains2 := by(1, n, facts["r"])
	addP := func(x, z uint32) {
		if ps.add(x*n + z) {
			p, above[x], below[z] = append(p, [2]uint32{x, z}), append(above[x], z), append(below[z], x)
		}
	}
	addQ := func(x, r, z uint32) {
		if qs.add((x*roles+r)*n + z) {
			q, out[x] = append(q, [3]uint32{x, r, z}), append(out[x], [2]uint32{r, z})
			in[z*roles+r], from[x*roles+r] = append(in[z*roles+r], x), append(from[x*roles+r], z)
		}
	}
	for _, f := range facts["isa"] {
		addP(f[0], f[1])
	}
	for _, f := range facts["some"] {
		addQ(f[0], f[1], f[2])
	}
	for i, j := 0, 0; i < len(p) || j < len(q); {
		for ; i < len(p); i++ {
			x, y := p[i][0], p[i][1]
			for _, z := range above[y] {
				addP(x, z)
			}
			for _, w := range below[x] {
				addP(w, y)
			}
			for _, t := range out[y] {
				addQ(x, t[0], t[1])
			}
			for _, f := range u[y] {
				for _, s := range in[x*roles+f[1]] {
					addP(s, f[2])
				}
			}
			for _, f := range cs[y] {
				if ps.has(x*n + f[1]) {
					addP(x, f[2])
				}
			}
			for _, f := range cs2[y] {
				if ps.has(x*n + f[0]) {
					addP(x, f[2])
				}
			}
		}
		for ; j < len(q); j++ {
			x, r, z := q[j][0], q[j][1], q[j][2]
			for _, w := range below[x] {
				addQ(w, r, z)
			}
			for _, f := range byRole[r] {
				if ps.has(z*n + f[0]) {
					addP(x, f[2])
				}
			}
			for _, f := range supers[r] {
				addQ(x, f[1], z)
			}
			for _, f := range chains[r] {
				for _, o := range from[z*roles+f[1]] {
					addQ(x, f[2], o)
				}
			}
			for _, f := range chains2[r] {
				for _, s := range in[x*roles+f[0]] {
					addQ(s, f[2], z)
				}
			}
		}
	}
	return len(p) + len(q)
}
