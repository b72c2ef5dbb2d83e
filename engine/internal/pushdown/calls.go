package pushdown

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// This file defines which inner goals are left to a database: the runs of goals that others call, totals of
// aggregate_all/3, and order_by/2 and limit/2. A total depends on all rows of its goals, so the whole goal must be one
// run, and the database must answer exactly as the goals would. It confirms that for each question; otherwise the goals
// are called.

// callers lists the predicates that only call a goal and whose result does not depend on additional variables of that
// goal. Their goal may be replaced.
var callers = map[string]bool{"findall/3": true, "findall/4": true, "forall/2": true, "aggregate_all/3": true,
	"once/1": true, "ignore/1": true, "limit/2": true, "offset/2": true, "order_by/2": true, "distinct/2": true,
	"catch/3": true}

// libraryCallers lists the callers that a program may define itself, even after the clause that calls them.
var libraryCallers = []term.Atom{"aggregate_all", "limit", "offset", "order_by", "distinct"}

// spec returns the meta_predicate specification of a goal whose inner goals may be replaced.
func (cl *Clause) spec(goal term.Term) string {
	name, arity, _ := term.Indicator(goal)
	if goals, ok := shapes.Control(goal); ok {
		return "00"[:len(goals)]
	}
	if !callers[fmt.Sprintf("%s/%d", name, arity)] {
		return ""
	}
	return cl.Home.MetaOf(string(name), arity)
}

// Calls reports whether a body calls a table, also in an inner goal.
func (cl *Clause) Calls(t term.Term) (found bool) {
	body.Walk(body.Part{Term: t}, func(g body.Part) []body.Part {
		if q, _ := cl.tableOf(g.Term); g.Module != "" || q != nil || found {
			found = found || g.Module == ""
			return nil
		}
		return g.Arguments(cl.spec(g.Term))
	})
	return found
}

// outsideOf returns a term with the variables of a term and of goals.
func outsideOf(outside term.Term, before, behind []sqlGoal) term.Term {
	terms := []term.Term{outside}
	for _, g := range slices.Concat(before, behind) {
		terms = append(terms, g.term)
	}
	return &term.Compound{Functor: "outside", Args: terms}
}

// within returns the replacement of a goal that calls others, nil for none.
func (cl *Clause) within(g *sqlGoal, outside term.Term) term.Term {
	if !cl.Calls(g.term) {
		return nil
	}
	c := g.term.(*term.Compound)
	whole, check := cl.whole(g, outside)
	told := len(cl.Reports)
	if whole == nil {
		return cl.goalsWithin(c, outside)
	}
	instead := cl.goalsWithin(c, outside)
	cl.Reports = cl.Reports[:told] // in the branch for a database that cannot tell
	if instead == nil {
		instead = c
	}
	return term.New(";", term.New("->", check, whole), instead)
}

// goalsWithin returns a goal with some of its inner goals replaced, nil if none is.
func (cl *Clause) goalsWithin(c *term.Compound, outside term.Term) term.Term {
	if slices.Contains(libraryCallers, c.Functor) {
		asWritten := cl.asWritten
		cl.asWritten = true
		defer func() { cl.asWritten = asWritten }()
	}
	made := body.Part{Term: c}.Rebuild(cl.spec(c), func(arg body.Part) term.Term {
		others := slices.DeleteFunc(slices.Clone(c.Args), func(other term.Term) bool { return other == arg.Term })
		if !cl.Calls(arg.Term) {
			return arg.Term
		}
		return cmp.Or(cl.Body(&term.Compound{Functor: "outside", Args: append(others, outside)}, arg.Term), arg.Term)
	})
	if made == term.Term(c) {
		return nil
	}
	return made
}

// wholeGoal is a goal whose inner goals become one question.
type wholeGoal struct {
	*Clause
	goal  *sqlGoal
	inner term.Term // the inner goals
	// outside is a term with the variables that occur elsewhere.
	outside term.Term
	run     []sqlGoal
	joined  []sqlGoal // the run, with one variable for all equal ones
	same    map[*term.Var]term.Term
	first   map[*term.Var]int // the columns of variables
	query   *relation.Query
	row     *term.Compound
	check   term.Term // the predicates are those of the library
	// exactly says that no goals are called after the question.
	exactly bool
}

