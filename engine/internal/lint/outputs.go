package lint

import (
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the search for variables that stay unbound: outputs that a clause or a branch does not bind,
// variables that a goal binds only locally, and inputs that a call may leave out.

// tests lists the predicates with which a clause tests whether a call has left out an argument.
var tests = map[term.Atom]bool{"var": true, "nonvar": true, "ground": true, "atom": true, "atomic": true,
	"integer": true, "number": true, "string": true, "is_list": true, "float": true, "callable": true, "==": true,
	"\\==": true}

// leftOut reports whether calls may leave out an argument and no clause tests that.
func (c *checker) leftOut(p *predicate, i int) bool {
	if p.mayLack == nil {
		p.mayLack = make([]bool, len(p.numbers))
		for k := range p.mayLack {
			p.mayLack[k] = p.direction(k) == "?" && !p.defaults && !slices.ContainsFunc(p.clauses, func(cl *clause) bool {
				return cl.asks(k)
			})
		}
	}
	return p.mayLack[i]
}

// asks reports whether a clause tests an argument of the call.
func (cl *clause) asks(i int) bool {
	v := variableOf(cl.args[i])
	asks := v == nil
	visit(cl.goals.Term, func(t term.Term) {
		name, arity, _ := term.Indicator(t)
		asks = asks || arity > 0 && tests[name] && has(t, v)
	})
	return asks
}

func variableOf(t term.Term) *term.Var { v, _ := t.(*term.Var); return v }

// optional reports whether a variable is an argument that calls may leave out.
func (s *scope) optional(v *term.Var) bool {
	i := slices.Index(s.cl.args, term.Term(v))
	return s.outputs[v] && i >= 0 && !s.p.isOutput(i)
}

// generated reports whether a variable in the head of a predicate gets its values from facts in the body. The predicate
// must have no calls and no mode/2.
func (s *scope) generated(v *term.Var, later *sequel) bool {
	if len(s.p.modes) > 0 || s.c.mentioned[term.Atom(s.cl.key.Name)] > 0 || s.deep > 0 ||
		!slices.Contains(s.cl.args, term.Term(v)) {
		return false
	}
	for _, one := range later.goals {
		args, name := argumentsOfGoal(one)
		called := s.c.predicates[keyOf(s.cl.key.Module, name, len(args))]
		if at := slices.Index(args, term.Term(v)); at >= 0 {
			return called != nil && called.factsAt(at)
		}
	}
	return false
}

// factsAt reports whether a predicate has only facts, each with a constant in an argument.
func (p *predicate) factsAt(i int) bool {
	return len(p.clauses) > 0 && !slices.ContainsFunc(p.clauses, func(cl *clause) bool {
		return !cl.isFact() || !isAtomic(cl.args[i])
	})
}

// keepers lists the predicates that do not export the bindings of their goals, with their first argument whose bindings
// are exported.
var keepers = map[key]int{keyOf("", "findall", 3): 2, keyOf("", "findall", 4): 2, keyOf("", "forall", 2): 2,
	keyOf("", "aggregate_all", 3): 2}

// kept returns the first argument of a goal whose bindings are exported, or -1 if all are.
func (s *scope) kept(name term.Atom, arity int) int {
	from, ok := keepers[keyOf("", string(name), arity)]
	if !ok || s.c.predicates[keyOf(s.cl.key.Module, string(name), arity)] != nil {
		return -1
	}
	return from
}

// keep notes the variables of a goal that does not export its bindings, except for arguments from a position on.
func (s *scope) keep(g goal, name term.Atom, from int) {
	args := g.Term.(*term.Compound).Args
	for _, v := range term.Variables(args[:from]...) {
		if !s.bound[v] && s.inside[v] == "" {
			s.inside[v] = name
		}
	}
	for _, arg := range args[from:] {
		s.bind(arg)
	}
}

// wanted reports an argument of a library call that needs a value and has none there.
func (s *scope) wanted(g goal) {
	args, name := argumentsOfGoal(g)
	k := s.c.world.Resolve(s.cl.key.Module, name, len(args))
	for _, at := range s.c.data[k].Needs {
		if v := variableOf(args[at]); v != nil && !s.bound[v] {
			s.c.report(s.cl, g.Layout, "unbound", "argument %d of %s has no value here, and rows of the table test it", at+1, k)
			s.bound[v] = true
		}
	}
	for _, at := range flow.Needs(name, len(args)) {
		v := variableOf(args[at])
		if v == nil || s.bound[v] || s.cl.nameOf(v) == "_" ||
			s.c.predicates[keyOf(s.cl.key.Module, name, len(args))] != nil {
			continue
		}
		s.c.report(s.cl, g.Layout, "unbound", "%s has no value here, and %s/%d wants one as argument %d", s.cl.nameOf(v),
			name, len(args), at+1)
		s.bound[v] = true
	}
}

// mayStay lists the types of outputs that may stay unbound.
var mayStay = map[term.Atom]bool{"any": true, "term": true, "var": true, "maybe": true, "optional": true,
	"nonvar": true, "callable": true, "types": true, "list": true, "compound": true, "object": true}

// unboundOutputs reports the outputs that a clause or a branch of it does not bind. Arguments that a call of a tool may
// leave out count as outputs, since results contain them.
func (c *checker) unboundOutputs(p *predicate, cl *clause) {
	if cl.apart || cl.grammar || cl.read.DictCalls {
		return
	}
	for i, arg := range cl.args {
		v, _ := arg.(*term.Var)
		left := c.offered[cl.key] && p.direction(i) == "?" && !p.defaults && !p.takesUnbound(cl, i)
		if v == nil || !p.isOutput(i) && !left || slices.ContainsFunc(p.modes, func(args []term.Term) bool {
			declared, ok := args[i].(*term.Compound)
			if !ok {
				return true
			}
			name, _, _ := term.Indicator(declared.Args[0])
			return mayStay[name]
		}) {
			continue
		}
		if n := slices.IndexFunc(cl.args, func(t term.Term) bool { return has(t, v) }); n != i || c.inOthers(cl, i, v) {
			continue
		}
		if at, leaves := c.leaves(cl, cl.goals, v); leaves {
			where := "this branch"
			if at.Layout == cl.goals.Layout {
				at.Layout, where = cl.argLayout(i), "this clause"
			}
			how := "is an output, as mode/2 says,"
			if left {
				how = "has a value in each result, also if a call leaves it out, as mode/2 says with ?,"
			}
			c.report(cl, at.Layout, "unbound", "argument %d of %s %s and %s gives it no value", i+1, cl.key, how, where)
		}
	}
}

// isUnboundTest reports whether a goal tests that a variable has no value.
func isUnboundTest(t term.Term, v *term.Var) bool {
	if denied, ok := term.Is(t, "\\+", 1); ok {
		name, _, _ := term.Indicator(denied[0])
		return (name == "ground" || name == "nonvar") && denied[0].(*term.Compound).Args[0] == term.Term(v)
	}
	args, ok := term.Is(t, "var", 1)
	return ok && args[0] == term.Term(v)
}

// takesUnbound reports whether an earlier clause takes all calls that leave out an argument.
func (p *predicate) takesUnbound(cl *clause, i int) bool {
	for _, earlier := range p.clauses {
		if earlier == cl {
			return false
		}
		goals, v := earlier.goals.Conjuncts(), variableOf(earlier.args[i])
		if v != nil && len(goals) > 1 && isUnboundTest(goals[0].Term, v) && goals[1].Term == term.Term(term.Atom("!")) {
			return true
		}
	}
	return false
}

// inOthers reports whether a variable is in a later argument of the head.
func (c *checker) inOthers(cl *clause, i int, v *term.Var) bool {
	return slices.ContainsFunc(cl.args[i+1:], func(t term.Term) bool { return has(t, v) })
}

// leaves returns a branch on which goals may succeed although none of them could bind a variable.
func (c *checker) leaves(cl *clause, g goal, v *term.Var) (at goal, ok bool) {
	at, ok = g, true
	for _, one := range g.Conjuncts() {
		branch, without := c.leavesGoal(cl, one, v)
		if !without {
			return at, false
		}
		if branch.Layout != one.Layout {
			at = branch
		}
	}
	return at, ok
}

// leavesGoal is leaves for one goal.
func (c *checker) leavesGoal(cl *clause, g goal, v *term.Var) (at goal, ok bool) {
	name, arity, _ := term.Indicator(g.Term)
	switch {
	case arity == 2 && (name == ";" || name == "|"):
		if at, ok = c.leaves(cl, g.Arg(0), v); ok {
			return at, true
		}
		if then, isCondition := term.Is(g.Arg(0).Term, "->", 2); isCondition {
			_, caught := term.Is(then[0], "catch", 3) // it throws rather than fails
			if caught || isUnboundTest(then[0], v) {
				return g, false
			}
		}
		return c.leaves(cl, g.Arg(1), v)
	case arity == 2 && (name == "->" || name == "*->"):
		_, condition := c.leaves(cl, g.Arg(0), v)
		at, then := c.leaves(cl, g.Arg(1), v)
		return at, condition && then
	case arity > 0 && tests[name] && name != "var" && name != "\\==" && has(g.Term, v):
		return g, false // it fails if the variable is unbound
	case arity == 2 && evaluated[name] && name != "is" || arity > 0 && tests[name] || name == "\\=":
		return g, true
	}
	if called := c.flow.Called(cl.key.Module, g); stops[name] || c.flow.Never(called) || c.throws(called) {
		return g, false
	}
	args, called := argumentsOfGoal(g)
	if from, ok := keepers[keyOf("", called, len(args))]; ok {
		args = args[from:]
	} else if name == "\\+" || name == "not" || name == "tnot" {
		args = nil
	}
	return g, !slices.ContainsFunc(args, func(t term.Term) bool { return has(t, v) })
}

// inOneBranch reports a goal that needs the value of a variable which an earlier branch leaves unbound.
func (c *checker) inOneBranch(p *predicate, cl *clause) {
	known, left := map[*term.Var]bool{}, maxParts
	for i, arg := range cl.args {
		if !p.isOutput(i) {
			variables(arg, known)
		}
	}
	if !cl.apart && !cl.grammar && !cl.read.DictCalls {
		c.behindBranches(cl, cl.goals, known, &left)
	}
}

// behindBranches examines the goals after each disjunction of a conjunction. known are the variables that occur before
// it.
func (c *checker) behindBranches(cl *clause, g goal, known map[*term.Var]bool, left *int) {
	goals := g.Conjuncts()
	for i, one := range goals {
		inside := map[*term.Var]bool{}
		if *left -= len(known) + variables(one.Term, inside); *left < 0 {
			return
		}
		if name, arity, _ := term.Indicator(one.Term); arity == 2 && (name == ";" || name == "|" || name == "->") {
			c.behindBranches(cl, one.Arg(0), maps.Clone(known), left)
			c.behindBranches(cl, one.Arg(1), maps.Clone(known), left)
			for _, info := range cl.read.Vars {
				if v := info.Var; name != "->" && inside[v] && !known[v] {
					c.lostBranch(cl, one, v, inside, goals[i+1:])
				}
			}
		}
		maps.Copy(known, inside)
	}
}

// lostBranch reports the first goal with a variable, if it needs the value and a branch of the earlier disjunction may
// leave it unbound. A goal between them that shares variables with the disjunction may reject that branch.
func (c *checker) lostBranch(cl *clause, g goal, v *term.Var, inside map[*term.Var]bool, later []goal) {
	for _, next := range later {
		for name, arity, _ := term.Indicator(next.Term); arity == 2 && (name == ";" || name == "->"); {
			next = next.Arg(0).Conjuncts()[0]
			name, arity, _ = term.Indicator(next.Term)
		}
		args, name := argumentsOfGoal(next)
		switch at, leaves := c.leavesGoal(cl, g, v); {
		case !has(next.Term, v) && (hasOne(next.Term, inside) && name != "is" && name != "format"):
			return
		case has(next.Term, v) && leaves && at.Layout != nil && c.needs(cl, args, name, v):
			c.report(cl, next.Layout, "unbound", "%s has no value here if the branch in line %d is taken: it gives %[1]s none",
				cl.nameOf(v), at.Layout.Pos.Line)
			return
		case has(next.Term, v):
			return
		}
	}
}

// needs reports whether a goal calculates with a variable, writes its value, or is a library call that needs it.
func (c *checker) needs(cl *clause, args []term.Term, name string, v *term.Var) bool {
	if c.predicates[keyOf(cl.key.Module, name, len(args))] != nil {
		return false
	}
	if len(args) == 2 && evaluated[term.Atom(name)] {
		return name != "is" && has(args[0], v) || has(args[1], v)
	}
	items := []term.Term{}
	if name == "format" && len(args) > 1 {
		items, _ = term.Slice(args[len(args)-1])
	}
	return slices.Contains(items, term.Term(v)) || slices.ContainsFunc(flow.Needs(name, len(args)), func(i int) bool {
		return args[i] == term.Term(v)
	})
}

// throws reports whether each clause of a predicate has a goal that never succeeds.
func (c *checker) throws(k key) bool {
	p := c.predicates[k]
	return p != nil && len(p.clauses) > 0 && !slices.ContainsFunc(p.clauses, func(cl *clause) bool {
		return !slices.ContainsFunc(cl.conjuncts(), func(g goal) bool {
			name, _, _ := term.Indicator(g.Term)
			return stops[name]
		})
	})
}

// stops lists the predicates that never succeed.
var stops = map[term.Atom]bool{"fail": true, "false": true, "throw": true, "halt": true, "type_error": true,
	"domain_error": true, "existence_error": true, "permission_error": true, "resource_error": true,
	"instantiation_error": true, "mcp_error": true}
