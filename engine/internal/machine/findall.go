package machine

import (
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines terms that predicates in Go keep outside the heap, and the predicates that findall/3 is compiled
// to.

// Saved is a term kept outside the heap by a predicate written in Go, such as a value of a
// global variable or a message between calls of a nondeterministic predicate.
type Saved struct{ term stacks.Frozen }

// Save copies a term out of the heap.
func (m *Machine) Save(c cell) Saved {
	f := m.Freeze(c)
	m.HoldAtoms(f)
	return Saved{f}
}

// Bytes is how much memory the copy takes.
func (s Saved) Bytes() int { return s.term.Bytes() }

// Restore builds a saved term on the heap, with fresh variables.
func (m *Machine) Restore(s Saved) cell { return m.Thaw(s.term) }

// bag collects copies of solutions. It is on the Go object stack of the machine. A compound whose arguments are all
// simple is stored as its cells, which begin with the functor. Any other solution is stored as its root and, for a
// pointer, the number of its cells and the cells.
type bag struct {
	chunks [][]cell // each solution lies in one chunk, so growth copies nothing
	cells  int      // in all chunks
	count  int
	bytes  int  // accounted for
	number cell // the number of the only solution of a sum or the like, valid if it is a small integer
	taint  int  // the taint of the derivation that has started it
	// doubt holds the undefined goals on which a solution, or the lack of one, depends.
	doubt *doubt
	// unanswered lists the numbers of the unanswered questions on which solutions depend. first is the number at the
	// start.
	unanswered map[int]bool
	first      int
}

// bagChunk is the size in cells of a further chunk, and the largest chunk that the next bag reuses.
const bagChunk = 1 << 15

// room returns the chunk with room for n more cells. made is the size of a new chunk.
func (b *bag) room(n int) (chunk *[]cell, made int) {
	if k := len(b.chunks); k > 0 && cap(b.chunks[k-1])-len(b.chunks[k-1]) >= n {
		return &b.chunks[k-1], 0
	}
	made = max(n, min(64+2*b.cells, bagChunk))
	b.chunks = append(b.chunks, make([]cell, 0, made))
	return &b.chunks[len(b.chunks)-1], made
}

// findallTable lists predicates that only the compiler and the library call.
var findallTable = []Builtin{
	{Name: "$findall_start", Arity: 1, Func: findallStart, Modes: "-bag", Doc: "Starts to collect solutions."},
	{Name: "$findall_add", Arity: 2, Func: taking((*Machine).bagArg, findallAdd), collects: true, Modes: "+bag, ?term",
		Doc: "Adds a copy of a solution to a bag."},
	{Name: "$findall_note", Arity: 1, Func: taking((*Machine).bagArg, findallNote), collects: true, Modes: "+bag",
		Doc: "Counts a solution among those of a bag, of which nothing is kept there."},
	{Name: "$findall_collect", Arity: 2, Func: taking((*Machine).bagArg, findallCollect), Modes: "+bag, -list",
		Doc: "Returns the solutions of a bag as a list and ends it."},
	{Name: "$findall_collect", Arity: 3, Func: taking((*Machine).bagArg, findallCollect), Modes: "+bag, -list, ?tail",
		Doc: "Returns the solutions of a bag as a list ending in tail and ends it."},
	{Name: "$findall_count", Arity: 2, Func: taking((*Machine).bagArg, findallCount), Modes: "+bag, -count",
		Doc: "Returns how many solutions a bag has counted."},
	{Name: "$findall_sum", Arity: 2, Func: folding("+", 0), collects: true, Modes: "+bag, +number",
		Doc: "Adds a number to the solution of a bag, which is the sum of all."},
	{Name: "$findall_max", Arity: 2, Func: folding("max", 1), collects: true, Modes: "+bag, +number",
		Doc: "Makes a number the solution of a bag unless that is as large."},
	{Name: "$findall_min", Arity: 2, Func: folding("min", -1), collects: true, Modes: "+bag, +number",
		Doc: "Makes a number the solution of a bag unless that is as small."},
	{Name: "$findall_max", Arity: 3, Func: folding("max", 1), collects: true, Modes: "+bag, +number, ?witness",
		Doc: "Makes Number-Witness the solution of a bag unless that has a number as large."},
	{Name: "$findall_min", Arity: 3, Func: folding("min", -1), collects: true, Modes: "+bag, +number, ?witness",
		Doc: "Makes Number-Witness the solution of a bag unless that has a number as small."},
	{Name: "throw", Arity: 1, Func: throw, Modes: "+ball",
		Doc: "Throws a copy of ball to the innermost catch/3 whose catcher unifies with it."},
}

// findallStart is $findall_start/1. The name of a bag is its index on the object stack, where bags nest as the goals
// do. The chunk of the previous bag is reused, so findall/3 in a loop makes no garbage.
func findallStart(m *Machine, a []cell) (bool, error) {
	b := &bag{taint: m.taint(), first: m.tables.unanswered.count}
	if m.BagBuf != nil {
		b.chunks = append(b.chunks, m.BagBuf[:0])
		m.BagBuf = nil
	}
	m.Objs = append(m.Objs, b)
	return m.Unify(a[0], code.MakeInt(int64(len(m.Objs)-1))), nil
}

// bagArg returns the bag that an argument names.
func (m *Machine) bagArg(c cell) (*bag, error) {
	c = m.Deref(c)
	if c.Tag() == code.Int && c.Int() >= 0 && c.Int() < int64(len(m.Objs)) {
		if b, ok := m.Objs[c.Int()].(*bag); ok {
			return b, nil
		}
	}
	return nil, m.TypeError("bag", c)
}

func findallAdd(m *Machine, b *bag, a []cell) (bool, error) { return true, b.add(m, a[1]) }

// add adds a copy of a term to a bag. A solution is stored as its root, its size and its cells. Two common
// kinds take less space: an atomic solution is only its root, and a compound of atomic terms and variables only its
// cells, whose first cell tells their number.
func (b *bag) add(m *Machine, c cell) error {
	f := m.CopyOut(c, true)
	chunk, made := b.room(2 + len(f.Cells))
	before := len(*chunk)
	switch {
	case !f.Root.IsPointer():
		*chunk = append(*chunk, f.Root)
	case f.IsFlat():
		*chunk = append(*chunk, f.Cells...)
	default:
		*chunk = append(*chunk, f.Root, code.MakeInt(int64(len(f.Cells))))
		*chunk = append(*chunk, f.Cells...)
	}
	m.noteSolution(b)
	b.count++
	b.cells += len(*chunk) - before
	err := m.Hold(stacks.CellBytes * made)
	if err == nil {
		b.bytes += stacks.CellBytes * made
	}
	return err
}

// noteSolution notes the undefined goals and unanswered questions on which a solution of a bag depends.
func (m *Machine) noteSolution(b *bag) {
	if b.doubt == nil && !m.tables.missing && (m.tables.stuck || m.taint() > b.taint) {
		b.doubt = m.newDoubt(0, b.taint)
	}
	for _, n := range m.unansweredSince(b.first, 0) {
		if b.unanswered == nil {
			b.unanswered = map[int]bool{}
		}
		b.unanswered[n] = true
	}
}

func findallNote(m *Machine, b *bag, _ []cell) (bool, error) {
	b.count++
	m.noteSolution(b)
	return true, nil
}

func findallCount(m *Machine, b *bag, a []cell) (bool, error) {
	return m.Unify(a[1], code.MakeInt(int64(b.count))), nil
}

// findallCollect is $findall_collect/2,3. The result must be a list or a partial list (ISO 13211-1, 8.10.1.3).
func findallCollect(m *Machine, b *bag, a []cell) (bool, error) {
	if _, end := m.SkipList(a[1]); end != code.ANil && !stacks.IsVar(end) {
		return false, m.TypeError("list", a[1])
	}
	tail := code.ANil
	if len(a) == 3 {
		tail = a[2]
	}
	list := m.bagList(b, tail)
	m.Objs = m.Objs[:len(m.Objs)-1]
	if k := len(b.chunks); k > 0 && cap(b.chunks[k-1]) <= bagChunk {
		m.BagBuf = b.chunks[k-1] // the largest solution
	}
	if err := m.Hold(-b.bytes); err != nil {
		return false, err
	}
	if b.doubt != nil {
		m.restsOnAll(b.doubt)
	}
	m.restOnUnanswered(slices.Collect(maps.Keys(b.unanswered)))
	return m.Unify(a[1], list), m.checkMemory()
}

// bagList builds the list of the solutions in a bag, which ends in tail.
func (m *Machine) bagList(b *bag, tail cell) cell {
	if b.cells == 0 {
		return tail
	}
	m.Room(2*b.count + b.cells)
	list := m.H
	m.H += 2 * b.count
	at := list
	for i, chunk := range b.chunks {
		at = m.thawSolutions(chunk, at)
		if i < len(b.chunks)-1 {
			b.chunks[i] = nil
		}
	}
	m.Heap[at-1] = stacks.Keep(tail)
	return code.MakeLst(list)
}

// thawSolutions builds the solutions of a chunk and stores them in the list cells from an address on. The tail of each
// list cell is the next one. It returns the address behind the last one.
func (m *Machine) thawSolutions(rest []cell, at int) int {
	for ; len(rest) > 0; at += 2 {
		root := rest[0]
		switch {
		case root.IsFunctor():
			n := 1 + root.FunctorArity()
			root = m.Thaw(stacks.Frozen{Root: code.MakeStr(0), Cells: rest[:n]})
			rest = rest[n:]
		case root.IsPointer():
			n := 2 + int(rest[1].Int())
			root = m.Thaw(stacks.Frozen{Root: root, Cells: rest[2:n]})
			rest = rest[n:]
		default:
			rest = rest[1:]
		}
		m.Heap[at], m.Heap[at+1] = root, code.MakeLst(at+2)
	}
	return at
}

// throw is throw/1. The exception holds a copy of the ball.
func throw(m *Machine, a []cell) (bool, error) {
	c := m.Deref(a[0])
	if stacks.IsVar(c) {
		return false, m.InstantiationError()
	}
	return false, m.Throw(c)
}
