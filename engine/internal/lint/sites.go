package lint

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the checks of a predicate by its calls: arguments that no call binds, cuts that come too early or
// too late for a call, and default clauses that also hold beside other clauses.

// site is a call of a predicate of the program.
type site struct {
	cl   *clause
	g    goal
	args []term.Term
	// fresh marks the arguments that are variables without an earlier occurrence.
	fresh []bool
	// all is the enclosing goal that takes all answers of the call, or only the first one, "" if there is none.
	all term.Atom
	// given says from which facts the variables have their values.
	given map[term.Term]column
}

// column is an argument of a predicate.
type column struct {
	key
	at int
}

// findSites notes the calls of all predicates.
func (c *checker) findSites() {
	c.sites = map[key][]site{}
	for _, p := range c.order {
		for _, cl := range p.clauses {
			if cl.isFact() {
				continue
			}
			seen := map[*term.Var]bool{}
			for i, arg := range cl.args {
				if !p.isOutput(i) {
					variables(arg, seen)
				}
			}
			s := siteSearch{c: c, cl: cl, seen: seen, given: map[term.Term]column{}, left: maxGoals}
			s.walk(cl.goals, "")
		}
	}
}

// siteSearch walks through a clause in the order of its text.
type siteSearch struct {
	c     *checker
	cl    *clause
	seen  map[*term.Var]bool
	given map[term.Term]column
	left  int
}

func (s *siteSearch) walk(g goal, all term.Atom) {
	for _, one := range g.Conjuncts() {
		if s.left--; s.left < 0 {
			return
		}
		name, arity, _ := term.Indicator(one.Term)
		switch {
		case arity == 2 && (name == ";" || name == "|" || name == "->" || name == "*->"):
			within := all
			if name == "->" {
				within = name
			}
			s.walk(one.Arg(0), within)
			s.walk(one.Arg(1), all)
			continue
		case arity == 1 && (name == "\\+" || name == "not" || name == "tnot"):
			s.walk(one.Arg(0), "")
			continue
		}
		inner, lasts := s.c.inner(s.cl, one)
		within := all
		if !lasts || name == "once" || name == "ignore" {
			within = name
		}
		if lasts {
			for _, arg := range one.Term.(*term.Compound).Args { // catch/3 binds the ball before the recovery
				if !slices.ContainsFunc(inner, func(part goal) bool { return part.Term == arg }) {
					variables(arg, s.seen)
				}
			}
		}
		for _, part := range inner {
			s.walk(part, within)
		}
		s.call(one, all)
		variables(one.Term, s.seen)
	}
}

// call records a goal that calls a predicate of the program.
func (s *siteSearch) call(g goal, all term.Atom) {
	args, name := argumentsOfGoal(g)
	k := s.c.world.Resolve(s.cl.key.Module, name, len(args))
	p := s.c.predicates[k]
	if p == nil || len(p.clauses) == 0 || len(args) == 0 {
		return
	}
	one := site{cl: s.cl, g: g, args: args, fresh: make([]bool, len(args)), all: all, given: s.given}
	for i, arg := range args {
		v := variableOf(arg)
		one.fresh[i] = v != nil && !s.seen[v] && !slices.ContainsFunc(args, func(other term.Term) bool {
			return has(other, v) && other != arg
		}) && slices.Index(args, arg) == i
		if _, known := s.given[arg]; !known && one.fresh[i] {
			s.given[arg] = column{k, i}
		}
	}
	s.c.sites[k] = append(s.c.sites[k], one)
}

// leftFree reports whether all calls of a predicate without a directive mode/2 leave an argument unbound, and no clause
// tests it.
func (c *checker) leftFree(p *predicate, k key, i int) bool {
	list := c.sites[k]
	return len(p.modes) == 0 && len(list) > 0 && len(list) == c.mentioned[term.Atom(k.Name)] &&
		!slices.ContainsFunc(list, func(s site) bool { return !s.fresh[i] }) &&
		!slices.ContainsFunc(p.clauses, func(cl *clause) bool { return variableOf(cl.args[i]) != nil && cl.asks(i) })
}

// calling is one way in which a predicate is called: by mode/2, or by a goal.
type calling struct {
	// takes has the values of the inputs. It is nil for an output and for an argument about which nothing is known.
	takes []*declaration
	// unknown marks the arguments with unknown values, nil if there are none.
	unknown []bool
	// promised says that there is at most one answer, total that there is one, according to mode/2 of the predicate
	// `by`.
	promised, total bool
	by              key
	// from is the call, nil for a way described by mode/2.
	from *site
}

