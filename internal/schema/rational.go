package schema

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines the types of package values, and the type rational. In JSON a rational number whose digits end is a
// number, and another one is a string such as "1r3". What comes in may be written "1/3" too, and a decimal fraction is
// what its digits say.

const (
	rationalPattern = `^[+-]?[0-9]+([r/][0-9]+)?$`
	// maxRationalText bounds the texts that are read. Lowest terms of longer ones take long to find.
	maxRationalText = 10_000
)

// rationalText is a rational number.
var rationalText = lazyregexp.New(rationalPattern)

func rationalKeywords(*Type) Object {
	return Object{{"type", []any{"number", "string"}}, {"pattern", rationalPattern}}
}

func decodeRational(d *decoder, t *Type, value any) term.Term {
	if n, isNumber := value.(json.Number); isNumber {
		if x, err := (values.Type{Name: "decimal"}).Parse(n.String()); err == nil {
			return x
		}
	}
	text, _ := value.(string)
	if len(text) > maxRationalText || !rationalText().MatchString(text) {
		return d.unfit(t, value)
	}
	r, ok := new(big.Rat).SetString(strings.Replace(text, "r", "/", 1))
	if !ok { // a denominator of zero
		return d.unfit(t, value)
	}
	return term.NewRational(r)
}

func encodeRational(e *encoder, t *Type, x term.Term) {
	switch x := x.(type) {
	case *term.Rational:
		e.rational(x)
	case term.Int, *term.Big:
		e.number(x)
	default:
		e.mismatch(t, x)
	}
}

// rational appends the digits of a rational number as a number if a float keeps them all. Else it appends its text as a
// string, unless that is too long.
func (e *encoder) rational(x *term.Rational) {
	r := x.Rat()
	if (r.Num().BitLen()+r.Denom().BitLen())/4 > e.limit { // a digit takes less than four bits
		e.overflow()
		return
	}
	if text, ends := (values.Type{Name: "decimal", Places: -1}).Text(x); ends && sure(text) {
		e.raw(text)
		return
	}
	e.text(x.String())
}

// decodeExact reads the text of a value, or the digits of a decimal.
func decodeExact(d *decoder, t *Type, value any) term.Term {
	text, isText := value.(string)
	if n, isNumber := value.(json.Number); isNumber && t.rule.json == "number" {
		text, isText = n.String(), true
	}
	if !isText {
		return d.unfit(t, value)
	}
	x, err := t.exact.Parse(text)
	if err == nil {
		return x
	}
	d.mismatch(t.want(), value)
	if why := err.Error(); why != "" && d.omitted == 0 {
		d.found[len(d.found)-1].Text += ": " + why
	}
	return nil
}

func encodeExact(e *encoder, t *Type, x term.Term) {
	text, ok := t.exact.Text(x)
	_, isRational := x.(*term.Rational)
	switch {
	case !ok && isRational:
		e.fail("expected %s, got %s, whose digits do not end; decimal(N) rounds to N places", t.want(), Summary(x))
	case !ok:
		e.mismatch(t, x)
	case t.rule.json == "string", e.exact && !sure(text):
		e.text(text)
	default:
		e.raw(text)
	}
}

// maxSure is how many digits of a decimal a float keeps.
const maxSure = 15

// sure reports whether a float keeps the digits of a decimal.
func sure(text string) bool {
	return len(strings.TrimLeft(strings.Replace(text, ".", "", 1), "-0")) <= maxSure
}

// Text is a value of the type as it is shown in messages: a decimal as its digits, a date as its text, and other values
// as by [Summary].
func (t *Type) Text(x term.Term) string {
	if text, ok := t.Exact(x); ok {
		return text
	}
	return Summary(x)
}

// Exact is the text of a decimal, a date and the like, and of a rational number whose digits end. ok is false for other
// values. It recurses as deep as the type.
func (t *Type) Exact(x term.Term) (text string, ok bool) {
	if t == nil {
		return "", false
	}
	if t.exact.Name != "" {
		return t.exact.Text(x)
	} else if _, isFraction := x.(*term.Rational); isFraction && t.rule == typeRules["rational/0"] {
		return values.TextOf(x)
	}
	for _, one := range t.alternatives {
		if _, err := (&Codec{}).ToJSON(x, one); err == nil {
			return one.Exact(x)
		}
	}
	if t.rule.json == maybeJSON || t.rule.json == "" {
		return t.elem.Exact(x)
	}
	return "", false
}
