package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines the search for decimals that lose digits, because they are combined with a float or divided as
// integers. It also defines the search for values in heads that do not have the type decimal, date and so on declared
// by mode/2.

// exactMode returns the type of package values that an argument of mode/2 has. It returns none for a list or a pair of
// such values.
func exactMode(arg term.Term) (typ values.Type, ok bool) {
	mode, _ := arg.(*term.Compound)
	if mode == nil || len(mode.Args) == 0 {
		return typ, false
	}
	inner, list, wraps := mode.Args[0], false, true
	for wraps && !list {
		if typ, ok = values.Of(inner); ok {
			return typ, true
		}
		inner, list, wraps = values.Wrapped(inner)
	}
	return typ, false
}

// exactArgument returns the type of package values on which all directives mode/2 agree for an argument.
func (p *predicate) exactArgument(i int) (typ values.Type, ok bool) {
	for k, args := range p.modes {
		one, isExact := exactMode(args[i])
		if !isExact || k > 0 && one.Name != typ.Name {
			return typ, false
		}
		typ, ok = one, true
	}
	return typ, ok
}

// heads reports values in the head of a clause that do not have the declared type.
func (c *checker) heads(p *predicate, cl *clause) {
	for i, arg := range cl.args {
		typ, ok := p.exactArgument(i)
		if !ok {
			c.impossibleFact(p, cl, i)
		}
		if !ok || len(term.Variables(arg)) > 0 || arg == term.Term(term.Atom("null")) {
			continue
		}
		_, fits := typ.Text(arg)
		if f, isFloat := arg.(term.Float); isFloat && fits {
			c.report(cl, cl.argLayout(i), "inexact", "mode/2 says that argument %d is a decimal, and %s is a float%s", i+1,
				cl.show(arg), c.instead(f))
		} else if _, isRational := arg.(*term.Rational); !fits && !isRational {
			c.report(cl, cl.argLayout(i), "inexact", "mode/2 says that argument %d is %s, and %s is none", i+1,
				typ.Want(), cl.show(arg))
		}
	}
}

// instead suggests an exact number for the digits of a float.
func (c *checker) instead(f term.Float) string {
	exact, ok := (values.Type{Name: "decimal", Places: -1}).Round(f)
	if !ok {
		return ""
	}
	return fmt.Sprintf("; write %v", exact)
}

// decimals notes the variables of a goal, or of the head of a clause, that mode/2 declares as decimals.
func (p *predicate) decimals(args []term.Term, known map[*term.Var]bool) {
	for i, arg := range args {
		if v, isVariable := arg.(*term.Var); isVariable && len(p.modes) > 0 && !known[v] {
			typ, ok := p.exactArgument(i)
			known[v] = ok && typ.Name == "decimal"
		}
	}
}

// inexact reports an expression that combines a decimal with a float, or divides it in a way that may make a float.
func (c *checker) inexact(cl *clause, g goal, before flow.Env, known map[*term.Var]bool) (found bool) {
	name, arity, _ := term.Indicator(g.Term)
	if arity == 0 {
		return false
	}
	args := g.Term.(*term.Compound).Args
	if !evaluated[name] || arity != 2 {
		if p := c.predicates[c.flow.Called(cl.key.Module, g)]; p != nil {
			p.decimals(args, known)
			return false
		}
		for _, shown := range plainly(g) {
			if v, isVariable := shown.(*term.Var); isVariable && known[v] {
				c.report(cl, g.Layout, "inexact", "this shows the decimal %s as a fraction such as 3r10; write ~2f in a format",
					cl.nameOf(v))
				return true
			}
		}
		return false
	}
	sides := args
	if name == "is" {
		sides = args[1:]
	}
	var decimal, inexact, divided term.Term
	for _, side := range sides {
		visit(side, func(part term.Term) {
			switch part := part.(type) {
			case *term.Var:
				if known[part] {
					decimal = part
				} else if t := before.Of(part); !t.Empty() && t.Only(flow.Float) {
					inexact = part
				}
			case term.Float:
				inexact = part
			case *term.Compound:
				if _, exact := lastArg(part).(*term.Rational); part.Functor == "/" && len(part.Args) == 2 && !exact {
					divided = part
				}
			}
		})
	}
	switch f, isFloat := inexact.(term.Float); {
	case decimal == nil:
		return false
	case isFloat:
		c.report(cl, g.Layout, "inexact", "%s is a float, and %s is a decimal: the result is not exact%s", cl.show(f),
			cl.show(decimal), c.instead(f))
	case inexact != nil:
		c.report(cl, g.Layout, "inexact", "%s is a float, and %s is a decimal: the result is not exact", cl.show(inexact),
			cl.show(decimal))
	case divided != nil:
		c.report(cl, g.Layout, "inexact", "%s may be a float, as a decimal without a fraction is an integer; write rdiv",
			cl.show(divided))
	default:
		if v, isVariable := args[0].(*term.Var); isVariable && name == "is" {
			known[v] = true
		}
		return false
	}
	return true
}

