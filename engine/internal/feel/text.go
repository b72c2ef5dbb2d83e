package feel

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file writes values and expressions in the syntax of FEEL.

// Written writes a value, a test or an expression. If code is set, texts have quotes and dates an @. Otherwise atoms
// and dates are written without them, for readers.
func Written(t term.Term, code bool) string {
	w := &writer{code: code, names: map[*term.Var]string{}}
	return w.text(t, anyLevel)
}

// writer writes one expression.
type writer struct {
	code  bool
	names map[*term.Var]string // the names of the variables of loops and filters
}

// The levels of operators: an operand of a lower level stands in parentheses.
const (
	anyLevel = iota
	orLevel
	andLevel
	compareLevel
	sumLevel
	productLevel
	powerLevel
	negationLevel
	postfixLevel
)

// infix has the operators with two operands: their level and their text.
var infix = map[term.Atom]struct {
	level int
	text  string
}{
	"or": {orLevel, "or"}, "and": {andLevel, "and"}, "=": {compareLevel, "="}, "\\=": {compareLevel, "!="},
	"<": {compareLevel, "<"}, "=<": {compareLevel, "<="}, ">": {compareLevel, ">"}, ">=": {compareLevel, ">="},
	"+": {sumLevel, "+"}, "-": {sumLevel, "-"}, "*": {productLevel, "*"}, "/": {productLevel, "/"},
	"**": {powerLevel, "**"},
}

// IsOperator reports whether a functor is that of an operator with two operands.
func IsOperator(functor term.Atom) bool { return infix[functor].text != "" }

// text writes a term as an operand. It adds parentheses if the level of the term is lower than that of the operator.
func (w *writer) text(t term.Term, level int) string {
	text, own := w.bare(t)
	if own < level {
		return "(" + text + ")"
	}
	return text
}

// bare writes a term without parentheses, and returns its level.
func (w *writer) bare(t term.Term) (text string, level int) {
	if r, ok := Rat(t); ok {
		if text, ok := (values.Type{Name: "decimal", Places: -1}).Text(t); ok {
			return text, negationLevel
		}
		return r.Num().String() + " / " + r.Denom().String(), productLevel
	}
	if list, ok := term.Slice(t); ok {
		return "[" + w.list(list) + "]", postfixLevel
	}
	switch t := t.(type) {
	case *term.Var:
		if name := w.names[t]; name != "" {
			return name, postfixLevel
		}
		return "_", postfixLevel
	case term.Atom:
		if !w.code || constants[string(t)] != nil {
			return string(t), postfixLevel
		}
		return quoted(string(t)), postfixLevel
	case term.String:
		return quoted(string(t)), postfixLevel
	case *term.Compound:
		return w.compound(t)
	}
	return syntax.FormatTerm(t), postfixLevel
}

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

func (w *writer) list(list []term.Term) string {
	var texts []string
	for _, t := range list {
		texts = append(texts, w.text(t, anyLevel))
	}
	return strings.Join(texts, ", ")
}

// compound writes a compound term and returns its level.
func (w *writer) compound(c *term.Compound) (text string, level int) {
	if v, ok := Text(c); ok {
		if w.code {
			v = `@"` + v + `"`
		}
		return v, postfixLevel
	}
	if o, ok := infix[c.Functor]; ok && len(c.Args) == 2 {
		return w.text(c.Args[0], o.level) + " " + o.text + " " + w.text(c.Args[1], o.level+1), o.level
	}
	args := func(i int) []term.Term {
		list, _ := term.Slice(c.Args[i])
		return list
	}
	switch key := string(c.Functor) + "/" + strconv.Itoa(len(c.Args)); key {
	case "-/1":
		return "-" + w.text(c.Args[0], negationLevel), negationLevel
	case "range/4":
		return w.span(c.Args), postfixLevel
	case "if/3":
		return fmt.Sprintf("if %s then %s else %s", w.text(c.Args[0], anyLevel), w.text(c.Args[1], anyLevel),
			w.text(c.Args[2], anyLevel)), anyLevel
	case "typed/2":
		return w.bare(c.Args[1])
	case "in/2":
		return w.text(c.Args[0], compareLevel) + " in (" + w.list(args(1)) + ")", compareLevel
	case "call/2", "invoke/2":
		name, _ := term.Text(c.Args[0])
		return name + "(" + w.list(args(1)) + ")", postfixLevel
	case "get/2":
		name, _ := term.Text(c.Args[1])
		if v, ok := c.Args[0].(*term.Var); ok && w.names[v] == "item" {
			return name, postfixLevel
		}
		return w.text(c.Args[0], postfixLevel) + "." + name, postfixLevel
	case "member/3":
		name, _ := term.Text(c.Args[1])
		return name, postfixLevel
	case "filter/3":
		list := w.text(c.Args[0], postfixLevel)
		w.name(c.Args[1], "item")
		return list + "[" + w.text(c.Args[2], anyLevel) + "]", postfixLevel
	case "for/2", "for/3":
		return w.loop("for", args(0), "return", c.Args[1]), anyLevel
	case "some/2", "every/2":
		return w.loop(string(c.Functor), args(0), "satisfies", c.Args[1]), anyLevel
	case "to/2":
		return w.text(c.Args[0], sumLevel) + ".." + w.text(c.Args[1], sumLevel), anyLevel
	case "context/1":
		return "{" + w.list(args(0)) + "}", postfixLevel
	case "entry/3":
		name, _ := term.Text(c.Args[0])
		w.name(c.Args[1], name)
		return name + ": " + w.text(c.Args[2], anyLevel), anyLevel
	case "{}/1":
		var entries []string
		pairs, _ := term.Conjuncts(c.Args[0])
		for _, pair := range pairs {
			if args, ok := term.Is(pair, "-", 2); ok {
				name, _ := term.Text(args[0])
				entries = append(entries, name+": "+w.text(args[1], anyLevel))
			}
		}
		return "{" + strings.Join(entries, ", ") + "}", postfixLevel
	}
	return syntax.FormatTerm(c), postfixLevel
}

// name gives a variable a name for the rest of the expression.
func (w *writer) name(t term.Term, name string) {
	if v, ok := t.(*term.Var); ok {
		w.names[v] = name
	}
}

// loop writes for, some and every. Their variables get names.
func (w *writer) loop(word string, pairs []term.Term, before string, body term.Term) string {
	var parts []string
	for _, pair := range pairs {
		if args, ok := term.Is(pair, "-", 2); ok {
			list, name := w.text(args[1], anyLevel), "x"+strconv.Itoa(len(w.names)+1)
			w.name(args[0], name)
			parts = append(parts, name+" in "+list)
		}
	}
	return word + " " + strings.Join(parts, ", ") + " " + before + " " + w.text(body, anyLevel)
}

// span writes a range. It writes a range with an open end as a comparison.
func (w *writer) span(ends []term.Term) string {
	closed := term.Term(term.Atom("closed"))
	low := map[bool]string{true: "[", false: "("}[ends[1] == closed]
	high := map[bool]string{true: "]", false: ")"}[ends[3] == closed]
	switch {
	case ends[0] == unbounded:
		return map[bool]string{true: "<= ", false: "< "}[ends[3] == closed] + w.text(ends[2], sumLevel)
	case ends[2] == unbounded:
		return map[bool]string{true: ">= ", false: "> "}[ends[1] == closed] + w.text(ends[0], sumLevel)
	}
	return low + w.text(ends[0], sumLevel) + ".." + w.text(ends[2], sumLevel) + high
}
