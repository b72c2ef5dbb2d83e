package facts

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// content is what a log was read as.
type content struct{ snapshot, records []string }

// journal is a log in a folder.
type journal struct {
	*folder
	content
	warned string
}

// disk is a folder whose files may fail.
type disk struct {
	folderDisk
	create func(File) File
}

func (d disk) Append(name string) (File, error) {
	f, err := d.folderDisk.Append(name)
	if err != nil || d.create == nil {
		return f, err
	}
	return d.create(f), nil
}

// open opens a log.
func open(t *testing.T, dir string, create func(File) File) *journal {
	t.Helper()
	j, err := tryOpen(dir, create)
	require.NoError(t, err)
	t.Cleanup(func() { j.Close() })
	return j
}

func tryOpen(dir string, create func(File) File) (*journal, error) {
	j := &journal{}
	f, err := openFolder(disk{folderDisk(dir), create}, false, func(message string) { j.warned += message })
	if err != nil {
		return nil, err
	}
	j.folder = f
	if j.content, err = read(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

// read reads a log.
func read(l Log) (c content, err error) {
	_, err = l.Load(context.Background(), func(text string) error {
		c.snapshot = append(c.snapshot, text)
		return nil
	}, func(r Record) error {
		c.records = append(c.records, r.Text)
		return nil
	})
	return c, err
}

// append adds a record.
func (j *journal) append(text string) error {
	_, _, err := j.Append(context.Background(), Record{Number: j.next - 1}, []Record{{Text: text}})
	return err
}

// compact writes a snapshot.
func (j *journal) compact(parts ...string) error {
	write, err := j.Snapshot(j.next - 1)
	if err != nil {
		return err
	}
	return write(context.Background(), func(put func(string) error) error {
		for _, p := range parts {
			if err := put(p); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	j := open(t, dir, nil)
	require.NoError(t, j.append("one"))
	_, err := tryOpen(dir, nil)
	require.ErrorContains(t, err, "another process uses the store")
	defer func(usual time.Duration) { lockWait = usual }(lockWait)
	lockWait = 2 * time.Minute // the machine may be busy
	closed := make(chan error, 1)
	time.AfterFunc(100*time.Millisecond, func() { closed <- j.Close() })
	j2 := open(t, dir, nil) // waits for the first one
	require.NoError(t, <-closed)
	require.NoError(t, j2.Close())
	require.Equal(t, []string{"one"}, j2.records)
	require.ErrorIs(t, j.append("late"), ErrClosed)
}

// TestSnapshotFiles removes the files that a snapshot stands for.
func TestSnapshotFiles(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir, nil)
	require.NoError(t, j.append("one"))
	require.NoError(t, j.compact("a", "b"))
	require.NoError(t, j.append("two"))
	require.NoError(t, j.Close())
	require.Equal(t, content{[]string{"a", "b"}, []string{"two"}}, open(t, dir, nil).content)
	names, err := filepath.Glob(filepath.Join(dir, "*-*"))
	require.NoError(t, err)
	require.Len(t, names, 2)
}

// logFile returns the only file of records in a folder.
func logFile(t *testing.T, dir string) string {
	names, err := filepath.Glob(filepath.Join(dir, "log-*"))
	require.NoError(t, err)
	require.Len(t, names, 1)
	return names[0]
}

// TestTorn cuts the file at every byte of its last record. The records before it are always there.
func TestTorn(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir, nil)
	var sizes []int64
	for _, text := range []string{"one", "two", "three, which is the last"} {
		require.NoError(t, j.append(text))
		sizes = append(sizes, j.size)
	}
	require.NoError(t, j.Close())
	name := logFile(t, dir)
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	for size := sizes[1]; size < sizes[2]-headBytes; size++ {
		require.NoError(t, os.WriteFile(name, whole[:size], 0o600))
		j, err := tryOpen(dir, nil)
		require.NoError(t, err)
		require.Equal(t, []string{"one", "two"}, j.records)
		require.Equal(t, size > sizes[1], strings.Contains(j.warned, "are cut off"), j.warned)
		require.NoError(t, j.append("again"))
		require.NoError(t, j.Close())
		j, err = tryOpen(dir, nil)
		require.NoError(t, err)
		require.Empty(t, j.warned)
		require.Equal(t, []string{"one", "two", "again"}, j.records)
		require.NoError(t, j.Close())
	}
	for size := range len(header) {
		require.NoError(t, os.WriteFile(name, whole[:size], 0o600))
		j, err := tryOpen(dir, nil)
		require.NoError(t, err)
		require.Empty(t, j.records)
		require.NoError(t, j.append("first"))
		require.NoError(t, j.Close())
	}
}

// TestFlipped changes one bit at a time. A durable record is never lost in silence.
func TestFlipped(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir, nil)
	want := []string{"one", "two", "three"}
	for _, text := range want {
		require.NoError(t, j.append(text))
	}
	require.NoError(t, j.Close())
	name := logFile(t, dir)
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	for at := range whole {
		for bit := range 8 {
			changed := slices.Clone(whole)
			changed[at] ^= 1 << bit
			require.NoError(t, os.WriteFile(name, changed, 0o600))
			j, err := tryOpen(dir, nil)
			if err == nil {
				require.Equal(t, want, j.records, "byte %d, bit %d", at, bit)
				require.NoError(t, j.Close())
			}
		}
	}
}

// faulty is a file that fails when it is told to.
type faulty struct {
	File
	faults *faults
}

type faults struct {
	room     int // bytes that can still be written; below 0: any
	sync     error
	truncate error
}

func (f faulty) Write(p []byte) (int, error) {
	n := len(p)
	if f.faults.room >= 0 {
		n = min(n, f.faults.room)
		f.faults.room -= n
	}
	if written, err := f.File.Write(p[:n]); err != nil || n == len(p) {
		return written, err
	}
	return n, syscall.ENOSPC
}

func (f faulty) Sync() error {
	if f.faults.sync != nil {
		return f.faults.sync
	}
	return f.File.Sync()
}

func (f faulty) Truncate(size int64) error {
	if f.faults.truncate != nil {
		return f.faults.truncate
	}
	return f.File.Truncate(size)
}

// failing opens a log on a disk that fails when it is told to.
func failing(t *testing.T, dir string) (*journal, *faults) {
	f := &faults{room: -1}
	return open(t, dir, func(file File) File { return faulty{file, f} }), f
}

// TestFullDisk appends to a disk that is full for a time, with room for each number of bytes.
func TestFullDisk(t *testing.T) {
	for room := range 60 {
		dir := t.TempDir()
		j, f := failing(t, dir)
		want := []string{"one"}
		require.NoError(t, j.append("one"))
		f.room = room
		if err := j.append("a record that may not fit"); err == nil {
			want = append(want, "a record that may not fit")
		} else {
			require.ErrorIs(t, err, syscall.ENOSPC)
		}
		f.room = -1
		require.NoError(t, j.append("three"))
		require.NoError(t, j.Close())
		j = open(t, dir, nil)
		require.Equal(t, append(want, "three"), j.records)
		require.Empty(t, j.warned)
	}
}

// TestFullDiskAtSnapshot has a disk that has no room for a new file. The records go on in the old one, and are there
// when the log is opened again, with files that could not be removed or without.
func TestFullDiskAtSnapshot(t *testing.T) {
	for room := range len(header) {
		for _, leftover := range []string{"", header[:room], header} {
			dir := t.TempDir()
			j, f := failing(t, dir)
			require.NoError(t, j.append("one"))
			f.room = room
			require.ErrorIs(t, j.compact(), syscall.ENOSPC)
			logFile(t, dir) // there is only one
			for _, number := range []uint64{2, 3} {
				require.NoError(t, os.WriteFile(j.path(fileName("log", number)), []byte(leftover), 0o600))
			}
			f.room = -1
			require.NoError(t, j.append("two"))
			require.NoError(t, j.append("three"))
			require.NoError(t, j.Close())
			want := content{records: []string{"one", "two", "three"}}
			reader, err := openFolder(folderDisk(dir), true, nil)
			require.NoError(t, err)
			got, err := read(reader)
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.NoError(t, reader.Close())
			j = open(t, dir, nil)
			require.Equal(t, want, j.content)
			logFile(t, dir)
			require.NoError(t, j.compact("all"))
			require.NoError(t, j.append("four"))
			require.NoError(t, j.Close())
			require.Equal(t, content{[]string{"all"}, []string{"four"}}, open(t, dir, nil).content)
		}
	}
}

func TestBroken(t *testing.T) {
	for _, tt := range []faults{{room: -1, sync: syscall.EIO}, {room: 5, truncate: syscall.EIO}} {
		dir := t.TempDir()
		j, f := failing(t, dir)
		require.NoError(t, j.append("one"))
		*f = tt
		err := j.append("two")
		require.ErrorIs(t, err, syscall.EIO)
		require.True(t, errors.As(err, new(*Error)) && err.(*Error).Unknown)
		*f = faults{room: -1}
		require.ErrorContains(t, j.append("three"), "nothing more is stored until")
		require.NoError(t, j.Close())
		j = open(t, dir, nil)
		require.Equal(t, "one", j.records[0])
		require.NotContains(t, j.records, "three")
	}
}

// TestFullDiskAtReading has a disk that fails while a log is read. Nothing of the log is cut off for that.
func TestFullDiskAtReading(t *testing.T) {
	d := newSimDisk(&trouble{random: rand.New(rand.NewPCG(1, 1))})
	j := &journal{folder: must(openFolder(d, false, nil))}
	_, err := read(j)
	require.NoError(t, err)
	require.NoError(t, j.append("one"))
	require.NoError(t, j.append("two"))
	require.NoError(t, j.Close())
	d.crash(1) // the mark behind the last record is not durable
	for step := 1; ; step++ {
		d.failAt = d.steps + step
		j, err := openFolder(d, false, func(string) {})
		if err == nil {
			_, err = read(j)
			err = errors.Join(err, j.Close())
		}
		if err == nil {
			break
		}
		require.ErrorIs(t, err, errSim)
	}
	d.failAt = 0
	j.folder = must(openFolder(d, false, nil))
	got, err := read(j)
	require.NoError(t, err)
	require.Equal(t, []string{"one", "two"}, got.records)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// TestShared counts the calls of fsync for changes that wait together.
func TestShared(t *testing.T) {
	dir := t.TempDir()
	counted := &counter{}
	j := open(t, dir, func(f File) File { return counting{f, counted} })
	r := newReplica(j.folder, &model{}, systemClock{})
	const callers, each = 32, 20
	var all sync.WaitGroup
	for c := range callers {
		all.Go(func() {
			for i := range each {
				done := make(chan error, 1)
				p := &Pending{Edits: []Edit{{Sign: '+', Fact: fmt.Sprintf("%d.%d", c, i)}},
					Settle: func() bool { return true },
					Commit: func(uint64) {}, Lasts: func(err error) { done <- err }, Refuse: func(err error) { done <- err }}
				if err := errors.Join(r.Append(p), <-done); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	require.Less(t, counted.syncs, callers*each/4)
	require.NoError(t, r.Close())
	state := &State{}
	_, err := must(openFolder(folderDisk(dir), true, nil)).Load(t.Context(), nil, state.record)
	require.NoError(t, err)
	last := map[string]int{}
	for fact := range state.All() {
		var i int
		caller, number, _ := strings.Cut(fact, ".")
		_, err := fmt.Sscan(number, &i)
		require.NoError(t, err)
		require.Equal(t, last[caller], i, "the changes of one caller are in order")
		last[caller]++
	}
	require.Len(t, last, callers)
}

// TestSnapshotLater has a disk without room for a new file. A snapshot is tried again when the log is twice as long.
func TestSnapshotLater(t *testing.T) {
	files, full := 0, true
	j := open(t, t.TempDir(), func(f File) File {
		if files++; files > 1 && full {
			return faulty{f, &faults{}}
		}
		return f
	})
	r := newReplica(j.folder, &model{}, systemClock{})
	told := 0
	r.warn = func(string) { told++ }
	add := func(n int) {
		for range n {
			p := &Pending{Edits: []Edit{{'+', 0, strings.Repeat("x", 1<<18)}}, Settle: func() bool { return true },
				Commit: func(uint64) {}, Lasts: func(error) {}, Refuse: func(err error) { t.Error(err) }}
			r.appendBatch([]*Pending{p})
			r.follow.Wait()
		}
	}
	add(4)
	require.Equal(t, 1, told, "the log is longer than 1 MiB")
	add(3)
	require.Equal(t, 1, told)
	add(2)
	require.Equal(t, 2, told)
	full = false
	add(10)
	require.Equal(t, 2, told)
	require.Greater(t, j.from, uint64(10))
	require.NoError(t, r.Close())
}

// counting is a file that counts the calls of fsync, each of which takes a while.
type counting struct {
	File
	counted *counter
}

type counter struct{ syncs int }

func (c counting) Sync() error {
	c.counted.syncs++
	time.Sleep(time.Millisecond)
	return c.File.Sync()
}

func TestForeignFiles(t *testing.T) {
	for text, want := range map[string]string{
		"mcplogic journal 2\nwhatever": "the format of another version",
		"something else altogether":    "not a journal",
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "log-0000000000000001"), []byte(text), 0o600))
		_, err := tryOpen(dir, nil)
		require.ErrorContains(t, err, want)
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "log-0000000000000007"), []byte(header), 0o600))
	_, err := tryOpen(dir, nil)
	require.ErrorContains(t, err, "log-0000000000000001 is missing")
}

// TestMain lets the test binary be a process that appends until it is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("MCPLOGIC_LOG_CHILD"); dir != "" {
		child(dir)
	}
	os.Exit(m.Run())
}

