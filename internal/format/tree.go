package format

import (
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/source"
)

// This file defines the tree of brackets that a clause is laid out by. It also defines what stands between tokens:
// white space and comments.

// item is a token with the gap before it. An opening bracket has the group that it opens.
type item struct {
	source.Token
	gap   gap
	group *group
	inner bool // it stands in arguments, a list or curly brackets
}

// group is what stands in a pair of brackets.
type group struct {
	items []item
	close item
	// args says that the brackets hold the arguments of a compound.
	args bool
	// data says that the brackets hold arguments, or are brackets of a list or curly ones.
	data bool
	// control says that a comma, a semicolon or an arrow between goals stands directly in it, broken that some line
	// ends in it.
	control, broken bool
	// arrows says that there is more than commas.
	arrows bool
}

// maxDepth bounds how deep brackets nest in clauses that are laid out.
const maxDepth = 500

// treeOf makes the tree of a clause without its end token. ok is false for a clause that must stay unchanged.
func treeOf(text string, c *source.Clause) (items []item, end item, ok bool) {
	tokens := c.Tokens
	if n := len(tokens); c.Err != nil || n < 2 || tokens[n-1].Kind != source.KindEnd {
		return nil, item{}, false
	}
	stack := []*group{{}}
	for i, t := range tokens {
		it := item{Token: t}
		if i > 0 {
			it.gap = gapOf(text, tokens[i-1].End, t.Start)
		}
		top := stack[len(stack)-1]
		it.inner = top.data
		if it.gap.broken() {
			top.broken = true
		}
		switch t.Kind {
		case source.KindOpen, source.KindOpenList, source.KindOpenCurly:
			it.group = &group{args: t.Kind == source.KindOpen && i > 0 && tokens[i-1].Role == source.RoleFunctor}
			it.group.data = it.group.args || t.Kind != source.KindOpen
			top.items = append(top.items, it)
			stack = append(stack, it.group)
		case source.KindClose, source.KindCloseList, source.KindEndCurly:
			if len(stack) == 1 || len(stack) > maxDepth {
				return nil, item{}, false
			}
			top.close = it
			stack = stack[:len(stack)-1]
			stack[len(stack)-1].broken = stack[len(stack)-1].broken || top.broken
		case source.KindEnd:
			return stack[0].items, it, len(stack) == 1
		default:
			top.control, top.arrows = top.control || it.separates(), top.arrows || it.isArrow()
			top.items = append(top.items, it)
		}
	}
	return nil, item{}, false
}

// isComma reports whether the item is a comma between goals.
func (it *item) isComma() bool { return it.Kind == source.KindComma && it.Role == source.RoleInfix }

// isArrow reports whether the item is an operator that stands at the beginning of a line of a control construct.
func (it *item) isArrow() bool {
	if it.Role != source.RoleInfix {
		return false
	}
	switch it.Kind {
	case source.KindBar:
		return true
	case source.KindName:
		return it.Name == ";" || it.Name == "->" || it.Name == "*->"
	}
	return false
}

// separates reports whether the item stands between goals.
func (it *item) separates() bool { return it.isComma() || it.isArrow() }

// isConstruct reports whether the item is a parenthesis around a control construct over several lines, or a curly
// bracket of a grammar rule. Goals with commas only are one if the author has put them into parentheses and indented
// them so.
func (it *item) isConstruct() bool {
	g := it.group
	if g != nil && it.Kind == source.KindOpenCurly {
		return !it.inner && g.broken && g.arrows
	}
	return g != nil && it.Kind == source.KindOpen && !g.args && g.broken && g.control &&
		(g.arrows || g.items[0].At.Line == it.At.Line && g.items[0].gap.bytes >= indent-1)
}

// isCut reports whether items are a cut alone.
func isCut(items []item) bool {
	return len(items) == 1 && items[0].Kind == source.KindName && items[0].Name == "!"
}

// neckOf returns the index of the operator between the head and the body of a clause, or -1.
func neckOf(items []item) int {
	for i := range items {
		if it := &items[i]; it.Role == source.RoleInfix && it.Priority == 1200 {
			return i
		}
	}
	return -1
}

// isSpread reports whether a body has to have several lines: a line ends between its goals, or in a control construct
// that is one of them.
func isSpread(body []item) bool {
	for i := range body {
		it := &body[i]
		if it.gap.broken() {
			return true
		}
		if it.isConstruct() {
			return true
		}
	}
	return spreadCommas(body)
}

// spreadCommas reports whether there are several goals and a line ends in one of them.
func spreadCommas(body []item) bool {
	separated, broken := false, false
	for i := range body {
		separated = separated || body[i].separates()
		broken = broken || body[i].group != nil && body[i].group.broken
	}
	return separated && broken
}

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

// severalLines reports whether the comment begins a line and continues in the next.
func (c *comment) severalLines() bool { return c.newlines > 0 && strings.Contains(c.text, "\n") }

// columnOf returns the column of a byte of the text, in characters from 0.
func columnOf(text string, at int) int {
	from := max(at-maxLine, 0)
	begin := from + strings.LastIndexByte(text[from:at], '\n') + 1
	return utf8.RuneCountInString(text[begin:at])
}
