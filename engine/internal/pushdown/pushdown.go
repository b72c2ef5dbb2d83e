// Package pushdown decides which goals of a clause body are left to a database. Adjacent goals on its tables become one
// query, with comparisons of their columns. The clause keeps its body, for clause/2 and the like; its code sends the
// query.
//
// A loader fills a [Clause] with its context and gets the body to compile from [Clause.Body]. [Clause.Reports] then
// says which goals are left to the database, and which are not.
//
// A query returns all rows of the goals, and perhaps more. The code unifies rows with all arguments of the goals and
// calls the comparisons after the query. So the answers are those of the goals, however the database treats the
// conditions. Totals need exactly the rows of the goals; see calls.go.
package pushdown

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/records"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines how adjacent goals become one query.

// Report says which goals of a body are left to a database.
type Report struct {
	At syntax.Position
	// Goals are the goals in the order of the body.
	Goals []string
	// Statement is their SQL statement, without the conditions of arguments that a call binds. It is "" if the goals
	// are called one by one.
	Statement string
	// Refused is the reason for an empty Statement.
	Refused string
	// InBlocks says that the statement of the last goal is sent for several answers of the others at once.
	InBlocks bool
	// Way says how the question of these goals, or of the last of them, is sent; "" for several questions. Query is the
	// question. InRecursion is the way if the clause is called again with values from its answers.
	Way, InRecursion Way
	Query            *relation.Query
}

// Way is how a question is sent.
type Way string

// The ways. A question that is repeated with other values is sent in blocks, a total by groups; in both cases the table
// is fetched if that costs less. The tables of recursive rules are fetched.
const (
	Alone    Way = "alone" // one goal without conditions
	There    Way = "there" // several goals, or with conditions
	InBlocks Way = "in blocks"
	ByGroups Way = "by groups"
	Fetched  Way = "fetched"
)

// Clause is a clause whose goals are left to databases where that is possible.
type Clause struct {
	// At is the place of the clause, for reports.
	At syntax.Position
	// Home is the module of the body.
	Home *database.Module
	// Tables has the queries of the predicates that have the rows of tables.
	Tables map[*database.Pred]*relation.Query
	// Plan returns the database's statement for a query. refused says why the database does not accept it.
	Plan func(q *relation.Query) (statement, refused string)
	// Ask returns the goal that sends a query by one of the query predicates. row is unified with each answer. more are
	// the other arguments.
	Ask func(predicate string, q *relation.Query, row *term.Compound, more ...term.Term) term.Term
	// Ops and Vars, the named variables, serve to write goals as in the text.
	Ops  *syntax.Ops
	Vars []syntax.VarInfo

	// Reports says which goals Body has left to databases and which not, in the order of the goals.
	Reports []Report

	// bound are the variables of the earlier goals, which have a value for each of their answers. ofHead are the
	// variables of the head.
	bound, ofHead map[*term.Var]bool
	// asWritten says that goals without conditions are kept, as they are within a goal whose predicate the program may
	// define.
	asWritten bool
}

// maxJoined bounds the tables of one query.
const maxJoined = 8

// sqlGoal is a goal of a body: on a table, a test, or another.
type sqlGoal struct {
	term  term.Term
	query *relation.Query // of a table, or nil
	args  []term.Term     // of a table
	tests []sqlTest
	// absent is set for a goal about the existence of rows. query is then the query of its first table, and args are
	// the arguments of all tables.
	absent   *existence
	equation *sqlEquation
	member   *sqlMember
	// filter says that the question has a weaker condition, and the goal is called after it.
	filter bool
}

// asks reports whether the answers of a goal are rows of a table.
func (g *sqlGoal) asks() bool { return g.query != nil && g.absent == nil }

