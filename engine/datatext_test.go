package engine_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// TestDataTexts checks that a text gives the same facts in each encoding, compressed or not, and that each invalid file
// gives an error.
func TestDataTexts(t *testing.T) {
	const text = "name;n\nM\u00fcller;1\n"
	wide := func(order binary.AppendByteOrder, mark string) string {
		var data []byte
		for _, unit := range utf16.Encode([]rune(mark + text)) {
			data = order.AppendUint16(data, unit)
		}
		return string(data)
	}
	zipped := func(text string) string {
		var data bytes.Buffer
		w := gzip.NewWriter(&data)
		_, err := w.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return data.String()
	}
	whole, few := zipped(text), zipped(strings.Repeat("a,1\n", 100))
	for _, test := range []struct{ name, text, options, want string }{
		{"a.csv", text, "", ""},
		{"a.csv", "\ufeff" + text, "encoding(utf8)", ""},
		{"a.csv", strings.ReplaceAll(text, ";", "\t"), "", ""},
		{"a.tsv", strings.ReplaceAll(text, ";", ","), "", ""},
		{"a.csv", strings.ReplaceAll(text, ";", "|"), "", ""},
		{"a.csv", "\"name;\";n\nM\u00fcller;1\n", "", ""},
		{"a.csv", "n;more,x;name\n1;2;M\u00fcller\n", "columns([name, n]), separator(;)", ""},
		{"a.csv", "n;more;name\n1;2;M\u00fcller\n", "columns([name, n])", ""},
		{"a.csv", "name;n;valid_from\nM\u00fcller;1;2020-01-01\n", "", ""},
		{"a.csv", "name;n;more\n", "", "the text has the columns name, n, more; choose by columns([...])"},
		{"a.csv", "name n\n", "", "the text has the columns name n; choose by columns([...])"},
		{"a.csv", "name,m;n\nM\u00fcller,1\n", "", ""},
		{"a.csv", wide(binary.LittleEndian, "\ufeff"), "", ""},
		{"a.csv", wide(binary.BigEndian, "\ufeff"), "encoding(utf16le)", ""},
		{"a.csv", wide(binary.BigEndian, ""), "encoding(utf16be)", ""},
		{"a.csv", wide(binary.LittleEndian, ""), "", "UTF-16 without a mark; save the file as UTF-8, or name its encoding"},
		{"a.csv", strings.ReplaceAll(text, "\u00fc", "\xfc"), "encoding(iso_latin_1)", ""},
		{"a.csv", strings.ReplaceAll(text, "\u00fc", "\xfc"), "", "not valid UTF-8"},
		{"a.csv.gz", whole, "", ""},
		{"a.csv.gz", zipped(wide(binary.LittleEndian, "\ufeff")), "", ""},
		{"a.csv.gz", zipped(strings.ReplaceAll(text, "\u00fc", "\xfc")), "encoding(iso_latin_1)", ""},
		{"a.json.gz", zipped(`[["M\u00fcller", 1]]`), "", ""},
		{"a.csv.gz", text, "", "a.csv.gz cannot be read: it is not in the format of gzip"},
		{"a.csv.gz", "", "", "a.csv.gz cannot be read: it is not in the format of gzip"},
		{"a.csv.gz", few[:len(few)-10], "", "the file ends before the text that is packed in it"},
		{"a.csv.gz", few[:len(few)-8] + "\x00" + few[len(few)-7:], "", "checksum"},
		{"a.txt.gz", whole, "", "not that of a format"},
		{"a.csv", text, "encoding(utf7)", "want utf8, iso_latin_1, utf16le or utf16be"},
	} {
		options := "[header(true)"
		if test.options != "" {
			options += ", " + strings.ReplaceAll(test.options, "(;)", "(';')")
		}
		files := fstest.MapFS{test.name: {Data: []byte(test.text)},
			"k.pl": {Data: []byte(":- facts(f/2, '" + test.name + "', " + options + "]).\n")}}
		program, err := engine.LoadFS(t.Context(), files, nil, "k.pl")
		if test.want != "" {
			require.ErrorContains(t, err, test.want, "%q", test.text)
			continue
		}
		require.NoError(t, err, "%q", test.text)
		found, err := program.Once(t.Context(), "findall(X-Y, f(X, Y), L)", nil)
		require.NoError(t, err)
		require.Equal(t, "[M\u00fcller-1]", found.Text("L"), "%q", test.text)
	}
}
