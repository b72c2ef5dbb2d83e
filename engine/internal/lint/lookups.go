package lint

import (
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the search for values without a fact in the lookup of a number. A clause that needs the number has
// no answer for such a value, and an average of no values divides by zero.

// lookups walks through the goals of a clause.
type lookups struct {
	c  *checker
	p  *predicate
	cl *clause
	// values has the possible values of variables, from earlier goals on facts, from calls and from mode/2.
	values map[*term.Var][]term.Term
	// left bounds the remaining search of passes.
	left int
}

// missing examines the only clause of a predicate. It skips calls whose failure is handled.
func (c *checker) missing(p *predicate) {
	cl := p.clauses[0]
	if len(p.clauses) != 1 || cl.isFact() || cl.apart || len(p.modes) == 0 && !c.failureMatters(cl.key) {
		return
	}
	l := &lookups{c: c, p: p, cl: cl, values: map[*term.Var][]term.Term{}}
	goals := cl.conjuncts()
	for i, arg := range cl.args {
		if v := variableOf(arg); v != nil {
			l.values[v] = c.argumentValues(p, cl.key, i, maxChain)
		}
	}
	l.walk(nil, goals, "has no answer there")
}

// walk walks through a conjunction after other goals. so says what happens to a value without a fact.
func (l *lookups) walk(outer, goals []goal, so string) {
	for i, g := range goals {
		before := slices.Concat(outer, goals[:i])
		args, name := argumentsOfGoal(g)
		if name == "retract" && len(args) == 1 {
			g = g.Arg(0)
			args, name = argumentsOfGoal(g)
		}
		if q := l.c.predicates[l.c.world.Resolve(l.cl.key.Module, name, len(args))]; q != nil && q.factsOnly() {
			l.lookup(before, g, q, args, so)
			l.note(q, args)
		} else if len(args) == 3 && (name == "findall" || name == "aggregate_all") {
			outside := maps.Clone(l.values)
			l.walk(before, g.Arg(1).Conjuncts(), "leaves that out")
			l.values = outside
		}
		l.divisor(before, g)
	}
}

// factsOnly reports whether the text has only facts for a predicate.
func (p *predicate) factsOnly() bool {
	return len(p.clauses) > 0 && p.more == nil &&
		!slices.ContainsFunc(p.clauses, func(cl *clause) bool { return !cl.isFact() })
}

// failureMatters reports whether some call of a predicate is a condition of a clause, and no branch or collection
// handles its failure.
func (c *checker) failureMatters(k key) bool {
	return slices.ContainsFunc(c.sites[k], func(s site) bool {
		return slices.ContainsFunc(s.cl.conjuncts(), func(g goal) bool { return g.Layout == s.g.Layout })
	})
}

// note stores the values that facts give to variables.
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
	return distinct(list)
}

// distinct returns the terms of a list in order, each once. The list is overwritten.
func distinct(list []term.Term) []term.Term {
	slices.SortFunc(list, term.Compare)
	return slices.CompactFunc(list, term.Equal)
}

// argumentValues returns the values that calls give to an argument, nil if they are unknown.
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
	return distinct(list)
}

// askedBefore returns the values that earlier goals on facts give to an argument of a call.
func (c *checker) askedBefore(s site, arg term.Term) []term.Term {
	if isAtomic(arg) {
		return []term.Term{arg}
	}
	for _, g := range s.cl.conjuncts() {
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

// maxPassed bounds the goals that are evaluated with values.
const maxPassed = 20_000

// lookup reports values for which no fact has a number, if the clause calculates with the number.
func (l *lookups) lookup(before []goal, g goal, q *predicate, args []term.Term, so string) {
	tried, needed, inHead := 1, false, 0
	var at []int // the arguments of the lookup, each with its values
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
			inHead += min(1, l.cl.inHead(v))
		case l.cl.inHead(v) > 0 && !l.p.isOutput(slices.Index(l.cl.args, arg)):
			return
		case !slices.ContainsFunc(q.clauses, func(row *clause) bool { return !isNumber(row.args[i]) }):
			needed = needed || l.c.reckons(l.cl, v, maxChain)
		}
	}
	if !needed || tried > maxTried || tried < 2 || inHead > 1 && len(l.p.modes) == 0 { // calls need not have all pairs
		return
	}
	var first []term.Term
	found := false
	l.left = maxPassed
	for n := range tried {
		one, known := make([]term.Term, len(at)), valuesOf{}
		for k, list := range values {
			one[k] = list[n%len(list)]
			known[args[at[k]]] = one[k]
			n /= len(list)
		}
		if slices.ContainsFunc(q.clauses, func(row *clause) bool { return row.hasAll(at, one) }) {
			found = true
		} else if first == nil && l.passes(before, known) {
			first = one
		}
	}
	if found && first != nil {
		l.c.report(l.cl, g.Layout, "no_row", "%s fits no fact, so that %s %s; if a value is meant, such as 0, add the fact "+
			"or a rule for it", point(q, at, first), l.cl.key, so).Note = true
	}
}

// surely lists the predicates that do not fail if an argument is a new variable.
var surely = map[key]int{keyOf("", "findall", 3): 2, keyOf("", "aggregate_all", 3): 2, keyOf("", "length", 2): 1,
	keyOf("", "sum_list", 2): 1, keyOf("", "sumlist", 2): 1, keyOf("", "is", 2): 0}

