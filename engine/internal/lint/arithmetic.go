package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the search for expressions that are unified, passed to calls or returned by calls, although their
// value is meant.

// operations are functors of expressions. The value true marks functors that rarely mean anything else; the others also
// build pairs and predicate indicators.
var operations = map[term.Atom]bool{"+": true, "*": true, "//": false, "mod": true, "rem": true, "**": true, "^": true,
	"<<": true, ">>": true, "div": true, "-": false, "/": false}

// functions are functors of expressions that also build other terms, with their numbers of arguments.
var functions = map[term.Atom]int{"abs": 1, "sqrt": 1, "sign": 1, "max": 2, "min": 2, "gcd": 2,
	"truncate": 1, "round": 1, "ceiling": 1, "floor": 1}

// The kinds of expressions by their outermost functor: an unambiguous operation, a functor that also builds pairs, and
// a name that any term may have.
type expressionKind int

const (
	certainly expressionKind = iota
	orPair
	orStructure
)

// calculates returns the kind of expression that a functor makes.
func calculates(functor term.Atom, arity int) (kind expressionKind, ok bool) {
	certain, known := operations[functor]
	switch {
	case known && arity == 2 && certain:
		return certainly, true
	case functor == "-" && arity == 1:
		return orStructure, true
	case known && arity == 2:
		return orPair, true
	}
	return orStructure, functions[functor] == arity && arity > 0
}

// expression reports whether a term is an arithmetic expression of variables and numbers, with at least one variable,
// and the kind of its outermost functor.
func expression(t term.Term) (kind expressionKind, ok bool) {
	kind, open, ok := calculation(t)
	return kind, ok && open
}

// calculation reports whether a term is an arithmetic expression of variables and numbers, whether it has variables,
// and the kind of its outermost functor.
func calculation(t term.Term) (kind expressionKind, open, ok bool) {
	c, isCompound := t.(*term.Compound)
	if !isCompound {
		return 0, false, false
	}
	if kind, ok = calculates(c.Functor, len(c.Args)); !ok {
		return 0, false, false
	}
	fits := true
	visit(t, func(part term.Term) {
		inner, isCompound := part.(*term.Compound)
		if !isCompound {
			open = open || isVar(part)
			fits = fits && (isVar(part) || isNumber(part))
			return
		}
		_, known := calculates(inner.Functor, len(inner.Args))
		fits = fits && known
	})
	return kind, open, fits
}

// hasExpression reports whether a term of a head contains an expression with a variable.
func hasExpression(t term.Term, depth int) bool {
	const most = 20
	c, ok := t.(*term.Compound)
	if !ok || depth > most {
		return false
	}
	if certain, known := operations[c.Functor]; known && certain && len(c.Args) == 2 {
		set := map[*term.Var]bool{}
		variables(t, set)
		if len(set) > 0 {
			return true
		}
	}
	for _, arg := range c.Args {
		if hasExpression(arg, depth+1) {
			return true
		}
	}
	return false
}

// equation is a goal that unifies a variable with an expression.
type equation struct {
	goal
	v      *term.Var
	e      term.Term
	turned bool // the expression stands on the left
}

// equations returns the equations of a clause, without those that decompose a term: an expression whose variables all
// occur for the first time. apart says that there are such equations.
func (c *checker) equations(cl *clause) (list []equation, apart bool) {
	if cl.isFact() {
		return nil, false
	}
	before := map[*term.Var]bool{}
	for _, arg := range cl.args {
		variables(arg, before)
	}
	c.everyGoal(cl, func(g goal) {
		args, _ := term.Is(g.Term, "=", 2)
		for i, side := range args {
			v, isVariable := side.(*term.Var)
			kind, ok := expression(args[1-i])
			switch {
			case !isVariable || !ok:
			case hasOne(args[1-i], before):
				list = append(list, equation{g, v, args[1-i], i == 1})
			case kind == certainly && before[v]:
				apart = true
			}
		}
		if inner, _ := c.inner(cl, g); len(inner) == 0 {
			variables(g.Term, before)
		}
	})
	return list, apart
}

// hasOne reports whether a term contains one of some variables.
func hasOne(t term.Term, set map[*term.Var]bool) bool {
	own := map[*term.Var]bool{}
	variables(t, own)
	for v := range own {
		if set[v] {
			return true
		}
	}
	return false
}

// constants reports Variable = Expression, of numbers only, if each mode/2 of the predicate declares the argument
// Variable as a number.
func (c *checker) constants(p *predicate, cl *clause) {
	c.everyGoal(cl, func(g goal) {
		args, _ := term.Is(g.Term, "=", 2)
		for i, side := range args {
			v, isVariable := side.(*term.Var)
			if _, open, ok := calculation(args[1-i]); !isVariable || !ok || open {
				continue
			}
			for k, arg := range cl.args {
				if arg == term.Term(v) && p.isDeclaredNumber(k) {
					c.reportEquation(cl, equation{g, v, args[1-i], i == 1})
					break
				}
			}
		}
	})
}

