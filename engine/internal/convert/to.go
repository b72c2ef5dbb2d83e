package convert

import (
	"encoding"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"time"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the way from terms to Go values.

// Value stores a term in the value that dest points to. The error is an *[Error]. After an error parts of the value
// may have changed.
func Value(t term.Term, dest any) error {
	v := reflect.ValueOf(dest)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return &Error{Type: reflect.TypeOf(dest), Problem: "want a pointer to store a term in"}
	}
	var s to
	return s.store(t, v.Elem())
}

// to is one conversion.
type to struct{ walk }

// misfit returns the error of a term that does not have the wanted type.
func misfit(t term.Term, v reflect.Value, want string) error {
	return &Error{Type: v.Type(), Term: t, Want: want}
}

// unfit returns the error of a term of the right type with a wrong value.
func unfit(t term.Term, v reflect.Value, problem string) error {
	return &Error{Type: v.Type(), Term: t, Problem: problem}
}

// store stores a term in a value that can be set.
func (s *to) store(t term.Term, v reflect.Value) error {
	if err := s.enter(v.Type()); err != nil {
		return err
	}
	defer s.leave()
	if v.Type() == termType {
		v.Set(reflect.ValueOf(t))
		return nil
	}
	if kinds[v.Type()] {
		return storeItself(t, v)
	}
	if o, ok := t.(*term.Opaque); ok {
		return storeOpaque(o, v)
	}
	if v.Kind() == reflect.Pointer {
		return s.pointer(t, v)
	}
	if ok, err := storeByMethod(t, v); ok {
		return err
	}
	switch v.Kind() {
	case reflect.Bool:
		return storeBool(t, v)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return storeInt(t, v)
	case reflect.Float32, reflect.Float64:
		return storeFloat(t, v)
	case reflect.String:
		text, ok := term.Text(t)
		if !ok {
			return misfit(t, v, "text")
		}
		v.SetString(text)
		return nil
	case reflect.Slice:
		return s.slice(t, v)
	case reflect.Array:
		return s.array(t, v)
	case reflect.Map:
		return s.mapping(t, v)
	case reflect.Struct:
		return s.structure(t, v)
	case reflect.Interface:
		return s.free(t, v)
	}
	return &Error{Type: v.Type(), Problem: noTerm}
}

// prologTypes maps the Go types of terms to the names of their Prolog types.
var prologTypes = map[reflect.Type]string{
	reflect.TypeFor[term.Atom](): "atom", reflect.TypeFor[term.Int](): "integer", reflect.TypeFor[*term.Big](): "integer",
	reflect.TypeFor[*term.Rational](): "rational",
	reflect.TypeFor[term.Float]():     "float", reflect.TypeFor[term.String](): "string",
	reflect.TypeFor[*term.Var]():      "var",
	reflect.TypeFor[*term.Compound](): "compound", reflect.TypeFor[*term.Opaque](): "opaque",
}

// storeItself stores a term in a value that has the Go type of a term.
func storeItself(t term.Term, v reflect.Value) error {
	if reflect.TypeOf(t) != v.Type() {
		return misfit(t, v, prologTypes[v.Type()])
	}
	v.Set(reflect.ValueOf(t))
	return nil
}

// storeOpaque stores the Go value that an opaque term holds.
func storeOpaque(o *term.Opaque, v reflect.Value) error {
	value := reflect.ValueOf(o.Value())
	switch {
	case value.IsValid() && value.Type().AssignableTo(v.Type()):
		v.Set(value)
	case !value.IsValid() && v.Kind() == reflect.Interface:
		v.SetZero()
	default:
		return unfit(o, v, fmt.Sprintf("holds a value of type %T", o.Value()))
	}
	return nil
}

// pointer stores a term in a new value behind a pointer, or nil for null.
func (s *to) pointer(t term.Term, v reflect.Value) error {
	if isNull(t) {
		v.SetZero()
		return nil
	}
	elem := reflect.New(v.Type().Elem())
	if err := s.store(t, elem.Elem()); err != nil {
		return err
	}
	v.Set(elem)
	return nil
}

// storeByMethod stores a term in a value that has a method for it. ok is false for other values.
func storeByMethod(t term.Term, v reflect.Value) (ok bool, err error) {
	if v.Type() == bigType {
		return true, storeBig(t, v)
	}
	if v.Type() == ratType {
		return true, storeRat(t, v)
	}
	if !v.CanAddr() || v.Kind() == reflect.Interface {
		return false, nil
	}
	if m, ok := method(v, unmarshalerType).(term.Unmarshaler); ok {
		if err := m.UnmarshalTerm(t); err != nil {
			return true, &Error{Type: v.Type(), Term: t, Err: err}
		}
		return true, nil
	}
	if v.Type() == timeType && storeStamp(t, v) {
		return true, nil
	}
	m, ok := method(v, textUnmarshalerType).(encoding.TextUnmarshaler)
	if !ok {
		return false, nil
	}
	text, isText := term.Text(t)
	if !isText {
		return true, misfit(t, v, "text")
	}
	if err := m.UnmarshalText([]byte(text)); err != nil {
		return true, &Error{Type: v.Type(), Term: t, Err: err}
	}
	return true, nil
}

