package kb

import (
	"time"
)

// This file defines which states of the files are not loaded at once. Many programs save a file by truncating it and
// writing it anew, some with a pause between. The truncated file may load without errors, as an empty file does.

// doubts are the files that have become shorter, or are gone, and are not loaded yet.
type doubts struct {
	since time.Time // the first of them, or zero
	files map[string]doubt
}

// doubt is such a file, and since when it has had this stamp.
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
