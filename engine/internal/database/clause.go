package database

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// Clause is one clause as a relocatable term: pointers in Cells are relative to its start, and
// variable number n is the cell with tag Att and value n. It is immutable but for its stamps
// and the address of its code.
type Clause struct {
	Pred  *Pred
	Cells []code.Cell
	// Head and Body are the roots. The body of a fact is the atom true.
	Head, Body code.Cell
	// NVars is the number of distinct variables.
	NVars int
	// Key is the first argument's index key, 0 when it is a variable.
	Key code.Cell
	// SSU is set for Head => Body; a guard is part of Body, as ','('$guard'(G), B).
	SSU bool
	// File and Line are where the clause was read, "" and 0 when it was asserted.
	File string
	Line int

	born, died atomic.Uint64
	addr       atomic.Uint32
	size       atomic.Uint32
	guarded    atomic.Bool
	lines      atomic.Pointer[[]LineEntry]
	calls      atomic.Uint32
}

// LineEntry says that the code from an offset on comes from a source line.
type LineEntry struct {
	Offset, Line int32
}

// never is the stamp of what has not happened.
const never = ^uint64(0)

// IsFact reports whether the clause has no body.
func (c *Clause) IsFact() bool { return c.Body == code.ATrue }

// Addr returns the address of the clause's code, or 0 when it has not been compiled.
func (c *Clause) Addr() uint32 { return c.addr.Load() }

// SetCode gives the clause its code, once.
func (c *Clause) SetCode(at uint32, size int, lines []LineEntry) {
	c.Pred.Module.program.addSpan(c, at)
	c.size.Store(uint32(size))
	c.lines.Store(&lines)
	c.addr.Store(at)
}

// span says at which address the code of a clause begins.
type span struct {
	at     uint32
	clause *Clause
}

func (p *Program) addSpan(c *Clause, at uint32) {
	p.spanMu.Lock()
	defer p.spanMu.Unlock()
	p.spans = append(p.spans, span{at, c})
	p.sorted = false
}

// ClauseAt returns the clause whose code holds an address, or nil.
func (p *Program) ClauseAt(at uint32) *Clause {
	p.spanMu.Lock()
	defer p.spanMu.Unlock()
	if !p.sorted {
		slices.SortStableFunc(p.spans, func(a, b span) int { return cmp.Compare(a.at, b.at) })
		p.sorted = true
	}
	i, ok := slices.BinarySearchFunc(p.spans, at, func(s span, at uint32) int { return cmp.Compare(s.at, at) })
	if !ok {
		i--
	}
	if i < 0 || at >= p.spans[i].at+uint32(p.spans[i].clause.CodeSize()) {
		return nil
	}
	return p.spans[i].clause
}

// NoteCall counts a call of a clause without code and returns how many there were before.
func (c *Clause) NoteCall() int { return int(c.calls.Add(1)) - 1 }

// CodeSize returns the number of words of the clause's code.
func (c *Clause) CodeSize() int { return int(c.size.Load()) }

// LineAt returns the source line of a code address within the clause.
func (c *Clause) LineAt(at uint32) int {
	line := c.Line
	if lines := c.lines.Load(); lines != nil {
		for _, e := range *lines {
			if uint32(e.Offset) > at-c.Addr() {
				break
			}
			line = int(e.Line)
		}
	}
	return line
}

// Erased reports whether the clause is dead for everyone from now on.
func (c *Clause) Erased() bool { return c.died.Load() != never }

// Key returns the index key of the cell c among cells: the cell itself for atoms and small
// integers, the functor of a compound, a hash of the words of a blob; 0 for a variable.
// Unequal terms may share a key only when they are blobs.
func Key(cells []code.Cell, c code.Cell) code.Cell {
	switch c.Tag() {
	case code.Atom, code.Int:
		return c
	case code.Lst:
		return code.FDot
	case code.Str:
		return cells[c.Addr()]
	case code.Blob:
		h := uint64(14695981039346656037)
		at := c.Addr()
		for _, w := range cells[at : at+1+cells[at].BlobWords()] {
			h = (h ^ uint64(w)) * 1099511628211
			h ^= h >> 29
		}
		return code.Cell(h)<<3 | code.Blob
	}
	return 0
}

// ArgKey returns the index key of argument i, from 0, of the clause's head.
func (c *Clause) ArgKey(i int) code.Cell { return Key(c.Cells, c.HeadArg(i)) }

// HeadArg returns argument i, from 0, of the head.
func (c *Clause) HeadArg(i int) code.Cell {
	if c.Head.Tag() == code.Lst {
		return c.Cells[c.Head.Addr()+i]
	}
	return c.Cells[c.Head.Addr()+1+i]
}

// NewClause makes a clause from the frozen term Head :- Body, taking over its cells. Variables
// in them are references to their place; they are numbered here.
func NewClause(p *Pred, cells []code.Cell, root code.Cell) *Clause {
	c := &Clause{Pred: p, Cells: cells}
	c.died.Store(never)
	c.number()
	at := root.Addr()
	c.Head, c.Body = cells[at+1], cells[at+2]
	if p.Arity() > 0 {
		c.Key = c.ArgKey(0)
	}
	if c.IsFact() {
		c.trim()
	}
	return c
}

