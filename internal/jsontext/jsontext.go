// Package jsontext reads JSON values in the order of their members, with all digits of their numbers. A [Cursor] moves
// through a text that is known to be JSON, and [Value] builds what a [Builder] makes of a value: terms, or Go values.
// [AppendString] writes strings.
package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/nesting"
)

// Builder makes values of type V. The bytes that it is given may be parts of the text.
type Builder[V any] interface {
	// Constant makes the value of null, true or false.
	Constant(name string) V
	Number(text string) V
	String(text []byte) V
	Array(items []V) V
	// Object gets the members in the order of the text. Several may have the same name.
	Object(members []Member[V]) V
}

// Member is a member of an object.
type Member[V any] struct {
	Name  []byte
	Value V
}

// Check returns what is wrong with a text that is to be one JSON value, nested at most as deep as nesting.Max.
func Check(text []byte) error {
	if nesting.Depth(text) > nesting.Max {
		return fmt.Errorf("JSON nested deeper than %d levels", nesting.Max)
	}
	var raw json.RawMessage
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&raw); errors.Is(err, io.EOF) {
		return fmt.Errorf("not JSON: %w", io.ErrUnexpectedEOF)
	} else if err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("not JSON: something follows the value")
	}
	return nil
}

// Cursor is a JSON text and how far it has been read. The text has to be valid, and is not checked again. Bytes that
// are not UTF-8 stay as they are.
type Cursor struct {
	Text []byte
	Pos  int
}

// Next passes over white space and returns the next character.
func (c *Cursor) Next() byte {
	for {
		switch next := c.Text[c.Pos]; next {
		case ' ', '\t', '\n', '\r':
			c.Pos++
		default:
			return next
		}
	}
}

// Enter passes over the bracket that opens an object or array.
func (c *Cursor) Enter() { c.Next(); c.Pos++ }

// More passes over a comma, or over the bracket that closes an object or array. It reports whether an item follows.
func (c *Cursor) More(bracket byte) bool {
	next := c.Next()
	if next == ',' || next == bracket {
		c.Pos++
	}
	return next != bracket
}

// Name reads the name of a member and its colon. The bytes may be a part of the text.
func (c *Cursor) Name() []byte {
	c.Next()
	name := c.characters()
	c.Next()
	c.Pos++
	return name
}

// characters reads a string.
func (c *Cursor) characters() []byte {
	start, escaped := c.Pos, false
	for c.Pos++; c.Text[c.Pos] != '"'; c.Pos++ {
		if c.Text[c.Pos] == '\\' {
			escaped = true
			c.Pos++
		}
	}
	c.Pos++
	quoted := c.Text[start:c.Pos]
	if !escaped {
		return quoted[1 : len(quoted)-1]
	}
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return quoted
	}
	return []byte(s)
}

// word passes over a word.
func (c *Cursor) word(text string) string { c.Pos += len(text); return text }

func (c *Cursor) number() string {
	start := c.Pos
	for ; c.Pos < len(c.Text); c.Pos++ {
		if b := c.Text[c.Pos]; (b < '0' || b > '9') && b != '.' && b != '-' && b != '+' && b != 'e' && b != 'E' {
			break
		}
	}
	return string(c.Text[start:c.Pos])
}

// Value reads a value. It recurses as deep as the value, which the check of the text has bounded.
func Value[V any](c *Cursor, b Builder[V]) V {
	switch c.Next() {
	case '"':
		return b.String(c.characters())
	case '[':
		var items []V
		for c.Enter(); c.More(']'); {
			items = append(items, Value(c, b))
		}
		return b.Array(items)
	case '{':
		var members []Member[V]
		for c.Enter(); c.More('}'); {
			name := c.Name()
			members = append(members, Member[V]{name, Value(c, b)})
		}
		return b.Object(members)
	case 't':
		return b.Constant(c.word("true"))
	case 'f':
		return b.Constant(c.word("false"))
	case 'n':
		return b.Constant(c.word("null"))
	}
	return b.Number(c.number())
}

// Terms makes terms, as rows of data have them: strings and constants are atoms, arrays are lists, and objects are
// curly terms.
type Terms struct {
	// Atom makes the atom of a text.
	Atom func(text []byte) term.Term
}

var _ Builder[term.Term] = Terms{}

// Term returns the term of a JSON text. ok is false if it is not one JSON value in UTF-8.
func Term(text string) (t term.Term, ok bool) {
	if Check([]byte(text)) != nil || !utf8.ValidString(text) {
		return nil, false
	}
	atom := func(text []byte) term.Term { return term.Atom(text) }
	return Value(&Cursor{Text: []byte(text)}, Terms{atom}), true
}

// Constant implements Builder.
func (Terms) Constant(name string) term.Term {
	switch name {
	case "true":
		return term.True
	case "false":
		return term.False
	}
	return term.Atom("null")
}

// String implements Builder.
func (b Terms) String(text []byte) term.Term { return b.Atom(text) }

// Array implements Builder.
func (Terms) Array(items []term.Term) term.Term { return term.List(items...) }

// Object implements Builder.
func (b Terms) Object(members []Member[term.Term]) term.Term {
	pairs := make([]term.Term, len(members))
	for i, m := range members {
		pairs[i] = term.New("-", b.Atom(m.Name), m.Value)
	}
	return term.Curlies(pairs...)
}

// maxDigits bounds the digits of an integer. Reading one takes time that grows with the square of its length.
const maxDigits = 10_000

// Number implements Builder. A number is an integer if it is written as one, and an atom beyond the largest float.
func (Terms) Number(text string) term.Term {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return term.Int(n)
	}
	if !strings.ContainsAny(text, ".eE") && len(text) <= maxDigits {
		n, _ := new(big.Int).SetString(text, 10)
		return term.NewInt(n)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(f, 0) {
		return term.Float(f)
	}
	return term.Atom(text)
}

// AppendString appends a text as a JSON string. Bytes that are not UTF-8 become U+FFFD. html says that the characters
// <, > and & are escaped, as encoding/json does.
func AppendString(out []byte, text string, html bool) []byte {
	begin, done := len(out), 0
	out = append(out, '"')
	for i := 0; i < len(text); i++ {
		escape := byte(0)
		switch c := text[i]; {
		case c == '"' || c == '\\':
			escape = c
		case c == '\n':
			escape = 'n'
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError || r == '\u2028' || r == '\u2029' {
				return appendEncoded(out[:begin], text, html)
			}
			i += size - 1
		case c < ' ' || html && (c == '<' || c == '>' || c == '&'):
			return appendEncoded(out[:begin], text, html)
		}
		if escape != 0 {
			out = append(append(out, text[done:i]...), '\\', escape)
			done = i + 1
		}
	}
	return append(append(out, text[done:]...), '"')
}

// appendEncoded is AppendString by encoding/json, for what is rare.
func appendEncoded(out []byte, text string, html bool) []byte {
	var quoted bytes.Buffer
	enc := json.NewEncoder(&quoted)
	enc.SetEscapeHTML(html)
	_ = enc.Encode(text) // a string cannot fail
	return append(out, bytes.TrimSuffix(quoted.Bytes(), []byte{'\n'})...)
}
