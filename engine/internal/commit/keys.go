package commit

import (
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// keys finds facts of persistent predicates by their keys. The zero value knows none.
type keys struct {
	mu    sync.Mutex
	taken map[*database.Pred]map[string]uint64 // the generation of the fact; pending while it is not committed
	// holders are the reservations of the keys that are pending.
	holders map[keyed]*reservation
}

// pending stands for the generation of a fact that is being committed. overruling stands for that of a fact which
// another process has committed and which is being applied here.
const (
	pending    = ^uint64(0)
	overruling = pending - 1
)

// keyed is a predicate with one of its keys.
type keyed struct {
	pred *database.Pred
	key  string
}

// keyOf returns the key of a clause. ok is false if its predicate has none.
func (p *Program) keyOf(c *database.Clause) (k keyed, ok bool) {
	positions := p.loaded.Key(c.Pred)
	if positions == nil {
		return keyed{}, false
	}
	head := stacks.ExportHead(c).(*term.Compound)
	var b strings.Builder
	for _, i := range positions {
		b.WriteString(syntax.FormatTerm(head.Args[i]))
		b.WriteByte(0)
	}
	return keyed{c.Pred, b.String()}, true
}

// takenKeys returns the keys of a predicate that are taken. The lock of the keys must be held.
func (p *Program) takenKeys(pred *database.Pred) map[string]uint64 {
	if p.keys.taken == nil {
		p.keys.taken = map[*database.Pred]map[string]uint64{}
	}
	known := p.keys.taken[pred]
	if known == nil {
		known = map[string]uint64{}
		p.keys.taken[pred] = known
		p.eachFact(pred, func(c *database.Clause) bool {
			if k, ok := p.keyOf(c); ok {
				known[k.key] = 0
			}
			return true
		})
	}
	return known
}

// KeyTakenError is the error of a transaction that adds a second fact with the same key, although it could see the
// first.
type KeyTakenError struct {
	Formal term.Term // the formal term of the error, in the sense of the standard
}

func (e *KeyTakenError) Error() string { return syntax.FormatTerm(e.Formal) }

// keyTaken returns the KeyTakenError for a clause.
func (p *Program) keyTaken(c *database.Clause) error {
	head := stacks.ExportHead(c).(*term.Compound)
	var key []term.Term
	for _, i := range p.loaded.Key(c.Pred) {
		key = append(key, head.Args[i])
	}
	culprit := term.New("/", term.Atom(code.AtomText(c.Pred.Functor.FunctorAtom())), term.Int(c.Pred.Arity()))
	return &KeyTakenError{term.New("permission_error", term.Atom("create"), term.Atom("unique_key"),
		term.New("-", culprit, term.List(key...)))}
}

// reservation holds the keys that a transaction takes and frees.
type reservation struct {
	p            *Program
	freed, taken map[keyed]bool
	before       map[keyed]uint64 // the generations of the keys that were taken before
	over         chan struct{}    // closed when it is released
}

// keyPending is ErrConflict because of a key that is being committed. Trying again before over is closed gives the
// same conflict.
type keyPending struct{ over <-chan struct{} }

func (*keyPending) Error() string { return database.ErrConflict.Error() }

// reserve takes the keys of the facts that a transaction adds. It returns ErrConflict if another transaction has
// taken a key since this one began. It returns a keyPending if the other is not committed yet, and a [KeyTakenError]
// if this transaction could see that the key is taken. The reservation must be released after the commit, whether it
// succeeds or not.
func (p *Program) reserve(tx *database.Tx, added, removed []*database.Clause) (*reservation, error) {
	p.keys.mu.Lock()
	defer p.keys.mu.Unlock()
	r := &reservation{p, map[keyed]bool{}, map[keyed]bool{}, map[keyed]uint64{}, make(chan struct{})}
	for _, c := range removed {
		if k, ok := p.keyOf(c); ok {
			r.freed[k] = true
		}
	}
	for _, c := range added {
		k, ok := p.keyOf(c)
		if !ok {
			continue
		}
		since, known := p.takenKeys(k.pred)[k.key]
		switch {
		case r.taken[k] || known && !r.freed[k] && since <= tx.BeganAt():
			return nil, p.keyTaken(c)
		case known && since == pending:
			return nil, &keyPending{p.keys.holders[k].over}
		case known && since > tx.BeganAt():
			return nil, database.ErrConflict
		}
		r.taken[k] = true
	}
	for k := range r.taken {
		if since, known := p.keys.taken[k.pred][k.key]; known {
			r.before[k] = since
		}
		p.keys.taken[k.pred][k.key] = pending
		if p.keys.holders == nil {
			p.keys.holders = map[keyed]*reservation{}
		}
		p.keys.holders[k] = r
	}
	return r, nil
}

// holds reports whether no change of another process has taken a key of the reservation.
func (r *reservation) holds() bool {
	r.p.keys.mu.Lock()
	defer r.p.keys.mu.Unlock()
	for k := range r.taken {
		if r.p.keys.holders[k] != r || r.p.keys.taken[k.pred][k.key] != pending {
			return false
		}
	}
	return true
}

// release ends a reservation. Keys that a change of another process has taken meanwhile stay taken.
func (r *reservation) release(committed bool) {
	p := r.p
	p.keys.mu.Lock()
	defer p.keys.mu.Unlock()
	defer close(r.over)
	for k := range r.freed {
		if committed && !r.taken[k] {
			delete(p.takenKeys(k.pred), k.key)
		}
	}
	for k := range r.taken {
		if p.keys.holders[k] != r {
			continue
		}
		delete(p.keys.holders, k)
		if p.keys.taken[k.pred][k.key] != pending {
			continue
		}
		since, known := r.before[k]
		switch {
		case committed:
			p.keys.taken[k.pred][k.key] = p.db.Generation()
		case known:
			p.keys.taken[k.pred][k.key] = since
		default:
			delete(p.keys.taken[k.pred], k.key)
		}
	}
}

// overruleKeys takes the keys of the facts that a transaction adds, and gives up the keys of the facts that it removes.
// Call settle when the transaction has been committed.
func (p *Program) overruleKeys(tx *database.Tx) (settle func()) {
	p.keys.mu.Lock()
	defer p.keys.mu.Unlock()
	added, removed := tx.Changes()
	for _, c := range removed {
		if k, ok := p.keyOf(c); ok {
			delete(p.takenKeys(k.pred), k.key)
		}
	}
	var taken []keyed
	for _, c := range added {
		if k, ok := p.keyOf(c); ok {
			p.takenKeys(k.pred)[k.key] = overruling
			taken = append(taken, k)
		}
	}
	return func() {
		p.keys.mu.Lock()
		defer p.keys.mu.Unlock()
		for _, k := range taken {
			p.keys.taken[k.pred][k.key] = p.db.Generation()
		}
	}
}
