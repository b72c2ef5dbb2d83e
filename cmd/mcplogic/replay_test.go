package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// This file tests that what servers record is replayed to the same answers.

// recording is a server that records, in this process, and its client, whose user earns 50000 and says so twice of
// three times.
type recording struct {
	*testing.T
	session *mcp.ClientSession
	code    chan int
	stderr  *lockedBuffer
}

func record(t *testing.T, args ...string) *recording {
	stdin, in := io.Pipe()
	out, stdout := io.Pipe()
	r := &recording{T: t, code: make(chan int, 1), stderr: &lockedBuffer{}}
	go func() {
		r.code <- execute(context.Background(), append([]string{"serve"}, args...), stdin, stdout, r.stderr)
		stdout.Close()
	}()
	var asked atomic.Int64
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if asked.Add(1)%3 == 0 {
				return &mcp.ElicitResult{Action: "decline"}, nil
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"income": 50000}}, nil
		},
	})
	var err error
	r.session, err = client.Connect(t.Context(), &mcp.IOTransport{Reader: out, Writer: in},
		&mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	require.NoError(t, err, "%s", r.stderr)
	return r
}

// end ends the server.
func (r *recording) end() {
	require.NoError(r, r.session.Close())
	require.Equal(r, exitDone, <-r.code, "%s", r.stderr)
}

// run runs a command and returns its output.
func run(t *testing.T, code int, args ...string) string {
	var stdout, stderr bytes.Buffer
	require.Equal(t, code, execute(t.Context(), args, strings.NewReader(""), &stdout, &stderr), "%s%s", &stdout, &stderr)
	return stdout.String()
}

// anyOf is one of some texts.
func anyOf(r *rand.Rand, texts ...string) string { return texts[r.IntN(len(texts))] }

// exampleCalls make calls of the examples.
var exampleCalls = map[string]func(r *rand.Rand, n int) (tool string, args map[string]any){
	"loans": func(r *rand.Rand, _ int) (string, map[string]any) {
		person := anyOf(r, "ada", "bob", "cleo", "dan", "eve")
		if r.IntN(2) == 0 {
			return "eligible", map[string]any{"Person": person}
		}
		return "may_have", map[string]any{"Person": person, "Product": anyOf(r, "starter", "gold", "silver")}
	},
	"family": func(r *rand.Rand, n int) (string, map[string]any) {
		person := anyOf(r, "leo", "clara", "ida", "nobody", "child0", "child1", "child2", "child7")
		switch r.IntN(4) {
		case 0:
			return "add_child", map[string]any{"parent": person, "child": fmt.Sprintf("child%d", n%20), "gender": "female"}
		case 1:
			return "how_related", map[string]any{"person": person, "other": anyOf(r, "leo", "ida", "child3")}
		case 2:
			return "relatives", map[string]any{"person": person}
		}
		return "ancestors", map[string]any{"person": person}
	},
	"birds": func(r *rand.Rand, _ int) (string, map[string]any) {
		if r.IntN(2) == 0 {
			return "describe_bird", map[string]any{"name": anyOf(r, "mallard", "laysan_albatross", "dodo")}
		}
		return "birds_with", map[string]any{"feature": anyOf(r, "color", "size", "none"), "value": anyOf(r, "white", "dark")}
	},
}

// callAll makes calls from several goroutines and returns, by the names of their records, what they were.
func (r *recording) callAll(calls int, next func(r *rand.Rand, n int) (string, map[string]any)) map[string]string {
	const callers = 6
	var mu sync.Mutex
	texts := map[string]string{}
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(caller), 1))
			for n := range calls / callers {
				tool, args := next(random, n)
				result, err := r.session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
				if err != nil {
					r.Errorf("%s: %s", tool, err)
					return
				}
				var text strings.Builder
				fmt.Fprintf(&text, "%v: ", args)
				for _, c := range result.Content {
					text.WriteString(c.(*mcp.TextContent).Text)
				}
				id, _ := result.Meta["mcplogic/decision"].(string)
				mu.Lock()
				texts[id] = text.String()
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return texts
}

// TestReplayExamples records generated calls of examples by several callers, among them calls that ask the user and
// that change facts. Their record replays to the same answers, also when the server was started anew in between.
func TestReplayExamples(t *testing.T) {
	calls := deep.Count(120, 30_000)
	for name, next := range exampleCalls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, rules := filepath.Join(t.TempDir(), "record"), filepath.Join("..", "..", "examples", name)
			for range 2 {
				r := record(t, "--decisions", dir, "--decisions-file", "16KiB", rules)
				require.Len(t, r.callAll(calls, next), calls)
				r.end()
			}
			require.Equal(t, fmt.Sprintf("%d calls replayed, 0 different\n", 2*calls), run(t, exitDone, "replay", dir))
			requireSchema(t, dir)
		})
	}
}

