package convert

import (
	"encoding"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the way from Go values to terms.

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
	return nil, &Error{Type: v.Type(), Problem: "no term stands for such a value"}
}

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
	if m, ok := method(v, marshalerType).(Marshaler); ok {
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

// failed is the error of a method, nil if there is none.
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
