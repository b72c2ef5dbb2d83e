package lint

import (
	"fmt"
	"maps"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the search for recursion that does not end, is slow in a table, or is wrong in one.

// leftRecursion reports a clause that calls its own predicate first, with no argument that becomes smaller.
func (c *checker) leftRecursion(p *predicate, cl *clause) {
	if p.tabled || cl.key.Arity == 0 {
		return
	}
	for _, first := range c.firstGoals(cl) {
		through := ""
		if args, ok := call(cl.key, first); ok {
			if !circles(cl.args, args) {
				continue
			}
		} else if through = c.circlesThrough(cl, first); through == "" {
			continue
		}
		f := c.report(cl, first.Layout, "left_recursion",
			"%s calls itself%s before anything else and with nothing that becomes less, so that it does not end; "+
				"add :- table %s.", cl.indicator(), through, cl.indicator())
		p.circles = true
		f.Insert, f.Line = ":- table "+cl.indicator()+".", cl.line
		for _, other := range p.clauses {
			if other.file == cl.file {
				f.Line = min(f.Line, other.line)
			}
		}
		return
	}
}

// indicator names the predicate of a clause in the form of a directive.
func (cl *clause) indicator() string {
	if cl.grammar {
		return fmt.Sprintf("%s//%d", syntax.FormatTerm(term.Atom(cl.key.Name)), cl.key.Arity-2)
	}
	return cl.key.String()
}

// firstGoals are the goals that may be called before any other. A meta-call is replaced by the goals that it calls.
func (c *checker) firstGoals(cl *clause) (list []goal) {
	stack := []goal{cl.goals}
	for n := 0; len(stack) > 0 && n < maxGoals; n++ {
		g := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		goals := g.Conjuncts()
		for len(goals) > 1 && (goals[0].Term == term.Term(term.True) || goals[0].Term == term.Term(term.Atom("!"))) {
			goals = goals[1:]
		}
		g = goals[0]
		name, arity, _ := term.Indicator(g.Term)
		inner, _ := c.inner(cl, g)
		switch {
		case arity == 2 && (name == ";" || name == "|"):
			stack = append(stack, g.Arg(1), g.Arg(0))
		case arity == 2 && (name == "->" || name == "*->"):
			stack = append(stack, g.Arg(0))
		case len(inner) > 0:
			stack = append(stack, inner[0])
		default:
			list = append(list, g)
		}
	}
	return list
}

// circlesThrough returns the predicate through which a clause calls its own: the first goal calls a predicate whose
// clauses begin with a call back. Of two such predicates it returns the first in the text. It returns "" if there is
// none.
func (c *checker) circlesThrough(cl *clause, first goal) string {
	name, arity, ok := term.Indicator(first.Term)
	k := keyOf(cl.key.Module, string(name), arity)
	other := c.predicates[k]
	if !ok || arity == 0 || other == nil || other.tabled || k == cl.key ||
		other.number < c.predicates[cl.key].number {
		return ""
	}
	given := first.Term.(*term.Compound).Args
	for _, way := range other.clauses {
		to := map[*term.Var]term.Term{}
		for i, arg := range way.args {
			v, isVariable := arg.(*term.Var)
			if _, twice := to[v]; !isVariable || twice {
				to = nil
				break
			}
			to[v] = given[i]
		}
		if to == nil {
			continue
		}
		for _, g := range c.firstGoals(way) {
			args, ok := call(cl.key, g)
			if ok && circles(cl.args, renamed(args, to)) {
				return " through " + k.String()
			}
		}
	}
	return ""
}

// renamed returns arguments with some of their variables replaced.
func renamed(args []term.Term, to map[*term.Var]term.Term) []term.Term {
	list := make([]term.Term, len(args))
	for i, arg := range args {
		list[i] = term.Rename(arg, to)
	}
	return list
}

// circles reports whether a call returns to itself, given the arguments of the head: it passes some arguments on
// unchanged and the rest is unknown, or it passes those of the head in another order.
func circles(head, given []term.Term) bool {
	same, known := 0, 0
	for i, arg := range given {
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
	return same > 0 || known > 0 && known == len(given)
}

func isAtomic(t term.Term) bool { _, ok := t.(*term.Compound); return !ok && !isVar(t) }

// rightRecursion reports a tabled predicate that calls itself last with another value of an input. Each value then has
// its own table, which repeats the answers of the tables after it.
func (c *checker) rightRecursion(p *predicate, cl *clause) {
	if !p.tabled || p.table != nil || calls(cl.goals.Term, cl.key) != 1 {
		return
	}
	for _, goals := range c.ways(cl, cl.conjuncts()...) {
		last := goals[len(goals)-1]
		args, ok := call(cl.key, last)
		if !ok || len(goals) < 2 || !passes(cl.args, args) {
			continue
		}
		for i, arg := range cl.args {
			from, isVariable := arg.(*term.Var)
			to, isOther := args[i].(*term.Var)
			if isVariable && isOther && from != to && p.isInput(i) && c.stepped(cl, goals[:len(goals)-1], from, to) {
				c.report(cl, last.Layout, "right_recursion", "each value of %s gets a table of its own, as %s is called last "+
					"with %s instead; call it first, so that all share one", cl.nameOf(from), cl.key, cl.nameOf(to))
				return
			}
		}
	}
}

// maxWays bounds the examined paths through a body.
const maxWays = 32

// ways returns the paths through some goals, as conjunctions without branches.
func (c *checker) ways(cl *clause, goals ...goal) [][]goal {
	done := [][]goal{nil}
	for _, g := range goals {
		var next [][]goal
		for _, branch := range c.branches(cl, g) {
			for _, way := range done {
				if len(next) < maxWays {
					next = append(next, append(way[:len(way):len(way)], branch...))
				}
			}
		}
		done = next
	}
	return done
}

// branches returns the conjunctions that a goal may lead to.
func (c *checker) branches(cl *clause, g goal) [][]goal {
	name, arity, _ := term.Indicator(g.Term)
	switch {
	case arity == 2 && (name == ";" || name == "|"):
		return append(c.ways(cl, g.Arg(0).Conjuncts()...), c.ways(cl, g.Arg(1).Conjuncts()...)...)
	case arity == 2 && (name == "->" || name == "*->"):
		return c.ways(cl, append(g.Arg(0).Conjuncts(), g.Arg(1).Conjuncts()...)...)
	}
	if inner, lasts := c.inner(cl, g); lasts {
		return c.ways(cl, inner[0].Conjuncts()...)
	}
	return [][]goal{{g}}
}

// passes reports whether a call passes an argument on unchanged.
func passes(head, given []term.Term) bool {
	for i := range head {
		if isVar(head[i]) && head[i] == given[i] {
			return true
		}
	}
	return false
}

// stepped reports whether one variable is computed from another by goals that call predicates of the program.
func (c *checker) stepped(cl *clause, goals []goal, from, to *term.Var) bool {
	reached := map[*term.Var]bool{from: true}
	for _, g := range goals {
		t, module := g.Term, cl.key.Module
		if args, ok := term.Is(t, ":", 2); ok {
			name, _ := args[0].(term.Atom)
			t, module = args[1], string(name)
		}
		name, arity, ok := term.Indicator(t)
		called := c.predicates[keyOf(module, string(name), arity)]
		if !ok || called == nil || len(called.clauses) == 0 {
			continue
		}
		own := map[*term.Var]bool{}
		variables(t, own)
		for v := range own {
			if reached[v] {
				maps.Copy(reached, own)
				break
			}
		}
	}
	return reached[to]
}

// monotone reports recursion through a table that keeps the least or greatest value only, where a better value makes a
// worse one, or no answer.
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
		for g := range body.Goals(cl.goals) {
			args, ok := call(cl.key, g)
			if !ok {
				continue
			}
			if v, ok := args[i].(*term.Var); ok {
				c.usesOf(cl, v, name, cl.args[i])
			} else {
				c.report(cl, g.Layout, "not_monotone", "the table keeps the %s of its values, and this asks whether that is %s; "+
					"a better one that comes later ends that", betterWord[name], cl.show(args[i]))
			}
		}
	}
}

