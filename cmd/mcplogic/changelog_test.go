package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page of changes lists the commands.
func TestChangelog(t *testing.T) {
	page, err := os.ReadFile("../../CHANGELOG.md")
	require.NoError(t, err)
	list := string(regexp.MustCompile(`(?s)\n- Commands: [^.]*\.`).Find(page))
	require.NotEmpty(t, list)
	for _, command := range newRoot().Commands() {
		require.Contains(t, list, "`"+command.Name()+"`", "CHANGELOG.md, the item Commands")
	}
}