// inputs returns the arguments about whose values something is known.
func (w *calling) inputs() (list []int) {
	for i, d := range w.takes {
		if d != nil {
			list = append(list, i)
		}
	}
	return list
}

// of names the predicate whose mode/2 makes the promise, if it is not the called predicate.
func (w *calling) of(p *predicate) string {
	if k := p.clauses[0].key; w.by != k {
		return " of " + w.by.String()
	}
	return ""
}

// maxCallWays bounds the distinguished calls of a predicate.
const maxCallWays = 16

// chain is a predicate and the number of nested calls followed to it.
type chain struct {
	p     *predicate
	depth int
}

// waysOf returns the ways in which a predicate is called, nil if not all are known. They are computed once.
func (c *checker) waysOf(p *predicate, depth int) []*calling {
	if len(c.sites[p.clauses[0].key]) == 0 {
		return c.findWays(p, depth)
	}
	list, known := c.callings[chain{p, depth}]
	if !known {
		list = c.findWays(p, depth)
		c.callings[chain{p, depth}] = list
	}
	return list
}

// findWays computes them. For a predicate without mode/2 they are the goals that call it.
func (c *checker) findWays(p *predicate, depth int) (list []*calling) {
	k := p.clauses[0].key
	if len(p.modes) == 1 {
		proofs := p.proofs[0]
		w := &calling{takes: make([]*declaration, k.Arity), by: k,
			promised: p.promisesAtMostOne(), total: proofs == term.Term(term.Atom("one"))}
		for i, arg := range p.modes[0] {
			if declared, isInput := term.Is(arg, "+", 1); isInput {
				d := declarationOf(declared[0])
				w.takes[i] = &d
			} else if !p.isOutput(i) {
				return nil
			}
		}
		return []*calling{w}
	}
	sites := c.sites[k]
	if len(p.modes) > 0 || depth == 0 || len(sites) == 0 || len(sites) > maxCallWays ||
		len(sites) != c.mentioned[term.Atom(k.Name)] {
		return nil
	}
	for _, s := range sites {
		callers := c.waysOf(c.predicates[s.cl.key], depth-1)
		if callers == nil {
			arity := s.cl.key.Arity
			callers = []*calling{{takes: make([]*declaration, arity), unknown: slices.Repeat([]bool{true}, arity)}}
		}
		if len(list)+len(callers) > maxCallWays {
			return nil
		}
		for _, caller := range callers {
			list = append(list, c.wayOf(s, caller))
		}
	}
	return list
}

// guarded reports whether a clause of a predicate has a comparison.
func (c *checker) guarded(p *predicate) (found bool) {
	for _, cl := range p.clauses[:min(len(p.clauses), maxBands)] {
		c.everyGoal(cl, func(g goal) {
			name, arity, _ := term.Indicator(g.Term)
			found = found || arity == 2 && (mirrored[term.Atom(strings.TrimPrefix(string(name), "@"))] != "" || name == "==") ||
				name == "between"
		})
	}
	return found
}

// wayOf returns the way of a call, given how its clause is called. A promise of the caller's mode/2 also holds for the
// call if the only clause of the caller needs the call and passes its inputs on.
func (c *checker) wayOf(s site, caller *calling) *calling {
	goals := s.cl.conjuncts()
	at := slices.IndexFunc(goals, func(g goal) bool { return g.Layout == s.g.Layout && g.Layout != nil })
	total := at >= 0 && caller.total && len(c.predicates[s.cl.key].clauses) == 1
	w := &calling{takes: make([]*declaration, len(s.args)), total: total, promised: total, by: caller.by, from: &s}
	for _, g := range goals[at+1:] {
		name, _, _ := term.Indicator(g.Term)
		w.promised = w.promised && name == "is"
	}
	env := flow.Env{}
	for i, d := range caller.takes {
		if d != nil {
			env.Narrow(s.cl.args[i], d.Type)
		}
	}
	before := c.typesBefore(s.cl, env)[s.g.Layout]
	if len(before) < len(s.args) {
		before = make([]flow.Type, len(s.args))
	}
	answers := false
	for i, arg := range s.args {
		passed := slices.Index(s.cl.args, arg)
		own := passed >= 0 && caller.takes[passed] != nil
		output := passed >= 0 && !own && (caller.unknown == nil || !caller.unknown[passed]) && isVar(arg) && at >= 0 &&
			!slices.ContainsFunc(goals[:at], func(g goal) bool { return has(g.Term, variableOf(arg)) })
		switch {
		case s.fresh[i], output:
			answers = answers || s.cl.count(variableOf(arg)) > 1
		case isAtomic(arg):
			w.takes[i] = &declaration{Type: before[i], values: []term.Term{arg}}
		case own && !before[i].Only(flow.Integer):
			w.takes[i] = caller.takes[passed]
		default:
			w.takes[i] = declaredAs(before[i])
			w.unknown = append(w.unknown, w.takes[i] == nil)
			w.total, w.promised = w.total && own, w.promised && own
			continue
		}
		w.unknown = append(w.unknown, false)
	}
	w.promised = w.promised && answers
	return w
}

