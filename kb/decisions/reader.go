package decisions

import (
	"archive/zip"
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
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/internal/facts"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// This file finds recorded calls again. They are in the order of the states of the facts that they saw.

// Filter chooses the calls to be replayed. The changes of all other calls are made too.
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
	Gap                 bool
	Changes             []json.RawMessage
	Omitted             []string
}

// source is the folder or database that a record is read from.
type source interface {
	// processes returns the processes that a filter needs, the earliest first.
	processes(filter *Filter) ([]string, error)
	// lines calls f with the lines of a process. The last line of a file may lack its newline.
	lines(process string, f func(line []byte, at place, number int) error) error
	// again reads lines a second time. A line that is gone is nil.
	again(process string, places []place) ([][]byte, error)
	// name describes the place of a line in messages.
	name(process string, at place) string
	// begun returns the packed facts that a process began with.
	begun(process string) (io.ReadCloser, error)
	rules(digest string) (*zip.Reader, error)
	close() error
}

// Log has the calls and changes that Read found.
type Log struct {
	source
	filter    *Filter
	processes []string
	events    []events // of each process
	spill     spill

	// Torn are files whose last line was cut off by the end of a process. Damaged are the unusable lines, each with its
	// place and the reason. Later counts the lines that a later version wrote. Unconfirmed are calls that may or may
	// not have been committed, because their process ended in between.
	Torn        []string
	Damaged     []string
	Later       int
	Unconfirmed []string
}

// Read finds the calls in a folder, or in the database at an address. It takes little memory, however many there are.
func Read(dir string, filter *Filter) (*Log, error) {
	l, err := newLog(dir, filter)
	if err != nil {
		return nil, err
	}
	for _, process := range l.processes {
		if err := l.index(process); err != nil {
			return nil, errors.Join(err, l.Close())
		}
	}
	return l, nil
}

