package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/mcplogic/mcplogic/tools/wiretest"
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
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if asked.Add(1)%3 == 0 {
				return &mcp.ElicitResult{Action: "decline"}, nil
			}
			content := map[string]any{"income": 50000}
			if strings.HasPrefix(req.Params.Message, "Was the theft reported") {
				content = map[string]any{"reported": true}
			}
			return &mcp.ElicitResult{Action: "accept", Content: content}, nil
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
	require.Equal(r, cli.ExitDone, <-r.code, "%s", r.stderr)
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
	"factorial": func(r *rand.Rand, _ int) (string, map[string]any) {
		return anyOf(r, "factorial", "factorial_text"), map[string]any{"N": r.IntN(40) - 3}
	},
	"birds": func(r *rand.Rand, _ int) (string, map[string]any) {
		if r.IntN(2) == 0 {
			return "describe_bird", map[string]any{"name": anyOf(r, "mallard", "laysan_albatross", "dodo")}
		}
		return "birds_with", map[string]any{"feature": anyOf(r, "color", "size", "none"), "value": anyOf(r, "white", "dark")}
	},
	"claims": func(r *rand.Rand, n int) (string, map[string]any) {
		policy := anyOf(r, "p100", "p200", "p300", "p400", "p500")
		day := fmt.Sprintf("2026-%02d-%02d", 1+r.IntN(12), 1+n%31) // some are none
		args := map[string]any{"policy": policy, "kind": anyOf(r, "water", "storm", "theft", "damage"), "day": day,
			"amount": fmt.Sprintf("%d.%02d", r.IntN(3000), r.IntN(100))}
		if r.IntN(3) == 0 {
			claimed := map[string]any{"policy": policy, "day": "2026-01-31", "amount": 90}
			args["assume"] = map[string]any{"claimed": []any{claimed}}
		}
		return "triage", args
	},
	"flights": func(r *rand.Rand, _ int) (string, map[string]any) {
		args := map[string]any{"Flight": anyOf(r, "lh1", "lh2", "lh3", "lh4", "lh5", "lh6", "lh7")}
		if r.IntN(2) == 0 {
			args["now"] = fmt.Sprintf("%d-06-01", 2019+r.IntN(10))
		}
		return "compensation", args
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
	calls := deep.Count(60, 50_004)
	for name, next := range exampleCalls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, rules := filepath.Join(t.TempDir(), "record"), filepath.Join("..", "..", "examples", name)
			for range 2 {
				r := record(t, "--decisions", dir, "--decisions-file", "16KiB", rules)
				require.Len(t, r.callAll(calls, next), calls)
				r.end()
			}
			require.Equal(t, fmt.Sprintf("%d calls replayed, 0 different\n", 2*calls), run(t, cli.ExitDone, "replay", dir))
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
	page, err := os.ReadFile("../../docs/record.md")
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
	out := run(t, cli.ExitNo, "replay", "--json", record0, changed)
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
		run(t, map[bool]int{true: cli.ExitDone, false: cli.ExitUsage}[required], "replay", dir) // nobody knows the facts
		require.Equal(t, !required, strings.Contains(r.stderr.String(), "decisions are not recorded: "), "%s", r.stderr)
	}
}

// TestRecordEnds records calls that are ended from outside. Nobody can tell whether they would be so again.
func TestRecordEnds(t *testing.T) {
	dir := t.TempDir()
	rules, recorded := filepath.Join(dir, "rules.pl"), filepath.Join(dir, "record")
	require.NoError(t, os.WriteFile(rules, []byte(`tools([tool(limited, forever, 0, [timeout(1)]), forever/0, well/0]).
:- info(forever/0, [comment is 'Never ends.']).
forever :- repeat, fail.
:- info(well/0, [comment is 'Ends.']).
well.
`), 0o600))
	r := record(t, "--decisions", recorded, rules)
	result, err := r.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "limited"})
	require.NoError(t, err)
	require.True(t, result.IsError)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = r.session.CallTool(ctx, &mcp.CallToolParams{Name: "forever"})
	require.Error(t, err)
	_, err = r.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "well"})
	require.NoError(t, err)
	r.end()
	require.JSONEq(t, `{"replayed": 1, "different": 0, "accepted": 0, "damaged": 0,
		"skipped": {"limits, others or the client ended it": 2}}`, run(t, cli.ExitDone, "replay", "--json", recorded))
}

