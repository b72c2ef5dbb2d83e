// Package recursive writes recursions over tables as one statement of SQL.
//
// A relation that rules define becomes a common table expression; relations that depend on each other become one, with
// a tag for each. [Dialect.Statement] takes a recursion and the tables of its relations. Derived rows are not compared
// again outside of the database, so the statement has to be exact. If it is exact only for some rows, for example
// because a column of integers may hold values of other types, the statement also asks for rows that would make it
// wrong: see [Statement.Doubtful].
package recursive

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines statements from rules: what is selected, from which relations, and in which order.

// Class is the class of the values of a column.
type Class int

// The classes of columns. The values of Any have types of their own, as in SQLite.
const (
	Unknown Class = iota
	Integer
	Text
	Any
)

// Column is a column of a table.
type Column struct {
	Name  string // quoted
	Class Class  // Unknown for one whose terms the database cannot tell apart exactly
	// NotNull says that no value is NULL, Whole that all are integers.
	NotNull, Whole bool
	// Indexed says that an index finds rows by the column's values.
	Indexed bool
}

// Table is the table of a relation.
type Table struct {
	Name    string // quoted
	Columns []Column
}

// Dialect is the SQL dialect of a kind of databases.
type Dialect struct {
	Placeholder func(n int) string
	// Types are the types of integers and texts; it is nil if each value has its own type.
	Types map[Class]string
	// Lateral says that a definition may mention its recursive query only once, so several rules about it are in a
	// subquery.
	Lateral bool
	// Limited says that a definition may limit the number of its rows.
	Limited bool
}

// The dialects. Statements for DuckDB are written, but no database of the program runs them.
var (
	PostgreSQL = &Dialect{Placeholder: dollar, Types: map[Class]string{Integer: "int8", Text: "text"}, Lateral: true}
	SQLite     = &Dialect{Placeholder: func(n int) string { return "?" + strconv.Itoa(n) }, Limited: true}
	DuckDB     = &Dialect{Placeholder: dollar, Types: map[Class]string{Integer: "bigint", Text: "varchar"}, Lateral: true}
)

func dollar(n int) string { return "$" + strconv.Itoa(n) }

// Statement is a statement with its parameters.
type Statement struct {
	Text   string
	Params []term.Term
	// Classes has the class of each column.
	Classes []Class
	// Doubtful says that each row has an integer after its columns. If it is 1 in any row, the result is not valid:
	// there are values for which the database cannot tell what the rules would do.
	Doubtful bool
}

// errRefused is the reason why a recursion has no statement.
func errRefused(format string, args ...any) error { return fmt.Errorf(format, args...) }

var errTypes = errors.New("values of different types are compared")

// Statement returns the statement of a recursion. tables[i] is the table of relation i, or nil if rules define the
// relation. If most is not 0, some dialects end the recursion when a relation has that many rows. The error says why
// there is no statement.
func (d *Dialect) Statement(r *relation.Recursion, tables []*Table, most int) (*Statement, error) {
	if slices.ContainsFunc(r.Rules, hasOther) {
		return nil, errTypes
	}
	w := &writer{Dialect: d, program: simplified(r), tables: tables, names: map[int]string{}, most: most}
	if len(w.rulesOf(w.Goal)) == 0 {
		return nil, errRefused("there are no rows")
	}
	if err := w.infer(); err != nil {
		return nil, err
	}
	order := w.components()
	last := order[len(order)-1]
	inline := len(last) == 1 && len(w.rulesOf(w.Goal)) == 1 && !w.isRecursive(last) && w.isSelected(w.rulesOf(w.Goal)[0])
	if inline {
		order = order[:len(order)-1]
	}
	for _, component := range order {
		if err := w.define(component); err != nil {
			return nil, err
		}
	}
	final := "select * from " + w.names[w.Goal]
	if inline {
		text, err := w.selection(w.rulesOf(w.Goal)[0], nil)
		if err != nil {
			return nil, err
		}
		final = text.whole(!w.isCopy(w.rulesOf(w.Goal)[0]))
	}
	st := &Statement{Params: w.params, Classes: w.classes(w.Goal), Doubtful: len(w.doubts) > 0}
	if len(st.Classes) == 0 {
		final += " limit 1"
	}
	if st.Doubtful {
		nulls, all := "", "q.*, "
		for _, c := range st.Classes {
			nulls += w.typed("null", c) + ", "
		}
		if len(st.Classes) == 0 {
			all = ""
		}
		final = "select " + nulls + "1 as doubt where " + strings.Join(w.doubts, " or ") + " union all select " + all +
			"0 from (" + final + ") q"
	}
	if len(w.with) > 0 {
		final = "with recursive " + strings.Join(w.with, ", ") + " " + final
	}
	st.Text = final
	return st, nil
}

