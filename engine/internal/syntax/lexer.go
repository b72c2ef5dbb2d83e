package syntax

import (
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the tokens and how they are cut from the text (ISO 13211-1, 6.4). Numbers and quoted items are in
// separate files.

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	tokEOF        tokenKind = iota
	tokEnd                  // the full stop
	tokName                 // an atom without quotes
	tokQuoted               // an atom in quotes
	tokVar                  // a variable
	tokNumber               // an unsigned number
	tokString               // "..."
	tokBackquote            // `...`
	tokOpen                 // (
	tokClose                // )
	tokOpenList             // [
	tokCloseList            // ]
	tokOpenCurly            // {
	tokCloseCurly           // }
	tokComma                // ,
	tokBar                  // |
	tokError                // not a token; err says why
)

// token is a token with its place.
type token struct {
	kind       tokenKind
	functional bool      // ( follows at once
	curly      bool      // { follows a name or a variable at once
	dot        bool      // a full stop that a name follows at once
	apart      bool      // layout stands before it
	text       string    // of names, variables and strings
	term       term.Term // of names and numbers
	at         Place
	end        int    // characters before what follows it, when spans are wanted
	line       int    // byte at which its line begins
	err        *Error // of tokError
}

// mayBegin reports whether a term can begin with t.
func (t *token) mayBegin() bool {
	switch t.kind {
	case tokName, tokQuoted, tokVar, tokNumber, tokString, tokBackquote, tokOpen, tokOpenList, tokOpenCurly:
		return true
	}
	return false
}

func (t *token) isName() bool { return t.kind == tokName || t.kind == tokQuoted }

// describe names the token in a message.
func (t *token) describe() string {
	switch t.kind {
	case tokEOF:
		return "end of file"
	case tokEnd:
		return "end of clause"
	case tokNumber:
		return "a number"
	case tokString, tokBackquote:
		return "a string"
	case tokName, tokVar:
		return t.text
	case tokQuoted:
		return QuoteAtom(term.Atom(t.text))
	case tokError:
		return "an error"
	}
	return show(punctuation[t.kind])
}

var punctuation = [...]string{tokOpen: "(", tokClose: ")", tokOpenList: "[", tokCloseList: "]",
	tokOpenCurly: "{", tokCloseCurly: "}", tokComma: ",", tokBar: "|", tokError: ""}

var punctuationOf = [128]tokenKind{'(': tokOpen, ')': tokClose, '[': tokOpenList, ']': tokCloseList,
	'{': tokOpenCurly, '}': tokCloseCurly, ',': tokComma, '|': tokBar}

// internedName is a text that is interned as a string and as an atom in a Term, so that a repeated name costs no
// allocation.
type internedName struct {
	text string
	term term.Term
}

// maxNames bounds the table of a parser that reads many different names.
const maxNames = 1 << 14

func (p *Parser) intern(text []byte) internedName {
	if n, ok := p.names[string(text)]; ok {
		return n
	}
	s := string(text)
	if p.names == nil {
		p.names = map[string]internedName{}
	} else if len(p.names) >= maxNames {
		clear(p.names)
	}
	n := internedName{s, term.Atom(s)}
	p.names[s] = n
	return n
}

// lex cuts the next token from the input. It fills t in place, as copying a token costs more than reading a short name.
func (p *Parser) lex(t *token) {
	in := p.in
	before := in.Bytes()
	*t = token{}
	if wrong := p.skipLayout(); wrong != nil {
		*t = *wrong
		return
	}
	p.start = in.Bytes()
	t.at, t.line, t.apart = in.place(), in.lineByte, p.start > before
	r, size := in.runeAt(0)
	switch class := classOf(r); {
	case size == 0:
		p.lexEOF(t)
	case class&digit != 0:
		p.lexNumber(t)
	case class&lower != 0:
		p.lexName(t, alnum)
		t.curly = in.byteAt(0) == '{'
	case class&upper != 0:
		p.lexVar(t)
		t.curly = in.byteAt(0) == '{'
	case r == '\'' || r == '"' || r == '`':
		p.lexQuoted(t, byte(r))
	case class&symbol != 0:
		p.lexSymbol(t, r)
		t.curly = t.kind == tokName && in.byteAt(0) == '{'
	case p.flags.Lenient && unicode.IsDigit(r):
		p.lexOtherDigits(t, r)
	default:
		p.lexSolo(t, r, size)
	}
}

func (p *Parser) lexEOF(t *token) {
	t.kind = tokEOF
	if p.in.err != io.EOF {
		p.readErr = p.in.err
	}
}

// lexName cuts a name made up of one class of characters.
func (p *Parser) lexName(t *token, class charClass) {
	t.kind = tokName
	p.setText(t, p.span(0, class))
	t.functional = p.in.byteAt(0) == '('
}

