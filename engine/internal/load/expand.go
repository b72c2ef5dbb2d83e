package load

import (
	"cmp"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how a term is expanded after it is read: by term_expansion/2, as a grammar rule, and by
// goal_expansion/2.

// expand applies term_expansion/2 and translates grammar rules. The result may be several terms.
func (l *Loader) expand(t term.Term) []term.Term {
	list := []term.Term{t}
	if !l.library {
		list = l.userExpansion(t)
	}
	var out []term.Term
	for _, t := range list {
		if l.unit != nil {
			if clauses := l.testClause(t); clauses != nil {
				out = append(out, clauses...)
				continue
			}
		}
		if _, ok := term.Is(t, "-->", 2); ok {
			if t = l.grammarRule(t); t == nil {
				continue
			}
		}
		out = append(out, t)
	}
	return out
}

// userExpansion applies term_expansion/2 of the module being loaded, and then that of user to each resulting term.
func (l *Loader) userExpansion(t term.Term) []term.Term {
	list := []term.Term{t}
	for _, module := range l.hooks("term_expansion") {
		var next []term.Term
		for _, t := range list {
			next = append(next, l.termExpansion(t, module)...)
		}
		list = next
	}
	return list
}

func (l *Loader) termExpansion(t term.Term, module *database.Module) []term.Term {
	x := term.NewVar("X")
	s, err := l.solve(term.New("term_expansion", t, x), []*term.Var{x}, module)
	if err != nil {
		l.exception("term_expansion", err)
		return nil
	}
	if s == nil {
		return []term.Term{t}
	}
	if isCyclic(s[0]) {
		l.report(SeverityError, "term_expansion", "term_expansion/2 gives a cyclic term")
		return nil
	}
	if items, ok := term.Slice(s[0]); ok {
		return items
	}
	return []term.Term{s[0]}
}

// grammarRule translates Head --> Body.
func (l *Loader) grammarRule(t term.Term) term.Term {
	x := term.NewVar("X")
	s, err := l.solve(term.New("dcg_translate_rule", t, x), []*term.Var{x}, l.module)
	if err != nil {
		l.exception("grammar", err)
		return nil
	}
	if s == nil {
		l.report(SeverityError, "grammar", "this grammar rule cannot be translated")
		return nil
	}
	return s[0]
}

// hooks returns the modules whose expansion hook of arity 2 applies to the text being loaded: its own module and user,
// as far as they define the hook.
func (l *Loader) hooks(name string) []*database.Module {
	user := l.p.db.User()
	scopes := []*database.Module{user}
	if l.module != user && !l.library {
		scopes = []*database.Module{l.module, user}
	}
	return slices.DeleteFunc(scopes, func(module *database.Module) bool {
		pred := module.Find(code.Functor(name, 2))
		return pred == nil || len(pred.Clauses()) == 0
	})
}

// The limits of goal expansion: the nesting of control constructs, the goals of a clause that are expanded, and the
// nesting of expansions. Nested goals are compared with each other.
const (
	maxGoalDepth      = 10_000
	maxGoalExpansions = 10_000
	maxActiveGoals    = 500
)

// goalExpansion is the expansion of the goals of one clause.
type goalExpansion struct {
	l *Loader
	// hooks are the modules whose goal_expansion/2 applies.
	hooks []*database.Module
	// constraints says whether the program uses library(clpfd).
	constraints bool
	// occurs is set if the flag occurs_check applies.
	occurs bool
	// active are the goals being expanded now. A goal is not expanded within its own expansion.
	active []term.Term
	// left is the number of goals that may still be expanded. If it falls below zero, the expansion of the clause fails.
	left int
	// origin maps the goals of expansions to the goals of the text that they come from.
	origin map[term.Term]term.Term
}

// expandGoals applies goal_expansion/2 to the goals of a body and expands constraints to arithmetic. It leaves the
// lines of the goals for addClause.
func (l *Loader) expandGoals(body term.Term) term.Term {
	l.searched, l.expandedLines = nil, nil
	if body == term.Term(term.True) {
		return body
	}
	e := goalExpansion{l: l, hooks: l.hooks("goal_expansion"), occurs: l.ChecksOccurs(), left: maxGoalExpansions}
	e.constraints = (len(e.hooks) > 0 || MentionsConstraints(body)) && l.UsesConstraints()
	if len(e.hooks) == 0 && !e.constraints && !e.occurs {
		return body
	}
	l.result.dependent = true
	e.origin = map[term.Term]term.Term{}
	out := e.body(body, 0)
	if e.left < 0 {
		l.report(SeverityError, "goal_expansion", "goal expansion does not come to an end")
	}
	if len(e.origin) > 0 && l.read != nil {
		l.expandedLines = e.lines(out)
	}
	if len(e.hooks) == 0 {
		l.searched = body
	}
	return out
}

// lines lists the source lines of the goals of an expanded body, left to right, packed as the code area keeps them.
func (e *goalExpansion) lines(body term.Term) []int32 {
	known := lineOfGoals(e.l.read)
	line := int32(e.l.read.Pos.Line)
	var lines []int32
	eachGoal(body, func(goal term.Term) {
		for from, ok := e.origin[goal]; ok; from, ok = e.origin[goal] {
			goal = from
		}
		if at, ok := known[goal]; ok {
			line = at
		}
		lines = append(lines, line)
	})
	return lines
}

// lineOfGoals maps the goals of a clause that are compound terms to their lines.
func lineOfGoals(read *syntax.Read) map[term.Term]int32 {
	lines := map[term.Term]int32{}
	list := goalLines(read)
	if args, ok := term.Is(read.Term, ":-", 2); ok {
		i := 0
		eachGoal(args[1], func(goal term.Term) {
			if _, ok := goal.(*term.Compound); ok && i < len(list) {
				lines[goal] = list[i]
			}
			i++
		})
	}
	return lines
}

// eachGoal visits the goals of a body, left to right.
func eachGoal(body term.Term, visit func(term.Term)) {
	stack := []term.Term{body}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if goals, ok := term.Control(t); ok {
			for _, goal := range slices.Backward(goals) {
				stack = append(stack, goal)
			}
			continue
		}
		visit(t)
	}
}

