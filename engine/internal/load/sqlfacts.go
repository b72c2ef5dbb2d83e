package load

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/pushdown"
	"github.com/mcplogic/mcplogic/engine/internal/records"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines facts/2 and facts/3 for tables of databases: predicates with one clause, which queries the table.
// In other clauses, goals on tables are left to the databases.

// checkTime is how long a load waits for an answer of a database.
const checkTime = 5 * time.Second

// sqlFacts runs facts(Name/Arity, sql(Database, Table, Columns)), perhaps with options.
func (l *Loader) sqlFacts(args []term.Term) {
	f := &factsLoad{Loader: l, directive: l.position(), module: l.module}
	if !l.predicateOf(f, args[0], "facts") {
		return
	}
	f.known = len(l.p.diagnostics)
	q, ok := l.sqlQuery(f, args[1:])
	if !ok {
		return
	}
	pred := l.Definition(f.module, f.functor)
	switch {
	case pred == nil:
		return
	case pred.Has(database.Tabled | database.Dynamic):
		l.factsError("%s is tabled or dynamic, so it cannot have the rows of a table", database.FunctorText(f.functor))
		return
	case len(pred.Clauses()) > 0:
		l.factsError("%s has clauses already; give the table a predicate of its own", database.FunctorText(f.functor))
		return
	}
	there := l.checkQuery(q)
	if there {
		f.exact = l.placed(q, f.exact)
	}
	if f.copy == nil || !f.copied(pred, q, there) {
		l.sqlClause(pred, q, f.exact)
	}
}

// placed returns the types of the arguments, with the number of decimal places that the database gives.
func (l *Loader) placed(q *relation.Query, exact []term.Term) []term.Term {
	typer, ok := l.p.opts.Databases.(relation.Typer)
	if !ok || !slices.ContainsFunc(q.Columns, func(c relation.Column) bool { return c.Type == "decimal" }) {
		return exact
	}
	ctx, cancel := context.WithTimeout(l.p.goalContext(), checkTime)
	defer cancel()
	types, _ := typer.Types(ctx, q) // the database has just answered
	placed := make([]term.Term, len(q.Columns))
	copy(placed, exact)
	for i, typ := range types {
		var n int
		bare := placed[i] == nil || placed[i] == term.Term(bareDecimal)
		if _, err := fmt.Sscanf(typ, "decimal(%d)", &n); err == nil && bare {
			with := term.New("decimal", term.Int(n))
			if _, ok := values.Of(with); ok {
				placed[i] = with
			}
		}
	}
	return placed
}

// bareDecimal is the type of decimals without a number of places.
const bareDecimal = term.Atom("decimal")

// sqlQuery reads the arguments of a facts directive after the predicate.
func (l *Loader) sqlQuery(f *factsLoad, args []term.Term) (q *relation.Query, ok bool) {
	source, _ := term.Is(args[0], "sql", 3)
	db, isText := term.Text(source[0])
	table, isName := term.Text(source[1])
	columns, isList := texts(source[2])
	if !isText || !isName || !isList || db == "" || table == "" {
		l.factsError("got %s, want sql(Database, Table, [Column, ...])", syntax.ShowTerm(args[0]))
		return nil, false
	}
	if len(columns) != f.options.Arity {
		l.factsError("%s has %s, and there is a list of %s", database.FunctorText(f.functor),
			spell.Count(f.options.Arity, "argument"), spell.Count(len(columns), "column"))
		return nil, false
	}
	if len(args) > 1 && !l.sqlOptions(f, args[1]) {
		return nil, false
	}
	l.factsTypes(f)
	q = &relation.Query{Database: db, Tables: []string{table}}
	for i, name := range columns {
		c := relation.Column{Name: name}
		if i < len(f.options.Types) && f.options.Types[i] != records.Guess {
			c.Type = f.options.Types[i].String()
		}
		q.Columns = append(q.Columns, c)
	}
	return q, true
}

