package texts

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines what library(uri) needs of RFC 3986: the parts of a reference, escapes, and paths without dots.

var uriTable = []machine.Builtin{
	{Name: "$uri_parts", Arity: 6, Func: uriParts, Modes: "+uri, -scheme, -authority, -path, -search, -fragment",
		Doc: "The parts of a reference. Those that it does not have are left alone."},
	{Name: "$uri_escape", Arity: 3, Func: uriText(escapePart), Modes: "+part, +text, -escaped",
		Doc: "Escapes what may not stand in a part."},
	{Name: "$uri_unescape", Arity: 3, Func: uriText(unescapePart), Modes: "+part, +escaped, -text",
		Doc: "Takes escapes away."},
	{Name: "$uri_remove_dots", Arity: 2, Func: uriRemoveDots, Modes: "+path, -path",
		Doc: "A path without the segments . and .. in it."},
}

// cutURI splits a reference as the regular expression of RFC 3986, appendix B, does: into scheme, authority, path,
// query and fragment. A part that is missing is nil, which differs from an empty one. The path is never missing.
func cutURI(text string) (parts [5]*string) {
	rest := text
	if before, after, ok := strings.Cut(rest, "#"); ok {
		rest, parts[4] = before, &after
	}
	if before, after, ok := strings.Cut(rest, "?"); ok {
		rest, parts[3] = before, &after
	}
	if i := strings.IndexAny(rest, ":/"); i > 0 && rest[i] == ':' {
		scheme := rest[:i]
		rest, parts[0] = rest[i+1:], &scheme
	}
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		authority, path := after, ""
		if i := strings.IndexByte(after, '/'); i >= 0 {
			authority, path = after[:i], after[i:]
		}
		rest, parts[1] = path, &authority
	}
	parts[2] = &rest
	return parts
}

// uriArg returns the text of an argument. A number is a value of a query, and no reference.
func uriArg(m *machine.Machine, c cell, isReference bool) (string, error) {
	if isReference && m.IsNumber(m.Deref(c)) {
		return "", m.TypeError("text", c)
	}
	return Any(m, c, "text")
}

// uriParts is $uri_parts/6. Arguments of missing parts stay unbound.
func uriParts(m *machine.Machine, a []cell) (bool, error) {
	text, err := uriArg(m, a[0], true)
	if err != nil {
		return false, err
	}
	if err := m.Charge(1 + len(text)); err != nil {
		return false, err
	}
	for i, part := range cutURI(text) {
		if part != nil && !m.Unify(a[i+1], m.NewAtom(*part)) {
			return false, nil
		}
	}
	return true, nil
}

// uriUnreserved are the unreserved characters besides letters and digits (RFC 3986, 2.3). They never need an escape.
const uriUnreserved = "-._~"

// uriAllowed are the characters besides letters and digits that stand for themselves in a part: the unreserved ones,
// and the sub-delims and pchars of RFC 3986 that separate nothing in it. A value of a query has neither & nor =, nor +
// and ;, which separate values or stand for a blank in forms. The parts are those of uri_encoded/3.
var uriAllowed = map[string]string{
	"query_value": uriUnreserved + "!$'()*,@/?",
	"fragment":    uriUnreserved + "!$'()*,;:@&=+/?",
	"path":        uriUnreserved + "!$'()*,;@&=+/",
	"segment":     uriUnreserved + "!$'()*,;@&=+",
	"form":        uriUnreserved,
	// A whole reference keeps its delimiters, and the escapes that it has.
	"uri": uriUnreserved + "!$'()*,;:@&=+/?#[]%",
	"iri": uriUnreserved + "!$'()*,;:@&=+/?#[]%",
}

// uriText returns the built-in $uri_escape/3 or $uri_unescape/3. The memory for a result is reserved at its longest: an
// escape has three bytes for one.
func uriText(f func(part, text string) string) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		part, err := m.AtomArg(a[0])
		if err != nil {
			return false, err
		}
		if uriAllowed[part] == "" {
			return false, m.DomainError("uri_component", a[0])
		}
		text, err := uriArg(m, a[1], part == "uri" || part == "iri")
		if err != nil {
			return false, err
		}
		if err := machine.Fits(m, 3*len(text)); err != nil {
			return false, err
		}
		return m.Unify(a[2], m.NewAtom(f(part, text))), nil
	}
}

