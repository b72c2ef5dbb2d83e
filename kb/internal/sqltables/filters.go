package sqltables

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines filters: conditions that may let too many rows pass, and never too few. A part that the database
// cannot decide lets all rows pass.

// marker stands for a parameter of a filter until its number is known.
const marker = "\x00"

// filtering is the SQL of filters.
type filtering interface {
	// filtered is the condition of a filter that compares a column with a text, with its parameters, or "".
	filtered(c *column, op string, v term.Term) (condition string, params []any)
	// different is the condition that a column's term is not v, or may differ from it. isSame holds for the column and
	// v.
	different(c *column, v term.Term) string
	// operand is a column in an expression. guard is the condition that the database computes with the value as goals
	// do, or "" if this holds for all values. text is "" if the column cannot be an operand.
	operand(c *column, with arithmetic) (text, guard string)
	// literal is a number in an expression, with its parameter. text is "" if the number cannot be written.
	literal(v term.Term, with arithmetic) (text string, param any)
	// mod is the text of a remainder that has the sign of the divisor.
	mod(left, right string) string
	// isDynamic reports whether a column may have both integers and floats.
	isDynamic(c *column) bool
	// leavesOut reports whether the condition of filtered, or an expression of integers if op is "", leaves out the
	// same rows as the goal. Rows that meet doubt, if it is not "", are excepted. v is nil if it is not known yet.
	leavesOut(c *column, op string, v term.Term) (doubt string, ok bool)
}

// isTrue reports whether a filter has a condition for values that leaves out the same rows as its goal. It adds to
// doubts the conditions of rows for which this is unknown. Without values it reports whether such a condition is
// possible.
func (p *plan) isTrue(f relation.Filter, given []term.Term, doubts *[]string) bool {
	if len(f.Of) > 0 {
		return !slices.ContainsFunc(f.Of, func(of relation.Filter) bool { return !p.isTrue(of, given, doubts) })
	}
	if given != nil {
		if text, _ := p.filter(f, given); text == "" {
			return false
		}
	}
	if slices.Contains([]string{"<", "<=", ">", ">=", "=", "<>"}, f.Op) {
		return p.isOfIntegers(f.Sides[0], given, doubts) && p.isOfIntegers(f.Sides[1], given, doubts)
	}
	doubt, ok := p.driver.leavesOut(p.columns[f.Sides[0].Column-1], f.Op, valueOf(f.Sides[1], given))
	*doubts = append(*doubts, doubt)
	return ok
}

// isOfIntegers reports whether an expression computes with integers alone.
func (p *plan) isOfIntegers(e relation.Expression, given []term.Term, doubts *[]string) bool {
	if e.Column > 0 {
		doubt, ok := p.driver.leavesOut(p.columns[e.Column-1], "", nil)
		*doubts = append(*doubts, doubt)
		return ok
	}
	if len(e.Of) == 0 {
		_, isInt := valueOf(e, given).(term.Int)
		return isInt || e.Value == nil && given == nil
	}
	return e.Op != "/" && p.isOfIntegers(e.Of[0], given, doubts) && p.isOfIntegers(e.Of[1], given, doubts)
}

// arithmetic is the kind of numbers that an expression computes with.
type arithmetic int

const (
	anyIntegers   arithmetic = iota
	smallIntegers            // no value needs more than 64 bits
	floats
)

// filters is the condition of all filters for values, with a marker for each parameter, and the parameters.
func (p *plan) filters(given []term.Term, forms []byte) (text string, params []any) {
	var list []string
	for _, f := range p.query.Filters {
		if f.Tests > 0 && form(forms[len(p.columns)+f.Tests-1]) != formTest {
			continue
		}
		if condition, more := p.filter(f, given); condition != "" {
			list, params = append(list, p.unless(f.Tests, condition)), append(params, more...)
		}
	}
	return strings.Join(list, " and "), params
}

