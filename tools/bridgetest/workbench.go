package bridgetest

import (
	_ "embed" // for the conversation
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/kb"
)

// Bench is a session with a server that has a workbench, in a folder with one file.
type Bench struct {
	*testing.T
	Folder string
	CS     *mcp.ClientSession
}

// Call calls a tool and returns the text of its result, and whether it is an error.
func (b *Bench) Call(tool string, args map[string]any) (string, bool) {
	raw, err := json.Marshal(args)
	require.NoError(b, err)
	r := CallTool(b.T, b.CS, tool, string(raw))
	return strings.Join(TextsOf(r), "\n"), r.IsError
}

// Says calls a tool and wants words in the result, which is no error.
func (b *Bench) Says(tool string, args map[string]any, words ...string) {
	text, isError := b.Call(tool, args)
	require.False(b, isError, text)
	for _, word := range words {
		require.Contains(b, text, word)
	}
}

// Refuses calls a tool and wants words in the result, which is an error.
func (b *Bench) Refuses(tool string, args map[string]any, words ...string) {
	text, isError := b.Call(tool, args)
	require.True(b, isError, text)
	for _, word := range words {
		require.Contains(b, text, word)
	}
}

// Hash returns the hash of a file as kb_read gives it.
func (b *Bench) Hash(file string) string {
	text, isError := b.Call("kb_read", map[string]any{"file": file})
	require.False(b, isError, text)
	_, after, _ := strings.Cut(text, ", hash ")
	return after[:16]
}

// conversation is a text of calls, a line of JSON each. An argument that begins with $ is the hash of a file.
//
//go:embed workbench.jsonl
var conversation string

// NoRules is the text of the file before the session.
const NoRules = "% Nothing yet.\n"

// BuildRules builds a knowledge base from nothing, breaks it, is told, mends it, tests it and serves it.
func (b *Bench) BuildRules() {
	b.Helper()
	var rules any // the last text of rules.pl that was saved
	for line := range strings.Lines(conversation) {
		var step struct {
			Tool    string
			Args    map[string]any
			Refused bool
			Words   []string
		}
		require.NoError(b, json.Unmarshal([]byte(line), &step))
		if hash, _ := step.Args["hash"].(string); hash != "" {
			step.Args["hash"] = b.Hash(hash[1:])
		}
		if step.Refused {
			b.Refuses(step.Tool, step.Args, step.Words...)
			continue
		}
		b.Says(step.Tool, step.Args, step.Words...)
		if step.Tool == "kb_save" && step.Args["file"] == "rules.pl" {
			rules = step.Args["text"]
		}
	}
	saved, err := os.ReadFile(filepath.Join(b.Folder, "rules.pl"))
	require.NoError(b, err)
	mark, text, _ := strings.Cut(string(saved), "\n")
	require.Equal(b, rules, text)
	require.Contains(b, mark, "% mcplogic: restricted")
	saves := kb.History(b.Folder, "rules.pl", 1)
	require.Len(b, saves, 1)
	last, err := kb.Version(b.Folder, saves[0].Was)
	require.NoError(b, err)
	require.Equal(b, NoRules, last)
}
