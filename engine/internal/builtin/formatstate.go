package builtin

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the state of a format/2: the remaining arguments, and the text with its column stops. It also
// defines the directives of format/2 that write numbers. Text since the last stop is pending. At a stop the remaining
// space is distributed over the fill points of the pending text.

// formatter is the state of one format/2.
type formatter struct {
	m      *machine.Machine
	s      *stream.Stream
	format string
	at     int    // next byte of format
	args   []cell // the remaining ones
	line   formatLine
	// goals are the collected goals of ~@ and ~p, if collect is set. Otherwise texts are their outputs.
	collect bool
	colon   bool // the directive is one of the locale
	goals   []cell
	texts   []string
	portray bool           // ~p is a goal
	own     *database.Pred // the directives that the program has defined, or nil
	held    int            // bytes accounted for
	room    []cell         // of args
}

// formatters holds unused formatters, with the capacity of their buffers.
var formatters = sync.Pool{New: func() any { return new(formatter) }}

// release makes f available for reuse, unless a long text has made it large.
func (f *formatter) release() {
	if cap(f.line.pending) > stream.OutputBuffer || cap(f.line.done) > stream.OutputBuffer || cap(f.room) > 64 {
		return
	}
	line := formatLine{done: f.line.done[:0], pending: f.line.pending[:0], fills: f.line.fills[:0]}
	*f = formatter{line: line, room: f.room[:0]}
	formatters.Put(f)
}

// hold accounts for n bytes of text since the last column stop; 0 releases all of it. Small texts are not counted, as
// most formats write little.
func (f *formatter) hold(n int) error {
	if n < stream.OutputBuffer && f.held == 0 {
		return nil
	}
	if err := f.m.Hold(n - f.held); err != nil {
		return err
	}
	f.held = n
	return nil
}

// failed returns the error of a format that does not match its arguments: error(format(Message), _), as in SWI-Prolog.
func (f *formatter) failed(message string) error {
	m := f.m
	formal := m.NewStruct("format", m.NewAtom(message))
	return m.Throw(m.NewStruct("error", formal, m.NewVar()))
}

// next returns the next argument, dereferenced. It is an error if there is none.
func (f *formatter) next() (cell, error) {
	if len(f.args) == 0 {
		return 0, f.failed("not enough arguments")
	}
	c := f.m.Deref(f.args[0])
	f.args = f.args[1:]
	return c, nil
}

// noNumber stands for a directive without a numeric argument.
const noNumber = -1

// mistyped returns the error of an argument of the wrong type for a directive: error(format_argument_type(Letter,
// Argument), _), as in SWI-Prolog.
func (f *formatter) mistyped(letter rune, c cell) error {
	m := f.m
	formal := m.NewStruct("format_argument_type", m.NewAtom(string(letter)), c)
	return m.Throw(m.NewStruct("error", formal, m.NewVar()))
}

// formatLine is the text of a format/2 that has not been written yet.
type formatLine struct {
	done    []byte      // text before the last stop, not yet written
	pending []byte      // text since the last stop
	fills   []fillPoint // of the pending text
	start   int         // column at which the pending text begins
	col     int         // columns that the pending text takes, from its last newline on
	last    int         // column of the last stop, 0 before the first one
}

// fillPoint is a place in the pending text where padding may go.
type fillPoint struct {
	at   int // bytes of the pending text before it
	char rune
}

// text adds text.
func (l *formatLine) text(s string) { l.bytes(arrays.Bytes(s)) } // which only reads the text

// bytes adds text.
func (l *formatLine) bytes(s []byte) {
	l.pending = arrays.Append(l.pending, s...)
	column := l.column()
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(s[i:])
		}
		i += size
		_, column = stream.NextPlace(r, 0, column)
		if r == '\n' {
			l.start, column = 0, 0
		}
	}
	l.col = column - l.start
}

// column returns the column of the next character, without padding.
func (l *formatLine) column() int { return l.start + l.col }

