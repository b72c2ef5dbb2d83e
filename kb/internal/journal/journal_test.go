package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
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

	"github.com/mcplogic/mcplogic/internal/deep"
)

// state is what a journal was read as.
type state struct{ snapshot, records []string }

// open opens a journal and returns what it held.
func open(t *testing.T, dir string, o *Options) (*Journal, state, Recovered) {
	t.Helper()
	j, s, found, err := tryOpen(dir, o)
	require.NoError(t, err)
	t.Cleanup(func() { j.Close() })
	return j, s, found
}

func tryOpen(dir string, o *Options) (j *Journal, s state, found Recovered, err error) {
	j, found, err = Open(dir, o, func(data []byte) error {
		s.snapshot = append(s.snapshot, string(data))
		return nil
	}, func(data []byte) error {
		s.records = append(s.records, string(data))
		return nil
	})
	return j, s, found, err
}

func TestAppend(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	j, s, _ := open(t, dir, nil)
	require.Equal(t, state{}, s)
	require.NoError(t, j.Append([]byte("one")))
	require.NoError(t, j.Append(nil))
	require.EqualValues(t, 3, j.Next())
	_, _, _, err := tryOpen(dir, nil)
	require.ErrorContains(t, err, "another process uses the store")
	closed := make(chan error, 1)
	time.AfterFunc(lockWait/10, func() { closed <- j.Close() })
	j2, s, found := open(t, dir, nil) // waits for the first one
	require.NoError(t, <-closed)
	require.NoError(t, j2.Close())
	require.Equal(t, state{records: []string{"one", ""}}, s)
	require.Equal(t, Recovered{Records: 2}, found)
	require.ErrorIs(t, j.Append([]byte("late")), ErrClosed)

	j, s, found = open(t, dir, nil)
	require.Equal(t, state{records: []string{"one", ""}}, s)
	require.Equal(t, Recovered{Records: 2}, found)
	require.NoError(t, j.Append([]byte("three")))

	number, err := j.Rotate()
	require.NoError(t, err)
	require.EqualValues(t, 4, number)
	require.NoError(t, j.Append([]byte("four")))
	require.NoError(t, j.Snapshot(number, func(part func([]byte) error) error {
		return errors.Join(part([]byte("a")), part([]byte("b")))
	}))
	require.NoError(t, j.Close())
	_, s, _ = open(t, dir, nil)
	require.Equal(t, state{[]string{"a", "b"}, []string{"four"}}, s)
	names, err := filepath.Glob(filepath.Join(dir, "*-*"))
	require.NoError(t, err)
	require.Len(t, names, 2, "files that nobody needs are removed")
}

// TestSnapshotFails leaves a journal without the snapshot, but with all records.
func TestSnapshotFails(t *testing.T) {
	dir := t.TempDir()
	j, _, _ := open(t, dir, nil)
	require.NoError(t, j.Append([]byte("one")))
	number, err := j.Rotate()
	require.NoError(t, err)
	require.NoError(t, j.Append([]byte("two")))
	wrong := errors.New("wrong")
	require.ErrorIs(t, j.Snapshot(number, func(func([]byte) error) error { return wrong }), wrong)
	require.NoError(t, j.Close())
	_, s, _ := open(t, dir, nil)
	require.Equal(t, state{records: []string{"one", "two"}}, s)
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
	j, _, _ := open(t, dir, nil)
	var sizes []int64
	for _, text := range []string{"one", "two", "three, which is the last"} {
		require.NoError(t, j.Append([]byte(text)))
		sizes = append(sizes, j.size)
	}
	require.NoError(t, j.Close())
	name := logFile(t, dir)
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	for size := sizes[1]; size < sizes[2]-headBytes; size++ {
		require.NoError(t, os.WriteFile(name, whole[:size], 0o600))
		j, s, found, err := tryOpen(dir, nil)
		require.NoError(t, err)
		require.Equal(t, []string{"one", "two"}, s.records)
		require.Equal(t, size-sizes[1], found.Torn)
		require.NoError(t, j.Append([]byte("again")))
		require.NoError(t, j.Close())
		j, s, found, err = tryOpen(dir, nil)
		require.NoError(t, err)
		require.Zero(t, found.Torn)
		require.Equal(t, []string{"one", "two", "again"}, s.records)
		require.NoError(t, j.Close())
	}
	for size := range len(header) {
		require.NoError(t, os.WriteFile(name, whole[:size], 0o600))
		j, s, _, err := tryOpen(dir, nil)
		require.NoError(t, err)
		require.Empty(t, s.records)
		require.NoError(t, j.Append([]byte("first")))
		require.NoError(t, j.Close())
	}
}