// TestReplayUnbegun records calls that end before their goals run. Each rests on the facts of its time all the same: a
// fact with the key of one that is assumed was there then, and is not there at the beginning of the record. A cursor is
// not in the record, and a call that was refused for one is not replayed.
func TestReplayUnbegun(t *testing.T) {
	dir := t.TempDir()
	rules, recorded := filepath.Join(dir, "rules.pl"), filepath.Join(dir, "record")
	require.NoError(t, os.WriteFile(rules, []byte(`:- persistent(stock/2, [key([1])]).
:- mode(stock(+atom, +integer), zero_or_more).
:- info(stock/2, [comment is 'How many there are.', argnames is [item, n]]).
tools([put/2, tool(count, count, 2, [assume([stock/2])])]).
:- mode(put(+atom, +integer), one).
:- info(put/2, [comment is 'Puts items in the place of others.', argnames is [item, n]]).
put(I, N) :- retractall(stock(I, _)), assertz(stock(I, N)).
:- mode(count(-atom, -integer), zero_or_more).
:- info(count/2, [comment is 'What there is.', argnames is [item, n]]).
count(I, N) :- stock(I, N).
`), 0o600))
	r := record(t, "--decisions", recorded, "--max-solutions", "1", rules)
	call := func(code, tool string, args map[string]any) *mcp.CallToolResult {
		result, err := r.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		require.NoError(t, err)
		got, _ := result.Meta["mcplogic/code"].(string)
		require.Equal(t, code, got, "%s %v", tool, args)
		require.NotEmpty(t, result.Meta["mcplogic/decision"])
		return result
	}
	stock := func(item string, n int) any {
		return map[string]any{"stock": []any{map[string]any{"item": item, "n": n}}}
	}
	call("", "put", map[string]any{"item": "tea", "n": 1})
	call("bad_arguments", "count", map[string]any{"assume": stock("tea", 2)})
	call("", "count", map[string]any{"assume": stock("tea", 2), "without": stock("tea", 1)})
	call("", "count", map[string]any{"without": stock("tea", 1)})
	call("bad_arguments", "count", map[string]any{"without": stock("tea", 2)})
	call("", "put", map[string]any{"item": "tea", "n": 2})
	call("bad_arguments", "count", map[string]any{"without": stock("tea", 1)})
	call("bad_arguments", "count", map[string]any{"item": 1})
	call("bad_arguments", "count", map[string]any{"cursor": 1})
	call("bad_cursor", "count", map[string]any{"cursor": "none"})
	call("", "put", map[string]any{"item": "rice", "n": 1})
	first := call("", "count", nil)
	cursor := regexp.MustCompile(`cursor[": ]+(\S+?)[\]" ]`).FindStringSubmatch(fmt.Sprint(first.StructuredContent))
	require.NotNil(t, cursor, "%v", first.StructuredContent)
	call("", "count", map[string]any{"cursor": cursor[1]})
	call("", "put", map[string]any{"item": "tea", "n": 3})
	call("bad_cursor", "count", map[string]any{"cursor": cursor[1]})
	r.end()
	require.JSONEq(t, `{"replayed": 13, "different": 0, "accepted": 0, "damaged": 0,
		"skipped": {"limits, others or the client ended it": 2}}`, run(t, cli.ExitDone, "replay", "--json", recorded))
}

// TestReplayLimits replays calls of servers with other limits, each within its own, unless a flag says otherwise.
func TestReplayLimits(t *testing.T) {
	dir := t.TempDir()
	rules, recorded := filepath.Join(dir, "rules.pl"), filepath.Join(dir, "record")
	require.NoError(t, os.WriteFile(rules, []byte(`tools([some/1, long/1]).
:- mode(some(-integer), zero_or_more).
:- info(some/1, [comment is 'Numbers.', argnames is [n]]).
some(N) :- between(1, 10, N).
:- mode(long(-string), one).
:- info(long/1, [comment is 'A long text.', argnames is [text]]).
long(T) :- numlist(1, 1000, L), format(string(T), "~w", [L]).
`), 0o600))
	for _, limit := range []string{"--max-solutions=100", "--max-solutions=3", "--max-result=1KiB",
		"--max-inferences=99999"} {
		r := record(t, "--decisions", recorded, limit, rules)
		for _, tool := range []string{"some", "long"} {
			_, err := r.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
			require.NoError(t, err)
		}
		r.end()
	}
	requireSchema(t, recorded)
	require.Equal(t, "8 calls replayed, 0 different\n", run(t, cli.ExitDone, "replay", recorded))
	require.Contains(t, run(t, cli.ExitNo, "replay", "--max-solutions", "5", recorded), "8 calls replayed, 4 different\n")
}

