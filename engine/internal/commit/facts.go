package commit

import (
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// IsPersistent reports whether a predicate is persistent.
func (p *Program) IsPersistent(module, name string, arity int) bool {
	m := p.db.FindModule(module)
	if m == nil {
		return false
	}
	pred := m.Find(code.Functor(name, arity))
	return pred != nil && pred.Has(database.Persistent)
}

// Persistent returns the persistent predicates as module:name/arity, sorted.
func (p *Program) Persistent() []string {
	var list []string
	for _, pred := range p.loaded.Persistent() {
		list = append(list, pred.Module.Name+":"+pred.Name()+"/"+strconv.Itoa(pred.Arity()))
	}
	slices.Sort(list)
	return list
}

// Facts returns the facts of the persistent predicates as they are at the time of the call. end gives them up.
func (p *Program) Facts() (all iter.Seq[Fact], end func()) {
	tx := p.db.Begin(false)
	view := tx.Now()
	all = func(yield func(Fact) bool) {
		for _, pred := range p.loaded.Persistent() {
			for _, c := range pred.Clauses() {
				if tx.Sees(c, view) && !yield(Fact{Module: pred.Module.Name, Head: machine.ExportHead(c)}) {
					return
				}
			}
		}
	}
	return all, tx.Rollback
}

// eachFact calls f for the facts of a predicate that a transaction sees that begins now.
func (p *Program) eachFact(pred *database.Pred, f func(*database.Clause) bool) {
	tx := p.db.Begin(false)
	defer tx.Rollback()
	view := tx.Now()
	for _, c := range pred.Clauses() {
		if tx.Sees(c, view) && !f(c) {
			return
		}
	}
}

// Restore adds facts that the journal has kept, and returns those whose predicates are not persistent.
func (p *Program) Restore(stored iter.Seq[Fact]) (left []Fact) {
	tx := p.db.Begin(true)
	defer tx.Rollback()
	for f := range stored {
		pred := p.persistent(f)
		if pred == nil {
			left = append(left, f)
			continue
		}
		tx.Add(load.Clause(pred, f.Head, term.True), f.Front)
	}
	return left
}

// Apply makes a change that a journal has got from elsewhere, and overrules transactions that are not committed yet.
// The error says that a fact which is to be removed is not there; nothing is changed then.
func (p *Program) Apply(others FactChange) error {
	tx := p.db.Begin(false)
	tx.Overrule()
	removed := make([]*database.Clause, 0, len(others.Removed))
	nth := make([]int, 0, len(others.Removed))
	for _, f := range others.Removed {
		if pred := p.persistent(f); pred != nil {
			removed, nth = append(removed, load.Clause(pred, f.Head, term.True)), append(nth, f.Nth)
		}
	}
	for i, same := range alikeInTurn(removed) {
		if nth[i] >= len(*same) {
			tx.Rollback()
			return fmt.Errorf("%s is not there", syntax.FormatTerm(machine.ExportHead(removed[i])))
		}
		tx.Erase(takeNth(same, nth[i]))
	}
	for _, f := range others.Added {
		if pred := p.persistent(f); pred != nil {
			tx.Add(load.Clause(pred, f.Head, term.True), f.Front)
		}
	}
	return p.overrule(tx)
}

// Replace replaces all facts of persistent predicates by a sequence of facts, as [Program.Apply] does.
func (p *Program) Replace(all iter.Seq[Fact]) error {
	tx := p.db.Begin(false)
	tx.Overrule()
	for _, pred := range p.loaded.Persistent() {
		for _, c := range pred.Clauses() {
			tx.Erase(c)
		}
	}
	for f := range all {
		if pred := p.persistent(f); pred != nil {
			tx.Add(load.Clause(pred, f.Head, term.True), f.Front)
		}
	}
	return p.overrule(tx)
}

// overrule commits a transaction whose changes stand in the journal already.
func (p *Program) overrule(tx *database.Tx) error {
	c, err := p.prepare(tx, true)
	if err != nil {
		return err
	}
	var taken []func()
	for one := c; one != nil; one = one.next {
		taken = append(taken, one.program.overruleKeys(one.tx))
	}
	err = c.commit()
	for _, settle := range taken {
		settle()
	}
	return err
}

// persistent returns the predicate of a fact, or nil if it is not persistent.
func (p *Program) persistent(f Fact) *database.Pred {
	name, arity, ok := term.Indicator(f.Head)
	if !ok || !p.IsPersistent(f.Module, string(name), arity) {
		return nil
	}
	return p.db.Module(f.Module).Lookup(code.Functor(string(name), arity))
}
