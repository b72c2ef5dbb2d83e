package decisions

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"io"
	"os"
	"slices"
)

// This file sorts the events of a process in little memory: it keeps sorted runs in a temporary file.

// event is a call to be replayed on a state, or a change that leads to a state.
type event struct {
	load, state uint64
	place
	kind eventKind
}

// place is where a line is: a byte offset in a file of a folder, or the number of a row in the database.
type place struct {
	at         int64
	file, size int32
}

// eventKind orders the events of one state: the change that leads to it comes before the calls that see it.
type eventKind byte

const (
	isGap eventKind = iota // facts have changed, nobody knows how
	isChange
	isCall
)

func (e event) compare(other event) int {
	return cmp.Or(cmp.Compare(e.load, other.load), cmp.Compare(e.state, other.state), cmp.Compare(e.kind, other.kind),
		cmp.Compare(e.file, other.file), cmp.Compare(e.at, other.at))
}

// runLength bounds the events in memory. It is a variable so that tests can lower it.
var runLength = 1 << 14

// spill is the temporary file, which is created on first use.
type spill struct {
	file *os.File
	size int64
	kept int // events in memory of processes that have been read
}

// close removes the file.
func (s *spill) close() {
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}

// events has the events of one process.
type events struct {
	*spill
	waits []event
	runs  []sortedRun
}

// sortedRun is a sorted part of the events, and the next of them.
type sortedRun struct {
	at, count int64 // in the file
	in        io.Reader
	next      event
}

func (l *events) add(e event) error {
	l.waits = append(l.waits, e)
	if len(l.waits) < runLength {
		return nil
	}
	return l.flush()
}

// end is called after the last event.
func (l *events) end() error {
	if l.kept += len(l.waits); l.kept > runLength {
		l.kept -= len(l.waits)
		return l.flush()
	}
	l.waits = slices.Clip(l.waits)
	slices.SortFunc(l.waits, event.compare)
	return nil
}

// flush writes the events in memory to the file.
func (l *events) flush() (err error) {
	if l.file == nil {
		if l.file, err = os.CreateTemp("", "mcplogic-replay-*"); err != nil {
			return err
		}
	}
	slices.SortFunc(l.waits, event.compare)
	w := bufio.NewWriter(io.NewOffsetWriter(l.file, l.size))
	for _, e := range l.waits {
		if err == nil {
			err = binary.Write(w, binary.LittleEndian, e.numbers())
		}
	}
	l.runs = append(l.runs, sortedRun{at: l.size, count: int64(len(l.waits))})
	l.size += int64(len(l.waits)) * int64(binary.Size(packed{}))
	l.waits = l.waits[:0]
	return cmp.Or(err, w.Flush())
}

// packed is an event in the file.
type packed [5]uint64

func (e event) numbers() packed {
	return packed{e.load, e.state, uint64(e.at), uint64(uint32(e.file))<<32 | uint64(uint32(e.size)), uint64(e.kind)}
}

// read reads the next event of a run. ok is false behind the last.
func (r *sortedRun) read() (ok bool, err error) {
	var n packed
	err = binary.Read(r.in, binary.LittleEndian, &n)
	r.next = event{n[0], n[1], place{int64(n[2]), int32(n[3] >> 32), int32(n[3])}, eventKind(n[4])}
	if err == io.EOF {
		return false, nil
	}
	return err == nil, err
}

// all calls f with the events in their order, many at a time.
func (l *events) all(f func(some []event) error) error {
	const together = 256
	if len(l.runs) == 0 {
		for some := range slices.Chunk(l.waits, together) {
			if err := f(some); err != nil {
				return err
			}
		}
		return nil
	}
	if len(l.waits) > 0 {
		if err := l.flush(); err != nil {
			return err
		}
	}
	var merged merge
	for _, r := range l.runs {
		r.in = bufio.NewReader(io.NewSectionReader(l.file, r.at, r.count*int64(binary.Size(packed{}))))
		if _, err := r.read(); err != nil {
			return err
		}
		merged = append(merged, &r)
	}
	heap.Init(&merged)
	some := make([]event, 0, together)
	for len(merged) > 0 {
		some = append(some, merged[0].next)
		ok, err := merged[0].read()
		switch {
		case err != nil:
			return err
		case ok:
			heap.Fix(&merged, 0)
		default:
			heap.Pop(&merged)
		}
		if len(some) == together || len(merged) == 0 {
			if err := f(some); err != nil {
				return err
			}
			some = some[:0]
		}
	}
	return nil
}

// merge is a heap of runs; the run with the earliest event is its first element.
type merge []*sortedRun

func (m merge) Len() int           { return len(m) }
func (m merge) Less(i, j int) bool { return m[i].next.compare(m[j].next) < 0 }
func (m merge) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }
func (m *merge) Push(x any)        { *m = append(*m, x.(*sortedRun)) }
func (m *merge) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}
