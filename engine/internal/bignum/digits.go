package bignum

import (
	"math"
	"math/big"
	"strings"
)

// This file defines the conversion of integers to text and back, by halves (Knuth, The Art of Computer Programming 2,
// 4.4). The usual way takes time by the square of the length.

// Text returns a in a base from 2 to 36.
func Text(a *big.Int, base int, m Meter) string {
	if a.BitLen() <= digitBits {
		return a.Text(base)
	}
	var b strings.Builder
	if a.Sign() < 0 {
		b.WriteByte('-')
	}
	powers := []*big.Int{blockPower(base)}
	for top := powers[0]; 2*top.BitLen()-1 <= a.BitLen(); {
		top = Mul(top, top, m)
		powers = append(powers, top)
	}
	writeDigits(&b, new(big.Int).Abs(a), powers, 0, base, m)
	return b.String()
}

// blockDigits is the number of digits in a base that make up about digitBits.
func blockDigits(base int) int { return int(digitBits / math.Log2(float64(base))) }

// blockPower is the power of the base with that many zeros.
func blockPower(base int) *big.Int {
	return new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(int64(blockDigits(base))), nil)
}

// writeDigits writes a with at least a number of digits, zeros first. Each of the powers is the square of the one
// before, and a is less than the square of the last.
func writeDigits(b *strings.Builder, a *big.Int, powers []*big.Int, least, base int, m Meter) {
	if len(powers) == 0 {
		m.before(1 << 16)
		text := a.Text(base)
		if a.Sign() == 0 {
			text = ""
		}
		b.WriteString(strings.Repeat("0", max(least-len(text), 0)))
		b.WriteString(text)
		return
	}
	last := len(powers) - 1
	below := blockDigits(base) << last // digits of the remainder
	if least == 0 && a.Cmp(powers[last]) < 0 {
		writeDigits(b, a, powers[:last], 0, base, m)
		return
	}
	q, r := QuoRem(a, powers[last], m)
	writeDigits(b, q, powers[:last], max(least-below, 0), base, m)
	writeDigits(b, r, powers[:last], below, base, m)
}

// Parse returns the integer of a text of digits of a base. All characters must be such digits.
func Parse(text string, base int, m Meter) *big.Int {
	block := blockDigits(base)
	if len(text) <= block {
		n, _ := new(big.Int).SetString(text, base)
		return n
	}
	var parts []*big.Int // from the left; the first may be shorter than a block
	for end := (len(text)-1)%block + 1; end <= len(text); end += block {
		m.before(1 << 16)
		n, _ := new(big.Int).SetString(text[max(end-block, 0):end], base)
		parts = append(parts, n)
	}
	for power := blockPower(base); len(parts) > 1; power = Mul(power, power, m) {
		parts = pairs(parts, power, m)
	}
	return parts[0]
}

// pairs joins neighbours, from the right, as high * power + low.
func pairs(parts []*big.Int, power *big.Int, m Meter) []*big.Int {
	joined := make([]*big.Int, (len(parts)+1)/2)
	for to, from := len(joined)-1, len(parts)-1; to >= 0; to, from = to-1, from-2 {
		joined[to] = parts[from]
		if from > 0 {
			high := Mul(parts[from-1], power, m)
			joined[to] = high.Add(high, parts[from])
		}
	}
	return joined
}
