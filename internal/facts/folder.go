package facts

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	locks "github.com/mcplogic/mcplogic/internal/folder"
)

// This file defines a log in a folder, and how records are appended to it.
//
// The folder has the files log-N, whose first record has the number N, and snapshot-N, which stands for the records
// before number N. A record is its length and a CRC-32C as numbers of 32 bits, its own number of 64 bits, and its
// bytes; the sum is over all but itself. A mark stands behind records that are durable: it has no bytes, the greatest
// length, and the number of the record that comes next. So damage to a durable record is told from a record that was
// never finished. Each file begins with a line that names the version of the format.

// header begins each file. headerStart begins files of other versions, too.
const (
	headerStart = "mcplogic journal "
	header      = headerStart + "1\n"
)

// headBytes is the size of what stands before the bytes of a record.
const headBytes = 4 + 4 + 8

// markLength stands for the length of a mark.
const markLength = 1<<32 - 1

// maxRecord is the size in bytes that a record must not exceed.
const maxRecord = 1 << 30

// castagnoli is the table of CRC-32C (RFC 3720, B.4).
var castagnoli = sync.OnceValue(func() *crc32.Table {
	return crc32.MakeTable(crc32.Castagnoli)
})

// folder is a log in a folder.
type folder struct {
	disk Disk
	lock io.Closer // nil if the folder is only read
	warn func(message string)

	mu     sync.Mutex // guards what follows
	found  []string   // the files that there were when the log was loaded
	file   File       // nil until the log is loaded
	next   uint64     // number of the next record
	size   int64      // of the current file, as far as it is durable
	tail   []byte     // what the last file that was read has from its last mark on
	stored int64      // bytes of the files behind the snapshot
	from   uint64     // number of the first record behind the snapshot
	base   int64      // bytes of the snapshot
	broken error      // why nothing can be appended any more
}

func openFolder(disk Disk, reads bool, warn func(string)) (*folder, error) {
	f := &folder{disk: disk, warn: warn}
	if reads {
		return f, nil
	}
	var err error
	f.lock, err = disk.Lock()
	return f, err
}

// After finds no records, as no other process appends any.
func (f *folder) After(context.Context, Record) ([]Record, bool, error) { return nil, false, nil }

// Flush has nothing to do: Append does it.
func (f *folder) Flush(context.Context, Record) error { return nil }

// Turn does not wait, as there is no other writer.
func (f *folder) Turn(context.Context) (end func()) { return func() {} }

// AppendNext has no other writer to exclude.
func (f *folder) AppendNext(
	ctx context.Context, last Record, g func([]Record) ([]Record, error),
) (head Head, err error) {
	list, err := g(nil)
	if err == nil && len(list) > 0 {
		head, _, err = f.Append(ctx, last, list)
	}
	return head, err
}

// Wait waits for nothing but the end.
func (f *folder) Wait(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// Append writes records by one write and one fsync.
func (f *folder) Append(_ context.Context, _ Record, list []Record) (Head, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken != nil {
		return Head{}, false, f.fault(f.broken, false)
	}
	var data []byte
	for i, r := range list {
		if len(r.Text) > maxRecord {
			return Head{}, false, f.fault(fmt.Errorf("the change is longer than %d bytes", maxRecord), false)
		}
		data = appendRecord(data, f.next+uint64(i), r.Text)
	}
	if _, err := f.file.Write(data); err != nil {
		err = f.undo(err)
		return Head{}, false, f.fault(err, f.broken != nil)
	}
	if err := f.file.Sync(); err != nil {
		// The system may drop pages that it failed to write, so a later fsync proves nothing.
		f.broken = fmt.Errorf("fsync failed, so nothing more is stored until the store is opened again: %w", err)
		return Head{}, false, f.fault(f.broken, true)
	}
	f.next, f.size, f.stored = f.next+uint64(len(list)), f.size+int64(len(data)), f.stored+int64(len(data))
	f.mark()
	return Head{Number: f.next - 1, Base: f.from - 1, Bytes: f.stored, BaseBytes: f.base}, true, nil
}

// fault is an error of the disk. To try again at once is of no use.
func (f *folder) fault(err error, unknown bool) error {
	return &Error{Message: err.Error(), Unknown: unknown, Lasts: true, cause: err}
}

// mark says in the file that all records before it are durable. They are durable without the mark too, so an error of
// writing it is ignored.
func (f *folder) mark() {
	mark := appendSummed(nil, markLength, f.next, "")
	if _, err := f.file.Write(mark); err != nil {
		_ = f.undo(err)
		return
	}
	f.size += int64(len(mark))
}

// undo takes back a write that failed, such as for want of space.
func (f *folder) undo(reason error) error {
	if err := f.file.Truncate(f.size); err != nil {
		f.broken = fmt.Errorf("nothing more is stored until the store is opened again: %w", errors.Join(reason, err))
		return f.broken
	}
	return reason
}

// appendRecord appends the form that a record has in a file.
func appendRecord(to []byte, number uint64, text string) []byte {
	return appendSummed(to, uint32(len(text)), number, text)
}

// appendSummed appends a record, or with another length a mark.
func appendSummed(to []byte, length uint32, number uint64, text string) []byte {
	start := len(to)
	to = binary.LittleEndian.AppendUint32(to, length)
	to = append(to, 0, 0, 0, 0)
	to = binary.LittleEndian.AppendUint64(to, number)
	to = append(to, text...)
	binary.LittleEndian.PutUint32(to[start+4:], checksum(to[start:]))
	return to
}

// checksum returns the sum of a record, over all but itself.
func checksum(record []byte) uint32 {
	sum := crc32.Checksum(record[:4], castagnoli())
	return crc32.Update(sum, castagnoli(), record[8:])
}

// begin begins the file of the next record. When it cannot be written it is removed again, and records go on in the
// file before. The lock must be held.
func (f *folder) begin() error {
	if f.file != nil && f.size == int64(len(header)) {
		return nil // it is the current file
	}
	name := fileName("log", f.next)
	file, err := f.disk.Append(name)
	if err != nil {
		return err
	}
	// A file that is there already has no record, as its first one would have this number.
	if err = file.Truncate(0); err == nil {
		_, err = io.WriteString(file, header)
	}
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = f.disk.Sync()
	}
	if err != nil {
		return errors.Join(err, file.Close(), f.disk.Remove(name))
	}
	if f.file != nil {
		f.file.Close() // it is durable
	}
	f.file, f.size = file, int64(len(header))
	return nil
}