// sqlTest is the comparison of a variable with a number.
type sqlTest struct {
	column *term.Var
	op     string
	number term.Term // null for relation.NotNull
	// integers says that other numbers are an error.
	integers bool
	// standard says that the goal compares terms in the standard order.
	standard bool
	// mirrored says that the sides are exchanged. The goal also has the test with its written sides.
	mirrored bool
}

// Body returns the replacement of a conjunction, nil for none. outside is a term with the variables that are used
// elsewhere; for the body of a clause it is the head.
func (cl *Clause) Body(outside, goals term.Term) term.Term {
	before := cl.bound
	cl.bound = maps.Clone(before)
	defer func() { cl.bound = before }()
	if before == nil {
		cl.bound, cl.ofHead = map[*term.Var]bool{}, map[*term.Var]bool{}
		for _, v := range term.Variables(outside) {
			cl.ofHead[v] = true
		}
	}
	var made []part
	pushed := false
	all := cl.sqlGoals(goals)
	for goals := all; len(goals) > 0; {
		at := len(all) - len(goals)
		if !goals[0].asks() {
			next := cl.within(&goals[0], outsideOf(outside, all[:at], all[at+1:]))
			pushed = pushed || next != nil
			made = append(made, part{goal: cmp.Or(next, goals[0].term), made: next != nil})
			cl.bind(goals[:1])
			goals = goals[1:]
			continue
		}
		instead, n := cl.longestRun(goals, func(run []sqlGoal) map[*term.Var]bool {
			return usedOutside(outside, all[:at], run, all[at+len(run):])
		})
		if instead == nil {
			one := cl.single(goals[0], usedOutside(outside, all[:at], goals[:1], all[at+1:]))
			pushed = pushed || one.goal != goals[0].term
			instead, n = []part{one}, 1
		} else {
			pushed = true
		}
		cl.bind(goals[:n])
		made, goals = append(made, instead...), goals[n:]
	}
	made, inBlocks := cl.inBlocks(made)
	if !pushed && !inBlocks {
		return nil
	}
	var conjuncts []term.Term
	for _, p := range made {
		conjuncts = append(conjuncts, p.goal)
	}
	return term.Conjunction(conjuncts...)
}

// single returns the question of one goal without conditions. It omits unused columns.
func (cl *Clause) single(g sqlGoal, used map[*term.Var]bool) part {
	p := part{goal: g.term, query: g.query, row: &term.Compound{Functor: "row", Args: g.args}, asked: []sqlGoal{g}}
	q, row := joinedQuery(p.asked, used)
	if !cl.asWritten && slices.ContainsFunc(q.Columns, func(c relation.Column) bool { return c.Unused }) {
		p.goal, p.query, p.row = cl.Ask("$sql", q, row), q, row
	}
	r := Report{At: cl.At, Goals: cl.goalTexts(p.asked), Query: p.query}
	r.Way, r.InRecursion = cl.wayOf(Alone, row, false)
	cl.Reports = append(cl.Reports, r)
	return p
}

// testsOf returns the goals of a run that are called after its query.
func testsOf(run []sqlGoal) (tests []term.Term) {
	for _, g := range run {
		if g.query == nil && (g.equation == nil || g.equation.late) {
			tests = append(tests, g.term)
		}
	}
	return tests
}

// sqlGoals lists the goals of a conjunction.
func (cl *Clause) sqlGoals(t term.Term) []sqlGoal {
	var goals []sqlGoal
	for _, one := range (body.Part{Term: t}).Conjuncts() {
		next := one.Term
		g := sqlGoal{term: next, tests: cl.sqlTests(next), equation: equation(next), member: cl.member(next)}
		g.query, g.args = cl.tableOf(next)
		if g.query == nil {
			if g.absent = cl.existence(next); g.absent != nil {
				g.query, g.args = g.absent.goals[0].query, g.absent.args()
			}
		}
		goals = append(goals, g)
	}
	return goals
}

