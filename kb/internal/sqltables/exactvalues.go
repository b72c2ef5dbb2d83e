package sqltables

import (
	"fmt"
	"strings"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines columns whose terms are decimals, dates and the like. A value that is not valid is an error of the
// question, so that no rule decides on a misread value.

// exact returns the type of package values that the terms of a column have.
func (c *column) exact() (typ values.Type, ok bool) { return values.Of(term.Atom(c.asked.Type)) }

// errValue is the error of a value that does not have the type of its column.
type errValue struct {
	c    *column
	text string
	why  string
	// row has the other values of the row, as Name Value.
	row []string
}

// of returns the error of a database.
func (e *errValue) of(database string) *relation.Error {
	typ, _ := e.c.exact()
	message := fmt.Sprintf("the column %s of the table %s has %q", e.c.asked.Name, e.c.table, e.text)
	if len(e.row) > 0 {
		message += ", in the row with " + strings.Join(e.row, ", ")
	}
	if message += "; expected " + typ.Want(); e.why != "" {
		message += ": " + e.why
	}
	return &relation.Error{Database: database, Code: codeValue, Message: message}
}

// set sets a value of a row. wrong is the first error of the row, or nil.
func (st *statement) set(rows *relation.Rows, row []relation.Value, at int, v term.Term, wrong **errValue) {
	c := st.columns[at]
	typ, of := c.exact()
	if !of || v == term.Term(null) {
		row[at] = rows.OfTerm(as(c.asked.Type, v))
		return
	}
	text, isText := term.Text(v)
	if !isText {
		text = numberText(v)
	}
	x, err := typ.Parse(text)
	if err == nil {
		row[at] = rows.OfTerm(x)
	} else if *wrong == nil {
		*wrong = &errValue{c: c, text: text, why: err.Error()}
	}
}

// placed adds the other values of the row to an error.
func (st *statement) placed(wrong *errValue, rows *relation.Rows, row []relation.Value) *errValue {
	const most = 4
	if wrong == nil {
		return nil
	}
	if st.lenient {
		st.bad = true
		return nil
	}
	for _, at := range st.selected {
		text := ""
		switch v := row[at]; v.Kind {
		case relation.Atom, relation.String:
			text = string(rows.Unsealed(v))
		case relation.Int:
			text = numberText(term.Int(v.Int()))
		}
		if text != "" && len(wrong.row) < most {
			wrong.row = append(wrong.row, st.columns[at].asked.Name+" "+text)
		}
	}
	return wrong
}

// exactParam returns a term of the type as the parameter of a comparison. ok is false for other terms, and for numbers
// whose digits do not end.
func exactParam(typ values.Type, v term.Term) (text string, ok bool) {
	if _, isFloat := v.(term.Float); isFloat {
		return "", false
	}
	return typ.Text(v)
}

// exactCondition is condition for a column of decimals, dates and the like.
func (c *column) exactCondition(d driver, v term.Term) (form, any) {
	typ, _ := c.exact()
	text, ok := exactParam(typ, v)
	n, isInt := v.(term.Int)
	switch {
	case !d.isNative(c):
		return formNone, nil
	case !ok:
		return formNever, nil
	case c.kind == kindInteger:
		of := pgRanges[c.oid]
		return sent(isInt && of[0] <= int64(n) && int64(n) <= of[1], text)
	}
	return formEqual, text
}

// pgTypes are the types of the parameters that columns of exact values are compared with.
var pgTypes = map[kind]string{kindInteger: "numeric", kindNumeric: "numeric", kindDate: "date", kindTime: "time",
	kindTimestamp: "timestamp", kindInstant: "timestamptz"}

// isNative is false for intervals, because 30 days equal a month for the server.
func (p *postgres) isNative(c *column) bool {
	switch c.asked.Type {
	case "decimal":
		return c.kind == kindNumeric || c.kind == kindInteger && c.oid != oidOID
	case "date":
		return c.kind == kindDate
	case "time":
		return c.kind == kindTime
	case "datetime":
		return c.kind == kindTimestamp || c.kind == kindInstant
	}
	return false
}

// isWhole reports whether a condition with a term selects only rows with the identical term. The server rounds seconds
// to microseconds.
func (p *postgres) isWhole(c *column) bool {
	return p.isNative(c) && (c.asked.Type == "decimal" || c.asked.Type == "date")
}
