package texts

import (
	"strings"
	"sync"
	"unicode"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the classes of characters: char_type/2 and code_type/2 of SWI-Prolog, by the tables of Unicode in
// package unicode.
//
// Both predicates are relations. With an unbound character they enumerate all of Unicode, so each character is
// charged; if the class has an inverse, such as upper(L) with a known L, they compute the character directly.

var charTypeTable = []machine.Builtin{
	{Name: "char_type", Arity: 2, Func: charType(showChar), Nondet: true, Modes: "?char, ?type",
		Doc: "The character belongs to a class such as alpha, digit(Weight) or upper(Lower)."},
	{Name: "code_type", Arity: 2, Func: charType(showCode), Nondet: true, Modes: "?code, ?type",
		Doc: "The character with that code belongs to a class such as alpha, digit(Weight) or upper(Lower)."},
}

// endOfFile stands for the end of a file among the codes of characters. char_type(X, end_of_file) is true of it.
const endOfFile = -1

// class is a class of characters: without an argument when is is set, else with the
// argument that value computes, a number when numeric and a character otherwise.
type class struct {
	name    string
	is      func(r rune) bool
	value   func(r rune) (rune, bool)
	numeric bool
	inverse func(v rune) rune // the only character with that value, if there is one
	total   bool              // any value is that of its inverse
}

// classes are all classes, in the order in which an unbound class is enumerated. Two pairs are easily confused, and
// SWI-Prolog defines them so. char_type(X, upper(L)): X is an upper case letter, and L its lower case. char_type(X,
// to_upper(L)): L is the lower case of any character X.
var classes = []class{
	{name: "alnum", is: func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }},
	{name: "alpha", is: unicode.IsLetter},
	{name: "csym", is: func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_' }},
	{name: "csymf", is: func(r rune) bool { return unicode.IsLetter(r) || r == '_' }},
	{name: "prolog_var_start", is: func(r rune) bool { return r == '_' || unicode.IsUpper(r) }},
	{name: "prolog_atom_start", is: func(r rune) bool { return unicode.IsLetter(r) && !unicode.IsUpper(r) }},
	{name: "prolog_identifier_continue", is: continuesIdentifier},
	{name: "prolog_symbol", is: isSymbolChar},
	{name: "decimal", is: unicode.IsDigit},
	{name: "decimal", value: decimalWeight, numeric: true},
	{name: "ascii", is: func(r rune) bool { return r < 128 }},
	{name: "white", is: func(r rune) bool { return r == ' ' || r == '\t' }},
	{name: "cntrl", is: func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }},
	{name: "digit", is: func(r rune) bool { return '0' <= r && r <= '9' }},
	{name: "print", is: func(r rune) bool { return isGraphic(r) || r == ' ' }},
	{name: "graph", is: isGraphic},
	{name: "space", is: isSpaceChar},
	{name: "end_of_line", is: func(r rune) bool { return '\n' <= r && r <= '\r' }},
	{name: "end_of_file", is: func(r rune) bool { return r == endOfFile }},
	{name: "newline", is: func(r rune) bool { return r == '\n' }},
	{name: "lower", is: func(r rune) bool { return unicode.IsLower(r) || unicode.IsTitle(r) }},
	{name: "upper", is: func(r rune) bool { return unicode.IsUpper(r) || unicode.IsTitle(r) }},
	{name: "punct", is: func(r rune) bool { return isGraphic(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r) }},
	{name: "period", is: func(r rune) bool { return r > 0 && strings.ContainsRune(".?!", r) }},
	{name: "quote", is: func(r rune) bool { return r > 0 && strings.ContainsRune("'`\"", r) }},
	{name: "paren", is: func(r rune) bool { return r > 0 && strings.ContainsRune("()[]{}", r) }},
	{name: "lower", value: lowerWithUpper, inverse: unicode.ToLower},
	{name: "upper", value: upperWithLower, inverse: unicode.ToUpper},
	{name: "to_lower", value: func(r rune) (rune, bool) { return unicode.ToUpper(r), true }, inverse: unicode.ToLower,
		total: true},
	{name: "to_upper", value: func(r rune) (rune, bool) { return unicode.ToLower(r), true }, inverse: unicode.ToUpper,
		total: true},
	{name: "paren", value: closingParen},
	{name: "digit", value: digitWeight, numeric: true},
	{name: "xdigit", value: hexWeight, numeric: true},
}

// continuesIdentifier reports whether a variable or unquoted atom may go on with r.
func continuesIdentifier(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || unicode.Is(unicode.Pc, r)
}

