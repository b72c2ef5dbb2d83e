package records

import (
	"encoding/json"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how the text of a JSON value becomes a term. The decoder of encoding/json has checked the text, and
// has bounded its nesting, so nothing is checked here again.

// jsonValue is a JSON text and how far it has been read.
type jsonValue struct {
	*parser
	text []byte
	pos  int
}

// next passes over white space and returns the next character.
func (v *jsonValue) next() byte {
	for {
		switch c := v.text[v.pos]; c {
		case ' ', '\t', '\n', '\r':
			v.pos++
		default:
			return c
		}
	}
}

// enter passes over the bracket that opens an object or array.
func (v *jsonValue) enter() { v.next(); v.pos++ }

// more passes over a comma, or over the bracket that closes an object or array. It reports whether an item follows.
func (v *jsonValue) more(bracket byte) bool {
	c := v.next()
	if c == ',' || c == bracket {
		v.pos++
	}
	return c != bracket
}

// name reads the name of a member and its colon. The bytes may be a part of the text.
func (v *jsonValue) name() []byte {
	v.next()
	name := v.characters()
	v.next()
	v.pos++
	return name
}

// characters reads a string.
func (v *jsonValue) characters() []byte {
	start, escaped := v.pos, false
	for v.pos++; v.text[v.pos] != '"'; v.pos++ {
		if v.text[v.pos] == '\\' {
			escaped = true
			v.pos++
		}
	}
	v.pos++
	quoted := v.text[start:v.pos]
	if !escaped {
		return quoted[1 : len(quoted)-1]
	}
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return quoted
	}
	return []byte(s)
}

// value reads a value. Objects become curly terms, as in library(json).
func (v *jsonValue) value() term.Term {
	switch v.next() {
	case '"':
		return v.atom(v.characters())
	case '[':
		return v.list()
	case '{':
		return v.object()
	case 't':
		v.pos += len("true")
		return term.True
	case 'f':
		v.pos += len("false")
		return term.False
	case 'n':
		v.pos += len("null")
		return Null
	}
	return v.number()
}

// number reads a number. It is an integer if it is written as one.
func (v *jsonValue) number() term.Term {
	start := v.pos
	for ; v.pos < len(v.text); v.pos++ {
		if c := v.text[v.pos]; (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			break
		}
	}
	text := string(v.text[start:v.pos])
	if n, ok := integer(text); ok {
		return n
	}
	if f, ok := v.float(text); ok {
		return term.Float(f)
	}
	return term.Atom(text) // beyond the largest float
}

// list reads an array.
func (v *jsonValue) list() term.Term {
	var items []term.Term
	for v.enter(); v.more(']'); {
		items = append(items, v.value())
	}
	return term.List(items...)
}

// object reads an object.
func (v *jsonValue) object() term.Term {
	var members []term.Term
	for v.enter(); v.more('}'); {
		name := v.atom(v.name())
		members = append(members, term.New("-", name, v.value()))
	}
	return term.Curlies(members...)
}