// typesBefore returns the types that the arguments of the goals of a clause have before each is called, given the known
// types of variables. Without known types they are computed once.
func (c *checker) typesBefore(cl *clause, env flow.Env) map[*syntax.Layout][]flow.Type {
	if known := c.before[cl]; known != nil && len(env) == 0 {
		return known
	}
	types := map[*syntax.Layout][]flow.Type{}
	c.flow.Visit(cl.key.Module, flowClause(cl), env, func(g goal, known flow.Env, _ bool) {
		args, _ := argumentsOfGoal(g)
		if g.Layout == nil || len(args) == 0 {
			return
		}
		if more := len(args) - len(types[g.Layout]); more > 0 { // a closure also has arguments of its caller
			types[g.Layout] = append(types[g.Layout], make([]flow.Type, more)...)
		}
		for i, arg := range args {
			types[g.Layout][i] = flow.Union(types[g.Layout][i], known.Of(arg))
		}
	})
	if len(env) == 0 {
		c.before[cl] = types
	}
	return types
}

// declaredAs returns the declaration of numbers or listed texts that a type is equivalent to, nil for other types.
func declaredAs(t flow.Type) *declaration {
	switch {
	case t.Only(flow.Integer):
		d := whole(t)
		return &d
	case t.Only(flow.Number):
		return &declaration{Type: t, number: true}
	case !t.Empty() && t.Listed():
		return &declaration{Type: t, values: t.Texts()}
	}
	return nil
}

// template reports a variable of a template that the goal does not bind, although it occurs elsewhere too.
func (s *scope) template(g goal, later *sequel) {
	args, name := argumentsOfGoal(g)
	if len(args) < 3 || s.c.predicates[keyOf(s.cl.key.Module, name, len(args))] != nil {
		return
	}
	template := args[0]
	switch name {
	case "findall", "bagof", "setof":
	case "aggregate_all":
		if _, arity, _ := term.Indicator(template); arity == 0 {
			return
		}
	default:
		return
	}
	list := variableOf(args[2])
	if list != nil && s.onlyCounted(list, later) {
		return
	}
	for _, v := range term.Variables(template) {
		if !s.bound[v] && s.cl.count(v) > 1 {
			s.c.report(s.cl, g.Layout, "unbound", "%s has no value in the answers: the goal of %s/%d gives it none",
				s.cl.nameOf(v), name, len(args))
			return
		}
	}
}

// onlyCounted reports whether only the length of a list is used.
func (s *scope) onlyCounted(list *term.Var, later *sequel) bool {
	counted := 1
	for ; later != nil; later = later.then {
		for _, one := range later.goals {
			if args, ok := term.Is(one.Term, "length", 2); ok && args[0] == term.Term(list) {
				counted++
			}
		}
	}
	return counted > 1 && s.cl.count(list) == counted
}

// count returns the number of occurrences of a variable in its clause.
func (cl *clause) count(v *term.Var) int {
	for _, info := range cl.read.Vars {
		if info.Var == v {
			return info.Count
		}
	}
	return 0
}

