package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic serve.

// newServe makes the command that serves a knowledge base.
func newServe() *cobra.Command {
	f, h := &serverFlags{}, &httpFlags{}
	cmd := &cobra.Command{
		Use:   "serve [flags] PATH...",
		Short: "Serve files and folders to an MCP client",
		Long: `Serve the tools, prompts and resources that files and folders declare, over standard input and
output. Clients start this command themselves; mcplogic config prints what to tell them. With
--http ADDR it serves over HTTP instead, to any number of clients.

Files that are saved are loaded again at once. While they have errors the last good version
goes on serving and the errors are printed on standard error.

Goals may read files in the folders of the knowledge base, and nothing else unless a flag says so.`,
		Example: `  mcplogic serve examples/birds
  mcplogic serve --timeout 5s --allow-read data rules.pl
  mcplogic serve --http 8080 --token-file tokens examples/birds`,
		Args: needPaths,
		RunE: func(cmd *cobra.Command, args []string) error { return serve(cmd, f, h, args) },
	}
	f.add(cmd.Flags())
	f.addIdentity(cmd.Flags())
	h.add(cmd.Flags())
	return cmd
}

// serve loads a knowledge base and serves it until the client goes away or the context ends. A person at a terminal
// is told how to get a client.
func serve(cmd *cobra.Command, f *serverFlags, h *httpFlags, paths []string) error {
	if err := h.check(cmd.Flags()); err != nil {
		return err
	}
	o, err := f.options(cmd, paths)
	if err != nil {
		return err
	}
	stderr := cmd.ErrOrStderr()
	o.Log = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	ctx, gone := context.WithCancelCause(cmd.Context())
	defer gone(nil)
	in := cmd.InOrStdin()
	if h.address == "" && !isTerminal(in) {
		in = newEagerInput(in, func() { time.AfterFunc(f.grace, func() { gone(errNoClient) }) })
	}
	base, report, err := kb.Open(ctx, paths, f.load(cmd))
	collectFor(whileServing)
	go returnMemory()
	printDiagnostics(stderr, report)
	if err != nil {
		fmt.Fprintln(stderr, "mcplogic: not served, because there are errors")
		return exit(exitUsage)
	}
	if h.address != "" {
		return serveHTTP(cmd, base, o, h)
	}
	if isTerminal(cmd.InOrStdin()) {
		greet(stderr, base.Snapshot(), paths)
	}
	return bridge.Serve(cmd.Context(), base, in, cmd.OutOrStdout(), o, func(c kb.Change) {
		tellReload(stderr, c)
	})
}

// greet tells a person who has started the server by hand what it waits for.
func greet(w io.Writer, s *kb.Snapshot, paths []string) {
	fmt.Fprintf(w, "Serving %s.\n", summary(s))
	for _, t := range s.Tools {
		fmt.Fprintf(w, "  %s\n", t.Name)
	}
	fmt.Fprintf(w, `Waiting for a client on standard input. Clients start this command themselves; to set one up:
  %[2]s config vscode %[1]s
  %[2]s config claude %[1]s
To call a tool by hand:
  %[2]s call %[1]s TOOL NAME=VALUE...
`, paths[0], invocation())
}

// tellReload says what a reload has come to.
func tellReload(w io.Writer, c kb.Change) {
	printDiagnostics(w, c.Diagnostics)
	if c.Err != nil {
		fmt.Fprintln(w, "mcplogic: not reloaded, because there are errors; the last good version goes on")
		return
	}
	fmt.Fprintf(w, "mcplogic: reloaded %s\n", summary(c.Snapshot))
}