// tableOf returns the query of the table that a goal reads, and its arguments.
func (cl *Clause) tableOf(goal term.Term) (*relation.Query, []term.Term) {
	c, ok := goal.(*term.Compound)
	if !ok {
		return nil, nil
	}
	q := cl.Tables[cl.Home.Resolve(code.Functor(string(c.Functor), len(c.Args)))]
	if q == nil {
		return nil, nil
	}
	return q, c.Args
}

// opposite maps a comparison to the SQL operator with its sides exchanged.
var opposite = map[term.Atom]string{"<": ">", ">": "<", "=<": ">=", ">=": "<=", "=:=": "="}

// plainly maps a comparison to its SQL operator.
var plainly = map[term.Atom]string{"<": "<", ">": ">", "=<": "<=", ">=": ">=", "=:=": "="}

// sqlTests returns the comparisons of a goal: of a variable with a number, with another variable, or with null.
func (cl *Clause) sqlTests(goal term.Term) []sqlTest {
	if args, ok := term.Is(goal, "between", 3); ok && !cl.isOwn("between", 3) {
		if v, ok := args[2].(*term.Var); ok {
			return []sqlTest{{column: v, op: ">=", number: args[0], integers: true},
				{column: v, op: "<=", number: args[1], integers: true}}
		}
	}
	if args, ok := term.Is(goal, "\\==", 2); ok {
		if v, ok := args[0].(*term.Var); ok && args[1] == term.Term(records.Null) {
			return []sqlTest{{column: v, op: relation.NotNull, number: records.Null}}
		}
	}
	c, ok := goal.(*term.Compound)
	if !ok || len(c.Args) != 2 {
		return nil
	}
	name, standard := strings.CutPrefix(string(c.Functor), "@")
	op := plainly[term.Atom(name)]
	if op == "" || standard && op == "=" {
		return nil
	}
	var tests []sqlTest
	if v, ok := c.Args[0].(*term.Var); ok {
		tests = append(tests, sqlTest{column: v, op: op, number: c.Args[1], standard: standard})
	}
	if v, ok := c.Args[1].(*term.Var); ok {
		tests = append(tests, sqlTest{column: v, op: opposite[term.Atom(name)], number: c.Args[0], standard: standard,
			mirrored: true})
	}
	return tests
}

// longestRun returns the replacement of the longest run of goals at the beginning of a list that the database can do
// well, and the length of the run. The replacement is nil for a single goal without conditions. used returns the
// variables that are used after a run.
func (cl *Clause) longestRun(
	goals []sqlGoal, used func(run []sqlGoal) map[*term.Var]bool,
) (instead []part, n int) {
	n, ended := cl.runLength(goals)
	at, length, whole := cl.At, n, n
	told := Report{At: at}
	for ; n > 0; n-- {
		same := sameVars(goals[:n])
		run, outside := unified(goals[:n], same), usedAs(used(goals[:n]), same)
		if run[n-1].isIdle(firstColumns(run)) {
			continue
		}
		q, row := joinedQuery(run, outside)
		if len(q.Tables) == 1 && len(q.Tests)+len(q.Filters) == 0 && !slices.ContainsFunc(run, sqlGoal.limits) {
			break
		}
		refused := cl.absences(q, run, outside)
		statement := ""
		if refused == "" {
			statement, refused = cl.Plan(q)
		}
		if refused == "" {
			r := Report{At: at, Goals: cl.goalTexts(goals[:n]), Statement: statement, Query: q}
			r.Way, r.InRecursion = cl.wayOf(There, row, false)
			cl.Reports = append(cl.Reports, r)
			instead = cl.inPlaceOf(goals[:n], q, row)
			break
		}
		if told.Refused == "" {
			told.Goals, told.Refused, whole = cl.goalTexts(goals[:n]), refused, n
		}
	}
	if told.Refused != "" && (instead == nil || slices.ContainsFunc(goals[n:whole], sqlGoal.isOfValues)) {
		cl.Reports = append(cl.Reports, told)
	}
	if ended != "" {
		cl.Reports = append(cl.Reports, Report{At: at, Goals: cl.goalTexts(goals[length : length+1]), Refused: ended})
	}
	return instead, n
}

