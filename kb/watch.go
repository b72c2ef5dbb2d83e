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

	"github.com/mcplogic/mcplogic/internal/folder"
)

// This file defines the watch over the files of a knowledge base. Editors save in many ways:
// they write, truncate and write, rename a new file over the old one, by way of backups and
// temporary names. So an event only means that something may have changed; when events have
// ceased for a moment the files are looked at as a whole.

// pollEvery is how often files are looked at where the system gives no events.
const pollEvery = time.Second

// Watch reloads the knowledge base when its files have changed, until ctx is done, and calls
// changed after each reload, failed ones included. A burst of changes leads to one reload. Files that change
// while they are loaded end that load, and another begins.
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

	looking *underWay // or nil
	missed  bool      // files have changed since that began
	givenUp int       // loads in a row that came to nothing because files changed
}

// underWay is a look at the files, and the load that it may lead to.
type underWay struct {
	began  time.Time
	stamps []stamp
	cancel context.CancelCauseFunc
	done   chan look // takes one
}

// errNewer is why a load ends when there are newer files to be loaded.
var errNewer = errors.New("the files have changed again")

// run waits for events. It begins with a look at what has changed since the base was opened.
func (w *watch) run(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		var done chan look
		if w.looking != nil {
			done = w.looking.done
		}
		select {
		case <-ctx.Done():
			if done != nil {
				<-done
			}
			return
		case found := <-done:
			w.ended(found)
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

// check begins to look at the files, and to load them if they are not what they were. The watch is set
// first, so that what changes meanwhile is an event.
func (w *watch) check(ctx context.Context) {
	if w.looking != nil {
		w.overtake()
		return
	}
	w.follow()
	u := &underWay{began: time.Now(), stamps: w.base.stampsNow(), done: make(chan look, 1)}
	ctx, u.cancel = context.WithCancelCause(ctx)
	carry := w.givenUp >= maxGivenUp
	w.looking, w.missed = u, false
	go func() { u.done <- w.base.look(ctx, carry) }()
}

// maxGivenUp is how many loads in a row are given up because files changed before their end. The next one
// counts if it is not ended earlier: files that never come to rest are loaded now and then.
const maxGivenUp = 3

// overtake ends a load whose files have changed. After each one that came to this the next has twice as long
// before it can, so that one comes to its end however often the files change; one that has no end can
// always be ended.
func (w *watch) overtake() {
	if slices.Equal(w.looking.stamps, w.base.stampsNow()) {
		return
	}
	w.missed = true
	var safe time.Duration
	if w.givenUp > 0 {
		safe = w.base.o.MaxWait << min(w.givenUp-1, 10)
	}
	if left := safe - time.Since(w.looking.began); left > 0 {
		w.timer.Reset(left)
		return
	}
	w.looking.cancel(errNewer)
}

// ended takes up what a look has come to.
func (w *watch) ended(found look) {
	w.looking.cancel(nil)
	w.looking = nil
	switch {
	case found.again > 0:
		if !found.doubtful {
			w.givenUp++
		}
		w.timer.Reset(found.again)
		return
	case found.changed:
		w.follow() // the files may name others now
		w.changed(found.change)
	}
	w.givenUp = 0
	if w.missed {
		w.timer.Reset(0)
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
		return !folder.Hidden(name)
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
