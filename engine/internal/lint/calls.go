package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the searches for arguments that a format or an expression rejects, for expressions in heads, and
// for inputs without an answer although mode/2 promises one.

// formatWants maps groups of format letters to the terms that they accept, with a description. Other letters accept any
// term.
var formatWants = []struct {
	letters, name string
	flow.Type
}{
	{"dDcrR*", "an integer", flow.Union(flow.Integer, flow.Compound)},
	{"eEfgG", "a number", flow.Union(flow.Number, flow.Union(flow.Compound,
		flow.Union(flow.Constant(term.Atom("pi")), flow.Constant(term.Atom("e")))))},
	{"a", "an atom", flow.Atomic},
	{"s", "a text", flow.Union(flow.Text, flow.List)},
}

// formatKinds reports an argument that a format rejects by its kind.
func (c *checker) formatKinds(cl *clause, g goal, before flow.Env) string {
	args, name := argumentsOfGoal(g)
	at := len(args) - 2
	if name != "format" || at < 0 || at > 1 || c.predicates[keyOf(cl.key.Module, name, len(args))] != nil {
		return ""
	}
	if _, isText := args[0].(term.String); isText && at == 1 {
		return "the first argument of format/3 says where the text goes; the values stand in a list: format(Text, [X, Y])"
	}
	text, isText := term.Text(args[at])
	items, isList := term.Slice(args[at+1])
	letters, ok := argumentsOf(text)
	if !isText || !isList || !ok || len(letters) != len(items) {
		return ""
	}
	for i, letter := range letters {
		t := before.Of(items[i])
		for _, group := range formatWants {
			if !strings.ContainsRune(group.letters, letter) || t.Empty() {
				continue
			}
			calculated := group.name == "an integer" || group.name == "a number"
			if flow.Meet(t, group.Type).Empty() || calculated && !t.Only(flow.Text) && (t.Only(flow.List) || c.noNumber(t)) {
				return fmt.Sprintf("~%c takes %s, and %s is %s", letter, group.name, cl.show(items[i]), t)
			}
		}
	}
	return ""
}

// unknownFunction reports an undefined function in an expression.
func (c *checker) unknownFunction(g goal) (why string) {
	args, name := argumentsOfGoal(g)
	if len(args) != 2 || !evaluated[term.Atom(name)] || c.mentioned["arithmetic_function"] > 0 {
		return ""
	}
	if name == "is" {
		args = args[1:]
	}
	visit(term.List(args...), func(t term.Term) {
		name, arity, _ := term.Indicator(t)
		if arity == 0 && t != term.Term(term.Nil) && why == "" && flow.Meet(flow.Constant(t), flow.Evaluable).Empty() {
			why = fmt.Sprintf("%s is no number and no function", syntax.FormatTerm(t))
		}
		if arity == 0 || arity > 3 || name == term.Dot || name == ":" || why != "" ||
			c.world.Function(string(name), arity) {
			return
		}
		why = fmt.Sprintf("there is no function %s/%d", name, arity)
		for other := 1; other <= 3; other++ {
			if c.world.Function(string(name), other) {
				why += fmt.Sprintf("; there is %s/%d", name, other)
			}
		}
	})
	return why
}

// exchanged reports arguments of a library call that are in each other's place, judged by their values.
func (c *checker) exchanged(cl *clause, g goal, before flow.Env) string {
	args, name := argumentsOfGoal(g)
	if p := c.predicates[c.world.Resolve(cl.key.Module, name, len(args))]; p != nil {
		return p.exchanged(args, before)
	}
	text, isText := "", false
	if len(args) > 0 {
		text, isText = term.Text(args[0])
	}
	switch separators := isText && text != "" && !strings.ContainsFunc(text, isWord); {
	case name == "split_string" && len(args) == 4 && separators && isVar(args[1]):
		return "split_string/4 takes the text first and the separators second"
	case (name == "atom_length" || name == "string_length") && len(args) == 2 && isNumber(args[0]) && isVar(args[1]):
		return name + "/2 takes the text first and the length second"
	case name == "append" && len(args) == 3 && flow.Meet(before.Of(args[1]), flow.List).Empty():
		return fmt.Sprintf("append/3 takes two lists, and %s is %s; write [%[1]s]", cl.show(args[1]), before.Of(args[1]))
	case (name == "sub_atom" || name == "sub_string") && len(args) == 5 && args[2] == term.Term(term.Int(0)) &&
		isVar(args[1]) && isVar(args[4]):
		return name + "/5 takes the text, how much is before the part, the length of the part, how much is behind it, and " +
			"the part; this asks for a part of length 0"
	}
	return ""
}

