package pushdown

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines questions that follow goals with several answers. They are sent in blocks: some answers of these
// goals are computed ahead, and the database returns the rows for all of them at once. So the goals must terminate and
// have no effects: they are questions, facts, members of lists, ranges of integers, and tests. The clause checks at run
// time whether a predicate has only facts. For each answer it checks whether a test evaluates only numbers: a value may
// be an expression with arbitrary effects, so such a test waits until the answer is used.

// part is one of the goals that replace a body.
type part struct {
	goal term.Term
	// made says that the goal is new, and not one of the body.
	made bool
	// query and row belong to a question for rows. query is nil for other goals. asked are the goals on tables that the
	// question replaces.
	query *relation.Query
	row   *term.Compound
	asked []sqlGoal
}

// ahead holds the goals before a question that can be computed ahead.
type ahead struct {
	parts []part
	// facts are the predicates that must have only facts. Its first item is none if the first goal calls no such
	// predicate. known are lists that must be ground.
	facts []term.Term
	known []term.Term
	// checks are further conditions, or nil.
	checks term.Term
	// nested says that one of the parts is itself a block.
	nested bool
}

// maxRange bounds the integers of between/3.
const maxRange = 1 << 20

// inBlocks turns questions of a body into blocks. changed says whether there are any.
func (cl *Clause) inBlocks(parts []part) (made []part, changed bool) {
	var before ahead
	for _, p := range parts {
		if p.query != nil && before.binds(p.row) {
			made = append(made[:len(made)-len(before.parts)], cl.block(&before, p))
			changed = true
			if before.nested || slices.ContainsFunc(before.parts, part.evaluates) {
				// A block within a block within a block takes much code, and tests that wait must not be called ahead.
				before = ahead{}
				continue
			}
			before.parts, before.nested = slices.Clone(made[len(made)-1:]), true
			continue
		}
		made = append(made, p)
		if !cl.isAhead(&before, p) {
			before = ahead{}
		}
	}
	return made, changed
}

// binds reports whether one of the goals ahead binds a variable of a row.
func (a *ahead) binds(row *term.Compound) bool {
	vars := term.Variables(row)
	return slices.ContainsFunc(a.parts, func(p part) bool {
		return slices.ContainsFunc(term.Variables(p.goal), func(v *term.Var) bool { return slices.Contains(vars, v) })
	})
}

// isAhead adds a goal to those that can be computed ahead, if possible. The first goal must be one with several
// answers.
func (cl *Clause) isAhead(a *ahead, p part) bool {
	switch {
	case p.query != nil:
	case p.made:
		return false
	case isTest(p.goal):
		if len(a.parts) == 0 {
			return true // nothing to compute ahead yet
		}
	case !cl.isSource(a, p.goal):
		return false
	}
	a.parts = append(a.parts, p)
	return true
}

// pureTests lists goals without effects and with at most one answer, by name and arity.
var pureTests = map[term.Atom]int{"=": 2, "\\=": 2, "==": 2, "\\==": 2, "@<": 2, "@>": 2, "@=<": 2, "@>=": 2, "<": 2,
	">": 2, "=<": 2, ">=": 2, "=:=": 2, "=\\=": 2, "is": 2, "var": 1, "nonvar": 1, "atom": 1, "number": 1, "integer": 1,
	"float": 1, "atomic": 1}

// isTest reports whether a goal is one of pureTests and evaluates only pureFunctions.
func isTest(goal term.Term) bool {
	c, ok := goal.(*term.Compound)
	return ok && pureTests[c.Functor] == len(c.Args) && !slices.ContainsFunc(expressions(c), isImpure)
}

// expressions returns the arguments that a test evaluates.
func expressions(test *term.Compound) []term.Term {
	switch test.Functor {
	case "is":
		return test.Args[1:]
	case "<", ">", "=<", ">=", "=:=", "=\\=":
		return test.Args
	}
	return nil
}

// pureFunctions lists functions that depend only on their arguments and are cheap: the value is hardly longer than the
// arguments.
var pureFunctions = []term.Atom{"+", "-", "*", "/", "//", "mod", "rem", "div", "abs", "sign", "min", "max", "gcd",
	"/\\", "\\/", "xor", "\\", "integer", "float", "truncate", "round", "ceiling", "floor", "float_integer_part",
	"float_fractional_part", "sqrt", "log", "log2", "exp", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "pi",
	"e", "inf", "nan", "epsilon"}

