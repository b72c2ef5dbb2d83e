package syntax

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines quoted items and escape sequences (ISO 13211-1, 6.4.2.1). It also defines how atoms and strings are
// quoted.

// maxRewinds bounds how often a parser goes back after an item that is never closed, since each time the rest of the
// text is scanned.
const maxRewinds = 16

// noRune is the result of an escape sequence for no character, such as \ newline.
const noRune = -1

var quotedNames = map[byte]string{'\'': "quoted atom", '"': "string", '`': "back-quoted string"}

// lexQuoted cuts a quoted item.
func (p *Parser) lexQuoted(t *token, quote byte) {
	t.kind = tokQuoted
	if quote == '"' {
		t.kind = tokString
	} else if quote == '`' {
		t.kind = tokBackquote
	}
	start := *p.in
	p.in.pos++
	text, problem := p.quotedText(t, quote)
	switch {
	case problem != nil:
		p.fail(t, problem.formal, problem.msg)
		p.synced = text == nil && endsClause(t.err.SourceLine)
	case text == nil:
		p.fail(t, term.New("end_of_file_in_quoted", term.Atom(string(rune(quote)))),
			"the "+quotedNames[quote]+" that begins here is not closed")
		t.err.Incomplete = true
		if p.rewind(&start) {
			p.synced = endsClause(t.err.SourceLine)
		}
	default:
		p.setQuoted(t, text)
	}
	if t.kind != tokError && p.in.line != start.line {
		p.spanned = spanned{start: t.at, what: quotedNames[quote], input: start, end: p.in.Line()}
	}
}

// spanned is a quoted item over several lines.
type spanned struct {
	start Place
	what  string
	input Input // where it begins
	end   int   // the line in which it ends
}

// setQuoted gives the token its text.
func (p *Parser) setQuoted(t *token, text []byte) {
	if t.kind == tokQuoted {
		n := p.intern(text)
		t.text, t.term = n.text, n.term
		next := p.in.byteAt(0)
		t.functional, t.curly = next == '(', next == '{'
		return
	}
	t.text = string(text)
}

// rewind goes back to the end of the line in which an unclosed item began, so that the clauses after it are read. It
// does so at most maxRewinds times.
func (p *Parser) rewind(start *Input) bool {
	if p.rewinds++; p.rewinds > maxRewinds {
		return false
	}
	p.in.back(start)
	p.skipLine()
	return true
}

// endsClause reports whether a line with an unclosed item looks like the end of its clause.
func endsClause(line string) bool { return strings.HasSuffix(strings.TrimSpace(line), ".") }

// quotedText returns the text before the closing quote and consumes the quote. It returns nil if the input ends before
// the quote, or with a problem if a quoted atom breaks off at the end of its line. After other problems it continues to
// the quote.
func (p *Parser) quotedText(t *token, quote byte) (text []byte, problem *flaw) {
	n, plain := p.plainSpan(quote)
	text = p.in.buf[p.in.pos : p.in.pos+n]
	if plain && utf8.Valid(text) { // nothing to translate: the text is the buffer's
		p.in.advance(n)
		p.in.pos++
		return text, nil
	}
	buf := p.scratch[:0]
	defer func() { p.scratch = buf[:0] }()
	relaxed := p.flags.Lenient || quote != '\''
	for {
		r, size := p.in.runeAt(0)
		if size == 0 {
			return nil, nil
		}
		place := p.in.place()
		p.in.skip(r, size)
		var bad *flaw
		switch {
		case r == utf8.RuneError && size == 1:
			bad = &flaw{illegalCharacter, notUTF8(p.in.buf[p.in.pos-1])}
		case r == rune(quote) && p.in.byteAt(0) != quote:
			if buf == nil {
				buf = []byte{}
			}
			return buf, problem
		case r == rune(quote):
			p.in.pos++
		case r == '\\':
			r, bad = p.escape(relaxed)
		case r == '\n' && !relaxed:
			return nil, &flaw{newlineInQuoted,
				"the quoted atom that begins here is not closed in its line: a newline is written \\n in it"}
		case r == '\t' && !relaxed:
			bad = &flaw{illegalCharacter, "a tab in a quoted atom is written \\t"}
		}
		if bad != nil && problem == nil {
			problem = &flaw{bad.formal, bad.msg + t.inside(place)}
		} else if r >= 0 {
			buf = utf8.AppendRune(buf, r)
		}
	}
}

// inside sets the place of a problem in the item t.
func (t *token) inside(p Place) string {
	if p.Line == t.at.Line {
		return fmt.Sprintf(" (column %d)", p.Column)
	}
	return fmt.Sprintf(" (%d:%d)", p.Line, p.Column)
}

// plainSpan returns the number of bytes up to the closing quote when there is nothing between that
// needs translation or an error.
func (p *Parser) plainSpan(quote byte) (n int, plain bool) {
	for {
		b := p.in.byteAt(n)
		if b == quote {
			return n, p.in.byteAt(n+1) != quote
		}
		if b < ' ' || b == '\\' {
			return n, false
		}
		n++
	}
}

var simpleEscapes = [128]rune{'a': 7, 'b': 8, 'f': 12, 'n': 10, 'r': 13, 't': 9, 'v': 11, '\\': '\\', '\'': '\'',
	'"': '"', '`': '`'}

