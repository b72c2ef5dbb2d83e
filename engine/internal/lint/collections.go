package lint

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the search for collections that lose values which a sum needs, and for collections with several
// answers where one was promised.

// collected is a goal that collects the instances of a template from the solutions of a goal.
type collected struct {
	name     term.Atom
	set      bool // equal values are kept once
	template term.Term
	goals    goal // without the variables quantified by ^
	list     *term.Var
	// own are the variables quantified by ^.
	own map[*term.Var]bool
}

// collecting reads a goal that collects values into a list variable.
func (s *scope) collecting(g goal) (c collected, ok bool) {
	name, arity, _ := term.Indicator(g.Term)
	_, defined := s.c.predicates[keyOf(s.cl.key.Module, string(name), arity)]
	if arity != 3 || defined {
		return c, false
	}
	args := g.Term.(*term.Compound).Args
	c = collected{name: name, set: name == "setof", template: args[0], goals: g.Arg(1), own: map[*term.Var]bool{}}
	switch name {
	case "setof", "bagof":
		for inner, isOwn := term.Is(c.goals.Term, "^", 2); isOwn; inner, isOwn = term.Is(c.goals.Term, "^", 2) {
			variables(inner[0], c.own)
			c.goals = c.goals.Arg(1)
		}
	case "aggregate_all":
		kind, arity, _ := term.Indicator(args[0])
		if arity != 1 || kind != "set" && kind != "bag" {
			return c, false
		}
		c.set, c.template = kind == "set", args[0].(*term.Compound).Args[0]
	case "findall":
	default:
		return c, false
	}
	c.list, ok = args[2].(*term.Var)
	return c, ok
}

// collection examines a goal that collects values.
func (s *scope) collection(g goal, later *sequel) {
	c, ok := s.collecting(g)
	if !ok {
		return
	}
	if c.name == "setof" || c.name == "bagof" {
		s.groups(g, &c, later)
	}
	if v, isPlain := c.template.(*term.Var); isPlain && s.c.tells(s.cl, c.goals, v, s.bound, 0) {
		s.lostInSum(&c, later)
	}
}

// groups reports a goal with one answer for each value of a free variable, in a predicate that promises one answer.
func (s *scope) groups(g goal, c *collected, later *sequel) {
	promises := func(proof term.Term) bool { return proof == term.Atom("one") || proof == term.Atom("zero_or_one") }
	if s.first > 0 || cuts(later) || len(s.p.proofs) == 0 ||
		slices.ContainsFunc(s.p.proofs, func(t term.Term) bool { return !promises(t) }) {
		return
	}
	inside := map[*term.Var]bool{}
	variables(c.template, inside)
	for _, v := range term.Variables(c.goals.Term) {
		if inside[v] || c.own[v] || s.bound[v] || !uses(c.goals.Term, v) || occurs(v, later) {
			continue
		}
		name := s.cl.nameOf(v)
		s.c.report(s.cl, g.Layout, "free_variable", "%s/3 answers once for each value of %s, and mode/2 promises one "+
			"answer; write %s^ before its goal if all belong into one list", c.name, name, name)
		return
	}
}

// cuts reports whether a cut comes later in the conjunctions.
func cuts(later *sequel) bool {
	for ; later != nil; later = later.then {
		if slices.ContainsFunc(later.goals, func(g goal) bool { return g.Term == term.Term(term.Atom("!")) }) {
			return true
		}
	}
	return false
}

// tells reports whether equal values of a variable are told apart by another value. This holds if the first goal with
// the variable also has another variable that is not bound before, or if each rule of that goal tells values apart.
func (c *checker) tells(cl *clause, g goal, v *term.Var, bound map[*term.Var]bool, deep int) bool {
	for _, one := range g.Conjuncts() {
		if !has(one.Term, v) {
			continue
		}
		if inner, _ := c.inner(cl, one); len(inner) > 0 {
			return false
		}
		others := map[*term.Var]bool{}
		variables(one.Term, others)
		args, name := argumentsOfGoal(one)
		if at := slices.Index(args, term.Term(v)); at >= 0 && c.weights(keyOf(cl.key.Module, name, len(args)), at) {
			return false
		}
		if name == "is" && len(args) == 2 && args[0] == term.Term(v) {
			operands := term.Variables(args[1])
			return deep < maxChain && len(operands) <= maxWays && slices.ContainsFunc(operands, func(from *term.Var) bool {
				return !bound[from] && c.tells(cl, g, from, bound, deep+2)
			})
		}
		for other := range others {
			if other != v && !bound[other] {
				return true
			}
		}
		called := c.predicates[keyOf(cl.key.Module, name, len(args))]
		return deep < maxChain && c.rulesTell(called, slices.Index(args, term.Term(v)), deep)
	}
	return false
}

// weights reports whether the values of an argument of facts are distinct powers of two, so that their sum determines
// which of them are present.
func (c *checker) weights(k key, at int) bool {
	seen := map[term.Int]bool{}
	rows := c.facts(k)
	return len(rows) > 1 && !slices.ContainsFunc(rows, func(row *clause) bool {
		n, isInt := row.args[at].(term.Int)
		known := seen[n]
		seen[n] = true
		return !isInt || known || n < 1 || n&(n-1) != 0
	})
}

// rulesTell reports whether each clause of a predicate tells equal values of an argument apart.
func (c *checker) rulesTell(p *predicate, at, deep int) bool {
	return p != nil && at >= 0 && len(p.clauses) > 0 && !slices.ContainsFunc(p.clauses, func(cl *clause) bool {
		v, isVariable := cl.args[at].(*term.Var)
		if !isVariable || cl.isFact() || cl.apart {
			return true
		}
		bound := map[*term.Var]bool{}
		for i, arg := range cl.args {
			if i != at {
				variables(arg, bound)
			}
		}
		return bound[v] || !c.tells(cl, cl.goals, v, bound, deep+1)
	})
}

// sets lists the predicates whose last argument is another list argument without duplicates; the value is the position
// of that argument.
var sets = map[key]int{keyOf("", "sort", 2): 0, keyOf("", "list_to_set", 2): 0, keyOf("", "list_to_ord_set", 2): 0,
	keyOf("", "sort", 4): 2}

// lostInSum reports a sum, in a later goal, of a list from which duplicates have been removed.
func (s *scope) lostInSum(c *collected, later *sequel) {
	list, by, lost := c.list, c.name, c.set
	for ; later != nil; later = later.then {
		for _, one := range later.goals {
			args, name := argumentsOfGoal(one)
			at, isSet := sets[keyOf("", name, len(args))]
			switch {
			case isSet && args[at] == term.Term(list):
				if order, _ := args[1].(term.Atom); len(args) == 4 && order != "@<" && order != "@>" {
					continue
				}
				if v, isPlain := args[len(args)-1].(*term.Var); isPlain {
					list, by, lost = v, term.Atom(name), true
				}
			case lost && (name == "sum_list" || name == "sumlist") && len(args) == 2 && args[0] == term.Term(list):
				s.c.report(s.cl, one.Layout, "distinct_sum", "this sum has equal values once: %s drops what comes twice; "+
					"add the list of findall/3", by)
				return
			}
		}
	}
}

// argumentsOfGoal returns the arguments and the name of a goal.
func argumentsOfGoal(g goal) ([]term.Term, string) {
	plain, _ := g.Plain()
	c, ok := plain.Term.(*term.Compound)
	if !ok {
		return nil, ""
	}
	return c.Args, string(c.Functor)
}
