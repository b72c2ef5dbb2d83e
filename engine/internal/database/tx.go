package database

import (
	"errors"
)

// Tx is the view that one machine has of a program, and the changes it has made to it.
//
// In a direct view changes are committed as they are made. Otherwise they are stamped as this
// transaction's own and become visible to others all together by Commit, or never. A Tx
// belongs to one goroutine.
type Tx struct {
	program *Program
	direct  bool
	gen     uint64 // what was committed up to this generation is seen
	tag     uint64 // top bit and transaction number; the high half of its stamps
	step    uint32 // own changes so far

	born    []*Clause
	died    []*Clause
	overlay map[*Clause]uint32 // own deaths of clauses that others have claimed
}

// ErrConflict is returned by Commit when another transaction has meanwhile retracted a clause
// that this one retracts.
var ErrConflict = errors.New("transaction conflict")

const uncommitted = 1 << 63

// Begin starts a view of the program as it is now. It must be ended by Commit or Rollback.
func (p *Program) Begin(direct bool) *Tx {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nextTx++
	t := &Tx{program: p, direct: direct, gen: p.gen.Load()}
	t.tag = uncommitted | uint64(p.nextTx&0x7fffffff)<<32
	p.active[t] = struct{}{}
	return t
}

// View is a moment in a transaction, for the logical update view of one call.
type View struct {
	Gen  uint64
	Step uint32
}

// Now returns the present moment.
func (t *Tx) Now() View {
	if t.direct {
		return View{Gen: t.program.gen.Load()}
	}
	return View{Gen: t.gen, Step: t.step}
}

// Sees reports whether the clause is alive in the view.
func (t *Tx) Sees(c *Clause, v View) bool {
	return t.happened(c.born.Load(), v) && !t.happened(c.died.Load(), v) && !t.overlaid(c, v)
}

func (t *Tx) happened(stamp uint64, v View) bool {
	if stamp < uncommitted {
		return stamp <= v.Gen
	}
	return stamp != never && stamp&^0xffffffff == t.tag && uint32(stamp) <= v.Step
}

func (t *Tx) overlaid(c *Clause, v View) bool {
	if t.overlay == nil {
		return false
	}
	step, ok := t.overlay[c]
	return ok && step <= v.Step
}

// Add inserts a new clause into its predicate, in front or at the end.
func (t *Tx) Add(c *Clause, front bool) {
	c.died.Store(never)
	if t.direct {
		c.born.Store(never)
		c.Pred.insert(c, front)
		t.program.mu.Lock()
		gen := t.program.gen.Load() + 1
		c.born.Store(gen)
		t.program.gen.Store(gen)
		t.program.mu.Unlock()
		return
	}
	t.step++
	c.born.Store(t.tag | uint64(t.step))
	c.Pred.insert(c, front)
	t.born = append(t.born, c)
}

// Erase kills a clause. It returns false when the clause is dead in this view already.
func (t *Tx) Erase(c *Clause) bool {
	if !t.Sees(c, t.Now()) {
		return false
	}
	if t.direct {
		return t.eraseNow(c)
	}
	t.step++
	if c.died.CompareAndSwap(never, t.tag|uint64(t.step)) {
		if c.born.Load()&^0xffffffff == t.tag { // born and died unseen by others
			c.Pred.noteDead(c, corpses{tx: t})
		}
	} else {
		if t.overlay == nil {
			t.overlay = map[*Clause]uint32{}
		}
		t.overlay[c] = t.step
	}
	t.died = append(t.died, c)
	return true
}

func (t *Tx) ownDead(c *Clause) bool {
	born, died := c.born.Load(), c.died.Load()
	return born != never && died != never && born&^0xffffffff == t.tag && died&^0xffffffff == t.tag
}

func (t *Tx) eraseNow(c *Clause) bool {
	p := t.program
	p.mu.Lock()
	if c.died.Load() < uncommitted {
		p.mu.Unlock()
		return false
	}
	gen := p.gen.Load() + 1
	c.died.Store(gen)
	p.gen.Store(gen)
	oldest := p.oldest()
	p.mu.Unlock()
	c.Pred.noteDead(c, corpses{upTo: oldest})
	return true
}

// oldest returns the generation that the oldest isolated view sees; the lock must be held.
func (p *Program) oldest() uint64 {
	gen := p.gen.Load()
	for t := range p.active {
		if !t.direct {
			gen = min(gen, t.gen)
		}
	}
	return gen
}

// Commit makes the changes visible to later views, all at once, and ends the transaction. On
// ErrConflict nothing was changed and the transaction is rolled back.
func (t *Tx) Commit() error {
	p := t.program
	p.mu.Lock()
	for _, c := range t.died {
		if c.died.Load() < uncommitted {
			p.mu.Unlock()
			t.Rollback()
			return ErrConflict
		}
	}
	if len(t.born)+len(t.died) > 0 {
		gen := p.gen.Load() + 1
		for _, c := range t.born {
			c.born.Store(gen)
		}
		for _, c := range t.died {
			c.died.Store(gen)
		}
		p.gen.Store(gen)
	}
	delete(p.active, t)
	oldest := p.oldest()
	p.mu.Unlock()
	for _, c := range t.died {
		c.Pred.noteDead(c, corpses{upTo: oldest})
	}
	t.born, t.died, t.overlay = nil, nil, nil
	return nil
}

// Rollback forgets the changes and ends the transaction. After Commit it does nothing.
func (t *Tx) Rollback() {
	p := t.program
	p.mu.Lock()
	delete(p.active, t)
	p.mu.Unlock()
	for _, c := range t.died {
		if stamp := c.died.Load(); stamp&^0xffffffff == t.tag && stamp != never {
			c.died.CompareAndSwap(stamp, never)
		}
	}
	for _, c := range t.born {
		c.died.Store(0) // dead before any generation
		c.Pred.noteDead(c, corpses{})
	}
	t.born, t.died, t.overlay = nil, nil, nil
}

// Changed reports whether the transaction has made changes that are not committed yet.
func (t *Tx) Changed() bool { return len(t.born)+len(t.died) > 0 }

// Changes returns the clauses born and died in the transaction so far, those that were both
// included.
func (t *Tx) Changes() (born, died []*Clause) { return t.born, t.died }

// Generation returns a number that grows with each committed change.
func (p *Program) Generation() uint64 { return p.gen.Load() }

// Direct reports whether changes are committed as they are made.
func (t *Tx) Direct() bool { return t.direct }

// AddStatic adds a clause read from a file: it has been there always.
func (p *Program) AddStatic(c *Clause) {
	c.born.Store(0)
	c.Pred.insert(c, false)
}