// newLog finds the processes of a record.
func newLog(dir string, filter *Filter) (l *Log, err error) {
	l = &Log{filter: filter}
	if !facts.Source(dir).IsDatabase() {
		l.source = &folderSource{dir: dir}
	} else if l.source, err = connect(dir, "there is no record in this database"); err != nil {
		return nil, fmt.Errorf("decisions: %w", err)
	}
	if l.processes, err = l.source.processes(filter); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Latest returns the last calls whose records contain a text, the newest first and at most `most` of them, and the
// number of all such calls. It ignores case. It parses only the records that it returns.
func Latest(dir, text string, most int) (list []*Record, count int, err error) {
	wanted := []byte(strings.ToLower(text))
	l, err := newLog(dir, &Filter{})
	if err != nil {
		return nil, 0, err
	}
	defer l.Close()
	for _, process := range l.processes {
		var places []place
		waiting := map[string]place{}
		found := func(at place) {
			if count, places = count+1, append(places, at); len(places) >= 2*most {
				places = slices.Delete(places, 0, most)
			}
		}
		err := l.lines(process, func(line []byte, at place, _ int) error {
			at.size = int32(len(line))
			call := bytes.Contains(line, []byte(`"tool":`))
			if call && len(wanted) > 0 && !bytes.Contains(bytes.ToLower(unescaped(line)), wanted) {
				return nil
			}
			if call && !bytes.Contains(line, []byte(`"pending":`)) {
				found(at)
				return nil
			}
			var h head
			switch {
			case parse(line, &h) != nil: // an unreadable line is not a call
			case h.Pending == nil && call: // an argument or a result has a member of this name
				found(at)
			case h.Pending == nil:
			case *h.Pending:
				waiting[h.ID] = at
			default:
				if was, known := waiting[h.ID]; known && h.Commit > 0 {
					found(was)
				}
				delete(waiting, h.ID)
			}
			return nil
		})
		if err != nil {
			return nil, 0, err
		}
		lines, err := l.again(process, places[max(0, len(places)-most):])
		if err != nil {
			return nil, 0, err
		}
		for _, line := range lines {
			if r := (&Record{}); parse(line, r) == nil {
				list = append(list, r)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *Record) int { return b.Time.Compare(a.Time) })
	return list[:min(len(list), most)], count, nil
}

// unescaped is a line with the characters that its escapes stand for.
func unescaped(line []byte) []byte {
	var out []byte
	for {
		at := bytes.IndexByte(line, '\\')
		if at < 0 || at+1 == len(line) {
			return append(out, line...)
		}
		out = append(out, line[:at]...)
		line = line[at:]
		n := 0
		for bytes.HasPrefix(line[n:], []byte(`\u`)) && len(line) >= n+len(`\u0000`) {
			n += len(`\u0000`) // a surrogate pair is two escapes
		}
		var s string
		if n > 0 && json.Unmarshal(slices.Concat([]byte{'"'}, line[:n], []byte{'"'}), &s) == nil {
			out = append(out, s...)
		} else if c := strings.IndexByte("nrtbf", line[1]); c >= 0 {
			out = append(out, "\n\r\t\b\f"[c])
		} else {
			out = append(out, line[1])
		}
		line = line[max(n, 2):]
	}
}

// Close releases the record.
func (l *Log) Close() error {
	l.spill.close()
	return l.source.close()
}

// index reads the lines of a process.
func (l *Log) index(process string) error {
	x := &indexing{Log: l, process: process, events: events{spill: &l.spill}, pending: map[string]pending{}}
	err := l.lines(process, x.line)
	for id, p := range x.pending {
		if p.fits {
			l.Unconfirmed = append(l.Unconfirmed, id)
		}
		if err == nil {
			err = x.gap(p.newest)
		}
	}
	if err == nil {
		err = x.events.end()
	}
	l.events = append(l.events, x.events)
	return err
}

// indexing is the reading of the lines of one process. pending has the calls that are not confirmed yet. newest is the
// last change that the lines so far mention.
type indexing struct {
	*Log
	process string
	events  events
	pending map[string]pending
	newest  event
}

// pending is a call that is not confirmed yet. fits says that it is to be replayed. newest is the last change that was
// known before the call.
type pending struct {
	run, change event
	fits        bool
	newest      event
}

// gap notes that there may be an unknown change after the change behind.
func (x *indexing) gap(behind event) error {
	behind.kind = isGap
	behind.state++
	return x.events.add(behind)
}

// noteNewest notes a change if it is the newest one.
func (x *indexing) noteNewest(e event) {
	if cmp.Or(cmp.Compare(e.load, x.newest.load), cmp.Compare(e.state, x.newest.state)) > 0 {
		x.newest = e
	}
}

func (x *indexing) line(line []byte, at place, number int) error {
	var h head
	switch err := parse(line, &h); {
	case err != nil && line[len(line)-1] != '\n':
		x.Torn = append(x.Torn, x.name(x.process, at))
		return nil
	case err == errLater:
		x.Later++
		return nil
	case err != nil:
		x.Damaged = append(x.Damaged, fmt.Sprintf("%s:%d: %s", x.name(x.process, at), number, err))
		if !bytes.Contains(line, []byte(`"tool":`)) { // it may be a change
			return x.gap(x.newest)
		}
		return nil
	}
	p, known := x.pending[h.ID]
	delete(x.pending, h.ID) // it has been committed, or has run again
	settles := h.Pending != nil && !*h.Pending
	if settles && h.Commit == 0 { // it was not committed
		return nil
	}
	at.size = int32(len(line))
	e := event{h.Load, h.State, at, isCall}
	led := event{h.Load, h.Commit, at, isChange}
	if h.Gap || slices.Contains(h.Omitted, "changes") {
		led.kind = isGap
	}
	x.noteNewest(e)
	x.noteNewest(led)
	switch {
	case settles && known:
		if p.change.state = h.Commit; p.fits {
			if err := x.events.add(p.run); err != nil {
				return err
			}
		}
		return x.events.add(p.change)
	case settles: // the line of the call is missing
		led.kind = isGap
		return x.events.add(led)
	case h.Pending != nil:
		x.pending[h.ID] = pending{e, led, h.Tool != "" && x.filter.fits(&h), x.newest}
		return nil
	case h.Tool != "" && x.filter.fits(&h):
		if err := x.events.add(e); err != nil {
			return err
		}
	}
	if h.Gap || h.Commit > 0 && len(h.Changes) > 0 {
		return x.events.add(led)
	}
	return nil
}

// Step is one step of a replay: a process begins with some facts, a call is replayed, or changes are made. Gap says
// that facts have changed in an unknown way. Damaged says why a record cannot be used.
type Step struct {
	Begins  bool
	Facts   []string
	Call    *Record
	Changes []string
	Gap     bool
	Damaged string
}

// Steps calls f for the steps in their order. It ends with an error of f.
func (l *Log) Steps(f func(s *Step) error) error {
	for i, process := range l.processes {
		began := false
		places := []place(nil)
		err := l.events[i].all(func(some []event) error {
			if !began {
				began = true
				begins := &Step{Begins: true}
				var err error
				if begins.Facts, err = l.readFacts(process); err == nil {
					err = f(begins)
				}
				if err != nil {
					return err
				}
			}
			places = places[:0]
			for _, e := range some {
				places = append(places, e.place)
			}
			lines, err := l.again(process, places)
			for n, e := range some {
				if err == nil {
					err = f(l.step(process, e, lines[n]))
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *Log) step(process string, e event, line []byte) *Step {
	if e.kind == isGap {
		return &Step{Gap: true}
	}
	r := &Record{}
	if err := parse(line, r); err != nil {
		return &Step{Damaged: fmt.Sprintf("%s: a record is not as it should be: %s", l.name(process, e.place), err)}
	}
	if e.kind == isChange {
		return &Step{Changes: r.Changes}
	}
	return &Step{Call: r}
}

// readFacts reads the facts that a process began with. Without the file there are no facts.
func (l *Log) readFacts(process string) (list []string, err error) {
	file, err := l.begun(process)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err == nil {
		err = eachLine(z, func(line []byte, _ int64) error {
			list = append(list, string(bytes.TrimSuffix(line, []byte("\n"))))
			return nil
		})
	}
	if err != nil {
		err = fmt.Errorf("the facts of %s: %w", process, err)
	}
	return list, err
}

// Rules returns the archive of a digest.
func (l *Log) Rules(digest string) (*zip.Reader, error) { return l.rules(digest) }

// folderSource is a folder as a source. open is the file that was read last.
type folderSource struct {
	dir   string
	files []string
	open  *os.File
}

func (s *folderSource) processes(*Filter) ([]string, error) { return processFolders(s.dir) }

func (s *folderSource) lines(process string, f func(line []byte, at place, number int) error) error {
	files, err := lineFiles(process)
	if err != nil {
		return err
	}
	for _, name := range files {
		s.files = append(s.files, name)
		in, err := os.Open(name)
		if err != nil {
			return err
		}
		n := 0
		err = eachLine(in, func(line []byte, at int64) error {
			n++
			return f(line, place{at: at, file: int32(len(s.files) - 1)}, n)
		})
		if err = errors.Join(err, in.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (s *folderSource) again(process string, places []place) (list [][]byte, err error) {
	for _, p := range places {
		if name := s.name(process, p); s.open == nil || s.open.Name() != name {
			_ = s.open.Close() // it was read
			if s.open, err = os.Open(name); err != nil {
				return nil, err
			}
		}
		line := make([]byte, p.size)
		if _, err := s.open.ReadAt(line, p.at); err != nil {
			return nil, err
		}
		list = append(list, line)
	}
	return list, nil
}

func (s *folderSource) name(_ string, at place) string { return s.files[at.file] }

func (s *folderSource) begun(process string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(process, factsFile))
}

func (s *folderSource) rules(digest string) (*zip.Reader, error) {
	archive, err := zip.OpenReader(filepath.Join(s.dir, rulesFolder, filepath.Base(digest)+".zip"))
	if err != nil {
		return nil, err
	}
	return &archive.Reader, nil // goals of the rules may read it as long as the process runs
}

func (s *folderSource) close() error {
	_ = s.open.Close() // it was read
	return nil
}

// Facts are the facts that calls have added to a program. GiveTo adds them to another program.
type Facts struct {
	state facts.State
}

// Begin replaces all facts by the given ones.
func (s *Facts) Begin(list []string) {
	s.state = facts.State{}
	for _, text := range list {
		s.state.Add(text)
	}
}

// Change notes changes. A removed fact that no call added was a fact of a file.
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
	var c host.FactChange
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