// filter is the condition of a filter, "" if it lets all rows pass.
func (p *plan) filter(f relation.Filter, given []term.Term) (text string, params []any) {
	switch f.Op {
	case "and", "or":
		var list []string
		for _, of := range f.Of {
			condition, more := p.filter(of, given)
			if condition == "" && f.Op == "or" {
				return "", nil
			}
			if condition != "" {
				list, params = append(list, condition), append(params, more...)
			}
		}
		if len(list) == 0 {
			return "", nil
		}
		return "(" + strings.Join(list, " "+f.Op+" ") + ")", params
	case "<", "<=", ">", ">=", "=", "<>":
		return p.computed(f, given)
	}
	c, v := p.columns[f.Sides[0].Column-1], valueOf(f.Sides[1], given)
	if v == nil {
		return "", nil
	}
	const at = 99999
	how, param := p.formOf(c, v)
	switch {
	case f.Op == "==" && how == formNever:
		return "1 = 0", nil
	case f.Op == "==" && how.hasParam():
		return strings.Replace(p.holds(c, how, at), p.driver.placeholder(at), marker, 1), []any{param}
	case f.Op == "==":
		return p.holds(c, how, at), nil
	case f.Op == "\\==" && how.hasParam() && p.driver.isSame(c, v, how):
		return p.driver.different(c, v), []any{param}
	case f.Op == "\\==":
		return "", nil
	}
	return p.driver.filtered(c, f.Op, v)
}

// valueOf is the value of an expression that is a constant or a given value, and otherwise nil.
func valueOf(e relation.Expression, given []term.Term) term.Term {
	switch {
	case e.Value != nil:
		return e.Value.Term()
	case e.Given > 0 && e.Given <= len(given):
		return given[e.Given-1]
	}
	return nil
}

// computation is the state while a comparison of expressions is written.
type computation struct {
	*plan
	given    []term.Term
	with     arithmetic
	products int
	params   []any
	guards   []string
}

// computed is the condition of a filter that compares expressions. It lets rows pass if the database may compute
// differently with their values.
func (p *plan) computed(f relation.Filter, given []term.Term) (text string, params []any) {
	x := &computation{plan: p, given: given}
	switch {
	case x.hasFloats(f.Sides[0]) || x.hasFloats(f.Sides[1]):
		x.with = floats
	case x.isSmall(f.Sides[0]) && x.isSmall(f.Sides[1]):
		x.with = smallIntegers
	}
	left, _, ok := x.text(f.Sides[0])
	right, _, alsoOK := x.text(f.Sides[1])
	if !ok || !alsoOK {
		return "", nil
	}
	text = left + " " + f.Op + " " + right
	if len(x.guards) > 0 {
		text = "case when " + strings.Join(x.guards, " and ") + " then " + text + " else 1 = 1 end"
	}
	return "(" + text + ")", x.params
}

// hasFloats reports whether an expression computes with floats.
func (x *computation) hasFloats(e relation.Expression) bool {
	_, isFloat := valueOf(e, x.given).(term.Float)
	return isFloat || e.Op == "/" || e.Column > 0 && x.columns[e.Column-1].kind == kindFloat ||
		slices.ContainsFunc(e.Of, x.hasFloats)
}

// isSmall reports whether an expression computes only with integers of 32 bits and with products of these.
func (x *computation) isSmall(e relation.Expression) bool {
	if e.Column > 0 {
		c := x.columns[e.Column-1]
		return c.kind == kindInteger && (c.oid == oidInt2 || c.oid == oidInt4)
	}
	if len(e.Of) == 0 {
		n, isInt := valueOf(e, x.given).(term.Int)
		return isInt && n == term.Int(int32(n))
	}
	isCompound := func(of relation.Expression) bool { return len(of.Of) > 0 }
	return x.isSmall(e.Of[0]) && x.isSmall(e.Of[1]) && (e.Op != "*" || !slices.ContainsFunc(e.Of, isCompound))
}

// text returns the text of an expression, and whether its value is a float.
func (x *computation) text(e relation.Expression) (text string, isFloat, ok bool) {
	switch {
	case e.Column > 0:
		c := x.columns[e.Column-1]
		if !c.isPlain() {
			return "", false, false
		}
		text, guard := x.driver.operand(c, x.with)
		if guard != "" && !slices.Contains(x.guards, guard) {
			x.guards = append(x.guards, guard)
		}
		return text, c.kind == kindFloat || x.with == floats && x.driver.isDynamic(c), text != ""
	case e.Op == "":
		v := valueOf(e, x.given)
		if v == nil {
			return "", false, false
		}
		text, param := x.driver.literal(v, x.with)
		x.params = append(x.params, param)
		_, isFloat := v.(term.Float)
		return text, isFloat, text != ""
	}
	left, isFloat, ok := x.text(e.Of[0])
	right, alsoFloat, alsoOK := x.text(e.Of[1])
	isFloat = isFloat || alsoFloat
	divisor, known := floatOf(valueOf(e.Of[1], x.given))
	switch {
	case !ok || !alsoOK || x.with == floats && !isFloat:
		return "", false, false
	case e.Op == "mod":
		_, isInt := valueOf(e.Of[1], x.given).(term.Int)
		if len(e.Of[1].Of) > 0 || e.Of[1].Column > 0 {
			return "", false, false
		}
		last := x.params[len(x.params)-1]
		x.params = append(x.params, last, last) // the text contains the divisor three times
		return x.driver.mod(left, right), false, isInt && divisor != 0 && x.with != floats
	case e.Op == "/" && (!known || divisor == 0):
		return "", false, false
	case e.Op == "*":
		if x.products++; x.products > 1 || x.with == floats && valueOf(e.Of[0], x.given) == nil && !known {
			return "", false, false
		}
	}
	return "(" + left + " " + e.Op + " " + right + ")", isFloat, true
}

