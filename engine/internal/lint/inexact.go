package lint

import (
	"fmt"

	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines the search for decimals that lose their digits: those that meet a float or are divided as integers.
// It also defines the search for values in heads that are none of the decimals, dates and so on that mode/2 has there.

// exactMode returns the type of package values that an argument of mode/2 has.
func exactMode(arg term.Term) (typ values.Type, ok bool) {
	c, ok := arg.(*term.Compound)
	if !ok || len(c.Args) == 0 {
		return typ, false
	}
	if typ, ok = values.Of(c.Args[0]); ok {
		return typ, true
	}
	switch c.Functor {
	case "+", "++", "-", "--", "?", "@", "maybe", "between", "one_of": // the mode, or a type of such values
		if typ, ok = exactMode(c.Args[0]); !ok && c.Functor != "+" {
			return exactMode(term.New("+", c.Args[0]))
		}
	}
	return typ, ok
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

// lastArg is the last argument of a term.
func lastArg(c *term.Compound) term.Term { return c.Args[len(c.Args)-1] }
