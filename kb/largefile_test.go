package kb

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLargeFile loads a file that is not held in memory as a whole, and expects the same reports as for a file that is.
func TestLargeFile(t *testing.T) {
	var text bytes.Buffer
	last := ""
	for i := 0; text.Len() < 2*largeFile; i++ {
		fmt.Fprintf(&text, "fact(%d, 'ä atom %d', \"text\").\n", i, i)
		switch i % 10_000 {
		case 1:
			last = fmt.Sprintf("rule%d(X) :- fact(X, Single, _).", i)
			fmt.Fprintln(&text, last)
		case 2:
			fmt.Fprintln(&text, "fact(. % no clause")
		case 3:
			fmt.Fprintf(&text, "other%d :- nowhere%d.%% %s\n", i, i, strings.Repeat("long ", 20_000))
		}
	}
	text.WriteString("fact(1, 'bad\xff', \"\").\n")
	file := filepath.Join(t.TempDir(), "large.pl")
	require.NoError(t, os.WriteFile(file, text.Bytes(), 0o600))
	o := (*Options)(nil).complete()
	l := newLoading([]string{file}, &o, true)
	require.Nil(t, l.sources[0].Open)
	_, want := l.run(t.Context())
	loaded, err := Load(t.Context(), []string{file}, nil)
	got := loaded.Report(err)
	require.Equal(t, want, got)
	require.Greater(t, len(got), 10)
	sources, codes := map[string]bool{}, map[string]bool{}
	for _, d := range got {
		sources[d.Source], codes[d.Code] = true, true
	}
	require.Subset(t, codes, map[string]bool{"syntax": true, "singleton": true})
	require.True(t, sources[last], "the line of a warning is shown")
}
