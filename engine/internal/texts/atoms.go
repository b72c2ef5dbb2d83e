package texts

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines the predicates on atoms, characters and the text of numbers (ISO 13211-1, 8.16).
//
// Where the standard asks for an atom, any atomic term will do, and a string is accepted for a list of characters or
// codes, as in SWI-Prolog. Texts are read as views where nothing outlives the call, and built in the buffer of
// [machine.Machine.Scratch], so that most calls allocate nothing in Go.

var atomTable = []machine.Builtin{
	{Name: "atom_length", Arity: 2, Func: atomLength, Modes: "+atom, ?integer",
		Doc: "The number of characters of an atom."},
	{Name: "atom_chars", Arity: 2, Func: atomList(newChars, "character"), Modes: "?atom, ?chars",
		Doc: "The characters of an atom."},
	{Name: "atom_codes", Arity: 2, Func: atomList(newCodes, "integer"), Modes: "?atom, ?codes",
		Doc: "The character codes of an atom."},
	{Name: "char_code", Arity: 2, Func: charCode, Modes: "?char, ?code", Doc: "The code of a character."},
	{Name: "number_chars", Arity: 2, Func: numberList(newChars, "character"), Modes: "?number, ?chars",
		Doc: "The characters of a number as it is read and written."},
	{Name: "number_codes", Arity: 2, Func: numberList(newCodes, "integer"), Modes: "?number, ?codes",
		Doc: "The character codes of a number as it is read and written."},
	{Name: "atom_number", Arity: 2, Func: atomNumber, Modes: "?atom, ?number",
		Doc: "The number that an atom's text denotes; fails if the text is not a number."},
	{Name: "name", Arity: 2, Func: termName, Modes: "?atomic, ?codes",
		Doc: "The character codes of an atomic term; codes that denote a number give the number, others an atom."},
	{Name: "upcase_atom", Arity: 2, Func: mapText(appendUpper, (*machine.Machine).NewAtom),
		Modes: "+text, -atom", Doc: "The text in upper case as an atom."},
	{Name: "downcase_atom", Arity: 2, Func: mapText(appendLower, (*machine.Machine).NewAtom),
		Modes: "+text, -atom", Doc: "The text in lower case as an atom."},
	{Name: "atomic_list_concat", Arity: 2, Func: concatenated((*machine.Machine).NewAtom), Modes: "+list, -atom",
		Doc: "The texts of a list one after the other, as an atom."},
	{Name: "atomic_list_concat", Arity: 3, Func: atomicListConcatSeparated, Modes: "?list, +separator, ?atom",
		Doc: "The texts of a list with a separator between them; with a partial list, the atom is cut at the separators."},
}

// newChars builds the list of the characters of a text.
func newChars(m *machine.Machine, text string) cell { return m.NewChars(text, code.ANil) }

// newCodes builds the list of the character codes of a text.
func newCodes(m *machine.Machine, text string) cell { return m.NewCodes(text, code.ANil) }

// atomLength is atom_length/2 (ISO 13211-1, 8.16.1).
func atomLength(m *machine.Machine, a []cell) (bool, error) {
	text, err := atomicView(m, a[0], "atom")
	if err != nil {
		return false, err
	}
	return unifyLength(m, a[1], text)
}

// unifyLength unifies an argument with the length of a text in characters. The argument must be unbound or a natural
// number (8.16.1.3).
func unifyLength(m *machine.Machine, c cell, text string) (bool, error) {
	if !stacks.IsVar(m.Deref(c)) {
		if _, err := arith.Natural(m, c); err != nil {
			return false, err
		}
	}
	return m.Unify(c, code.MakeInt(int64(utf8.RuneCountInString(text)))), nil
}