// body expands the goals in a body, and the goals in their expansions.
func (e *goalExpansion) body(t term.Term, depth int) term.Term {
	if _, isVar := t.(*term.Var); isVar || depth >= maxGoalDepth || e.left < 0 {
		return t
	}
	if goals, ok := term.Control(t); ok {
		expanded := make([]term.Term, len(goals))
		for i, goal := range goals {
			expanded[i] = e.body(goal, depth+1)
		}
		return term.New(t.(*term.Compound).Functor, expanded...)
	}
	if e.isActive(t) {
		return t
	}
	next := cmp.Or(e.constraint(t), e.unification(t))
	for i := 0; next == nil && i < len(e.hooks); i++ {
		next = e.goal(t, e.hooks[i])
	}
	if next == nil {
		return e.metaArguments(t, depth)
	}
	if e.left--; len(e.active) == maxActiveGoals {
		e.left = -1
		return t
	}
	e.active = append(e.active, t)
	eachGoal(next, func(goal term.Term) {
		if _, ok := goal.(*term.Compound); ok && goal != t {
			e.origin[goal] = t
		}
	})
	out := e.body(next, depth+1)
	e.active = e.active[:len(e.active)-1]
	return out
}

func (e *goalExpansion) isActive(goal term.Term) bool {
	for _, g := range e.active {
		if term.Equal(g, goal) {
			return true
		}
	}
	return false
}

// metaArguments expands the arguments that the predicate of a goal calls as goals.
func (e *goalExpansion) metaArguments(goal term.Term, depth int) term.Term {
	c, ok := goal.(*term.Compound)
	if !ok {
		return goal
	}
	pred := e.l.module.Resolve(code.Functor(string(c.Functor), len(c.Args)))
	if pred == nil || len(pred.Meta) != len(c.Args) {
		return goal
	}
	args := make([]term.Term, len(c.Args))
	for i, a := range c.Args {
		if args[i] = a; pred.Meta[i] == '0' {
			args[i] = e.body(a, depth+1)
		}
	}
	expanded := term.New(c.Functor, args...)
	e.origin[expanded] = goal
	return expanded
}

// goal calls goal_expansion/2 of a module for a goal. It returns nil if the goal stays as it is.
func (e *goalExpansion) goal(t term.Term, module *database.Module) term.Term {
	x, vars := term.NewVar("X"), term.Variables(t)
	s, err := e.l.solve(term.New("goal_expansion", t, x), append([]*term.Var{x}, vars...), module)
	if err != nil {
		e.l.exception("goal_expansion", err)
		return nil
	}
	if s == nil {
		return nil
	}
	if isCyclic(s[0]) {
		e.l.report(SeverityError, "goal_expansion", "goal_expansion/2 gives a cyclic term")
		return nil
	}
	back := map[*term.Var]term.Term{}
	for i, v := range vars {
		if out, ok := s[i+1].(*term.Var); ok {
			back[out] = v
		}
	}
	if next := term.Rename(s[0], back); !term.Equal(next, t) {
		return next
	}
	return nil
}

// isCyclic reports whether a term contains itself.
func isCyclic(t term.Term) bool {
	const open, closed = 1, 2
	state := map[*term.Compound]int{}
	stack := []term.Term{t}
	for len(stack) > 0 {
		c, ok := stack[len(stack)-1].(*term.Compound)
		switch {
		case !ok || state[c] == closed:
			stack = stack[:len(stack)-1]
		case state[c] == open:
			state[c] = closed
			stack = stack[:len(stack)-1]
		default:
			state[c] = open
			for _, a := range c.Args {
				if sub, ok := a.(*term.Compound); ok && state[sub] == open {
					return true
				}
				stack = append(stack, a)
			}
		}
	}
	return false
}
