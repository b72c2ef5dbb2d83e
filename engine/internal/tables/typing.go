package tables

import (
	"fmt"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/feel"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// This file checks the cells of a table against the types of their columns.

// mistyped returns the type error of a cell, or nil.
func (t *Table) mistyped(cell *Cell, c *Column) error {
	for _, item := range cell.Tests.Items {
		if err := t.testError(item, c); err != nil {
			return err
		}
	}
	if cell.Value == nil {
		return nil
	}
	return t.valueError(cell.Value, c, false)
}

// testError returns the type error of a test of an input, or nil.
func (t *Table) testError(item term.Term, c *Column) error {
	if ends, ok := term.Is(item, "range", 4); ok {
		for _, end := range []term.Term{ends[0], ends[2]} {
			if end == term.Term(term.Atom("inf")) {
				continue
			}
			if err := t.valueError(end, c, true); err != nil {
				return err
			}
		}
		low, high := key(ends[0]), key(ends[2])
		if c.isOrdered() && low != nil && high != nil && (low.Cmp(high) > 0 || low.Cmp(high) == 0 && ends[1] != ends[3]) {
			return fmt.Errorf("%s holds for nothing", t.written(item))
		}
		return nil
	}
	if condition, ok := term.Is(item, "holds", 1); ok {
		_, err := t.kind(condition[0])
		return err
	}
	value := item
	if args, ok := term.Is(item, "is", 1); ok {
		value = args[0]
	}
	if list, ok := term.Slice(value); ok {
		for _, one := range list {
			if err := t.testError(one, c); err != nil {
				return err
			}
		}
		return nil
	}
	if args, ok := term.Is(value, "-", 2); ok && feel.Constant(args[0]) && feel.Constant(args[1]) {
		closed, advice := term.Atom("closed"), ""
		for i := range args {
			if r := term.New("range", args[i], closed, args[1-i], closed); advice == "" && t.testError(r, c) == nil {
				advice = "; from one value to another is " + t.written(r)
			}
		}
		return fmt.Errorf("%s is a subtraction%s", t.written(value), advice)
	}
	if k, err := t.kind(value); err != nil || k == Boolean && !feel.Constant(value) {
		return err
	}
	return t.valueError(value, c, false)
}

// valueError returns the error of a value or expression that does not have the type of a column, or nil. The end of a
// range only needs the kind of the column.
func (t *Table) valueError(value term.Term, c *Column, end bool) error {
	if feel.Constant(value) {
		if !c.fits(value, end) {
			return fmt.Errorf("want a value of the type %s, got %s", syntax.FormatTerm(c.Type), t.written(value))
		}
		return nil
	}
	k, err := t.kind(value)
	if err != nil || k == "" || c.Kind == Anyhow || k == c.Kind {
		return err
	}
	return fmt.Errorf("want a value of the type %s, got %s, which is a %s", syntax.FormatTerm(c.Type), t.written(value), k)
}

// written writes an expression with the names of the columns.
func (t *Table) written(e term.Term) string {
	names := map[*term.Var]term.Term{}
	for _, c := range t.Columns {
		names[c.v] = term.Atom(c.Name)
	}
	return feel.Written(term.Rename(e, names), false)
}

// functionKinds holds the kinds of the values of functions.
var functionKinds = map[term.Term]Kind{term.Atom("string"): Text, term.Atom("date"): "date", term.Atom("time"): "time",
	term.Atom("date and time"): "datetime", term.Atom("today"): "date", term.Atom("now"): "datetime",
	term.Atom("duration"): "duration", term.Atom("years and months duration"): "duration", term.Atom("count"): Number,
	term.Atom("string length"): Number, term.Atom("floor"): Number, term.Atom("ceiling"): Number,
	term.Atom("upper case"): Text, term.Atom("lower case"): Text, term.Atom("substring"): Text}

// kind returns the kind of the values of an expression, "" if it is not known. The error says that an operator is not
// defined for its operands.
func (t *Table) kind(e term.Term) (k Kind, err error) {
	switch e := e.(type) {
	case *term.Var:
		i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.v == e })
		if i >= 0 && t.Columns[i].Kind != Anyhow {
			k = t.Columns[i].Kind
		}
		return k, nil
	case *term.Compound:
		if !feel.Constant(e) {
			return t.compoundKind(e)
		}
	}
	name, _, _ := term.Indicator(e)
	_, isNumber := feel.Rat(e)
	_, isText := term.Text(e)
	switch _, isList := term.Slice(e); {
	case e == null || isList || name == "range":
		return "", nil
	case isNumber:
		return Number, nil
	case e == term.Term(term.True) || e == term.Term(term.Atom("false")):
		return Boolean, nil
	case isText:
		return Text, nil
	}
	return Kind(name), nil
}

