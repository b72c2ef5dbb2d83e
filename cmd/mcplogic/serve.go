package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic serve.

// newServe makes the command that serves a knowledge base. The flags for HTTP are here alone.
func newServe() *cobra.Command {
	f, h, w := &serverFlags{}, &httpFlags{}, &observers{}
	cmd := &cobra.Command{
		Use:   "serve [flags] PATH...",
		Short: "Serve files and folders to an MCP client",
		Args:  needPaths,
		RunE:  func(cmd *cobra.Command, args []string) error { return serve(cmd, f, h, w, args) },
	}
	f.add(cmd.Flags())
	f.addIdentity(cmd.Flags())
	h.add(cmd.Flags())
	w.add(cmd.Flags())
	return cmd
}

// serve loads a knowledge base and serves it until the client goes away or the context ends. A knowledge base with
// errors is not served, because a client would see tools missing without a word why. A person at a terminal is told how
// to get a client. All messages go to standard error, because standard output may be the protocol's. The exit code is
// 0 when the client has ended its input, and 2 for errors in files: a server that does not start has no result.
func serve(cmd *cobra.Command, f *serverFlags, h *httpFlags, w *observers, paths []string) error {
	if err := h.check(cmd.Flags()); err != nil {
		return err
	}
	if w.metrics && h.address == "" {
		return errors.New("--metrics needs --http")
	}
	o, err := f.options(cmd, paths)
	if err != nil {
		return err
	}
	loading := f.load(cmd)
	if err := f.addBench(o, loading, paths); err != nil {
		return err
	}
	stderr := cmd.ErrOrStderr()
	o.Log = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	end, err := w.open(stderr)
	if err != nil {
		return err
	}
	defer end()
	o.Observe = w.observe()
	closeStore, err := f.openStore(cmd, loading, o)
	if err != nil {
		return err
	}
	defer closeStore()
	ctx, giveUp := context.WithCancelCause(cmd.Context())
	defer giveUp(nil)
	cmd.SetContext(ctx)
	var reading atomic.Pointer[string]
	loading.Reading = func(file string) { reading.Store(&file) }
	base, opened, failed := kb.Begin(ctx, paths, loading), make(chan struct{}), error(nil)
	go func() {
		defer close(opened)
		if failed = f.opened(stderr, base, &reading); failed != nil {
			giveUp(failed)
		}
	}()
	in, patient := cmd.InOrStdin(), time.After(patience)
	if h.address == "" && isTerminal(in) {
		patient = nil
	}
	select {
	case <-opened:
	case <-patient:
	}
	switch {
	case ctx.Err() != nil:
	case h.address != "":
		h.paths = paths
		err = serveHTTP(cmd, base, o, h, w)
	default:
		if patient == nil {
			greet(stderr, base.Snapshot(), paths)
		}
		err = bridge.Serve(ctx, base, in, cmd.OutOrStdout(), o, func(c kb.Change) {
			w.reloaded(c)
			tellReload(stderr, c)
		})
	}
	giveUp(errNoClient)
	<-opened
	return cmp.Or(failed, err)
}

// errNoClient is why a load ends for which nobody waits.
var errNoClient = errors.New("the input has ended")

// patience is how long the first answer to a client may wait for the load. With a loaded knowledge base it says more.
// Clients give it two seconds at least.
const patience = time.Second

// opened waits for the first load and prints what there is to say about it: now and then at which file it is, and how
// it has ended. The error is that of a load that failed.
func (f *serverFlags) opened(stderr io.Writer, base *kb.Base, reading *atomic.Pointer[string]) error {
	var report engine.Diagnostics
	err := context.DeadlineExceeded // the load itself ends with its context
	for wait := patience; errors.Is(err, context.DeadlineExceeded); wait = 10 * time.Second {
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		if report, err = base.Opened(ctx); errors.Is(err, context.DeadlineExceeded) {
			at := ""
			if file := reading.Load(); file != nil {
				at = " " + *file
			}
			fmt.Fprintf(stderr, "mcplogic: still loading%s; clients may come, and are served when that is over\n", at)
		}
		cancel()
	}
	// Loading is over: collections may be rarer, and the system gets memory back that loading alone needed.
	collectFor(whileServing)
	go returnMemory()
	printDiagnostics(stderr, report)
	if err != nil {
		fmt.Fprintln(stderr, "mcplogic: not served, because there are errors")
		return exit(exitUsage)
	}
	for _, missing := range missingSettings(base.Snapshot()) {
		fmt.Fprintln(stderr, "mcplogic: "+missing)
	}
	if f.store == "" && len(base.Snapshot().Program.Persistent()) > 0 {
		fmt.Fprintln(stderr, "mcplogic: there are persistent predicates and no --store, so their facts end with this process")
	}
	return nil
}

// greet tells a person who has started the server by hand what it waits for, and how clients start it. It goes to
// standard error, because standard output belongs to the protocol.
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