// cutBy examines the calls of a predicate with cuts.
func (c *checker) cutBy(p *predicate) {
	first := p.clauses[0]
	if len(p.clauses) < 2 {
		return
	}
	list := c.sites[first.key]
	for _, s := range list {
		for i, arg := range s.args {
			last := p.clauses[len(p.clauses)-1]
			fresh := (s.all == "" || apartGoals[s.all] && s.all != "\\+") && c.freshAt(s, i)
			switch {
			case fresh && isAtomic(first.args[i]) && beginsWithCut(first) && !p.isOutput(i) &&
				(isVar(last.args[i]) || !term.Equal(last.args[i], first.args[i])) && c.takesAll(first, s, i):
				c.report(s.cl, s.g.Layout, "unreached", "this call has one answer: %s has no value here, so that the cut of the "+
					"clause in line %d leaves out those behind it", s.cl.nameOf(arg.(*term.Var)), first.line)
				return
			case fresh && !p.isOutput(i) && c.firstFact(first, i) && c.takesAll(first, s, i) && c.wantsAll(s, i):
				c.report(s.cl, s.g.Layout, "unreached", "this call has one answer: %s has no value here, so that the cut of the "+
					"clause in line %d leaves out all facts but the first", s.cl.nameOf(arg.(*term.Var)), first.line)
				return
			case isAtomic(arg) && c.answers(p, list, i):
				if e := p.passes(s.args, i); e != nil {
					c.report(s.cl, s.g.Layout, "unreached", "%s does not fit the head of the clause in line %d, so that its cut is "+
						"not reached and a later clause holds, too; call it with a variable and compare that", s.cl.show(arg), e.line)
					return
				}
			}
		}
	}
}

// freshAt reports whether an argument of a call is unbound: the variable does not occur earlier, or the call is the
// first goal of a clause whose calls leave that argument unbound.
func (c *checker) freshAt(s site, i int) bool {
	at := slices.Index(s.cl.args, s.args[i])
	return s.fresh[i] || at >= 0 && isVar(s.args[i]) && s.cl.conjuncts()[0].Layout == s.g.Layout &&
		s.g.Layout != nil && c.leftFree(c.predicates[s.cl.key], s.cl.key, at)
}

// firstFact reports whether a clause gets a value of an argument from facts, and a cut comes next.
func (c *checker) firstFact(cl *clause, i int) bool {
	goals := cl.conjuncts()
	args, name := argumentsOfGoal(goals[0])
	at := slices.Index(args, cl.args[i])
	rows := c.facts(keyOf(cl.key.Module, name, len(args)))
	return isVar(cl.args[i]) && len(goals) > 1 && goals[1].Term == term.Term(term.Atom("!")) && at >= 0 &&
		slices.ContainsFunc(rows, func(row *clause) bool { return !term.Equal(row.args[at], rows[0].args[at]) })
}

// wantsAll reports whether a call wants all values of an argument: an enclosing goal collects them, or they are an
// output of a clause without cuts and mode/2 promises no single answer.
func (c *checker) wantsAll(s site, i int) bool {
	p := c.predicates[s.cl.key]
	if s.all != "" {
		return apartGoals[s.all] && s.all != "\\+"
	}
	at := slices.Index(s.cl.args, s.args[i])
	return at >= 0 && p.isOutput(at) && len(p.proofs) > 0 && !cutsSomewhere(s.cl) &&
		!slices.ContainsFunc(p.proofs, func(t term.Term) bool { return t != term.Term(term.Atom("zero_or_more")) })
}

// unboundInputs reports a call that leaves an input of mode/2 unbound, if a clause or a branch does not bind it
// although its value is wanted.
func (c *checker) unboundInputs(p *predicate) {
	for _, s := range c.sites[p.clauses[0].key] {
		for i, arg := range s.args {
			v := variableOf(arg)
			if !s.fresh[i] || !p.isInput(i) || s.cl.count(v) < 2 {
				continue
			}
			for _, cl := range p.clauses {
				head := variableOf(cl.args[i])
				if head == nil || cl.inHead(head) > 1 || cl.changed != "" || cl.grammar || cl.read.DictCalls {
					continue
				}
				at, leaves := c.leaves(cl, cl.goals, head)
				if !leaves {
					at, leaves = p.calculatesWith(cl, i)
				}
				if leaves {
					line := cl.line
					if at.Layout != nil {
						line = at.Layout.Pos.Line
					}
					c.report(s.cl, s.g.Layout, "unbound", "%s has no value here; argument %d of %s is an input, as mode/2 says, and "+
						"the goals in line %d give it none", s.cl.nameOf(v), i+1, cl.key, line)
					return
				}
			}
		}
	}
}

