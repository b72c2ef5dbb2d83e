package sqltables

import (
	"context"
	"slices"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines blocks of the values that are likely to be asked for next: those behind the value of a question in
// the rows that it came from.

// maxSeen is how many batches of rows are remembered as sources of values, maxSought how many of their values are
// compared to find one.
const (
	maxSeen   = 8
	maxSought = 1 << 15
)

// see remembers rows that goals get.
func (s *snapshot) see(rows *relation.Rows) {
	if rows.Len() < 2 || slices.Contains(s.seen, rows) {
		return
	}
	if len(s.seen) == maxSeen {
		s.seen = s.seen[1:]
	}
	s.seen = append(s.seen, rows)
}

// seenRest is the rest of a query whose rows are remembered.
type seenRest struct {
	relation.Rest
	s *snapshot
	u *usage
}

// Fetch implements relation.Rest.
func (r *seenRest) Fetch(ctx context.Context, rows *relation.Rows) (more bool, err error) {
	more, err = r.Rest.Fetch(ctx, rows)
	if err == nil {
		r.u.streamed += rows.Len()
		r.s.see(rows)
	}
	return more, err
}

// siblings returns the values of a question with those that follow them in the rows that they come from, nil if there
// are none.
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
	if most < 2 || !isGroup(keys, given) || u.lost > maxLost {
		return nil
	}
	if u.lost++; !s.findSource(u, keys, given) {
		return nil
	}
	u.lost = 0
	list = [][]term.Term{given}
	known := map[string]bool{string(s.key): true}
	var key []byte
	for ; u.at < u.source.Len() && len(list) < most; u.at++ {
		values := slices.Clone(given)
		for j, i := range keys {
			values[i] = u.source.TermOf(u.source.Row(u.at)[u.columns[j]])
		}
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

// findSource looks for the values of keys in the rows that goals have got last, first behind the end of the last block.
func (s *snapshot) findSource(u *usage, keys []int, given []term.Term) bool {
	sought := 0
	within := func(rows *relation.Rows, from int) bool {
		for at := from; at < rows.Len() && sought < maxSought; at++ {
			row := rows.Row(at)
			sought += len(row)
			columns := make([]int, 0, len(keys))
			for _, i := range keys {
				place := slices.IndexFunc(row, func(v relation.Value) bool { return isTerm(rows, v, given[i]) })
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
	if u.source != nil && within(u.source, u.at) {
		return true
	}
	for _, rows := range slices.Backward(s.seen) {
		if within(rows, 0) {
			return true
		}
	}
	return false
}

// isGroup reports whether all keys have values that can be those of a block or a group: integers and texts, but not
// null, which is compared in another way.
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
