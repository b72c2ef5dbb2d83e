package bridge

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// feedbackCase is a mistake that models and beginners make, in a program or in the arguments of a call, and what they
// have to be told: the code, the line, the cause with what to do about it, and the mend where a program can make it.
type feedbackCase struct {
	Class   string
	Program string          // a text to be loaded
	Tool    string          // or a tool of feedback.txt
	Args    json.RawMessage // with these arguments
	Code    string
	Line    int
	Words   []string
	Fix     string
}

// Each mistake of the table gets the feedback by which it can be mended.
func TestFeedback(t *testing.T) {
	text, err := os.ReadFile("testdata/feedback.jsonl")
	require.NoError(t, err)
	rules, err := os.ReadFile("testdata/feedback.txt")
	require.NoError(t, err)
	cs := connect(t, NewServer(loadText(t, string(rules)), &Options{Limits: engine.Limits{Memory: 16 << 20}}),
		"2025-11-25", nil)
	lines := slices.Collect(strings.Lines(string(text)))
	require.GreaterOrEqual(t, len(lines), 60)
	for _, line := range lines {
		var c feedbackCase
		require.NoError(t, json.Unmarshal([]byte(line), &c))
		t.Run(c.Class, func(t *testing.T) {
			if c.Tool == "" {
				c.checkProgram(t)
				return
			}
			r := bridgetest.CallTool(t, cs, c.Tool, string(c.Args))
			told := strings.Join(bridgetest.TextsOf(r), "")
			require.True(t, r.IsError)
			require.Equal(t, c.Code, r.Meta[refusal.MetaCode], told)
			for _, words := range c.Words {
				require.Contains(t, told, words)
			}
		})
	}
}

// checkProgram loads the program of a case.
func (c *feedbackCase) checkProgram(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "kb.pl"), []byte(c.Program), 0o600))
	loaded, err := kb.Load(t.Context(), []string{folder}, &kb.Options{Lint: true, Predicates: Predicates()})
	report := loaded.Report(err)
	at := slices.IndexFunc(report, func(d source.Diagnostic) bool { return d.Code == c.Code })
	require.GreaterOrEqual(t, at, 0, "%v", report)
	d := report[at]
	require.Equal(t, c.Line, d.Line)
	for _, words := range c.Words {
		require.Contains(t, strings.ReplaceAll(d.Message, folder+"/", ""), words)
	}
	fix := ""
	if d.Fix != nil {
		fix = d.Fix.Text
	}
	require.Equal(t, c.Fix, fix)
}
