package engine

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

// TestEncodingsOfSWI reads texts that are not UTF-8. With the option SWI, texts in SWI-Prolog's encodings can be read;
// without it, none of them.
func TestEncodingsOfSWI(t *testing.T) {
	const clause = "city('Zürich', \U0001F3D4).\n"
	wide := func(order binary.AppendByteOrder) string {
		text := order.AppendUint16(nil, 0xFEFF)
		for _, unit := range utf16.Encode([]rune(clause)) {
			text = order.AppendUint16(text, unit)
		}
		return string(text)
	}
	for _, c := range []struct {
		name, text string
		others     bool // the text can be read without the option
	}{
		{"UTF-8", clause, true},
		{"UTF-8 with a mark", "\xef\xbb\xbf:- encoding(utf8).\n" + clause, true},
		{"UTF-16, little-endian", wide(binary.LittleEndian), false},
		{"UTF-16, big-endian", wide(binary.BigEndian), false},
		{"Latin-1", "% a file\n:- encoding(iso_latin_1).\ncity('Z\xfcrich', x).\n", false},
	} {
		p, err := LoadText(t.Context(), "a.pl", c.text, &Options{SWI: true})
		require.NoError(t, err, c.name)
		_, err = p.Once(t.Context(), "city('Zürich', _)", nil)
		require.NoError(t, err, c.name)
		if _, err = LoadText(t.Context(), "a.pl", c.text, nil); c.others {
			require.NoError(t, err, c.name)
		} else {
			require.ErrorContains(t, err, "UTF-8", c.name)
		}
	}
}
