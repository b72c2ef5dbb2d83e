package lint

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the search for infinite recursion: a clause calls its own predicate with the same arguments, with a
// number that nothing bounds, or along facts that form a cycle.

// endless reports such a call. The goals before it may only find values.
func (c *checker) endless(p *predicate, cl *clause) {
	if p.tabled || p.circles || cl.grammar || cl.apart || cl.key.Arity == 0 {
		return
	}
	goals := cl.conjuncts()
	for n, g := range goals {
		args, ok := call(cl.key, g)
		if !ok && c.onlyFinds(cl, g) {
			continue
		}
		if !ok {
			return
		}
		s := &step{c: c, p: p, cl: cl, before: goals[:n], args: args, changed: map[*term.Var]bool{}}
		if why, table := s.goesOn(); why != "" {
			f := c.report(cl, g.Layout, "endless", "%s, so that %s does not end once all its answers are asked for", why, cl.key)
			if table {
				f.Message += "; add :- table " + cl.indicator() + "."
			}
		}
		return
	}
}

// onlyFinds reports whether a goal only finds values, the same ones each time.
func (c *checker) onlyFinds(cl *clause, g goal) bool {
	k := c.flow.Called(cl.key.Module, g)
	if inner, _ := c.inner(cl, g); len(inner) > 0 || k.Name == "get_time" {
		return false
	}
	if p := c.predicates[k]; p != nil {
		return c.facts(k) != nil
	}
	same := g.Term == term.Term(term.Atom("!")) || c.flow.Calculates(cl.key.Module, g)
	visit(g.Term, func(t term.Term) {
		name, _, _ := term.Indicator(t)
		same = same && !strings.HasPrefix(string(name), "random") && name != "cputime" && name != "realtime"
	})
	return same
}

// facts returns the clauses of a predicate that has only facts of the text, else nil.
func (c *checker) facts(k key) []*clause {
	p := c.predicates[k]
	if p == nil || p.more != nil || c.world.Open(k, len(p.clauses)) ||
		slices.ContainsFunc(p.clauses, func(cl *clause) bool { return !cl.isFact() }) {
		return nil
	}
	return p.clauses
}

// step is a recursive call with the goals before it.
type step struct {
	c       *checker
	p       *predicate
	cl      *clause
	before  []goal
	args    []term.Term
	changed map[*term.Var]bool // variables with a different value in each call
}

// goesOn says why the recursion is infinite, or returns "" if it need not be. It also reports whether a table would end
// the recursion.
func (s *step) goesOn() (why string, table bool) {
	at, same, calculated := -1, 0, 0
	for i, arg := range s.args {
		v, from := variableOf(arg), variableOf(s.cl.args[i])
		switch {
		case term.Equal(arg, s.cl.args[i]):
			same++
		case v == nil || slices.Index(s.args, arg) != i || from == nil || s.inHead(v) || occursTwice(s.cl.args, from):
			return "", false
		case s.isNew(v):
			s.changed[from] = true
		case s.result(v) != nil:
			s.changed[v], s.changed[from] = true, true
			calculated++
			if s.counts(from, v) != 0 {
				at = i
			}
		case at >= 0:
			return "", false
		default:
			at = i
		}
	}
	switch {
	case at < 0:
		if calculated > 0 || same == 0 || s.asks(nil) {
			return "", false
		}
		return "this call has the arguments that the clause was called with", true
	case slices.ContainsFunc(s.p.clauses, cutsSomewhere):
		return "", false
	}
	from, to := s.cl.args[at].(*term.Var), s.args[at].(*term.Var)
	if direction := s.counts(from, to); direction != 0 {
		if s.asks(func(g goal) bool { return guardsAgainst(g, from, to) == direction }) {
			return "", false
		}
		becomes := map[int]string{1: "greater", -1: "less"}[direction]
		return "nothing stops " + s.cl.nameOf(from) + " from becoming " + becomes + " with each call", false
	}
	return s.round(from, to), calculated == 0
}

// inHead reports whether a variable is in the head.
func (s *step) inHead(v *term.Var) bool {
	return slices.ContainsFunc(s.cl.args, func(t term.Term) bool { return has(t, v) })
}

// occursTwice reports whether a variable is in several arguments of a head.
func occursTwice(head []term.Term, v *term.Var) bool {
	n := 0
	for _, arg := range head {
		if has(arg, v) {
			n++
		}
	}
	return n > 1
}

// isNew reports whether a variable occurs in no earlier goal.
func (s *step) isNew(v *term.Var) bool {
	return !slices.ContainsFunc(s.before, func(g goal) bool { return has(g.Term, v) })
}