// numberUpTo is a number as a parameter if its absolute value is at most `most`.
func numberUpTo(v term.Term, most float64) (param string, ok bool) {
	f, isNumber := floatOf(v)
	return numberText(v), isNumber && math.Abs(f) <= most
}

// dateRange returns the first day of the dates that begin with a text, and the day after the last one. day says that
// the text is a complete date.
func dateRange(text string) (first, next string, day, ok bool) {
	for i, layout := range []string{time.DateOnly, "2006-01", "2006-01-", "2006", "2006-"} {
		from, err := time.Parse(layout, text)
		if err != nil || from.Year() < 1 {
			continue
		}
		to := from.AddDate(0, 0, 1)
		if i > 0 {
			to = from.AddDate(0, 1, 0)
		}
		if i > 2 {
			to = from.AddDate(1, 0, 0)
		}
		return from.Format(time.DateOnly), to.Format(time.DateOnly), i == 0, to.Year() < 10000
	}
	return "", "", false, false
}

// numbered replaces the markers of a text by parameters behind n, and returns the number of the last.
func (p *plan) numbered(text string, n int) (string, int) {
	var b strings.Builder
	for i, part := range strings.Split(text, marker) {
		if i > 0 {
			n++
			b.WriteString(p.driver.placeholder(n))
		}
		b.WriteString(part)
	}
	return b.String(), n
}

// This part defines the filters of PostgreSQL.

func (p *postgres) filtered(c *column, op string, v term.Term) (condition string, params []any) {
	text, _ := term.Text(v)
	name := columnText(c)
	switch {
	case text == "" || strings.Contains(text, "\x00"):
		return "", nil
	case c.kind == kindText && c.isTextOf(v) && !c.loose:
		forms := map[string]string{"prefix": "starts_with(" + name + "::text, " + marker + "::text)",
			"within": "position(" + marker + "::text in " + name + "::text) > 0"}
		if condition = forms[op]; condition == "" {
			condition = name + "::text collate \"C\" " + op[1:] + " " + marker + "::text"
		}
		return "(" + either(condition, isNull(c)) + ")", []any{text}
	case (c.kind == kindDate || c.kind == kindTimestamp || c.kind == kindInstant) && c.isTextOf(v) && op != "within":
		return p.filteredDate(c, op, text)
	}
	return "", nil
}

// filteredDate compares a date or a time with a text that is a date or its beginning. The texts of dates from the year
// 1 to 9999 sort like the dates; rows with other dates pass.
func (p *postgres) filteredDate(c *column, op, text string) (condition string, params []any) {
	first, next, day, ok := dateRange(text)
	if !ok {
		return "", nil
	}
	name, of := columnText(c), marker+"::"+pgTypes[c.kind]
	params = []any{first}
	switch {
	case op == "prefix":
		condition, params = name+" >= "+of+" and "+name+" < "+of, append(params, next)
	case day && c.kind == kindDate:
		condition = name + " " + op[1:] + " " + of
	case op[1] == '>':
		condition = name + " >= " + of
	default:
		condition = name + " < " + of
	}
	for _, other := range []string{name + " > '9999-12-31'", name + " < '0001-01-01'"} {
		condition = either(condition, other)
	}
	return "(" + either(condition, isNull(c)) + ")", params
}

