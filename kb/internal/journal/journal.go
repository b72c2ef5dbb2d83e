// Package journal keeps a sequence of records in a folder, so that they outlive the process.
//
// [Open] reads what the folder holds: a snapshot, which stands for all records up to one of them, and the records
// behind it. [Journal.Append] adds a record and returns when it is durable. Callers that wait at the same time share
// one write and one fsync. [Journal.Rotate] begins a new file, and [Journal.Snapshot] writes what stands for all
// records before it. One process at a time holds a folder. The methods of a Journal may be called from any goroutine.
//
// The folder has the files log-N, whose first record has the number N, and snapshot-N, which stands for the records
// before number N. A record is its length and a CRC-32C as numbers of 32 bits, its own number of 64 bits, and its
// bytes; the sum is over all but itself. A mark stands behind records that are durable: it has no bytes, the greatest
// length, and the number of the record that comes next. So damage to a durable record is told from a record that was
// never finished. Each file begins with a line that names the version of the format.
package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// This file defines how records are appended.

// File is what a journal needs of a file that it writes.
type File interface {
	io.Writer
	Sync() error
	Truncate(size int64) error
	Close() error
}

// Options say how a journal is kept. nil stands for the zero value.
type Options struct {
	// Create creates a file, or opens it at its end if there is one. nil: the files of the system.
	Create func(name string) (File, error)
}

// create creates a file of the system.
func create(name string) (File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
}

// header begins each file.
const header = "mcplogic journal 1\n"

// headBytes is the size of what stands before the bytes of a record.
const headBytes = 4 + 4 + 8

// markLength stands for the length of a mark.
const markLength = 1<<32 - 1

// MaxRecord is the size in bytes that a record must not exceed.
const MaxRecord = 1 << 30

// castagnoli is the table of CRC-32C (RFC 3720, B.4).
var castagnoli = sync.OnceValue(func() *crc32.Table {
	return crc32.MakeTable(crc32.Castagnoli)
})

// Journal is a journal that is open for appending.
type Journal struct {
	dir    string
	create func(string) (File, error)
	lock   io.Closer

	mu     sync.Mutex
	idle   sync.Cond // signalled when nobody writes
	file   File
	next   uint64 // number of the next record
	size   int64  // of the current file, as far as it is durable
	stored int64  // bytes of all files since the snapshot
	base   int64  // bytes of the snapshot
	queue  []*waiter
	writes bool  // somebody writes the queue
	broken error // why nothing can be appended any more
}

// waiter is a record that waits to be durable.
type waiter struct {
	data []byte
	done chan struct{}
	err  error
}

// ErrClosed is the error of a journal that has been closed.
var ErrClosed = errors.New("the journal is closed")

// Append adds a record and returns when it is durable. After an error the record is not in the journal, unless Append
// never works again: then the folder may hold the record or not, and opening it anew tells.
func (j *Journal) Append(data []byte) error {
	if len(data) > MaxRecord {
		return fmt.Errorf("the record is longer than %d bytes", MaxRecord)
	}
	w := &waiter{data: data, done: make(chan struct{})}
	j.mu.Lock()
	j.queue = append(j.queue, w)
	leads := !j.writes
	j.writes = true
	j.mu.Unlock()
	if leads {
		j.writeQueue()
	}
	<-w.done
	return w.err
}

// writeQueue writes what waits until nothing does. The records that come while others are written wait together.
func (j *Journal) writeQueue() {
	j.mu.Lock()
	for len(j.queue) > 0 {
		batch := j.queue
		j.queue = nil
		j.mu.Unlock()
		err := j.write(batch)
		for _, w := range batch {
			w.err = err
			close(w.done)
		}
		j.mu.Lock()
	}
	j.writes = false
	j.idle.Broadcast()
	j.mu.Unlock()
}

// write makes records durable. Only one goroutine does so at a time.
func (j *Journal) write(batch []*waiter) error {
	if j.broken != nil {
		return j.broken
	}
	var data []byte
	number := j.next
	for _, w := range batch {
		data = appendRecord(data, number, w.data)
		number++
	}
	if _, err := j.file.Write(data); err != nil {
		return j.undo(err)
	}
	if err := j.file.Sync(); err != nil {
		// What the system does with pages that it failed to write is unknown, so a later fsync proves nothing.
		j.broken = fmt.Errorf("fsync failed, so the journal takes no more records until it is opened again: %w", err)
		return j.broken
	}
	j.mu.Lock()
	j.next, j.size, j.stored = number, j.size+int64(len(data)), j.stored+int64(len(data))
	j.mu.Unlock()
	j.mark()
	return nil
}

