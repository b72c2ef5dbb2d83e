// Package convert turns Go values into terms and back.
//
// [Term] makes a term of a value, [Value] stores a term in a value, and [Variables] stores the values of named
// variables in a struct or a map. Package engine exports these under its own names and documents which term stands
// for which value.
//
// A conversion recurses in Go as deep as the value nests, and at most to maxDepth. Terms and Go values may contain
// themselves, or share parts so often that the result would not fit into memory. maxParts ends such a conversion.
// Both limits are errors.
package convert

import (
	"encoding"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

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
	marshalerType       = reflect.TypeFor[term.Marshaler]()
	unmarshalerType     = reflect.TypeFor[term.Unmarshaler]()
	textMarshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// kinds are the Go types of terms themselves.
var kinds = map[reflect.Type]bool{
	reflect.TypeFor[term.Atom](): true, reflect.TypeFor[term.Int](): true, reflect.TypeFor[*term.Big](): true,
	reflect.TypeFor[*term.Rational](): true,
	reflect.TypeFor[term.Float]():     true, reflect.TypeFor[term.String](): true, reflect.TypeFor[*term.Var](): true,
	reflect.TypeFor[*term.Compound](): true, reflect.TypeFor[*term.Opaque](): true,
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

// walk counts the levels and parts of a conversion.
type walk struct{ depth, parts int }

// enter begins a level of nesting, and leave ends it. err is not nil when there are too many levels or parts.
func (w *walk) enter(typ reflect.Type) error {
	w.depth++
	w.parts++
	switch {
	case w.depth > maxDepth:
		return &Error{Type: typ, Problem: "nests too deep, or contains itself"}
	case w.parts > maxParts:
		return &Error{Type: typ, Err: ErrLarge}
	}
	return nil
}

// ErrLarge is the cause of the error of a value with too many parts.
var ErrLarge = errors.New("has too many parts, or shares them so often")

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
	case reflect.Interface, reflect.Map, reflect.Struct, reflect.Func, reflect.Chan, reflect.UnsafePointer,
		reflect.Complex64, reflect.Complex128:
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
	// Problem is the message of an error other than that Term is not of type Want.
	Problem string
	// Err is the error of a method of the value, or nil.
	Err error
}

// Error returns the path, the term and the type that was wanted.
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

// itemStep returns the step of a path to an item of a list.
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

// This part defines the way from Go values to terms. It also defines the functor and the fields of the term for a
// struct type.

// Term returns the term that stands for a Go value. The error is an *[Error].
func Term(value any) (term.Term, error) {
	switch v := value.(type) {
	case nil:
		return null, nil
	case int:
		return term.Int(v), nil
	case int64:
		return term.Int(v), nil
	case bool:
		return truth(v), nil
	}
	var f from
	return f.value(reflect.ValueOf(value), false)
}

// from is one conversion.
type from struct{ walk }

// value converts a value; atoms is set where strings are to be atoms.
func (f *from) value(v reflect.Value, atoms bool) (term.Term, error) {
	if !v.IsValid() {
		return null, nil
	}
	if err := f.enter(v.Type()); err != nil {
		return nil, err
	}
	defer f.leave()
	if kinds[v.Type()] {
		return itself(v)
	}
	if t, ok, err := byMethod(v, atoms); ok || err != nil {
		return t, err
	}
	switch v.Kind() {
	case reflect.Bool:
		return truth(v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return term.Int(v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return term.NewInt(new(big.Int).SetUint64(v.Uint())), nil
	case reflect.Float32, reflect.Float64:
		return term.Float(v.Float()), nil
	case reflect.String:
		return textTerm(v.String(), v.Type(), atoms)
	case reflect.Slice, reflect.Array:
		return f.list(v, atoms)
	case reflect.Map:
		return f.mapping(v, atoms)
	case reflect.Struct:
		return f.structure(v)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return null, nil
		}
		return f.value(v.Elem(), atoms)
	}
	return nil, &Error{Type: v.Type(), Problem: noTerm + "; Opaque makes one that holds it"}
}

// HasTerm reports whether terms may stand for values of a type. It does not check the types of their parts.
func HasTerm(typ reflect.Type) bool {
	switch typ.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
		return typ.Implements(marshalerType) || typ.Implements(textMarshalerType)
	}
	return true
}

// noTerm is the problem of a value that no term stands for.
const noTerm = "no term stands for such a value"

// itself returns a value that is a term.
func itself(v reflect.Value) (term.Term, error) {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, &Error{Type: v.Type(), Problem: "the term is nil"}
	}
	return v.Interface().(term.Term), nil
}

