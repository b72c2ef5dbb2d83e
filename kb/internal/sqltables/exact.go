package sqltables

import (
	"math"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what a database computes exactly, so that this program need not look at the rows: totals, the first
// rows, and their order. An ordinary condition may let rows with other terms pass, because goals unify the rows
// afterwards. A total must not count such rows, so further conditions leave them out. The statement also counts the
// rows for which the database does not know what the goals would do, such as throw an error when they compare NULL with
// a number.

// exactness is what a driver knows about the terms of values.
type exactness interface {
	// isSame reports whether a row that meets the condition of a form and sameValue has a term identical to v.
	isSame(c *column, v term.Term, f form) bool
	// sameValue is an additional condition for a form with parameter n, or "".
	sameValue(c *column, f form, n int) string
	// sameTerms is an additional condition to joined, or "", so that both hold exactly if the terms of two columns are
	// equal. ok is false if there is no such condition. The condition says nothing about rows that meet doubt, if doubt
	// is not "".
	sameTerms(a, b *column) (condition, doubt string, ok bool)
	// raises is the condition that a test of a column may be an error, or "".
	raises(c *column, t relation.Test) string
	// doubtful is the condition that a test of a column does something else than the goal, or "".
	doubtful(c *column, t relation.Test) string
	// mixed is the condition that two columns, both of numbers, are compared in another way than their terms, or "".
	mixed(a, b *column) string
	// total returns the text of a total and the type of its value. ok is false if the database cannot compute the
	// total. The total is not valid if rows meet doubt, or if mixed is not "" and holds.
	total(op string, c *column) (t totalText, ok bool)
	// ordered are the expressions that put rows into the standard order of a column's terms, or nil if there are none.
	ordered(c *column, descending bool) []string
	// isDistinct reports whether values of a column with different terms are different for the database.
	isDistinct(c *column) bool
	// grouped is the expression that puts rows with the same term of a column into one group. condition, if not "",
	// leaves out the atom null and terms that are neither integers nor texts. ok is false if there is no such
	// expression.
	grouped(c *column) (by, condition string, ok bool)
	// count is a number of rows as a parameter.
	count(n int64) any
}

// totalText is the SQL of a total.
type totalText struct {
	text  string
	doubt string // a condition on a row, or ""
	mixed string // a condition on all rows, or ""
	typ   string // the type of the value, "" for the database's own
	tableColumn
}

// isPlain reports whether the program asks for the terms of a column without a conversion to another type.
func (c *column) isPlain() bool {
	return c.asked.Type == "" || c.asked.Type == "any" || c.asked.Type == "number"
}

// isOwnType reports whether all terms of a column have a type anyway.
func isOwnType(k kind, typ string) bool {
	switch k {
	case kindInteger, kindRowID:
		return typ == "integer"
	case kindFloat:
		return typ == "float"
	case kindText:
		return typ == "atom"
	case kindBoolean:
		return typ == "boolean"
	}
	return false
}

// isTextOf reports whether a term is a text of the kind that the texts of a column become. The text null becomes the
// atom null, as NULL does.
func (c *column) isTextOf(v term.Term) bool {
	if c.asked.Type == "string" {
		text, ok := v.(term.String)
		return ok && text != "null"
	}
	_, ok := v.(term.Atom)
	return ok && c.isPlain()
}

// doubts are conditions under which the database may treat a row differently from the goals. why says why the database
// cannot decide the conditions exactly; it is "" if it can.
func (p *plan) doubts() (doubts []string, why string) {
	for _, pair := range p.query.Equal {
		a, b := p.columns[pair[0]], p.columns[pair[1]]
		_, joined := p.driver.joined(a, b)
		_, doubt, ok := p.driver.sameTerms(a, b)
		if !joined || !ok {
			return nil, "not all equal values of " + a.asked.Name + " and " + b.asked.Name + " are equal terms"
		}
		doubts = append(doubts, doubt)
	}
	for _, m := range p.members {
		if !m.exact {
			return nil, "not all equal values of " + m.column.asked.Name + " are equal terms"
		}
	}
	for _, t := range p.query.Tests {
		doubts = append(doubts, p.doubtful(t)...)
	}
	for _, f := range p.query.Filters {
		if !p.isTrue(f, nil, &doubts) {
			return nil, "the database lets rows pass that the goals leave out"
		}
	}
	return slices.DeleteFunc(doubts, func(d string) bool { return d == "" }), ""
}

// doubtful are conditions under which a test behaves differently from the goal.
func (p *plan) doubtful(t relation.Test) []string {
	c := p.columns[t.Column]
	switch {
	case t.Op == relation.NotNull && (c.kind == kindInteger || c.kind == kindFloat || c.kind == kindRowID):
		return nil
	case t.Op == relation.NotNull:
		return []string{"cast(" + columnText(c) + " as text) = 'null'"}
	case t.Other > 0:
		b := p.columns[t.Other-1]
		return []string{p.driver.doubtful(c, t), p.driver.doubtful(b, t), p.driver.mixed(c, b)}
	}
	return []string{p.driver.doubtful(c, t)}
}

// notFirst says why the database cannot select the first rows. It returns "" if it can.
func (p *plan) notFirst() string {
	doubts, why := p.doubts()
	if why == "" && len(doubts) > 0 {
		why = "rows are looked at that the goals may leave out"
	}
	return why
}

// notTold says why the database cannot compute the total, the order or the distinct rows of a query. It returns "" if
// it can.
func (p *plan) notTold() string {
	q := p.query
	if q.Total != nil {
		c := p.totalColumn()
		if _, ok := p.driver.total(q.Total.Op, c); !ok {
			return "the database may have another " + q.Total.Op + " of " + c.asked.Name + " than the goals"
		}
		_, why := p.doubts()
		return why
	}
	for _, o := range q.Order {
		if c := p.columns[o.Column]; p.driver.ordered(c, o.Descending) == nil {
			return "the database may order " + c.asked.Name + " in another way"
		}
	}
	if q.Distinct {
		return p.notThinned()
	}
	if q.Limited && len(q.Order) == 0 {
		return p.notFirst()
	}
	return ""
}

// notThinned says why leaving out repeated rows is impossible or useless.
func (p *plan) notThinned() string {
	forms := []byte(strings.Repeat(string(rune(formNone)), len(p.columns)))
	selected := p.selected(forms)
	for _, at := range selected {
		if c := p.columns[at]; !p.driver.isDistinct(c) {
			return "not all equal values of " + c.asked.Name + " are equal terms"
		}
	}
	if len(selected) == len(p.columns) {
		return "all columns are looked at"
	}
	return ""
}

// totalColumn is the column that a total is computed from, or nil for a count.
func (p *plan) totalColumn() *column {
	if p.query.Total.Op == "count" {
		return nil
	}
	return p.columns[p.query.Total.Column]
}

// isExactly reports whether the rows of a statement are exactly the rows of the goals with these values.
func (p *plan) isExactly(given []term.Term, forms []byte) bool {
	if p.query.Limited && p.inexactFirst {
		return false
	}
	for i, c := range p.columns {
		if given[i] != nil && !p.driver.isSame(c, given[i], form(forms[i])) {
			return false
		}
	}
	for i := range p.query.Tests {
		if form(forms[len(p.columns)+i]) != formTest {
			return false
		}
	}
	return !slices.ContainsFunc(p.query.Filters, func(f relation.Filter) bool { return !p.isTrue(f, given, &[]string{}) })
}

// totalStatement returns the statement of a total. It selects the total and the number of doubtful rows.
func (p *plan) totalStatement(forms []byte) *statement {
	st := &statement{}
	st.text = p.totalText(forms, st, nil, nil)
	return st
}

// totalText returns the text that selects a total after the given columns of its statement, and adds the total's column
// to the statement. also is as in text.
func (p *plan) totalText(forms []byte, st *statement, selected []string, also func(first int) string) string {
	t, _ := p.driver.total(p.query.Total.Op, p.totalColumn())
	doubts, _ := p.doubts()
	if t.doubt != "" {
		doubts = append(doubts, t.doubt)
	}
	doubt := "0"
	if len(doubts) > 0 {
		doubt = "count(case when " + strings.Join(doubts, " or ") + " then 1 end)"
	}
	if t.mixed != "" {
		doubt += " + (case when " + t.mixed + " then 1 else 0 end)"
	}
	total := &column{tableColumn: t.tableColumn, asked: relation.Column{Type: t.typ}}
	st.columns = append(st.columns, total, &column{tableColumn: tableColumn{kind: kindInteger}})
	for i := range st.columns {
		st.selected = append(st.selected, i)
	}
	selected = append(selected, p.driver.selected(total, t.text), doubt)
	var b strings.Builder
	b.WriteString("select " + strings.Join(selected, ", "))
	p.from(&b, forms, true, also)
	return b.String()
}

// ordered writes the order of the rows.
func (p *plan) ordered(b *strings.Builder) {
	for i, o := range p.query.Order {
		b.WriteString([]string{" order by ", ", "}[min(i, 1)])
		b.WriteString(strings.Join(p.driver.ordered(p.columns[o.Column], o.Descending), ", "))
	}
}

// unasked returns the rows of a question that need not be put.
func (p *plan) unasked(ask question) *relation.Rows {
	rows := &relation.Rows{}
	if p.query.Total == nil || ask.unknown {
		return rows
	}
	rows.Reset(1)
	if row := rows.Add(); p.query.Total.Op == "count" || p.query.Total.Op == "sum" {
		row[0] = relation.OfInt(0)
	}
	rows.Seal()
	return rows
}

// totalRow is the answer to a question for a total. It takes the row of the statement and the place of the total in it.
// If the largest or smallest number is a zero, its sign is unknown.
func totalRow(told *relation.Rows, at int) *relation.Rows {
	total, doubts := told.Row(0)[at], told.Row(0)[at+1]
	rows := &relation.Rows{}
	if doubts.Int() > 0 || total.Kind == relation.Float && total.Float() == 0 {
		return rows
	}
	rows.Reset(1)
	row := rows.Add()
	switch total.Kind {
	case relation.Atom: // NULL
	case relation.Other:
		row[0] = rows.OfTerm(told.Term(total))
	default:
		row[0] = total
	}
	rows.Seal()
	return rows
}

// isOrdinary reports whether a float is a number with a single representation.
func isOrdinary(v term.Term) bool {
	f, ok := v.(term.Float)
	return ok && f != 0 && !math.IsNaN(float64(f))
}
