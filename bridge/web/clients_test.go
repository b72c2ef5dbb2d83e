package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/npmtest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// serveEnv is an environment variable. With it the test binary serves the path in it, for clients that start a
// server.
const serveEnv = "MCPLOGIC_TEST_SERVE"

func TestMain(m *testing.M) {
	if path := os.Getenv(serveEnv); path != "" {
		os.Exit(serveStdio(path))
	}
	os.Exit(m.Run())
}

func serveStdio(path string) int {
	o := &kb.Options{Predicates: bridge.Predicates()}
	base, err := kb.Open(context.Background(), []string{path}, o)
	if err == nil {
		err = bridge.Serve(context.Background(), base, os.Stdin, os.Stdout, nil, nil)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// scriptTimeout bounds each run of a client.
const scriptTimeout = 3 * time.Minute

// installClients installs the official clients beside a copy of the scripts and returns the folder. It skips the test
// without node or a network.
func installClients(t *testing.T) string {
	t.Helper()
	return npmtest.Install(t, "the official clients", "clients", "../../testdata/clients/ts")
}

// kingfisherAnswers returns the answer to each question for a kingfisher.
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

// script runs a script of the clients and returns its output.
func script(t *testing.T, dir, node string, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), scriptTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s%s", out, stderr.String())
	return out
}

// interviewReport is the output of the interview.
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

// interview runs the bird interview with one of the TypeScript clients.
func interview(t *testing.T, dir, client string, task map[string]any) {
	t.Helper()
	text, err := json.Marshal(task)
	require.NoError(t, err)
	out := script(t, dir, "node", "interview.mjs", client, string(text))
	var r interviewReport
	require.NoError(t, json.Unmarshal(out, &r), "%s", out)
	require.Equal(t, []string{"answer", "birds_with", "describe_bird", "identify_bird"}, r.Tools)
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
}

// TestTypeScriptClients runs the bird interview with the official TypeScript clients, over both transports, with and
// without a user.
func TestTypeScriptClients(t *testing.T) {
	dir := installClients(t)
	birds, err := filepath.Abs("../../examples/birds")
	require.NoError(t, err)
	w := serveSiteOf(t, birds, nil, nil, nil)
	answers := kingfisherAnswers(t, load(t, birds))
	transports := map[string]map[string]any{
		"stdio": {"command": os.Args[0], "args": []string{}, "env": map[string]string{serveEnv: birds}},
		"http":  {"url": w.url},
	}
	t.Run("interviews", func(t *testing.T) {
		for _, client := range []string{"sdk", "legacy", "modern", "auto"} {
			for transport, server := range transports {
				for _, elicits := range []bool{true, false} {
					t.Run(fmt.Sprintf("%s/%s/%v", client, transport, elicits), func(t *testing.T) {
						t.Parallel()
						task := maps.Clone(server)
						task["answers"], task["elicits"] = answers, elicits
						interview(t, dir, client, task)
					})
				}
			}
		}
	})
	sessions := 0
	for range w.server.Sessions() {
		sessions++
	}
	require.Zero(t, sessions, "each client has ended its session")
}

// TestLongInterviews asks the users of the official TypeScript clients more questions than those clients answer in one
// request, over both transports.
func TestLongInterviews(t *testing.T) {
	dir := installClients(t)
	long, err := filepath.Abs("../testdata/kb/long.pl")
	require.NoError(t, err)
	w := serveSiteOf(t, long, nil, nil, nil)
	transports := map[string]map[string]any{
		"stdio": {"command": os.Args[0], "args": []string{}, "env": map[string]string{serveEnv: long}},
		"http":  {"url": w.url},
	}
	t.Run("clients", func(t *testing.T) {
		for _, client := range []string{"sdk", "legacy", "modern", "auto"} {
			for transport, server := range transports {
				t.Run(client+"/"+transport, func(t *testing.T) {
					t.Parallel()
					task := maps.Clone(server)
					task["lengths"] = []int{9, 10, 12, 40}
					text, err := json.Marshal(task)
					require.NoError(t, err)
					var report []longReport
					out := script(t, dir, "node", "long.mjs", client, string(text))
					require.NoError(t, json.Unmarshal(out, &report), "%s", out)
					require.Len(t, report, 8)
					for _, r := range report {
						require.Equal(t, r.N, r.Asked, "%+v", r)
						require.False(t, r.IsError, "%+v", r)
						require.Contains(t, r.Text, fmt.Sprintf(",%d]", r.N))
					}
				})
			}
		}
	})
}

// longReport is the output of long.mjs for one interview.
type longReport struct {
	Name, Text string
	N, Asked   int
	IsError    bool
}

// TestAuthorizationServer runs the interview with clients that get their tokens from a real authorization server. It
// signs with each of three algorithms.
func TestAuthorizationServer(t *testing.T) {
	dir := installClients(t)
	node := npmtest.Node(t, dir)
	birds, err := filepath.Abs("../../examples/birds")
	require.NoError(t, err)
	answers := kingfisherAnswers(t, load(t, birds))
	for algorithm, client := range map[string]string{"RS256": "sdk", "ES256": "legacy", "EdDSA": "modern"} {
		t.Run(algorithm, func(t *testing.T) {
			// The issuer needs the address of the server, and the server needs that of the issuer.
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			endpoint := "http://" + l.Addr().String() + Path
			issuer := startIssuer(t, dir, node, map[string]string{"alg": algorithm, "resource": endpoint, "scope": "kb.read"})
			w := serveSiteAt(t, l, birds, nil, &Options{OAuth: &OAuthOptions{Issuer: issuer, Scopes: []string{"kb.read"}}}, nil)
			require.Equal(t, endpoint, w.url)
			require.Equal(t, 401, w.post(wiretest.PingLine("1")).status)
			interview(t, dir, client, map[string]any{"url": w.url, "answers": answers, "elicits": true,
				"oauth": map[string]string{"issuer": issuer, "scope": "kb.read"}})
		})
	}
}

// startIssuer starts the authorization server and returns its URL.
func startIssuer(t *testing.T, dir, node string, options map[string]string) string {
	t.Helper()
	text, err := json.Marshal(options)
	require.NoError(t, err)
	cmd := exec.Command(node, "issuer.mjs", string(text))
	cmd.Dir = dir
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait() // it ends when its input ends
	})
	url, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(url)
}