// negatedRecursion reports a call of the clause's own predicate under a negation or in a collection of all solutions.
func (c *checker) negatedRecursion(cl *clause) {
	for g := range body.Goals(cl.goals) {
		name, arity, ok := term.Indicator(g.Term)
		collects := apartGoals[name]
		if ok && (collects && arity >= 2 || name == "not" && arity == 1) && calls(g.Term, cl.key) > 0 {
			c.report(cl, g.Layout, "not_monotone", "%s asks for all answers of %s before its table has them; a better "+
				"answer that comes later changes what this was made of", name, cl.key)
		}
	}
	visit(cl.goals.Term, func(t term.Term) {
		if args, ok := term.Is(t, "\\+", 1); ok && calls(args[0], cl.key) > 0 {
			c.report(cl, cl.goals.Layout, "not_monotone", "\\+ of %s is asked before its table is complete; a better answer "+
				"that comes later changes what this was made of", cl.key)
		}
	})
}

// betterWord describes the better of two values for a mode.
var betterWord = map[term.Atom]string{"min": "smaller", "max": "greater"}

// usesOf reports uses of a value of the table by which a better value, of mode min or max, makes a worse value of the
// head, or no answer.
func (c *checker) usesOf(cl *clause, v *term.Var, mode term.Atom, head term.Term) {
	slopes := map[*term.Var]int{v: 1}
	for g := range body.Goals(cl.goals) {
		c2, ok := g.Term.(*term.Compound)
		if !ok || len(c2.Args) != 2 || !evaluated[c2.Functor] {
			continue
		}
		why := ""
		result, isVariable := c2.Args[0].(*term.Var)
		switch {
		case c2.Functor == "is" && isVariable && slopes[result] == 0:
			slope := slopeOf(c2.Args[1], slopes)
			slopes[result] = slope
			if slope < 0 && head == term.Term(result) {
				why = "the value falls when that rises"
			}
		case c2.Functor != "is" && refusesBetter(c2, slopes, mode):
			why = "it holds for worse values only"
		}
		if why == "" {
			continue
		}
		better := betterWord[mode]
		c.report(cl, g.Layout, "not_monotone", "%s is of a table that keeps the %s of its values, and here a %s one does "+
			"not lead to a %s one: %s", cl.nameOf(v), mode, better, better, why)
	}
}