// stop is the column of the last stop.
func (l *formatLine) stop() int { return l.last }

// fill adds a fill point.
func (l *formatLine) fill(char rune) { l.fills = append(l.fills, fillPoint{len(l.pending), char}) }

// columnStop ends the pending text at a column. If the text is too long for its column, the following columns are
// measured from its end.
func (l *formatLine) columnStop(column int) {
	if pad := column - l.column(); pad > 0 {
		l.done = append(l.done, spread(string(l.pending), l.fills, pad)...)
	} else {
		l.done = arrays.Append(l.done, l.pending...)
	}
	l.start, l.col, l.last = column, 0, column
	l.pending = l.pending[:0]
	l.fills = l.fills[:0]
}

// spread puts n characters of padding into text, equally at all fill points; the last ones get one more if n is not
// divisible. Without fill points the padding comes after the text.
func spread(text string, fills []fillPoint, n int) string {
	if len(fills) == 0 {
		return text + strings.Repeat(" ", n)
	}
	var b strings.Builder
	from := 0
	share, extra := n/len(fills), n%len(fills)
	for i, f := range fills {
		b.WriteString(text[from:f.at])
		from = f.at
		width := share
		if i >= len(fills)-extra {
			width++
		}
		b.WriteString(strings.Repeat(string(f.char), width))
	}
	b.WriteString(text[from:])
	return b.String()
}

// spill returns all text so far, which lasts until more is added. The next pending text begins at the column where this
// text ends.
func (l *formatLine) spill() []byte {
	text := l.pending
	if len(l.done) > 0 {
		text = append(l.done, l.pending...)
	}
	l.done, l.pending = l.done[:0], l.pending[:0]
	return text
}

// spillDone returns the text before the last column stop.
func (l *formatLine) spillDone() []byte {
	text := l.done
	l.done = l.done[:0]
	return text
}

// evaluated returns the value of the next argument. Arithmetic expressions are evaluated, as in SWI-Prolog. While goals
// are collected it returns the argument as it is, because errors of arithmetic must come after the preceding text has
// been written.
func (f *formatter) evaluated() (cell, error) {
	c, err := f.next()
	if err != nil || f.collect {
		return c, err
	}
	if f.m.IsNumber(c) {
		return c, nil
	}
	v, err := arith.Eval(f.m, c)
	return f.m.Deref(v), err
}

// formatInteger is ~d, ~D and ~I. ~D puts a comma between groups of three digits, ~:d writes by the locale, and a
// number n puts a point before the last n digits. ~I puts an underscore between groups of n digits, 3 without a number.
func formatInteger(f *formatter, letter rune, n int) error {
	c, err := f.evaluated()
	if err != nil || f.collect {
		return err
	}
	if !f.m.IsInteger(c) {
		return f.mistyped(letter, c)
	}
	digits := integerText(f.m, c, 10)
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	if letter == 'I' {
		if n == noNumber {
			n = 3
		}
		f.line.text(sign + numberForm{separator: "_", sizes: []int{n}, repeats: true}.grouped(digits))
		return nil
	}
	fraction := ""
	if n > 0 {
		if len(digits) <= n {
			digits = strings.Repeat("0", n-len(digits)+1) + digits
		}
		digits, fraction = digits[:len(digits)-n], "."+digits[len(digits)-n:]
	}
	text := sign + digits + fraction
	switch {
	case letter == 'D':
		text = withCommas.written(text)
	case f.colon:
		text = currentLocale(f.m).written(text)
	}
	f.line.text(text)
	return nil
}

// integerText returns an integer in a base. Large integers are converted in pieces, between which the meter checks the
// limits.
func integerText(m *machine.Machine, c cell, base int) string {
	if n, ok := m.Number(c).(term.Int); ok {
		return strconv.FormatInt(int64(n), base)
	}
	return bignum.Text(m.BigValue(c), base, m.Meter())
}