// isSymbolChar reports whether r is a symbol char of 6.5.2, or a symbol of Unicode.
func isSymbolChar(r rune) bool {
	if r < 128 {
		return r > 0 && strings.ContainsRune("#$&*+-./:<=>?@\\^~", r)
	}
	return unicode.IsSymbol(r)
}

// isSpaceChar leaves out U+0085 and U+00A0, as SWI-Prolog does.
func isSpaceChar(r rune) bool {
	return r != 0x85 && r != 0xa0 && unicode.IsSpace(r)
}

// isGraphic includes the format characters of Unicode, as SWI-Prolog does.
func isGraphic(r rune) bool {
	return r > ' ' && (unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r)) && !isSpaceChar(r)
}

// decimalWeight finds a decimal digit in the ranges of Unicode, which begin with a zero.
func decimalWeight(r rune) (rune, bool) {
	for _, x := range unicode.Nd.R16 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return (r - rune(x.Lo)) % 10, true
		}
	}
	for _, x := range unicode.Nd.R32 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return (r - rune(x.Lo)) % 10, true
		}
	}
	return 0, false
}

// digitWeight returns the value of a decimal digit of ASCII.
func digitWeight(r rune) (rune, bool) {
	return r - '0', '0' <= r && r <= '9'
}

// hexWeight returns the value of a hexadecimal digit.
func hexWeight(r rune) (rune, bool) {
	switch {
	case 'a' <= r && r <= 'f':
		return r - 'a' + 10, true
	case 'A' <= r && r <= 'F':
		return r - 'A' + 10, true
	}
	return digitWeight(r)
}

// lowerWithUpper returns the upper case of a lower case letter.
func lowerWithUpper(r rune) (rune, bool) {
	return unicode.ToUpper(r), unicode.IsLower(r) || unicode.IsTitle(r)
}

// upperWithLower returns the lower case of an upper case letter.
func upperWithLower(r rune) (rune, bool) {
	return unicode.ToLower(r), unicode.IsUpper(r) || unicode.IsTitle(r)
}

// closingParen returns the bracket that closes an opening one.
func closingParen(r rune) (rune, bool) {
	switch r {
	case '(':
		return ')', true
	case '[':
		return ']', true
	case '{':
		return '}', true
	}
	return 0, false
}

// charQuery is a call of char_type/2 or code_type/2. It enumerates the characters from r to last, and for each the
// requested classes. r and at are the state between two answers.
type charQuery struct {
	classes []class
	arg     charValue                             // of the requested class
	show    func(m *machine.Machine, r rune) cell // a character as the predicate shows it
	r, last rune
	at      int // index of the next class
}

// showChar shows a character for char_type/2.
func showChar(m *machine.Machine, r rune) cell {
	if r == endOfFile {
		return m.NewAtom("end_of_file")
	}
	return m.NewAtom(string(r))
}

// showCode shows a character for code_type/2.
func showCode(_ *machine.Machine, r rune) cell { return code.MakeInt(int64(r)) }

// charType returns char_type/2 or code_type/2. It finds two matches before it answers, so that a single one leaves no
// choice point.
func charType(show func(m *machine.Machine, r rune) cell) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		q := charQuery{show: show}
		if err := q.findClasses(m, m.Deref(a[1])); err != nil {
			return false, err
		}
		if err := q.setRange(m, m.Deref(a[0])); err != nil {
			return false, err
		}
		first, ok, err := q.find(m)
		if !ok || err != nil {
			return false, err
		}
		next, more, err := q.find(m)
		if err != nil {
			return false, err
		}
		if !more {
			return q.unify(m, a, first), nil
		}
		rest := q // only this one is kept
		return rest.alternatives(m, first, next)
	}
}

// match is a character and the index of a class it belongs to.
type match struct {
	r  rune
	at int
}

// alternatives answers with two matches and what follows them.
func (q *charQuery) alternatives(m *machine.Machine, first, next match) (bool, error) {
	more := true
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, again bool, err error) {
		ok = q.unify(m, a, first)
		if !more {
			return ok, false, nil
		}
		first = next
		again = true
		next, more, err = q.find(m)
		return ok, again, err
	})
}

// charValue is the argument of a class, if it is known.
type charValue struct {
	known bool
	v     rune
}

// findClasses sets the classes that a dereferenced type stands for, and the argument given. An unbound type
// stands for all of them. A name with the wrong number of arguments counts as an unknown name.
func (q *charQuery) findClasses(m *machine.Machine, typ cell) error {
	if stacks.IsVar(typ) {
		q.classes = classes
		return nil
	}
	key := typ
	if stacks.IsCompound(typ) {
		key = m.Functor(typ)
	}
	i, ok := classIndex()[key]
	if !ok {
		return m.TypeError("char_type", typ)
	}
	if q.classes = classes[i : i+1]; key == typ {
		return nil
	}
	return q.readArgument(m, m.Deref(m.Arg(typ, 0)))
}