// whole returns the replacement of a goal whose inner goals become one question, and its condition. Both are nil if
// there is none.
func (cl *Clause) whole(g *sqlGoal, outside term.Term) (made, check term.Term) {
	w := &wholeGoal{Clause: cl, goal: g, outside: outside}
	refused := ""
	if args, ok := term.Is(g.term, "aggregate_all", 3); ok {
		w.inner = args[1]
		made, refused = w.total(args[0], args[2])
	} else if args, ok := term.Is(g.term, "order_by", 2); ok {
		w.inner = args[1]
		made, refused = w.ordered(args[0], nil)
	} else if args, ok := term.Is(g.term, "limit", 2); ok {
		made, refused = w.page(args[0], args[1])
	} else if args, ok := term.Is(g.term, "distinct", 2); ok {
		w.inner = args[1]
		made, refused = w.different(args[0])
	}
	if refused != "" {
		cl.Reports = append(cl.Reports, Report{At: cl.At, Goals: cl.goalTexts([]sqlGoal{*g}), Refused: refused})
	}
	if made == nil {
		return nil, nil
	}
	c := g.term.(*term.Compound)
	w.uses(c.Functor, len(c.Args))
	return made, w.check
}

// uses records that a predicate must be that of the library.
func (w *wholeGoal) uses(name term.Atom, arity int) {
	check := w.isLibrary(name, arity)
	if w.check != nil {
		check = term.New(",", check, w.check)
	}
	w.check = check
}

// ask makes the query of the goals. refused says why there is no query. others are the other arguments of the goal.
func (w *wholeGoal) ask(others ...term.Term) (refused string) {
	w.run = w.sqlGoals(w.inner)
	n := 0
	if w.run[0].asks() {
		n, _ = w.runLength(w.run)
	}
	if n < len(w.run) {
		return w.notLeft(n)
	}
	w.same = sameVars(w.run)
	w.joined = unified(w.run, w.same)
	w.first = firstColumns(w.joined)
	if refused := w.inexact(); refused != "" {
		return refused
	}
	used := usedOutside(&term.Compound{Functor: "outside", Args: append(others, w.outside)}, nil, w.run, nil)
	used = usedAs(used, w.same)
	q, row := joinedQuery(w.joined, used)
	w.query, w.row = q, row
	return w.absences(q, w.joined, used)
}

// notLeft records that a goal of the run is not left to the database.
func (w *wholeGoal) notLeft(i int) string {
	return w.goalTexts(w.run[i : i+1])[0] + " is not left to the database"
}

// column returns the column of a variable.
func (w *wholeGoal) column(v *term.Var) (at int, ok bool) {
	if one, ok := w.same[v].(*term.Var); ok {
		v = one
	}
	at, ok = w.first[v]
	return at, ok
}

// inexact returns a goal that the database does not do completely, "" if there is none.
func (w *wholeGoal) inexact() string {
	for i, g := range w.joined {
		switch {
		case g.query != nil:
			if slices.ContainsFunc(g.args, isCompound) {
				return w.notLeft(i) // no row is inspected to see whether it unifies
			}
			if g.absent != nil && g.absent.isForall {
				w.uses("forall", 2)
			}
		case g.equation != nil && !g.equation.late:
		case g.member != nil && !(g.member.repeated && g.member.name == "member"):
			w.uses(g.member.name, 2) // called after the question, or not at all
		case g.filter && w.isFilter(g):
		case len(g.pushedTests(w.first)) == 0:
			return w.notLeft(i)
		case g.isRange():
			w.uses("between", 3)
		}
	}
	return ""
}

// isFilter reports whether the condition in the question suffices for a filter. Either the goal is also called after
// the question, or the condition excludes exactly the rows that the goal excludes.
func (w *wholeGoal) isFilter(g sqlGoal) bool {
	_, r := filterOf(g.term, w.first, 0, w.joined)
	vars := term.Variables(w.outside)
	return !w.exactly || !r.weak && !slices.ContainsFunc(r.others, func(v *term.Var) bool {
		return slices.Contains(vars, v)
	})
}

func isCompound(t term.Term) bool {
	_, ok := t.(*term.Compound)
	return ok
}

// totalRow returns the row of a total with the equations applied, as no goal is called that applies them. Equations of
// a variable that occurs elsewhere, where it may have another value, cannot be applied.
func (w *wholeGoal) totalRow(value term.Term) (row *term.Compound, refused string) {
	outside := map[*term.Var]bool{}
	for _, v := range term.Variables(&term.Compound{Functor: "outside", Args: []term.Term{value, w.outside}}) {
		outside[v] = true
	}
	made := map[*term.Var]term.Term{}
	for i, g := range w.run {
		if g.equation == nil {
			continue
		}
		one := w.joined[i].equation.left
		for _, side := range []term.Term{g.equation.left, g.equation.right} {
			if v, isVar := side.(*term.Var); isVar && !outside[v] {
				continue
			}
			if made[one] != nil && made[one] != side {
				return nil, w.notLeft(i)
			}
			made[one] = side
		}
	}
	return term.Rename(w.row, made).(*term.Compound), ""
}