// hasOther reports whether a rule has a constant that is neither an integer nor an atom, or the atom null, which a
// database may store as NULL.
func hasOther(r relation.Rule) bool {
	isOther := func(o relation.Operand) bool {
		switch v := o.Value.(type) {
		case nil, term.Int:
			return false
		case term.Atom:
			return v == "null"
		}
		return true
	}
	compares := func(c relation.Comparison) bool { return isOther(c.Left) || isOther(c.Right) }
	has := func(l relation.Literal) bool { return slices.ContainsFunc(l.Args, isOther) }
	return slices.ContainsFunc(r.Comparisons, compares) || has(r.Head) || slices.ContainsFunc(r.Body, has)
}

// isSelected reports whether the rows that a rule of the goal selects need no check for doubtful values, see
// derivedText.
func (w *writer) isSelected(r relation.Rule) bool {
	isOdd := func(c Column) bool { return c.Class == Any && !c.Whole }
	return w.isCopy(r) || !slices.ContainsFunc(w.derived[r.Head.Relation], isOdd)
}

// isCopy reports whether a rule returns the rows of one other relation unchanged. Rules define that relation, so its
// rows are distinct.
func (w *writer) isCopy(r relation.Rule) bool {
	if len(r.Body) != 1 || w.tables[r.Body[0].Relation] != nil || len(r.Body[0].Args) != len(r.Head.Args) {
		return false
	}
	for i, o := range r.Head.Args {
		if o.Value != nil || slices.Contains(r.Head.Args[:i], o) || !slices.Contains(r.Body[0].Args, o) {
			return false
		}
	}
	return true
}

// writer writes one statement.
type writer struct {
	*Dialect
	*program
	tables  []*Table
	derived [][]Column     // by derived relation
	names   map[int]string // the names of the derived relations, once they are defined
	with    []string
	params  []term.Term
	doubts  []string
	most    int
}

// columns returns the columns of a relation.
func (w *writer) columns(rel int) []Column {
	if t := w.tables[rel]; t != nil {
		return t.Columns
	}
	return w.derived[rel]
}

func (w *writer) classes(rel int) (list []Class) {
	for _, c := range w.columns(rel) {
		list = append(list, c.Class)
	}
	return list
}

// infer finds the classes of the columns that rules define.
func (w *writer) infer() error {
	w.derived = make([][]Column, len(w.Relations))
	for rel := range w.Relations {
		for i := range w.arities[rel] {
			w.derived[rel] = append(w.derived[rel], Column{Name: fmt.Sprintf("c%d", i), NotNull: true, Whole: true})
		}
	}
	for more := true; more; {
		more = false
		for _, r := range w.rules {
			for i, o := range r.Head.Args {
				own := &w.derived[r.Head.Relation][i]
				from := w.source(r, o)
				if from.Class == Unknown {
					continue
				}
				if own.Class != Unknown && own.Class != from.Class {
					return errTypes
				}
				next := Column{Name: own.Name, Class: from.Class, NotNull: own.NotNull && from.NotNull,
					Whole: own.Whole && from.Whole}
				more = more || next != *own
				*own = next
			}
		}
	}
	for _, r := range w.rules {
		for _, l := range append(slices.Clone(r.Body), r.Head) {
			for i, o := range l.Args {
				if c := w.columns(l.Relation)[i]; c.Class == Unknown && (o.Value != nil || isUsed(r, o)) {
					return errRefused("the terms of %s are not told apart exactly in the database", c.Name)
				}
			}
		}
	}
	return nil
}

