package syntax

import (
	"io"
	"unicode/utf8"
)

// This file defines reading under char_conversion/2 (ISO 13211-1, 3.46 and 8.14.5): what stands
// outside quotes is converted, character by character, before it is taken for tokens. This is rare, so
// the text of the next clause is converted as a whole and read by a parser of its own.

// readConverted is Read with a conversion of characters.
func (p *Parser) readConverted() (*Read, error) {
	in := p.in
	c := converter{in: in, conversion: p.Conversion}
	text := c.clause()
	from := in.place()
	for c.ahead > 0 {
		r, size := in.runeAt(0)
		in.skip(r, size)
		c.ahead -= size
	}
	inner := NewParser(NewTextInput(in.name, text), p.ops, p.flags)
	inner.Positions, inner.Spans = p.Positions, p.Spans
	read, err := inner.Read()
	if err == io.EOF && in.err != nil {
		return nil, in.err
	}
	if e, ok := err.(*Error); ok {
		e.Pos = from.plus(e.Pos.Place).at(in.name)
		return nil, e
	}
	if err != nil {
		return nil, err
	}
	read.Pos = from.plus(read.Pos.Place).at(in.name)
	read.End = in.Position()
	for i := range read.Vars {
		read.Vars[i].Pos = from.plus(read.Vars[i].Pos)
	}
	read.Layout.move(from)
	read.Span.move(from.Offset)
	return read, nil
}

// plus returns the place of q in a text that begins at p.
func (p Place) plus(q Place) Place {
	if q.Line == 1 {
		q.Column += p.Column - 1
	}
	return Place{q.Line + p.Line - 1, q.Column, q.Offset + p.Offset}
}

// move makes the places of a layout those in a text that begins at from.
func (l *Layout) move(from Place) {
	if l == nil {
		return
	}
	for todo := []*Layout{l}; len(todo) > 0; {
		l := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], l.Args...)
		l.Pos = from.plus(l.Pos)
	}
}

// converter takes the text of a clause from an input, converted.
type converter struct {
	in         *Input
	conversion map[rune]rune
	ahead      int // bytes of the input that belong to the clause
	text       []byte
	last       rune // the last character, converted; 0 at the beginning and behind other tokens
}

// next takes the next character, converted or as it is.
func (c *converter) next(convert bool) (r rune, ok bool) {
	r, size := c.in.runeAt(c.ahead)
	if size == 0 {
		return 0, false
	}
	c.ahead += size
	if convert {
		r = c.converted(r)
	}
	c.text = utf8.AppendRune(c.text, r)
	return r, true
}

func (c *converter) converted(r rune) rune {
	if to, ok := c.conversion[r]; ok {
		return to
	}
	return r
}

// clause takes the text up to the end token.
func (c *converter) clause() string {
	for {
		raw, _ := c.in.runeAt(c.ahead)
		before := c.last
		r, ok := c.next(true)
		if !ok {
			break
		}
		c.last = r
		switch {
		case r == '\'' && before == '0':
			c.charCode()
		case r == '\'' || r == '"' || r == '`':
			c.quoted(r, raw != r)
		case r == '%' && classOf(before)&symbol == 0:
			c.until(func(r rune) bool { return r == '\n' })
		case r == '*' && before == '/':
			c.last = 0 // so that /*/ does not end the comment
			c.until(func(r rune) bool { return r == '/' && c.last == '*' })
		case r == '.' && classOf(before)&symbol == 0 && c.atEnd():
			c.text = append(c.text, '\n')
			return string(c.text)
		}
	}
	return string(c.text)
}

// atEnd reports whether what follows a full stop makes it the end token.
func (c *converter) atEnd() bool {
	r, size := c.in.runeAt(c.ahead)
	r = c.converted(r)
	return size == 0 || r == '%' || classOf(r)&layout != 0
}

// charCode takes what follows 0'.
func (c *converter) charCode() {
	if r, _ := c.next(false); r == '\\' || r == '\'' {
		c.next(false)
	}
	c.last = 0
}

// quoted takes the rest of a quoted item. When its quote was made by conversion, so is what stands in it.
func (c *converter) quoted(quote rune, convert bool) {
	for {
		r, ok := c.next(convert)
		if ok && r == '\\' {
			_, ok = c.next(convert)
		} else if r == quote {
			ok = false
		}
		if !ok {
			c.last = 0
			return
		}
	}
}

// until takes the text up to a character.
func (c *converter) until(end func(rune) bool) {
	for {
		r, ok := c.next(false)
		if !ok || end(r) {
			c.last = 0
			return
		}
		c.last = r
	}
}
