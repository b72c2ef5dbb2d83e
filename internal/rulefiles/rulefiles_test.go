package rulefiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
	require.Len(t, files, 5, "the file, its versions, two histories and their lock")
}

// TestDiscard removes a file that was just made, and no other.
func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	hash, err := Save(dir, "a.csv", "a\n", "", Author{})
	require.NoError(t, err)
	require.ErrorIs(t, Discard(dir, "a.csv", "0123", Author{}), ErrChanged)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, versionsName)), "as if other texts had taken its place")
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

// fillHistory makes a history so long that the next save begins another one. Its last lines stay the last.
func fillHistory(t *testing.T, dir string) {
	name := filepath.Join(dir, historyName)
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	text = append([]byte(strings.Repeat(" ", mostHistory)+"\n"), text...)
	require.NoError(t, os.WriteFile(name, text, 0o600))
}

// TestSaversShareAHistory lets several savers begin another history at once, as processes do. No save is lost or
// refused, and a reader meanwhile sees each one that was made before.
func TestSaversShareAHistory(t *testing.T) {
	dir := t.TempDir()
	const savers, rounds = 8, 4
	hashes := make([]string, savers)
	for round := range rounds {
		var all sync.WaitGroup
		if round > 0 {
			fillHistory(t, dir)
		}
		before := slices.Clone(hashes)
		for i := range savers {
			all.Go(func() {
				file := fmt.Sprintf("%d.csv", i)
				hash, err := Save(dir, file, fmt.Sprintf("%d,%d\n", i, round), before[i], Author{})
				if hashes[i] = hash; err != nil {
					t.Error(file, err)
				}
				list := History(dir, file, rounds)
				if len(list) == 0 || list[0].Hash != hash {
					t.Errorf("%s: the save %s is missing in %v", file, hash, list)
				}
			})
		}
		all.Go(func() {
			for _, hash := range before {
				known := func(one Saved) bool { return one.Hash == hash }
				if hash != "" && !slices.ContainsFunc(History(dir, "", 2*savers), known) {
					t.Errorf("round %d: %s is not seen", round, hash)
				}
			}
		})
		all.Wait()
		list := History(dir, "", rounds*savers)
		require.Len(t, list, min(round+1, 2)*savers, "the histories before and after")
	}
	require.NoError(t, os.Remove(filepath.Join(dir, olderName)))
	require.NoError(t, os.Link(filepath.Join(dir, historyName), filepath.Join(dir, olderName)))
	require.Len(t, History(dir, "", rounds*savers), savers, "it has become the older one, and is read once")
}

// TestOneOfSeveralWins saves and discards one text in several ways at once. One does it, and the others say that the
// file has changed.
func TestOneOfSeveralWins(t *testing.T) {
	dir := t.TempDir()
	for round := range 8 {
		file := fmt.Sprintf("%d.csv", round)
		made, err := Save(dir, file, "new\n", "", Author{})
		require.NoError(t, err)
		var all sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			all.Go(func() {
				if i%2 == 0 {
					errs[i] = Discard(dir, file, made, Author{})
				} else {
					_, errs[i] = Save(dir, file, fmt.Sprintln(i), made, Author{})
				}
			})
		}
		all.Wait()
		winner := -1
		for i, err := range errs {
			switch {
			case err == nil:
				require.Equal(t, -1, winner, "two did it")
				winner = i
			case !errors.Is(err, fs.ErrNotExist):
				require.ErrorIs(t, err, ErrChanged)
			}
		}
		require.NotEqual(t, -1, winner)
		text, _, err := Read(dir, file)
		if winner%2 == 0 {
			require.ErrorIs(t, err, fs.ErrNotExist)
		} else {
			require.Equal(t, fmt.Sprintln(winner), text)
		}
	}
}
