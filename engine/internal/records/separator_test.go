package records

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFindSeparator finds the separators of texts. A title above the rows does not count.
func TestFindSeparator(t *testing.T) {
	for text, want := range map[string]rune{
		"title of all; not data\na,1\nb,2\n":  0,
		"a;1\nb;2\n":                          ';',
		"a;1":                                 ';',
		"\na|1\n\n\nb|2\n":                    '|',
		"a;1\n\"b\nb\";2\n":                   ';',
		"\"a\na\";1\nb;2\n":                   ';',
		"a;1\n\"b\nb\n":                       0,
		"a;1,5\n":                             0,
		"title; of all\tand more\na\t1\nb\t2": '\t',
	} {
		require.Equal(t, want, FindSeparator(strings.NewReader(text), &Options{Arity: 2}), text)
	}
}
