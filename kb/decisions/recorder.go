package decisions

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/internal/facts"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the recorder.

// Options are those of a [Recorder]. nil stands for the zero value.
type Options struct {
	// Required says that a call which cannot be recorded is an error. Otherwise Warn is called.
	Required bool
	// Omit names what is left out of all records: user, client, arguments, assume, answers, changes, result, or
	// arguments.NAME.
	Omit []string
	// Rotate is the size in bytes at which a new file of a folder begins. 0 means 64 MiB.
	Rotate int64
	// Keep is how long records are kept. 0 means for ever.
	Keep time.Duration
	// Warn is called with each problem, from any goroutine. It may be nil.
	Warn func(message string)

	disk facts.Disk // for tests
}

// sink is where lines go: a folder or a database.
type sink interface {
	// write queues lines to be written together, all or none. done is called when they are durable, or with an error.
	write(lines []written, done func(error))
	// facts stores the facts that the process begins with. archive stores the rules of a digest.
	facts(all func(put func(part string) error) error) error
	archive(digest string, write func(w io.Writer) error) error
	// dropOlder drops the calls before a time. Changes of facts that later calls depend on are kept.
	dropOlder(than time.Time) error
	close() error
}

// Recorder records calls. Goroutines share it.
type Recorder struct {
	o    Options
	sink sink
	stop chan struct{} // closed by Close

	beginning sync.Once // writes the facts that the process begins with
	closing   sync.Once
	silent    atomic.Bool // the last line could not be written, and Warn was called

	// owing is held while a change of another server is made, so that a call which has seen the change is recorded
	// after it. Calls do not lock owing while owes is 0: then no such change is being made, and no lines are owed.
	owing sync.Mutex
	owes  atomic.Int64
	owed  []written // lines to be written with the next one
	bytes int       // the size of owed

	last  [lastCalls]atomic.Pointer[Record] // the calls that were recorded last, without their answers
	count atomic.Uint64                     // of all recorded calls
}

// lastCalls is how many calls are kept to be replayed.
const lastCalls = 50

// Last returns the calls that were recorded last, the earliest first. They can be replayed, but lack their answers.
func (r *Recorder) Last() (list []*Record) {
	count := r.count.Load()
	for n := range uint64(lastCalls) {
		if one := r.last[(count+n)%lastCalls].Load(); one != nil {
			list = append(list, one)
		}
	}
	return list
}

// keep notes one of the last calls.
func (r *Recorder) keep(one *Record) {
	const mostBytes = 1 << 14
	if one.Tool == "" || one.Replayable(false) != "" || len(one.Arguments)+len(one.Assume) > mostBytes {
		return
	}
	own := *one
	own.Result, own.Error, own.Changes = nil, nil, nil
	r.last[(r.count.Add(1)-1)%lastCalls].Store(&own)
}

// ErrNotRecorded is in the chain of the error of a call that could not be recorded.
var ErrNotRecorded = errors.New("the decision could not be recorded")

// Open returns a recorder that writes to a folder, which it creates if necessary, or to the database at an address that
// begins with postgres://. Several processes may share the folder or database.
func Open(dir string, o *Options) (*Recorder, error) {
	r := &Recorder{stop: make(chan struct{})}
	if o != nil {
		r.o = *o
	}
	r.o.Rotate = cmp.Or(r.o.Rotate, 64<<20)
	if r.o.Warn == nil {
		r.o.Warn = func(string) {}
	}
	err := checkOmit(r.o.Omit)
	switch {
	case err != nil:
	case facts.Source(dir).IsDatabase():
		r.sink, err = openDatabase(dir)
	default:
		r.sink, err = openFolder(dir, &r.o)
	}
	if err != nil {
		return nil, fmt.Errorf("decisions: %w", err)
	}
	go r.retain()
	return r, nil
}

// newProcess returns a name for this process. Names sort by the start of their processes.
func newProcess() string {
	return time.Now().UTC().Format("20060102T150405.000000") + fmt.Sprintf("-%d", os.Getpid())
}

// Serve is called with the rules that calls run on from now on, and archives them. The first time, before any call, it
// also stores the current facts, and begins to record the changes that other servers make in the store.
func (r *Recorder) Serve(s *kb.Snapshot, store *kb.Store) {
	r.beginning.Do(func() {
		var all iter.Seq[host.Fact]
		var end func()
		begin := func() { all, end = s.Program.PersistentFacts() }
		if store != nil {
			store.Observe(begin, r.other)
		} else {
			begin()
		}
		defer end()
		if len(inner.Of(s.Program).Persistent()) == 0 {
			return
		}
		err := r.sink.facts(func(put func(string) error) error { return facts.Parts(nil, all, put) })
		if err != nil {
			r.o.Warn("decisions: the facts of the beginning are not kept: " + err.Error())
			r.owe(&Record{Load: inner.Of(s.Program).Serial(), Gap: true})
		}
	})
	if s.Rules == nil {
		return
	}
	if err := r.sink.archive(s.Rules.Digest, s.Rules.Archive); err != nil {
		r.o.Warn("decisions: the rules " + s.Rules.Short() + " are not kept: " + err.Error())
	}
}