// calculatesWith returns the first goal of a clause that has an argument if the goal calculates with it. No clause
// tests whether the argument is bound, and no earlier clause cuts.
func (p *predicate) calculatesWith(cl *clause, i int) (g goal, ok bool) {
	for _, other := range p.clauses {
		if asks := isVar(other.args[i]) && other.asks(i); asks || other.line < cl.line && cutsSomewhere(other) {
			return g, false
		}
	}
	todo := cl.conjuncts()
	for n := 0; n < len(todo) && n < maxGoals; n++ {
		g = todo[n]
		if !has(g.Term, variableOf(cl.args[i])) {
			continue
		}
		name, arity, _ := term.Indicator(g.Term)
		if arity == 2 && (name == ";" || name == "->") {
			todo, n = g.Arg(0).Conjuncts(), -1
			continue
		}
		args, _ := argumentsOfGoal(g)
		return g, arity == 2 && evaluated[name] && (name != "is" || has(args[1], variableOf(cl.args[i])))
	}
	return g, false
}

// withoutGroups reports calls that collect the answers of a predicate for each value of a variable, but get one answer
// for all values, as aggregate_all/3 does not group.
func (c *checker) withoutGroups(p *predicate) {
	cl := p.clauses[0]
	goals := cl.conjuncts()
	args, name := argumentsOfGoal(goals[0])
	if len(p.clauses) != 1 || name != "aggregate_all" || len(args) != 3 {
		return
	}
	for _, g := range goals[1:] {
		if op, arity, _ := term.Indicator(g.Term); arity != 2 || !evaluated[op] {
			return
		}
	}
	for _, s := range c.sites[cl.key] {
		for i := range s.args {
			v := variableOf(cl.args[i])
			if !s.fresh[i] || v == nil || s.all != "findall" && s.all != "forall" && s.all != "aggregate_all" ||
				cl.inHead(v) > 1 || !has(args[1], v) || has(args[0], v) || has(args[2], v) {
				continue
			}
			if slices.ContainsFunc(goals[1:], func(g goal) bool { return has(g.Term, v) }) {
				continue
			}
			c.report(s.cl, s.g.Layout, "free_variable", "%s collects one answer: %s of line %d has no value here, and "+
				"aggregate_all/3 has one answer for all its values; put a goal before this call that gives argument %d its "+
				"values", s.all, cl.nameOf(v), cl.line, i+1)
			return
		}
	}
}

func beginsWithCut(cl *clause) bool { return cl.conjuncts()[0].Term == term.Term(term.Atom("!")) }

// takesAll reports whether a clause takes any value of the other arguments of a call.
func (c *checker) takesAll(cl *clause, s site, i int) bool {
	for k, arg := range cl.args {
		if v := variableOf(arg); k != i && (v == nil || cl.inHead(v) > 1) && !c.freshAt(s, k) {
			return false
		}
	}
	return true
}

// inHead returns the number of head arguments in which a variable occurs.
func (cl *clause) inHead(v *term.Var) (n int) {
	for _, arg := range cl.args {
		if has(arg, v) {
			n++
		}
	}
	return n
}

// answers reports whether an argument is an output: mode/2 says so, or no clause has only a variable there and another
// call leaves it unbound.
func (c *checker) answers(p *predicate, list []site, i int) bool {
	if len(p.modes) > 0 {
		return p.isOutput(i)
	}
	return slices.ContainsFunc(list, func(s site) bool { return s.fresh[i] })
}

// passes returns a clause with a cut that a call skips because the call has a constant as an output. A later clause
// with that constant takes all inputs. It returns nil if there is none.
func (p *predicate) passes(args []term.Term, i int) *clause {
	var early *clause
	for _, cl := range p.clauses {
		switch {
		case !isAtomic(cl.args[i]):
			return nil
		case !term.Equal(cl.args[i], args[i]):
			cut := slices.ContainsFunc(cl.conjuncts(), func(g goal) bool { return g.Term == term.Term(term.Atom("!")) })
			if early == nil && cut && p.mayFit(cl, args, i) {
				early = cl
			}
		case cl.isFact() && early != nil:
			for k, arg := range cl.args {
				if k != i && !isVar(arg) {
					return nil
				}
			}
			return early
		default:
			return nil
		}
	}
	return nil
}

