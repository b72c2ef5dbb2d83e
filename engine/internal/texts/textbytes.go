package texts

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
)

// This file defines texts as bytes and as keys to sort by.

var textBytesTable = []machine.Builtin{
	{Name: "string_bytes", Arity: 3, Func: stringBytes, Modes: "?string, ?bytes, +encoding",
		Doc: "The bytes of a text in an encoding: utf8, utf16be, utf16le, octet, ascii, iso_latin_1 or text."},
	{Name: "collation_key", Arity: 2, Func: collationKey, Modes: "+atom, -key",
		Doc: "A key whose standard order is the alphabetical order of atoms."},
}

// largestCode is the largest code of a character in each encoding. The encodings unicode_be and unicode_le are UCS-2:
// two bytes for each character and no surrogates. text is the encoding of the locale, which is always UTF-8 here.
var largestCode = map[string]rune{"utf8": utf8.MaxRune, "text": utf8.MaxRune, "octet": 0xff, "iso_latin_1": 0xff,
	"ascii": 0x7f, "utf16be": utf8.MaxRune, "utf16le": utf8.MaxRune, "unicode_be": 0xffff, "unicode_le": 0xffff}

// stringBytes is string_bytes/3. With a known text it returns the bytes, else it decodes them. A character that the
// encoding does not have is a representation error. The result has no byte order mark.
func stringBytes(m *machine.Machine, a []cell) (bool, error) {
	encoding, err := m.AtomArg(a[2])
	if err != nil {
		return false, err
	}
	limit := largestCode[encoding]
	if limit == 0 {
		return false, m.DomainError("encoding", a[2])
	}
	if stacks.IsVar(m.Deref(a[0])) {
		return bytesToString(m, a, encoding)
	}
	text, err := Any(m, a[0], "text")
	if err != nil {
		return false, err
	}
	for _, r := range text {
		if r > limit {
			return false, m.RepresentationError("encoding")
		}
	}
	var out bytes.Buffer
	if _, err := io.WriteString(stream.Encode(&out, encoding), text); err != nil {
		return false, err
	}
	cells := make([]cell, out.Len())
	for i, b := range out.Bytes() {
		cells[i] = code.MakeInt(int64(b))
	}
	return m.Unify(a[1], m.List(cells, code.ANil)), m.Charge(len(cells))
}

// bytesToString unifies the first argument of string_bytes/3 with the text that the bytes encode. Bytes that are no
// text in the encoding are a representation error, since strings hold whole characters only.
func bytesToString(m *machine.Machine, a []cell, encoding string) (bool, error) {
	list, err := byteList(m, a[1])
	if err != nil {
		return false, err
	}
	text, err := io.ReadAll(stream.Decode(bytes.NewReader(list), encoding))
	// A reader puts U+FFFD for half a character. A text with that very character is refused, too.
	half := !stream.IsUTF8(encoding) && bytes.ContainsRune(text, utf8.RuneError)
	if err != nil || half || !utf8.Valid(text) {
		return false, m.RepresentationError("encoding")
	}
	return Unify(m, a[0], string(text), (*machine.Machine).NewString)
}

// byteList returns the bytes of a proper list. Another element is a type error byte, as in the standard (ISO 13211-1,
// 7.12.2).
func byteList(m *machine.Machine, c cell) ([]byte, error) {
	items, err := m.ListArg(c)
	if err != nil {
		return nil, err
	}
	list := make([]byte, len(items))
	for i, item := range items {
		b, err := m.IntArg(item)
		if err != nil {
			return nil, err
		}
		if b < 0 || b > 0xff {
			return nil, m.TypeError("byte", item)
		}
		list[i] = byte(b)
	}
	return list, m.Charge(len(items))
}

// collationKey is collation_key/2. The key is the text itself, so the order is that of character codes. No locale is
// used, so that an answer does not depend on the machine.
func collationKey(m *machine.Machine, a []cell) (bool, error) {
	if stacks.IsVar(m.Deref(a[0])) {
		return false, m.InstantiationError()
	}
	text, err := Atomic(m, a[0], "atom")
	if err != nil {
		return false, err
	}
	return Unify(m, a[1], text, (*machine.Machine).NewString)
}
