package syntax

import (
	"unicode"
	"unicode/utf8"
)

// This file defines the classes of characters the lexer and the writer go by (ISO 13211-1, 6.5, extended to Unicode).

// charClass is a set of the classes below.
type charClass uint8

const (
	alnum  charClass = 1 << iota // letters, digits and _
	digit                        // 0-9
	lower                        // begins an atom
	upper                        // begins a variable
	symbol                       // makes up symbol atoms such as =..
	layout                       // white space
)

// asciiClasses holds the classes of the bytes. Bytes of longer characters have the class 0.
var asciiClasses = makeClasses()

func makeClasses() (t [256]charClass) {
	set := func(chars string, c charClass) {
		for i := 0; i < len(chars); i++ {
			t[chars[i]] |= c
		}
	}
	set("abcdefghijklmnopqrstuvwxyz", alnum|lower)
	set("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", alnum|upper)
	set("0123456789", alnum|digit)
	set("#$&*+-./:<=>?@^~\\", symbol)
	set(" \t\n\r\v\f", layout)
	return t
}

// classOf returns the classes of any character. A letter without case begins an atom.
func classOf(r rune) charClass {
	switch {
	case r < utf8.RuneSelf:
		return asciiClasses[r]
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return alnum | upper
	case unicode.IsLetter(r) || unicode.Is(unicode.Nl, r):
		return alnum | lower
	case unicode.IsMark(r) || unicode.IsDigit(r) || unicode.Is(unicode.Pc, r):
		return alnum
	case r == utf8.RuneError:
		return 0
	case unicode.IsSpace(r):
		return layout
	case unicode.IsSymbol(r) || unicode.IsPunct(r):
		return symbol
	}
	return 0
}

// digitValue is the value of an ASCII letter or digit as a digit, 99 for other bytes.
func digitValue(b byte) int {
	switch {
	case '0' <= b && b <= '9':
		return int(b - '0')
	case 'a' <= b && b <= 'z':
		return int(b-'a') + 10
	case 'A' <= b && b <= 'Z':
		return int(b-'A') + 10
	}
	return 99
}

// IsSymbol reports whether a character makes up names such as =.. .
func IsSymbol(r rune) bool { return classOf(r)&symbol != 0 }