// mark says in the file that all records before it are durable. They are so without the mark too, so an error is none.
func (j *Journal) mark() {
	mark := binary.LittleEndian.AppendUint32(nil, markLength)
	mark = append(mark, 0, 0, 0, 0)
	mark = binary.LittleEndian.AppendUint64(mark, j.next)
	binary.LittleEndian.PutUint32(mark[4:], checksum(mark))
	if _, err := j.file.Write(mark); err != nil {
		_ = j.undo(err)
		return
	}
	j.size += int64(len(mark))
}

// undo takes back a write that failed, such as for want of space.
func (j *Journal) undo(reason error) error {
	if err := j.file.Truncate(j.size); err != nil {
		j.broken = fmt.Errorf("the journal takes no more records until it is opened again: %w", errors.Join(reason, err))
		return j.broken
	}
	return reason
}

// appendRecord appends the form that a record has in a file.
func appendRecord(to []byte, number uint64, data []byte) []byte {
	start := len(to)
	to = binary.LittleEndian.AppendUint32(to, uint32(len(data)))
	to = append(to, 0, 0, 0, 0)
	to = binary.LittleEndian.AppendUint64(to, number)
	to = append(to, data...)
	binary.LittleEndian.PutUint32(to[start+4:], checksum(to[start:]))
	return to
}

// checksum returns the sum of a record, over all but itself.
func checksum(record []byte) uint32 {
	sum := crc32.Checksum(record[:4], castagnoli())
	return crc32.Update(sum, castagnoli(), record[8:])
}

// quiet takes the lock when nobody writes. With it held nobody begins to.
func (j *Journal) quiet() {
	j.mu.Lock()
	for j.writes {
		j.idle.Wait()
	}
}

// Next returns the number that the next record will have. Records count from 1.
func (j *Journal) Next() uint64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.next
}

// Worth reports whether a snapshot is worth while: the records since the last one take more than four times its size.
func (j *Journal) Worth() bool {
	const least = 1 << 20
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.stored > max(4*j.base, least)
}

// Rotate begins a new file and returns the number of its first record, for [Journal.Snapshot].
func (j *Journal) Rotate() (uint64, error) {
	j.quiet()
	defer j.mu.Unlock()
	if j.broken != nil {
		return 0, j.broken
	}
	j.stored = 0 // also when it fails: the next attempt is after as many bytes again
	return j.next, j.begin()
}

// begin begins the file of the next record. When it cannot be written, it is removed again. The lock must be held.
func (j *Journal) begin() error {
	name := j.name("log", j.next)
	file, err := j.create(name)
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
		err = syncFolder(j.dir)
	}
	if err != nil {
		return errors.Join(err, file.Close(), os.Remove(name))
	}
	if j.file != nil {
		j.file.Close() // it is durable
	}
	j.file, j.size = file, int64(len(header))
	return nil
}

// Snapshot writes what stands for all records before a number, and removes the files that nobody needs then. write
// passes each part of it to its argument.
func (j *Journal) Snapshot(number uint64, write func(part func([]byte) error) error) error {
	temporary := filepath.Join(j.dir, "snapshot.tmp")
	if err := os.Remove(temporary); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	size, err := j.writeSnapshot(temporary, write)
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	if err := os.Rename(temporary, j.name("snapshot", number)); err != nil {
		return err
	}
	if err := syncFolder(j.dir); err != nil {
		return err
	}
	j.mu.Lock()
	j.base = size
	j.mu.Unlock()
	return removeOlder(j.dir, number)
}

// writeSnapshot writes a snapshot to a file. Its last record is empty and says that it is whole.
func (j *Journal) writeSnapshot(name string, write func(part func([]byte) error) error) (size int64, err error) {
	file, err := j.create(name)
	if err != nil {
		return 0, err
	}
	number, buffered := uint64(1), []byte(header)
	flush := func() error {
		n, err := file.Write(buffered)
		size, buffered = size+int64(n), buffered[:0]
		return err
	}
	err = write(func(data []byte) error {
		buffered = appendRecord(buffered, number, data)
		number++
		const most = 1 << 18
		if len(buffered) < most {
			return nil
		}
		return flush()
	})
	if err == nil {
		buffered = appendRecord(buffered, number, nil)
		err = flush()
	}
	if err == nil {
		err = file.Sync()
	}
	return size, errors.Join(err, file.Close())
}

// Close waits for what is being written and gives up the folder. Append fails from then on.
func (j *Journal) Close() error {
	j.quiet()
	defer j.mu.Unlock()
	if errors.Is(j.broken, ErrClosed) {
		return nil
	}
	j.broken = ErrClosed
	return errors.Join(j.file.Close(), j.lock.Close())
}

// name returns the name of a file.
func (j *Journal) name(kind string, number uint64) string {
	return filepath.Join(j.dir, fmt.Sprintf("%s-%016d", kind, number))
}