// limits reports whether a goal that is no comparison excludes rows.
func (g sqlGoal) limits() bool { return g.absent != nil || g.isOfValues() }

// isOfValues reports whether a goal is an equation or the membership in a list of values.
func (g sqlGoal) isOfValues() bool { return g.equation != nil || g.member != nil }

// runLength returns the number of goals at the beginning of a list that may become one query: tables of one database,
// and tests. why says why the next goal, which compares a column, is excluded.
func (cl *Clause) runLength(goals []sqlGoal) (n int, why string) {
	r := sqlRun{columns: map[*term.Var]bool{}, open: map[*term.Var]bool{}}
	for i, g := range goals {
		isFilter, last := false, false
		if g.query == nil && g.equation == nil && g.member == nil {
			isFilter, last = cl.filters(goals, i, r.columns)
		}
		switch {
		case last && isFilter:
			return i + 1, ""
		case isFilter:
		case g.query != nil && (g.query.Database != goals[0].query.Database || r.tables+g.tables() > maxJoined):
			return i, ""
		case g.query != nil:
			r.asks(g)
		case g.equation != nil:
			if why := r.equates(g.equation); why != "" {
				return i, why
			} else if g.equation.late {
				return i + 1, ""
			}
		case g.member != nil:
			if !r.columns[g.member.value] {
				return i, ""
			}
		case len(g.tests) == 0:
			return i, cl.leftHere(g.term, r.columns)
		case !g.plain(r.columns): // its error comes before the questions of later goals
			for i < len(goals) && goals[i].query == nil && len(goals[i].tests) > 0 {
				i++
			}
			return i, ""
		}
	}
	return len(goals), ""
}

// plain reports whether a goal compares a column with a literal number, with null, or with another column.
func (g *sqlGoal) plain(columns map[*term.Var]bool) bool {
	test := g.tests[0]
	if !columns[test.column] {
		return false
	}
	switch number := test.number.(type) {
	case term.Int, term.Float, *term.Rational:
		return len(g.tests) == 1
	case *term.Compound:
		return test.standard && isMoment(number)
	case *term.Var:
		return columns[number] && !test.integers
	}
	return test.op == relation.NotNull
}

// usedOutside returns the variables that a clause has in its head, in goals before or after a run, or in the tests of
// the run.
func usedOutside(head term.Term, before, run, behind []sqlGoal) map[*term.Var]bool {
	used := map[*term.Var]bool{}
	note := func(t term.Term) {
		for _, v := range term.Variables(t) {
			used[v] = true
		}
	}
	note(head)
	for _, g := range slices.Concat(before, behind) {
		note(g.term)
	}
	for _, g := range run {
		if g.query == nil {
			if !g.equatesVars() {
				note(g.term)
			}
			continue
		}
		if g.absent != nil {
			continue
		}
		for _, arg := range g.args {
			if _, isVar := arg.(*term.Var); !isVar {
				note(arg)
			}
		}
	}
	return used
}

