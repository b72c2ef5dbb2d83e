package schema

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the type rational. In JSON an integer is a number, and another rational number is a string such as
// "1r3". What comes in may be written "1/3" too, and a decimal fraction is taken as what its digits say.

const (
	rationalPattern = `^[+-]?[0-9]+([r/][0-9]+)?$`
	// maxRationalText bounds the texts that are read. Lowest terms of longer ones take long to find.
	maxRationalText = 10_000
)

// These are compiled at first use of the package: rationalText is a rational number, decimalText a number of JSON
// that is short enough to be written without an exponent.
var (
	rationalText = regexp.MustCompile(rationalPattern)
	decimalText  = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][+-]?0*[0-9]{1,3})?$`)
)

func rationalKeywords(*Type) Object {
	return Object{{"type", []any{"number", "string"}}, {"pattern", rationalPattern}}
}

func decodeRational(d *decoder, t *Type, value any) term.Term {
	text, wanted := "", decimalText
	switch v := value.(type) {
	case json.Number:
		text = v.String()
	case string:
		text, wanted = v, rationalText
	}
	if len(text) > maxRationalText || !wanted.MatchString(text) {
		d.mismatch(t.want(), value)
		return nil
	}
	r, ok := new(big.Rat).SetString(strings.Replace(text, "r", "/", 1))
	if !ok { // a denominator of zero
		d.mismatch(t.want(), value)
		return nil
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

// rational appends the text of a rational number as a string, unless it is too long.
func (e *encoder) rational(x *term.Rational) {
	r := x.Rat()
	if (r.Num().BitLen()+r.Denom().BitLen())/4 > e.limit { // a digit takes less than four bits
		e.overflow()
		return
	}
	e.text(x.String())
}
