package sqltables

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how queries become statements of SQL.

// kind says how the values of a column become terms.
type kind int

// The kinds of columns.
const (
	kindAny   kind = iota // of SQLite: the type of each value decides
	kindOther             // its text
	kindText
	kindPadded // text whose trailing blanks do not count
	kindInteger
	kindFloat
	kindNumeric
	kindBoolean
	kindBytes
	kindUUID
	kindDate
	kindTime
	kindTimestamp
	kindInstant // with time zone
	kindJSON
	kindArray
	kindRowID // of SQLite: integers, never NULL
	kindBlob  // of SQLite: declared as bytes; bytes, whose terms are base64, or anything else
)

// column is a column of a query.
type column struct {
	tableColumn
	asked relation.Column
	table string
}

// form is how a column is compared.
type form byte

// The forms of conditions.
const (
	formNone       form = '-' // no condition: this program compares the rows
	formNever      form = '0' // no row has the value
	formEqual      form = '='
	formSame       form = 's' // equal, and the term is the given one
	formText       form = 't' // its text is equal
	formNull       form = 'n'
	formNullOrText form = 'N' // NULL or the text null
	formTest       form = '<' // compared with a number
)

// plan describes how a query is put.
type plan struct {
	query   *relation.Query
	columns []*column
	absent  [][]*column // of query.Absent
	members []*member   // of query.Members
	driver  driver
	// inexactFirst says that a limited query returns all its rows, as the database cannot select the first rows of the
	// goals.
	inexactFirst bool
	// why is the reason why the query cannot be put, or "".
	why string

	checked time.Time // when the columns were checked; guarded by the lock of the source

	mu         sync.Mutex
	statements map[string]*statement // by the forms of the conditions
}

// statement is a statement of SQL.
type statement struct {
	text     string
	columns  []*column
	selected []int // the indexes in columns of the selected ones
	// lenient says that the rows may never be used, so a value that would be an error sets bad instead.
	lenient, bad bool
}

// question is a statement with its parameters.
type question struct {
	st     *statement
	params []any
	// none says that no row has the given values. Then there is no statement.
	none bool
	// unknown says that the database cannot compute the total exactly. Then there is no statement.
	unknown bool
}

// question returns the question for values.
func (p *plan) question(given []term.Term) question {
	forms, params, none := p.conditions(given)
	if none {
		return question{none: true}
	}
	how := askRows
	if p.query.Total != nil {
		if !p.isExactly(given, forms) {
			return question{unknown: true}
		}
		how = askTotal
	} else if n, ok := limitOf(p.query, given); ok && p.isExactly(given, forms) {
		how, params = askFirst, append(params, p.driver.count(n))
	}
	return question{st: p.statement(forms, how), params: params}
}

// conditions returns, for values, the forms of the columns and tests followed by the text of the filters, and the
// parameters. none says that no row has the values.
func (p *plan) conditions(given []term.Term) (forms []byte, params []any, none bool) {
	forms = make([]byte, len(p.columns), len(p.columns)+len(p.query.Tests)+1)
	for i, c := range p.columns {
		f, param := formNone, any(nil)
		if given[i] != nil {
			f, param = p.formOf(c, given[i])
		}
		if f == formNever {
			return nil, nil, true
		}
		if f.hasParam() {
			params = append(params, param)
		}
		forms[i] = byte(f)
	}
	tests, numbers := p.testForms(given)
	forms, params = append(forms, tests...), append(params, numbers...)
	for _, m := range p.members {
		if p.isTold(m, forms) {
			params = append(params, m.params...)
		}
	}
	if len(p.query.Filters) > 0 {
		text, more := p.filters(given, forms)
		forms, params = append(forms, text...), append(params, more...)
	}
	return forms, params, false
}

