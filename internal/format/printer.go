package format

import (
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/source"
)

// This file defines how lines are written and how clauses follow one another.

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
	trailed int // the column of the comment at the end of the line before, 0 if there is none

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
		if before > 0 && c.column == before && c.newlines == 1 { // goes on from the one at the end of the line before
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

// write writes a token or a comment.
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