// storeStamp stores a number as a time, in seconds since 1970 as get_time/1 returns it.
func storeStamp(t term.Term, v reflect.Value) bool {
	switch n := t.(type) {
	case term.Int:
		v.Set(reflect.ValueOf(time.Unix(int64(n), 0).UTC()))
	case term.Float:
		if math.IsNaN(float64(n)) || math.Abs(float64(n)) > math.MaxInt64/2 {
			return false
		}
		whole, part := math.Modf(float64(n))
		v.Set(reflect.ValueOf(time.Unix(int64(whole), int64(part*1e9)).UTC()))
	default:
		return false
	}
	return true
}

func storeBig(t term.Term, v reflect.Value) error {
	n := bigOf(t)
	if n == nil {
		return misfit(t, v, "integer")
	}
	v.Addr().Interface().(*big.Int).Set(n)
	return nil
}

// storeRat stores a rational number or an integer.
func storeRat(t term.Term, v reflect.Value) error {
	rat := v.Addr().Interface().(*big.Rat)
	if r, ok := t.(*term.Rational); ok {
		rat.Set(r.Rat())
		return nil
	}
	n := bigOf(t)
	if n == nil {
		return misfit(t, v, "rational")
	}
	rat.SetInt(n)
	return nil
}

// bigOf returns the value of an integer, or nil.
func bigOf(t term.Term) *big.Int {
	switch n := t.(type) {
	case term.Int:
		return n.Big()
	case *term.Big:
		return n.Int()
	}
	return nil
}

func storeBool(t term.Term, v reflect.Value) error {
	c := constant(t)
	if c != term.Term(term.True) && c != term.Term(term.False) {
		return misfit(t, v, "bool")
	}
	v.SetBool(c == term.Term(term.True))
	return nil
}

const outOfRange = "is out of range"

func storeInt(t term.Term, v reflect.Value) error {
	n := bigOf(t)
	switch {
	case n == nil:
		return misfit(t, v, "integer")
	case v.CanInt() && n.IsInt64() && !v.OverflowInt(n.Int64()):
		v.SetInt(n.Int64())
	case v.CanUint() && n.IsUint64() && !v.OverflowUint(n.Uint64()):
		v.SetUint(n.Uint64())
	default:
		return unfit(t, v, outOfRange)
	}
	return nil
}

// storeFloat stores a float, or an integer that the float holds exactly.
func storeFloat(t term.Term, v reflect.Value) error {
	f, ok := t.(term.Float)
	if !ok {
		n := bigOf(t)
		if n == nil {
			return misfit(t, v, "number")
		}
		value, accuracy := new(big.Float).SetInt(n).Float64()
		if accuracy != big.Exact || v.Kind() == reflect.Float32 && float64(float32(value)) != value {
			return unfit(t, v, "is not exact as a float")
		}
		f = term.Float(value)
	}
	if !math.IsInf(float64(f), 0) && v.OverflowFloat(float64(f)) {
		return unfit(t, v, outOfRange)
	}
	v.SetFloat(float64(f))
	return nil
}

func (s *to) slice(t term.Term, v reflect.Value) error {
	if text, ok := term.Text(t); ok && v.Type().Elem().Kind() == reflect.Uint8 && t != term.Term(term.Nil) {
		v.SetBytes([]byte(text))
		return nil
	}
	if isNull(t) {
		v.SetZero()
		return nil
	}
	items, ok := term.Slice(t)
	if !ok {
		return misfit(t, v, "list")
	}
	list := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		if err := s.store(item, list.Index(i)); err != nil {
			return inside(err, itemStep(i))
		}
	}
	v.Set(list)
	return nil
}

func (s *to) array(t term.Term, v reflect.Value) error {
	items, ok := term.Slice(t)
	if !ok {
		return misfit(t, v, "list")
	}
	if len(items) != v.Len() {
		return unfit(t, v, fmt.Sprintf("has %d items, want %d", len(items), v.Len()))
	}
	for i, item := range items {
		if err := s.store(item, v.Index(i)); err != nil {
			return inside(err, itemStep(i))
		}
	}
	return nil
}

// entry is a key with its value.
type entry struct{ key, value term.Term }

