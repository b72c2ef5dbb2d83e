package format

import (
	"hash/maphash"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/source"
)

// This file defines the layout of terms: spaces, and lines that end where the author has ended them. It also defines
// how lines are written and how clauses follow one another.

// flow writes items one after the other. prev is the item before them, or nil; the gap before the first item has been
// written then, but for what p.spaces says. Lines begin at column.
func (p *printer) flow(items []item, prev *item, column int) {
	began := column
	for i := range items {
		it := &items[i]
		if i > 0 {
			prev = &items[i-1]
		}
		if i > 0 || prev != nil && it.gap.bytes >= 0 {
			p.join(prev, it, i == 0, &column, began)
		}
		p.item(it)
	}
}

// join writes what stands between two items.
func (p *printer) join(prev, it *item, first bool, column *int, began int) {
	spaces := p.spacesBetween(prev, it)
	at, broken := *column, false
	if it.gap.newlines > 0 || it.gap.broken() {
		switch {
		case prev.isSeparator():
			broken, at = true, *column
		case prev.Role == source.RolePrefix && isAlpha(prev.Name):
			*column = p.base + indent
			broken, at = true, *column
		case prev.Role == source.RoleInfix || it.Role == source.RoleInfix && !it.isComma():
			broken, at = true, began+indent
		}
	} else if prev.Role == source.RolePrefix && isAlpha(prev.Name) {
		*column = p.column + 1
	}
	if broken {
		p.base = at
	} else {
		it.gap.newlines = 0
		if spaces == 1 && !first {
			spaces = p.aligned(it)
		}
	}
	p.lead(&it.gap, spaces, broken, at)
}

// isSeparator reports whether the item stands between arguments, elements or goals.
func (it *item) isSeparator() bool {
	return it.Kind == source.KindComma || it.Kind == source.KindBar || it.isArrow()
}

// item writes a token, and the group that it opens.
func (p *printer) item(it *item) {
	if it.group == nil {
		p.write(p.source(it))
		return
	}
	if it.isConstruct() {
		p.construct(it)
		return
	}
	p.brackets(it)
}

// brackets writes a group of arguments, elements or what else is in brackets.
func (p *printer) brackets(it *item) {
	g, base := it.group, p.base
	p.write(p.source(it))
	if len(g.items) == 0 {
		p.lead(&g.close.gap, 0, false, base)
		p.write(p.source(&g.close))
		return
	}
	padded := 0
	if !g.args && (it.Kind == source.KindOpenCurly || g.control || g.close.gap.newlines > 0) && p.isPadded(it) {
		padded = 1
	}
	first := &g.items[0]
	if first.gap.newlines > 0 && len(first.gap.comments) == 0 || len(first.gap.comments) > 0 && first.gap.broken() {
		p.block(g, base)
	} else {
		p.lead(&first.gap, padded, false, p.column)
		column := p.column + p.spaces
		first.gap = gap{bytes: -1}
		opened := column - 1 - padded
		if n := breakIn(g.items); n > 0 && n < it.At.Column && base+indent < column {
			column = base + indent
		}
		p.sequence(g.items, column)
		newline := !g.args && padded > 0 && g.close.gap.newlines > 0
		g.close.gap.newlines = min(g.close.gap.newlines, 1)
		if !newline {
			g.close.gap.newlines = 0
		}
		p.lead(&g.close.gap, padded, newline, opened)
	}
	p.write(p.source(&g.close))
	p.base = base
}

// block writes what stands in brackets when nothing follows the opening one on its line.
func (p *printer) block(g *group, base int) {
	inner := base + indent
	first := &g.items[0]
	first.gap.newlines = min(first.gap.newlines, 1)
	p.lead(&first.gap, 0, true, inner)
	first.gap = gap{bytes: -1}
	p.base = inner
	p.sequence(g.items, inner)
	g.close.gap.newlines = min(g.close.gap.newlines, 1)
	p.lead(&g.close.gap, 0, true, base)
}

