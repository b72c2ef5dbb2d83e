package tables

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/feel"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// This file defines the clauses of a table.

// Clause is a clause of the predicate of a table, or of a predicate of its rows.
type Clause struct {
	Head, Body term.Term
	At         Place
}

// Term returns the clause as a term.
func (c *Clause) Term() term.Term {
	if c.Body == term.Term(term.True) {
		return c.Head
	}
	return term.New(":-", c.Head, c.Body)
}

// RowsSuffix ends the name of the predicate that has the rows of a table, if they are gathered or divided into parts.
// NodesSuffix ends the name of the predicate that finds a part.
const (
	RowsSuffix  = " row"
	NodesSuffix = " node"
)

// Clauses returns the clauses of the predicate of a table, each row with its place. Rows that are ranked or counted
// have a predicate of their own.
func (t *Table) Clauses(name string) (list []Clause) {
	rows := name
	_, several, _ := PolicyNamed(string(t.Hit))
	gathered := t.Hit != "unique" && t.Hit != "any" && t.Hit != "first" && (!several || t.Hit == "output_order")
	if t.Said == "" { // a model has null for what is not known
		t.need(gathered)
	}
	if unbound := t.unbound(); unbound != nil {
		list = append(list, Clause{Head: t.head(name), Body: unbound, At: Place{Place: t.Columns[0].At.Place}})
	}
	if gathered {
		rows += RowsSuffix
		list = append(list, t.gather(name, rows))
	}
	if x := t.newRangeIndex(); x != nil {
		return append(list, x.clauses(rows)...)
	}
	for i := range t.Rows {
		list = append(list, t.clause(rows, &t.Rows[i]))
	}
	return list
}

// need finds the inputs that must be bound in a call. Tests or expressions use them, or they decide between rows of
// which one excludes others. Rows of constants alone are like facts, and a call may leave their inputs unbound.
func (t *Table) need(gathered bool) {
	some := gathered || t.Hit == "first" || t.Hit == "any" || t.Hit == "unique" && len(t.Times) > 0
	constant := make([]bool, len(t.Columns))
	for i := range t.Columns {
		c, seen := &t.Columns[i], map[string]bool{}
		if _, c.values = kindOf(c.Type); c.Loose || c.Output {
			c.values = nil
		}
		_, nullable := term.Is(c.Type, "maybe", 1)
		var used []term.Term
		for r := range t.Rows {
			cell := &t.Rows[r].Cells[i]
			if seen[cell.Text] {
				continue
			}
			seen[cell.Text] = true
			used = append(used, cell.Tests.Items...)
			nullable = nullable || slices.Contains(cell.Tests.Items, null)
			if cell.Value != nil {
				used = append(used, cell.Value)
			}
		}
		if nullable && c.values != nil {
			c.values = append(slices.Clip(c.values), null)
		}
		for r := range t.Rows {
			if cell := &t.Rows[r].Cells[i]; !c.Output && seen[cell.Text] {
				seen[cell.Text] = false
				value, goals := cell.guard(c)
				constant[i] = constant[i] || value != nil
				c.needed = c.needed || len(goals) > 0 && !cell.Tests.Any
			}
		}
		some = some || c.needed && t.Hit == "unique"
		for _, v := range term.Variables(used...) {
			if at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.v == v }); at >= 0 {
				t.Columns[at].needed = true
			}
		}
	}
	for i := range t.Columns {
		t.Columns[i].needed = t.Columns[i].needed || constant[i] && some
	}
}

// Needs returns the arguments, from 0, that must be bound in a call. Call it after Clauses.
func (t *Table) Needs() (list []int) {
	for i, c := range t.Columns {
		if c.needed {
			list = append(list, i)
		}
	}
	return list
}

// Values returns the values that the type of an input lists, nil if it lists none. Call it after Clauses.
func (c *Column) Values() []term.Term { return c.values }

// unbound returns a goal that throws an error if a needed input is unbound, and otherwise fails. It returns nil if no
// input is needed.
func (t *Table) unbound() term.Term {
	goal, none := term.Term(term.Atom("fail")), true
	for _, c := range slices.Backward(t.Columns) {
		if c.needed {
			context := term.New("context", term.NewVar(""), term.Atom("the input "+c.Name+" of "+t.Name+" has no value"))
			wrong := term.New("throw", term.New("error", term.Atom("instantiation_error"), context))
			goal, none = term.New(";", term.New("->", term.New("var", c.v), wrong), goal), false
		}
	}
	if none {
		return nil
	}
	return goal
}

