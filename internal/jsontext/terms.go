package jsontext

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
)

// Terms makes terms, as rows of data have them: strings and constants are atoms, arrays are lists, and objects are
// curly terms.
type Terms struct {
	// Atom makes the atom of a text.
	Atom func(text []byte) term.Term
}

var _ Builder[term.Term] = Terms{}

// Term returns the term of a JSON text. ok is false if it is not one JSON value in UTF-8.
func Term(text string) (t term.Term, ok bool) {
	if Check([]byte(text)) != nil || !utf8.ValidString(text) {
		return nil, false
	}
	atom := func(text []byte) term.Term { return term.Atom(text) }
	return Value(&Cursor{Text: []byte(text)}, Terms{atom}), true
}

// Constant implements Builder.
func (Terms) Constant(name string) term.Term {
	switch name {
	case "true":
		return term.True
	case "false":
		return term.False
	}
	return term.Atom("null")
}

// String implements Builder.
func (b Terms) String(text []byte) term.Term { return b.Atom(text) }

// Array implements Builder.
func (Terms) Array(items []term.Term) term.Term { return term.List(items...) }

// Object implements Builder.
func (b Terms) Object(members []Member[term.Term]) term.Term {
	pairs := make([]term.Term, len(members))
	for i, m := range members {
		pairs[i] = term.New("-", b.Atom(m.Name), m.Value)
	}
	return term.Curlies(pairs...)
}

// maxDigits bounds the digits of an integer. Reading one takes time that grows with the square of its length.
const maxDigits = 10_000

// Number implements Builder. A number is an integer if it is written as one, and an atom beyond the largest float.
func (Terms) Number(text string) term.Term {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return term.Int(n)
	}
	if !strings.ContainsAny(text, ".eE") && len(text) <= maxDigits {
		n, _ := new(big.Int).SetString(text, 10)
		return term.NewInt(n)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(f, 0) {
		return term.Float(f)
	}
	return term.Atom(text)
}
