package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/npmtest"
)

// zooCall is a call of a tool and what its result has to hold.
type zooCall struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Wants     string          `json:"wants"`
	After     bool            `json:"after"` // it needs what the calls before it have changed
}

// animal is an agent or a client.
type animal struct {
	name, pack string // the npm package, installed in dir
	dir        string
	apart      bool // each call has a server of its own
	// call makes calls on a server of path with flags, and returns what a model was sent and what the server was.
	call func(t *testing.T, path string, calls []zooCall, serve []string) (last deskTurn, sent []byte)
}

// zoo returns the agents, which a model drives, and the official clients of both eras.
func zoo(t *testing.T) (list []animal) {
	desksDir := installDesks(t)
	packs := map[string]string{"claude-code": "@anthropic-ai/claude-code", "gemini": "@google/gemini-cli",
		"codex": "@openai/codex"}
	titles := map[string]string{"claude-code": "Claude Code", "gemini": "Gemini CLI", "codex": "Codex"}
	for _, d := range desks() {
		list = append(list, animal{titles[d.client], packs[d.client], desksDir, false,
			func(t *testing.T, path string, calls []zooCall, serve []string) (last deskTurn, sent []byte) {
				script, err := json.Marshal(calls)
				require.NoError(t, err)
				turns, sent := d.converse(t, desksDir, path, string(script), serve...)
				require.NotEmpty(t, turns)
				return turns[len(turns)-1], sent
			}})
	}
	dir := npmtest.Install(t, "the official clients", "clients", "../../testdata/clients/ts")
	node := npmtest.Node(t, dir)
	for _, c := range []struct{ name, pack, which string }{
		{"TypeScript SDK", "@modelcontextprotocol/sdk", "sdk"}, {"TypeScript client", "@modelcontextprotocol/client", "auto"},
	} {
		list = append(list, animal{c.name, c.pack, dir, false,
			func(t *testing.T, path string, calls []zooCall, serve []string) (last deskTurn, sent []byte) {
				server, tapped := tappedServer(t, path, serve)
				task, err := json.Marshal(map[string]any{"command": server[0], "args": server[1:]})
				require.NoError(t, err)
				script, err := json.Marshal(calls)
				require.NoError(t, err)
				file := filepath.Join(t.TempDir(), "calls")
				writeFile(t, file, string(script))
				require.NoError(t, json.Unmarshal(runNode(t, dir, node, "calls.mjs", c.which, string(task), file), &last))
				return last, tapped()
			}})
	}
	for _, era := range []string{"legacy", "modern"} {
		list = append(list, animal{"Inspector, " + era, "@modelcontextprotocol/inspector", dir, true,
			func(t *testing.T, path string, calls []zooCall, serve []string) (last deskTurn, sent []byte) {
				server, tapped := tappedServer(t, path, serve)
				inspect := func(args ...string) []byte {
					return runNode(t, dir, node, slices.Concat([]string{
						"node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", "--cli", "--format", "json",
						"-q", "--protocol-era", era}, args, []string{"--"}, server)...)
				}
				var list struct{ Result deskTurn }
				require.NoError(t, json.Unmarshal(inspect("--method", "tools/list"), &list))
				last.Tools = list.Result.Tools
				for _, c := range calls {
					last.Results = append(last.Results, string(inspect("--method", "tools/call", "--tool-name", c.Tool,
						"--tool-args-json", string(c.Arguments))))
				}
				return last, tapped()
			}})
	}
	return list
}

// tappedServer returns the command of a server, and what returns what it was sent.
func tappedServer(t *testing.T, path string, serve []string) (command []string, sent func() []byte) {
	server, err := exec.LookPath("mcplogic")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "requests")
	tap := writeTap(t, file, server)
	mark := file + ".mark"
	writeFile(t, mark, serverMark)
	return slices.Concat([]string{tap, "serve", "--instructions", mark}, serve, []string{path}), func() []byte {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		return text
	}
}

// runNode runs a script in a folder and returns what it prints.
func runNode(t *testing.T, dir, node string, args ...string) []byte {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+t.TempDir())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if cmd.ProcessState.ExitCode() != toolIsError {
		require.NoError(t, err, "%s%s", out, stderr.String())
	}
	return out
}

// toolIsError is with what code the Inspector ends when the result of a tool is an error.
const toolIsError = 5

// habits are what an animal was seen to do.
type habits struct {
	version       string // of the protocol
	asks, methods map[string]bool
	instructed    bool
	shown         map[string]bool // how results reach the model
}