// entriesOf returns the pairs of a dict, {Key-Value, ...} or [Key-Value, ...]. = and : may stand in place of -. ok is
// false for other terms.
func entriesOf(t term.Term) (list []entry, ok bool) {
	if _, pairs, ok := term.DictOf(t); ok {
		for _, p := range pairs {
			list = append(list, entry{p.Key, p.Value})
		}
		return list, true
	}
	pairs, ok := term.Slice(t)
	if !ok {
		if pairs, ok = term.CurlyItems(t); !ok {
			return nil, false
		}
	}
	for _, p := range pairs {
		c, ok := p.(*term.Compound)
		if !ok || len(c.Args) != 2 || c.Functor != "-" && c.Functor != "=" && c.Functor != ":" {
			return nil, false
		}
		list = append(list, entry{c.Args[0], c.Args[1]})
	}
	return list, true
}

func (s *to) mapping(t term.Term, v reflect.Value) error {
	if isNull(t) {
		v.SetZero()
		return nil
	}
	list, ok := entriesOf(t)
	if !ok {
		return misfit(t, v, "pairs")
	}
	result := reflect.MakeMapWithSize(v.Type(), len(list))
	for _, e := range list {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		step := "[" + show(e.key) + "]"
		if err := s.store(e.key, key); err != nil {
			return inside(err, step)
		}
		if !key.Comparable() {
			return inside(unfit(e.key, key, "cannot be a key"), step)
		}
		if result.MapIndex(key).IsValid() {
			return unfit(e.key, v, "is a key twice")
		}
		if err := s.store(e.value, value); err != nil {
			return inside(err, step)
		}
		result.SetMapIndex(key, value)
	}
	v.Set(result)
	return nil
}

// structure stores the arguments of a compound in fields by place, or pairs by name.
func (s *to) structure(t term.Term, v reflect.Value) error {
	l := layoutOf(v.Type())
	if l.closed && len(l.fields) == 0 {
		return misfit(t, v, "opaque")
	}
	if name, arity, ok := term.Indicator(t); ok && l.functor != "" && name == l.functor && arity == len(l.fields) {
		c, _ := t.(*term.Compound)
		for i := range l.fields {
			if err := s.store(c.Args[i], v.FieldByIndex(l.fields[i].index)); err != nil {
				return inside(err, "."+l.fields[i].name)
			}
		}
		return nil
	}
	list, ok := entriesOf(t)
	if !ok {
		want := "pairs"
		if l.functor != "" {
			want = fmt.Sprintf("%s/%d", l.functor, len(l.fields))
		}
		return misfit(t, v, want)
	}
	values := map[string]term.Term{}
	for _, e := range list {
		if key, ok := term.Text(e.key); ok {
			values[key] = e.value
		}
	}
	return s.fields(l, v, func(f *field) (term.Term, error) {
		value := values[string(f.key())]
		if value == nil && !f.empty {
			return nil, unfit(t, v, "has no "+show(f.key()))
		}
		return value, nil
	})
}

// fields stores in each field the term that find returns for it, unless that is nil.
func (s *to) fields(l *layout, v reflect.Value, find func(f *field) (term.Term, error)) error {
	for i := range l.fields {
		f := &l.fields[i]
		t, err := find(f)
		if err == nil && t != nil {
			err = s.store(t, v.FieldByIndex(f.index))
		}
		if err != nil {
			return inside(err, "."+f.name)
		}
	}
	return nil
}

// free stores in an interface the Go value that is nearest to a term.
func (s *to) free(t term.Term, v reflect.Value) error {
	if v.NumMethod() > 0 {
		return &Error{Type: v.Type(), Problem: "want any, engine.Term or a type that is no interface"}
	}
	if isNull(t) {
		v.SetZero()
		return nil
	}
	value, err := s.natural(t)
	if err != nil {
		return err
	}
	v.Set(reflect.ValueOf(value))
	return nil
}

// natural returns the Go value of a term that is stored in an interface.
func (s *to) natural(t term.Term) (any, error) {
	switch n := t.(type) {
	case term.Int:
		return int64(n), nil
	case *term.Big:
		return n.Int(), nil
	case *term.Rational:
		return n.Rat(), nil
	case term.Float:
		return float64(n), nil
	case term.String:
		return string(n), nil
	}
	switch c := constant(t); c {
	case term.True, term.False:
		return c == term.Term(term.True), nil
	}
	if _, ok := term.Slice(t); ok {
		var list []any
		err := s.store(t, reflect.ValueOf(&list).Elem())
		return list, err
	}
	pairs, ok := term.CurlyItems(t)
	if _, _, isDict := term.DictOf(t); isDict || ok && namesAll(pairs) {
		var object map[string]any
		err := s.store(t, reflect.ValueOf(&object).Elem())
		return object, err
	}
	return t, nil
}

// namesAll reports whether items are pairs with different atoms as keys.
func namesAll(items []term.Term) bool {
	seen := map[term.Atom]bool{}
	for _, item := range items {
		pair, ok := term.Is(item, "-", 2)
		if !ok {
			return false
		}
		key, ok := pair[0].(term.Atom)
		if !ok || seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}