// escape translates the escape sequence whose backslash has been consumed. Relaxed adds
// SWI-Prolog's \e, \s, \c and the numeric forms without a closing backslash.
func (p *Parser) escape(relaxed bool) (r rune, problem *flaw) {
	in := p.in
	c, size := in.runeAt(0)
	if size == 0 {
		return noRune, nil
	}
	if c < utf8.RuneSelf && simpleEscapes[c] != 0 {
		in.pos++
		return simpleEscapes[c], nil
	}
	switch {
	case c == '\n':
		in.skip(c, 1)
		return noRune, nil
	case c == '\r' && in.byteAt(1) == '\n':
		in.pos++
		in.skip('\n', 1)
		return noRune, nil
	case '0' <= c && c <= '7':
		return p.closedEscape(8, relaxed)
	case c == 'x' && digitValue(in.byteAt(1)) < 16:
		in.pos++
		return p.closedEscape(16, relaxed)
	case c == 'u':
		in.pos++
		return p.fixedEscape(4)
	case c == 'U':
		in.pos++
		return p.fixedEscape(8)
	case relaxed && (c == 'e' || c == 's' || c == 'c'):
		in.pos++
		return p.relaxedEscape(c), nil
	}
	if c != ' ' && c != '\t' {
		in.skip(c, size)
	}
	return noRune, &flaw{term.New("undefined_char_escape", term.Atom(string(c))),
		"undefined escape sequence \\" + describeRune(c)}
}

// relaxedEscape translates \e, \s and \c, which skips white space.
func (p *Parser) relaxedEscape(c rune) rune {
	switch c {
	case 'e':
		return 27
	case 's':
		return ' '
	}
	for {
		r, size := p.in.runeAt(0)
		if size == 0 || classOf(r)&layout == 0 {
			return noRune
		}
		p.in.skip(r, size)
	}
}

// closedEscape translates digits that end in a backslash.
func (p *Parser) closedEscape(base int, relaxed bool) (rune, *flaw) {
	v := 0
	for digitValue(p.in.byteAt(0)) < base {
		v = min(v*base+digitValue(p.in.byteAt(0)), utf8.MaxRune+1)
		p.in.pos++
	}
	if p.in.byteAt(0) == '\\' {
		p.in.pos++
	} else if !relaxed {
		return noRune, &flaw{term.New("undefined_char_escape", term.Atom("x")),
			"a numeric escape sequence must be closed by \\"}
	}
	return checkRune(v)
}

// fixedEscape translates a fixed number of hexadecimal digits.
func (p *Parser) fixedEscape(digits int) (rune, *flaw) {
	v := 0
	for range digits {
		d := digitValue(p.in.byteAt(0))
		if d >= 16 {
			return noRune, &flaw{illegalUnicode, "\\u needs 4 and \\U 8 hexadecimal digits"}
		}
		v = min(v*16+d, utf8.MaxRune+1)
		p.in.pos++
	}
	return checkRune(v)
}

func checkRune(v int) (rune, *flaw) {
	if v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
		return noRune, &flaw{illegalCode, "an escape sequence with an illegal character code"}
	}
	return rune(v), nil
}

// NeedsQuote reports whether writeq/1 puts a into quotes.
func NeedsQuote(a term.Atom) bool {
	switch a {
	case "":
		return true
	case term.Nil, term.Curly, "!", ";":
		return false
	}
	first, _ := utf8.DecodeRuneInString(string(a))
	switch class := classOf(first); {
	case class&lower != 0:
		return !only(string(a), alnum)
	case class&symbol != 0:
		return a == "." || strings.HasPrefix(string(a), "/*") || !only(string(a), symbol)
	}
	return true
}

// only reports whether all characters of s are of the class.
func only(s string, class charClass) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return onlyRunes(s[i:], class)
		}
		if asciiClasses[s[i]]&class == 0 {
			return false
		}
	}
	return true
}

func onlyRunes(s string, class charClass) bool {
	for _, r := range s {
		if classOf(r)&class == 0 {
			return false
		}
	}
	return true
}

// QuoteAtom returns the text of a as writeq/1 writes it.
func QuoteAtom(a term.Atom) string {
	if !NeedsQuote(a) {
		return string(a)
	}
	return string(appendQuoted(nil, string(a), '\'', unicode.MaxRune))
}

// doubleQuotes puts s in quotes without escape sequences.
func doubleQuotes(s, quote string) string {
	return quote + strings.ReplaceAll(s, quote, quote+quote) + quote
}

var escapeLetters = [128]byte{7: 'a', 8: 'b', 12: 'f', 10: 'n', 13: 'r', 9: 't', 11: 'v', '\\': '\\'}

// beyond reports whether s has a character larger than r.
func beyond(s string, r rune) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c > r })
}

// appendQuoted appends s in quotes, with escapes for the quote, for unprintable characters and for characters above a
// limit.
func appendQuoted(buf []byte, s string, quote byte, largest rune) []byte {
	buf = append(buf, quote)
	for _, r := range s {
		switch {
		case r == rune(quote):
			buf = append(buf, '\\', quote)
		case r < utf8.RuneSelf && escapeLetters[r] != 0:
			buf = append(buf, '\\', escapeLetters[r])
		case printing(r) && r <= largest:
			buf = utf8.AppendRune(buf, r)
		default:
			buf = append(buf, hexEscape(r)...)
		}
	}
	return append(buf, quote)
}

// printing reports whether r is visible when it is written.
func printing(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= ' ' && r != 127
	}
	return unicode.IsGraphic(r) && (!unicode.IsSpace(r))
}

func hexEscape(r rune) string { return fmt.Sprintf(`\x%X\`, r) }
