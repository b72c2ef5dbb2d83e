package commit

import (
	"slices"
	"sync"
	"weak"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
)

// Successor is the program that has replaced another.
type Successor struct {
	program *Program

	// commits is held for reading during each commit of the old program, and for writing when copying ends.
	commits turnstile
	// copying is true while the clauses that were added at run time are copied. Changes that are committed meanwhile
	// are queued in waiting.
	copying bool

	mu      sync.Mutex // guards the following fields; it is held for one change at most
	waiting []change
	// copies maps clauses of the old program to their copies in the successor. While copying is true, it belongs to
	// the goroutine that copies.
	copies  copies
	yielder load.Yielder // of the goroutine that copies
	lost    []string     // persistent predicates whose rules were not copied, because only facts persist
}

// copies maps clauses to their copies. It does not keep the original clauses or their program in memory.
type copies map[weak.Pointer[database.Clause]]*database.Clause

// of returns the copy of a clause, nil if there is none.
func (m copies) of(c *database.Clause) *database.Clause { return m[weak.Make(c)] }

// Inherit makes p the successor of the old program. It copies to p the clauses that were added to the old one since
// it was loaded. From now on p also receives what transactions of the old one commit. p must be loaded and not
// queried yet. lost has the predicates that are persistent in p and have lost rules.
func (p *Program) Inherit(old *Program) (lost []string) {
	defer p.keepNames()()
	s := p.Follow(old)
	s.CopyFrom(old)
	s.CatchUp()
	s.Shorten(old)
	return s.lost
}

// Follow is the first step of Inherit. A transaction that commits before it is in the database of the old program. A
// transaction that commits later finds the successor.
func (p *Program) Follow(old *Program) *Successor {
	s := &Successor{program: p, copying: true, copies: copies{}}
	old.successorMu.close()
	defer old.successorMu.open()
	old.successor = s
	return s
}

// CopyFrom is the second step of Inherit. It copies the clauses that were added to the old program, which goes on
// running.
func (s *Successor) CopyFrom(old *Program) {
	preds := old.db.Preds()
	for _, pred := range preds {
		if pred.Has(database.Dynamic) && !pred.Has(database.ThreadLocal) {
			s.addAll(pred, old.loaded.LoadedAt())
		}
	}
	for _, pred := range preds {
		if m := s.program.db.FindModule(pred.Module.Name); m != nil {
			if own := m.Find(pred.Functor); own != nil {
				own.IndexLike(pred)
			}
		}
	}
}

// keepNames keeps new predicates without clauses in p until the function that it returns is called.
func (p *Program) keepNames() (end func()) { return p.db.Begin(true).Rollback }

// CatchUp is the third step of Inherit. It applies most of the queued changes while new ones are queued. When few are
// left, or too many rounds have passed, it holds the lock, applies the rest and ends the queueing.
func (s *Successor) CatchUp() {
	const few, rounds = 16, 100
	for i := 0; ; i++ {
		list := s.takeWaiting()
		if len(list) <= few || i == rounds {
			s.commits.close()
			for _, c := range append(list, s.takeWaiting()...) {
				s.apply(c)
			}
			s.copying = false
			s.commits.open()
			return
		}
		for _, c := range list {
			s.apply(c)
		}
	}
}

// gone stands for the copy of a removed clause. It is dead.
var gone = new(database.Clause)

// Shorten is the last step of Inherit. It lets programs that had the old one as their successor pass their changes on
// to the new one. Otherwise a suspended call of a program would keep all later programs in memory.
func (s *Successor) Shorten(old *Program) {
	before := slices.DeleteFunc(old.before, func(w weak.Pointer[line]) bool { return w.Value() == nil })
	for _, w := range before {
		if l := w.Value(); l != nil {
			s.takeOver(l, old)
		}
	}
	old.before, s.program.before = nil, append(before, weak.Make(old.line))
}

