package recursive

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the query of a single rule, and where its conditions are exact.

// inner says which literal of a rule is the recursion that is being defined.
type inner struct {
	at    int
	name  string
	slots *slots
	tag   int // -1: the recursion has no tag
}

// selection is a query without its recursive relation.
type selection struct {
	columns, from, where []string
}

// text is the query after its first word, such as "select ".
func (s selection) text(word string) string {
	text := word + strings.Join(s.columns, ", ")
	if len(s.columns) == 0 {
		text += "1"
	}
	if len(s.from) > 0 {
		text += " from " + strings.Join(s.from, ", ")
	}
	if len(s.where) > 0 {
		text += " where " + strings.Join(s.where, " and ")
	}
	return text
}

func (s selection) whole(distinct bool) string {
	if distinct {
		return s.text("select distinct ")
	}
	return s.text("select ")
}

// place is a column of a literal.
type place struct {
	Column
	text    string
	literal int
	table   bool   // the column is of a table, not of a derived relation
	rows    string // the relation
}

// mayBeNull reports whether values may be NULL. isNullish reports whether their terms may be the atom null.
func (p *place) mayBeNull() bool { return !p.NotNull }

func (p *place) isNullish() bool { return !p.NotNull || p.Class != Integer && !p.Whole }

// has is the condition that the relation of a place has a row for which a condition holds. %s in the condition stands
// for the column.
func (p *place) has(condition string) string {
	return fmt.Sprintf("exists (select 1 from %s d where %s)", p.rows,
		strings.ReplaceAll(condition, "%s", "d."+p.Name))
}

// ruleWriter writes one rule.
type ruleWriter struct {
	*writer
	rule   relation.Rule
	inner  *inner
	places map[int][]*place // by variable
	made   selection
}

// selection returns what a rule selects.
func (w *writer) selection(r relation.Rule, in *inner) (selection, error) {
	rw := &ruleWriter{writer: w, rule: r, inner: in, places: map[int][]*place{}}
	filters := map[int]bool{}
	if in != nil {
		var err error
		if filters, err = rw.reached(); err != nil {
			return selection{}, err
		}
	}
	for i, l := range r.Body {
		if !filters[i] {
			if err := rw.literal(i, l); err != nil {
				return selection{}, err
			}
		}
	}
	for i, l := range r.Body {
		if filters[i] {
			rw.filter(l)
		}
	}
	for _, list := range rw.sorted() {
		for _, other := range list[1:] {
			if err := rw.equal(list[0], other); err != nil {
				return selection{}, err
			}
		}
	}
	for _, c := range r.Comparisons {
		if err := rw.compare(c); err != nil {
			return selection{}, err
		}
	}
	for _, o := range r.Head.Args {
		if o.Value != nil {
			rw.made.columns = append(rw.made.columns, w.param(o.Value))
			continue
		}
		rw.made.columns = append(rw.made.columns, w.derivedText(rw.places[o.Var][0]))
	}
	return rw.made, nil
}

// sorted returns the places of each variable, those of derived relations first.
func (rw *ruleWriter) sorted() (lists [][]*place) {
	var vars []int
	for v, list := range rw.places {
		slices.SortStableFunc(list, func(a, b *place) int {
			return map[bool]int{true: 1}[a.table] - map[bool]int{true: 1}[b.table]
		})
		vars = append(vars, v)
	}
	slices.Sort(vars)
	for _, v := range vars {
		lists = append(lists, rw.places[v])
	}
	return lists
}

