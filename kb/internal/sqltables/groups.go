package sqltables

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines totals of groups: one statement for the totals of many questions.

// groups returns the expressions that group a query for a total by columns that differ, or nil if grouping is not
// exact.
func (p *plan) groups(keys []int) (grouped []string, conditions []string) {
	for _, i := range keys {
		by, condition, ok := p.driver.grouped(p.columns[i])
		if !ok {
			return nil, nil
		}
		grouped = append(grouped, by)
		if condition != "" {
			conditions = append(conditions, condition)
		}
	}
	return grouped, conditions
}

// groupKeys are the columns in which questions for a total differ, without those that are equal to one of them.
func (p *plan) groupKeys(u *usage) []int {
	keys := p.keysOf(u)
	return slices.DeleteFunc(slices.Clone(keys), func(at int) bool {
		return slices.ContainsFunc(p.query.Equal, func(pair [2]int) bool {
			return pair[1] == at && slices.Contains(keys, pair[0])
		})
	})
}

// groupStatement is the statement of the totals of groups. It selects the keys, the total, and the number of doubtful
// rows. also is nil or a condition, as in text.
func (p *plan) groupStatement(forms []byte, keys []int, also func(first int) string) *statement {
	grouped, conditions := p.groups(keys)
	if grouped == nil {
		return nil
	}
	st := &statement{}
	var selected []string
	for _, i := range keys {
		st.columns = append(st.columns, p.columns[i])
		selected = append(selected, p.driver.selected(p.columns[i], columnText(p.columns[i])))
	}
	text := p.totalText(forms, st, selected, func(first int) string {
		list := conditions
		if also != nil {
			list = append(list, also(first))
		}
		return strings.Join(list, " and ")
	})
	st.text = text + " group by " + strings.Join(grouped, ", ")
	return st
}

// fetchGroups fetches the totals of all groups. If the questions differ in a test, there are no groups. If there are
// also few rows, the total is then declined, so that the goals fetch the rows.
func (s *snapshot) fetchGroups(
	ctx context.Context, db *source, p *plan, u *usage, forms []byte, params []any, most int,
) (err error) {
	keys := p.groupKeys(u)
	var st *statement
	if p.isExactly(u.common, forms) {
		st = p.groupStatement(forms, keys, nil)
	}
	if st == nil {
		return s.decline(ctx, db, p, u, most)
	}
	f := p.fetched(u)
	f.keys = keys
	for i := range f.places {
		f.places[i] = slices.Index(keys, i)
		for _, pair := range p.query.Equal {
			if pair[1] == i && slices.Contains(keys, pair[0]) {
				f.places[i] = slices.Index(keys, pair[0])
			}
		}
	}
	return s.keep(ctx, db, p, u, f, question{st: st, params: params}, most)
}

// decline finds out whether the rows of a total are few enough for the goals to fetch them.
func (s *snapshot) decline(ctx context.Context, db *source, p *plan, u *usage, most int) error {
	q := *p.query
	q.Total = nil
	if len(p.keysOf(u)) == 0 {
		most = min(most, s.set.ways.scanned)
	}
	rows, err := db.plan(ctx, s.sessions[q.Database], &q, q.Text())
	if err != nil {
		return err
	}
	forms, params, none := rows.conditions(u.common)
	if none {
		return nil
	}
	st := &statement{columns: rows.columns, lenient: true, selected: rows.selected(forms)}
	st.text = rows.text(forms, st.selected, askRows, nil)
	all, held, err := s.read(ctx, db, rows, question{st: st, params: params}, most, s.set.ways.bytes)
	s.release(held)
	u.declined = all != nil
	return err
}

// groupBlock asks for the totals of some groups.
func (s *snapshot) groupBlock(
	ctx context.Context, db *source, p *plan, u *usage, text string, list [][]term.Term,
) (ok bool, err error) {
	keys := p.groupKeys(u)
	forms, params, none := p.conditions(u.common)
	if none || len(keys) == 0 || !p.isExactly(u.common, forms) {
		return false, nil
	}
	var own []form
	n := 0
	b := &block{keys: keys}
	for _, values := range list {
		forms, more := p.keyForms(keys, values)
		if own == nil {
			own = forms
		}
		if forms == nil || !slices.Equal(own, forms) || !p.question(values).isPut() {
			continue
		}
		b.asked, b.params, n = append(b.asked, values), append(b.params, more...), n+1
	}
	if n < 2 {
		return false, nil
	}
	b.params, n = padded(b.params, n, len(keys))
	st := p.groupStatement(forms, keys, func(first int) string { return p.oneOfKeys(keys, own, first, n) })
	if st == nil {
		u.block = 0
		return false, nil
	}
	rows, held, err := s.read(ctx, db, p, question{st: st, params: append(params, b.params...)}, math.MaxInt, math.MaxInt)
	if err != nil || rows == nil {
		return false, err
	}
	s.release(held)
	u.statements++
	u.streamed += valueRows * len(b.asked)
	found := map[string]int32{}
	for at := range rows.Len() {
		values := make([]term.Term, len(keys))
		for j := range keys {
			values[j] = rows.TermOf(rows.Row(at)[j])
		}
		found[string(appendKey(nil, "", values))] = int32(at)
	}
	for _, values := range b.asked {
		answer := p.unasked(question{})
		if at, ok := found[b.keyOf(values)]; ok {
			answer = totalRow(rows.Pick([]int32{at}), len(keys))
		}
		s.answerAhead(text, values, answer)
	}
	return true, nil
}

// isPut reports whether a question has a statement.
func (q question) isPut() bool { return !q.none && !q.unknown }

// answerAhead keeps an answer for a later question. It drops older answers when there are too many.
func (s *snapshot) answerAhead(text string, values []term.Term, rows *relation.Rows) {
	const most = 1 << 16
	if s.ahead[text] == nil || len(s.ahead[text]) >= most {
		s.ahead[text] = map[string]*relation.Rows{}
	}
	s.ahead[text][string(appendKey(nil, text, values))] = rows
}