// testForms returns the forms of the tests and their parameters. A number that the database does not compare may be an
// error in the goal. The goals then look at all rows that the earlier tests let pass, so the later tests are not made
// in the database.
func (p *plan) testForms(given []term.Term) (forms []byte, params []any) {
	told := true
	for i, t := range p.query.Tests {
		v := given[len(p.columns)+i]
		_, isInt := v.(term.Int)
		var param any
		switch {
		case isOfColumns(t) || !told:
		case v == nil || t.Integers && !(isInt && p.isRange(i, given)):
			told = false
		default:
			param, told = p.driver.number(p.columns[t.Column], v)
		}
		if !told {
			forms = append(forms, byte(formNone))
			continue
		}
		forms = append(forms, byte(formTest))
		if !isOfColumns(t) {
			params = append(params, param)
		}
	}
	return forms, params
}

// isRange reports whether test i is not a lower bound, or is the lower bound of a range that has an upper bound.
func (p *plan) isRange(i int, given []term.Term) bool {
	if p.query.Tests[i].Op != ">=" || i+1 == len(p.query.Tests) {
		return true
	}
	_, isInt := given[len(p.columns)+i+1].(term.Int)
	return isInt
}

// isTold reports whether a statement compares a column with a list. It does if the database also makes all earlier
// tests.
func (p *plan) isTold(m *member, forms []byte) bool {
	return m.tests == 0 || form(forms[len(p.columns)+m.tests-1]) == formTest
}

// limitOf returns the limit of a query's rows.
func limitOf(q *relation.Query, given []term.Term) (n int64, ok bool) {
	if !q.Limited {
		return 0, false
	}
	limit, ok := given[len(given)-1].(term.Int)
	return int64(limit), ok && limit > 0
}

// statement returns the statement with these forms of conditions.
func (p *plan) statement(forms []byte, how asking) *statement {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := string(byte(how)) + string(forms)
	st := p.statements[key]
	if st != nil {
		return st
	}
	if how == askTotal {
		st = p.totalStatement(forms)
	} else {
		selected := p.selected(forms)
		st = &statement{text: p.text(forms, selected, how, nil), columns: p.columns, selected: selected}
	}
	keep(p.statements, key, st)
	return st
}

// condition returns how the column is compared with a value. A column whose values become terms of another type is not
// compared in the database.
func (c *column) condition(d driver, v term.Term) (form, any) {
	if c.kind == kindBlob {
		return formNone, nil
	}
	if v == term.Term(null) {
		if c.kind == kindText || c.kind == kindPadded || c.kind == kindAny || c.kind == kindOther {
			return formNullOrText, nil
		}
		if c.kind == kindJSON {
			return formNone, nil
		}
		return formNull, nil
	}
	_, isString := v.(term.String)
	switch c.asked.Type {
	case "":
	case "decimal", "date", "time", "datetime", "duration":
		return c.exactCondition(d, v)
	case "string":
		if !isString {
			return formNone, nil
		}
	case "atom":
		if text, _ := term.Text(v); c.kind == kindAny && isNumberText(text) {
			return formNone, nil // the value may be a number
		}
		if c.kind != kindText && c.kind != kindPadded && c.kind != kindAny {
			return formNone, nil
		}
	default:
		return formNone, nil
	}
	return d.condition(c, v)
}

// null is the term of NULL.
const null = term.Atom("null")

// selected returns the indexes of the columns to select. It omits columns whose values a condition of the statement
// makes known, and columns that the goals do not use.
func (p *plan) selected(forms []byte) []int {
	known, compared := make([]bool, len(p.columns)), make([]bool, len(p.columns))
	for i := range p.columns {
		known[i] = form(forms[i]) == formSame
	}
	for _, pair := range p.query.Equal {
		a, b := p.columns[pair[0]], p.columns[pair[1]]
		if _, ok := p.driver.joined(a, b); ok && isExact(a) && isExact(b) {
			known[pair[1]] = true
			continue
		}
		compared[pair[0]], compared[pair[1]] = true, true
	}
	list := []int{}
	for i, c := range p.columns {
		if !known[i] && (compared[i] || !c.asked.Unused) {
			list = append(list, i)
		}
	}
	return list
}

// isExact reports whether two values of a column are equal exactly if their terms are equal.
func isExact(c *column) bool {
	return (c.kind == kindInteger || c.kind == kindRowID) && (c.asked.Type == "" || c.asked.Type == "any" ||
		c.asked.Type == "number")
}

// asking is the kind of question.
type asking byte

