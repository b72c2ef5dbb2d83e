package relation

import (
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines conditions of queries that have constants.

// Member is a column whose term is one of a list.
type Member struct {
	Column int        `json:"column"` // in Query.Columns
	Values []Constant `json:"values"`
	// Tests are the tests of the query, from the first, that the goals make before.
	Tests int `json:"tests,omitempty"`
}

// Constant is an atomic term as text.
type Constant struct {
	Kind string `json:"kind"` // atom, string, integer or float
	Text string `json:"text"`
}

// NewConstant returns an atom, a string, an integer or a float that is a number as a constant.
func NewConstant(t term.Term) (c Constant, ok bool) {
	switch t := t.(type) {
	case term.Atom:
		return Constant{"atom", string(t)}, utf8.ValidString(string(t))
	case term.String:
		return Constant{"string", string(t)}, utf8.ValidString(string(t))
	case term.Int:
		return Constant{"integer", strconv.FormatInt(int64(t), 10)}, true
	case *term.Big:
		return Constant{"integer", t.Int().String()}, true
	case term.Float:
		f := float64(t)
		return Constant{"float", strconv.FormatFloat(f, 'g', -1, 64)}, !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	return Constant{}, false
}

// Term is the term of a constant.
func (c Constant) Term() term.Term {
	switch c.Kind {
	case "string":
		return term.String(c.Text)
	case "integer":
		if n, ok := new(big.Int).SetString(c.Text, 10); ok {
			return term.NewInt(n)
		}
	case "float":
		if f, err := strconv.ParseFloat(c.Text, 64); err == nil {
			return term.Float(f)
		}
	}
	return term.Atom(c.Text)
}