// mayFit reports whether a clause may match the other arguments of a call.
func (p *predicate) mayFit(cl *clause, args []term.Term, i int) bool {
	for k, arg := range args {
		if k != i && isAtomic(arg) && isAtomic(cl.args[k]) && !term.Equal(arg, cl.args[k]) {
			return false
		}
	}
	return true
}

// defaults reports a last clause that is meant for the inputs that earlier clauses do not match, but matches all
// inputs.
func (c *checker) defaults(p *predicate) {
	n := len(p.clauses) - 1
	if n < 1 || p.more != nil || len(p.clauses[n].args) < 2 ||
		slices.ContainsFunc(c.found, func(f Finding) bool { return f.Code == "overlap" && f.At.Line == p.clauses[n].line }) {
		return
	}
	if p.promisesAtMostOne() {
		c.defaultBehindRules(p)
	} else if len(p.modes) == 0 {
		c.defaultBehindFacts(p)
	}
	c.otherWord(p)
}

// promisesAtMostOne reports whether there is exactly one directive mode/2 and it promises at most one answer.
func (p *predicate) promisesAtMostOne() bool {
	return len(p.modes) == 1 && (p.proofs[0] == term.Term(term.Atom("one")) ||
		p.proofs[0] == term.Term(term.Atom("zero_or_one")))
}

// defaultBehindRules finds a value that a rule accepts by a fact and that the last clause accepts too.
func (c *checker) defaultBehindRules(p *predicate) {
	last := p.clauses[len(p.clauses)-1]
	var inputs []int
	for i, arg := range last.args {
		switch {
		case p.isInput(i) && isVar(arg) && last.count(variableOf(arg)) <= 1:
			inputs = append(inputs, i)
		case !p.isOutput(i) || !isAtomic(arg):
			return
		}
	}
	if !last.isFact() || len(inputs) != 1 {
		return
	}
	for _, cl := range p.clauses[:len(p.clauses)-1] {
		goals := cl.conjuncts()
		args, name := argumentsOfGoal(goals[0])
		at := slices.Index(args, cl.args[inputs[0]])
		if len(goals) != 1 || at < 0 || len(term.Variables(args...)) != len(args) || sameOutputs(cl, last, inputs) ||
			c.timed[cl.label] || c.timed[last.label] {
			continue
		}
		if rows := c.facts(keyOf(cl.key.Module, name, len(args))); len(rows) > 0 && isAtomic(rows[0].args[at]) {
			c.report(last, nil, "overlap", "%s fits this clause and the one in line %d, and mode/2 promises one answer",
				point(p, inputs, []term.Term{rows[0].args[at]}), cl.line)
			return
		}
	}
}

// defaultBehindFacts finds facts with numbers, one of which is for all values. The calls must calculate with the number
// or return it as their only answer, and none may want all answers.
func (c *checker) defaultBehindFacts(p *predicate) {
	at := slices.IndexFunc(p.clauses, func(cl *clause) bool { return slices.ContainsFunc(cl.args, isVar) })
	if at < 0 {
		return
	}
	last := p.clauses[at]
	var keys []int
	out := -1
	for i, arg := range last.args {
		switch v := variableOf(arg); {
		case isNumber(arg) && out < 0:
			out = i
		case v != nil && last.count(v) <= 1:
			keys = append(keys, i)
		default:
			return
		}
	}
	var first *clause
	for _, cl := range p.clauses {
		if !cl.isFact() || out < 0 || !isNumber(cl.args[out]) || cl != last &&
			slices.ContainsFunc(keys, func(i int) bool { _, isText := term.Text(cl.args[i]); return !isText }) {
			return
		}
		if first == nil && cl != last && !term.Equal(cl.args[out], last.args[out]) {
			first = cl
		}
	}
	list := c.sites[last.key]
	if first == nil || len(list) == 0 || len(list) != c.mentioned[term.Atom(last.key.Name)] || p.repeats(keys) {
		return
	}
	numeric := false
	for _, s := range list {
		v := variableOf(s.args[out])
		if s.all != "" || !s.fresh[out] || slices.ContainsFunc(keys, func(i int) bool { return s.fresh[i] }) ||
			cutsSomewhere(s.cl) && !s.everyAnswer() {
			return
		}
		caller := c.predicates[s.cl.key]
		gives := slices.Index(s.cl.args, s.args[out])
		numeric = numeric || gives >= 0 && caller.isOutput(gives) && caller.promisesAtMostOne()
		each(s.cl.goals, func(g goal) {
			name, arity, _ := term.Indicator(g.Term)
			numeric = numeric || arity == 2 && evaluated[name] && has(g.Term, v)
		})
	}
	if numeric {
		values := make([]term.Term, len(keys))
		for k, i := range keys {
			values[k] = first.args[i]
		}
		c.report(last, nil, "overlap", "%s fits this clause and the one in line %d, so that there are two answers; "+
			"end the other clauses with a cut if this one is for all other values", point(p, keys, values), first.line)
	}
}