// varsOf returns a term with the variables of a row, in a fixed order.
func varsOf(row term.Term) term.Term {
	list := term.Variables(row)
	args := make([]term.Term, len(list))
	for i, v := range list {
		args[i] = v
	}
	if len(args) == 0 {
		return term.Atom("vars")
	}
	return &term.Compound{Functor: "vars", Args: args}
}

// pushed records that the goal is left to the database, unless it is refused.
func (w *wholeGoal) pushed() (refused string) {
	statement, refused := w.Plan(w.query)
	if refused == "" {
		r := Report{At: w.At, Goals: w.goalTexts([]sqlGoal{*w.goal}), Statement: statement, Query: w.query}
		r.Way, r.InRecursion = w.wayOf(There, w.row, w.query.Total != nil)
		w.Reports = append(w.Reports, r)
	}
	return refused
}

// total returns the goal for an aggregate over the rows. For a set it counts only different rows.
func (w *wholeGoal) total(spec, value term.Term) (made term.Term, refused string) {
	op, column, ok := totalSpec(spec)
	if specs, several := spec.(*term.Compound); !ok && several && isRecord(specs) {
		return w.record(specs, value)
	}
	if !ok {
		return nil, "only count, sum, max, min and set of a variable, max and min with a term, and records of these are " +
			"left to the database"
	}
	w.exactly = op != "set"
	if refused := w.ask(spec, value); refused != "" {
		return nil, refused
	}
	at, known := w.column(column)
	if column != nil && !known {
		return nil, "what " + op + " is of is no column"
	}
	if op == "set" {
		return w.set(spec, value)
	}
	row, refused := w.totalRow(value)
	if refused != "" {
		return nil, refused
	}
	w.query.Total = &relation.Total{Op: op, Column: at}
	if refused := w.pushed(); refused != "" {
		return nil, refused
	}
	total := term.NewVar("Total")
	w.check = conjoined(w.check, w.Ask("$sql_total", w.query, row, varsOf(row), total))
	if c, ok := spec.(*term.Compound); ok && len(c.Args) > 1 {
		return w.witness(spec, column, value, total), ""
	}
	return term.New("=", total, term.New("total", value)), ""
}

// isRecord reports whether all arguments of a term, such as r(count, max(X)), are totals that are left to databases.
func isRecord(c *term.Compound) bool {
	single := []term.Atom{"sum", "max", "min", "set", "bag"}
	return !slices.Contains(single, c.Functor) && !slices.ContainsFunc(c.Args, func(spec term.Term) bool {
		_, _, ok := totalSpec(spec)
		return !ok
	})
}

// record returns the goals for several totals of the same goals.
func (w *wholeGoal) record(specs *term.Compound, value term.Term) (made term.Term, refused string) {
	told := len(w.Reports)
	values := &term.Compound{Functor: specs.Functor}
	for _, spec := range specs.Args {
		one := *w.goal
		v := term.NewVar("Value")
		one.term = term.New("aggregate_all", spec, w.inner, v)
		total, check := w.whole(&one, w.outside)
		if total == nil {
			refused = w.Reports[len(w.Reports)-1].Refused
			w.Reports = w.Reports[:told]
			return nil, refused
		}
		values.Args = append(values.Args, v)
		made, w.check = conjoined(made, total), conjoined(w.check, check)
	}
	return conjoined(made, term.New("=", values, value)), ""
}

// witness returns the goal for a largest or smallest value with a term, once the value is known: it uses only rows with
// that value.
func (w *wholeGoal) witness(spec term.Term, column *term.Var, value, total term.Term) term.Term {
	q := *w.query
	q.Total = nil
	most := term.NewVar("Most")
	rows := term.New(",", term.New("=", column, most), w.behind(w.Ask("$sql", &q, w.row)))
	return term.New(",", term.New("=", total, term.New("total", most)), term.New("aggregate_all", spec, rows, value))
}

