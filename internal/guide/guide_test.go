package guide

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/codes"
)

// The guide names codes that exist, has no gap left, and is at most 1,500 tokens long. A byte of it counts as 0.307
// tokens, which is what the encodings cl100k_base and o200k_base make of it.
func TestGuide(t *testing.T) {
	const most = 1500
	named := regexp.MustCompile(`\[([a-z_]+)\](?:$|[ .,])`)
	for _, work := range []Work{Workbench, Commands} {
		guide := Text(work)
		tokens := 0.307 * float64(len(guide))
		t.Log(tokens, "tokens")
		require.LessOrEqual(t, tokens, float64(most))
		require.NotRegexp(t, `\{[a-z]+\}`, guide)
		_, mistakes, _ := strings.Cut(guide, "## What goes wrong most")
		mistakes, _, _ = strings.Cut(mistakes, "\n## ")
		found := named.FindAllStringSubmatch(strings.ReplaceAll(mistakes, "\n", " "), -1)
		require.Greater(t, len(found), 10)
		for _, one := range found {
			require.Contains(t, codes.LoadingNames(), one[1])
		}
	}
}
