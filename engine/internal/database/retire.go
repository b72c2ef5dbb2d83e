package database

import "slices"

// This file defines how the code of clauses that are gone is given back. A machine may still be in it, so each one says
// from time to time which code it is in; what has been out of reach since then, and is in nobody's way, is free.

// retired is the code of a clause that no call enters any more. Sequence numbers tell what was
// retired before a machine spoke from what came after.
type retired struct {
	at   uint32
	size int
	seq  uint64
}

// CodeSet is a set of code addresses.
type CodeSet []uint64

// NewCodeSet returns an empty set for the addresses of the program's code.
func (p *Program) NewCodeSet() CodeSet { return make(CodeSet, len(p.area.load())/64+1) }

// Add adds an address, unless it is none.
func (s CodeSet) Add(at uint64) {
	if i := at / 64; i < uint64(len(s)) {
		s[i] |= 1 << (at % 64)
	}
}

// touches reports whether an address of a block, or the one behind it, is in the set.
func (s CodeSet) touches(r retired) bool {
	for at := int(r.at); at <= int(r.at)+r.size && at/64 < len(s); at++ {
		if s[at/64]>>(at%64)&1 != 0 {
			return true
		}
	}
	return false
}

// retire takes the code away from a clause that is gone.
func (p *Program) retire(c *Clause) {
	at := c.addr.Swap(0)
	if at == 0 {
		return
	}
	c.calls.Store(0)
	p.retireBlock(at, c.CodeSize())
}

// DropCode takes the code away from a clause that is to be compiled again.
func (p *Program) DropCode(c *Clause) { p.retire(c) }

// retireBlock notes that no call enters a block of code any more.
func (p *Program) retireBlock(at uint32, size int) {
	p.codeMu.Lock()
	defer p.codeMu.Unlock()
	seq := p.retiredSeq.Add(1)
	p.retired = append(p.retired, retired{at, size, seq})
}

// retireBatch is the number of retired blocks from which it pays to look who is in them.
const retireBatch = 64

// ShouldVouch reports whether enough code has been retired since the machine last said what
// it is in, for a machine with stacks of so many words.
func (t *Tx) ShouldVouch(words int) bool {
	const wordsPerBlock = 1024 // looked at as fast as a block is made
	n := int(t.program.retiredSeq.Load() - t.vouched)
	return n >= retireBatch && n*wordsPerBlock >= words
}

// Retired returns a number that grows with each block that is retired.
func (p *Program) Retired() uint64 { return p.retiredSeq.Load() }

// Vouch says which code the machine is in or may return to. seq is what Retired returned before the machine last
// loaded the code: in what it has loaded no call enters a block that was retired before.
func (t *Tx) Vouch(inUse CodeSet, seq uint64) {
	p := t.program
	p.txMu.Lock()
	defer p.txMu.Unlock()
	t.inUse, t.vouched = inUse, seq
	p.reclaim()
}

// Rest says so of a machine that does not move until Wake, after which it loads the code again.
func (t *Tx) Rest(inUse CodeSet, seq uint64) {
	t.Vouch(inUse, seq)
	p := t.program
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.txMu.Lock()
	defer p.txMu.Unlock()
	if !t.resting {
		p.noteOlder(t, -1)
	}
	t.resting, t.knownPreds, t.knownModules = true, len(*p.preds.Load()), len(p.order)
}

// Wake ends Rest; without one it does nothing.
func (t *Tx) Wake() {
	if !t.resting {
		return
	}
	t.program.txMu.Lock()
	t.program.noteOlder(t, 1)
	t.resting, t.vouched = false, t.program.retiredSeq.Load()
	t.program.txMu.Unlock()
}

// holds reports whether the machine of the transaction may be in a retired block.
func (t *Tx) holds(r retired) bool {
	if !t.resting && t.vouched < r.seq {
		return true
	}
	return t.inUse.touches(r)
}

// reclaim gives back the blocks that nobody is in; the lock of the transactions must be held.
func (p *Program) reclaim() {
	p.codeMu.Lock()
	defer p.codeMu.Unlock()
	if len(p.retired) < retireBatch {
		return
	}
	free := map[uint32]bool{}
	p.retired = slices.DeleteFunc(p.retired, func(r retired) bool {
		for t := range p.active {
			if t.holds(r) {
				return false
			}
		}
		free[r.at] = true
		p.area.release(r.at, r.size)
		return true
	})
	if len(free) > 0 {
		p.dropSpans(free)
	}
}
