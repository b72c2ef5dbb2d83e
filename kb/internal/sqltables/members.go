package sqltables

import (
	"strings"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines columns whose terms are in lists of constants.

// member is a list of constants that a column is compared with.
type member struct {
	column *column
	tests  int // that come before
	forms  []form
	params []any // of the forms that have one
	// untold is a constant that the database does not compare with the column, or "".
	untold string
	// exact says that the rows that meet the condition, in its exact form, have the very terms of the list.
	exact bool
}

// memberOf returns how a list of constants is compared with a column.
func (p *plan) memberOf(m relation.Member) *member {
	made := &member{column: p.columns[m.Column], tests: m.Tests, exact: true}
	for _, value := range m.Values {
		v := value.Term()
		f, param := p.formOf(made.column, v)
		switch {
		case f == formNever:
			continue
		case f == formNone:
			made.untold = value.Kind + " " + value.Text
		case f.hasParam():
			made.params = append(made.params, param)
		}
		made.forms = append(made.forms, f)
		made.exact = made.exact && p.driver.isSame(made.column, v, f)
	}
	return made
}

// formOf returns how a column is compared with a value, and the parameter of the form.
func (p *plan) formOf(c *column, v term.Term) (form, any) {
	f, param := c.condition(p.driver, v)
	if _, isInt := v.(term.Int); isInt && f == formEqual && isExact(c) {
		f = formSame
	}
	return f, param
}

// hasParam reports whether a condition of a form has a parameter.
func (f form) hasParam() bool { return f == formEqual || f == formSame || f == formText }

// oneOf is the condition that a column is one of a list, whose parameters begin at n. next is the parameter behind
// them.
func (p *plan) oneOf(m *member, n int, exact bool) (condition string, next int) {
	var equal, others []string
	name := columnText(m.column)
	for _, f := range m.forms {
		same := ""
		if exact {
			same = p.driver.sameValue(m.column, f, n)
		}
		switch {
		case f.hasParam() && f != formText && same == "":
			equal = append(equal, p.driver.placeholder(n))
		case same != "":
			others = append(others, p.holds(m.column, f, n)+" and "+same)
		default:
			others = append(others, p.holds(m.column, f, n))
		}
		if f.hasParam() {
			n++
		}
	}
	if len(equal) > 0 {
		others = append([]string{name + " in (" + strings.Join(equal, ", ") + ")"}, others...)
	}
	switch len(others) {
	case 0:
		return "1 = 0", n
	case 1:
		return others[0], n
	}
	return "(" + strings.Join(others, " or ") + ")", n
}

// holds is the condition of a form, "" if there is none, with parameter n if it has one.
func (p *plan) holds(c *column, f form, n int) string {
	name := columnText(c)
	switch f {
	case formEqual, formSame:
		return name + " = " + p.driver.placeholder(n)
	case formText:
		return "cast(" + name + " as text) = " + p.driver.placeholder(n)
	case formNull:
		return name + " is null"
	case formNullOrText:
		return "(" + name + " is null or cast(" + name + " as text) = 'null')"
	}
	return ""
}

// notMember says why a column is not compared with a list, "" if it is.
func (p *plan) notMember() string {
	for _, m := range p.members {
		if m.untold != "" {
			return m.column.asked.Name + " is not compared with the " + m.untold + " in the database"
		}
	}
	return ""
}
