package database

import "sync"

// This file defines which transactions are active.
//
// Most transactions change nothing. They begin and end under the lock of their lane, which transactions of one
// processor share, so that processors do not wait for each other. A scan of all active transactions holds the lock of
// the transactions and takes that of one lane after the other. A transaction that begins meanwhile sees all changes
// published before.

// Lanes is the number of lanes.
const Lanes = 8

// lane holds the active transactions that have begun in it.
type lane struct {
	mu     sync.Mutex
	newest *Tx      // of a list
	_      [48]byte // so that no two lanes share a line of the processor's cache
}

// Begin starts a view of the current program. It must be ended by Commit or Rollback.
func (p *Program) Begin(direct bool) *Tx { return p.BeginIn(0, direct, nil) }

// BeginIn is Begin in one of the Lanes. If over is not nil, the new view reuses it: a view that has ended and that only
// the caller knows.
func (p *Program) BeginIn(at int, direct bool, over *Tx) *Tx {
	l, t := &p.lanes[at], over
	if t == nil {
		t = &Tx{}
	}
	*t = Tx{program: p, direct: direct, lane: l, tag: uncommitted}
	if !direct {
		p.isolated.Add(1) // before it looks at the generation; see oldest
		for t.tag == uncommitted {
			t.tag |= uint64(p.lastTx.Add(1)&0x7fffffff) << 32
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	t.gen, t.vouched = p.gen.Load(), p.retiredSeq.Load()
	if t.before = l.newest; t.before != nil {
		t.before.after = t
	}
	l.newest = t
	return t
}

// unlink removes a transaction from the list of its lane, if it is still there.
func (t *Tx) unlink() {
	l := t.lane
	if l == nil {
		return
	}
	l.mu.Lock()
	if t.before != nil {
		t.before.after = t.after
	}
	if t.after != nil {
		t.after.before = t.before
	} else {
		l.newest = t.before
	}
	l.mu.Unlock()
	if t.lane, t.before, t.after = nil, nil, nil; !t.direct {
		t.program.isolated.Add(-1)
	}
}

// active visits the active transactions. The lock of the transactions must be held.
func (p *Program) active(yield func(*Tx) bool) {
	for i := range p.lanes {
		if !p.lanes[i].each(yield) {
			return
		}
	}
}

// each visits the transactions of a lane, under its lock. It returns false if the visit was stopped.
func (l *lane) each(yield func(*Tx) bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for t := l.newest; t != nil; t = t.before {
		if !yield(t) {
			return false
		}
	}
	return true
}

// leave ends a transaction whose changes have been made or will be undone. It reports whether a sweep is due.
func (t *Tx) leave() (due bool) {
	p := t.program
	t.unlink()
	if !t.prepared && !t.older && !p.isUntidy() {
		return false
	}
	p.txMu.Lock()
	defer p.txMu.Unlock()
	t.unprepare()
	p.end(t)
	return p.sweepDue()
}

// isUntidy reports whether a sweep or retired code may wait for the end of a transaction.
func (p *Program) isUntidy() bool {
	s := &p.sweeping
	least := int(s.least.Load())
	return s.marked.Load() || p.retiredNow.Load() >= retireBatch || least > 0 && len(*p.preds.Load()) >= least
}

// end releases what waits for the end of a transaction; the lock of the transactions must be held.
func (p *Program) end(t *Tx) {
	t.unlink()
	if !t.resting {
		p.noteOlder(t, -1)
	}
	t.older = false
	p.reclaim()
}

// oldest returns the generation that the oldest isolated view sees, or a moment; the lock of the transactions must be
// held. A view that is not in its lane yet sees the current generation or a later one.
func (p *Program) oldest() uint64 {
	gen := p.gen.Load()
	for kept := range p.kept {
		gen = min(gen, kept)
	}
	if p.isolated.Load() == 0 {
		return gen
	}
	for t := range p.active {
		if !t.direct {
			gen = min(gen, t.gen)
		}
	}
	return gen
}
