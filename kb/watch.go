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

// This file defines the watch over the files of a knowledge base. Editors save in many ways: they write, truncate and
// write, or rename a new file over the old one, by way of backups and temporary names. An event therefore only means
// that something may have changed. When events have ceased for a moment, all files are checked.

// pollEvery is how often files are checked if the system sends no events.
const pollEvery = time.Second

// Watch reloads the knowledge base when its files have changed, until ctx is done. It calls changed after each reload,
// failed ones included. A burst of changes leads to one reload. When files change during a load, the load is ended and
// another begins. If the base is not open or ctx is nil, changed is called once with an error.
func (b *Base) Watch(ctx context.Context, changed func(Change)) {
	if changed == nil {
		changed = func(Change) {}
	}
	if err := b.ready(ctx); err != nil {
		changed(Change{Snapshot: b.Snapshot(), Err: err})
		return
	}
	w := watch{base: b, changed: changed, folders: map[string]bool{}, timer: time.NewTimer(0),
		events: &fsnotify.Watcher{}, blind: true}
	defer w.timer.Stop()
	if b.o.FS == nil {
		if events, err := fsnotify.NewWatcher(); err == nil {
			defer events.Close()
			w.events, w.blind = events, false
		}
	}
	w.run(ctx)
}

// watch is the state of one call of Watch.
type watch struct {
	base    *Base
	changed func(Change)
	events  *fsnotify.Watcher
	folders map[string]bool // the watched folders
	blind   bool            // some folders cannot be watched

	first time.Time // of the current burst, or zero
	timer *time.Timer

	current *underWay // or nil
	missed  bool      // files have changed since current began
	givenUp int       // the number of consecutive loads that were dropped because files changed
}

// underWay is a running check, and the load that it may start.
type underWay struct {
	began  time.Time
	stamps []stamp
	cancel context.CancelCauseFunc
	done   chan checkResult // takes one
}

// errNewer is the cause of ending a load whose files have changed.
var errNewer = errors.New("the files have changed again")

// run waits for events. It begins with a check for changes since the base was opened.
func (w *watch) run(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		var done chan checkResult
		if w.current != nil {
			done = w.current.done
		}
		select {
		case <-ctx.Done():
			if done != nil {
				<-done
			}
			return
		case result := <-done:
			w.ended(result)
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
			if w.blind || w.current == nil && w.base.due() {
				w.check(ctx)
			}
		}
	}
}

// wait puts the next check off until the changes have ceased, for MaxWait at most.
func (w *watch) wait() {
	now := time.Now()
	if w.first.IsZero() {
		w.first = now
	}
	w.timer.Reset(min(w.base.o.Quiet, w.first.Add(w.base.o.MaxWait).Sub(now)))
}

// check starts a check in the background. The watch is set first, so that a later change is an event.
func (w *watch) check(ctx context.Context) {
	if w.current != nil {
		w.overtake()
		return
	}
	w.follow()
	u := &underWay{began: time.Now(), stamps: w.base.stampsNow(), done: make(chan checkResult, 1)}
	ctx, u.cancel = context.WithCancelCause(ctx)
	carry := w.givenUp >= maxGivenUp
	w.current, w.missed = u, false
	go func() { u.done <- w.base.check(ctx, carry) }()
}

// maxGivenUp is how many loads in a row may be dropped because files changed during them. The next load is adopted in
// spite of changes if it finishes. Files that change all the time are thus loaded now and then.
const maxGivenUp = 3

// overtake ends a load whose files have changed. After each ended load, the next load gets twice as long before it may
// be ended too. A load therefore finishes however often the files change, and a load that would never finish is ended.
func (w *watch) overtake() {
	if slices.Equal(w.current.stamps, w.base.stampsNow()) {
		return
	}
	w.missed = true
	var safe time.Duration
	if w.givenUp > 0 {
		safe = w.base.o.MaxWait << min(w.givenUp-1, 10)
	}
	if left := safe - time.Since(w.current.began); left > 0 {
		w.timer.Reset(left)
		return
	}
	w.current.cancel(errNewer)
}

// ended uses the result of a check and plans the next one.
func (w *watch) ended(result checkResult) {
	w.current.cancel(nil)
	w.current = nil
	switch {
	case result.again > 0:
		if !result.doubtful {
			w.givenUp++
		}
		w.timer.Reset(result.again)
		return
	case result.changed:
		w.follow() // the files may now load other files
		w.changed(result.change)
	}
	w.givenUp = 0
	if w.missed {
		w.timer.Reset(0)
	}
}

// relevant reports whether an event may be about the knowledge base: a Prolog file, a file that it reads, a folder or
// a link. Other files in the same folders do not matter.
func (w *watch) relevant(e fsnotify.Event) bool {
	e.Name = filepath.Clean(e.Name) // in the watched folder "." names begin with ./
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

// follow watches the folders that now hold files. The system itself forgets folders that are gone. A new folder may
// have got folders of its own before it was watched, so follow lists the folders again.
func (w *watch) follow() {
	if w.events.Events == nil {
		return
	}
	known := w.events.WatchList()
	for again := true; again; {
		again = false
		for _, folder := range w.base.places() {
			err := w.events.Add(folder) // also a folder that was recreated under its old name
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

// places lists the folders whose events matter: the folders of the files, the folders that links lead to, and the
// parents of the paths themselves, because a path may be removed and come back.
func (b *Base) places() []string {
	f := find(folder.Disk, b.paths)
	list := slices.Clone(f.folders)
	for _, path := range b.paths {
		list = append(list, filepath.Dir(filepath.Clean(path)))
	}
	for _, file := range f.files {
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

// This part decides which states of the files are not loaded at once. Many programs save a file by truncating it and
// writing it anew, some with a pause between. The truncated file may load without errors, as an empty file does.

// doubts are files that have become shorter or have disappeared. Their new state is not loaded yet.
type doubts struct {
	since time.Time // when the first doubt arose, or zero
	files map[string]doubt
}

// doubt is the stamp of such a file, and since when the file has had it.
type doubt struct {
	stamp stamp
	since time.Time
}

// maxDoubts bounds, in units of MaxWait, how long files that change all the time put off a load.
const maxDoubts = 10

// wait returns how long to wait before the files are loaded, 0 for now. A file that is shorter than at the last load
// must not change for two Quiet periods, or for MaxWait if it has lost more than half or is gone.
func (d *doubts) wait(loaded, now []stamp, o *Options) (wait time.Duration) {
	sizes, at := map[string]int64{}, time.Now()
	left := map[string]bool{}
	for _, s := range now {
		left[s.path] = true
	}
	for _, s := range loaded {
		if sizes[s.path] = s.size; !left[s.path] {
			now = append(now, stamp{path: s.path})
		}
	}
	files := map[string]doubt{}
	for _, s := range now {
		if s.size >= sizes[s.path] {
			continue
		}
		f, ok := d.files[s.path]
		if !ok || f.stamp != s {
			f = doubt{s, at}
		}
		files[s.path] = f
		rest := 2 * o.Quiet
		if 2*s.size < sizes[s.path] {
			rest = max(rest, o.MaxWait)
		}
		wait = max(wait, rest-at.Sub(f.since))
	}
	if len(files) == 0 {
		*d = doubts{}
		return 0
	}
	if d.files = files; d.since.IsZero() {
		d.since = at
	}
	if at.Sub(d.since) > maxDoubts*o.MaxWait {
		return 0
	}
	return wait
}
