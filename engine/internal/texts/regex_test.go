package texts

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPolledRegexes compares the search that is polled, which long texts get, with that of package regexp.
func TestPolledRegexes(t *testing.T) {
	patterns := []string{
		"a", "a*", "", "b|", "x*?", "(a)(b)?", `\bword\b`, `\B`, `\b`, "^a", "(?m)^a*$", "(?m)$", `\Aa`, `a\z`, "(?i)A+",
		"(?U)a+", "(?s).", ".", "é", "[^a]+", `\Qa.b`, "(?P<name>a)|(?P<other>b)", "(?im)^(?:A|(b))", "a{2,3}", "((a)|b)*",
	}
	texts := []string{
		"", "a", "aaa", "abab", "ba\nab\n", "word sword word", "a.b a.b", "é", "éaéb", "\xffa\xff", "\n\n", "bbbaaa", " a ",
	}
	for _, pattern := range patterns {
		re, err := compileRegex(pattern)
		require.NoError(t, err, pattern)
		for _, text := range texts {
			polls := 0
			var all [][]int
			err := re.findAll(text, func() { polls++ }, func(at []int) error {
				all = append(all, at)
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, re.FindAllStringSubmatchIndex(text, -1), all, "%q in %q", pattern, text)
			require.True(t, polls > 0 || text == "", "%q in %q", pattern, text)
			first, err := re.find(text, 0, func() {})
			require.NoError(t, err)
			require.Equal(t, re.FindStringSubmatchIndex(text), first, "%q in %q", pattern, text)
		}
	}
}

// TestLongRegexes compares the number of steps that a search may take with those that go without being polled.
func TestLongRegexes(t *testing.T) {
	re, err := compileRegex("a")
	require.NoError(t, err)
	most := maxRegexSteps / re.size
	require.False(t, re.isLong(strings.Repeat("a", most)))
	require.True(t, re.isLong(strings.Repeat("a", most+1)))
}
