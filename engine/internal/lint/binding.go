package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/formats"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// This file defines the search for negation and arithmetic on unbound variables. It also defines the searches for forms
// that clients refuse, and for formats with too few or too many arguments.

// scope describes the state at a goal: the variables that may be bound, and the later goals.
type scope struct {
	c     *checker
	p     *predicate
	cl    *clause
	bound map[*term.Var]bool
	// outputs are the variables of the head that the caller does not bind, or need not bind.
	outputs map[*term.Var]bool
	// inside has the variables that have so far occurred only in a goal that does not export its bindings, with the
	// name of that goal.
	inside map[*term.Var]term.Atom
	// first counts the enclosing goals of which only the first answer matters.
	first int
	// deep counts the enclosing goals whose failure does not fail the clause.
	deep  int
	goals int // goals that may still be examined
	parts int // parts of terms that may still be examined
}

// sequel holds the goals still to run: the rest of this conjunction, then the rest of the enclosing one.
type sequel struct {
	goals []goal
	then  *sequel
}

// The bounds of the goals and subterms that are examined in one clause. A goal nested in a thousand others is a part of
// each of them.
const (
	maxGoals = 10_000
	maxParts = 1_000_000
)

// bindings examines the goals of a clause.
func (c *checker) bindings(p *predicate, cl *clause) {
	s := &scope{c: c, p: p, cl: cl, bound: map[*term.Var]bool{}, outputs: map[*term.Var]bool{},
		inside: map[*term.Var]term.Atom{}, goals: maxGoals, parts: maxParts}
	for i, arg := range cl.args {
		if v, ok := arg.(*term.Var); ok && (p.isOutput(i) || c.leftOut(p, i) || c.leftFree(p, cl.key, i)) {
			s.outputs[v] = true
			continue
		}
		variables(arg, s.bound)
	}
	for v := range s.outputs {
		if s.bound[v] {
			delete(s.outputs, v)
		}
	}
	s.walk(cl.goals, nil)
	if s.goals < 0 || s.parts < 0 {
		c.unchecked(cl, cl.key.String()+" has too many goals", "variables without a value")
	}
}

// walk examines the goals of a conjunction, which later follows.
func (s *scope) walk(g goal, later *sequel) {
	goals := g.Conjuncts()
	for i, one := range goals {
		if s.goals--; s.goals < 0 || s.parts < 0 {
			return
		}
		s.goal(one, &sequel{goals[i+1:], later})
	}
}

// apart examines goals whose bindings are not exported.
func (s *scope) apart(g goal, later *sequel) {
	saved := maps.Clone(s.bound)
	s.deep++
	s.walk(g, later)
	s.deep--
	s.bound = saved
}

// goal examines one goal and notes the variables that it may bind.
func (s *scope) goal(g goal, later *sequel) {
	name, arity, _ := term.Indicator(g.Term)
	s.collection(g, later)
	s.wanted(g)
	switch {
	case arity == 2 && (name == ";" || name == "|"):
		s.branches(g, later)
	case arity == 2 && (name == "->" || name == "*->"):
		outside := s.first
		if name == "->" {
			s.first++
		}
		s.walk(g.Arg(0), &sequel{[]goal{g.Arg(1)}, later})
		s.first = outside
		s.walk(g.Arg(1), later)
	case arity == 1 && (name == "\\+" || name == "not" || name == "tnot"):
		s.negation(g, g.Term.(*term.Compound).Args[0], later)
		s.within(g, later)
		return // it binds nothing
	case arity == 2 && (name == "\\=" || name == "\\=="):
		s.negation(g, g.Term, later)
		return
	case arity == 2 && name == "==":
		s.equality(g, later)
	case arity == 2 && evaluated[name]:
		s.arithmetic(g, name, later)
	default:
		if inner, lasts := s.c.inner(s.cl, g); lasts {
			s.given(g, inner)
			outside := s.first
			if name == "once" || name == "ignore" {
				s.first++
			}
			for _, one := range inner {
				s.walk(one, later)
			}
			s.first = outside
		} else if len(inner) > 0 {
			s.within(g, later)
		}
		if kept := s.kept(name, arity); kept >= 0 {
			s.keep(g, name, kept)
			return
		}
	}
	s.bind(g.Term)
}

// bind notes that the variables of a term may have values, unless too many subterms have been examined.
func (s *scope) bind(t term.Term) {
	if s.parts >= 0 {
		s.parts -= variables(t, s.bound)
	}
}

// given notes the variables of the arguments that are no goals, as the predicate may bind them before it calls the
// goals.
func (s *scope) given(g goal, inner []goal) {
	for _, arg := range g.Term.(*term.Compound).Args {
		if !slices.ContainsFunc(inner, func(one goal) bool { return one.Term == arg }) {
			s.bind(arg)
		}
	}
}

