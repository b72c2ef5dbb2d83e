package explain

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines how decimals, dates and similar values are shown: as texts, if the type is known. mode/2, data
// files and tables give the types of arguments. Other goals, such as comparisons and sums, use the same values without
// types, so a value that was shown as text once is always shown as text.

// shownMark begins the names of variables that stand for texts in a term to be written, as a variable gets no quotes.
const shownMark = "="

// maxExact bounds the remembered values, and the examined elements of a list.
const maxExact = 1000

// exact returns a goal with its values as texts, given the types of its arguments.
func (o *Options) exact(goal term.Term, types []term.Term) term.Term {
	c, ok := goal.(*term.Compound)
	switch {
	case !ok || len(types) != len(c.Args):
		floats, exact := o.numbersOf(goal)
		if o.asCode || len(o.legend.exact) == 0 && !exact {
			return goal
		}
		return o.again(goal, floats)
	}
	shown := &term.Compound{Functor: c.Functor, Args: make([]term.Term, len(c.Args))}
	for i, arg := range c.Args {
		shown.Args[i] = o.exactly(arg, types[i])
	}
	return shown
}

// noteExact collects the typed values of the goals in a raw explanation, so that earlier goals show them as texts too.
func (o *Options) noteExact(raw term.Term) {
	parts := 0
	for part := range term.Parts(raw) {
		if parts++; parts > maxParts {
			return
		}
		if _, ok := term.Is(part, ":", 2); ok {
			g := goalOf(part)
			o.exact(g.Term, o.advice(g).Types)
		}
	}
}

// exactly replaces a value of a type by its text. It recurses as deep as the type.
func (o *Options) exactly(t, typ term.Term) term.Term {
	if typ == nil {
		return t
	}
	if of, ok := term.Is(typ, "list", 1); ok {
		items, isList := term.Slice(t)
		if !isList || len(items) > maxExact {
			return t
		}
		shown := make([]term.Term, len(items))
		for i, item := range items {
			shown[i] = o.exactly(item, of[0])
		}
		return term.List(shown...)
	}
	exact, _ := values.Of(typ)
	text, ok := exact.Exact(t)
	_, isFloat := t.(term.Float)
	switch {
	case !ok || isFloat || o.secret(t): // a float is no decimal, nor the value of one
		return t
	case slices.Contains(o.Secrets, text):
		return secretVar
	case o.asCode:
		return t
	}
	if _, isInt := t.(term.Int); len(o.legend.exact) < maxExact && !isInt { // an integer may also be an ordinary number
		o.legend.exact = append(o.legend.exact, exactValue{t, text})
	}
	return term.NewVar(shownMark + text)
}

// exactValue is a value that was shown as text.
type exactValue struct {
	term.Term
	text string
}

// again replaces values of a term that were shown as texts before. It also shows a finite decimal fraction by its
// digits, unless a float of the goal looks the same. In words it shows a date as a date.
func (o *Options) again(goal term.Term, floats []string) term.Term {
	parts := 0
	return term.Replace(goal, func(part term.Term) (term.Term, bool) {
		c, isCompound := part.(*term.Compound)
		_, isFraction := part.(*term.Rational)
		if !isFraction && !isCompound {
			return nil, false
		}
		if parts++; parts > maxParts {
			return part, true
		}
		alike := isFraction || o.isDay(c)
		for _, known := range o.legend.exact {
			if term.Equal(known.Term, part) {
				return term.NewVar(shownMark + known.text), true
			}
			of, ok := known.Term.(*term.Compound)
			alike = alike || ok && isCompound && of.Functor == c.Functor // a date among dates
		}
		if text, ok := values.TextOf(part); ok && alike && !o.secret(part) && !slices.Contains(o.Secrets, text) &&
			!slices.Contains(floats, text) {
			return term.NewVar(shownMark + text), true
		} else if r, _ := part.(*term.Rational); r != nil && !ok && !o.secret(part) {
			return term.NewVar(shownMark + r.Rat().String()), true
		}
		return nil, false
	})
}

// isDay reports whether words show a term as a date, with a time or without.
func (o *Options) isDay(c *term.Compound) bool {
	if c == nil || c.Functor != "date" && c.Functor != "datetime" || o.asCode {
		return false
	}
	year, _ := c.Args[0].(term.Int)
	return year >= 1000
}

// numbersOf returns the texts of the floats in a goal, and whether it has fractions or dates.
func (o *Options) numbersOf(goal term.Term) (floats []string, exact bool) {
	left := maxCounted
	for part := range term.Parts(goal) {
		switch part := part.(type) {
		case term.Float:
			floats = append(floats, syntax.FormatTerm(part))
		case *term.Rational:
			exact = true
		case *term.Compound:
			exact = exact || o.isDay(part)
		}
		if left--; left == 0 {
			break
		}
	}
	return floats, exact
}
