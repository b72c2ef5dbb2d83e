package journal

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file defines how a journal is opened: which files count, and where their good records end.

// Recovered is what a folder held.
type Recovered struct {
	// Records is the number of records behind the snapshot.
	Records int
	// Torn is the number of bytes of a record that was not whole, at the end of the last file. They were cut off: a
	// record whose Append had returned is whole.
	Torn int64
	// TornIn is the file that they were in.
	TornIn string
}

// Open opens the journal of a folder, which is made if it is not there. It calls snapshot for each part of the snapshot
// and then record for each record behind it, in their order. An error of either ends Open.
func Open(dir string, o *Options, snapshot, record func([]byte) error) (*Journal, Recovered, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, Recovered{}, err
	}
	lock, err := awaitLock(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, Recovered{}, err
	}
	j := &Journal{dir: dir, create: create, lock: lock}
	j.idle.L = &j.mu
	if o != nil && o.Create != nil {
		j.create = o.Create
	}
	found, err := j.recover(snapshot, record)
	if err != nil {
		return nil, found, errors.Join(err, lock.Close())
	}
	return j, found, nil
}

// lockWait is how long Open waits for another process to end.
const lockWait = time.Second

// awaitLock locks a folder. A process that has been killed keeps its lock until the system has cleared it away, which
// takes a moment for a large one: whoever starts the next one at once is not to fail for that.
func awaitLock(name string) (io.Closer, error) {
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		lock, err := lockFolder(name)
		if err == nil || time.Since(began) > lockWait {
			return lock, err
		}
	}
}

// Read reads the journal of a folder that another process may hold. It changes nothing: a record that is not whole at
// the end is passed over, as its writer may be about to finish it.
func Read(dir string, snapshot, record func(number uint64, data []byte) error) error {
	j := &Journal{dir: dir}
	from, logs, err := j.list()
	if err != nil {
		return err
	}
	if from > 0 {
		if _, err := j.readSnapshot(from, func(data []byte) error { return snapshot(from-1, data) }); err != nil {
			return err
		}
	}
	j.next = max(from, 1)
	_, _, err = j.readLogs(logs, func(data []byte) error { return record(j.next, data) })
	return err
}

// recover reads the folder and opens its last file for appending.
func (j *Journal) recover(snapshot, record func([]byte) error) (found Recovered, err error) {
	from, logs, err := j.list()
	if err != nil {
		return found, err
	}
	if from > 0 {
		if j.base, err = j.readSnapshot(from, snapshot); err != nil {
			return found, err
		}
	}
	j.next = max(from, 1)
	first := j.next
	found, last, err := j.readLogs(logs, record)
	if err != nil {
		return found, err
	}
	found.Records = int(j.next - first)
	for _, number := range logs {
		if number > last { // it has no records
			err = errors.Join(err, os.Remove(j.name("log", number)))
		}
	}
	if err != nil || last == 0 {
		return found, errors.Join(err, j.begin())
	}
	return found, j.reopen(last, found.Torn > 0)
}

// readLogs reads files of records, and returns the number of the last one that has some. A file without records is
// there when the process ended before the first one, or when the file could not be begun and the records went on in the
// one before it.
func (j *Journal) readLogs(logs []uint64, record func([]byte) error) (found Recovered, last uint64, err error) {
	full := slices.DeleteFunc(slices.Clone(logs), j.isEmpty)
	for i, number := range full {
		good, torn, err := j.readLog(number, i == len(full)-1, record)
		if err != nil {
			return found, 0, err
		}
		last, j.size, j.stored = number, good, j.stored+good
		if torn > 0 {
			found.Torn, found.TornIn = torn, j.name("log", number)
		}
	}
	if len(logs) > 0 && logs[len(logs)-1] > j.next {
		return found, 0, j.errMissing()
	}
	return found, last, nil
}

// isEmpty reports whether a file of records has no more than its header, or a part of that.
func (j *Journal) isEmpty(number uint64) bool {
	data, err := os.ReadFile(j.name("log", number))
	return err == nil && strings.HasPrefix(header, string(data))
}

// errMissing is the error of a folder without the next record.
func (j *Journal) errMissing() error {
	return fmt.Errorf("%s is missing: record %d should come next", j.name("log", j.next), j.next)
}

// reopen opens the last file behind its last record.
func (j *Journal) reopen(number uint64, torn bool) error {
	file, err := j.create(j.name("log", number))
	if err != nil {
		return err
	}
	if torn {
		if err = file.Truncate(j.size); err == nil {
			err = file.Sync()
		}
		if err != nil {
			return errors.Join(err, file.Close())
		}
	}
	j.file = file
	return nil
}

