package machine

import (
	"cmp"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines what a tabled predicate rests on: the predicates that its clauses reach. There is no answer when
// one of them might do more than compute, or calls what only the run will tell.

// basisReader collects predicates.
type basisReader struct {
	m    *Machine
	view database.View
	seen map[*database.Pred]bool
	list []restsOn
	work int
	// own says that the outcome depends on this run alone.
	own bool
}

// tableBasis is what a predicate rests on. If ok is false it has none as long as the predicates of the list are as they
// were.
type tableBasis struct {
	list []restsOn
	ok   bool
}

// basisOf returns what a predicate rests on, as it is now. ok is false when that is not known.
func (m *Machine) basisOf(pred *database.Pred) (list []restsOn, ok bool) {
	s := &m.tables
	if old, known := s.bases[pred]; known && (old == nil || m.stands(old)) {
		return old, old != nil
	}
	found := m.findBasis(pred)
	if !found.ok {
		found.list = nil
	}
	if s.bases == nil {
		s.bases = map[*database.Pred][]restsOn{}
	}
	s.bases[pred] = found.list
	return found.list, found.ok
}

// findBasis takes what an earlier run has found, or reads the clauses.
func (m *Machine) findBasis(pred *database.Pred) tableBasis {
	s := m.shared()
	s.mu.Lock()
	found, known := s.bases[pred]
	s.mu.Unlock()
	if known && m.stands(found.list) {
		return found
	}
	b := &basisReader{m: m, view: m.tx.Now(), seen: map[*database.Pred]bool{}}
	ok := b.predicate(pred)
	found = tableBasis{b.list, ok}
	if !b.own {
		s.mu.Lock()
		s.bases[pred] = found
		s.mu.Unlock()
	}
	return found
}

// The bounds of what is looked at.
const (
	maxBasis     = 200
	maxBasisWork = 200_000
)

// predicate adds a predicate and those that it calls.
func (b *basisReader) predicate(p *database.Pred) bool {
	if b.seen[p] {
		return true
	}
	b.seen[p] = true
	mark := b.m.tx.MarkOf(p, b.view)
	if mark.Touched() || !b.m.tx.Knows(p) {
		b.own = true
		return false
	}
	b.list = append(b.list, restsOn{p, mark})
	if len(b.list) > maxBasis || p.Has(database.ThreadLocal|database.Det|database.Private) || !p.Defined() {
		return false
	}
	for _, c := range p.Clauses() {
		if b.work++; b.work > maxBasisWork {
			return false
		}
		if b.work%1024 == 0 && b.m.Charge(16) != nil {
			b.own = true
			return false
		}
		if c.IsFact() && !c.SSU || !b.m.tx.Sees(c, b.view) {
			continue
		}
		if mentionsMoment(c.Cells) || !b.goal(c, c.Body, p.Module) {
			return false
		}
	}
	return true
}

// mentionsMoment reports whether cells name an arithmetic function whose value is not always the same, or a mode of
// tables that calls goals.
func mentionsMoment(cells []cell) bool {
	found := false
	eachAtom(cells, func(n uint32) { found = found || momentary[n] })
	return found
}

var momentary = func() map[uint32]bool {
	set := map[uint32]bool{}
	for _, name := range []string{"random", "random_float", "cputime", "realtime", "lattice", "po"} {
		set[code.AtomCell(name).Atom()] = true
	}
	return set
}()

// goal adds what a goal calls.
func (b *basisReader) goal(c *database.Clause, goal cell, mod *database.Module) bool {
	if goal.Tag() == code.Atom {
		return goal == code.ATrue || goal == code.ACut || b.call(code.MakeFunctor(goal.Atom(), 0), mod)
	}
	if goal.Tag() != code.Str || !c.Cells[goal.Addr()].IsFunctor() {
		return false
	}
	at := goal.Addr()
	f := c.Cells[at]
	if f == code.FColon {
		name := c.Cells[at+1]
		return name.Tag() == code.Atom && b.goal(c, c.Cells[at+2], b.m.program.Mentioned(AtomText(name)))
	}
	if transparent[f] {
		for i, mark := range goalMarks(mod, f) {
			if mark == '0' && !b.goal(c, c.Cells[at+1+i], mod) {
				return false
			}
		}
		return true
	}
	return b.call(f, mod)
}

// transparent are the control constructs and predicates that do no more than call the goals among their arguments.
var transparent = func() map[cell]bool {
	set := map[cell]bool{}
	for _, name := range strings.Fields(`,/2 ;/2 ->/2 *->/2 \+/1 not/1 once/1 ignore/1 call/1 forall/2 findall/3 findall/4
		tnot/1 aggregate_all/3 $tbl_call/1 $tbl_moded/4`) {
		i := strings.LastIndexByte(name, '/')
		set[code.Functor(name[:i], int(name[i+1]-'0'))] = true
	}
	return set
}()

// goalMarks returns the meta_predicate specification of the predicate that a functor names. Control constructs, and the
// goals that tabling puts around a body, have none.
func goalMarks(mod *database.Module, f cell) string {
	if code.Junction(f) {
		return "00"
	}
	return cmp.Or(mod.MetaOf(code.AtomText(f.FunctorAtom()), f.FunctorArity()), "0")
}

// call adds the predicate that a goal with a functor calls.
func (b *basisReader) call(f cell, mod *database.Module) bool {
	p := mod.Resolve(f)
	switch {
	case p == nil:
		return false
	case p.Builtin >= 0 || p.Has(database.Control):
		return computes[code.AtomText(f.FunctorAtom())] && !b.m.isForeign(p)
	case p.Meta() != "":
		return false // it calls what only the run will tell
	}
	return b.predicate(p)
}

// computes are the built-in predicates that do no more than compute.
var computes = func() map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(`
		true fail false ! undefined = \= == \== @< @> @=< @>= compare unify_with_occurs_check =@= \=@=
		var nonvar atom number integer float rational atomic compound callable is_list string ground
		is =:= =\= < > =< >= succ plus between functor arg =.. copy_term term_variables
		compound_name_arity compound_name_arguments atom_codes atom_chars char_code atom_length atom_concat sub_atom
		atom_number number_codes number_chars upcase_atom downcase_atom atomic_list_concat split_string
		string_concat string_length string_chars string_codes string_to_atom atom_string number_string sub_string
		string_lower string_upper string_code length msort sort keysort memberchk`) {
		set[name] = true
	}
	return set
}()