// Snapshot begins a file for the records that the snapshot does not stand for.
func (f *folder) Snapshot(number uint64) (func(context.Context, func(func(string) error) error) error, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken != nil {
		return nil, f.broken
	}
	if err := f.begin(); err != nil {
		return nil, err
	}
	before := f.stored
	return func(_ context.Context, parts func(func(string) error) error) error {
		size, err := f.replace(number+1, parts)
		if err != nil {
			return err
		}
		f.mu.Lock()
		f.from, f.base, f.stored = number+1, size, f.stored-before
		f.mu.Unlock()
		return f.removeOlder(number + 1)
	}, nil
}

// replace puts a snapshot in its place.
func (f *folder) replace(number uint64, parts func(func(string) error) error) (size int64, err error) {
	if err := f.disk.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if size, err = f.writeSnapshot(parts); err != nil {
		return 0, errors.Join(err, f.disk.Remove(temporary))
	}
	if err := f.disk.Rename(temporary, fileName("snapshot", number)); err != nil {
		return 0, err
	}
	return size, f.disk.Sync()
}

// temporary is the file of a snapshot that is not whole.
const temporary = "snapshot.tmp"

// writeSnapshot writes a snapshot to a file. Its last record is empty and says that it is whole.
func (f *folder) writeSnapshot(parts func(func(string) error) error) (size int64, err error) {
	file, err := f.disk.Append(temporary)
	if err != nil {
		return 0, err
	}
	number, buffered := uint64(1), []byte(header)
	put := func(text string) error {
		buffered = appendRecord(buffered, number, text)
		number++
		n, err := file.Write(buffered)
		size, buffered = size+int64(n), buffered[:0]
		return err
	}
	if err = parts(put); err == nil {
		err = put("")
	}
	if err == nil {
		err = file.Sync()
	}
	return size, errors.Join(err, file.Close())
}

// Close gives up the folder. Append fails from then on.
func (f *folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if errors.Is(f.broken, ErrClosed) {
		return nil
	}
	f.broken = ErrClosed
	var err error
	for _, c := range []io.Closer{f.file, f.lock} {
		if c != nil {
			err = errors.Join(err, c.Close())
		}
	}
	return err
}

func fileName(kind string, number uint64) string { return fmt.Sprintf("%s-%016d", kind, number) }

// path returns the path of a file, for messages.
func (f *folder) path(name string) string { return filepath.Join(f.disk.Path(), name) }

// Disk is the folder of a log. Files are given by their names in it.
type Disk interface {
	// Path is the folder, for messages.
	Path() string
	// Lock makes the folder if it is not there, and keeps other processes out until the lock is closed.
	Lock() (io.Closer, error)
	// List returns the names of the files, sorted.
	List() ([]string, error)
	// Open opens a file for reading.
	Open(name string) (io.ReadSeekCloser, error)
	// Append opens a file for writing at its end, and makes it if it is not there.
	Append(name string) (File, error)
	// Overwrite writes over a part of a file, which is durable then.
	Overwrite(name string, at int64, data []byte) error
	Rename(from, to string) error
	Remove(name string) error
	// Sync makes the names of the files durable.
	Sync() error
}

// File is a file that is written.
type File interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// FolderDisk is a folder of the system.
func FolderDisk(path string) Disk { return folderDisk(path) }

// folderDisk is a folder of the system.
type folderDisk string

func (d folderDisk) Path() string { return string(d) }

// lockWait is how long Lock waits for another process to end.
var lockWait = time.Second

// Lock waits a moment for another process to end. A killed process keeps its lock until the system has cleared it away,
// and a process that is started right after that should not fail.
func (d folderDisk) Lock() (io.Closer, error) {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return nil, err
	}
	return locks.LockWithin(d.join("lock"), lockWait)
}

func (d folderDisk) List() (names []string, err error) {
	entries, err := os.ReadDir(string(d))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

func (d folderDisk) Open(name string) (io.ReadSeekCloser, error) { return os.Open(d.join(name)) }

func (d folderDisk) Append(name string) (File, error) {
	return os.OpenFile(d.join(name), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
}

func (d folderDisk) Overwrite(name string, at int64, data []byte) error {
	file, err := os.OpenFile(d.join(name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err = file.WriteAt(data, at); err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

func (d folderDisk) Rename(from, to string) error { return os.Rename(d.join(from), d.join(to)) }

func (d folderDisk) Remove(name string) error { return os.Remove(d.join(name)) }

func (d folderDisk) Sync() error { return locks.Sync(string(d)) }

func (d folderDisk) join(name string) string { return filepath.Join(string(d), name) }
