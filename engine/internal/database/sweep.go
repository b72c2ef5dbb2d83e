package database

import (
	"slices"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines the removal of predicates and modules that goals have created and left without clauses, as failed
// goals do. A transaction may hold predicates that it has looked up, so a sweep has two steps. The first marks the
// unused predicates. A lookup removes the mark. The second step comes when all transactions that were active at the
// first have ended: nobody holds the predicates that are still marked, and they are removed. If no transaction is
// active, one step follows the other. Modules are treated alike. A resting transaction, such as one that waits for its
// user, holds no predicates made meanwhile.

// sweeping is the state of the sweeps.
type sweeping struct {
	began   bool // Settle has been called
	preds   int  // the number of the first predicates, which stay
	modules int  // the first modules, which stay
	left    int  // the predicates that the last sweep has left
	removed int  // of those in the list, the removed ones
	held    int  // the number of callers that hold sweeps; see Program.HoldSweeps

	marked atomic.Bool  // the first step has been taken, and the second has not
	least  atomic.Int64 // the shortest list of predicates of which a first step is due, 0 before Settle
	older  int          // active transactions that began before the last first step, but those that rest
}

// The marks of predicates.
const (
	isKept = iota
	isMarked
	isSwept
)

// Settle makes all current predicates and modules permanent. Without Settle all are.
func (p *Program) Settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.txMu.Lock()
	defer p.txMu.Unlock()
	n := len(*p.preds.Load())
	s := &p.sweeping
	s.began, s.preds, s.modules, s.left = true, n, len(p.order), n-s.removed
	s.least.Store(int64(n + sweepBatch))
}

// HoldSweeps keeps all predicates and the length of their list until the function that it returns is called.
func (p *Program) HoldSweeps() (end func()) {
	hold := func(by int) {
		p.txMu.Lock()
		defer p.txMu.Unlock()
		p.sweeping.held += by
	}
	hold(1)
	return func() { hold(-1) }
}

// Sweeps returns how many times predicates have been marked. Facts about a predicate that are stored between two
// transactions are valid while the number stays the same.
func (p *Program) Sweeps() uint64 { return p.sweeps.Load() }

// known returns the number of the first predicates and modules that resting transactions may hold, but no less than of
// those that stay. The lock of the transactions must be held.
func (p *Program) known() (preds, modules int) {
	preds, modules = p.sweeping.preds, p.sweeping.modules
	for t := range p.active {
		if t.resting {
			preds, modules = max(preds, t.knownPreds), max(modules, t.knownModules)
		}
	}
	return preds, modules
}

// moving returns the number of active transactions that do not rest. The lock of the transactions must be held.
func (p *Program) moving() (n int) {
	for t := range p.active {
		if !t.resting {
			n++
		}
	}
	return n
}

// noteOlder notes that a transaction begins or ends a rest. The lock of the transactions must be held.
func (p *Program) noteOlder(t *Tx, by int) {
	if s := &p.sweeping; s.marked.Load() && t.older {
		s.older += by
	}
}

// sweepBatch is the smallest number of predicates that may be worth a sweep.
const sweepBatch = 256

// sweepDue reports whether a step of a sweep would remove or mark enough to be worth its time. A step takes as long as
// copying the list of predicates. The lock of the transactions must be held.
func (p *Program) sweepDue() bool {
	const share = 16
	s := &p.sweeping
	switch {
	case !s.began || s.held > 0:
		return false
	case s.marked.Load():
		return s.older == 0
	}
	n := len(*p.preds.Load())
	enough := max(sweepBatch, (n-s.removed)/share)
	if n-s.removed-s.left < enough {
		return false
	}
	known, _ := p.known()
	return n-known >= enough
}

// sweep takes the next step of a sweep, and the one after it if it can.
func (p *Program) sweep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.txMu.Lock()
	defer p.txMu.Unlock()
	if !p.sweepDue() {
		return
	}
	if s := &p.sweeping; !s.marked.Load() {
		p.mark()
		if s.older > 0 {
			return
		}
	}
	p.removeMarked()
}