// child appends from several goroutines, takes snapshots, and prints each record that is durable.
func child(dir string) {
	j, err := tryOpen(dir, nil)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	var mu sync.Mutex
	state := map[string]bool{}
	for _, text := range slices.Concat(j.snapshot, j.records) {
		state[text] = true
	}
	start := j.next
	var barrier sync.RWMutex
	for c := range 4 {
		go func() {
			for i := 0; ; i++ {
				text := fmt.Sprintf("%d-%d-%d", start, c, i)
				barrier.RLock()
				err := j.append(text)
				mu.Lock()
				state[text] = true
				if err == nil {
					fmt.Println(text)
				}
				mu.Unlock()
				barrier.RUnlock()
			}
		}()
	}
	for {
		time.Sleep(3 * time.Millisecond)
		barrier.Lock()
		write, err := j.Snapshot(j.next - 1)
		all := slices.Collect(maps.Keys(state))
		barrier.Unlock()
		if err == nil {
			err = write(context.Background(), func(put func(string) error) error {
				for _, text := range all {
					if err := put(text); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
	}
}

// TestKilled kills a process that appends, again and again. What it has said to be durable is there, once.
func TestKilled(t *testing.T) {
	kills := deep.Count(60, 500)
	dir := t.TempDir()
	durable := map[string]bool{}
	for round := range kills {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "MCPLOGIC_LOG_CHILD="+dir)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		var data []byte
		if round%2 == 0 { // else it may be killed before it has opened its files
			data = make([]byte, 1)
			_, err = io.ReadFull(out, data)
			require.NoError(t, err)
		}
		killer := time.AfterFunc(time.Duration(5+rand.IntN(25))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		rest, err := io.ReadAll(out)
		require.NoError(t, err)
		data = append(data, rest...)
		_ = cmd.Wait()
		killer.Stop()
		lines := bufio.NewScanner(bytes.NewReader(data))
		for lines.Scan() {
			require.NotContains(t, lines.Text(), "error")
			durable[lines.Text()] = true
		}
		if n := len(data); n > 0 && data[n-1] != '\n' { // the last line was cut
			delete(durable, string(data[bytes.LastIndexByte(data, '\n')+1:]))
		}
	}
	j, err := tryOpen(dir, nil)
	require.NoError(t, err)
	require.NoError(t, j.Close())
	there := map[string]bool{}
	for _, text := range append(j.snapshot, j.records...) {
		require.False(t, there[text], "%s is there twice", text)
		there[text] = true
	}
	for text := range durable {
		require.True(t, there[text], "%s is lost", text)
	}
	require.NotEmpty(t, durable)
	t.Logf("%d kills, %d records acknowledged, %d there", kills, len(durable), len(there))
}
