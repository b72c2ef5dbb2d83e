package facts

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines how the log of a folder is read: which files count, and where their good records end. It also
// defines the check of a log: all of it is read, and what is certainly of no use is removed.

// Load reads the folder. Unless it is only read, the last file is opened for appending, behind its last good record.
func (f *folder) Load(
	_ context.Context, part func(string) error, record func(Record) error,
) (last Record, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	snapshot, logs, err := f.list()
	if err != nil {
		return last, err
	}
	if f.from = max(snapshot, 1); snapshot > 0 {
		if f.base, err = f.readSnapshot(snapshot, part); err != nil {
			return last, err
		}
	}
	f.next, f.stored = f.from, 0
	end, torn, err := f.readLogs(logs, record)
	if err == nil && f.lock != nil {
		err = f.open(logs, end, torn)
	}
	return Record{Number: f.next - 1}, err
}

// open opens the last file with records for appending. Files without records are removed.
func (f *folder) open(logs []uint64, end uint64, torn int64) error {
	for _, number := range logs {
		if number > end {
			if err := f.disk.Remove(fileName("log", number)); err != nil {
				return err
			}
		}
	}
	if end == 0 {
		return f.begin()
	}
	name := fileName("log", end)
	file, err := f.disk.Append(name)
	if err != nil {
		return err
	}
	if torn > 0 {
		f.warn(fmt.Sprintf("the last %s of %s are cut off: they are not whole, and no mark in them says that a change was "+
			"confirmed", spell.Count(int(torn), "byte"), f.path(name)))
		err = file.Truncate(f.size)
	}
	if err == nil {
		// The previous process may have ended before its fsync, or the fsync may have failed. The system may then show
		// data that is not on the disk, and consider it written. No mark follows such records.
		err = f.disk.Overwrite(name, f.size-int64(len(f.tail)), f.tail)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	f.file = file
	return nil
}

// readLogs reads files of records. It returns the number of the last one that has some, and how many bytes at its end
// are a record that was never finished. A file without records is there when the process ended before the first one, or
// when the file could not be begun and the records went on in the one before it.
func (f *folder) readLogs(logs []uint64, record func(Record) error) (end uint64, torn int64, err error) {
	var full []uint64
	for _, number := range logs {
		if empty, err := f.isEmpty(number); err != nil {
			return 0, 0, err
		} else if !empty {
			full = append(full, number)
		}
	}
	for i, number := range full {
		if number != f.next {
			return 0, 0, f.errMissing()
		}
		next := uint64(0)
		if i+1 < len(full) {
			next = full[i+1]
		}
		if f.size, torn, err = f.readLog(number, next, record); err != nil {
			return 0, 0, err
		}
		end, f.stored = number, f.stored+f.size
	}
	if len(logs) > 0 && logs[len(logs)-1] > f.next {
		return 0, 0, f.errMissing()
	}
	return end, torn, nil
}

// isEmpty reports whether a file of records has no more than its header, or what a crash has left of that.
func (f *folder) isEmpty(number uint64) (bool, error) {
	file, err := f.disk.Open(fileName("log", number))
	if err != nil {
		return false, err
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, int64(len(header)+1)))
	isOther := len(head) == len(header) && strings.HasPrefix(string(head), headerStart) &&
		strings.IndexByte("023456789", head[len(headerStart)]) >= 0
	return len(head) <= len(header) && !isOther, err
}

func (f *folder) errMissing() error {
	return fmt.Errorf("%s is missing: record %d should come next", f.path(fileName("log", f.next)), f.next)
}

// list returns the number of the newest snapshot, or 0, and the numbers of the later files of records.
func (f *folder) list() (snapshot uint64, logs []uint64, err error) {
	f.found, err = f.disk.List()
	for _, name := range f.found { // sorted by number too
		if n, ok := numbered(name, "snapshot-"); ok {
			snapshot = n
		}
		if n, ok := numbered(name, "log-"); ok {
			logs = append(logs, n)
		}
	}
	return snapshot, slices.DeleteFunc(logs, func(n uint64) bool { return n < snapshot }), err
}

// numbered returns the number in the name of a file of a kind.
func numbered(name, kind string) (uint64, bool) {
	digits, ok := strings.CutPrefix(name, kind)
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, ok && err == nil
}

// older returns the files that a snapshot stands for, and older snapshots.
func (f *folder) older(snapshot uint64) ([]string, error) {
	names, err := f.disk.List()
	return slices.DeleteFunc(names, func(name string) bool {
		log, isLog := numbered(name, "log-")
		other, isSnapshot := numbered(name, "snapshot-")
		return (!isLog || log >= snapshot) && (!isSnapshot || other >= snapshot)
	}), err
}

// removeOlder removes the files that a snapshot stands for, and older snapshots.
func (f *folder) removeOlder(snapshot uint64) error {
	names, err := f.older(snapshot)
	for _, name := range names {
		err = errors.Join(err, f.disk.Remove(name))
	}
	return err
}

// readSnapshot reads a snapshot, which must be whole.
func (f *folder) readSnapshot(number uint64, part func(string) error) (size int64, err error) {
	name := fileName("snapshot", number)
	whole := false
	r, err := f.openRecords(name, 1)
	if err != nil {
		return 0, err
	}
	defer r.file.Close()
	for {
		text, err := r.next()
		switch {
		case errors.Is(err, io.EOF) && whole:
			return r.good, nil
		case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errBad):
			return 0, err
		case err != nil:
			return 0, fmt.Errorf("%s is damaged at byte %d; restore it from a copy", r.name, r.good)
		}
		if whole = text == ""; whole || part == nil {
			continue
		}
		if err := part(text); err != nil {
			return 0, fmt.Errorf("%s, record %d: %w", r.name, r.number-1, err)
		}
	}
}

