package recursive

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file reduces rules and their columns before they are written as SQL.

// program is a recursion that is being simplified.
type program struct {
	*relation.Recursion
	rules   []relation.Rule
	arities []int
}

// simplified returns the rules without rules that never hold, without relations of a single known row, and without
// columns that have the same value in all rows.
func simplified(r *relation.Recursion) *program {
	p := &program{Recursion: r, rules: slices.Clone(r.Rules)}
	for _, rel := range r.Relations {
		p.arities = append(p.arities, rel.Arity)
	}
	for p.dropEmpty() || p.placeRow() || p.dropColumn() {
	}
	return p
}

// rulesOf returns the rules of a relation.
func (p *program) rulesOf(rel int) (list []relation.Rule) {
	for _, r := range p.rules {
		if r.Head.Relation == rel {
			list = append(list, r)
		}
	}
	return list
}

// dropEmpty drops rules about relations that have no rows.
func (p *program) dropEmpty() bool {
	filled := make([]bool, len(p.Relations))
	for i, rel := range p.Relations {
		filled[i] = rel.Table != nil
	}
	isEmpty := func(l relation.Literal) bool { return !filled[l.Relation] }
	for more := true; more; {
		more = false
		for _, r := range p.rules {
			if !filled[r.Head.Relation] && !slices.ContainsFunc(r.Body, isEmpty) {
				filled[r.Head.Relation], more = true, true
			}
		}
	}
	before := len(p.rules)
	p.rules = slices.DeleteFunc(p.rules, func(r relation.Rule) bool { return slices.ContainsFunc(r.Body, isEmpty) })
	return len(p.rules) < before
}

// placeRow puts the values of a relation of a single known row into the rules about it.
func (p *program) placeRow() bool {
	for _, row := range p.rules {
		rel := row.Head.Relation
		if len(row.Body) > 0 || rel == p.Goal || len(p.rulesOf(rel)) != 1 {
			continue
		}
		var rules []relation.Rule
		for _, r := range p.rules {
			holds := r.Head.Relation != rel
			for i := 0; holds && i < len(r.Body); i++ {
				if r.Body[i].Relation != rel {
					continue
				}
				args := r.Body[i].Args
				r.Body = slices.Delete(slices.Clone(r.Body), i, i+1)
				i--
				r, holds = equated(r, args, row.Head.Args)
			}
			if holds {
				rules = append(rules, r)
			}
		}
		p.rules = rules
		return true
	}
	return false
}

// equated returns a rule in which the variables of args have the given values. ok is false if args and values differ.
func equated(r relation.Rule, args, values []relation.Operand) (made relation.Rule, ok bool) {
	known := map[int]term.Term{}
	for i, a := range args {
		value := a.Value
		if value == nil {
			value = known[a.Var]
		}
		if value == nil {
			known[a.Var] = values[i].Value
		} else if value != values[i].Value {
			return r, false
		}
	}
	return placed(r, known), true
}

// placed returns a rule in which known variables are replaced by their values.
func placed(r relation.Rule, known map[int]term.Term) relation.Rule {
	operand := func(o relation.Operand) relation.Operand {
		if v := known[o.Var]; o.Value == nil && v != nil {
			return relation.Operand{Value: v}
		}
		return o
	}
	literal := func(l relation.Literal) relation.Literal {
		made := relation.Literal{Relation: l.Relation}
		for _, o := range l.Args {
			made.Args = append(made.Args, operand(o))
		}
		return made
	}
	made := relation.Rule{Head: literal(r.Head)}
	for _, l := range r.Body {
		made.Body = append(made.Body, literal(l))
	}
	for _, c := range r.Comparisons {
		c.Left, c.Right = operand(c.Left), operand(c.Right)
		made.Comparisons = append(made.Comparisons, c)
	}
	return made
}

// dropColumn drops a column that has the same value in all rows.
func (p *program) dropColumn() bool {
	for rel := range p.Relations {
		if p.Relations[rel].Table != nil || rel == p.Goal {
			continue
		}
		for at := range p.arities[rel] {
			if v := p.only(rel, at); v != nil {
				p.drop(rel, at, v)
				return true
			}
		}
	}
	return false
}

// only returns the value that a column has in all rows, or nil if the value may differ.
func (p *program) only(rel, at int) (only term.Term) {
	for _, r := range p.rulesOf(rel) {
		head := r.Head.Args[at]
		passes := slices.ContainsFunc(r.Body, func(l relation.Literal) bool {
			return l.Relation == rel && head.Value == nil && l.Args[at] == head
		})
		switch {
		case passes:
		case head.Value == nil || only != nil && only != head.Value:
			return nil
		default:
			only = head.Value
		}
	}
	return only
}

// drop drops a column whose value is known.
func (p *program) drop(rel, at int, value term.Term) {
	without := func(l relation.Literal) relation.Literal {
		return relation.Literal{Relation: rel, Args: slices.Delete(slices.Clone(l.Args), at, at+1)}
	}
	var rules []relation.Rule
	for _, r := range p.rules {
		holds := true
		for i := range r.Body {
			if l := r.Body[i]; holds && l.Relation == rel {
				r, holds = equated(r, l.Args[at:at+1], []relation.Operand{{Value: value}})
				if holds {
					r.Body[i] = without(r.Body[i])
				}
			}
		}
		if !holds {
			continue
		}
		if r.Head.Relation == rel {
			r.Head = without(r.Head)
		}
		rules = append(rules, r)
	}
	p.rules = rules
	p.arities[rel]--
}
