package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/npmtest"
)

// desk is a program that people work with.
type desk struct {
	client string // as mcplogic config has it
	// before makes the settings of the program in an empty home and an empty folder, at which the model answers.
	before func(t *testing.T, home, model string)
	// command is the program, which is installed in dir, with its arguments. server is the name of the server.
	command func(dir, server string) []string
	env     func(model string) []string
	// asks says that the program shows questions itself. Nobody answers them here.
	asks bool
	// checks says that the program compares arguments with the schema itself.
	checks bool
}

func desks() []desk {
	bin := func(dir, name string) string { return filepath.Join(dir, "node_modules", ".bin", name) }
	const question = "May bob have a loan?"
	return []desk{{
		client: "claude-code",
		before: func(*testing.T, string, string) {},
		command: func(dir, server string) []string {
			return []string{filepath.Join(dir, "node_modules", "@anthropic-ai", "claude-code-linux-x64", "claude"),
				"-p", question, "--model", "claude-sonnet-4-5", "--mcp-config", ".mcp.json", "--strict-mcp-config",
				"--allowedTools", "mcp__" + server}
		},
		env: func(model string) []string {
			return []string{"ANTHROPIC_BASE_URL=" + model, "ANTHROPIC_API_KEY=none", "DISABLE_TELEMETRY=1",
				"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
				// On a busy machine it would begin without the server.
				"MCP_CONNECTION_NONBLOCKING=0", "MCP_CONNECT_TIMEOUT_MS=120000", "MCP_TIMEOUT=120000"}
		},
		asks: true,
	}, {
		client: "gemini",
		before: func(t *testing.T, home, _ string) {
			writeFile(t, filepath.Join(home, ".gemini", "settings.json"), `{"telemetry": {"enabled": false},
				"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false}}`)
		},
		command: func(dir, _ string) []string {
			return []string{bin(dir, "gemini"), "-m", "gemini-2.5-pro", "--approval-mode", "yolo", "-p", question}
		},
		env: func(model string) []string {
			return []string{"GOOGLE_GEMINI_BASE_URL=" + model, "GEMINI_API_KEY=none", "GEMINI_CLI_TRUST_WORKSPACE=true"}
		},
		checks: true,
	}, {
		client: "codex",
		before: func(t *testing.T, home, model string) {
			writeFile(t, filepath.Join(home, ".codex", "config.toml"), "model_provider = \"here\"\n\n[model_providers.here]\n"+
				"name = \"here\"\nbase_url = \""+model+"/v1\"\nwire_api = \"responses\"\n")
		},
		command: func(dir, _ string) []string {
			return []string{bin(dir, "codex"), "exec", "-m", "gpt-5", "--skip-git-repo-check",
				"--dangerously-bypass-approvals-and-sandbox", question}
		},
		env:  func(string) []string { return nil },
		asks: true,
	}}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
}

// deskSteps are the calls of the model, deskAnswer the one that passes on the answer of its user.
const deskAnswer = `
	{"tool": "answer", "arguments": {"token": "$token", "action": "accept", "answer": {"income": 70000}}},`

const deskSteps = `[
	{"tool": "may_have", "arguments": {"Person": "bob", "Product": "gold"}},
	{"tool": "eligible", "arguments": {"Person": "eve"}},
	{"tool": "eligible", "arguments": {"Person": "ada"}},
	{"tool": "eligible", "arguments": {"Person": "dan"}},%s
	{"tool": "why", "arguments": {"tool": "may_have", "arguments": {"Person": "bob", "Product": "gold"}}}
]`

// deskTurn is what a turn of a conversation was sent.
type deskTurn struct {
	Tools      []struct{ Name, Description string }
	Results    []string
	Instructed bool // with what the server says of itself
}

// TestDesks has the programs at people's desks serve the loans to a model, with the settings that mcplogic config has
// written: the model is offered all tools, and what it gets to see says why there is no answer, whether a program
// shows it the text of a result or its structured content.
func TestDesks(t *testing.T) {
	dir := installDesks(t)
	loans, err := filepath.Abs("../../examples/loans")
	require.NoError(t, err)
	for _, d := range desks() {
		t.Run(d.client, func(t *testing.T) {
			next := deskAnswer
			if d.asks {
				next = ""
			}
			turns, _ := d.converse(t, dir, loans, fmt.Sprintf(deskSteps, next))
			require.NotEmpty(t, turns)
			last := turns[len(turns)-1]
			offered := map[string]bool{}
			for _, tool := range last.Tools {
				offered[tool.Name[strings.LastIndex(tool.Name, "_loans_")+1:]] = true
				require.LessOrEqual(t, len(tool.Description), 2048)
			}
			wants := []string{"is below MinAge 30", "there is no fact `age(eve, Age)`", "starter",
				"What does this person earn in a year: dan", "starter", "bob may not have a gold loan: not eligible(bob, gold)"}
			if d.checks { // eve is in no facts, so the schema does not have her
				wants[1] = "must be equal to one of the allowed values"
			}
			if d.asks {
				wants = slices.Delete(wants, 4, 5)
			}
			require.Len(t, last.Results, len(wants), "%s", strings.Join(last.Results, "\n---\n"))
			for i, want := range wants {
				require.Contains(t, last.Results[i], want, "result %d of %s", i+1, d.client)
			}
			if d.asks { // a question that nobody answers decides nothing
				require.Contains(t, last.Results[3], "Not decided")
			}
		})
	}
}