// exchanged reports two arguments of a call whose values fit only the mode/2 declaration of the other one.
func (p *predicate) exchanged(args []term.Term, before flow.Env) string {
	if len(p.modes) != 1 {
		return ""
	}
	var at []int
	var want, have []flow.Type
	for i, arg := range args {
		if declared, isInput := term.Is(p.modes[0][i], "+", 1); isInput {
			d, t := declarationOf(declared[0]).Type, before.Of(arg)
			if misfits(d, t) {
				at, want, have = append(at, i), append(want, d), append(have, t)
			}
		}
	}
	if len(at) != 2 || misfits(want[0], have[1]) || misfits(want[1], have[0]) {
		return ""
	}
	return fmt.Sprintf("arguments %d and %d stand in each other's place: mode/2 has %s and %s, and these are %s and %s",
		at[0]+1, at[1]+1, want[0], want[1], have[0], have[1])
}

// misfits reports whether no current value of one type belongs to another type.
func misfits(want, have flow.Type) bool {
	return flow.Meet(want, have).Empty() || have.Only(flow.Text) && have.Seen() != nil &&
		!slices.ContainsFunc(have.Seen(), func(t term.Term) bool { return !flow.Meet(want, flow.Constant(t)).Empty() })
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// headExpressions reports expressions in a head if mode/2 declares the output as a number or a list of numbers.
func (c *checker) headExpressions(p *predicate, cl *clause) {
	for i, arg := range cl.args {
		items, isList := term.Slice(arg)
		if !isList {
			items = []term.Term{arg}
		}
		if !p.isOutput(i) || !p.hasNumbers(i, isList) {
			continue
		}
		for _, item := range items {
			if _, _, ok := calculation(item); ok {
				c.report(cl, cl.argLayout(i), "unevaluated", "%[1]s does not calculate; write a variable in the head, and "+
					"Variable is %[1]s in the body", cl.show(item))
				return
			}
		}
	}
}

// hasNumbers reports whether all directives mode/2 declare an argument as a number, or as a list of numbers.
func (p *predicate) hasNumbers(i int, list bool) bool {
	if !list {
		return p.isDeclaredNumber(i)
	}
	return !slices.ContainsFunc(p.modes, func(args []term.Term) bool {
		mode, _ := args[i].(*term.Compound)
		if mode == nil {
			return true
		}
		inner, _ := mode.Args[0].(*term.Compound)
		return inner == nil || inner.Functor != "list" && inner.Functor != "non_empty_list" || !isNumberMode(inner)
	})
}

// promisesOne reports whether there is exactly one directive mode/2 and it promises one answer.
func (p *predicate) promisesOne() bool {
	return len(p.modes) == 1 && p.proofs[0] == term.Term(term.Atom("one")) && p.more == nil
}

// unanswered reports values of an input for which no clause can succeed.
func (c *checker) unanswered(p *typed) {
	gap := func(f Finding) bool { return f.Code == "gap" && f.At.Line == p.clauses[0].line }
	if !p.promisesOne() || slices.ContainsFunc(c.found, gap) {
		return
	}
	for i, arg := range p.modes[0] {
		declared, ok := term.Is(arg, "+", 1)
		if !ok {
			continue
		}
		for _, value := range declarationOf(declared[0]).values {
			if !slices.ContainsFunc(p.flow.Clauses, func(cl flow.Clause) bool {
				env := flow.Env{}
				return env.Narrow(cl.Head[i], flow.Constant(value)) && !c.flow.Fails(p.flow.Key.Module, cl, env)
			}) {
				c.report(p.clauses[0], nil, "gap", "%s fits no clause that can succeed, and mode/2 promises one answer",
					point(p.predicate, []int{i}, []term.Term{value}))
				return
			}
		}
	}
}

// unknownValue stands for a value that occurs in no fact.
const unknownValue = term.Atom("unknown")

// emptyCollections reports a goal that fails if it collects nothing, in a predicate that promises an answer. A call may
// have a value that no fact has.
func (c *checker) emptyCollections(p *predicate) {
	if !p.promisesOne() || len(p.clauses) != 1 {
		return
	}
	cl := p.clauses[0]
	goals := cl.conjuncts()
	for i, arg := range cl.args {
		if d, _ := term.Is(p.modes[0][i], "+", 1); d == nil || d[0] != term.Term(term.Atom("atom")) || !isVar(arg) {
			continue
		}
		for n, g := range goals {
			args, name := argumentsOfGoal(g)
			fails := failsEmpty(name, args, goals[n+1:])
			if fails == "" && has(g.Term, variableOf(arg)) {
				break
			}
			if fails == "" || !has(args[1], variableOf(arg)) {
				continue
			}
			inner := g.Arg(1)
			for _, caret := term.Is(inner.Term, "^", 2); caret; _, caret = term.Is(inner.Term, "^", 2) {
				inner = inner.Arg(1)
			}
			if !cl.read.DictCalls && !cl.apart && c.failsWith(cl.key.Module, inner, arg.(*term.Var), unknownValue, maxChain) {
				c.report(cl, g.Layout, "gap", "%s fits no fact, so that %s fails, and mode/2 promises one answer",
					point(p, []int{i}, []term.Term{unknownValue}), fails)
				return
			}
		}
	}
}

// maxChain bounds the nested calls through which a value is followed.
const maxChain = 4

// failsWith reports whether goals always fail if a variable has a value.
func (c *checker) failsWith(module string, g goal, v *term.Var, value term.Term, depth int) bool {
	if c.flow.Fails(module, flow.Clause{Body: g}, flow.Env{v: flow.Constant(value)}) {
		return true
	}
	return slices.ContainsFunc(g.Conjuncts(), func(one goal) bool {
		args, name := argumentsOfGoal(one)
		k := c.world.Resolve(module, name, len(args))
		p, at := c.predicates[k], slices.Index(args, term.Term(v))
		if p == nil || at < 0 || depth == 0 || p.more != nil || c.world.Open(k, len(p.clauses)) {
			return false
		}
		return !slices.ContainsFunc(p.clauses, func(cl *clause) bool {
			w := variableOf(cl.args[at])
			taken := w == nil && (!isAtomic(cl.args[at]) || term.Equal(cl.args[at], value))
			return taken || cl.read.DictCalls || cl.apart || cl.changed != "" ||
				w != nil && !c.failsWith(k.Module, cl.goals, w, value, depth-1)
		})
	})
}

// hasAt reports whether a fact has a constant in an argument.
func (p *predicate) hasAt(i int, value term.Term) bool {
	return slices.ContainsFunc(p.clauses, func(cl *clause) bool { return cl.args[i] == value })
}

// failsEmpty returns the predicate that fails if a goal collects nothing, that of the goal itself or of a later one. It
// returns "" if none does.
func failsEmpty(name string, args []term.Term, later []goal) string {
	if len(args) != 3 {
		return ""
	}
	kind, arity, _ := term.Indicator(args[0])
	switch {
	case name == "setof" || name == "bagof":
		return name + "/3"
	case name == "aggregate_all" && arity > 0 && (kind == "max" || kind == "min"):
		return fmt.Sprintf("aggregate_all(%s)", kind)
	case name != "findall":
		return ""
	}
	for _, one := range later {
		list, by := argumentsOfGoal(one)
		at := slices.Index(list, args[2])
		if len(list) == 2 && (at == 0 && (by == "max_list" || by == "min_list" || by == "last") ||
			at == 1 && (by == "max_member" || by == "min_member")) {
			return by + "/2"
		}
	}
	return ""
}