// note adds what a conversation shows.
func (h *habits) note(t *testing.T, last deskTurn, sent []byte) {
	for line := range bytes.Lines(sent) {
		var m struct {
			Method string
			Params struct {
				ProtocolVersion string
				Capabilities    map[string]any
				Meta            map[string]json.RawMessage `json:"_meta"`
			}
		}
		require.NoError(t, json.Unmarshal(line, &m), "%s", line)
		version, able := m.Params.ProtocolVersion, m.Params.Capabilities
		if raw, ok := m.Params.Meta["io.modelcontextprotocol/protocolVersion"]; ok {
			require.NoError(t, json.Unmarshal(raw, &version))
			require.NoError(t, json.Unmarshal(m.Params.Meta["io.modelcontextprotocol/clientCapabilities"], &able))
		}
		if version != "" && m.Method != "server/discover" {
			h.version = version
		}
		for name := range able {
			h.asks[name] = true
		}
		if kind, what, ok := strings.Cut(m.Method, "/list"); ok && what == "" {
			h.methods[kind] = true
		}
	}
	h.instructed = h.instructed || last.Instructed
	for _, r := range last.Results { // such as those of the tool eligible
		if strings.Contains(r, `"Product":`) {
			h.shown["JSON"] = true
		}
		if strings.Contains(r, "Product: ") {
			h.shown["text"] = true
		}
	}
}

// row is a line of the table.
func (h *habits) row(a animal) string {
	list := func(m map[string]bool) string {
		if len(m) == 0 {
			return "nothing"
		}
		return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
	}
	instructed := "no"
	if h.instructed {
		instructed = "yes"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s |", a.name, packVersion(a.dir, a.pack), h.version,
		list(h.methods), list(h.asks), list(h.shown), instructed)
}

// packVersion is the version of an installed npm package.
func packVersion(dir, pack string) string {
	var p struct{ Version string }
	text, err := os.ReadFile(filepath.Join(dir, "node_modules", filepath.FromSlash(pack), "package.json"))
	if err != nil || json.Unmarshal(text, &p) != nil {
		return "?"
	}
	return p.Version
}

// TestZoo has each agent and each official client call tools of every example, and compares what was seen of them with
// the table of docs/agents.md. With -update the page gets what was seen.
func TestZoo(t *testing.T) {
	text, err := os.ReadFile("../../testdata/clients/examples.json")
	require.NoError(t, err)
	var examples map[string][]zooCall
	require.NoError(t, json.Unmarshal(text, &examples))
	folders, err := filepath.Glob("../../examples/*/*.pl")
	require.NoError(t, err)
	for _, file := range folders {
		require.Contains(t, examples, filepath.Base(filepath.Dir(file)), "no calls of this example")
	}
	var rows []string
	for _, a := range zoo(t) {
		seen := &habits{asks: map[string]bool{}, methods: map[string]bool{}, shown: map[string]bool{}}
		for _, example := range slices.Sorted(maps.Keys(examples)) {
			t.Run(a.name+"/"+example, func(t *testing.T) {
				path, err := filepath.Abs("../../examples/" + example)
				require.NoError(t, err)
				var serve []string
				if example == "orders" {
					serve = []string{"--sql", ordersDatabase(t)}
				}
				calls := examples[example]
				if a.apart {
					calls = slices.DeleteFunc(slices.Clone(calls), func(c zooCall) bool { return c.After })
				}
				last, sent := a.call(t, path, calls, serve)
				require.Len(t, last.Results, len(calls), "%s", strings.Join(last.Results, "\n---\n"))
				for i, c := range calls {
					require.Contains(t, last.Results[i], c.Wants, "the result of %s", c.Tool)
				}
				seen.note(t, last, sent)
			})
		}
		rows = append(rows, seen.row(a))
		t.Log(rows[len(rows)-1])
	}
	comparePage(t, "../../docs/agents.md", rows)
}

// comparePage compares the last table of a page with rows, or writes them there.
func comparePage(t *testing.T, page string, rows []string) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	table := regexp.MustCompile(`(?m)(\n\| --- .*\n)((?:\|.*\n)*)\z`).FindSubmatchIndex(text)
	require.NotNil(t, table, "%s does not end in a table", page)
	want := strings.Join(rows, "\n") + "\n"
	if *update && !t.Failed() {
		require.NoError(t, os.WriteFile(page, append(text[:table[4]:table[4]], want...), 0o644))
		return
	}
	require.Equal(t, string(text[table[4]:]), want, "what agents do has changed: read the difference and run with -update")
}