// compoundKind returns the kind of an expression with operands.
func (t *Table) compoundKind(e *term.Compound) (k Kind, err error) {
	kinds := make([]Kind, len(e.Args))
	if e.Functor == "call" {
		return functionKinds[e.Args[0]], nil
	}
	for i, arg := range e.Args {
		if kinds[i], err = t.kind(arg); err != nil {
			return "", err
		}
	}
	switch {
	case e.Functor == "in" || e.Functor == "instance_of":
		return Boolean, nil
	case e.Functor == "-" && len(e.Args) == 1:
		return kinds[0], nil
	case e.Functor == "if" && len(e.Args) == 3 && kinds[1] == kinds[2]:
		return kinds[1], nil
	case len(e.Args) != 2 || !feel.IsOperator(e.Functor):
		return "", nil
	case e.Functor == "and" || e.Functor == "or":
		return Boolean, nil
	case kinds[0] == "" || kinds[1] == "":
		return "", nil
	}
	ok := true
	if slices.Contains([]term.Atom{"+", "-", "*", "/", "**"}, e.Functor) {
		k, ok = calculated(e.Functor, kinds[0], kinds[1])
	} else {
		k, ok = Boolean, kinds[0] == kinds[1]
	}
	if !ok {
		return "", fmt.Errorf("%s has no value, with a %s and a %s", t.written(e), kinds[0], kinds[1])
	}
	return k, nil
}

// calculated returns the kind of the result of an operator. ok is false if the operator is not defined for such
// operands.
func calculated(operator term.Atom, x, y Kind) (k Kind, ok bool) {
	additive, isDay := operator == "+" || operator == "-", func(k Kind) bool { return k == "date" || k == "datetime" }
	switch {
	case x == Number && y == Number, x == Text && y == Text && operator == "+":
		return x, true
	case operator == "-" && (x == y && x == "time" || isDay(x) && isDay(y)):
		return "duration", true
	case operator == "+" && x == "duration" && (isDay(y) || y == "time"):
		return y, true
	case additive && y == "duration" && (isDay(x) || x == "time" || x == "duration"):
		return x, true
	case operator == "/" && x == "duration" && y == "duration":
		return Number, true
	case operator == "*" && x == Number && y == "duration", (operator == "*" || operator == "/") && x == "duration" &&
		y == Number:
		return "duration", true
	}
	return "", false
}

// comparisonForm matches a text that may be a comparison or a range. The groups are the values in it.
var comparisonForm = lazyregexp.New(`^(?:<=?|>=?|!=|=<|=>|=)(.+)$|^[\[(\]](.*?)\.\.(.*)[\])\[]$`)

// textError returns an error if a text without quotes looks like a comparison with a number, a date, a quoted text or
// an input.
func (c *Column) textError(text string, scope feel.Scope) error {
	if _, listed := kindOf(c.Type); listed != nil {
		return nil
	}
	scope.Texts = nil
	compares := func(operand string) bool {
		value, err := feel.Expression(operand, &scope)
		_, isWord := value.(term.Atom)
		return err == nil && !isWord
	}
	if found := comparisonForm().FindStringSubmatch(text); found == nil || !slices.ContainsFunc(found[1:], compares) {
		return nil
	}
	advice, since := "quote the text", ""
	if c.texted != "" {
		advice = "say its type in the head, or " + advice
	}
	if c.texted != "" && c.texted != text {
		since = fmt.Sprintf(", since it has %q", c.texted)
	}
	return fmt.Errorf("%s compares, and the column has texts%s; %s", text, since, advice)
}
