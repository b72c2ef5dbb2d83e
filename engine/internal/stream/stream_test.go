package stream

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEncodings writes text in each encoding and reads it back. The text has a character outside of the first plane.
func TestEncodings(t *testing.T) {
	for encoding, want := range map[string]string{
		"utf16le":    "a\x00\xe9\x00\x3d\xd8\x00\xde",
		"utf16be":    "\x00a\x00\xe9\xd8\x3d\xde\x00",
		"wchar_t":    "a\x00\x00\x00\xe9\x00\x00\x00\x00\xf6\x01\x00",
		"utf8":       "aé😀",
		"unicode_le": "a\x00\xe9\x00\x3d\xd8\x00\xde",
		"unicode_be": "\x00a\x00\xe9\xd8\x3d\xde\x00",
	} {
		var out bytes.Buffer
		_, err := io.WriteString(Encode(&out, encoding), "aé😀")
		require.NoError(t, err, encoding)
		require.Equal(t, want, out.String(), encoding)
		back, err := io.ReadAll(Decode(strings.NewReader(want), encoding))
		require.NoError(t, err, encoding)
		require.Equal(t, "aé😀", string(back), encoding)
	}
	back, err := io.ReadAll(Decode(strings.NewReader("\xe9"), Latin1))
	require.NoError(t, err)
	require.Equal(t, "é", string(back))
}

// TestNextPlace follows lines and columns, with stops every eight columns.
func TestNextPlace(t *testing.T) {
	line, column := 1, 0
	for _, step := range []struct {
		r            rune
		line, column int
	}{{'a', 1, 1}, {'\t', 1, 8}, {'b', 1, 9}, {'\b', 1, 8}, {'\t', 1, 16}, {'\r', 1, 0},
		{'\b', 1, 0}, {'\n', 2, 0}, {'é', 2, 1}} {
		line, column = NextPlace(step.r, line, column)
		require.Equal(t, [2]int{step.line, step.column}, [2]int{line, column}, "%q", step.r)
	}
}
