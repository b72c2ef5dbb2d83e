package kb

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the search for the numbers that an input must have for a tool to have solutions: those that the
// comparisons at the beginning of each clause let through.

// Bounds are the least and the greatest number of an input with which a tool may have solutions. nil is no bound.
type Bounds struct {
	Argument  string
	Low, High term.Term
}

// Bounds returns what is known for the inputs of a tool that are numbers.
func (s *Snapshot) Bounds(ctx context.Context, t *Tool) (list []Bounds) {
	if t == nil || t.Provider == nil || t.Explain == ExplainNever || t.Provider.Defines("tool_call", 3) ||
		t.Provider.Defines("tool_call", 4) {
		return nil
	}
	for _, a := range t.Inputs() {
		typ, _ := t.Provider.Types.Resolve(a.Type)
		name, _ := typ.(term.Atom)
		start, whole := spans[name]
		if a.Optional() || !whole && name != "number" && name != "float" {
			continue
		}
		f := &boundSearch{whole: whole, start: start, knownSearch: knownSearch{s: s, ctx: ctx, left: knownClauses,
			until: time.Now().Add(knownTime), seen: map[knownColumn]bool{}}}
		c := knownColumn{t.Provider.Module, t.Functor, t.Arity(), a.Position}
		if f.within(c, knownDepth) && f.begun {
			list = append(list, Bounds{a.Name, f.hull.low, f.hull.high})
		}
	}
	return list
}

// span is the numbers from low to high. nil is no bound.
type span struct{ low, high term.Term }

// spans has what types of whole numbers let through.
var spans = map[term.Atom]span{"integer": {}, "positive_integer": {low: term.Int(1)},
	"non_negative_integer": {low: term.Int(0)}}

// narrow leaves of a span the numbers that a comparison lets through. Strict ones of whole numbers leave out the bound.
func (s *span) narrow(op term.Atom, n term.Term, whole bool) {
	low, high := n, n
	switch n := n.(type) {
	case term.Int:
		if whole && (op == "<" || op == ">") {
			low, high = n+1, n-1
		}
	case term.Float:
		if whole {
			low, high = term.Int(math.Ceil(float64(n))), term.Int(math.Floor(float64(n)))
		}
	}
	if (op == ">" || op == ">=" || op == "=:=") && (s.low == nil || term.CompareNumbers(low, s.low) > 0) {
		s.low = low
	}
	if (op == "<" || op == "=<" || op == "=:=") && (s.high == nil || term.CompareNumbers(high, s.high) < 0) {
		s.high = high
	}
}

// boundSearch looks for the bounds of one input.
type boundSearch struct {
	knownSearch
	whole bool
	start span // what the type lets through
	hull  span // around the numbers that the clauses so far let through
	begun bool // there was such a clause
}

// add takes the numbers that a clause lets through. It returns false when there is no bound left but that of the type.
func (f *boundSearch) add(s span) bool {
	if !f.begun {
		f.begun, f.hull = true, s
	}
	if s.low == nil || f.hull.low != nil && term.CompareNumbers(s.low, f.hull.low) < 0 {
		f.hull.low = s.low
	}
	if s.high == nil || f.hull.high != nil && term.CompareNumbers(s.high, f.hull.high) > 0 {
		f.hull.high = s.high
	}
	return f.hull != f.start
}

// within looks at the clauses of a predicate. It reports whether there is a bound which no other number passes.
func (f *boundSearch) within(c knownColumn, depth int) bool {
	info, ok := f.defines(c)
	if !ok || info.Dynamic || depth == 0 {
		return false
	}
	f.seen[c] = true
	if s, ok := f.allowed(f.s.declaredInput(c)); ok {
		return f.add(s)
	}
	var passed []knownColumn
	ok = f.clauses(info, func(head *term.Compound, body engine.Term) bool {
		switch x := head.Args[c.at].(type) {
		case *term.Var:
			return f.body(info.Module, x, []engine.Term{body}, f.start, &passed)
		case term.Int, term.Float:
			return f.add(span{x, x})
		}
		return true // no number fits
	})
	for _, next := range passed {
		ok = ok && (f.seen[next] || f.within(next, depth-1))
	}
	return ok
}

// allowed returns the numbers that the type of an input of mode/2 lets through. ok is false if it has no bound of its
// own.
func (f *boundSearch) allowed(typ engine.Term) (s span, ok bool) {
	s = f.start
	if args, isBetween := term.Is(typ, "between", 3); isBetween && isPlainNumber(args[1]) && isPlainNumber(args[2]) {
		s.narrow(">=", args[1], f.whole)
		s.narrow("=<", args[2], f.whole)
	} else if name, isAtom := typ.(term.Atom); isAtom && spans[name].low != nil {
		s.narrow(">=", spans[name].low, f.whole)
	}
	return s, s != f.start
}

// pureTests are goals that may come before a comparison: they bind nothing and have no effect.
var pureTests = []string{"true/0", "!/0", "integer/1", "number/1", "float/1", "nonvar/1", "must_be/2"}

// body looks at the goals of a body up to the first one that is no comparison. Bodies that pass the variable on by that
// goal are left to passed.
func (f *boundSearch) body(module string, v *term.Var, goals []engine.Term, s span, passed *[]knownColumn) bool {
	for len(goals) > 0 {
		goal := goals[0]
		goals = goals[1:]
		if both, ok := term.Is(goal, ",", 2); ok {
			goals = append([]engine.Term{both[0], both[1]}, goals...)
			continue
		}
		name, arity, _ := term.Indicator(goal)
		args := []engine.Term(nil)
		if c, ok := goal.(*term.Compound); ok {
			args = c.Args
		}
		mirrored := comparisons[name]
		switch {
		case arity == 0 && (name == "fail" || name == "false"):
			return true
		case slices.Contains(pureTests, indicator(string(name), arity)):
		case arity == 2 && mirrored != "" && args[0] == engine.Term(v) && isPlainNumber(args[1]):
			s.narrow(name, args[1], f.whole)
		case arity == 2 && mirrored != "" && args[1] == engine.Term(v) && isPlainNumber(args[0]):
			s.narrow(mirrored, args[0], f.whole)
		case arity == 2 && mirrored != "":
		case arity == 3 && name == "between" && args[2] == engine.Term(v) && isPlainNumber(args[0]) &&
			isPlainNumber(args[1]):
			s.narrow(">=", args[0], f.whole)
			s.narrow("=<", args[1], f.whole)
		case arity == 2 && name == ";":
			left, right := args[0], args[1]
			return f.body(module, v, []engine.Term{left}, s, passed) && f.body(module, v, []engine.Term{right}, s, passed)
		case arity == 2 && (name == "->" || name == "*->"):
			goals = append([]engine.Term{args[0], args[1]}, goals...)
		case s != f.start:
			return f.add(s)
		default:
			next, ok := firstGoal(module, v, goal)
			*passed = append(*passed, next)
			return ok
		}
	}
	return f.add(s)
}

// comparisons are those of numbers, each with the one that has its sides exchanged.
var comparisons = map[term.Atom]term.Atom{"<": ">", ">": "<", "=<": ">=", ">=": "=<", "=:=": "=:="}

// isPlainNumber reports whether a term is a number that JSON has as it is.
func isPlainNumber(t engine.Term) bool {
	const exact = 1 << 53
	switch n := t.(type) {
	case term.Int:
		return -exact < n && n < exact
	case term.Float:
		return math.Abs(float64(n)) < exact
	}
	return false
}
