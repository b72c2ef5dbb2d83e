// Package facts keeps the facts of persistent predicates.
//
// A [Log] is a sequence of records, each of which is the text of a change. A log is in a folder, which one process at a
// time holds, or in a PostgreSQL database, for any number of processes. A [Replica] keeps the facts of a program equal
// to those that the log leads to, and appends the changes of the program. [Check] looks for faults in a log.
package facts

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file defines the interface of a log.

// Record is a record of a log.
type Record struct {
	// Number counts records from 1. Append ignores it.
	Number uint64
	// ID is a text that no other record has. A log in a folder has none.
	ID string
	// Text is what the record says.
	Text string
}

// Log is a sequence of records. Its methods may be called from any goroutine.
type Log interface {
	// Load passes the parts of the snapshot, if there is one, and the records behind it, as they are at one moment. It
	// returns the last record, which has the number 0 if there is none. part may be nil. Load comes first.
	Load(ctx context.Context, part func(text string) error, record func(Record) error) (last Record, err error)
	// After returns some of the records that come after a record. The zero value stands for the beginning of the log. more
	// says that there may be further ones.
	After(ctx context.Context, last Record) (list []Record, more bool, err error)
	// Append adds records after one, all or none. ok is false if others have added some since; nothing is added then.
	// After an [Error] that is Unknown the records may be there or not, and Append may be called again with the same
	// records: at most one of both adds them. The records have their places then, and others see them. A crash may still
	// take them, with all records behind them.
	Append(ctx context.Context, last Record, list []Record) (head Head, ok bool, err error)
	// AppendNext keeps others from adding records, passes the records after a record to f, and appends the records that f
	// returns. The log ends with those when AppendNext has returned nil.
	AppendNext(ctx context.Context, last Record, f func(later []Record) ([]Record, error)) (head Head, err error)
	// Flush returns when no crash takes a record any more, nor one before it. The error is [ErrForked] if one has.
	Flush(ctx context.Context, last Record) error
	// Turn waits until no other process has its turn, and returns at once where that is of no use. end ends the turn; it
	// also ends if that takes long.
	Turn(ctx context.Context) (end func())
	// Snapshot begins a snapshot, which stands for all records up to a number. No record may be appended meanwhile.
	// write writes the snapshot and removes files that are no longer needed. put writes a part, which is not empty.
	Snapshot(number uint64) (write func(ctx context.Context, parts func(put func(text string) error) error) error,
		err error)
	// Wait returns when there may be records that were not there at the last call. An error says that the log cannot be
	// reached.
	Wait(ctx context.Context) error
	// Close gives the log up. A Wait must have ended.
	Close() error
}

// Head says how long a log is.
type Head struct {
	Number uint64 // of the last record
	Base   uint64 // of the last record that the snapshot stands for
	// Bytes is the size of the records behind the snapshot, and BaseBytes that of the snapshot.
	Bytes, BaseBytes int64
	snapshot         string
}

// ErrForked is the error of a log that does not go on from a record: it has been replaced by another one, or its
// records up to there have been removed after a snapshot. What stands in it has to be loaded anew.
var ErrForked = errors.New("the log does not go on from there")

// ErrBehind is the error of [Log.AppendNext] when there are more records than it reads at once.
var ErrBehind = errors.New("there are more records")

// ErrClosed is the error of a change after the store has been closed.
var ErrClosed = errors.New("the store is closed")

// Error is an error of the disk or the database. No address of a database and no password is in it.
type Error struct {
	// Code is that of PostgreSQL, "" when it has said nothing.
	Code    string
	Message string
	// Unknown says that the database or the disk may have done what was asked for.
	Unknown bool
	// Lasts says that there is no use in trying again soon.
	Lasts bool

	cause error
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.cause }

// Source names a log: "file:DIR", a folder, or "postgres://...", a database of PostgreSQL.
type Source string

// IsDatabase reports whether the log is in a database.
func (s Source) IsDatabase() bool {
	return strings.HasPrefix(string(s), "postgres://") || strings.HasPrefix(string(s), "postgresql://")
}

// String names the log in messages, without a password.
func (s Source) String() string {
	if s.IsDatabase() {
		return "the store in PostgreSQL"
	}
	return "the store " + string(s)
}

func (s Source) folder() (string, error) {
	dir, ok := strings.CutPrefix(string(s), "file:")
	if !ok || dir == "" {
		return "", errors.New("want file:DIR or postgres://USER@HOST/DATABASE")
	}
	return dir, nil
}

// open opens the log. A folder is made if it is not there, and held against other processes unless it is only read.
// warn is called with what a person should know.
func (s Source) open(ctx context.Context, reads bool, warn func(string)) (Log, error) {
	if s.IsDatabase() {
		return openPostgres(ctx, string(s), reads)
	}
	dir, err := s.folder()
	if err != nil {
		return nil, err
	}
	return openFolder(folderDisk(dir), reads, warn)
}

// AsOf is a moment of a log: behind a change that has a mark, or before the first change with a later time. The zero
// value is its end.
type AsOf struct {
	Mark *Mark
	Time time.Time
}

