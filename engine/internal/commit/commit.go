// Package commit ends transactions. It passes changes of persistent facts to the journal, and lets no two of these
// facts have the same key. It also passes changes on to the program that has replaced the one of the transaction.
package commit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// Program is a program with its journal, its keys and its successor. Goroutines may share it.
type Program struct {
	db      *database.Program
	loaded  *load.Program
	journal Journal // nil: persistent facts are not stored
	keys    keys    // of persistent facts

	ordering sync.Mutex // held during the commit of an ordered transaction
	shared   atomic.Pointer[sharedTurn]

	*line
	// before holds the lines of the programs that this one has replaced. Only the goroutine that replaces programs
	// uses it.
	before []weak.Pointer[line]
}

// line leads from a program to its successor. It lives as long as the program and does not keep it in memory. Weak
// pointers point to lines and not to programs, because following one keeps its target alive until the end of a
// running collection.
type line struct {
	successorMu turnstile
	successor   *Successor // the program that has replaced this one
}

// New returns a loaded program whose persistent facts are stored in a journal. With a nil journal they are not
// stored.
func New(loaded *load.Program, journal Journal) *Program {
	return &Program{db: loaded.DB(), loaded: loaded, journal: journal, line: &line{}}
}

// Await waits for a channel that is closed when the turns of other goals are over. It waits at most five seconds,
// because the goal whose turn it is may have called this one. late is set if that was too short.
func Await(ctx context.Context, closed <-chan struct{}) (late bool, err error) {
	const most = 5 * time.Second
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-closed:
		return false, nil
	case <-timer.C:
		return true, nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}

// Turn waits for the turn of a goal whose transaction has lost to others. Goals get their turns in the order in which
// they ask. Then it waits for the turn of the journal. end ends the turn. turn is nil if the wait takes too long.
func (p *Program) Turn(ctx context.Context) (turn *database.Turn, end func(), err error) {
	turn = p.db.Queue()
	end = func() { p.endTurn(turn) }
	if late, err := Await(ctx, turn.Begun); late || err != nil {
		end()
		return nil, nil, err
	}
	if journal, ok := p.journal.(Turns); ok && p.shared.Load() == nil {
		over, err := journal.Turn(ctx)
		if err != nil {
			end()
			return nil, nil, err
		}
		p.shared.Store(&sharedTurn{end: over})
	}
	return turn, end, nil
}

// sharedTurn is the turn of a journal. Several goals have their turns within it.
type sharedTurn struct {
	end   func()
	goals int
}

// endTurn ends the turn of a goal. The next goal takes over the turn of the journal, but after eight goals it passes
// to other processes.
func (p *Program) endTurn(turn *database.Turn) {
	const most = 8
	release := func() {
		if shared := p.shared.Swap(nil); shared != nil {
			shared.end()
		}
	}
	if turn.Over() {
		return
	}
	if shared := p.shared.Load(); shared != nil && turn.HasBegun() {
		if shared.goals++; shared.goals == most {
			release()
		}
	}
	if turn.End() {
		release()
	}
}

// Commit commits a transaction. If another program has replaced this one, it commits the same changes there. On
// ErrConflict nothing was changed anywhere.
func (p *Program) Commit(tx *database.Tx, by string) error {
	if !tx.Changed() {
		return tx.Commit()
	}
	stored, err := persistentChanges(tx)
	if err != nil {
		tx.Rollback()
		return err
	}
	c, err := p.prepare(tx, stored != nil)
	if err == nil && stored == nil {
		err = c.inOrder()
	}
	if w := tx.Winner(); err == database.ErrConflict && w != nil {
		<-w // the winner is still being stored: a new attempt would lose again before that
	}
	if err != nil || stored == nil {
		return err
	}
	done, err := c.store(stored, by)
	if err != nil {
		c.rollback()
		if held := (*keyPending)(nil); errors.As(err, &held) {
			<-held.over // a transaction that began before would find the key held again
			err = database.ErrConflict
		}
		return err
	}
	err = c.inOrder()
	if turn := tx.Turn(); turn != nil {
		p.endTurn(turn) // the goals that wait see the change
	}
	return cmp.Or(done(), err)
}

