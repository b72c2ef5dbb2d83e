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

// TestHistoryIsBounded keeps the last saves of a history that has grown long, and the older ones beside it.
func TestHistoryIsBounded(t *testing.T) {
	dir := t.TempDir()
	hash, err := Save(dir, "a.csv", "0\n", "", Author{Name: "Kim"})
	require.NoError(t, err)
	line := `{"time":"2026-01-01T00:00:00Z","file":"b.csv","was":"0","hash":"1"}` + "\n"
	for range 3 {
		text, err := os.ReadFile(filepath.Join(dir, historyName))
		require.NoError(t, err)
		text = append([]byte(strings.Repeat(line, mostHistory/len(line)+1)), text...)
		require.NoError(t, os.WriteFile(filepath.Join(dir, historyName), text, 0o600))
		before := hash
		hash, err = Save(dir, "a.csv", hash+"\n", hash, Author{})
		require.NoError(t, err)
		list := History(dir, "a.csv", 9)
		require.Equal(t, []string{hash, before}, []string{list[0].Hash, list[1].Hash})
		info, err := os.Stat(filepath.Join(dir, historyName))
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(1000))
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 4, "the file, its versions and two histories")
}

// TestDiscard removes a file that was just made, and no other.
func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	hash, err := Save(dir, "a.csv", "a\n", "", Author{})
	require.NoError(t, err)
	require.ErrorIs(t, Discard(dir, "a.csv", "0123", Author{}), ErrChanged)
	require.NoError(t, Discard(dir, "a.csv", hash, Author{Name: "Kim"}))
	require.NoFileExists(t, filepath.Join(dir, "a.csv"))
	list := History(dir, "a.csv", 9)
	require.Equal(t, []string{"Kim", hash, ""}, []string{list[0].By, list[0].Was, list[0].Hash})
	text, err := Version(dir, hash)
	require.NoError(t, err)
	require.Equal(t, "a\n", text)
	hash, err = Save(dir, "a.csv", "a\n", "", Author{})
	require.NoError(t, err)
	hash, err = Save(dir, "a.csv", "b\n", hash, Author{})
	require.NoError(t, err)
	require.ErrorIs(t, Discard(dir, "a.csv", hash, Author{}), ErrChanged, "it was there before")
	require.Error(t, Discard(dir, "../a.csv", hash, Author{}))
}