// unevaluated reports Variable = Expression if other goals show that numbers are meant.
func (c *checker) unevaluated(p *predicate, cl *clause) {
	equations, _ := c.equations(cl)
	if len(equations) == 0 || c.symbolic[cl.key.Module] {
		return
	}
	numbers := c.numbers(p, cl)
	for _, q := range equations {
		if has(q.e, q.v) {
			c.reassigned(cl, q.Layout, q.v, q.e, "=")
			continue
		}
		if !meansValue(q.v, q.e, numbers) || c.evaluatesOnly(cl, q) {
			continue
		}
		c.reportEquation(cl, q)
	}
}

// reassigned reports a goal that would give a variable another value.
func (c *checker) reassigned(cl *clause, layout *syntax.Layout, v *term.Var, e term.Term, by string) {
	name, text := cl.nameOf(v), cl.show(e)
	c.report(cl, layout, "reassigned", "%[1]s %s %s is never true, as a variable keeps its value; write %[1]s1 is %[3]s, "+
		"and %[1]s1 behind it", name, by, text)
}

// calculated reports Variable is Expression if the variable occurs in the expression.
func (c *checker) calculated(cl *clause) {
	c.everyGoal(cl, func(g goal) {
		args, ok := term.Is(g.Term, "is", 2)
		if !ok {
			return
		}
		v, isVariable := args[0].(*term.Var)
		if _, sum := expression(args[1]); isVariable && sum && has(args[1], v) {
			c.reassigned(cl, g.Layout, v, args[1], "is")
		}
	})
}

// reportEquation reports an expression that is unified although its value is meant.
func (c *checker) reportEquation(cl *clause, q equation) {
	name, text := cl.nameOf(q.v), cl.show(q.e)
	shown := name + " = " + text
	if q.turned {
		shown = text + " = " + name
	}
	f := c.report(cl, q.Layout, "unevaluated", "%s does not calculate; write %s is %s", shown, name, text)
	if right := q.Layout.Arg(1); right != nil && !q.turned {
		f.Replace, f.With, f.To = "=", "is", right.Pos
	}
}

// evaluatesOnly reports whether all other goals with the variable calculate with it. Such goals evaluate the expression
// as well as its value.
func (c *checker) evaluatesOnly(cl *clause, q equation) bool {
	for _, arg := range cl.args {
		if has(arg, q.v) {
			return false
		}
	}
	evaluates := c.sums.evaluations(cl, q.v)
	return evaluates > 0 && timesIn(cl.goals.Term, q.v) == evaluates+1
}

// timesIn returns the number of occurrences of a variable in a term.
func timesIn(t term.Term, v *term.Var) (n int) {
	visit(t, func(part term.Term) {
		if part == term.Term(v) {
			n++
		}
	})
	return n
}

// meansValue reports whether the value of an expression is meant, given the variables that are numbers.
func meansValue(v *term.Var, e term.Term, numbers map[*term.Var]bool) bool {
	kind, _ := expression(e)
	operand, literal := false, false
	visit(e, func(part term.Term) {
		if v, ok := part.(*term.Var); ok {
			operand = operand || numbers[v]
		}
		literal = literal || isNumber(part)
	})
	switch kind {
	case orPair:
		return numbers[v] || operand && literal
	case orStructure:
		return numbers[v]
	}
	return numbers[v] || operand
}

// evaluated lists the predicates that evaluate their arguments.
var evaluated = map[term.Atom]bool{"<": true, ">": true, "=<": true, ">=": true, "=:=": true, "=\\=": true, "is": true}

// carried notes the accumulator arguments of goals called by foldl/4 and similar predicates, if the final value is used
// for more than arithmetic.
func (c *checker) carried(cl *clause) {
	c.everyGoal(cl, func(g goal) {
		args, name := argumentsOfGoal(g)
		last := len(args) - 1
		if name != "foldl" || last < 3 || last > 6 || c.predicates[keyOf(cl.key.Module, name, last+1)] != nil ||
			!isNumber(args[last-1]) || !isVar(args[last]) || c.evaluatesOnly(cl, equation{v: variableOf(args[last])}) {
			return
		}
		for _, called := range g.Arguments(c.world.Meta(c.world.Resolve(cl.key.Module, name, last+1))) {
			if parameters, _, ok := called.Lambda(); ok {
				for _, arg := range parameters[last-2 : last] {
					c.carriers[variableOf(arg)] = true
				}
			} else if functor, own, ok := term.Indicator(called.Term); ok {
				n := own + called.Extra
				if p := c.predicates[c.world.Resolve(cl.key.Module, string(functor), n)]; p != nil {
					p.numbers[n-2], p.numbers[n-1] = true, true
				}
			}
		}
	})
}