// setText consumes n bytes as the text of the token.
func (p *Parser) setText(t *token, n int) {
	found := p.intern(p.in.buf[p.in.pos : p.in.pos+n])
	t.text, t.term = found.text, found.term
	p.in.advance(n)
}

// span returns the number of bytes from the current one on, at least n, of the class.
func (p *Parser) span(n int, class charClass) int {
	in := p.in
	for {
		buf := in.buf[in.pos:]
		for n < len(buf) && asciiClasses[buf[n]]&class != 0 {
			n++
		}
		if n < len(buf) && buf[n] < utf8.RuneSelf {
			return n
		}
		r, size := in.runeAt(n)
		if size == 0 || classOf(r)&class == 0 {
			return n
		}
		n += size
	}
}

func (p *Parser) lexVar(t *token) {
	if p.flags.VarPrefix && p.in.byteAt(0) != '_' {
		p.lexName(t, alnum)
		return
	}
	p.lexName(t, alnum)
	t.kind = tokVar
}

// lexSymbol cuts a symbol atom or the end token: a full stop followed by layout, a comment or the
// end of the text. Only the stop itself is consumed.
func (p *Parser) lexSymbol(t *token, r rune) {
	if r == '.' {
		next, size := p.in.runeAt(1)
		if size == 0 || next == '%' || classOf(next)&layout != 0 {
			t.kind = tokEnd
			p.in.advance(1)
			return
		}
	}
	p.lexName(t, symbol)
	if t.text == "." {
		next, _ := p.in.runeAt(0)
		t.dot = classOf(next)&alnum != 0
	}
}

// lexSolo cuts a token of one character.
func (p *Parser) lexSolo(t *token, r rune, size int) {
	switch {
	case r == '!' || r == ';':
		t.kind = tokName
		p.setText(t, 1)
		t.functional = p.in.byteAt(0) == '('
	case r < utf8.RuneSelf && punctuationOf[r] != 0:
		t.kind = punctuationOf[r]
		p.in.advance(1)
		t.functional = (r == ']' || r == '}') && p.in.byteAt(0) == '('
	default:
		message := "illegal character " + describeRune(r)
		if p.in.isUTF16(r) {
			message = "the text is UTF-16" + wantUTF8
		} else if r == utf8.RuneError && size == 1 {
			message = notUTF8(p.in.byteAt(0))
		}
		p.in.skip(r, size)
		p.fail(t, illegalCharacter, message)
	}
}

// skipLayout consumes white space and comments; it returns a token when a comment does not end.
func (p *Parser) skipLayout() *token {
	in := p.in
	for {
		b := in.byteAt(0)
		switch {
		case b == '\n':
			in.skip('\n', 1)
		case asciiClasses[b]&layout != 0:
			in.pos++
		case b == '%':
			at, from := in.place(), in.Bytes()
			p.skipLine()
			p.noteComment(at, from)
		case b == '/' && in.byteAt(1) == '*':
			if t := p.skipComment(); t != nil {
				return t
			}
		case b == '#' && in.Bytes() == 0 && in.byteAt(1) == '!': // how a script begins
			p.skipLine()
		default:
			r, size := in.runeAt(0)
			if r == '\uFEFF' && in.Bytes() == 0 {
				in.skipBOM()
			} else if size > 1 && classOf(r)&layout != 0 {
				in.skip(r, size)
			} else {
				return nil
			}
		}
	}
}

// skipLine consumes the rest of the line, not its newline.
func (p *Parser) skipLine() {
	in := p.in
	for in.need(1) {
		n := 0
		rest := in.buf[in.pos:]
		for n < len(rest) && rest[n] != '\n' {
			n++
		}
		in.advance(n)
		if n < len(rest) {
			return
		}
	}
}

// skipComment consumes a block comment, or everything when it does not end.
func (p *Parser) skipComment() *token {
	in := p.in
	from := in.Bytes()
	p.start = from
	t := &token{at: in.place(), line: in.lineByte}
	source := p.lineOf(t)
	start := *in
	in.pos += 2
	open := 1
	for {
		r, size := in.runeAt(0)
		if p.recovering && (size == 0 || len(p.nested) > 0) { // it seems not to be closed
			p.again += in.Bytes() - from
			in.back(&start)
			p.nested = nil
			p.skipLine()
			return nil
		}
		if size == 0 {
			p.fail(t, openComment, "the comment that begins here is not closed by */")
			t.err.Incomplete, t.err.SourceLine = true, source
			return t
		}
		if r == '/' && in.byteAt(1) == '*' {
			if p.flags.SWI {
				in.pos += 2
				open++
				continue
			}
			p.nested = append(p.nested, in.place())
		}
		in.skip(r, size)
		if r == '*' && in.byteAt(0) == '/' {
			in.pos++
			if open--; open == 0 {
				p.noteComment(t.at, from)
				return nil
			}
		}
	}
}

