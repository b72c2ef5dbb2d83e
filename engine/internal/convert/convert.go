// Package convert turns Go values into terms and back.
//
// [Term] makes a term of a value, [Value] stores a term in a value, and [Variables] stores the
// values of named variables in a struct or a map. What stands for what is documented by the façade,
// package engine, which exports these under its own names.
//
// A conversion goes down both sides at once and recurses in Go as deep as the value nests, to
// maxDepth at most. Terms and Go values may contain themselves, or share parts so that written out
// they are larger than any memory; maxParts ends such a conversion. Both are errors.
package convert

import (
	"encoding"
	"math/big"
	"reflect"
	"time"

	"github.com/mcplogic/mcplogic/engine/term"
)

// Marshaler is a value that makes the term that stands for it.
type Marshaler interface {
	// MarshalTerm returns the term; nil is an error.
	MarshalTerm() (term.Term, error)
}

// Unmarshaler is a value, usually a pointer, that takes what it needs from a term.
type Unmarshaler interface {
	// UnmarshalTerm stores the term in the receiver. Its error is the cause of an [Error].
	UnmarshalTerm(t term.Term) error
}

const (
	// maxDepth bounds the levels of nesting. A level takes about a kilobyte of stack, so this is far from Go's limit,
	// and no data but lists nests deeper.
	maxDepth = 10_000
	// maxParts bounds the parts of a value. A list of sixteen million integers takes 256 MiB as a slice of interfaces.
	maxParts = 1 << 24
)

var (
	termType            = reflect.TypeFor[term.Term]()
	bigType             = reflect.TypeFor[big.Int]()
	ratType             = reflect.TypeFor[big.Rat]()
	timeType            = reflect.TypeFor[time.Time]()
	marshalerType       = reflect.TypeFor[Marshaler]()
	unmarshalerType     = reflect.TypeFor[Unmarshaler]()
	textMarshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// kinds are the Go types of terms themselves.
var kinds = map[reflect.Type]bool{
	reflect.TypeFor[term.Atom](): true, reflect.TypeFor[term.Int](): true, reflect.TypeFor[*term.Big](): true,
	reflect.TypeFor[*term.Rational](): true,
	reflect.TypeFor[term.Float]():     true, reflect.TypeFor[term.String](): true, reflect.TypeFor[*term.Var](): true,
	reflect.TypeFor[*term.Compound](): true,
}

// null stands for pointers and interfaces that are nil.
const null = term.Atom("null")

// isNull reports whether a term stands for nil. In the JSON notation of the library nil is @null.
func isNull(t term.Term) bool { return constant(t) == null }

// constant returns a term without the @ that stands before true, false and null in the JSON notation.
func constant(t term.Term) term.Term {
	if args, ok := term.Is(t, "@", 1); ok {
		return args[0]
	}
	return t
}

// walk counts what a conversion has passed.
type walk struct{ depth, parts int }

// enter begins a level of nesting, and leave ends it. err is not nil when there are too many levels or parts.
func (w *walk) enter(typ reflect.Type) error {
	w.depth++
	w.parts++
	switch {
	case w.depth > maxDepth:
		return &Error{Type: typ, Problem: "nests too deep, or contains itself"}
	case w.parts > maxParts:
		return &Error{Type: typ, Problem: "has too many parts, or shares them so often"}
	}
	return nil
}

func (w *walk) leave() { w.depth-- }

// TypeName returns the Prolog type, as in a mode, of the terms that a Go type is converted to.
func TypeName(typ reflect.Type) string {
	if name := prologTypes[typ]; name != "" {
		return name
	}
	if typ == bigType || typ.Kind() == reflect.Pointer && typ.Elem() == bigType {
		return "integer"
	}
	if typ == ratType || typ.Kind() == reflect.Pointer && typ.Elem() == ratType {
		return "rational"
	}
	if typ.Implements(textMarshalerType) || reflect.PointerTo(typ).Implements(textUnmarshalerType) {
		return "text"
	}
	switch typ.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.String:
		return "text"
	case reflect.Slice, reflect.Array:
		return "list"
	case reflect.Pointer:
		return TypeName(typ.Elem())
	case reflect.Interface, reflect.Map, reflect.Struct:
		return "term"
	}
	return "integer"
}