// sqlOptions reads the options.
func (l *Loader) sqlOptions(f *factsLoad, t term.Term) bool {
	options, ok := term.Slice(t)
	if !ok {
		l.factsError("the options must be a list, got %s", syntax.ShowTerm(t))
		return false
	}
	isCopy, made := false, &relation.Copy{Every: usualEvery}
	for _, o := range options {
		name, arity, _ := term.Indicator(o)
		if arity != 1 {
			name = ""
		}
		switch value := argumentOf(o); name {
		case "types":
			if !l.typesOption(f, value) {
				return false
			}
			continue
		case "copy":
			isCopy, ok = value == term.Term(term.True), value == term.Term(term.True) || value == term.Term(term.Atom("false"))
		case "version":
			made.Column, ok = term.Text(value)
		case "refresh":
			seconds, isInt := value.(term.Int)
			made.Every, ok = time.Duration(seconds)*time.Second, isInt && 1 <= seconds && seconds <= maxEvery
		default:
			ok = false
		}
		if !ok {
			l.factsError("bad option %s; tables of databases have types([Type, ...]), copy(true), version(Column) and "+
				"refresh(Seconds) up to a day", syntax.ShowTerm(o))
			return false
		}
	}
	if isCopy {
		f.copy = made
	} else if made.Column != "" || made.Every != usualEvery {
		l.factsError("the table is not copied, so there is nothing to refresh; say copy(true) too")
		return false
	}
	return true
}

// argumentOf returns the first argument of a term, nil if there is none.
func argumentOf(t term.Term) term.Term {
	if c, ok := t.(*term.Compound); ok {
		return c.Args[0]
	}
	return nil
}

// checkQuery asks the database for the table. An error that may be temporary is a warning, as the database may be there
// when the predicate is called. A lenient load, for goals or tests, does not report databases without an address; the
// first call that needs one does. It reports whether the database has the table.
func (l *Loader) checkQuery(q *relation.Query) bool {
	switch {
	case l.Restricted():
		l.factsError("restricted rules ask no databases")
		return false
	case l.p.opts.Databases == nil && l.p.opts.Lenient:
		return false
	case l.p.opts.Databases == nil:
		l.report(source.SeverityWarning, "facts", "there is no database %s; --sql %s=... names it", q.Database, q.Database)
		return false
	}
	ctx, cancel := context.WithTimeout(l.p.goalContext(), checkTime)
	defer cancel()
	err := l.p.opts.Databases.Check(ctx, q)
	l.databaseError(err)
	return err == nil
}

// databaseError reports the error of a database, if there is one.
func (l *Loader) databaseError(err error) {
	var wrong *relation.Error
	switch {
	case err == nil:
	case errors.As(err, &wrong) && wrong.Wrong:
		l.factsError("%s", err)
	default:
		l.report(source.SeverityWarning, "facts", "%s", err)
	}
}

// askedQuery is a query that a clause sends to a database.
type askedQuery struct {
	predicate, text string
	arguments       int // of the row
}

// asking returns the goal that sends a query by one of the query predicates. It adds the query to the known queries of
// the program.
func (p *Program) asking(predicate string, q *relation.Query, row *term.Compound, more ...term.Term) term.Term {
	text := q.Text()
	p.questions.Store(askedQuery{predicate, text, len(row.Args)}, nil)
	return term.New(term.Atom(predicate), append([]term.Term{term.Atom(text), row}, more...)...)
}

// Asks implements database.Loader. Goals may only use known queries, because a query can name any table and any
// condition.
func (p *Program) Asks(predicate, query string, arguments int) bool {
	_, ok := p.questions.Load(askedQuery{predicate, query, arguments})
	return ok
}

// TableOf implements database.Loader.
func (p *Program) TableOf(pred *database.Pred) string {
	q := p.QueryOf(pred)
	if q == nil {
		return ""
	}
	return q.Database + "." + q.Tables[0]
}

// QueryOf implements database.Loader.
func (p *Program) QueryOf(pred *database.Pred) *relation.Query {
	found, _ := p.tables.Load(pred)
	q, _ := found.(*relation.Query)
	return q
}

// sqlClause gives a predicate its clause.
func (l *Loader) sqlClause(pred *database.Pred, q *relation.Query, exact []term.Term) {
	var vars []term.Term
	for i := range q.Columns {
		vars = append(vars, term.NewVar(fmt.Sprintf("A%d", i+1)))
	}
	head := &term.Compound{Functor: term.Atom(code.AtomText(pred.Functor.FunctorAtom())), Args: vars}
	body := l.p.asking("$sql", q, &term.Compound{Functor: "row", Args: vars})
	c := newClause(pred, head, body, database.Source{Position: l.position()})
	if err := l.p.compiler.CompileLines(c, []int32{}); err != nil {
		l.factsError("%s", err)
		return
	}
	l.p.tables.Store(pred, q)
	var names []string
	for _, c := range q.Columns {
		names = append(names, c.Name)
	}
	l.p.columns.Store(pred, columnsOf{names: names, types: exact})
	if l.p.queries == nil {
		l.p.queries, l.p.calls = map[*database.Pred]*relation.Query{}, pushdown.Calls{}
	}
	l.p.queries[pred] = q
	l.p.definer.Set(pred, database.Defined)
	pred.OwnClauses()
	l.p.db.AddStatic(c)
	l.p.Relink(pred)
}