// atomList returns atom_chars/2 (ISO 13211-1, 8.16.4) or atom_codes/2 (8.16.5). The list is converted only if the atom
// is unbound.
func atomList(build newText, typ string) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		text, bound, err := optionalText(m, a[0], "atom")
		if err != nil {
			return false, err
		}
		if bound {
			return unifyTextList(m, a[1], text, build)
		}
		text, err = textListArg(m, a[1], typ)
		if err != nil {
			return false, err
		}
		return Unify(m, a[0], text, (*machine.Machine).NewAtom)
	}
}

// textListArg returns a view of the text of an argument that must be a list of characters or codes. It accepts a
// string as well.
func textListArg(m *machine.Machine, c cell, typ string) (string, error) {
	c = m.Deref(c)
	if m.IsString(c) {
		return atomicView(m, c, typ)
	}
	return listView(m, c, typ)
}

// unifyTextList unifies an argument with the list of a text. It also accepts a complete list of the other kind, or a
// string, with the same text.
func unifyTextList(m *machine.Machine, c cell, text string, build newText) (bool, error) {
	if err := machine.Fits(m, 16*len(text)); err != nil {
		return false, err
	}
	c = m.Deref(c)
	if m.IsString(c) {
		other, err := atomicView(m, c, "text")
		return other == text, err
	}
	complete, err := checkTextList(m, c)
	if err != nil {
		return false, err
	}
	if complete {
		other, err := listView(m, c, "character")
		return err == nil && other == text, err
	}
	return m.Unify(c, build(m, text)), nil
}

// checkTextList is the error for an argument that is not, and cannot become, a list of characters or codes. complete
// reports that the argument is such a list without variables.
func checkTextList(m *machine.Machine, c cell) (complete bool, err error) {
	var few [32]cell
	items, tail := m.AppendList(few[:0], c)
	complete = tail == code.ANil
	for _, item := range items {
		item = m.Deref(item)
		if stacks.IsVar(item) {
			complete = false
			continue
		}
		if isPlainCode(item) {
			continue
		}
		if _, err := charOrCode(m, item, "character"); err != nil {
			return false, err
		}
	}
	if !complete && tail != code.ANil && !stacks.IsVar(tail) {
		return false, m.TypeError("list", c)
	}
	return complete, nil
}

// charCode is char_code/2 (ISO 13211-1, 8.16.6). Both arguments are checked before either is used.
func charCode(m *machine.Machine, a []cell) (bool, error) {
	char, n := m.Deref(a[0]), m.Deref(a[1])
	r, isChar := stacks.OneChar(char)
	switch {
	case !stacks.IsVar(char) && !isChar:
		return false, m.TypeError("character", char)
	case stacks.IsVar(n) && stacks.IsVar(char):
		return false, m.InstantiationError()
	case !stacks.IsVar(n) && !m.IsInteger(n):
		return false, m.TypeError("integer", n)
	case stacks.IsVar(n):
		return m.Unify(n, code.MakeInt(int64(r))), nil
	}
	c, err := codeOf(m, n)
	if err != nil || isChar {
		return err == nil && c == r, err
	}
	return m.Unify(char, m.NewAtom(string(c))), nil
}

// numberList returns number_chars/2 (ISO 13211-1, 8.16.7) or number_codes/2 (8.16.8). A list without variables is
// parsed even when the number is known, so that number_chars(1, ['0', '1']) is true (8.16.7.1). The first case is a
// fast path for small integers.
func numberList(build newText, typ string) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		n := m.Deref(a[0])
		if !stacks.IsVar(n) && !m.IsNumber(n) {
			return false, m.TypeError("number", n)
		}
		// The fast path for the usual case. It does not allocate in Go.
		if n.Tag() == code.Int && stacks.IsVar(m.Deref(a[1])) {
			return m.Unify(a[1], build(m, numberView(m, n))), nil
		}
		if !stacks.IsVar(n) && !isTextList(m, a[1]) {
			text, _ := m.AtomicText(n)
			return Unify(m, a[1], text, build)
		}
		text, err := textListArg(m, a[1], typ)
		if err != nil {
			return false, err
		}
		v, ok := ParseNumber(m, text)
		if !ok {
			return false, m.SyntaxError("illegal_number")
		}
		return m.Unify(n, v), nil
	}
}

