package jsontext

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/nesting"
)

// TestAppendString holds strings against those of encoding/json.
func TestAppendString(t *testing.T) {
	texts := []string{"", "plain text", "a\"b", `a\b`, "a<b", "a>b", "a&b", "ä", "\u2028", "\xff", "a\x00", "\n", "\x7f"}
	for _, text := range texts {
		for _, html := range []bool{true, false} {
			var want bytes.Buffer
			enc := json.NewEncoder(&want)
			enc.SetEscapeHTML(html)
			require.NoError(t, enc.Encode(text))
			require.Equal(t, "x"+strings.TrimSuffix(want.String(), "\n"), string(AppendString([]byte("x"), text, html)))
		}
	}
}

func TestCheck(t *testing.T) {
	deep := strings.Repeat("[", nesting.Max) + strings.Repeat("]", nesting.Max)
	for _, text := range []string{"1", " {} ", `[1, {"a": null}]`, `"\ud83d\ude00"`, deep} {
		require.NoError(t, Check([]byte(text)), text)
	}
	for text, want := range map[string]string{"": "unexpected EOF", "  ": "unexpected EOF", "[1": "unexpected EOF",
		"1 2": "something follows", "[1,]": "invalid character", "{a: 1}": "invalid character", "01": "something follows",
		"[" + deep + "]": "nested deeper than 1000 levels"} {
		require.ErrorContains(t, Check([]byte(text)), want, text)
	}
}

// TestTerm keeps the order of members, members of the same name, and all digits.
func TestTerm(t *testing.T) {
	large, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	member := func(name term.Atom, value term.Term) term.Term { return term.New("-", name, value) }
	for text, want := range map[string]term.Term{
		`{"b": 1, "a": [true, false, null], "b": {}}`: term.Curlies(member("b", term.Int(1)),
			member("a", term.List(term.Atom("true"), term.Atom("false"), term.Atom("null"))), member("b", term.Atom("{}"))),
		`[]`:                   term.Atom("[]"),
		`"x\n\u00e9"`:          term.Atom("x\n\u00e9"),
		`-9223372036854775808`: term.Int(-1 << 63),
		large.String():         term.NewInt(large),
		`[1.0, 1e2, -0.5E-1, 1e999]`: term.List(term.Float(1), term.Float(100), term.Float(-0.05),
			term.Atom("1e999")),
		` [ 1 , "," ] `: term.List(term.Int(1), term.Atom(",")),
	} {
		made, ok := Term(text)
		require.True(t, ok, text)
		require.True(t, term.Equal(want, made), text)
	}
	for _, text := range []string{"", "[", "\"\xff\"", "1 1"} {
		_, ok := Term(text)
		require.False(t, ok, "%q", text)
	}
}

// TestCursor walks a text by hand, as readers of single members do.
func TestCursor(t *testing.T) {
	c := &Cursor{Text: []byte(` { "a" : 1 , "b\t" : [ ] } `)}
	var names []string
	for c.Enter(); c.More('}'); {
		names = append(names, string(c.Name()))
		Value(c, Terms{})
	}
	require.Equal(t, []string{"a", "b\t"}, names)
}
