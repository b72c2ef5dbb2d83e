package texts

import (
	"encoding/binary"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines texts as bytes and as keys to sort by.

var textBytesTable = []machine.Builtin{
	{Name: "string_bytes", Arity: 3, Func: stringBytes, Modes: "?string, ?bytes, +encoding",
		Doc: "The bytes of a text in an encoding: utf8, utf16be, utf16le, octet, ascii, iso_latin_1 or text."},
	{Name: "collation_key", Arity: 2, Func: collationKey, Modes: "+atom, -key",
		Doc: "A key whose standard order is the alphabetical order of atoms."},
}

// largestCode is the largest code of a character in each encoding. unicode_be and unicode_le are UCS-2: two bytes for
// each character and no surrogates. text is the encoding of the locale, which is always UTF-8 here.
var largestCode = map[string]rune{"utf8": utf8.MaxRune, "text": utf8.MaxRune, "octet": 0xff, "iso_latin_1": 0xff,
	"ascii": 0x7f, "utf16be": utf8.MaxRune, "utf16le": utf8.MaxRune, "unicode_be": 0xffff, "unicode_le": 0xffff}

// wideOrders are the byte orders of the encodings whose units are two bytes.
var wideOrders = map[string]binary.AppendByteOrder{"utf16be": binary.BigEndian, "utf16le": binary.LittleEndian,
	"unicode_be": binary.BigEndian, "unicode_le": binary.LittleEndian}

// stringBytes is string_bytes/3. With a text it gives the bytes, else it reads them. A character that the encoding does
// not have is a representation error. The result has no byte order mark.
func stringBytes(m *machine.Machine, a []cell) (bool, error) {
	encoding, err := m.AtomArg(a[2])
	if err != nil {
		return false, err
	}
	limit := largestCode[encoding]
	if limit == 0 {
		return false, m.DomainError("encoding", a[2])
	}
	if machine.IsVar(m.Deref(a[0])) {
		return bytesToString(m, a, encoding)
	}
	text, err := Any(m, a[0], "text")
	if err != nil {
		return false, err
	}
	var bytes []byte
	for _, r := range text {
		switch order := wideOrders[encoding]; {
		case r > limit:
			return false, m.RepresentationError("encoding")
		case order != nil:
			for _, unit := range utf16.AppendRune(nil, r) {
				bytes = order.AppendUint16(bytes, unit)
			}
		case limit == utf8.MaxRune:
			bytes = utf8.AppendRune(bytes, r)
		default:
			bytes = append(bytes, byte(r))
		}
	}
	cells := make([]cell, len(bytes))
	for i, b := range bytes {
		cells[i] = code.MakeInt(int64(b))
	}
	return m.Unify(a[1], m.List(cells, code.ANil)), m.Charge(len(bytes))
}

// bytesToString unifies the first argument of string_bytes/3 with the text that the bytes encode. Bytes that are no
// text in the encoding are a representation error, since strings hold whole characters only.
func bytesToString(m *machine.Machine, a []cell, encoding string) (bool, error) {
	bytes, err := byteList(m, a[1])
	if err != nil {
		return false, err
	}
	order, text := wideOrders[encoding], []byte(nil)
	switch {
	case order != nil:
		units := make([]uint16, len(bytes)/2)
		for i := range units {
			units[i] = order.(binary.ByteOrder).Uint16(bytes[2*i:])
		}
		runes := utf16.Decode(units)
		// utf16.Decode puts U+FFFD for half a surrogate pair. A text with that very character is refused, too.
		if len(bytes)%2 != 0 || slices.Contains(runes, utf8.RuneError) {
			return false, m.RepresentationError("encoding")
		}
		text = []byte(string(runes))
	case largestCode[encoding] == utf8.MaxRune:
		text = bytes
	default:
		for _, b := range bytes {
			text = utf8.AppendRune(text, rune(b))
		}
	}
	if !utf8.Valid(text) {
		return false, m.RepresentationError("encoding")
	}
	return Unify(m, a[0], string(text), (*machine.Machine).NewString)
}

// byteList returns the bytes of a proper list. Another element is a type error byte, as the standard has for bytes (ISO
// 13211-1, 7.12.2).
func byteList(m *machine.Machine, c cell) ([]byte, error) {
	items, err := m.ListArg(c)
	if err != nil {
		return nil, err
	}
	bytes := make([]byte, len(items))
	for i, item := range items {
		b, err := m.IntArg(item)
		if err != nil {
			return nil, err
		}
		if b < 0 || b > 0xff {
			return nil, m.TypeError("byte", item)
		}
		bytes[i] = byte(b)
	}
	return bytes, m.Charge(len(items))
}

// collationKey is collation_key/2. The key is the text itself, so the order is that of character codes. No locale is
// used, so that an answer does not depend on the machine.
func collationKey(m *machine.Machine, a []cell) (bool, error) {
	if machine.IsVar(m.Deref(a[0])) {
		return false, m.InstantiationError()
	}
	text, err := Atomic(m, a[0], "atom")
	if err != nil {
		return false, err
	}
	return Unify(m, a[1], text, (*machine.Machine).NewString)
}
