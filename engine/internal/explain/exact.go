package explain

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines how decimals, dates and the like are shown: by their texts, where the type is known. It is known of
// the arguments that mode/2, a data file or a table gives it. Other goals beside them have the same values, in
// comparisons and sums, so a value that was shown by its text is shown so again.

// shownMark begins the names of variables that stand for texts in a term that is written: a variable has no quotes.
const shownMark = "="

// maxExact bounds the values that are remembered, and the elements of a list that are looked at.
const maxExact = 1000

// exact is a goal with the texts of its values, given the types of its arguments.
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

// noteExact notes the values of goals in a raw explanation that have types: goals before them show these so, too.
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

// exactly is a value of a type with its text in its place. It recurses as deep as the type.
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
	case !ok || isFloat || o.secret(t): // a float is no decimal, and is not the value of one
		return t
	case slices.Contains(o.Secrets, text):
		return secretVar
	case o.asCode:
		return t
	}
	if _, isInt := t.(term.Int); len(o.legend.exact) < maxExact && !isInt { // an integer may be another number, too
		o.legend.exact = append(o.legend.exact, exactValue{t, text})
	}
	return term.NewVar(shownMark + text)
}

// exactValue is a value that was shown by its text.
type exactValue struct {
	term.Term
	text string
}

// again is a term with the texts of values that were shown so before. A fraction whose digits end is shown by them too,
// unless a float of the goal looks the same, and in words a date as one.
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
			alike = alike || ok && isCompound && of.Functor == c.Functor // a date beside dates
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

// numbersOf are the texts of the floats in a goal, and whether it has fractions or dates.
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
