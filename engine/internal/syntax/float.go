package syntax

import (
	"math"
	"strconv"
	"strings"
)

// This file defines how floats are written.

// Exponents outside this range are written with e, as SWI-Prolog and C do with 15 digits. A number that has digits
// behind its point is written without, however large it is.
const (
	minPlainExponent = -4
	maxPlainExponent = 14
)

// FormatFloat returns the shortest text that reads back as f. It always has a decimal point: 1.0,
// 1.0e+22, 1.0Inf, 1.5NaN.
func FormatFloat(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "1.0Inf"
	case math.IsInf(f, -1):
		return "-1.0Inf"
	case math.IsNaN(f):
		return "1.5NaN"
	}
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	exponent, _ := strconv.Atoi(exp)
	digits := len(strings.TrimPrefix(mantissa, "-")) - len(".")
	if minPlainExponent <= exponent && (exponent <= maxPlainExponent || digits > exponent+1) {
		return withPoint(strconv.FormatFloat(f, 'f', -1, 64))
	}
	sign := ""
	if exponent > 0 {
		sign = "+"
	}
	return withPoint(mantissa) + "e" + sign + strconv.Itoa(exponent)
}

func withPoint(s string) string {
	if strings.Contains(s, ".") {
		return s
	}
	return s + ".0"
}
