package pushdown

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines questions that follow goals with several answers. They are asked in blocks: some answers of these
// goals are computed ahead, and the database is asked for the rows of all of them at once. So the goals must have no
// effects and come to an end: they are questions, facts, members of lists, ranges of integers, and tests. Whether a
// predicate has facts alone is known when the clause runs. Whether a test evaluates numbers alone is known for each
// answer: a value may be an expression, which may have any effect, so that it is left until the answer is taken.

// part is one of the goals that run in place of a body.
type part struct {
	goal term.Term
	// made says that the goal is none of the body's.
	made bool
	// query and row are those of a question for rows, query is nil for other goals. asked are the goals on tables that it
	// stands for.
	query *relation.Query
	row   *term.Compound
	asked []sqlGoal
}

// ahead is what stands before a question and can be computed ahead.
type ahead struct {
	parts []part
	// facts are the predicates that must have facts alone, none instead of the first if the first goal is of no such
	// predicate; known are lists that must have no variables.
	facts []term.Term
	known []term.Term
	// checks are other conditions, or nil.
	checks term.Term
	// nested says that one of the parts is a block itself.
	nested bool
}

// maxRange bounds the integers of between/3.
const maxRange = 1 << 20

// inBlocks puts questions of a body in blocks. changed says whether there are any.
func (cl *Clause) inBlocks(parts []part) (made []part, changed bool) {
	var before ahead
	for _, p := range parts {
		if p.query != nil && before.binds(p.row) {
			made = append(made[:len(made)-len(before.parts)], cl.block(&before, p))
			changed = true
			if before.nested || slices.ContainsFunc(before.parts, part.evaluates) {
				// A block within a block within a block is much code, and tests that are left must not be called ahead.
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

// binds reports whether a variable of a row gets its value from one of the goals ahead.
func (a *ahead) binds(row *term.Compound) bool {
	vars := term.Variables(row)
	return slices.ContainsFunc(a.parts, func(p part) bool {
		return slices.ContainsFunc(term.Variables(p.goal), func(v *term.Var) bool { return slices.Contains(vars, v) })
	})
}

// isAhead adds a goal to those that can be computed ahead, if it can be. The first has to be one with several answers.
func (cl *Clause) isAhead(a *ahead, p part) bool {
	switch {
	case p.query != nil:
	case p.made:
		return false
	case isTest(p.goal):
		if len(a.parts) == 0 {
			return true // nothing to be done ahead by now
		}
	case !cl.isSource(a, p.goal):
		return false
	}
	a.parts = append(a.parts, p)
	return true
}

// pureTests are the arities of goals without effects that have at most one answer.
var pureTests = map[term.Atom]int{"=": 2, "\\=": 2, "==": 2, "\\==": 2, "@<": 2, "@>": 2, "@=<": 2, "@>=": 2, "<": 2,
	">": 2, "=<": 2, ">=": 2, "=:=": 2, "=\\=": 2, "is": 2, "var": 1, "nonvar": 1, "atom": 1, "number": 1, "integer": 1,
	"float": 1, "atomic": 1}

// isTest reports whether a goal is one of pureTests, and evaluates no more than pureFunctions.
func isTest(goal term.Term) bool {
	c, ok := goal.(*term.Compound)
	return ok && pureTests[c.Functor] == len(c.Args) && !slices.ContainsFunc(expressions(c), isImpure)
}

// expressions are the arguments that a test evaluates.
func expressions(test *term.Compound) []term.Term {
	switch test.Functor {
	case "is":
		return test.Args[1:]
	case "<", ">", "=<", ">=", "=:=", "=\\=":
		return test.Args
	}
	return nil
}

// pureFunctions have the same value at any time, which costs little: it is hardly longer than their arguments.
var pureFunctions = []term.Atom{"+", "-", "*", "/", "//", "mod", "rem", "div", "abs", "sign", "min", "max", "gcd",
	"/\\", "\\/", "xor", "\\", "integer", "float", "truncate", "round", "ceiling", "floor", "float_integer_part",
	"float_fractional_part", "sqrt", "log", "log2", "exp", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "pi",
	"e", "inf", "nan", "epsilon"}

// isImpure reports whether an expression has more than pureFunctions, numbers and variables.
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

// numbers is the goal that a test evaluates numbers alone, nil if it evaluates no variables.
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

// inTurn returns the goal that is called ahead, and the goal for the rest when one of its answers is taken, or nil. An
// answer that comes to a test of what is no number ends there: left, otherwise unbound, says which test that is.
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

// isSource reports whether a goal has an end and no effects, or notes on what condition.
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

// block is the goal that asks a question in blocks behind the goals before it.
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