// ends reports whether a moment is before a change.
func (a AsOf) ends(c Change) bool {
	if a.Mark != nil {
		return c.Number > a.Mark.Number
	}
	text, _ := c.Origin()
	when, err := time.Parse(time.RFC3339Nano, text)
	return !a.Time.IsZero() && err == nil && when.After(a.Time)
}

// Load returns the facts that the log leads to, as of a moment. Another process may have it open. It is an error if a
// snapshot has taken the place of the changes since the moment, or if there was no such moment.
func (s Source) Load(ctx context.Context, at AsOf) (*State, error) {
	state, base, end := &State{}, int64(-1), errors.New("the moment has come")
	var last uint64 // change in the state
	loaded, err := s.read(ctx, state.addLines, func(r Record) error {
		c, err := parseChange(r)
		if base < 0 {
			base, last = int64(r.Number)-1, r.Number-1
		}
		switch {
		case err != nil:
			return err
		case at.ends(c):
			return end
		}
		last = r.Number
		return state.record(r)
	})
	if base < 0 { // there is no change behind the snapshot
		base, last = int64(loaded.Number), loaded.Number
	}
	early := last == uint64(base) // if an older version has written the snapshot, without its time
	if !state.taken.IsZero() {
		early = at.Time.Before(state.taken)
	}
	switch m := at.Mark; {
	case err != nil && !errors.Is(err, end):
		return nil, err
	case m == nil && !at.Time.IsZero() && base > 0 && early, m != nil && int64(m.Number) < base:
		return nil, fmt.Errorf("the log does not reach back to that: a snapshot stands for all up to change %d", base)
	case m != nil && last < m.Number:
		return nil, fmt.Errorf("the store ends with change %d", last)
	case m != nil && m.Writer != "" && state.writers[m.Writer] != m.Number:
		return nil, fmt.Errorf("the store has lost change %s or never had it", m)
	}
	return state, nil
}

// Each calls f for the changes since the snapshot. Another process may have the log open.
func (s Source) Each(ctx context.Context, f func(Change) error) error {
	_, err := s.read(ctx, nil, func(r Record) error {
		c, err := parseChange(r)
		if err == nil {
			err = f(c)
		}
		return err
	})
	return err
}

func (s Source) read(ctx context.Context, part func(string) error, record func(Record) error) (Record, error) {
	l, err := s.open(ctx, true, nil)
	if err != nil {
		return Record{}, err
	}
	last, err := l.Load(ctx, part, record)
	return last, errors.Join(err, l.Close())
}

// This part defines the names of the states of a log.
//
// The number of the last change alone names no state: a log that was restored from an older copy gets other changes
// with the same numbers. So each change says who wrote it. A writer is a replica from a load of the log on: with each
// load, and so after each restore, it takes a name that nobody had before. A log has a change of a writer if the last
// one that it has of the same writer is not before it.

// Mark names the state after a change, by the number of the change and its writer. The zero value is the empty log.
type Mark struct {
	Number uint64
	Writer string
}

// String returns the mark as text, "" for the empty log.
func (m Mark) String() string {
	if m.Number == 0 {
		return ""
	}
	return fmt.Sprintf("%d-%s", m.Number, m.Writer)
}

// ParseMark reads what [Mark.String] has written.
func ParseMark(text string) (m Mark, err error) {
	number, writer, ok := strings.Cut(text, "-")
	if m.Number, err = strconv.ParseUint(number, 10, 64); text == "" || err == nil && ok {
		return Mark{m.Number, writer}, nil
	}
	return Mark{}, errors.New("got " + strconv.Quote(text) + ", want a number, - and letters, such as a result has")
}

// newWriter makes a unique name: an atom without quotes.
func newWriter() string { return "w" + strings.ToLower(rand.Text()[:16]) }

// writerOf returns the writer of a record, which its first line ends with.
func writerOf(text string) string {
	head, _, _ := strings.Cut(text, "\n")
	writer := strings.TrimSuffix(head[strings.LastIndexByte(head, ',')+1:], ").")
	if strings.Trim(writer, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return "" // it is of an older version
	}
	return writer
}

// writers has the last change of each writer.
type writers map[string]uint64

// maxWriters is how many writers a snapshot names: those that wrote last.
const maxWriters = 1000

// writersSign begins the line of a snapshot that has the writers. No fact begins with it.
const writersSign = "%"

// timeSign begins the time of the snapshot in that line.
const timeSign = "@"

// line returns the line of a snapshot for the writers, with the time of the snapshot.
func (w writers) line(taken time.Time) string {
	names := slices.SortedFunc(maps.Keys(w), func(a, b string) int { return cmp.Compare(w[b], w[a]) })
	line := writersSign + " " + timeSign + taken.UTC().Format(time.RFC3339Nano)
	for _, name := range names[:min(len(names), maxWriters)] {
		line += fmt.Sprintf(" %d-%s", w[name], name)
	}
	return line + "\n"
}

// addWriters reads the line.
func (s *State) addWriters(line string) (err error) {
	for _, word := range strings.Fields(line) {
		if taken, ok := strings.CutPrefix(word, timeSign); ok {
			s.taken, err = time.Parse(time.RFC3339Nano, taken)
		} else {
			var m Mark
			m, err = ParseMark(word)
			s.wrote()[m.Writer] = m.Number
		}
		if err != nil {
			return err
		}
	}
	return nil
}