// escapePart replaces the characters that may not stand in a part by escapes of their bytes in UTF-8 (RFC 3986, 2.5).
// In the part iri characters beyond ASCII may stand (RFC 3987).
func escapePart(part, text string) string {
	const digits = "0123456789ABCDEF"
	allowed := uriAllowed[part]
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '%' && !isEscape(text[i:]), !isURILetter(c) && strings.IndexByte(allowed, c) < 0 &&
			(c < utf8.RuneSelf || part != "iri"):
			b.WriteByte('%')
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&15])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// isEscape reports whether a text begins with a percent sign and two hexadecimal digits.
func isEscape(text string) bool {
	return len(text) >= 3 && text[0] == '%' && hexDigit(text[1]) >= 0 && hexDigit(text[2]) >= 0
}

// isURILetter reports whether a byte is a letter or digit of ASCII. The bit 0x20 is the case of a letter.
func isURILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

// unescapePart replaces the escapes in a part by their characters. In the part iri it replaces only escapes of
// unreserved characters and of characters beyond ASCII: a reserved one would become a delimiter. A plus sign is a blank
// in a value of a query and in a form. Escapes that are no UTF-8 stay.
func unescapePart(part, text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if c, n := unescapeRune(text[i:]); n > 0 {
			keep := part == "iri" && c < utf8.RuneSelf && !isURILetter(byte(c)) && !strings.ContainsRune(uriUnreserved, c)
			if keep {
				b.WriteString(text[i : i+n])
			} else {
				b.WriteRune(c)
			}
			i += n
			continue
		}
		c := text[i]
		if c == '+' && (part == "query_value" || part == "form") {
			c = ' '
		}
		b.WriteByte(c)
		i++
	}
	return b.String()
}

// unescapeRune returns the character that the escapes at the head of a text encode in UTF-8, and their length in bytes;
// the length is 0 if there is none.
func unescapeRune(text string) (r rune, length int) {
	var bytes []byte
	for len(bytes) < utf8.UTFMax && isEscape(text[length:]) {
		bytes = append(bytes, byte(hexDigit(text[length+1])<<4|hexDigit(text[length+2])))
		length += 3
		if utf8.FullRune(bytes) {
			break
		}
	}
	r, size := utf8.DecodeRune(bytes)
	if size == 0 || r == utf8.RuneError && size == 1 {
		return 0, 0
	}
	return r, length
}

// hexDigit returns the value of a hexadecimal digit, -1 for another character.
func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// uriRemoveDots is $uri_remove_dots/2.
func uriRemoveDots(m *machine.Machine, a []cell) (bool, error) {
	path, err := Any(m, a[0], "text")
	if err != nil {
		return false, err
	}
	if err := m.Charge(1 + len(path)); err != nil {
		return false, err
	}
	return m.Unify(a[1], m.NewAtom(removeDots(path))), nil
}

// removeDots is remove_dot_segments of RFC 3986, 5.2.4. The cases are its steps 2A to 2E; out is the output buffer,
// from which a step 2C takes the last segment.
func removeDots(in string) string {
	out := make([]byte, 0, len(in))
	for in != "" {
		switch {
		case strings.HasPrefix(in, "../"):
			in = in[3:]
		case strings.HasPrefix(in, "./"), strings.HasPrefix(in, "/./"):
			in = in[2:]
		case in == "/.":
			in = "/"
		case strings.HasPrefix(in, "/../"), in == "/..":
			if in = in[3:]; in == "" {
				in = "/"
			}
			out = out[:max(0, bytes.LastIndexByte(out, '/'))]
		case in == ".", in == "..":
			in = ""
		default:
			end := 1 + strings.IndexByte(in[1:], '/')
			if end == 0 {
				end = len(in)
			}
			out = append(out, in[:end]...)
			in = in[end:]
		}
	}
	return string(out)
}
