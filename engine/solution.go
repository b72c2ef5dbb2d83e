package engine

import (
	"fmt"
	"math/big"
	"reflect"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines answers and how they are read into Go values.

// Solution is one answer: values for the variables of the query.
type Solution struct {
	names    []string
	values   []Term
	residual []Term // goals that wait, of a run that StartResidual has begun
}

// Names returns the names of the variables in the order of the query's text.
func (s Solution) Names() []string { return append([]string(nil), s.names...) }

// Values returns the values of the variables in the order of Names. The slice must not be
// changed.
func (s Solution) Values() []Term { return s.values }

// Get returns the value of a variable, or nil when the query has none of this name. A value
// may be an unbound variable.
func (s Solution) Get(name string) Term {
	for i, n := range s.names {
		if n == name {
			return s.values[i]
		}
	}
	return nil
}

// Text returns the value of a variable as text, as write/1 shows it; "" if there is none.
func (s Solution) Text(name string) string {
	t := s.Get(name)
	if t == nil {
		return ""
	}
	return FormatText(t)
}

// String shows the answer as X = 1, Y = a; true for one without variables.
func (s Solution) String() string {
	var b strings.Builder
	for i, name := range s.names {
		if v, ok := s.values[i].(*term.Var); ok && v.Name == "" && strings.HasPrefix(name, "_") {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name + " = " + FormatTerm(s.values[i]))
	}
	if b.Len() == 0 {
		return "true"
	}
	return b.String()
}

// Scan stores values in a struct, whose fields are matched by name or by the tag prolog:"X",
// or in a map from names to terms. dest is a pointer to a struct or a map[string]Term. See
// [Convert] for the types of fields.
func (s Solution) Scan(dest any) error {
	if m, ok := dest.(map[string]Term); ok {
		for i, name := range s.names {
			m[name] = s.values[i]
		}
		return nil
	}
	v := reflect.ValueOf(dest)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("scan into %T: want a pointer to a struct or a map[string]engine.Term", dest)
	}
	v = v.Elem()
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name := field.Name
		if tag := field.Tag.Get("prolog"); tag != "" {
			name = tag
		}
		t := s.Get(name)
		if t == nil || !field.IsExported() {
			continue
		}
		if err := convert(t, v.Field(i)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// Convert stores a term in a Go value: text in strings, numbers in numbers that hold them
// exactly, integers of any size in *big.Int, true and false in bools, proper lists in slices,
// anything in a Term or an any. dest is a pointer to such a value.
func Convert(t Term, dest any) error {
	v := reflect.ValueOf(dest)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return fmt.Errorf("convert into %T: want a pointer", dest)
	}
	return convert(t, v.Elem())
}

var (
	termType   = reflect.TypeFor[Term]()
	bigIntType = reflect.TypeFor[*big.Int]()
)

func convert(t Term, v reflect.Value) error {
	if v.Type() == termType || v.Kind() == reflect.Interface && v.NumMethod() == 0 {
		v.Set(reflect.ValueOf(t))
		return nil
	}
	if v.Type() == bigIntType {
		return convertBig(t, v)
	}
	switch v.Kind() {
	case reflect.String:
		if text, ok := term.Text(t); ok {
			v.SetString(text)
			return nil
		}
	case reflect.Bool:
		if t == Term(term.True) || t == Term(term.False) {
			v.SetBool(t == Term(term.True))
			return nil
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n, ok := t.(term.Int); ok && !v.OverflowInt(int64(n)) {
			v.SetInt(int64(n))
			return nil
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n, ok := t.(term.Int); ok && n >= 0 && !v.OverflowUint(uint64(n)) {
			v.SetUint(uint64(n))
			return nil
		}
	case reflect.Float32, reflect.Float64:
		if n, ok := t.(term.Int); ok && int64(float64(n)) == int64(n) {
			v.SetFloat(float64(n))
			return nil
		}
		if f, ok := t.(term.Float); ok {
			v.SetFloat(float64(f))
			return nil
		}
	case reflect.Slice:
		return convertList(t, v)
	}
	return fmt.Errorf("%s does not fit into %s", ShowTerm(t), v.Type())
}

func convertBig(t Term, v reflect.Value) error {
	switch n := t.(type) {
	case term.Int:
		v.Set(reflect.ValueOf(n.Big()))
	case *term.Big:
		v.Set(reflect.ValueOf(n.Int()))
	default:
		return fmt.Errorf("%s is not an integer", ShowTerm(t))
	}
	return nil
}

func convertList(t Term, v reflect.Value) error {
	items, ok := term.Slice(t)
	if !ok {
		return fmt.Errorf("%s is not a proper list", ShowTerm(t))
	}
	list := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		if err := convert(item, list.Index(i)); err != nil {
			return err
		}
	}
	v.Set(list)
	return nil
}
