package lint

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the search for facts that are stored under a misspelt name, and for changes of predicates that are
// not dynamic.

// storing lists the predicates that store a clause.
var storing = map[term.Atom]bool{"assert": true, "asserta": true, "assertz": true}

// changesStatic returns the predicate that a goal would change although it is not dynamic, nil for any other goal.
func (c *checker) changesStatic(cl *clause, g goal) *predicate {
	name, arity, _ := term.Indicator(g.Term)
	if arity != 1 || !storing[name] && name != "retract" && name != "retractall" {
		return nil
	}
	what := g.Term.(*term.Compound).Args[0]
	if args, ok := term.Is(what, ":-", 2); ok {
		what = args[0]
	}
	stored, arity, ok := term.Indicator(what)
	k := c.world.Resolve(cl.key.Module, string(stored), arity)
	p := c.predicates[k]
	if !ok || p == nil || len(p.clauses) == 0 || c.predicates[keyOf(cl.key.Module, string(name), 1)] != nil ||
		c.world.Open(k, len(p.clauses)+p.left) {
		return nil
	}
	return p
}

// changing records the predicates named in a directive dynamic/1 or persistent/1,2.
func (c *checker) changing(module string, t term.Term) {
	name, arity, _ := term.Indicator(t)
	if name != "dynamic" && name != "persistent" || arity == 0 {
		return
	}
	visit(t.(*term.Compound).Args[0], func(t term.Term) {
		if name, arity, _, ok := shapes.NameArity(t); ok && arity < 100 {
			c.dynamic[keyOf(module, string(name), int(arity))] = true
		}
	})
}

// unasked reports clauses stored for a predicate that occurs nowhere else, if a dynamic predicate has a similar name.
func (c *checker) unasked() {
	type place struct {
		cl *clause
		g  goal
	}
	stored, times := map[key]place{}, map[term.Atom]int{}
	var order []key
	for _, p := range c.order {
		for _, cl := range p.clauses {
			each(cl.goals, func(g goal) {
				name, arity, _ := term.Indicator(g.Term)
				if arity != 1 || !storing[name] {
					return
				}
				what := g.Arg(0)
				if args, ok := term.Is(what.Term, ":-", 2); ok && args != nil {
					what = what.Arg(0)
				}
				if name, arity, ok := term.Indicator(what.Term); ok && arity > 0 {
					k := keyOf(cl.key.Module, string(name), arity)
					if times[name]++; stored[k].cl == nil {
						stored[k], order = place{cl, what}, append(order, k)
					}
				}
			})
		}
	}
	for _, k := range order {
		if c.mentioned[term.Atom(k.Name)] > times[term.Atom(k.Name)] || c.predicates[k] != nil || c.dynamic[k] {
			continue
		}
		var names []string
		for other := range c.dynamic {
			if other.Module == k.Module && other.Arity == k.Arity && digitless(other.Name) != digitless(k.Name) {
				names = append(names, other.Name)
			}
		}
		slices.Sort(names)
		if near := spell.Nearest(k.Name, names); near != "" {
			at := stored[k]
			c.report(at.cl, at.g.Layout, "unasked", "no goal asks %s, which is stored here; did you mean %s?", k, near)
		}
	}
}

// digitless returns a name without its digits, as x1 is no misspelling of x2.
func digitless(name string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, name)
}
