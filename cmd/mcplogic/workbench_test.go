package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/browsertest"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/mcplogic/mcplogic/tools/npmtest"
)

// This file defines the test of the extension in the workbench of VS Code. The package code-server has that workbench
// and its server, which takes an extension from a .vsix file.

// workbench returns the folder with the packages of the workbench.
const theWorkbench = "the workbench of VS Code"

func workbench(ctx context.Context, t *testing.T) string {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	dir := filepath.Join(cache, "mcplogic-test-workbench")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	text, err := os.ReadFile("../../testdata/clients/workbench/package.json")
	require.NoError(t, err)
	server := filepath.Join(dir, "node_modules/code-server/lib/vscode")
	ready := filepath.Join(dir, "ready")
	if known, err := os.ReadFile(ready); err == nil && string(known) == string(text) {
		return dir
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), text, 0o644))
	// Scripts would build modules for terminals and passwords. One is built that the server does not start without.
	install := []string{"install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"}
	for _, one := range []struct {
		in   string
		args []string
	}{{dir, install}, {server, install}, {server, []string{"rebuild", "@vscode/spdlog", "node-pty"}}} {
		cmd := exec.CommandContext(ctx, "npm", one.args...)
		cmd.Dir = one.in
		cmd.Env = append(os.Environ(), "npm_config_nodedir=/usr")
		out, err := cmd.CombinedOutput()
		_, missing := os.Stat(filepath.Join(server, "node_modules/@vscode/spdlog/build/Release/spdlog.node"))
		if err != nil && (one.args[0] != "rebuild" || missing != nil) {
			if one.args[0] == "rebuild" {
				deep.Missing(t, theWorkbench, "its module cannot be built: "+string(out))
			}
			npmtest.Failed(t, theWorkbench, out, err)
		}
	}
	require.NoError(t, os.WriteFile(ready, text, 0o644))
	return dir
}

// packed returns the extension as a .vsix file.
func packed(ctx context.Context, t *testing.T, tools string) string {
	dir := filepath.Join(t.TempDir(), "extension")
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../editors/vscode")))
	license, err := os.ReadFile("../../LICENSE")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "LICENSE"), license, 0o644))
	file := filepath.Join(dir, "mcplogic.vsix")
	for _, args := range [][]string{{"npm", "install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"},
		{filepath.Join(tools, "node_modules/.bin/vsce"), "package", "--out", file}} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil && args[0] == "npm" {
			npmtest.Failed(t, theWorkbench, out, err)
		}
		require.NoError(t, err, "%s", out)
	}
	return file
}

// TestVSCodeWorkbench packs the extension for VS Code, installs it in the server of VS Code, and has a session with it
// in a browser, from an empty folder to one that is served: rules and tests are written, with diagnostics and their
// fix, hover, navigation, lenses, completion and formatting, then debugged, checked by a task with problems, tested by
// the test explorer, and served as the configuration says that the extension writes.
func TestVSCodeWorkbench(t *testing.T) {
	deep.Skip(t, theWorkbench)
	version, err := exec.Command("node", "--version").Output()
	if err != nil || !strings.HasPrefix(string(version), "v20.") {
		deep.Missing(t, theWorkbench, fmt.Sprintf("its package wants version 20 of node, here is %q", version))
	}
	browser := browsertest.Start(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	tools := workbench(ctx, t)
	work, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	folder, seen := filepath.Join(work, "folder"), filepath.Join(work, "seen.json")
	own, err := exec.LookPath("mcplogic")
	require.NoError(t, err)
	settings, err := json.Marshal(map[string]any{"mcplogic.command": own, "telemetry.telemetryLevel": "off"})
	require.NoError(t, err)
	machine := filepath.Join(work, "data/data/Machine")
	require.NoError(t, os.MkdirAll(machine, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(machine, "settings.json"), settings, 0o644))
	require.NoError(t, os.MkdirAll(folder, 0o755))
	serve := func(args ...string) *exec.Cmd {
		all := append([]string{"out/server-main.js", "--accept-server-license-terms", "--extensions-dir",
			filepath.Join(work, "extensions"), "--server-data-dir", filepath.Join(work, "data")}, args...)
		cmd := exec.CommandContext(ctx, "node", all...)
		cmd.Dir = filepath.Join(tools, "node_modules/code-server/lib/vscode")
		cmd.Env = append(os.Environ(), "SESSION="+seen)
		return cmd
	}
	out, err := serve("--install-extension", packed(ctx, t, tools)).CombinedOutput()
	require.NoError(t, err, "%s", out)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	server := serve("--host", "127.0.0.1", "--port", port, "--without-connection-token", "--disable-workspace-trust")
	require.NoError(t, server.Start())
	defer func() {
		cancel()
		_ = server.Wait()
	}()
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	}, time.Minute, 100*time.Millisecond)
	watchWorkbench(t, browser, address, folder, seen)
	requireServed(t, own, folder)
}

// requireServed calls a tool of the server that the configuration of a folder names.
func requireServed(t *testing.T, own, folder string) {
	data, err := os.ReadFile(filepath.Join(folder, ".vscode/mcp.json"))
	require.NoError(t, err)
	var config struct {
		Servers map[string]struct{ Args []string }
	}
	require.NoError(t, json.Unmarshal(data, &config))
	require.Len(t, config.Servers, 1)
	for _, server := range config.Servers {
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: exec.Command(own, server.Args...)}, nil)
		require.NoError(t, err)
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "old"})
		require.NoError(t, err)
		require.Contains(t, r.Content[0].(*mcp.TextContent).Text, "ann")
		require.NoError(t, session.Close())
	}
}

// watchWorkbench opens a folder in the workbench and waits for the end of the session in it.
func watchWorkbench(t *testing.T, browser *browsertest.Browser, address, folder, seen string) {
	session, err := filepath.Abs("../../testdata/clients/workbench/session")
	require.NoError(t, err)
	remote := "vscode-remote://" + address + session
	payload, err := json.Marshal([][]string{{"extensionDevelopmentPath", remote},
		{"extensionTestsPath", remote + "/index.js"}, {"skipWelcome", "true"}})
	require.NoError(t, err)
	browser.Do("Page.navigate", map[string]any{"url": fmt.Sprintf("http://%s/?folder=%s&payload=%s", address,
		url.QueryEscape(folder), url.QueryEscape(string(payload)))}, nil)
	var got []byte
	for end := time.Now().Add(4 * time.Minute); len(got) == 0; time.Sleep(100 * time.Millisecond) {
		got, _ = os.ReadFile(seen)
		if time.Now().After(end) {
			t.Fatalf("the session does not end; the workbench shows:\n%v", browser.Eval("document.body?.innerText"))
		}
	}
	require.JSONEq(t, `{
		"language": "prolog", "diagnostic": "4:12 undefined", "fix": "Change to age",
		"hover": "`+"```prolog\\nage(ann, 70)\\n```"+`\nage(Who, Years): how old somebody is.\n\n*2 clauses, family.pl:2*",
		"definition": [1], "references": 6, "symbols": ["age/2", "old/1", "young/1"],
		"lenses": ["4 uses", "Query", "Why", "Query", "Why", "Query", "Why"], "completion": ["age/2"],
		"formatted": "x(X) :- age(X, _).", "frames": ["unify: old(X) 4"], "variables": ["X", "A"],
		"tasks": ["check", "test"], "exit": 0, "problem": "singleton", "served": true
	}`, string(got))
	browser.Await(`/young\s*failed\s*old/.test(document.body.innerText)`)
}
