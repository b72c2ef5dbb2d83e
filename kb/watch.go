package kb

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// This file defines the watch over the files of a knowledge base. Editors save in many ways:
// they write, truncate and write, rename a new file over the old one, by way of backups and
// temporary names. So an event only means that something may have changed; when events have
// ceased for a moment the files are looked at as a whole.

// pollEvery is how often files are looked at where the system gives no events.
const pollEvery = time.Second

// Watch reloads the knowledge base when its files have changed, until ctx is done, and calls
// changed after each reload, failed ones included. A burst of changes leads to one reload.
func (b *Base) Watch(ctx context.Context, changed func(Change)) {
	w := watch{base: b, changed: changed, folders: map[string]bool{}, timer: time.NewTimer(0)}
	defer w.timer.Stop()
	if events, err := fsnotify.NewWatcher(); err == nil {
		defer events.Close()
		w.events = events
	} else {
		w.events, w.blind = &fsnotify.Watcher{}, true
	}
	w.run(ctx)
}

// watch is one Watch.
type watch struct {
	base    *Base
	changed func(Change)
	events  *fsnotify.Watcher
	folders map[string]bool // those under watch
	blind   bool            // there are folders that the system does not watch

	first time.Time // of the burst that goes on, or zero
	timer *time.Timer
}

// run waits for events. It begins with a look at what has changed since the base was opened.
func (w *watch) run(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-w.events.Events:
			if w.relevant(e) {
				w.wait()
			}
		case <-w.events.Errors: // events were lost
			w.wait()
		case <-w.timer.C:
			w.first = time.Time{}
			w.check(ctx)
		case <-tick.C:
			if w.blind {
				w.check(ctx)
			}
		}
	}
}

// wait puts the next look at the files off until the changes have ceased, but not forever.
func (w *watch) wait() {
	now := time.Now()
	if w.first.IsZero() {
		w.first = now
	}
	w.timer.Reset(min(w.base.o.Quiet, w.first.Add(w.base.o.MaxWait).Sub(now)))
}

// check reloads if the files are not what they were. The watch is set first, so that what
// changes meanwhile is an event.
func (w *watch) check(ctx context.Context) {
	w.follow()
	if c, ok := w.base.ReloadChanged(ctx); ok {
		w.follow() // the files may name others now
		w.changed(c)
	}
}

// relevant reports whether an event may be about the knowledge base: Prolog files, files that
// it reads, folders and links. Others in the same folders change as they like.
func (w *watch) relevant(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod && filepath.Ext(e.Name) != ".pl" {
		return false
	}
	name := filepath.Base(e.Name)
	if filepath.Ext(name) == ".pl" {
		return !hidden(name)
	}
	if w.folders[e.Name] || slices.Contains(w.base.Snapshot().Files, e.Name) || slices.Contains(w.base.reads(), e.Name) {
		return true
	}
	info, err := os.Lstat(e.Name)
	return err == nil && !info.Mode().IsRegular()
}

// follow watches the folders that hold files now. What is gone the system forgets by itself. A
// folder that was new may have got others before it was watched, so it looks again.
func (w *watch) follow() {
	if w.events.Events == nil {
		return
	}
	known := w.events.WatchList()
	for again := true; again; {
		again = false
		for _, folder := range w.base.places() {
			err := w.events.Add(folder) // also one made anew under its old name
			switch {
			case err == nil && !slices.Contains(known, folder):
				known, again = append(known, folder), true
			case err != nil && !errors.Is(err, fs.ErrNotExist):
				w.blind = true
			}
		}
	}
	clear(w.folders)
	for _, folder := range w.events.WatchList() {
		w.folders[folder] = true
	}
}

// places lists the folders whose events matter: those of the files, those that links lead to,
// and those that hold the paths themselves, which may be removed and come back.
func (b *Base) places() []string {
	found := find(b.paths)
	list := slices.Clone(found.folders)
	for _, path := range b.paths {
		list = append(list, filepath.Dir(filepath.Clean(path)))
	}
	for _, file := range found.files {
		if real, err := filepath.EvalSymlinks(file); err == nil {
			list = append(list, filepath.Dir(real))
		}
	}
	for _, dep := range b.reads() {
		list = append(list, filepath.Dir(dep))
	}
	slices.Sort(list)
	return slices.Compact(list)
}