// other makes a change of another server and records it.
func (r *Recorder) other(change func() *kb.Others) {
	const most = 1 << 16
	r.owes.Add(1)
	defer r.owes.Add(-1)
	r.owing.Lock()
	c := change()
	if c != nil {
		r.oweLocked(&Record{Load: c.Load, Commit: c.State, Changes: c.Changes, Gap: c.Anew})
	}
	much := r.bytes > most
	r.owing.Unlock()
	if much {
		r.send(nil, func(error) {})
	}
}

// owe queues the line of a change to be written with the next line.
func (r *Recorder) owe(one *Record) {
	r.owing.Lock()
	defer r.owing.Unlock()
	r.oweLocked(one)
}

func (r *Recorder) oweLocked(one *Record) {
	one.Version, one.ID, one.Time = Version, rand.Text(), time.Now()
	if slices.Contains(r.o.Omit, "changes") {
		one.Changes, one.Gap = nil, true
	}
	if text, err := one.line(); err == nil {
		r.setOwed(append(r.owed, written{one.ID, "", one.Time, text}), r.bytes+len(text))
	}
}

// setOwed sets the lines that are owed. The caller holds owing.
func (r *Recorder) setOwed(lines []written, bytes int) {
	r.owes.Add(int64(len(lines) - len(r.owed)))
	r.owed, r.bytes = lines, bytes
}

// send queues lines after the owed ones.
func (r *Recorder) send(own []written, done func(error)) {
	if r.owes.Load() == 0 {
		r.sink.write(own, done)
		return
	}
	r.owing.Lock()
	owed, bytes := r.owed, r.bytes
	r.setOwed(nil, 0)
	r.owing.Unlock()
	r.sink.write(append(slices.Clip(owed), own...), func(err error) {
		if err != nil {
			r.owing.Lock()
			r.setOwed(append(owed, r.owed...), r.bytes+bytes)
			r.owing.Unlock()
		}
		done(err)
	})
}

// write returns when lines are durable.
func (r *Recorder) write(own ...written) error {
	back := make(chan error, 1)
	r.send(own, func(err error) { back <- err })
	return <-back
}

// Record writes a record. If it returns nil, the record is durable or not required.
func (r *Recorder) Record(one *Record) error {
	one.Version = Version
	left := one.without(r.o.Omit)
	text, err := left.line()
	if err == nil {
		err = r.write(written{one.ID, one.Tool, one.Time, text})
	}
	switch {
	case err == nil:
		r.keep(left)
		if r.silent.Load() && r.silent.Swap(false) {
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

// Confirm records that a pending record was committed. It does not wait for the disk, as the answer is durable without
// the confirmation. A confirmation that cannot be written is written with the next record.
func (r *Recorder) Confirm(of *Record, commit uint64, sequence string) {
	r.settle(of, of.confirmation(commit, sequence))
}

// TakeBack records that a pending record was not committed. It does not wait for the disk either.
func (r *Recorder) TakeBack(of *Record) { r.settle(of, of.takenBack()) }

// settle queues the line that says whether a pending record was committed.
func (r *Recorder) settle(of *Record, text []byte) {
	own := written{of.ID, "", of.Time, text}
	r.send([]written{own}, func(err error) {
		if err != nil {
			r.owing.Lock()
			r.setOwed(append(r.owed, own), r.bytes+len(text))
			r.owing.Unlock()
		}
	})
}

// milliseconds is the time since began.
func milliseconds(began time.Time) float64 { return float64(time.Since(began).Microseconds()) / 1000 }

// End notes in a record how long its call took.
func (r *Record) End() { r.Took = milliseconds(r.Time) }

// Close waits until the queued records are written. It may be called again.
func (r *Recorder) Close() (err error) {
	r.closing.Do(func() {
		close(r.stop)
		if err := r.write(); err != nil {
			r.o.Warn("decisions: changes of facts are not recorded: " + err.Error())
		}
		err = r.sink.close()
	})
	return err
}

// retain drops old records periodically until the recorder is closed.
func (r *Recorder) retain() {
	if r.o.Keep <= 0 {
		return
	}
	often := min(max(r.o.Keep/10, time.Second), time.Hour)
	for {
		if err := r.sink.dropOlder(time.Now().Add(-r.o.Keep)); err != nil {
			r.o.Warn("old decisions are kept: " + err.Error())
		}
		select {
		case <-r.stop:
			return
		case <-time.After(often):
		}
	}
}

// ChangesOf returns the changes that a run is about to commit, in the form of a record.
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
