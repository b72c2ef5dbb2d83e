package texts

import (
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
)

// This file defines the predicates on strings of SWI-Prolog, and those that turn one kind of text into another.
//
// Any text is accepted where a string is expected: atoms, numbers, lists of codes or characters. Results are strings.

var stringTable = []machine.Builtin{
	{Name: "string_length", Arity: 2, Func: stringLength, Modes: "+text, ?integer",
		Doc: "The number of characters of a text."},
	{Name: "text_length", Arity: 2, Func: stringLength, Modes: "+text, ?integer",
		Doc: "The number of characters of a text."},
	{Name: "string_chars", Arity: 2, Func: stringList(newChars, "character"), Modes: "?text, ?chars",
		Doc: "The characters of a string."},
	{Name: "string_codes", Arity: 2, Func: stringList(newCodes, "integer"), Modes: "?text, ?codes",
		Doc: "The character codes of a string."},
	{Name: "atom_string", Arity: 2, Func: atomString, Modes: "?atom, ?string", Doc: "The text of an atom as a string."},
	{Name: "number_string", Arity: 2, Func: numberString, Modes: "?number, ?string",
		Doc: "The number that a string denotes, with white space around it; fails if the string is not a number."},
	{Name: "string_to_atom", Arity: 2, Func: stringToAtom, Modes: "?text, ?atom",
		Doc: "The text as an atom, or the atom's text as a string."},
	{Name: "text_to_string", Arity: 2, Func: textToString, Modes: "+text, -string",
		Doc: "An atom, string, code list or character list as a string."},
	{Name: "string_code", Arity: 3, Func: stringCode, Nondet: true, Modes: "?integer, +string, -code",
		Doc: "The code of the character at an index, from 1."},
	{Name: "get_string_code", Arity: 3, Func: getStringCode, Modes: "+integer, +string, -code",
		Doc: "Code is the character at a place, from 1; an error when there is none."},
	{Name: "string_lower", Arity: 2, Func: mapText(appendLower, (*machine.Machine).NewString),
		Modes: "+text, -string", Doc: "The text in lower case as a string."},
	{Name: "string_upper", Arity: 2, Func: mapText(appendUpper, (*machine.Machine).NewString),
		Modes: "+text, -string", Doc: "The text in upper case as a string."},
	{Name: "split_string", Arity: 4, Func: splitString, Modes: "+text, +separators, +padding, -strings",
		Doc: "The fields of a text between separator characters, without padding characters around them."},
	{Name: "normalize_space", Arity: 2, Func: normalizeSpace, Modes: "+sink, +text",
		Doc: "Writes the words of a text with one space between them to a stream or a sink such as atom(A)."},
	{Name: "atomics_to_string", Arity: 2, Func: concatenated((*machine.Machine).NewString), Modes: "+list, -string",
		Doc: "The texts of a list one after the other, as a string."},
}

// stringLength is string_length/2 and text_length/2.
func stringLength(m *machine.Machine, a []cell) (bool, error) {
	text, err := anyView(m, a[0], "text")
	if err != nil {
		return false, err
	}
	return unifyLength(m, a[1], text)
}

// stringList returns string_chars/2 or string_codes/2. A known text determines the list, which may be any list of that
// text. Only an unbound text is built from the list.
func stringList(build newText, typ string) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		if stacks.IsVar(m.Deref(a[0])) {
			text, err := textListArg(m, a[1], typ)
			if err != nil {
				return false, err
			}
			return Unify(m, a[0], text, (*machine.Machine).NewString)
		}
		text, err := anyView(m, a[0], "text")
		if err != nil {
			return false, err
		}
		return unifyTextList(m, a[1], text, build)
	}
}

// atomString is atom_string/2. A known atom determines the string, which may be any equal text.
func atomString(m *machine.Machine, a []cell) (bool, error) {
	if c := m.Deref(a[0]); !stacks.IsVar(c) {
		text, ok := m.TextView(c)
		if !ok {
			var err error
			if text, err = anyView(m, c, "atom"); err != nil {
				return false, err
			}
		}
		if s := m.Deref(a[1]); s.Tag() == code.Lst {
			text = arrays.Clone(text)
			other, err := listView(m, s, "character")
			return other == text && err == nil, err
		}
		return unifyWhole(m, a[1], text, (*machine.Machine).NewString)
	}
	text, err := anyView(m, a[1], "string")
	if err != nil {
		return false, err
	}
	return Unify(m, a[0], text, (*machine.Machine).NewAtom)
}

// numberString is number_string/2. It fails for a text that is no number, as atom_number/2 does; number_codes/2
// throws.
func numberString(m *machine.Machine, a []cell) (bool, error) {
	// The string determines the number if both arguments are known, so number_string(1, " 1 ") is true.
	if s := m.Deref(a[1]); !stacks.IsVar(s) {
		text, err := anyView(m, s, "string")
		if err != nil {
			return false, err
		}
		text = strings.TrimSpace(text)
		if !beginsNumber(text) {
			return false, nil
		}
		n, ok := ParseNumber(m, text)
		return ok && m.Unify(a[0], n), nil
	}
	n := m.Deref(a[0])
	if !m.IsNumber(n) {
		return false, m.TypeError("number", n)
	}
	return m.Unify(a[1], m.NewString(numberView(m, n))), nil
}