// totalSpec reads the first argument of aggregate_all/3.
func totalSpec(spec term.Term) (op string, column *term.Var, ok bool) {
	if spec == term.Term(term.Atom("count")) {
		return "count", nil, true
	}
	c, ok := spec.(*term.Compound)
	if !ok || len(c.Args) == 0 {
		return "", nil, false
	}
	v, ok := c.Args[0].(*term.Var)
	switch c.Functor {
	case "sum", "set":
		return string(c.Functor), v, ok && len(c.Args) == 1
	case "max", "min":
		return string(c.Functor), v, ok && len(c.Args) <= 2
	}
	return "", nil, false
}

// set returns the goal for a set, from which the database removes duplicate rows.
func (w *wholeGoal) set(spec, value term.Term) (made term.Term, refused string) {
	rows, refused := w.thinned()
	if refused != "" {
		return nil, refused
	}
	return term.New("aggregate_all", spec, rows, value), ""
}

// different returns the goal for rows that differ in a term.
func (w *wholeGoal) different(by term.Term) (made term.Term, refused string) {
	if refused := w.ask(by); refused != "" {
		return nil, refused
	}
	rows, refused := w.thinned()
	if refused != "" {
		return nil, refused
	}
	return term.New("distinct", by, rows), ""
}

// thinned returns the goal for different rows.
func (w *wholeGoal) thinned() (rows term.Term, refused string) {
	w.query.Distinct = true
	if refused := w.pushed(); refused != "" {
		return nil, refused
	}
	return w.behind(w.Ask("$sql", w.query, w.row)), ""
}

// behind returns a question with the equations of the run before it and the tests after it.
func (w *wholeGoal) behind(question term.Term) term.Term { return around(w.run, question) }

// ordered returns the goal for rows in an order, of which only the first may be used.
func (w *wholeGoal) ordered(specs, most term.Term) (made term.Term, refused string) {
	w.exactly = most != nil
	if refused := w.ask(specs, most); refused != "" {
		return nil, refused
	}
	list, isList := term.Slice(specs)
	if !isList || len(list) == 0 {
		return nil, "the order is not written as a list"
	}
	for _, spec := range list {
		c, ok := spec.(*term.Compound)
		if !ok || len(c.Args) != 1 || c.Functor != "asc" && c.Functor != "desc" {
			return nil, "the order is not a list of asc(Column) and desc(Column)"
		}
		v, isVar := c.Args[0].(*term.Var)
		at, known := w.column(v)
		if !isVar || !known {
			return nil, "the order is by what is no column"
		}
		w.query.Order = append(w.query.Order, relation.Order{Column: at, Descending: c.Functor == "desc"})
	}
	return w.rows(most)
}

// page returns the goal for the first rows, perhaps after some skipped rows, which the database then skips too.
func (w *wholeGoal) page(most, goal term.Term) (made term.Term, refused string) {
	w.inner = goal
	args, skips := term.Is(goal, "offset", 2)
	last := most
	if skips {
		w.inner, last = args[1], term.NewVar("Last")
		w.outside = &term.Compound{Functor: "outside", Args: []term.Term{w.outside, most, args[0]}}
		w.uses("offset", 2)
	}
	if inner, ok := term.Is(w.inner, "order_by", 2); ok {
		w.inner = inner[1]
		w.uses("order_by", 2)
		made, refused = w.ordered(inner[0], last)
	} else {
		made, refused = w.limited(last)
	}
	if made == nil || !skips {
		return made, refused
	}
	w.check = conjoined(w.check, term.Conjunction(term.New("integer", most), term.New("integer", args[0]),
		term.New(">=", args[0], term.Int(0)), term.New("is", last, term.New("+", most, args[0]))))
	return term.New("limit", most, term.New("offset", args[0], made)), ""
}

// limited returns the goal for the first rows.
func (w *wholeGoal) limited(most term.Term) (made term.Term, refused string) {
	w.exactly = true
	if refused := w.ask(most); refused != "" {
		return nil, refused
	}
	return w.rows(most)
}

// rows returns the goal for rows, at most `most` of them unless that is nil. No test may throw, as the error would come
// after rows that have already been answered.
func (w *wholeGoal) rows(most term.Term) (made term.Term, refused string) {
	for i := range w.query.Tests {
		w.query.Tests[i].Early = true
	}
	w.query.Limited = most != nil
	vars := varsOf(w.row)
	if refused := w.pushed(); refused != "" {
		return nil, refused
	}
	if most == nil {
		return w.behind(w.Ask("$sql", w.query, w.row)), ""
	}
	row := &term.Compound{Functor: w.row.Functor, Args: append(slices.Clone(w.row.Args), most)}
	first := w.Ask("$sql_first", w.query, row, vars)
	return term.New("limit", most, w.behind(first)), ""
}