// outputs returns the variables of the outputs, and the template with which rows are gathered.
func (t *Table) outputs() (template term.Term, vars []term.Term) {
	for _, c := range t.Columns {
		if c.Output {
			vars = append(vars, c.v)
		}
	}
	return term.New("row", vars...), vars
}

// head returns a head with the variables of the columns.
func (t *Table) head(name string) *term.Compound {
	h := &term.Compound{Functor: term.Atom(name)}
	for _, c := range t.Columns {
		h.Args = append(h.Args, c.v)
	}
	return h
}

// gather returns the clause of a policy that combines all rows that hold. The goal of the rows has other variables
// for the outputs than the head.
func (t *Table) gather(name, rows string) Clause {
	template, vars := t.outputs()
	of, policy, hits, result := template, term.Term(term.Atom(t.Hit)), term.NewVar("Hits"), term.NewVar("Result")
	last := []term.Term{term.New("=", template, result)}
	switch t.Hit {
	case "priority":
		policy = term.New("priority", t.orders())
	case "output_order":
		policy = term.New("output_order", t.orders())
		last[0] = term.New("member", template, result)
	default:
		of = vars[0]
		last[0] = term.New("=", of, result)
	}
	last = append([]term.Term{term.New("\\==", null, result)}, last...)
	fresh := map[*term.Var]term.Term{}
	for _, v := range vars {
		fresh[v.(*term.Var)] = term.NewVar("")
	}
	goals := append([]term.Term{term.Rename(term.New("findall", of, t.head(rows), hits), fresh),
		term.New("decision_hits", policy, hits, result)}, last...)
	return Clause{Head: t.head(name), Body: term.Conjunction(goals...), At: Place{Place: t.Columns[0].At.Place}}
}

// orders returns a list with the index and the values of each output whose type lists its values.
func (t *Table) orders() term.Term {
	var list []term.Term
	i := 0
	for _, c := range t.Columns {
		if !c.Output {
			continue
		}
		i++
		if _, listed := kindOf(c.Type); listed != nil {
			list = append(list, term.New("-", term.Int(i), term.List(listed...)))
		}
	}
	return term.List(list...)
}

// clause returns the clause of a row.
func (t *Table) clause(name string, r *Row) Clause {
	h := t.head(name)
	var guards, results []term.Term
	tested := false
	late := t.Hit == "first" || t.Hit == "any" // outputs are unified behind the cut
	for i, c := range t.Columns {
		cell := &r.Cells[i]
		switch {
		case !c.Output:
			constant, goals := cell.guard(&c)
			if constant != nil {
				h.Args[i] = constant
			}
			guards = append(guards, goals...)
			tested = tested || len(goals) > 0 && !cell.Tests.Any
		case !feel.Constant(cell.Value):
			results = append(results, term.New("feel", cell.Value, c.v))
		case late:
			results = append(results, term.New("=", c.v, cell.Value))
		default:
			h.Args[i] = cell.Value
		}
	}
	if r.Times != nil {
		if goal := InForce(r.Valid); goal != nil {
			guards, tested = append(guards, goal), true
		}
	}
	// At most one row of a unique table holds. Without a test the head alone selects it, by its index.
	if late || t.Hit == "unique" && tested {
		guards = append(guards, term.Atom("!"))
	}
	goals := append(guards, results...)
	if len(goals) == 0 {
		goals = []term.Term{term.True}
	}
	// An expression may use an input that is a constant in the head.
	clause := term.New(":-", h, term.Conjunction(goals...))
	used := map[*term.Var]bool{}
	for _, v := range term.Variables(clause.(*term.Compound).Args[1]) {
		used[v] = true
	}
	for i, c := range t.Columns {
		if used[c.v] && h.Args[i] != term.Term(c.v) {
			clause = term.Rename(clause, map[*term.Var]term.Term{c.v: h.Args[i]})
		}
	}
	args := clause.(*term.Compound).Args
	return Clause{args[0], args[1], r.At}
}

