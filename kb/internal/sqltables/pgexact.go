package sqltables

import (
	"strconv"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what PostgreSQL can tell exactly.

// oidName is the type of names, which are cut to a length before they are compared.
const oidName = 19

func (p *postgres) isSame(c *column, v term.Term, f form) bool {
	switch f {
	case formSame, formNull:
		return true
	case formNullOrText:
		return p.isDistinct(c) || c.kind == kindOther
	case formText:
		return c.isTextOf(v)
	case formEqual:
		switch c.kind {
		case kindText:
			return c.isTextOf(v) && !c.loose && c.oid != oidName
		case kindBoolean, kindUUID, kindDate:
			return c.isTextOf(v)
		case kindFloat:
			return c.isPlain() && c.oid == oidFloat8 && isOrdinary(v)
		}
	}
	return false
}

func (p *postgres) sameValue(*column, form, int) string { return "" }

func (p *postgres) sameTerms(a, b *column) (condition, doubt string, ok bool) {
	return "", "", p.isDistinct(a) && p.isDistinct(b)
}

func (p *postgres) isDistinct(c *column) bool {
	switch c.kind {
	case kindInteger, kindBoolean, kindUUID, kindDate, kindBytes:
		return c.isPlain()
	case kindText:
		return !c.loose && (c.isPlain() || c.asked.Type == "string")
	}
	return false
}

func (p *postgres) raises(c *column, _ relation.Test) string { return either(isNull(c), isLong(c)) }

func (p *postgres) doubtful(c *column, _ relation.Test) string {
	doubt := isNull(c)
	if c.kind == kindFloat || c.kind == kindNumeric {
		doubt = either(doubt, isNaN(c))
	}
	return either(doubt, isLong(c))
}

func (p *postgres) mixed(*column, *column) string { return "" }

// isNull is the condition that a column is NULL, "" if it cannot be.
func isNull(c *column) string {
	if c.notNull {
		return ""
	}
	return columnText(c) + " is null"
}

func isNaN(c *column) string { return columnText(c) + " = 'NaN'" }

// isLong is the condition that the term of a numeric may be an atom, as a float has not all of its digits, or an
// integer that floats are not compared with exactly. It is "" for other columns and for those without such values.
func isLong(c *column) string {
	if c.kind != kindNumeric || c.few {
		return ""
	}
	return "length(" + columnText(c) + "::text) > 15"
}

// either is one of two conditions that may be "".
func either(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " or " + b
}

func (p *postgres) total(op string, c *column) (t totalText, ok bool) {
	switch {
	case op == "count":
		return totalText{text: "count(*)", tableColumn: tableColumn{kind: kindInteger}}, true
	case !c.isPlain():
		return t, false
	case op == "sum":
		t = totalText{text: "coalesce(sum(" + columnText(c) + "), 0)::numeric", doubt: isNull(c),
			tableColumn: tableColumn{kind: kindNumeric}}
		return t, c.kind == kindInteger && c.oid != oidOID
	}
	t = totalText{text: op + "(" + columnText(c) + ")", doubt: p.doubtful(c, relation.Test{}), tableColumn: c.tableColumn}
	if c.kind == kindNumeric { // of an integer and a float that are equal one is the largest
		t.mixed = "coalesce(min(scale(" + columnText(c) + ")) = 0 and max(scale(" + columnText(c) + ")) > 0, false)"
	}
	return t, c.kind == kindInteger || c.kind == kindFloat || c.kind == kindNumeric
}

// ordered puts NULL where its term is: atoms come behind numbers and before strings.
func (p *postgres) ordered(c *column, descending bool) []string {
	name, way := columnText(c), []string{"", " desc"}
	if descending {
		way[0], way[1] = way[1], way[0]
	}
	text := ""
	switch {
	case c.asked.Type == "string" && c.kind == kindText:
		return []string{"(coalesce(" + name + ", 'null') <> 'null')" + way[0], "convert_to(" + name + ", 'UTF8')" + way[0]}
	case !c.isPlain() || c.oid == oidInet:
		return nil
	}
	switch c.kind {
	case kindInteger:
		return []string{name + way[0]}
	case kindFloat:
		return []string{"coalesce(" + isNaN(c) + ", false)" + way[1], name + way[0], name + `::text collate "C"` + way[0]}
	case kindNumeric:
		if !c.few {
			return nil
		}
		return []string{"coalesce(" + isNaN(c) + ", false)" + way[1], name + way[0]}
	case kindText:
		text = name
	case kindOther, kindDate, kindTime, kindUUID, kindBoolean:
		text = name + "::text"
	case kindTimestamp:
		text = "regexp_replace(" + name + "::text, ' ', 'T')"
	case kindInstant:
		text = "regexp_replace(regexp_replace(" + name + `::text, '\+00$', 'Z'), ' ', 'T')`
	default:
		return nil
	}
	if !c.notNull {
		text = "coalesce(" + text + ", 'null')"
	}
	return []string{"convert_to(" + text + ", 'UTF8')" + way[0]}
}

func (p *postgres) count(n int64) any { return strconv.FormatInt(n, 10) }
