// Package typename has the table of the types of mode/2, other spellings of their names, and the types that a program
// names by type/2. [Names.Resolve] finds the type that a term stands for.
package typename

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// Row is a row of the table of types: how they are written, what they are in JSON and what the predicate gets.
type Row struct{ Types, JSON, Gets string }

// Table is the table of types, as docs/types.md has it.
var Table = []Row{
	{"integer, positive_integer, non_negative_integer, negative_integer, byte", "integer, with bounds",
		"an integer of any size"},
	{"float", "number", "a float"},
	{"number", "number", "an integer or a float, as sent"},
	{"rational", `number, or string such as "1/3"`,
		"an integer or a rational number, exact: 0.1 is 1r10. As a result 1r10 is the number 0.1, " +
			`and 1r3, which has infinitely many digits, is the string "1r3"`},
	{"decimal, decimal(N), decimal(N, half_even)", "number; a result of more than 15 digits is a string",
		"an integer or a rational number, exact: 0.1 is 1r10. A result is rounded to N places, a half up"},
	{"date", `string such as "2026-01-31"`, "date(Year, Month, Day)"},
	{"time", `string such as "14:30:00"`, "time(Hour, Minute, Second)"},
	{"datetime", `string such as "2026-01-31T14:30:00+02:00"`,
		"datetime(Year, Month, Day, Hour, Minute, Second), in UTC"},
	{"duration", `string such as "P1Y2M" or "PT4H30M"`, "duration(Seconds, Months), with 2629746 Seconds for each month"},
	{"boolean", "boolean", "true or false"},
	{"atom, non_empty_atom", "string", "an atom"},
	{"string", "string", "a string"},
	{"email, uri, uuid", "string with this format", "an atom"},
	{"chars, codes", "string", "a list of characters, of character codes"},
	{"char, character, code", "string of length 1", "a character, its code"},
	{"list, list(T), non_empty_list, non_empty_list(T), list(T, N)", "array", "a list"},
	{"pair(K, V)", "object with key and value", "Key-Value"},
	{"oneof(Values), one_of(T, Values)", "enum", "one of the values"},
	{"between(T, Low, High)", "number with minimum and maximum", "a number"},
	{"matching(Pattern)", "string that matches Pattern as a whole; Pattern is a regular expression without look-around",
		"an atom"},
	{"maybe(T)", "T or null; may be left out",
		"the value, or the atom null if it is missing, as in a row of a file or a database"},
	{"types([T1, ...])", "anyOf", "the value as converted by the first type that fits"},
	{"object([Name-Type, ...])", "object; Name-maybe(Type) is optional, Name-Type-'What it is' adds a description",
		"a curly term"},
	{"object, compound", "object", "a curly term"},
	{"dict", "object", "a dict; texts within it are strings, objects are dicts"},
	{"term, callable, ground", "string, Prolog syntax", "the term that it denotes"},
	{"any, nonvar", "string", "an atom"},
}

// spellings give for other names of types, which take the same arguments, the name in the table.
var spellings = map[string]term.Atom{"int/0": "integer", "nonneg/0": "non_negative_integer",
	"natural/0": "non_negative_integer", "positive/0": "positive_integer", "negative/0": "negative_integer",
	"num/0": "number", "double/0": "float", "real/0": "float", "bool/0": "boolean", "str/0": "string", "text/0": "string",
	"url/0": "uri", "guid/0": "uuid", "regex/1": "matching", "enum/1": "oneof", "one_of/1": "oneof", "oneof/2": "one_of",
	"optional/1": "maybe", "option/1": "maybe", "nullable/1": "maybe", "union/1": "types", "range/3": "between",
	"array/0": "list", "array/1": "list", "array/2": "list", "map/0": "dict"}

// Names are the types that a program names.
type Names map[term.Atom]term.Term

// Add adds what the arguments of type/2 say, if the first one is a name.
func (n Names) Add(args []term.Term) {
	if name, ok := args[0].(term.Atom); ok {
		n[name] = args[1]
	}
}

// maxSteps bounds how often a name stands for another one.
const maxSteps = 100

