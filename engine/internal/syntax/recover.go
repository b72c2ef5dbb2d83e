package syntax

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines recovery. A half-written clause swallows the text after it: an open bracket swallows the next
// clause, a comma its head. Recovery ends such a clause before the next line that begins another one.

const (
	maxStarts   = 64      // lines of a clause with an error that are tried
	firstWindow = 4 << 10 // bytes in which a clause that begins there should end

	// Recovery reads parts of a text again. The bounds are a number of bytes, and a multiple of the text up to the
	// error. Errors beyond them are reported without recovery.
	leastAgain = 256 << 10
	timesAgain = 4
)

// lineStart is a line that may begin a clause.
type lineStart struct {
	in    Input // at the line
	after Place // the end of the token before it
	line  int   // the byte at which the line of that token begins
	open  bool  // that token expects another one
}

// cutOff ends a clause with an error before the next line that begins another one. start is where the clause was read
// from. It returns the error of the shortened clause, and the input continues at that line. Without such a line it
// returns err.
func (p *Parser) cutOff(err *Error, start *Input) *Error {
	end := p.in.pos
	p.mostAgain = leastAgain + timesAgain*p.in.Bytes()
	lines := p.part(start, end)
	if lines == nil {
		return err
	}
	lines.recovering = true
	all, last := lines.lineStarts(err)
	p.again = lines.again + lines.in.Bytes() - start.Bytes()
	next := p.firstClause(all, err, firstWindow, end)
	if next == nil {
		next = p.firstClause(all, err, end, end) // the line may be long
	}
	if next == nil {
		return p.breaksOff(err, &last, "")
	}
	left := p.part(start, next.in.pos) // the text after it is read again by the next Read
	if left == nil {
		return err
	}
	left.Tokens = p.Tokens
	if _, e := left.Read(); e != nil && e != io.EOF {
		err = left.breaksOff(e.(*Error), next, fmt.Sprintf(" where line %d begins another clause", next.in.line+1))
		err.Incomplete = false
	}
	p.tokens = left.tokens
	p.again += p.in.Bytes() - start.Bytes()
	p.in.back(&next.in)
	return err
}

// firstClause returns the first line that begins a sequence of clauses. All but the last clause may be half written.
// The last one must end within a window of the given size, and before an index of the buffer. If there is no such line,
// or if recovery has read too much, firstClause returns nil.
func (p *Parser) firstClause(all []lineStart, err *Error, window, end int) (next *lineStart) {
	for i := len(all) - 1; i >= 0; i-- {
		s := &all[i]
		if s.open && !err.Incomplete && err.Pos.Line <= s.in.line {
			continue // the error is before the line, which continues the clause
		}
		to := min(s.in.pos+window, end)
		if next != nil {
			to = next.in.pos
		}
		clause := p.part(&s.in, to)
		if clause == nil {
			return next
		}
		read, e := clause.Read()
		p.again += clause.in.pos - s.in.pos
		if e == nil && (to == end || clause.in.pos < to) { // a full stop at the end of the window may be cut from more
			if beginsClause(read.Term) {
				next = s
			}
		} else if cut, ok := e.(*Error); ok && cut.Incomplete && next != nil { // up to next it is the beginning of one
			next = s
		}
	}
	return next
}

// part returns a parser of a part of the buffer, or nil if recovery would read too much. The part begins at from and
// ends at an index of the buffer.
func (p *Parser) part(from *Input, end int) *Parser {
	in := *p.in
	in.back(from)
	if p.again+end-in.pos > p.mostAgain {
		return nil
	}
	in.buf, in.r, in.err, in.mark = in.buf[:end:end], nil, io.EOF, -1
	return &Parser{in: &in, ops: p.ops, flags: p.flags, Meter: p.Meter, Room: p.Room,
		again: p.again, mostAgain: p.mostAgain}
}

// lineStarts returns the lines in the text of a clause with an error that may begin another clause, and the end of that
// text.
func (p *Parser) lineStarts(err *Error) (list []lineStart, s lineStart) {
	continued := false // by a line that begins in the first column
	for n := 0; len(list) < maxStarts && p.again < p.mostAgain; n++ {
		p.work(n)
		var t token
		p.lex(&t)
		if t.kind == tokEOF {
			return list, s
		}
		s.in = *p.in
		s.in.backTo(p.start, &t)
		if t.at.Column == 1 && n > 0 {
			directive := strings.HasPrefix(t.text, ":-")
			goal := continued && s.open // of a body whose goals begin there
			if directive || !goal && (t.kind == tokQuoted || startsSmall(&t)) {
				list = append(list, s)
			}
			continued = continued || s.open
		}
		continued = continued && t.kind != tokEnd
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

// wantsMore reports whether the same clause very probably continues after a token.
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

// beginsClause reports whether a term in a text is very probably a clause, and no part of a body.
func beginsClause(t term.Term) bool {
	if c, ok := t.(*term.Compound); ok {
		return len(c.Args) != 2 || !strings.Contains(", ; -> *-> |", string(c.Functor))
	}
	_, ok := t.(term.Atom)
	return ok
}

// breaksOff moves the place of an error to where the clause breaks off, if its text ends too early: to the open bracket
// or after the last token. where is added to the message, unless it is "".
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
