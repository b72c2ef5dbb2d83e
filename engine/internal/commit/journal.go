package commit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// Fact is a fact of a persistent predicate.
type Fact struct {
	Module string
	// Head is the fact. It holds no attributed variables and is not cyclic.
	Head term.Term
	// Front says that the fact was added in front of the others.
	Front bool
	// Nth is the number of equal facts before one that is removed.
	Nth int
}

// Indicator is module:name/arity, without the module if that is user.
func (f Fact) Indicator() string {
	name, arity, _ := term.Indicator(f.Head)
	text := syntax.FormatTerm(term.New("/", name, term.Int(arity)))
	if f.Module != "user" {
		text = syntax.FormatTerm(term.Atom(f.Module)) + ":" + text
	}
	return text
}

// FactChange is what one transaction adds to persistent predicates and removes from them.
type FactChange struct {
	// By names the caller for whom the transaction ran; see RunOptions.By of the engine.
	By             string
	Removed, Added []Fact

	commit *storedCommit // nil if no transaction waits for it
}

// Journal makes the changes of persistent predicates durable. Many goroutines call it at the same time.
//
// A journal may pass on the changes of other processes by [Program.Apply]. It then calls [FactChange.Settle] before
// it accepts a change. Calls of Append return in the order in which the journal has accepted the changes. Each
// returns after the end of done of the change before.
type Journal interface {
	// Append is called with the change of a transaction that has no conflicts, before anybody sees the change. If err
	// is nil, the change has its place in the journal. The engine makes it visible and then calls done, which returns
	// when the change is durable. An error of done means that this is not known. If Append returns an error, the
	// transaction is rolled back. Run.Commit returns the error in both cases.
	Append(change FactChange) (done func() error, err error)
}

// Turns is an optional interface of a Journal that processes share. They take turns.
type Turns interface {
	// Turn waits until no other process has its turn, and until the program has the changes of the turns before. A
	// process has one turn at a time. The error is that of the context. A journal that cannot wait returns at once.
	Turn(ctx context.Context) (end func(), err error)
}

// ErrNotStored is in the chain of the error of a commit whose changes the journal could not store.
var ErrNotStored = errors.New("the changes could not be stored")

// persistentChange holds the changes of a transaction in persistent predicates.
type persistentChange struct {
	added, removed []*database.Clause
	front          []bool // for each clause in added
}

// persistentChanges returns the changes of a transaction in persistent predicates, or nil. A clause that it both adds
// and removes is no change.
func persistentChanges(tx *database.Tx) (*persistentChange, error) {
	added, removed := tx.Changes()
	isPersistent := func(c *database.Clause) bool { return c.Pred.Has(database.Persistent) }
	if !slices.ContainsFunc(added, isPersistent) && !slices.ContainsFunc(removed, isPersistent) {
		return nil, nil
	}
	own, stored := map[*database.Clause]bool{}, &persistentChange{}
	for _, c := range added {
		own[c] = isPersistent(c)
	}
	for _, c := range removed {
		if _, both := own[c]; both {
			delete(own, c)
		} else if isPersistent(c) {
			stored.removed = append(stored.removed, c)
		}
	}
	inFront := tx.InFront()
	for i, c := range added {
		if !own[c] {
			continue
		}
		if !c.IsFact() {
			return nil, fmt.Errorf("%w: %s is persistent and can only have facts, not rules", ErrNotStored,
				c.Pred.Indicator())
		}
		if name := c.Opaque(); name != "" {
			return nil, fmt.Errorf("%w: %s is persistent and cannot hold %s", ErrNotStored, c.Pred.Indicator(), name)
		}
		stored.added, stored.front = append(stored.added, c), append(stored.front, inFront[i])
	}
	if len(stored.added)+len(stored.removed) == 0 {
		return nil, nil
	}
	return stored, nil
}

// storedCommit is a commitment that waits for the journal.
type storedCommit struct {
	*commitment
	stored  *persistentChange
	keys    []*reservation // in the program and in those that have replaced it
	settled bool           // by the journal, so that the order of commits is that of the journal
}

// store passes the changes of a prepared transaction to the journal. done is to be called when they are visible.
func (c *commitment) store(stored *persistentChange, by string) (done func() error, err error) {
	s := &storedCommit{commitment: c, stored: stored}
	if err := s.reserve(); err != nil {
		return nil, err
	}
	journal := c.program.journal
	if journal == nil {
		return func() error {
			s.release(true)
			return nil
		}, nil
	}
	appended, err := journal.Append(FactChange{By: by, Added: facts(stored.added, stored.front),
		Removed: facts(stored.removed, nil), commit: s})
	if err != nil {
		s.release(false)
		if err != database.ErrConflict {
			err = fmt.Errorf("%w: %w", ErrNotStored, err)
		}
		return nil, err
	}
	if s.settled {
		c.settle()
	}
	return func() error {
		s.release(true)
		if err := appended(); err != nil {
			return fmt.Errorf("%w: %w", ErrNotStored, err)
		}
		return nil
	}, nil
}

