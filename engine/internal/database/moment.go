package database

// Moment is a generation whose clauses are kept although they may be dead by now, so that views of it can be begun. It
// keeps neither the code of clauses nor names.
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

// Release gives the moment up. It may be called again.
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

// BeginAt starts a transaction that sees the program as it was at a moment, or as Begin if that is not one of the
// program. It must not be committed.
func (p *Program) BeginAt(m *Moment) *Tx {
	t := p.Begin(false)
	p.txMu.Lock()
	defer p.txMu.Unlock()
	if m != nil && m.program == p {
		t.gen = m.gen
	}
	return t
}