// plainly returns the arguments of a goal that are written as by write/1.
func plainly(g goal) (list []term.Term) {
	args, name := argumentsOfGoal(g)
	switch k := keyOf("", name, len(args)); {
	case name == "format" && (len(args) == 2 || len(args) == 3):
		text, _ := term.Text(args[len(args)-2])
		items, isList := term.Slice(args[len(args)-1])
		letters, ok := argumentsOf(text)
		for i, letter := range letters {
			if ok && isList && len(items) == len(letters) && strings.ContainsRune("wpqa", letter) {
				list = append(list, items[i])
			}
		}
	case k == keyOf("", "atomic_list_concat", 2) || k == keyOf("", "atomic_list_concat", 3):
		list, _ = term.Slice(args[0])
	case len(args) == 3 && (name == "atom_concat" || name == "string_concat"):
		list = args[:2]
	case len(args) == 1 && (name == "write" || name == "print" || name == "writeln"):
		list = args
	}
	return list
}

// ofDates lists the predicates of library(dates) that reject an invalid date.
var ofDates = map[string]bool{"add_days": true, "add_months": true, "days_between": true, "age": true, "weekday": true}

// impossibleDay reports an argument of a goal of library(dates) that is an invalid date.
func (c *checker) impossibleDay(g goal) string {
	args, name := argumentsOfGoal(g)
	for _, arg := range args {
		if day, impossible := dayOf(arg); ofDates[name] && day && impossible {
			return syntax.FormatTerm(arg) + " is no day of the calendar"
		}
	}
	return ""
}

// noDay reports a comparison with an invalid date, and returns whether there is one. Day 31 may be meant as the end of
// any month. An invalid date in a fact is reported at the fact.
func (c *checker) noDay(cl *clause, g goal) bool {
	args, name := argumentsOfGoal(g)
	if len(args) != 2 || !strings.HasPrefix(name, "@") && name != "==" && name != "\\==" {
		return false
	}
	for _, arg := range args {
		date, isDate := term.Is(arg, "date", 3)
		_, impossible := dayOf(arg)
		if monthsEnd := isDate && date[2] == term.Term(term.Int(31)); isDate && impossible && !monthsEnd &&
			!c.inFact(arg) {
			c.report(cl, g.Layout, "inexact", "%s is no day of the calendar", syntax.FormatTerm(arg))
			return true
		}
	}
	return false
}

// inFact reports whether a fact has a value in an argument.
func (c *checker) inFact(value term.Term) bool {
	is := func(arg term.Term) bool { return term.Equal(arg, value) }
	return slices.ContainsFunc(c.order, func(p *predicate) bool {
		return slices.ContainsFunc(p.clauses, func(cl *clause) bool {
			return cl.isFact() && slices.ContainsFunc(cl.args, is)
		})
	})
}

// sameSides reports a comparison of a variable with itself that fails.
func sameSides(g goal) string {
	args, name := argumentsOfGoal(g)
	if len(args) == 2 && isVar(args[0]) && args[0] == args[1] &&
		slices.Contains([]string{"\\=", "\\==", "@<", "@>", "<", ">"}, name) {
		return "both sides are the same"
	}
	return ""
}

// dayOf reports whether a term is date(Y, M, D), or a text such as 2026-01-31. It also reports whether that date is
// invalid.
func dayOf(t term.Term) (day, impossible bool) {
	typ := values.Type{Name: "date"}
	text, isText := term.Text(t)
	if isText {
		_, err := typ.Parse(text)
		return isoDay().MatchString(text), err != nil
	}
	args, isDate := term.Is(t, "date", 3)
	for _, arg := range args {
		_, isInt := arg.(term.Int)
		isDate = isDate && isInt
	}
	if isDate {
		_, possible := typ.Text(t)
		return true, !possible
	}
	return false, false
}

var isoDay = lazyregexp.New(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// impossibleFact reports a fact with an invalid date where other facts have dates.
func (c *checker) impossibleFact(p *predicate, cl *clause, i int) {
	if day, impossible := dayOf(cl.args[i]); !cl.isFact() || !day || !impossible ||
		!slices.ContainsFunc(p.clauses, func(other *clause) bool {
			day, impossible := dayOf(other.args[i])
			return day && !impossible
		}) {
		return
	}
	c.report(cl, cl.argLayout(i), "inexact", "%s is no day of the calendar, and other facts have days here",
		cl.show(cl.args[i]))
}

// lastArg returns the last argument of a term.
func lastArg(c *term.Compound) term.Term { return c.Args[len(c.Args)-1] }
