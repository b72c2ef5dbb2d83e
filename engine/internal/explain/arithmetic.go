package explain

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// This file defines how expressions are shown in words, with the names of their values.

// sum holds the text of an expression. written is the part of the clause of which the expression is an instance, nil if
// it is unknown.
type sum struct {
	*Options
	module string
	of     map[*term.Var][]Argument
	names  map[*term.Var]string
	parts  int
}

// functions are the words for functions, with the priorities of the phrase and of its operands. An operand of a higher
// priority gets parentheses. A phrase in words has the priority 1000. An operand priority of 0 puts all expressions in
// parentheses.
var functions = map[string]struct {
	words       string
	priority    int
	left, right int
}{
	"+2": {"$1 + $2", 500, 500, 499}, "-2": {"$1 - $2", 500, 500, 499}, "*2": {"$1 * $2", 400, 400, 399},
	"/2": {"$1 / $2", 400, 400, 399}, "rdiv2": {"$1 / $2", 400, 400, 399}, "-1": {"-$1", 200, 0, 0},
	"//2": {"the whole part of $1 / $2", 1000, 400, 399}, "div2": {"$1 / $2, rounded down", 1000, 400, 399},
	"mod2": {"the remainder of $1 / $2", 1000, 400, 399}, modulo: {"$1 modulo $2", 1000, 0, 0},
	"rem2": {"the remainder of $1 / $2", 1000, 400, 399},
	"min2": {"the smaller of $1 and $2", 1000, 999, 999}, "max2": {"the greater of $1 and $2", 1000, 999, 999},
	"round1": {"$1, rounded", 1000, 999, 0}, "floor1": {"$1, rounded down", 1000, 999, 0},
	"ceiling1": {"$1, rounded up", 1000, 999, 0}, "integer1": {"$1, rounded", 1000, 999, 0},
	"sqrt1": {"the square root of $1", 1000, 0, 0}, "sign1": {"the sign of $1", 1000, 0, 0},
	"truncate1": {"the whole part of $1", 1000, 0, 0}, "abs1": {"the absolute value of $1", 1000, 0, 0},
	"gcd2": {"the greatest common divisor of $1 and $2", 1000, 999, 999},
	">>2":  {"$1 shifted right by $2 bits", 1000, 0, 0}, "<<2": {"$1 shifted left by $2 bits", 1000, 0, 0},
	"float1": {"$1", 0, 0, 0}, "**2": {power, 1000, 0, 0}, "^2": {power, 1000, 0, 0},
}

// modulo is the key of the words for mod with a sign that makes it differ from a usual remainder.
const modulo = "modulo2"

// power are the words for powers. A negative base gets parentheses.
const power = "$1 to the power $2"

// arithmetic returns the words for a goal of is/2, "" for an expression without words.
func (o *Options) arithmetic(g Goal) string {
	s, sides := newSum(o, g)
	for _, v := range term.Variables(g.Term) {
		o.naming.shared[v] = o.naming.shared[v] || o.naming.names[v] != ""
	}
	args := argsOf(g.Term)
	text, ok := s.text(args[1], sides[1], 1200)
	if !ok {
		return ""
	}
	result, _ := s.text(args[0], sides[0], 1200)
	return result + " is " + text
}

// computed are the words for the first side of a comparison, "" where that is no function that is put in words.
func (o *Options) computed(g Goal) string {
	args := argsOf(g.Term)
	name, arity, _ := term.Indicator(args[0])
	if function := functions[string(name)+strconv.Itoa(arity)]; function.priority < 1000 || name == "abs" {
		return ""
	}
	s, sides := newSum(o, g)
	text, _ := s.text(args[0], sides[0], 1200)
	return text
}

// newSum reads the two sides of a goal, which are the parts of its clause that it is an instance of.
func newSum(o *Options, g Goal) (s sum, sides [2]term.Term) {
	s = sum{Options: o, module: g.Module, parts: maxExpression}
	if o.Texts != nil && o.head.Term != nil && !o.asCode {
		var written *term.Compound
		if written, s.names, s.of = o.Texts.Written(o.at, o.head, g); written != nil {
			sides = [2]term.Term{written.Args[0], written.Args[1]}
		}
	}
	return s, sides
}

// text writes an expression. It adds parentheses if the operator has a higher priority. ok is false for an expression
// without words.
func (s *sum) text(t, written term.Term, priority int) (text string, ok bool) {
	if s.parts--; s.parts < 0 {
		return "", false
	}
	c, isCompound := t.(*term.Compound)
	if !isCompound {
		if text = s.Options.text(Goal{"user", t}); priority < 1200 && strings.Contains(text, "/") {
			text = "(" + text + ")" // a fraction
		} else if priority == 1200 {
			text = s.number(t)
		}
		v, _ := written.(*term.Var)
		if _, unbound := t.(*term.Var); v == nil || unbound {
			return text, true
		}
		name := s.argumentName(s.of[v], s.module)
		if plainLetter().MatchString(s.names[v]) {
			name = cmp.Or(name, s.attribute(s.of[v], nil, s.module))
		} else {
			name = cmp.Or(name, s.names[v])
		}
		return strings.TrimLeft(name+" ", " ") + text, true
	}
	key := string(c.Functor) + strconv.Itoa(len(c.Args))
	if key == "mod2" && strings.Contains(s.Options.text(Goal{"user", t}), "-") {
		key = modulo
	}
	function, known := functions[key]
	if !known {
		return "", false
	}
	own, _ := term.Is(written, c.Functor, len(c.Args))
	var parts []string
	for i, arg := range c.Args {
		inner := function.left
		if i == 1 {
			inner = function.right
		}
		var at term.Term
		if own != nil {
			at = own[i]
		}
		part, ok := s.text(arg, at, inner)
		if !ok {
			return "", false
		}
		parts = append(parts, part)
	}
	_, isNested := c.Args[0].(*term.Compound)
	if function.words == power && !isNested && strings.Contains(parts[0], "-") {
		parts[0] = "(" + parts[0] + ")"
	}
	text = function.words
	for i := len(parts) - 1; i >= 0; i-- { // a part that has been said is not examined again
		text = strings.Replace(text, "$"+string(rune('1'+i)), parts[i], 1)
	}
	if function.priority > priority {
		text = "(" + text + ")"
	}
	return text, true
}

// plainLetter matches names of variables without a meaning.
var plainLetter = lazyregexp.New(`^(?:[A-Z]\d*|_.*|)$`)
