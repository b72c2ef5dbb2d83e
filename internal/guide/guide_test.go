package guide

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/codes"
)

// The guide names codes that exist, has no gap left, and is at most 1,500 tokens long, counted as a fourth of its bytes
// or as 1.35 for each word, whichever is more.
func TestGuide(t *testing.T) {
	const most = 1500
	named := regexp.MustCompile(`\[([a-z_]+)\](?:$|[ .,])`)
	for _, work := range []Work{Workbench, Commands} {
		guide := Text(work)
		tokens := max(float64(len(guide))/4, 1.35*float64(len(strings.Fields(guide))))
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