// TestDiffReplays tries a text in the workbench on the calls that were recorded last.
func TestDiffReplays(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "loans"), os.DirFS("../../examples/loans")))
	r := record(t, "--workbench", "--decisions", filepath.Join(dir, "record"), filepath.Join(dir, "loans"))
	defer r.end()
	call := func(tool string, args map[string]any) string {
		result, err := r.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		require.NoError(t, err)
		return result.Content[0].(*mcp.TextContent).Text
	}
	require.Equal(t, "true", call("may_have", map[string]any{"Person": "dan", "Product": "starter"}))
	require.Contains(t, call("may_have", map[string]any{"Person": "bob", "Product": "gold"}), "no solution")
	text, err := os.ReadFile(filepath.Join(dir, "loans", "loans.pl"))
	require.NoError(t, err)
	diff := func(to string) string {
		changed := strings.Replace(string(text), "product(starter, 18, 12000)", to, 1)
		require.NotEqual(t, string(text), changed)
		return call("kb_diff", map[string]any{"file": "loans.pl", "text": changed})
	}
	got := diff("product(starter, 18, 100000)")
	require.Equal(t, 1, strings.Count(got, "the call "), "%s", got)
	require.Contains(t, got, `the call may_have {"Person":"dan","Product":"starter"} answers "true" and would answer`)
	require.NotContains(t, diff("product(starter, 18, 12001)"), "the call ")
}

// TestReplayZone replays a call of a server in another time zone whose record does not name it, and says so.
func TestReplayZone(t *testing.T) {
	dir := t.TempDir()
	r := record(t, "--decisions", dir, "../../examples/factorial")
	_, err := r.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "factorial", Arguments: map[string]any{"N": 3}})
	require.NoError(t, err)
	r.end()
	const note = "the calls were made in another time zone"
	var out bytes.Buffer
	require.Equal(t, cli.ExitDone, execute(t.Context(), []string{"replay", dir}, strings.NewReader(""), &out, &out))
	require.NotContains(t, out.String(), note)
	files, err := filepath.Glob(filepath.Join(dir, "2*", "*.jsonl"))
	require.NoError(t, err)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	body, _, _ := bytes.Cut(text, []byte(`,"sum"`))
	_, here := time.Now().Zone()
	there := time.Now().In(time.FixedZone("", here+3600)).Format(time.RFC3339Nano)
	body = regexp.MustCompile(`"time":"[^"]*"`).ReplaceAll(body, []byte(`"time":"`+there+`"`))
	body = regexp.MustCompile(`"zone":"[^"]*",`).ReplaceAll(body, nil)
	text = fmt.Appendf(body, ",\"sum\":\"%08x\"}\n", crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
	require.NoError(t, os.WriteFile(files[0], text, 0o600))
	require.Equal(t, cli.ExitDone, execute(t.Context(), []string{"replay", dir}, strings.NewReader(""), &out, &out))
	require.Contains(t, out.String(), note)
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
	require.Contains(t, run(t, cli.ExitNo, "replay", filepath.Join(dir, "record"), changed),
		"now: [asks] It asks what nobody has answered: What did this person earn")
}

// stockRules keep items, of which persistent ones stay from one process to the next. FACTOR differs between versions.
const stockRules = `:- use_module(library(mcp)).
:- persistent(stock/2).
:- dynamic seen/1.
tools([put/2, stock/3, tool(seen, seen, 1, [])]).
:- mode(put(+atom, +integer), one).
:- info(put/2, [comment is 'Puts items in the place of others.', argnames is [item, n]]).
put(I, N) :- retractall(stock(I, _)), assertz(stock(I, N)), assertz(seen(I)), assertz((twice(X) :- X == I)).
:- mode(stock(+atom, -integer, -integer), zero_or_more).
:- info(stock/3, [comment is 'How many there are.', argnames is [item, n, value]]).
stock(I, N, V) :- stock(I, N), V is N*FACTOR.
:- mode(seen(-atom), zero_or_more).
:- info(seen/1, [comment is 'What was put.', argnames is [item]]).
prompts([prompt(note, 'Notes an item.', [argument(item, 'The item.', true)])]).
prompt_get(note, [item-I], messages([message(user, text(done))])) :- atom_string(A, I), assertz(seen(A)).
:- dynamic twice/1.
`