// isUsed reports whether a variable occurs more than once in a rule.
func isUsed(r relation.Rule, o relation.Operand) bool {
	n := 0
	count := func(other relation.Operand) {
		if other == o {
			n++
		}
	}
	for _, l := range append(slices.Clone(r.Body), r.Head) {
		for _, other := range l.Args {
			count(other)
		}
	}
	for _, c := range r.Comparisons {
		count(c.Left)
		count(c.Right)
	}
	return n > 1
}

// source returns what is known of an operand of a rule's head. The columns of a variable are equal; if there are
// several, none of them is NULL. Derived texts and derived values of any type are never NULL.
func (w *writer) source(r relation.Rule, o relation.Operand) Column {
	if o.Value != nil {
		_, isInt := o.Value.(term.Int)
		c := Column{Class: Text, NotNull: true, Whole: isInt}
		if isInt {
			c.Class = Integer
		}
		if w.Types == nil {
			c.Class = Any
		}
		return c
	}
	var found Column
	n := 0
	for _, l := range r.Body {
		for i, other := range l.Args {
			if c := w.columns(l.Relation)[i]; other == o && c.Class != Unknown {
				n++
				found.Class = c.Class
				found.NotNull, found.Whole = found.NotNull || c.NotNull, found.Whole || c.Whole
			}
		}
	}
	found.NotNull = found.NotNull || n > 1 || found.Class != Integer
	return found
}

// components returns the derived relations that the goal depends on. Relations that depend on each other form one
// component. A component comes after those that it depends on.
func (w *writer) components() (list [][]int) {
	const unseen = 0
	number, low := map[int]int{}, map[int]int{}
	var open []int
	var visit func(rel int)
	visit = func(rel int) {
		open = append(open, rel)
		number[rel] = len(number) + 1
		low[rel] = number[rel]
		for _, r := range w.rulesOf(rel) {
			for _, l := range r.Body {
				next := l.Relation
				if w.tables[next] != nil {
					continue
				}
				if number[next] == unseen {
					visit(next)
					low[rel] = min(low[rel], low[next])
				} else if slices.Contains(open, next) {
					low[rel] = min(low[rel], number[next])
				}
			}
		}
		if low[rel] == number[rel] {
			at := slices.Index(open, rel)
			list = append(list, slices.Clone(open[at:]))
			open = open[:at]
		}
	}
	visit(w.Goal)
	return list
}

// isRecursive reports whether rules of a component refer to the component.
func (w *writer) isRecursive(component []int) bool {
	for _, rel := range component {
		for _, r := range w.rulesOf(rel) {
			if len(within(r, component)) > 0 {
				return true
			}
		}
	}
	return false
}

// within returns the indexes of the literals of a body that are about some relations.
func within(r relation.Rule, component []int) (list []int) {
	for i, l := range r.Body {
		if slices.Contains(component, l.Relation) {
			list = append(list, i)
		}
	}
	return list
}

// define defines the relations of a component.
func (w *writer) define(component []int) error {
	name := w.name()
	slices.Sort(component)
	shared := w.slots(component)
	var bases, steps []selection
	recursive := -1 // the alias of the recursive relation stands in all steps
	for tag, rel := range component {
		w.names[rel] = name
		if len(component) > 1 {
			w.names[rel] = fmt.Sprintf("(select %s from %s where tag = %d)", shared.list(rel), name, tag)
		}
		for _, r := range w.rulesOf(rel) {
			if at := within(r, component); len(at) > 1 {
				return errRefused("a rule calls the recursion twice")
			}
		}
	}
	if len(w.with)+len(component) > maxRelations {
		return errRefused("there are too many relations")
	}
	for tag, rel := range component {
		for _, r := range w.rulesOf(rel) {
			var in *inner
			if at := within(r, component); len(at) == 1 {
				in = &inner{at: at[0], name: name, slots: shared, tag: -1}
				if len(component) > 1 {
					in.tag = slices.Index(component, r.Body[at[0]].Relation)
				}
				recursive = at[0]
			}
			made, err := w.selection(r, in)
			if err != nil {
				return err
			}
			made.columns = shared.placed(w, rel, tag, made.columns, len(component) > 1)
			if in != nil {
				steps = append(steps, made)
			} else {
				bases = append(bases, made)
			}
		}
	}
	var texts []string
	for _, b := range bases {
		texts = append(texts, b.whole(len(bases) == 1 && recursive < 0))
	}
	switch {
	case w.Lateral && len(steps) > 1:
		var all []string
		for _, s := range steps {
			all = append(all, s.text("select "))
		}
		texts = append(texts, fmt.Sprintf("select s.* from %s r cross join lateral (%s) s", name,
			strings.Join(all, " union all ")))
	default:
		for _, s := range steps {
			s.from = append([]string{name + " r"}, s.from...)
			texts = append(texts, s.text("select "))
		}
	}
	text := strings.Join(texts, " union ")
	if w.Limited && w.most > 0 && len(steps) > 0 {
		text += fmt.Sprintf(" limit %d", w.most)
		w.doubt(fmt.Sprintf("(select count(*) from %s) = %d", name, w.most))
	}
	w.with = append(w.with, fmt.Sprintf("%s(%s) as (%s)", name, shared.all(len(component) > 1), text))
	for _, rel := range component {
		for _, c := range w.derived[rel] {
			if c.Class == Any && !c.Whole { // see derivedText
				w.doubt(fmt.Sprintf("exists (select 1 from %s d where d.%s is null)", w.names[rel], c.Name))
			}
		}
	}
	return nil
}