// HasTables reports whether predicates with the rows of tables have been declared so far.
func (l *Loader) HasTables() bool { return len(l.p.queries) > 0 }

// pushDown returns the body to compile in place of that of a clause, nil for none. There is one only if the clause
// calls tables that have been declared before.
func (l *Loader) pushDown(home *database.Module, head, body term.Term) term.Term {
	if !l.HasTables() || l.library {
		return nil
	}
	c := &pushdown.Clause{At: l.position(), Home: home, Tables: l.p.queries, Plan: l.plan, Ask: l.p.asking,
		Ops: l.module.Ops}
	own := l.p.calls.Note(c, head, body)
	if !c.Calls(body) {
		return nil
	}
	l.result.dependent = true // on the tables
	if l.read != nil {
		c.Vars = l.read.Vars
	}
	instead := c.Body(head, body)
	for _, r := range c.Reports {
		l.p.pushdowns = append(l.p.pushdowns, pushedClause{r, own})
	}
	return instead
}

// linesAs lists the lines of the goals of a body that replaces another, whose lines are known. A new goal gets the line
// of the original goal that follows the last original goal before it.
func linesAs(body, made term.Term, lines []int32) (list []int32) {
	at := map[term.Term]int{}
	n := 0
	for i, goal := range goalsOf(body) {
		if _, ok := goal.(*term.Compound); ok {
			at[goal] = i
		}
		n++
	}
	if len(lines) < n {
		return nil
	}
	next := 0
	for _, goal := range goalsOf(made) {
		if i, ok := at[goal]; ok {
			next = i
		}
		list = append(list, lines[min(next, n-1)])
		if _, ok := at[goal]; ok {
			next++
		}
	}
	return list
}

// plan requests the database's statement for a query. refused says why the database must not get the query in that
// form.
func (l *Loader) plan(q *relation.Query) (statement, refused string) {
	planner, ok := l.p.opts.Databases.(relation.Planner)
	if !ok {
		return "", "there is no database"
	}
	ctx, cancel := context.WithTimeout(l.p.goalContext(), checkTime)
	defer cancel()
	statement, refused, err := planner.Plan(ctx, q)
	var known *relation.Error
	if errors.As(err, &known) {
		return "", known.Message
	} else if err != nil {
		return "", err.Error()
	}
	return statement, refused
}

// pushedClause returns the report of a clause that defines own.
type pushedClause struct {
	pushdown.Report
	own code.Cell
}

// Pushdowns returns the goals of clauses that are left to databases, in the order of loading.
func (p *Program) Pushdowns() (list []pushdown.Report) {
	for _, r := range p.pushdowns {
		if r.Statement != "" || r.Refused != "" {
			list = append(list, r.Report)
		}
	}
	return list
}

// Questions returns the queries of the clauses to databases, in the order of loading.
func (p *Program) Questions() (list []pushdown.Report) {
	recursive := p.calls.InRecursion()
	for _, r := range p.pushdowns {
		if recursive[r.own] {
			r.Way = r.InRecursion
		}
		if r.Way != "" {
			list = append(list, r.Report)
		}
	}
	return list
}

// Recursion is the query of a call of a tabled predicate to a database.
type Recursion struct {
	// At is the place of the first clause of the predicate.
	At syntax.Position
	// Goal is the call. Its argument `given` stands for a value.
	Goal string
	// Asked has the queries for an integer value and for an atom.
	Asked []*relation.Recursion
}

// Recursions returns the queries of tabled predicates to databases for calls with one value.
func (p *Program) Recursions() (list []Recursion) {
	m := p.NewMachine()
	for _, pred := range p.db.Preds() {
		if !pred.Has(database.Tabled) || pred.Module.Library {
			continue
		}
		clauses := pred.Module.Lookup(pred.TableFunctor())
		for at := range pred.Arity() {
			asked := machine.RecursionOf(m, pred, at, term.Int(1))
			if clauses == nil || asked == nil {
				break
			}
			args := make([]string, pred.Arity())
			for i := range args {
				args[i] = "_"
			}
			args[at] = "given"
			list = append(list, Recursion{At: clauses.Clauses()[0].Position(),
				Goal:  fmt.Sprintf("%s(%s)", pred.Name(), strings.Join(args, ", ")),
				Asked: []*relation.Recursion{asked, machine.RecursionOf(m, pred, at, term.Atom("a"))}})
		}
	}
	return list
}