// sequence writes arguments or elements, each from the same column on where it begins a line.
func (p *printer) sequence(items []item, column int) {
	from := 0
	for i := range items {
		if it := &items[i]; it.Kind != source.KindComma && it.Kind != source.KindBar {
			continue
		}
		p.part(items, from, i, column)
		it := &items[i]
		spaces := 0
		if it.Kind == source.KindBar && it.Role == source.RoleInfix {
			spaces = 1
		}
		it.gap.newlines = 0
		p.lead(&it.gap, spaces, false, column)
		p.write(p.source(it))
		from = i + 1
	}
	p.part(items, from, len(items), column)
}

// part writes one argument or element.
func (p *printer) part(items []item, from, to, column int) {
	if from == to {
		return
	}
	first := &items[from]
	if from > 0 {
		at := column
		q := p.spacesBetween(&items[from-1], first)
		if first.gap.broken() {
			p.base = at
			p.lead(&first.gap, q, true, at)
		} else {
			if q == 1 {
				q = p.aligned(first)
			}
			first.gap.newlines = 0
			p.lead(&first.gap, q, false, at)
		}
		first.gap = gap{bytes: -1}
	}
	p.flow(items[from:to], nil, p.column+p.spaces)
}

// isPadded reports whether the author has put white space behind an opening bracket.
func (p *printer) isPadded(it *item) bool { return it.End < len(p.text) && isBlank(p.text[it.End]) }

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// spacesBetween returns how many spaces, 0 or 1, stand between two items on a line.
func (p *printer) spacesBetween(prev, it *item) int {
	last := prev
	if prev.group != nil {
		last = &prev.group.close
	}
	switch {
	case it.Kind == source.KindComma || it.Kind == source.KindBar && it.Role != source.RoleInfix:
		return 0
	case prev.Kind == source.KindComma:
		return 1
	case prev.Kind == source.KindBar && prev.Role != source.RoleInfix:
		return 0
	case it.group != nil && it.group.args:
		return 0
	case p.wanted(prev, it) || it.gap.bytes > 0 && sticks(p.source(last), p.source(it)):
		return 1
	}
	return 0
}

// wanted reports whether the style, or the author where the style leaves it open, wants a space.
func (p *printer) wanted(prev, it *item) bool {
	switch {
	case it.Role == source.RoleInfix:
		return it.isSpaced(p)
	case prev.Role == source.RoleInfix:
		return prev.isSpaced(p)
	case prev.Role == source.RolePrefix:
		return isAlpha(prev.Name) || prev.Priority >= 900 || it.gap.bytes > 0
	}
	return it.gap.bytes > 0
}

// The priorities from which on infix operators have spaces around them: in goals, and within terms.
const (
	loosest      = 700
	loosestInner = 1000
)

// isSpaced reports whether an infix operator has spaces around it.
func (it *item) isSpaced(p *printer) bool {
	least := loosest
	if it.inner {
		least = loosestInner
	}
	return it.Priority >= least || isAlpha(it.Name) || it.gap.bytes > 0 || it.End < len(p.text) && isBlank(p.text[it.End])
}

func isAlpha(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsLetter(r) || r == '_'
}

// isSymbolic reports whether a token ends in a character of symbols.
func isSymbolic(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return source.IsSymbol(r)
}

// sticks reports whether two tokens would be taken for something else without white space between them.
func sticks(a, b string) bool {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	switch {
	case first == '(':
		return !strings.ContainsRune(",|([{", last)
	case source.IsSymbol(last) && source.IsSymbol(first):
		return true
	}
	return isWord(last) && isWord(first)
}

