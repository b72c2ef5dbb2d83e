package database

import (
	"iter"
	"sync/atomic"
)

// predTable holds the predicates of a module by their functors. Any goroutine may read it, also while one, which holds
// the program's lock, changes it. The zero table is empty.
//
// It probes linearly. A slot never becomes free again, so that a reader finds what was there when it began.
type predTable struct {
	slots atomic.Pointer[[]atomic.Pointer[Pred]] // as many as a power of 2, at least a quarter of them free
	used  int                                    // slots that are not free
	count int
}

// gone stands in the slots of predicates that were removed. No functor is 0.
var gone = &Pred{}

// firstSlot is where the search for a functor begins, in a table of a size.
func firstSlot(functor cell, size int) int {
	return int((uint64(functor) * 0x9e3779b97f4a7c15 >> 32) & uint64(size-1))
}

// get returns the predicate of a functor, or nil.
func (t *predTable) get(functor cell) *Pred {
	list := t.slots.Load()
	if list == nil {
		return nil
	}
	slots := *list
	for i := firstSlot(functor, len(slots)); ; i = (i + 1) & (len(slots) - 1) {
		p := slots[i].Load()
		if p == nil || p.Functor == functor {
			return p
		}
	}
}

// put adds a predicate, of whose functor there is none.
func (t *predTable) put(p *Pred) {
	if list := t.slots.Load(); list == nil || 4*(t.used+1) > 3*len(*list) {
		t.grow(t.count + 1)
	}
	slots := *t.slots.Load()
	i := firstSlot(p.Functor, len(slots))
	for slots[i].Load() != nil {
		i = (i + 1) & (len(slots) - 1)
	}
	slots[i].Store(p)
	t.used++
	t.count++
}

// remove removes the predicate of a functor, if there is one.
func (t *predTable) remove(functor cell) {
	if t.get(functor) == nil {
		return
	}
	slots := *t.slots.Load()
	i := firstSlot(functor, len(slots))
	for slots[i].Load().Functor != functor {
		i = (i + 1) & (len(slots) - 1)
	}
	slots[i].Store(gone)
	t.count--
}

// grow makes room for n predicates and as many more.
func (t *predTable) grow(n int) {
	size := 4
	for size < 2*n {
		size *= 2
	}
	next := predTable{}
	slots := make([]atomic.Pointer[Pred], size)
	next.slots.Store(&slots)
	for p := range t.all() {
		next.put(p)
	}
	t.slots.Store(&slots)
	t.used, t.count = next.used, next.count
}

// all yields the predicates in any order.
func (t *predTable) all() iter.Seq[*Pred] {
	return func(yield func(*Pred) bool) {
		list := t.slots.Load()
		if list == nil {
			return
		}
		for i := range *list {
			if p := (*list)[i].Load(); p != nil && p != gone && !yield(p) {
				return
			}
		}
	}
}
