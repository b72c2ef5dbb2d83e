package builtin

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// withCommas is the number form of ~D.
var withCommas = numberForm{point: ".", separator: ",", sizes: []int{3}, repeats: true}

// numberForm describes how numbers are written. sizes has the number of digits of each group, from the right. The last
// size holds for all further groups if repeats is set.
type numberForm struct {
	point, separator string
	sizes            []int
	repeats          bool
}

// currentLocale returns the locale of set_locale/1.
func currentLocale(m *machine.Machine) numberForm {
	l := numberForm{point: "."}
	if pair, ok := m.Global("$locale"); ok {
		value := m.Arg(pair, 1)
		l.point, l.separator = stacks.AtomText(m.Arg(value, 0)), stacks.AtomText(m.Arg(value, 1))
		for list := m.Arg(value, 2); list != code.ANil; list = m.Arg(list, 1) {
			size := m.Arg(list, 0)
			if l.repeats = size.Tag() != code.Int; l.repeats {
				size = m.Arg(size, 0)
			}
			l.sizes = append(l.sizes, int(size.Int()))
		}
	}
	return l
}

// written converts a number, written with a point and without groups, to the form of the locale.
func (l numberForm) written(text string) string {
	notDigit := func(r rune) bool { return r < '0' || r > '9' }
	sign := text[:len(text)-len(strings.TrimPrefix(text, "-"))]
	digits := text[len(sign):]
	rest := ""
	if i := strings.IndexFunc(digits, notDigit); i >= 0 {
		digits, rest = digits[:i], digits[i:]
	}
	if fraction, ok := strings.CutPrefix(rest, "."); ok {
		rest = l.point + fraction
	}
	return sign + l.grouped(digits) + rest
}

// grouped inserts the separator between the groups of digits.
func (l numberForm) grouped(digits string) string {
	if l.separator == "" {
		return digits
	}
	var groups []string
	for i := 0; i < len(l.sizes) && l.sizes[i] > 0 && len(digits) > l.sizes[i]; {
		cut := len(digits) - l.sizes[i]
		groups = append(groups, digits[cut:])
		digits = digits[:cut]
		if i+1 < len(l.sizes) || !l.repeats {
			i++
		}
	}
	slices.Reverse(groups)
	return strings.Join(append([]string{digits}, groups...), l.separator)
}