// byMethod converts a value that has a method for it. ok is false for other values.
func byMethod(v reflect.Value, atoms bool) (t term.Term, ok bool, err error) {
	if v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, false, nil
	}
	if v.Type() == bigType {
		n := v.Interface().(big.Int)
		return term.NewInt(&n), true, nil
	}
	if v.Kind() == reflect.Pointer && v.Type().Elem() == bigType {
		return term.NewInt(v.Interface().(*big.Int)), true, nil
	}
	if v.Type() == ratType {
		n := v.Interface().(big.Rat)
		return term.NewRational(&n), true, nil
	}
	if v.Kind() == reflect.Pointer && v.Type().Elem() == ratType {
		return term.NewRational(v.Interface().(*big.Rat)), true, nil
	}
	if m, ok := method(v, marshalerType).(term.Marshaler); ok {
		if t, err = m.MarshalTerm(); err == nil && t == nil {
			return nil, true, &Error{Type: v.Type(), Problem: "MarshalTerm returned nil"}
		}
		return t, true, failed(v.Type(), err)
	}
	if m, ok := method(v, textMarshalerType).(encoding.TextMarshaler); ok {
		data, err := m.MarshalText()
		if err != nil {
			return nil, true, failed(v.Type(), err)
		}
		t, err = textTerm(string(data), v.Type(), atoms)
		return t, true, err
	}
	return nil, false, nil
}

// method returns the value or its address as an interface that it implements, or nil.
func method(v reflect.Value, of reflect.Type) any {
	switch {
	case v.Type().Implements(of):
		return v.Interface()
	case v.CanAddr() && reflect.PointerTo(v.Type()).Implements(of):
		return v.Addr().Interface()
	}
	return nil
}

// failed wraps the error of a method. It returns nil for nil.
func failed(typ reflect.Type, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Type: typ, Err: err}
}

func truth(b bool) term.Term {
	if b {
		return term.True
	}
	return term.False
}

// textTerm makes a string, or an atom, of a Go string.
func textTerm(s string, typ reflect.Type, atom bool) (term.Term, error) {
	if !utf8.ValidString(s) {
		return nil, &Error{Type: typ, Problem: fmt.Sprintf("%.60q is not valid UTF-8", s)}
	}
	if atom {
		return term.Atom(s), nil
	}
	return term.String(s), nil
}

// list converts a slice or array.
func (f *from) list(v reflect.Value, atoms bool) (term.Term, error) {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		return textTerm(string(v.Bytes()), v.Type(), atoms)
	}
	if f.parts+v.Len() > maxParts {
		return nil, &Error{Type: v.Type(), Err: ErrLarge}
	}
	items := make([]term.Term, v.Len())
	for i := range items {
		item, err := f.value(v.Index(i), atoms)
		if err != nil {
			return nil, inside(err, itemStep(i))
		}
		items[i] = item
	}
	return term.List(items...), nil
}

// mapping converts a map: {Key-Value, ...} in the standard order of the keys.
func (f *from) mapping(v reflect.Value, atoms bool) (term.Term, error) {
	pairs := make([]term.Term, 0, v.Len())
	for entries := v.MapRange(); entries.Next(); {
		step := fmt.Sprintf("[%.60v]", entries.Key())
		key, err := f.value(entries.Key(), true)
		if err != nil {
			return nil, inside(err, step)
		}
		value, err := f.value(entries.Value(), atoms)
		if err != nil {
			return nil, inside(err, step)
		}
		pairs = append(pairs, term.New("-", key, value))
	}
	slices.SortFunc(pairs, term.Compare)
	return term.Curlies(pairs...), nil
}

// structure converts a struct: functor(Field, ...), or {name-Field, ...} when there is no functor.
func (f *from) structure(v reflect.Value) (term.Term, error) {
	l := layoutOf(v.Type())
	if l.closed && len(l.fields) == 0 {
		return nil, &Error{Type: v.Type(), Problem: "has no exported fields; Opaque makes a term that holds it"}
	}
	args := make([]term.Term, 0, len(l.fields))
	for i := range l.fields {
		fl := &l.fields[i]
		part := v.FieldByIndex(fl.index)
		if l.functor == "" && fl.empty && part.IsZero() {
			continue
		}
		arg, err := f.value(part, fl.atoms)
		if err != nil {
			return nil, inside(err, "."+fl.name)
		}
		if l.functor == "" {
			arg = term.New("-", fl.key(), arg)
		}
		args = append(args, arg)
	}
	if l.functor == "" {
		return term.Curlies(args...), nil
	}
	return term.New(l.functor, args...), nil
}

// layout is the functor and the fields of a struct type. It does not change after it is made.
type layout struct {
	functor term.Atom // "" for a type without a name
	fields  []field
	closed  bool // there are fields that are not exported
}

// field is a field that takes part in conversions.
type field struct {
	index []int  // for reflect.Value.FieldByIndex
	name  string // in Go
	tag   string // the name that the tag gives, or ""
	empty bool   // omitempty: it may be missing
	atoms bool   // its strings are atoms
}

// key returns the name of a field in curly terms and lists of pairs.
func (f *field) key() term.Atom {
	if f.tag != "" {
		return term.Atom(f.tag)
	}
	return term.Atom(snake(f.name))
}

// variable returns the name of the variable that gives a field its value.
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
		default:
			l.closed = l.closed || f.Name != "_"
		}
	}
}

// hasForm reports whether a struct type is not converted field by field.
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
