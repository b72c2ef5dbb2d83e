package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/clients"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic serve.

// newServe makes the command that serves a knowledge base. The flags for HTTP are here alone.
// The page runs other commands by run.
func newServe(run func(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int) *cobra.Command {
	f, h, w, d := &settings.ServerFlags{}, &httpFlags{}, &observers{}, &settings.DecisionFlags{}
	h.desk.execute = run
	cmd := &cobra.Command{
		Use:   "serve [flags] PATH...",
		Short: "Serve files and folders to an MCP client",
		Args:  cli.NeedPaths,
		RunE:  func(cmd *cobra.Command, args []string) error { return serve(cmd, f, h, w, d, args) },
	}
	f.Add(cmd.Flags())
	f.AddIdentity(cmd.Flags())
	h.add(cmd.Flags())
	w.add(cmd.Flags())
	d.Add(cmd.Flags())
	return cmd
}

// serve loads a knowledge base and serves it until the client goes away or the context ends. A knowledge base with
// errors is not served, because a client would miss tools without a reason. A person at a terminal is told how to get
// a client. All messages go to standard error, because standard output may be the protocol's. The exit code is 0 when
// the client has ended its input, and 2 for errors in files: a server that does not start has no result.
func serve(
	cmd *cobra.Command, f *settings.ServerFlags, h *httpFlags, w *observers, d *settings.DecisionFlags, paths []string,
) error {
	if err := h.check(cmd.Flags()); err != nil {
		return err
	}
	if w.metrics && h.address == "" {
		return errors.New("--metrics needs --http")
	}
	o, err := f.Options(cmd, paths)
	if err != nil {
		return err
	}
	loading := f.Load(cmd)
	if err := f.AddBench(o, loading, paths); err != nil {
		return err
	}
	if h.address != "" && !h.noPage {
		h.desk.record = d.Dir
		addDesk(o, loading, paths)
	}
	stderr := cmd.ErrOrStderr()
	o.Log = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	end, err := w.open(stderr)
	if err != nil {
		return err
	}
	defer end()
	o.Observe = w.observe()
	closeStore, err := f.OpenStore(cmd, loading, o)
	if err != nil {
		return err
	}
	defer closeStore()
	var recorded func()
	if o.Decisions, recorded, err = d.Open(cmd); err != nil {
		return err
	}
	defer recorded()
	ctx, giveUp := context.WithCancelCause(cmd.Context())
	defer giveUp(nil)
	cmd.SetContext(ctx)
	var reading atomic.Pointer[string]
	loading.Reading = func(file string) { reading.Store(&file) }
	base, done, failed := kb.Begin(ctx, paths, loading), make(chan struct{}), error(nil)
	go func() {
		defer close(done)
		if failed = awaitLoad(f, stderr, base, &reading); failed != nil {
			giveUp(failed)
		}
	}()
	in, patient := cmd.InOrStdin(), time.After(patience)
	if h.address == "" && cli.IsTerminal(in) {
		patient = nil
	}
	select {
	case <-done:
	case <-patient:
	}
	switch {
	case h.address == "": // also when the load has failed: what has been sent gets an answer
		if patient == nil && ctx.Err() == nil {
			greet(stderr, base.Snapshot(), paths)
		}
		err = bridge.Serve(ctx, base, in, cmd.OutOrStdout(), o, func(c kb.Change) {
			w.reloaded(c)
			cli.TellReload(stderr, c)
		})
	case ctx.Err() == nil:
		h.paths = paths
		err = serveHTTP(cmd, base, o, h, w)
	}
	giveUp(errNoClient)
	<-done
	return cmp.Or(failed, err)
}

// errNoClient is why a load ends for which nobody waits.
var errNoClient = errors.New("the input has ended")

// patience is how long the first answer to a client may wait for the load. With a loaded knowledge base it says more.
// Clients give it two seconds at least.
const patience = time.Second

// awaitLoad waits for the first load and prints what there is to say about it: now and then at which file it is, and
// how it has ended. The error is that of a load that failed.
func awaitLoad(f *settings.ServerFlags, stderr io.Writer, base *kb.Base, reading *atomic.Pointer[string]) error {
	err := context.DeadlineExceeded // the load itself ends with its context
	for wait := patience; errors.Is(err, context.DeadlineExceeded); wait = 10 * time.Second {
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		if err = base.Opened(ctx); errors.Is(err, context.DeadlineExceeded) {
			at := ""
			if file := reading.Load(); file != nil {
				at = " " + *file
			}
			fmt.Fprintf(stderr, "mcplogic: still loading%s; clients may come, and are served when that is over\n", at)
		}
		cancel()
	}
	// Loading is over: collections may be rarer, and the system gets memory back that loading alone needed.
	cli.CollectFor(cli.WhileServing)
	go cli.ReturnMemory()
	cli.PrintDiagnostics(stderr, base.Snapshot().Report(err))
	if err != nil {
		fmt.Fprintln(stderr, "mcplogic: not served, because there are errors")
		return cli.Exit(cli.ExitUsage)
	}
	if s := base.Snapshot(); len(s.Files) > 0 && offersNothing(s) {
		fmt.Fprintln(stderr, "mcplogic: no file declares a tool, a prompt or a resource, so clients see none; the clause "+
			"`tools([tool(NAME, PREDICATE, ARITY)]).` declares a tool")
	}
	for _, missing := range missingSettings(base.Snapshot()) {
		fmt.Fprintln(stderr, "mcplogic: "+missing)
	}
	if f.Store == "" && len(inner.Of(base.Snapshot().Program).Persistent()) > 0 {
		fmt.Fprintln(stderr, "mcplogic: there are persistent predicates and no --store, so their facts end with this process")
	}
	return nil
}

// offersNothing reports whether clients of a knowledge base see nothing of it.
func offersNothing(s *kb.Snapshot) bool {
	return len(s.Tools)+len(s.Prompts)+len(s.Resources)+len(s.Templates)+len(s.Events) == 0
}

// greet tells a person who has started the server by hand what it waits for, and how clients start it. It goes to
// standard error, because standard output belongs to the protocol.
func greet(w io.Writer, s *kb.Snapshot, paths []string) {
	fmt.Fprintf(w, "Serving %s.\n", cli.Summary(s))
	for _, t := range s.Tools {
		fmt.Fprintf(w, "  %s\n", t.Name)
	}
	fmt.Fprintf(w, `Waiting for a client on standard input. Clients start this command themselves; to set one up:
  %[2]s config vscode %[1]s
  %[2]s config claude %[1]s
To call a tool by hand:
  %[2]s call %[1]s TOOL NAME=VALUE...
`, paths[0], clients.Invocation())
}

// addDesk adds the workbench of the page to the options, if the rules are one folder. It may have no rules yet, because
// people write them at the page.
func addDesk(o *bridge.Options, loading *kb.Options, paths []string) {
	info, err := os.Stat(paths[0])
	if len(paths) != 1 || err != nil || !info.IsDir() {
		return
	}
	loading.Empty = true
	trying := *loading
	o.Desk = &bridge.Workbench{Folder: paths[0], Options: &trying}
}
