package facts

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
)

// This file defines a simulated disk, as the system sees it: files and names are durable once they are synced. A crash
// keeps some of what was not. When a sync fails the system may go on to show what it has not written, and take it for
// written: no later sync writes it, unless it is written to the file again.

// errSim is the error of a step that was told to fail.
var errSim = errors.New("simulated error")

// crashed is the panic of a step at which the process ends.
type crashed struct{}

// trouble decides what happens at each step of a simulation.
type trouble struct {
	random  *rand.Rand
	steps   int
	failAt  int // the first step that fails; 0: none
	failFor int // how many fail, at least one
	crashAt int // the step at which the process ends, before, within or after it
}

// step counts a step. It returns an error if the step is not to be done, or says that the process ends after it.
func (s *trouble) step() (err error, after bool) {
	s.steps++
	switch {
	case s.failAt > 0 && s.steps >= s.failAt && s.steps < s.failAt+max(s.failFor, 1):
		return errSim, false
	case s.steps == s.crashAt:
		if s.random.IntN(2) == 0 {
			panic(crashed{})
		}
		return nil, true
	}
	return nil, false
}

// do does a step.
func (s *trouble) do(f func()) error {
	err, after := s.step()
	if err != nil {
		return err
	}
	f()
	if after {
		panic(crashed{})
	}
	return nil
}

// simFile is a file of a simulated disk.
type simFile struct {
	data    []byte       // as the system has it
	durable []byte       // as the disk has it
	lost    map[int]bool // places of data that no sync writes
}

// written is what the disk has when all has been written that the system knows to be left.
func (f *simFile) written() []byte {
	data := bytes.Clone(f.data)
	for at := range f.lost {
		if data[at] = 0; at < len(f.durable) {
			data[at] = f.durable[at]
		}
	}
	return data
}

// evict has the system forget what is not on the disk.
func (f *simFile) evict() { f.data, f.lost = f.written(), nil }

// simDisk is a simulated disk with one folder.
type simDisk struct {
	*trouble
	names   map[string]*simFile // as the system has them
	durable map[string]*simFile // as the disk has them
	changes []func(map[string]*simFile)
	locked  bool
}

func newSimDisk(t *trouble) *simDisk {
	return &simDisk{trouble: t, names: map[string]*simFile{}, durable: map[string]*simFile{}}
}

// crash ends the machine. Of the names some first changes are durable, and of each file some part of what was written
// since it was synced; the part between may be zeros. keep is the share that is kept.
func (d *simDisk) crash(keep float64) {
	kept := 0
	if len(d.changes) > 0 {
		kept = d.random.IntN(len(d.changes) + 1)
	}
	for _, change := range d.changes[:kept] {
		change(d.durable)
	}
	d.names, d.changes, d.locked = maps.Clone(d.durable), nil, false
	for _, f := range d.names {
		f.durable = d.torn(f, keep)
		f.data, f.lost = bytes.Clone(f.durable), nil
	}
}

// torn is what a crash leaves of a file.
func (d *simDisk) torn(f *simFile, keep float64) []byte {
	data := f.written()
	if !bytes.HasPrefix(data, f.durable) { // truncated since
		return [][]byte{data, f.durable}[d.random.IntN(2)]
	}
	rest := data[len(f.durable):]
	if len(rest) == 0 || d.random.Float64() > keep {
		return f.durable
	}
	rest = bytes.Clone(rest[:d.random.IntN(len(rest)+1)])
	if d.random.IntN(3) == 0 && len(rest) > 0 { // the end was written and the beginning not, or the other way round
		at := d.random.IntN(len(rest))
		if d.random.IntN(2) == 0 {
			clear(rest[:at])
		} else {
			clear(rest[at:])
		}
	}
	return append(bytes.Clone(f.durable), rest...)
}

// kill ends the process and not the machine.
func (d *simDisk) kill() {
	d.locked = false
	for _, name := range slices.Sorted(maps.Keys(d.names)) {
		if d.random.IntN(2) == 0 {
			d.names[name].evict()
		}
	}
}

