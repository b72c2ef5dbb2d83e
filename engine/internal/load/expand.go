package load

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/passes"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
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

// userExpansion applies the hooks of term expansion in turn. Each hook gets the terms that the previous one gives.
func (l *Loader) userExpansion(t term.Term) []term.Term {
	list, changed := []term.Term{t}, map[*database.Module]bool{}
	for _, h := range l.hooks(termHooks) {
		if changed[h.module] { // the first hook of a module that succeeds counts
			continue
		}
		var next []term.Term
		for _, t := range list {
			expanded, ok := l.termExpansion(t, h)
			next = append(next, expanded...)
			changed[h.module] = changed[h.module] || ok
		}
		list = next
	}
	return list
}

// termExpansion applies one hook to a term. ok is false if the term stays as it is. If the hook throws or gives a
// cyclic term, this is reported and the term is dropped.
func (l *Loader) termExpansion(t term.Term, h hook) (list []term.Term, ok bool) {
	x, err := l.expandBy(h, t)
	if err != nil {
		l.exception("term_expansion", err)
		return nil, true
	}
	if x == nil {
		return []term.Term{t}, false
	}
	if isCyclic(x) {
		l.report(source.SeverityError, "term_expansion", "term_expansion/2 gives a cyclic term")
		return nil, true
	}
	if items, ok := term.Slice(x); ok {
		return items, true
	}
	return []term.Term{x}, true
}

// expandBy calls a hook for a term. It returns nil if the hook fails. The result has the variables of the term
// itself, not copies. A hook can refer to the other variables of the clause by prolog_load_context/2.
func (l *Loader) expandBy(h hook, t term.Term) (term.Term, error) {
	x, names := term.NewVar("X"), l.context("variable_names")
	goal, vars := h.goal(t, x), term.Variables(t)
	if names != nil && names != term.Term(term.Nil) && !l.library {
		set := term.New(":", term.Atom("system"), term.New("b_setval", variableNames, names))
		goal, vars = term.New(",", set, goal), term.Variables(term.New("-", t, names))
	}
	s, err := l.solve(goal, append([]*term.Var{x}, vars...), h.module)
	if err != nil || s == nil {
		return nil, err
	}
	if isCyclic(s[0]) {
		return s[0], nil
	}
	back := map[*term.Var]term.Term{}
	for i, v := range vars {
		if out, ok := s[i+1].(*term.Var); ok {
			back[out] = v
		}
	}
	return term.Rename(s[0], back), nil
}

// variableNames is the global variable that has the names of the clause's variables while a hook runs.
const variableNames = term.Atom("$variable_names")

// grammarRule translates Head --> Body. It returns nil after an error.
func (l *Loader) grammarRule(t term.Term) term.Term {
	x := term.NewVar("X")
	s, err := l.solve(term.New("dcg_translate_rule", t, x), []*term.Var{x}, l.module)
	if err != nil {
		l.exception("grammar", err)
		return nil
	}
	if s == nil {
		l.report(source.SeverityError, "grammar", "this grammar rule cannot be translated")
		return nil
	}
	return s[0]
}

// hook is a predicate that expands terms or goals, in the module that defines it.
type hook struct {
	module *database.Module
	pred   *database.Pred
}

// goal returns the call of the hook that gives x for t. A hook with four arguments also gets the layout, which is
// unbound.
func (h hook) goal(t term.Term, x *term.Var) term.Term {
	name := term.Atom(h.pred.Name())
	if h.pred.Arity() == 4 {
		return term.New(name, t, term.NewVar(""), x, term.NewVar(""))
	}
	return term.New(name, t, x)
}

// The functors of the hooks, in the order in which a module tries them.
var (
	termHooks = []code.Cell{code.Functor("term_expansion", 4), code.Functor("term_expansion", 2)}
	goalHooks = []code.Cell{code.Functor("goal_expansion", 4), code.Functor("goal_expansion", 2)}
)