// numbers returns the variables of a clause that the text shows to be numbers.
func (c *checker) numbers(p *predicate, cl *clause) map[*term.Var]bool {
	set := maps.Clone(c.carriers)
	for i, arg := range cl.args {
		if v, ok := arg.(*term.Var); ok && p.isNumeric(i) {
			set[v] = true
		}
	}
	c.everyGoal(cl, func(g goal) {
		name, arity, ok := term.Indicator(g.Term)
		compound, isCompound := g.Term.(*term.Compound)
		if !ok || !isCompound {
			return
		}
		if evaluated[name] && arity == 2 {
			variables(g.Term, set)
			return
		}
		called := c.predicates[keyOf(cmp.Or(g.Module, cl.key.Module), string(name), arity)]
		for i, arg := range compound.Args {
			if v, isVariable := arg.(*term.Var); isVariable && called != nil && called.isNumeric(i) {
				set[v] = true
			}
		}
	})
	return set
}

// everyGoal calls f for the goals of a clause, and for goals called by other goals.
func (c *checker) everyGoal(cl *clause, f func(goal)) {
	if cl.every == nil {
		body.Walk(cl.goals, func(g goal) []goal {
			cl.every = append(cl.every, g)
			inner, _ := c.inner(cl, g)
			args, name := argumentsOfGoal(g)
			for _, one := range g.Arguments(c.world.Meta(c.world.Resolve(cl.key.Module, name, len(args)))) {
				if _, lambda, ok := one.Lambda(); ok {
					inner = append(inner, lambda)
				}
			}
			return inner
		})
	}
	for _, g := range cl.every {
		f(g)
	}
}

// show writes a term of a clause with the names of the clause's variables.
func (cl *clause) show(t term.Term) string {
	names := map[*term.Var]string{}
	for _, v := range term.Variables(t) {
		names[v] = "_"
	}
	for _, info := range cl.read.Vars {
		names[info.Var] = info.Name
	}
	const most = 200
	text := syntax.Format(t, &syntax.WriteOptions{Quoted: true, NumberVars: true, VarNames: names, MaxBytes: most + 1})
	return syntax.CutText(text, most)
}

// sums is the search for expressions that one clause makes and another returns where a number is meant.
type sums struct {
	*checker
	// told holds the places that have been reported.
	told map[*syntax.Layout]bool
	// constrains says that the program has constraints, which take sums as they are.
	constrains bool
}

// made is a place at which a clause makes an expression that other clauses take.
type made struct {
	cl     *clause
	layout *syntax.Layout
	e      term.Term
	head   bool // it is an argument of the head, and not one of a call
	by     *equation
}

// maxMade bounds the clauses that are searched for one expression.
const maxMade = 200

// summed returns a function that reports whether a term is an expression of the kind that a type contains. It returns
// nil if the type contains none.
func summed(t flow.Type) func(e term.Term) bool {
	known := false
	for functor := range operations {
		known = known || t.Tells(functor, 2)
	}
	if !known {
		return nil
	}
	return func(e term.Term) bool {
		functor, arity, _ := term.Indicator(e)
		_, ok := expression(e)
		return ok && t.Tells(functor, arity)
	}
}

// reportMade reports the place where an expression is made that a clause returns in an argument declared as a number by
// mode/2. It gets the inferred type of that argument. It returns whether there is such a place.
func (s *sums) reportMade(cl *clause, k int, t flow.Type) bool {
	fits := summed(t)
	if fits == nil {
		return false
	}
	place, ok := s.madeFor(cl, fits)
	switch {
	case !ok:
		return false
	case place.cl == cl && place.head: // headExpressions reports it
	case s.told[place.layout]:
	case place.by != nil:
		s.reportEquation(place.cl, *place.by)
	default:
		e, advice := place.cl.show(place.e), "write Variable is %s before the call, and Variable in it"
		if place.head {
			advice = "write a variable in the head, and Variable is %s in the body"
		}
		s.report(place.cl, place.layout, "unevaluated", "%s does not calculate, and comes out as argument %d of %s, which "+
			"mode/2 says is a number; %s", e, k+1, cl.key, fmt.Sprintf(advice, e))
	}
	s.told[place.layout] = true
	return true
}

