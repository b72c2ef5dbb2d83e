package decisions

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb/internal/facts"
)

// This file defines how records are found again, and their order: that of the facts that the calls saw.

// Filter chooses the calls to be replayed. The changes of the others are made all the same.
type Filter struct {
	// ID chooses one call, and the steps end with it.
	ID string
	// Since is the earliest time, Tools the names of tools; zero values: any.
	Since time.Time
	Tools []string
	// Sample is the share of calls, chosen by their IDs. 0: all.
	Sample float64
}

// fits reports whether a call is chosen.
func (f *Filter) fits(r *head) bool {
	if f.ID != "" {
		return r.ID == f.ID
	}
	if r.Time.Before(f.Since) || len(f.Tools) > 0 && !slices.Contains(f.Tools, r.Tool) {
		return false
	}
	const parts = 1 << 20
	hash := fnv.New32a()
	_, _ = io.WriteString(hash, r.ID) // never fails
	return f.Sample <= 0 || float64(hash.Sum32()%parts) < f.Sample*parts
}

// head is what the order of records depends on.
type head struct {
	ID, Tool            string
	Time                time.Time
	Load, State, Commit uint64
	Pending             *bool
	Changes             []json.RawMessage
}

// Log is what was found.
type Log struct {
	dir       string
	filter    *Filter
	processes []string
	files     []string
	events    [][]event // of each process, in order

	// Torn are files whose last line was cut off by the end of a process, Damaged the lines that cannot be used, each
	// with its place and why. Later counts the lines of a later version. Unconfirmed are the calls of which nobody knows
	// whether they were committed: the process has ended meanwhile.
	Torn        []string
	Damaged     []string
	Later       int
	Unconfirmed []string
}

// event is a call to be replayed on a state, or a change that leads to a state.
type event struct {
	load, state uint64
	at          int64
	file, size  int32
	change      bool
}

// Read finds the calls in a folder. It keeps a few numbers of each.
func Read(dir string, filter *Filter) (*Log, error) {
	l := &Log{dir: dir, filter: filter}
	var err error
	if l.processes, err = processFolders(dir); err != nil {
		return nil, err
	}
	for _, process := range l.processes {
		if err := l.index(process); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// index reads the lines of a process.
func (l *Log) index(process string) error {
	files, err := lineFiles(process)
	if err != nil {
		return err
	}
	x := &indexing{Log: l, pending: map[string]pending{}}
	for _, name := range files {
		l.files = append(l.files, name)
		in, err := os.Open(name)
		if err != nil {
			return err
		}
		n := 0
		err = eachLine(in, func(line []byte, at int64) error {
			n++
			x.line(line, at, n)
			return nil
		})
		if err = errors.Join(err, in.Close()); err != nil {
			return err
		}
	}
	for id, p := range x.pending {
		l.Unconfirmed = append(l.Unconfirmed, id)
		x.events[p.run].file, x.events[p.change].file = -1, -1
	}
	x.events = slices.DeleteFunc(x.events, func(e event) bool { return e.file < 0 })
	slices.SortStableFunc(x.events, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.load, b.load), cmp.Compare(a.state, b.state), cmp.Compare(b.rank(), a.rank()))
	})
	l.events = append(l.events, x.events)
	return nil
}

// rank puts the change that leads to a state before the calls that see it.
func (e event) rank() int {
	if e.change {
		return 1
	}
	return 0
}

// indexing is the reading of the lines of one process. pending has the calls that are not confirmed yet.
type indexing struct {
	*Log
	events  []event
	pending map[string]pending
}

// pending is where the events of such a call are; run is change for one whose call is not to be replayed.
type pending struct{ run, change int }

