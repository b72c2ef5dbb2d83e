package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic serve.

// newServe makes the command that serves a knowledge base. The flags for HTTP are here alone.
// The page runs other commands by run.
func newServe(run func(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int) *cobra.Command {
	f, h, w, d := &serverFlags{}, &httpFlags{}, &observers{}, &decisionFlags{}
	h.desk.execute = run
	cmd := &cobra.Command{
		Use:   "serve [flags] PATH...",
		Short: "Serve files and folders to an MCP client",
		Args:  needPaths,
		RunE:  func(cmd *cobra.Command, args []string) error { return serve(cmd, f, h, w, d, args) },
	}
	f.add(cmd.Flags())
	f.addIdentity(cmd.Flags())
	h.add(cmd.Flags())
	w.add(cmd.Flags())
	d.add(cmd.Flags())
	return cmd
}

// serve loads a knowledge base and serves it until the client goes away or the context ends. A knowledge base with
// errors is not served, because a client would see tools missing without a word why. A person at a terminal is told how
// to get a client. All messages go to standard error, because standard output may be the protocol's. The exit code is
// 0 when the client has ended its input, and 2 for errors in files: a server that does not start has no result.
func serve(
	cmd *cobra.Command, f *serverFlags, h *httpFlags, w *observers, d *decisionFlags, paths []string,
) error {
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
	if h.address != "" && !h.noPage {
		h.desk.record = d.dir
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
	closeStore, err := f.openStore(cmd, loading, o)
	if err != nil {
		return err
	}
	defer closeStore()
	var recorded func()
	if o.Decisions, recorded, err = d.open(cmd); err != nil {
		return err
	}
	defer recorded()
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
	case h.address == "": // also when the load has failed: what has been sent gets an answer
		if patient == nil && ctx.Err() == nil {
			greet(stderr, base.Snapshot(), paths)
		}
		err = bridge.Serve(ctx, base, in, cmd.OutOrStdout(), o, func(c kb.Change) {
			w.reloaded(c)
			tellReload(stderr, c)
		})
	case ctx.Err() == nil:
		h.paths = paths
		err = serveHTTP(cmd, base, o, h, w)
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
	collectFor(whileServing)
	go returnMemory()
	printDiagnostics(stderr, base.Snapshot().Report(err))
	if err != nil {
		fmt.Fprintln(stderr, "mcplogic: not served, because there are errors")
		return exit(exitUsage)
	}
	for _, missing := range missingSettings(base.Snapshot()) {
		fmt.Fprintln(stderr, "mcplogic: "+missing)
	}
	if f.store == "" && len(inner.Of(base.Snapshot().Program).Persistent()) > 0 {
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

// This part defines the options of a server that flags and mcplogic.json give.

// options returns the options of a server. Files that flags name are read here, so that a server which lacks one does
// not start. Log, Observe, Store and StateKey are left to serve, which alone has them, and the workbench to addBench.
func (f *serverFlags) options(cmd *cobra.Command, paths []string) (*bridge.Options, error) {
	if err := f.settle(cmd.Flags(), paths); err != nil {
		return nil, err
	}
	o := &bridge.Options{Name: cmp.Or(f.name, serverName(paths)), Title: f.title, Version: f.server,
		Limits:    f.limits.engine(),
		Solutions: f.solutions, MaxResult: int(f.result), Concurrent: f.calls, ConcurrentEach: f.callsEach,
		AskTime: f.askTime, Grace: f.grace, Instructions: f.told,
		MaxWaiting: f.waiting, MaxTasks: f.tasks, PageSize: f.page, Stderr: cmd.ErrOrStderr()}
	for _, url := range f.icons {
		icon := kb.Icon{}
		if err := icon.Set(url); err != nil {
			return nil, err
		}
		o.Icons = append(o.Icons, icon)
	}
	o.Explain, o.ExplainKeep, o.WhatIf = f.explain, f.keep, f.whatIf
	// In the options of the bridge 0 is the default; a negative number keeps nothing.
	if f.keep == 0 {
		o.ExplainKeep = -1
	}
	if o.Time == 0 {
		o.Time = unlimited
	}
	if f.instructions != "" {
		text, err := os.ReadFile(f.instructions)
		if err != nil {
			return nil, err
		}
		o.Instructions = string(text)
	}
	o.Instruct, o.Folders = true, paths
	// call and list talk to a server in the same process and have no framing.
	if f.framed != "" {
		framing, err := wire.ParseFraming(f.framed)
		if err != nil {
			return nil, err
		}
		o.Framing = framing
	}
	return o, nil
}

// addBench adds the workbench to the options if the flags ask for it. It works in one folder, in which models may save
// files if the flag says write or trusted. What it tries is loaded as the folder is. trusted gives the rules of files
// that models have saved the rights of others.
func (f *serverFlags) addBench(o *bridge.Options, loading *kb.Options, paths []string) error {
	if f.bench == "" {
		return nil
	}
	if !slices.Contains([]string{"read", "write", "trusted"}, f.bench) {
		return fmt.Errorf("got --workbench=%s, want read, write or trusted", f.bench)
	}
	if info, err := os.Stat(paths[0]); len(paths) != 1 || err == nil && !info.IsDir() {
		return errors.New("--workbench takes one folder")
	}
	loading.Trust = f.bench == "trusted"
	trying := *loading // without the store, which the caller may add
	o.Workbench = &bridge.Workbench{Folder: paths[0], Options: &trying, Write: f.bench != "read"}
	return nil
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

// openStore opens the store that the flags name and notes it in the options of the load and of the server. Without a
// store, and for commands that open none, it does nothing. done closes the store.
func (f *serverFlags) openStore(cmd *cobra.Command, loading *kb.Options, o *bridge.Options) (done func(), err error) {
	if f.asOf != "" {
		loading.Store, err = f.past(cmd, f.store)
		return func() {}, err
	}
	if f.store == "" || !f.stored {
		return func() {}, nil
	}
	if loading.Store, err = kb.OpenStore(f.store, tell(cmd)); err != nil {
		return nil, err
	}
	o.Store = loading.Store
	return func() { _ = loading.Store.Close() }, nil
}

// unlimited stands for no time limit. In the options of the bridge 0 is the default, so no limit is a very long time.
const unlimited = 100 * 365 * 24 * time.Hour

// This part defines how far Go's heap may grow before it is collected. Go allows the same percentage of garbage for
// every heap. That suits small heaps. Most of a large heap are facts, which stay alive, so waiting for more garbage
// costs memory and saves little time. The percentage therefore falls as the heap grows.

// garbage says how much garbage a heap may hold before a collection, in percent of what lives.
type garbage struct {
	percent uint64 // for small heaps: as long as it comes to no more than room bytes
	room    uint64 // for larger heaps: bytes
	least   uint64 // for the largest heaps: the percentage never falls below it
}

// Loading makes much garbage, and each collection visits everything loaded so far. Measured with a million
// facts: 20 percent as the least in place of 40 saves an eighth of the memory and costs an eighth more time.
// In a server of a small base little lives, and the SDK makes 130 KB of garbage a call. Measured with small calls: 300
// percent in place of 100 saves a fifth of their processor time, and costs up to 16 MB.
var (
	whileLoading = garbage{percent: 100, room: 10 << 20, least: 40}
	whileServing = garbage{percent: 300, room: 16 << 20, least: 50}
)

// share returns the percentage for a heap in which the last collection found live bytes alive.
func (g garbage) share(live uint64) int {
	return int(max(min(g.percent, 100*g.room/max(live, 1)), g.least))
}

// collector holds what Go's collector was last told. There is one for the process. Its fields are atomic, because
// cleanups run in goroutines of the runtime. allowed is nil before the first call of collectFor.
var collector struct {
	allowed atomic.Pointer[garbage]
	percent atomic.Int32
}

// collectFor sets how much garbage is allowed from now on.
func collectFor(g garbage) {
	if collector.allowed.Swap(&g) == nil {
		watchCollections()
	}
	tellCollector()
}

// returnMemory gives the system back what loading no longer needs, if that is much. A server may be idle for
// long after it has loaded, and Go itself would keep the memory for minutes. It begins with a collection, so callers
// that are in a hurry run it in a goroutine.
func returnMemory() {
	const much = 32 << 20
	var stats runtime.MemStats
	if runtime.ReadMemStats(&stats); stats.HeapInuse > much {
		debug.FreeOSMemory()
	}
}

// watchCollections calls tellCollector after each collection. A collection finds the token dead and runs its
// cleanup, which makes the next token.
func watchCollections() {
	type token struct{ _ *token } // has a pointer: Go puts small objects without one into shared memory
	runtime.AddCleanup(&token{}, func(struct{}) {
		tellCollector()
		watchCollections()
	}, struct{}{})
}

// tellCollector sets Go's percentage for the heap that the last collection left.
func tellCollector() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	percent := collector.allowed.Load().share(live[0].Value.Uint64())
	if collector.percent.Swap(int32(percent)) != int32(percent) {
		debug.SetGCPercent(percent)
	}
}
