package frontmatter

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	members, err := Parse([]byte("\ufeff---\r\nname: a-b # a comment\nn: 12\nyes: true\nnone:\n" +
		"quoted: \"a: \\\"b\\\"\"\n" +
		"single: 'it''s'\nfolded: >-\n  one\n  two\nlines: |\n  one\n    two\n\nlist:\n  - a\n  - 'b'\nshort: [x, 1]\n" +
		"metadata:\n  k: v\n  \"q\": 2\n# more\nurl: http://x.org/a\n---  \nText\n---\n"))
	require.NoError(t, err)
	require.Equal(t, []Member{{"name", "a-b"}, {"n", 12.0}, {"yes", true}, {"none", nil}, {"quoted", `a: "b"`},
		{"single", "it's"}, {"folded", "one two"}, {"lines", "one\n  two\n"}, {"list", []any{"a", "b"}},
		{"short", []any{"x", 1.0}}, {"metadata", map[string]any{"k": "v", "q": 2.0}}, {"url", "http://x.org/a"}}, members)
}

// What is no head, or more than the package knows, is an error and never read wrongly.
func TestParseErrors(t *testing.T) {
	for _, text := range []string{"", "x", "---\nname: x\n", "---\nname\n---\n", "---\n- a\n---\n",
		"---\na: {b: 1}\n---\n",
		"---\na: &x b\n---\n", "---\na: one\n  two\n---\n", "---\na: \"x\n---\n", "---\na: 'x'y'\n---\n",
		"---\na: b: c\n---\n",
		"---\na:\n  - x\n  k: v\n---\n", "---\na: |+\n  x\n---\n", "---\na: >\n    x\n  y\n---\n", "---\na:b\n---\n",
		"---\na: [x\n---\n", "---\na:\n  ?\n---\n"} {
		_, err := Parse([]byte(text))
		require.Error(t, err, text)
	}
}
