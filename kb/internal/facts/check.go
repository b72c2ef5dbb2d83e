package facts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the check of a log: all of it is read, and what is certainly of no use is removed.

// Checked is what a check has found.
type Checked struct {
	Facts *State
	Last  uint64 // the number of the last record
	// Mended says what was mended, Wrong what is wrong still.
	Mended, Wrong []string
}

// tidier is a log that can be checked.
type tidier interface {
	Log
	// tidy removes what nobody needs from a log that has been loaded, and says what.
	tidy(ctx context.Context) ([]string, error)
	// survey looks at each part of a log that cannot be loaded, and says what is wrong.
	survey() []string
}

// Check reads all of a log and mends what is certain. An error says that the log could not be read, whether there is
// something wrong or not.
func Check(ctx context.Context, source Source) (*Checked, error) {
	c := &Checked{Facts: &State{}}
	l, err := source.openThere(ctx, func(text string) { c.Mended = append(c.Mended, text) })
	if err != nil {
		return nil, err
	}
	defer l.Close()
	last, err := l.Load(ctx, c.Facts.addLines, c.Facts.record)
	c.Last = last.Number
	if err == nil {
		var done []string
		done, err = l.tidy(ctx)
		c.Mended = append(c.Mended, done...)
	} else if !isOutside(err) {
		c.Facts = &State{}
		c.Wrong = append(c.Wrong, err.Error())
		for _, text := range l.survey() {
			if text != err.Error() {
				c.Wrong = append(c.Wrong, text)
			}
		}
		err = nil
	}
	for text := range c.Facts.All() {
		if _, failed := ParseFact(text); failed != nil {
			c.Wrong = append(c.Wrong, fmt.Sprintf("%s is not a fact: %s", text, failed))
		}
	}
	return c, err
}

// isOutside reports whether an error is one of the disk or the network.
func isOutside(err error) bool {
	return errors.As(err, new(*fs.PathError)) || errors.As(err, new(*Error))
}

// openThere opens a log that is there already.
func (s Source) openThere(ctx context.Context, warn func(string)) (tidier, error) {
	if !s.IsDatabase() {
		dir, err := s.folder()
		if err == nil {
			_, err = folderDisk(dir).List()
		}
		if err != nil {
			return nil, err
		}
	}
	l, err := s.open(ctx, s.IsDatabase(), warn)
	if err != nil {
		return nil, err
	}
	return l.(tidier), nil
}

func (f *folder) tidy(context.Context) (done []string, err error) {
	if err := f.disk.Sync(); err != nil { // the process before may have ended before it did
		return nil, err
	}
	if err := f.removeOlder(f.from); err != nil {
		return nil, err
	}
	if err := f.disk.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	names, err := f.disk.List()
	for _, name := range f.found {
		if !slices.Contains(names, name) {
			done = append(done, f.path(name)+" is removed: nothing in it was needed")
		}
	}
	return done, err
}

// survey reads each file by itself.
func (f *folder) survey() (wrong []string) {
	note := func(err error) {
		if err != nil {
			wrong = append(wrong, err.Error())
		}
	}
	for _, name := range f.found {
		if n, ok := numbered(name, "snapshot-"); ok {
			_, err := f.readSnapshot(n, nil)
			note(err)
		}
		if n, ok := numbered(name, "log-"); ok {
			f.next = n
			empty, err := f.isEmpty(n)
			if err == nil && !empty {
				_, _, err = f.readLog(n, 0, func(Record) error { return nil })
			}
			note(err)
		}
	}
	return wrong
}

// tidy removes the snapshots that do not count.
func (l *postgres) tidy(ctx context.Context) (done []string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	head, err := l.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer l.rollback(ctx, &err)
	rows, err := l.run(ctx, "select distinct id from mcplogic_snapshot where id <> $1", head.snapshot)
	if err != nil {
		return nil, err
	}
	if len(rows) > 0 {
		if _, err = l.run(ctx, dropParts, head.snapshot); err != nil {
			return nil, err
		}
		done = append(done, spell.Count(len(rows), "snapshot")+" that nobody needs: the parts are removed")
	}
	_, err = l.run(ctx, "commit")
	return done, err
}

func (*postgres) survey() []string { return nil }
