package settings

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the options of a server that flags and mcplogic.json give.

// Options returns the options of a server. Files that flags name are read here, so that a server which lacks one does
// not start. Log, Observe, Store and StateKey are left to serve, which alone has them, and the workbench to AddBench.
func (f *ServerFlags) Options(cmd *cobra.Command, paths []string) (*bridge.Options, error) {
	if err := f.Settle(cmd.Flags(), paths); err != nil {
		return nil, err
	}
	o := &bridge.Options{Name: cmp.Or(f.Name, ServerName(paths)), Title: f.Title, Version: f.Server,
		Limits:    f.limits.Engine(),
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
	o.Explain, o.ExplainKeep, o.WhatIf = f.explain, f.keep, f.WhatIf
	// In the options of the bridge 0 is the default; a negative number keeps nothing.
	if f.keep == 0 {
		o.ExplainKeep = -1
	}
	if o.Time == 0 {
		o.Time = Unlimited
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

// AddBench adds the workbench to the options if the flags ask for it. It works in one folder, in which models may save
// files if the flag says write or trusted. What it tries is loaded as the folder is. trusted gives the rules of files
// that models have saved the rights of others.
func (f *ServerFlags) AddBench(o *bridge.Options, loading *kb.Options, paths []string) error {
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

// OpenStore opens the store that the flags name and notes it in the options of the load and of the server. Without a
// store, and for commands that open none, it does nothing. done closes the store.
func (f *ServerFlags) OpenStore(cmd *cobra.Command, loading *kb.Options, o *bridge.Options) (done func(), err error) {
	if f.asOf != "" {
		loading.Store, err = f.past(cmd, f.Store)
		return func() {}, err
	}
	if f.Store == "" || !f.Stored {
		return func() {}, nil
	}
	if loading.Store, err = kb.OpenStore(f.Store, cli.Tell(cmd)); err != nil {
		return nil, err
	}
	o.Store = loading.Store
	return func() { _ = loading.Store.Close() }, nil
}

// Unlimited stands for no time limit. In the options of the bridge 0 is the default, so no limit is a very long time.
const Unlimited = 100 * 365 * 24 * time.Hour
