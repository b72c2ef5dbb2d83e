package datalog

import (
	"errors"
	"iter"
	"slices"
)

// This file defines the order in which relations are computed. A relation that negation or a mode reads must be
// complete first. The exceptions are values that only come closer to the final ones, and negation that well-founded
// semantics settles.

// errUnstratified says that a relation would have to be complete before itself.
var errUnstratified = errors.New("unstratified")

// strata says when relations are complete.
type strata struct {
	level  []int // by relation; -1 for loose ones
	levels int
	// loose relations depend on their own negation, or on a relation that does.
	loose []bool
}

func (e *evaluation) isLoose(rel int) bool { return e.strata != nil && e.strata.loose[rel] }

// atoms returns the atoms of a body.
func (r *Rule) atoms() iter.Seq[Atom] {
	return func(yield func(Atom) bool) {
		for _, list := range [][]Atom{r.Body, r.Absent} {
			for _, a := range list {
				if !yield(a) {
					return
				}
			}
		}
	}
}

// stratify finds the strata. They stay nil if all relations can be computed together.
func (e *evaluation) stratify() error {
	plain := func(r Rule) bool { return r.Absent == nil && e.rels[r.Head.Rel].modes == nil }
	if !slices.ContainsFunc(e.rules, func(r Rule) bool { return !plain(r) }) {
		return nil
	}
	n := len(e.rels)
	s := &strata{level: make([]int, n), loose: make([]bool, n)}
	reach := e.reachable()
	for i := range e.rules {
		r := &e.rules[i]
		head := r.Head.Rel
		mutual := func(rel int) bool { return reach[head][rel] && reach[rel][head] }
		for _, a := range r.Absent {
			s.loose[head] = s.loose[head] || mutual(a.Rel)
		}
		if !e.isMonotone(r, mutual) {
			return errUnstratified
		}
	}
	cyclic := slices.Clone(s.loose)
	for rel := range n {
		for at, is := range cyclic {
			s.loose[rel] = s.loose[rel] || is && reach[rel][at]
		}
	}
	e.strata = s
	return e.levels(reach)
}

// reachable says which relations the rules of a relation depend on.
func (e *evaluation) reachable() [][]bool {
	next := make([][]int, len(e.rels))
	for i := range e.rules {
		for a := range e.rules[i].atoms() {
			next[e.rules[i].Head.Rel] = append(next[e.rules[i].Head.Rel], a.Rel)
		}
	}
	reach := make([][]bool, len(e.rels))
	for from := range reach {
		reach[from] = make([]bool, len(e.rels))
		for todo := slices.Clone(next[from]); len(todo) > 0; {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !reach[from][at] {
				reach[from][at] = true
				todo = append(todo, next[at]...)
			}
		}
	}
	return reach
}

// levels gives each relation a level above the relations that must be complete first. Loose relations come last.
func (e *evaluation) levels(reach [][]bool) error {
	s := e.strata
	for changed := true; changed; {
		changed = false
		for i := range e.rules {
			r := &e.rules[i]
			head := r.Head.Rel
			if s.loose[head] {
				if e.rels[head].modes != nil || slices.ContainsFunc(r.Calcs, func(c Calc) bool { return c.Op == Is }) {
					return ErrUnsuitable
				}
				continue
			}
			level := s.level[head]
			for _, a := range r.Body {
				above := 0
				if e.adds(head) || e.rels[a.Rel].modes != nil && !reach[a.Rel][head] {
					above = 1
				}
				level = max(level, s.level[a.Rel]+above)
			}
			for _, a := range r.Absent {
				level = max(level, s.level[a.Rel]+1)
			}
			if level > s.level[head] {
				s.level[head], changed = level, true
			}
		}
	}
	for rel, loose := range s.loose {
		s.levels = max(s.levels, s.level[rel]+1)
		if loose {
			s.level[rel] = -1
			e.rels[rel].widen(0)
		}
	}
	return nil
}

// adds reports whether a relation adds the values of rows.
func (e *evaluation) adds(rel int) bool { return slices.Contains(e.rels[rel].modes, Sum) }

// isMonotone reports whether the rule may use values with modes before they are final, from relations that depend on
// the head, and still has the same final rows.
func (e *evaluation) isMonotone(r *Rule, mutual func(rel int) bool) bool {
	ways := make([]way, r.places())
	uses := make([]int, r.places())
	wayOf := func(t Term) way {
		if !t.isVar() {
			return 0
		}
		return ways[t]
	}
	for a := range r.atoms() {
		for _, t := range a.Args {
			if t.isVar() {
				uses[t]++
			}
		}
	}
	for _, a := range r.Body {
		if !mutual(a.Rel) {
			continue
		}
		if e.adds(r.Head.Rel) || e.adds(a.Rel) {
			return false
		}
		rel := e.rels[a.Rel]
		for i, mode := range rel.modes {
			t := a.Args[rel.keys()+i]
			if !t.isVar() || uses[t] > 1 {
				return false
			}
			ways[t] = mode.way()
		}
	}
	for _, c := range r.Calcs {
		left, right := wayOf(c.Left), wayOf(c.Right)
		switch {
		case c.isTest():
			if !c.stays(left, right) {
				return false
			}
		case c.Out.isVar() && uses[c.Out] == 0 && wayOf(c.Out) == 0:
			ways[c.Out] = c.way(left, right, e.numbers)
			uses[c.Out]++ // another step compares with this result
			if ways[c.Out] == mixed {
				return false
			}
		case left != 0 || right != 0 || wayOf(c.Out) != 0: // values are compared
			return false
		}
	}
	for _, t := range r.Tests {
		if wayOf(t.Left) != 0 || wayOf(t.Right) != 0 {
			return false
		}
	}
	head := e.rels[r.Head.Rel]
	for i, t := range r.Head.Args {
		if w := wayOf(t); w != 0 && (i < head.keys() || head.modes[i-head.keys()].way() != w) {
			return false
		}
	}
	return true
}

// widen tells the relations which columns get integers made by arithmetic.
func (e *evaluation) widen() {
	if e.numbers == nil {
		return
	}
	wide := make([]uint64, len(e.rels))
	for changed := true; changed; {
		changed = false
		for i := range e.rules {
			r := &e.rules[i]
			open := make([]bool, r.places())
			for _, c := range r.Calcs {
				if c.Op == Is && c.Out.isVar() {
					open[c.Out] = true
				}
			}
			for _, a := range r.Body {
				for at, t := range a.Args {
					if wide[a.Rel]>>at&1 != 0 && t.isVar() {
						open[t] = true
					}
				}
			}
			head := r.Head.Rel
			mask := wide[head]
			for at, t := range r.Head.Args {
				if t.isVar() && open[t] || e.adds(head) && at >= e.rels[head].keys() {
					mask |= 1 << at
				}
			}
			if mask != wide[head] {
				wide[head], changed = mask, true
			}
		}
	}
	for rel, mask := range wide {
		if mask != 0 {
			e.rels[rel].widen(mask)
		}
	}
}
