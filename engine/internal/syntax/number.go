package syntax

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the syntax of numbers (ISO 13211-1, 6.4.4 and 6.4.5, with SWI-Prolog's
// digit groups, special floats and radix notation).

// maxSmallDigits is the number of decimal digits that always fit in an int64.
const maxSmallDigits = 18

// lexNumber cuts an unsigned number.
func (p *Parser) lexNumber(t *token) {
	t.kind = tokNumber
	if p.in.byteAt(0) == '0' && p.lexSpecialInteger(t) {
		return
	}
	n, grouped := p.digits(0, 10)
	if p.lexRadix(t, n) {
		return
	}
	if end, special := p.floatEnd(n); end > n && !(grouped && p.in.byteAt(n) != '.') {
		p.setFloat(t, end, special)
		return
	}
	if mark := p.in.byteAt(n); mark == 'r' || mark == '/' && p.flags.NaturalRationals {
		if digitValue(p.in.byteAt(n+1)) < 10 {
			end, _ := p.digits(n+1, 10)
			p.setRational(t, n, end)
			return
		}
	}
	p.setInteger(t, 0, n, 10, grouped)
}

// setRational sets the token to the rational number in the text up to end. The numerator ends at n, the place of the
// mark.
func (p *Parser) setRational(t *token, n, end int) {
	text := p.in.buf[p.in.pos : p.in.pos+end]
	numerator := bignum.Parse(ungrouped.Replace(string(text[:n])), 10, p.Meter)
	denominator := bignum.Parse(ungrouped.Replace(string(text[n+1:])), 10, p.Meter)
	p.in.consumeNumber(end)
	if denominator.Sign() == 0 {
		p.fail(t, illegalNumber, "the denominator of a rational number is zero")
		return
	}
	q := bignum.Reduced(numerator, denominator, p.Meter)
	t.term = term.NewRational(q)
	if most := p.flags.MaxRational; most > 0 && !q.IsInt() && bignum.RatioBytes(q) > most {
		p.fail(t, term.New("resource_error", term.New("tripwire", term.Atom("max_rational_size"), t.term)),
			"the rational number takes too many bytes")
	}
}

// digits returns the end of the digits that begin at n. Between two digits a _ with the layout that follows it is
// skipped, and one blank if the base is 10 or less, so that 1_000_000 and 1 000 000 are a million; grouped says that
// there was one.
func (p *Parser) digits(n, base int) (end int, grouped bool) {
	in := p.in
	for {
		for digitValue(in.byteAt(n)) < base {
			n++
		}
		next := n
		switch in.byteAt(n) {
		case '_':
			next++
			for b := in.byteAt(next); b == ' ' || b == '\t' || b == '\n' || b == '\r'; b = in.byteAt(next) {
				next++
			}
		case ' ':
			if base <= 10 && p.flags.Lenient {
				next++
			}
		}
		if next == n || digitValue(in.byteAt(next)) >= base {
			return n, grouped
		}
		n, grouped = next, true
	}
}

// ungrouped removes the separators of digit groups.
var ungrouped = strings.NewReplacer("_", "", " ", "", "\t", "", "\n", "", "\r", "")

// consumeNumber consumes the text of a number, whose digit groups may be on several lines.
func (in *Input) consumeNumber(end int) {
	for range end {
		in.skip(rune(in.buf[in.pos]), 1)
	}
}

// lexOtherDigits cuts a number written in the digits of another script, all of one kind.
func (p *Parser) lexOtherDigits(t *token, first rune) {
	t.kind = tokNumber
	zero := zeroOf(first)
	text, n := p.otherDigits(nil, 0, zero)
	isFloat := false
	if more, end := p.otherDigits(append(text, '.'), n+1, zero); p.in.byteAt(n) == '.' && end > n+1 {
		text, n, isFloat = more, end, true
	}
	if b := p.in.byteAt(n); b == 'e' || b == 'E' {
		from, mark := n+1, []byte{'e'}
		if sign := p.in.byteAt(from); sign == '+' || sign == '-' {
			from, mark = from+1, append(mark, sign)
		}
		if more, end := p.otherDigits(append(text, mark...), from, zero); end > from {
			text, n, isFloat = more, end, true
		}
	}
	p.in.advance(n)
	if !isFloat {
		t.term = term.NewInt(bignum.Parse(string(text), 10, p.Meter))
		return
	}
	p.parseFloat(t, string(text))
}

// otherDigits appends the digits from n on, whose zero is given, as ASCII to text and returns where they end.
func (p *Parser) otherDigits(text []byte, n int, zero rune) ([]byte, int) {
	for {
		r, size := p.in.runeAt(n)
		if size == 0 || r < zero || r > zero+9 {
			return text, n
		}
		text = append(text, byte('0'+r-zero))
		n += size
	}
}

// zeroOf returns the zero of the script of a decimal digit. The digits of a script are consecutive.
func zeroOf(r rune) rune {
	for _, of := range unicode.Nd.R16 {
		if rune(of.Lo) <= r && r <= rune(of.Hi) {
			return r - (r-rune(of.Lo))%10
		}
	}
	for _, of := range unicode.Nd.R32 {
		if rune(of.Lo) <= r && r <= rune(of.Hi) {
			return r - (r-rune(of.Lo))%10
		}
	}
	return r
}

// lexSpecialInteger cuts 0'c, 0x1F, 0o17 and 0b11.
func (p *Parser) lexSpecialInteger(t *token) bool {
	base := 0
	switch p.in.byteAt(1) {
	case '\'':
		return p.lexCharCode(t)
	case 'x':
		base = 16
	case 'o':
		base = 8
	case 'b':
		base = 2
	}
	if base == 0 || digitValue(p.in.byteAt(2)) >= base {
		return false
	}
	end, grouped := p.digits(2, base)
	p.setInteger(t, 2, end, base, grouped)
	return true
}

// lexRadix cuts 16'FF, which ISO reads as 16 followed by a quoted atom.
func (p *Parser) lexRadix(t *token, n int) bool {
	in := p.in
	if !p.flags.Lenient || n > 2 || in.byteAt(n) != '\'' {
		return false
	}
	base, err := strconv.Atoi(string(in.buf[in.pos : in.pos+n]))
	if err != nil || base < 2 || base > 36 || digitValue(in.byteAt(n+1)) >= base {
		return false
	}
	end, grouped := p.digits(n+1, base)
	if asciiClasses[in.byteAt(end)]&alnum != 0 || in.byteAt(end) == '\'' {
		return false
	}
	p.setInteger(t, n+1, end, base, grouped)
	return true
}

// setInteger sets the token to the integer of the digits from start to end.
func (p *Parser) setInteger(t *token, start, end, base int, grouped bool) {
	text := p.in.buf[p.in.pos+start : p.in.pos+end]
	if base == 10 && len(text) <= maxSmallDigits && !grouped {
		var v int64
		for _, d := range text {
			v = v*10 + int64(d-'0')
		}
		t.term = term.Int(v)
		p.in.pos += end
		return
	}
	t.term = term.NewInt(bignum.Parse(ungrouped.Replace(string(text)), base, p.Meter))
	p.in.consumeNumber(end)
}

// floatEnd returns where the float ends whose integer part ends at n, or n when it is no
// float. Special is I for 1.0Inf and N for 1.5NaN, else 0.
func (p *Parser) floatEnd(n int) (end int, special byte) {
	in := p.in
	if in.byteAt(n) != '.' || digitValue(in.byteAt(n+1)) > 9 {
		return p.integerExponent(n), 0
	}
	n += 2
	for digitValue(in.byteAt(n)) <= 9 {
		n++
	}
	if in.byteAt(n) == 'I' && in.byteAt(n+1) == 'n' && in.byteAt(n+2) == 'f' {
		return n + 3, 'I'
	}
	if in.byteAt(n) == 'N' && in.byteAt(n+1) == 'a' && in.byteAt(n+2) == 'N' {
		return n + 3, 'N'
	}
	return p.exponentEnd(n), 0
}

// exponentEnd returns the end of the exponent at n, or n when there is none.
func (p *Parser) exponentEnd(n int) int {
	e := n
	if b := p.in.byteAt(e); b != 'e' && b != 'E' {
		return n
	}
	e++
	if b := p.in.byteAt(e); b == '+' || b == '-' {
		e++
	}
	if digitValue(p.in.byteAt(e)) > 9 {
		return n
	}
	for digitValue(p.in.byteAt(e)) <= 9 {
		e++
	}
	return e
}

// integerExponent accepts 1e10 as a float. ISO reads an integer and a name there, which
// makes sense only when the name is an operator.
func (p *Parser) integerExponent(n int) int {
	end := p.exponentEnd(n)
	if end == n || p.in.byteAt(n) == 'E' && !p.flags.Lenient {
		return n
	}
	nameEnd := p.span(n, alnum)
	operator := term.Atom(p.in.buf[p.in.pos+n : p.in.pos+nameEnd])
	if p.ops.Is(operator) {
		return n
	}
	return end
}

// setFloat sets the token to the float in the text up to end.
func (p *Parser) setFloat(t *token, end int, special byte) {
	text := ungrouped.Replace(string(p.in.buf[p.in.pos : p.in.pos+end]))
	p.in.consumeNumber(end)
	switch special {
	case 'I':
		t.term = term.Float(math.Inf(1))
		return
	case 'N':
		t.term = term.Float(math.NaN())
		return
	}
	p.parseFloat(t, text)
}

// parseFloat sets the token to the float that a text denotes.
func (p *Parser) parseFloat(t *token, text string) {
	f, err := strconv.ParseFloat(text, 64)
	if errors.Is(err, strconv.ErrRange) && math.IsInf(f, 0) {
		p.fail(t, floatOverflow, "the number is too large for a float")
		return
	}
	t.term = term.Float(f)
}

// lexCharCode cuts 0'c. The quote must be doubled or escaped; 0' before anything else is the
// integer 0 and the beginning of a quoted atom.
func (p *Parser) lexCharCode(t *token) bool {
	in := p.in
	r, size := in.runeAt(2)
	switch {
	case size == 0 || r == '\n':
		return false
	case r == '\'':
		if in.byteAt(3) == '\'' {
			in.pos++
		} else if !p.flags.Lenient {
			return false
		}
	case r == '\\':
		return p.lexEscapedCode(t)
	case r == '\t' && !p.flags.Lenient:
		p.fail(t, illegalNumber, "a tab cannot stand after 0': write 0'\\t")
	case r == utf8.RuneError && size == 1:
		p.fail(t, illegalCharacter, notUTF8(in.byteAt(2)))
	}
	in.pos += 2
	in.skip(r, size)
	t.term = term.Int(r)
	return true
}

// lexEscapedCode cuts 0'\n. After 0' an escaped newline begins a quoted atom instead.
func (p *Parser) lexEscapedCode(t *token) bool {
	in := p.in
	if b := in.byteAt(3); b == '\n' || b == '\r' && in.byteAt(4) == '\n' {
		return false
	}
	in.pos += 3
	r, problem := p.escape(p.flags.Lenient)
	if problem == nil && r < 0 {
		problem = &flaw{illegalNumber, "0' needs a character"}
	}
	if problem != nil {
		p.fail(t, illegalNumber, problem.msg)
		return true
	}
	t.term = term.Int(r)
	return true
}

// negate returns -n for a number.
func negate(n term.Term) term.Term {
	switch n := n.(type) {
	case term.Int:
		return -n // an unsigned number is never the smallest int64
	case *term.Big:
		v := n.Int()
		return term.NewInt(v.Neg(v))
	case *term.Rational:
		v := n.Rat()
		return term.NewRational(v.Neg(v))
	case term.Float:
		return -n
	}
	return n
}

// ParseNumber reads the one number that text holds, as number_codes/2 does: layout and a sign
// may come before it, nothing may come after it. The meter is that of [Parser].
func ParseNumber(text string, flags *Flags, meter bignum.Meter) (term.Term, error) {
	if n := plainNumber(text); n != nil {
		return n, nil
	}
	p := BorrowParser(text, nil, flags)
	defer p.GiveBack()
	p.Meter = meter
	var t token
	p.lex(&t)
	sign := ""
	if t.isName() && (t.text == "-" || t.text == "+") {
		sign = t.text
		p.lex(&t)
	}
	if t.kind == tokError {
		return nil, t.err
	}
	if t.kind != tokNumber {
		return nil, p.errorAt(&t, illegalNumber, "a number expected, got "+t.describe())
	}
	if p.in.need(1) {
		rest := token{at: p.in.place(), line: p.in.lineByte}
		return nil, p.errorAt(&rest, illegalNumber, "illegal number: unexpected text after it")
	}
	if sign == "-" {
		return negate(t.term), nil
	}
	return t.term, nil
}

// plainNumber returns the value of a few decimal digits, perhaps with a minus before them and a point between them. It
// returns nil for other texts, which may also be numbers.
func plainNumber(text string) term.Term {
	digits, negative := strings.CutPrefix(text, "-")
	if len(digits) == 0 || len(digits) > maxSmallDigits {
		return nil
	}
	v, point := int64(0), -1
	for i := range len(digits) {
		switch d := digits[i]; {
		case d >= '0' && d <= '9':
			v = v*10 + int64(d-'0')
		case d == '.' && i > 0 && i < len(digits)-1 && point < 0:
			point = i
		default:
			return nil
		}
	}
	if point >= 0 {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil
		}
		return term.Float(f)
	}
	if negative {
		v = -v
	}
	return term.Int(v)
}
