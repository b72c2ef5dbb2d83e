package builtin

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the search for facts that differ from a goal in one argument. It goes through all facts of the
// predicate, because indexes select by the very arguments that may be wrong.

var explainNearTable = []machine.Builtin{
	{Name: "$explain_near", Arity: 3, Func: explainNear, Meta: ":--", Modes: ":goal, -kind, -facts",
		Doc: "Lists facts that differ from a goal in one argument as near(Fact, Place, Argument, How); How is spelled or " +
			"value. Kind is empty, rules, facts, or facts(Argument, Values, Count) with what the facts have there."},
}

// The bounds of the search. maxNear is how many facts of one argument are compared by distance, shownNear how many are
// shown; maxValues is how many different values of an argument are counted, shownKnown how many are shown.
const (
	maxNear    = 1000
	shownNear  = 3
	maxValues  = 10_000
	shownKnown = 8
)

// nearFact is a fact that differs from the goal in the argument at, counted from 0.
type nearFact struct {
	clause *database.Clause
	at     int
}

// explainNear is $explain_near/3. A fact is near if all arguments but one unify with those of the goal.
func explainNear(m *machine.Machine, a []cell) (bool, error) {
	p, goal, err := calledPred(m, a[0])
	if p == nil || err != nil {
		return false, err
	}
	kind, near, err := nearFacts(m, p, goal)
	if err != nil {
		return false, err
	}
	var list []cell
	for _, f := range bestNear(m, near, goal) {
		head, body := newHead(m, p), m.NewVar()
		if !m.UnifyClause(f.clause, head, body) {
			continue
		}
		how := "value"
		if spelledNear(m, m.Arg(goal, f.at), f.clause.HeadArg(f.at)) {
			how = "spelled"
		}
		list = append(list, m.NewStruct("near", head, clausePlace(m, f.clause, body), m.NewInt(int64(f.at+1)),
			m.NewAtom(how)))
	}
	shown := m.NewAtom(kind)
	// Nothing is near: values that facts have in the argument are listed instead.
	if kind == "facts" && len(list) == 0 {
		if shown, err = knownValues(m, p, goal); err != nil {
			return false, err
		}
	}
	return m.Unify(a[1], shown) && m.Unify(a[2], m.List(list, code.ANil)), nil
}

// knownValues is facts(Argument, Values, Count) for a predicate of facts: the only argument of the goal that is not a
// variable, the first values that facts have there, and the number of different ones. It is the atom facts when the
// goal has no such argument, or several.
func knownValues(m *machine.Machine, p *database.Pred, goal cell) (cell, error) {
	if boundArguments(m, goal) != 1 {
		return m.NewAtom("facts"), nil
	}
	at := 0
	for machine.IsVar(m.Deref(m.Arg(goal, at))) {
		at++
	}
	var values []cell
	seen, view := map[cell]bool{}, m.Tx().Now()
	for _, c := range p.Clauses() {
		if err := m.Charge(1); err != nil {
			return 0, err
		}
		value := c.HeadArg(at)
		// Cells of atoms and small integers are equal if their values are. Others would need a comparison of terms.
		if value.Tag() != code.Atom && value.Tag() != code.Int || seen[value] || !m.Tx().Sees(c, view) {
			continue
		}
		if seen[value] = true; len(seen) > maxValues {
			break
		}
		if len(values) < shownKnown {
			values = append(values, value)
		}
	}
	return m.NewStruct("facts", m.NewInt(int64(at+1)), m.List(values, code.ANil), m.NewInt(int64(len(seen)))), nil
}

// nearFacts lists the facts that differ from a goal in one argument, and the rules whose heads differ in its spelling.
// kind is empty for a predicate without clauses, facts for one of facts only, and else rules. A goal with one bound
// argument differs from every fact in no more than that, so there only a slip in the spelling counts. Each clause is
// charged. At most maxNear facts are listed for each argument, and none if a head that fits has the goal's value there.
func nearFacts(m *machine.Machine, p *database.Pred, goal cell) (kind string, near []nearFact, err error) {
	kind = "empty"
	view, other, count := m.Tx().Now(), boundArguments(m, goal) > 1, map[int]int{}
	known := map[int]bool{} // arguments whose value stands in a head that fits
	for _, c := range p.Clauses() {
		if err := m.Charge(1); err != nil {
			return "", nil, err
		}
		if !m.Tx().Sees(c, view) {
			continue
		}
		if !c.IsFact() {
			kind = "rules"
		} else if kind == "empty" {
			kind = "facts"
		}
		if p.Arity() == 0 {
			continue
		}
		different, at := m.HeadMismatch(c, goal, 2)
		if different == 0 {
			for i := range p.Arity() {
				known[i] = known[i] || !machine.IsVar(c.HeadArg(i))
			}
		}
		if different == 1 && count[at] < maxNear &&
			(other && c.IsFact() || spelledNear(m, m.Arg(goal, at), c.HeadArg(at))) {
			near = append(near, nearFact{c, at})
			count[at]++
		}
	}
	return kind, slices.DeleteFunc(near, func(f nearFact) bool { return known[f.at] }), nil
}

// boundArguments counts the arguments of a goal that are not variables.
func boundArguments(m *machine.Machine, goal cell) int {
	if !machine.IsCompound(goal) {
		return 0
	}
	n := 0
	for i := range m.Functor(goal).FunctorArity() {
		if !machine.IsVar(m.Deref(m.Arg(goal, i))) {
			n++
		}
	}
	return n
}

// spelledNear reports whether an argument may be a misspelt atom.
func spelledNear(m *machine.Machine, arg, atom cell) bool {
	arg = m.Deref(arg)
	if arg.Tag() != code.Atom || atom.Tag() != code.Atom {
		return false
	}
	return spell.Nearest(machine.AtomText(arg), []string{machine.AtomText(atom)}) != ""
}

// bestNear returns the facts to show: those whose argument is spelt nearly the same, if there are any. Else those come
// first that differ in a later argument, since the first arguments mostly say what a fact is about. Among facts that
// differ in the same argument those with the nearest number come first.
func bestNear(m *machine.Machine, near []nearFact, goal cell) []nearFact {
	distance := func(f nearFact) int64 {
		arg, value := m.Deref(m.Arg(goal, f.at)), f.clause.HeadArg(f.at)
		switch {
		case spelledNear(m, arg, value):
			return -1
		case arg.Tag() == code.Int && value.Tag() == code.Int:
			return max(arg.Int()-value.Int(), value.Int()-arg.Int())
		}
		return 1 << 62
	}
	slices.SortStableFunc(near, func(x, y nearFact) int {
		dx, dy := distance(x), distance(y)
		switch {
		case dx >= 0 && dy >= 0 && x.at != y.at:
			return y.at - x.at
		case dx < dy:
			return -1
		case dx > dy:
			return 1
		}
		return 0
	})
	near = near[:min(len(near), shownNear)]
	if spelled := slices.IndexFunc(near, func(f nearFact) bool { return distance(f) >= 0 }); spelled > 0 {
		near = near[:spelled] // the others are another matter
	}
	return near
}
