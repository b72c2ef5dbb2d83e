package effects

import (
	"cmp"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file finds the basis of a tabled predicate: the predicates that its clauses reach. There is no basis if one of
// these may do more than compute, or calls a goal that is known only at run time.

// RestsOn is a predicate with its state when a table was begun.
type RestsOn struct {
	Pred *database.Pred
	Mark database.Mark // its state then
}

// basisReader collects predicates.
type basisReader struct {
	run  *Run
	view database.View
	seen map[*database.Pred]bool
	list []RestsOn
	work int
	// own says that the result holds for this run only.
	own bool
}

// Basis holds the predicates on which the answers of a predicate depend. If OK is false, the predicate has no basis
// until a predicate of the list changes.
type Basis struct {
	List []RestsOn // the predicate itself and those that it reaches
	OK   bool      // the list is complete, and its predicates only compute
}

// BasisOf returns the basis of a predicate, from its clauses. own says that the result holds for this run only.
func BasisOf(run *Run, pred *database.Pred) (basis Basis, own bool) {
	b := &basisReader{run: run, view: run.Tx.Now(), seen: map[*database.Pred]bool{}}
	ok := b.predicate(pred)
	return Basis{b.list, ok}, b.own
}

// maxBasis bounds the predicates of a basis, and maxBasisWork the clauses that are read for it.
const (
	maxBasis     = 200
	maxBasisWork = 200_000
)

// predicate adds a predicate and those that it calls. It returns false if there is no basis.
func (b *basisReader) predicate(p *database.Pred) bool {
	if b.seen[p] {
		return true
	}
	b.seen[p] = true
	mark := b.run.Tx.MarkOf(p, b.view)
	if mark.Touched() || p.Defined() && !b.run.Tx.Knows(p) {
		b.own = true
		return false
	}
	b.list = append(b.list, RestsOn{p, mark})
	if len(b.list) > maxBasis || p.Has(database.ThreadLocal|database.Det|database.Private) || !p.Defined() {
		return false
	}
	view, list := b.run.Tx.Clauses(p)
	for _, c := range list {
		if b.work++; b.work > maxBasisWork {
			return false
		}
		if b.work%1024 == 0 && b.run.Charge(16) != nil {
			b.own = true
			return false
		}
		if c.IsFact() && !c.SSU || !b.run.Tx.Sees(c, view) {
			continue
		}
		if MentionsMoment(c.Cells) || !b.goal(c, c.Body, p.Module) {
			return false
		}
	}
	return true
}

// MentionsMoment reports whether cells name an arithmetic function whose value is not always the same, or a mode of
// tables that calls goals.
func MentionsMoment(cells []cell) bool {
	found := false
	stacks.EachAtom(cells, func(n uint32) { found = found || momentary[n] })
	return found
}

var momentary = func() map[uint32]bool {
	set := map[uint32]bool{}
	for _, name := range []string{"random", "random_float", "cputime", "realtime", "lattice", "po"} {
		set[code.AtomCell(name).Atom()] = true
	}
	return set
}()

// goal adds the predicates that a goal calls. It returns false if there is no basis.
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
		return name.Tag() == code.Atom && b.goal(c, c.Cells[at+2], b.run.Program.Mentioned(stacks.AtomText(name)))
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

// transparent holds the control constructs and predicates that do no more than call the goals among their arguments.
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

// call adds the predicate that a goal with a functor calls. It returns false if there is no basis.
func (b *basisReader) call(f cell, mod *database.Module) bool {
	p := mod.Resolve(f)
	switch {
	case p == nil:
		return false
	case p.Builtin >= 0 || p.Has(database.Control):
		return computes[code.AtomText(f.FunctorAtom())] && !b.run.Foreign(p)
	case p.Meta() != "":
		return false // it calls goals that are known only at run time
	}
	return b.predicate(p)
}

// computes holds the built-in predicates that do no more than compute.
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