// passes reports whether goals certainly hold for some values. It evaluates facts, rules about facts and comparisons.
// All other goals must be unable to fail or unrelated to the values.
func (l *lookups) passes(goals []goal, known valuesOf) bool {
	if l.left--; l.left < 0 || len(goals) == 0 {
		return l.left >= 0
	}
	args, name := argumentsOfGoal(goals[0])
	q := l.c.predicates[l.c.world.Resolve(l.cl.key.Module, name, len(args))]
	for _, cl := range l.clausesOf(q) {
		after, local, fits, sure := fit(args, cl.args, known)
		if fits && sure && l.passes(cl.conjuncts(), local) && l.passes(goals[1:], after) {
			return true
		}
	}
	related, after := false, maps.Clone(known)
	for _, v := range term.Variables(goals[0].Term) {
		_, seen := known[v]
		if related = related || seen; !seen {
			after[v] = nil
		}
	}
	sure := !related && (q == nil || !q.factsOnly())
	if at, ok := surely[keyOf("", name, len(args))]; ok && q == nil && isVar(args[at]) {
		_, seen := known[args[at]]
		kind, arity, _ := term.Indicator(args[0])
		sure = sure || !seen && (name != "aggregate_all" || arity == 0 || kind == "sum" || kind == "count" || kind == "bag")
	}
	if op := term.Atom(name); mirrored[op] != "" && len(args) == 2 {
		within, numbers := limit{}, band{values: known}
		if x, y := numbers.number(args[0]), numbers.number(args[1]); x != nil && y != nil {
			within.bound(op, y)
			sure = within.takes(x)
		}
	}
	if name == "\\+" && len(args) == 1 {
		inner, denied := argumentsOfGoal(goals[0].Arg(0))
		rows := l.clausesOf(l.c.predicates[l.c.world.Resolve(l.cl.key.Module, denied, len(inner))])
		sure = sure || len(rows) > 0 && !slices.ContainsFunc(rows, func(cl *clause) bool {
			_, _, fits, _ := fit(inner, cl.args, known)
			return fits
		})
	}
	return sure && l.passes(goals[1:], after)
}

// clausesOf returns the clauses of a predicate of the module if their goals only call facts and compare numbers, so
// that none throws or cuts.
func (l *lookups) clausesOf(q *predicate) []*clause {
	if q == nil || q.more != nil || slices.ContainsFunc(q.clauses, func(cl *clause) bool {
		return cl.key.Module != l.cl.key.Module || cl.apart || cl.changed != "" || cl.read.DictCalls ||
			!cl.isFact() && slices.ContainsFunc(cl.conjuncts(), l.mayThrow)
	}) {
		return nil
	}
	return q.clauses
}

// mayThrow reports whether a goal is neither a call of facts, nor the negation of one, nor about numbers.
func (l *lookups) mayThrow(g goal) bool {
	args, name := argumentsOfGoal(g)
	if name == "\\+" && len(args) == 1 {
		args, name = argumentsOfGoal(g.Arg(0))
	}
	q := l.c.predicates[l.c.world.Resolve(l.cl.key.Module, name, len(args))]
	return (q == nil || !q.factsOnly()) && (q != nil || len(args) != 2 || !evaluated[term.Atom(name)])
}

// valuesOf holds the values of variables, nil for unknown ones.
type valuesOf = map[term.Term]term.Term

// fit compares the arguments of a call with those of a head. after has the resulting values of the caller's variables,
// local the values of the clause's variables. fits says that the call may match. sure says that it does, if it may.
func fit(args, head []term.Term, known valuesOf) (after, local valuesOf, fits, sure bool) {
	after, local, fits, sure = maps.Clone(known), valuesOf{}, true, true
	for i, arg := range args {
		value, seen := after[arg]
		if !isVar(arg) {
			value, seen = arg, true
		}
		_, twice := local[head[i]]
		switch {
		case isVar(head[i]) && seen:
			local[head[i]] = value
			sure = sure && !twice && (value == nil || isAtomic(value))
		case isVar(head[i]):
			after[arg] = nil
		case !seen:
			after[arg] = head[i]
		case value != nil && isAtomic(value) && isAtomic(head[i]):
			fits = fits && term.Equal(value, head[i])
		default:
			sure = false
		}
	}
	return after, local, fits, sure
}

// hasAll reports whether a fact has some values at some argument positions.
func (cl *clause) hasAll(at []int, values []term.Term) bool {
	for k, i := range at {
		if !term.Equal(cl.args[i], values[k]) {
			return false
		}
	}
	return true
}

// reckons reports whether a goal of a clause calculates with a variable or compares it as a number, or passes it to a
// clause that does.
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

// divisor reports a division by a count of solutions, if the count is zero for some value and no goal tests that
// before.
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

// countsNone returns an input with a value for which a count is zero. It returns "" if the number is no count, or if an
// earlier goal tests it.
func (l *lookups) countsNone(before []goal, n term.Term) (with string) {
	counted := n
	for i := len(before) - 1; i >= 0; i-- {
		args, name := argumentsOfGoal(before[i])
		switch {
		case name == "length" && len(args) == 2 && args[1] == n && counted == n && isVar(args[0]):
			counted = args[0]
		case len(args) == 3 && args[2] == counted && (name == "findall" && counted != n ||
			name == "aggregate_all" && args[0] == term.Term(term.Atom("count")) && counted == n):
			return l.none(before, before[i].Arg(1))
		case name != "sum_list" && name != "sumlist" && (has(before[i].Term, variableOf(n)) ||
			has(before[i].Term, variableOf(counted))):
			return ""
		}
	}
	return ""
}

// none returns an input with a value for which the earlier goals hold and a goal has no answer, "" if there is none.
func (l *lookups) none(before []goal, g goal) (with string) {
	l.left = maxPassed
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
			if l.c.failsWith(l.cl.key.Module, g, v, value, maxChain) &&
				l.passes(before, valuesOf{v: value}) {
				return l.cl.nameOf(v) + " = " + syntax.FormatTerm(value)
			}
		}
	}
	return ""
}
