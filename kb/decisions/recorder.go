package decisions

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/kb/internal/facts"
)

// This file defines who records.

// Options are those of a [Recorder]. nil stands for the zero value.
type Options struct {
	// Required says that a call which cannot be recorded is an error. Otherwise Warn is told.
	Required bool
	// Omit names what is left out of all records: user, client, arguments, assume, answers, changes, result, or
	// arguments.NAME.
	Omit []string
	// Rotate is how many bytes a file of a folder has before the next one begins. 0: 64 MiB.
	Rotate int64
	// Keep is how long records are kept. 0: for ever.
	Keep time.Duration
	// Warn is told what goes wrong, from any goroutine. nil: nobody is.
	Warn func(message string)

	disk facts.Disk // for tests
}

// sink is where lines go: a folder or a database.
type sink interface {
	// write returns when a line is durable, or at once.
	write(line []byte, wait bool) error
	facts(all func(put func(part string) error) error) error
	archive(digest string, write func(w io.Writer) error) error
	close() error
}

// Recorder records calls. Goroutines share it.
type Recorder struct {
	o    Options
	sink sink

	beginning sync.Once // writes the facts that the process begins with
	closing   sync.Once
	silent    atomic.Bool // the last line could not be written, and Warn knows
}

// ErrNotRecorded is in the chain of the error of a call that could not be recorded.
var ErrNotRecorded = errors.New("the decision could not be recorded")

// Open returns what records to a folder, which is made if it is not there. Several processes may share it.
func Open(dir string, o *Options) (*Recorder, error) {
	r := &Recorder{}
	if o != nil {
		r.o = *o
	}
	r.o.Rotate = cmp.Or(r.o.Rotate, 64<<20)
	if r.o.Warn == nil {
		r.o.Warn = func(string) {}
	}
	err := checkOmit(r.o.Omit)
	if err == nil {
		r.sink, err = openFolder(dir, &r.o)
	}
	if err != nil {
		return nil, fmt.Errorf("decisions: %w", err)
	}
	return r, nil
}

// Serve is told of the rules that calls run on from now on, which it archives, and writes down the facts that there are
// at the first time. No call has run by then.
func (r *Recorder) Serve(s *kb.Snapshot) {
	r.beginning.Do(func() {
		if len(inner.Of(s.Program).Persistent()) == 0 {
			return
		}
		all, end := s.Program.PersistentFacts()
		defer end()
		err := r.sink.facts(func(put func(string) error) error { return facts.Parts(nil, all, put) })
		if err != nil {
			r.o.Warn("decisions: the facts of the beginning are not kept: " + err.Error())
		}
	})
	if s.Rules == nil {
		return
	}
	if err := r.sink.archive(s.Rules.Digest, s.Rules.Archive); err != nil {
		r.o.Warn("decisions: the rules " + s.Rules.Short() + " are not kept: " + err.Error())
	}
}

// Record writes a record. When it returns nil the record is durable, or need not be.
func (r *Recorder) Record(one *Record) error {
	one.Version = Version
	line, err := lineOf(one.without(r.o.Omit))
	if err == nil {
		err = r.sink.write(line, true)
	}
	switch {
	case err == nil:
		if r.silent.Swap(false) {
			r.o.Warn("decisions are recorded again")
		}
		return nil
	case r.o.Required:
		return fmt.Errorf("%w: %w", ErrNotRecorded, err)
	case !r.silent.Swap(true):
		r.o.Warn("decisions are not recorded: " + err.Error())
	}
	return nil
}

// Confirm says that a pending record was committed. It does not wait for the disk: the answer is durable without it.
func (r *Recorder) Confirm(of *Record, commit uint64, sequence string) {
	line, err := lineOf(&confirmation{Version: Version, ID: of.ID, Commit: commit, Sequence: sequence,
		Took: milliseconds(of.Time)})
	if err == nil {
		err = r.sink.write(line, false)
	}
	if err != nil {
		r.o.Warn("decisions: it is not recorded that " + of.ID + " was committed: " + err.Error())
	}
}

// milliseconds is how long ago a time is.
func milliseconds(began time.Time) float64 { return float64(time.Since(began).Microseconds()) / 1000 }

// End notes in a record when its call has ended.
func (r *Record) End() { r.Took = milliseconds(r.Time) }

// Close waits for the records that have come. It may be called again.
func (r *Recorder) Close() (err error) {
	r.closing.Do(func() { err = r.sink.close() })
	return err
}

// ChangesOf returns what a run is about to change, as a record has it.
func ChangesOf(p *engine.Program, run *engine.Run) ([]string, error) {
	change, err := inner.Of(p).Change(run)
	if err != nil {
		return nil, err
	}
	edits, err := facts.Edits(change)
	list := make([]string, len(edits))
	for i, e := range edits {
		list[i] = e.String()
	}
	return list, err
}