// numberView returns the text of a number. It is valid until the next text is built in the buffer.
func numberView(m *machine.Machine, n cell) string {
	if n.Tag() == code.Int {
		return m.Scratched(strconv.AppendInt(m.Scratch(), n.Int(), 10))
	}
	text, _ := m.AtomicText(n)
	return text
}

// isTextList reports whether an argument holds text without unbound parts, so that number_codes/2 can parse it. A
// list that ends in something else than [] or a variable counts as text; parsing it gives the error.
func isTextList(m *machine.Machine, c cell) bool {
	c = m.Deref(c)
	if m.IsString(c) {
		return true
	}
	var few [32]cell
	items, tail := m.AppendList(few[:0], c)
	for _, item := range items {
		if stacks.IsVar(m.Deref(item)) {
			return false
		}
	}
	return !stacks.IsVar(tail)
}

// ParseNumber returns the number that a text denotes. A plus sign must stand right before the digits, while layout
// may follow a minus (ISO 13211-1, 6.3.1.2). Reading many digits is metered, since it takes more than linear time.
func ParseNumber(m *machine.Machine, text string) (cell, bool) {
	if rest, ok := strings.CutPrefix(strings.TrimSpace(text), "+"); ok && !beginsNumber(rest) {
		return 0, false
	}
	t, err := syntax.ParseNumber(text, m.Flags(), m.Meter())
	if err != nil {
		return 0, false
	}
	return m.NewNumber(t), true
}

// beginsNumber reports whether a text begins with a digit, perhaps after a sign. It excludes inf and nan, which the
// number parser would accept.
func beginsNumber(text string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, "+-"))
	return unicode.IsDigit(first)
}

// atomNumber is atom_number/2 of SWI-Prolog. A text that is no number makes it fail.
func atomNumber(m *machine.Machine, a []cell) (bool, error) {
	c := m.Deref(a[0])
	if !stacks.IsVar(c) {
		if c.Tag() != code.Atom && !m.IsString(c) {
			return false, m.TypeError("atom", c)
		}
		text, _ := m.TextView(c)
		if !beginsNumber(text) {
			return false, nil
		}
		n, ok := ParseNumber(m, text)
		return ok && m.Unify(a[1], n), nil
	}
	n := m.Deref(a[1])
	if !m.IsNumber(n) {
		return false, m.TypeError("number", n)
	}
	text, _ := m.AtomicText(n)
	return m.Unify(c, m.NewAtom(text)), nil
}

// termName is name/2 of Edinburgh Prolog: a text that denotes a number becomes that number.
func termName(m *machine.Machine, a []cell) (bool, error) {
	text, bound, err := optionalText(m, a[0], "atomic")
	if err != nil {
		return false, err
	}
	if bound {
		return unifyTextList(m, a[1], text, newCodes)
	}
	if text, err = textListArg(m, a[1], "integer"); err != nil {
		return false, err
	}
	if beginsNumber(text) {
		if n, ok := ParseNumber(m, text); ok {
			return m.Unify(a[0], n), nil
		}
	}
	return Unify(m, a[0], text, (*machine.Machine).NewAtom)
}

// mapText returns a predicate that relates a text to its image. f appends the image to a buffer.
func mapText(f func(to []byte, text string) []byte, build newText) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		text, err := atomicView(m, a[0], "atomic")
		if err != nil {
			return false, err
		}
		if err := machine.Fits(m, len(text)); err != nil {
			return false, err
		}
		return m.Unify(a[1], build(m, m.Scratched(f(m.Scratch(), text)))), nil
	}
}

// appendUpper appends a text in upper case.
func appendUpper(to []byte, text string) []byte { return appendCase(to, text, 'a', strings.ToUpper) }

// appendLower appends a text in lower case.
func appendLower(to []byte, text string) []byte { return appendCase(to, text, 'A', strings.ToLower) }