// mark is the first step. Both locks must be held.
func (p *Program) mark() {
	known, modules := p.known()
	for _, pred := range (*p.preds.Load())[known:] {
		if pred.isVain() {
			pred.mark.Store(isMarked)
		}
	}
	for _, m := range p.order[min(modules, len(p.order)):] {
		m.marked.Store(true)
	}
	p.sweeping.marked.Store(true)
	p.sweeps.Add(1)
	p.sweeping.older = 0
	for t := range p.active {
		if t.older = true; !t.resting {
			p.sweeping.older++
		}
	}
}

// removeMarked is the second step. It removes the predicates since Settle that are still marked, and the modules that
// have none left. Those that a resting transaction may hold stay until a sweep after its end. Both locks must be held.
func (p *Program) removeMarked() {
	if p.removed == nil {
		p.removed = &Pred{Module: p.system, Functor: code.Functor("$removed", 0), Builtin: -1}
	}
	s := &p.sweeping
	list := slices.Clone(*p.preds.Load())
	kept, modules := p.known()
	unknown, alone := kept, p.moving() == 0 && kept == s.preds && modules == s.modules
	for i := unknown; i < len(list); i++ {
		if pred := list[i]; pred.isVain() && pred.mark.CompareAndSwap(isMarked, isSwept) {
			p.remove(pred)
			list[i] = p.removed
		} else if pred != p.removed {
			kept = i + 1
		}
	}
	list = slices.Clip(list[:kept])
	p.preds.Store(&list)
	p.sweepModules(modules)
	s.removed = 0
	for _, pred := range list {
		if pred == p.removed {
			s.removed++
		}
	}
	s.left = len(list) - s.removed
	s.least.Store(int64(len(list) + sweepBatch))
	s.marked.Store(false)
	if alone {
		s.preds, s.modules = len(list), len(p.order)
	}
}

// sweepModules removes the marked modules behind the first that are as they were made. Both locks must be held.
func (p *Program) sweepModules(first int) {
	first = min(first, len(p.order))
	if first == len(p.order) {
		return
	}
	kept := p.order[:first:first]
	parents := map[*Module]bool{}
	for _, m := range p.order {
		for _, parent := range m.Parents() {
			parents[parent] = true
		}
	}
	for _, m := range p.order[first:] {
		asMade := m.File == "" && m.preds.count+len(m.exports) == 0 && slices.Equal(m.Parents(), []*Module{p.user})
		if !asMade || parents[m] || !m.marked.Load() {
			kept = append(kept, m)
			continue
		}
		delete(p.modules, m.Name)
		m.listed.Store(false)
	}
	p.order = kept
}

// remove removes a predicate. Both locks must be held.
func (p *Program) remove(pred *Pred) {
	pred.Module.preds.remove(pred.Functor)
	p.retireBlock(pred.Entry, EntryWords)
	code.ReleaseAtom(pred.Functor.FunctorAtom())
}

// keep removes the mark of a sweep from a predicate that was looked up. It returns false if the sweep has removed the
// predicate.
func (p *Pred) keep() bool {
	return p.mark.Load() == isKept || p.mark.CompareAndSwap(isMarked, isKept) || p.mark.Load() == isKept
}

// isVain reports whether a predicate is unused: it has no visible clause and no declaration, and no code calls it.
func (p *Pred) isVain() bool {
	if p == p.Module.program.removed || p.Builtin >= 0 || p.Meta() != "" || p.File != "" ||
		Flag(p.flags.Load())&^(Linked|SSU) != 0 || p.resolved.Load() != nil {
		return false
	}
	return !slices.ContainsFunc(p.all.list(), func(c *Clause) bool { return c.erased.Load() >= uncommitted })
}
