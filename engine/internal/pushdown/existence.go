package pushdown

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines goals about the existence of rows: negations, forall/2, and once/1 whose answer is not used. The
// database must decide them exactly.

// existence is a goal that holds if tables have no matching rows, or have some.
type existence struct {
	goals    []sqlGoal // of tables
	tests    []sqlTest // of their columns
	present  bool
	isForall bool
}

// existence reads a goal. It returns nil for another goal.
func (cl *Clause) existence(goal term.Term) *existence {
	e := &existence{}
	var inner []body.Part
	if args, ok := term.Is(goal, "\\+", 1); ok {
		inner = body.Part{Term: args[0]}.Conjuncts()
	} else if args, ok := term.Is(goal, "once", 1); ok {
		inner, e.present = body.Part{Term: args[0]}.Conjuncts(), true
	} else if args, ok := term.Is(goal, "forall", 2); ok && !cl.isOwn("forall", 2) {
		inner, e.isForall = body.Part{Term: args[0]}.Conjuncts(), true
		inner = append(inner, body.Part{Term: term.New("\\+", args[1])})
	}
	late := map[*term.Var]bool{} // compared before a table may bind them
	for _, g := range inner {
		q, args := cl.tableOf(g.Term)
		if q == nil {
			t, ok := cl.exactTest(g.Term)
			if !ok {
				return nil
			}
			for _, v := range term.Variables(g.Term) {
				late[v] = !e.has(v)
			}
			e.tests = append(e.tests, t...)
			continue
		}
		isWrong := func(arg term.Term) bool {
			v, _ := arg.(*term.Var)
			return isCompound(arg) || late[v]
		}
		if len(args) == 0 || len(e.goals) > 0 && q.Database != e.goals[0].query.Database ||
			slices.ContainsFunc(args, isWrong) {
			return nil
		}
		e.goals = append(e.goals, sqlGoal{term: g.Term, query: q, args: args})
	}
	if len(e.goals) == 0 {
		return nil
	}
	return e
}

// tables returns the number of tables in a goal on tables.
func (g *sqlGoal) tables() int {
	if g.absent != nil {
		return len(g.absent.goals)
	}
	return 1
}

// args returns the arguments of all goals.
func (e *existence) args() (list []term.Term) {
	for _, g := range e.goals {
		list = append(list, g.args...)
	}
	return list
}

// has reports whether a variable is an argument of a goal.
func (e *existence) has(v *term.Var) bool { return slices.Contains(e.args(), term.Term(v)) }

// negatedOps maps each comparison to the one that holds exactly when it does not.
var negatedOps = map[string]string{"<": ">=", ">": "<=", "<=": ">", ">=": "<", "=": "<>"}

// exactTest reads a comparison of a variable with an integer or another variable, or the negation of such a comparison.
// It returns one test for each variable of the comparison.
func (cl *Clause) exactTest(goal term.Term) (tests []sqlTest, ok bool) {
	negated, isNegated := term.Is(goal, "\\+", 1)
	if isNegated {
		goal = negated[0]
	}
	tests = cl.sqlTests(goal)
	for i, t := range tests {
		_, isInt := t.number.(term.Int)
		_, isVar := t.number.(*term.Var)
		if t.standard || t.integers || !isInt && !isVar || len(term.Variables(goal)) != len(tests) {
			return nil, false
		}
		if isNegated {
			tests[i].op = negatedOps[t.op]
		}
	}
	return tests, len(tests) > 0
}

// absences adds the goals about the existence of rows to the query of a run. refused says why one cannot be added: each
// argument must be a value, a variable of an earlier goal, or a variable that occurs nowhere else.
func (cl *Clause) absences(q *relation.Query, run []sqlGoal, outside map[*term.Var]bool) (refused string) {
	places, uses := map[*term.Var]int{}, map[*term.Var]int{}
	for _, g := range run {
		for _, v := range term.Variables(g.term) {
			uses[v]++
		}
	}
	at, tables := 0, len(q.Tables)
	for _, g := range run {
		if g.absent == nil {
			for _, arg := range g.args {
				v, isVar := arg.(*term.Var)
				if _, seen := places[v]; isVar && !seen {
					places[v] = at
				}
				at++
			}
			continue
		}
		e := cl.existence(g.term) // with the variables of the run
		a, of := relation.Absence{Present: e.present}, "the negation of "+e.goals[0].query.Tables[0]
		if e.present {
			of = "once/1 of " + e.goals[0].query.Tables[0]
		}
		within := map[*term.Var]int{}
		for _, inner := range e.goals {
			for i, arg := range inner.args {
				c, same := inner.query.Columns[i], -1
				c.Table = tables
				value, isValue := relation.NewConstant(arg)
				v, isVar := arg.(*term.Var)
				place, known := places[v]
				first, seen := within[v]
				switch {
				case isValue:
				case !isVar:
					return "a value in " + of + " is no constant"
				case known:
					same = place
				case uses[v] > 1 || outside[v]:
					return "a variable in " + of + " has no value from the goals before it"
				case seen:
					a.Equal = append(a.Equal, [2]int{first, len(a.Columns)})
				default:
					within[v] = len(a.Columns)
				}
				a.Columns, a.Same = append(a.Columns, c), append(a.Same, same)
				if isValue {
					a.Values = append(a.Values, &value)
				} else {
					a.Values = append(a.Values, nil)
				}
			}
			a.Tables = append(a.Tables, inner.query.Tables[0])
			tables++
		}
		if !e.compares(&a, within, places) {
			return "a comparison in " + cl.goalTexts([]sqlGoal{g})[0] + " is not left to the database"
		}
		q.Absent = append(q.Absent, a)
	}
	return ""
}

// compares adds the tests. ok is false if one compares no column of the goals with an integer or a column before them.
func (e *existence) compares(a *relation.Absence, within, places map[*term.Var]int) (ok bool) {
	for i := 0; i < len(e.tests); i++ {
		t := e.tests[i]
		if v, isVar := t.number.(*term.Var); isVar { // read from both sides
			if _, known := within[t.column]; !known {
				t = e.tests[i+1]
				v, _ = t.number.(*term.Var)
			}
			i++
			column, own := within[t.column]
			place, known := places[v]
			if !own || !known {
				return false
			}
			a.Tests = append(a.Tests, relation.AbsentTest{Column: column, Op: t.op, Same: place})
			continue
		}
		column, own := within[t.column]
		if !own {
			return false
		}
		number, _ := t.number.(term.Int)
		a.Tests = append(a.Tests, relation.AbsentTest{Column: column, Op: t.op, Same: -1, Number: int64(number)})
	}
	return true
}
