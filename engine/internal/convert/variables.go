package convert

import (
	"reflect"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines how the values of named variables are stored.

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
