package engine

import (
	"github.com/mcplogic/mcplogic/engine/internal/convert"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file reads and writes terms as text, and converts between terms and Go values.

// Term is any Prolog term; see package term.
type Term = term.Term

// ParseTerm reads one term. The term must be the whole text; the final dot may be missing.
func ParseTerm(text string) (Term, error) {
	read, err := syntax.ParseTerm(text, standardOps, &syntax.Flags{Lenient: true})
	if err != nil {
		return nil, err
	}
	return read.Term, nil
}

var standardOps = syntax.StandardOps()

// FormatTerm writes a term as writeq/1 does: it reads back as the same term. A text of more than 16 MiB is cut.
func FormatTerm(t Term) string { return syntax.FormatTerm(t) }

// smaller reports whether a term has fewer than n parts.
func smaller(t Term, n int) bool {
	for range term.Parts(t) {
		if n--; n <= 0 {
			return false
		}
	}
	return true
}

// TermOf returns the term that stands for a Go value:
//
//	bool                        true, false
//	integers, *big.Int          an integer
//	*big.Rat                    a rational number, or an integer
//	float32, float64            a float
//	string                      a string; an atom in a field with the option atom
//	[]byte                      a string of this text
//	slices and arrays           a list; nil slices are []
//	maps                        {Key-Value, ...} sorted by key, where keys that are strings
//	                            become atoms; {} for none and for nil
//	structs of a named type     functor(Field, ...) with the fields in their order
//	structs of an unnamed type  {name-Field, ...}
//	nil pointers and nil        null
//	pointers and interfaces     what they point to or hold
//	Term                        itself
//	[term.Marshaler]                 what MarshalTerm returns
//	encoding.TextMarshaler      a string, such as that of a time.Time in RFC 3339
//
// A string is not an atom: to match facts such as parent(ann, bob), give NewAtom("ann"), or a value of type term.Atom.
//
// The functor of a struct is the name of its type in the style of Prolog, blog_post for BlogPost, or the name in the
// tag prolog:"post" of a field _ struct{}. Only exported fields are converted; fields of structs embedded by value
// count as fields of the outer struct. A tag prolog:"name,omitempty,atom" gives a field another name than its own in
// the style of Prolog, leaves it out of {name-Field, ...} when it is zero, and makes its strings atoms. The tag
// prolog:"-" leaves a field out altogether.
//
// A [ConvertError] is returned for what has no term: functions, channels, complex numbers, structs all of whose fields
// are unexported, text that is not UTF-8, and values that nest deeper than 10,000 levels or contain themselves.
// [Opaque] makes a term of any value.
func TermOf(value any) (Term, error) { return convert.Term(value) }

// Opaque returns a term that holds a Go value of any type, such as a connection. Rules can pass it on and compare it,
// but cannot inspect or make one. It cannot be stored persistently. [Value], [Convert] and inputs of predicates written
// in Go get the value back. Two such terms are the same if they come from the same call of Opaque. A clause of the
// database that contains one keeps the value as long as the process lives.
func Opaque(value any) Term { return term.NewOpaque(value) }

// Value returns the value that a term made by [Opaque] holds. ok is false for other terms and other types.
func Value[T any](t Term) (value T, ok bool) {
	if o, is := t.(*term.Opaque); is {
		value, ok = o.Value().(T)
	}
	return value, ok
}

// Convert stores a term in the Go value that dest points to:
//
//	bool                      true, false
//	integers, *big.Int        an integer that fits
//	*big.Rat                  a rational number or an integer
//	float32, float64          a float, or an integer that the float holds exactly
//	string                    an atom or a string
//	[]byte                    the same, or a list of bytes
//	slices                    a proper list; null is nil
//	arrays                    a proper list of that length
//	maps                      {Key-Value, ...} or a list of such pairs, where = and : serve as -;
//	                          null is nil
//	structs                   a compound of the functor and as many arguments as TermOf makes, or
//	                          pairs as of a map, by the names of fields
//	pointers                  null is nil, else a new value
//	any                       int64, *big.Int, *big.Rat, float64, string, bool, []any for lists, map[string]any
//	                          for {name-Value, ...}, nil for null; other terms, and atoms, themselves
//	Term, or a type of terms  the term itself
//	the type of a value in [Opaque]  that value
//	[term.Unmarshaler]             what UnmarshalTerm makes of it
//	encoding.TextUnmarshaler  an atom or a string; a time.Time takes the numbers of get_time/1 too
//
// Pairs without a field in the struct are ignored. A field without a pair is an error, unless it has the option
// omitempty. @true, @false and @null serve as true, false and null, as in the JSON notation of the library.
//
// A [ConvertError] is returned for a term that does not fit, is too deep or contains itself. The value that dest points
// to may then be partly changed.
func Convert(t Term, dest any) error { return convert.Value(t, dest) }

// ConvertError is the error of [TermOf], [Convert] and [Solution.Scan]. Path leads to the part of the Go value, such as
// .Address.Lines[2], and Type is the type of that part. Term is the term that does not fit, or nil if the value was to
// be converted to a term. Want is the Prolog type that would fit, Problem describes any other fault, and Err is the
// error of a method of the value.
type ConvertError = convert.Error
