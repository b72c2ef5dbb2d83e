package feel

import (
	"math/big"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines unary tests, which are the cells of inputs, and constants.

// Tests holds the tests of a cell.
type Tests struct {
	// Any says that the cell is `-` or empty. It holds for each value.
	Any bool
	// Not says that none of the items may hold. Otherwise one of them has to.
	Not bool
	// Items holds values, ranges range(Low, Kind, High, Kind), and expressions. is(E) holds if the input is equal to
	// E or in E, or if E is true. holds(E) is an expression that mentions the input itself.
	Items []term.Term
}

// UnaryTests reads the cell of an input. input is the term of the input, mostly a variable.
func UnaryTests(text string, s *Scope, input term.Term) (tests Tests, err error) {
	if trimmed := strings.TrimSpace(text); trimmed == "-" || trimmed == "" {
		return Tests{Any: true}, nil
	}
	p := &parser{text: text, scope: s, names: s.Names, input: input}
	defer p.recover(&err)
	p.next()
	start, tok := p.pos, p.tok
	if p.tok.kind == kindName && p.tok.text == "not" {
		p.next()
		if p.take("(") {
			tests.Items = p.tests()
			p.need(")")
			if p.tok.kind == kindEnd {
				tests.Not = true
				return tests, nil
			}
		}
		p.pos, p.tok = start, tok
	}
	tests.Items = p.tests()
	p.end()
	return tests, nil
}

// tests reads a list of tests.
func (p *parser) tests() (list []term.Term) {
	for {
		if t := p.test(); !slices.ContainsFunc(list, func(u term.Term) bool { return term.Equal(t, u) }) {
			list = append(list, t)
		}
		if !p.take(",") {
			return list
		}
	}
}

// test reads one test.
func (p *parser) test() term.Term {
	defer p.deeper()()
	p.asked = false
	if p.take("!=") {
		return term.New("holds", term.New("\\=", p.input, p.sum()))
	}
	equal := p.take("=")
	t := p.expression()
	if equal && IsRange(t) && p.scope.Plain {
		p.fail(p.last.at, "want a value behind =")
	}
	if _, isList := term.Slice(t); equal && (isList || IsRange(t) || !Constant(t)) {
		return term.New("holds", term.New("=", p.input, t))
	}
	switch {
	case p.asked:
		p.asked = false
		return term.New("holds", t)
	case Constant(t) || IsRange(t):
		return t
	}
	return term.New("is", t)
}

// IsRange reports whether a test is a range. Its ends may be expressions.
func IsRange(t term.Term) bool {
	_, ok := term.Is(t, "range", 4)
	return ok
}

// valueFunctors are the functors of compound values.
var valueFunctors = map[term.Atom][]int{"date": {3}, "time": {3, 4}, "datetime": {6, 7}, "duration": {2}, "range": {4}}

// Constant reports whether a term is a value and not an expression.
func Constant(t term.Term) bool {
	if items, ok := term.Slice(t); ok {
		return !slices.ContainsFunc(items, func(item term.Term) bool { return !Constant(item) })
	}
	switch t := t.(type) {
	case *term.Compound:
		return slices.Contains(valueFunctors[t.Functor], len(t.Args)) &&
			!slices.ContainsFunc(t.Args, func(arg term.Term) bool { return !Constant(arg) })
	case *term.Var:
		return false
	}
	return true
}

// Rat returns the value of an exact number. The caller owns it.
func Rat(t term.Term) (r *big.Rat, ok bool) {
	switch t := t.(type) {
	case term.Int:
		return new(big.Rat).SetInt64(int64(t)), true
	case *term.Big:
		return new(big.Rat).SetInt(t.Int()), true
	case *term.Rational:
		return new(big.Rat).Set(t.Rat()), true
	}
	return nil, false
}

// literal returns the value of a call that makes a date, time or duration of a text.
func (p *parser) literal(function string, args []term.Term) (t term.Term, ok bool) {
	if len(args) != 1 {
		return nil, false
	}
	text, isText := args[0].(term.String)
	atom, isAtom := args[0].(term.Atom)
	if !isText && !isAtom {
		return nil, false
	}
	if t, ok = p.temporal(string(text) + string(atom)); !ok {
		return nil, false
	}
	c, _ := t.(*term.Compound)
	return t, ok && c.Functor == map[string]term.Atom{"date": "date", "time": "time", "date and time": "datetime",
		"duration": "duration"}[function]
}
