package records

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFileText reads the texts of data files: packed ones, and ones in other encodings.
func TestFileText(t *testing.T) {
	zipped := func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, err := io.WriteString(w, text)
		require.NoError(t, errors.Join(err, w.Close()))
		return b.String()
	}
	for _, test := range []struct{ name, text, encoding, want, wrong string }{
		{"a.csv", "\u00fc", "", "\u00fc", ""},
		{"a.csv", "", "", "", ""},
		{"a.csv", "\xfc", "iso_latin_1", "\u00fc", ""},
		{"a.csv", "\xff\xfea\x00", "", "a", ""},
		{"a.csv", "\xfe\xff\x00a", "utf16le", "a", ""}, // the mark says that it is not
		{"a.csv", "\x00a\x00b", "utf16be", "ab", ""},
		{"a.csv.gz", zipped("\u00fc"), "", "\u00fc", ""},
		{"a.csv.gz", zipped("\xff\xfea\x00"), "", "a", ""},
		{"a.csv.gz", "a", "", "", "not in the format of gzip"},
		{"a.csv.gz", zipped("abc")[:20], "", "", "ends before the text that is packed in it"},
	} {
		r, err := FileText(test.name, io.NopCloser(strings.NewReader(test.text)), test.encoding)
		var got []byte
		if err == nil {
			got, err = io.ReadAll(r)
		}
		if test.wrong != "" {
			require.ErrorContains(t, err, test.wrong, test.name)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, test.want, strings.TrimPrefix(string(got), "\ufeff"), "%q", test.text)
	}
	for _, test := range []struct{ left, want string }{{"abcd", "abcd"}, {"abcde", "abcd"}} {
		got, err := io.ReadAll(&boundedText{strings.NewReader(test.left), 4})
		require.Equal(t, test.want, string(got))
		require.Equal(t, test.left != test.want, err != nil)
	}
}

// TestFormatOfFile finds formats by names.
func TestFormatOfFile(t *testing.T) {
	for name, want := range map[string]Format{"a.csv": CSV, "a.tab": TSV, "b/a.json.gz": JSON, "a.ndjson": Lines,
		"a.gz": "", "a.csv.zip": "", "csv": ""} {
		got, known := FormatOfFile(name)
		require.Equal(t, want, got, name)
		require.Equal(t, want != "", known, name)
	}
}

// TestColumnNames finds the names of columns.
func TestColumnNames(t *testing.T) {
	for _, test := range []struct {
		format Format
		text   string
		want   []string
	}{
		{CSV, "a,\"b,c\"\n1,2\n", []string{"a", "b,c"}},
		{CSV, "", nil},
		{JSON, `[{"b": {"c": [1]}, "a": 2}, {"d": 3}]`, []string{"b", "a"}},
		{Lines, `{"a": 1}` + "\n" + `{"b": 2}`, []string{"a"}},
		{JSON, `[[1, 2]]`, nil},
		{JSON, `[{"a": }]`, nil},
		{JSON, `3`, nil},
	} {
		require.Equal(t, test.want, ColumnNames(strings.NewReader(test.text), &Options{Format: test.format}), test.text)
	}
}