// reached checks that the rows of a recursive rule can be found by indexes, starting from the new rows. filters are the
// literals about other derived relations that only decide whether a row counts.
func (rw *ruleWriter) reached() (filters map[int]bool, err error) {
	r := rw.rule
	known, filters, done := map[int]bool{}, map[int]bool{}, map[int]bool{rw.inner.at: true}
	isKnown := func(o relation.Operand) bool { return o.Value != nil || known[o.Var] }
	learn := func(l relation.Literal) {
		for _, o := range l.Args {
			if o.Value == nil {
				known[o.Var] = true
			}
		}
	}
	learn(r.Body[rw.inner.at])
	for more := true; more; {
		more = false
		for i, l := range r.Body {
			if done[i] || rw.tables[l.Relation] == nil {
				continue
			}
			for at, o := range l.Args {
				if isKnown(o) && rw.columns(l.Relation)[at].Indexed {
					done[i], more = true, true
				}
			}
			if done[i] {
				learn(l)
			}
		}
	}
	for i, l := range r.Body {
		switch {
		case done[i]:
		case rw.tables[l.Relation] != nil:
			return nil, errRefused("%s has no index on a column that is known", rw.tables[l.Relation].Name)
		case slices.ContainsFunc(l.Args, func(o relation.Operand) bool { return !isKnown(o) }):
			return nil, errRefused("a rule joins the recursion with other rules")
		default:
			filters[i] = true
		}
	}
	return filters, nil
}

// literal adds a relation.
func (rw *ruleWriter) literal(i int, l relation.Literal) error {
	alias, rows := fmt.Sprintf("t%d", i), rw.names[l.Relation]
	isInner := rw.inner != nil && rw.inner.at == i
	if t := rw.tables[l.Relation]; t != nil {
		rows = t.Name
	}
	if isInner {
		alias = "r"
		if rw.inner.tag >= 0 {
			rw.made.where = append(rw.made.where, fmt.Sprintf("r.tag = %d", rw.inner.tag))
		}
	} else {
		rw.made.from = append(rw.made.from, rows+" "+alias)
	}
	for at, o := range l.Args {
		p := &place{Column: rw.columns(l.Relation)[at], literal: i, table: rw.tables[l.Relation] != nil, rows: rows}
		p.text = alias + "." + p.Name
		if isInner && rw.inner.tag >= 0 {
			p.text = fmt.Sprintf("r.c%d", rw.inner.slots.of[l.Relation][at])
		}
		if o.Value == nil {
			rw.places[o.Var] = append(rw.places[o.Var], p)
		} else if err := rw.constant(p, o.Value); err != nil {
			return err
		}
	}
	return nil
}

// constant adds the condition that a column has a value. The value is not null.
func (rw *ruleWriter) constant(p *place, v term.Term) error {
	_, isInt := v.(term.Int)
	if p.Class != Any {
		if isInt != (p.Class == Integer) {
			return errTypes
		}
		rw.made.where = append(rw.made.where, p.text+" = "+rw.param(v))
		return nil
	}
	typ := "'text'"
	if isInt {
		typ = "'integer'"
	} else {
		rw.doubt(p.bytes())
	}
	rw.made.where = append(rw.made.where, fmt.Sprintf("%s = %s collate binary", p.text, rw.param(v)))
	if !p.Whole || !isInt {
		rw.made.where = append(rw.made.where, fmt.Sprintf("typeof(%s) = %s", p.text, typ))
	}
	return nil
}

// bytes is the condition that a column of a table has bytes, whose terms may equal those of texts. Bytes come last in
// an index.
func (p *place) bytes() string {
	if !p.table || p.Class != Any || p.Whole {
		return ""
	}
	return fmt.Sprintf("(select typeof(max(d.%s)) from %s d) = 'blob'", p.Name, p.rows)
}

// equal adds the condition that two columns have the same term.
func (rw *ruleWriter) equal(a, b *place) error {
	if a.Class != b.Class {
		return errTypes
	}
	rw.unequalNulls(a, b)
	if a.Class != Any || a.Whole && b.Whole {
		rw.made.where = append(rw.made.where, b.text+" = "+a.text)
		return nil
	}
	rw.doubt(a.bytes())
	rw.doubt(b.bytes())
	rw.made.where = append(rw.made.where, fmt.Sprintf("%s = %s collate binary and typeof(%[1]s) = typeof(%[2]s)",
		b.text, a.text))
	if a.table && b.table && !a.Whole && !b.Whole {
		rw.doubt(a.has("typeof(%s) = 'real' and %s = 0")) // 0.0 and -0.0 are different terms
	}
	return nil
}