// classIndex maps names or functors of classes to their index. If two have the same name the first counts.
var classIndex = sync.OnceValue(func() map[cell]int {
	places := map[cell]int{}
	for i := len(classes) - 1; i >= 0; i-- {
		key := code.AtomCell(classes[i].name)
		if classes[i].is == nil {
			key = code.Functor(classes[i].name, 1)
		}
		places[key] = i
	}
	return places
})

// readArgument reads the dereferenced argument of the class asked for. Numbers are cut to a range that
// holds all weights and codes, so that a huge number simply does not match.
func (q *charQuery) readArgument(m *machine.Machine, x cell) error {
	if stacks.IsVar(x) {
		return nil
	}
	if q.classes[0].numeric {
		n, err := m.IntArg(x)
		q.arg = charValue{true, rune(min(max(n, -2), unicode.MaxRune+1))}
		return err
	}
	r, err := typedChar(m, x)
	q.arg = charValue{true, r}
	return err
}

// setRange sets the characters to go through. These are the one given, the one that a class with an inverse
// leaves, or all. All of them are more than a million, which find charges for.
func (q *charQuery) setRange(m *machine.Machine, char cell) error {
	if !stacks.IsVar(char) {
		r, err := queryChar(m, char)
		q.r, q.last = r, r
		return err
	}
	q.r, q.last = endOfFile, unicode.MaxRune
	if q.arg.known && q.classes[0].inverse != nil {
		r := q.classes[0].inverse(q.arg.v)
		q.r, q.last = r, r
	}
	return nil
}

// queryChar returns the character of the first argument. -1 and end_of_file stand for the end of a file.
func queryChar(m *machine.Machine, c cell) (rune, error) {
	if c == code.AEOF || c == code.MakeInt(endOfFile) {
		return endOfFile, nil
	}
	return typedChar(m, c)
}

// find returns the next match, or false after the last one. It continues where it has stopped: with the next class of
// the character, then with the next character.
func (q *charQuery) find(m *machine.Machine) (match, bool, error) {
	for ; q.r <= q.last; q.r++ {
		if q.at == 0 {
			if err := m.Charge(1); err != nil {
				return match{}, false, err
			}
		}
		for q.at < len(q.classes) {
			c := &q.classes[q.at]
			q.at++
			if q.holds(c) {
				return match{q.r, q.at - 1}, true, nil
			}
		}
		q.at = 0
	}
	return match{}, false, nil
}

// holds reports whether the current character belongs to a class. Surrogates are no characters and belong to none.
func (q *charQuery) holds(c *class) bool {
	if q.r == endOfFile || q.r >= 0xd800 && q.r < 0xe000 {
		return c.name == "end_of_file" && q.r == endOfFile
	}
	if c.is != nil {
		return c.is(q.r)
	}
	if q.arg.known && c.inverse != nil {
		return q.r == c.inverse(q.arg.v) && (c.total || q.hasArg(c))
	}
	return q.hasArg(c)
}

// hasArg reports whether a class gives the current character the requested argument.
func (q *charQuery) hasArg(c *class) bool {
	v, ok := c.value(q.r)
	return ok && (!q.arg.known || v == q.arg.v)
}

// unify answers with a match.
func (q *charQuery) unify(m *machine.Machine, a []cell, x match) bool {
	if !stacks.IsVar(m.Deref(a[0])) { // perhaps a code where a character is shown, or the reverse
		return q.arg.known || m.Unify(a[1], q.typeTerm(m, x))
	}
	return m.Unify(a[0], q.show(m, x.r)) && (q.arg.known || m.Unify(a[1], q.typeTerm(m, x)))
}

// typeTerm returns the class of a match as a term.
func (q *charQuery) typeTerm(m *machine.Machine, x match) cell {
	c := &q.classes[x.at]
	if c.is != nil {
		return m.NewAtom(c.name)
	}
	v, _ := c.value(x.r)
	arg := code.MakeInt(int64(v))
	if !c.numeric {
		arg = q.show(m, v)
	}
	return m.NewStruct(c.name, arg)
}

// typedChar returns the character that a dereferenced cell stands for: an atom or string of one character, or a code.
func typedChar(m *machine.Machine, c cell) (rune, error) {
	if r, ok := OneChar(m, c); ok {
		return r, nil
	}
	return charOrCode(m, c, "character")
}
