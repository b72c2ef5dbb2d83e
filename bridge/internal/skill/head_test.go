package skill

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHead(t *testing.T) {
	head, err := readHead([]byte("\ufeff---\r\nname: a-b # a comment\nn: 12\nyes: true\nnone:\n" +
		"quoted: \"a: \\\"b\\\"\"\n" +
		"single: 'it''s'\nfolded: >-\n  one\n  two\nlines: |\n  one\n    two\n\nlist:\n  - a\n  - 'b'\nshort: [x, 1]\n" +
		"metadata:\n  k: v\n  \"q\": {deep: [2.5]}\n# more\nurl: http://x.org/a\nday: 2026-01-31\nlong: one\n  two\n" +
		"a: &x b\nc: *x\n---  \nText\n---\n"))
	require.NoError(t, err)
	require.Equal(t, `{"name":"a-b","n":12,"yes":true,"none":null,"quoted":"a: \"b\"","single":"it's",`+
		`"folded":"one two","lines":"one\n  two\n","list":["a","b"],"short":["x",1],"metadata":{"k":"v","q":{"deep":[2.5]}},`+
		`"url":"http://x.org/a","day":"2026-01-31","long":"one two","a":"b","c":"b"}`, string(head.JSON()))
	head, err = readHead([]byte("---\n---\ntext"))
	require.NoError(t, err)
	require.Empty(t, head)
}

// TestHeadErrors reads texts without a head, heads that are no YAML, and values that JSON lacks.
func TestHeadErrors(t *testing.T) {
	for _, text := range []string{"", "x", "---\nname: x\n", "---\nname\n---\n", "---\n- a\n---\n",
		"---\na: \"x\n---\n", "---\na: 'x'y'\n---\n", "---\na: b: c\n---\n", "---\na:\n  - x\n  k: v\n---\n",
		"---\na:b\n---\n", "---\na: [x\n---\n", "---\na: 1\na: 2\n---\n", "---\na: .nan\n---\n", "---\na: *b\n---\n",
		"---\na: &x [*x]\n---\n", "---\n[1]: b\n---\n", "---\na: {1: {[2]: 3}}\n---\n", "---\nx: &x {b: 1}\n<<: *x\n---\n"} {
		_, err := readHead([]byte(text))
		require.Error(t, err, text)
	}
}