// list returns the number of the newest snapshot, 0 if there is none, and those of the files of records behind it.
func (j *Journal) list() (snapshot uint64, logs []uint64, err error) {
	entries, err := os.ReadDir(j.dir)
	if err != nil {
		return 0, nil, err
	}
	for _, e := range entries { // sorted by name, and so by number
		if n, ok := numbered(e.Name(), "snapshot-"); ok {
			snapshot = n
		}
		if n, ok := numbered(e.Name(), "log-"); ok {
			logs = append(logs, n)
		}
	}
	first := 0
	for first < len(logs) && logs[first] < snapshot {
		first++
	}
	return snapshot, logs[first:], nil
}

// numbered returns the number in the name of a file of a kind.
func numbered(name, kind string) (uint64, bool) {
	digits, ok := strings.CutPrefix(name, kind)
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, ok && err == nil
}

// removeOlder removes the files that a snapshot stands for, and older snapshots.
func removeOlder(dir string, snapshot uint64) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		for _, kind := range []string{"log-", "snapshot-"} {
			if n, ok := numbered(e.Name(), kind); ok && n < snapshot {
				err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
			}
		}
	}
	return err
}

// readSnapshot reads a snapshot, which must be whole.
func (j *Journal) readSnapshot(number uint64, part func([]byte) error) (size int64, err error) {
	name := j.name("snapshot", number)
	whole := false
	r, err := openRecords(name, 1)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for {
		data, err := r.next()
		switch {
		case errors.Is(err, io.EOF) && whole:
			return r.good, nil
		case err != nil:
			return 0, fmt.Errorf("%s is damaged at byte %d; restore it from a copy", name, r.good)
		}
		if whole = len(data) == 0; whole {
			continue
		}
		if err := part(data); err != nil {
			return 0, fmt.Errorf("%s, record %d: %w", name, r.number-1, err)
		}
	}
}

// readLog reads a file of records. It returns how many bytes are good, and how many at the end of the last file are a
// record that was never finished.
func (j *Journal) readLog(number uint64, last bool, record func([]byte) error) (good, torn int64, err error) {
	name := j.name("log", number)
	if number != j.next {
		return 0, 0, j.errMissing()
	}
	r, err := openRecords(name, number)
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	for {
		data, err := r.next()
		if errors.Is(err, io.EOF) {
			return r.good, 0, nil
		}
		if err != nil {
			torn, err := r.torn(last)
			return r.good, torn, err
		}
		if err := record(data); err != nil {
			return 0, 0, fmt.Errorf("%s, record %d: %w", name, r.number-1, err)
		}
		j.next++
	}
}

// records reads the records of one file.
type records struct {
	name   string
	file   *os.File
	r      *bufio.Reader
	number uint64 // of the next record
	good   int64  // where it begins
}

// errBad is the error of bytes that are no record.
var errBad = errors.New("not a record")

// openRecords opens a file and reads its header.
func openRecords(name string, first uint64) (*records, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	r := &records{name: name, file: file, r: bufio.NewReaderSize(file, 1<<16), number: first, good: int64(len(header))}
	head := make([]byte, len(header))
	n, err := io.ReadFull(r.r, head)
	switch {
	case string(head) == header:
		return r, nil
	case err != nil && strings.HasPrefix(header, string(head[:n])):
		err = fmt.Errorf("%s ends within its header", name)
	case bytes.HasPrefix(head, []byte(header[:len("mcplogic journal ")])):
		err = fmt.Errorf("%s has the format of another version, %q; this is version 1", name, head)
	default:
		err = fmt.Errorf("%s is not a journal of mcplogic", name)
	}
	return nil, errors.Join(err, file.Close())
}

// Close closes the file.
func (r *records) Close() error { return r.file.Close() }

// next returns the bytes of the next record: io.EOF at the end, errBad for anything but a whole record.
func (r *records) next() ([]byte, error) {
	head := make([]byte, headBytes)
	if n, err := io.ReadFull(r.r, head); err != nil {
		if n == 0 && errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		return nil, errBad
	}
	size := binary.LittleEndian.Uint32(head)
	if markedAt(head, r.number) {
		r.good += headBytes
		return r.next()
	}
	if size > MaxRecord || binary.LittleEndian.Uint64(head[8:]) != r.number {
		return nil, errBad
	}
	var record bytes.Buffer // grows with what is there, whatever the size says
	record.Write(head)
	if n, err := io.CopyN(&record, r.r, int64(size)); err != nil || n != int64(size) {
		return nil, errBad
	}
	if checksum(record.Bytes()) != binary.LittleEndian.Uint32(head[4:]) {
		return nil, errBad
	}
	r.number++
	r.good += int64(record.Len())
	return record.Bytes()[headBytes:], nil
}

// torn tells a record that was never finished from damage: no mark stands behind it. It returns how many bytes there
// are from it on.
func (r *records) torn(last bool) (int64, error) {
	damage := fmt.Errorf("%s is damaged at byte %d, within record %d; restore it from a copy", r.name, r.good, r.number)
	if !last {
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
