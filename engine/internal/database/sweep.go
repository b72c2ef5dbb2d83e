package database

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines how predicates and modules are removed that goals have made and left without clauses, as goals do
// that fail. They are removed while no transaction is active, because nobody holds them then. A transaction that rests,
// as one does that waits for its user, holds none of those that were made meanwhile.

// settlement says which predicates and modules may be removed.
type settlement struct {
	began   bool // Settle has been called
	preds   int  // the first predicates, which stay
	modules int  // the first modules, which stay
	swept   int  // the predicates that the last sweep has left
}

// Settle says that the predicates and modules that there are now stay for good. Without Settle all of them do.
func (p *Program) Settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.txMu.Lock()
	defer p.txMu.Unlock()
	n := len(*p.preds.Load())
	p.settled = settlement{began: true, preds: n, modules: len(p.order), swept: n}
}

// Sweeps returns how many sweeps there have been. What is remembered of a predicate between two transactions is good
// while the number stays the same.
func (p *Program) Sweeps() uint64 { return p.sweeps.Load() }

// known returns the number of the first predicates and modules that active transactions may hold, but no less than of
// those that stay. moving reports whether one may hold any. The lock of the transactions must be held.
func (p *Program) known() (preds, modules int, moving bool) {
	preds, modules = p.settled.preds, p.settled.modules
	for t := range p.active {
		if !t.resting {
			return 0, 0, true
		}
		preds, modules = max(preds, t.knownPreds), max(modules, t.knownModules)
	}
	return preds, modules, false
}

// sweepDue reports whether a sweep would remove enough to be worth its time, which is that of copying the list of
// predicates. The lock of the transactions must be held.
func (p *Program) sweepDue() bool {
	const batch, share = 256, 16
	n := len(*p.preds.Load())
	enough := max(batch, n/share)
	if !p.settled.began || n-p.settled.swept < enough {
		return false
	}
	known, _, moving := p.known()
	return !moving && n-known >= enough
}

// sweep removes the predicates since Settle of which nothing was made, and the modules that have none left. Those that
// a resting transaction may hold stay until a sweep after its end.
func (p *Program) sweep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.txMu.Lock()
	defer p.txMu.Unlock()
	if !p.sweepDue() {
		return
	}
	if p.removed == nil {
		p.removed = &Pred{Module: p.system, Functor: code.Functor("$removed", 0), Builtin: -1}
	}
	list := slices.Clone(*p.preds.Load())
	kept, modules, _ := p.known()
	resting := kept > p.settled.preds || modules > p.settled.modules
	for i := kept; i < len(list); i++ {
		if pred := list[i]; pred.isVain() {
			p.remove(pred)
			list[i] = p.removed
		} else {
			kept = i + 1
		}
	}
	list = slices.Clip(list[:kept])
	p.preds.Store(&list)
	p.sweepModules(modules)
	if p.settled.swept = len(list); !resting {
		p.settled.preds, p.settled.modules = len(list), len(p.order)
	}
	p.sweeps.Add(1)
}

// sweepModules removes the modules behind the first that are as they were made. Both locks must be held.
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
		if !asMade || parents[m] {
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

// isVain reports whether nothing has come of a predicate: it has no clause that anybody may see, nothing was declared
// of it, and no code calls it.
func (p *Pred) isVain() bool {
	if p == p.Module.program.removed || p.Builtin >= 0 || p.Meta() != "" || p.File != "" ||
		Flag(p.flags.Load())&^(Linked|SSU) != 0 || p.resolved.Load() != nil {
		return false
	}
	return !slices.ContainsFunc(p.all.list(), func(c *Clause) bool { return c.erased.Load() >= uncommitted })
}