// hooks returns the hooks that apply to the text being loaded. They have clauses in the module of the text, in its
// ancestors, in user or in system.
func (l *Loader) hooks(functors []code.Cell) []hook {
	user, system := l.p.db.User(), l.p.db.System()
	var scopes []*database.Module
	if !l.library {
		scopes = inherited(nil, l.module)
		scopes = slices.DeleteFunc(scopes, func(m *database.Module) bool { return m == user || m == system })
	}
	scopes = append(scopes, user, system)
	var list []hook
	if pred := l.ruleHook(); pred != nil && &functors[0] == &termHooks[0] {
		list = append(list, hook{pred.Module, pred})
	}
	for _, module := range scopes {
		for _, f := range functors {
			if pred := module.FindHook(f); pred != nil {
				list = append(list, hook{module, pred})
			}
		}
	}
	return list
}

// inherited adds a module and its parents, nearest first, to a list of modules.
func inherited(list []*database.Module, m *database.Module) []*database.Module {
	if slices.Contains(list, m) {
		return list
	}
	list = append(list, m)
	for _, parent := range m.Parents() {
		list = inherited(list, parent)
	}
	return list
}

// ruleHook returns the predicate of library(chr) that collects rules and compiles them at the end of a file. It returns
// nil if the module of the loader does not see that library.
func (l *Loader) ruleHook() *database.Pred {
	if l.library {
		return nil
	}
	trace := l.module.Resolve(code.Functor("chr_trace", 0))
	if trace == nil || trace.Module.Name != "chr" || !trace.Module.Library {
		return nil
	}
	rules := l.p.db.FindModule("chr_rules")
	if rules == nil {
		return nil
	}
	return rules.Find(code.Functor("chr_expansion", 2))
}

// The limits of goal expansion: the nesting of control constructs, the goals of a clause that are expanded, and the
// nesting of expansions. Nested goals are compared pairwise.
const (
	maxGoalDepth      = 10_000
	maxGoalExpansions = 10_000
	maxActiveGoals    = 500
	// maxExpandedParts bounds the number of subterms in all expansions of a clause. Each expansion by a hook may be
	// twice as large as the one before.
	maxExpandedParts = 1 << 20
)

// goalExpansion is the expansion of the goals of one clause.
type goalExpansion struct {
	l *Loader
	// hooks are the goal_expansion/2 and goal_expansion/4 that apply.
	hooks []hook
	// constraints says whether the program uses library(clpfd).
	constraints bool
	// occurs is set if the flag occurs_check applies.
	occurs bool
	// active are the goals being expanded now. A goal is not expanded within its own expansion.
	active []term.Term
	// hooked says that a hook has changed a goal.
	hooked bool
	// left is the number of goals that may still be expanded. If it falls below zero, the expansion of the clause fails.
	left  int
	parts int // subterms that expansions may still have
	// origin maps the goals of expansions to the goals of the text that they come from.
	origin map[term.Term]term.Term
}

