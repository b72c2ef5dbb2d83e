package feel

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// This file defines the tokens of FEEL. Names may contain spaces and signs. So the lexer has to know the names that
// an expression may use.

// kind is the kind of a token.
type kind uint8

const (
	kindEnd kind = iota
	kindValue
	kindName
	kindWord // a keyword or an operator
)

// token is one token. text is set for a name, a keyword or an operator.
type token struct {
	kind  kind
	text  string
	value term.Term
	at    int // offset
}

// keywords are the names that stand for no value.
var keywords = map[string]bool{"if": true, "then": true, "else": true, "for": true, "in": true, "return": true,
	"some": true, "every": true, "satisfies": true, "and": true, "or": true, "between": true, "function": true,
	"instance": true, "of": true}

// operators holds the signs of the language. An operator stands before those that it begins with.
var operators = []string{"..", "**", "!=", "<=", ">=", "->", "+", "-", "*", "/", "=", "<", ">", "(", ")", "[", "]", "{",
	"}", ",", ".", ":", "?"}

// misspelt maps signs of other languages to those of FEEL.
var misspelt = map[string]string{"=<": "<=", "=>": ">=", "==": "=", "≤": "<=", "≥": ">=", "≠": "!="}

// fail ends parsing with an error at an offset. Parse recovers it.
func (p *parser) fail(at int, message string) {
	panic(&Error{Offset: at, Message: message})
}

// next reads the next token.
func (p *parser) next() {
	p.blanks()
	p.last, p.tok = p.tok, token{at: p.pos}
	rest := p.text[p.pos:]
	r, _ := utf8.DecodeRuneInString(rest)
	switch {
	case rest == "":
	case r >= '0' && r <= '9', r == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		p.number(rest)
	case r == '"':
		p.tok.kind, p.tok.value = kindValue, p.scope.Text(p.quoted())
	case r == '@':
		p.pos++
		if !strings.HasPrefix(p.text[p.pos:], `"`) {
			p.fail(p.tok.at, `a text in quotes was expected behind @`)
		}
		text := p.quoted()
		value, ok := p.temporal(text)
		if !ok {
			p.fail(p.tok.at, `"`+text+`"`+NoTemporal)
		}
		p.tok.kind, p.tok.value = kindValue, value
	case isNameStart(r):
		p.name(rest)
	default:
		for wrong, meant := range misspelt {
			if strings.HasPrefix(rest, wrong) {
				p.fail(p.pos, wrong+" is no operator; write "+meant)
			}
		}
		for _, op := range operators {
			if strings.HasPrefix(rest, op) {
				p.tok.kind, p.tok.text = kindWord, op
				p.pos += len(op)
				return
			}
		}
		p.fail(p.pos, "unexpected "+string(r))
	}
}

// blanks passes over white space and comments.
func (p *parser) blanks() {
	for p.pos < len(p.text) {
		rest := p.text[p.pos:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(r) || r == '\uFEFF':
			p.pos += size
		case strings.HasPrefix(rest, "//"):
			line, _, _ := strings.Cut(rest, "\n")
			p.pos += len(line)
		case strings.HasPrefix(rest, "/*"):
			comment, _, ok := strings.Cut(rest[2:], "*/")
			if !ok {
				p.fail(p.pos, "the comment has no end")
			}
			p.pos += len(comment) + 4
		default:
			return
		}
	}
}

// maxDigits bounds the digits of a number and its exponent.
const maxDigits = 1000

// plainTemporal matches a text that looks like a date or a time without quotes.
var plainTemporal = lazyregexp.New(`^(?:\d{4}-\d\d-\d\d(?:T[\d:]*)?|\d\d:\d[\d:]*)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?`)

// NoTemporal ends the message about such a text that is no date, time or duration.
const NoTemporal = " is no date, time or duration"

// number reads a number. If the scope is Plain, it also reads a date, a time, or a date with a time.
func (p *parser) number(rest string) {
	p.tok.kind = kindValue
	if text := plainTemporal().FindString(rest); text != "" && p.scope.Plain {
		value, ok := p.temporal(text)
		if !ok {
			p.fail(p.pos, text+NoTemporal)
		}
		p.tok.value, p.pos = value, p.pos+len(text)
		return
	}
	end := digits(rest, 0)
	if end+1 < len(rest) && rest[end] == '.' && isDigit(rest[end+1]) {
		end = digits(rest, end+1)
	}
	exponent := 0
	if end < len(rest) && (rest[end] == 'e' || rest[end] == 'E') {
		at := end + 1
		if at < len(rest) && (rest[at] == '-' || rest[at] == '+') {
			at++
		}
		if to := digits(rest, at); to > at {
			for _, c := range rest[at:to] {
				exponent = min(exponent*10+int(c-'0'), maxDigits+1)
			}
			end = to
		}
	}
	r, ok := new(big.Rat).SetString(rest[:end])
	if end > maxDigits || exponent > maxDigits || !ok {
		p.fail(p.pos, "the number has too many digits")
	}
	p.tok.value, p.pos = Number(r), p.pos+end
}

