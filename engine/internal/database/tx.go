package database

import (
	"errors"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// Tx is the view that one machine has of a program, and the changes it has made to it.
//
// In a direct view changes are committed as they are made. Otherwise they are stamped as this transaction's own and
// become visible to others all together by Commit, or never. A Tx belongs to one goroutine.
type Tx struct {
	program *Program
	direct  bool
	outer   *Tx    // see Nest
	gen     uint64 // what was committed up to this generation is seen
	tag     uint64 // top bit and transaction number; the high half of its stamps
	step    uint32 // own changes so far

	added   []*Clause
	inFront []bool // whether each of added was added in front
	erased  []*Clause
	steps   []uint32           // at which each of them was erased
	shared  bool               // others had claimed one of them
	overlay map[*Clause]uint32 // the first of these deaths, looked up when a clause bears no stamp of t's own
	own     []generations      // generations that a direct view has made

	saved      []savepoint // moments to go back to, the newest last
	savepoints Savepoint   // the newest that there has been

	lost    []*Pred        // of the clauses that another was first to retract
	guarded map[*Pred]bool // see Guard; guarded by program.txMu, as is the next
	yielded chan struct{}

	prepared  bool            // see Prepare
	settled   chan struct{}   // closed when it is not prepared any more
	winner    <-chan struct{} // see Winner
	overrules bool            // see Overrule

	absent  map[*Pred][][]code.Cell // see NoteAbsent
	follows bool                    // see Follows

	made map[*Pred]bool // predicates that it has made dynamic and that are tentative

	// Code that the machine said it was in when so much had been retired; guarded by program.txMu.
	inUse   CodeSet
	vouched uint64
	resting bool

	// While it rests, the number of the first predicates and modules that it may hold; guarded as those.
	knownPreds, knownModules int
	round                    uint64 // the round of the sweeps in which it began; guarded by program.txMu
}

// ErrConflict is returned by Commit when another transaction has meanwhile retracted a clause that this one retracts.
var ErrConflict = errors.New("transaction conflict")

const uncommitted = 1 << 63

// Begin starts a view of the program as it is now. It must be ended by Commit or Rollback.
func (p *Program) Begin(direct bool) *Tx {
	p.txMu.Lock()
	defer p.txMu.Unlock()
	p.nextTx++
	t := &Tx{program: p, direct: direct, gen: p.gen.Load(), round: p.sweeping.round}
	t.vouched = p.retiredSeq.Load()
	t.tag = uncommitted | uint64(p.nextTx&0x7fffffff)<<32
	p.active[t] = struct{}{}
	if !direct {
		p.isolated++
	}
	return t
}

// end takes a transaction off the list of active ones; the lock of the transactions must be held.
func (p *Program) end(t *Tx) {
	if _, ok := p.active[t]; ok {
		if !t.direct {
			p.isolated--
		}
		if !t.resting {
			p.noteOlder(t, -1)
		}
	}
	delete(p.active, t)
	t.yield()
	p.reclaim()
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
	erased := c.erased.Load()
	if !t.happened(c.created.Load(), v) || t.happened(erased, v) {
		return false
	}
	if erased == never && !t.shared || erased != never && erased&^0xffffffff == t.tag {
		return true
	}
	return !t.overlaid(c, v)
}

func (t *Tx) happened(stamp uint64, v View) bool {
	if stamp < uncommitted {
		return stamp <= v.Gen
	}
	return stamp != never && stamp&^0xffffffff == t.tag && uint32(stamp) <= v.Step
}

// overlaid reports whether the transaction has killed a clause that does not bear its stamp. Another
// transaction was first to claim such a clause. It may have given the clause up since, or killed it for
// everyone and so replaced the stamp.
func (t *Tx) overlaid(c *Clause, v View) bool {
	if len(t.erased) == 0 {
		return false
	}
	if t.overlay == nil {
		t.overlay = map[*Clause]uint32{}
	}
	for i := len(t.overlay); i < len(t.erased); i++ { // no clause is erased twice
		t.overlay[t.erased[i]] = t.steps[i]
	}
	step, ok := t.overlay[c]
	return ok && step <= v.Step
}

// Add inserts a new clause into its predicate, in front or at the end.
func (t *Tx) Add(c *Clause, front bool) {
	c.erased.Store(never)
	if t.direct {
		c.created.Store(never)
		c.Pred.insert(c, front)
		t.program.txMu.Lock()
		gen := t.program.gen.Load() + 1
		c.created.Store(gen)
		c.Pred.changed.Store(gen)
		t.program.gen.Store(gen)
		t.program.txMu.Unlock()
		t.noteOwn(gen)
		return
	}
	t.step++
	c.created.Store(t.tag | uint64(t.step))
	c.Pred.insert(c, front)
	t.added, t.inFront = append(t.added, c), append(t.inFront, front)
}

// Claim makes a predicate dynamic, unless it is. In a transaction it is so for others only after
// a commit, and not for long if there is none, unless the transaction is one within a direct view.
func (t *Tx) Claim(p *Pred) {
	if t.outer != nil {
		t.outer.Claim(p)
	}
	if p.Has(Dynamic) && !p.Has(Tentative) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case t.direct:
		p.set(Dynamic | Defined)
		p.clear(Tentative)
		return
	case !p.Has(Dynamic):
		p.claims = 0
		p.set(Dynamic | Defined | Tentative)
	case !p.Has(Tentative):
		return
	}
	if !t.made[p] {
		if t.made == nil {
			t.made = map[*Pred]bool{}
		}
		t.made[p] = true
		p.claims++
	}
}

