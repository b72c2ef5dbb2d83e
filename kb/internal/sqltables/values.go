package sqltables

import (
	"encoding/base64"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how values become terms, in both kinds of databases.

// integerTerm returns the integer that a text is.
func integerTerm(text string) (term.Term, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return term.Int(n), true
	}
	if n, ok := new(big.Int).SetString(text, 10); ok {
		return term.NewInt(n), true
	}
	return nil, false
}

// numericTerm returns a decimal number as an integer or as a float, if the float has the very same digits, else as an
// atom: nothing is lost.
func numericTerm(text string) term.Term {
	if n, ok := integerTerm(text); ok {
		return n
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return term.Atom(text)
	case math.IsNaN(f) || math.IsInf(f, 0):
		return term.Float(f)
	}
	exact, ok := new(big.Rat).SetString(text)
	shown, shownOK := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	if ok && shownOK && exact.Cmp(shown) == 0 {
		return term.Float(f)
	}
	return term.Atom(text)
}

// bytesTerm returns bytes as base64.
func bytesTerm(data []byte) term.Term { return term.Atom(base64.StdEncoding.EncodeToString(data)) }

// as returns a value as a term of the type that facts/3 gives its column. A value that does not fit stays as it is.
func as(typ string, v term.Term) term.Term {
	switch typ {
	case "", "any", "number":
		return v
	}
	if v == term.Term(null) {
		return v
	}
	text, isText := term.Text(v)
	switch typ {
	case "string":
		if isText {
			return term.String(text)
		}
	case "atom":
		if isText {
			return term.Atom(text)
		}
		return term.Atom(numberText(v))
	case "float":
		if f, ok := floatOf(v); ok {
			return term.Float(f)
		}
	case "integer":
		if f, ok := v.(term.Float); ok && float64(f) == math.Trunc(float64(f)) {
			if n, acc := big.NewFloat(float64(f)).Int(nil); acc == big.Exact {
				return term.NewInt(n)
			}
		}
	case "boolean":
		return asBoolean(v, text)
	}
	return v
}

// asBoolean returns true or false for what stands for them in databases without booleans.
func asBoolean(v term.Term, text string) term.Term {
	switch {
	case v == term.Term(term.Int(0)), strings.EqualFold(text, "false"):
		return term.False
	case v == term.Term(term.Int(1)), strings.EqualFold(text, "true"):
		return term.True
	}
	return v
}

// numberText is the text of a number, "" for other terms.
func numberText(v term.Term) string {
	switch v := v.(type) {
	case term.Int:
		return strconv.FormatInt(int64(v), 10)
	case *term.Big:
		return v.Int().String()
	case term.Float:
		return strconv.FormatFloat(float64(v), 'g', -1, 64)
	}
	return ""
}

func floatOf(v term.Term) (f float64, ok bool) {
	switch v := v.(type) {
	case term.Int:
		return float64(v), true
	case term.Float:
		return float64(v), true
	case *term.Big:
		f, _ = new(big.Float).SetInt(v.Int()).Float64()
		return f, true
	}
	return 0, false
}

// isNumberText reports whether a text is that of a number.
func isNumberText(text string) bool {
	_, isText := numericTerm(text).(term.Atom)
	return !isText
}