// Number returns a rational number as a term, which is an integer if the number is one.
func Number(r *big.Rat) term.Term {
	if r.IsInt() {
		return term.NewInt(new(big.Int).Set(r.Num()))
	}
	return term.NewRational(r)
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// digits returns the end of the digits that begin at an offset.
func digits(s string, at int) int {
	for at < len(s) && isDigit(s[at]) {
		at++
	}
	return at
}

// quoted reads a text in quotes.
func (p *parser) quoted() string {
	var b strings.Builder
	at := p.pos
	for i := at + 1; i < len(p.text); i++ {
		switch c := p.text[i]; c {
		case '"':
			p.pos = i + 1
			return strings.ToValidUTF8(b.String(), "\uFFFD")
		case '\\':
			i++
			if i < len(p.text) {
				i = p.escape(&b, i)
			}
		default:
			b.WriteByte(c)
		}
	}
	p.fail(at, "the text has no closing quote")
	return ""
}

// escapes maps the character behind a backslash to the character that both stand for.
var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', '"': '"', '\'': '\'', '\\': '\\', 'b': '\b', 'f': '\f'}

// escape reads an escape sequence behind its backslash. It returns the offset of the last byte. Two \u of a surrogate
// pair give one character.
func (p *parser) escape(b *strings.Builder, i int) int {
	c := p.text[i]
	n := map[byte]int{'u': 4, 'U': 6}[c]
	code, ok := hex(p.text, i+1, n)
	switch {
	case n > 0 && ok:
		if low, isPair := hex(p.text, i+n+3, 4); isPair && code>>10 == 0xD800>>10 && strings.HasPrefix(p.text[i+n+1:], `\u`) {
			b.WriteRune((code-0xD800)<<10 + (low - 0xDC00) + 0x10000)
			return i + n + 6
		}
		b.WriteRune(code)
		return i + n
	case escapes[c] != 0:
		b.WriteByte(escapes[c])
	default: // a backslash of a pattern
		b.WriteByte('\\')
		b.WriteByte(c)
	}
	return i
}

// hex reads n hexadecimal digits at an offset.
func hex(s string, at, n int) (code rune, ok bool) {
	if n == 0 || at+n > len(s) {
		return 0, false
	}
	for _, c := range []byte(s[at : at+n]) {
		d := strings.IndexByte("0123456789abcdef", c|0x20&(c>>1))
		if d < 0 {
			return 0, false
		}
		code = code<<4 | rune(d)
	}
	return code, true
}

func isNameStart(r rune) bool { return r == '_' || r == '?' || unicode.IsLetter(r) || r > 0xFFFF }

func isNamePart(r rune) bool {
	return isNameStart(r) && r != '?' || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || r == '\''
}

// name reads a name or a keyword: the longest known name, or else one word.
func (p *parser) name(rest string) {
	if rest[0] == '?' {
		p.tok.kind, p.tok.text, p.pos = kindWord, "?", p.pos+1
		return
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return !isNamePart(r) })
	if end < 0 {
		end = len(rest)
	}
	p.tok.kind, p.tok.text = kindName, rest[:end]
	if n, name := p.longest(rest); n >= end {
		p.tok.text, p.pos = name, p.pos+n
		return
	}
	if keywords[p.tok.text] {
		p.tok.kind = kindWord
	}
	p.pos += end
}

// longest returns the longest known name that a text begins with, and its length in the text in bytes.
func (p *parser) longest(rest string) (n int, name string) {
	try := func(known string) {
		if m := matches(known, rest); m > n {
			n, name = m, known
		}
	}
	for known := range p.names {
		try(known)
	}
	for known := range p.scope.Functions {
		try(known)
	}
	for known := range p.scope.Members {
		try(known)
	}
	if p.last.kind == kindWord && p.last.text == "." {
		try("start included")
		try("end included")
		try("time offset")
	}
	for _, known := range spacedFunctions {
		if m := matches(known, rest); m > n && strings.HasPrefix(strings.TrimLeft(rest[m:], " \t\r\n"), "(") {
			n, name = m, known
		}
	}
	return n, name
}

// matches returns the number of bytes that a name takes at the beginning of a text, 0 if the text does not begin with
// it. A blank of the name matches any white space.
func matches(name, text string) int {
	at := 0
	for i, r := range name {
		if unicode.IsSpace(r) {
			blank := len(text[at:]) - len(strings.TrimLeftFunc(text[at:], unicode.IsSpace))
			if blank == 0 {
				return 0
			}
			at += blank
			continue
		}
		if !strings.HasPrefix(text[at:], name[i:i+utf8.RuneLen(r)]) {
			return 0
		}
		at += utf8.RuneLen(r)
	}
	last, _ := utf8.DecodeLastRuneInString(name)
	if next, _ := utf8.DecodeRuneInString(text[at:]); at < len(text) && isNamePart(last) && isNamePart(next) {
		return 0
	}
	return at
}
