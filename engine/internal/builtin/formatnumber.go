package builtin

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the directives of format/2 that write numbers.

// evaluated returns the value of the next argument, an arithmetic expression.
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

// formatInteger writes an integer, with n digits after a point that is put in, ~D with a
// comma and ~I with an underscore between groups of three digits.
func formatInteger(f *formatter, letter rune, n int) error {
	c, err := f.evaluated()
	if err != nil || f.collect {
		return err
	}
	if !f.m.IsInteger(c) {
		return f.mistyped(letter, c)
	}
	digits, err := integerText(f.m, c, 10)
	if err != nil {
		return err
	}
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	fraction := ""
	if n > 0 {
		if len(digits) <= n {
			digits = strings.Repeat("0", n-len(digits)+1) + digits
		}
		digits, fraction = digits[:len(digits)-n], "."+digits[len(digits)-n:]
	}
	switch letter {
	case 'D':
		digits = grouped(digits, ',')
	case 'I':
		digits = grouped(digits, '_')
	}
	f.line.text(sign + digits + fraction)
	return nil
}

// integerText returns an integer in a base.
func integerText(m *machine.Machine, c cell, base int) (string, error) {
	if n, ok := m.Number(c).(term.Int); ok {
		return strconv.FormatInt(int64(n), base), nil
	}
	return bignum.Text(m.BigValue(c), base, m.Meter), nil
}

// grouped puts a separator between groups of three digits.
func grouped(digits string, separator byte) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(separator)
		}
		b.WriteRune(d)
	}
	return b.String()
}

// defaultRadix is that of ~r without a number.
const defaultRadix = 8

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
	text, err := integerText(f.m, c, n)
	if err != nil {
		return err
	}
	if letter == 'R' {
		text = strings.ToUpper(text)
	}
	f.line.text(text)
	return nil
}

// defaultPrecision is that of ~e, ~f and ~g without a number.
const defaultPrecision = 6

// formatFloat writes a number in the way of C's printf; an integer with ~f exactly.
func formatFloat(f *formatter, letter rune, n int) error {
	c, err := f.evaluated()
	if err != nil || f.collect {
		return err
	}
	if n == noNumber {
		n = defaultPrecision
	}
	if err := f.m.Charge(n / 8); err != nil {
		return err
	}
	if letter == 'f' && f.m.IsInteger(c) {
		return f.exact(c, n)
	}
	x, err := f.float(c)
	if err != nil {
		return err
	}
	f.line.text(floatText(x, byte(letter), n))
	return nil
}

// exact writes an integer with n zeros after the point.
func (f *formatter) exact(c cell, n int) error {
	text, err := integerText(f.m, c, 10)
	if err != nil {
		return err
	}
	if n > 0 {
		text += "." + strings.Repeat("0", n)
	}
	f.line.text(text)
	return nil
}

// float returns the value of a number as a float.
func (f *formatter) float(c cell) (float64, error) {
	if f.m.IsFloat(c) {
		return f.m.FloatValue(c), nil
	}
	x, _ := new(big.Float).SetInt(f.m.BigValue(c)).Float64()
	if math.IsInf(x, 0) {
		return 0, f.m.EvaluationError("float_overflow")
	}
	return x, nil
}

// floatText is the text of a float as printf has it for e, f and g; h and H are the shortest
// text that reads back.
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

// generalText is %g: n significant digits, without zeros at the end, with an exponent when it
// is below -4 or not below n.
func generalText(x float64, n int) string {
	n = max(n, 1)
	scientific := strconv.FormatFloat(x, 'e', n-1, 64)
	mantissa, exponent, _ := strings.Cut(scientific, "e")
	exp, _ := strconv.Atoi(exponent)
	if exp < -4 || exp >= n {
		return trimZeros(mantissa) + "e" + exponent
	}
	return trimZeros(strconv.FormatFloat(x, 'f', n-1-exp, 64))
}

// trimZeros drops zeros at the end of a fraction, and a point without digits.
func trimZeros(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