// within examines the goals that a goal calls without exporting their bindings, one after the other.
func (s *scope) within(g goal, later *sequel) {
	saved := maps.Clone(s.bound)
	s.first++
	s.deep++
	inner, _ := s.c.inner(s.cl, g)
	for _, one := range inner {
		s.walk(one, nil)
	}
	s.template(g, later)
	s.first--
	s.deep--
	s.bound = saved
}

// branches examines the branches of a disjunction.
func (s *scope) branches(g goal, later *sequel) {
	for {
		if name, arity, _ := term.Indicator(g.Term); arity != 2 || name != ";" && name != "|" {
			s.apart(g, later)
			return
		}
		s.apart(g.Arg(0), later)
		if args, ok := term.Is(g.Arg(0).Term, "->", 2); ok && args[0] == term.Term(term.True) {
			s.c.report(s.cl, g.Arg(1).Layout, "unreached", "no call reaches this branch: the condition before it always holds")
		}
		g = g.Arg(1)
	}
}

// negation reports a negated goal with a variable that nothing binds before and that is used afterwards or is an
// output.
func (s *scope) negation(g goal, inner term.Term, later *sequel) {
	if name, arity, _ := term.Indicator(inner); arity == 1 && (name == "\\+" || name == "not" || name == "tnot") {
		return // a test that a goal binds nothing
	} else if arity == 1 && tests[name] {
		return // it tests the type of a term
	}
	set := map[*term.Var]bool{}
	variables(inner, set)
	for _, info := range s.cl.read.Vars {
		v := info.Var
		if !set[v] || s.bound[v] && !s.generated(v, later) || !s.bound[v] && !s.outputs[v] && !occurs(v, later) ||
			joins(inner, v) {
			continue
		}
		who := "nothing has"
		if s.bound[v] {
			who = "a call without a value has not"
		} else if s.optional(v) {
			who = "a call that leaves out this argument has not"
		}
		what := fmt.Sprintf("asks whether there is any %s at all", info.Name)
		if inner == g.Term {
			what = "compares a variable and not its value"
		}
		s.c.report(s.cl, g.Layout, "negation", "%s bound %s before this negation, so that it %s; put it behind the goals "+
			"that bind %s", who, info.Name, what, info.Name)
		s.bound[v] = true
	}
}

// equality reports a comparison with a variable that is only bound later.
func (s *scope) equality(g goal, later *sequel) {
	for _, arg := range g.Term.(*term.Compound).Args {
		v := variableOf(arg)
		if v == nil || s.bound[v] || !occurs(v, later) && !s.outputs[v] {
			continue
		}
		s.c.report(s.cl, g.Layout, "unbound", "%s has no value here, so that %s fails; put it behind the goals that "+
			"bind %s", s.cl.nameOf(v), s.cl.show(g.Term), s.cl.nameOf(v))
		s.bound[v] = true
		return
	}
}

// joins reports whether a variable is in several goals of a conjunction, so that it belongs to the conjunction.
func joins(t term.Term, v *term.Var) bool {
	n := 0
	for g := range body.Goals(goal{Term: t}) {
		if has(g.Term, v) {
			n++
		}
	}
	return n > 1
}

// arithmetic reports variables that are unbound in arithmetic.
func (s *scope) arithmetic(g goal, name term.Atom, later *sequel) {
	args := g.Term.(*term.Compound).Args
	if name == "is" {
		args = args[1:]
	}
	for _, v := range term.Variables(args...) {
		if s.bound[v] {
			continue
		}
		who := "nothing before it"
		switch {
		case s.optional(v):
			who = "a call may leave it out, as mode/2 says, and no goal before"
		case s.outputs[v] && len(s.p.modes) == 0:
			who = "neither the calls of " + s.cl.key.String() + " nor a goal before"
		case s.outputs[v]:
			who = "neither the caller, as mode/2 says, nor a goal before"
		case s.inside[v] != "":
			who = string(s.inside[v]) + " keeps its values to itself, and no goal before"
		}
		advice := ""
		if occurs(v, later) {
			advice = "; put it behind the goal that does"
		}
		s.c.report(s.cl, g.Layout, "unbound", "%s has no value here: %s gives it one%s", s.cl.nameOf(v), who, advice)
	}
}

// occurs reports whether a variable is in some goals. It skips goals whose variables may be local.
func occurs(v *term.Var, later *sequel) bool {
	for ; later != nil; later = later.then {
		if slices.ContainsFunc(later.goals, func(g goal) bool { return uses(g.Term, v) }) {
			return true
		}
	}
	return false
}