// repeats reports whether two clauses have the same constants in some arguments.
func (p *predicate) repeats(keys []int) bool {
	known := map[string]bool{}
	for _, cl := range p.clauses {
		var row []term.Term
		for _, i := range keys {
			row = append(row, cl.args[i])
		}
		shown := syntax.FormatTerm(term.List(row...))
		if known[shown] {
			return true
		}
		known[shown] = true
	}
	return false
}

// everyAnswer reports whether a clause continues with each answer of a call, though it has a condition elsewhere.
func (s *site) everyAnswer() bool {
	cut := false
	visit(s.cl.goals.Term, func(t term.Term) { cut = cut || t == term.Term(term.Atom("!")) })
	return !cut && slices.ContainsFunc(s.cl.conjuncts(), func(g goal) bool { return g.Layout == s.g.Layout })
}

// otherWords are names that an author may use for all other values.
var otherWords = []string{"other", "others", "otherwise", "else", "default", "any", "rest"}

// otherWord reports a last fact with such a name, if calls have values that no fact has.
func (c *checker) otherWord(p *predicate) {
	last := p.clauses[len(p.clauses)-1]
	for i, arg := range last.args {
		word, isName := arg.(term.Atom)
		if !isName || !slices.Contains(otherWords, strings.ToLower(string(word))) || !p.factsAt(i) {
			continue
		}
		for _, s := range c.sites[last.key] {
			from, known := s.given[s.args[i]]
			types := c.flow.Types(from.key)
			if !known || from.key == last.key || types == nil {
				continue
			}
			texts := types[from.at].Texts()
			missing := slices.IndexFunc(texts, func(t term.Term) bool { return !p.hasAt(i, t) })
			if missing < 0 || slices.ContainsFunc(texts, func(t term.Term) bool { return t == arg }) ||
				!types[from.at].Only(flow.Text) {
				continue
			}
			c.report(last, last.argLayout(i), "unreached", "no call reaches this clause: %s gives no %s, and %s fits no "+
				"clause; write _ for all other values, behind a cut", from.key, word, syntax.FormatTerm(texts[missing]))
			return
		}
	}
}

// misspeltHeads reports a clause for a text that nearly equals a value which mode/2 of the callers allows and which no
// clause has.
func (c *checker) misspeltHeads(p *predicate) {
	k := p.clauses[0].key
	list := c.sites[k]
	if len(list) == 0 || len(list) != c.mentioned[term.Atom(k.Name)] {
		return
	}
	for i := range p.clauses[0].args {
		left, known := flow.Type{}, true // the values without a clause
		for _, s := range list {
			values := c.allowed(s, i)
			known = known && values != nil
			for _, value := range values {
				if !p.hasAt(i, value) {
					left = flow.Union(left, flow.Constant(value))
				}
			}
		}
		for _, cl := range p.clauses {
			name, isName := cl.args[i].(term.Atom)
			if !known || !isName || slices.ContainsFunc(list, func(s site) bool {
				return slices.Contains(c.allowed(s, i), term.Term(name))
			}) {
				continue
			}
			if hint := meant(name, left); hint != "" {
				c.report(cl, cl.argLayout(i), "unreached", "no call reaches this clause: mode/2 of %s has no %s%s",
					list[0].cl.key, cl.show(name), hint)
			}
		}
	}
}

// allowed returns the values that mode/2 of the caller allows for an argument of a call, nil if they are unknown.
func (c *checker) allowed(s site, i int) []term.Term {
	caller := c.predicates[s.cl.key]
	at := slices.Index(s.cl.args, s.args[i])
	if at < 0 || variableOf(s.args[i]) == nil || len(caller.modes) != 1 || !caller.isInput(at) {
		return nil
	}
	return declarationOf(caller.modes[0][at].(*term.Compound).Args[0]).values
}
