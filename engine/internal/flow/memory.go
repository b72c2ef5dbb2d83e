package flow

import (
	"cmp"
	"slices"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the results that one inference keeps for the next inference of a similar program.

// Memory holds the inferred types of a program. The zero value is empty. Several goroutines may use it.
type Memory struct {
	mu     sync.Mutex
	known  map[Key]*success
	looked int
}

// callee is the predicate that a goal calls, and whether it belongs to a library.
type callee struct {
	Key
	library bool
}

// Looked returns how many predicates the last inference has examined. The others were unchanged, as were all predicates
// that they call.
func (m *Memory) Looked() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.looked
}

// keep holds a result for the next inference, unless it is not complete.
func (m *Memory) keep(r *Result, looked int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known, m.looked = nil, looked; r.left > 0 {
		m.known = r.preds
	}
}

// recall reuses rows of the last inference for a predicate if its clauses, and those of all predicates that it calls,
// are unchanged. Their least fixpoint is then the same.
func (m *Memory) recall(r *Result) {
	m.mu.Lock()
	known := m.known
	m.mu.Unlock()
	same, callers := map[Key]bool{}, map[Key][]Key{}
	var changed []Key
	for _, s := range r.queue {
		k := s.pred.Key
		old := known[k]
		if same[k] = old != nil && s.pred.isLike(old.pred) && r.resolvesAlike(old, known); !same[k] {
			changed = append(changed, k)
			continue
		}
		for _, to := range old.calls {
			callers[to.Key] = append(callers[to.Key], k)
		}
	}
	for ; len(changed) > 0; changed = changed[1:] {
		for _, caller := range callers[changed[0]] {
			if same[caller] {
				same[caller], changed = false, append(changed, caller)
			}
		}
	}
	r.queue = slices.DeleteFunc(r.queue, func(s *success) bool {
		if old := known[s.pred.Key]; same[s.pred.Key] {
			s.rows, s.all, s.parts, s.changes, s.calls, s.queued = old.rows, old.all, old.parts, old.changes, old.calls, false
		}
		return !s.queued
	})
}

// resolvesAlike reports whether the goals of a predicate call the same predicates as before.
func (r *Result) resolvesAlike(old *success, known map[Key]*success) bool {
	for asked, to := range old.calls {
		now := r.world.Resolve(asked.Module, asked.Name, asked.Arity)
		if now != to.Key || (r.preds[now] == nil) != (known[now] == nil) || r.world.Library(now) != to.library {
			return false
		}
	}
	return true
}

// isLike reports whether a predicate has the same clauses and fact types as another one.
func (p *Predicate) isLike(q *Predicate) bool {
	return p.Open == q.Open && (p.Facts == nil) == (q.Facts == nil) && slices.EqualFunc(p.Facts, q.Facts, Type.same) &&
		slices.EqualFunc(p.Given, q.Given, Type.same) && slices.EqualFunc(p.Clauses, q.Clauses, func(c, d Clause) bool {
		return c.From == d.From && c.From != nil && c.Opaque == d.Opaque
	})
}

// noteCall stores for the next inference which predicate a goal calls.
func (w *walk) noteCall(g body.Part, k Key) {
	if w.caller == nil || !w.r.remembers {
		return
	}
	name, arity, _ := term.Indicator(g.Term)
	asked := Key{cmp.Or(g.Module, w.module), string(name), arity}
	if _, noted := w.caller.calls[asked]; noted {
		return
	}
	if w.caller.calls == nil {
		w.caller.calls = map[Key]callee{}
	}
	w.caller.calls[asked] = callee{k, w.r.world.Library(k)}
}
