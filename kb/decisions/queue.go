package decisions

import (
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/internal/facts"
)

// This file defines how the lines of all callers come to the one that writes. Callers share no lock.

// mostTogether bounds the entries of one group.
const mostTogether = 1024

// A group waits for those who are expected for no longer than some writes take, and never longer than mostPatience.
const (
	fewWrites    = 4
	mostPatience = 5 * time.Millisecond
)

// written is a line with its end, and what it is found by.
type written struct {
	id, tool string
	time     time.Time
	text     []byte
}

// entry is some lines, and who is told whether they are durable. before is the one that came before it.
type entry struct {
	lines  []written
	done   func(error)
	before *entry
}

// queue has one goroutine write for all callers: the lines that have come while it wrote are written together. An
// fsync, with the processors that fall idle meanwhile, costs as much processor time as some small calls. Who has just
// got an answer is likely to call again, so a group waits a moment for as many as there were last time. A caller who is
// alone waits for nobody.
type queue struct {
	append func(lines []written) error // writes all of them durably, or none
	wake   chan struct{}               // has room for one: as many wait as are wanted, or the queue is closed
	ended  chan struct{}               // closed when nothing more is written
	end    *entry                      // the last one of a queue that is closed

	last   atomic.Pointer[entry] // of those that wait
	waits  atomic.Int64          // how many they are
	wanted atomic.Int64          // how many have to wait before the writer is roused
}

func newQueue(write func(lines []written) error) *queue {
	q := &queue{append: write, wake: make(chan struct{}, 1), ended: make(chan struct{}), end: &entry{}}
	go q.run()
	return q
}

// write returns at once.
func (q *queue) write(lines []written, done func(error)) {
	if !q.push(&entry{lines: lines, done: done}) {
		done(facts.ErrClosed)
	} else if q.waits.Add(1) >= q.wanted.Load() {
		q.rouse()
	}
}

// push reports whether the queue has taken an entry.
func (q *queue) push(e *entry) bool {
	for {
		if e.before = q.last.Load(); e.before == q.end {
			return false
		}
		if q.last.CompareAndSwap(e.before, e) {
			return true
		}
	}
}

func (q *queue) rouse() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// run writes what comes, until the queue is closed.
func (q *queue) run() {
	defer close(q.ended)
	expected, took := 0, time.Duration(0)
	for {
		if q.await(1, nil); expected > 1 {
			over := time.NewTimer(min(fewWrites*took, mostPatience))
			q.await(expected, over.C)
			over.Stop()
		}
		group, closed := q.take()
		for some := range slices.Chunk(group, mostTogether) {
			began := time.Now()
			q.together(some)
			took = time.Since(began)
		}
		if closed {
			return
		}
		expected = len(group) + int(q.waits.Load())
	}
}

// await returns when a number of entries wait, when a time is over, or when the queue is closed.
func (q *queue) await(number int, over <-chan time.Time) {
	q.wanted.Store(int64(number))
	defer q.wanted.Store(math.MaxInt64)
	for q.waits.Load() < int64(number) && q.last.Load() != q.end {
		select {
		case <-q.wake:
		case <-over:
			return
		}
	}
}

// take returns the entries that wait, the earliest first.
func (q *queue) take() (group []*entry, closed bool) {
	e := q.last.Load()
	for e != q.end && !q.last.CompareAndSwap(e, nil) {
		e = q.last.Load()
	}
	if closed = e == q.end; closed {
		e = e.before
	}
	for ; e != nil; e = e.before {
		group = append(group, e)
	}
	slices.Reverse(group)
	q.waits.Add(-int64(len(group)))
	return group, closed
}

// together writes some entries.
func (q *queue) together(group []*entry) {
	var lines []written
	for _, e := range group {
		lines = append(lines, e.lines...)
	}
	var err error
	if len(lines) > 0 {
		err = q.append(lines)
	}
	for _, e := range group {
		e.done(err)
	}
}

// close waits for the lines that have come.
func (q *queue) close() {
	if q.push(q.end) {
		q.rouse()
	}
	<-q.ended
}