// TestDesksApprove has Codex call tools while nobody is there to approve a call. It calls a rule that only finds
// answers, whose declaration has no hint, and refuses to call the one that adds a fact.
func TestDesksApprove(t *testing.T) {
	dir := installDesks(t)
	shop := filepath.Join(t.TempDir(), "shop")
	writeFile(t, filepath.Join(shop, "shop.pl"), `tools([price/2, put/2]).
:- dynamic stock/2.
stock(pear, 3).
:- info(price/2, [comment is 'The price of an item.', argnames is [item, euro]]).
:- mode(price(+atom, -integer), zero_or_one).
price(I, E) :- stock(I, N), E is 14 * N.
:- info(put/2, [comment is 'Puts an item in stock.', argnames is [item, n]]).
:- mode(put(+atom, +integer), one).
put(I, N) :- assertz(stock(I, N)).
`)
	all := desks()
	codex := all[slices.IndexFunc(all, func(d desk) bool { return d.client == "codex" })]
	bypassing := codex.command
	codex.command = func(dir, server string) []string {
		return slices.DeleteFunc(bypassing(dir, server), func(arg string) bool {
			return strings.HasPrefix(arg, "--dangerously")
		})
	}
	turns, sent := codex.converse(t, dir, shop, `[{"tool": "price", "arguments": {"item": "pear"}},
		{"tool": "put", "arguments": {"item": "fig", "n": 2}}]`)
	require.NotEmpty(t, turns)
	results := turns[len(turns)-1].Results
	require.Len(t, results, 2, "%s", strings.Join(results, "\n---\n"))
	require.Contains(t, results[0], "42")
	require.Contains(t, string(sent), `"price"`)
	require.NotContains(t, string(sent), `"put"`, results[1])
}

// serverMark stands in what the server says of itself.
const serverMark = "Zebras have stripes."

// converse lets the program talk with the model, by whose script it calls tools of a server of path, until the model
// has no more to ask. sent is what the program has sent to the server. serve has flags of the server.
func (d desk) converse(t *testing.T, dir, path, script string, serve ...string) (turns []deskTurn, sent []byte) {
	home, folder, files := t.TempDir(), t.TempDir(), t.TempDir()
	model, log := startModel(t, dir, files, script)
	d.before(t, home, model)
	env := append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"),
		// Nothing goes to anybody else: there is no proxy at this port.
		"HTTPS_PROXY=http://127.0.0.1:9", "HTTP_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1,localhost")
	env = append(env, d.env(model)...)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	run := func(args ...string) {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir, cmd.Env = folder, env
		cmd.WaitDelay = 5 * time.Second
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	mark := filepath.Join(files, "mark")
	writeFile(t, mark, serverMark)
	config := []string{"mcplogic", "config", "--write", "--instructions", mark}
	run(slices.Concat(config, serve, []string{d.client, path})...)
	requests := filepath.Join(files, "requests")
	tapServer(t, requests, home, folder)
	run(d.command(dir, filepath.Base(path))...)
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	for line := range bytes.Lines(text) {
		var turn deskTurn
		require.NoError(t, json.Unmarshal(line, &turn))
		turns = append(turns, turn)
	}
	sent, err = os.ReadFile(requests)
	require.NoError(t, err)
	return turns, sent
}

// tapServer changes the settings in some folders so that what the server is sent is also written to a file.
func tapServer(t *testing.T, file string, folders ...string) {
	server, err := exec.LookPath("mcplogic")
	require.NoError(t, err)
	tap, tapped := writeTap(t, file, server), false
	for _, folder := range folders {
		require.NoError(t, filepath.WalkDir(folder, func(name string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := os.ReadFile(name)
			if changed := bytes.ReplaceAll(text, []byte(`"`+server+`"`), []byte(`"`+tap+`"`)); !bytes.Equal(changed, text) {
				tapped = true
				err = errors.Join(err, os.WriteFile(name, changed, 0o600))
			}
			return err
		}))
	}
	require.True(t, tapped, "no settings name %s", server)
}

// writeTap writes a command that does as the server does, and appends to a file what it is sent.
func writeTap(t *testing.T, file, server string) (command string) {
	command = file + ".sh"
	text := fmt.Sprintf("#!/bin/sh\ntee -a '%s' | '%s' \"$@\"\n", file, server)
	require.NoError(t, os.WriteFile(command, []byte(text), 0o700))
	return command
}

// startModel starts the model and returns its address and the file that it writes turns to.
func startModel(t *testing.T, dir, files, script string) (address, log string) {
	steps, log, port := filepath.Join(files, "steps"), filepath.Join(files, "log"), filepath.Join(files, "port")
	writeFile(t, steps, script)
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(dir, "model.mjs"), steps, log, port, serverMark)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	var number []byte
	require.Eventually(t, func() bool {
		number, _ = os.ReadFile(port)
		return len(number) > 0
	}, 30*time.Second, 20*time.Millisecond)
	return "http://127.0.0.1:" + string(number), log
}

// installDesks installs the programs and the model, once for all runs, and returns where they are.
func installDesks(t *testing.T) string {
	return npmtest.Install(t, "the programs at people's desks", "desks", "../../testdata/clients/desks")
}
