package syntax

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines recovery. A clause that is half written swallows what follows: an open bracket takes the next
// clause, a comma its head. Recovery ends such a clause before the next line that begins another one.

const (
	maxCuts   = 64 // clauses that one parser recovers from; each of them is read again
	maxStarts = 64 // lines of such a clause that are tried
)

// lineStart is a line that may begin a clause.
type lineStart struct {
	in    Input // at the line
	after Place // the end of the token before it
	line  int   // the byte at which the line of that token begins
	open  bool  // that token wants another one
}

// cutOff ends a clause with an error before the next line that begins another one. start is where the clause was read
// from. It returns the error of what is left of the clause, and the input goes on at that line. Without such a line it
// returns err.
func (p *Parser) cutOff(err *Error, start *Input) *Error {
	if p.cuts++; p.cuts > maxCuts {
		return err
	}
	end := p.in.pos
	lines := p.part(start, end)
	lines.recovering = true
	all, last := lines.lineStarts(err)
	var next *lineStart
	for i := len(all) - 1; i >= 0; i-- {
		s := &all[i]
		if s.open && !err.Incomplete && err.Pos.Line <= s.in.line {
			continue // the error stands before the line, which goes on with the clause
		}
		read, e := p.part(&s.in, end).Read()
		if e == nil && beginsClause(read.Term) || next != nil && p.isBeginning(&s.in, next.in.pos) {
			next = s
		}
	}
	if next == nil {
		return p.breaksOff(err, &last, "")
	}
	left := p.part(start, next.in.pos)
	left.Tokens = p.Tokens
	if _, e := left.Read(); e != nil && e != io.EOF {
		err = left.breaksOff(e.(*Error), next, fmt.Sprintf(" where line %d begins another clause", next.in.line+1))
		err.Incomplete = false
	}
	p.tokens = left.tokens
	p.in.back(&next.in)
	return err
}

// part returns a parser of a part of the buffer. The part begins where from is and ends at an index of the buffer.
func (p *Parser) part(from *Input, end int) *Parser {
	in := *p.in
	in.back(from)
	in.buf, in.r, in.err, in.mark = in.buf[:end:end], nil, io.EOF, -1
	return &Parser{in: &in, ops: p.ops, flags: p.flags}
}

// lineStarts returns the lines in the text of a clause with an error that may begin another clause, and the end of that
// text.
func (p *Parser) lineStarts(err *Error) (list []lineStart, s lineStart) {
	for first := true; len(list) < maxStarts; first = false {
		t := p.lex()
		if t.kind == tokEOF {
			return list, s
		}
		s.in = *p.in
		s.in.backTo(p.start, &t)
		if begins := strings.HasPrefix(t.text, ":-") || t.kind == tokQuoted || startsSmall(&t); begins && !first &&
			t.at.Column == 1 {
			list = append(list, s)
		}
		if t.at == err.Pos.Place && (t.kind == tokError || p.in.line > s.in.line) { // an open quote
			p.in.back(&s.in)
			p.skipLine()
		}
		s.after, s.line, s.open = p.in.place(), p.in.lineByte, t.wantsMore() && t.at != err.Pos.Place
	}
	return list, lineStart{}
}

func startsSmall(t *token) bool {
	first, _ := utf8.DecodeRuneInString(t.text)
	return t.kind == tokName && unicode.IsLower(first)
}

// wantsMore reports whether another token of the same clause follows in all likelihood.
func (t *token) wantsMore() bool {
	switch t.kind {
	case tokComma, tokBar, tokOpen, tokOpenList, tokOpenCurly:
		return true
	case tokName:
		first, _ := utf8.DecodeRuneInString(t.text)
		return classOf(first)&symbol != 0 || t.text == ";"
	}
	return false
}

// beginsClause reports whether a term that stands in a text is a clause in all likelihood, and no part of a body.
func beginsClause(t term.Term) bool {
	if c, ok := t.(*term.Compound); ok {
		return len(c.Args) != 2 || !strings.Contains(", ; -> *-> |", string(c.Functor))
	}
	_, ok := t.(term.Atom)
	return ok
}

// isBeginning reports whether a part of the buffer is the beginning of a clause.
func (p *Parser) isBeginning(from *Input, end int) bool {
	_, err := p.part(from, end).Read()
	e, ok := err.(*Error)
	return ok && e.Incomplete
}

// breaksOff makes an error stand where the clause breaks off, if its text ends too early: at the open bracket or behind
// the last token. where is added to the message; "" leaves it as it is.
func (p *Parser) breaksOff(err *Error, behind *lineStart, where string) *Error {
	if err.Formal != term.Term(endOfFile) || behind.after.Line == 0 {
		return err
	}
	at, msg := token{at: behind.after, line: behind.line}, "the clause is not closed by a full stop"
	if frame := p.bracket(); frame.kind != pendTop {
		at, msg = token{at: frame.at, line: frame.line}, p.opened(frame)+" is still open"
	}
	if where == "" {
		where, msg = msg, "unexpected end of file: "
	}
	moved := p.errorAt(&at, endOfFile, msg+where)
	moved.Incomplete = err.Incomplete
	return moved
}