// readLog reads a file of records; next is the number of the file behind it, 0 for the last one. It returns how many
// bytes are good, and how many at the end of the last file are a record that was never finished.
func (f *folder) readLog(number, next uint64, record func(Record) error) (good, torn int64, err error) {
	r, err := f.openRecords(fileName("log", number), number)
	if err != nil {
		return 0, 0, err
	}
	defer r.file.Close()
	defer func() { f.tail = r.tail }()
	r.tail = []byte(header)
	for {
		text, err := r.next()
		switch {
		case errors.Is(err, io.EOF):
			return r.good, 0, nil
		case errors.Is(err, errBad):
			torn, err := r.torn(next)
			return r.good, torn, err
		case err != nil:
			return 0, 0, err
		}
		if err := record(Record{Number: f.next, Text: text}); err != nil {
			return 0, 0, fmt.Errorf("%s, record %d: %w", r.name, f.next, err)
		}
		f.next++
	}
}

// records reads the records of one file.
type records struct {
	name   string
	file   io.ReadSeekCloser
	r      *bufio.Reader
	number uint64 // of the next record
	good   int64  // where it begins
	tail   []byte // what stands before it from the last mark on, nil if nobody wants it
}

// errBad is the error of bytes that are no record.
var errBad = errors.New("not a record")

// openRecords opens a file and reads its header.
func (f *folder) openRecords(name string, first uint64) (*records, error) {
	file, err := f.disk.Open(name)
	if err != nil {
		return nil, err
	}
	r := &records{name: f.path(name), file: file, r: bufio.NewReaderSize(file, 1<<16), number: first,
		good: int64(len(header))}
	head := make([]byte, len(header))
	_, err = io.ReadFull(r.r, head)
	switch {
	case string(head) == header:
		return r, nil
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
	case bytes.HasPrefix(head, []byte(headerStart)):
		err = fmt.Errorf("%s has the format of another version, %q; this is version 1", r.name, head)
	default:
		err = fmt.Errorf("%s is not a journal of mcplogic", r.name)
	}
	return nil, errors.Join(err, file.Close())
}

// next returns the text of the next record: io.EOF at the end, errBad for anything but a whole record.
func (r *records) next() (string, error) {
	head := make([]byte, headBytes)
	if _, err := io.ReadFull(r.r, head); err != nil {
		return "", bad(err, io.ErrUnexpectedEOF)
	}
	size := binary.LittleEndian.Uint32(head)
	if markedAt(head, r.number) {
		r.good += headBytes
		if r.tail != nil {
			r.tail = append(r.tail[:0], head...)
		}
		return r.next()
	}
	if size > maxRecord || binary.LittleEndian.Uint64(head[8:]) != r.number {
		return "", errBad
	}
	var record bytes.Buffer // grows with what is there, whatever the size says
	record.Write(head)
	if n, err := io.CopyN(&record, r.r, int64(size)); n != int64(size) {
		return "", bad(err, io.EOF)
	}
	if checksum(record.Bytes()) != binary.LittleEndian.Uint32(head[4:]) {
		return "", errBad
	}
	r.number++
	r.good += int64(record.Len())
	if r.tail != nil {
		r.tail = append(r.tail, record.Bytes()...)
	}
	return string(record.Bytes()[headBytes:]), nil
}

// bad returns the error of a record that could not be read. A file that ends within it is no error of the disk.
func bad(err error, within error) error {
	if errors.Is(err, within) {
		return errBad
	}
	return err
}

// torn tells a record that was never finished from damage: no mark stands behind it. It returns how many bytes there
// are from it on. If the next file begins with that record, what stands there was a mark.
func (r *records) torn(next uint64) (int64, error) {
	damage := fmt.Errorf("%s is damaged at byte %d, within record %d; restore it from a copy", r.name, r.good, r.number)
	switch next {
	case 0:
	case r.number:
		return 0, nil
	default:
		return 0, damage
	}
	if _, err := r.file.Seek(r.good, io.SeekStart); err != nil {
		return 0, err
	}
	rest, err := io.ReadAll(r.file)
	if err != nil {
		return 0, err
	}
	for at := 1; at+headBytes <= len(rest); at++ {
		const near = 1 << 20
		number := binary.LittleEndian.Uint64(rest[at+8:])
		if number > r.number && number < r.number+near && markedAt(rest[at:at+headBytes], number) {
			return 0, damage
		}
	}
	return int64(len(rest)), nil
}

// markedAt reports whether bytes are the mark before a record.
func markedAt(head []byte, number uint64) bool {
	return binary.LittleEndian.Uint32(head) == markLength && binary.LittleEndian.Uint64(head[8:]) == number &&
		checksum(head) == binary.LittleEndian.Uint32(head[4:])
}

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
	// tidy removes unneeded files from a loaded log, and returns their names.
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
	err = l.locked(ctx, func(head Head) error {
		rows, err := l.run(ctx, "select distinct id from mcplogic_snapshot where id <> $1", head.snapshot)
		if err != nil || len(rows) == 0 {
			return err
		}
		done = append(done, spell.Count(len(rows), "snapshot")+" that nobody needs: the parts are removed")
		_, err = l.run(ctx, dropParts, head.snapshot)
		return err
	})
	return done, err
}

func (*postgres) survey() []string { return nil }