// Knows reports whether the transaction may call a defined predicate: others do not know one that is tentative.
func (t *Tx) Knows(p *Pred) bool { return !p.Has(Tentative) || t.made[p] }

// endClaims ends what Claim began.
func (t *Tx) endClaims(committed bool) {
	for p := range t.made {
		p.mu.Lock()
		if p.claims--; p.Has(Tentative) {
			switch {
			case committed:
				p.clear(Tentative)
			case p.claims == 0:
				p.clear(Dynamic | Defined | Tentative)
			}
		}
		p.mu.Unlock()
	}
	t.made = nil
}

// Owns reports whether a clause was added by the machine of the transaction, as far as one can
// tell: in a direct view all that is younger counts.
func (t *Tx) Owns(c *Clause) bool {
	created := c.created.Load()
	if t.direct {
		return created > t.gen
	}
	return t.stamped(created)
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
	if c.erased.CompareAndSwap(never, t.tag|uint64(t.step)) {
		if c.created.Load()&^0xffffffff == t.tag { // added and erased unseen by others
			c.Pred.noteDead(c, corpses{tx: t})
		}
	} else {
		t.shared = true
	}
	t.erased, t.steps = append(t.erased, c), append(t.steps, t.step)
	return true
}

func (t *Tx) ownDead(c *Clause) bool {
	created, erased := c.created.Load(), c.erased.Load()
	return t.stamped(created) && t.stamped(erased) && !t.mayRevive(created, erased)
}

func (t *Tx) eraseNow(c *Clause) bool {
	p := t.program
	p.txMu.Lock()
	if c.erased.Load() < uncommitted {
		p.txMu.Unlock()
		return false
	}
	gen := p.gen.Load() + 1
	c.erased.Store(gen)
	c.Pred.changed.Store(gen)
	p.gen.Store(gen)
	oldest := p.oldest()
	p.txMu.Unlock()
	t.noteOwn(gen)
	c.Pred.noteDead(c, corpses{upTo: oldest})
	return true
}

// oldest returns the generation that the oldest isolated view sees, or a moment; the lock of the transactions must be
// held.
func (p *Program) oldest() uint64 {
	gen := p.gen.Load()
	for kept := range p.kept {
		gen = min(gen, kept)
	}
	if p.isolated == 0 {
		return gen
	}
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
	p.txMu.Lock()
	if t.conflicts() {
		p.txMu.Unlock()
		t.Rollback()
		return ErrConflict
	}
	if len(t.added)+len(t.erased) > 0 {
		gen := p.gen.Load() + 1
		for _, c := range t.added {
			c.created.Store(gen)
			c.Pred.changed.Store(gen)
		}
		for _, c := range t.erased {
			c.erased.Store(gen)
			c.Pred.changed.Store(gen)
		}
		p.gen.Store(gen)
		if t.outer != nil {
			t.outer.noteOwn(gen)
		}
	}
	t.unprepare()
	p.end(t)
	oldest, due := p.oldest(), p.sweepDue()
	p.txMu.Unlock()
	t.endClaims(true)
	for _, c := range t.erased {
		c.Pred.noteDead(c, corpses{upTo: oldest})
	}
	t.added, t.erased, t.steps, t.overlay = nil, nil, nil, nil
	if due {
		p.sweep()
	}
	return nil
}

// Rollback forgets the changes and ends the transaction. After Commit it does nothing.
func (t *Tx) Rollback() {
	p := t.program
	p.txMu.Lock()
	t.unprepare()
	p.end(t)
	due := p.sweepDue()
	p.txMu.Unlock()
	t.endClaims(false)
	for _, c := range t.erased {
		t.revive(c)
	}
	for _, c := range t.added {
		c.erased.Store(0) // dead before any generation
		c.Pred.takeBack(c)
	}
	t.added, t.erased, t.steps, t.overlay = nil, nil, nil, nil
	if due {
		p.sweep()
	}
}

// Changed reports whether the transaction has made changes that are not committed yet.
func (t *Tx) Changed() bool { return len(t.added)+len(t.erased) > 0 }

// Changes returns the clauses that the transaction has added and erased so far. One that it has done both to is in
// both.
func (t *Tx) Changes() (added, erased []*Clause) { return t.added, t.erased }

// InFront says of each clause added in the transaction whether it was added in front.
func (t *Tx) InFront() []bool { return t.inFront }

// Generation returns a number that grows with each committed change.
func (p *Program) Generation() uint64 { return p.gen.Load() }

// Direct reports whether changes are committed as they are made.
func (t *Tx) Direct() bool { return t.direct }

// AddStatic adds a clause read from a file: it has been there always.
func (p *Program) AddStatic(c *Clause) {
	c.created.Store(0)
	c.Pred.insert(c, false)
	c.Pred.loads.Add(1)
}
