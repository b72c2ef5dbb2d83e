package engine

import (
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/convert"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines answers and how they are read into Go values.

// Solution is one answer: values for the variables of the query.
type Solution struct {
	names    []string
	values   []Term
	residual []Term // goals that wait, if [RunOptions.Residual] asks for them
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

// Scan stores the values of the variables in dest: a pointer to a struct, whose fields take the
// variables of their names or of the names in their tags prolog:"X", or a map with strings as keys,
// or a pointer to one, which takes all variables. A field for which the query has no variable is an
// error, unless it has the option omitempty or the tag prolog:"-". See [Convert] for the types of
// fields and of the values of maps, and for the error.
func (s Solution) Scan(dest any) error { return convert.Variables(s.names, s.values, dest) }