// reserve takes the keys of the facts that are added, in each of the programs.
func (s *storedCommit) reserve() error {
	for c := s.commitment; c != nil; c = c.next {
		stored, err := persistentChanges(c.tx)
		if err == nil && stored != nil {
			var own *reservation
			if own, err = c.program.reserve(c.tx, stored.added, stored.removed); err == nil {
				s.keys = append(s.keys, own)
			}
		}
		if err != nil {
			s.release(false)
			// The transaction in a successor began only now. So a fact that the original could not see seems visible
			// to it.
			if _, held := err.(*keyPending); c != s.commitment && !held {
				return database.ErrConflict
			}
			return err
		}
	}
	return nil
}

// release ends the reservations.
func (s *storedCommit) release(committed bool) {
	for _, r := range s.keys {
		r.release(committed)
	}
}

// ChangeOf returns the changes of a transaction in all dynamic predicates, before its commit. The Head of a rule is
// the term (Head :- Body). There is an error if a clause cannot be written as text.
func ChangeOf(tx *database.Tx) (c FactChange, err error) {
	added, removed := tx.Changes()
	own := make(map[*database.Clause]bool, len(added))
	for _, one := range added {
		own[one] = true
	}
	removed = slices.Clone(removed)
	removed = slices.DeleteFunc(removed, func(one *database.Clause) bool {
		both := own[one]
		delete(own, one)
		return both
	})
	for i, one := range added {
		if name := one.Opaque(); name != "" && own[one] {
			return c, fmt.Errorf("a clause of %s holds %s", one.Pred.Indicator(), name)
		} else if own[one] {
			c.Added = append(c.Added, Fact{one.Pred.Module.Name, stacks.ExportClause(one), tx.InFront()[i], 0})
		}
	}
	for i, same := range alikeInTurn(removed) {
		at := max(slices.Index(*same, removed[i]), 0)
		c.Removed = append(c.Removed, Fact{removed[i].Pred.Module.Name, stacks.ExportClause(removed[i]), false, at})
		if at < len(*same) {
			takeNth(same, at)
		}
	}
	return c, nil
}

// Check returns the error that the commit of a transaction would have now. The transaction goes on.
func (p *Program) Check(tx *database.Tx) error {
	stored, err := persistentChanges(tx)
	if err != nil || stored == nil {
		return err
	}
	own, err := p.reserve(tx, stored.added, stored.removed)
	if err == nil {
		own.release(false)
	}
	return err
}

// Settle reports whether a change has no conflicts with the changes that have been passed to [Program.Apply] since it
// was made. It also sets Nth of the removed facts. A journal calls it when all changes before this one in the journal
// have been applied.
func (c *FactChange) Settle() bool {
	s := c.commit
	if s == nil {
		return true
	}
	for one := s.commitment; one != nil; one = one.next {
		if one.tx.Loses() {
			return false
		}
	}
	for _, r := range s.keys {
		if !r.holds() {
			return false
		}
	}
	for i, same := range alikeInTurn(s.stored.removed) {
		c.Removed[i].Nth = slices.Index(*same, s.stored.removed[i])
		takeNth(same, c.Removed[i].Nth)
	}
	s.settled = true
	return true
}

// alikeInTurn yields the index of each clause that is to be removed, with a list of the committed clauses that are
// equal to it, in their order. Equal clauses share the list. The caller takes the removed clause out of it.
//
// Different heads may lead to the same list of clauses in the index. Such a list is read once, since it may be long.
func alikeInTurn(clauses []*database.Clause) iter.Seq2[int, *[]*database.Clause] {
	type head struct {
		pred *database.Pred
		text string
	}
	type listed struct { // a list of clauses that the index finds
		first **database.Clause
		count int
	}
	type equals struct {
		in   listed
		left []*database.Clause
	}
	headOf := func(c *database.Clause) head { return head{c.Pred, alikeText(stacks.ExportClause(c))} }
	heads, found, lists := make([]head, len(clauses)), map[head]*equals{}, map[listed][]*database.Clause{}
	for i, c := range clauses {
		if heads[i] = headOf(c); found[heads[i]] != nil {
			continue
		}
		f := &equals{}
		if list := c.Pred.Alike(c); len(list) > 0 {
			f.in = listed{&list[0], len(list)}
			lists[f.in] = list
		}
		found[heads[i]] = f
	}
	for in, list := range lists {
		for _, c := range list {
			if c.Committed() {
				if f := found[headOf(c)]; f != nil && f.in == in {
					f.left = append(f.left, c)
				}
			}
		}
	}
	return func(yield func(int, *[]*database.Clause) bool) {
		for i, h := range heads {
			if !yield(i, &found[h].left) {
				return
			}
		}
	}
}

// takeNth takes the nth clause out of a list, and returns it.
func takeNth(list *[]*database.Clause, nth int) *database.Clause {
	c := (*list)[nth]
	if nth == 0 {
		*list = (*list)[1:]
	} else {
		*list = slices.Delete(*list, nth, nth+1)
	}
	return c
}

// alikeText returns a text that is the same for terms that differ only in their variables.
func alikeText(t term.Term) string {
	vars := map[*term.Var]term.Term{}
	for i, v := range term.Variables(t) {
		vars[v] = term.New("$VAR", term.Int(i))
	}
	return syntax.FormatTerm(term.Rename(t, vars))
}

// facts returns clauses as facts.
func facts(clauses []*database.Clause, front []bool) []Fact {
	list := make([]Fact, len(clauses))
	for i, c := range clauses {
		list[i] = Fact{Module: c.Pred.Module.Name, Head: stacks.ExportHead(c), Front: front != nil && front[i]}
	}
	return list
}