// madeFor returns the first place at which a clause, or a clause that it calls, makes a matching expression.
func (s *sums) madeFor(from *clause, fits func(e term.Term) bool) (place made, ok bool) {
	reached := map[key]bool{}
	todo := []*clause{from}
	for n := 0; n < len(todo) && n < maxMade && !ok; n++ {
		cl := todo[n]
		for i, arg := range cl.args {
			if !ok && fits(arg) {
				place, ok = made{cl: cl, layout: cl.argLayout(i), e: arg, head: true}, true
			}
		}
		list, _ := s.equations(cl)
		for _, q := range list {
			if !ok && fits(q.e) {
				place, ok = made{cl: cl, layout: q.Layout, e: q.e, by: &q}, true
			}
		}
		s.everyGoal(cl, func(g goal) {
			args, name := argumentsOfGoal(g)
			called := s.predicates[s.world.Resolve(cl.key.Module, name, len(args))]
			if called == nil || len(called.clauses) == 0 {
				return
			}
			k := called.clauses[0].key
			for _, pair := range s.flow.Same(k, args) {
				for _, i := range pair {
					if !ok && fits(args[i]) {
						place, ok = made{cl: cl, layout: g.Layout.Arg(i), e: args[i]}, true
					}
				}
			}
			if !reached[k] {
				reached[k] = true
				todo = append(todo, called.clauses...)
			}
		})
	}
	return place, ok
}

// accumulated reports calls that get an expression in place of its value and return it where a number is wanted. A
// number is wanted if mode/2 declares it, or if a recursion begins with a number and its result is used for more than
// arithmetic.
func (s *sums) accumulated(p *predicate, cl *clause) {
	if s.symbolic[cl.key.Module] || s.constrains {
		return
	}
	s.everyGoal(cl, func(g goal) {
		args, name := argumentsOfGoal(g)
		if !slices.ContainsFunc(args, func(arg term.Term) bool { _, sum := expression(arg); return sum }) {
			return
		}
		k := s.world.Resolve(cl.key.Module, name, len(args))
		for _, pair := range s.flow.Same(k, args) {
			for n, i := range pair {
				out := pair[1-n]
				v := variableOf(args[out])
				_, sum := expression(args[i])
				if v == nil || !sum || s.told[g.Layout.Arg(i)] || !s.comesOut(cl, v, maxChain, false) &&
					!(k == cl.key && isVar(cl.args[i]) && has(args[i], variableOf(cl.args[i])) && s.wanted(p, i, out)) {
					continue
				}
				s.told[g.Layout.Arg(i)] = true
				s.report(cl, g.Layout.Arg(i), "unevaluated", "%s does not calculate, and comes out as argument %d; write "+
					"Variable is %[1]s before the call, and Variable in it", cl.show(args[i]), out+1)
			}
		}
	})
}

// evaluations returns how many goals of a clause calculate with a variable.
func (s *sums) evaluations(cl *clause, v *term.Var) (n int) {
	s.everyGoal(cl, func(g goal) {
		if name, arity, _ := term.Indicator(g.Term); evaluated[name] && arity == 2 {
			args := g.Term.(*term.Compound).Args
			if name == "is" {
				args = args[1:]
			}
			for _, arg := range args {
				n += timesIn(arg, v)
			}
		}
	})
	return n
}

// constrain reports whether a name is one of constraints.
func constrain(name term.Atom) bool {
	return strings.HasPrefix(string(name), "#") || name == "clpr" || name == "clpq"
}

// wanted reports whether a call from elsewhere passes a number in one argument and wants a number in the other.
func (s *sums) wanted(p *predicate, in, out int) bool {
	k := p.clauses[0].key
	return slices.ContainsFunc(s.sites[k], func(one site) bool {
		v := variableOf(one.args[out])
		return one.cl.key != k && v != nil && s.comesOut(one.cl, v, maxChain, isNumber(one.args[in]))
	})
}

// comesOut reports whether a variable of a clause is an output that mode/2 declares as a number, of this clause or of
// one that calls it. For a variable that is meant as a number it is enough if it is used for more than arithmetic.
func (s *sums) comesOut(cl *clause, v *term.Var, depth int, number bool) bool {
	if number && timesIn(cl.goals.Term, v) > s.evaluations(cl, v)+1 {
		return true
	}
	at := slices.Index(cl.args, term.Term(v))
	if at < 0 || depth == 0 {
		return number && at < 0 && slices.ContainsFunc(cl.args, func(arg term.Term) bool { return has(arg, v) })
	}
	p := s.predicates[cl.key]
	if len(p.modes) > 0 {
		return p.isOutput(at) && p.isDeclaredNumber(at)
	}
	return number && s.mentioned[term.Atom(cl.key.Name)] == 0 ||
		slices.ContainsFunc(s.sites[cl.key], func(one site) bool {
			w := variableOf(one.args[at])
			return one.cl.key != cl.key && w != nil && s.comesOut(one.cl, w, depth-1, number)
		})
}

// calculates reports the first expression among some arguments.
func (cl *clause) calculates(args ...term.Term) string {
	for _, arg := range args {
		if _, ok := expression(arg); ok {
			return fmt.Sprintf("; %s does not calculate: write Variable is %[1]s before the call, and Variable in it",
				cl.show(arg))
		}
	}
	return ""
}
