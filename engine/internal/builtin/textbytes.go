package builtin

import (
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines texts as bytes and as keys to sort by.

var textBytesTable = []machine.Builtin{
	{Name: "string_bytes", Arity: 3, Func: stringBytes, Modes: "?string, ?bytes, +encoding", Doc: "The bytes of a text in an encoding: utf8, octet, ascii, iso_latin_1 or text."},
	{Name: "collation_key", Arity: 2, Func: collationKey, Modes: "+atom, -key", Doc: "A key whose standard order is the alphabetical order of atoms."},
}

// largestCode is that of the characters of an encoding.
var largestCode = map[string]rune{"utf8": utf8.MaxRune, "text": utf8.MaxRune, "octet": 0xff, "iso_latin_1": 0xff, "ascii": 0x7f}

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
		return bytesToString(m, a, limit == utf8.MaxRune)
	}
	text, err := anyText(m, a[0], "text")
	if err != nil {
		return false, err
	}
	var bytes []cell
	for _, r := range text {
		switch {
		case r > limit:
			return false, m.RepresentationError("encoding")
		case limit == utf8.MaxRune:
			for _, b := range utf8.AppendRune(nil, r) {
				bytes = append(bytes, code.MakeInt(int64(b)))
			}
		default:
			bytes = append(bytes, code.MakeInt(int64(r)))
		}
	}
	return m.Unify(a[1], m.List(bytes, code.ANil)), m.Charge(len(bytes))
}

// bytesToString unifies the first argument of string_bytes/3 with the text of the bytes.
func bytesToString(m *machine.Machine, a []cell, utf bool) (bool, error) {
	items, err := m.ListArg(a[1])
	if err != nil {
		return false, err
	}
	var bytes []byte
	for _, item := range items {
		b, err := m.IntArg(item)
		if err != nil {
			return false, err
		}
		if b < 0 || b > 0xff {
			return false, m.TypeError("byte", item)
		}
		if utf {
			bytes = append(bytes, byte(b))
		} else {
			bytes = utf8.AppendRune(bytes, rune(b))
		}
	}
	if !utf8.Valid(bytes) {
		return false, m.RepresentationError("encoding")
	}
	return unifyText(m, a[0], string(bytes), (*machine.Machine).NewString)
}

func collationKey(m *machine.Machine, a []cell) (bool, error) {
	if machine.IsVar(m.Deref(a[0])) {
		return false, m.InstantiationError()
	}
	text, err := atomicArg(m, a[0], "atom")
	if err != nil {
		return false, err
	}
	return unifyText(m, a[1], text, (*machine.Machine).NewString)
}