// requireSchema holds the lines of a record, and the example of the page, against the schema.
func requireSchema(t *testing.T, dir string) {
	text, err := os.ReadFile("../../docs/decision.schema.json")
	require.NoError(t, err)
	s, err := schema.Compile(text)
	require.NoError(t, err)
	page, err := os.ReadFile("../../docs/decisions.md")
	require.NoError(t, err)
	_, example, _ := strings.Cut(string(page), "```json\n{\"v\"")
	example, _, _ = strings.Cut(example, "```")
	require.NoError(t, s.Validate([]byte("{\"v\""+example)))
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for line := range bytes.Lines(text) {
			require.NoError(t, s.Validate(line), "%s", line)
		}
	}
}

// TestReplayThreshold replays a record on rules with another threshold. The calls that differ are exactly those that
// were granted below it.
func TestReplayThreshold(t *testing.T) {
	dir := t.TempDir()
	record0, changed := filepath.Join(dir, "record"), filepath.Join(dir, "changed")
	r := record(t, "--decisions", record0, "../../examples/loans")
	texts := r.callAll(120, exampleCalls["loans"])
	r.end()
	want := map[string]bool{}
	for id, text := range texts {
		if strings.HasSuffix(text, "Product:starter]: true") || strings.Contains(text, ": Product: starter") {
			want[id] = true
		}
	}
	require.NoError(t, os.CopyFS(changed, os.DirFS("../../examples/loans")))
	file := filepath.Join(changed, "loans.pl")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	text = bytes.Replace(text, []byte("product(starter, 18, 12000)"), []byte("product(starter, 18, 100000)"), 1)
	require.NoError(t, os.WriteFile(file, text, 0o600))
	got := map[string]bool{}
	out := run(t, exitNo, "replay", "--json", record0, changed)
	for line := range strings.Lines(out) {
		var d struct {
			ID     string
			Now    struct{ Outcome string }
			WhyWas string `json:"why_was"`
			WhyNow string `json:"why_now"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &d))
		if d.ID != "" {
			got[d.ID] = true
			require.NotEmpty(t, d.WhyWas)
			require.NotEmpty(t, d.WhyNow)
		}
	}
	require.NotEmpty(t, want)
	require.Equal(t, want, got)
}

// TestRecordRequired takes the folder of the record away. Calls are refused and change nothing until it is back, or are
// answered if records are not required.
func TestRecordRequired(t *testing.T) {
	for _, required := range []bool{true, false} {
		dir := filepath.Join(t.TempDir(), "record")
		r := record(t, "--decisions", dir, fmt.Sprintf("--decisions-required=%t", required), "../../examples/family")
		call := func(tool string, args map[string]any) (string, bool) {
			result, err := r.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
			require.NoError(t, err)
			return result.Content[0].(*mcp.TextContent).Text, result.IsError
		}
		add := map[string]any{"parent": "leo", "child": "eva", "gender": "female"}
		ancestors := map[string]any{"person": "eva"}
		folders, err := filepath.Glob(filepath.Join(dir, "2*"))
		require.NoError(t, err)
		require.Len(t, folders, 1)
		require.NoError(t, os.RemoveAll(folders[0]))
		text, failed := call("add_child", add)
		require.Equal(t, required, failed, text)
		if required {
			require.Contains(t, text, "add_child was refused, and nothing was changed: the decision could not be recorded")
			text, failed = call("ancestors", ancestors)
			require.True(t, failed)
			require.Contains(t, text, "could not be recorded")
		}
		require.NoError(t, os.Mkdir(folders[0], 0o700))
		_, failed = call("ancestors", ancestors)
		require.Equal(t, required, failed)
		_, failed = call("add_child", add)
		require.Equal(t, !required, failed)
		r.end()
		run(t, map[bool]int{true: exitDone, false: exitNo}[required], "replay", dir)
		require.Equal(t, !required, strings.Contains(r.stderr.String(), "decisions are not recorded: "), "%s", r.stderr)
	}
}

// TestReplayAsks replays calls on rules that ask something else. The record has no answer to that.
func TestReplayAsks(t *testing.T) {
	dir := t.TempDir()
	r := record(t, "--decisions", filepath.Join(dir, "record"), "../../examples/loans")
	_, err := r.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "eligible",
		Arguments: map[string]any{"Person": "dan"}})
	require.NoError(t, err)
	r.end()
	changed := filepath.Join(dir, "changed")
	require.NoError(t, os.CopyFS(changed, os.DirFS("../../examples/loans")))
	file := filepath.Join(changed, "loans.pl")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	text = bytes.Replace(text, []byte("What does this person"), []byte("What did this person"), 1)
	require.NoError(t, os.WriteFile(file, text, 0o600))
	require.Contains(t, run(t, exitNo, "replay", filepath.Join(dir, "record"), changed),
		"now: [asks] It asks what nobody has answered: What did this person earn")
}
