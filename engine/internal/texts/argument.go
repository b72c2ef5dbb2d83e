package texts

import (
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines how arguments are read as text, and text indexed by characters.
//
// A function named View returns text without a copy. It is valid until the built-in returns, or until the next use of
// the buffer of [machine.Machine.Scratch] if it lies there. Functions named Arg and Text return copies.

// cell is a term or a part of one; see package code.
type cell = code.Cell

// Atomic returns the text of an argument that must be atomic. typ is the type in the type_error.
func Atomic(m *machine.Machine, c cell, typ string) (string, error) {
	text, ok := m.AtomicText(c)
	if !ok {
		return "", m.TypeError(typ, c)
	}
	return text, nil
}

// atomicView is Atomic without a copy; see [machine.Machine.TextView].
func atomicView(m *machine.Machine, c cell, typ string) (string, error) {
	text, ok := m.TextView(c)
	if !ok {
		return "", m.TypeError(typ, c)
	}
	return text, nil
}

// optionalText is atomicView for an argument that may be unbound.
func optionalText(m *machine.Machine, c cell, typ string) (text string, bound bool, err error) {
	if stacks.IsVar(m.Deref(c)) {
		return "", false, nil
	}
	text, err = atomicView(m, c, typ)
	return text, err == nil, err
}

// Any returns the text of an argument that may be atomic, or a list of codes or of characters. [] is the empty
// text.
func Any(m *machine.Machine, c cell, typ string) (string, error) {
	text, err := anyView(m, c, typ)
	return arrays.Clone(text), err
}

// anyView is Any as a view.
func anyView(m *machine.Machine, c cell, typ string) (string, error) {
	c = m.Deref(c)
	if c == code.ANil {
		return "", nil
	}
	if text, ok := m.TextView(c); ok {
		return text, nil
	}
	if c.Tag() == code.Lst {
		return listText(m, c, "character")
	}
	return "", m.TypeError(typ, c)
}

// listText returns the text of a list of codes or of characters. The first element determines the kind; elements of the
// other kind are errors. typ is the type in the error for a first element that is neither.
func listText(m *machine.Machine, list cell, typ string) (string, error) {
	text, err := listView(m, list, typ)
	return arrays.Clone(text), err
}

// listView is listText as a view of the buffer of [machine.Machine.Scratch].
func listView(m *machine.Machine, list cell, typ string) (string, error) {
	var space [32]cell
	items, tail := m.AppendList(space[:0], list)
	buf := m.Scratch()
	codes := false
	for i, item := range items {
		item = m.Deref(item)
		if i == 0 && m.IsInteger(item) {
			typ, codes = "integer", true
		} else if i == 0 && item.Tag() == code.Atom {
			typ = "character"
		}
		if codes && isPlainCode(item) {
			buf = append(buf, byte(item.Int()))
			continue
		}
		r, err := textElement(m, item, typ)
		if err != nil {
			return "", err
		}
		buf = utf8.AppendRune(buf, r)
	}
	switch {
	case tail == code.ANil:
		return m.Scratched(buf), m.Charge(len(items))
	case stacks.IsVar(tail):
		return "", m.InstantiationError()
	}
	return "", m.TypeError("list", list)
}

// isPlainCode reports whether a dereferenced cell is the code of a character of ASCII.
func isPlainCode(c cell) bool { return c.Tag() == code.Int && c.Int() > 0 && c.Int() < utf8.RuneSelf }

// textElement returns the character that a dereferenced element of the given type stands for.
func textElement(m *machine.Machine, c cell, typ string) (rune, error) {
	if r, ok := stacks.OneChar(c); ok && typ == "character" {
		return r, nil
	}
	if typ == "integer" && m.IsInteger(c) {
		return codeOf(m, c)
	}
	return 0, m.TypeError(typ, c)
}

// OneChar returns the character that a dereferenced atom or string of one character stands for.
func OneChar(m *machine.Machine, c cell) (rune, bool) {
	if !m.IsString(c) {
		return stacks.OneChar(c)
	}
	text, _ := m.TextView(c)
	r, size := utf8.DecodeRuneInString(text)
	return r, size > 0 && size == len(text)
}

// charOrCode returns the character that a dereferenced one-character atom or code stands for.
func charOrCode(m *machine.Machine, c cell, typ string) (rune, error) {
	if r, ok := stacks.OneChar(c); ok {
		return r, nil
	}
	if m.IsInteger(c) {
		return codeOf(m, c)
	}
	return 0, m.TypeError(typ, c)
}

// codeOf returns the character with a code, given as a dereferenced integer. Surrogates are not characters.
func codeOf(m *machine.Machine, c cell) (rune, error) {
	if c.Tag() == code.Int {
		if n := c.Int(); n >= 0 && n <= utf8.MaxRune && utf8.ValidRune(rune(n)) {
			return rune(n), nil
		}
	}
	return 0, m.RepresentationError("character_code")
}

// newText builds a text on the heap: an atom or a string.
type newText func(m *machine.Machine, text string) cell

// newSizedText builds a text if it fits under the memory limit.
func newSizedText(m *machine.Machine, text string, build newText) (cell, error) {
	if err := machine.Fits(m, len(text)); err != nil {
		return 0, err
	}
	return build(m, text), nil
}

// Unify unifies an argument with a text.
func Unify(m *machine.Machine, c cell, text string, build newText) (bool, error) {
	t, err := newSizedText(m, text, build)
	return err == nil && m.Unify(c, t), err
}

// join returns the concatenation of two texts, if it fits under the memory limit, in the buffer of
// [machine.Machine.Scratch].
func join(m *machine.Machine, a, b string) (string, error) {
	if err := machine.Fits(m, len(a)+len(b)); err != nil {
		return "", err
	}
	return m.Scratched(append(append(m.Scratch(), a...), b...)), nil
}

// indexed is a text whose characters are found by number in constant time. A text in ASCII needs no table for that.
type indexed struct {
	text    string
	offsets []int32 // where each character begins, and the end; nil when all are one byte
	n       int     // characters
}

// index returns a text with its table of characters. The table takes four bytes for each character and is made only for
// texts outside ASCII.
func index(text string) indexed {
	n := utf8.RuneCountInString(text)
	x := indexed{text: text, n: n}
	if n == len(text) {
		return x
	}
	x.offsets = make([]int32, 0, n+1)
	for i := range text {
		x.offsets = append(x.offsets, int32(i))
	}
	x.offsets = append(x.offsets, int32(len(text)))
	return x
}

// offset returns the byte at which character i begins.
func (x indexed) offset(i int) int {
	if x.offsets == nil {
		return i
	}
	return int(x.offsets[i])
}

// slice returns n characters from the one numbered from.
func (x indexed) slice(from, n int) string {
	return x.text[x.offset(from):x.offset(from+n)]
}
