package goals

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines what mcplogic repl has loaded: how files come in and are kept up to date, and
// clauses that are typed in.

// replBase is the knowledge base of a session: the files, what goals have set, and the program that is in force.
type replBase struct {
	o       *kb.Options
	session *engine.Session
	stderr  io.Writer
	replay  func(program *engine.Program, goal string)
	// interruptible returns a context that the user ends, for one load.
	interruptible func() (context.Context, context.CancelFunc)

	paths    []string // all that are wanted
	base     *kb.Base // of those that could be loaded
	broken   bool     // not all could
	stamp    string   // of the files, when they were broken
	told     string   // the errors that were shown last
	settings []string // goals to be called again after a reload
}

// replayTime bounds each goal that is called again after a reload.
const replayTime = 10 * time.Second

// program returns the program in force. A reload replaces it. Callers ask for it at each goal and do not keep it.
func (b *replBase) program() *engine.Program { return b.base.Snapshot().Program }

// open loads the first files. A session at a terminal begins even when they have errors, because that is where they are
// mended. It then has an empty program, and looks before each goal whether the files have changed.
func (b *replBase) open(paths []string, stay bool) error {
	b.paths = paths
	base, report, err := b.load(paths)
	cli.PrintDiagnostics(b.stderr, report)
	b.base = base
	switch {
	case err == nil:
		b.restore()
		return nil
	case !stay || cli.NotLoaded(report) == cli.Exit(cli.ExitUsage):
		return cli.NotLoaded(report)
	}
	fmt.Fprintln(b.stderr, "mcplogic: not loaded, because there are errors; it will be when they are mended")
	b.broken, b.told, b.stamp = true, report.Error(), new(kb.Options).Stamp(paths)
	b.base, _, err = b.load(nil)
	return err
}

// load loads files into a new base, which watches them. No paths give a program without clauses of the user.
func (b *replBase) load(paths []string) (*kb.Base, source.Diagnostics, error) {
	ctx, stop := b.interruptible()
	defer stop()
	defer cli.Busy(b.stderr, "loading "+strings.Join(paths, ", "))()
	return cli.OpenBase(ctx, paths, b.o)
}

// refresh loads the files that have changed since the last goal. It does nothing when none has. While the
// files have errors there is no base of them, so a stamp of the files is compared instead.
func (b *replBase) refresh() {
	if b.broken {
		if now := new(kb.Options).Stamp(b.paths); now != b.stamp {
			b.stamp = now
			b.retry()
		}
		return
	}
	if !b.base.Touched() {
		return
	}
	ctx, stop := b.interruptible()
	defer stop()
	if c, changed := b.base.ReloadChanged(ctx); changed {
		b.changed(c)
	}
}

// reload loads all files, whether they have changed or not. Errors that were shown before are shown again,
// because the user has asked.
func (b *replBase) reload() {
	if b.broken {
		b.told = ""
		b.retry()
		return
	}
	ctx, stop := b.interruptible()
	defer stop()
	b.changed(b.base.Reload(ctx))
}

// changed prints the result of a reload and restores what goals have set.
func (b *replBase) changed(c kb.Change) {
	cli.TellReload(b.stderr, c)
	if c.Err == nil {
		b.restore()
	}
}

// retry loads files that had errors. It prints the errors only when they are others than before, because it
// runs before each line.
func (b *replBase) retry() {
	base, report, err := b.load(b.paths)
	if err != nil {
		if text := report.Error(); text != b.told {
			cli.PrintDiagnostics(b.stderr, report)
			b.told = text
		}
		return
	}
	cli.PrintDiagnostics(b.stderr, report)
	b.adopt(base)
	fmt.Fprintf(b.stderr, "mcplogic: loaded %s\n", cli.Summary(base.Snapshot()))
}

// adopt replaces the base. Clauses that goals have added are carried over to the new program, and the
// settings are made again.
func (b *replBase) adopt(base *kb.Base) {
	base.Snapshot().Program.Inherit(b.program())
	b.base, b.broken = base, false
	b.restore()
}

// restore imports what module files export, and calls the settings again that goals have made, in their order. A later
// one may undo an earlier one.
func (b *replBase) restore() {
	importNamed(context.Background(), b.program(), b.paths, &engine.RunOptions{Error: b.stderr, Session: b.session})
	for _, goal := range b.settings {
		b.replay(b.program(), goal)
	}
}

// add loads one more file or folder, together with all others. A path that is there already makes all files
// load again. When there are errors ok is false and the base stays as it was.
func (b *replBase) add(path string) (ok bool) {
	if slices.Contains(b.paths, path) {
		before := b.base.Snapshot()
		b.reload()
		return b.base.Snapshot() != before
	}
	base, report, err := b.load(append(slices.Clone(b.paths), path))
	cli.PrintDiagnostics(b.stderr, report)
	if err != nil {
		return false
	}
	b.paths = append(b.paths, path)
	b.adopt(base)
	return true
}

// consulted returns the files of a goal such as [a, 'b.pl'] or consult(a); ok is false for other goals.
func consulted(goal engine.Term) (files []string, ok bool) {
	if args, is := term.Is(goal, "consult", 1); is {
		goal = args[0]
		if _, isList := term.Slice(goal); !isList {
			goal = term.List(goal)
		}
	}
	items, isList := term.Slice(goal)
	if !isList || len(items) == 0 {
		return nil, false
	}
	for _, item := range items {
		name, isName := filePath(item)
		if !isName {
			return nil, false
		}
		files = append(files, name)
	}
	return files, true
}

// filePath returns the path that a term names: an atom or string, or several of them joined by the operator
// /. So [dir/file] needs no quotes.
func filePath(t engine.Term) (path string, ok bool) {
	for {
		args, isPath := term.Is(t, "/", 2)
		if !isPath {
			break
		}
		last, isText := term.Text(args[1])
		if !isText {
			return "", false
		}
		t, path = args[0], "/"+last+path
	}
	first, isText := term.Text(t)
	_, isList := term.Slice(t)
	return first + path, isText && !isList
}