// Heads returns the names of the columns.
func (t *Table) Heads() (list []string) {
	for _, c := range t.Columns {
		list = append(list, c.Name)
	}
	return list
}

// RowClause returns the clause of the row at a line, as if it had been read. head is an instance of its head, and may
// have the number of a part before the columns. The result is nil if there is no such row.
func (t *Table) RowClause(line int, head *term.Compound) *syntax.Read {
	at, ok := slices.BinarySearchFunc(t.Rows, line, func(r Row, line int) int { return r.At.Line - line })
	if !ok || head == nil || len(head.Args) < len(t.Columns) {
		return nil
	}
	clause := t.clause("", &t.Rows[at])
	clause.Head = term.New(head.Functor, append(slices.Clip(head.Args[:len(head.Args)-len(t.Columns)]),
		clause.Head.(*term.Compound).Args...)...)
	read := &syntax.Read{Term: clause.Term()}
	for _, c := range t.Columns {
		read.Vars = append(read.Vars, syntax.VarInfo{Name: variableName(c.Name), Var: c.v})
	}
	return read
}

// variableName returns a variable name for the name of a column, _ if the name is no word.
func variableName(column string) string {
	if !columnWord().MatchString(column) {
		return "_"
	}
	name := strings.ReplaceAll(column, " ", "_")
	return strings.ToUpper(name[:1]) + name[1:]
}

// columnWord matches the names of columns that can become names of variables.
var columnWord = lazyregexp.New(`^[A-Za-z][\w ]*$`)

// guard returns the goals that test an input, or the only value that it may have.
func (cell *Cell) guard(c *Column) (constant term.Term, goals []term.Term) {
	tests := &cell.Tests
	switch {
	case tests.Any && c.values != nil: // the type lists the values
		return nil, []term.Term{c.isListed()}
	case tests.Any:
		return nil, nil
	case c.Kind == Anyhow && c.Loose:
		goals = []term.Term{term.New("feel_in", c.v, term.List(tests.Items...))}
	case allValues(tests.Items):
		if len(tests.Items) == 1 && !tests.Not {
			return tests.Items[0], nil
		}
		goals = []term.Term{term.New("memberchk", c.v, term.List(tests.Items...))}
	case len(tests.Items) == 1 && c.isOrdered() && feel.IsRange(tests.Items[0]) && feel.Constant(tests.Items[0]):
		goals = compared(c, tests.Items[0])
	default:
		goals = []term.Term{term.New("feel_in", c.v, term.List(tests.Items...))}
	}
	if tests.Not {
		goals = []term.Term{term.New("\\+", term.Conjunction(goals...))}
		if c.values != nil {
			goals = append([]term.Term{c.isListed()}, goals...)
		}
	}
	return nil, goals
}

// isListed returns the goal that tests whether the type of the column lists a value.
func (c *Column) isListed() term.Term {
	return term.New("\\+", term.New("\\+", term.New("memberchk", c.v, term.List(c.values...))))
}

// isOrdered reports whether the values of a column have an order that goals can compare.
func (c *Column) isOrdered() bool { return c.Kind != Text && c.Kind != Boolean && c.Kind != Anyhow }

// allValues reports whether tests are values without lists and ranges.
func allValues(items []term.Term) bool {
	for _, item := range items {
		if _, isList := term.Slice(item); isList || !feel.Constant(item) || feel.IsRange(item) {
			return false
		}
	}
	return true
}

// compared returns the comparisons of an input with the ends of a range. The standard order of dates, times and
// durations is that of their values.
func compared(c *Column, test term.Term) (goals []term.Term) {
	ends, _ := term.Is(test, "range", 4)
	if c.Loose {
		goals = append(goals, term.New("number", c.v))
	}
	functors := map[term.Term][]term.Atom{term.Atom("open"): {"@>", "@<"}, term.Atom("closed"): {"@>=", "@=<"}}
	for i := range 2 {
		if end := ends[2*i]; end != term.Term(term.Atom("inf")) {
			functor := functors[ends[2*i+1]][i]
			if c.Kind == Number {
				functor = functor[1:]
			}
			goals = append(goals, term.New(functor, c.v, end))
		}
	}
	return goals
}
