package clausetext

import (
	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// Clause is a clause that was read again. One goroutine uses it.
type Clause struct {
	Read *syntax.Read
	Term term.Term // of the clause, a grammar rule translated

	goals []WrittenGoal // nil until they are wanted
}

// WrittenGoal is a goal as it stands in the text.
type WrittenGoal struct {
	Name string
	At   syntax.Place
}

// Values returns the values of the variables in an instance of the clause. If the clause was expanded, or has changed
// since it was loaded, it returns the values that still fit.
func (c *Clause) Values(head, body term.Term) map[*term.Var]term.Term {
	written, goals := headAndBody(c.Term)
	if guarded, ok := term.Is(written, ",", 2); ok {
		written = guarded[0]
	}
	values := map[*term.Var]term.Term{}
	if !explain.Match(written, head, values) {
		return nil
	}
	c.matchGoals(goals, body, values)
	return values
}

// matchGoals matches the goals of a body one by one, so that one that was expanded takes nothing from the others.
func (c *Clause) matchGoals(written, body term.Term, values map[*term.Var]term.Term) {
	for written != nil && body != nil {
		first, rest := written, term.Term(nil)
		if both, ok := term.Is(written, ",", 2); ok {
			first, rest = both[0], both[1]
		}
		goal, others := body, term.Term(nil)
		if both, ok := term.Is(body, ",", 2); ok {
			goal, others = both[0], both[1]
		}
		if constraint := ExpandedConstraint(goal); constraint != nil {
			goal = constraint
		}
		if own := map[*term.Var]term.Term{}; explain.Match(first, goal, own) {
			for v, value := range own {
				if _, known := values[v]; !known {
					values[v] = value
				}
			}
		}
		written, body = rest, others
	}
}

// GoalPlace is where goal number index of a body stands in the text, counted in lines of the clause.
func (c *Clause) GoalPlace(body term.Term, index int) (syntax.Place, bool) {
	goals := BodyGoals(body)
	if index < 1 || index > len(goals) {
		return syntax.Place{}, false
	}
	name := goals[index-1]
	nth := 0
	for _, other := range goals[:index-1] {
		if other == name {
			nth++
		}
	}
	if c.goals == nil {
		c.goals = c.WrittenGoals()
	}
	for _, g := range c.goals {
		if g.Name != name {
			continue
		}
		if nth == 0 {
			return g.At, true
		}
		nth--
	}
	return syntax.Place{}, false
}

// BodyGoals are the names of the goals of a body, numbered as library(prolog_debug) numbers them.
func BodyGoals(body term.Term) (names []string) {
	stack := []term.Term{body}
	for len(stack) > 0 && len(names) < explain.MaxMatched {
		goal := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if constraint := ExpandedConstraint(goal); constraint != nil {
			names = append(names, goalName(constraint))
			continue
		}
		if parts := goalParts(goal); parts != nil {
			for i := len(parts) - 1; i >= 0; i-- {
				stack = append(stack, parts[i])
			}
			continue
		}
		names = append(names, goalName(goal))
	}
	return names
}

// goalParts are the goals within a control construct, nil for other goals.
func goalParts(goal term.Term) []term.Term {
	if goals, ok := term.Control(goal); ok {
		return goals
	}
	if args, ok := term.Is(goal, ":", 2); ok {
		if _, unbound := args[1].(*term.Var); !unbound {
			return args[1:]
		}
	}
	return nil
}

// ExpandedConstraint is the constraint that the loader has made a conditional of, nil for other goals.
func ExpandedConstraint(goal term.Term) term.Term {
	for {
		args, isOr := term.Is(goal, ";", 2)
		if !isOr {
			return nil
		}
		if _, isThen := term.Is(args[0], "->", 2); !isThen {
			return nil
		}
		if in, isIn := term.Is(args[1], ":", 2); isIn && in[0] == term.Term(term.Atom("clpfd")) {
			return in[1]
		}
		goal = args[1]
	}
}

func goalName(goal term.Term) string {
	name, _, _ := term.Indicator(goal)
	return string(name)
}

// WrittenGoals are the goals of the clause's body as they stand in the text, from left to right.
func (c *Clause) WrittenGoals() (list []WrittenGoal) {
	clause, ok := c.Read.Term.(*term.Compound)
	if !ok || len(clause.Args) != 2 || c.Read.Layout == nil {
		return nil
	}
	type node struct {
		t term.Term
		l *syntax.Layout
	}
	stack := []node{{clause.Args[1], c.Read.Layout.Arg(1)}}
	for len(stack) > 0 && len(list) < explain.MaxMatched {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n.l == nil {
			continue
		}
		parts := goalParts(n.t)
		if inner, ok := term.Is(n.t, "{}", 1); ok {
			parts = inner
		}
		if parts == nil {
			list = append(list, WrittenGoal{goalName(n.t), n.l.Pos})
			continue
		}
		skipped := len(n.t.(*term.Compound).Args) - len(parts)
		for i := len(parts) - 1; i >= 0; i-- {
			stack = append(stack, node{parts[i], n.l.Arg(i + skipped)})
		}
	}
	return list
}