// defaultRadix is the base of ~r without a number, octal as in SWI-Prolog.
const defaultRadix = 8

// formatRadix is ~r and ~R: an integer in base n from 2 to 36, ~R with capital letters. The type of the argument is
// checked before the base.
func formatRadix(f *formatter, letter rune, n int) error {
	c, err := f.evaluated()
	if err != nil || f.collect {
		return err
	}
	if n == noNumber {
		n = defaultRadix
	}
	if !f.m.IsInteger(c) {
		return f.mistyped(letter, c)
	}
	if n < 2 || n > 36 {
		return f.m.DomainError("radix", f.m.NewInt(int64(n)))
	}
	text := integerText(f.m, c, n)
	if letter == 'R' {
		text = strings.ToUpper(text)
	}
	f.line.text(text)
	return nil
}

// defaultPrecision is the precision of ~e, ~f and ~g without a number, as in C.
const defaultPrecision = 6

// formatFloat writes a number as C's printf does. Integers under ~f, rational numbers and integers beyond 64 bits are
// written with their own digits, not with those of the nearest float.
func formatFloat(f *formatter, letter rune, n int) error {
	c, err := f.evaluated()
	if err != nil || f.collect {
		return err
	}
	if n == noNumber {
		n = defaultPrecision
	}
	write := func(text string) {
		switch {
		case letter == 'E' || letter == 'G':
			text = strings.ToUpper(text)
		case letter == 'f' && f.colon:
			text = currentLocale(f.m).written(text)
		}
		f.line.text(text)
	}
	kind := byte(letter)
	if kind != 'H' {
		kind = byte(unicode.ToLower(letter))
	}
	// A precision may be as large as maxFormatNumber, and each digit is computed.
	if err := f.m.Charge(n / 8); err != nil {
		return err
	}
	switch {
	case kind == 'f' && f.m.IsInteger(c):
		write(exactText(f.m, c, n))
		return nil
	case kind == 'e' || kind == 'f' || kind == 'g':
		if q := exactValue(f.m, c); q != nil {
			write(ratioText(f.m, q, kind, n))
			return nil
		}
	}
	x, err := f.float(c)
	if err != nil {
		return err
	}
	write(floatText(x, kind, n))
	return nil
}

// exactText is the text of an integer with n zeros after the point. So ~2f shows all digits of an integer of fifty
// digits.
func exactText(m *machine.Machine, c cell, n int) string {
	text := integerText(m, c, 10)
	if n > 0 {
		text += "." + strings.Repeat("0", n)
	}
	return text
}

// exactValue returns the value of a rational number or of an integer beyond 64 bits, and nil for other numbers.
func exactValue(m *machine.Machine, c cell) *big.Rat {
	switch {
	case m.IsRatio(c):
		return m.RatioValue(c)
	case m.IsBig(c):
		if n := m.BigValue(c); !n.IsInt64() {
			return new(big.Rat).SetInt(n)
		}
	}
	return nil
}

// ratioText returns the text of a number other than zero in the format of %e, %f or %g of printf.
func ratioText(m *machine.Machine, q *big.Rat, letter byte, n int) string {
	switch letter {
	case 'f':
		return decimalText(m, q, n)
	case 'e':
		return scientificText(m, q, n)
	}
	return shorterText(scientificText(m, q, max(n, 1)-1), max(n, 1), func(places int) string {
		return decimalText(m, q, places)
	})
}