// isWord reports whether a character may be part of a name, a number or a quoted item.
func isWord(r rune) bool {
	return r == '_' || r == '\'' || r == '"' || r == '`' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// breakIn returns the column, from 0, of the first of some items that begins a line, 0 if none does.
func breakIn(items []item) int {
	for i := range items {
		if items[i].gap.newlines > 0 {
			return items[i].At.Column - 1
		}
	}
	return 0
}

// alignedLines is how far away lines are that columns are aligned with.
const alignedLines = 3

// aligned returns how many spaces stand before an item: one, or as many as the author has put there to align it with
// what stands in the line before or behind it.
func (p *printer) aligned(it *item) int {
	if it.gap.bytes < 2 || len(it.gap.comments) > 0 || it.gap.newlines > 0 {
		return 1
	}
	column := columnOf(p.text, it.Start)
	before, after := p.text[max(it.Start-alignedLines*maxLine, 0):it.Start], p.text[it.Start:]
	after = after[:min(len(after), alignedLines*maxLine)]
	if n := strings.LastIndexByte(before, '\n'); n >= 0 {
		before = before[:n]
	} else {
		before = ""
	}
	for range alignedLines {
		n := strings.LastIndexByte(before, '\n')
		if startsAt(before[n+1:], column) {
			return it.gap.bytes
		}
		before = before[:max(n, 0)]
		n = strings.IndexByte(after, '\n')
		if n < 0 {
			after = ""
			continue
		}
		after = after[n+1:]
		line, _, _ := strings.Cut(after, "\n")
		if startsAt(line, column) {
			return it.gap.bytes
		}
	}
	return 1
}

// startsAt reports whether something begins at a column of a line, behind white space.
func startsAt(line string, column int) bool {
	runes := []rune(line)
	return column > 0 && column < len(runes) && runes[column-1] == ' ' && runes[column] != ' '
}

const (
	indent = 4 // of bodies, and of what stands in brackets over several lines
	// maxWidth is the width up to which a clause may stay on one line.
	maxWidth = 120
	// maxBlank is how many blank lines stay between clauses.
	maxBlank = 2
)

// printer writes one text.
type printer struct {
	name, text string
	o          *source.Options
	verbatim   map[int]bool
	eol        string

	out     strings.Builder
	column  int // of the line, in characters from 0
	spaces  int // to be written before the next token
	base    int // the column at which what the line says begins
	begun   bool
	trailed int // the column of the comment at the end of the line before, or 0

	seed    maphash.Seed
	digests []uint64 // of the clauses and the comments before them
	errs    []*Error
}

func newPrinter(name, text string, o *source.Options, seed maphash.Seed, verbatim map[int]bool) *printer {
	p := &printer{name: name, text: text, o: o, verbatim: verbatim, eol: "\n", seed: seed}
	if n := strings.IndexByte(text, '\n'); n > 0 && text[n-1] == '\r' {
		p.eol = "\r\n"
	}
	return p
}

// run formats the text once.
func (p *printer) run() (string, []*Error) {
	at := p.opening()
	p.out.Grow(len(p.text) + len(p.text)/8)
	o := *p.o
	rest := -1
	o.Each = func(c *source.Clause) bool {
		if c.Err != nil {
			p.errs = append(p.errs, &Error{At: c.Err.Pos.Place, Code: "syntax", Message: c.Err.Msg, Syntax: c.Err})
			return len(p.errs) < 100
		}
		if len(p.errs) > 0 {
			return true
		}
		g := gapOf(p.text, at, c.Start)
		p.between(&g, p.begun)
		p.note(&g, c)
		p.clause(c)
		at = c.End
		if c.Term != nil && isEndOfFile(c) {
			rest = c.End
		}
		return true
	}
	source.Read(p.name, p.text, &o)
	if len(p.errs) > 0 {
		return p.text, p.errs
	}
	if rest >= 0 {
		p.out.WriteString(p.text[rest:])
		return p.out.String(), nil
	}
	g := gapOf(p.text, at, len(p.text))
	p.note(&g, &source.Clause{})
	for i := range g.comments {
		p.comment(&g.comments[i], 0, maxBlank)
	}
	if p.begun {
		p.out.WriteString(p.eol)
	}
	return p.out.String(), nil
}

func isEndOfFile(c *source.Clause) bool {
	return len(c.Tokens) == 2 && c.Tokens[0].Name == "end_of_file"
}

// opening writes the byte order mark and the first line of a script. It returns what it has taken of the text.
func (p *printer) opening() int {
	at := 0
	if strings.HasPrefix(p.text, "\uFEFF") {
		at = len("\uFEFF")
	}
	if strings.HasPrefix(p.text, "#!") {
		end := strings.IndexByte(p.text, '\n')
		if end < 0 {
			end = len(p.text)
		}
		p.out.WriteString(strings.TrimRight(p.text[:end], "\r"))
		p.begun = true
		return end
	}
	p.out.WriteString(p.text[:at])
	return at
}

// note keeps what the clause and the comments before it are, for the comparison with what is read back.
func (p *printer) note(before *gap, c *source.Clause) {
	var h maphash.Hash
	h.SetSeed(p.seed)
	for i := range before.comments {
		h.WriteString(before.comments[i].text)
		h.WriteByte(0)
	}
	for i, t := range c.Tokens {
		if i > 0 && c.Tokens[i-1].End < t.Start {
			g := gapOf(p.text, c.Tokens[i-1].End, t.Start)
			for k := range g.comments {
				h.WriteString(g.comments[k].text)
				h.WriteByte(1)
			}
		}
		h.WriteString(p.text[t.Start:t.End])
		h.WriteByte(2 + byte(t.Role))
	}
	p.digests = append(p.digests, h.Sum64())
}

// between writes the comments before a clause and begins its line.
func (p *printer) between(g *gap, line bool) {
	for i := range g.comments {
		p.comment(&g.comments[i], 0, maxBlank)
	}
	behind := len(g.comments) > 0 && g.newlines == 0 && !g.comments[len(g.comments)-1].line()
	switch {
	case behind:
		p.spaces = 1
	case line || len(g.comments) > 0:
		p.newline(min(max(g.newlines-1, 0), maxBlank), 0)
	}
}

// comment writes a comment, at the end of the line or on one of its own.
func (p *printer) comment(c *comment, column, blank int) {
	if c.newlines == 0 && p.column > 0 {
		p.spaces = 1
		if c.line() {
			p.spaces = max(c.column-p.column, 1)
			p.trailed = p.column + p.spaces
		}
	} else {
		before := p.trailed
		if p.begun {
			p.newline(min(max(c.newlines-1, 0), blank), column)
		}
		if c.severalLines() && p.begun {
			p.spaces = 0
			p.write(c.indent)
		}
		if before > 0 && c.column == before && c.newlines == 1 { // continues the comment at the end of the line before
			p.spaces, p.trailed = before, before
		}
	}
	p.write(c.text)
}

// newline ends the line and indents the next one.
func (p *printer) newline(blank, column int) {
	for range blank + 1 {
		p.out.WriteString(p.eol)
	}
	p.column, p.spaces, p.trailed = 0, column, 0
}

func (p *printer) write(text string) {
	for range p.spaces {
		p.out.WriteByte(' ')
	}
	p.column += p.spaces
	p.spaces, p.begun = 0, true
	p.out.WriteString(text)
	if n := strings.LastIndexByte(text, '\n'); n >= 0 {
		p.column, text = 0, text[n+1:]
	}
	p.column += utf8.RuneCountInString(text)
}

// lead writes the comments before an item, and a new line or spaces. broken asks for the new line.
func (p *printer) lead(g *gap, spaces int, broken bool, column int) {
	for i := range g.comments {
		p.comment(&g.comments[i], column, 1)
	}
	if n := len(g.comments); n > 0 {
		last := &g.comments[n-1]
		broken = broken || last.line() || g.newlines > 0
		spaces = max(spaces, 1)
	}
	if broken {
		p.newline(min(max(g.newlines-1, 0), 1), column)
		return
	}
	p.spaces = spaces
}

func (p *printer) source(it *item) string { return p.text[it.Start:it.End] }