// number turns references into variable numbers, in the order of their places.
func (c *Clause) number() {
	numbers := map[int]code.Cell{}
	for i := 0; i < len(c.Cells); i++ {
		v := c.Cells[i]
		if v.Tag() == code.Hdr && !v.IsFunctor() {
			i += v.BlobWords()
		}
		if v.Tag() != code.Ref {
			continue
		}
		n, ok := numbers[v.Addr()]
		if !ok {
			n = code.MakeAtt(len(numbers))
			numbers[v.Addr()] = n
		}
		c.Cells[i] = n
	}
	c.NVars = len(numbers)
}

// trim drops the three cells of the neck, which stand in front, from the cells of a fact.
func (c *Clause) trim() {
	const neck = 3
	cells := make([]code.Cell, len(c.Cells)-neck)
	for i := neck; i < len(c.Cells); i++ {
		v := c.Cells[i]
		cells[i-neck] = relocate(v, neck)
		if v.Tag() == code.Hdr && !v.IsFunctor() {
			n := v.BlobWords()
			copy(cells[i-neck+1:], c.Cells[i+1:i+1+n])
			i += n
		}
	}
	c.Cells, c.Head = cells, relocate(c.Head, neck)
}

// relocate moves a pointer down by n cells.
func relocate(v code.Cell, n int) code.Cell {
	switch v.Tag() {
	case code.Str, code.Lst, code.Blob:
		return v - code.Cell(n)<<3
	}
	return v
}

// insert adds a clause to its predicate's list, in front or at the end. A longer list shares
// its array with the shorter one that readers may hold.
func (p *Pred) insert(c *Clause, front bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	old := *p.clauses.Load()
	var list []*Clause
	if front {
		list = make([]*Clause, 0, len(old)+1+len(old)/8)
		list = append(append(list, c), old...)
		p.index = nil
	} else {
		list = append(old, c)
		if p.index != nil {
			p.index.add(c)
		}
	}
	p.clauses.Store(&list)
}

// Clauses returns all clauses that some machine may see. The slice must not be changed.
func (p *Pred) Clauses() []*Clause { return *p.clauses.Load() }

// noteDead counts clauses that are dead for everyone and drops them when they are many.
func (p *Pred) noteDead(gone func(*Clause) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead++
	list := *p.clauses.Load()
	if p.dead < 8 || p.dead < len(list)/2 {
		return
	}
	p.sweep(gone)
}

// sweep builds a list without the clauses that are gone for everyone; the lock must be held.
func (p *Pred) sweep(gone func(*Clause) bool) {
	old := *p.clauses.Load()
	list := make([]*Clause, 0, len(old)-p.dead+8)
	for _, c := range old {
		if !gone(c) {
			list = append(list, c)
		}
	}
	p.dead = 0
	if p.index != nil {
		p.index = nil
	}
	p.clauses.Store(&list)
}

// indexMinimum is the number of clauses from which a hash beats a scan over keys.
const indexMinimum = 8

// index finds the clauses whose key of one argument matches a given one.
type index struct {
	arg     int
	buckets map[cell][]*Clause // each with the clauses of variable key merged in, in order
	vars    []*Clause
	count   int
}

func (x *index) add(c *Clause) {
	x.count++
	key := c.ArgKey(x.arg)
	if key == 0 {
		x.vars = append(x.vars, c)
		for k, list := range x.buckets {
			x.buckets[k] = append(list, c)
		}
		return
	}
	list, ok := x.buckets[key]
	if !ok {
		list = append([]*Clause(nil), x.vars...)
	}
	x.buckets[key] = append(list, c)
}

// Candidates returns the clauses that may match a call with the given keys of its first
// arguments (0: unbound): all of them, or fewer when an index helps.
func (p *Pred) Candidates(keys []code.Cell) []*Clause {
	list := *p.clauses.Load()
	if len(list) < indexMinimum {
		return list
	}
	p.mu.RLock()
	if x := p.index; x != nil && x.arg < len(keys) && keys[x.arg] != 0 {
		found := x.find(keys[x.arg])
		p.mu.RUnlock()
		return found
	}
	p.mu.RUnlock()
	for arg, k := range keys {
		if k != 0 {
			return p.buildIndex(arg, k)
		}
	}
	return list
}

// Matches reports whether a call with these keys of its first arguments may match the clause.
func (c *Clause) Matches(keys []code.Cell) bool {
	for i, k := range keys {
		if k == 0 {
			continue
		}
		own := c.Key
		if i > 0 {
			own = c.ArgKey(i)
		}
		if own != 0 && own != k {
			return false
		}
	}
	return true
}

func (x *index) find(k cell) []*Clause {
	if found, ok := x.buckets[k]; ok {
		return found
	}
	return x.vars
}

// buildIndex makes an index on the argument when it tells clauses apart, and uses it.
func (p *Pred) buildIndex(arg int, k cell) []*Clause {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := *p.clauses.Load()
	x := &index{arg: arg, buckets: map[cell][]*Clause{}}
	for _, c := range list {
		if c.ArgKey(arg) == 0 && len(x.vars) > 8 && len(x.buckets) > 8 {
			return list // variables in many clauses: a hash would copy them into each bucket
		}
		x.add(c)
	}
	p.index = x
	return x.find(k)
}
