package syntax

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how atoms and strings are quoted.

// NeedsQuote reports whether writeq/1 puts a into quotes.
func NeedsQuote(a term.Atom) bool {
	switch a {
	case "":
		return true
	case term.Nil, term.Curly, "!", ";":
		return false
	}
	first, _ := utf8.DecodeRuneInString(string(a))
	switch class := classOf(first); {
	case class&lower != 0:
		return !only(string(a), alnum)
	case class&symbol != 0:
		return a == "." || strings.HasPrefix(string(a), "/*") || !only(string(a), symbol)
	}
	return true
}

// only reports whether all characters of s are of the class.
func only(s string, class charClass) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return onlyRunes(s[i:], class)
		}
		if asciiClasses[s[i]]&class == 0 {
			return false
		}
	}
	return true
}

func onlyRunes(s string, class charClass) bool {
	for _, r := range s {
		if classOf(r)&class == 0 {
			return false
		}
	}
	return true
}

// QuoteAtom returns the text of a as writeq/1 writes it.
func QuoteAtom(a term.Atom) string {
	if !NeedsQuote(a) {
		return string(a)
	}
	return string(appendQuoted(nil, string(a), '\''))
}

// QuoteString returns the text of s as writeq/1 writes it.
func QuoteString(s term.String) string { return string(appendQuoted(nil, string(s), '"')) }

// doubleQuotes puts s in quotes without escape sequences.
func doubleQuotes(s, quote string) string {
	return quote + strings.ReplaceAll(s, quote, quote+quote) + quote
}

var escapeLetters = [128]byte{7: 'a', 8: 'b', 12: 'f', 10: 'n', 13: 'r', 9: 't', 11: 'v', '\\': '\\'}

// appendQuoted appends s in quotes, with escapes for the quote and what does not print.
func appendQuoted(buf []byte, s string, quote byte) []byte {
	buf = append(buf, quote)
	for _, r := range s {
		switch {
		case r == rune(quote):
			buf = append(buf, '\\', quote)
		case r < utf8.RuneSelf && escapeLetters[r] != 0:
			buf = append(buf, '\\', escapeLetters[r])
		case printing(r):
			buf = utf8.AppendRune(buf, r)
		default:
			buf = append(buf, hexEscape(r)...)
		}
	}
	return append(buf, quote)
}

// printing reports whether r shows when it is written.
func printing(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= ' ' && r != 127
	}
	return unicode.IsGraphic(r) && (!unicode.IsSpace(r))
}

func hexEscape(r rune) string { return `\x` + strconv.FormatInt(int64(r), 16) + `\` }
