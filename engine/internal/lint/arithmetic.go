package lint

import (
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the search for expressions that are unified where their value is meant.

// operations are functors of expressions. Those that are true are rarely anything else; the others also make pairs and
// predicate indicators.
var operations = map[term.Atom]bool{"+": true, "*": true, "//": false, "mod": true, "rem": true, "**": true, "^": true,
	"<<": true, ">>": true, "div": true, "-": false, "/": false}

// expression reports whether a term is an arithmetic expression of variables and numbers, and whether its outermost
// functor makes pairs too.
func expression(t term.Term) (pair, ok bool) {
	c, isCompound := t.(*term.Compound)
	if !isCompound || len(c.Args) != 2 {
		return false, false
	}
	certain, known := operations[c.Functor]
	if !known {
		return false, false
	}
	fits := true
	visit(t, func(part term.Term) {
		inner, isCompound := part.(*term.Compound)
		if !isCompound {
			fits = fits && (isVar(part) || isNumber(part))
			return
		}
		_, known := operations[inner.Functor]
		fits = fits && known && len(inner.Args) == 2
	})
	return !certain, fits
}

// hasExpression reports whether a term of a head holds an expression with a variable. Such predicates compute with
// expressions as they are.
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

// unevaluated reports Variable = Expression where other goals show that numbers are meant.
func (c *checker) unevaluated(p *predicate, cl *clause) {
	if p.symbolic {
		return
	}
	var goals []goal
	eachGoal(cl.body, cl.layout, func(g goal) {
		if args, ok := term.Is(g.term, "=", 2); ok && isVar(args[0]) {
			if _, ok := expression(args[1]); ok {
				goals = append(goals, g)
			}
		}
	})
	if len(goals) == 0 {
		return
	}
	numbers := c.numbers(p, cl)
	for _, g := range goals {
		args, _ := term.Is(g.term, "=", 2)
		if !meansValue(args[0].(*term.Var), args[1], numbers) {
			continue
		}
		f := c.report(cl, g.layout, "unevaluated", "%s = %s does not calculate; write %s is %s",
			cl.nameOf(args[0].(*term.Var)), cl.show(args[1]), cl.nameOf(args[0].(*term.Var)), cl.show(args[1]))
		f.Replace, f.With = "=", "is"
		if right := g.layout.Arg(1); right != nil {
			f.To = right.Pos
		}
	}
}

// meansValue reports whether the value of an expression is meant, given the variables that are numbers.
func meansValue(v *term.Var, e term.Term, numbers map[*term.Var]bool) bool {
	pair, _ := expression(e)
	operand, literal := false, false
	visit(e, func(part term.Term) {
		if v, ok := part.(*term.Var); ok {
			operand = operand || numbers[v]
		}
		literal = literal || isNumber(part)
	})
	if pair {
		return numbers[v] || operand && literal
	}
	return numbers[v] || operand
}

// evaluated are the predicates whose arguments are calculated.
var evaluated = map[term.Atom]bool{"<": true, ">": true, "=<": true, ">=": true, "=:=": true, "=\\=": true, "is": true}

// numbers are the variables of a clause that are numbers as far as the text shows.
func (c *checker) numbers(p *predicate, cl *clause) map[*term.Var]bool {
	set := map[*term.Var]bool{}
	for i, arg := range cl.args {
		if v, ok := arg.(*term.Var); ok && p.isNumeric(i) {
			set[v] = true
		}
	}
	eachGoal(cl.body, cl.layout, func(g goal) {
		name, arity, ok := term.Indicator(g.term)
		compound, isCompound := g.term.(*term.Compound)
		if !ok || !isCompound {
			return
		}
		if evaluated[name] && arity == 2 {
			variables(g.term, set)
			return
		}
		called := c.predicates[key{cl.key.module, string(name), arity}]
		for i, arg := range compound.Args {
			if v, isVariable := arg.(*term.Var); isVariable && called != nil && called.isNumeric(i) {
				set[v] = true
			}
		}
	})
	return set
}

// eachGoal calls f for the goals of a body, within control constructs too.
func eachGoal(body term.Term, layout *syntax.Layout, f func(goal)) {
	stack := []goal{{body, layout}}
	for n := 0; len(stack) > 0 && n < maxVisited; n++ {
		g := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if goals, ok := term.Control(g.term); ok {
			for i := len(goals) - 1; i >= 0; i-- {
				stack = append(stack, goal{goals[i], g.layout.Arg(i)})
			}
			continue
		}
		f(g)
	}
}

// show writes a term of a clause with the names of its variables.
func (cl *clause) show(t term.Term) string {
	names := map[*term.Var]string{}
	for _, info := range cl.read.Vars {
		names[info.Var] = info.Name
	}
	const most = 200
	text := syntax.Format(t, &syntax.WriteOptions{Quoted: true, NumberVars: true, VarNames: names, MaxBytes: most + 1})
	return syntax.CutText(text, most)
}
