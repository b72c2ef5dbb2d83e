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

// This file defines the search for decimals that lose their digits: those that meet a float or are divided as integers.
// It also defines the search for values in heads that are none of the decimals, dates and so on that mode/2 has there.

// exactMode returns the type of package values that an argument of mode/2 has. A list or a pair of such has none.
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

// exactArgument returns the type of package values that all directives mode/2 give an argument.
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

// heads reports values in the head of a clause that are none of their types.
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

// instead says how the digits of a float are written as an exact number.
func (c *checker) instead(f term.Float) string {
	exact, ok := (values.Type{Name: "decimal", Places: -1}).Round(f)
	if !ok {
		return ""
	}
	return fmt.Sprintf("; write %v", exact)
}

// decimals notes the variables of a goal, or of the head of a clause, that are decimals by mode/2.
func (p *predicate) decimals(args []term.Term, known map[*term.Var]bool) {
	for i, arg := range args {
		if v, isVariable := arg.(*term.Var); isVariable && len(p.modes) > 0 && !known[v] {
			typ, ok := p.exactArgument(i)
			known[v] = ok && typ.Name == "decimal"
		}
	}
}

// inexact reports an expression in which a decimal meets a float, or is divided in a way that may make one.
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

// plainly returns the arguments of a goal whose text is the one that write/1 has.
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

// ofDates are the predicates of library(dates) that refuse what is no day of the calendar.
var ofDates = map[string]bool{"add_days": true, "add_months": true, "days_between": true, "age": true, "weekday": true}

// impossibleDay says which argument of a goal of library(dates) is no day.
func (c *checker) impossibleDay(g goal) string {
	args, name := argumentsOfGoal(g)
	for _, arg := range args {
		if day, impossible := dayOf(arg); ofDates[name] && day && impossible {
			return syntax.FormatTerm(arg) + " is no day of the calendar"
		}
	}
	return ""
}

// noDay reports a comparison with a date that the calendar does not have, and whether there is one. Day 31 may be meant
// as the end of any month. A date that a fact has can be met, and is reported there.
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

// inFact reports whether a fact has a value as an argument.
func (c *checker) inFact(value term.Term) bool {
	is := func(arg term.Term) bool { return term.Equal(arg, value) }
	return slices.ContainsFunc(c.order, func(p *predicate) bool {
		return slices.ContainsFunc(p.clauses, func(cl *clause) bool {
			return cl.isFact() && slices.ContainsFunc(cl.args, is)
		})
	})
}

// sameSides says that a comparison of a variable with itself fails.
func sameSides(g goal) string {
	args, name := argumentsOfGoal(g)
	if len(args) == 2 && isVar(args[0]) && args[0] == args[1] &&
		slices.Contains([]string{"\\=", "\\==", "@<", "@>", "<", ">"}, name) {
		return "both sides are the same"
	}
	return ""
}

// dayOf reports whether a term is date(Y, M, D), or a text such as 2026-01-31. It also reports whether the calendar
// lacks that day.
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

// impossibleFact reports a fact with a day that the calendar does not have, where other facts have days.
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

// lastArg is the last argument of a term.
func lastArg(c *term.Compound) term.Term { return c.Args[len(c.Args)-1] }
