package rulefiles

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHistory reads the end of a long history, and leaves out saves that have changed nothing.
func TestHistory(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	n := 0
	for ; text.Len() < 2*mostHistory; n++ {
		fmt.Fprintf(&text, "{\"time\":\"2026-01-01T00:00:00Z\",\"file\":\"a.pl\",\"was\":\"%d\",\"hash\":\"%d\"}\n",
			n, n+1)
	}
	text.WriteString("{\"file\":\"a.pl\",\"was\":\"x\",\"hash\":\"x\"}\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, historyName), []byte(text.String()), 0o600))
	list := History(dir, "a.pl", 2*n)
	require.Equal(t, fmt.Sprint(n), list[0].Hash)
	require.Less(t, len(list), n*2/3)
	require.Greater(t, len(list), n/3)
	for i, one := range list {
		require.Equal(t, fmt.Sprint(n-i), one.Hash)
	}

	hash, err := Save(dir, "b.pl", "b.\n", "", Author{})
	require.NoError(t, err)
	same, err := Save(dir, "b.pl", "b.\n", hash, Author{})
	require.ErrorIs(t, err, ErrSame)
	require.Equal(t, hash, same)
	require.Len(t, History(dir, "b.pl", 9), 1)
}