// uses reports whether a variable is in a goal. It skips parts whose variables may be local.
func uses(t term.Term, v *term.Var) bool {
	stack := []term.Term{t}
	for n := 0; len(stack) > 0 && n < maxVisited; n++ {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		name, _, _ := term.Indicator(t)
		if apartGoals[name] {
			continue
		}
		if goals, ok := shapes.Junction(t); ok {
			stack = append(stack, goals...)
		} else if has(t, v) {
			return true
		}
	}
	return false
}

// formatted lists the predicates whose formats are checked.
var formatted = []key{keyOf("", "mcp_elicit", 3), keyOf("", "mcp_elicit_all", 2), keyOf("", "format", 2),
	keyOf("", "format", 3)}

// forms reports formats in questions to the user that MCP does not define, and wrong arguments of format/2,3.
func (c *checker) forms(cl *clause) {
	own := func(k key) bool { p := c.predicates[k]; return p != nil && len(p.clauses) > 0 }
	each(cl.goals, func(g goal) {
		for _, k := range formatted {
			k.Module = cl.key.Module
			args, ok := call(k, g)
			switch at := len(args) - 2; {
			case !ok || own(k):
			case k.Name == "format":
				c.formatArguments(cl, g, args[at], args[at+1])
			default:
				each(g.Arg(at), func(part goal) { c.format(cl, part); c.required(cl, part) })
			}
		}
	})
}

// formatArguments reports a format whose arguments are too few or too many.
func (c *checker) formatArguments(cl *clause, g goal, format, args term.Term) {
	text, isText := term.Text(format)
	items, isList := term.Slice(args)
	if !isText || !isList {
		return
	}
	if wanted, ok := argumentsOf(text); ok && len(wanted) != len(items) {
		c.report(cl, g.Layout, "format_arguments", "arguments of the format: %d wanted, %d given", len(wanted), len(items))
	}
}

// argumentsOf returns the directive letter for each argument of a format, '*' for a numeric argument. ok is false for
// an invalid format.
func argumentsOf(format string) (letters string, ok bool) {
	for {
		_, rest, found := strings.Cut(format, "~")
		if !found {
			return letters, true
		}
		if after, fill := strings.CutPrefix(rest, "`"); fill {
			_, size := utf8.DecodeRuneInString(after)
			rest = after[size:]
		} else if after, star := strings.CutPrefix(rest, "*"); star {
			rest = after
			letters += "*"
		}
		rest = strings.TrimPrefix(strings.TrimLeft(rest, "0123456789"), ":")
		switch {
		case rest == "":
			return "", false
		case strings.IndexByte("~nt|+", rest[0]) >= 0:
		case strings.IndexByte("acdDeEfgGhHiIkpqrRsw@", rest[0]) >= 0:
			letters += rest[:1]
		case rest[0] == 'W':
			letters += "Wi"
		default:
			return "", false
		}
		format = rest[1:]
	}
}

// format reports a format in a part of a schema that MCP does not define.
func (c *checker) format(cl *clause, part goal) {
	pair, ok := term.Is(part.Term, "-", 2)
	if !ok || pair[0] != term.Term(term.Atom("format")) {
		return
	}
	name, isText := term.Text(pair[1])
	if _, known := formats.Known[name]; isText && pair[1] != term.Nil && !known {
		c.report(cl, part.Layout, "format", "forms have no format %s, and clients may refuse this one; there are %s", name,
			formats.Names())
	}
}

// required reports a part of a schema that requires a property missing from its properties.
func (c *checker) required(cl *clause, part goal) {
	keywords, _ := membersOf(part.Term)
	names, _ := term.Slice(keywords["required"])
	properties, ok := membersOf(keywords["properties"])
	_, open := term.CurlyItems(keywords["additionalProperties"])
	if !ok || open || keywords["patternProperties"] != nil {
		return
	}
	for _, name := range names {
		if text, isText := term.Text(name); isText && properties[text] == nil {
			c.report(cl, part.Layout, "schema", "required names %q, which properties lacks; clients may refuse the form", text)
		}
	}
}

// membersOf returns the members of an object in curly notation. ok is false if it is no object or not fully known.
func membersOf(object term.Term) (members map[string]term.Term, ok bool) {
	items, ok := term.CurlyItems(object)
	members = map[string]term.Term{}
	for _, item := range items {
		pair, isPair := term.Is(item, "-", 2)
		if !isPair {
			return nil, false
		}
		name, isText := term.Text(pair[0])
		members[name], ok = pair[1], ok && isText
	}
	return members, ok
}

// each calls f for a term and its subterms, with their layouts.
func each(g goal, f func(goal)) {
	stack := make([]goal, 1, 8)
	stack[0] = g
	for n := 0; len(stack) > 0 && n < maxVisited; n++ {
		one := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		f(one)
		if c, ok := one.Term.(*term.Compound); ok {
			for i := range c.Args {
				stack = append(stack, one.Arg(i))
			}
		}
	}
}
