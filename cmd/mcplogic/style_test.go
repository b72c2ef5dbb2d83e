package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// This file defines the gauges of style that cover the whole repository.

// widest is the most columns that a line of Go may have, a tab counting as one.
const widest = 120

// TestLineWidth wants no line of Go that is wider than it may be.
func TestLineWidth(t *testing.T) {
	files := []string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "../../*.go"}
	out, err := exec.CommandContext(t.Context(), "git", files...).Output()
	if err != nil {
		t.Skipf("not a working copy: %v", err)
	}
	var wide []string
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		text, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue // deleted and not committed
		}
		require.NoError(t, err)
		if bytes.HasPrefix(text, []byte("// Code generated")) {
			continue
		}
		path := strings.TrimPrefix(filepath.ToSlash(name), "../../")
		if !strings.HasPrefix(name, "..") {
			path = "cmd/mcplogic/" + path
		}
		for line := range bytes.Lines(text) {
			if utf8.RuneCount(bytes.TrimRight(line, "\r\n")) > widest {
				wide = append(wide, path+": "+string(bytes.TrimSpace(line)))
			}
		}
	}
	require.Empty(t, wide, "%d columns are the most", widest)
}

// TestGlossary wants few words of our own, in order.
func TestGlossary(t *testing.T) {
	const most = 25
	text, err := os.Open("../../docs/glossary.md")
	require.NoError(t, err)
	defer text.Close()
	var words []string
	for lines := bufio.NewScanner(text); lines.Scan(); {
		if word, _, ok := strings.Cut(strings.TrimPrefix(lines.Text(), "- **"), "**:"); ok {
			words = append(words, word)
		}
	}
	require.NotEmpty(t, words)
	require.LessOrEqual(t, len(words), most, "use the words of the trade instead")
	require.IsIncreasing(t, words)
}

// quotedPath is a path of this repository in a page, or a part of one before what the reader fills in.
var quotedPath = regexp.MustCompile("`((?:[a-z.]+/)+[a-z_.]*)[A-Z]*[a-z._]*`")

// TestContributing wants the files that the pages for contributors name.
func TestContributing(t *testing.T) {
	for _, name := range []string{"contributing", "recipes"} {
		page, err := os.ReadFile("../../docs/" + name + ".md")
		require.NoError(t, err)
		paths := quotedPath.FindAllSubmatch(page, -1)
		require.Greater(t, len(paths), 5)
		for _, path := range paths {
			_, err := os.Stat("../../" + string(path[1]))
			require.NoError(t, err)
		}
	}
}
