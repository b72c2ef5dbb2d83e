package sqltables

import (
	"context"
	"slices"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines blocks of the values that are likely to be asked for next. A question's value often comes from the
// rows of an earlier query; the values after it in these rows are the likely ones.

// maxSeen bounds the batches of rows that are remembered as sources of values, maxSeenRows their rows, and maxSought
// the values that are compared to find a source.
const (
	maxSeen     = 1 << 8
	maxSeenRows = 1 << 18
	maxSought   = 1 << 15
)

// seenRows are rows that goals got for a query.
type seenRows struct {
	*relation.Rows
	text string
}

// see remembers rows that goals get.
func (s *snapshot) see(text string, rows *relation.Rows) {
	if rows.Len() < 2 || slices.Contains(s.seen, seenRows{rows, text}) {
		return
	}
	s.seen = append(s.seen, seenRows{rows, text})
	count := 0
	for i, rows := range slices.Backward(s.seen) {
		if count += rows.Len(); i > 0 && (count > maxSeenRows || len(s.seen)-i == maxSeen) {
			s.seen = slices.Delete(s.seen, 0, i)
			break
		}
	}
}

// seenRest is the rest of a query whose rows are remembered.
type seenRest struct {
	relation.Rest
	s    *snapshot
	u    *usage
	text string
}

// Fetch implements relation.Rest.
func (r *seenRest) Fetch(ctx context.Context, rows *relation.Rows) (more bool, err error) {
	more, err = r.Rest.Fetch(ctx, rows)
	if err == nil {
		r.u.streamed += rows.Len()
		r.s.see(r.text, rows)
	}
	return more, err
}

// siblings returns the values of a question, followed by the next values in the rows that they come from. It returns
// nil if there are none.
func (s *snapshot) siblings(p *plan, u *usage, text string, given []term.Term) (list [][]term.Term) {
	var keys []int
	for _, i := range p.keysOf(u) {
		if given[i] != nil {
			keys = append(keys, i)
		}
	}
	most := min(u.block, s.set.ways.block)
	if len(keys) > 1 {
		most = min(most, maxPairs)
	}
	if most < 2 || !isGroup(keys, given) || u.lost > maxLost || u.refused {
		return nil
	}
	if u.lost++; !s.findSource(u, text, keys, given) {
		return nil
	}
	u.lost = 0
	list = [][]term.Term{given}
	known := map[string]bool{string(s.key): true}
	var key []byte
	for len(list) < most && (u.at < u.source.Len() || s.nextSource(u)) {
		values := slices.Clone(given)
		for j, i := range keys {
			values[i] = u.source.TermOf(u.source.Row(u.at)[u.columns[j]])
		}
		u.at++
		key = appendKey(key[:0], text, values)
		_, remembered := s.memory.find(key)
		_, ahead := s.ahead[text][string(key)]
		if remembered || ahead || known[string(key)] || !isGroup(keys, values) {
			continue
		}
		known[string(key)] = true
		list = append(list, values)
	}
	if len(list) < 2 {
		return nil
	}
	return list
}

// nextSource makes the next batch of rows of the source's query the source.
func (s *snapshot) nextSource(u *usage) bool {
	for _, rows := range s.seen[slices.Index(s.seen, u.source)+1:] {
		if rows.text == u.source.text && rows.Len() > 0 {
			u.source, u.at = rows, 0
			return true
		}
	}
	return false
}

// valuesAhead estimates how many more values will be asked for. It is 0 until hundreds of values have been asked for.
func (s *snapshot) valuesAhead(u *usage) int {
	const many = 1 << 9
	if u.block < many || u.source.Rows == nil {
		return 0
	}
	n := u.source.Len() - u.at
	for _, rows := range s.seen[slices.Index(s.seen, u.source)+1:] {
		if rows.text == u.source.text {
			n += rows.Len()
		}
	}
	return n
}

// findSource looks for the values of keys in the rows that goals got. It looks after the end of the last block and at
// the beginnings of later batches of the source's query, and then in all rows, beginning with other queries.
func (s *snapshot) findSource(u *usage, text string, keys []int, given []term.Term) bool {
	const near = 64
	sought := 0
	within := func(rows seenRows, from, most int) bool {
		for at := from; at < min(rows.Len(), from+most) && sought < maxSought; at++ {
			row := rows.Row(at)
			sought += len(row)
			columns := make([]int, 0, len(keys))
			for _, i := range keys {
				place := slices.IndexFunc(row, func(v relation.Value) bool { return isTerm(rows.Rows, v, given[i]) })
				if place < 0 {
					break
				}
				columns = append(columns, place)
			}
			if len(columns) == len(keys) {
				u.source, u.columns, u.at = rows, columns, at
				return true
			}
		}
		return false
	}
	if u.source.Rows != nil && (within(u.source, u.at, near) || within(u.source, 0, near)) {
		return true
	}
	for _, rows := range s.seen[slices.Index(s.seen, u.source)+1:] {
		if rows.text == u.source.text && within(rows, 0, near) {
			return true
		}
	}
	for _, own := range []bool{false, true} {
		for _, rows := range slices.Backward(s.seen) {
			if own == (rows.text == text) && within(rows, 0, maxSought) {
				return true
			}
		}
	}
	return false
}

// isGroup reports whether the values of all keys are allowed in a block or a group: integers and texts other than null,
// which is compared in another way.
func isGroup(keys []int, given []term.Term) bool {
	for _, i := range keys {
		switch given[i].(type) {
		case term.Int, term.Atom, term.String:
			if given[i] != term.Term(null) {
				continue
			}
		}
		return false
	}
	return len(keys) > 0
}