// expandGoals applies goal_expansion/2 to the goals of a body and expands constraints to arithmetic. It stores the
// lines of the goals for addClause.
func (l *Loader) expandGoals(body term.Term) term.Term {
	l.searched, l.expandedLines = nil, nil
	if body == term.Term(term.True) {
		return body
	}
	e := goalExpansion{l: l, hooks: l.hooks(goalHooks), occurs: l.ChecksOccurs(), left: maxGoalExpansions,
		parts: maxExpandedParts}
	e.constraints = (len(e.hooks) > 0 || passes.MentionsConstraints(body)) && l.UsesConstraints()
	if len(e.hooks) == 0 && !e.constraints && !e.occurs {
		return body
	}
	l.result.dependent = true
	e.origin = map[term.Term]term.Term{}
	out := e.body(body, 0)
	if e.hooked {
		l.lintChanged("goal_expansion/2")
	}
	if e.left < 0 {
		l.report(source.SeverityError, "goal_expansion", "goal expansion does not come to an end")
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
	for _, goal := range goalsOf(body) {
		for from, ok := e.origin[goal]; ok; from, ok = e.origin[goal] {
			goal = from
		}
		if at, ok := known[goal]; ok {
			line = at
		}
		lines = append(lines, line)
	}
	return lines
}

// lineOfGoals maps the goals of a clause that are compound terms to their lines.
func lineOfGoals(read *syntax.Read) map[term.Term]int32 {
	lines := map[term.Term]int32{}
	list := goalLines(read)
	if args, ok := term.Is(read.Term, ":-", 2); ok {
		for i, goal := range goalsOf(args[1]) {
			if _, ok := goal.(*term.Compound); ok && i < len(list) {
				lines[goal] = list[i]
			}
		}
	}
	return lines
}

// body expands the goals in a body, and the goals in their expansions.
func (e *goalExpansion) body(t term.Term, depth int) term.Term {
	if _, isVar := t.(*term.Var); isVar || depth >= maxGoalDepth || e.left < 0 {
		return t
	}
	if goals, ok := shapes.Control(t); ok {
		expanded := make([]term.Term, len(goals))
		for i, goal := range goals {
			expanded[i] = e.body(goal, depth+1)
		}
		if functor := t.(*term.Compound).Functor; functor == ";" && isIf(expanded[0]) && !isIf(goals[0]) {
			expanded[0] = term.New(",", expanded[0], term.True) // bodies in the condition are not branches
		}
		return term.New(t.(*term.Compound).Functor, expanded...)
	}
	if args, ok := term.Is(t, "$guard", 1); ok {
		return term.New("$guard", e.body(args[0], depth+1))
	}
	if args, ok := term.Is(t, ":", 2); ok {
		return e.qualified(t, args[0], args[1], depth)
	}
	if e.isActive(t) {
		return t
	}
	next := e.builtIn(t)
	for i := 0; next == nil && i < len(e.hooks); i++ {
		next = e.goal(t, e.hooks[i])
		e.hooked = e.hooked || next != nil
	}
	if next == nil {
		return e.metaArguments(t, depth)
	}
	// A deep nesting of expansions counts as an infinite one.
	if e.left--; len(e.active) == maxActiveGoals {
		e.left = -1
		return t
	}
	e.active = append(e.active, t)
	for _, goal := range goalsOf(next) {
		if _, ok := goal.(*term.Compound); ok && goal != t {
			e.origin[goal] = t
		}
	}
	out := e.body(next, depth+1)
	e.active = e.active[:len(e.active)-1]
	return out
}

// builtIn returns the expansion of a constraint, or of a unification that checks for cyclic terms; nil for other goals.
func (e *goalExpansion) builtIn(t term.Term) (next term.Term) {
	if e.constraints {
		next = passes.Constraint(t)
	}
	if next == nil && e.occurs {
		next = passes.Unification(t)
	}
	return next
}

// UsesConstraints reports whether constraints of library(clpfd) are visible in the module of the loader.
func (l *Loader) UsesConstraints() bool {
	pred := l.module.Resolve(code.Functor("#=", 2))
	return pred != nil && pred.Module.Name == "clpfd" && pred.Module.Library
}

// ChecksOccurs reports whether the flag occurs_check applies to the clauses being loaded: it is set, or the clauses are
// tests that set it.
func (l *Loader) ChecksOccurs() bool {
	mode := l.p.flags.Flag("occurs_check")
	return !l.library && (l.unit != nil && l.unit.occurs || mode != nil && mode != term.Term(term.False))
}

// isIf reports whether a goal is a condition with its consequence, as in If -> Then.
func isIf(t term.Term) bool {
	_, ok := term.Is(t, "->", 2)
	return ok
}

// qualified expands a goal that runs in another module, with the hooks of that module.
func (e *goalExpansion) qualified(t, module, goal term.Term, depth int) term.Term {
	name, ok := module.(term.Atom)
	if !ok {
		return t
	}
	m := e.l.p.db.FindModule(string(name))
	// A missing module has the hooks of user.
	if m == nil {
		m = e.l.p.db.User()
	}
	own, hooks := e.l.module, e.hooks
	defer func() { e.l.module, e.hooks = own, hooks }()
	e.l.module = m
	e.hooks = e.l.hooks(goalHooks)
	out := e.body(goal, depth+1)
	if out == goal {
		return t
	}
	expanded := term.New(":", module, out)
	e.origin[expanded] = t
	return expanded
}

// isActive reports whether a goal is being expanded already, so that an expansion to itself terminates.
func (e *goalExpansion) isActive(goal term.Term) bool {
	for _, g := range e.active {
		if term.Equal(g, goal) {
			return true
		}
	}
	return false
}

// metaArguments expands the arguments that a meta-predicate calls as goals.
func (e *goalExpansion) metaArguments(goal term.Term, depth int) term.Term {
	name, arity, _ := term.Indicator(goal)
	spec := e.l.metaSpec(code.Functor(string(name), arity))
	expanded := body.Part{Term: goal}.Rebuild(spec, func(arg body.Part) term.Term {
		switch {
		case arg.Grammar:
			return arg.Term
		case arg.Extra > 0:
			return e.closure(arg.Term, arg.Extra, depth+1)
		}
		return e.body(arg.Term, depth+1)
	})
	if expanded != goal {
		e.origin[expanded] = goal
	}
	return expanded
}

// metaSpec returns the meta_predicate specification of the predicate that a call in the text reaches. A predicate of
// the module itself may be declared without clauses.
func (l *Loader) metaSpec(functor code.Cell) string {
	if pred := l.module.Find(functor); pred != nil && pred.Meta() != "" {
		return pred.Meta()
	}
	if pred := l.module.Resolve(functor); pred != nil {
		return pred.Meta()
	}
	return ""
}

// closure expands a goal that is called with n more arguments. The expansion becomes a lambda unless it is a goal that
// ends in these arguments and contains them nowhere else.
func (e *goalExpansion) closure(t term.Term, n, depth int) term.Term {
	name, _, ok := term.Indicator(t)
	if !ok || name == ":" || name == ">>" || name == "/" {
		return t
	}
	var args []term.Term
	if c, ok := t.(*term.Compound); ok {
		args = slices.Clone(c.Args)
	}
	extra := make([]term.Term, n)
	for i := range extra {
		extra[i] = term.NewVar("")
	}
	extended := term.New(name, append(args, extra...)...)
	expanded := e.body(extended, depth)
	if term.Equal(expanded, extended) {
		return t
	}
	if closed := withoutLast(expanded, extra); closed != nil {
		return closed
	}
	var shared []term.Term
	for _, v := range term.Variables(expanded) {
		if !slices.Contains(extra, term.Term(v)) {
			shared = append(shared, v)
		}
	}
	return term.New("/", term.New("v", shared...), term.New(">>", term.List(extra...), expanded))
}

// withoutLast removes some variables from the end of the arguments of t. It returns nil if t does not end in them.
func withoutLast(t term.Term, extra []term.Term) term.Term {
	c, ok := t.(*term.Compound)
	if !ok || len(c.Args) < len(extra) {
		return nil
	}
	if _, ok := shapes.Control(c); ok {
		return nil
	}
	kept := len(c.Args) - len(extra)
	if !slices.Equal(c.Args[kept:], extra) {
		return nil
	}
	if kept == 0 {
		return c.Functor
	}
	closed := term.New(c.Functor, c.Args[:kept]...)
	for _, v := range term.Variables(closed) {
		if slices.Contains(extra, term.Term(v)) {
			return nil
		}
	}
	return closed
}

// goal calls a hook for a goal. It returns nil if the goal stays as it is.
func (e *goalExpansion) goal(t term.Term, h hook) term.Term {
	next, err := e.l.expandBy(h, t)
	if err != nil {
		e.l.exception("goal_expansion", err)
		return nil
	}
	if next != nil && isCyclic(next) {
		e.l.report(source.SeverityError, "goal_expansion", "goal_expansion/2 gives a cyclic term")
		return nil
	}
	if next == nil || e.isLarge(next) || term.Equal(next, t) {
		return nil
	}
	return next
}

// isLarge reports whether an expansion has more subterms than the clause may still have. Then the expansion of the
// clause fails.
func (e *goalExpansion) isLarge(t term.Term) bool {
	for range term.Parts(t) {
		if e.parts--; e.parts < 0 {
			e.left = -1
			return true
		}
	}
	return false
}

// isCyclic reports whether a term contains itself. The results of hooks may be cyclic, and a walk over them would not
// terminate.
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
