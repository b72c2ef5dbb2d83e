package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/kb"
)

// serveEnv makes the test binary a server of the path it holds, for clients that start one.
const serveEnv = "MCPLOGIC_TEST_SERVE"

func TestMain(m *testing.M) {
	if path := os.Getenv(serveEnv); path != "" {
		os.Exit(serveStdio(path))
	}
	os.Exit(m.Run())
}

func serveStdio(path string) int {
	o := &kb.Options{}
	Equip(o)
	base, _, err := kb.Open([]string{path}, o)
	if err == nil {
		err = Serve(context.Background(), base, os.Stdin, os.Stdout, nil, nil)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// scriptTimeout bounds installing the clients and each of their runs.
const scriptTimeout = 3 * time.Minute

// installClients installs the official TypeScript clients beside a copy of the script and
// returns that folder. Without node or a network the test is skipped, and says so.
func installClients(t *testing.T) string {
	t.Helper()
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("NOT TESTED with the official TypeScript clients: there is no %s", tool)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	dir := filepath.Join(cache, "mcplogic-test-clients")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	same := true
	for _, name := range []string{"package.json", "package-lock.json", "interview.mjs"} {
		text, err := os.ReadFile(filepath.Join("../testdata/clients/ts", name))
		require.NoError(t, err)
		old, _ := os.ReadFile(filepath.Join(dir, name))
		same = same && (string(old) == string(text) || name == "interview.mjs")
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", ".package-lock.json")); err == nil && same {
		return dir
	}
	ctx, cancel := context.WithTimeout(context.Background(), scriptTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED with the official TypeScript clients: npm ci: %v\n%s", err, out)
	}
	return dir
}

// kingfisherAnswers are what somebody who looks at a kingfisher answers to each question.
func kingfisherAnswers(t *testing.T, snapshot *kb.Snapshot) map[string]string {
	t.Helper()
	answers := map[string]string{}
	goal := "question(Feature, Text), feature_of(common_kingfisher, Feature, Value)"
	for s, err := range snapshot.Program.Query(context.Background(), goal, nil) {
		require.NoError(t, err)
		answers[s.Text("Text")] = s.Text("Value")
	}
	return answers
}

// interviewReport is what the script prints.
type interviewReport struct {
	Tools, Prompts, Resources, Asked []string
	Interview, Hovering, Mistaken    struct {
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
		IsError           bool
	}
	Prompt   struct{ Messages []any }
	Taxonomy int
}

// TestTypeScriptClients holds the bird interview with the official TypeScript clients.
func TestTypeScriptClients(t *testing.T) {
	if testing.Short() {
		t.Skip("installs packages")
	}
	dir := installClients(t)
	birds, err := filepath.Abs("../examples/birds")
	require.NoError(t, err)
	task, err := json.Marshal(map[string]any{
		"command": os.Args[0], "args": []string{}, "env": map[string]string{serveEnv: birds},
		"answers": kingfisherAnswers(t, load(t, birds)),
	})
	require.NoError(t, err)
	for _, client := range []string{"sdk", "legacy", "modern"} {
		t.Run(client, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), scriptTimeout)
			defer cancel()
			cmd := exec.CommandContext(ctx, "node", "interview.mjs", client, string(task))
			cmd.Dir = dir
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			require.NoError(t, err, "%s", stderr.String())
			var r interviewReport
			require.NoError(t, json.Unmarshal(out, &r), "%s", out)
			require.Equal(t, []string{"birds_with", "describe_bird", "identify_bird"}, r.Tools)
			require.Equal(t, []string{"identify_from_notes"}, r.Prompts)
			require.Equal(t, []string{"birds://features", "birds://taxonomy"}, r.Resources)
			require.Contains(t, r.Interview.Content[0].Text, "Your bird is the common kingfisher (Alcedo atthis).")
			require.NotEmpty(t, r.Asked)
			require.LessOrEqual(t, len(r.Asked), 8)
			require.JSONEq(t, `{"solutions": [{"bird": "common_kestrel"}, {"bird": "common_kingfisher"}], "more": false}`,
				string(r.Hovering.StructuredContent))
			require.True(t, r.Mistaken.IsError)
			require.Len(t, r.Prompt.Messages, 1)
			require.Greater(t, r.Taxonomy, 1000)
		})
	}
}