// line reads one line.
func (x *indexing) line(line []byte, at int64, number int) {
	name := x.files[len(x.files)-1]
	var h head
	switch err := parse(line, &h); {
	case err != nil && line[len(line)-1] != '\n':
		x.Torn = append(x.Torn, name)
		return
	case err == errLater:
		x.Later++
		return
	case err != nil:
		x.Damaged = append(x.Damaged, fmt.Sprintf("%s:%d: %s", name, number, err))
		return
	}
	p, known := x.pending[h.ID]
	delete(x.pending, h.ID)
	if known && h.Pending != nil && !*h.Pending {
		x.events[p.change].state = h.Commit
		return
	}
	if known { // it has run again
		x.events[p.run].file, x.events[p.change].file = -1, -1
	}
	e := event{load: h.Load, state: h.State, at: at, file: int32(len(x.files) - 1), size: int32(len(line))}
	p.run = len(x.events)
	if h.Tool != "" && x.filter.fits(&h) {
		x.events = append(x.events, e)
	}
	if h.Pending == nil || !*h.Pending {
		if len(h.Changes) == 0 || h.Commit == 0 {
			return
		}
	}
	p.change = len(x.events)
	e.change, e.state = true, h.Commit
	x.events = append(x.events, e)
	if h.Commit == 0 {
		x.pending[h.ID] = p
	}
}

// Step is one thing to be done: a process begins, with some facts, or a call is to be replayed, or changes are to be
// made. Damaged says that a record cannot be used, and why.
type Step struct {
	Begins  bool
	Facts   []string
	Call    *Record
	Changes []string
	Damaged string
}

// Steps calls f for the steps in their order. It ends with an error of f.
func (l *Log) Steps(f func(s *Step) error) error {
	var open *os.File
	defer func() { _ = open.Close() }() // it was read
	name, buffer := "", []byte(nil)
	for i, events := range l.events {
		if len(events) == 0 {
			continue
		}
		begins := &Step{Begins: true}
		var err error
		if begins.Facts, err = readFacts(filepath.Join(l.processes[i], factsFile)); err == nil {
			err = f(begins)
		}
		if err != nil {
			return err
		}
		for _, e := range events {
			if l.files[e.file] != name {
				_ = open.Close() // it was read
				name = l.files[e.file]
				if open, err = os.Open(name); err != nil {
					return err
				}
			}
			buffer = slices.Grow(buffer[:0], int(e.size))[:e.size]
			if _, err := open.ReadAt(buffer, e.at); err != nil {
				return err
			}
			r := &Record{}
			s := &Step{Call: r}
			if err := parse(buffer, r); err != nil {
				s.Call, s.Damaged = nil, fmt.Sprintf("%s: a record is not as it should be: %s", name, err)
			} else if e.change {
				s.Call, s.Changes = nil, r.Changes
			}
			if err := f(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// readFacts reads the facts that a process began with. There are none without the file.
func readFacts(name string) (list []string, err error) {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	err = eachLine(z, func(line []byte, _ int64) error {
		list = append(list, string(bytes.TrimSuffix(line, []byte("\n"))))
		return nil
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return list, err
}

// Rules returns the name of the file with the archive of a digest.
func (l *Log) Rules(digest string) string {
	return filepath.Join(l.dir, rulesFolder, filepath.Base(digest)+".zip")
}

// Facts are the facts that calls have added to a program, so that another program can be given them.
type Facts struct {
	state facts.State
}

// Begin forgets all facts but some.
func (s *Facts) Begin(list []string) {
	s.state = facts.State{}
	for _, text := range list {
		s.state.Add(text)
	}
}

// Change notes changes. What is removed and not there was in a file.
func (s *Facts) Change(changes []string) {
	for _, line := range changes {
		if e, err := facts.ParseEdit(line); err == nil {
			_ = s.state.Apply(e) // a fact of a file
		}
	}
}

// GiveTo adds the facts to a program.
func (s *Facts) GiveTo(p *engine.Program) error {
	var changes []string
	for text := range s.state.All() {
		changes = append(changes, "+"+text)
	}
	return Redo(p, changes)
}

// Redo makes the changes of a record in a program.
func Redo(p *engine.Program, changes []string) error {
	var c engine.FactChange
	for _, line := range changes {
		e, err := facts.ParseEdit(line)
		if err != nil {
			return err
		}
		f, err := facts.ParseFact(e.Fact)
		if err != nil {
			return err
		}
		f.Nth, f.Front = e.Nth, e.Sign == '^'
		if e.Sign == '-' {
			c.Removed = append(c.Removed, f)
		} else {
			c.Added = append(c.Added, f)
		}
	}
	if len(c.Added)+len(c.Removed) == 0 {
		return nil
	}
	return inner.Of(p).Redo(c)
}