// isImpure reports whether an expression contains anything but pureFunctions, numbers and variables.
func isImpure(expression term.Term) bool {
	for stack := []term.Term{expression}; len(stack) > 0; {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch t := t.(type) {
		case term.Atom:
			if !slices.Contains(pureFunctions, t) {
				return true
			}
		case *term.Compound:
			if !slices.Contains(pureFunctions, t.Functor) {
				return true
			}
			stack = append(stack, t.Args...)
		case term.String:
			return true
		}
	}
	return false
}

// numbers returns a goal that checks that a test evaluates only numbers, nil if the test evaluates no variables.
func (p part) numbers() (check term.Term) {
	test, ok := p.goal.(*term.Compound)
	if !ok || p.made || p.query != nil || !isTest(test) {
		return nil
	}
	for _, e := range expressions(test) {
		for _, v := range term.Variables(e) {
			check = conjoined(check, term.New("number", v))
		}
	}
	return check
}

// evaluates reports whether a goal is a test that evaluates variables.
func (p part) evaluates() bool { return p.numbers() != nil }

// inTurn returns the goal that is called ahead, and the goal for the rest when one of its answers is used, or nil. An
// answer stops at a test whose operand is no number. left is then bound to that test.
func (a *ahead) inTurn(left *term.Var) (goal, rest term.Term) {
	var behind term.Term
	for i, p := range slices.Backward(a.parts) {
		behind = conjoined(p.goal, behind)
		check := p.numbers()
		if check == nil {
			goal = conjoined(p.goal, goal)
			continue
		}
		at := term.Int(i)
		goal = term.New(";", term.New("->", check, conjoined(p.goal, goal)), term.New("=", left, at))
		if rest == nil {
			rest = term.Atom("true")
		}
		rest = term.New(";", term.New("->", term.New("==", left, at), behind), rest)
	}
	return goal, rest
}

// isSource reports whether a goal terminates without effects, and notes the conditions of that.
func (cl *Clause) isSource(a *ahead, goal term.Term) bool {
	c, ok := goal.(*term.Compound)
	if !ok {
		return false
	}
	if args, ok := term.Is(goal, "between", 3); ok {
		low, isLow := args[0].(term.Int)
		high, isHigh := args[1].(term.Int)
		a.checks = conjoined(a.checks, cl.isLibrary("between", 3))
		return isLow && isHigh && high < maxRange && low > -maxRange && !cl.isOwn("between", 3)
	}
	if args, ok := term.Is(goal, "member", 2); ok {
		_, isList := term.Slice(args[1])
		if _, isVar := args[1].(*term.Var); isVar {
			a.known = append(a.known, args[1])
		} else if !isList {
			return false
		}
		a.checks = conjoined(a.checks, cl.isLibrary("member", 2))
		return !cl.isOwn("member", 2)
	}
	f := code.Functor(string(c.Functor), len(c.Args))
	if pred := cl.Home.Resolve(f); code.Control(f) || pred != nil && (pred.Builtin >= 0 || pred.Module.Library ||
		pred.Has(database.Ruled|database.Tabled|database.Control)) {
		return false
	}
	if len(a.facts) == 0 && len(a.parts) > 0 {
		a.facts = append(a.facts, term.Atom("none"))
	}
	a.facts = append(a.facts, term.New("/", c.Functor, term.Int(len(c.Args))))
	return true
}

// block returns the goal that sends a question in blocks, after the goals before it.
func (cl *Clause) block(a *ahead, p part) part {
	var goals []term.Term
	var shown []sqlGoal
	for _, b := range a.parts {
		goals = append(goals, b.goal)
		if b.asked != nil {
			shown = append(shown, b.asked...)
		} else {
			shown = append(shown, sqlGoal{term: b.goal})
		}
	}
	shown = append(shown, p.asked...)
	if statement, refused := cl.Plan(p.query); refused == "" {
		cl.Reports = append(cl.Reports, Report{At: cl.At, Goals: cl.goalTexts(shown), Statement: statement, InBlocks: true})
	}
	goal, question := term.Conjunction(goals...), cl.Ask("$sql", p.query, p.row)
	check := term.New("$sql_facts", term.Atom(cl.Home.Name), term.List(a.facts...), varsOf(goal),
		term.New("known", a.known...))
	if a.checks != nil {
		check = conjoined(check, a.checks)
	}
	left := term.NewVar("Left")
	early, rest := a.inTurn(left)
	asked := question.(*term.Compound).Args
	inBlocks := conjoined(term.New("$sql_blocks", early, left, asked[0], asked[1]), conjoined(rest, question))
	either := term.New(";", term.New("->", check, inBlocks), term.New(",", goal, question))
	return part{goal: either, made: true, asked: shown}
}
