package database

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines how compiled code gets into a program and out of it again.

// PlaceCode stores a block of size words; build is given its address and returns the words,
// with that address in them where they need it.
func (p *Program) PlaceCode(size int, build func(at uint32) []code.Instr) uint32 {
	return p.area.place(size, build)
}

// ReserveCode makes room for as much code, in words, as the program is expected to have.
func (p *Program) ReserveCode(size int) { p.area.reserve(size) }

// SetChain makes a block of code the one through which calls of the predicate reach its clauses, and gives back the one
// before. size 0 means no block. Unless the program is shared no machine may be in the old block or come back to it.
func (p *Pred) SetChain(at uint32, size int) {
	p.mu.Lock()
	old := p.chains
	p.chains = nil
	if size > 0 {
		p.chains = []chain{{at, size}}
	}
	p.mu.Unlock()
	program := p.Module.program
	for _, c := range old {
		if program.area.isShared() {
			program.retireBlock(c.at, c.size)
		} else {
			program.area.release(c.at, c.size)
		}
	}
}

// AddChain adds a block of code that leads to the one of SetChain and is given back with it.
func (p *Pred) AddChain(at uint32, size int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.chains = append(p.chains, chain{at, size})
}

// Chain returns where the block of SetChain is; size 0 means that there is none.
func (p *Pred) Chain() (at uint32, size int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.chains) == 0 {
		return 0, 0
	}
	return p.chains[0].at, p.chains[0].size
}