// noteComment stores the comment from a place and a byte up to here, if comments are wanted.
func (p *Parser) noteComment(at Place, from int) {
	if p.Comments && p.in.mark >= 0 {
		p.comments = append(p.comments, Comment{at, string(p.in.buf[from-p.in.base : p.in.pos])})
	}
}

// fail turns t into an error token.
func (p *Parser) fail(t *token, formal term.Term, msg string) {
	t.kind = tokError
	t.err = p.errorAt(t, formal, msg)
}

// errorAt makes the error of a token.
func (p *Parser) errorAt(t *token, formal term.Term, msg string) *Error {
	return &Error{Pos: t.at.at(p.in.name), Msg: msg, Formal: formal, SourceLine: p.lineOf(t)}
}

func (p *Parser) lineOf(t *token) string { return p.in.lineAt(t.line) }

// notUTF8 says that a byte is not part of valid UTF-8.
func notUTF8(b byte) string {
	return fmt.Sprintf("the byte 0x%02X is not UTF-8: the text seems to be in another encoding, such as Latin-1", b) +
		wantUTF8
}

const wantUTF8 = "; texts are read as UTF-8, so save it as UTF-8"

// describeRune shows a character in a message, by its number when it is not a printing one.
func describeRune(r rune) string {
	if printing(r) {
		return string(r)
	}
	return fmt.Sprintf("%U", r)
}

// This part defines the character classes of the lexer and the writer (ISO 13211-1, 6.5, extended to Unicode).

// charClass is a set of the classes below.
type charClass uint8

const (
	alnum  charClass = 1 << iota // letters, digits and _
	digit                        // 0-9
	lower                        // begins an atom
	upper                        // begins a variable
	symbol                       // makes up symbol atoms such as =..
	layout                       // white space
)

// asciiClasses holds the classes of the bytes. Bytes of longer characters have the class 0.
var asciiClasses = makeClasses()

func makeClasses() (t [256]charClass) {
	set := func(chars string, c charClass) {
		for i := 0; i < len(chars); i++ {
			t[chars[i]] |= c
		}
	}
	set("abcdefghijklmnopqrstuvwxyz", alnum|lower)
	set("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", alnum|upper)
	set("0123456789", alnum|digit)
	set("#$&*+-./:<=>?@^~\\", symbol)
	set(" \t\n\r\v\f", layout)
	return t
}

// classOf returns the classes of any character. A letter without case begins an atom.
func classOf(r rune) charClass {
	switch {
	case r < utf8.RuneSelf:
		return asciiClasses[r]
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return alnum | upper
	case unicode.IsLetter(r) || unicode.Is(unicode.Nl, r):
		return alnum | lower
	case unicode.IsMark(r) || unicode.IsDigit(r) || unicode.Is(unicode.Pc, r):
		return alnum
	case r == utf8.RuneError:
		return 0
	case unicode.IsSpace(r):
		return layout
	case unicode.IsSymbol(r) || unicode.IsPunct(r):
		return symbol
	}
	return 0
}

// digitValue is the value of an ASCII letter or digit as a digit, 99 for other bytes.
func digitValue(b byte) int {
	switch {
	case '0' <= b && b <= '9':
		return int(b - '0')
	case 'a' <= b && b <= 'z':
		return int(b-'a') + 10
	case 'A' <= b && b <= 'Z':
		return int(b-'A') + 10
	}
	return 99
}

// IsSymbol reports whether a character makes up names such as =.. .
func IsSymbol(r rune) bool { return classOf(r)&symbol != 0 }

// This part defines reading under char_conversion/2 (ISO 13211-1, 3.46 and 8.14.5): characters outside quotes are
// converted before they are cut into tokens. This is rare, so the text of the next clause is converted as a whole and
// read by a separate parser.

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

// move makes the places of a layout relative to a text that begins at from.
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
	last       rune // the last character, converted; 0 at the beginning and after other tokens
}

// next takes the next character, converted or unchanged.
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

// atEnd reports whether the next character makes a full stop the end token.
func (c *converter) atEnd() bool {
	r, size := c.in.runeAt(c.ahead)
	r = c.converted(r)
	return size == 0 || r == '%' || classOf(r)&layout != 0
}

// charCode takes the text after 0'.
func (c *converter) charCode() {
	if r, _ := c.next(false); r == '\\' || r == '\'' {
		c.next(false)
	}
	c.last = 0
}

// quoted takes the rest of a quoted item. If its quote was made by conversion, its content is converted too.
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