// result returns the expression from which an earlier goal calculates a variable.
func (s *step) result(v *term.Var) term.Term {
	for _, g := range s.before {
		if args, ok := term.Is(g.Term, "is", 2); ok && args[0] == term.Term(v) {
			return args[1]
		}
	}
	return nil
}

// counts returns 1 if a variable is another variable plus a number, -1 if it is minus a number, 0 otherwise.
func (s *step) counts(from, to *term.Var) int {
	sum, ok := s.result(to).(*term.Compound)
	if !ok || len(sum.Args) != 2 || sum.Args[0] != term.Term(from) {
		return 0
	}
	by, isInt := sum.Args[1].(term.Int)
	switch {
	case !isInt || by == 0:
		return 0
	case sum.Functor == "+" && by > 0 || sum.Functor == "-" && by < 0:
		return 1
	case sum.Functor == "+" || sum.Functor == "-":
		return -1
	}
	return 0
}

// asks reports whether an earlier goal tests a changed variable. It does not count goals that calculate another value,
// or goals for which ignored holds, because these let all values pass.
func (s *step) asks(ignored func(goal) bool) bool {
	for _, g := range s.before {
		if args, ok := term.Is(g.Term, "is", 2); ok && isVar(args[0]) || ignored != nil && ignored(g) {
			continue
		}
		for v := range s.changed {
			if has(g.Term, v) {
				return true
			}
		}
	}
	return false
}

// guardsAgainst returns the direction in which a comparison with a number lets all values pass: 1 for N > 0, -1 for N <
// 9.
func guardsAgainst(g goal, from, to *term.Var) int {
	args, name := argumentsOfGoal(g)
	if len(args) != 2 || !isNumber(args[1]) || args[0] != term.Term(from) && args[0] != term.Term(to) {
		return 0
	}
	switch name {
	case ">", ">=":
		return 1
	case "<", "=<":
		return -1
	}
	return 0
}

// cutsSomewhere reports whether a clause has a cut or a condition, or throws.
func cutsSomewhere(cl *clause) (found bool) {
	visit(cl.goals.Term, func(t term.Term) {
		name, arity, _ := term.Indicator(t)
		found = found || arity == 0 && name == "!" || arity == 1 && name == "throw" ||
			arity == 2 && (name == "->" || name == "*->")
	})
	return found
}

// round returns the facts by which one variable leads to another and finally back to the first value, "" if there are
// none.
func (s *step) round(from, to *term.Var) string {
	var with goal
	for _, g := range s.before {
		if !has(g.Term, from) && !has(g.Term, to) {
			continue
		}
		if with.Term != nil {
			return ""
		}
		with = g
	}
	if with.Term == nil || s.asks(func(g goal) bool { return g.Term == with.Term }) {
		return ""
	}
	k := s.c.flow.Called(s.cl.key.Module, with)
	args, _ := argumentsOfGoal(with)
	at, next := slices.Index(args, term.Term(from)), slices.Index(args, term.Term(to))
	rows := s.c.facts(k)
	if at < 0 || next < 0 || len(rows) > MaxFacts {
		return ""
	}
	for i, arg := range args {
		v := variableOf(arg)
		if v != nil && i != at && i != next && (s.inHead(v) || slices.Index(args, arg) != i) || v == nil && !isAtomic(arg) {
			return ""
		}
	}
	edges := map[string][]string{}
	for _, row := range rows {
		if !isAtomic(row.args[at]) || !isAtomic(row.args[next]) || slices.ContainsFunc(args, func(arg term.Term) bool {
			i := slices.Index(args, arg)
			return isAtomic(arg) && !term.Equal(arg, row.args[i])
		}) {
			continue
		}
		one := syntax.FormatTerm(row.args[at])
		edges[one] = append(edges[one], syntax.FormatTerm(row.args[next]))
	}
	for _, row := range rows {
		if begin := syntax.FormatTerm(row.args[at]); leadsTo(edges, begin) {
			return k.String() + " leads from " + begin + " back to " + begin
		}
	}
	return ""
}

// leadsTo reports whether a graph has a path from a node back to itself.
func leadsTo(edges map[string][]string, begin string) bool {
	seen := map[string]bool{}
	for stack := slices.Clone(edges[begin]); len(stack) > 0; {
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if node == begin {
			return true
		}
		if !seen[node] {
			seen[node] = true
			stack = append(stack, edges[node]...)
		}
	}
	return false
}
