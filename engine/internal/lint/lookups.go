package lint

import (
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the search for values that have no fact where a number is looked up: a clause that needs the number
// has no answer for them, and an average of nothing divides by zero.

// lookups goes through the goals of a clause.
type lookups struct {
	c  *checker
	p  *predicate
	cl *clause
	// values has those of variables, from facts asked before, from calls or from mode/2.
	values map[*term.Var][]term.Term
}

// missing looks at the only clause of a predicate. A call whose failure is provided for is not looked at.
func (c *checker) missing(p *predicate) {
	cl := p.clauses[0]
	if len(p.clauses) != 1 || cl.isFact() || cl.apart || len(p.modes) == 0 && !c.failureMatters(cl.key) {
		return
	}
	l := &lookups{c: c, p: p, cl: cl, values: map[*term.Var][]term.Term{}}
	goals := cl.goals.Conjuncts()
	for i, arg := range cl.args {
		if v := variableOf(arg); v != nil {
			l.values[v] = c.argumentValues(p, cl.key, i, maxChain)
		}
	}
	l.walk(goals, "has no answer there")
}

// walk goes through a conjunction. so says what becomes of a value without a fact.
func (l *lookups) walk(goals []goal, so string) {
	for i, g := range goals {
		args, name := argumentsOfGoal(g)
		if name == "retract" && len(args) == 1 {
			g = g.Arg(0)
			args, name = argumentsOfGoal(g)
		}
		if q := l.c.predicates[l.c.world.Resolve(l.cl.key.Module, name, len(args))]; q != nil && q.factsOnly() {
			l.lookup(g, q, args, so)
			l.note(q, args)
		} else if len(args) == 3 && (name == "findall" || name == "aggregate_all") {
			outside := maps.Clone(l.values)
			l.walk(g.Arg(1).Conjuncts(), "leaves that out")
			l.values = outside
		}
		l.divisor(goals[:i], g)
	}
}

// factsOnly reports whether the text has nothing but facts of a predicate.
func (p *predicate) factsOnly() bool {
	return len(p.clauses) > 0 && p.more == nil &&
		!slices.ContainsFunc(p.clauses, func(cl *clause) bool { return !cl.isFact() })
}

// failureMatters reports whether some call of a predicate is a condition of a clause, and no branch or collection
// provides for its failure.
func (c *checker) failureMatters(k key) bool {
	return slices.ContainsFunc(c.sites[k], func(s site) bool {
		return slices.ContainsFunc(s.cl.goals.Conjuncts(), func(g goal) bool { return g.Layout == s.g.Layout })
	})
}

// note notes the values that facts give to variables.
func (l *lookups) note(q *predicate, args []term.Term) {
	for i, arg := range args {
		if v := variableOf(arg); v != nil && l.values[v] == nil && q.factsAt(i) {
			l.values[v] = q.column(i)
		}
	}
}

// column returns the values of an argument of facts, each once.
func (p *predicate) column(i int) (list []term.Term) {
	for _, row := range p.clauses {
		list = append(list, row.args[i])
	}
	slices.SortFunc(list, term.Compare)
	return slices.CompactFunc(list, term.Equal)
}

// argumentValues returns the values that calls give to an argument, nil if they are not known.
func (c *checker) argumentValues(p *predicate, k key, i, depth int) (list []term.Term) {
	if len(p.modes) > 0 {
		if d, _ := term.Is(p.modes[0][i], "+", 1); d != nil && len(p.modes) == 1 {
			return declarationOf(d[0]).values
		}
		return nil
	}
	sites := c.sites[k]
	if depth == 0 || len(sites) != c.mentioned[term.Atom(k.Name)] {
		return nil
	}
	for _, s := range sites {
		values := c.askedBefore(s, s.args[i])
		if at := slices.Index(s.cl.args, s.args[i]); values == nil && at >= 0 {
			values = c.argumentValues(c.predicates[s.cl.key], s.cl.key, at, depth-1)
		}
		if values == nil {
			return nil
		}
		list = append(list, values...)
	}
	slices.SortFunc(list, term.Compare)
	return slices.CompactFunc(list, term.Equal)
}

// askedBefore returns the values that facts have for an argument of a call where the goals before it ask them.
func (c *checker) askedBefore(s site, arg term.Term) []term.Term {
	if isAtomic(arg) {
		return []term.Term{arg}
	}
	for _, g := range s.cl.goals.Conjuncts() {
		args, name := argumentsOfGoal(g)
		k := c.world.Resolve(s.cl.key.Module, name, len(args))
		if g.Layout == s.g.Layout {
			break
		}
		if q := c.predicates[k]; q != nil && slices.Contains(args, arg) && q.factsOnly() {
			if at := slices.Index(args, arg); q.factsAt(at) {
				return q.column(at)
			}
		}
	}
	return nil
}

// maxTried bounds the combinations of values that are looked up.
const maxTried = 1000

// lookup notes values for which facts have no number, if the clause calculates with the number.
func (l *lookups) lookup(g goal, q *predicate, args []term.Term, so string) {
	tried, needed := 1, false
	var at []int // the arguments that are looked up, each with its values
	var values [][]term.Term
	for i, arg := range args {
		v := variableOf(arg)
		switch {
		case v == nil && !isAtomic(arg) || !q.factsAt(i):
			return
		case v == nil:
			at, values = append(at, i), append(values, []term.Term{arg})
		case l.values[v] != nil:
			at, values = append(at, i), append(values, l.values[v])
			tried *= len(l.values[v])
		case l.cl.inHead(v) > 0 && !l.p.isOutput(slices.Index(l.cl.args, arg)):
			return
		case !slices.ContainsFunc(q.clauses, func(row *clause) bool { return !isNumber(row.args[i]) }):
			needed = needed || l.c.reckons(l.cl, v, maxChain)
		}
	}
	if !needed || tried > maxTried || tried < 2 {
		return
	}
	var first []term.Term
	missing := 0
	for n := range tried {
		one := make([]term.Term, len(at))
		for k, list := range values {
			one[k] = list[n%len(list)]
			n /= len(list)
		}
		if !slices.ContainsFunc(q.clauses, func(row *clause) bool { return row.hasAll(at, one) }) {
			if missing++; missing == 1 {
				first = one
			}
		}
	}
	if missing > 0 && missing < tried {
		l.c.report(l.cl, g.Layout, "no_row", "%s fits no fact, so that %s %s; if a value is meant, such as 0, add the fact "+
			"or a rule for it", point(q, at, first), l.cl.key, so).Note = true
	}
}

// hasAll reports whether a fact has some values as its arguments at some places.
func (cl *clause) hasAll(at []int, values []term.Term) bool {
	for k, i := range at {
		if !term.Equal(cl.args[i], values[k]) {
			return false
		}
	}
	return true
}

// reckons reports whether a goal of a clause calculates with a variable or compares it as a number, or one that it
// is passed to.
func (c *checker) reckons(cl *clause, v *term.Var, depth int) (found bool) {
	c.everyGoal(cl, func(g goal) {
		args, name := argumentsOfGoal(g)
		q, at := c.predicates[c.world.Resolve(cl.key.Module, name, len(args))], slices.Index(args, term.Term(v))
		found = found || len(args) == 2 && evaluated[term.Atom(name)] && has(g.Term, v) ||
			q != nil && at >= 0 && depth > 0 && slices.ContainsFunc(q.clauses, func(other *clause) bool {
				w := variableOf(other.args[at])
				return w != nil && !other.isFact() && c.reckons(other, w, depth-1)
			})
	})
	return found
}

// divisions are the functions that throw if their second argument is zero.
var divisions = map[term.Atom]bool{"/": true, "//": true, "rdiv": true, "div": true, "mod": true, "rem": true}

// divisor reports a division by the number of things found, where a value has none and no goal asks before.
func (l *lookups) divisor(before []goal, g goal) {
	name, arity, _ := term.Indicator(g.Term)
	if arity != 2 || !evaluated[name] {
		return
	}
	visit(g.Term, func(t term.Term) {
		args, ok := t.(*term.Compound)
		if !ok || len(args.Args) != 2 || !divisions[args.Functor] || !isVar(args.Args[1]) {
			return
		}
		if with := l.countsNone(before, args.Args[1]); with != "" {
			l.c.report(l.cl, g.Layout, "zero_divisor", "%s is 0 with %s, for which nothing is found; ask %[1]s > 0 before this "+
				"division", l.cl.show(args.Args[1]), with)
		}
	})
}

// countsNone returns an input with a value for which a number counts nothing. It returns "" if the number is no count,
// or a goal asks before how many there are.
func (l *lookups) countsNone(before []goal, n term.Term) (with string) {
	counted := n
	for i := len(before) - 1; i >= 0; i-- {
		args, name := argumentsOfGoal(before[i])
		switch {
		case name == "length" && len(args) == 2 && args[1] == n && counted == n && isVar(args[0]):
			counted = args[0]
		case len(args) == 3 && args[2] == counted && (name == "findall" && counted != n ||
			name == "aggregate_all" && args[0] == term.Term(term.Atom("count")) && counted == n):
			return l.none(before[i].Arg(1))
		case name != "sum_list" && name != "sumlist" && (has(before[i].Term, variableOf(n)) ||
			has(before[i].Term, variableOf(counted))):
			return ""
		}
	}
	return ""
}

// none returns an input with a value for which goals have no answer, "" if there is none.
func (l *lookups) none(g goal) (with string) {
	for i, arg := range l.cl.args {
		v := variableOf(arg)
		if v == nil || !l.p.isInput(i) || !uses(g.Term, v) {
			continue
		}
		values := l.values[v]
		if declared, _ := term.Is(l.p.modes[0][i], "+", 1); values == nil && declared[0] == term.Term(term.Atom("atom")) {
			values = []term.Term{unknownValue}
		}
		for _, value := range values {
			if l.c.failsWith(l.cl.key.Module, g, v, value, maxChain) {
				return l.cl.nameOf(v) + " = " + syntax.FormatTerm(value)
			}
		}
	}
	return ""
}