// Resolve returns the type that a name of the table stands for, and other terms unchanged. Types among its arguments
// are not resolved. It is an error if a name stands for itself.
func (n Names) Resolve(t term.Term) (term.Term, error) {
	first, _, _ := term.Indicator(t)
	for range maxSteps {
		name, arity, ok := term.Indicator(t)
		if !ok {
			return t, nil
		}
		if named := n[name]; named != nil && arity == 0 {
			t = named
			continue
		}
		plain := spelled(t, name, arity)
		if plain == nil {
			return t, nil
		}
		t = plain
	}
	return t, fmt.Errorf("the type %s stands for itself", first)
}

// spelled returns a differently spelled type in the spelling of the table, or nil for other terms.
func spelled(t term.Term, name term.Atom, arity int) term.Term {
	c, isCompound := t.(*term.Compound)
	if plain := spellings[fmt.Sprintf("%s/%d", name, arity)]; plain != "" {
		if !isCompound {
			return plain
		}
		return term.New(plain, c.Args...)
	}
	if !isCompound {
		return nil
	}
	items, isList := term.Slice(t)
	curly, isCurly := term.CurlyItems(t)
	switch tag, pairs, isDict := term.DictOf(t); {
	case isList && len(items) == 1:
		return term.New("list", items[0])
	case name == "between" && arity == 2:
		return term.New("between", bounded(c.Args), c.Args[0], c.Args[1])
	case isCurly:
		for i := range curly {
			curly[i] = member(curly[i])
		}
		return term.New("object", term.List(curly...))
	case isDict && tag == term.Term(term.Atom("object")):
		var list []term.Term
		for _, p := range pairs {
			list = append(list, term.New("-", p.Key, p.Value))
		}
		return term.New("object", term.List(list...))
	}
	return nil
}

// bounded returns the type of numbers between two bounds.
func bounded(bounds []term.Term) term.Term {
	for _, b := range bounds {
		if _, isInt := b.(term.Int); !isInt {
			return term.Atom("number")
		}
	}
	return term.Atom("integer")
}

// member returns a member of {Name-Type, ...} as object/1 takes it. Name: Type is the same.
func member(t term.Term) term.Term {
	if args, ok := term.Is(t, ":", 2); ok {
		return term.New("-", args...)
	}
	if args, ok := term.Is(t, "-", 2); ok {
		if described, ok := term.Is(args[0], ":", 2); ok {
			return term.New("-", term.New("-", described...), args[1])
		}
	}
	return t
}

// Advice says which row of the table was meant by a type that does not exist.
func (n Names) Advice(name string) string {
	known := []string{}
	for own := range n {
		known = append(known, string(own))
	}
	for other := range spellings {
		plain, _, _ := strings.Cut(other, "/")
		known = append(known, plain)
	}
	rows := map[string]Row{}
	for _, row := range Table {
		for _, one := range forms(row) {
			plain, _, _ := strings.Cut(one, "(")
			rows[plain] = row
			known = append(known, plain)
		}
	}
	slices.Sort(known)
	near := spell.Nearest(name, known)
	for arity := range 4 {
		if plain := spellings[fmt.Sprintf("%s/%d", near, arity)]; plain != "" && n[term.Atom(near)] == nil {
			near = string(plain)
		}
	}
	row, ok := rows[near]
	switch {
	case near == "":
		return "; the types are " + All() + ", and those of :- type(Name, Type)"
	case !ok:
		return "; did you mean " + near + "?"
	}
	begin := "; did you mean " + near + "? The types"
	if near == name { // with other arguments
		begin = "; the types"
	}
	return fmt.Sprintf("%s %s: JSON is %s; the predicate gets %s", begin, row.Types, row.JSON, row.Gets)
}

// All lists the types of the table.
func All() string {
	var list []string
	Each(func(form string, _ Row) { list = append(list, form) })
	return strings.Join(list, ", ")
}

// Each calls f with each type of the table, as written, and its row.
func Each(f func(form string, row Row)) {
	for _, row := range Table {
		for _, form := range forms(row) {
			f(form, row)
		}
	}
}

// forms returns the types of a row one by one.
func forms(row Row) (list []string) {
	depth, from := 0, 0
	for i, c := range row.Types + "," {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			list, from = append(list, strings.TrimSpace(row.Types[from:i])), i+1
		}
	}
	return list
}
