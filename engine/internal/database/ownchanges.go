package database

// This file defines what a direct view remembers of its own changes: the generations that they made. A retract that
// meets a clause of its iteration already dead must know who erased it. If its own run did, the clause is still one of
// the iteration's (ISO 13211-1, 7.5.4 and 8.9.3.4); if another did, it is the other's.

// generations is a run of generations, both ends included.
type generations struct{ from, to uint64 }

// ownSpans is how many such runs are remembered. Changes of others part them; what is forgotten counts as another's.
const ownSpans = 64

// noteOwn remembers that the view has made a generation.
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
// now. In a transaction nobody else can have.
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
