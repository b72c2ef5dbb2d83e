package sqltables

import (
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines conditions that matching rows exist, or that none exist. The database has to decide them exactly,
// because this program does not see the rows.

// absence is the condition of an absence with its columns.
func (p *plan) absence(a relation.Absence, columns []*column) string {
	var b strings.Builder
	if !a.Present {
		b.WriteString("not ")
	}
	b.WriteString("exists (select 1")
	for i, name := range a.Tables {
		b.WriteString([]string{" from ", ", "}[min(i, 1)])
		b.WriteString(quotedName(name) + " " + tableAlias(columns[0].asked.Table+i))
	}
	word := " where "
	and := func(condition string) {
		b.WriteString(word + condition)
		word = " and "
	}
	for i, c := range columns {
		if at := a.Same[i]; at >= 0 {
			condition, _ := p.driver.joined(p.columns[at], c)
			and(condition)
		} else if v := a.Values[i]; v != nil {
			literal, _ := p.literalOf(c, v.Term())
			and(columnText(c) + " = " + literal)
		}
	}
	for _, pair := range a.Equal {
		condition, _ := p.driver.joined(columns[pair[0]], columns[pair[1]])
		and(condition)
	}
	for _, t := range a.Tests {
		other := strconv.FormatInt(t.Number, 10)
		if t.Same >= 0 {
			other = columnText(p.columns[t.Same])
		}
		and(columnText(columns[t.Column]) + " " + t.Op + " " + other)
	}
	return b.String() + ")"
}

// literalOf returns a value as text for a statement. ok says that exactly the identical values of the column are equal
// to it.
func (p *plan) literalOf(c *column, v term.Term) (text string, ok bool) {
	switch v := v.(type) {
	case term.Int:
		return strconv.FormatInt(int64(v), 10), isExact(c)
	case term.Atom:
		ok = c.kind == kindText && v != null && p.driver.isSame(c, v, formEqual) && p.driver.sameValue(c, formEqual, 1) == ""
		return "'" + strings.ReplaceAll(string(v), "'", "''") + "'", ok && !strings.ContainsAny(string(v), "\\\x00")
	}
	return "", false
}

// inexact says why the database cannot decide exactly whether rows exist. It returns "" if the database can.
func (p *plan) inexact() string {
	for i, a := range p.query.Absent {
		columns, of := p.absent[i], "the negation of "+a.Tables[0]
		if a.Present {
			of = "once/1 of " + a.Tables[0]
		}
		for j, c := range columns {
			ok := true
			switch at := a.Same[j]; {
			case at >= 0:
				if why := p.notCompared(of, p.columns[at], c); why != "" {
					return why
				}
			case a.Values[j] != nil:
				_, ok = p.literalOf(c, a.Values[j].Term())
			}
			if !ok {
				return of + " compares " + c.asked.Name + ", of which not all equal values are equal terms"
			}
		}
		for _, pair := range a.Equal {
			if why := p.notCompared(of, columns[pair[0]], columns[pair[1]]); why != "" {
				return why
			}
		}
		for _, t := range a.Tests {
			other := t.Same < 0 || isExact(p.columns[t.Same]) && p.columns[t.Same].notNull
			if c := columns[t.Column]; !other || !isExact(c) || !c.notNull {
				return of + ": comparing " + c.asked.Name + " may be an error"
			}
		}
	}
	return ""
}

// notCompared says why the terms of two columns are not compared exactly. It returns "" if they are.
func (p *plan) notCompared(of string, a, b *column) string {
	_, exact := p.driver.joined(a, b)
	switch exact = exact && isExact(a) && isExact(b); {
	case !exact:
		return of + " compares " + b.asked.Name + ", of which not all equal values are equal terms"
	case !a.notNull && !b.notNull:
		return of + ": " + b.asked.Name + " and " + a.asked.Name +
			" may both be NULL, which PostgreSQL compares row by row"
	}
	return ""
}