// scientificText returns a number other than zero as a digit, n digits after the point, and a power of ten. Halves are
// rounded away from zero.
func scientificText(m *machine.Machine, q *big.Rat, n int) string {
	const digitsPerBit = math.Ln2 / math.Ln10
	size := new(big.Rat).Abs(q)
	exp := int(math.Floor(float64(q.Num().BitLen()-q.Denom().BitLen()-1)*digitsPerBit)) - 1
	for !below(m, size, exp+1) { // the estimate is too small by one or two
		exp++
	}
	digits := bignum.Text(scaled(m, size, n-exp), 10, m.Meter())
	if len(digits) > n+1 { // rounding has made it a power of ten
		digits, exp = digits[:n+1], exp+1
	}
	sign := ""
	if q.Sign() < 0 {
		sign = "-"
	}
	if n > 0 {
		digits = digits[:1] + "." + digits[1:]
	}
	return fmt.Sprintf("%s%se%+03d", sign, digits, exp)
}

// below reports whether a positive number is below a power of ten.
func below(m *machine.Machine, q *big.Rat, power int) bool {
	scale := bignum.Pow(big.NewInt(10), uint64(max(power, -power)), m.Meter())
	if power < 0 {
		return bignum.Mul(q.Num(), scale, m.Meter()).Cmp(q.Denom()) < 0
	}
	return q.Num().Cmp(bignum.Mul(q.Denom(), scale, m.Meter())) < 0
}

// scaled returns the integer nearest to a positive number times a power of ten. Halves are rounded up.
func scaled(m *machine.Machine, q *big.Rat, power int) *big.Int {
	n, d := q.Num(), q.Denom()
	if scale := bignum.Pow(big.NewInt(10), uint64(max(power, -power)), m.Meter()); power < 0 {
		d = bignum.Mul(d, scale, m.Meter())
	} else {
		n = bignum.Mul(n, scale, m.Meter())
	}
	n = new(big.Int).Lsh(n, 1)
	rounded, _ := bignum.QuoRem(n.Add(n, d), new(big.Int).Lsh(d, 1), m.Meter())
	return rounded
}

// decimalText returns a rational number with n digits after the point. Halves are rounded away from zero.
func decimalText(m *machine.Machine, q *big.Rat, n int) string {
	digits := bignum.Text(scaled(m, new(big.Rat).Abs(q), n), 10, m.Meter())
	digits = strings.Repeat("0", max(n+1-len(digits), 0)) + digits
	if n > 0 {
		digits = digits[:len(digits)-n] + "." + digits[len(digits)-n:]
	}
	if q.Sign() < 0 {
		digits = "-" + digits
	}
	return digits
}

// float returns the value of a number as a float. A number beyond the range of floats is an evaluation error.
func (f *formatter) float(c cell) (float64, error) {
	if f.m.IsFloat(c) {
		return f.m.FloatValue(c), nil
	}
	return arith.Float(f.m, c)
}

// floatText returns the text of a float. e, f and g are those of printf; h and H are the shortest text that reads back.
func floatText(x float64, letter byte, n int) string {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	case math.IsNaN(x):
		return "nan"
	case letter == 'h' || letter == 'H':
		return strconv.FormatFloat(x, 'g', -1, 64)
	case letter == 'g':
		return generalText(x, n)
	}
	return strconv.FormatFloat(x, letter, n, 64)
}

// generalText is %g of printf: n significant digits without zeros at the end. The form with an exponent is used for
// exponents below -4 or not below n. Go's format g uses it for other exponents.
func generalText(x float64, n int) string {
	n = max(n, 1)
	return shorterText(strconv.FormatFloat(x, 'e', n-1, 64), n, func(places int) string {
		return strconv.FormatFloat(x, 'f', places, 64)
	})
}

// shorterText chooses between the two forms of %g for a number with n significant digits: scientific, or decimal, a
// function from a number of fraction digits to the text.
func shorterText(scientific string, n int, decimal func(places int) string) string {
	mantissa, exponent, _ := strings.Cut(scientific, "e")
	exp, _ := strconv.Atoi(exponent)
	if exp < -4 || exp >= n {
		return trimZeros(mantissa) + "e" + exponent
	}
	return trimZeros(decimal(n - 1 - exp))
}

// trimZeros drops zeros at the end of a fraction, and a point without digits.
func trimZeros(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