// takeOver replaces the old program as the successor at the end of a line.
func (s *Successor) takeOver(l *line, old *Program) {
	l.successorMu.close()
	defer l.successorMu.open()
	last := l.successor
	if last == nil || last.program != old || last.copying {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	own := &Successor{program: s.program, copies: make(copies, len(last.copies))}
	for from, to := range last.copies {
		if next := s.copies.of(to); next != nil {
			own.copies[from] = next
		} else if to.Dead() {
			own.copies[from] = gone
		}
	}
	l.successor = own
}

// takeWaiting returns the queued changes and empties the queue.
func (s *Successor) takeWaiting() []change {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.waiting
	s.waiting = nil
	return list
}

// addAll copies the clauses of a predicate that were added at run time, in their order. Clauses before the loaded ones
// are added in front, the others at the end.
func (s *Successor) addAll(pred *database.Pred, loadedAt uint64) {
	list := pred.Clauses()
	split := slices.IndexFunc(list, func(c *database.Clause) bool { return c.Loaded(loadedAt) })
	for i := split - 1; i >= 0; i-- {
		if list[i].BornAfter(loadedAt) {
			s.add(list[i], true)
		}
		s.yielder.Step()
	}
	for _, c := range list[max(split, 0):] {
		if c.BornAfter(loadedAt) {
			s.add(c, false)
		}
		s.yielder.Step()
	}
}

// add adds a copy of a clause to the successor and returns it. It returns nil if the predicate is not dynamic there.
func (s *Successor) add(c *database.Clause, front bool) *database.Clause {
	pred := s.program.counterpart(c.Pred)
	if pred == nil {
		return nil
	}
	if pred.Has(database.Persistent) && !c.IsFact() {
		if s.copying {
			s.lost = append(s.lost, pred.Indicator())
		}
		return nil
	}
	own := s.program.db.AddCopy(pred, c, front)
	s.copies[weak.Make(c)] = own
	return own
}

// counterpart returns the dynamic predicate of p for a predicate of another program. It returns nil if p defines or
// imports one that is not dynamic, or if only the other is persistent. If p has no such predicate, it was created at
// run time. The caller that adds a clause to it has to claim it. A transaction of p must be open, so that the new
// predicate is not removed before it gets one.
func (p *Program) counterpart(pred *database.Pred) *database.Pred {
	module := p.db.Module(pred.Module.Name)
	own := module.Lookup(pred.Functor)
	if pred.Has(database.Persistent) && !own.Has(database.Persistent) {
		return nil // the journal has them
	}
	if own.IsStatic() || own.Imported() != nil && !own.Has(database.Dynamic) {
		return nil
	}
	return own
}

// mirror begins a transaction in the successor with the changes of one in the old program. It returns ErrConflict if
// the successor has lost a clause that the change removes.
func (s *Successor) mirror(
	old *database.Tx, c change, overrules bool,
) (*database.Tx, map[*database.Clause]*database.Clause, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tx := s.program.db.Begin(false)
	if overrules {
		tx.Overrule()
	}
	for _, from := range c.removed {
		if to := s.copies.of(from); to != nil && !tx.Erase(to) && !overrules {
			tx.Rollback()
			return nil, nil, database.ErrConflict
		}
	}
	removed := map[*database.Clause]bool{}
	for _, from := range c.removed {
		removed[from] = true
	}
	added := map[*database.Clause]*database.Clause{}
	for i, from := range c.added {
		pred := s.program.counterpart(from.Pred)
		if pred == nil || removed[from] || from.Pred.Has(database.ThreadLocal) {
			continue
		}
		tx.Claim(pred)
		added[from] = pred.Copy(from)
		tx.Add(added[from], c.inFront[i])
	}
	if tx.Follows(old, s.program.counterpart) {
		tx.Rollback()
		return nil, nil, database.ErrConflict
	}
	return tx, added, nil
}

// apply applies a change of the old program to the successor, and to the successor of that if there is one. A clause
// may have been copied already.
func (s *Successor) apply(c change) {
	var own change
	p := s.program
	p.successorMu.enter(true)
	defer p.successorMu.leave()
	for _, c := range c.removed {
		if copied := s.copies.of(c); copied != nil {
			p.db.EraseNow(copied)
			own.removed = append(own.removed, copied)
			delete(s.copies, weak.Make(c))
		}
	}
	for i, b := range c.added {
		if b.Dead() || b.Pred.Has(database.ThreadLocal) || s.copies.of(b) != nil {
			continue
		}
		if copied := s.add(b, c.inFront[i]); copied != nil {
			own.added, own.inFront = append(own.added, copied), append(own.inFront, c.inFront[i])
		}
	}
	if next := p.successor; next != nil {
		next.pass(own)
	}
}

// pass applies a change to the successor, or queues it.
func (s *Successor) pass(c change) {
	s.commits.enter(true)
	defer s.commits.leave()
	if !s.copying {
		defer s.program.keepNames()()
		s.apply(c)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, c)
}