// appendCase appends a text with the case of its letters changed. first is the first letter of the old case in ASCII.
// Texts in ASCII are changed byte by byte. From the first other byte on, whole changes the entire text.
func appendCase(to []byte, text string, first byte, whole func(string) string) []byte {
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			return append(to[:len(to)-i], whole(text)...)
		case c-first < 26:
			c ^= 'a' - 'A'
		}
		to = append(to, c)
	}
	return to
}

// concatenated makes a predicate that joins the atomic items of a list to a text: atomic_list_concat/2 of SWI-Prolog,
// and atomics_to_string/2.
func concatenated(build newText) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		items, err := m.ListArg(a[0])
		if err != nil {
			return false, err
		}
		text, err := concatItems(m, items, "")
		if err != nil {
			return false, err
		}
		return Unify(m, a[1], text, build)
	}
}

// concatItems returns the texts of atomic terms with a separator between them, in the buffer of
// [machine.Machine.Scratch].
func concatItems(m *machine.Machine, items []cell, separator string) (string, error) {
	buf := m.Scratch()
	for i, item := range items {
		text, err := atomicView(m, item, "text")
		if err != nil {
			return "", err
		}
		if i > 0 {
			buf = append(buf, separator...)
		}
		buf = arrays.Append(buf, arrays.Bytes(text)...)
		if err := machine.Adds(m, len(buf), len(text)+len(separator)); err != nil {
			return "", err
		}
	}
	return m.Scratched(buf), nil
}

// atomicListConcatSeparated is atomic_list_concat/3 of SWI-Prolog. It joins when all items are known, and splits when
// the list is partial and the separator is not empty.
func atomicListConcatSeparated(m *machine.Machine, a []cell) (bool, error) {
	separator, err := atomicView(m, a[1], "text")
	if err != nil {
		return false, err
	}
	var space [16]cell
	items, tail := m.AppendList(space[:0], a[0])
	if tail == code.ANil && allAtomic(m, items) {
		text, err := concatItems(m, items, separator)
		if err != nil {
			return false, err
		}
		return unifyWhole(m, a[2], text, (*machine.Machine).NewAtom)
	}
	if err := splittable(m, a, items, tail); err != nil {
		return false, err
	}
	if separator == "" {
		return false, m.DomainError("non_empty_atom", a[1])
	}
	text, err := atomicView(m, a[2], "atomic")
	if err != nil {
		return false, err
	}
	return unifyFields(m, a[0], (*machine.Machine).NewAtom, func() (field string, more bool) {
		field, text, more = strings.Cut(text, separator)
		return field, more
	})
}

// allAtomic reports whether atomic_list_concat/3 can join: there are only atomic items.
func allAtomic(m *machine.Machine, items []cell) bool {
	for _, item := range items {
		if !m.Deref(item).IsAtomic() {
			return false
		}
	}
	return true
}

// splittable is the error for a list of atomic_list_concat/3 that holds compounds, or is no list.
func splittable(m *machine.Machine, a, items []cell, tail cell) error {
	for _, item := range items {
		if stacks.IsCompound(m.Deref(item)) {
			return m.TypeError("text", item)
		}
	}
	if tail != code.ANil && !stacks.IsVar(tail) {
		return m.TypeError("list", a[0])
	}
	return nil
}

// unifyFields unifies a list with the fields of a text. It charges work and memory for each field, because a text of
// separators has as many fields as bytes.
func unifyFields(m *machine.Machine, list cell, build newText, next func() (field string, more bool)) (bool, error) {
	const fieldBytes = 32 // in the array, in a larger array that replaces it, and in the list
	var space [16]cell
	fields := space[:0]
	for more := true; more; {
		var field string
		field, more = next()
		fields = arrays.Push(fields, build(m, field))
		if err := machine.Adds(m, fieldBytes*len(fields), len(field)); err != nil {
			return false, err
		}
	}
	return m.Unify(list, m.List(fields, code.ANil)), nil
}