func (p *postgres) leavesOut(c *column, op string, v term.Term) (doubt string, ok bool) {
	text, isAtom := v.(term.Atom)
	_, _, day, _ := dateRange(string(text))
	isAtom, day = isAtom || v == nil, day || v == nil
	switch {
	case op == "==" || !c.isPlain():
		return "", false
	case op == "\\==":
		return "", true
	case op == "":
		return isNull(c), c.kind == kindInteger
	case c.kind == kindText:
		return isNull(c), isAtom && !c.loose
	case c.kind == kindDate && isAtom && (op == "prefix" || day):
		return either(columnText(c)+" not between '0001-01-01' and '9999-12-31'", isNull(c)), true
	}
	return "", false
}

func (p *postgres) different(c *column, _ term.Term) string {
	return "(" + either(columnText(c)+" <> "+marker, isNull(c)) + ")"
}

func (p *postgres) operand(c *column, with arithmetic) (text, guard string) {
	const exact = "between -9007199254740992 and 9007199254740992"
	switch {
	case c.kind == kindInteger && with == floats:
		return asNumber(c) + "::float8", asNumber(c) + " " + exact
	case c.kind == kindInteger:
		text = asNumber(c) + []string{"::numeric", "::int8"}[with]
		if !c.notNull {
			guard = columnText(c) + " is not null"
		}
		return text, guard
	case c.kind == kindFloat && c.oid == oidFloat8:
		return columnText(c), "abs(" + columnText(c) + ") < 1e100"
	}
	return "", ""
}

func (p *postgres) literal(v term.Term, with arithmetic) (text string, param any) {
	const exact = 1 << 53
	typ := []string{"numeric", "int8", "float8"}[with]
	n, ok := numberUpTo(v, exact)
	if !ok {
		return "", nil
	}
	return marker + "::" + typ, n
}

func (p *postgres) mod(left, right string) string {
	return "mod(mod(" + left + ", " + right + ") + " + right + ", " + right + ")"
}

func (p *postgres) isDynamic(*column) bool { return false }

// This part defines the filters of SQLite. Values of other types pass.

func (s *sqlite) filtered(c *column, op string, v term.Term) (condition string, params []any) {
	text, _ := term.Text(v)
	name := columnText(c)
	if text == "" || strings.Contains(text, "\x00") || c.kind != kindAny || !c.isTextOf(v) {
		return "", nil
	}
	switch op {
	case "prefix":
		condition = "instr(" + name + ", " + marker + ") = 1"
	case "within":
		condition = "instr(" + name + ", " + marker + ") > 0"
	default:
		condition = "+" + name + " " + op[1:] + " " + marker + " collate binary"
	}
	return "(typeof(" + name + ") <> 'text' or " + condition + ")", []any{text}
}

// leavesOut returns a doubt for values of the types that filtered and operand let pass, and for bytes, whose terms are
// texts.
func (s *sqlite) leavesOut(c *column, op string, v term.Term) (doubt string, ok bool) {
	typ := "typeof(" + columnText(c) + ")"
	switch _, isFloat := v.(term.Float); {
	case op == "==" || !c.isPlain():
		return "", false
	case op == "\\==":
		return typ + " = 'blob'", !isFloat
	case op == "":
		_, guard := s.operand(c, anyIntegers)
		return "not (" + guard + ")", guard != ""
	}
	return typ + " <> 'text'", c.kind == kindAny
}

func (s *sqlite) different(c *column, v term.Term) string {
	name := columnText(c)
	if _, isInt := v.(term.Int); isInt {
		return "(typeof(" + name + ") <> 'integer' or " + name + " <> " + marker + ")"
	}
	return "(typeof(" + name + ") <> 'text' or +" + name + " <> " + marker + " collate binary)"
}

func (s *sqlite) operand(c *column, with arithmetic) (text, guard string) {
	if c.kind != kindAny && c.kind != kindRowID {
		return "", ""
	}
	types := "('integer')"
	if with == floats {
		types = "('integer', 'real')"
	}
	name := columnText(c)
	return "+" + name, "typeof(" + name + ") in " + types + " and " + name + " between -1000000000 and 1000000000"
}

// literal allows only numbers so small that no product is rounded.
func (s *sqlite) literal(v term.Term, _ arithmetic) (text string, param any) {
	const most = 1e6
	if _, ok := numberUpTo(v, most); !ok {
		return "", nil
	}
	if n, isInt := v.(term.Int); isInt {
		return marker, int64(n)
	}
	f, _ := floatOf(v)
	return marker, f
}

func (s *sqlite) mod(left, right string) string {
	return "((" + left + " % " + right + " + " + right + ") % " + right + ")"
}

func (s *sqlite) isDynamic(*column) bool { return true }
