package format

import (
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/source"
)

// This file defines what stands between tokens: white space and comments.

// comment is a comment with what stands before it.
type comment struct {
	text     string
	start    int // in the text
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
	c := comment{text: text[from:to], start: from, newlines: g.newlines, column: columnOf(text, from)}
	if c.severalLines() {
		c.indent = text[strings.LastIndexByte(text[:from], '\n')+1 : from]
	}
	if c.line() {
		c.text = strings.TrimRight(c.text, " \t\r")
	}
	g.comments, g.newlines = append(g.comments, c), 0
}

// tabStop is the distance of the columns that tabs lead to, which is eight in terminals and in older sources.
const tabStop = 8

// withoutTabs returns a text with blanks for the tabs between its tokens, so that all columns are as people see them.
// Tabs before a comment of several lines stay: the other lines of the comment may have such too.
func withoutTabs(name, text string, o *source.Options) string {
	if !strings.Contains(text, "\t") {
		return text
	}
	var kept [][2]int // tokens and comments, in order
	at := 0
	between := func(to int) {
		g := gapOf(text, at, to)
		for i := range g.comments {
			c := &g.comments[i]
			kept = append(kept, [2]int{c.start - len(c.indent), c.start + len(c.text)})
		}
	}
	each := *o
	each.Each = func(c *source.Clause) bool {
		for _, t := range c.Tokens {
			between(t.Start)
			kept, at = append(kept, [2]int{t.Start, t.End}), t.End
		}
		if c.Err != nil || isEndOfFile(c) {
			kept, at = append(kept, [2]int{at, len(text)}), len(text)
		}
		return at < len(text)
	}
	source.Read(name, text, &each)
	between(len(text))
	var out strings.Builder
	column := 0
	for i, r := range text {
		for len(kept) > 0 && i >= kept[0][1] {
			kept = kept[1:]
		}
		width := 1
		switch {
		case r == '\n':
			width = -column
		case r == '\t':
			width = tabStop - column%tabStop
		}
		if column += width; r == '\t' && (len(kept) == 0 || i < kept[0][0]) {
			out.WriteString(strings.Repeat(" ", width))
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
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
