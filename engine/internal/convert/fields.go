package convert

import (
	"reflect"
	"strings"
	"sync"
	"unicode"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines which functor and fields a struct type is converted to.

// layout is the functor and the fields of a struct type. It does not change after it is made.
type layout struct {
	functor term.Atom // "" for a type without a name
	fields  []field
}

// field is a field that takes part in conversions.
type field struct {
	index []int  // for reflect.Value.FieldByIndex
	name  string // in Go
	tag   string // the name that the tag gives, or ""
	empty bool   // omitempty: it may be missing
	atoms bool   // its strings are atoms
}

// key is the name of a field in curly terms and lists of pairs.
func (f *field) key() term.Atom {
	if f.tag != "" {
		return term.Atom(f.tag)
	}
	return term.Atom(snake(f.name))
}

// variable is the name of the variable that a field takes its value from.
func (f *field) variable() string {
	if f.tag != "" {
		return f.tag
	}
	return f.name
}

var layouts sync.Map // of reflect.Type to *layout

// layoutOf returns the layout of a struct type.
func layoutOf(typ reflect.Type) *layout {
	if l, ok := layouts.Load(typ); ok {
		return l.(*layout)
	}
	name, _, _ := strings.Cut(typ.Name(), "[") // without type arguments
	l := &layout{functor: term.Atom(snake(name))}
	l.collect(typ, nil)
	got, _ := layouts.LoadOrStore(typ, l)
	return got.(*layout)
}

// collect adds the fields of a struct. A struct that is embedded by value and has no tag adds its own fields in its
// place.
func (l *layout) collect(typ reflect.Type, at []int) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("prolog"), ",")
		index := append(at[:len(at):len(at)], i)
		switch {
		case f.Name == "_" && name != "" && len(at) == 0:
			l.functor = term.Atom(name)
		case name == "-" && options == "":
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct && !hasForm(f.Type):
			l.collect(f.Type, index)
		case f.IsExported():
			l.fields = append(l.fields, field{index: index, name: f.Name, tag: name, empty: hasOption(options, "omitempty"),
				atoms: hasOption(options, "atom")})
		}
	}
}

// hasForm reports whether a struct type is converted in another way than by its fields.
func hasForm(typ reflect.Type) bool {
	return typ == bigType || typ == ratType || typ.Implements(marshalerType) || typ.Implements(textMarshalerType)
}

// hasOption reports whether a list with commas holds a word.
func hasOption(options, word string) bool {
	for option := range strings.SplitSeq(options, ",") {
		if option == word {
			return true
		}
	}
	return false
}

// snake returns a Go name in the style of Prolog: http_server for HTTPServer, birth_year2 for BirthYear2.
func snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 {
			begins := unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1])
			if begins || runes[i-1] != '_' && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
