package main

import (
	"context"
	"slices"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic test --watch.

// watchPause is the time between two polls of the files. A poll reads their names, sizes and times.
const watchPause = 250 * time.Millisecond

// watched are the files of one run of the tests. args are the arguments of the command, paths the files that they stood
// for when they were loaded.
type watched struct {
	args  []string
	paths []string
	base  *kb.Base // nil when the files could not be loaded
	stamp string   // of the files, when there is no base
}

// load loads the files as kb.Load does, and keeps the base, which can tell whether they have changed. The stamp is
// taken before the load, so that a change during it is noticed.
func (w *watched) load(ctx context.Context, paths []string, o *kb.Options) (*kb.Snapshot, engine.Diagnostics) {
	w.paths, w.stamp = paths, kb.Stamp(paths)
	base, report, _ := kb.Open(ctx, paths, o)
	if w.base = base; base == nil {
		return nil, report
	}
	return base.Snapshot(), report
}

// wait polls until the files have changed. It returns false when the context ends.
func (w *watched) wait(ctx context.Context) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(watchPause):
		}
		if w.changed() {
			return true
		}
	}
}

// changed reports whether files have come, gone or changed since the load.
func (w *watched) changed() bool {
	paths, _, err := testPaths(w.args)
	switch {
	case err != nil || w.paths == nil: // something is missing, or was
		return (err == nil) != (w.paths != nil)
	case !slices.Equal(paths, w.paths):
		return true
	case w.base != nil:
		return w.base.Touched()
	}
	return kb.Stamp(paths) != w.stamp
}