// joinedQuery returns the query of a run of goals, and the row for its answers: the arguments of all goals, and the
// numbers of the tests.
func joinedQuery(run []sqlGoal, used map[*term.Var]bool) (*relation.Query, *term.Compound) {
	q := &relation.Query{Database: run[0].query.Database}
	var row, numbers []term.Term
	first := map[*term.Var]int{}
	for _, g := range run {
		if !g.asks() {
			continue
		}
		for i, arg := range g.args {
			c := g.query.Columns[i]
			c.Table = len(q.Tables)
			v, isVar := arg.(*term.Var)
			c.Unused = isVar && !used[v]
			if at, seen := first[v]; isVar && seen {
				q.Equal = append(q.Equal, [2]int{at, len(q.Columns)})
			} else if isVar {
				first[v] = len(q.Columns)
			}
			q.Columns, row = append(q.Columns, c), append(row, arg)
		}
		q.Tables = append(q.Tables, g.query.Tables[0])
	}
	last := len(run) - 1
	for last > 0 && run[last].query == nil && run[last].equation == nil {
		last--
	}
	testsBefore := make([]int, len(run))
	for i, g := range run {
		testsBefore[i] = len(q.Tests)
		if at, known := 0, false; g.member != nil {
			if at, known = first[g.member.value]; known {
				q.Members = append(q.Members, relation.Member{Column: at, Values: g.member.values, Tests: len(q.Tests)})
			}
		}
		tests := g.pushedTests(first)
		if len(g.tests) > 0 && len(tests) == 0 && !g.filter {
			break // its error comes before later tests
		}
		for _, test := range tests {
			q.Tests = append(q.Tests, relation.Test{Column: first[test.column], Op: test.op, Other: test.other(first),
				Early: i < last, Integers: test.integers, Standard: test.standard})
			numbers = append(numbers, test.number)
		}
	}
	row = append(row, numbers...)
	for i, g := range run {
		if !g.filter {
			continue
		}
		if f, r := filterOf(g.term, first, len(row), run); f != nil {
			f.Tests = testsBefore[i]
			q.Filters, row = append(q.Filters, *f), append(row, r.values...)
		}
	}
	return q, &term.Compound{Functor: "row", Args: row}
}

// pushedTests returns the tests of a goal that the database performs: both tests of a range, or none.
func (g *sqlGoal) pushedTests(first map[*term.Var]int) (pushed []sqlTest) {
	for _, t := range g.tests {
		if !g.filter && t.isPushed(first) {
			pushed = append(pushed, t)
		}
	}
	if g.isRange() && len(pushed) < len(g.tests) {
		return nil
	}
	return pushed
}

// isRange reports whether a goal is a call of between/3 that compares a variable.
func (g *sqlGoal) isRange() bool { return len(g.tests) > 0 && g.tests[0].integers }

// isPushed reports whether a test compares a column with a number from outside of the row, with another column, or with
// null. first has the columns.
func (t *sqlTest) isPushed(first map[*term.Var]int) bool {
	if _, known := first[t.column]; !known {
		return false
	}
	switch t.number.(type) {
	case *term.Var:
		return t.other(first) == 0 || !t.mirrored && !t.integers
	case term.Int, term.Float, *term.Rational:
		return true
	case *term.Compound:
		return t.standard && isMoment(t.number)
	}
	return t.op == relation.NotNull
}

// isMoment reports whether a term is a date, a time or both.
func isMoment(t term.Term) bool {
	for _, name := range values.Names {
		if _, ok := (values.Type{Name: name}).Time(t); ok {
			return true
		}
	}
	return false
}

// other returns the column on the other side of a test, counted from 1, or 0.
func (t *sqlTest) other(first map[*term.Var]int) int {
	if v, ok := t.number.(*term.Var); ok {
		if at, column := first[v]; column {
			return at + 1
		}
	}
	return 0
}

// goalTexts returns goals as written in the text.
func (cl *Clause) goalTexts(goals []sqlGoal) []string {
	const most = 200
	w := &syntax.WriteOptions{Quoted: true, SpaceArgs: true, MaxBytes: most, VarNames: map[*term.Var]string{},
		Ops: cl.Ops, Priority: 999}
	for _, v := range cl.Vars {
		w.VarNames[v.Var] = v.Name
	}
	var shown []string
	for _, g := range goals {
		for _, v := range term.Variables(g.term) {
			if w.VarNames[v] == "" {
				w.VarNames[v] = "_"
			}
		}
		shown = append(shown, syntax.CutText(syntax.Format(g.term, w), most))
	}
	return shown
}
