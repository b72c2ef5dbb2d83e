package builtin

import (
	"regexp"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines wildcard_match/2,3.

var wildcardTable = []machine.Builtin{
	{Name: "wildcard_match", Arity: 2, Func: wildcardMatch, Modes: "+pattern, +text", Doc: "The text matches the pattern, in which * is any text, ? a character, [a-z] one of some, {a,b} one of the alternatives."},
	{Name: "wildcard_match", Arity: 3, Func: wildcardMatch, Modes: "+pattern, +text, +options", Doc: "As wildcard_match/2; the option case_sensitive(false) ignores case."},
}

func wildcardMatch(m *machine.Machine, a []cell) (bool, error) {
	pattern, err := atomicArg(m, a[0], "text")
	if err != nil {
		return false, err
	}
	text, err := atomicArg(m, a[1], "text")
	if err != nil {
		return false, err
	}
	flags := "(?s)"
	if len(a) == 3 {
		err = eachOption(m, a[2], "wildcard_option", func(opt option) (bool, error) {
			if opt.name != "case_sensitive" {
				return true, nil
			}
			sensitive, err := opt.boolean(m)
			if !sensitive {
				flags = "(?si)"
			}
			return true, err
		})
		if err != nil {
			return false, err
		}
	}
	translated, unmatched := wildcardRegexp(pattern)
	if unmatched != "" {
		return false, m.SyntaxError("Unmatched '" + unmatched + "'")
	}
	re, err := regexp.Compile(flags + "^(?:" + translated + ")$")
	if err != nil {
		return false, m.SyntaxError("illegal_pattern")
	}
	return re.MatchString(text), m.Charge(1 + len(text)/64)
}

// wildcardRegexp translates a pattern into a regular expression. When a bracket is not closed,
// unmatched is it.
func wildcardRegexp(pattern string) (translated, unmatched string) {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '*':
			b.WriteString(".*")
		case c == '?':
			b.WriteByte('.')
		case c == '[':
			end := strings.IndexByte(pattern[i:], ']')
			if end < 0 {
				return "", "["
			}
			b.WriteString("[" + classEscapes.Replace(pattern[i+1:i+end]) + "]")
			i += end
		case c == '{':
			depth++
			b.WriteString("(?:")
		case c == '}' && depth > 0:
			depth--
			b.WriteByte(')')
		case c == ',' && depth > 0:
			b.WriteByte('|')
		case c == '\\' && i+1 < len(pattern):
			i++
			b.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
		default:
			b.WriteString(quoteByte(c))
		}
	}
	if depth > 0 {
		return "", "{"
	}
	return b.String(), ""
}

// classEscapes are characters of a set that mean something else in regular expressions.
var classEscapes = strings.NewReplacer(`\`, `\\`, "[", `\[`, "^", `\^`)

// quoteByte quotes a byte, which may be a part of a longer character.
func quoteByte(c byte) string {
	if c < 0x80 {
		return regexp.QuoteMeta(string(rune(c)))
	}
	return string([]byte{c})
}