// unequalNulls adds a doubt if two columns may be unequal although their terms are equal: the term of NULL is null.
func (rw *ruleWriter) unequalNulls(a, b *place) {
	null := func(p *place) string {
		if p.Class == Integer {
			return p.has("%s is null")
		}
		return "(" + p.has("%s is null") + " or " + p.has("%s = 'null'") + ")"
	}
	for _, pair := range [][2]*place{{a, b}, {b, a}} {
		x, y := pair[0], pair[1]
		if !x.mayBeNull() || !y.isNullish() || !x.table && x.Class != Integer {
			continue
		}
		if y.table {
			rw.doubt("(" + x.has("%s is null") + " and " + null(y) + ")")
		} else {
			rw.doubt("(" + null(y) + " and " + x.has("%s is null") + ")")
		}
	}
}

// filter adds the condition that a derived relation has a row with known values.
func (rw *ruleWriter) filter(l relation.Literal) {
	var left, right []string
	for at, o := range l.Args {
		own := &place{Column: rw.columns(l.Relation)[at], rows: rw.names[l.Relation]}
		var text string
		if o.Value != nil {
			text = rw.param(o.Value)
		} else {
			p := rw.places[o.Var][0]
			rw.unequalNulls(p, own)
			rw.doubt(p.bytes())
			text = rw.derivedText(p)
		}
		left, right = append(left, text), append(right, own.Name)
		if own.Class == Any {
			left, right = append(left, "typeof("+text+")"), append(right, "typeof("+own.Name+")")
		}
	}
	name := rw.names[l.Relation]
	if len(left) == 0 {
		rw.made.where = append(rw.made.where, "exists (select 1 from "+name+" f)")
		return
	}
	rw.made.where = append(rw.made.where, fmt.Sprintf("(%s) in (select %s from %s f)", strings.Join(left, ", "),
		strings.Join(right, ", "), name))
}

// derivedText is the SQL of a value in a derived relation. NULL becomes the text null. A value that is neither an
// integer nor a text becomes NULL, which makes the statement doubtful.
func (w *writer) derivedText(p *place) string {
	switch {
	case p.Class == Any && p.table && !p.Whole:
		return fmt.Sprintf("case typeof(%s) when 'integer' then %[1]s when 'text' then %[1]s when 'null' then 'null' end",
			p.text)
	case p.Class == Text && p.table && p.mayBeNull():
		return w.typed("coalesce("+p.text+", 'null')", Text)
	case p.table:
		return w.typed(p.text, p.Class)
	}
	return p.text
}

// compare adds a comparison.
func (rw *ruleWriter) compare(c relation.Comparison) error {
	var texts []string
	var both []*place
	for _, o := range []relation.Operand{c.Left, c.Right} {
		if o.Value != nil {
			if _, isInt := o.Value.(term.Int); c.Integers && !isInt {
				return errTypes
			}
			p := &place{Column: rw.source(rw.rule, o), text: rw.param(o.Value)}
			texts, both = append(texts, p.text), append(both, p)
			continue
		}
		p := rw.places[o.Var][0]
		texts, both = append(texts, rw.derivedText(p)), append(both, p)
		if p.Class != Any || p.Whole {
			if c.Integers && (p.Class == Text || p.mayBeNull()) {
				return errRefused("comparing %s may be an error", p.Name)
			}
			continue
		}
		if c.Integers {
			rw.doubt(p.has("typeof(%s) <> 'integer'"))
		} else if p.table {
			rw.doubt(p.has("typeof(%s) in ('real', 'blob')"))
		}
	}
	if both[0].Class != both[1].Class {
		return errTypes
	}
	condition := texts[0] + " " + c.Op + " " + texts[1]
	if !c.Integers {
		is := map[string]string{"=": "is not distinct from", "<>": "is distinct from"}[c.Op]
		condition = texts[0] + " " + is + " " + texts[1]
		if both[0].Class == Any {
			is, word := "is", "and"
			if c.Op == "<>" {
				is, word = "is not", "or"
			}
			condition = fmt.Sprintf("(%s %s %s %s typeof(%[1]s) %[2]s typeof(%[3]s))", texts[0], is, texts[1], word)
		}
	}
	rw.made.where = append(rw.made.where, condition)
	return nil
}