// slopeOf returns 1 if an expression rises with the value of the table, -1 if it falls, 0 if neither is known.
func slopeOf(e term.Term, slopes map[*term.Var]int) int {
	if v, ok := e.(*term.Var); ok {
		return slopes[v]
	}
	c, ok := e.(*term.Compound)
	if !ok || len(c.Args) == 0 || len(c.Args) > 2 ||
		!strings.Contains(" + - * / // div max min ", " "+string(c.Functor)+" ") {
		return 0
	}
	left, right := slopeOf(c.Args[0], slopes), 0
	if len(c.Args) == 2 {
		right = slopeOf(c.Args[1], slopes)
	}
	switch {
	case len(c.Args) == 1 && c.Functor == "-":
		return -left
	case len(c.Args) == 2 && (c.Functor == "-" || c.Functor == "/" || c.Functor == "//" || c.Functor == "div"):
		right = -right
	case len(c.Args) == 2 && c.Functor == "*" && (isNegative(c.Args[0]) || isNegative(c.Args[1])):
		left, right = -left, -right
	}
	if left == -right {
		return 0
	}
	return max(-1, min(1, left+right))
}

// isNegative reports whether a term is a number below zero.
func isNegative(t term.Term) bool {
	switch t := t.(type) {
	case term.Int:
		return t < 0
	case term.Float:
		return t < 0
	}
	return false
}

// refusesBetter reports whether a comparison fails for better values of the table.
func refusesBetter(c *term.Compound, slopes map[*term.Var]int, mode term.Atom) bool {
	slope := slopeOf(c.Args[0], slopes) - slopeOf(c.Args[1], slopes)
	if mode == "min" {
		slope = -slope
	}
	switch c.Functor {
	case ">", ">=":
		return slope < 0
	case "<", "=<":
		return slope > 0
	}
	return slope != 0
}