// The kinds of questions.
const (
	askRows  asking = '*'
	askFirst asking = 'l' // at most some rows, which are exactly the rows of the goals
	askTotal asking = 't'
	askBlock asking = 'b' // for several values of some columns
)

// text returns the statement with these forms of conditions that selects some of the columns. also is nil, or returns
// the condition of a block whose parameters begin at a number.
func (p *plan) text(forms []byte, selected []int, how asking, also func(first int) string) string {
	var b strings.Builder
	b.WriteString("select ")
	if p.query.Distinct {
		b.WriteString("distinct ")
	}
	for i, at := range selected {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.driver.selected(p.columns[at], columnText(p.columns[at])))
	}
	if len(selected) == 0 {
		b.WriteString("1")
	}
	n := p.from(&b, forms, how == askFirst, also)
	p.ordered(&b)
	if how == askFirst {
		b.WriteString(" limit " + p.driver.placeholder(n+1))
	}
	return b.String()
}

// from writes the tables and the conditions, and returns the number of parameters without those of a block. If exact is
// set, the rows have exactly the terms that are asked for.
func (p *plan) from(b *strings.Builder, forms []byte, exact bool, also func(first int) string) (n int) {
	for i, name := range p.query.Tables {
		b.WriteString([]string{" from ", ", "}[min(i, 1)])
		b.WriteString(quotedName(name) + " " + tableAlias(i))
	}
	word := " where "
	and := func(condition string) {
		if condition != "" {
			b.WriteString(word + condition)
			word = " and "
		}
	}
	for i, c := range p.columns {
		f := form(forms[i])
		if f.hasParam() {
			n++
		}
		and(p.holds(c, f, n))
		if exact {
			and(p.driver.sameValue(c, f, n))
		}
	}
	for _, pair := range p.query.Equal {
		a, c := p.columns[pair[0]], p.columns[pair[1]]
		if condition, ok := p.driver.joined(a, c); ok {
			and(condition)
		}
		if exact {
			condition, _, _ := p.driver.sameTerms(a, c)
			and(condition)
		}
	}
	n = p.fromTests(and, forms, n)
	for _, m := range p.members {
		if p.isTold(m, forms) {
			condition, next := p.oneOf(m, n+1, exact)
			and(p.unless(m.tests, condition))
			n = next - 1
		}
	}
	filters, n := p.numbered(string(forms[len(p.columns)+len(p.query.Tests):]), n)
	and(filters)
	for i, a := range p.query.Absent {
		and(p.absence(a, p.absent[i]))
	}
	if also != nil {
		and(also(n + 1))
	}
	return n
}

// fromTests writes the conditions of the tests after n parameters, and returns the number of parameters including those
// of the tests.
func (p *plan) fromTests(and func(condition string), forms []byte, n int) int {
	for i, t := range p.query.Tests {
		if form(forms[len(p.columns)+i]) != formTest {
			continue
		}
		if !isOfColumns(t) {
			n++
		}
		if condition, ok := p.tested(t, n); ok {
			and(p.unless(i, condition, p.raising(i)...))
		}
	}
	return n
}

// unless weakens a condition: a row also passes if one of the first tests is an error for it, because the goal throws
// the error before it gets to the condition. known are the error conditions that condition already contains.
func (p *plan) unless(tests int, condition string, known ...string) string {
	var list []string
	for i := range tests {
		for _, raises := range p.raising(i) {
			if !slices.Contains(known, raises) {
				list, known = append(list, raises), append(known, raises)
			}
		}
	}
	if len(list) == 0 {
		return condition
	}
	return "(" + condition + " or " + strings.Join(list, " or ") + ")"
}

// raising are the conditions under which test i may be an error.
func (p *plan) raising(i int) (list []string) {
	if p.isNumbers(i) {
		return nil
	}
	t := p.query.Tests[i]
	columns := []*column{p.columns[t.Column]}
	if t.Other > 0 {
		columns = append(columns, p.columns[t.Other-1])
	}
	for _, c := range columns {
		if raises := p.driver.raises(c, t); raises != "" {
			list = append(list, raises)
		}
	}
	return list
}