// stringToAtom is string_to_atom/2. A bound first argument, of any kind of text, determines the second, which may be
// any equal text.
func stringToAtom(m *machine.Machine, a []cell) (bool, error) {
	if !stacks.IsVar(m.Deref(a[0])) {
		text, err := anyView(m, a[0], "string")
		if err != nil {
			return false, err
		}
		return unifyWhole(m, a[1], text, (*machine.Machine).NewAtom)
	}
	text, err := atomicView(m, a[1], "atom")
	if err != nil {
		return false, err
	}
	return Unify(m, a[0], text, (*machine.Machine).NewString)
}

// textToString is text_to_string/2. As in SWI-Prolog it does not accept numbers, although all other predicates of this
// file do. [] is the empty text.
func textToString(m *machine.Machine, a []cell) (bool, error) {
	c := m.Deref(a[0])
	if m.IsNumber(c) {
		return false, m.TypeError("text", c)
	}
	text, err := anyView(m, c, "text")
	if err != nil {
		return false, err
	}
	return Unify(m, a[1], text, (*machine.Machine).NewString)
}

// stringCode is string_code/3. It walks to the character, since characters have no fixed size. An unbound index
// enumerates the characters, of which the last leaves no choice point.
func stringCode(m *machine.Machine, a []cell) (bool, error) {
	text, err := anyView(m, a[1], "text")
	if err != nil {
		return false, err
	}
	i, err := partArg(m, a[0])
	if err != nil {
		return false, err
	}
	if i < 0 {
		c := m.Deref(a[2])
		if stacks.IsVar(c) {
			return eachCode(m, text)
		}
		r, ok := OneChar(m, c)
		if !ok {
			if r, err = charOrCode(m, c, "character"); err != nil {
				return false, err
			}
		}
		a[2] = code.MakeInt(int64(r))
		return eachCode(m, text)
	}
	for _, r := range text {
		if i--; i == 0 {
			return m.Unify(a[2], code.MakeInt(int64(r))), nil
		}
	}
	return false, nil
}

// getStringCode is get_string_code/3. It throws for an index outside of the text, where string_code/3 fails.
func getStringCode(m *machine.Machine, a []cell) (bool, error) {
	text, err := anyView(m, a[1], "text")
	if err != nil {
		return false, err
	}
	i := 0 // outside of every text, as integers of more than 64 bits are
	if c := m.Deref(a[0]); c.Tag() == code.Int || !m.IsInteger(c) {
		if i, err = m.IntArg(c); err != nil {
			return false, err
		}
	}
	n := utf8.RuneCountInString(text)
	if i < 1 || i > n {
		places := m.NewStruct("range", code.MakeInt(1), code.MakeInt(int64(n)))
		return false, m.Throw(m.NewStruct("error", m.NewStruct("domain_error", places, a[0]), m.NewVar()))
	}
	return m.Unify(a[2], code.MakeInt(int64([]rune(text)[i-1]))), nil
}

// eachCode answers string_code/3 for each character. It clones the text, since a view would not survive a collection
// between two answers.
func eachCode(m *machine.Machine, text string) (bool, error) {
	text = arrays.Clone(text)
	i := int64(0)
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		if text == "" {
			return false, false, nil
		}
		r, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		i++
		return m.Unify(a[0], code.MakeInt(i)) && m.Unify(a[2], code.MakeInt(int64(r))), text != "", nil
	})
}

// splitString is split_string/4. Padding is first taken off the ends of the whole text, then off the ends of each
// field. Without separators there is one field, so split_string(T, "", " ", [X]) trims a text.
func splitString(m *machine.Machine, a []cell) (bool, error) {
	var texts [3]string
	for i := range texts {
		c := m.Deref(a[i])
		if m.IsNumber(c) {
			return false, m.TypeError("text", c)
		}
		var err error
		if texts[i], err = anyView(m, c, "text"); err != nil {
			return false, err
		}
	}
	rest, separators, padding := strings.Trim(texts[0], texts[2]), texts[1], texts[2]
	skips := true // padding in front of the next field
	return unifyFields(m, a[3], (*machine.Machine).NewString, func() (field string, more bool) {
		if skips {
			rest = strings.TrimLeft(rest, padding)
		}
		end := strings.IndexAny(rest, separators)
		if end < 0 {
			return rest, false
		}
		separator, size := utf8.DecodeRuneInString(rest[end:])
		field, rest = strings.TrimRight(rest[:end], padding), rest[end+size:]
		// A run of a character that is both padding and separator separates once. After any other separator, a field
		// that ends at once is empty.
		skips = strings.ContainsRune(padding, separator) || strings.IndexAny(rest, separators) != 0
		return field, true
	})
}

// normalizeSpace is normalize_space/2. White space is what Unicode says. The result goes to a sink, since
// SWI-Prolog's takes any output.
func normalizeSpace(m *machine.Machine, a []cell) (bool, error) {
	write := func(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
		text, err := anyView(m, a[0], "text")
		if err != nil {
			return false, err
		}
		return s.PutText(m, strings.Join(strings.Fields(text), " "))
	}
	return stream.ToSink(m, a, write, func() bool { return true })
}
