package format

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/source"
)

// This file defines the layout of terms: spaces, and lines that end where the author has ended them.

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
