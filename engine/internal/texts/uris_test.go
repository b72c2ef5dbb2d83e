package texts

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// referencePattern is that of RFC 3986, appendix B.
var referencePattern = regexp.MustCompile(
	`(?s)^(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$`)

// TestCutURI takes all texts of up to six of the characters that separate apart, as the pattern does.
func TestCutURI(t *testing.T) {
	var try func(text string)
	try = func(text string) {
		at := referencePattern.FindStringSubmatchIndex(text)
		for i, part := range cutURI(text) {
			from, to := at[2*i+2], at[2*i+3]
			if from < 0 {
				require.Nil(t, part, "part %d of %q", i, text)
			} else {
				require.NotNil(t, part, "part %d of %q", i, text)
				require.Equal(t, text[from:to], *part, "part %d of %q", i, text)
			}
		}
		if len(text) == 6 {
			return
		}
		for _, c := range "a:/?#" {
			try(text + string(c))
		}
	}
	try("")
}

func TestRemoveDots(t *testing.T) {
	for path, want := range map[string]string{
		"/a/b/c/./../../g": "/a/g", "mid/content=5/../6": "mid/6", "/../a": "/a", "/..": "/", "/a/..": "/",
		"/a//../b": "/a/b", "/..//x": "//x", "../a": "a", "./a": "a", ".": "", "..": "", "/.": "/", "": "",
		"/a/../../b": "/b",
	} {
		require.Equal(t, want, removeDots(path), path)
	}
	// A copy of the path at each of its segments would take minutes.
	const n = 1 << 19
	require.Equal(t, "/", removeDots(strings.Repeat("/x", n)+strings.Repeat("/..", n)))
}
