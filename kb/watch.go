package kb

import (
	"context"
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
	w := watch{base: b, changed: changed, folders: map[string]bool{}}
	events, err := fsnotify.NewWatcher()
	if err != nil {
		w.poll(ctx)
		return
	}
	defer events.Close()
	w.events = events
	if !w.follow() {
		w.poll(ctx)
		return
	}
	w.check() // what has changed since the base was opened
	w.run(ctx)
}

// watch is one Watch.
type watch struct {
	base    *Base
	changed func(Change)
	events  *fsnotify.Watcher
	folders map[string]bool // those under watch

	first time.Time // of the burst that goes on, or zero
	timer *time.Timer
}

// poll looks at the files again and again.
func (w *watch) poll(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.check()
		}
	}
}

// run waits for events.
func (w *watch) run(ctx context.Context) {
	w.timer = time.NewTimer(time.Hour)
	w.timer.Stop()
	defer w.timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.events.Events:
			if !ok {
				return
			}
			if w.relevant(e) {
				w.wait()
			}
		case _, ok := <-w.events.Errors: // events were lost
			if !ok {
				return
			}
			w.wait()
		case <-w.timer.C:
			w.first = time.Time{}
			w.follow()
			w.check()
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

// check reloads if the files are not what they were.
func (w *watch) check() {
	if c, ok := w.base.reloadChanged(); ok {
		w.follow()
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
	if w.folders[e.Name] || w.base.reads(e.Name) {
		return true
	}
	info, err := os.Lstat(e.Name)
	return err == nil && !info.Mode().IsRegular()
}

// reads reports whether a file is one of the knowledge base.
func (b *Base) reads(file string) bool {
	s := b.Snapshot()
	return slices.Contains(s.Files, file) || slices.Contains(s.deps, file)
}

// follow watches the folders that hold files now. Folders that are gone the system forgets by
// itself. It reports whether the system can watch.
func (w *watch) follow() bool {
	for {
		before := len(w.folders)
		for _, folder := range w.base.places() {
			if w.events.Add(folder) == nil { // adding again is harmless, and needed for one made anew
				w.folders[folder] = true
			}
		}
		if len(w.folders) == before { // nothing new, in which files may have appeared meanwhile
			return before > 0
		}
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
	for _, dep := range b.Snapshot().deps {
		list = append(list, filepath.Dir(dep))
	}
	slices.Sort(list)
	return slices.Compact(list)
}