// TestReplayReload replays calls of two processes with a store, in each of which the rules were changed. Facts outlive
// both, as they did then.
func TestReplayReload(t *testing.T) {
	dir := t.TempDir()
	rules, recorded := filepath.Join(dir, "rules.pl"), filepath.Join(dir, "record")
	write := func(factor string) {
		require.NoError(t, os.WriteFile(rules, []byte(strings.Replace(stockRules, "FACTOR", factor, 1)), 0o600))
	}
	want := 0
	for process := range 2 {
		write("2")
		r := record(t, "--decisions", recorded, "--store", "file:"+filepath.Join(dir, "store"), rules)
		call := func(tool string, args map[string]any) string {
			result, err := r.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
			require.NoError(t, err)
			want++
			return fmt.Sprint(result.StructuredContent)
		}
		for _, factor := range []string{"2", "3"} {
			write(factor)
			value := fmt.Sprint("value:", (process+1)*map[string]int{"2": 2, "3": 3}[factor])
			call("put", map[string]any{"item": fmt.Sprint("tea", process, factor), "n": 1})
			call("put", map[string]any{"item": "rice", "n": process + 1})
			require.Eventually(t, func() bool {
				return strings.Contains(call("stock", map[string]any{"item": "rice"}), value)
			}, wiretest.Patience, 20*time.Millisecond)
			_, err := r.session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "note",
				Arguments: map[string]string{"item": "noted"}})
			require.NoError(t, err)
			require.Contains(t, call("seen", nil), "noted")
		}
		r.end()
	}
	require.Equal(t, fmt.Sprintf("%d calls replayed, 0 different\n", want), run(t, cli.ExitDone, "replay", recorded))
}

// TestReplayOdd replays records that somebody has made up. Each is replayed or said, and nothing panics.
func TestReplayOdd(t *testing.T) {
	dir := t.TempDir()
	recorded := filepath.Join(dir, "record")
	r := record(t, "--decisions", recorded, "../../examples/family")
	r.callAll(12, exampleCalls["family"])
	r.end()
	files, err := filepath.Glob(filepath.Join(recorded, "2*", "*.jsonl"))
	require.NoError(t, err)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	odd := []string{`null`, `-1`, `1e30`, `"x"`, `""`, `[]`, `{}`, `[1]`, `["+"]`, `["~1 x", "-user:gender(leo,male)."]`,
		`["+user:p((a:-b))."]`, `["+nowhere:append(a,b,c)."]`, `true`, `{"name": 1}`, `[{"key": "q1", "action": "accept"}]`,
		`"2026-01-01T00:00:00Z"`, `{"content": null}`, `18446744073709551615`}
	for line := range bytes.Lines(text) {
		var members map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(line, &members))
		delete(members, "sum")
		for _, name := range []string{"v", "id", "time", "user", "client", "tool", "arguments", "assume", "without", "skip",
			"answers", "now", "seed", "rules", "load", "state", "sequence", "changes", "pending", "commit", "outcome", "result",
			"error", "took_ms", "statements", "omitted"} {
			var lines bytes.Buffer
			for _, value := range odd {
				changed := maps.Clone(members)
				changed[name] = json.RawMessage(value)
				body, err := json.Marshal(changed)
				require.NoError(t, err)
				body = body[:len(body)-1]
				fmt.Fprintf(&lines, "%s,\"sum\":\"%08x\"}\n", body, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
			}
			require.NoError(t, os.WriteFile(files[0], lines.Bytes(), 0o600))
			var out bytes.Buffer
			code := execute(t.Context(), []string{"replay", recorded}, strings.NewReader(""), &out, &out)
			require.LessOrEqual(t, code, cli.ExitUsage, "%s: %s", name, &out)
		}
	}
	require.NoError(t, os.WriteFile(files[0], text, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(files[0]), "facts.gz"), []byte("no gzip"), 0o600))
	run(t, cli.ExitUsage, "replay", recorded)
	archives, err := filepath.Glob(filepath.Join(recorded, "rules", "*.zip"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(archives[0], []byte("no zip"), 0o600))
	run(t, cli.ExitUsage, "replay", recorded)
}