// TestFlipped changes one bit at a time. A durable record is never lost in silence.
func TestFlipped(t *testing.T) {
	dir := t.TempDir()
	j, _, _ := open(t, dir, nil)
	want := []string{"one", "two", "three"}
	for _, text := range want {
		require.NoError(t, j.Append([]byte(text)))
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
			j, s, _, err := tryOpen(dir, nil)
			if err == nil {
				require.Equal(t, want, s.records, "byte %d, bit %d", at, bit)
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

// TestFullDisk appends to a disk that is full for a time, with room for each number of bytes.
func TestFullDisk(t *testing.T) {
	for room := range 60 {
		dir := t.TempDir()
		f := &faults{room: -1}
		o := &Options{Create: func(name string) (File, error) {
			file, err := create(name)
			return faulty{file, f}, err
		}}
		j, _, _ := open(t, dir, o)
		want := []string{"one"}
		require.NoError(t, j.Append([]byte("one")))
		f.room = room
		if err := j.Append([]byte("a record that may not fit")); err == nil {
			want = append(want, "a record that may not fit")
		} else {
			require.ErrorIs(t, err, syscall.ENOSPC)
		}
		f.room = -1
		require.NoError(t, j.Append([]byte("three")))
		require.NoError(t, j.Close())
		_, s, found := open(t, dir, nil)
		require.Equal(t, append(want, "three"), s.records)
		require.Zero(t, found.Torn)
	}
}

// TestFullDiskAtRotation has a disk that has no room for a new file. The records go on in the old one. They are there when
// the journal is opened again, with files that could not be removed or without.
func TestFullDiskAtRotation(t *testing.T) {
	for room := range len(header) {
		for _, leftover := range []string{"", header[:room], header} {
			dir := t.TempDir()
			f := &faults{room: -1}
			o := &Options{Create: func(name string) (File, error) {
				file, err := create(name)
				return faulty{file, f}, err
			}}
			j, _, _ := open(t, dir, o)
			require.NoError(t, j.Append([]byte("one")))
			f.room = room
			_, err := j.Rotate()
			require.ErrorIs(t, err, syscall.ENOSPC)
			logFile(t, dir) // there is only one
			for _, number := range []uint64{2, 3} {
				require.NoError(t, os.WriteFile(j.name("log", number), []byte(leftover), 0o600))
			}
			f.room = -1
			require.NoError(t, j.Append([]byte("two")))
			require.NoError(t, j.Append([]byte("three")))
			require.NoError(t, j.Close())
			want := []string{"one", "two", "three"}
			var read []string
			none := func(uint64, []byte) error { return nil }
			require.NoError(t, Read(dir, none, func(_ uint64, data []byte) error {
				read = append(read, string(data))
				return nil
			}))
			require.Equal(t, want, read)
			j, s, _ := open(t, dir, nil)
			require.Equal(t, want, s.records)
			logFile(t, dir)
			number, err := j.Rotate()
			require.NoError(t, err)
			require.EqualValues(t, 4, number)
			require.NoError(t, j.Append([]byte("four")))
			require.NoError(t, j.Close())
			_, s, _ = open(t, dir, nil)
			require.Equal(t, append(want, "four"), s.records)
		}
	}
}

func TestBroken(t *testing.T) {
	for _, tt := range []faults{{room: -1, sync: syscall.EIO}, {room: 5, truncate: syscall.EIO}} {
		dir := t.TempDir()
		f := &faults{room: -1}
		o := &Options{Create: func(name string) (File, error) {
			file, err := create(name)
			return faulty{file, f}, err
		}}
		j, _, _ := open(t, dir, o)
		require.NoError(t, j.Append([]byte("one")))
		*f = tt
		require.ErrorIs(t, j.Append([]byte("two")), syscall.EIO)
		*f = faults{room: -1}
		require.ErrorContains(t, j.Append([]byte("three")), "takes no more records")
		require.NoError(t, j.Close())
		_, s, _ := open(t, dir, nil)
		require.Equal(t, "one", s.records[0])
		require.NotContains(t, s.records, "three")
	}
}

// TestShared counts the calls of fsync for records that wait together.
func TestShared(t *testing.T) {
	counted := &counter{}
	o := &Options{Create: func(name string) (File, error) {
		file, err := create(name)
		return counting{file, counted}, err
	}}
	dir := t.TempDir()
	j, _, _ := open(t, dir, o)
	const callers, each = 32, 20
	var all sync.WaitGroup
	for c := range callers {
		all.Go(func() {
			for i := range each {
				if err := j.Append(fmt.Appendf(nil, "%d.%d", c, i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	require.Less(t, counted.syncs, callers*each/4)
	require.NoError(t, j.Close())
	_, s, _ := open(t, dir, nil)
	require.Len(t, s.records, callers*each)
	last := map[string]int{}
	for _, r := range s.records {
		var i int
		caller, number, _ := strings.Cut(r, ".")
		_, err := fmt.Sscan(number, &i)
		require.NoError(t, err)
		require.Equal(t, last[caller], i, "the records of one caller are in order")
		last[caller]++
	}
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
		_, _, _, err := tryOpen(dir, nil)
		require.ErrorContains(t, err, want)
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "log-0000000000000007"), []byte(header), 0o600))
	_, _, _, err := tryOpen(dir, nil)
	require.ErrorContains(t, err, "log-0000000000000001 is missing")
}

// TestMain lets the test binary be a process that appends until it is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("MCPLOGIC_JOURNAL_CHILD"); dir != "" {
		child(dir)
	}
	os.Exit(m.Run())
}

// child appends from several goroutines, takes snapshots, and prints each record that is durable.
func child(dir string) {
	var mu sync.Mutex
	state := map[string]bool{}
	keep := func(data []byte) error {
		state[string(data)] = true
		return nil
	}
	j, _, err := Open(dir, nil, keep, keep)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	start := j.Next()
	var barrier sync.RWMutex
	for c := range 4 {
		go func() {
			for i := 0; ; i++ {
				text := fmt.Sprintf("%d-%d-%d", start, c, i)
				barrier.RLock()
				err := j.Append([]byte(text))
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
		number, err := j.Rotate()
		var all []string
		for text := range state {
			all = append(all, text)
		}
		barrier.Unlock()
		if err == nil {
			err = j.Snapshot(number, func(part func([]byte) error) error {
				for _, text := range all {
					if err := part([]byte(text)); err != nil {
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
		cmd.Env = append(os.Environ(), "MCPLOGIC_JOURNAL_CHILD="+dir)
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
	j, s, _, err := tryOpen(dir, nil)
	require.NoError(t, err)
	require.NoError(t, j.Close())
	there := map[string]bool{}
	for _, text := range append(s.snapshot, s.records...) {
		require.False(t, there[text], "%s is there twice", text)
		there[text] = true
	}
	for text := range durable {
		require.True(t, there[text], "%s is lost", text)
	}
	require.NotEmpty(t, durable)
	t.Logf("%d kills, %d records acknowledged, %d there", kills, len(durable), len(there))
}
