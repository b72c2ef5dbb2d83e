package explain

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines which facts would be sufficient for a goal to have an answer.

// maxSets bounds the tried sets of facts, maxEnough the sufficient sets that are named.
const (
	maxSets   = 24
	maxEnough = 3
)

// findEnough tries the sets of facts that misses lack, the smallest first: it assumes each set and calls the goal
// again. A set that is not sufficient is extended by the facts that the goal lacks then.
func (o Options) findEnough(m *Misses, list []*miss) {
	o.asCode, o.naming = true, newNaming(o.Query)
	var sets [][]Goal
	for _, deeper := range list {
		if deeper.kind == "clause" { // for the others the goal itself would be sufficient
			sets = append(sets, deeper.lacking()...)
		}
	}
	if o.Lacking == nil || len(sets) == 0 {
		return
	}
	m.NoneEnough = true
	for n := 0; n < min(len(sets), maxSets); n++ {
		slices.SortStableFunc(sets[n:], func(x, y []Goal) int { return len(x) - len(y) })
		set := sets[n]
		if len(m.Enough) > 0 && len(set) > len(m.Enough[0]) || len(m.Enough) == maxEnough {
			return
		}
		holds, raw, tried := o.Lacking(set)
		if m.NoneEnough = m.NoneEnough && tried && !holds; holds {
			m.addEnough(&o, set)
		}
		others, _ := o.misses(raw)
		for _, other := range others {
			for _, more := range other.lacking() {
				if more = append(slices.Clip(set), more...); len(more) <= maxLacking {
					sets = append(sets, more)
				}
			}
		}
	}
}

// addEnough notes a set of facts with which the goal holds. It omits a set with a fact that is too long to read.
func (m *Misses) addEnough(o *Options, set []Goal) {
	var texts, lines []string
	shown := *o
	shown.asCode = false
	for _, fact := range set {
		w := syntax.WriteOptions{Quoted: true, SpaceArgs: true, MaxBytes: 1 << 10}
		texts = append(texts, o.format(fact.Module, fact.Term, w))
		lines = append(lines, o.format(fact.Module, shown.exact(fact.Term, o.advice(fact).Types), w))
		if len(texts[len(texts)-1]) > maxGoal {
			return
		}
	}
	if !slices.ContainsFunc(m.Enough, func(old []string) bool { return slices.Equal(old, texts) }) {
		m.Enough, m.enough = append(m.Enough, texts), append(m.enough, strings.Join(lines, " and "))
	}
}

// enoughText lists the facts that would be sufficient, in lines.
func (m *Misses) enoughText() string {
	var b strings.Builder
	for _, set := range m.enough {
		b.WriteString("enough  " + set + "\n")
	}
	if m.NoneEnough {
		b.WriteString("no set of up to three missing facts was found that would be enough\n")
	}
	return b.String()
}
