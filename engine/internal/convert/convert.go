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
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
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

// This part defines the error of a conversion.

// Error says what could not be converted, and where in the Go value it stands.
type Error struct {
	// Path leads to the part of the Go value, such as .Address.Lines[2]. "" is the whole value.
	Path string
	// Type is the Go type of the part; nil for a value that is nil.
	Type reflect.Type
	// Term is the term that does not fit into the Go type. It is nil when the Go value was to become a term.
	Term term.Term
	// Want is the Prolog type that would fit, as type errors name it, such as "integer" or "list". It is "" when the
	// type is right and the value is not, and where there is no term.
	Want string
	// Problem is a text for other errors than that Term is not of type Want.
	Problem string
	// Err is the error of a method of the value, or nil.
	Err error
}

// Error is the path, the term and what was wanted.
func (e *Error) Error() string {
	text := e.Problem
	switch {
	case e.Err != nil:
		text = e.Err.Error()
	case text == "":
		text = "got " + show(e.Term) + ", want " + e.Want
	case e.Term != nil:
		text = show(e.Term) + " " + text
	}
	if e.Type != nil {
		text += " (Go type " + e.Type.String() + ")"
	}
	if e.Path == "" {
		return text
	}
	return e.Path + ": " + text
}

// Unwrap returns the error of a method of the value, or nil.
func (e *Error) Unwrap() error { return e.Err }

// maxPath is the largest length of a path in bytes. The inner end of a longer one is left out.
const maxPath = 200

// inside puts a step before the path of an error.
func inside(err error, step string) error {
	if e, ok := err.(*Error); ok {
		if e.Path = step + e.Path; len(e.Path) > maxPath {
			e.Path = strings.ToValidUTF8(e.Path[:maxPath], "") + "..."
		}
	}
	return err
}

// itemStep is the step of a path to an item.
func itemStep(i int) string { return fmt.Sprintf("[%d]", i) }

// maxShown is the length in runes to which a term is shown.
const maxShown = 60

var operators = syntax.StandardOps()

// show writes a term for a message.
func show(t term.Term) string {
	if _, unbound := t.(*term.Var); unbound {
		return "an unbound variable"
	}
	text := []rune(syntax.Format(t, &syntax.WriteOptions{Quoted: true, NumberVars: true, Ops: operators, Cycles: true,
		MaxDepth: 10, MaxBytes: 4 * (maxShown + 1)}))
	if len(text) > maxShown {
		return string(text[:maxShown]) + "..."
	}
	return string(text)
}

// This part defines how the values of named variables are stored.

// Variables stores the values of variables in dest. dest is a pointer to a struct, whose fields take variables by tag
// or name, or a map with strings as keys or a pointer to one, which takes all of them. A field without a variable is
// an error unless it has the option omitempty.
func Variables(names []string, values []term.Term, dest any) error {
	v := reflect.ValueOf(dest)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	var s to
	switch {
	case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String && (v.CanSet() || !v.IsNil()):
		return s.variableMap(names, values, v)
	case v.Kind() == reflect.Struct && v.CanSet():
		return s.fields(layoutOf(v.Type()), v, func(f *field) (term.Term, error) {
			for i, name := range names {
				if name == f.variable() {
					return values[i], nil
				}
			}
			if f.empty {
				return nil, nil
			}
			return nil, &Error{Problem: "the goal has no variable " + f.variable() + DidYouMean(f.variable(), names)}
		})
	}
	return &Error{Type: reflect.TypeOf(dest), Problem: "want a pointer to a struct, or a map with strings as keys"}
}

// DidYouMean returns ", did you mean X?" with the name that is nearest to a word, or "".
func DidYouMean(word string, names []string) string {
	if near := spell.Nearest(word, names); near != "" {
		return ", did you mean " + near + "?"
	}
	return ""
}

// variableMap stores each value under the name of its variable.
func (s *to) variableMap(names []string, values []term.Term, m reflect.Value) error {
	if m.IsNil() {
		m.Set(reflect.MakeMap(m.Type()))
	}
	for i, name := range names {
		value := reflect.New(m.Type().Elem()).Elem()
		if err := s.store(values[i], value); err != nil {
			return inside(err, "["+name+"]")
		}
		m.SetMapIndex(reflect.ValueOf(name).Convert(m.Type().Key()), value)
	}
	return nil
}
