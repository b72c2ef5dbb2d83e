package pushdown

import (
	"fmt"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines which equations and lists of values among goals on tables are left to a database.
//
// The unification of a variable with a constant or with another variable may be moved among goals on tables without
// changing the answers. So it runs before the question, which then has the constant as the value of a column, or the
// columns as equal. A list of values is a condition of the question; its goal is called after the question, like
// comparisons.

// maxValues bounds the list of member/2 and memberchk/2.
const maxValues = 100

// sqlEquation is the unification or comparison of a variable with another variable or with a constant.
type sqlEquation struct {
	left     *term.Var
	right    term.Term
	identity bool // by ==/2
	// late says that the goal compares with a variable that may be unbound at that point. The goal is called after the
	// question.
	late bool
}

// sqlMember is the membership of a variable in a list of constants.
type sqlMember struct {
	name   term.Atom // member or memberchk
	value  *term.Var
	values []relation.Constant
	// repeated says that a constant occurs twice, so that member/2 has two answers for it.
	repeated bool
}

// equation reads X = Y and X == Y.
func equation(goal term.Term) *sqlEquation {
	for _, name := range []term.Atom{"=", "=="} {
		args, ok := term.Is(goal, name, 2)
		if !ok {
			continue
		}
		left, right := args[0], args[1]
		if _, ok := left.(*term.Var); !ok {
			left, right = right, left
		}
		v, ok := left.(*term.Var)
		_, isVar := right.(*term.Var)
		if _, isConstant := relation.NewConstant(right); ok && (isVar || isConstant) {
			return &sqlEquation{left: v, right: right, identity: name == "=="}
		}
	}
	return nil
}

// member reads a goal of member/2 or memberchk/2, of the library, with a list of constants.
func (cl *Clause) member(goal term.Term) *sqlMember {
	name, args := memberArgs(goal)
	if name == "" || cl.isOwn(name, 2) {
		return nil
	}
	v, isVar := args[0].(*term.Var)
	list, isList := term.Slice(args[1])
	if !isVar || !isList || len(list) == 0 || len(list) > maxValues {
		return nil
	}
	m := &sqlMember{name: name, value: v}
	seen := map[relation.Constant]bool{}
	for _, item := range list {
		c, ok := relation.NewConstant(item)
		if !ok {
			return nil
		}
		m.repeated = m.repeated || seen[c]
		if !seen[c] {
			m.values = append(m.values, c)
		}
		seen[c] = true
	}
	return m
}

func memberArgs(goal term.Term) (name term.Atom, args []term.Term) {
	for _, name := range []term.Atom{"memberchk", "member"} {
		if args, ok := term.Is(goal, name, 2); ok {
			return name, args
		}
	}
	return "", nil
}

// isOwn reports whether a predicate such as member/2 is known not to be the library's.
func (cl *Clause) isOwn(name term.Atom, arity int) bool {
	pred := cl.Home.Resolve(code.Functor(string(name), arity))
	return pred != nil && !pred.Module.Library
}

// sqlRun is the state of reading goals as one question.
type sqlRun struct {
	tables int
	// columns are variables with a value from the goals so far.
	columns map[*term.Var]bool
	// open are variables without a value that occur in negations.
	open map[*term.Var]bool
}

// asks adds the goal of a table, or its negation, to the run.
func (r *sqlRun) asks(g sqlGoal) {
	r.tables += g.tables()
	for _, arg := range g.args {
		v, ok := arg.(*term.Var)
		switch {
		case ok && g.absent != nil && !r.columns[v]:
			r.open[v] = true
		case ok && g.absent == nil:
			r.columns[v] = true
		}
	}
}

// equates adds an equation to the run. why says why that is not possible. A late equation ends the run.
func (r *sqlRun) equates(e *sqlEquation) (why string) {
	right, isVar := e.right.(*term.Var)
	left, known := r.columns[e.left], r.columns[right]
	if e.identity {
		e.late = isVar && left != known
		if e.late && known {
			e.left, e.right = right, e.left
		}
		if !left && !known || !isVar && !left {
			return "it compares what has no value from the goals before it"
		}
		return ""
	}
	if r.open[e.left] || r.open[right] {
		return "a negation before it is of a variable without a value"
	}
	if isVar && (left || known) {
		r.columns[e.left], r.columns[right] = true, true
	}
	return ""
}

// leftHere says why a goal that compares a column cannot be a part of a run, "" for goals that compare none.
func (cl *Clause) leftHere(goal term.Term, columns map[*term.Var]bool) string {
	isColumn := func(t term.Term) bool {
		v, ok := t.(*term.Var)
		return ok && columns[v]
	}
	for _, name := range []term.Atom{"=", "=="} {
		if args, ok := term.Is(goal, name, 2); ok && (isColumn(args[0]) || isColumn(args[1])) {
			return "a column is compared with something else than a constant or a variable"
		}
	}
	name, args := memberArgs(goal)
	switch {
	case name == "" || !isColumn(args[0]):
		return ""
	case cl.isOwn(name, 2):
		return string(name) + "/2 is the program's own"
	}
	return fmt.Sprintf("the list is not one of 1 to %d constants", maxValues)
}

// sameVars maps variables that are equated in a run to their representative.
func sameVars(run []sqlGoal) map[*term.Var]term.Term {
	same := map[*term.Var]term.Term{}
	find := func(v *term.Var) *term.Var {
		for same[v] != nil {
			v = same[v].(*term.Var)
		}
		return v
	}
	for _, g := range run {
		if g.equation == nil || g.equation.late {
			continue
		}
		right, isVar := g.equation.right.(*term.Var)
		if !isVar {
			continue
		}
		if a, b := find(g.equation.left), find(right); a != b {
			same[a] = b
		}
	}
	for v := range same {
		same[v] = find(v)
	}
	return same
}

// unified returns a run with one variable for all equal ones.
func unified(run []sqlGoal, same map[*term.Var]term.Term) []sqlGoal {
	if len(same) == 0 {
		return run
	}
	one := func(v *term.Var) *term.Var { return term.Rename(v, same).(*term.Var) }
	var made []sqlGoal
	for _, g := range run {
		args, tests := g.args, g.tests
		g.term, g.args, g.tests = term.Rename(g.term, same), nil, nil
		for _, arg := range args {
			g.args = append(g.args, term.Rename(arg, same))
		}
		for _, t := range tests {
			t.column, t.number = one(t.column), term.Rename(t.number, same)
			g.tests = append(g.tests, t)
		}
		if g.member != nil {
			m := *g.member
			m.value = one(m.value)
			g.member = &m
		}
		if g.equation != nil {
			e := *g.equation
			e.left, e.right = one(e.left), term.Rename(e.right, same)
			g.equation = &e
		}
		made = append(made, g)
	}
	return made
}

// usedAs adds the representatives of used variables.
func usedAs(used map[*term.Var]bool, same map[*term.Var]term.Term) map[*term.Var]bool {
	for v, one := range same {
		if used[v] {
			used[one.(*term.Var)] = true
		}
	}
	return used
}

// firstColumns returns the columns of the variables of a run.
func firstColumns(run []sqlGoal) map[*term.Var]int {
	first := map[*term.Var]int{}
	at := 0
	for _, g := range run {
		if !g.asks() {
			continue
		}
		for _, arg := range g.args {
			v, isVar := arg.(*term.Var)
			if _, seen := first[v]; isVar && !seen {
				first[v] = at
			}
			at++
		}
	}
	return first
}

// equatesVars reports whether a goal unifies two variables. Their value then need not be inspected.
func (g *sqlGoal) equatesVars() bool {
	if g.equation == nil || g.equation.late {
		return false
	}
	_, isVar := g.equation.right.(*term.Var)
	return isVar
}

// isIdle reports whether a goal is an equation of no column.
func (g *sqlGoal) isIdle(first map[*term.Var]int) bool {
	if g.equation == nil {
		return false
	}
	_, left := first[g.equation.left]
	v, _ := g.equation.right.(*term.Var)
	_, right := first[v]
	return !left && !right
}

// equations are the goals of a run that are called before its question. A late equation binds nothing unless there is a
// value to compare with.
func equations(run []sqlGoal) (made []term.Term) {
	for _, g := range run {
		switch e := g.equation; {
		case e == nil:
		case e.late:
			known := term.New("atomic", e.right)
			made = append(made, term.New(";", term.New("->", known, term.New("=", e.left, e.right)), term.Atom("true")))
		default:
			made = append(made, term.New("=", e.left, e.right))
		}
	}
	return made
}

// around returns a question of a run with the goals before and after it.
func around(run []sqlGoal, question term.Term) term.Term {
	return term.Conjunction(append(append(equations(run), question), testsOf(run)...)...)
}

// inPlaceOf returns the replacement of the goals of a run, given their query. At run time the goals themselves are
// called if a predicate is not the library's.
func (cl *Clause) inPlaceOf(run []sqlGoal, q *relation.Query, row *term.Compound) (made []part) {
	question := cl.Ask("$sql", q, row)
	var goals []term.Term
	var asked []sqlGoal
	var check term.Term
	for _, g := range run {
		goals = append(goals, g.term)
		if g.query != nil {
			asked = append(asked, g)
		}
		if g.member != nil {
			check = conjoined(check, cl.isLibrary(g.member.name, 2))
		}
		if g.isRange() {
			check = conjoined(check, cl.isLibrary("between", 3))
		}
		if g.absent != nil && g.absent.isForall {
			check = conjoined(check, cl.isLibrary("forall", 2))
		}
	}
	if check != nil {
		either := term.New(";", term.New("->", check, around(run, question)), term.Conjunction(goals...))
		return []part{{goal: either, made: true}}
	}
	for _, e := range equations(run) {
		made = append(made, part{goal: e})
	}
	made = append(made, part{goal: question, query: q, row: row, asked: asked})
	for _, t := range testsOf(run) {
		made = append(made, part{goal: t})
	}
	return made
}

// isLibrary returns the goal that checks that a predicate is the library's.
func (cl *Clause) isLibrary(name term.Atom, arity int) term.Term {
	return term.New("$sql_library", term.Atom(cl.Home.Name), name, term.Int(arity))
}

// conjoined returns the conjunction of two goals, or one of them if the other is nil.
func conjoined(first, second term.Term) term.Term {
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	}
	return term.New(",", first, second)
}