// change changes the names.
func (d *simDisk) change(f func(map[string]*simFile)) {
	f(d.names)
	d.changes = append(d.changes, f)
}

func (d *simDisk) Path() string { return "disk" }

func (d *simDisk) Lock() (io.Closer, error) {
	if d.locked {
		return nil, errors.New("locked")
	}
	d.locked = true
	return d, nil
}

// Close gives up the lock.
func (d *simDisk) Close() error {
	d.locked = false
	return nil
}

func (d *simDisk) List() (list []string, err error) {
	err = d.do(func() { list = slices.Sorted(maps.Keys(d.names)) })
	return list, err
}

func (d *simDisk) Open(name string) (io.ReadSeekCloser, error) {
	f := d.names[name]
	if f == nil {
		return nil, fs.ErrNotExist
	}
	r := &simReader{disk: d, Reader: bytes.NewReader(f.data)}
	return r, d.do(func() {})
}

type simReader struct {
	*bytes.Reader
	disk *simDisk
}

func (r *simReader) Read(p []byte) (n int, err error) {
	if failed := r.disk.do(func() { n, err = r.Reader.Read(p) }); failed != nil {
		return 0, failed
	}
	return n, err
}

func (*simReader) Close() error { return nil }

func (d *simDisk) Append(name string) (File, error) {
	err := d.do(func() {
		if d.names[name] == nil {
			f := &simFile{}
			d.change(func(names map[string]*simFile) { names[name] = f })
		}
	})
	return &simWriter{d, d.names[name]}, err
}

// Overwrite writes a part when it fails.
func (d *simDisk) Overwrite(name string, at int64, data []byte) error {
	f, n := d.names[name], len(data)
	err, after := d.step()
	if err != nil || after {
		n = d.random.IntN(n + 1)
	}
	for i, c := range data[:n] {
		f.data[int(at)+i] = c
		delete(f.lost, int(at)+i)
	}
	if after {
		panic(crashed{})
	}
	if err != nil {
		return err
	}
	return (&simWriter{d, f}).Sync()
}

func (d *simDisk) Rename(from, to string) error {
	return d.do(func() {
		d.change(func(names map[string]*simFile) {
			names[to] = names[from]
			delete(names, from)
		})
	})
}

func (d *simDisk) Remove(name string) error {
	if d.names[name] == nil {
		return fs.ErrNotExist
	}
	return d.do(func() { d.change(func(names map[string]*simFile) { delete(names, name) }) })
}

func (d *simDisk) Sync() error {
	return d.do(func() { d.durable, d.changes = maps.Clone(d.names), nil })
}

// simWriter writes to a file.
type simWriter struct {
	disk *simDisk
	file *simFile
}

// Write writes a part when it fails.
func (w *simWriter) Write(p []byte) (int, error) {
	err, after := w.disk.step()
	n := len(p)
	if err != nil || after {
		n = w.disk.random.IntN(len(p) + 1)
	}
	w.file.data = append(w.file.data, p[:n]...)
	if after {
		panic(crashed{})
	}
	if n == len(p) {
		return n, nil
	}
	return n, err
}

// Sync leaves nobody knows what on the disk when it fails, and takes the rest for written.
func (w *simWriter) Sync() error {
	f := w.file
	err := w.disk.do(func() { f.durable = f.written() })
	if err != nil {
		f.durable = w.disk.torn(f, 1)
		lost := map[int]bool{}
		for i, c := range f.data {
			if i >= len(f.durable) || c != f.durable[i] {
				lost[i] = true
			}
		}
		if f.lost = lost; w.disk.random.IntN(2) == 0 {
			f.data, f.lost = bytes.Clone(f.durable), nil
		}
	}
	return err
}

func (w *simWriter) Truncate(size int64) error {
	return w.disk.do(func() {
		w.file.data = w.file.data[:min(int(size), len(w.file.data))]
		maps.DeleteFunc(w.file.lost, func(at int, _ bool) bool { return at >= len(w.file.data) })
	})
}

func (w *simWriter) Close() error { return w.disk.do(func() {}) }
