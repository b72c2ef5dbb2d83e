package lint

import "github.com/mcplogic/mcplogic/engine/term"

// This file defines the search for recursion that does not end, is slow in a table, or is wrong in one.

// leftRecursion reports a clause that calls its own predicate first, with nothing that becomes less.
func (c *checker) leftRecursion(p *predicate, cl *clause) {
	if p.tabled || cl.key.arity == 0 {
		return
	}
	first := conjunction(cl.body, cl.layout)[0]
	args, ok := first.call(cl.key)
	if !ok || !circles(cl.args, args) {
		return
	}
	f := c.report(cl, first.layout, "left_recursion",
		"%s calls itself before anything else and with nothing that becomes less, so that it does not end; add :- table %s.",
		cl.key, cl.key)
	f.Insert, f.Line = ":- table "+cl.key.String()+".", cl.line
	for _, other := range p.clauses {
		if other.file == cl.file {
			f.Line = min(f.Line, other.line)
		}
	}
}

// circles reports whether a call with some arguments comes to itself, given the arguments of the head: some are passed
// on as they are and the rest is unknown, or all are those of the head in another order.
func circles(head, call []term.Term) bool {
	same, known := 0, 0
	for i, arg := range call {
		switch v, isVariable := arg.(*term.Var); {
		case !isVariable && (arg != head[i] || !isAtomic(arg)):
			return false
		case !isVariable:
		case !isVar(head[i]):
			return false
		case arg == head[i]:
			same, known = same+1, known+1
		default:
			for _, h := range head {
				if h == term.Term(v) {
					known++
					break
				}
			}
		}
	}
	return same > 0 || known > 0 && known == len(call)
}

func isAtomic(t term.Term) bool { _, ok := t.(*term.Compound); return !ok && !isVar(t) }

// rightRecursion reports a tabled predicate that calls itself last with another value of an input. Each value then has
// a table of its own, which holds what those behind it hold again.
func (c *checker) rightRecursion(p *predicate, cl *clause) {
	if !p.tabled || p.table != nil || calls(cl.body, cl.key) != 1 {
		return
	}
	goals := conjunction(cl.body, cl.layout)
	last := goals[len(goals)-1]
	args, ok := last.call(cl.key)
	if !ok || len(goals) < 2 || !passes(cl.args, args) {
		return
	}
	for i, arg := range cl.args {
		from, isVariable := arg.(*term.Var)
		to, isOther := args[i].(*term.Var)
		if isVariable && isOther && from != to && p.isInput(i) && c.stepped(cl, goals[:len(goals)-1], from, to) {
			c.report(cl, last.layout, "right_recursion", "each value of %s gets a table of its own, as %s is called last "+
				"with %s instead; call it first, so that all share one", cl.nameOf(from), cl.key, cl.nameOf(to))
			return
		}
	}
}

// passes reports whether a call passes an argument on as it is.
func passes(head, call []term.Term) bool {
	for i := range head {
		if isVar(head[i]) && head[i] == call[i] {
			return true
		}
	}
	return false
}

// stepped reports whether one variable comes from another by a goal that calls a predicate of the program.
func (c *checker) stepped(cl *clause, goals []goal, from, to *term.Var) bool {
	for _, g := range goals {
		name, arity, ok := term.Indicator(g.term)
		if !ok || !has(g.term, to) {
			continue
		}
		called := c.predicates[key{cl.key.module, string(name), arity}]
		return called != nil && len(called.clauses) > 0 && has(g.term, from)
	}
	return false
}

// monotone reports recursion through a table that keeps the least or greatest value only, where a better value makes a
// worse one or none.
func (c *checker) monotone(p *predicate, cl *clause) {
	if !p.tabled || p.table == nil {
		return
	}
	c.negatedRecursion(cl)
	for i, mode := range p.table {
		name, _ := mode.(term.Atom)
		if name != "min" && name != "max" {
			continue
		}
		eachGoal(cl.body, cl.layout, func(g goal) {
			if args, ok := g.call(cl.key); ok {
				if v, ok := args[i].(*term.Var); ok {
					c.usesOf(cl, v, name)
				}
			}
		})
	}
}

// negatedRecursion reports a call of the clause's own predicate under a negation or in a collection of all solutions.
func (c *checker) negatedRecursion(cl *clause) {
	eachGoal(cl.body, cl.layout, func(g goal) {
		name, arity, ok := term.Indicator(g.term)
		collects := name == "findall" || name == "aggregate_all" || name == "bagof" || name == "setof" || name == "forall"
		if ok && (collects && arity >= 2 || name == "not" && arity == 1) && calls(g.term, cl.key) > 0 {
			c.report(cl, g.layout, "not_monotone", "%s asks for all answers of %s before its table has them; a better "+
				"answer that comes later changes what this was made of", name, cl.key)
		}
	})
	visit(cl.body, func(t term.Term) {
		if args, ok := term.Is(t, "\\+", 1); ok && calls(args[0], cl.key) > 0 {
			c.report(cl, cl.layout, "not_monotone", "\\+ of %s is asked before its table is complete; a better answer that "+
				"comes later changes what this was made of", cl.key)
		}
	})
}

// usesOf reports uses of a value of the table by which a better value, of mode min or max, makes a worse one.
func (c *checker) usesOf(cl *clause, v *term.Var, mode term.Atom) {
	eachGoal(cl.body, cl.layout, func(g goal) {
		c2, ok := g.term.(*term.Compound)
		if !ok || len(c2.Args) != 2 || !evaluated[c2.Functor] || !has(g.term, v) {
			return
		}
		why := ""
		switch {
		case c2.Functor == "is" && falls(c2.Args[1], v):
			why = "the value falls when that rises"
		case c2.Functor != "is" && refusesBetter(c2, v, mode):
			why = "it holds for worse values only"
		default:
			return
		}
		better := map[term.Atom]string{"min": "smaller", "max": "greater"}[mode]
		c.report(cl, g.layout, "not_monotone", "%s is of a table that keeps the %s of its values, and here a %s one does "+
			"not lead to a %s one: %s", cl.nameOf(v), mode, better, better, why)
	})
}

// falls reports whether an expression falls when a variable rises: it is subtracted, negated or divided by.
func falls(e term.Term, v *term.Var) bool {
	c, ok := e.(*term.Compound)
	if !ok {
		return false
	}
	switch {
	case len(c.Args) == 1 && c.Functor == "-":
		return has(c.Args[0], v)
	case len(c.Args) == 2 && (c.Functor == "-" || c.Functor == "/" || c.Functor == "//"):
		return has(c.Args[1], v) && !falls(c.Args[1], v) || falls(c.Args[0], v)
	}
	for _, arg := range c.Args {
		if falls(arg, v) {
			return true
		}
	}
	return false
}

// refusesBetter reports whether a comparison of a value with something else fails for better values.
func refusesBetter(c *term.Compound, v *term.Var, mode term.Atom) bool {
	left, right := has(c.Args[0], v), has(c.Args[1], v)
	if left == right {
		return false
	}
	greater := c.Functor == ">" || c.Functor == ">="
	less := c.Functor == "<" || c.Functor == "=<"
	if right {
		greater, less = less, greater
	}
	return mode == "min" && greater || mode == "max" && less
}
