package syntax

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// million is the depth and length of the terms. It is smaller unless the deep tests are selected.
func million() int {
	if testing.Short() {
		return 20_000
	}
	return deep.Count(300_000, 1_000_000)
}

// TestDeep reads and writes terms that are up to a million levels deep or long.
func TestDeep(t *testing.T) {
	for name, text := range map[string]string{
		"list":        "[" + strings.Repeat("a,", million()) + "b]",
		"conjunction": strings.Repeat("a,", million()) + "b",
		"sum":         strings.Repeat("a+", million()) + "b",
		"power":       strings.Repeat("a^", million()) + "b",
		"prefix":      strings.Repeat("\\ ", million()) + "\\b",
		"arguments":   "f(" + strings.Repeat("a,", million()) + "b)",
		"compounds":   strings.Repeat("f(", million()) + "b" + strings.Repeat(")", million()),
		"lists":       strings.Repeat("[", million()) + "b" + strings.Repeat("]", million()),
		"braces":      strings.Repeat("{", million()) + "b" + strings.Repeat("}", million()),
	} {
		t.Run(name, func(t *testing.T) {
			read, err := ParseTerm(text, nil, nil)
			require.NoError(t, err)
			require.True(t, text == Format(read.Term, &WriteOptions{Quoted: true}), "written as it was read")
		})
	}
}

// TestDeepParentheses reads parentheses that leave no trace in the term.
func TestDeepParentheses(t *testing.T) {
	read, err := ParseTerm(strings.Repeat("(", million())+"b"+strings.Repeat(")", million()), nil, nil)
	require.NoError(t, err)
	require.Equal(t, term.Term(term.Atom("b")), read.Term)
	_, err = ParseTerm(strings.Repeat("(", million()), nil, nil)
	require.ErrorContains(t, err, "unexpected end of file")
	_, err = ParseTerm(strings.Repeat("- ", million()), nil, nil)
	require.Error(t, err)
}

// chunks gives its text in small pieces, as a terminal or a socket does.
type chunks struct {
	text string
	size int
}

func (c *chunks) Read(b []byte) (int, error) {
	if c.text == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(c.size, len(b))], c.text)
	c.text = c.text[n:]
	return n, nil
}

// TestLongTokens reads tokens much longer than the buffer.
func TestLongTokens(t *testing.T) {
	long := strings.Repeat("abcdefgh", million())
	for _, text := range []string{long, "'" + long + " '", `"` + long + `\\"`, "/*" + long + "*/ a",
		"1" + strings.Repeat("0", 20000)} {
		p := NewParser(NewInput("long", &chunks{text + ".", 1 << 16}), nil, nil)
		_, err := p.Read()
		require.NoError(t, err)
		_, err = p.Read()
		require.Equal(t, io.EOF, err)
	}
}
