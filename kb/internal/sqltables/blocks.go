package sqltables

import (
	"context"
	"math/bits"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines blocks: the questions of a query for several values, put as one statement. Each row goes to the
// question whose values it has in the columns that differ. The same question on its own may have further rows, but none
// that unify. The file also defines columns whose terms are in lists of constants.

// The most rows of a block, and the most bytes of them, roughly.
const (
	maxBlock      = 1 << 13
	maxGuessed    = 1 << 15 // for a block of guessed values
	maxBlockBytes = 4 << 20
)

// block is some questions of one query.
type block struct {
	keys   []int                     // the columns whose values differ
	asked  [][]term.Term             // the values of each question
	rows   map[string]*relation.Rows // by the values of keys
	count  int
	bytes  int
	st     *statement
	params []any
}

// Ahead implements relation.Snapshot.
func (s *snapshot) Ahead(ctx context.Context, text string, given [][]term.Term) (ok bool, err error) {
	db, p, err := s.planOf(ctx, text)
	if err != nil || len(given) == 0 {
		return err == nil, err
	}
	var u *usage
	for _, values := range given {
		u = s.usageOf(text, values)
	}
	if u.statements > 0 {
		if err := s.fetchInTime(ctx, db, p, u); err != nil {
			return false, err
		}
	}
	if u.kept != nil {
		return true, nil
	}
	if u.refused {
		return false, nil
	}
	delete(s.ahead, text)
	list := slices.DeleteFunc(slices.Clone(given), func(values []term.Term) bool {
		_, known := s.memory.find(appendKey(nil, text, values))
		return known
	})
	err = s.guess(ctx, db, &u.refused, func() error {
		ok, err = s.putBlock(ctx, db, p, text, list, maxBlock)
		return err
	})
	return ok, err
}

// putBlock gets the answers to questions. ok is false if the answers have more than `most` rows, or a row that would be
// an error.
func (s *snapshot) putBlock(
	ctx context.Context, db *source, p *plan, text string, given [][]term.Term, most int,
) (ok bool, err error) {
	b := p.block(given)
	if b == nil {
		return true, nil
	}
	u := s.usages[text]
	b.st = &statement{text: b.st.text, columns: b.st.columns, selected: b.st.selected, lenient: true}
	u.statements++
	rows, rest, err := s.put(ctx, db, p, question{st: b.st, params: b.params})
	if err != nil {
		return false, err
	}
	b.deal(rows)
	for batch := (&relation.Rows{}); rest != nil; b.deal(batch) {
		if b.count > most || b.bytes > maxBlockBytes {
			rest.Close()
			return false, nil
		}
		more, err := rest.Fetch(ctx, batch)
		if err != nil {
			return false, db.explained(ctx, s.sessions[p.query.Database], p.query, err)
		}
		if !more {
			rest = nil
		}
	}
	u.streamed += b.count + valueRows*len(b.asked)
	if b.st.bad {
		return false, nil
	}
	all := &relation.Rows{} // in the order of the questions
	all.Reset(len(p.columns))
	for _, values := range b.asked {
		rows := b.rows[b.keyOf(values)]
		rows.Seal()
		s.answerAhead(text, values, rows)
		for i := range rows.Len() {
			all.Copy(rows, i)
		}
	}
	all.Finish()
	s.see(text, all)
	return true, nil
}

// block returns the block of those questions that can be put together with the first, or nil if there is no second one.
// Questions of a block differ only in the values of columns, and compare these columns in the same way.
func (p *plan) block(given [][]term.Term) *block {
	if len(given) < 2 {
		return nil
	}
	b := &block{rows: map[string]*relation.Rows{}}
	base := slices.Clone(given[0])
	for i := range base {
		if !slices.ContainsFunc(given, func(values []term.Term) bool { return values[i] != base[i] }) {
			continue
		}
		if i >= len(p.columns)+len(p.query.Tests) && len(p.query.Filters) > 0 {
			base[i] = nil // the filter lets all rows pass
			continue
		}
		if i >= len(p.columns) || base[i] == nil {
			return nil
		}
		b.keys = append(b.keys, i)
	}
	differ := b.keys
	b.keys = nil
	for _, at := range differ {
		base[at] = nil
		same := func(pair [2]int) bool { return pair[1] == at && slices.Contains(differ, pair[0]) }
		if !slices.ContainsFunc(p.query.Equal, same) {
			b.keys = append(b.keys, at)
		}
	}
	common, params, none := p.conditions(base)
	if len(b.keys) == 0 || none {
		return nil
	}
	var forms []form
	for _, values := range given {
		key := b.keyOf(values)
		if b.rows[key] != nil {
			continue
		}
		own, keys := p.keyForms(b.keys, values)
		if forms == nil {
			forms = own
		}
		if own == nil || !slices.Equal(own, forms) {
			continue
		}
		rows := &relation.Rows{}
		rows.Reset(len(p.columns))
		b.rows[key], b.asked, b.params = rows, append(b.asked, values), append(b.params, keys...)
	}
	if len(b.asked) < 2 {
		return nil
	}
	var n int
	b.params, n = padded(b.params, len(b.asked), len(b.keys))
	b.st = p.blockStatement(common, b.keys, forms, n)
	b.params = append(params, b.params...)
	return b
}

// padded makes the number of lists of values a power of two by repeating the last list. This keeps the number of
// different statements small.
func padded(params []any, n, width int) (all []any, power int) {
	last := params[len(params)-width:]
	power = 1 << bits.Len(uint(n-1))
	for range power - n {
		params = append(params, last...)
	}
	return params, power
}

// keyForms returns how columns are compared with values, and the parameters. It returns nil if a comparison has no
// parameter.
func (p *plan) keyForms(keys []int, values []term.Term) (forms []form, params []any) {
	for _, at := range keys {
		if values[at] == nil {
			return nil, nil
		}
		f, param := p.formOf(p.columns[at], values[at])
		if !f.hasParam() {
			return nil, nil
		}
		forms, params = append(forms, f), append(params, param)
	}
	return forms, params
}

// keyOf is a text for the values of the keys.
func (b *block) keyOf(values []term.Term) string {
	own := make([]term.Term, len(b.keys))
	for i, at := range b.keys {
		own[i] = values[at]
	}
	return string(appendKey(nil, "", own))
}

// deal gives each question its rows.
func (b *block) deal(rows *relation.Rows) {
	b.count, b.bytes = b.count+rows.Len(), b.bytes+rows.Bytes()
	own := make([]term.Term, len(b.keys))
	var key []byte
	for i := range rows.Len() {
		for j, at := range b.keys {
			own[j] = rows.TermOf(rows.Row(i)[at])
		}
		key = appendKey(key[:0], "", own)
		if to := b.rows[string(key)]; to != nil {
			to.Copy(rows, i)
		}
	}
}

// blockStatement returns the statement of a block that compares each key with n values. forms are the forms of the
// conditions that all questions share.
func (p *plan) blockStatement(forms []byte, keys []int, keyForms []form, n int) *statement {
	id := append(append([]byte{}, forms...), byte(askBlock), byte(bits.Len(uint(n))))
	for i, at := range keys {
		id = append(id, byte(at), byte(keyForms[i]))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if st := p.statements[string(id)]; st != nil {
		return st
	}
	selected := p.selected(forms)
	for _, at := range keys {
		if !slices.Contains(selected, at) {
			selected = append(selected, at)
		}
	}
	condition := func(first int) string { return p.oneOfKeys(keys, keyForms, first, n) }
	st := &statement{text: p.text(forms, selected, askBlock, condition), columns: p.columns, selected: selected}
	keep(p.statements, string(id), st)
	return st
}

// oneOfKeys is the condition that columns have one of n lists of values, whose parameters begin at first.
func (p *plan) oneOfKeys(keys []int, forms []form, first, n int) string {
	var list []string
	if len(keys) == 1 && forms[0] != formText {
		for i := range n {
			list = append(list, p.driver.placeholder(first+i))
		}
		return columnText(p.columns[keys[0]]) + " in (" + strings.Join(list, ", ") + ")"
	}
	for i := range n {
		var all []string
		for j, at := range keys {
			all = append(all, p.holds(p.columns[at], forms[j], first+i*len(keys)+j))
		}
		list = append(list, strings.Join(all, " and "))
	}
	return "(" + strings.Join(list, " or ") + ")"
}

// member is a list of constants that a column is compared with.
type member struct {
	column *column
	tests  int // the number of tests that come before
	forms  []form
	params []any // the parameters of the forms that have one
	// untold is a constant that the database cannot compare with the column, or "".
	untold string
	// exact says that rows that meet the exact form of the condition have identical terms to those of the list.
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

// holds is the condition of a form, or "" if the form has no condition. n is the number of its parameter.
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

// notMember says why a column is not compared with a list. It returns "" if it is.
func (p *plan) notMember() string {
	for _, m := range p.members {
		if m.untold != "" {
			return m.column.asked.Name + " is not compared with the " + m.untold + " in the database"
		}
	}
	return ""
}