// isOfColumns reports whether a test has no parameter.
func isOfColumns(t relation.Test) bool { return t.Other > 0 || t.Op == relation.NotNull }

// tested is the condition of a test, with parameter n if there is one.
func (p *plan) tested(t relation.Test, n int) (condition string, ok bool) {
	c := p.columns[t.Column]
	switch {
	case t.Op == relation.NotNull:
		return columnText(c) + " is not null", true
	case t.Other > 0:
		return p.driver.compared(c, p.columns[t.Other-1], t)
	}
	return p.driver.tested(c, t, n)
}

// refused says why the database does not join the tables of a query. It returns "" if it does. Each table after the
// first has to be looked up by a column of an earlier one.
func (p *plan) refused() string {
	for i := 1; i < len(p.query.Tables); i++ {
		why := "it shares no variable with the goals before it"
		for _, pair := range p.query.Equal {
			a, b := p.columns[pair[0]], p.columns[pair[1]]
			if a.asked.Table == b.asked.Table || max(a.asked.Table, b.asked.Table) != i {
				continue
			}
			if _, ok := p.driver.joined(a, b); ok {
				why = ""
				break
			}
			why = "the values of " + a.asked.Name + " and " + b.asked.Name + " are not compared in the database"
		}
		if why != "" {
			return p.query.Tables[i] + ": " + why
		}
	}
	if why := cmp.Or(p.inexact(), p.notMember()); why != "" {
		return why
	}
	for i, t := range p.query.Tests {
		c := p.columns[t.Column]
		switch _, ok := p.tested(t, 1); {
		case t.Early && !p.isNumbers(i):
			why := "comparing " + c.asked.Name + " may be an error"
			if len(p.query.Order) == 0 && !p.query.Limited {
				why += ", so it comes before the goals behind it"
			}
			return why
		case !ok && t.Other > 0:
			return c.asked.Name + " and " + p.columns[t.Other-1].asked.Name + " are not compared in the database"
		case !ok && t.Standard:
			return "the database may order " + c.asked.Name + " in another way"
		case !ok:
			return "numbers are not compared with " + c.asked.Name + " in the database"
		}
	}
	return p.notTold()
}

// isNumbers reports whether test i is never an error: its columns hold numbers, and are never NULL or were tested for
// NULL before.
func (p *plan) isNumbers(i int) bool {
	t := p.query.Tests[i]
	if t.Standard {
		return true
	}
	columns := []int{t.Column}
	if t.Other > 0 {
		columns = append(columns, t.Other-1)
	}
	for _, at := range columns {
		c := p.columns[at]
		tested := slices.ContainsFunc(p.query.Tests[:i], func(before relation.Test) bool {
			return before.Op == relation.NotNull && before.Column == at
		})
		number := c.kind == kindInteger || c.kind == kindRowID || !t.Integers && (c.kind == kindFloat ||
			c.asked.Type == "decimal" && p.driver.isNative(c))
		if t.Op != relation.NotNull && (!number || !c.notNull && !tested) {
			return false
		}
	}
	return true
}

// sameTypes reports whether the values of two columns become terms in the same way, so that different values have
// different terms.
func sameTypes(d syntax, a, b *column) bool {
	if d.isNative(a) && d.isNative(b) {
		return a.asked.Type == b.asked.Type
	}
	switch a.asked.Type {
	case "", "any", "number", "string":
		return a.asked.Type == b.asked.Type
	}
	return false
}

// coalesced is a column of texts with the text null in place of NULL, as in its terms.
func coalesced(c *column) string {
	if c.notNull {
		return columnText(c)
	}
	return "coalesce(" + columnText(c) + ", 'null')"
}

func columnText(c *column) string { return tableAlias(c.asked.Table) + "." + quoted(c.asked.Name) }

// tableAlias is the name of a table within a statement.
func tableAlias(i int) string { return "t" + string(rune('0'+i)) }

// quotedName quotes the name of a table, which may have a schema in front.
func quotedName(name string) string {
	parts := strings.Split(name, ".")
	for i, part := range parts {
		parts[i] = quoted(part)
	}
	return strings.Join(parts, ".")
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