// name returns a name for the next relation that differs from the names of all tables.
func (w *writer) name() string {
	name := fmt.Sprintf("r%d", len(w.with))
	for slices.ContainsFunc(w.tables, func(t *Table) bool { return t != nil && strings.EqualFold(t.Name, `"`+name+`"`) }) {
		name += "_"
	}
	return name
}

const maxRelations = 32

// slots are the columns of a component. Its relations share columns for values of the same class.
type slots struct {
	classes []Class
	of      map[int][]int // by relation: the slot of each column
}

func (w *writer) slots(component []int) *slots {
	s := &slots{of: map[int][]int{}}
	for _, rel := range component {
		used := map[int]bool{}
		s.of[rel] = []int{}
		for _, c := range w.derived[rel] {
			at := 0
			for at < len(s.classes) && (s.classes[at] != c.Class || used[at]) {
				at++
			}
			if at == len(s.classes) {
				s.classes = append(s.classes, c.Class)
			}
			used[at] = true
			s.of[rel] = append(s.of[rel], at)
		}
	}
	return s
}

// all returns the names of the columns, at least one.
func (s *slots) all(tagged bool) string {
	var list []string
	if tagged || len(s.classes) == 0 {
		list = append(list, "tag")
	}
	for i := range s.classes {
		list = append(list, fmt.Sprintf("c%d", i))
	}
	return strings.Join(list, ", ")
}

// list returns the slots of a relation's columns, renamed to the names that the columns have outside of the component.
func (s *slots) list(rel int) string {
	list := []string{}
	for i, at := range s.of[rel] {
		list = append(list, fmt.Sprintf("c%d as c%d", at, i))
	}
	if len(list) == 0 {
		return "1 as tag"
	}
	return strings.Join(list, ", ")
}

// placed puts the columns that a rule selects into their slots.
func (s *slots) placed(w *writer, rel, tag int, columns []string, tagged bool) (list []string) {
	if tagged || len(s.classes) == 0 {
		list = append(list, strconv.Itoa(tag))
	}
	for at, class := range s.classes {
		text := w.typed("null", class)
		if i := slices.Index(s.of[rel], at); i >= 0 {
			text = columns[i]
		}
		list = append(list, text)
	}
	return list
}

// typed is a text with the type of a class.
func (w *writer) typed(text string, c Class) string {
	if typ := w.Types[c]; typ != "" {
		return "cast(" + text + " as " + typ + ")"
	}
	return text
}

// doubt adds a condition that makes the statement inexact.
func (w *writer) doubt(condition string) {
	if condition != "" && !slices.Contains(w.doubts, condition) {
		w.doubts = append(w.doubts, condition)
	}
}

// param adds a parameter and returns its text.
func (w *writer) param(v term.Term) string {
	w.params = append(w.params, v)
	c := Text
	if _, isInt := v.(term.Int); isInt {
		c = Integer
	}
	return w.typed(w.Placeholder(len(w.params)), c)
}