// inOrder commits a prepared transaction. The clauses that an ordered transaction adds come in the order of the
// commits.
func (c *commitment) inOrder() error {
	if !c.tx.Ordered() {
		return c.commit()
	}
	c.program.ordering.Lock()
	defer c.program.ordering.Unlock()
	c.settle()
	return c.commit()
}

// change is a change of the database by a transaction.
type change struct {
	added   []*database.Clause
	inFront []bool // for each clause in added: it was added by asserta
	removed []*database.Clause
}

// commitment is a transaction that is about to be committed, and the commitment of its changes in the successor.
type commitment struct {
	program *Program
	tx      *database.Tx
	change  change
	copies  map[*database.Clause]*database.Clause // from the clauses that the change adds
	next    *commitment                           // nil: there is no successor, or it still copies
	queues  bool                                  // the successor still copies
}

// prepare prepares a transaction here and in the programs that have replaced this one, so that the commits have no
// conflicts. A transaction without a successor that is not to be stored needs no preparation: its commit finds the
// conflicts. On ErrConflict everything is rolled back.
func (p *Program) prepare(tx *database.Tx, stored bool) (*commitment, error) {
	p.successorMu.enter(tx.Overrules())
	c := &commitment{program: p, tx: tx}
	s := p.successor
	if s == nil && !stored {
		return c, nil
	}
	added, removed := tx.Changes()
	c.change = change{added, tx.InFront(), removed}
	if err := tx.Prepare(); err != nil {
		p.successorMu.leave()
		return nil, err
	}
	if s == nil {
		return c, nil
	}
	s.commits.enter(tx.Overrules())
	if c.queues = s.copying; c.queues {
		return c, nil
	}
	own, copied, err := s.mirror(tx, c.change, tx.Overrules())
	if err == nil {
		c.copies = copied
		c.next, err = s.program.prepare(own, true)
	}
	if err != nil {
		c.rollback()
		return nil, err
	}
	return c, nil
}