// TestInspector uses the birds with the Inspector. Its strict mode reports schemas that some clients do not
// understand.
func TestInspector(t *testing.T) {
	dir := installClients(t)
	node := npmtest.Node(t, dir)
	birds, err := filepath.Abs("../../examples/birds")
	require.NoError(t, err)
	w := serveSiteOf(t, birds, nil, nil, nil)
	inspect := func(t *testing.T, server []string, args ...string) string {
		args = append([]string{"node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", "--cli",
			"--format", "json", "-q"}, args...)
		return string(script(t, dir, node, append(args, server...)...))
	}
	servers := map[string][]string{
		"stdio": {"-e", serveEnv + "=" + birds, "--", os.Args[0]},
		"http":  {"--server-url", w.url, "--transport", "http"},
	}
	for transport, server := range servers {
		for _, era := range []string{"legacy", "modern"} {
			t.Run(transport+"/"+era, func(t *testing.T) {
				t.Parallel()
				out := inspect(t, server, "--protocol-era", era, "--method", "tools/list", "--strict")
				require.Contains(t, out, `"name":"identify_bird"`)
				out = inspect(t, server, "--protocol-era", era, "--method", "tools/call", "--tool-name", "birds_with",
					"--tool-args-json", `{"feature": "hovers", "value": "yes"}`)
				require.Contains(t, out, `"structuredContent":{"solutions":[{"bird":"common_kestrel"},`+
					`{"bird":"common_kingfisher"}],"more":false}`)
				out = inspect(t, server, "--protocol-era", era, "--method", "prompts/get", "--prompt-name", "identify_from_notes",
					"--prompt-args", "notes=blue back")
				require.Contains(t, out, "blue back.")
				out = inspect(t, server, "--protocol-era", era, "--method", "resources/read", "--uri", "birds://taxonomy")
				require.Contains(t, out, "Ardea cinerea")
			})
		}
	}
	t.Run("interview", func(t *testing.T) {
		t.Parallel()
		inspectInterview(t, kingfisherAnswers(t, load(t, birds)), func(args ...string) string {
			return inspect(t, servers["http"], append([]string{"--protocol-era", "legacy", "--method", "tools/call"},
				args...)...)
		})
	})
}

// inspectInterview runs the interview by calls of the Inspector, each in a session of its own.
func inspectInterview(t *testing.T, answers map[string]string, call func(args ...string) string) {
	out := call("--tool-name", "identify_bird")
	for range 8 {
		var r struct {
			Result struct {
				StructuredContent struct{ Question, Token string }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(out), &r), "%s", out)
		asked := r.Result.StructuredContent
		if asked.Token == "" {
			break
		}
		args, err := json.Marshal(map[string]any{"token": asked.Token,
			"answer": map[string]string{"answer": answers[asked.Question]}})
		require.NoError(t, err)
		out = call("--tool-name", "answer", "--tool-args-json", string(args))
	}
	require.Contains(t, out, "Your bird is the common kingfisher")
}

// TestInspectorSchemas checks with the Inspector that all clients understand the schemas of all types, of the
// examples, and of the conformance suite.
func TestInspectorSchemas(t *testing.T) {
	dir := installClients(t)
	node := npmtest.Node(t, dir)
	for _, path := range []string{"../testdata/kb/types.pl", "../testdata/kb/client.pl", "../testdata/kb/offers.pl",
		"../../examples/family", "../../testdata/conformance"} {
		w := serveSiteOf(t, path, nil, nil, nil)
		out := string(script(t, dir, node, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
			"--cli",
			"--format", "json", "-q", "--server-url", w.url, "--transport", "http", "--method", "tools/list", "--strict"))
		require.Contains(t, out, `"inputSchema"`, path)
	}
}
