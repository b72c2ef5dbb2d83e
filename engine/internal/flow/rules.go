package flow

import (
	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the rules for goals of the system: types established by tests, values bound by goals, and goals
// that call others.

// rule returns the types after a goal of the system, nil if it never succeeds.
type rule func(w *walk, g body.Part, args []term.Term, env Env) Env

// rules are the predicates with their own rules.
var rules map[Key]rule

func init() {
	rules = map[Key]rule{
		{"", "=", 2}:              unified,
		{"", "==", 2}:             unified,
		{"", "=@=", 2}:            nothing,
		{"", "fail", 0}:           failing,
		{"", "false", 0}:          failing,
		{"", "true", 0}:           nothing,
		{"", "is", 2}:             evaluated,
		{"", "between", 3}:        between,
		{"", "member", 2}:         member,
		{"", "memberchk", 2}:      member,
		{"", "call", 1}:           once,
		{"", "once", 1}:           once,
		{"", "$guard", 1}:         once,
		{"", "ignore", 1}:         ignored,
		{"", "forall", 2}:         apart,
		{"", "catch", 3}:          caught,
		{"", "findall", 3}:        collected(2, List),
		{"", "findall", 4}:        collected(2, Any),
		{"", "aggregate_all", 3}:  aggregated,
		{"", "format", 3}:         written,
		{"", "with_output_to", 2}: written,
		{"", "bagof", 3}:          collected(2, List),
		{"", "setof", 3}:          collected(2, List),
	}
	for name, t := range map[string]Type{
		"atom": Atom, "string": String, "integer": Integer, "float": Float, "number": Number,
		"rational": Rational, "atomic": Atomic, "compound": Compound, "callable": Callable, "is_list": List,
		"is_dict": Compound, "is_assoc": Callable,
	} {
		rules[Key{"", name, 1}] = func(_ *walk, _ body.Part, args []term.Term, env Env) Env {
			return env.after(env.Narrow(args[0], t))
		}
	}
	for _, name := range []string{"<", ">", "=<", ">=", "=:=", "=\\="} {
		rules[Key{"", name, 2}] = compared(name)
	}
	for _, name := range []string{"@<", "@>", "@=<", "@>="} {
		rules[Key{"", name, 2}] = ordered
	}
}

// after returns the environment if a goal can succeed.
func (e Env) after(succeeds bool) Env {
	if !succeeds {
		return nil
	}
	return e
}

func nothing(_ *walk, _ body.Part, _ []term.Term, env Env) Env { return env }

func failing(*walk, body.Part, []term.Term, Env) Env { return nil }

func unified(w *walk, _ body.Part, args []term.Term, env Env) Env {
	return env.after(w.unify(env, args[0], args[1], 0))
}

// operands notes that the variables of an expression have values that can be evaluated.
func operands(t term.Term, env Env) bool {
	for _, v := range term.Variables(t) {
		if !env.Narrow(v, Evaluable) {
			return false
		}
	}
	return true
}

// floating lists the operations that return a float if an operand is one.
var floating = map[term.Atom]bool{"+": true, "-": true, "*": true, "/": true}

// value returns the type of the value of an expression.
func value(t term.Term, env Env) Type {
	switch t := t.(type) {
	case term.Int, *term.Big, term.Float, *term.Rational:
		return Constant(t)
	case *term.Var:
		if known := env.Of(t); known.Only(Number) {
			return known
		}
	case *term.Compound:
		if len(t.Args) != 2 {
			break
		}
		left, right := value(t.Args[0], env), value(t.Args[1], env)
		if floating[t.Functor] && (left.Only(Float) || right.Only(Float)) {
			return Float
		}
		if kept := floating[t.Functor] && t.Functor != "/"; kept && (left.MayFloat() || right.MayFloat()) &&
			Union(left, right).MayFloat() {
			return Union(Integer, Float)
		}
		if t.Functor == "max" || t.Functor == "min" {
			return Union(left, right)
		}
		if !left.Only(Integer) || !right.Only(Integer) {
			if left.Only(Rational) && right.Only(Rational) && (t.Functor == "rdiv" || floating[t.Functor] && t.Functor != "/") {
				return Rational
			}
			break
		}
		switch t.Functor {
		case "rdiv":
			return Rational
		case "+", "-", "*":
			return combined(t.Functor, left, right)
		case "//", "mod", "rem", "div", "/\\", "\\/", "xor":
			return Integer
		}
	}
	return Number
}

// most bounds the integers in calculations, so that a float represents their products exactly.
const most = 1 << 26

// combined returns the range of an operation on two ranges.
func combined(operation term.Atom, a, b Type) Type {
	if min(a.lo, b.lo) < -most || max(a.hi, b.hi) > most {
		return Integer
	}
	switch operation {
	case "+":
		return Between(a.lo+b.lo, a.hi+b.hi)
	case "-":
		return Between(a.lo-b.hi, a.hi-b.lo)
	}
	products := []float64{a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi}
	low, high := products[0], products[0]
	for _, p := range products {
		low, high = min(low, p), max(high, p)
	}
	return Between(low, high)
}

func evaluated(_ *walk, _ body.Part, args []term.Term, env Env) Env {
	if !operands(args[1], env) {
		return nil
	}
	return env.after(env.Narrow(args[0], value(args[1], env)))
}

// compared returns the rule of a comparison of numbers, which uses their ranges.
func compared(name string) rule {
	return func(_ *walk, _ body.Part, args []term.Term, env Env) Env {
		if !operands(args[0], env) || !operands(args[1], env) {
			return nil
		}
		left, right := value(args[0], env), value(args[1], env)
		distance := 0.0
		if left.Only(Integer) && right.Only(Integer) {
			distance = 1
		}
		switch name {
		case "<":
			left, right = below(left, right, distance)
		case "=<":
			left, right = below(left, right, 0)
		case ">":
			right, left = below(right, left, distance)
		case ">=":
			right, left = below(right, left, 0)
		case "=:=":
			left, right = Meet(left, ranged(numbers, right.lo, right.hi)), Meet(right, ranged(numbers, left.lo, left.hi))
		}
		return env.after(narrowed(args[0], left, env) && narrowed(args[1], right, env))
	}
}

// narrowed notes the range of one side of a comparison. The range applies directly only to a variable whose value is no
// expression.
func narrowed(t term.Term, to Type, env Env) bool {
	if _, ok := t.(*term.Var); ok {
		return env.Narrow(t, Union(to, calculated))
	}
	return !to.Empty()
}

// ordered is the rule of a comparison by the standard order of terms.
func ordered(_ *walk, g body.Part, args []term.Term, env Env) Env {
	name, _, _ := term.Indicator(g.Term)
	order := Order(env.Of(args[0]), env.Of(args[1]))
	return env.after(order == 0 || (order < 0) == (name[1] == '<' || name == "@=<"))
}

// below narrows two ranges, given that the first value is smaller by at least some distance.
func below(a, b Type, distance float64) (Type, Type) {
	return Meet(a, ranged(numbers, -inf, b.hi-distance)), Meet(b, ranged(numbers, a.lo+distance, inf))
}

func between(_ *walk, _ body.Part, args []term.Term, env Env) Env {
	low, high := -inf, inf
	if t := env.Of(args[0]); t.Only(Integer) {
		low = t.lo
	}
	if t := env.Of(args[1]); t.Only(Integer) {
		high = t.hi
	}
	if !env.Narrow(args[0], Integer) || !env.Narrow(args[1], Union(Integer, Text)) {
		return nil
	}
	return env.after(env.Narrow(args[2], Between(low, high)))
}

// member is the rule of member/2 and memberchk/2.
func member(_ *walk, _ body.Part, args []term.Term, env Env) Env {
	each := env.Elements(args[1])
	return env.after(env.Narrow(args[1], List) && env.Narrow(args[0], each))
}

// Elements returns the type of the elements of a list, [Any] if it is not known.
func (e Env) Elements(list term.Term) Type {
	items, ok := term.Slice(list)
	if !ok {
		if each, known := e.Of(list).Each(); known {
			return each
		}
		return Any
	}
	var all Type
	for _, item := range items {
		all = Union(all, e.Of(item))
	}
	return all
}

func once(w *walk, g body.Part, _ []term.Term, env Env) Env { return w.goal(g.Arg(0), env) }

func ignored(w *walk, g body.Part, _ []term.Term, env Env) Env {
	return joined(w.goal(g.Arg(0), w.copied(env)), env)
}

func apart(w *walk, g body.Part, _ []term.Term, env Env) Env {
	w.goal(g.Arg(1), w.goal(g.Arg(0), w.copied(env)))
	return env
}

func caught(w *walk, g body.Part, _ []term.Term, env Env) Env {
	left := w.goal(g.Arg(0), w.copied(env))
	return joined(left, w.goal(g.Arg(2), env))
}

// collected returns the rule of a goal that collects the solutions of its second argument in another argument.
func collected(at int, t Type) rule {
	return func(w *walk, g body.Part, args []term.Term, env Env) Env {
		if after := w.inside(g, w.key(g), env); after != nil && at == 2 && t.Equal(List) {
			return env.after(env.Narrow(args[2], ListOf(after.Of(args[0]).Coarse())))
		}
		return env.after(env.Narrow(args[at], t))
	}
}

// passed says that a predicate copies elements from a list to another list or to an argument.
type passed struct {
	from, to int
	one      bool
}

var passing = map[Key]passed{
	{"", "msort", 2}: {0, 1, false}, {"", "sort", 2}: {0, 1, false}, {"", "sort", 4}: {2, 3, false},
	{"", "predsort", 3}: {1, 2, false}, {"", "reverse", 2}: {0, 1, false}, {"", "list_to_set", 2}: {0, 1, false},
	{"", "include", 3}: {1, 2, false}, {"", "exclude", 3}: {1, 2, false}, {"", "subtract", 3}: {0, 2, false},
	{"", "delete", 3}: {0, 2, false}, {"", "last", 2}: {0, 1, true}, {"", "nth0", 3}: {1, 2, true},
	{"", "nth1", 3}: {1, 2, true}, {"", "max_member", 2}: {1, 0, true}, {"", "min_member", 2}: {1, 0, true},
	{"", "select", 3}: {1, 0, true},
}

// on notes the type of the copied elements. It reports whether that is possible.
func (p passed) on(args []term.Term, env Env) bool {
	each, ok := env.Of(args[p.from]).Each()
	if !p.one {
		each = ListOf(each)
	}
	return !ok || env.Narrow(args[p.to], each)
}

// aggregated is the rule of aggregate_all/3. A count is at least zero, and an empty collection has no least or greatest
// value.
func aggregated(w *walk, g body.Part, args []term.Term, env Env) Env {
	some := w.goal(g.Arg(1), w.copied(env)) != nil
	if name, arity, _ := term.Indicator(args[0]); !some && arity > 0 && (name == "max" || name == "min") {
		return nil
	}
	result := Any
	switch name, arity, _ := term.Indicator(args[0]); {
	case name == "count" && arity == 0:
		result = Between(0, inf)
	case arity == 1 && (name == "sum" || name == "max" || name == "min"):
		result = Number
	case arity == 2 && (name == "max" || name == "min"):
		result = Of(name, arity)
	case arity == 1 && (name == "bag" || name == "set"):
		result = List
	}
	return env.after(env.Narrow(args[2], result))
}

// sinks maps the sinks of format/3 and with_output_to/2 to the types of the results.
var sinks = map[term.Atom]Type{"atom": Atom, "string": String, "codes": List, "chars": List}

// written is the rule of a goal that writes a text into its first argument.
func written(w *walk, g body.Part, args []term.Term, env Env) Env {
	w.inside(g, w.key(g), env)
	if sink, ok := args[0].(*term.Compound); ok && len(sink.Args) == 1 && !sinks[sink.Functor].Empty() {
		return env.after(env.Narrow(sink.Args[0], sinks[sink.Functor]))
	}
	return env
}
