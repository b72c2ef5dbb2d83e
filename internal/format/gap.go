package format

import (
	"strings"
	"unicode/utf8"
)

// This file defines what stands between tokens: white space and comments.

// comment is a comment with what stands before it.
type comment struct {
	text     string
	newlines int // before it, since the token or comment before
	column   int // in the text, from 0
	// indent is the white space before a comment of several lines that begins a line: they stand below each other.
	indent string
}

// line reports whether the comment goes to the end of its line.
func (c *comment) line() bool { return strings.HasPrefix(c.text, "%") }

// gap is what stands before a token.
type gap struct {
	comments []comment
	newlines int // behind the last comment
	bytes    int
}

// broken reports whether there is the end of a line in the gap.
func (g *gap) broken() bool {
	if g.newlines > 0 {
		return true
	}
	for i := range g.comments {
		if g.comments[i].newlines > 0 || g.comments[i].line() {
			return true
		}
	}
	return false
}

// gapOf takes the part of a text between two tokens apart.
func gapOf(text string, from, to int) gap {
	g := gap{bytes: to - from}
	for i := from; i < to; {
		switch c := text[i]; {
		case c == '\n':
			g.newlines++
			i++
		case c == '%':
			end := to
			if n := strings.IndexByte(text[i:to], '\n'); n >= 0 {
				end = i + n
			}
			g.add(text, i, end)
			i = end
		case c == '/' && i+1 < to && text[i+1] == '*':
			end := to
			if n := strings.Index(text[i+2:to], "*/"); n >= 0 {
				end = i + 2 + n + 2
			}
			g.add(text, i, end)
			i = end
		default:
			i++
		}
	}
	return g
}

func (g *gap) add(text string, from, to int) {
	c := comment{text: text[from:to], newlines: g.newlines, column: columnOf(text, from)}
	if c.severalLines() {
		c.indent = text[strings.LastIndexByte(text[:from], '\n')+1 : from]
	}
	if c.line() {
		c.text = strings.TrimRight(c.text, " \t\r")
	}
	g.comments, g.newlines = append(g.comments, c), 0
}

// maxLine is how far back the beginning of a line is looked for. Columns beyond are not kept.
const maxLine = 1 << 10

// severalLines reports whether the comment begins a line and goes on in the next.
func (c *comment) severalLines() bool { return c.newlines > 0 && strings.Contains(c.text, "\n") }

// columnOf returns the column of a byte of the text, in characters from 0.
func columnOf(text string, at int) int {
	from := max(at-maxLine, 0)
	begin := from + strings.LastIndexByte(text[from:at], '\n') + 1
	return utf8.RuneCountInString(text[begin:at])
}
