package database

import (
	"errors"
	"maps"
	"slices"

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
	gen     uint64 // changes committed up to this generation are visible
	tag     uint64 // top bit and transaction number, 0 of a direct view; the high half of its stamps
	step    uint32 // own changes so far

	added   []*Clause
	inFront []bool // whether each of added was added in front
	erased  []*Clause
	steps   []uint32           // the own moment at which each of them was erased
	shared  bool               // others had claimed one of them
	overlay map[*Clause]uint32 // the first of these deaths, looked up when a clause bears no stamp of t's own
	own     []generations      // generations made by a direct view

	saved      []savepoint // savepoints, the newest last
	savepoints Savepoint   // the newest that there has been

	lost []*Pred // of the clauses that another was first to retract
	turn *Turn   // see Prefer

	prepared  bool            // see Prepare
	settled   chan struct{}   // closed when it is not prepared any more
	winner    <-chan struct{} // see Winner
	overrules bool            // see Overrule
	ordered   bool            // see Order

	absent  map[*Pred][][]code.Cell // see NoteAbsent
	follows bool                    // see Follows

	made map[*Pred]bool // predicates that it has made dynamic and that are tentative

	// The machine's last report of its code, with the sequence number of retired blocks at that time; guarded by
	// program.txMu.
	inUse   CodeSet
	vouched uint64
	resting bool

	// While it rests, how many of the first predicates and modules it may hold; guarded like those.
	knownPreds, knownModules int

	// While it is active, its lane and its neighbours there; see active.go. older says that it was active at the first
	// step of the last sweep.
	lane          *lane
	before, after *Tx
	older         bool
}

// ErrConflict is returned by Commit when another transaction has meanwhile retracted a clause that this one retracts.
var ErrConflict = errors.New("transaction conflict")

const uncommitted = 1 << 63

// View is a moment in a transaction, for the logical update view of one call.
type View struct {
	Gen  uint64
	Step uint32
}

// Now returns the current moment.
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

// overlaid reports whether the transaction has killed a clause that does not bear its stamp. Another transaction had
// already claimed such a clause. It may have released the clause since, or killed it for everyone and so replaced the
// stamp.
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