// commit commits a prepared transaction, here and in the successors.
func (c *commitment) commit() error {
	defer c.release()
	s := c.program.successor
	if s == nil {
		return c.tx.Commit()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := c.tx.Commit(); err != nil {
		return err
	}
	if c.queues {
		s.waiting = append(s.waiting, c.change)
		return nil
	}
	err := c.next.commit()
	for from, to := range c.copies {
		s.copies[weak.Make(from)] = to
	}
	for _, from := range c.change.removed {
		delete(s.copies, weak.Make(from))
	}
	return err
}

// settle moves the clauses that are added to persistent predicates to their place in the order of the commits. If the
// transaction is ordered, it moves all added clauses.
func (c *commitment) settle() (moved map[*database.Clause]*database.Clause) {
	moved = c.tx.Settle(func(pred *database.Pred) bool { return pred.Has(database.Persistent) || c.tx.Ordered() })
	c.change.added, _ = c.tx.Changes()
	if c.next == nil {
		return moved
	}
	movedNext := c.next.settle()
	settledCopies := make(map[*database.Clause]*database.Clause, len(c.copies))
	for from, to := range c.copies {
		settledCopies[settled(from, moved)] = settled(to, movedNext)
	}
	c.copies = settledCopies
	return moved
}

// settled returns the clause that has replaced c, or c.
func settled(c *database.Clause, moved map[*database.Clause]*database.Clause) *database.Clause {
	if own := moved[c]; own != nil {
		return own
	}
	return c
}

// rollback rolls back a prepared transaction, here and in the successors.
func (c *commitment) rollback() {
	if c.next != nil {
		c.next.rollback()
	}
	c.tx.Rollback()
	c.release()
}

// release allows the program to get another successor.
func (c *commitment) release() {
	if s := c.program.successor; s != nil {
		s.commits.leave()
	}
	c.program.successorMu.leave()
}

// turnstile is a read-write lock. Commits hold it for reading while a journal stores them. Meanwhile the journal may
// have to commit changes of other processes. So these commits may enter although a writer is waiting.
type turnstile struct {
	gate sync.RWMutex
	held sync.RWMutex
}

// enter takes the lock for reading. Unless passes is set, it waits behind a waiting writer.
func (t *turnstile) enter(passes bool) {
	if !passes {
		t.gate.RLock()
		defer t.gate.RUnlock()
	}
	t.held.RLock()
}

func (t *turnstile) leave() { t.held.RUnlock() }

// close takes the lock for writing. It does not wait in held.Lock, because commits that pass would then wait for it.
func (t *turnstile) close() {
	const often = 50 * time.Microsecond
	t.gate.Lock()
	for !t.held.TryLock() {
		time.Sleep(often)
	}
}

func (t *turnstile) open() {
	t.held.Unlock()
	t.gate.Unlock()
}

// IsPersistent reports whether a predicate is persistent.
func (p *Program) IsPersistent(module, name string, arity int) bool {
	m := p.db.FindModule(module)
	if m == nil {
		return false
	}
	pred := m.Find(code.Functor(name, arity))
	return pred != nil && pred.Has(database.Persistent)
}

// Persistent returns the persistent predicates as module:name/arity, sorted.
func (p *Program) Persistent() []string {
	var list []string
	for _, pred := range p.loaded.Persistent() {
		list = append(list, pred.Module.Name+":"+pred.Name()+"/"+strconv.Itoa(pred.Arity()))
	}
	slices.Sort(list)
	return list
}

// Facts returns the facts of the persistent predicates as they are at the time of the call. Call end after the
// iteration.
func (p *Program) Facts() (all iter.Seq[Fact], end func()) {
	tx := p.db.Begin(false)
	view := tx.Now()
	all = func(yield func(Fact) bool) {
		for _, pred := range p.loaded.Persistent() {
			for _, c := range pred.Clauses() {
				if tx.Sees(c, view) && !yield(Fact{Module: pred.Module.Name, Head: stacks.ExportHead(c)}) {
					return
				}
			}
		}
	}
	return all, tx.Rollback
}

// eachFact calls f for the facts of a predicate that are committed now.
func (p *Program) eachFact(pred *database.Pred, f func(*database.Clause) bool) {
	tx := p.db.Begin(false)
	defer tx.Rollback()
	view := tx.Now()
	for _, c := range pred.Clauses() {
		if tx.Sees(c, view) && !f(c) {
			return
		}
	}
}

// Restore adds facts from the journal. It returns the facts whose predicates are not persistent.
func (p *Program) Restore(stored iter.Seq[Fact]) (left []Fact) {
	tx := p.db.Begin(true)
	defer tx.Rollback()
	for f := range stored {
		pred := p.persistent(f)
		if pred == nil {
			left = append(left, f)
			continue
		}
		tx.Add(load.Clause(pred, f.Head, term.True), f.Front)
	}
	return left
}

// Apply makes a change that a journal has received from another process. It wins against transactions that are not
// committed yet. It returns the generation of the change. If a fact to be removed does not exist, it changes nothing
// and returns an error.
func (p *Program) Apply(others FactChange) (generation uint64, err error) {
	return p.apply(others, func(_ *database.Tx, f Fact) *database.Pred { return p.persistent(f) })
}

// Redo is Apply for changes of all dynamic predicates, which [ChangeOf] has returned in another process. It makes
// missing predicates dynamic and ignores static ones.
func (p *Program) Redo(c FactChange) error {
	_, err := p.apply(c, func(tx *database.Tx, f Fact) *database.Pred {
		head, _ := clauseParts(f.Head)
		name, arity, ok := term.Indicator(head)
		if !ok || arity > load.MaxArity {
			return nil
		}
		pred := p.db.Module(f.Module).Lookup(code.Functor(string(name), arity))
		if pred.IsStatic() {
			return nil
		}
		tx.Claim(pred)
		return pred
	})
	return err
}

// clauseParts returns the head and the body of a clause.
func clauseParts(t term.Term) (head, body term.Term) {
	if args, ok := term.Is(t, ":-", 2); ok {
		return args[0], args[1]
	}
	return t, term.True
}

// apply makes a change. find returns the predicate of a fact.
func (p *Program) apply(others FactChange, find func(*database.Tx, Fact) *database.Pred) (uint64, error) {
	tx := p.db.Begin(false)
	tx.Overrule()
	clause := func(pred *database.Pred, f Fact) *database.Clause {
		head, body := clauseParts(f.Head)
		return load.Clause(pred, head, body)
	}
	removed := make([]*database.Clause, 0, len(others.Removed))
	nth := make([]int, 0, len(others.Removed))
	for _, f := range others.Removed {
		if pred := find(tx, f); pred != nil {
			removed, nth = append(removed, clause(pred, f)), append(nth, f.Nth)
		}
	}
	for i, same := range alikeInTurn(removed) {
		if nth[i] >= len(*same) {
			tx.Rollback()
			return 0, fmt.Errorf("%s is not there", syntax.FormatTerm(stacks.ExportHead(removed[i])))
		}
		tx.Erase(takeNth(same, nth[i]))
	}
	for _, f := range others.Added {
		if pred := find(tx, f); pred != nil {
			tx.Add(clause(pred, f), f.Front)
		}
	}
	return p.overrule(tx)
}

// Replace replaces all facts of persistent predicates by a sequence of facts, as [Program.Apply] does.
func (p *Program) Replace(all iter.Seq[Fact]) (generation uint64, err error) {
	tx := p.db.Begin(false)
	tx.Overrule()
	for _, pred := range p.loaded.Persistent() {
		for _, c := range pred.Clauses() {
			tx.Erase(c)
		}
	}
	for f := range all {
		if pred := p.persistent(f); pred != nil {
			tx.Add(load.Clause(pred, f.Head, term.True), f.Front)
		}
	}
	return p.overrule(tx)
}

// Restage replaces the facts of persistent predicates by those of a list, within a transaction. It keeps the facts of
// a predicate up to the first difference.
func (p *Program) Restage(tx *database.Tx, all []Fact) {
	own := map[*database.Pred][]term.Term{}
	for _, f := range all {
		if pred := p.persistent(f); pred != nil {
			own[pred] = append(own[pred], f.Head)
		}
	}
	for _, pred := range p.loaded.Persistent() {
		list, same := own[pred], 0
		stays := true
		for _, c := range pred.Clauses() {
			if !tx.Sees(c, tx.Now()) {
				continue
			}
			stays = stays && same < len(list) && term.Compare(stacks.ExportHead(c), list[same]) == 0
			if stays {
				same++
			} else {
				tx.Erase(c)
			}
		}
		for _, head := range list[same:] {
			tx.Add(load.Clause(pred, head, term.True), false)
		}
	}
}

// overrule commits a transaction whose changes are already in the journal.
func (p *Program) overrule(tx *database.Tx) (generation uint64, err error) {
	c, err := p.prepare(tx, true)
	if err != nil {
		return 0, err
	}
	var taken []func()
	for one := c; one != nil; one = one.next {
		taken = append(taken, one.program.overruleKeys(one.tx))
	}
	err = c.commit()
	for _, settle := range taken {
		settle()
	}
	return tx.BeganAt(), err
}

// persistent returns the predicate of a fact, or nil if it is not persistent.
func (p *Program) persistent(f Fact) *database.Pred {
	name, arity, ok := term.Indicator(f.Head)
	if !ok || !p.IsPersistent(f.Module, string(name), arity) {
		return nil
	}
	return p.db.Module(f.Module).Lookup(code.Functor(string(name), arity))
}
