package lsp

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file defines what stands around the cursor, in a clause that may be half written.

// opened is a bracket that is open at the cursor.
type opened struct {
	bracket byte
	name    string // the functor before it, "" if there is none
	arg     int    // the argument that the cursor is in, from 0
}

// cursor is what stands around a place.
type cursor struct {
	// quoted is set within a quoted item, commented within a comment.
	quoted, commented bool
	open              []opened
	word              string // before the place
	wordAt            int    // byte of the text at which it begins
	module            string // before word and a colon
	directive         bool   // the clause begins with :-
	clause            int    // byte at which the clause begins
}

// cursorAt looks at the text before a place.
func (s *server) cursorAt(d *document, p position) cursor {
	end := d.lines.offset(d.text, p)
	start := 0
	if x := s.space.file(d.path); x != nil {
		if i := sort.SearchInts(x.starts, end+1) - 1; i >= 0 {
			start = x.starts[i]
		}
	}
	c := cursor{clause: min(start, end)}
	c.scan(d.text, c.clause, end)
	if !c.quoted && !c.commented {
		c.words(d.text, end)
	}
	return c
}

// scan walks the clause up to the cursor.
func (c *cursor) scan(text string, from, to int) {
	name, begun := "", false
	for i := from; i < to; {
		b := text[i]
		word := ""
		switch {
		case b == '%':
			n := strings.IndexByte(text[i:to], '\n')
			if n < 0 {
				c.commented = true
				return
			}
			i += n
		case b == '/' && i+1 < to && text[i+1] == '*':
			n := strings.Index(text[i+2:to], "*/")
			if n < 0 {
				c.commented = true
				return
			}
			i += n + 4
		case b == '0' && i+2 < to && text[i+1] == '\'':
			i += 3
		case b == '\'' || b == '"' || b == '`':
			end := closing(text, i, to)
			if end < 0 {
				c.quoted = true
				return
			}
			if b == '\'' {
				word = text[i+1 : end]
			}
			i = end + 1
		case b == '(' || b == '[' || b == '{':
			one := opened{bracket: b}
			if b == '(' {
				one.name = name
			}
			c.open = append(c.open, one)
			i++
		case b == ')' || b == ']' || b == '}':
			if n := len(c.open); n > 0 {
				c.open = c.open[:n-1]
			}
			i++
		case b == ',':
			if n := len(c.open); n > 0 {
				c.open[n-1].arg++
			}
			i++
		case b == '.' && (i+1 == to || isSpace(text[i+1]) || text[i+1] == '%') && (i == from || !isSymbolByte(text[i-1])):
			if i+1 < to {
				c.open, c.directive, begun, c.clause = nil, false, false, i+1
			}
			i++
		case isSpace(b):
			i++
		case isSymbolByte(b):
			end := i
			for end < to && isSymbolByte(text[end]) {
				end++
			}
			if word = text[i:end]; !begun && word == ":-" {
				c.directive = true
			}
			i = end
		default:
			end := wordEnd(text, i, to)
			word = text[i:end]
			i = end
		}
		begun = begun || !isSpace(b) && b != '%' && word != ""
		name = word
	}
}

// closing returns the end of a quoted item, -1 if it is not closed.
func closing(text string, from, to int) int {
	quote := text[from]
	for i := from + 1; i < to; i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			if i+1 < to && text[i+1] == quote {
				i++
				continue
			}
			return i
		}
	}
	return -1
}

// wordEnd returns the end of the word that begins at a byte, at least the next character.
func wordEnd(text string, from, to int) int {
	i := from
	for i < to {
		r, size := utf8.DecodeRuneInString(text[i:to])
		if !isWordRune(r) {
			break
		}
		i += size
	}
	if i == from {
		_, size := utf8.DecodeRuneInString(text[i:to])
		i += max(size, 1)
	}
	return i
}

// words finds the word before the cursor, and the module before it.
func (c *cursor) words(text string, end int) {
	from := wordBegin(text, end)
	c.word, c.wordAt = text[from:end], from
	if from > 0 && text[from-1] == ':' && (from < 2 || !isSymbolByte(text[from-2])) {
		c.module = text[wordBegin(text, from-1) : from-1]
	}
}

// wordBegin returns the beginning of the word that ends at a byte.
func wordBegin(text string, end int) int {
	for end > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if !isWordRune(r) {
			break
		}
		end -= size
	}
	return end
}

func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

func isSymbolByte(b byte) bool { return strings.IndexByte("#$&*+-./:<=>?@^~\\", b) >= 0 }

// call returns the innermost compound whose arguments the cursor is in, ok being false if there is none.
func (c *cursor) call() (one opened, ok bool) {
	for i := len(c.open) - 1; i >= 0; i-- {
		if o := c.open[i]; o.bracket == '(' && o.name != "" {
			return o, true
		}
	}
	return opened{}, false
}