// Claim makes a predicate dynamic, if it is not. In a transaction this becomes final for others with the commit, and is
// undone without one. A transaction within a direct view makes it final at once.
func (t *Tx) Claim(p *Pred) {
	if t.outer != nil {
		t.outer.Claim(p)
	}
	if Flag(p.flags.Load())&(Dynamic|Tentative) == Dynamic {
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

// Knows reports whether a predicate is defined for the transaction. A tentative predicate is defined only for the
// transaction that has made it.
func (t *Tx) Knows(p *Pred) bool {
	f := Flag(p.flags.Load())
	return f&Tentative == 0 && (p.Builtin >= 0 || f&(Defined|Dynamic|Control) != 0) || t.made[p]
}

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

// Owns reports whether the machine of the transaction has added a clause. In a direct view this is approximate: all
// younger clauses count.
func (t *Tx) Owns(c *Clause) bool {
	created := c.created.Load()
	if t.direct {
		return created > t.gen
	}
	return t.stamped(created)
}

// Erase kills a clause. It returns false if the clause is already dead in this view.
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

// Commit makes the changes visible to later views, all at once, and ends the transaction. On
// ErrConflict nothing was changed and the transaction is rolled back.
func (t *Tx) Commit() error {
	if !t.Changed() {
		t.finish(true)
		return nil
	}
	p := t.program
	p.txMu.Lock()
	if t.conflicts() {
		p.txMu.Unlock()
		t.Rollback()
		return ErrConflict
	}
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
	t.unprepare()
	p.end(t)
	t.gen = gen
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

// Rollback undoes the changes and ends the transaction. After Commit it does nothing.
func (t *Tx) Rollback() { t.finish(false) }

// finish ends the transaction. Unless it was committed, its changes are undone.
func (t *Tx) finish(committed bool) {
	due := t.leave()
	t.endClaims(committed)
	for _, c := range t.erased {
		t.revive(c)
	}
	for _, c := range t.added {
		c.erased.Store(0) // dead before any generation
		c.Pred.takeBack(c)
	}
	t.added, t.erased, t.steps, t.overlay = nil, nil, nil, nil
	if due {
		t.program.sweep()
	}
}

// Changed reports whether the transaction has made changes that are not committed yet.
func (t *Tx) Changed() bool { return len(t.added)+len(t.erased) > 0 }

// Changes returns the clauses that the transaction has added and erased so far. A clause that was both added and erased
// is in both lists.
func (t *Tx) Changes() (added, erased []*Clause) { return t.added, t.erased }

// InFront says of each clause added in the transaction whether it was added in front.
func (t *Tx) InFront() []bool { return t.inFront }

// Generation returns a number that grows with each committed change.
func (p *Program) Generation() uint64 { return p.gen.Load() }

// Direct reports whether changes are committed as they are made.
func (t *Tx) Direct() bool { return t.direct }

// AddStatic adds a clause read from a file, alive at all generations.
func (p *Program) AddStatic(c *Clause) {
	c.created.Store(0)
	c.Pred.insert(c, false)
	c.Pred.loads.Add(1)
}

// This part defines commits in two steps, so that something else can be made durable between them.

// Prepare checks for conflicts as Commit does, and ensures that Commit finds none: until the transaction ends, others
// that retract the same clauses lose. On ErrConflict nothing was changed and the transaction is rolled back.
func (t *Tx) Prepare() error {
	p := t.program
	p.txMu.Lock()
	if t.conflicts() || t.outdated() {
		p.txMu.Unlock()
		t.Rollback()
		return ErrConflict
	}
	if p.doomed == nil {
		p.doomed = map[*Clause]*Tx{}
	}
	for _, c := range t.erased {
		p.doomed[c] = t
	}
	t.prepared, t.settled = true, make(chan struct{})
	p.txMu.Unlock()
	return nil
}

// conflicts notes the clauses that a commit would lose to others and reports whether there are any. The lock of the
// transactions must be held.
func (t *Tx) conflicts() bool {
	for _, c := range t.erased {
		by := t.program.doomed[c]
		if c.erased.Load() < uncommitted || by != nil && by != t && !t.overrules {
			t.lost = append(t.lost, c.Pred)
			if by != nil && by != t {
				t.winner = by.settled
			}
		}
	}
	return len(t.lost) > 0
}

// Overrule lets the transaction commit although prepared transactions retract the same clauses: these lose.
func (t *Tx) Overrule() { t.overrules = true }

// Overrules reports whether the transaction may overrule others, see [Tx.Overrule].
func (t *Tx) Overrules() bool { return t.overrules }

// Order makes the clauses that the transaction adds take their places in the order of the commits; see Settle.
func (t *Tx) Order() { t.ordered = true }

// Ordered reports whether Order was called.
func (t *Tx) Ordered() bool { return t.ordered }

// Loses reports whether another transaction has been committed since Prepare that this one loses to.
func (t *Tx) Loses() bool {
	t.program.txMu.Lock()
	defer t.program.txMu.Unlock()
	return t.conflicts() || t.outdated()
}

// unprepare ends what Prepare began; the lock of the transactions must be held.
func (t *Tx) unprepare() {
	if !t.prepared {
		return
	}
	t.prepared = false
	close(t.settled)
	for _, c := range t.erased {
		if t.program.doomed[c] == t {
			delete(t.program.doomed, c)
		}
	}
}

// Winner returns a channel that is closed at the end of a prepared transaction to which this one has lost, nil if there
// is none. A new attempt before that would lose again.
func (t *Tx) Winner() <-chan struct{} { return t.winner }

// BeganAt returns the generation that the transaction began with, and its own once it is committed.
func (t *Tx) BeganAt() uint64 { return t.gen }

// Moment is a generation whose clauses are kept although they may be dead by now, so that views of it can be begun. It
// keeps neither the code of clauses nor atoms.
type Moment struct {
	program *Program
	gen     uint64
}

// Keep keeps the generation that the transaction sees until Release, and returns its number.
func (t *Tx) Keep() (kept *Moment, generation uint64) {
	p := t.program
	p.txMu.Lock()
	defer p.txMu.Unlock()
	if p.kept == nil {
		p.kept = map[uint64]int{}
	}
	p.kept[t.gen]++
	return &Moment{p, t.gen}, t.gen
}

// Release releases the moment. It may be called again.
func (m *Moment) Release() {
	if m == nil || m.program == nil {
		return
	}
	p := m.program
	p.txMu.Lock()
	defer p.txMu.Unlock()
	if p.kept[m.gen]--; p.kept[m.gen] <= 0 {
		delete(p.kept, m.gen)
	}
	m.program = nil
}

// Kept reports whether there is such a moment and it has not been released.
func (m *Moment) Kept() bool { return m != nil && m.program != nil }

// BeginAt starts a transaction, in one of the Lanes, that sees the program as it was at a moment, or like Begin if the
// moment belongs to another program. It must not be committed.
func (p *Program) BeginAt(m *Moment, at int) *Tx {
	t := p.BeginIn(at, false, nil)
	p.txMu.Lock()
	defer p.txMu.Unlock()
	if m != nil && m.program == p {
		t.gen = m.gen
	}
	return t
}

// This part defines how a goal whose transaction has lost to others finally succeeds: it waits for its turn. Others
// that would change the same predicates wait with their commits until that is over.

// Lost returns the predicates whose clauses caused ErrConflict in Commit.
func (t *Tx) Lost() []*Pred { return t.lost }

// Turn is the turn of a goal. A program has one at a time.
type Turn struct {
	Begun chan struct{} // closed when the turn begins

	program *Program
	preds   map[*Pred]bool // in which others wait; guarded by program.txMu
	ended   chan struct{}
}

// Queue returns a turn after all others. Others wait for its end only once a transaction of it runs; see [Tx.Prefer].
func (p *Program) Queue() *Turn {
	t := &Turn{Begun: make(chan struct{}), program: p, ended: make(chan struct{})}
	p.txMu.Lock()
	defer p.txMu.Unlock()
	if p.turns = append(p.turns, t); len(p.turns) == 1 {
		close(t.Begun)
	}
	return t
}

// HasBegun reports whether a turn has begun.
func (t *Turn) HasBegun() bool {
	select {
	case <-t.Begun:
		return true
	default:
		return false
	}
}

// Over reports whether a turn has ended.
func (t *Turn) Over() bool {
	select {
	case <-t.ended:
		return true
	default:
		return false
	}
}

// Turn returns the turn of the transaction, nil if it has none.
func (t *Tx) Turn() *Turn { return t.turn }

// End ends a turn, or cancels one that has not begun. last says that no other turn is left.
func (t *Turn) End() (last bool) {
	p := t.program
	p.txMu.Lock()
	defer p.txMu.Unlock()
	if at := slices.Index(p.turns, t); at >= 0 {
		close(t.ended)
		if p.turns = slices.Delete(p.turns, at, at+1); at == 0 && len(p.turns) > 0 {
			close(p.turns[0].Begun)
		}
	}
	return len(p.turns) == 0
}

// Prefer puts a transaction into a turn, and names the predicates. From now on other transactions that change these
// predicates wait.
func (t *Tx) Prefer(turn *Turn, preds map[*Pred]bool) {
	if t.program != turn.program { // it has been replaced since
		return
	}
	t.program.txMu.Lock()
	defer t.program.txMu.Unlock()
	t.turn, turn.preds = turn, maps.Clone(preds)
}

// Obstacle returns a channel that is closed at the end of the turn for which the transaction must wait, because it has
// changed a predicate of that turn. It is nil if there is no such turn.
func (t *Tx) Obstacle() <-chan struct{} {
	if !t.Changed() {
		return nil
	}
	p := t.program
	p.txMu.Lock()
	defer p.txMu.Unlock()
	if len(p.turns) == 0 || p.turns[0] == t.turn {
		return nil
	}
	now := p.turns[0]
	for _, c := range slices.Concat(t.erased, t.added) {
		if now.preds[c.Pred] {
			return now.ended
		}
	}
	return nil
}

// This part defines the generations of its own changes that a direct view remembers. A retract that meets a clause of
// its iteration already dead must know who erased it. If its own run did, the clause still belongs to the iteration
// (ISO 13211-1, 7.5.4 and 8.9.3.4). If another run did, the retract skips it.

// generations is a run of generations, both ends included.
type generations struct{ from, to uint64 }

// ownSpans bounds the remembered ranges. Changes of others split them; a forgotten generation counts as another run's.
const ownSpans = 64

// noteOwn records a generation that the view has made.
func (t *Tx) noteOwn(gen uint64) {
	if n := len(t.own); n > 0 && t.own[n-1].to+1 == gen {
		t.own[n-1].to = gen
		return
	}
	if len(t.own) == ownSpans {
		t.own = append(t.own[:0], t.own[1:]...)
	}
	t.own = append(t.own, generations{gen, gen})
}

// Erased reports whether the view itself has erased a clause that it saw before and that is dead
// now. In a transaction nobody else can have done so.
func (t *Tx) Erased(c *Clause) bool {
	if !t.direct {
		return !t.Sees(c, t.Now())
	}
	erased := c.erased.Load()
	for _, s := range t.own {
		if s.from <= erased && erased <= s.to {
			return true
		}
	}
	return false
}
